"""permutations.py -- random permutations of arrays whose extents nobody has chosen.

permutation(seed, number) gives the same row on every machine: two to five axes of u8, u16, f32 or f64, 4 to 40 MB,
permuted; one in four is cropped before, one in four reversed after. Benchmarks of transpositions have extents that
divide well; such chains meet what theirs do not: rows of dst that start anywhere, extents without a divisor.

computed(seed, count) are such permutations that compute (computing.py).
"""

import random

import computing

BYTES = {"u8": 1, "u16": 2, "f32": 4, "f64": 8}
SIZES = (4e6, 16e6, 40e6)
FACTORS = (0.2, 0.5, 1, 1, 2)  # of equal extents


def shape_of(r, rank, elements):
    """Extents whose product is about `elements`; three in ten are powers of two."""
    shape = []
    for left in range(rank, 1, -1):
        extent = max(2, int(elements ** (1 / left) * r.choice(FACTORS)))
        if r.random() < 0.3:
            extent = 1 << (extent.bit_length() - 1)
        shape.append(extent)
        elements /= extent
    shape.append(max(2, int(elements)))
    r.shuffle(shape)
    return shape


def permutation(seed, number):
    r = random.Random("%s/%d" % (seed, number))
    dtype = r.choice(("u8", "u16", "f32", "f32", "f64"))
    rank = r.choice((2, 3, 3, 4, 4, 5))
    shape = shape_of(r, rank, r.choice(SIZES) / BYTES[dtype])
    axes = list(range(rank))
    while axes == sorted(axes):
        r.shuffle(axes)
    expression = "x"
    cropped = r.randrange(rank)
    if r.random() < 0.25 and shape[cropped] > 8:
        expression += "[%s1:-1]" % (":, " * cropped)
    expression += ".permute(%s)" % ", ".join(map(str, axes))
    if r.random() < 0.25:
        expression += ".flip(%d)" % r.randrange(rank)
    declaration = "x=%s[%s]" % (dtype, ",".join(map(str, shape)))
    shape[cropped] -= 2 if "[" in expression else 0
    return "%s/%d" % (seed, number), [declaration], expression, [shape[axis] for axis in axes]


def permutations(seed, count):
    return [permutation(seed, number)[:3] for number in range(count)]


def computed(seed, count):
    rows = []
    for number in range(count):
        name, declarations, expression, shape = permutation(seed, number)
        rows.append(computing.row(name, declarations, expression, shape))
    return rows
