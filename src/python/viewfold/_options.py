"""Settings of the process: threads, effort, engine; and what measuring found out."""
from . import _viewfold

_EFFORTS = ("estimate", "measure")
_ENGINES = ("auto", "jit", "interpret")
_now = {"threads": 1, "effort": "estimate", "engine": "auto"}


class set_options:
    """Set how results are made, for the whole process; with `with`, until the block ends.

    threads  how many may work at one result: 1 or more
    effort   how plans are chosen: "estimate", by a model, or "measure", by timing a few
    engine   what runs them: "auto", compiled from a plan's second run on; "jit", at once; "interpret", never

    What is left out stays as it is. Kernels that were made before stay what they are.

    >>> with set_options(threads=2, effort="measure"):
    ...     get_options()["threads"]
    2
    """

    def __init__(self, *, threads=None, effort=None, engine=None):
        given = {"threads": threads, "effort": effort, "engine": engine}
        self._before = dict(_now)
        _apply({**_now, **{name: value for name, value in given.items() if value is not None}})

    def __enter__(self):
        return self

    def __exit__(self, *error):
        _apply(self._before)


def get_options():
    """The settings, as a dict."""
    return dict(_now)


def tune(seconds=10):
    """Find out how this machine likes the blocks of transpositions, in up to so many seconds.

    It holds for what is planned from then on, and goes with wisdom().
    """
    _viewfold._tune(seconds)


def wisdom():
    """What tune() and effort "measure" found out, as a small text, for load_wisdom() in another process.

    >>> wisdom().startswith("viewfold-wisdom ")
    True
    """
    return _viewfold._wisdom()


def load_wisdom(text):
    """Add what a text of wisdom() tells. One of another machine or release is passed over."""
    _viewfold._load_wisdom(text)


def _apply(wanted):
    _viewfold._set_options(wanted["threads"], _place("effort", wanted["effort"], _EFFORTS),
                           _place("engine", wanted["engine"], _ENGINES))
    _now.update(wanted)


def _place(name, value, values):
    if value not in values:
        raise ValueError(f"{name}: {value!r} is none of {', '.join(map(repr, values))}")
    return values.index(value)
