"""Python values as text of a view expression: those that src/python/text.c leaves to Python."""
import numbers
import operator


def text_of_value(value, typed=True):
    """An argument: numbers of other libraries, which have types, dtypes, lists of any kind."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        name = str(getattr(value, "dtype", "")).removeprefix("torch.")
        value = value.item()
        if typed and name in _TYPES:
            return f"{name}({text_of_value(value)})"
    if value is None or value is Ellipsis or isinstance(value, bool):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(text_of_value(item, False) for item in value) + "]"
    if isinstance(value, type):
        return _quoted(value.__name__)
    if getattr(value, "ndim", 0) and hasattr(value, "tolist"):
        return text_of_value(value.tolist())
    if hasattr(value, "__index__"):
        return str(operator.index(value))
    if isinstance(value, numbers.Complex):
        return _text_of_number(complex(value))
    return _quoted(_dtype_name(value))


_TYPES = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
          "float16", "bfloat16", "float32", "float64"}


def _quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _text_of_number(value):
    if value.imag == 0:
        return repr(value.real)
    return f"{value.real!r} + {value.imag!r}j"


def _dtype_name(value):
    """numpy.dtype('f4') has a name, torch.float32 is one."""
    if not hasattr(value, "itemsize"):
        raise TypeError(f"{type(value).__name__} {value!r} cannot be an argument")
    if not getattr(value, "isnative", True):
        raise TypeError(f"{value!r} has its bytes in the other order: take {value.newbyteorder()!r}, and byteswap() turns them")
    return getattr(value, "name", None) or str(value)
