"""Element functions against PyTorch, bit by bit: conversions of every pair of types, arithmetic on every pair.

Types of 8 and 16 bits have all of their values, f16 and bf16 beside 16 second values each; the others what is special,
and random bits. What NaN carries beside being NaN is not compared. Neither is a float beyond an integer's ends, which
PyTorch leaves to the processor, nor what is no f32 and becomes f16 or bf16: PyTorch makes it an f32 first, and so rounds
twice.
"""
import itertools
import sys
import warnings

import numpy as np

from built import optional, vf

torch = optional("torch")
if not torch:
    print("needs PyTorch")
    sys.exit(77)
from test_elements import CODES, INTEGERS, TYPES, all_values, canonical

WORDS = {"bool": "bool", "u8": "uint8", "i8": "int8", "u16": "uint16", "i16": "int16", "u32": "uint32", "i32": "int32",
         "u64": "uint64", "i64": "int64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
         "c64": "complex64", "c128": "complex128"}
DTYPES = {name: getattr(torch, word) for name, word in WORDS.items() if hasattr(torch, word)}  # of older ones some
NAMES = {dtype: name for name, dtype in DTYPES.items()}
HALVES, SECONDS = ("f16", "bf16"), 16


def values_of(name):
    """Of a type: an array of NumPy's; of bf16 its bits."""
    return np.arange(65536, dtype="u2") if name == "bf16" else all_values(name)


def ours_of(values, name):
    return vf.asarray(values).view("bf16") if name == "bf16" else vf.asarray(values)


def theirs_of(values, name):
    return torch.from_numpy(values.view("i2")).view(torch.bfloat16) if name == "bf16" else torch.from_numpy(values)


def floats_of_bf16(bits):
    return (bits.astype("u4") << 16).view("f4")


def same(ours, theirs, keep=slice(None)):
    """Do the elements have the same bits, of those that `keep` picks?"""
    name = NAMES[theirs.dtype]
    if name == "bf16":
        found, expected = ours.view("u16").numpy(), theirs.view(torch.int16).numpy().view("u2")
        found, expected = floats_of_bf16(found), floats_of_bf16(expected)
    else:
        found, expected = ours.numpy(), theirs.numpy()
    return found.dtype == expected.dtype and found.shape == expected.shape and \
        canonical(found[keep]) == canonical(expected[keep])


def is_f32(values, name):
    """Of each value: is it one of f32, or NaN?"""
    with np.errstate(all="ignore"):
        if name == "bf16":
            return np.ones(values.shape, bool)
        return (values.real.astype("f4") == values.real) | (values.real != values.real)


# ---- conversions ----

def kept(values, source, target):
    """The elements whose conversion PyTorch defines, and rounds once."""
    if target in HALVES:
        return is_f32(values, source)
    if source == "bf16":
        values = floats_of_bf16(values)
    if target not in INTEGERS or values.dtype.kind not in "fc":
        return slice(None)
    info = np.iinfo(CODES[target])
    with np.errstate(all="ignore"):
        whole = np.trunc(values.real.astype("f8"))
        return (whole >= float(info.min)) & (whole <= float(info.max)) & (whole != float(2 ** 64)) & \
            (whole != float(2 ** 63) if info.max == 2 ** 63 - 1 else True)


def check_conversions():
    fails = count = 0
    for source, target in itertools.product(DTYPES, DTYPES):
        values = values_of(source)
        keep = kept(values, source, target)
        ours, theirs = ours_of(values, source).to(target), theirs_of(values, source).to(DTYPES[target])
        count += values.size if isinstance(keep, slice) else int(keep.sum())
        if not same(ours, theirs, keep):
            fails += 1
            print(f"{source} to {target} differs")
    print(f"PyTorch {torch.__version__}: {len(DTYPES) ** 2} pairs of types converted, {count} values: {fails} pairs differ")
    return fails


# ---- arithmetic ----

FUNCTIONS = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y}
COMPUTED = ("u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")


def operands_of(name, other):
    """Many values of a type and few, to be computed with another type."""
    values = values_of(name)
    if other in HALVES:
        values = values[is_f32(values, name)]
    few = values[np.random.default_rng(5).permutation(values.size)[:SECONDS]]
    return np.ascontiguousarray(values[None, :65536]), np.ascontiguousarray(few[:, None])


def asked(call):
    """What PyTorch answers; None where this version has no such function of the type."""
    try:
        return call()
    except RuntimeError as error:
        if "not implemented" not in str(error):
            raise
        return None


def check_arithmetic():
    """Tensors of two axes each: their types are promoted alike."""
    fails = pairs = count = 0
    for a, b in itertools.product(COMPUTED, COMPUTED):
        x, y = operands_of(a, b)[0], operands_of(b, a)[1]
        for name, function in FUNCTIONS.items():
            theirs = asked(lambda: function(theirs_of(x, a), theirs_of(y, b)))
            if theirs is None:
                continue
            ours = function(ours_of(x, a), ours_of(y, b))
            pairs, count = pairs + 1, count + theirs.numel()
            if not same(ours, theirs):
                fails += 1
                print(f"{name} of {a} and {b} differs: {ours.dtype}, {theirs.dtype}")
    print(f"{pairs} functions of two types, {count} values: {fails} differ")
    return fails


def check_clamps():
    fails = 0
    for name in COMPUTED:
        values = values_of(name)
        theirs = asked(lambda: theirs_of(values, name).clamp(3, 100))
        if theirs is not None and not same(ours_of(values, name).clamp(3, 100), theirs):
            fails += 1
            print(f"clamp of {name} differs")
    print(f"clamps of {len(COMPUTED)} types: {fails} differ")
    return fails


def main():
    assert set(TYPES) | {"bf16"} == set(WORDS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a conversion drops imaginary parts is what is asked for
        return 1 if check_conversions() + check_arithmetic() + check_clamps() else 0


if __name__ == "__main__":
    sys.exit(main())
