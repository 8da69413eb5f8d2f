"""test_ops.py -- the library's list of operations against NumPy: each has a twin, and its example is right.

A twin is a method of views.View, or the row's own NumPy expression, which View falls back on. PyTorch's names are looked
up where this Python has it.
"""

import ast
import importlib.util
import re
import sys

import numpy as np

import views

FAILURES = []


def fail(op, sentence):
    FAILURES.append(f"{op['name']}: {sentence}")


def declared(text):
    """x=i32[2,3] -> (name, array that counts up)"""
    name, dtype, shape = re.fullmatch(r"(\w)=(\w+)\[([\d,]*)\]", text).groups()
    shape = [int(n) for n in shape.split(",") if n]
    return name, np.arange(int(np.prod(shape))).reshape(shape).astype(views.DTYPES[dtype])


def told(value):
    """As the list writes results: elements of i32, or dtype and shape."""
    if isinstance(value, (list, tuple)):
        return ", ".join(told(part) for part in value)
    array = value.array if isinstance(value, views.View) else np.asarray(value)
    if array.dtype == np.int32:
        return str(array.tolist())
    names = {np.dtype(code): name for name, code in views.DTYPES.items()}
    return f"{names[array.dtype]}[{','.join(map(str, array.shape))}]"


def check_view(op, arrays):
    store = arrays["x"].reshape(-1)
    found = views.evaluate(op["example"], {name: views.View(array, store) for name, array in arrays.items()})
    if told(found) != op["result"]:
        fail(op, f"by views.py {op['example']} is {told(found)}, not {op['result']}")


def arguments(op, arrays):
    """The example's own arguments by parameter name, x among them."""
    call = ast.parse(op["example"].replace("x.T.", "x."), mode="eval").body
    names = [re.match(r"\**(\w+)", p).group(1) for p in op["parameters"].split(", ") if p]
    values = {name: None for name in names}
    for parameter in op["parameters"].split(", "):
        if "=" in parameter:
            values[parameter.split("=")[0]] = ast.literal_eval(parameter.split("=")[1])
    values["x"] = np.transpose(arrays["x"]) if ".T." in op["example"] else arrays["x"]
    if isinstance(call, ast.Call):
        given = [ast.literal_eval(a) for a in call.args[op["takes_list"]:]]
        if len(given) > len(names):
            given = [given]
        values.update(zip(names, given))
        values.update({k.arg: ast.literal_eval(k.value) for k in call.keywords})
    if op["takes_list"]:
        values["x"] = list(arrays.values())
    return values


def check_numpy(op, arrays):
    if not op["numpy"] or "[...]" in op["numpy"]:
        return
    values = arguments(op, arrays)
    found = eval(op["numpy"], {"np": np, **values})  # pylint: disable=eval-used
    if told(found) != op["result"]:
        fail(op, f"{op['numpy']} is {told(found)}, not {op['result']}")


def check_torch(op, torch):
    for name in re.findall(r"\bx\.(\w+)", op["torch"]):
        if not hasattr(torch.Tensor, name):
            fail(op, f"PyTorch has no Tensor.{name}")
    for name in re.findall(r"\btorch\.(\w+)\(x", op["torch"]):
        if not hasattr(torch, name):
            fail(op, f"PyTorch has no torch.{name}")


def main():
    ops = views.operations()
    torch = importlib.import_module("torch") if importlib.util.find_spec("torch") else None
    for op in ops:
        arrays = dict(declared(text) for text in op["input"].split())
        try:
            check_view(op, arrays)
            check_numpy(op, arrays)
        except Exception as error:  # pylint: disable=broad-except
            fail(op, f"no twin in tests/py/views.py, and none by its row: {error!r}")
        if torch:
            check_torch(op, torch)
    for failure in FAILURES:
        print("FAILED:", failure)
    print(f"{len(ops)} operations, {sum(bool(op['numpy']) for op in ops)} with an expression of NumPy's, {len(FAILURES)} failures")
    return 1 if FAILURES or not ops else 0


if __name__ == "__main__":
    sys.exit(main())
