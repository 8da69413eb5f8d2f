#!/usr/bin/env python3
"""elements.py -- chains that compute (elements.tsv) beside the fastest copy, NumPy, PyTorch, JAX and OpenCV.

    elements.py [VIEWFOLD] [--seconds S] [--only NAME,...]

Each row is a line of `viewfold bench --list`: `limit` is of the fastest copy of as many bytes as the chain reads and
writes. A peer's number is the same ratio: its time and a memcpy's, alternating, beside the same memcpy there. Peers
run on one thread, fill memory that was touched before, in C order, and are asked in the best of the ways below; what torch.compile and JAX compile is
compiled before. One that is absent, or has no such function, is left out.
"""

import argparse
import json
import os
import subprocess
import sys

import lists
from beside import beside_memcpy

os.environ["OMP_NUM_THREADS"] = os.environ["NPROC"] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"

import numpy as np  # noqa: E402

PAIRS = {"u8": "u1", "u16": "u2", "f16": "f2", "f32": "f4"}

# Ways over x, m and s: what is called in order to fill `out`, which is there and was touched.
NUMPY = {
    "normalize_chw_u8": [
        ["np.subtract(x.transpose(0, 3, 1, 2), m[:, None, None], out=out)", "np.divide(out, s[:, None, None], out=out)"],
        ["np.copyto(out, x.transpose(0, 3, 1, 2))", "np.subtract(out, m[:, None, None], out=out)",
         "np.divide(out, s[:, None, None], out=out)"],
    ],
    "scale_chw_u8": [
        ["np.divide(x.transpose(0, 3, 1, 2), np.float32(255), out=out)"],
        ["np.copyto(out, x.transpose(0, 3, 1, 2))", "np.divide(out, np.float32(255), out=out)"],
    ],
    "to_f32_chw_u8": [["np.copyto(out, x.transpose(0, 3, 1, 2))"]],
    "normalize_hwc_u8": [["np.subtract(x, m, out=out)", "np.divide(out, s, out=out)"]],
    "f32_f16_T": [["np.copyto(out, x.T, casting='unsafe')"]],
    "f16_f32": [["np.copyto(out, x)"]],
    "f32_f16": [["np.copyto(out, x, casting='unsafe')"]],
    "byteswap_f32": [["np.copyto(out.view('>f4'), x)"]],
    "byteswap_f32_T": [["np.copyto(out.view('>f4'), x.T)"]],
    "byteswap_u16": [["np.copyto(out.view('>u2'), x)"]],
    "less_f32_T": [["np.subtract(x.T, m, out=out)"], ["np.copyto(out, x.T)", "np.subtract(out, m, out=out)"]],
    "heads_plus_f32": [["np.add(x.transpose(0, 2, 1, 3), m, out=out)"],
                       ["np.copyto(out, x.transpose(0, 2, 1, 3))", "np.add(out, m, out=out)"]],
}
TORCH = {
    "normalize_chw_u8": [
        ["out.copy_(x.permute(0, 3, 1, 2))", "out.sub_(m[:, None, None])", "out.div_(s[:, None, None])"],
        ["torch.sub(x.permute(0, 3, 1, 2), m[:, None, None], out=out)", "out.div_(s[:, None, None])"],
    ],
    "scale_chw_u8": [
        ["out.copy_(x.permute(0, 3, 1, 2))", "out.div_(255)"],
        ["torch.div(x.permute(0, 3, 1, 2), 255, out=out)"],
    ],
    "to_f32_chw_u8": [["out.copy_(x.permute(0, 3, 1, 2))"]],
    "normalize_hwc_u8": [["torch.sub(x, m, out=out)", "out.div_(s)"]],
    "f32_f16_T": [["out.copy_(x.T)"]],
    "f16_f32": [["out.copy_(x)"]],
    "f32_f16": [["out.copy_(x)"]],
    "less_f32_T": [["torch.sub(x.T, m, out=out)"], ["out.copy_(x.T)", "out.sub_(m)"]],
    "heads_plus_f32": [["torch.add(x.permute(0, 2, 1, 3), m, out=out)"], ["out.copy_(x.permute(0, 2, 1, 3))", "out.add_(m)"]],
}
# Gives a new array each time: it has no other way.
OPENCV = {"scale_chw_u8": [["cv2.dnn.blobFromImages(images, 1 / 255)"]]}
# What is compiled: a function of x, m, s; torch.compile's writes into `out`, JAX's gives a new array.
COMPILED = {
    "normalize_chw_u8": "(x.permute(0, 3, 1, 2).float() - m[:, None, None]) / s[:, None, None]",
    "scale_chw_u8": "x.permute(0, 3, 1, 2).float() / 255",
    "to_f32_chw_u8": "x.permute(0, 3, 1, 2).float()",
    "normalize_hwc_u8": "(x.float() - m) / s",
    "f32_f16_T": "x.T.half()",
    "f16_f32": "x.float()",
    "f32_f16": "x.half()",
    "less_f32_T": "x.T - m",
    "heads_plus_f32": "x.permute(0, 2, 1, 3) + m",
}
JAX = {
    "normalize_chw_u8": "(x.transpose(0, 3, 1, 2).astype('f4') - m[:, None, None]) / s[:, None, None]",
    "scale_chw_u8": "x.transpose(0, 3, 1, 2).astype('f4') / 255",
    "to_f32_chw_u8": "x.transpose(0, 3, 1, 2).astype('f4')",
    "normalize_hwc_u8": "(x.astype('f4') - m) / s",
    "f32_f16_T": "x.T.astype('f2')",
    "f16_f32": "x.astype('f4')",
    "f32_f16": "x.astype('f2')",
    "less_f32_T": "x.T - m",
    "heads_plus_f32": "x.transpose(0, 2, 1, 3) + m",
}
PEERS = ("NumPy", "PyTorch", "torch.compile", "JAX", "OpenCV")


def arrays_of(declarations):
    random, found = np.random.default_rng(1), {}
    for declaration in declarations:
        name, rest = declaration.split("=")
        dtype, shape = rest.rstrip("]").split("[")
        bytes_of = random.integers(1, 100, [int(n) for n in shape.split(",")], "u1")
        found[name] = bytes_of if dtype == "u8" else bytes_of.astype(PAIRS[dtype])
    if "s" in found:  # rows divide by s[1:]: what viewfold is given counts from 0
        found["s"] = found["s"][1:]
    return found


def runner(way, names):
    calls = [compile(call, "way", "eval") for call in way]

    def run():
        for call in calls:
            result = eval(call, names)  # pylint: disable=eval-used
        return result

    return run


def best_of(ways, names, wanted, seconds):
    """The best way's ratio to memcpy; every way must give what NumPy's first gives, but for roundings."""
    best = None
    for way in ways:
        run = runner(way, names)
        result = run()
        result = np.asarray(names["out"] if "out" in names else result)
        assert result.shape == wanted.shape and result.flags.c_contiguous, way
        assert np.allclose(result.astype("f8"), wanted.astype("f8"), rtol=1e-3, equal_nan=True), way
        ratio = beside_memcpy(np, run, wanted.nbytes, seconds)
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
    try:
        import jax

        found["jax"] = jax
    except ImportError:
        pass
    return found


def compiled_by_torch(torch, expression, names):
    """A call that runs the chain as torch.compile compiles it, into `out`."""
    torch._dynamo.reset()
    chain = eval("lambda x, m, s: " + expression)  # pylint: disable=eval-used
    function = torch.compile(lambda out, x, m, s: out.copy_(chain(x, m, s)), dynamic=False, fullgraph=True)
    return {"run": lambda: function(names["out"], names["x"], names.get("m"), names.get("s"))}


def compiled_by_jax(jax, expression, names):
    function = jax.jit(eval("lambda x, m, s: " + expression))  # pylint: disable=eval-used
    held = [jax.device_put(names[key]) if key in names else None for key in "xms"]
    return {"run": lambda: function(*held).block_until_ready()}


def peers_of(name, declarations, dtype, found, seconds):
    if name not in NUMPY:
        return {}
    arrays = arrays_of(declarations)
    shape = arrays["x"].shape
    shape = arrays["m"].shape if name.startswith(("less", "heads")) else shape[::-1] if name.endswith("_T") else (shape[0], *shape[3:], *shape[1:3]) if "chw" in name else shape
    names = {"np": np, **arrays, "out": np.ones(shape, PAIRS[dtype])}
    runner(NUMPY[name][0], names)()
    wanted = names["out"].copy()
    ratios = {"NumPy": best_of(NUMPY[name], names, wanted, seconds)}
    if "torch" in found and name in TORCH:
        tensors = {key: found["torch"].from_numpy(array) for key, array in names.items() if isinstance(array, np.ndarray)}
        ratios["PyTorch"] = best_of(TORCH[name], {**found, **tensors}, wanted, seconds)
        calls = compiled_by_torch(found["torch"], COMPILED[name], tensors)
        ratios["torch.compile"] = best_of([["run()"]], {**calls, "out": tensors["out"]}, wanted, seconds)
    if "jax" in found and name in JAX:
        ratios["JAX"] = best_of([["run()"]], compiled_by_jax(found["jax"], JAX[name], arrays), wanted, seconds)
    if "cv2" in found and name in OPENCV:
        ratios["OpenCV"] = best_of(OPENCV[name], {**found, "images": list(arrays["x"])}, wanted, seconds)
    return ratios


def main():
    parser = argparse.ArgumentParser(description="chains that compute, beside others")
    parser.add_argument("tool", nargs="?", default="build/viewfold")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    found = modules()
    print("| chain | | viewfold | %s |\n|---|---|--:%s|" % (" | ".join(PEERS), "|--:" * len(PEERS)))
    for row in lists.read("elements"):
        if options.only and row[0] not in options.only.split(","):
            continue
        command = [options.tool, "bench", "--list", "-", "--json", "--time", str(options.seconds), "--threads", "1"]
        done = subprocess.run(command, input=lists.text_of([row]), capture_output=True, text=True, check=True)
        ours = json.loads(done.stdout.strip().rstrip(",").lstrip("[").rstrip("]"))
        limit = ours["limit_ratio"]
        ratios = peers_of(row[0], row[1], ours["dtype"], found, options.seconds)
        theirs = [ratios[peer] * limit / ours["ratio"] if peer in ratios else None for peer in PEERS]
        words = ["-" if value is None else "%.2f" % value for value in [limit, *theirs]]
        print("| `%s` | `%s` | %s |" % (row[0], row[2], " | ".join(words)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
