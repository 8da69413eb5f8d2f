"""Several results of one expression: one file each, all whole or none there."""
import os

import numpy as np

from _tool import as_there, claim, fails, finish, scratch, succeeds

keeper = scratch()
rng = np.random.default_rng(5)
x = rng.integers(0, 256, (37, 41, 3), np.uint8)
y = rng.standard_normal((6, 8)).astype(">f4")
np.save("x.npy", x)
np.save("y.npy", y)


def same(name, wanted):
    found, wanted = np.load(name), as_there(wanted)
    claim(found.dtype == wanted.dtype and found.shape == wanted.shape and found.tobytes() == wanted.tobytes(),
          f"{name} has the elements due", found.dtype, found.shape, wanted.dtype, wanted.shape)


def none_left(*names):
    left = [n for n in os.listdir(".") if n in names or n.startswith(".viewfold")]
    claim(not left, f"none of {names} is there", left)


# By number.
succeeds("run", "x.unbind(-1)", "x=x.npy", "-o", "plane{}.npy")
for i in range(3):
    same(f"plane{i}.npy", x[..., i])
none_left("plane3.npy")

# By names: other shapes and types, empty ones, cuts, inputs that are overwritten.
succeeds("run", "[x.permute(2,0,1), y.T, x[3:3], x.view('u8')[:, ::-1]]", "x=x.npy", "y=y.npy",
         "-o", "a.npy", "-o", "b.npy", "-o", "c.npy", "-o", "d.npy")
same("a.npy", x.transpose(2, 0, 1))
same("b.npy", y.T.astype("<f4"))
same("c.npy", x[3:3])
same("d.npy", x[:, ::-1])
np.save("long.npy", np.arange(509 * 512, dtype="u2").reshape(512, 509))
long = np.load("long.npy")
succeeds("run", "(l.T.reshape(512, 509).T, l[5])", "l=long.npy", "-o", "e.npy", "-o", "long.npy")
same("e.npy", long.T.reshape(512, 509).T)
same("long.npy", long[5])
succeeds("run", "x.split([1, 2], dim=2)", "x=u8[5,4,3]", "-o", "f{}.npy", "--threads", "2")
same("f1.npy", np.arange(60, dtype="u1").reshape(5, 4, 3)[..., 1:])

# Pictures, beside arrays.
succeeds("run", "[x[..., 0], x.flip(0), x]", "x=x.npy", "-o", "p.png", "-o", "q.png", "-o", "r.npy")
succeeds("run", "[p, q]", "p=p.png", "q=q.png", "-o", "back{}.npy")
same("back0.npy", x[..., 0])
same("back1.npy", x[::-1])
same("r.npy", x)

# What is refused; then no file is there.
for name in os.listdir("."):
    if name not in ("x.npy", "y.npy"):
        os.remove(name)
fails(1, ["not a list"], "run", "x.T", "x=x.npy", "-o", "g{}.npy")
fails(1, ["3 results", "2 outputs"], "run", "x.unbind(-1)", "x=x.npy", "-o", "g0.npy", "-o", "g1.npy")
fails(1, ["a list"], "run", "x.unbind(-1)", "x=x.npy", "-o", "g0.npy")
fails(2, ["twice"], "run", "x.unbind(-1)", "x=x.npy", "-o", "g0.npy", "-o", "g0.npy", "-o", "g1.npy")
fails(2, [".npy or .png"], "run", "x.unbind(-1)", "x=x.npy", "-o", "g{}.txt")
fails(2, ["go to files"], "run", "x.unbind(-1)", "x=x.npy", "-o", "g0.npy", "-o", "-", "-o", "g1.npy")
fails(1, ["g1.png"], "run", "[x, y]", "x=x.npy", "y=y.npy", "-o", "g0.npy", "-o", "g1.png")
fails(2, ["64"], "run", "x.unbind(0)", "x=x.npy", *[a for i in range(65) for a in ("-o", f"g{i}.npy")])
fails(1, ["no/such"], "run", "x.unbind(-1)", "x=x.npy", "-o", "no/such/g{}.npy")
none_left(*[f"g{i}.npy" for i in range(65)], "g1.png")

finish("outputs")
