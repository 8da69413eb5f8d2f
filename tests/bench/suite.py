#!/usr/bin/env python3
"""suite.py -- every pipeline and every permutation beside memcpy, and beside NumPy and PyTorch.

    suite.py VIEWFOLD [--only pipelines|ttc57|small] [--dtype f32] [--peers] [--measure]
                      [--threads N] [--plot FILE.svg] [--tsv FILE]

Each row is one run of `viewfold bench --json`: medians of alternating runs of the kernel and of a
memcpy of the result's bytes. `ratio` is memcpy's time over the kernel's; `traffic` weighs it by the
bytes that must cross the memory bus. With --peers, NumPy and PyTorch (where they can be imported)
evaluate the same expression in this process, their result copied into memory that was touched before,
alternating with a memcpy of their own.

  pipelines.tsv   what people write: layouts, patches, windows, crops
  ttc57.txt       the permutations of the Tensor Transpose Compiler's benchmark, which HPTT uses:
                  rank, permutation, extents, column-major
"""

import argparse
import ctypes
import json
import math
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = {"u8": 1, "u16": 2, "f16": 2, "f32": 4, "f64": 8}


def read_pipelines():
    with open(os.path.join(HERE, "pipelines.tsv")) as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, declarations, expression = line.rstrip("\n").split("\t")
                yield name, declarations.split(), expression


def read_ttc(dtype):
    """Column-major axis d of rank r is row-major axis r - 1 - d."""
    with open(os.path.join(HERE, "ttc57.txt")) as lines:
        for line in lines:
            words = [int(w) for w in line.split()]
            if not words:
                continue
            rank, perm, extents = words[0], words[1:1 + words[0]], words[1 + words[0]:]
            shape = extents[::-1]
            order = [rank - 1 - perm[rank - 1 - j] for j in range(rank)]
            name = "%s:%s" % (",".join(map(str, perm)), "x".join(map(str, extents)))
            yield name, ["x=%s[%s]" % (dtype, ",".join(map(str, shape)))], "x.permute(%s)" % ",".join(map(str, order))


def read_small():
    """Pipelines scaled down to fit L2."""
    yield "transpose 128", ["x=f32[128,128]"], "x.T"
    yield "transpose 256", ["x=f32[256,256]"], "x.T"
    yield "transpose 512", ["x=f32[512,512]"], "x.T"
    yield "nhwc_nchw_u8", ["x=u8[1,128,192,3]"], "x.permute(0, 3, 1, 2)"
    yield "nchw_nhwc_u8", ["x=u8[1,3,128,192]"], "x.permute(0, 2, 3, 1)"
    yield "nchw_nhwc_f32", ["x=f32[1,64,28,28]"], "x.permute(0, 2, 3, 1)"
    yield "patchify_f32", ["x=f32[1,3,112,112]"], \
        "x.reshape(1, 3, 7, 16, 7, 16).permute(0, 2, 4, 3, 5, 1).reshape(1, 49, 768)"
    yield "head_split_f16", ["x=f16[1,128,768]"], "x.reshape(1, 128, 12, 64).permute(0, 2, 1, 3)"
    yield "mirror_u8", ["x=u8[256,256,3]"], "x.flip(1)"
    yield "bgr_rgb_u8", ["x=u8[256,256,3]"], "x.flip(2)"
    yield "rot90_u8", ["x=u8[256,256,3]"], "x.rot90(1, (0, 1))"
    yield "pixel_shuffle_f32", ["x=f32[1,64,32,32]"], "x.pixel_shuffle(2)"
    yield "pad_f32", ["x=f32[16,56,56]"], "x.pad([1, 1, 1, 1])"
    yield "cat_f32", ["x=f32[16,32,32]", "y=f32[16,32,32]"], "cat([x, y.flip(2)], dim=1)"


def measure(tool, declarations, expression, options):
    command = [tool, "bench", "--json", expression, *declarations, "--threads", str(options.threads)]
    if options.measure:
        command += ["--effort", "measure"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


# ---- peers: the same expression by NumPy and by PyTorch


class NumPy:
    name = "numpy"

    def __init__(self):
        sys.path.insert(0, os.path.join(HERE, "..", "py"))
        import numpy
        import views
        self.np, self.views = numpy, views

    def arrays(self, declarations):
        for word in declarations:
            name, rest = word.split("=")
            dtype, shape = rest.rstrip("]").split("[")
            shape = [int(n) for n in shape.split(",")]
            count = math.prod(shape)
            yield name, (self.np.arange(count) % 2048).astype(self.views.numpy_dtype(dtype)).reshape(shape)

    def prepare(self, declarations, expression):
        arrays = {name: self.views.View(array) for name, array in self.arrays(declarations)}
        out = self.np.array(self.views.evaluate(expression, arrays).array, order="C", copy=True)

        def run():
            self.np.copyto(out, self.views.evaluate(expression, arrays).array)
        return run, out.nbytes


class PyTorch(NumPy):
    name = "torch"

    def __init__(self):
        super().__init__()
        import torch
        torch.set_num_threads(1)
        self.torch = torch

    def prepare(self, declarations, expression):
        torch = self.torch
        names = {name: torch.from_numpy(array) for name, array in self.arrays(declarations)}
        names["cat"] = torch.cat
        text = expression.replace("x.pad(", "pad(x, ").replace("x.pixel_shuffle(", "pixel_shuffle(x, ")
        names["pad"] = torch.nn.functional.pad
        names["pixel_shuffle"] = torch.nn.functional.pixel_shuffle
        code = compile(text, "expression", "eval")
        out = eval(code, {}, names).contiguous().clone()

        def run():
            out.copy_(eval(code, {}, names))
        run()
        return run, out.nbytes


def peer_ratio(peer, declarations, expression, seconds=1.0):
    """memcpy's median time over the peer's, alternating."""
    run, size = peer.prepare(declarations, expression)
    a, b = ctypes.create_string_buffer(size), ctypes.create_string_buffer(size)
    ctypes.memset(a, 1, size)
    ctypes.memset(b, 1, size)
    theirs, copies, end = [], [], time.perf_counter() + seconds
    run()
    while len(theirs) < 3 or (time.perf_counter() < end and len(theirs) < 200):
        t0 = time.perf_counter()
        run()
        t1 = time.perf_counter()
        ctypes.memmove(b, a, size)
        t2 = time.perf_counter()
        theirs.append(t1 - t0)
        copies.append(t2 - t1)
    return statistics.median(copies) / statistics.median(theirs)


def find_peers(wanted):
    peers = []
    for kind in (NumPy, PyTorch) if wanted else ():
        try:
            peers.append(kind())
        except ImportError as missing:
            print("without %s: %s" % (kind.name, missing), file=sys.stderr)
    return peers


# ---- the table and its picture


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def run_suite(title, rows, peers, options):
    names = ["viewfold"] + [p.name for p in peers]
    results = []
    print("\n%s" % title)
    print("%-44s %8s %8s %s  %s" % ("", "ratio", "traffic", " ".join("%8s" % n for n in names[1:]), "strategy"))
    for name, declarations, expression in rows:
        found = measure(options.tool, declarations, expression, options)
        row = {"name": name, "ratio": found["ratio"], "traffic": found["traffic_ratio"], "strategy": found["strategy"],
               "interpret": found["interpret_ns"] / found["kernel_ns"], "compile_us": found["compile_ns"] / 1e3}
        weight = found["traffic_ratio"] / found["ratio"]
        for peer in peers:
            row[peer.name] = weight * peer_ratio(peer, declarations, expression)
        results.append(row)
        print("%-44s %8.2f %8.2f %s  %s" % (name, row["ratio"], row["traffic"],
              " ".join("%8.2f" % row[n] for n in names[1:]), row["strategy"]), flush=True)
    columns = ["ratio", "traffic"] + names[1:]
    print("%-44s %s" % ("geometric mean", " ".join("%8.2f" % geometric_mean([r[c] for r in results]) for c in columns)))
    print("%-44s %s" % ("worst", " ".join("%8.2f" % min(r[c] for r in results) for c in columns)))
    return results


COLOURS = {"viewfold": "#c2410c", "numpy": "#64748b", "torch": "#94a3b8"}


def plot(path, title, results, peers):
    """One row a pipeline, one dot a library; the right edge of the grid is memcpy and beyond."""
    height, left, width = 24, 190, 560
    bottom = 60 + height * len(results)

    def x_of(ratio):
        return left + width * min(ratio, 1.2) / 1.2

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="800" height="%d" font-family="sans-serif" '
             'font-size="13">' % (bottom + 50),
             '<rect width="100%" height="100%" fill="white"/>',
             '<text x="16" y="26" font-size="16" font-weight="bold" fill="#1e293b">%s</text>' % title]
    for tick in range(0, 7):
        x = x_of(tick / 5)
        strong = tick == 5
        parts.append('<line x1="%.0f" y1="44" x2="%.0f" y2="%d" stroke="%s"/>' %
                     (x, x, bottom, "#475569" if strong else "#e2e8f0"))
        parts.append('<text x="%.0f" y="%d" text-anchor="middle" fill="#475569">%s</text>' %
                     (x, bottom + 16, "memcpy" if strong else "%.1f" % (tick / 5)))
    for i, row in enumerate(results):
        y = 56 + height * i
        parts.append('<text x="%d" y="%d" text-anchor="end" fill="#1e293b">%s</text>' % (left - 12, y + 4, row["name"]))
        for name in [p.name for p in peers] + ["viewfold"]:
            value = row["traffic"] if name == "viewfold" else row[name]
            parts.append('<circle cx="%.1f" cy="%d" r="%d" fill="%s"><title>%s %.2f</title></circle>' %
                         (x_of(value), y, 6 if name == "viewfold" else 5, COLOURS[name], name, value))
    x = left
    for name in ["viewfold"] + [p.name for p in peers]:
        parts.append('<circle cx="%d" cy="%d" r="5" fill="%s"/><text x="%d" y="%d" fill="#1e293b">%s</text>' %
                     (x, bottom + 31, COLOURS[name], x + 10, bottom + 35, name))
        x += 110
    parts.append("</svg>")
    with open(path, "w") as out:
        out.write("\n".join(parts) + "\n")


def write_tsv(path, results):
    keys = list(results[0])
    with open(path, "w") as out:
        out.write("\t".join(keys) + "\n")
        for row in results:
            out.write("\t".join("%.3f" % row[k] if isinstance(row[k], float) else str(row[k]) for k in keys) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description="viewfold beside memcpy, NumPy and PyTorch")
    parser.add_argument("tool")
    parser.add_argument("--only", choices=["pipelines", "ttc57", "small"])
    parser.add_argument("--dtype", default="f32", choices=sorted(SIZES))
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--plot")
    parser.add_argument("--tsv")
    return parser.parse_args()


def main():
    options = parse_arguments()
    peers = find_peers(options.peers)
    suites = {"pipelines": lambda: read_pipelines(), "ttc57": lambda: read_ttc(options.dtype), "small": read_small}
    everything = []
    for name, rows in suites.items():
        if options.only not in (None, name):
            continue
        title = "%s, %d thread%s" % (name if name != "ttc57" else name + " " + options.dtype, options.threads,
                                      "" if options.threads == 1 else "s")
        results = run_suite(title, rows(), peers if name == "pipelines" else [], options)
        everything += results
        if options.plot and name == "pipelines":
            plot(options.plot, "Fraction of memcpy's speed, one thread", results, peers)
    if options.tsv:
        write_tsv(options.tsv, everything)


if __name__ == "__main__":
    main()
