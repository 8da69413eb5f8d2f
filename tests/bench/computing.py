"""computing.py -- rows that compute what others move: convert, turn bytes, scale, or subtract a mean along an axis.

row(name, ...) is the row of that name, and something is done to its elements; the same for the same name.
"""

import random

CONVERSIONS = {
    "u8": ("f32", "f32", "f16", "bf16"),
    "i8": ("f32", "f16"),
    "u16": ("f32", "f32", "f16"),
    "i16": ("f32", "f32", "f16"),
    "i32": ("f32", "f64", "bf16"),
    "i64": ("f32", "f64"),
    "f16": ("f32", "bf16"),
    "bf16": ("f32", "f16"),
    "f32": ("f16", "bf16", "u8", "f64"),
    "f64": ("f32", "f32", "f16"),
}
BYTES = ("u8", "i8")
FLOATS = ("f32", "f64")


def done_to(r, dtype, shape):
    """What is done to a result of that shape (None: not known), and what else it reads."""
    kind = r.choice(("convert", "convert", "swap", "scale") + (("mean",) if shape else ()))
    to_float = "" if dtype in FLOATS else ".to('f32')"
    if kind == "swap" and dtype not in BYTES:
        return ".byteswap()", []
    if kind == "scale":
        return "%s / 255" % to_float, []
    if kind == "mean":
        axis = r.randrange(len(shape))
        mean = [shape[axis]] + [1] * (len(shape) - 1 - axis)
        return "%s - m" % to_float, ["m=%s[%s]" % ("f32" if to_float else dtype, ",".join(map(str, mean)))]
    return ".to('%s')" % r.choice(CONVERSIONS[dtype]), []


def row(name, declarations, expression, shape=None):
    """None where nobody computes with such elements."""
    dtype = declarations[0].split("=")[1].split("[")[0]
    if dtype not in CONVERSIONS or "view(" in expression:
        return None
    done, others = done_to(random.Random(name + " computed"), dtype, shape)
    return name, declarations + others, "(%s)%s" % (expression, done)
