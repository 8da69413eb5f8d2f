"""Element functions against NumPy, bit by bit: conversions of every pair of types, and random chains.

VF_CASES is how many chains (3000), VF_SEED which.
Each chain is made of view operations and element functions at once on a viewfold array and on NumPy's, which computes
eagerly: a result differs where a view did not go through a function as it should, where anything was fused, and where a
rule of types is another. What NaN carries beside being NaN is not compared.
"""
import os
import sys

import numpy as np

from built import compile_at_once, vf

compile_at_once()

TYPES = {"bool": "?", "u8": "u1", "i8": "i1", "u16": "u2", "i16": "i2", "u32": "u4", "i32": "i4", "u64": "u8",
         "i64": "i8", "f16": "f2", "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16"}
CODES = {name: np.dtype(code) for name, code in TYPES.items()}
NAMES = {dtype: name for name, dtype in CODES.items()}
FLOATS, INTEGERS = ("f16", "f32", "f64"), ("u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64")


def canonical(a):
    """Bytes in which every NaN is one."""
    a = np.ascontiguousarray(a)
    if a.dtype.kind == "c":
        a = a.view(a.real.dtype)
    if a.dtype.kind == "f":
        a = np.where(np.isnan(a), np.array(np.nan, a.dtype), a)
    return a.tobytes()


# ---- the contract of conversions, in NumPy ----

def convert(a, name):
    """By viewfold.h: where NumPy leaves it to the processor, what is beyond a type's end is that end, and NaN is 0."""
    dtype, kind = CODES[name], a.dtype.kind
    with np.errstate(all="ignore"):
        if kind == "c" and name not in ("c64", "c128", "bool"):
            a = a.real
        if a.dtype.kind == "f" and name in INTEGERS:
            info = np.iinfo(dtype)
            wide = np.trunc(np.where(np.isnan(a), 0, a).astype("f8"))
            low, high = wide <= float(info.min), wide >= float(info.max)
            inner = np.where(low | high, 0, wide).astype(dtype)
            return np.where(low, info.min, np.where(high, info.max, inner)).astype(dtype)
        return a.astype(dtype)


def all_values(name):
    """Every value of the types of 8 and 16 bits; what is special, and random bits, of the others."""
    dtype = CODES[name]
    if name == "bool":
        return np.array([False, True])
    if dtype.itemsize <= 2:
        return np.arange(256 ** dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype)
    random = np.random.default_rng(7)
    part = np.dtype(dtype.type(0).real.dtype)
    if part.kind == "f":
        near = [2.0 ** k * m for k in range(-30, 66) for m in (1, 1 + 2 ** -11, 1 + 2 ** -10, 1 + 2 ** -8, 1.5, 1 - 2 ** -12)]
        near += [65504, 65519.996, 65520, 65536, 2 ** 31 - 0.5, 2 ** 53 + 2, 1e-45, 1e-40, 1e-8, 6e-8, 5.9604645e-08 / 2]
        with np.errstate(all="ignore"):
            special = np.array([0, np.inf, np.nan, *near, np.finfo(part).max, np.finfo(part).tiny], "f8").astype(part)
        values = np.concatenate([special, -special, random.standard_normal(20000).astype(part) * part.type(300)])
    else:
        info = np.iinfo(part)
        edges = [v + d for v in (0, 2 ** 7, 2 ** 8, 2 ** 15, 2 ** 16, 2 ** 24, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 2 ** 64)
                 for d in range(-3, 4)]
        values = np.array([v for e in edges for v in (e, -e) if info.min <= v <= info.max], part)
    bits = random.integers(0, 256, 40000 * part.itemsize, np.uint8).view(part)
    values = np.concatenate([values, bits])
    return values[:len(values) // 2 * 2].view(dtype) if dtype.kind == "c" else values


def check_conversions():
    differ = pairs = count = 0
    for source in TYPES:
        values = all_values(source)
        for target in TYPES:
            expected, found = convert(values, target), vf.asarray(values).to(target).numpy()
            pairs += 1
            count += values.size
            if canonical(found) != canonical(expected):
                differ += 1
                bad = [i for i in range(values.size) if canonical(found[i]) != canonical(expected[i])][0]
                print(f"{source} to {target}: {values[bad]!r} is {found[bad]!r}, not {expected[bad]!r}")
    print(f"{pairs} pairs of types, {count} values: {differ} pairs differ")
    return differ


def bf16_of(values):
    """The nearest bf16 of floats, from their bits."""
    bits = values.astype("f4").view("u4").astype("u8")
    return np.where(np.isnan(values), 0x7fc0, (bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype("u2")


def check_bfloat16():
    every = np.arange(65536, dtype="u2")
    wide = (every.astype("u4") << 16).view("f4")
    source = vf.asarray(every).view("bf16")
    fails = canonical(source.to("f32").numpy()) != canonical(wide)
    for name in TYPES:
        fails += canonical(source.to(name).numpy()) != canonical(convert(wide, name))
    values = all_values("f32")
    found = vf.asarray(values).to("bf16").view("u16").numpy()
    expected = bf16_of(values)
    fails += int((np.where(np.isnan(values), 0, found) != np.where(np.isnan(values), 0, expected)).sum())
    half = np.arange(65536, dtype="u2").view("f2")
    found, expected = vf.asarray(half).to("bf16").view("u16").numpy(), bf16_of(half.astype("f4"))
    fails += int((np.where(np.isnan(half), 0, found) != np.where(np.isnan(half), 0, expected)).sum())
    print(f"bf16 of and to the other types: {fails} differ")
    return fails


def check_lists():
    """Nested lists beside an array are what NumPy makes of them."""
    x, fails = np.arange(24, dtype="f8").reshape(2, 4, 3), 0
    for line in ("x - [1, 2.5, 3]", "[1, 2.5, 3] - x", "x / (2.0, 4.0, 8.0)", "[[1.5], [2], [3], [4]] * x", "1 / x[:, 1:] + [7]",
                 "(x.T + [[[1.0, 2]]])[::-1]"):
        ours, theirs = eval(line, {"x": vf.asarray(x)}).numpy(), eval(line, {"x": x})
        if ours.dtype != theirs.dtype or ours.shape != theirs.shape or canonical(ours) != canonical(theirs):
            fails += 1
            print(f"{line} differs")
    print(f"lists beside an array: {fails} differ")
    return fails


# ---- random chains ----

def promote(a, b):
    """The type of two arrays, by viewfold.h."""
    kinds = {"b": 0, "i": 1, "u": 1, "f": 2}
    ka, kb = kinds[a.dtype.kind], kinds[b.dtype.kind]
    if ka != kb:
        return a.dtype if ka > kb else b.dtype
    return np.promote_types(a.dtype, b.dtype)


class Pair:
    """A viewfold array and NumPy's, and how they were made."""

    def __init__(self, ours, theirs, text):
        self.ours, self.theirs, self.text = ours, theirs, text


def new_leaf(rng, shape, name):
    dtype = CODES[name]
    if dtype.kind == "f":
        values = (rng.standard_normal(shape) * 100).astype(dtype)
        values = np.where(rng.random(shape) < 0.02, np.array(rng.choice([np.inf, np.nan, -0.0, 0]), dtype), values)
    elif dtype.kind == "b":
        values = rng.random(shape) < 0.5
    else:
        values = rng.integers(0, 256, tuple(shape) + (dtype.itemsize,), np.uint8).view(dtype).reshape(shape)
    values = np.asarray(values, dtype)
    return Pair(vf.asarray(values), values, f"{name}{list(shape)}")


def arithmetic(rng, p, leaves):
    """x op v or v op x, where v is a number, a leaf that stretches, or a part of p itself."""
    op = rng.choice(["add", "sub", "mul", "div", "rsub", "rdiv"])
    a = p.theirs
    kind = a.dtype.kind
    if rng.random() < 0.5:
        integer = rng.random() < 0.4
        v = int(rng.integers(0, 100)) if integer else float(rng.choice([0.5, -3.25, 255.0, 1e-3, 0.1, 7.0]))
        dtype = a.dtype if kind == "f" or (integer and kind != "b") else np.dtype("i8" if integer else "f4")
        if op in ("div", "rdiv") and dtype.kind != "f":
            dtype = np.dtype("f4")
        other, text = v, repr(v)
        value = np.array(v, dtype)
    else:
        if rng.random() < 0.8 or a.ndim == 0:
            keep = int(rng.integers(0, a.ndim + 1))
            shape = [n if rng.random() < 0.7 else 1 for n in a.shape[a.ndim - keep:]]
            q = new_leaf(rng, shape, rng.choice(["u8", "i16", "f16", "f32", "f64", "i32", "u64", "i64"]))
            if rng.random() < 0.2 and q.theirs.dtype.kind == "f":
                q = Pair(q.ours * 0.5, (q.theirs * np.array(0.5, q.theirs.dtype)), f"({q.text} * 0.5)")
            if rng.random() < 0.3 and leaves is not None:
                q = element(rng, q, None)
        else:
            q = Pair(p.ours.flip(0), a[::-1], f"{p.text}.flip(0)")
        value, other, text = q.theirs, q.ours, q.text
        if a.dtype.kind == "b" and value.dtype.kind == "b":
            return p
        dtype = promote(a, value)
        if op in ("div", "rdiv") and dtype.kind != "f":
            dtype = np.dtype("f4")
    x, y = convert(a, NAMES[dtype]), convert(np.asarray(value), NAMES[dtype])
    functions = {"add": lambda: x + y, "sub": lambda: x - y, "mul": lambda: x * y, "div": lambda: x / y,
                 "rsub": lambda: y - x, "rdiv": lambda: y / x}
    if dtype.kind == "b":
        return p
    with np.errstate(all="ignore"):
        result = np.asarray(functions[op](), dtype)
    return Pair(getattr(p.ours, op)(other), result, f"{p.text}.{op}({text})")


def element(rng, p, leaves):
    which = rng.integers(0, 10)
    a = p.theirs
    if which < 3:
        name = rng.choice(list(INTEGERS + FLOATS + ("bool",)))
        return Pair(p.ours.to(str(name)), convert(a, name), f"{p.text}.to({name})")
    if which == 3 and not (a.dtype.kind == "f" and np.isnan(a).any()):  # turned round, what NaN carries is a number
        return Pair(p.ours.byteswap(), a.byteswap(), f"{p.text}.byteswap()")
    if which == 4 and a.dtype.kind in "iuf":
        return Pair(-p.ours, np.negative(a), f"(-{p.text})")
    if which == 5 and a.dtype.kind in "iuf":
        low, high = sorted(int(v) for v in rng.integers(0, 120, 2))
        low, high = (None, high) if rng.random() < 0.2 else (low, None) if rng.random() < 0.2 else (low, high)
        result = a
        with np.errstate(all="ignore"):
            if low is not None:
                result = np.where(result < a.dtype.type(low), a.dtype.type(low), result)
            if high is not None:
                result = np.where(result > a.dtype.type(high), a.dtype.type(high), result)
        return Pair(p.ours.clamp(low, high), np.asarray(result, a.dtype), f"{p.text}.clamp({low}, {high})")
    return arithmetic(rng, p, leaves)


def view(rng, p, leaves):
    a, which, rank = p.theirs, int(rng.integers(0, 14)), p.theirs.ndim
    if rank == 0 or a.size == 0:
        return Pair(p.ours.reshape(-1), a.reshape(-1), f"{p.text}.reshape(-1)")
    axis = int(rng.integers(0, rank))
    n = a.shape[axis]
    if which == 0:
        dims = [int(d) for d in rng.permutation(rank)]
        return Pair(p.ours.permute(dims), a.transpose(dims), f"{p.text}.permute({dims})")
    if which == 1:
        return Pair(p.ours.flip(axis), np.flip(a, axis), f"{p.text}.flip({axis})")
    if which == 2:
        key = [slice(None)] * rank
        key[axis] = slice(*[None if rng.random() < 0.4 else int(rng.integers(-n, n + 1)) for _ in range(2)],
                          int(rng.choice([1, 2, 3, -1, -2])))
        return Pair(p.ours[tuple(key)], a[tuple(key)], f"{p.text}[{key}]")
    if which == 3:
        return Pair(p.ours.reshape(-1), a.reshape(-1), f"{p.text}.reshape(-1)")
    if which == 4:
        factors = [d for d in range(1, a.size + 1) if a.size % d == 0]
        first = int(rng.choice(factors))
        return Pair(p.ours.reshape(first, -1), a.reshape(first, -1), f"{p.text}.reshape({first}, -1)")
    if which == 5:
        return Pair(p.ours.roll(2, axis), np.roll(a, 2, axis), f"{p.text}.roll(2, {axis})")
    if which == 6 and a.size < 600:
        value = int(rng.integers(0, 2))
        mode = str(rng.choice(["constant", "reflect"])) if n > 1 else "constant"
        pads = [0, 0] * (rank - 1 - axis) + [1, 1 if n > 1 else 0]
        width = [(0, 0)] * rank
        width[axis] = (1, pads[-1])
        extra = {"constant_values": value} if mode == "constant" else {}
        ours = p.ours.pad(pads, mode, value) if mode == "constant" else p.ours.pad(pads, mode)
        return Pair(ours, np.pad(a, width, mode, **extra), f"{p.text}.pad({pads}, {mode}, {value})")
    if which == 7 and a.size < 600:
        q = element(rng, p, leaves) if rng.random() < 0.6 else p
        if q.theirs.dtype == a.dtype and q.theirs.shape == a.shape:
            return Pair(vf.cat([p.ours, q.ours], axis), np.concatenate([a, q.theirs], axis), f"cat([{p.text}, {q.text}], {axis})")
        return p
    if which == 8 and a.size < 600:
        q = new_leaf(rng, a.shape, NAMES[a.dtype])
        return Pair(vf.stack([q.ours, p.ours], axis), np.stack([q.theirs, a], axis), f"stack([{q.text}, {p.text}], {axis})")
    if which == 9:
        index = [int(i) for i in rng.integers(0, n, int(rng.integers(1, 5)))]
        return Pair(p.ours.index_select(axis, index), np.take(a, index, axis), f"{p.text}.index_select({axis}, {index})")
    if which == 10 and a.size < 400:
        return Pair(p.ours.repeat_interleave(2, axis), np.repeat(a, 2, axis), f"{p.text}.repeat_interleave(2, {axis})")
    if which == 11 and n > 1 and a.size < 400:
        windows = np.lib.stride_tricks.sliding_window_view(a, 2, axis)
        return Pair(p.ours.unfold(axis, 2, 1), windows, f"{p.text}.unfold({axis}, 2, 1)")
    if which == 12 and rank > 1:
        return Pair(p.ours.diagonal(), a.diagonal(), f"{p.text}.diagonal()")
    if which == 13 and rank < 5:
        return Pair(p.ours[None], a[None], f"{p.text}[None]")
    return p


def check_beside():
    """What is computed beside what is computed: the same pass, but for what is small or computes beside itself."""
    rng, failures = np.random.default_rng(5), 0
    x, y, z = (rng.integers(0, 256, (40, 30), np.uint8) for _ in range(3))
    h, k = (rng.standard_normal((40, 30)).astype("f2") for _ in range(2))
    a, b, c, f, g = (vf.asarray(v) for v in (x, y, z, h, k))
    f4 = np.float32
    for ours, theirs, cuts in (
            (a.to("f32") - b.to("f32") * 2, x.astype(f4) - y.astype(f4) * f4(2), 0),
            (a.to("f32").T / (b.T.to("f32") + 1), x.astype(f4).T / (y.T.astype(f4) + f4(1)), 0),
            (f * g - (g + 1), h * k - (k + np.float16(1)), 0),
            ((a + 1) * b - (c * 3 + a), (x + 1) * y - (z * 3 + x), 0),
            (f.to("f32") - a, h.astype(f4) - x.astype(f4), 0),
            (a.to("f32") * g.to("f32") - 1, x.astype(f4) * k.astype(f4) - f4(1), 0),
            (a.to("f64") - b, x.astype("f8") - y, 0),
            (a.to("f32") - b.to("f32")[0], x.astype(f4) - y.astype(f4)[0], 1),
            (a.to("f32") - (b.to("f32") - c.to("f32")), x.astype(f4) - (y.astype(f4) - z.astype(f4)), 1),
            ((a.to("f32") - b.to("f32")) - c.to("f32"), (x.astype(f4) - y.astype(f4)) - z.astype(f4), 0),
            (a.to("f32") - b.byteswap().to("f32").fliplr(), x.astype(f4) - y.astype(f4)[:, ::-1], 0)):
        found = ours.numpy()
        if ours.cuts != cuts or found.dtype != theirs.dtype or canonical(found) != canonical(theirs):
            print(f"beside: {ours.explain()}: {ours.cuts} cuts, not {cuts}, or other bits")
            failures += 1
    return failures


def check_bounds():
    """numpy.clip with integers beyond the type's ends; NumPy's own answers, refusals as well."""
    failures = 0
    for name in INTEGERS:
        info = np.iinfo(CODES[name])
        values = np.array([info.min, info.min + 1, 0, 7, info.max - 1, info.max], CODES[name])
        ends = [None, -2**63, info.min - 1, info.min, 5, info.max, info.max + 1, 2**63, 2**64 - 1]
        for low in ends:
            for high in ends:
                if {low, high} <= {None} or any(e is not None and not -2**63 <= e < 2**64 for e in (low, high)):
                    continue
                try:
                    theirs = np.clip(values, low, high)
                except OverflowError:
                    theirs = None
                try:
                    ours = vf.asarray(values).clip(low, high).numpy()
                except TypeError:
                    ours = None
                if (ours is None) != (theirs is None) or (ours is not None and ours.tolist() != theirs.tolist()):
                    print(f"{name} clip({low}, {high}): {ours}, not {theirs}")
                    failures += 1
    for low, high in ((np.nan, None), (None, np.nan), (np.nan, 3), (1.5, np.nan)):
        for name in FLOATS + ("i32", "u8"):
            found = vf.asarray(np.array([0, 1, 7], CODES[name])).clip(low, high).numpy()
            failures += not (found.dtype.kind == "f" and np.isnan(found).all())
    print(f"bounds: {failures} differ")
    return failures


def check_scalars():
    """A scalar or an array of rank 0 has its type; NumPy's own rule, but for where integers meet floats."""
    failures = 0
    scalars = [np.int64(300), np.uint8(3), np.int8(-1), np.uint64(2**63), np.float64(0.1), np.float32(0.1), np.float16(0.1),
               np.array(300), np.array(0.1, "f4")]
    for name in INTEGERS + FLOATS + ("bool",):
        values = np.array([0, 1, 7, 100], CODES[name])
        for scalar in scalars:
            dtype = promote(values, scalar)
            with np.errstate(all="ignore"):
                theirs = convert(values, NAMES[dtype]) - convert(np.asarray(scalar), NAMES[dtype])
            for way in (lambda x: x - scalar, lambda x: x - vf.asarray(np.asarray(scalar)), lambda x: -x.rsub(scalar)):
                ours = way(vf.asarray(values)).numpy()
                if ours.dtype != theirs.dtype or ours.tolist() != theirs.tolist():
                    print(f"{name} - {scalar!r}: {ours}, not {theirs}")
                    failures += 1
    print(f"scalars: {failures} differ")
    return failures


def check_integers():
    """Integers of either side and of both ends, with a type and without, beside every integer type: what NumPy
    computes and what it refuses. Quotients are f32 here, unless a type of NumPy's makes them f64."""
    ways = {"x + n": lambda x, n: x + n, "n + x": lambda x, n: n + x, "x - n": lambda x, n: x - n, "n - x": lambda x, n: n - x,
            "x * n": lambda x, n: x * n, "x / n": lambda x, n: x / n, "n / x": lambda x, n: n / x,
            "clip(n, None)": lambda x, n: x.clip(n, None), "clip(None, n)": lambda x, n: x.clip(None, n)}
    ends = sorted({e + d for name in INTEGERS for e in (np.iinfo(CODES[name]).min, np.iinfo(CODES[name]).max) for d in (-1, 0, 1)})
    numbers = [n for n in ends + [-200, -3, 7, 300] if -2**63 <= n < 2**64]
    numbers += [CODES[name].type(n) for name in INTEGERS for n in numbers if np.iinfo(CODES[name]).min <= n <= np.iinfo(CODES[name]).max]
    failures = count = 0
    for name in INTEGERS:
        info = np.iinfo(CODES[name])
        values = np.array([info.min, info.min + 1, 0, 1, 7, info.max - 1, info.max], CODES[name])
        for n in numbers:
            for text, way in ways.items():
                with np.errstate(all="ignore"):
                    try:
                        theirs = way(values, n)
                        if "/" in text and (isinstance(n, int) or promote(values, n).kind != "f"):
                            theirs = way(values.astype("f4"), np.float32(n))
                    except OverflowError:
                        theirs = None
                x = vf.asarray(values)
                try:  # a scalar of NumPy's on the left would have NumPy compute
                    ours = (x.rdiv(n) if text == "n / x" else x.rsub(n) if text == "n - x" else x.add(n) if text == "n + x"
                            else way(x, n)).numpy()
                except TypeError:
                    ours = None
                count += 1
                if (ours is None) != (theirs is None) or (ours is not None and (
                        ours.dtype != theirs.dtype or canonical(ours) != canonical(theirs))):
                    failures += 1
                    if failures < 20:
                        print(f"{name}, {text}, {n!r}: {ours}, not {theirs}")
    print(f"integers: {failures} of {count} differ")
    return failures


def check_stages():
    """What is read crosswise, beside operands that are, in pieces that have several blocks."""
    rng = np.random.default_rng(1)
    x, y, z = (rng.integers(0, 100, shape).astype("f4") for shape in ((130, 210), (130, 210), (210, 130)))
    long = rng.integers(0, 100, (3333, 12)).astype("u1")
    X, Y, Z, L = (vf.asarray(a) for a in (x, y, z, long))
    pairs = [
        (L.permute(1, 0).reshape(39996).flip(0).to("u64") * Y[0, 0].to("u64"),
         long.T.reshape(39996)[::-1].astype("u8") * y[0, 0].astype("u8")),
        (X.T * Y.T, x.T * y.T),
        (X.T * Y.T - Z, x.T * y.T - z),
        ((Z - X.T) / (Y.T + 1), (z - x.T) / (y.T + 1)),
        (Z - Y.T.flip(0), z - y.T[::-1]),
        (X.T.to("f16") - Y.T[::-1, ::-1].to("f16"), x.T.astype("f2") - y.T[::-1, ::-1].astype("f2")),
        (Z[:, ::2] - X.T[:, 1::2] * Y.T[:, ::2], z[:, ::2] - x.T[:, 1::2] * y.T[:, ::2]),
    ]
    failures = [k for k, (ours, wanted) in enumerate(pairs) if canonical(ours.numpy()) != canonical(wanted)]
    for k in failures:
        print(f"stages: {pairs[k][0]!r} differs")
    return len(failures)


def random_chain(seed):
    rng = np.random.default_rng(seed)
    shape = [int(n) for n in rng.integers(1, 6, int(rng.integers(0, 5)))]
    p = new_leaf(rng, shape, str(rng.choice(list(INTEGERS + FLOATS + ("bool",)))))
    for _ in range(int(rng.integers(1, 11))):
        p = element(rng, p, []) if rng.random() < 0.5 else view(rng, p, None)
    return p


def check_one(seed):
    p = None
    try:
        p = random_chain(seed)
        found = p.ours.numpy()
    except Exception as error:  # pylint: disable=broad-except
        print(f"seed {seed}: {p.text if p else ''}: {error!r}")
        return 1
    if found.dtype == p.theirs.dtype and found.shape == p.theirs.shape and canonical(found) == canonical(p.theirs):
        return 0
    print(f"seed {seed}: {p.text}\n  {found.dtype}{found.shape}, not {p.theirs.dtype}{p.theirs.shape}")
    if found.shape == p.theirs.shape:
        wrong = [i for i in np.ndindex(found.shape) if canonical(found[i]) != canonical(p.theirs[i])]
        print(f"  {len(wrong)} of {found.size} elements differ; first {wrong[:1]}: "
              f"{found[wrong[0]]!r}, not {p.theirs[wrong[0]]!r}" if wrong else "")
    return 1


def main():
    cases, first = int(os.environ.get("VF_CASES", 3000)), int(os.environ.get("VF_SEED", 1))
    failures = check_conversions() + check_bfloat16() + check_lists() + check_beside() + check_bounds() + check_scalars() + check_integers()
    failures += check_stages()
    chains = sum(check_one(seed) for seed in range(first, first + cases))
    print(f"{cases} chains from seed {first}: {chains} differ")
    return 1 if failures or chains else 0


if __name__ == "__main__":
    sys.exit(main())
