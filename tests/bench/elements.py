#!/usr/bin/env python3
"""elements.py -- chains that compute (elements.tsv) beside the fastest copy, NumPy, PyTorch and OpenCV.

    elements.py [VIEWFOLD] [--seconds S]

Each row is a line of `viewfold bench --list`: `limit` is of the fastest copy of as many bytes as the chain reads and
writes. A peer's number is the same ratio: its time and a memcpy's, alternating, beside the same memcpy there. Peers
run on one thread, give the result in C order, and are asked in the best of the ways below. One that is absent is left
out; its results are compared with ours' rule, NumPy's.
"""

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import time

import lists

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

PAIRS = {"u8": "u1", "u16": "u2", "f16": "f2", "f32": "f4"}

# Ways of NumPy over x, m and s; np.float32 keeps the arithmetic in f32.
NUMPY = {
    "normalize_chw_u8": [
        "np.ascontiguousarray(((x.astype('f4') - m) / s).transpose(0, 3, 1, 2))",
        "(np.ascontiguousarray(x.transpose(0, 3, 1, 2)).astype('f4') - m[:, None, None]) / s[:, None, None]",
    ],
    "scale_chw_u8": ["np.ascontiguousarray(x.transpose(0, 3, 1, 2)).astype('f4') / np.float32(255)"],
    "to_f32_chw_u8": ["x.transpose(0, 3, 1, 2).astype('f4', order='C')"],
    "normalize_hwc_u8": ["(x.astype('f4') - m) / s"],
    "f32_f16_T": ["x.T.astype('f2', order='C')"],
    "f16_f32": ["x.astype('f4')"],
    "f32_f16": ["x.astype('f2')"],
    "byteswap_f32": ["x.byteswap()"],
    "byteswap_f32_T": ["np.ascontiguousarray(x.T).byteswap()", "np.ascontiguousarray(x.byteswap().T)"],
    "byteswap_u16": ["x.byteswap()"],
}
TORCH = {
    "normalize_chw_u8": [
        "((x.to(torch.float32) - m) / s).permute(0, 3, 1, 2).contiguous()",
        "(x.permute(0, 3, 1, 2).contiguous().to(torch.float32) - m[:, None, None]) / s[:, None, None]",
    ],
    "scale_chw_u8": ["x.permute(0, 3, 1, 2).contiguous() / 255"],
    "to_f32_chw_u8": ["x.permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format)"],
    "normalize_hwc_u8": ["(x.to(torch.float32) - m) / s"],
    "f32_f16_T": ["x.T.to(torch.float16, memory_format=torch.contiguous_format)", "x.T.contiguous().half()"],
    "f16_f32": ["x.float()"],
    "f32_f16": ["x.half()"],
}
OPENCV = {"scale_chw_u8": ["cv2.dnn.blobFromImages(images, 1 / 255)"]}


def arrays_of(declarations):
    random, found = np.random.default_rng(1), {}
    for declaration in declarations:
        name, rest = declaration.split("=")
        dtype, shape = rest.rstrip("]").split("[")
        bytes_of = random.integers(1, 100, [int(n) for n in shape.split(",")], "u1")
        found[name] = bytes_of if dtype == "u8" else bytes_of.astype(PAIRS[dtype])
    return found


def seconds_of(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def of_memcpy(run, size, seconds):
    """memcpy's median time over the call's, alternating."""
    a, b = (np.ones(size, "u1") for _ in range(2))
    theirs, copies, end = [], [], time.perf_counter() + seconds
    while len(theirs) < 3 or time.perf_counter() < end:
        theirs.append(seconds_of(run))
        copies.append(seconds_of(lambda: ctypes.memmove(b.ctypes.data, a.ctypes.data, size)))
    return statistics.median(copies) / statistics.median(theirs)


def best_of(ways, names, wanted, seconds):
    """The best way's ratio to memcpy; every way must give NumPy's elements."""
    best = None
    for way in ways:
        run = eval("lambda: " + way, names)  # pylint: disable=eval-used
        result = np.asarray(run())
        close = np.float32(1e-3) if result.dtype == np.float16 else np.float32(1e-5)
        assert result.shape == wanted.shape and result.flags.c_contiguous, way
        assert result.tobytes() == wanted.tobytes() or np.allclose(result, wanted, rtol=close, equal_nan=True), way
        ratio = of_memcpy(run, wanted.nbytes, seconds)
        best = ratio if best is None else max(best, ratio)
    return best


def modules():
    found = {}
    try:
        import torch

        torch.set_num_threads(1)
        found["torch"] = torch
    except ImportError:
        pass
    try:
        import cv2

        cv2.setNumThreads(1)
        found["cv2"] = cv2
    except ImportError:
        pass
    return found


def peers_of(name, declarations, found, seconds):
    if name not in NUMPY:
        return {}
    arrays = arrays_of(declarations)
    names = {"np": np, **arrays}
    wanted = eval(NUMPY[name][-1], names)  # pylint: disable=eval-used
    ratios = {"NumPy": best_of(NUMPY[name], names, wanted, seconds)}
    if "torch" in found and name in TORCH:
        tensors = {key: found["torch"].from_numpy(array) for key, array in arrays.items()}
        ratios["PyTorch"] = best_of(TORCH[name], {**found, **tensors}, wanted, seconds)
    if "cv2" in found and name in OPENCV:
        ratios["OpenCV"] = best_of(OPENCV[name], {**found, "images": list(arrays["x"])}, wanted, seconds)
    return ratios


def main():
    parser = argparse.ArgumentParser(description="chains that compute, beside others")
    parser.add_argument("tool", nargs="?", default="build/viewfold")
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    found = modules()
    print("| chain | viewfold | NumPy | PyTorch | OpenCV |\n|---|--:|--:|--:|--:|")
    for row in lists.read("elements"):
        command = [options.tool, "bench", "--list", "-", "--json", "--time", str(options.seconds), "--threads", "1"]
        done = subprocess.run(command, input=lists.text_of([row]), capture_output=True, text=True, check=True)
        ours = json.loads(done.stdout.strip().rstrip(",").lstrip("[").rstrip("]"))
        limit = ours["limit_ratio"]
        ratios = peers_of(row[0], row[1], found, options.seconds)
        theirs = [ratios[peer] * limit / ours["ratio"] if peer in ratios else None
                  for peer in ("NumPy", "PyTorch", "OpenCV")]
        words = ["-" if value is None else "%.2f" % value for value in [limit, *theirs]]
        print("| `%s` | %s |" % (row[2], " | ".join(words)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
