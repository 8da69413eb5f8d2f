"""test_overlap.py -- whether two arrays share memory: NumPy's answers to bounded linear equations.

sum A[k] x[k] == b with 0 <= x[k] <= U[k] is an array of byte strides A and extents U + 1, and one byte at b
(numpy/_core/tests/test_mem_overlap.py puts such problems to numpy.shares_memory). None of the bytes is read.
Where NumPy gives up within its own effort, nothing is compared.

VF_PROBLEMS says how many (6000); VF_SEED which.
"""
import os
import random
import sys

import numpy as np
from numpy.lib.stride_tricks import as_strided

from built import vf

rng = random.Random(int(os.environ.get("VF_SEED", "1")))
count = int(os.environ.get("VF_PROBLEMS", "6000"))
memory = np.zeros(1, np.uint8)


def at(offset, shape, strides):
    """An array `offset` bytes behind `memory`, which only addresses are asked of."""
    interface = {"data": (memory.ctypes.data + offset, False), "shape": (), "typestr": "|u1", "version": 3}
    return as_strided(np.asarray(type("at", (), {"__array_interface__": interface})()), shape, strides)


def problem():
    """Big and small integers mixed, as NumPy's own fuzz test has them; the reach stays where addresses are."""
    while True:
        most_a, most_u = 1 + rng.randint(0, 10) ** 6, rng.randint(0, 10) ** 6
        n = rng.randint(1, 9)
        a = [rng.randint(1, most_a) for _ in range(n)]
        u = [rng.randint(0, most_u) for _ in range(n)]
        reach = sum(x * y for x, y in zip(a, u))
        size = 1
        for x in u:
            size *= x + 1
        if reach < 2**40 and size < 2**62:
            b = rng.randint(0, reach)
            if rng.random() < .4:
                b = b // 1000 if rng.random() < .5 else reach - b // 1000
            return a, u, b


answers = {True: 0, False: 0, None: 0}
numpy_gave_up = 0
for i in range(count):
    a, u, b = problem()
    one, other = at(0, [x + 1 for x in u], a), at(b, (), ())
    answer = vf.shares_memory(one, other)
    answers[answer] += 1
    if answer is None:
        answer = vf.shares_memory(one, other, max_work=20_000_000)
    try:
        wanted = np.shares_memory(one, other, max_work=200_000)
    except np.exceptions.TooHardError:
        numpy_gave_up += 1
        continue
    if answer is not None and answer != wanted:
        sys.exit(f"problem {i}: A={a} U={u} b={b}: {answer}, NumPy says {wanted}")
print(f"{count} problems: {answers[True]} meet, {answers[False]} do not, {answers[None]} undecided; "
      f"NumPy gave up {numpy_gave_up}")
if answers[None] > count // 1000 or min(answers[True], answers[False]) < count // 20:
    sys.exit("too many were undecided, or the problems are of one kind")
