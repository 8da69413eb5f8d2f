"""Elements as Python values, without NumPy."""
import math
import struct

NUMPY_NAMES = {"bool": "bool", "u8": "uint8", "i8": "int8", "u16": "uint16", "i16": "int16",
               "u32": "uint32", "i32": "int32", "u64": "uint64", "i64": "int64", "f16": "float16",
               "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64",
               "c128": "complex128"}

# What the struct module calls them; bf16 and complex ones are put together here.
_LETTERS = {"bool": "?", "u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i",
            "u64": "Q", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}


def dtype_text(array):
    """'float32'; 'V12' for opaque elements of 12 bytes."""
    return NUMPY_NAMES.get(array._type) or f"V{array.itemsize}"


def flat_values(array):
    """A list of the elements in C order: bool, int, float, complex, or bytes of opaque ones."""
    data = bytearray(array.nbytes)
    array._materialize(data)
    kind, size = array._type, array.itemsize
    if kind in _LETTERS:
        return list(struct.unpack(f"={array.size}{_LETTERS[kind]}", data))
    if kind == "bf16":
        return [struct.unpack("=f", struct.pack("=I", half << 16))[0]
                for half, in struct.iter_unpack("=H", data)]
    if kind in ("c64", "c128"):
        return [complex(*pair) for pair in struct.iter_unpack("=ff" if kind == "c64" else "=dd", data)]
    return [bytes(data[i:i + size]) for i in range(0, len(data), size)]


def nested(values, shape):
    """The flat list as lists in lists; a value where there is no axis."""
    if not shape:
        return values[0]
    for extent in reversed(shape[1:]):
        count = len(values) // extent if extent else math.prod(shape[:-1])
        values = [values[i * extent:(i + 1) * extent] for i in range(count)]
        shape = shape[:-1]
    return values
