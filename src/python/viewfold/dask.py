"""Chains of views over Dask arrays: each chunk of the result from just the chunks that it reads.

    import dask.array as da, viewfold.dask
    y = viewfold.dask.apply("x.permute(0, 3, 1, 2)[:, ::-1]", x=darray)
    y.compute()

Which chunks those are is told by the map (vf_boxes), before anything is computed. Progress, spilling, and chunks
computed again after a worker failed are Dask's own.
"""
import bisect
import functools
import itertools
import math

import dask.array as da
import numpy as np
from dask import delayed
from dask.base import tokenize

from . import _elements, _viewfold, asarray, cat, evaluate

__all__ = ["apply"]

# A digit of a box that crosses axes in no regular way is taken apart up to so many values; then its whole range counts.
_MOST_VALUES = 4096


def apply(expression, chunks="auto", **arrays):
    """The result of a view expression over Dask arrays, as a Dask array.

    chunks   of the result, as dask.array.rechunk() takes them
    arrays   by the names that the expression gives them; what is no Dask array is made one

    Nothing is computed. A chunk's task gets the chunks of the inputs that it reads, whole, and no others.
    """
    inputs = {name: array if isinstance(array, da.Array) else da.asarray(array) for name, array in arrays.items()}
    leaves = {name: _declared(name, array) for name, array in inputs.items()}
    whole = evaluate(expression, **leaves)
    dtype = _dtype(whole, inputs)
    chunks = da.core.normalize_chunks(chunks, whole.shape, dtype=dtype)
    grids = {name: _Grid(array) for name, array in inputs.items()}
    blocks = np.empty([len(axis) for axis in chunks], dtype=object)
    for place in np.ndindex(blocks.shape):
        start = tuple(sum(axis[:i]) for axis, i in zip(chunks, place))
        shape = tuple(axis[i] for axis, i in zip(chunks, place))
        blocks[place] = _block(expression, whole, leaves, grids, (start, shape, dtype))
    return da.block(blocks.tolist())


def _declared(name, array):
    if any(math.isnan(extent) for extent in array.shape):
        raise ValueError(f"{name}: chunks of unknown sizes; compute_chunk_sizes() finds them")
    kind = asarray(np.empty(0, array.dtype))._type
    return _viewfold._declare(kind, array.shape)


def _dtype(whole, inputs):
    name = _elements.NUMPY_NAMES.get(whole._type)
    for array in inputs.values(): # records keep their own type, bfloat16 is whose it came from
        if asarray(np.empty(0, array.dtype))._type == whole._type:
            return array.dtype.newbyteorder("=")
    return np.dtype(name or f"V{whole.itemsize}")


def _block(expression, whole, leaves, grids, region):
    """One chunk of the result."""
    start, shape, dtype = region
    parts, places = [], {}
    for name, grid in grids.items():
        needed = sorted(grid.read_by(whole, start, shape, leaves[name])) if 0 not in shape else []
        places[name] = grid.shape, grid.dtype, grid.bounds, needed
        parts += [grid.delayed[chunk] for chunk in needed]
    task = functools.partial(_compute, expression, places, region)
    return da.from_delayed(delayed(task, name="viewfold-" + tokenize(task, parts))(*parts), shape, dtype=dtype)


def _compute(expression, places, region, *parts):
    """In a worker: the inputs, of which only the parts are there, then the chain, then its region."""
    start, shape, dtype = region
    out, parts = np.empty(shape, dtype), iter(parts)
    inputs = {name: _assemble(*place, parts) for name, place in places.items()}
    if out.size:
        whole = evaluate(expression, **inputs)
        if whole.ndim:
            whole = whole[tuple(slice(at, at + extent) for at, extent in zip(start, shape))]
        whole.numpy(out=out)
    return out


def _assemble(shape, dtype, bounds, needed, parts):
    """An input of which some chunks are known; zeros, which take no memory, stand for the others."""
    known = {chunk: np.asarray(next(parts)) for chunk in needed}
    zero = asarray(np.zeros((), dtype))
    if not known:
        return zero.expand(shape) if shape else zero
    first = [min(chunk[axis] for chunk in known) for axis in range(len(shape))]
    last = [max(chunk[axis] for chunk in known) for axis in range(len(shape))]

    def along(axis, place):
        if axis == len(shape):
            if place in known:
                return asarray(known[place])
            return zero.expand([bounds[k][i + 1] - bounds[k][i] for k, i in enumerate(place)])
        rows = [along(axis + 1, place + (i,)) for i in range(first[axis], last[axis] + 1)]
        return rows[0] if len(rows) == 1 else cat(rows, axis)

    array = along(0, ())
    edges = [(bounds[k][first[k]], shape[k] - bounds[k][last[k] + 1]) for k in range(len(shape))]
    if any(itertools.chain(*edges)): # pad() begins with the last axis
        array = array.pad([edge for pair in reversed(edges) for edge in pair])
    return array


class _Grid:
    """The chunks of an input, and which of them a region of the result reads."""

    def __init__(self, array):
        self.shape, self.dtype = array.shape, array.dtype
        self.delayed = array.to_delayed()
        self.bounds = [list(itertools.accumulate(axis, initial=0)) for axis in array.chunks]
        self.least = [min(axis, default=0) for axis in array.chunks]
        self.strides = [math.prod(self.shape[axis + 1:]) for axis in range(len(self.shape))]

    def read_by(self, whole, start, shape, leaf):
        """Places of the chunks that the region [start, start + shape) of `whole` reads."""
        found = set()
        for at, digits in _viewfold._boxes(whole, start, shape, leaf):
            digits = [digit for digit in digits if digit[1]]
            self._lattice(*_in_elements(at, digits, whole.itemsize, leaf.itemsize), found)
        return found

    def _chunk(self, axis, index):
        return bisect.bisect_right(self.bounds[axis], index) - 1

    def _coordinates(self, at):
        return [at // stride % extent for stride, extent in zip(self.strides, self.shape)]

    def _axis_of(self, step):
        """The axis whose index the step changes, if it changes that alone."""
        for axis, stride in enumerate(self.strides):
            if self.shape[axis] > 1 and step >= stride:
                return axis if step % stride == 0 else None
        return None

    def _lattice(self, at, digits, found):
        """The chunks that a lattice of elements touches: exactly, but where a step crosses axes irregularly."""
        base = self._coordinates(at)
        steps, top = [[] for _ in base], list(base)
        for place, (extent, step) in enumerate(digits):
            axis = self._axis_of(step)
            stride = step // self.strides[axis] if axis is not None else 0
            if axis is None or top[axis] + (extent - 1) * stride >= self.shape[axis]:
                return self._split(at, digits[place], digits[:place] + digits[place + 1:], axis, found)
            top[axis] += (extent - 1) * stride
            steps[axis].append((extent, stride))
        found.update(itertools.product(*(self._along(axis, base[axis], sorted(steps[axis], key=lambda digit: -digit[1]))
                                         for axis in range(len(base)))))
        return None

    def _along(self, axis, index, digits):
        """The chunks of one axis with an index of a lattice in them."""
        first, last = self._chunk(axis, index), self._chunk(axis, index + sum((n - 1) * step for n, step in digits))
        if first == last or not digits:
            return {first}
        (extent, step), rest = digits[0], digits[1:]
        if step <= self.least[axis]: # no chunk between is passed over
            end = index + (extent - 1) * step
            return set(range(first, self._chunk(axis, end) + 1)) | self._along(axis, end, rest)
        return set().union(*(self._along(axis, index + i * step, rest) for i in range(extent)))

    def _split(self, at, digit, rest, axis, found):
        """A digit that leaves its axis: what stays in it first, then whole rows of it, then what is left."""
        extent, step = digit
        period = self.strides[axis] * self.shape[axis] if axis is not None else 0
        row = period // step if period and period % step == 0 else 0
        head = -(-(period - at % period) // step) if row > 1 else extent
        if head < extent:
            rows, tail = divmod(extent - head, row)
            for start, digits in ((0, [(head, step)]), (head, [(rows, period), (row, step)]), (head + rows * row, [(tail, step)])):
                if all(n for n, _ in digits):
                    self._lattice(at + start * step, [d for d in digits if d[0] > 1] + rest, found)
        elif extent <= _MOST_VALUES:
            for i in range(extent):
                self._lattice(at + i * step, rest, found)
        else:
            self._range(at, at + sum((n - 1) * step for n, step in [digit, *rest]), found)

    def _range(self, first, last, found):
        """All chunks with an element in [first, last], and perhaps more: a box around them."""
        ends = list(zip(self._coordinates(first), self._coordinates(last)))
        for axis, (low, high) in enumerate(ends):
            if low != high:
                ends[axis + 1:] = [(0, extent - 1) for extent in self.shape[axis + 1:]]
                break
        found.update(itertools.product(*(range(self._chunk(axis, low), self._chunk(axis, high) + 1)
                                         for axis, (low, high) in enumerate(ends))))


def _in_elements(at, digits, read, size):
    """A lattice of elements of `read` bytes as one of elements of `size` bytes, which may hold a little more."""
    if read >= size:
        times = read // size
        return at * times, [(n, step * times) for n, step in digits] + ([(times, 1)] if times > 1 else [])
    parts = size // read
    whole = [(n, step // parts) for n, step in digits if step % parts == 0]
    rest = at % parts + sum((n - 1) * step for n, step in digits if step % parts)
    return at // parts, whole + ([(rest // parts + 1, 1)] if rest >= parts else [])
