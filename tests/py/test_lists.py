"""test_lists.py -- index lists of many runs, which are tables of offsets, and views of them: against NumPy.

Random chains over one array, each with at least one long list: slices, reversals, reshapes, windows, diagonals,
other lists, element types; then the bytes; then writes through the chain where NumPy's own view of a list would be
a copy, which are checked against writing through the list.

VF_CHAINS says how many (800); VF_SEED which.
"""
import os
import random
import sys

import numpy as np

from built import vf

rng = random.Random(int(os.environ.get("VF_SEED", "1")))
count = int(os.environ.get("VF_CHAINS", "800"))


def some_list(extent):
    """Shuffles, draws with repeats, walks, and long runs with jumps."""
    kind, n = rng.randint(0, 3), rng.choice((17, 20, 40, 90, 300))
    if kind == 0:
        return rng.sample(range(extent), extent)
    if kind == 1:
        return [rng.randrange(extent) for _ in range(n)]
    if kind == 2:
        at, out = 0, []
        for _ in range(n):
            at = (at + rng.choice((1, 1, 1, 2, 5))) % extent
            out.append(at)
        return out
    step = rng.randint(2, 4)
    return [i for k in range(step) for i in range(k, extent, step)]


def split_factor(n):
    factors = [k for k in range(2, n) if n % k == 0]
    return rng.choice(factors) if factors else 1


def with_list(a):
    axis = rng.randrange(a.ndim)
    if a.shape[axis] == 0 or a.size // a.shape[axis] * 300 > 200_000:
        return None
    index = some_list(a.shape[axis])
    return (f"index_select({axis}, {index})" if rng.random() < .3 else
            "[" + ":, " * axis + f"{index}]", a.take(index, axis))


def with_slice(a):
    axis = rng.randrange(a.ndim)
    start, stop = rng.choice((None, rng.randint(0, 4))), rng.choice((None, -rng.randint(1, 3)))
    step = rng.choice((1, 1, 2, 3, -1, -2))
    if step < 0:
        start, stop = None, None
    text = ":".join("" if v is None else str(v) for v in (start, stop, step))
    return "[" + ":, " * axis + text + "]", a[(slice(None),) * axis + (slice(start, stop, step),)]


def with_split(a):
    axis = rng.randrange(a.ndim)
    k = split_factor(a.shape[axis])
    shape = a.shape[:axis] + (a.shape[axis] // k if k > 1 else a.shape[axis], k) + a.shape[axis + 1:]
    return f"reshape{shape}", a.reshape(shape)


def with_window(a):
    axis = rng.randrange(a.ndim)
    size, step = rng.randint(1, 3), rng.randint(1, 3)
    if size > a.shape[axis] or a.ndim > 5:
        return None
    windows = np.lib.stride_tricks.sliding_window_view(a, size, axis)
    return f"unfold({axis}, {size}, {step})", windows[(slice(None),) * axis + (slice(None, None, step),)]


def with_diagonal(a):
    if a.ndim < 2:
        return None
    offset, axes = rng.randint(-2, 2), rng.sample(range(a.ndim), 2)
    return f"diagonal({offset}, {axes[0]}, {axes[1]})", a.diagonal(offset, *axes)


def with_bytes(a):
    if a.ndim == 0 or a.itemsize < 2:
        return None
    return "view(u8)", np.ascontiguousarray(a).view(np.uint8)


def others(a):
    axis = rng.randrange(a.ndim)
    order = rng.sample(range(a.ndim), a.ndim)
    k = rng.randint(1, 3)
    return rng.choice((
        (f"permute({str(order)[1:-1]})", a.transpose(order)),
        (f"flip({axis})", np.flip(a, axis)),
        ("reshape(-1)", a.reshape(-1)),
        (f"roll({k}, {axis})", np.roll(a, k, axis)),
        (f"repeat_interleave({k}, {axis})", a.repeat(k, axis)),
        (f"unsqueeze({axis})", np.expand_dims(a, axis))))


OPS = (with_list, with_list, with_list, with_slice, with_split, with_window, with_diagonal, with_bytes, others, others)


def chain(a):
    """A text, what NumPy has for it."""
    texts = []
    for _ in range(rng.randint(1, 7)):
        if a.ndim == 0 or a.size > 100_000 or a.size == 0:
            break
        made = rng.choice(OPS)(a)
        if made is None or made[1].ndim > 6:
            continue
        texts.append(made[0])
        a = made[1]
    return texts, a


tables = cuts = 0
for i in range(count):
    shape = rng.choice(((60,), (24, 36), (6, 30, 8), (50, 4, 3), (128, 2)))
    dtype = rng.choice((np.uint8, np.uint16, np.float32, np.float64, np.complex128))
    x = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    if rng.random() < .3:
        x = x.T
    texts, wanted = chain(x)
    y = vf.asarray(x)
    for text in texts:
        y = vf.evaluate(("y" if text[0] == "[" else "y.") + text, y=y)
    tables += ",...]" in y.map
    cuts += "CUT" in y.map
    got = y.numpy()
    if got.shape != wanted.shape or got.tobytes() != wanted.tobytes():
        sys.exit(f"chain {i}: x{shape} {dtype.__name__}: {texts}: the bytes differ\n{y.explain()}")

# Writes: through a list of different indices, as NumPy's assignment to it.
for i in range(count // 5):
    x = np.zeros(rng.choice(((400,), (60, 30), (5, 40, 6))), rng.choice((np.uint8, np.float32)))
    axis = rng.randrange(x.ndim)
    index = rng.sample(range(x.shape[axis]), rng.randint(1, x.shape[axis]))
    key = (slice(None),) * axis + (index,)
    value = np.arange(x[key].size).reshape(x[key].shape).astype(x.dtype)
    if rng.random() < .5:
        value = np.asfortranarray(value)
    wanted = x.copy()
    wanted[key] = value
    place = vf.evaluate("x[" + ":, " * axis + f"{index}]", x=vf.asarray(x))
    place.assign(vf.asarray(value))
    if x.tobytes() != wanted.tobytes():
        sys.exit(f"write {i}: x{x.shape}[{key}] differs")
    twice = index + index[:1]
    try:
        vf.evaluate("x[" + ":, " * axis + f"{twice}]", x=vf.asarray(x)).fill(1)
        sys.exit(f"write {i}: an index that is there twice was written to")
    except ValueError:
        pass

print(f"{count} chains, {tables} of them end in a table; {count // 5} writes")
if tables < count // 10:
    sys.exit("too few of the chains have tables")
