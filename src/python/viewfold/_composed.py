"""Names of NumPy, PyTorch and einops that the library makes of its operations: dstack, take, F.unfold, pack.

Each is a text to the library, "dstack([x0, x1])", as the operations are.
"""
from . import _viewfold
from ._text import text_of_value


class _Names:
    """The arrays of a call, called x0, x1 ... in its text."""

    def __init__(self, asarray):
        self.asarray = asarray
        self.arrays = []

    def text(self, value, is_operand):
        """An argument. Where arrays are expected, what others have made is one; elsewhere it is a list of numbers."""
        if isinstance(value, _viewfold.Array) or (is_operand and hasattr(value, "shape")):
            self.arrays.append(self.asarray(value))
            return f"x{len(self.arrays) - 1}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(self.text(item, is_operand) for item in value) + "]"
        return text_of_value(value)

    def listed(self, args, keywords, parameters=None):
        """The arguments of a call. Arrays are expected as the first of `parameters`, or where that has a * as any."""
        first = parameters.split(",")[0] if parameters else ""
        texts = [self.text(value, first[:1] == "*" or (i == 0 and first != "")) for i, value in enumerate(args)]
        return ", ".join(texts + [f"{key}={self.text(value, key == first)}" for key, value in keywords.items()])


def _called(Array, asarray, written, parameters, args, keywords):
    names = _Names(asarray)
    expression = f"{written}({names.listed(args, keywords, parameters)})"
    return Array._evaluate(expression, [f"x{i}" for i in range(len(names.arrays))], names.arrays, False)


def _function(Array, asarray, name, prefix, parameters):
    def function(*args, **keywords):
        return _called(Array, asarray, prefix + name, parameters, args, keywords)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{prefix}{name}({parameters}), made of view operations: it reads no element."
    return function


def _method(name, parameters):
    def method(self, *args, **keywords):
        call = f"x.{name}({_Names(None).listed(args, keywords)})"
        return type(self)._evaluate(call, ["x"], [self], False)
    method.__name__ = name
    method.__qualname__ = f"Array.{name}"
    method.__doc__ = f"{name} of ({parameters}), made of view operations: it reads no element."
    return method


# In Python these are promises of new memory, which a view is not: Array.copy() keeps its own.
_EAGER = ("copy", "clone")


def install(Array, asarray):
    """Give Array its methods; returns the functions by name. Names that are there already stay as they are."""
    functions = {}
    for name, prefix, parameters, is_attribute, is_method, is_function in _viewfold._composed():
        if name in _EAGER:
            continue
        if is_function and name not in ("pack", "unpack"):  # einops' own, over viewfold.einops: they give shapes too
            functions.setdefault(name, _function(Array, asarray, name, prefix, parameters))
        if is_attribute and not hasattr(Array, name):
            setattr(Array, name, property(lambda self, name=name: self.apply(name)))
        if is_method and not hasattr(Array, name):
            setattr(Array, name, _method(name, parameters))
    return functions
