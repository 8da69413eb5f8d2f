"""test_calls.py -- one call on one array: what NumPy and PyTorch answer, and what they refuse.

Random arguments, wrong ones among them, on random shapes, empty and rank 0 included. Where the other
side answers, the result must be the same; where it refuses, so must the library. DIFFERENCES lists what is
otherwise on purpose. Arrays come in by the Python module (VIEWFOLD_PYTHONPATH); PyTorch's part runs where
it can be imported.

VF_CALLS says how many calls of each (4000); VF_SEED which.
"""
import os
import random
import sys
import warnings

import numpy as np

from built import compile_at_once, optional, vf

torch = optional("torch")

compile_at_once()

rng = random.Random(int(os.environ.get("VF_SEED", "1")))
between = rng.randint


# ---- arguments ----

def some_shape():
    return tuple(rng.choice((0, 1, 2, 3, 4, 6)) if rng.random() < .2 else rng.choice((1, 2, 3, 4, 5, 6, 8))
                 for _ in range(between(0, 5)))


def axis(shape):
    n = max(len(shape), 1)
    return between(-n - 1, n) if rng.random() < .1 else between(-n, n - 1)


def extent(shape, dim):
    return shape[dim] if -len(shape) <= dim < len(shape) else 3


def axes(shape):
    some = [axis(shape) for _ in range(between(0, len(shape)))]
    return some if rng.random() < .2 else list({a % max(len(shape), 1): a for a in some}.values())


def numbers(low, high, most=3):
    return tuple(between(low, high) for _ in range(between(0, most)))


def as_list(values):
    return repr(rng.choice((list, tuple))(values))


def factors(n):
    out = []
    while n > 1 and rng.random() < .8:
        out.append(rng.choice([f for f in range(1, n + 1) if n % f == 0]))
        n //= out[-1]
    return out + [n]


def new_shape(shape):
    size = int(np.prod(shape, dtype=object)) if shape else 1
    to = factors(size) if size else [*numbers(0, 3), 0]
    rng.shuffle(to)
    if rng.random() < .3:
        to[between(0, len(to) - 1)] = -1
    if rng.random() < .1:
        to[between(0, len(to) - 1)] += 1
    return as_list(to)


def stretched(shape):
    to = [e if e != 1 or rng.random() < .5 else between(0, 4) for e in shape]
    if to and rng.random() < .15:
        to[between(0, len(to) - 1)] = between(-1, 4)
    return as_list([between(0, 3) for _ in range(between(0, 2))] + (to[1:] if rng.random() < .1 else to))


def moved(shape):
    a, b = axes(shape), axes(shape)
    n = None if rng.random() < .1 else min(len(a), len(b))
    return f"{as_list(a[:n])}, {as_list(b[:n])}"


def permuted(shape):
    order = [a - len(shape) * between(0, 1) for a in rng.sample(range(len(shape)), len(shape))]
    return as_list(order[1:] if rng.random() < .1 else order)


def padded(shape):
    mode = rng.choice(("constant", "edge", "reflect", "wrap"))
    most = [max(e - 1, 0) if mode in ("reflect", "wrap") else 3 for e in shape]
    pairs = tuple((between(0, n), between(0, n)) for n in most)
    width = pairs if mode in ("reflect", "wrap") or between(0, 1) else rng.choice((between(-1, 3), (1, 2), ((0, 2),)))
    value = f", constant_values={between(0, 9)}" if mode == "constant" and between(0, 1) else ""
    return f"{width or 0}, mode='{mode}'{value}"


def cut(shape):
    dim = axis(shape)
    ends = sorted(between(0, extent(shape, dim)) for _ in range(between(0, 3)))
    sizes = [b - a for a, b in zip([0] + ends, ends + [extent(shape, dim) + (rng.random() < .1)])]
    return f"{rng.choice((between(-1, 5), sizes))}, {dim}"


def subscript(shape, steps):
    items = []
    for dim in range(between(0, len(shape) + 1)):
        e = extent(shape, dim) if dim < len(shape) else 3
        bound = lambda: rng.choice(("", str(between(-e - 3, e + 3))))  # noqa: E731
        items.append(rng.choice((f"{bound()}:{bound()}:{rng.choice(steps)}", ":",
                                 str(between(-e - 1, e) if rng.random() < .2 or not e else between(-e, e - 1)),
                                 "None", "...")))
    if shape and shape[0] and rng.random() < .15:  # a list alone: beside integers NumPy moves its axis
        items = [str([between(-shape[0], shape[0] - 1 + (rng.random() < .1)) for _ in range(between(0, 4))])]
    return "x[" + (", ".join(items) or "...") + "]"


# op: its arguments, on an array of a shape
BOTH = {
    "movedim moveaxis": moved,
    "swapaxes": lambda s: f"{axis(s)}, {axis(s)}",
    "rot90": lambda s: f"{between(-5, 5)}, {[axis(s), axis(s)]}",
    "roll": lambda s: f"{between(-9, 9)}, {axis(s)}" if between(0, 1) else f"{numbers(-9, 9)}, {tuple(axes(s))}",
    "squeeze": lambda s: as_list(axes(s)),
    "unsqueeze expand_dims": lambda s: between(-len(s) - 2, len(s) + 1),
    "broadcast_to": stretched,
    "diagonal": lambda s: f"{between(-6, 6)}, {axis(s)}, {axis(s)}",
    "repeat_interleave repeat": lambda s: f"{between(-1, 4)}, {axis(s)}",
    "tile": lambda s: as_list(numbers(0, 3, len(s) + 1)),
    "reshape": new_shape,
    "flip": lambda s: as_list(axes(s)),
    "permute transpose": permuted,
    "fliplr": lambda s: "", "flipud": lambda s: "", "ravel": lambda s: "",
}
NUMPY = {"pad": padded}
TORCH = {
    "expand": stretched,
    "unfold": lambda s: f"{axis(s)}, {between(-1, 5)}, {between(-1, 4)}",
    "repeat": lambda s: as_list(numbers(0, 3, len(s) + 2)),
    "unflatten": lambda s: f"{(d := axis(s))}, {new_shape((extent(s, d),))}",
    "flatten": lambda s: f"{axis(s)}, {axis(s)}",
    "narrow": lambda s: f"{(d := axis(s))}, {between(-extent(s, d) - 1, extent(s, d) + 1)}, {between(-1, extent(s, d))}",
    "select": lambda s: f"{(d := axis(s))}, {between(-extent(s, d) - 1, extent(s, d))}",
    "view": new_shape,
    "as_strided": lambda s: f"{numbers(0, 4)}, {numbers(0, 6)}, {between(0, 6)}",
    "t": lambda s: "", "contiguous": lambda s: "",
}
LISTS = {
    "chunk": lambda s: f"{between(-1, 7)}, {axis(s)}",
    "split": cut,
    "tensor_split": lambda s: f"{rng.choice((between(-1, 7), numbers(-7, 9)))}, {axis(s)}",
    "unbind": axis,
}

DIFFERENCES = (
    ("axes of squeeze may be in a list", "NumPy", lambda call, s: "squeeze" in call and "[" in call),
    ("axes 0 and -1 of rank 0 are PyTorch's", "NumPy", lambda call, s: s == ()),
    ("permute, moveaxis and roll without axes are PyTorch's", "NumPy", lambda call, s: "()" in call or "[]" in call),
    ("a negative count of no elements is refused", "NumPy", lambda call, s: "repeat" in call and 0 in s),
    ("lists of indices are checked above no elements, too", "NumPy PyTorch", lambda call, s: "x[[" in call and 0 in s),
    ("broadcast_to takes no -1, as NumPy's", "PyTorch", lambda call, s: "broadcast_to" in call and "-1" in call),
    ("'...' stands once, as in NumPy", "PyTorch", lambda call, s: call.count("...") > 1),
    ("one shift rolls several axes and several roll one, as in NumPy", "PyTorch", lambda call, s: "roll" in call),
)


def numpy_call():
    shape = some_shape()
    if rng.random() < .4:
        return shape, subscript(shape, (1, 2, 3, -1, -2, 0))
    names, arguments = rng.choice([*BOTH.items(), *NUMPY.items()])
    text = str(arguments(shape))
    return shape, f"np.{names.split()[-1]}(x{', ' if text else ''}{text})"


def torch_call():
    shape = some_shape()
    kind = rng.random()
    if kind < .15:
        return shape, subscript(shape, (1, 2, 3))
    rows = BOTH if kind < .5 else TORCH if kind < .8 else LISTS
    names, arguments = rng.choice(list(rows.items()))
    item = f"[{between(-3, 3)}]" if rows is LISTS else ""
    return shape, f"x.{names.split()[0]}({arguments(shape)}){item}"


# ---- the comparison ----

def answer(evaluate):
    try:
        return evaluate(), None
    except Exception as error:  # pylint: disable=broad-except
        return None, error


def complaint(theirs, refused, ours, error):
    """What is wrong with our answer beside theirs, or None."""
    if refused and error:
        return None if isinstance(error, (ValueError, IndexError, TypeError)) and str(error) else repr(error)
    if refused or error:
        return f"refused: {error}" if error else f"not refused, as there: {refused}"
    theirs, ours = np.asarray(theirs), ours.numpy()
    if theirs.shape != ours.shape:
        return f"shape {ours.shape}, not {theirs.shape}"
    return None if theirs.tobytes() == ours.tobytes() else "other elements"


def compare(who, make, leaf, names):
    count, failures, excused, refusals = int(os.environ.get("VF_CALLS", "4000")), 0, 0, 0
    for _ in range(count):
        shape, call = make()
        a = np.arange(np.prod(shape, dtype=int), dtype="f4").reshape(shape)
        x = leaf(a)
        theirs, refused = answer(lambda: eval(call, {"x": x, **names}))  # pylint: disable=eval-used
        ours, error = answer(lambda: vf.evaluate(call, x=a))
        wrong = complaint(theirs, refused, ours, error)
        refusals += refused is not None
        if wrong and any(who in whose and rule(call, shape) for _, whose, rule in DIFFERENCES):
            excused += 1
        elif wrong:
            failures += 1
            if failures <= 10:
                print(f"{who}: {call} of {shape}: {wrong}")
    print(f"{count} calls beside {who}'s, {refusals} of them refused there: {failures} differ, "
          f"{excused} in what is listed")
    return failures == 0 and 2 * refusals < count and 20 * excused < count


def main():
    warnings.simplefilter("ignore")
    good = compare("NumPy", numpy_call, lambda a: a, {"np": np})
    if torch:
        good = compare("PyTorch", torch_call, torch.from_numpy, {"torch": torch}) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
