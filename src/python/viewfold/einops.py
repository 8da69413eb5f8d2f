"""einops over viewfold arrays: import it once, and einops.rearrange(x, ...) works on a viewfold.Array.

    import einops, viewfold.einops
    einops.rearrange(viewfold.asarray(a), "h (w p) -> (p w) h", p=2)      # a view, nothing moves

rearrange, repeat, pack, unpack, parse_shape; reduce and einsum compute, which viewfold does not.
"""
from einops._backends import AbstractBackend

import viewfold


class ViewfoldBackend(AbstractBackend):
    """What einops asks of a library; it finds the class by itself."""

    framework_name = "viewfold"

    def is_appropriate_type(self, tensor):
        return isinstance(tensor, viewfold.Array)

    def from_numpy(self, x):
        return viewfold.asarray(x)

    def to_numpy(self, x):
        return x.numpy()

    def arange(self, start, stop):
        import numpy
        return viewfold.asarray(numpy.arange(start, stop))

    def transpose(self, x, axes):
        return x.permute(axes)

    def stack_on_zeroth_dimension(self, tensors):
        return viewfold.stack(tensors)

    def add_axis(self, x, new_position):
        return x.unsqueeze(new_position)

    def tile(self, x, repeats):
        return x.tile(repeats)

    def concat(self, tensors, axis):
        return viewfold.cat(tensors, axis)

    def is_float_type(self, x):
        return x._type[0] in "fb" and x._type != "bool"

    def reduce(self, x, operation, axes):
        raise NotImplementedError(f"einops: {operation} computes; viewfold moves elements only: use x.numpy()")
