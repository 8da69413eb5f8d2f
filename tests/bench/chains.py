"""chains.py -- random chains as people write them: pictures, video, sound, tensors, volumes, matrices.

chain(seed, number) gives the same chain on every machine. A chain starts from a source (chain_sources.py) and goes
through one to five ops that suit what its axes mean (chain_ops.py). The result has 4 to 300 MB, mostly 8 to 64.
Nothing here asks the library what it can do well.
"""

import math
import random

from chain_ops import MOST_RANK, OPS
from chain_sources import source, weighted

MB = 1e6
SIZES = ((0.8, 8, 64), (0.1, 4, 8), (0.1, 64, 300))  # share, MB of the result
MOST_SOURCE = 300 * MB


def attempt(r, least, most):
    first = last = source(r, math.exp(r.uniform(math.log(least), math.log(most))) * MB)
    for _ in range(r.choice((1, 2, 2, 3, 3, 4, 5))):
        following = None
        for _ in range(8):
            following = weighted(r, OPS)(last, r)
            if following and math.prod(following.shape):
                break
        if not following or following.rank() > MOST_RANK:
            return None
        last = following
    size = last.bytes() / MB
    two = 2 if "y" in last.text else 1
    return (first, last) if least <= size <= most and two * first.bytes() <= MOST_SOURCE else None


def made(seed, number):
    """The source and the chain over it, the same for the same two numbers."""
    r = random.Random("%s/%s" % (seed, number))
    _, least, most = r.choices(SIZES, [row[0] for row in SIZES])[0]
    while True:
        found = attempt(r, least, most)
        if found:
            return found


def chain(seed, number):
    """(declarations, expression)."""
    first, last = made(seed, number)
    declared = "%s[%s]" % (first.dtype, ",".join(map(str, first.shape)))
    names = ["x", "y"] if "y]" in last.text or "y," in last.text else ["x"]
    return ["%s=%s" % (name, declared) for name in names], last.text


def counted(seed, number):
    """The shape that the result has by the generator's own count."""
    return made(seed, number)[1].shape


def chains(seed, count):
    """Rows of a list."""
    for number in range(count):
        declarations, expression = chain(seed, number)
        yield "%s/%d" % (seed, number), declarations, expression
