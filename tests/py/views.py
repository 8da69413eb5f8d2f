"""views.py -- the expression language of viewfold over NumPy arrays.

A View wraps an array and gives it PyTorch's method names, each by NumPy's own functions;
evaluate() runs an expression's text with them. It is the third opinion beside the library
and its oracle, so nothing here is shared with either.
"""

import functools
import json
import os
import re
import subprocess

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

DTYPES = {
    "bool": "?", "u8": "u1", "i8": "i1", "u16": "u2", "i16": "i2", "u32": "u4", "i32": "i4",
    "u64": "u8", "i64": "i8", "f16": "f2", "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16",
}
MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def numpy_dtype(name):
    """f32 -> float32; bytes12 -> V12."""
    if isinstance(name, np.dtype):
        return name
    if name in DTYPES:
        return np.dtype(DTYPES[name])
    return np.dtype("V" + name[len("bytes"):])


def numbers(args):
    """Bare numbers, or one list of them."""
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        return tuple(args[0])
    return tuple(args)


def listed(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


@functools.lru_cache(None)
def operations():
    """The library's own list, as `viewfold ops --json` prints it."""
    return json.loads(subprocess.check_output([os.environ["VIEWFOLD"], "ops", "--json"]))


def method_of(op):
    """A method from the NumPy expression of an operation's row, for those that have none in View."""
    names = [p.split("=")[0] for p in op["parameters"].split(", ") if p]
    defaults = {p.split("=")[0]: eval(p.split("=")[1]) for p in op["parameters"].split(", ") if "=" in p}

    def method(view, *args, **keys):
        values = {**defaults, **dict(zip(names, args)), **keys}
        return View(eval(op["numpy"], {"np": np, "x": view.array, **values}))

    return method


class View:
    """An array with the methods of the language. `store` is the memory as_strided may reach."""

    def __init__(self, array, store=None):
        self.array = array
        self.store = store

    def __getattr__(self, name):
        for op in operations() if not name.startswith("_") else ():
            if op["written"] == name and op["numpy"]:
                return functools.partial(method_of(op), self)
        raise AttributeError(name)

    def also(self, array):
        """A view of the same memory."""
        return View(array, self.store)

    # ---- element functions: for the examples; tests/py/test_elements.py has the rules

    def to(self, dtype):
        return View(self.array.astype(numpy_dtype(dtype)))

    def mul(self, other):
        return View(self.array * (other.array if isinstance(other, View) else other))

    def div(self, other):
        return View(self.array.astype("f4") / np.float32(other))

    def rdiv(self, other):
        with np.errstate(divide="ignore"):
            return View(np.float32(other) / self.array.astype("f4"))

    # ---- reordering

    def permute(self, *dims, **keys):
        dims = numbers(dims) if dims else tuple(keys["dims"])
        return self.also(self.array.transpose(dims))

    # PyTorch lets axes 0 and -1 be named of rank 0, NumPy does not.

    def transpose(self, dim0, dim1):
        if self.array.ndim == 0:
            return self
        return self.also(np.swapaxes(self.array, dim0, dim1))

    swapaxes = transpose

    @property
    def T(self):
        return self.also(self.array.transpose())

    @property
    def mT(self):
        return self.also(np.swapaxes(self.array, -1, -2))

    def t(self):
        assert self.array.ndim <= 2
        return self.also(self.array.transpose())

    def movedim(self, source, destination):
        if self.array.ndim == 0:
            return self
        return self.also(np.moveaxis(self.array, source, destination))

    moveaxis = movedim

    def squeeze(self, dim=None):
        if dim is None or self.array.ndim == 0:
            return self.also(np.squeeze(self.array))
        shape = self.array.shape
        axes = tuple(axis for axis in listed(dim) if shape[axis] == 1)
        return self.also(np.squeeze(self.array, axes) if axes else self.array)

    def unsqueeze(self, dim):
        return self.also(np.expand_dims(self.array, dim))

    expand_dims = unsqueeze

    # ---- parts

    def __getitem__(self, items):
        return self.also(self.array[items])

    def narrow(self, dim, start, length):
        return self.slice(dim, start, start + length)

    def slice(self, dim, start=None, stop=None, step=None):
        places = [slice(None)] * self.array.ndim
        places[dim] = slice(start, stop, step)
        return self.also(self.array[tuple(places)])

    def index_select(self, dim, indices):
        taken = np.take(np.atleast_1d(self.array), listed(indices), dim)
        return View(taken.reshape(self.array.shape) if self.array.ndim == 0 else taken)

    def select(self, dim, index):
        return self.also(np.moveaxis(self.array, dim, 0)[index])

    def split(self, sizes, dim=0):
        extent = self.array.shape[dim]
        if not isinstance(sizes, (list, tuple)):
            sizes = [min(sizes, extent - at) for at in range(0, extent, sizes)] or [0]
        ends = np.cumsum(sizes)
        assert ends[-1] == extent
        return [self.also(part) for part in np.split(self.array, ends[:-1], dim)]

    def chunk(self, chunks, dim=0):
        extent = self.array.shape[dim]
        if extent == 0:
            return [self.also(self.array) for _ in range(chunks)]
        return self.split(-(-extent // chunks), dim)

    def tensor_split(self, sections, dim=0):
        return [self.also(part) for part in np.array_split(self.array, sections, dim)]

    array_split = tensor_split

    def unbind(self, dim=0):
        return [self.also(part) for part in np.moveaxis(self.array, dim, 0)]

    # ---- reversing and repeating

    def flip(self, *dims, **keys):
        dims = numbers(dims) if dims else keys.get("dims")
        if self.array.ndim == 0:
            return self
        return self.also(np.flip(self.array, dims))

    def fliplr(self):
        return self.also(np.fliplr(self.array))

    def flipud(self):
        return self.also(np.flipud(self.array))

    def rot90(self, k=1, dims=(0, 1)):
        return self.also(np.rot90(self.array, k, tuple(dims)))

    def roll(self, shifts, dims=None):
        shifts = listed(shifts)
        if dims is None:
            return View(np.roll(self.array, shifts))
        return View(np.roll(self.array, shifts, listed(dims)))

    def expand(self, *shape):
        shape = list(numbers(shape))
        front = len(shape) - self.array.ndim
        for k, extent in enumerate(shape):
            if extent == -1:
                shape[k] = self.array.shape[k - front]
        return self.also(np.broadcast_to(self.array, shape))

    def broadcast_to(self, *shape):
        return self.also(np.broadcast_to(self.array, numbers(shape)))

    def tile(self, *counts):
        return View(np.tile(self.array, numbers(counts)))

    repeat = tile

    def repeat_interleave(self, repeats, dim=None):
        return View(np.repeat(self.array, repeats, dim))

    def diagonal(self, offset=0, dim1=0, dim2=1):
        array = self.array
        if -offset >= array.shape[dim1] or offset >= array.shape[dim2]:  # numpy 1.24 makes -1 of these
            rest = [n for k, n in enumerate(array.shape) if k not in (dim1 % array.ndim, dim2 % array.ndim)]
            return self.also(np.empty(rest + [0], array.dtype))
        return self.also(np.diagonal(array, offset, dim1, dim2))

    def unfold(self, dim, size, step=1):
        if self.array.ndim == 0:
            return self.also(self.array.reshape(1))
        windows = sliding_window_view(self.array, size, dim)
        places = [slice(None)] * self.array.ndim
        places[dim] = slice(None, None, step)
        return self.also(windows[tuple(places)])

    # ---- shapes

    def reshape(self, *shape):
        return self.also(np.reshape(self.array, numbers(shape)))

    def view(self, *shape):
        if len(shape) == 1 and isinstance(shape[0], (str, np.dtype)):
            return self.view_dtype(numpy_dtype(shape[0]))
        return self.reshape(*shape)

    def flatten(self, start_dim=0, end_dim=-1):
        shape = self.array.shape or (1,)
        first, last = start_dim % len(shape), end_dim % len(shape)
        merged = int(np.prod(shape[first:last + 1]))
        return self.reshape(shape[:first] + (merged,) + shape[last + 1:])

    def ravel(self):
        return self.reshape(-1) if self.array.size else self.reshape(0)

    def unflatten(self, dim, sizes):
        shape = self.array.shape
        dim %= len(shape)
        sizes = list(sizes)
        if -1 in sizes:
            sizes[sizes.index(-1)] = shape[dim] // -int(np.prod(sizes))
        return self.reshape(shape[:dim] + tuple(sizes) + shape[dim + 1:])

    def contiguous(self):
        array = np.array(self.array, order="C")
        return self if self.array.flags.c_contiguous else View(array)

    def pixel_shuffle(self, r):
        *front, c, h, w = self.array.shape
        n = len(front)
        array = self.array.reshape(*front, c // (r * r), r, r, h, w)
        array = array.transpose(*range(n), n, n + 3, n + 1, n + 4, n + 2)
        return self.also(array.reshape(*front, c // (r * r), h * r, w * r))

    def pixel_unshuffle(self, r):
        *front, c, h, w = self.array.shape
        n = len(front)
        array = self.array.reshape(*front, c, h // r, r, w // r, r)
        array = array.transpose(*range(n), n, n + 2, n + 4, n + 1, n + 3)
        return self.also(array.reshape(*front, c * r * r, h // r, w // r))

    def rearrange(self, pattern, **sizes):
        return self.also(rearrange(self.array, pattern, sizes))

    # ---- storage and bytes

    def as_strided(self, shape, strides, offset):
        store = self.store.view(self.array.dtype)
        bytes_each = store.itemsize
        assert offset + sum(min(0, (n - 1) * s) for n, s in zip(shape, strides)) >= 0
        start = store[offset:] if offset < store.size else store[:0]
        return self.also(as_strided(start, tuple(shape), tuple(s * bytes_each for s in strides)))

    def view_dtype(self, dtype):
        array = self.array
        if array.ndim and array.dtype.itemsize != dtype.itemsize:
            array = np.ascontiguousarray(array)
            last = array.shape[-1] * array.dtype.itemsize // dtype.itemsize
            raw = np.frombuffer(array.tobytes(), dtype)
            return self.also(raw.reshape(array.shape[:-1] + (last,)))
        raw = np.frombuffer(array.tobytes(), dtype)
        return self.also(raw.reshape(array.shape))

    @property
    def real(self):
        return self.also(self.array.real)

    @property
    def imag(self):
        return self.also(self.array.imag)

    def view_as_real(self):
        return self.also(np.stack([self.array.real, self.array.imag], -1))

    def view_as_complex(self):
        dtype = np.dtype("c8" if self.array.dtype == np.dtype("f4") else "c16")
        raw = np.frombuffer(self.array.tobytes(), dtype)
        return self.also(raw.reshape(self.array.shape[:-1]))

    def pad(self, pad, mode="constant", value=0):
        array = self.array
        widths = [(0, 0)] * array.ndim
        for k in range(len(pad) // 2):
            widths[array.ndim - 1 - k] = (pad[2 * k], pad[2 * k + 1])
        grown = [(max(0, a), max(0, b)) for a, b in widths]
        if mode in ("reflect", "replicate"):  # PyTorch crops these last
            return View(crop(np.pad(array, grown, mode=MODES[mode]), widths))
        if mode == "circular":
            return View(np.pad(crop(array, widths), grown, mode=MODES[mode]))
        return View(pad_constant(crop(array, widths), grown, value))


def crop(array, widths):
    return array[tuple(slice(max(0, -a), n - max(0, -b)) for n, (a, b) in zip(array.shape, widths))]


def pad_constant(array, widths, value):
    """np.pad by assignment, which opaque elements and complex values can do too."""
    shape = [a + n + b for n, (a, b) in zip(array.shape, widths)]
    result = np.zeros(shape, array.dtype)
    if value != 0 or str(value) == "-0.0":
        result[...] = value
    result[tuple(slice(a, a + n) for n, (a, b) in zip(array.shape, widths))] = array
    return result


def pattern_groups(side, dots):
    """'b (h p) ...' -> [['b'], ['h', 'p'], ['.0'], ...]; 1 and () are groups of nothing."""
    groups, inner = [], None
    for word in re.findall(r"\.\.\.|\w+|[()]", side):
        if word == "(":
            inner = []
        elif word == ")":
            groups.append(inner)
            inner = None
        else:
            names = [".%d" % k for k in range(dots)] if word == "..." else [] if word == "1" else [word]
            if inner is not None:
                inner.extend(names)
            elif word == "...":
                groups.extend([name] for name in names)
            else:
                groups.append(names)
    return groups


def rearrange(array, pattern, sizes):
    """einops.rearrange by reshape and transpose."""
    left, right = pattern.split("->")
    dots = array.ndim - len(pattern_groups(left.replace("...", ""), 0)) if "..." in left else 0
    left, right = pattern_groups(left, dots), pattern_groups(right, dots)
    sizes = dict(sizes)
    for group, extent in zip(left, array.shape):
        unknown = [name for name in group if name not in sizes]
        for name in unknown:
            sizes[name] = extent // int(np.prod([sizes[n] for n in group if n != name] or [1]))
    names = [name for group in left for name in group]
    order = [names.index(name) for group in right for name in group]
    array = array.reshape([sizes[name] for name in names]).transpose(order)
    return array.reshape([int(np.prod([sizes[name] for name in group] or [1])) for group in right])


# ---- functions of several arrays, and every method as a function


def cat(views, dim=0):
    return View(np.concatenate([v.array for v in views], dim))


def stack(views, dim=0):
    return View(np.stack([v.array for v in views], dim))


def hstack(views):
    return View(np.hstack([v.array for v in views]))


def vstack(views):
    return View(np.vstack([v.array for v in views]))


class Names(dict):
    """What an expression may name: arrays, dtypes, functions and methods as functions."""

    def __missing__(self, name):
        if name in DTYPES or re.fullmatch(r"bytes\d+", name):
            return numpy_dtype(name)
        if name in View.__dict__ or name in [op["written"] for op in operations()]:
            return lambda view, *args, **keys: getattr(view, name)(*args, **keys)
        raise KeyError(name)


def evaluate(text, arrays):
    """The View that `text` makes of {name: View}."""
    names = Names(arrays)
    names.update(cat=cat, concat=cat, stack=stack, hstack=hstack, vstack=vstack, inf=float("inf"), nan=float("nan"))
    return eval(text, {"__builtins__": {}}, names)  # pylint: disable=eval-used
