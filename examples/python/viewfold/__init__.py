"""Lazy views of arrays: chains of view operations that cost nothing until the bytes are needed.

    import numpy as np, viewfold as vf
    x = vf.asarray(np.arange(24.0).reshape(4, 6))
    y = x.permute(1, 0)[::-1].reshape(8, 3)     # reads no element
    y.numpy()                                   # one pass over the bytes
    y[0] = 7                                    # writes through to NumPy's array

Operations have the names, arguments and meaning that PyTorch gives them; slices are NumPy's. Each
is a line of text to the library, x.permute(1, 0) as "permute(1, 0)", so that there is one set of rules.
"""
import numbers as _numbers
import operator as _operator
import re as _re

from . import _viewfold
from ._viewfold import ArgumentError, AxisError

__all__ = ["Array", "ArgumentError", "AxisError", "asarray", "evaluate", "shares_memory", "cat", "concat",
           "concatenate", "stack", "hstack", "vstack"]

# The rows of the library's table, by what they are in Python.
_METHODS = """permute permute_dims transpose swapaxes swapdims t movedim moveaxis squeeze unsqueeze expand_dims
    slice narrow select index_select flip fliplr flipud rot90 roll expand broadcast_to tile repeat
    repeat_interleave diagonal unfold reshape view flatten ravel unflatten pixel_shuffle
    pixel_unshuffle rearrange as_strided view_dtype view_as_real view_as_complex contiguous
    pad""".split()
_ATTRIBUTES = "T mT real imag".split()
_LISTS = "split chunk tensor_split array_split unbind unstack".split()
_JOINS = "cat concat concatenate stack hstack vstack".split()

_NUMPY_NAMES = {"bool": "bool", "u8": "uint8", "i8": "int8", "u16": "uint16", "i16": "int16",
                "u32": "uint32", "i32": "int32", "u64": "uint64", "i64": "int64", "f16": "float16",
                "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64",
                "c128": "complex128"}


# ---- Python values as the text of an expression ----

def _quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _text(value):
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()
    if value is None or value is Ellipsis or isinstance(value, bool):
        return repr(value)
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, type):
        return _quote(value.__name__)
    if getattr(value, "ndim", 0) and hasattr(value, "tolist"):
        return _text(value.tolist())
    if hasattr(value, "__index__"):
        return str(_operator.index(value))
    if isinstance(value, _numbers.Complex):
        return _number_text(complex(value))
    return _quote(_dtype_name(value))


def _number_text(value):
    if value.imag == 0:
        return repr(value.real)
    return f"{value.real!r} + {value.imag!r}j"


def _dtype_name(value):
    """numpy.dtype('f4') has a name, torch.float32 is one."""
    if not hasattr(value, "itemsize"):
        raise TypeError(f"{type(value).__name__} {value!r} cannot be an argument")
    return getattr(value, "name", None) or str(value)


def _arguments(args, keywords):
    return ", ".join([_text(value) for value in args] +
                     [f"{name}={_text(value)}" for name, value in keywords.items()])


def _bound(value):
    return "" if value is None else str(_operator.index(value))


def _index_item(item):
    if isinstance(item, slice):
        return ":".join(map(_bound, (item.start, item.stop, item.step)))
    if item is None or item is Ellipsis or isinstance(item, (list, tuple)) or hasattr(item, "__index__") or \
            hasattr(item, "tolist"):
        return _text(item)
    raise IndexError(f"an index is an integer, a slice, None, '...' or a list of integers, not {type(item).__name__}")


def _index(key):
    if not isinstance(key, tuple):
        key = (key,)
    return "[" + (", ".join(map(_index_item, key)) or "...") + "]"


# ---- arrays ----

def _evaluated(evaluate, array, text):
    """evaluate(array, text); a failure without its place in a text that the caller never saw."""
    try:
        return evaluate(array, text)
    except (ValueError, TypeError) as error:
        raise type(error)(_re.sub(r"^expression:[0-9:]+ ", "", str(error))) from None


class Array(_viewfold.Array):
    """A view: an operation and the arrays it looks at. asarray() makes the first one."""

    __slots__ = ()

    def __new__(cls, *args, **keywords):
        raise TypeError("arrays come from viewfold.asarray()")

    def __getitem__(self, key):
        return _evaluated(Array.apply, self, _index(key))

    def __setitem__(self, key, value):
        place = self[key]
        if isinstance(value, _numbers.Number):
            place.fill(value)
        else:
            place.assign(value)

    def assign(self, source):
        """Write source, broadcast to this array's shape, through to the memory below."""
        self._assign(_operand(source, self))

    def fill(self, value):
        """Write one number to every element."""
        self._assign(self._constant(value))

    def _constant(self, value):
        """One element of our type, made by the rule that the library has for numbers."""
        return self.apply(f"reshape(-1)[:0].pad([0, 1], value={_text(value)})[0]")

    @property
    def dtype(self):
        """NumPy's element type, or its name where NumPy is not there or has none (bfloat16)."""
        try:
            return _numpy_dtype(self)
        except (ImportError, TypeError):
            return _dtype_text(self)

    @property
    def strides(self):
        """Strides in bytes, as NumPy's; stride() counts elements, as PyTorch's."""
        return tuple(step * self.itemsize for step in self.stride())

    @property
    def nbytes(self):
        return self.size * self.itemsize

    def numel(self):
        return self.size

    def source(self, standalone=False):
        """The C text that moves the bytes; standalone: all that it needs to compile by itself."""
        return self._source(standalone)

    # ---- to NumPy and others ----

    def numpy(self):
        """A new NumPy array with the elements, in C order."""
        import numpy
        result = numpy.empty(self.shape, _numpy_dtype(self))
        self._materialize(result.reshape(-1).view(numpy.uint8))
        return result

    def torch(self):
        """A PyTorch tensor: the same memory where PyTorch's strides can say it, else a new tensor.

        torch.from_dlpack() does the same, but ends the process where a stride is negative.
        """
        import torch
        backward = self._plain and any(step < 0 for step in self.stride())
        return torch.from_dlpack(self.contiguous() if backward else self)

    def __array__(self, dtype=None, copy=None):
        """np.asarray(): the same memory where plain strides can say it, else a new array."""
        import numpy
        if copy or not self._plain or self._type == "bf16":
            if copy is False:
                raise ValueError("the array does not lie in memory as strides could say: it needs a copy")
            result = self.numpy()
        else:
            result = numpy.asarray(memoryview(self))
        return result if dtype is None else result.astype(dtype, copy=False)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule: shared where plain strides can say it, else (or with copy) a new copy."""
        if stream is not None:
            raise BufferError("memory of the host has no streams")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"device {tuple(dl_device)} is not the host")
        if copy is False and not self._plain:
            raise BufferError("the array does not lie in memory as strides could say: it needs a copy")
        versioned = max_version is not None and max_version[0] >= 1
        if copy and not versioned and self._plain:
            raise BufferError("a copy on request needs a consumer of DLPack 1.0")
        return self._to_dlpack(versioned, bool(copy))

    def __dlpack_device__(self):
        return (1, 0)

    def tolist(self):
        return self.numpy().tolist()

    def item(self):
        """The one element as a Python number."""
        return self.numpy().item()

    def __len__(self):
        if not self.shape:
            raise TypeError("an array of rank 0 has no len()")
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __bool__(self):
        return bool(self.item())

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def __complex__(self):
        return complex(self.item())

    def __repr__(self):
        return f"viewfold.Array({self._type}[{','.join(map(str, self.shape))}], map={self.map})"


def _dtype_text(array):
    """'float32'; 'V12' for opaque elements of 12 bytes."""
    return _NUMPY_NAMES.get(array._type) or f"V{array.itemsize}"


def _numpy_dtype(array):
    import numpy
    if array._type != "bf16":
        return numpy.dtype(_dtype_text(array))
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError("NumPy has no bfloat16: take .view('u16'), or install ml_dtypes") from None
    return numpy.dtype(ml_dtypes.bfloat16)


def _method(name, evaluate):
    def method(self, /, *args, **keywords):  # rearrange() may have a size named "self"
        return _evaluated(evaluate, self, f"{name}({_arguments(args, keywords)})")
    return method


def _attribute(name):
    return property(lambda self: self.apply(name))


def _join(name):
    def join(arrays, *args, **keywords):
        arrays = [asarray(array) for array in arrays]
        names = [f"x{i}" for i in range(len(arrays))]
        rest = _arguments(args, keywords)
        call = f"{name}([{', '.join(names)}]{', ' + rest if rest else ''})"
        return Array._evaluate(call, names, arrays)
    return join


def _define():
    for names, evaluate in ((_METHODS, Array.apply), (_LISTS, Array._parts)):
        for name in names:
            function = _method(name, evaluate)
            function.__name__, function.__qualname__ = name, f"Array.{name}"
            setattr(Array, name, function)
    for name in _ATTRIBUTES:
        setattr(Array, name, _attribute(name))
    for name in _JOINS:
        function = _join(name)
        function.__name__ = function.__qualname__ = name
        globals()[name] = function


_define()


# ---- from others ----

def asarray(source):
    """An array over the memory of `source`, which it keeps alive: nothing is copied.

    source: what has the buffer protocol (NumPy arrays, bytes, memoryview, mmap, array.array) or
    __dlpack__ (PyTorch, JAX, CuPy ...), in memory of the host.
    """
    if isinstance(source, Array):
        return source
    if not hasattr(source, "__dlpack__"):
        return Array._from_buffer(source)
    try:
        memoryview(source)
    except (TypeError, BufferError, ValueError):  # none, or of a type that buffers have no letter for
        return Array._from_dlpack(_capsule(source))
    return Array._from_buffer(source)


def _capsule(source):
    try:
        return source.__dlpack__(max_version=(1, 1))
    except TypeError:  # a producer older than DLPack 1.0
        return source.__dlpack__()


def _operand(source, like):
    """What is written to `like`: an array, or nested lists of numbers by NumPy's rules."""
    if isinstance(source, (list, tuple)):
        import numpy
        source = numpy.asarray(source, _numpy_dtype(like))
    return asarray(source)


def evaluate(expression, **arrays):
    """Evaluate a view expression: evaluate("cat([x[:, 2:], y.flip(0)], dim=1).T", x=a, y=b)."""
    return Array._evaluate(expression, list(arrays), [asarray(array) for array in arrays.values()])


def shares_memory(a, b, max_work=200_000):
    """Whether an element of a and one of b are the same memory; None where the search gave up after max_work
    tries (vf_shares_memory_within)."""
    return asarray(a)._shares_memory(asarray(b), max_work)
