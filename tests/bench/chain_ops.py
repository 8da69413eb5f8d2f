"""chain_ops.py -- the steps of random chains: each gives the chain that follows, or None where it does not suit.

A step is made for what the axes mean (chain_sources.py): channels go first or last, pictures are cropped, turned,
padded and cut into squares, features become heads.
"""

import math

from chain_sources import BYTES, Chain

MOST_RANK = 8


def ordered(c, order, words):
    return c.then(words, [c.shape[k] for k in order], [c.roles[k] for k in order])


def permute(c, order):
    return ordered(c, order, ".permute(%s)" % ", ".join(map(str, order)))


def layout(c, r):
    """Channels to the other place, heads before the sequence, or the last two axes swapped."""
    channels = c.axes("c")
    if len(channels) == 1 and c.rank() > 1:
        at = channels[0]
        rest = [k for k in range(c.rank()) if k != at]
        batches = len(c.axes("n"))
        to = batches if at == c.rank() - 1 else c.rank() - 1
        if to == at:
            return None
        order = rest[:to] + [at] + rest[to:]
        if r.random() < 0.25:
            return ordered(c, order, ".movedim(%d, %d)" % (at, to))
        return permute(c, order)
    heads = c.axes("se")
    if len(heads) == 2:
        return swap(c, *heads)
    return any_order(c, r) if r.random() < 0.3 else last_two(c, r)


def swap(c, a, b):
    order = list(range(c.rank()))
    order[a], order[b] = b, a
    return ordered(c, order, ".transpose(%d, %d)" % (a, b))


def last_two(c, _):
    if c.rank() < 2:
        return None
    order = list(range(c.rank()))
    order[-2:] = order[:-3:-1]
    return ordered(c, order, ".T" if c.rank() == 2 else ".mT")


def any_order(c, r):
    order = list(range(c.rank()))
    r.shuffle(order)
    return permute(c, order) if order != sorted(order) else None


def any_swap(c, r):
    return swap(c, *sorted(r.sample(range(c.rank()), 2))) if c.rank() > 1 else None


def pick_axis(c, r, least=2):
    fit = [k for k, n in enumerate(c.shape) if n >= least]
    inner = [k for k in fit if c.roles[k] != "n"]
    return r.choice(inner if inner and r.random() < 0.85 else fit) if fit else None


def places(c, **at):
    """`[:, 1:5, ::2]` of {"k2": "1:5"} and the like, colons at the end left out."""
    words = [at.get("k%d" % k, ":") for k in range(c.rank())]
    while words[-1] == ":":
        words.pop()
    return "[%s]" % ", ".join(words)


def flip(c, r):
    k = pick_axis(c, r)
    if k is None:
        return None
    words = ".flip(%d)" % k if r.random() < 0.7 else places(c, **{"k%d" % k: "::-1"})
    return c.then(words, c.shape, c.roles)


def rot90(c, r):
    if c.rank() < 2:
        return None
    a, b = c.plane()
    k = r.choice((1, -1, 1, -1, 2))
    order = list(range(c.rank()))
    if k != 2:
        order[a], order[b] = b, a
    return ordered(c, order, ".rot90(%d, (%d, %d))" % (k, a, b))


def roll(c, r):
    k = pick_axis(c, r)
    if k is None:
        return None
    by = r.choice((1, c.shape[k] // 2, r.randint(1, min(c.shape[k] - 1, 40)))) * r.choice((1, 1, -1))
    return c.then(".roll(%d, %d)" % (by, k), c.shape, c.roles)


def grown(c, widths):
    """The shape, and PyTorch's list of widths, for {axis: (before, after)}."""
    first = min(widths)
    listed = [n for k in range(c.rank() - 1, first - 1, -1) for n in widths.get(k, (0, 0))]
    return [n + sum(widths.get(k, (0, 0))) for k, n in enumerate(c.shape)], ", ".join(map(str, listed))


def pad(c, r):
    channels = c.axes("c")
    value = r.choice((0, 0, 1, 255)) if c.dtype == "u8" else 0
    if len(channels) == 1 and c.shape[channels[0]] == 3 and r.random() < 0.3:
        widths = {channels[0]: (0, 1)}
    elif len(c.axes("hw")) == 2:
        a, b = r.choice((1, 1, 2, 3, 16)), r.choice((1, 1, 2, 3, 16))
        widths = {c.plane()[0]: (a, a), c.plane()[1]: (b, b)}
    else:
        k = pick_axis(c, r)
        if k is None:
            return None
        widths = {k: (r.choice((0, 1, 2, 8)), r.choice((0, 1, 3, 8, 100)))}
    if not any(map(sum, widths.values())):
        return None
    shape, listed = grown(c, widths)
    return c.then(".pad([%s]%s)" % (listed, ", value=%d" % value if value else ""), shape, c.roles)


def reflect(c, r):
    if c.rank() < 2:
        return None
    by = r.choice((1, 1, 2, 3, 8))
    widths = {k: (by, by) for k in c.plane()}
    if any(c.shape[k] <= by for k in widths):
        return None
    shape, listed = grown(c, widths)
    return c.then(".pad([%s], mode='reflect')" % listed, shape, c.roles)


def crop(c, r):
    axes = c.plane() if len(c.axes("hw")) == 2 else [pick_axis(c, r, 16)]
    if None in axes or any(c.shape[k] < 16 for k in axes):
        return None
    shape, words = list(c.shape), {}
    for k in axes:
        n = c.shape[k]
        begin = r.randint(0, n // 8)
        end = n - r.randint(1, n // 8)
        shape[k], words["k%d" % k] = end - begin, "%d:%d" % (begin, end)
    return c.then(places(c, **words), shape, c.roles)


def thin(c, r):
    axes = c.plane() if len(c.axes("hw")) == 2 and r.random() < 0.6 else [pick_axis(c, r, 8)]
    if None in axes:
        return None
    step = r.choice((2, 2, 2, 3, 4, -2))
    shape, words = list(c.shape), {}
    for k in axes:
        shape[k], words["k%d" % k] = -(-c.shape[k] // abs(step)), "::%d" % step
    return c.then(places(c, **words), shape, c.roles)


def pick_list(c, r):
    fit = [k for k, n in enumerate(c.shape) if 2 <= n <= 8] or [
        k for k, n in enumerate(c.shape) if 8 < n <= 128
    ]
    if not fit:
        return None
    k = r.choice(fit)
    n = c.shape[k]
    indices = list(range(n))
    manner = r.random()
    if manner < 0.4:
        indices.reverse()
    elif manner < 0.7:
        r.shuffle(indices)
    else:
        indices = [r.randrange(n) for _ in range(r.randint(2, min(n + 1, 16)))]
    words = (
        "[..., %s]" % indices
        if k == c.rank() - 1 and r.random() < 0.6
        else places(c, **{"k%d" % k: str(indices)})
    )
    shape = list(c.shape)
    shape[k] = len(indices)
    return c.then(words, shape, c.roles)


def join(c, r):
    k = r.randrange(c.rank())
    if c.text == "x" and r.random() < 0.8:
        other = "y"
    else:
        other = c.text + r.choice((".flip(%d)", ".flip(%d)", ".roll(1, %d)")) % r.randrange(c.rank())
    shape = list(c.shape)
    shape[k] *= 2
    return Chain("cat([%s, %s], dim=%d)" % (c.text, other, k), shape, c.roles, c.dtype)


def pile(c, r):
    if c.rank() >= MOST_RANK:
        return None
    k = r.choice((0, c.rank(), c.rank(), r.randint(0, c.rank())))
    other = "y" if c.text == "x" and r.random() < 0.8 else c.text + ".flip(%d)" % r.randrange(c.rank())
    return Chain(
        "stack([%s, %s], dim=%d)" % (c.text, other, -1 if k == c.rank() else k),
        c.shape[:k] + [2] + c.shape[k:],
        c.roles[:k] + ["c" if "c" not in c.roles else "?"] + c.roles[k:],
        c.dtype,
    )


def windows(c, r):
    """One axis' windows; with small steps the result grows."""
    k = pick_axis(c, r, 8)
    if k is None or c.rank() >= MOST_RANK:
        return None
    size = r.choice((2, 3, 3, 4, 5, 7, 16, 400))
    step = r.choice((1, 1, 2, size, max(1, size // 2)))
    if size > c.shape[k]:
        return None
    shape = list(c.shape) + [size]
    shape[k] = (c.shape[k] - size) // step + 1
    return c.then(".unfold(%d, %d, %d)" % (k, size, step), shape, c.roles + ["?"])


def im2col(c, r):
    """Windows of a picture, as a matrix or not."""
    if len(c.axes("hw")) != 2 or c.rank() + 2 > MOST_RANK:
        return None
    a, b = c.plane()
    size = r.choice((2, 3, 3, 5))
    step = r.choice((1, 1, 2, size))
    if min(c.shape[a], c.shape[b]) < 2 * size:
        return None
    shape = list(c.shape) + [size, size]
    for k in (a, b):
        shape[k] = (c.shape[k] - size) // step + 1
    made = c.then(
        ".unfold(%d, %d, %d).unfold(%d, %d, %d)" % (a, size, step, b, size, step), shape, c.roles + ["?", "?"]
    )
    if r.random() < 0.6:
        front = made.axes("n") + [a, b]
        made = permute(made, front + [k for k in range(made.rank()) if k not in front])
        if r.random() < 0.7:
            made = merged(made, len(front), made.rank())
    return made


def merged(c, begin, end):
    """Axes [begin, end) as one."""
    if end - begin < 2:
        return c
    shape = c.shape[:begin] + [math.prod(c.shape[begin:end])] + c.shape[end:]
    return c.then(".flatten(%d, %d)" % (begin, end - 1), shape, c.roles[:begin] + ["k"] + c.roles[end:])


def flatten(c, r):
    if c.rank() < 2:
        return None
    begin = r.randrange(c.rank() - 1)
    return merged(c, begin, begin + 2)


def patches(c, r):
    """Squares of a picture, one a row."""
    if len(c.axes("hw")) != 2 or c.rank() + 2 > MOST_RANK:
        return None
    a, b = c.plane()
    fit = [
        p
        for p in (2, 4, 7, 8, 14, 16, 32)
        if c.shape[a] % p == 0 and c.shape[b] % p == 0 and min(c.shape[a], c.shape[b]) > p
    ]
    if not fit or a > b:
        return None
    p = r.choice(fit)
    shape = c.shape[:a] + [c.shape[a] // p, p] + c.shape[a + 1 : b] + [c.shape[b] // p, p] + c.shape[b + 1 :]
    roles = c.roles[:a] + ["h", "?"] + c.roles[a + 1 : b] + ["w", "?"] + c.roles[b + 1 :]
    made = c.then(".reshape(%s)" % ", ".join(map(str, shape)), shape, roles)
    front = made.axes("n") + [a, b + 1]
    inner = [a + 1, b + 2]
    rest = [k for k in range(made.rank()) if k not in front + inner]
    made = permute(made, front + (rest + inner if r.random() < 0.5 else inner + rest))
    return (
        merged(merged(made, len(front), made.rank()), len(front) - 2, len(front))
        if r.random() < 0.8
        else made
    )


def shuffle(c, r):
    if c.roles[-3:] != ["c", "h", "w"]:
        return None
    n, h, w = c.shape[-3:]
    by = r.choice((2, 2, 2, 3, 4))
    if r.random() < 0.6 and n % (by * by) == 0:
        return c.then(".pixel_shuffle(%d)" % by, c.shape[:-3] + [n // (by * by), h * by, w * by], c.roles)
    if h % by or w % by:
        return None
    return c.then(".pixel_unshuffle(%d)" % by, c.shape[:-3] + [n * by * by, h // by, w // by], c.roles)


def repeat(c, r):
    k = pick_axis(c, r, 1)
    by = r.choice((2, 2, 3, 4))
    shape = list(c.shape)
    shape[k] *= by
    if r.random() < 0.5:
        return c.then(".repeat_interleave(%d, %d)" % (by, k), shape, c.roles)
    counts = ", ".join(str(by if axis == k else 1) for axis in range(c.rank()))
    return c.then(".tile(%s)" % counts, shape, c.roles)


def expand(c, r):
    if c.rank() >= MOST_RANK:
        return None
    k, by = r.randint(0, c.rank()), r.choice((2, 3, 4, 8))
    shape = c.shape[:k] + [by] + c.shape[k:]
    return c.then(
        ".unsqueeze(%d).expand(%s)" % (k, ", ".join(map(str, shape))),
        shape,
        c.roles[:k] + ["?"] + c.roles[k:],
    )


def retype(c, r):
    """The bytes of the elements, or several elements as one."""
    each = BYTES[c.dtype]
    wanted = r.choice([t for t in ("u8", "i16", "i32", "f32", "i64") if BYTES[t] != each])
    if c.dtype in ("bool", "c64", "c128") or c.shape[-1] * each % BYTES[wanted]:
        return None
    made = c.then(
        ".contiguous().view('%s')" % wanted,
        c.shape[:-1] + [c.shape[-1] * each // BYTES[wanted]],
        c.roles,
        wanted,
    )
    if each > BYTES[wanted] and c.rank() < MOST_RANK and r.random() < 0.6:  # the byte order turned
        part, last = each // BYTES[wanted], c.rank() - 1
        return made.then(
            ".unflatten(%d, (-1, %d)).flip(%d)" % (last, part, last + 1), c.shape + [part], c.roles + ["?"]
        )
    return made


def every_other(c, r):
    """An axis taken apart, and one part kept."""
    k = pick_axis(c, r, 4)
    if k is None:
        return None
    fit = [m for m in (2, 3, 4) if c.shape[k] % m == 0]
    if not fit:
        return None
    m = r.choice(fit)
    shape = list(c.shape)
    shape[k] //= m
    if r.random() < 0.5:
        return c.then(".chunk(%d, %d)[%d]" % (m, k, r.randrange(m)), shape, c.roles)
    return c.then(".unflatten(%d, (-1, %d)).select(%d, %d)" % (k, m, k + 1, r.randrange(m)), shape, c.roles)


def heads(c, r):
    """Features to heads, before the sequence."""
    if c.roles != ["n", "s", "k"] or c.shape[2] % 64:
        return None
    made = c.then(".unflatten(2, (-1, 64))", c.shape[:2] + [c.shape[2] // 64, 64], "nsek")
    return permute(made, [0, 2, 1, 3]) if r.random() < 0.7 else permute(made, [0, 2, 3, 1])


def select(c, r):
    fit = [k for k, n in enumerate(c.shape) if 2 <= n <= 6]
    if not fit or c.rank() < 2:
        return None
    k = r.choice(fit)
    return c.then(
        ".select(%d, %d)" % (k, r.randrange(c.shape[k])),
        c.shape[:k] + c.shape[k + 1 :],
        c.roles[:k] + c.roles[k + 1 :],
    )


def rows(c, r):
    """Another number of columns."""
    total = math.prod(c.shape)
    fit = [
        n for n in (3, 4, 16, 64, 100, 256, 1024, 2048, 576, 768) + tuple(c.shape) if n > 1 and total % n == 0
    ]
    if not fit:
        return None
    n = r.choice(fit)
    return c.then(".reshape(-1, %d)" % n, [total // n, n], "hw")


def parts(c, _):
    """The two numbers of complex elements."""
    if c.dtype not in ("c64", "c128") or c.rank() >= MOST_RANK:
        return None
    return c.then(".view_as_real()", c.shape + [2], c.roles + ["c"], "f32" if c.dtype == "c64" else "f64")


OPS = (
    (5, layout),
    (2, any_swap),
    (1.5, any_order),
    (1, last_two),
    (3, flip),
    (1.5, rot90),
    (1.5, roll),
    (2, pad),
    (0.7, reflect),
    (2.5, crop),
    (2, thin),
    (1.5, pick_list),
    (1.2, join),
    (1.2, pile),
    (1, windows),
    (1, im2col),
    (1.5, patches),
    (1.5, shuffle),
    (1, repeat),
    (0.8, expand),
    (0.8, retype),
    (1.2, every_other),
    (1.5, heads),
    (0.7, select),
    (1, rows),
    (0.8, flatten),
    (0.5, parts),
)
