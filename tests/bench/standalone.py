#!/usr/bin/env python3
"""standalone.py -- the text of `viewfold dump --standalone`, compiled, beside the library's kernel and a naive nest.

    standalone.py [VIEWFOLD] [--list LIST] [--rows A:B:STEP] [--cc CC] [--flags FLAGS] [--pages huge|small] [--json FILE]

For each chain of the list (pipelines.tsv) the dump is compiled by CC (gcc) with FLAGS (-O3 -march=native), and so is a
naive nest that this script writes from the map that `viewfold explain` prints: for each region loops in the
destination's order, with its shape and strides as constants, and one assignment. Both are timed in turns with the
kernel of the library by `viewfold bench --beside`: the same pages, out of all caches before each run; what writes
other bytes than the interpreter is an error. Ratios are of the fastest copy, by traffic.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import lists
from sweep import BUILT, geometric_mean

TYPES = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}


# ---- the map, as explain prints it


def parse_axes(text):
    """'(3,(2,4))' -> [[3], [2, 4]]: the digits of each axis."""
    return [
        [int(n) for n in re.findall(r"-?\d+", axis)]
        for axis in re.findall(r"\([^()]*\)|-?\d+", text.strip()[1:-1])
    ]


def parse_region(text):
    """(origin, digits' extents, steps, source or bytes, strides, offset) of one region."""
    balanced = r"\((?:[^()]|\([^()]*\))*\)"
    found = re.fullmatch(
        r"(?:@(%s) )?(%s)(?:\*(%s))?:(?:fill 0x([0-9a-f]+)|(%s)([+-]\d+)(?: of (\d+))?)" % ((balanced,) * 4),
        text.strip(),
    )
    if not found:
        raise ValueError("no such region: " + text)
    origin, extents, steps, fill, strides, offset, source = found.groups()
    return {
        "origin": parse_axes(origin) if origin else None,
        "extents": parse_axes(extents),
        "steps": parse_axes(steps) if steps else None,
        "fill": fill,
        "strides": parse_axes(strides) if strides else None,
        "offset": int(offset or 0),
        "source": int(source or 0),
    }


def parse_map(explained):
    """The result's shape and its regions."""
    line = [line.strip() for line in explained.splitlines() if re.match(r"    \(", line)][-1]
    if "{" not in line:
        region = parse_region(line)
        return [product(axis) for axis in region["extents"]], [region]
    shape, rest = line.split("{", 1)
    return [product(axis) for axis in parse_axes(shape)], [
        parse_region(part) for part in rest.rstrip("} ").split("|")
    ]


def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


# ---- the naive nest


def loops_of(region, shape):
    """(extent, destination's stride, source's stride) of each digit, outermost first, and where the region begins."""
    loops, begin, stride = [], 0, product(shape)
    for axis, extents in enumerate(region["extents"]):
        stride //= shape[axis] or 1
        begin += (region["origin"][axis][0] if region["origin"] else 0) * stride
        for k, extent in enumerate(extents):
            weight = region["steps"][axis][k] if region["steps"] else product(extents[k + 1 :])
            loops.append((extent, weight * stride, region["strides"][axis][k] if region["strides"] else 0))
    return [loop for loop in loops if loop[0] != 1], begin


def index(loops, which, begin):
    return " + ".join(
        ["%d" % begin] + ["i%d * %dLL" % (k, loop[which]) for k, loop in enumerate(loops) if loop[which]]
    )


def nest(region, shape, unit):
    loops, begin = loops_of(region, shape)
    depth = "".join(
        "\n\tfor (long long i%d = 0; i%d < %d; i%d++)" % (k, k, loop[0], k) for k, loop in enumerate(loops)
    )
    value, declared = "s%d[%s]" % (region["source"], index(loops, 2, region["offset"])), ""
    if region["fill"]:
        value, declared = "value", "\n\tconst unit value = {%s};" % as_unit(region["fill"], unit)
    yield "\t{%s%s\n\t\td[%s] = %s;\n\t}" % (declared, depth, index(loops, 1, begin), value)


def as_unit(text, unit):
    memory = bytes.fromhex(text)
    if unit in TYPES:
        return hex(int.from_bytes(memory, sys.byteorder))
    return ", ".join(hex(int.from_bytes(memory[k : k + 8], sys.byteorder)) for k in range(0, unit, 8))


def naive_text(explained, unit):
    shape, regions = parse_map(explained)
    sources = sorted({region["source"] for region in regions if not region["fill"]})
    yield "typedef %s;" % (
        "%s unit" % TYPES[unit]
        if unit in TYPES
        else "struct { unsigned long long a[%d]; } unit" % (unit // 8)
    )
    yield "void vf_beside(void *dst, const void *const src[])\n{\n\tunit *restrict d = dst;"
    for k in sources:
        yield "\tconst unit *restrict s%d = src[%d];" % (k, k)
    for region in regions:
        yield from nest(region, shape, unit)
    yield "}"


# ---- the dump


def dump_text(tool, declarations, expression):
    """The dump, and a vf_beside() that calls it."""
    return run([tool, "dump", expression, *declarations, "--standalone", "--name", "dumped"]) + (
        "\nvoid vf_beside(void *dst, const void *const src[])\n{\n"
        "\tstatic _Alignas(64) unsigned char scratch[dumped_SCRATCH_BYTES + 64];\n"
        "\tdumped(dst, src, scratch, 0, dumped_UNITS);\n}\n"
    )


# ---- measuring


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().split("\n")[0])
    return done.stdout


def compiled(options, directory, name, text):
    source, library = (os.path.join(directory, name + end) for end in (".c", ".so"))
    with open(source, "w") as out:
        out.write(text)
    run([options.cc, *options.flags.split(), "-w", "-shared", "-fPIC", "-o", library, source])
    return library


def measure(options, directory, row):
    name, declarations, expression = row
    explained = run([options.tool, "explain", expression, *declarations])
    if not re.search(r"^cuts: 0$", explained, re.M):
        raise RuntimeError("the chain has cuts")
    probe = json.loads(
        run([options.tool, "bench", expression, *declarations, "--json", "--time", "0.000001"])
    )
    shape, _ = parse_map(explained)
    unit = probe["out_bytes"] // product(shape)
    texts = {
        "dump": dump_text(options.tool, declarations, expression),
        "naive": "\n".join(naive_text(explained, unit)) + "\n",
    }
    libraries = [compiled(options, directory, key, text) for key, text in texts.items()]
    found = json.loads(
        run(
            [
                options.tool,
                "bench",
                expression,
                *declarations,
                "--json",
                "--time",
                str(options.seconds),
                "--pages",
                options.pages,
                "--beside",
                libraries[0],
                "--beside",
                libraries[1],
            ]
        )
    )
    found["name"] = name
    for key, beside in zip(texts, found.pop("beside")):
        found[key + "_ns"] = beside["ns"]
        found[key] = found["limit_ratio"] * found["kernel_ns"] / beside["ns"]
    return found


COLUMNS = (
    ("kernel", lambda row: row["limit_ratio"]),
    ("dump", lambda row: row["dump"]),
    ("naive", lambda row: row["naive"]),
    ("dump/kernel", lambda row: row["dump"] / row["limit_ratio"]),
    ("dump/naive", lambda row: row["dump"] / row["naive"]),
)


def line_of(title, numbers, end=""):
    return "%-20s %s  %s" % (title, " ".join("%12.2f" % n for n in numbers), end)


def parse_arguments():
    parser = argparse.ArgumentParser(description="dumped texts beside the library's kernels and naive nests")
    parser.add_argument("tool", nargs="?", default=BUILT)
    parser.add_argument("--list", default="pipelines")
    parser.add_argument("--rows", default=":")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--flags", default="-O3 -march=native")
    parser.add_argument("--pages", default="huge", choices=["huge", "small"])
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--json", help="append what is measured to this file")
    return parser.parse_args()


def main():
    options, results = parse_arguments(), []
    rows = slice(*(int(n) if n else None for n in options.rows.split(":")))
    print("%-20s %s" % ("of the fastest copy", " ".join("%12s" % title for title, _ in COLUMNS)))
    for row in lists.read(options.list)[rows]:
        with tempfile.TemporaryDirectory() as directory:
            try:
                results.append(measure(options, directory, row))
            except (RuntimeError, ValueError) as problem:
                print("%-20s %s" % (row[0], problem))
                continue
        print(line_of(row[0], [of(results[-1]) for _, of in COLUMNS], results[-1]["strategy"]), flush=True)
        if options.json:
            with open(options.json, "a") as out:
                print(json.dumps(results[-1]), file=out)
    if results:
        for title, fold in (("geometric mean", geometric_mean), ("worst", min)):
            print(line_of(title, [fold([of(row) for row in results]) for _, of in COLUMNS]))


if __name__ == "__main__":
    main()
