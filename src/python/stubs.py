"""stubs.py -- viewfold/_viewfold.pyi from the list of operations.

    python3 src/python/stubs.py            write it
    python3 src/python/stubs.py --check    fail where it is not what the list says
"""
import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
STUB = os.path.join(FOLDER, "viewfold", "_viewfold.pyi")

# Parameters by their names; those not here are integers.
TYPES = {"source": "_Ints", "destination": "_Ints", "index": "_Indices", "shifts": "_Ints", "sizes": "_Ints",
         "dims": "_Ints | None", "repeats": "_Indices", "start": "_Int | None", "stop": "_Int | None",
         "step": "_Int | None", "pattern": "str", "size": "_Ints", "stride": "_Ints", "storage_offset": "_Int | None",
         "dtype": "object", "pad": "Sequence[int]", "mode": "str", "value": "complex",
         "split_size_or_sections": "_Ints", "indices_or_sections": "_Ints", "arrays": "Iterable[object]",
         "min": "float | None", "max": "float | None"}
# Where one name means another thing.
OF_ONE = {("unfold", "size"): "_Int", ("unfold", "step"): "_Int", ("narrow", "start"): "_Int", ("select", "index"): "_Int", ("view", "size"): "object",
          ("repeat_interleave", "dim"): "_Int | None"}

HEAD = '''# Written by src/python/stubs.py from src/python/operations.h.
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Self, SupportsIndex, overload

from . import Array as _Array

_Int = SupportsIndex
_Ints = SupportsIndex | Sequence[int]
_Indices = SupportsIndex | Sequence[Any]
_Item = SupportsIndex | slice | None | Sequence[Any] | Any

version: str
SMALL_BYTES: int

class AxisError(ValueError, IndexError): ...
class ArgumentError(ValueError, TypeError): ...
class LayoutError(ValueError, BufferError): ...
class ReadOnlyError(ValueError, BufferError): ...

def ascontiguousarray(a: Any, out: Any = None, threads: int | None = None) -> Any: ...
def contiguous(tensor: Any, out: Any = None, threads: int | None = None) -> Any: ...
'''

OF_ARRAYS = '''
class Array:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def map(self) -> str: ...
    @property
    def cuts(self) -> int: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: _Item | tuple[_Item, ...], /) -> Self: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def apply(self, chain: str, /) -> Self: ...
    def copy(self) -> Self: ...
    def explain(self) -> str: ...
    def phase(self, name: Literal["fold", "job", "normal", "choice", "plan", "c"], /) -> str: ...
    def dot(self) -> str: ...
    def dim(self) -> int: ...
    def numel(self) -> int: ...
    def element_size(self) -> int: ...
    @overload
    def stride(self, dim: None = None) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: _Int) -> int: ...
    def storage_offset(self) -> int: ...
    def is_contiguous(self) -> bool: ...
'''


def rows():
    """(kind, name, parameters) of each operation."""
    with open(os.path.join(FOLDER, "operations.h")) as header:
        text = header.read().split("#define VIEWFOLD_OPERATIONS", 1)[1]
    for kind, name, parameters in re.findall(r'^\t(VIEW|LIST|JOIN)\((\w+), "([^"]*)"', text, re.M):
        yield kind, name, parameters
    for name in re.findall(r"^\tATTRIBUTE\((\w+),", text, re.M):
        yield "ATTRIBUTE", name, ""


def parameter(operation, text):
    name, _, default = text.partition("=")
    if name.startswith("**"):
        return f"{name}: int"
    if name.startswith("*"):  # one after the other, in one list, or by keyword
        kind = OF_ONE.get((operation, name[1:]), "_Ints")
        return f"*args: {kind}, {name[1:]}: {kind} = ..."
    kind = OF_ONE.get((operation, name), TYPES.get(name, "_Int"))
    if default == "None" and "None" not in kind:
        kind += " | None"
    return f"{name}: {kind}" + (" = ..." if default else "")


def line(kind, name, parameters, indent, result):
    given = [parameter(name, text) for text in re.findall(r"[^,(]+(?:\([^)]*\))?", parameters) if text.strip()]
    given = [text.strip() for text in given]
    if kind == "JOIN":
        return f"def {name}({', '.join(given)}) -> _Array: ...\n"
    return f"{indent}def {name}({', '.join(['self'] + given)}) -> {result}: ...\n"


def stub():
    methods, joins = "", ""
    for kind, name, parameters in rows():
        parameters = parameters.replace(", ", ",")
        if kind == "ATTRIBUTE":
            methods += f"    @property\n    def {name}(self) -> Self: ...\n"
        elif kind == "JOIN":
            joins += line(kind, name, parameters, "", "")
        else:
            methods += line(kind, name, parameters, "    ", "Self" if kind == "VIEW" else "tuple[Self, ...]")
    return HEAD + joins + OF_ARRAYS + methods


def main():
    text = stub()
    if "--check" in sys.argv:
        with open(STUB) as file:
            sys.exit(None if file.read() == text else f"{STUB} is not what operations.h says: run {sys.argv[0]}")
    with open(STUB, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
