"""Random chains whose results have 0.3 to 3 MB: each variant's bytes are those of the plain codelets.

The chains of tests/property are small, so rows of theirs lie near each other. Here extents are what people have,
powers of two among them: rows that share sets of the caches, results that stream, blocks of every manner.
`viewfold bench` compares the bytes before it times anything. VF_SEED and VF_SIZES change the run.
"""
import math
import os
import random

from _tool import SANITIZED, claim, finish, run, scratch

keeper = scratch()
SIZES = {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "f16": 2, "bf16": 2, "f32": 4, "i32": 4, "f64": 8, "i64": 8}
EXTENTS = [1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 28, 31, 32, 33, 40, 48, 49, 56, 60, 63, 64, 65, 80, 96, 100, 112,
           127, 128, 129, 192, 200, 224, 255, 256, 257, 320, 512, 640, 1000, 1024, 2048, 4096]
LEAST, MOST = 300 << 10, 3 << 20


def source(r):
    """A type and a shape of so many bytes."""
    while True:
        dtype, shape = r.choice(list(SIZES)), [r.choice(EXTENTS) for _ in range(r.randint(2, 5))]
        if LEAST <= math.prod(shape) * SIZES[dtype] <= MOST:
            return dtype, shape


def permute(r, shape):
    order = r.sample(range(len(shape)), len(shape))
    return f".permute({', '.join(map(str, order))})", [shape[k] for k in order]


def flip(r, shape):
    return f".flip({r.randrange(len(shape))})", shape


def cut(r, shape):
    k = r.randrange(len(shape))
    part = slice(r.randint(0, 2), shape[k] - r.randint(0, 1), r.choice([1, 1, 2, 3]))
    some = len(range(*part.indices(shape[k])))
    if some == 0:
        return "", shape
    return f"[{':, ' * k}{part.start}:{part.stop}:{part.step}]", shape[:k] + [some] + shape[k + 1:]


def flatten(r, shape):
    if len(shape) < 2:
        return "", shape
    k = r.randrange(len(shape) - 1)
    return f".flatten({k}, {k + 1})", shape[:k] + [shape[k] * shape[k + 1]] + shape[k + 2:]


def unflatten(r, shape):
    k, by = r.randrange(len(shape)), r.choice([2, 3, 4, 8, 16, 64])
    if shape[k] % by or len(shape) > 6:
        return "", shape
    return f".unflatten({k}, (-1, {by}))", shape[:k] + [shape[k] // by, by] + shape[k + 1:]


def windows(r, shape):
    k, size, step = r.randrange(len(shape)), r.choice([2, 3, 5, 7]), r.choice([1, 1, 2])
    if shape[k] < size or len(shape) > 6:
        return "", shape
    return f".unfold({k}, {size}, {step})", shape[:k] + [(shape[k] - size) // step + 1] + shape[k + 1:] + [size]


def roll(r, shape):
    k = r.randrange(len(shape))
    return f".roll({r.randint(1, shape[k])}, {k})", shape


def pad(r, shape):
    before, after = r.randint(0, 3), r.randint(0, 2)
    return f".pad([{before}, {after}])", shape[:-1] + [shape[-1] + before + after]


def repeat(r, shape):
    k = r.randrange(len(shape) + 1)
    wide = shape[:k] + [2] + shape[k:]
    return f".unsqueeze({k}).expand({', '.join(map(str, wide))})", wide


def computed(r, chain, shape):
    """Something done to each element, or nothing; and the second input that it takes."""
    k = r.randrange(len(shape))
    mean = "".join(f"[{shape[k]}" if j == k else ",1" for j in range(k, len(shape))) + "]"
    return r.choice(5 * [(chain, "")] + [
        (f"({chain}).byteswap()", ""), (f"({chain}).to('f32')", ""), (f"({chain}).to('f16')", ""),
        (f"({chain}).to('f32') / 255", ""), (f"(({chain}).to('f32') * 2 + 1).to('u8')", ""),
        (f"({chain}).to('f32') - m", f" m=f32{mean}")])


OPS = [permute, permute, permute, flip, cut, flatten, unflatten, roll, pad, repeat, windows]


def row(r, name):
    dtype, shape = source(r)
    inputs, chain = f"x={dtype}[{','.join(map(str, shape))}]", "x"
    for _ in range(r.randint(1, 3)):
        op, shape = r.choice(OPS)(r, shape)
        chain += op
    if math.prod(shape) * SIZES[dtype] > 2 * MOST:
        return row(r, name)
    chain, more = computed(r, chain, shape)
    return f"{name}\t{inputs}{more}\t{chain}\n"


slow = SANITIZED or "VIEWFOLD_EMULATED" in os.environ
r = random.Random(int(os.environ.get("VF_SEED", "3")))
cases = int(os.environ.get("VF_SIZES", "30" if slow else "600"))
with open("rows.tsv", "w", encoding="ascii") as file:
    file.writelines(row(r, str(k)) for k in range(cases))
for variant in ["avx512", "avx2", "neon"]:
    done = run("bench", "--list", "rows.tsv", "--json", "--time", "0.0005", "--variant", variant)
    claim("does not have it" in done.stderr or
          (done.returncode == 0 and not done.stderr and done.stdout.count(b"\n") == cases),
          f"{cases} chains by {variant}", done.returncode, done.stderr)
finish("sizes")
