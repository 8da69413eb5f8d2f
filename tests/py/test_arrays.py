"""Arrays of 1 to 16 MB, as plans for large results take other ways than those for small ones: random views and
conversions are what NumPy makes of them, in memory that starts anywhere, and no byte beside that memory changes.

    test_arrays.py [SEED [SECONDS]]

Without SECONDS, 150 arrays of SEED are made. What differs is printed with its SEED, its number and its steps.
"""
import math
import random
import sys
import time
import unittest

import numpy as np

from built import vf

DTYPES = ["u1", "u1", "u2", "u2", "f4", "f4", "f8", "c16"]
NAMES = {"u1": "u8", "u2": "u16", "f2": "f16", "f4": "f32", "f8": "f64"}
CONVERSIONS = {"u1": ["f4", "f8", "u2"], "u2": ["f4", "f8"], "f4": ["f2", "f8"], "f8": ["f4"]}
GUARD, BYTE = 64, 0xEE
ARRAYS, MOST = 150, 1 << 24


def extents(r, itemsize):
    """Of 1 to 16 MB: short axes, usual ones, whole lines, long ones."""
    rank = r.randint(2, 5)
    while True:
        shape = [r.choice([r.randint(1, 40), r.randint(30, 700), 64 * r.randint(1, 20), r.randint(1, 4000)])
                 for _ in range(rank)]
        if MOST >> 4 < math.prod(shape) * itemsize < MOST:
            return shape


def pictures(r, itemsize):
    """Of 1 to 16 MB: pictures with 2 to 34 channels, first or last."""
    while True:
        channels, high, wide = r.randint(2, 34), r.randint(5, 300), r.randint(5, 300)
        shape = [r.randint(1, 40), *r.choice([(channels, high, wide), (high, wide, channels)])]
        if MOST >> 4 < math.prod(shape) * itemsize < MOST:
            return shape


def array_of(r, dtype):
    shape = r.choice([extents, pictures])(r, np.dtype(dtype).itemsize)
    count = math.prod(shape) * np.dtype(dtype).itemsize
    a = np.random.default_rng(r.getrandbits(32)).integers(0, 255, count, dtype="u1")
    if dtype == "f4":
        a.view("u4")[...] &= 0x3F7FFFFF  # no NaN: its bits may change in a conversion
    if dtype == "f8":
        a.view("u8")[...] &= 0x3F7FFFFFFFFFFFFF
    return a.view(dtype).reshape(shape)


def engines():
    """Those of this build."""
    try:
        with vf.set_options(engine="jit"):
            vf.asarray(np.zeros((2, 3))).T.numpy()
        return ["jit", "jit", "interpret"]
    except RuntimeError:
        return ["interpret"]


# ---- a step is its name, and what NumPy and the library make of one array: (name, array, view)


def permute(r, a, v):
    order = r.sample(range(a.ndim), a.ndim)
    return f"transpose({order})", a.transpose(order), v.transpose(order)


def planes(r, a, v):
    """Channels last become channels first, or the other way."""
    order = [0, a.ndim - 1, *range(1, a.ndim - 1)] if r.random() < 0.5 else [0, *range(2, a.ndim), 1]
    return f"transpose({order})", a.transpose(order), v.transpose(order)


def flip(r, a, v):
    k = r.randrange(a.ndim)
    return f"flip({k})", np.flip(a, k), v.flip(k)


def crop(r, a, v):
    cut = tuple(slice(r.randint(0, n // 4), n - r.randint(0, n // 4), r.choice([1, 1, 1, 2, 3])) for n in a.shape)
    return f"[{cut}]", a[cut], v[cut]


def roll(r, a, v):
    k = r.randrange(a.ndim)
    by = r.randint(-5, a.shape[k])
    return f"roll({by}, {k})", np.roll(a, by, k), v.roll(by, k)


def pad(r, a, v):
    """The library counts pads from the last axis, as PyTorch does."""
    ends = [(r.randint(0, 5), r.randint(0, 5)) for _ in range(min(2, a.ndim))]
    widths = [(0, 0)] * (a.ndim - len(ends)) + ends[::-1]
    return f"pad({ends})", np.pad(a, widths), v.pad([n for end in ends for n in end])


def pick(r, a, v):
    k = r.randrange(a.ndim)
    places = [r.randrange(a.shape[k]) for _ in range(r.choice([1, 3, 16, min(a.shape[k], 300)]))]
    cut = (slice(None),) * k + (places,)
    return f"[{k}: {len(places)} places]", a[cut], v[cut]


def merge(r, a, v):
    k = r.randrange(a.ndim - 1)
    shape = a.shape[:k] + (-1,) + a.shape[k + 2:]
    return f"reshape({shape})", a.reshape(shape), v.reshape(*shape)


def windows(r, a, v):
    k = r.randrange(a.ndim)
    size, step = min(3, a.shape[k]), r.choice([1, 2, 3])
    of = np.lib.stride_tricks.sliding_window_view(a, size, k)
    return f"unfold({k}, {size}, {step})", of[(slice(None),) * k + (slice(None, None, step),)], v.unfold(k, size, step)


def repeat(r, a, v):
    k, times = r.randrange(a.ndim), r.choice([2, 3, 4, 5])
    return f"repeat_interleave({times}, {k})", np.repeat(a, times, k), v.repeat_interleave(times, k)


def convert(r, a, v):
    to = r.choice(CONVERSIONS[a.dtype.str[1:]])
    return f"to({to})", a.astype(to), v.to(NAMES[to])


ENGINES = engines()
STEPS = [permute, permute, planes, planes, flip, crop, roll, pad, pick, merge, windows, repeat]


def chain(r):
    """Steps until there are enough, each result of at most 32 MB: (steps, array, view)."""
    dtype = r.choice(DTYPES)
    a = array_of(r, dtype)
    v, done = vf.asarray(a), [f"{dtype}{list(a.shape)}"]
    wanted = [r.choice([permute, planes])] + r.choices(STEPS, k=r.randint(0, 3))
    r.shuffle(wanted)
    if dtype in CONVERSIONS and r.random() < 0.25:
        wanted.append(convert)
    for step in wanted:
        if a.ndim < 2 or a.ndim > 7 or 0 in a.shape:
            break
        name, next_a, next_v = step(r, a, v)
        if next_a.nbytes <= 2 * MOST:
            a, v = next_a, next_v
            done.append(name)
    return done, a, v


def differs(r, a, v):
    """What is wrong with the view's bytes in memory that starts anywhere; None: nothing."""
    offset = GUARD + r.choice([0, 0, 1, 2, 3, 17]) * a.dtype.itemsize
    memory = np.full(a.nbytes + offset + 2 * GUARD, BYTE, "u1")
    begin = -memory.ctypes.data % GUARD + offset
    end = begin + a.nbytes
    out = memory[begin:end].view(a.dtype).reshape(a.shape)
    vf.set_options(threads=r.choice([1, 1, 2]), engine=r.choice(ENGINES))
    v.numpy(out=out)
    if not np.array_equal(out.view("u1"), np.ascontiguousarray(a).view("u1")):
        return f"{np.count_nonzero(out.view('u1') != np.ascontiguousarray(a).view('u1'))} bytes of {a.nbytes} differ"
    beside = np.concatenate([memory[:begin], memory[end:]])
    return None if (beside == BYTE).all() else "a byte beside the result changed"


def wrong(seed, arrays=ARRAYS, seconds=math.inf):
    """The chains that differ, as sentences; and how many were made."""
    found, made, end = [], 0, time.time() + seconds
    while made < arrays and time.time() < end:
        r = random.Random(f"{seed} {made}")
        steps, a, v = chain(r)
        fault = differs(r, a, v)
        if fault:
            found.append(f"seed {seed}, array {made}: {'.'.join(steps)}: {fault}")
        made += 1
    return found, made


class Arrays(unittest.TestCase):
    def test_a_roll_between_margins(self):
        """Columns in another order, laid out in a stage without the margins."""
        a = np.random.default_rng(5).integers(0, 255, (2, 7, 196, 216 * 8), dtype="u1").view("u8")
        expected = np.pad(np.roll(a, 8, 3)[:, 6:7].transpose(2, 3, 0, 1), [(0, 0)] * 2 + [(1, 1), (0, 0)])
        view = vf.asarray(a).roll(8, 3)[:, 6:7].transpose(2, 3, 0, 1).pad([0, 0, 1, 1])
        self.assertIsNone(differs(random.Random(1), expected, view))

    def test_bytes_of_random_arrays(self):
        self.assertEqual(wrong(1)[0], [])


if __name__ == "__main__":
    if len(sys.argv) == 1:
        unittest.main()
    sentences, count = wrong(int(sys.argv[1]), *([math.inf, float(sys.argv[2])] if len(sys.argv) > 2 else []))
    print(*sentences, f"{count} arrays of seed {sys.argv[1]}: {len(sentences)} differ", sep="\n")
    sys.exit(bool(sentences))
