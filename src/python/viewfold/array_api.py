"""The array API standard, version 2024.12: its manipulation functions, over viewfold arrays.

x.__array_namespace__() gives this module. Of the standard's other parts there are asarray, astype, from_dlpack, take, the
inspection of types, and what is computed element by element in the same pass: add, subtract, multiply, divide,
negative, positive, clip. viewfold.Array has its indexing without masks.
"""
from . import _viewfold
from . import asarray as _asarray

__array_api_version__ = "2024.12"

__all__ = ["asarray", "from_dlpack", "broadcast_arrays", "broadcast_to", "concat", "expand_dims", "flip", "moveaxis",
           "permute_dims", "repeat", "reshape", "roll", "squeeze", "stack", "tile", "unstack", "take",
           "matrix_transpose", "astype", "add", "subtract", "multiply", "divide", "negative", "positive", "clip", "isdtype", "__array_namespace_info__"]


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """A view of `obj`, which has the buffer protocol or __dlpack__; nothing is converted."""
    _check_device(device)
    x = _asarray(obj)
    if dtype is not None and x.dtype != dtype:
        raise TypeError(f"asarray: elements are {x.dtype}; viewfold does not convert them to {dtype}")
    return x.copy() if copy else x


def astype(x, dtype, /, *, copy=True, device=None):
    """The elements converted. With copy (the standard's default) in memory of their own, else on their way."""
    _check_device(device)
    converted = x.to(dtype)
    return converted.copy() if copy else converted


def add(x1, x2, /):
    return x1 + x2


def subtract(x1, x2, /):
    return x1 - x2


def multiply(x1, x2, /):
    return x1 * x2


def divide(x1, x2, /):
    return x1 / x2


def negative(x, /):
    return -x


def positive(x, /):
    return +x


def clip(x, /, min=None, max=None):
    return x if min is None and max is None else x.clamp(min, max)


def from_dlpack(x, /, *, device=None, copy=None):
    return asarray(x, device=device, copy=copy)


def _check_device(device):
    if device not in (None, "cpu"):
        raise ValueError(f"device {device!r} is not 'cpu'")


def broadcast_arrays(*arrays):
    shape = _common_shape([x.shape for x in arrays])
    return [x.broadcast_to(shape) for x in arrays]


def _common_shape(shapes):
    rank = max(map(len, shapes), default=0)
    result = []
    for extents in zip(*[(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]):
        others = {extent for extent in extents if extent != 1}
        if len(others) > 1:
            raise ValueError(f"broadcast_arrays: shapes {', '.join(map(str, shapes))} do not fit each other")
        result.append(others.pop() if others else 1)
    return tuple(result)


def broadcast_to(x, /, shape):
    return x.broadcast_to(shape)


def _promoted(arrays):
    """The arrays in the one type that the standard promotes theirs to; as they are where it has none."""
    kinds = {"u": 0, "i": 0, "f": 0, "c": 0}
    for x in arrays:
        kind = x._type.rstrip("0123456789")
        if kind not in kinds:
            return arrays
        kinds[kind] = max(kinds[kind], 8 * x.itemsize)
    u, i, f, c = kinds.values()
    if (u or i) and (f or c):
        return arrays
    name = (f"c{max(2 * f, c)}" if c else f"f{f}" if f else f"u{u}" if not i else f"i{max(2 * u, i)}" if u else f"i{i}")
    return arrays if name == "i128" else [x if x._type == name else x.to(name) for x in arrays]


def concat(arrays, /, *, axis=0):
    arrays = _promoted(list(arrays))
    if axis is None:
        arrays, axis = [x.reshape((-1,)) for x in arrays], 0
    return _viewfold.cat(arrays, axis)


def expand_dims(x, /, *, axis=0):
    return x.unsqueeze(axis)


def flip(x, /, *, axis=None):
    return x.flip() if axis is None else x.flip(axis)


def moveaxis(x, source, destination, /):
    return x.movedim(source, destination)


def permute_dims(x, /, axes):
    return x.permute(axes)


def matrix_transpose(x, /):
    return x.mT


def repeat(x, repeats, /, *, axis=None):
    if not isinstance(repeats, int):
        repeats = repeats.tolist()
    return x.repeat_interleave(repeats) if axis is None else x.repeat_interleave(repeats, axis)


def reshape(x, /, shape, *, copy=None):
    if copy is False:
        return x.view(shape)  # LayoutError where it would need one
    return x.reshape(shape).copy() if copy else x.reshape(shape)


def roll(x, /, shift, *, axis=None):
    return x.roll(shift) if axis is None else x.roll(shift, axis)


def squeeze(x, /, axis):
    axes = axis if isinstance(axis, tuple) else (axis,)
    for place in axes:
        if -x.ndim <= place < x.ndim and x.shape[place] != 1:
            raise ValueError(f"squeeze: axis {place} has extent {x.shape[place]}, not 1")
    return x.squeeze(axes) if axes else x


def stack(arrays, /, *, axis=0):
    return _viewfold.stack(_promoted(list(arrays)), axis)


def take(x, indices, /, *, axis=None):
    if axis is None and x.ndim != 1:
        raise ValueError(f"take: an array of rank {x.ndim} needs an axis")
    return x.index_select(0 if axis is None else axis, indices.tolist())


def tile(x, repetitions, /):
    return x.tile(repetitions)


def unstack(x, /, *, axis=0):
    return x.unbind(axis)


class __array_namespace_info__:
    """What there is: one device, NumPy's element types, no masks."""

    def capabilities(self):
        return {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": 64}

    def default_device(self):
        return "cpu"

    def devices(self):
        return ["cpu"]

    def default_dtypes(self, *, device=None):
        import numpy
        _check_device(device)
        return numpy.__array_namespace_info__().default_dtypes()

    def dtypes(self, *, device=None, kind=None):
        import numpy
        _check_device(device)
        return numpy.__array_namespace_info__().dtypes(kind=kind)


def isdtype(dtype, kind):
    import numpy
    return numpy.isdtype(dtype, kind)
