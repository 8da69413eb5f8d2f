"""opening.py -- the table that opens the README: a line of NumPy, its time there, in PyTorch and here.

    PYTHONPATH=build/python python3 tests/bench/opening.py [--seconds S] [--readme README.md]

Each library fills an array in C order that is there and was touched, on one thread; medians of turns: NumPy,
PyTorch, viewfold, and memcpy of as many bytes as the result has. NumPy and PyTorch get the fastest of the ways below,
viewfold the first of NumPy's, over its own arrays. All must give the same bytes. --readme puts the table between its
marks.
"""

import argparse
import ctypes
import math
import os
import statistics

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
import viewfold  # noqa: E402

import report  # noqa: E402
from beside import seconds_of  # noqa: E402

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

# What for; arrays; NumPy's lines, of which the first is shown; PyTorch's.
ROWS = [
    ("a matrix, transposed", {"a": ("f4", (4096, 4096))}, ["a.T"], ["a.T"]),
    ("a picture, turned", {"a": ("u1", (3024, 4032, 3))}, ["a.swapaxes(0, 1)[::-1]"], ["a.swapaxes(0, 1).flip(0)", "torch.rot90(a)"]),
    ("RGB to BGR", {"a": ("u1", (8, 1080, 1920, 3))}, ["a[..., ::-1]"], ["a.flip(-1)", "a[..., [2, 1, 0]]"]),
    (
        "pixels to planes",
        {"a": ("u1", (8, 1080, 1920, 3))},
        ["a.transpose(0, 3, 1, 2)"],
        ["a.permute(0, 3, 1, 2)"],
    ),
    (
        "what a network reads",
        {"a": ("u1", (32, 224, 224, 3)), "m": ("f4", (3, 1, 1)), "s": ("f4", (3, 1, 1))},
        [
            "(a.transpose(0, 3, 1, 2) - m) / s",
            "np.divide(np.subtract(a.transpose(0, 3, 1, 2), m, out=out), s, out=out)",
        ],
        [
            "(a.permute(0, 3, 1, 2) - m) / s",
            "out.copy_(a.permute(0, 3, 1, 2)).sub_(m).div_(s)",
        ],
    ),
    (
        "patches",
        {"a": ("f4", (32, 3, 224, 224))},
        ["a.reshape(32, 3, 14, 16, 14, 16).transpose(0, 2, 4, 1, 3, 5).reshape(32, 196, 768)"],
        ["a.reshape(32, 3, 14, 16, 14, 16).permute(0, 2, 4, 1, 3, 5).reshape(32, 196, 768)"],
    ),
    (
        "attention heads",
        {"a": ("f2", (8, 1024, 768))},
        ["a.reshape(8, 1024, 12, 64).transpose(0, 2, 1, 3)"],
        ["a.reshape(8, 1024, 12, 64).permute(0, 2, 1, 3)"],
    ),
    (
        "two pictures side by side",
        {"a": ("u1", (1080, 1920, 3)), "b": ("u1", (1080, 1920, 3))},
        ["np.concatenate([a, b[:, ::-1]], axis=1)"],
        ["torch.cat([a, b.flip(1)], dim=1)"],
    ),
    (
        "the other order of bytes",
        {"a": ("f4", (4096, 4096))},
        ["a.T.byteswap()", "np.copyto(out.view(out.dtype.newbyteorder()), a.T)"],
        [],  # it has none
    ),
]


def arrays_of(row):
    random = np.random.default_rng(1)
    made = {}
    for name, (dtype, shape) in row[1].items():
        made[name] = random.integers(1, 100, shape, "u1").astype(dtype)
    return made


# ---- ways: a call that fills `out`


def numpy_way(line, arrays, out):
    code, names = compile(line, line, "eval"), {"np": np, "out": out, **arrays}
    if "out" in code.co_names:
        return lambda: eval(code, names)  # pylint: disable=eval-used
    return lambda: np.copyto(out, eval(code, names))  # pylint: disable=eval-used


def torch_way(line, arrays, out):
    held = {name: torch.from_numpy(array) for name, array in arrays.items()}
    code, into = compile(line, line, "eval"), torch.from_numpy(out)
    names = {"torch": torch, "out": into, **held}
    if "out" in code.co_names:
        return lambda: eval(code, names)  # pylint: disable=eval-used
    return lambda: into.copy_(eval(code, names))  # pylint: disable=eval-used


def viewfold_way(line, arrays, out):
    code = compile(line, line, "eval")
    names = {"np": viewfold, **{name: viewfold.asarray(array) for name, array in arrays.items()}}
    return lambda: eval(code, names).numpy(out=out)  # pylint: disable=eval-used


def memcpy_way(out):
    source = np.ones(out.nbytes, "u1")
    return lambda: ctypes.memmove(out.ctypes.data, source.ctypes.data, out.nbytes)


def checked(name, way, out, wanted):
    """The way, once it has filled `out` with what it should."""
    out.reshape(-1).view("u1")[:] = 0xAA
    way()
    if out.tobytes() != wanted.tobytes():
        raise SystemExit("%s gives other bytes than NumPy" % name)
    return way


# ---- timing


def medians(ways, seconds):
    """Of each way, in turns."""
    took = {name: [] for name in ways}
    total = 0
    while total < seconds or len(took["memcpy"]) < 3:
        for name, way in ways.items():
            took[name].append(seconds_of(way))
            total += took[name][-1]
    return {name: statistics.median(times) for name, times in took.items()}


def measure(row, seconds):
    arrays = arrays_of(row)
    wanted = np.ascontiguousarray(eval(row[2][0], {"np": np, **arrays}))  # pylint: disable=eval-used
    out = np.ones(wanted.shape, wanted.dtype)
    ways = {"numpy %d" % i: numpy_way(line, arrays, out) for i, line in enumerate(row[2])}
    if torch:
        ways.update({"torch %d" % i: torch_way(line, arrays, out) for i, line in enumerate(row[3])})
    ways["viewfold 0"] = viewfold_way(row[2][0], arrays, out)
    for name, way in ways.items():
        checked("%s: %s" % (row[0], name), way, out, wanted)
    found = medians({**ways, "memcpy": memcpy_way(out)}, seconds)
    best = {}
    for name, time in found.items():
        kind = name.split()[0]
        best[kind] = min(time, best.get(kind, math.inf))
    return best


# ---- the table


def milliseconds(time):
    return "–" if time is None else "%.3g ms" % (1e3 * time)


def shape_of(row):
    dtype, shape = row[1]["a"]
    return "`%s` %s" % (dtype, " × ".join(map(str, shape)))


def table(found):
    """The rows, then their geometric mean as times of viewfold's."""
    yield "| | your line | `a` | NumPy | PyTorch | viewfold | a copy |"
    yield "|---|---|---|--:|--:|--:|--:|"
    kinds = ("numpy", "torch", "viewfold", "memcpy")
    for row, best in found:
        times = [milliseconds(best.get(kind)) for kind in kinds]
        times[2] = "**%s**" % times[2]
        yield "| %s | `%s` | %s | %s |" % (row[0], row[2][0], shape_of(row), " | ".join(times))
    means = []
    for kind in kinds:
        times = [best[kind] / best["viewfold"] for _, best in found if kind in best]
        means.append("%.2g ×" % report.geometric_mean(times) if times else "–")
    yield "| **times of viewfold's**, geometric mean | | | %s |" % " | ".join(means)
    yield ""


def text_of(found):
    lines = list(table(found))
    peers = "NumPy %s" % np.__version__ + (
        " and PyTorch %s" % torch.__version__.split("+")[0] if torch else ""
    )
    lines.append(
        "viewfold's line is yours, over `a = viewfold.asarray(a)`, with `viewfold` for `np` and `.numpy(out=out)` at "
        "its end. Times are medians of turns on one thread, into an array that was touched before; %s in the fastest "
        "of the ways that `tests/bench/opening.py` lists; a copy is `memcpy` of as many bytes as the result has."
        % peers
    )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="the table that opens the README")
    parser.add_argument("--seconds", type=float, default=2, help="for a row")
    parser.add_argument("--readme", help="put the table between its marks")
    options = parser.parse_args()
    text = text_of([(row, measure(row, options.seconds)) for row in ROWS])
    print(text)
    if options.readme:
        report.put_between(options.readme, "opening", text)


if __name__ == "__main__":
    main()
