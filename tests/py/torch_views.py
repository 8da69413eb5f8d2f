"""torch_views.py -- compare dumped chains with PyTorch itself. Not part of the test run.

    torch_views.py PROGRAM [ARG ...]    as compare.py

Chains that PyTorch cannot do (negative steps, dtypes without a tensor, NumPy's own ops) are left
out and counted. What it can do must give the same bytes.
"""

import subprocess
import sys
import tempfile
import warnings

import numpy as np
import torch

from cases import read_cases
from views import rearrange

DTYPES = {
    "bool": torch.bool, "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32,
    "i64": torch.int64, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64,
    "c64": torch.complex64, "c128": torch.complex128,
}
OTHER_OPS = ("broadcast_to", "expand_dims", "slice(", "index_select", "array_split", "moveaxis", "pad(", "as_strided")


class Left(Exception):
    """PyTorch has no such thing."""


class Names(dict):
    """Tensors, dtypes and functions by name."""

    def __missing__(self, name):
        if name in DTYPES:
            return DTYPES[name]
        if name.startswith("bytes") or name in ("u16", "u32", "u64", "bf16"):
            raise Left(name)
        if name != "__import__" and hasattr(torch.Tensor, name):
            return lambda tensor, *args, **keys: getattr(tensor, name)(*args, **keys)
        raise KeyError(name)


def tensor_rearrange(tensor, pattern, **sizes):
    index = np.arange(tensor.numel()).reshape(tensor.shape)
    return tensor.reshape(-1)[torch.from_numpy(np.array(rearrange(index, pattern, sizes), order="C"))]


def tensor_of(view):
    return torch.from_numpy(np.array(view.array, order="C"))


def torch_result(case):
    text = case.text
    if any(op in text for op in OTHER_OPS) or "'" in text.replace("rearrange('", "").replace("')", ""):
        raise Left(text)
    try:
        names = Names({name: tensor_of(view) for name, view in case.arrays.items()})
    except TypeError as error:
        raise Left(str(error)) from error
    functions = {"pixel_shuffle": torch.nn.functional.pixel_shuffle,
                 "pixel_unshuffle": torch.nn.functional.pixel_unshuffle,
                 "view_as_real": torch.view_as_real, "view_as_complex": torch.view_as_complex,
                 "cat": torch.cat, "concat": torch.cat, "stack": torch.stack, "hstack": torch.hstack,
                 "vstack": torch.vstack, "rearrange": tensor_rearrange}
    names.update(functions)
    for name in ("pixel_shuffle", "pixel_unshuffle", "view_as_real", "view_as_complex", "rearrange", "repeat_interleave"):
        if name in functions:
            setattr(torch.Tensor, name, functions[name])
    try:
        return eval(text, {}, names)  # pylint: disable=eval-used
    except (ValueError, TypeError, RuntimeError, NotImplementedError, IndexError) as error:
        raise Left(str(error)) from error


def main(command):
    done = left = failures = 0
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([directory if word == "DIR" else word for word in command], check=True)
        for case in read_cases(directory):
            try:
                result = torch_result(case).resolve_conj().resolve_neg().contiguous()
            except Left:
                left += 1
                continue
            done += 1
            data = result.numpy()
            complaint = case.complaint(data.shape, data.tobytes())
            if complaint:
                failures += 1
                if failures <= 10:
                    print("case %d: %s\n  %s\n  PyTorch: %s" % (case.number, case.text, case.declarations(), complaint))
    print("%d chains compared with PyTorch %s, %d differ; it cannot do %d" % (done, torch.__version__, failures, left))
    return 1 if failures or not done else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
