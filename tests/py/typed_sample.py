"""A program that mypy --strict accepts: what the stubs promise."""
from typing import assert_type

import viewfold as vf

x = vf.asarray(bytearray(24)).reshape(2, 3, 4)
assert_type(x.permute(2, 0, 1)[0, ..., None, ::-1].T, vf.Array)
assert_type(x.split(1), tuple[vf.Array, ...])
assert_type(vf.cat([x, x], dim=1), vf.Array)
evaluated: vf.Array = vf.evaluate("cat([x, y]).T", x=x, y=bytearray(3))
assert_type(x.shape, tuple[int, ...])
assert_type(x.explain(), str)
assert_type(x.rearrange("a b c -> (a b) c", a=2), vf.Array)
assert_type(vf.shares_memory(x, x[0]), bool | None)
assert_type(vf.__version__, str)
x[0] = 1
x[1] = x[0].flip(0)
with vf.set_options(threads=2, effort="measure"):
    total: int = sum(x.reshape(-1).tolist())
for row in x:
    assert_type(row, vf.Array)
try:
    x.view(5)
except (vf.LayoutError, vf.AxisError, vf.ArgumentError, vf.ReadOnlyError) as error:
    message: str = str(error)
