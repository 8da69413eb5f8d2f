"""copies.py -- viewfold.ascontiguousarray(a) beside numpy.ascontiguousarray(a), and PyTorch's contiguous().

    PYTHONPATH=build/python python3 tests/bench/copies.py [--sizes 4K,64K,...] [--views NAME,...] [--threads N]
                                                          [--torch] [--out] [--first] [--markdown]

Each cell is NumPy's time over viewfold's: above 1 viewfold is faster. Both make a new array at each call (--out:
both write to the same one, that was touched before). Medians of alternating calls; a cell takes about 0.2 s, or two
calls of each where one is longer.

--first  times the first call of a shape that was not met before, each by itself: what a program pays that
         copies once.
"""
import argparse
import statistics
import sys
import time

import numpy as np
import viewfold as vf

try:
    import torch
except ImportError:
    torch = None


def square(n, size):
    side = max(int((n // size) ** .5), 2)
    return side, side


def pixels(n, size):
    height = max(int((n // (3 * size) * 9 / 16) ** .5), 2)
    return height, max(n // (3 * size * height), 2), 3


def channels(n, size):
    height, width, _ = pixels(n // 16, size)
    return max(n // (size * 64 * height * width), 1), 64, height, width


def heads(n, size):
    return 1, max(n // (size * 12 * 64), 1), 12, 64


# name: element type, shape of so many bytes, the view
VIEWS = {
    "a.T f4": ("f4", square, lambda a: a.T),
    "a.T f8": ("f8", square, lambda a: a.T),
    "a.T u1": ("u1", square, lambda a: a.T),
    "a[::-1] f4": ("f4", square, lambda a: a[::-1]),
    "a[:, ::-1] u1x3": ("u1", pixels, lambda a: a[:, ::-1]),
    "a[..., ::-1] u1x3": ("u1", pixels, lambda a: a[..., ::-1]),
    "HWC to CHW u1": ("u1", pixels, lambda a: a.transpose(2, 0, 1)),
    "HWC to CHW f4": ("f4", pixels, lambda a: a.transpose(2, 0, 1)),
    "NCHW to NHWC f4": ("f4", channels, lambda a: a.transpose(0, 2, 3, 1)),
    "heads f2": ("f2", heads, lambda a: a.transpose(0, 2, 1, 3)),
    "a[::2, ::2] f4": ("f4", lambda n, s: tuple(2 * x for x in square(n, s)), lambda a: a[::2, ::2]),
    "crop u1x3": ("u1", lambda n, s: (pixels(n, s)[0] + 8, pixels(n, s)[1] + 8, 3), lambda a: a[4:-4, 4:-4]),
    "rows f4": ("f4", lambda n, s: (2 * square(n, s)[0], square(n, s)[1]), lambda a: a[::2]),
}


def bytes_of(text):
    return int(text.rstrip("KMG")) << {"K": 10, "M": 20, "G": 30}.get(text[-1], 0)


def seconds(call, count):
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def ratio(theirs, ours):
    """Their time over ours, and ours."""
    once = max(seconds(theirs, 1), seconds(ours, 1), 1e-7)
    count = max(1, int(1e-3 / once))
    rounds = max(2, min(60, int(.1 / (once * count))))
    pairs = [(seconds(theirs, count), seconds(ours, count)) for _ in range(rounds)]
    return statistics.median(a for a, b in pairs) / statistics.median(b for a, b in pairs), \
        statistics.median(b for a, b in pairs)


def calls(view, options):
    """What is timed: theirs and ours, of one view."""
    out = np.empty(view.shape, view.dtype)
    if options.torch:
        tensor = torch.from_numpy(view) if all(s > 0 for s in view.strides) else None
        if tensor is None:
            return None
        held = torch.empty(tensor.shape, dtype=tensor.dtype)
        if options.out:
            return lambda: held.copy_(tensor), lambda: vf.contiguous(tensor, held, options.threads)
        return tensor.contiguous, lambda: vf.contiguous(tensor, threads=options.threads)
    if options.out:
        return lambda: np.copyto(out, view), lambda: vf.ascontiguousarray(view, out, options.threads)
    if options.threads:
        return lambda: np.ascontiguousarray(view), lambda: vf.ascontiguousarray(view, threads=options.threads)
    return lambda: np.ascontiguousarray(view), lambda: vf.ascontiguousarray(view)


def first_ratio(make, options):
    """Median over shapes that differ by a row."""
    pairs = []
    for k in range(1, 12):
        view = make(k)
        theirs, ours = calls(view, options)
        np.ascontiguousarray(view)
        pairs.append((seconds(theirs, 1), seconds(ours, 1)))
    return statistics.median(a for a, b in pairs) / statistics.median(b for a, b in pairs), \
        statistics.median(b for a, b in pairs)


def cell(name, size, options):
    dtype, shape_of, view_of = VIEWS[name]
    shape = shape_of(size, np.dtype(dtype).itemsize)

    def make(more):
        a = np.empty((shape[0] + 2 * more,) + shape[1:], dtype)
        a.reshape(-1).view("u1")[:] = 1
        return view_of(a)
    if options.first:
        return first_ratio(make, options)
    both = calls(make(0), options)
    return ratio(*both) if both else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="4K,16K,64K,256K,1M,4M,16M,64M,256M")
    parser.add_argument("--views", default=",".join(name.replace(",", ";") for name in VIEWS))
    parser.add_argument("--threads", type=int)
    for flag in ("--torch", "--out", "--first", "--markdown"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    if torch:
        torch.set_num_threads(options.threads or 1)
    sizes = options.sizes.split(",")
    print("| of " + ("PyTorch" if options.torch else "NumPy") + " | " + " | ".join(s + "iB" for s in sizes) + " |")
    print("|---|" + "---|" * len(sizes))
    for name in options.views.split(","):
        name = name.replace(";", ",")
        row = [cell(name, bytes_of(size), options) for size in sizes]
        print(f"| `{name}` | " + " | ".join(f"{r[0]:.2f}" + ("" if options.markdown else f" ({r[1] * 1e6:.0f}us)")
                                             if r else "" for r in row) + " |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
