"""viewfold assign changes a file as NumPy's assignment would change the array, or not at all."""
import os
import shutil

import numpy as np

from _tool import claim, fails, finish, run, scratch, succeeds

keeper = scratch()
rng = np.random.default_rng(11)


def assigns(text, change, label, **arrays):
    """`viewfold assign text` over the files of `arrays` does what `change` does in NumPy."""
    for name, array in arrays.items():
        np.save(f"{name}.npy", array)
    done = succeeds("assign", text, *(f"{name}={name}.npy" for name in arrays))
    wanted = {name: array.copy(order="K") for name, array in arrays.items()}
    change(**wanted)
    for name, array in wanted.items():
        np.save("wanted.npy", array)
        with open("wanted.npy", "rb") as left, open(f"{name}.npy", "rb") as right:
            claim(left.read() == right.read(), f"assign {text} ({label}): {name}", array, np.load(f"{name}.npy"))


x = np.arange(24, dtype="f4").reshape(4, 6)
y = -np.arange(24, dtype="f4").reshape(4, 6)


def put(target, value):
    target[...] = value


assigns("x=y", lambda x, y: put(x, y), "whole", x=x, y=y)
assigns("x[:, ::2]=y[:, 1::2]", lambda x, y: put(x[:, ::2], y[:, 1::2]), "columns", x=x, y=y)
assigns("x.T=y.reshape(6,4)", lambda x, y: put(x.T, y.reshape(6, 4)), "transposed", x=x, y=y)
assigns("x[0]=x[1]", lambda x: put(x[0], x[1]), "within a file", x=x)
assigns("x=x.flip(0)", lambda x: put(x, x[::-1].copy()), "over itself", x=x)
assigns("x[1:]=x[:-1]", lambda x: put(x[1:], x[:-1].copy()), "shifted", x=x)
assigns("x=y[0]", lambda x, y: put(x, y[0]), "broadcast", x=x, y=y)
assigns(" x[2] = y[3] ", lambda x, y: put(x[2], y[3]), "spaces", x=x, y=y)
assigns("x.flip(0)[:2]=x.roll(shifts=1, dims=1)[2:]",
        lambda x: put(x[::-1][:2], np.roll(x, 1, 1)[2:].copy()), "keywords", x=x)
assigns("cat([x, y], dim=1)[:, 4:8]=cat([y, x], dim=1)[:, :4]",
        lambda x, y: (lambda new: (put(x[:, 4:], new[:, :2]), put(y[:, :2], new[:, 2:])))(y[:, :4].copy()),
        "two files at once", x=x, y=y)
for text, value in [("0", 0), ("-1.5", -1.5), ("3", 3), ("1e3", 1e3), ("nan", np.nan), ("-inf", -np.inf), ("True", 1)]:
    assigns(f"x[1:3, ::2]={text}", lambda x: put(x[1:3, ::2], value), f"the number {text}", x=x)
assigns("x[0]=2+3j", lambda x: put(x[0], 2 + 3j), "a complex number", x=x.astype("c16"))
assigns("x[0]=True", lambda x: put(x[0], True), "a bool", x=np.zeros((2, 3), bool))
assigns("x[::2]=7", lambda x: put(x[::2], 7), "bytes", x=np.arange(9, dtype="u1"))
assigns("x=5", lambda x: put(x, 5), "rank 0", x=np.array(3))
assigns("x=x", lambda x: None, "no elements", x=np.zeros((0, 3)))
assigns("x[:, 1]=y[0]", lambda x, y: put(x[:, 1], y[0]), "text", x=np.array([["ab", "c"], ["d", "e"]]),
        y=np.array([["z", "yy"]]))

# Order of axes and of bytes stay those of the file.
assigns("x[:, ::2]=y[:, 1::2]", lambda x, y: put(x[:, ::2], y[:, 1::2]), "Fortran", x=np.asfortranarray(x), y=y)
assigns("x[:, ::2]=y[:, 1::2]", lambda x, y: put(x[:, ::2], y[:, 1::2]), "big-endian", x=x.astype(">f4"), y=y)
assigns("x[:, ::2]=y[:, 1::2]", lambda x, y: put(x[:, ::2], y[:, 1::2]), "from big-endian", x=x, y=y.astype(">f4"))
assigns("x[0]=9", lambda x: put(x[0], 9), "big-endian Fortran", x=np.asfortranarray(x.astype(">c8")))

# What follows the array in the file stays, so does the mode, and links lead to the file.
np.save("x.npy", x)
with open("x.npy", "ab") as file:
    file.write(b"and more")
os.chmod("x.npy", 0o600)
os.symlink("x.npy", "link.npy")
succeeds("assign", "x[0]=1", "x=link.npy")
content = open("x.npy", "rb").read()
claim(content.endswith(b"and more") and np.load("x.npy")[0].tolist() == [1] * 6, "what follows stays")
claim(os.path.islink("link.npy") and os.stat("x.npy").st_mode & 0o777 == 0o600, "link and mode stay")

# Inputs that are only read.
np.save("x.npy", x)
succeeds("assign", "x[0]=y", "x=x.npy", "y=f32[6]")
claim(np.load("x.npy")[0].tolist() == list(range(6)), "from a declaration")
succeeds("run", "x", "x=u8[4,6,3]", "-o", "p.png")
np.save("x.npy", np.zeros((4, 6, 3), np.uint8))
succeeds("assign", "x=y", "x=x.npy", "y=p.png")
claim(np.load("x.npy").ravel().tolist() == list(range(72)), "from a picture")
shutil.copy("x.npy", "twin.npy")
succeeds("assign", "x=y.flip(0)", "x=x.npy", "y=x.npy")
claim(np.array_equal(np.load("x.npy"), np.load("twin.npy")[::-1]), "from the same file under another name")

# Refusals leave the file as it was.
np.save("x.npy", x)
np.save("y.npy", y)
before = open("x.npy", "rb").read()
for text, words in [
    ("x.expand(2,4,6)=y", []),
    ("x[[0, 0]]=y[:2]", []),
    ("x.pad([1,1])=0", []),
    ("x=y[:, :5]", []),
    ("x=z", []),
    ("nothing=y", ["names no input"]),
    ("x.nothing()=y", []),
    ("x=y.view(i32)", []),
    ("x[0]=1+2j", []),
    ("x.T=", []),
]:
    fails(1, words, "assign", text, "x=x.npy", "y=y.npy")
    claim(open("x.npy", "rb").read() == before, f"{text} leaves the file alone")
fails(2, ["has no"], "assign", "x[=3", "x=x.npy")
fails(1, ["one file"], "assign", "cat([x, y], dim=0)=0", "x=x.npy", "y=x.npy")
fails(1, ["declaration"], "assign", "x[0]=1", "x=f32[4]")
fails(1, ["picture"], "assign", "x[0]=1", "x=p.png")
fails(1, ["No such file"], "assign", "x[0]=1", "x=missing.npy")
claim(open("x.npy", "rb").read() == before, "the file is as it was")
claim(not [name for name in os.listdir(".") if name.startswith(".viewfold")], "nothing is left behind")
finish("assign")
