"""tensors.py -- the expression language over PyTorch tensors, as a user of PyTorch would write it.

Most methods are the tensor's own. What PyTorch has not (negative steps, dtypes by viewfold's names, unsigned types
beyond u8 that move as signed ones) is done by its nearest means; what it cannot do raises its own error.
"""

import torch

DTYPES = {
    "bool": torch.bool,
    "u8": torch.uint8,
    "i8": torch.int8,
    "u16": torch.int16,
    "i16": torch.int16,
    "u32": torch.int32,
    "i32": torch.int32,
    "u64": torch.int64,
    "i64": torch.int64,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "c64": torch.complex64,
    "c128": torch.complex128,
}
FUNCTIONS = {
    "pixel_shuffle": torch.nn.functional.pixel_shuffle,
    "pixel_unshuffle": torch.nn.functional.pixel_unshuffle,
    "view_as_real": torch.view_as_real,
    "view_as_complex": torch.view_as_complex,
    "repeat": torch.tile,
}


def wrap(value):
    if isinstance(value, torch.Tensor):
        return Tensor(value)
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], torch.Tensor):
        return [Tensor(part) for part in value]
    return value


class Tensor:
    """A tensor with the methods of the language."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __getattr__(self, name):
        if name in FUNCTIONS:
            return lambda *args, **keys: wrap(FUNCTIONS[name](self.tensor, *args, **keys))
        found = getattr(self.tensor, name)
        return (lambda *args, **keys: wrap(found(*args, **keys))) if callable(found) else wrap(found)

    def __getitem__(self, items):
        items = list(items) if isinstance(items, tuple) else [items]
        if Ellipsis in [item for item in items if not isinstance(item, list)]:
            at = next(k for k, item in enumerate(items) if item is Ellipsis)
            named = sum(item is not None for item in items) - 1
            items[at : at + 1] = [slice(None)] * (self.tensor.ndim - named)
        tensor, axis = self.tensor, 0
        for k, item in enumerate(items):
            if isinstance(item, slice) and (item.step or 1) < 0:
                tensor = backwards(tensor, axis, item)
                items[k] = slice(None)
            axis += item is not None
        return Tensor(tensor[tuple(items)])

    def view(self, *shape):
        return Tensor(
            self.tensor.view(DTYPES[shape[0]]) if isinstance(shape[0], str) else self.tensor.view(*shape)
        )

    def pad(self, pad, mode="constant", value=0):
        if mode == "constant":
            return Tensor(torch.nn.functional.pad(self.tensor, pad, value=value))
        return Tensor(torch.nn.functional.pad(self.tensor, pad, mode=mode))


def backwards(tensor, axis, item):
    """A slice with a negative step: the same elements forwards, flipped, every so many of them."""
    taken = range(*item.indices(tensor.shape[axis]))
    if not taken:
        return tensor.narrow(axis, 0, 0)
    part = tensor.narrow(axis, taken[-1], taken[0] - taken[-1] + 1).flip(axis)
    return part if item.step == -1 else part[(slice(None),) * axis + (slice(None, None, -item.step),)]


def cat(parts, dim=0):
    return Tensor(torch.cat([part.tensor for part in parts], dim))


def stack(parts, dim=0):
    return Tensor(torch.stack([part.tensor for part in parts], dim))


def from_numpy(array, dtype):
    """`dtype` as viewfold calls it; NumPy has no bf16 and holds it as u16."""
    if array.dtype.name.startswith("uint") and array.dtype.itemsize > 1:
        array = array.view(array.dtype.name[1:])
    tensor = torch.from_numpy(array)
    return tensor.view(DTYPES[dtype]) if dtype == "bf16" else tensor


def evaluate(text, tensors):
    names = {name: Tensor(tensor) for name, tensor in tensors.items()}
    names.update(cat=cat, concat=cat, stack=stack)
    return eval(text, {"__builtins__": {}}, names).tensor  # pylint: disable=eval-used
