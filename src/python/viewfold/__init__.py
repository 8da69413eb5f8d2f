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
import sys as _sys

from . import _composed, _copies, _elements, _viewfold
from ._copies import copyto
from ._options import get_options, load_wisdom, set_options, tune, wisdom
from ._text import text_of_value as _text_of_value
from ._viewfold import (ArgumentError, AxisError, LayoutError, ReadOnlyError, ascontiguousarray, cat, concat,
                        concatenate, contiguous, hstack, stack, vstack)

__version__ = _viewfold.version

__all__ = ["Array", "ArgumentError", "AxisError", "LayoutError", "ReadOnlyError", "asarray", "evaluate",
           "materialize", "explain", "phase", "source", "dot", "shares_memory", "cat", "concat", "concatenate", "stack", "hstack", "vstack", "ascontiguousarray",
           "copyto", "contiguous", "set_options", "get_options", "tune", "wisdom", "load_wisdom"]


def _arithmetic(name, text):
    def method(self, other):
        return self._with(name, other)
    method.__name__, method.__qualname__, method.__doc__ = name, f"Array.{name}", text
    return method


class Array(_viewfold.Array):
    """A view: an operation and the arrays it looks at. asarray() makes the first one.

    Arrays compare elementwise, as NumPy's do, and have the hash of an object, as PyTorch's.
    """

    __slots__ = ("__weakref__",)

    def __new__(cls, *args, **keywords):
        raise TypeError("arrays come from viewfold.asarray()")

    # ---- writing ----

    def __setitem__(self, key, value):
        place = self[key]
        if isinstance(value, _numbers.Number):
            place.fill(value)
        else:
            place.assign(_without_leading_ones(_operand(value, place), place.ndim))

    def assign(self, source):
        """Write source, broadcast to this array's shape, through to the memory below."""
        self._assign(_operand(source, self))

    def fill(self, value):
        """Write one number to every element."""
        self._assign(self._constant(value))

    def _constant(self, value):
        """One element of our type, made by the rule that the library has for numbers."""
        text = _text_of_value(value)
        if value is None or value is ... or text[0] in "'[":
            raise ArgumentError(f"fill: it takes a number, not {text}")
        return self._view(f"reshape(-1)[:0].pad([0, 1], value={text})[0]")

    # ---- looking ----

    @property
    def dtype(self):
        """NumPy's element type, or its name where NumPy is not there or has none (bfloat16)."""
        try:
            return _numpy_dtype(self)
        except (ImportError, TypeError):
            return _elements.dtype_text(self)

    @property
    def strides(self):
        """Strides in bytes, as NumPy's; stride() counts elements, as PyTorch's."""
        return tuple(step * self.itemsize for step in self.stride())

    def explain(self):
        """How the chain folds, operation by operation, and the plan."""
        return explain(self)

    def phase(self, name):
        """One phase between the array and its code: 'fold', 'job' (moves, in elements), 'normal' (in bytes),
        'choice', 'plan' (loops and their strategies), 'c'. Compiles nothing.

        >>> print(asarray(bytearray(6)).reshape(2, 3).T.phase('job').splitlines()[1])
          source 0+0 -> dst+0: 3(2,1) 2(1,3)
        """
        return phase(self, name)

    def source(self, standalone=False):
        """The C text that moves the bytes; standalone: all that it needs to compile by itself."""
        return source(self, standalone)

    def dot(self):
        """The graph as Graphviz DOT."""
        return dot(self)

    def __repr__(self):
        return f"viewfold.Array({self._type}[{','.join(map(str, self.shape))}], map={self.map})"

    # ---- to NumPy and others ----

    def numpy(self, out=None):
        """The elements as a NumPy array: a new one in C order, or `out`, of our shape and type."""
        given, out = out is not None, _place("numpy", self, out)
        if given and (not out.flags.c_contiguous or _meet(self, out)):
            asarray(out).assign(self)
        else:
            self._materialize(_bytes_of(out))
        return out

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
        if copy or not self._plain:
            if copy is False:
                raise LayoutError("the array does not lie in memory as strides could say: it needs a copy")
            result = self.numpy()
        elif self._type == "bf16":  # a buffer has no letter for it
            result = numpy.asarray(memoryview(self.view_dtype("u16"))).view(_numpy_dtype(self))
        else:
            result = numpy.asarray(memoryview(self))
        return result if dtype is None else result.astype(dtype, copy=False)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule: shared where plain strides can say it, else (or with copy) a new copy.

        Consumers older than DLPack 1.0 get a copy of what is read-only, too: they could not know.
        """
        if stream is not None:
            raise BufferError("memory of the host has no streams")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"device {tuple(dl_device)} is not the host")
        if copy is False and not self._plain:
            raise LayoutError("the array does not lie in memory as strides could say: it needs a copy")
        versioned = max_version is not None and max_version[0] >= 1
        return self._to_dlpack(versioned, None if copy is None else bool(copy))

    def __dlpack_device__(self):
        return (1, 0)

    def __array_namespace__(self, *, api_version=None):
        """viewfold.array_api: the manipulation functions of the array API standard."""
        from . import array_api
        if api_version not in (None, "2021.12", "2022.12", "2023.12", array_api.__array_api_version__):
            raise ValueError(f"__array_namespace__: version {api_version!r} is not known")
        return array_api

    @property
    def device(self):
        return "cpu"

    def to_device(self, device, /, *, stream=None):
        if device != "cpu" or stream is not None:
            raise ValueError(f"to_device: {device!r} is not 'cpu'")
        return self

    # ---- shapes of others ----

    def view_as(self, other):
        """view() with the shape of another array."""
        return self.view(tuple(other.shape))

    def reshape_as(self, other):
        """reshape() with the shape of another array."""
        return self.reshape(tuple(other.shape))

    def expand_as(self, other):
        """expand() with the shape of another array."""
        return self.expand(tuple(other.shape))

    # ---- element functions: values, computed as the bytes move ----

    def to(self, dtype):
        """Every element in another type: torch.Tensor.to, numpy.ndarray.astype."""
        return self._view(f"to({_text_of_value(_PYTHON_TYPES.get(dtype, dtype))})")

    astype = to

    def _with(self, name, other):
        """self.name(other), of a number, or an array or nested lists that stretch to self or self to them."""
        if isinstance(other, _numbers.Number):
            return self._view(f"{name}({_text_of_value(other)})")
        if isinstance(other, (list, tuple)):  # an array as NumPy makes it: f64 of floats
            import numpy
            other = numpy.asarray(other)
        return Array._evaluate(f"x.{name}(y)", ["x", "y"], [self, asarray(other)], False)

    add = _arithmetic("add", "self + other.")
    sub = _arithmetic("sub", "self - other.")
    mul = _arithmetic("mul", "self * other.")
    div = _arithmetic("div", "self / other; of integers, f32.")
    rsub = _arithmetic("rsub", "other - self.")
    rdiv = _arithmetic("rdiv", "other / self; of integers, f32.")
    subtract, multiply, divide, true_divide = sub, mul, div, div
    __add__ = __radd__ = add
    __sub__, __rsub__ = sub, rsub
    __mul__ = __rmul__ = mul
    __truediv__, __rtruediv__ = div, rdiv

    def __neg__(self):
        return self.neg()

    def __pos__(self):
        return self

    # ---- to Python ----

    def tolist(self):
        """The elements as Python numbers in lists of lists."""
        return _elements.nested(_elements.flat_values(self), self.shape)

    def item(self):
        """The one element as a Python number."""
        if self.size != 1:
            raise ValueError(f"item: the array has {self.size} elements, not one")
        return _elements.flat_values(self)[0]

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

    def __index__(self):
        if self.ndim or self._type[0] not in "iu":
            raise TypeError("only an integer array of rank 0 is an index")
        return self.item()

    def __eq__(self, other):
        return _compared(self, other, _operator.eq)

    def __ne__(self, other):
        return _compared(self, other, _operator.ne)

    __hash__ = object.__hash__

    def __contains__(self, value):
        if isinstance(value, _numbers.Number):
            return value in _elements.flat_values(self)
        return bool((self == value).any())

    def __copy__(self):
        return self  # a view never changes

    def copy(self, order="C"):
        """The elements in memory of their own, for writing; order "F" lays the first axis innermost."""
        if order not in ("C", "F"):
            raise ArgumentError(f"copy: order {order!r} is not 'C' or 'F'")
        return super().copy() if order == "C" else self.permute(*range(self.ndim)[::-1]).copy().T

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce_ex__(self, protocol):
        raise TypeError("a viewfold.Array has no bytes of its own to pickle: pickle its numpy() or tolist()")


# ---- types ----

# What NumPy and PyTorch mean by Python's own.
_PYTHON_TYPES = {float: "f64", int: "i64", complex: "c128", bool: "bool"}


def _numpy_dtype(array):
    import numpy
    if array._type != "bf16":
        return numpy.dtype(_elements.dtype_text(array))
    try:
        import ml_dtypes
    except ImportError:
        raise TypeError("NumPy has no bfloat16: take .view('u16'), or install ml_dtypes") from None
    return numpy.dtype(ml_dtypes.bfloat16)


def _compared(array, other, operation):
    """Elementwise, by NumPy; a bool where both have rank 0. Two numbers need no NumPy."""
    if array.ndim == 0 and isinstance(other, _numbers.Number):
        return operation(array.item(), other)
    try:
        import numpy
    except ImportError:
        raise TypeError("arrays are compared by NumPy, which is not installed: compare their tolist()") from None
    other = numpy.asarray(other) if isinstance(other, Array) else other
    result = operation(numpy.asarray(array), other)
    return bool(result) if getattr(result, "shape", None) == () else result


# ---- from others ----

def asarray(source):
    """An array over the memory of `source`, which it keeps alive: nothing is copied.

    source: what has the buffer protocol (NumPy arrays, bytes, memoryview, mmap, array.array) or
    __dlpack__ (PyTorch, JAX, CuPy ...), in memory of the host. Numbers of the other byte order are the
    exception: they are copied, turned, and read-only.
    """
    if isinstance(source, Array):
        return source
    if _is_numpy_extension(source):
        whole = Array._from_buffer(source.view(f"V{source.itemsize}"))
        return whole.view_dtype("bf16") if source.dtype.name == "bfloat16" else whole
    if not hasattr(source, "__dlpack__"):
        return Array._from_buffer(source)
    try:
        memoryview(source)
    except (TypeError, BufferError, ValueError):  # none, or of a type that buffers have no letter for
        return Array._from_dlpack(_capsule(source))
    return Array._from_buffer(source)


def _is_numpy_extension(source):
    """Of a type that a module added to NumPy, ml_dtypes' for one: neither buffers nor NumPy's DLPack know it."""
    numpy = _sys.modules.get("numpy")
    return numpy is not None and isinstance(source, numpy.ndarray) and source.dtype.isbuiltin == 2


def _capsule(source):
    try:
        return source.__dlpack__(max_version=(1, 1))
    except TypeError:  # a producer older than DLPack 1.0
        return source.__dlpack__()


def _without_leading_ones(source, rank):
    """As NumPy and PyTorch write x[0] = y where y has more axes: those in front, of extent 1, go away."""
    more = max(source.ndim - rank, 0)
    return source.reshape(source.shape[more:]) if more and set(source.shape[:more]) == {1} else source


def _operand(source, like):
    """What is written to `like`: an array, or nested lists of numbers by NumPy's rules."""
    if isinstance(source, (list, tuple)):
        import numpy
        source = numpy.asarray(source, _numpy_dtype(like))
    return asarray(source)


def evaluate(expression, **arrays):
    """Evaluate a view expression: evaluate("cat([x[:, 2:], y.flip(0)], dim=1).T", x=a, y=b).

    A tuple of arrays where it comes to a list: evaluate("x.split(2)", x=a).
    """
    return Array._evaluate(expression, list(arrays), [asarray(array) for array in arrays.values()], True)


# ---- several in one pass ----

def materialize(arrays, out=None):
    """NumPy arrays of all of `arrays`, as a list: what several read of one source is read once.

    out: arrays of the same shapes and types, in C order, that overlap nothing; else new ones.

    >>> r, g, b = materialize(asarray(bytes(range(12))).reshape(2, 2, 3).unbind(-1))
    """
    arrays = _several(arrays)
    out = [None] * len(arrays) if out is None else list(out)
    if len(out) != len(arrays):
        raise ValueError(f"materialize: {len(out)} places for {len(arrays)} arrays")
    out = [_place("materialize", *pair) for pair in zip(arrays, out)]
    if not all(place.flags.c_contiguous for place in out):
        raise LayoutError("materialize: a place is not in C order")
    if arrays:
        _viewfold._materialize_all(arrays, tuple(map(_bytes_of, out)))
    return out


def explain(arrays):
    """How each array folds, and the one pass that writes them all."""
    return _viewfold._look("explain", _several(arrays))


def phase(arrays, name):
    """Array.phase() of the pass that writes all of `arrays`."""
    if name not in ("fold", "job", "normal", "choice", "plan", "c"):
        raise ArgumentError(f"phase: {name!r} is none of fold, job, normal, choice, plan, c")
    return _viewfold._look(name, _several(arrays))


def source(arrays, standalone=False):
    """The C text of the pass that writes all of `arrays`; standalone: all that it needs to compile by itself."""
    return _viewfold._look("standalone" if standalone else "c", _several(arrays))


def dot(arrays):
    """The graph of all of `arrays` as Graphviz DOT."""
    return _viewfold._look("dot", _several(arrays))


def _several(arrays):
    """One array, or any number of them, as a tuple of ours."""
    return (arrays,) if isinstance(arrays, Array) else tuple(map(asarray, arrays))


def _place(name, array, out):
    """`out`, which must be of the array's shape and type; a new NumPy array where it is None."""
    import numpy
    if out is None:
        return numpy.empty(array.shape, _numpy_dtype(array))
    if out.shape != array.shape or out.dtype != _numpy_dtype(array):
        raise ValueError(f"{name}: out is {out.dtype}{list(out.shape)}, the array {array.dtype}{list(array.shape)}")
    return out


def _bytes_of(out):
    import numpy
    return out.reshape(-1).view(numpy.uint8)


def shares_memory(a, b, max_work=200_000):
    """Whether an element of a and one of b are the same memory; None where the search gave up after max_work
    tries (vf_shares_memory_within)."""
    return asarray(a)._shares_memory(asarray(b), max_work)


def _meet(array, out):
    """Whether they may share memory: None, which is undecided, counts."""
    return shares_memory(array, out) is not False


_viewfold._install(Array, asarray, _text_of_value, _copies)

for _name, _function in _composed.install(Array, asarray).items():
    if _name not in globals():
        globals()[_name] = _function
        __all__.append(_name)
