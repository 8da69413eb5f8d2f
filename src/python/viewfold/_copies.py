"""Copies for programs of NumPy and PyTorch: what src/python/copies.c does not settle by itself."""
from . import _viewfold
from ._viewfold import _move


def install(name):
    """At the first call of ascontiguousarray() or contiguous(): neither library is imported before."""
    if name == "contiguous":
        import torch
        _viewfold._install_copy(name, torch.Tensor, torch.Tensor.contiguous, _contiguous)
    else:
        import numpy
        _viewfold._install_copy(name, numpy.ndarray, numpy.ascontiguousarray, _ascontiguousarray)


def _ascontiguousarray(array, out, threads):
    import numpy
    if type(array) is not numpy.ndarray:
        array = numpy.asarray(array)
    if out is None:
        if array.flags.c_contiguous or array.dtype.hasobject or array.ndim == 0:
            return numpy.ascontiguousarray(array)
        out = numpy.empty(array.shape, array.dtype)
    elif out.shape != array.shape or out.dtype != array.dtype:
        raise ValueError(f"ascontiguousarray: out is {out.dtype}{list(out.shape)}, "
                         f"the array {array.dtype}{list(array.shape)}")
    if not _moved(out, array, threads):
        numpy.copyto(out, array)
    return out


def _moved(dst, src, threads):
    """Elements of one type move whole, whatever it is: dates, texts, records, either byte order."""
    if src.dtype.hasobject or src.size == 0 or src.dtype.itemsize == 0:
        return False
    if src.dtype.kind in "mM":  # buffers have no letter for dates
        dst, src = dst.view("i8"), src.view("i8")
    return _move(dst, src, threads)


def copyto(dst, src, casting="same_kind", where=True, threads=None):
    """numpy.copyto(dst, src), by viewfold's loops where nothing is converted and nothing left out.

    src is broadcast; where the two share memory, the result is that of copying src first.

    >>> import numpy
    >>> a = numpy.zeros((2, 3))
    >>> copyto(a.T, numpy.arange(6.0).reshape(3, 2))
    >>> a.tolist()
    [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]
    """
    import numpy
    if (where is not True or type(dst) is not numpy.ndarray or type(src) is not numpy.ndarray or
            dst.nbytes < _viewfold.SMALL_BYTES or src.dtype != dst.dtype or not dst.flags.writeable or
            not _moved(dst, src, threads)):
        numpy.copyto(dst, src, casting=casting, where=where)


def _contiguous(tensor, out, threads):
    import torch
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"contiguous: {type(tensor).__name__} is no torch.Tensor")
    if out is not None and (out.shape != tensor.shape or out.dtype != tensor.dtype):
        raise ValueError(f"contiguous: out is {out.dtype}{list(out.shape)}, "
                         f"the tensor {tensor.dtype}{list(tensor.shape)}")
    if not _is_bytes_of_the_host(torch, tensor) or (out is None and tensor.is_contiguous()):
        return tensor.contiguous() if out is None else out.copy_(tensor)
    if out is None:
        out = torch.empty(tensor.shape, dtype=tensor.dtype)
    if not (_is_bytes_of_the_host(torch, out) and _move(_as_numpy(torch, out), _as_numpy(torch, tensor), threads)):
        out.copy_(tensor)
    return out


def _is_bytes_of_the_host(torch, tensor):
    return (type(tensor) is torch.Tensor and tensor.device.type == "cpu" and tensor.layout is torch.strided and
            not tensor.requires_grad and not tensor.is_conj() and not tensor.is_neg() and tensor.numel() > 0 and
            not tensor.is_quantized)


def _as_numpy(torch, tensor):
    """The same memory as integers of the size of its elements: NumPy has no bfloat16."""
    size = tensor.element_size()
    if size == 16:
        return tensor.numpy()
    return tensor.view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[size]).numpy()
