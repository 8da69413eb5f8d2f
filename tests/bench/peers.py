#!/usr/bin/env python3
"""peers.py -- the same chain by NumPy, PyTorch (eager and compiled) and JAX, each beside memcpy.

Each peer is a process of its own, `peers.py NAME`, which reads a line "declarations TAB expression" and
answers with a line of JSON: `ratio` (memcpy's median time over the peer's, alternating), `way`, `first_s`
(the first call, compiling included), or `error`. Its first line says which version it is. Peer starts
and asks such a process.

What is fair: one thread; warmed; the best of the ways that the library has, of which most write into
memory that was there before; the result in C order and in memory of its own, compared with NumPy's. Allocations
are on huge pages, as viewfold's are in its bench, and malloc keeps what is given back, so that where a library
always returns a new array its pages are old ones.
"""

import importlib.util
import json
import math
import os
import subprocess
import sys

from beside import SLOW, beside_memcpy, seconds_of

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = float(os.environ.get("BENCH_SECONDS", "1"))
ENVIRONMENT = {
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=%d"
    % (1 << 40),
    "OMP_NUM_THREADS": "1",
    "THP_MEM_ALLOC_ENABLE": "1",  # PyTorch's own word for huge pages
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
    "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1",  # first_s is that of a chain never seen
    "JAX_PLATFORMS": "cpu",
    "NPROC": "1",  # JAX's threads
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}


def load_views(name):
    """A module of its own made of tests/py/views.py: the expression language over NumPy."""
    spec = importlib.util.spec_from_file_location(name, os.path.join(HERE, "..", "py", "views.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- libraries: ways() yields (name, a call that leaves the result somewhere and returns it)


class NumPy:
    def __init__(self):
        import numpy

        self.np, self.version = numpy, numpy.__version__
        self.views = load_views("views")
        self.dtypes = {}  # of the arrays, as viewfold calls them

    def arrays(self, declarations):
        """The elements of the tool's declarations: they count up."""
        made = {}
        for word in declarations.split():
            name, rest = word.split("=")
            dtype, shape = rest.rstrip("]").split("[")
            shape = [int(n) for n in shape.split(",")]
            self.dtypes[name] = dtype
            held = self.views.numpy_dtype("u16" if dtype == "bf16" else dtype)
            made[name] = (self.np.arange(math.prod(shape)) % 2048).astype(held).reshape(shape)
        return made

    def view(self, arrays, expression):
        return self.views.evaluate(expression, {k: self.views.View(a) for k, a in arrays.items()}).array

    def ways(self, arrays, expression):
        out = self.np.array(self.view(arrays, expression), order="C", copy=True)

        def into():
            self.np.copyto(out, self.view(arrays, expression))
            return out

        yield "copyto", into
        yield "ascontiguousarray", lambda: self.np.ascontiguousarray(self.view(arrays, expression))

    def numpy(self, result):
        return result


class PyTorch(NumPy):
    def __init__(self):
        super().__init__()
        import torch

        self.torch, self.version = torch, torch.__version__.split("+")[0]
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)

    def ways(self, arrays, expression):
        import tensors

        held = {name: tensors.from_numpy(array, self.dtypes[name]) for name, array in arrays.items()}
        out = tensors.evaluate(expression, held).contiguous().clone()
        yield "copy_", lambda: out.copy_(tensors.evaluate(expression, held))
        yield "contiguous", lambda: tensors.evaluate(expression, held).contiguous()

    def numpy(self, result):
        return (result.view(self.torch.int16) if result.dtype == self.torch.bfloat16 else result).numpy()


class Compiled(PyTorch):
    """torch.compile: the generated loop writes into a tensor that is there, or makes one."""

    def __init__(self):
        super().__init__()
        self.torch.compile(lambda x: x + 1)(self.torch.zeros(1))  # what only the first compile pays for

    def function(self, arrays, expression):
        """The chain as a function of its tensors, in the order of `arrays`: one that it can trace."""
        functional = self.torch.nn.functional
        text = expression.replace("x.pad(", "pad(x, ").replace("x.pixel_shuffle(", "pixel_shuffle(x, ")
        names = {"cat": self.torch.cat, "pad": functional.pad, "pixel_shuffle": functional.pixel_shuffle}
        return eval("lambda %s: %s" % (", ".join(arrays), text), names)  # pylint: disable=eval-used

    def ways(self, arrays, expression):
        chain = self.function(arrays, expression)
        tensors = [self.torch.from_numpy(a) for a in arrays.values()]
        out = chain(*tensors).contiguous().clone()
        self.torch._dynamo.reset()

        def into(target, *args):
            target.copy_(chain(*args))

        def fresh(*args):
            return chain(*args).clone(memory_format=self.torch.contiguous_format)

        compiled_into, compiled_fresh = (
            self.torch.compile(f, dynamic=False, fullgraph=True) for f in (into, fresh)
        )

        def run_into():
            compiled_into(out, *tensors)
            return out

        yield "compiled copy_", run_into
        yield "compiled clone", lambda: compiled_fresh(*tensors)


class Jax(NumPy):
    def __init__(self):
        super().__init__()
        import jax

        self.jax, self.version = jax, jax.__version__
        jax.config.update("jax_enable_x64", True)
        jnp = jax.numpy
        # The same language, with its functions from jax.numpy.
        self.over_jax = load_views("views_over_jax")
        self.over_jax.np = jnp
        self.over_jax.pad_constant = lambda a, widths, value: jnp.pad(a, widths, constant_values=value)
        self.over_jax.sliding_window_view = self.windows

    def windows(self, array, size, axis):
        """JAX has no windows of its own: slices, stacked."""
        n = array.shape[axis] - size + 1
        parts = [self.jax.lax.slice_in_dim(array, k, k + n, axis=axis) for k in range(size)]
        return self.jax.numpy.stack(parts, -1)

    def ways(self, arrays, expression):
        names = list(arrays)
        held = [self.jax.device_put(a) for a in arrays.values()]

        def chain(*args):
            views = {k: self.over_jax.View(a) for k, a in zip(names, args)}
            return self.over_jax.evaluate(expression, views).array

        compiled = self.jax.jit(chain)
        yield "jit", lambda: compiled(*held).block_until_ready()

    def numpy(self, result):
        return self.np.asarray(result)


KINDS = {"numpy": NumPy, "torch": PyTorch, "compile": Compiled, "jax": Jax}
TITLES = {"numpy": "NumPy", "torch": "PyTorch", "compile": "torch.compile", "jax": "JAX"}


# ---- the process


def same_bytes(np, a, b):
    """Of arrays in C order, NaN and all."""
    return a.nbytes == b.nbytes and np.array_equal(a.reshape(-1).view("u1"), b.reshape(-1).view("u1"))


def best_way(kind, arrays, expression):
    """The fastest of the ways, all of which must give NumPy's result; and the first call's seconds."""
    wanted = kind.np.ascontiguousarray(NumPy.view(kind, arrays, expression))
    found = []
    for name, run in kind.ways(arrays, expression):
        first = seconds_of(run)
        result = kind.numpy(run())
        if not (
            result.flags.c_contiguous and result.shape == wanted.shape and same_bytes(kind.np, result, wanted)
        ):
            raise ValueError("%s gives another result than NumPy" % name)
        moved = not any(kind.np.may_share_memory(result, array) for array in arrays.values())
        del result
        if not moved:  # a view is what it was asked for, and no copy was made
            continue
        found.append((min(seconds_of(run) for _ in range(3 if first < SLOW else 1)), name, run, first))
    best = min(found, key=lambda way: way[0])
    return best[1], best[2], found[0][3], wanted.nbytes


def answer(kind, line):
    declarations, expression = line.rstrip("\n").split("\t")
    arrays = kind.arrays(declarations)
    way, run, first, size = best_way(kind, arrays, expression)
    return {"ratio": beside_memcpy(kind.np, run, size, SECONDS), "way": way, "first_s": first}


def serve(name):
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    kind = None
    try:
        kind = KINDS[name]()
        reply = {"version": kind.version}
    except ImportError as missing:
        reply = {"error": str(missing)}
    print(json.dumps(reply), file=replies, flush=True)
    for line in sys.stdin if kind else ():
        try:
            reply = answer(kind, line)
        except Exception as failure:  # pylint: disable=broad-except  # a library's own, whatever it is
            reply = {"error": "%s: %s" % (type(failure).__name__, str(failure).strip().split("\n")[0])}
        print(json.dumps(reply), file=replies, flush=True)


# ---- its other end


class Peer:
    def __init__(self, name):
        self.name, self.title = name, TITLES[name]
        self.process = subprocess.Popen(
            [sys.executable, "-B", os.path.abspath(__file__), name],
            text=True,
            bufsize=1,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ENVIRONMENT},
        )
        hello = self.reply()
        self.version, self.error = hello.get("version"), hello.get("error")

    def reply(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "its process ended"}

    def ask(self, declarations, expression):
        try:
            self.process.stdin.write("%s\t%s\n" % (" ".join(declarations), expression))
        except BrokenPipeError:
            pass
        return self.reply()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


if __name__ == "__main__":
    serve(sys.argv[1])
