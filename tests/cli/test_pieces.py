"""A run moves its result in pieces: they make the whole, and a limit on memory far below the files' sizes holds."""
import os
import pty
import resource
import select
import subprocess
import time

import numpy as np

from _tool import TOOL, as_there, claim, fails, finish, run, scratch, succeeds

keeper = scratch()
MEGABYTE = 1 << 20
rng = np.random.default_rng(5)


def written(name):
    """The array in a file, which goes: a next one in its place would have to wait for the disk."""
    array = np.load(name)
    os.remove(name)
    return array


def same(a, b):
    return a.shape == b.shape and a.dtype == as_there(b).dtype and np.array_equal(a, b)


# Small files are mapped whole; their results are cut all the same.
p = rng.integers(0, 256, (64, 37, 51, 3), np.uint8)
np.save("p.npy", p)
for expression, expected in [("x.permute(0,3,1,2)", p.transpose(0, 3, 1, 2)), ("x.flip(2)", p[:, :, ::-1]), ("x", p),
                             ("x.T", p.T), ("x.pad([1,1])", np.pad(p, [(0, 0)] * 3 + [(1, 1)])),
                             ("x[0,0,0,0]", p[0, 0, 0, 0]), ("x[3:3]", p[3:3])]:
    for threads in (1, 3):
        for size in (1, 100000):
            succeeds("run", expression, "x=p.npy", "-o", "q.npy", "--chunk", size, "--threads", threads)
            claim(same(written("q.npy"), expected), f"{expression} in pieces of {size} on {threads} threads")

# Large ones through windows.
x = rng.integers(0, 1 << 16, (41, 100, 332), np.uint16)
y = rng.integers(0, 1 << 16, (41, 100, 500), np.uint16)
np.save("x.npy", x)
np.save("y.npy", y)
np.save("fortran.npy", np.asfortranarray(x))
np.save("swapped.npy", x.astype(">u2"))
claim(os.path.getsize("x.npy") > 2 * MEGABYTE, "beyond what is mapped whole")
CHAINS = [
    ("x.T", x.T),
    ("x.T.reshape(-1)", x.T.reshape(-1)),
    ("x.T.reshape(100,-1)[::-1]", x.T.reshape(100, -1)[::-1]),
    ("x[::-1, 3:97:2, ::-3]", x[::-1, 3:97:2, ::-3]),
    ("x.reshape(41,10,10,4,83).permute(4,2,0,3,1)", x.reshape(41, 10, 10, 4, 83).transpose(4, 2, 0, 3, 1)),
    ("cat([x, y], dim=2).T", np.concatenate([x, y], axis=2).T),
    ("cat([y.T[:332].T.flip(0), x]).permute(2,0,1)", np.concatenate([y[:, :, :332][::-1], x]).transpose(2, 0, 1)),
    ("x.pad([1,2,3,4], value=7)", np.pad(x, [(0, 0), (3, 4), (1, 2)], constant_values=7)),
    ("x.roll([5, 50], [0, 1])", np.roll(x, (5, 50), (0, 1))),
    ("x.view('u8')[..., 1::2]", as_there(x).view(np.uint8)[..., 1::2]),
    ("x[7].expand(9,100,332)", np.broadcast_to(x[7], (9, 100, 332))),
    ("x[[40, 0, 17], :, 1:]", x[[40, 0, 17], :, 1:]),
    ("x.T.reshape(332,50,82).T", x.T.reshape(332, 50, 82).T),
]
for expression, expected in CHAINS:
    for size in (1, 1 << 28):
        succeeds("run", expression, "x=x.npy", "y=y.npy", "-o", "q.npy", "--chunk", size)
        claim(same(written("q.npy"), expected), f"{expression} in pieces of {size}")
for name in ("fortran.npy", "swapped.npy"):
    succeeds("run", "x.permute(1,2,0)", f"x={name}", "-o", "q.npy", "--chunk", 300000)
    claim(np.array_equal(written("q.npy"), x.transpose(1, 2, 0)), f"{name} in pieces")
done = succeeds("run", "x.T", "x=x.npy", "-o", "-", "--chunk", 300000)
claim(done.stdout.endswith(as_there(x.T).tobytes()) and len(done.stdout) == 128 + x.nbytes, "a stream in pieces")
with open("x.npy", "rb") as file:
    succeeds("run", "x.T", "x=/dev/stdin", "-o", "q.npy", "--chunk", 300000, stdin=file.read())
claim(same(written("q.npy"), x.T), "a pipe in pieces")
succeeds("run", "x.T.reshape(8300,164).T", "x=x.npy", "-o", "q.npy", "--chunk", 300000)
claim(same(written("q.npy"), x.T.reshape(8300, 164).T), "above a cut")
succeeds("run", "x.T", "x=x.npy", "-o", "x.npy", "--chunk", 300000)
claim(same(np.load("x.npy"), x.T), "over its own input")

# A limit on address space: no file may be mapped whole, nor may a result.
LIMIT = 48 * MEGABYTE
big = np.lib.format.open_memmap("big.npy", "w+", np.uint32, (4096, 6144))
big[:] = np.arange(4096, dtype=np.uint32)[:, None] * np.uint32(2654435761) ^ np.arange(6144, dtype=np.uint32)


def limited(*args, **kwargs):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    return subprocess.run([TOOL, *map(str, args)], preexec_fn=limit, capture_output=True, check=False, **kwargs)


if limited("--version").returncode != 0:
    print("skipped: a limit on address space (this build needs more by itself)")
else:
    claim(big.nbytes == 2 * LIMIT, "the file is larger than the limit")
    for expression, expected in [
            ("x.T", big.T),                                                    # each slab reaches all of the source
            ("x.flip(0)", big[::-1]),
            ("x.reshape(64,64,96,64).permute(3,1,0,2)", big.reshape(64, 64, 96, 64).transpose(3, 1, 0, 2)),
            ("cat([x[:2048].T, x[2048:].T], dim=1).reshape(-1)", big.T.reshape(-1))]:
        done = limited("run", expression, "x=big.npy", "-o", "out.npy", "--chunk", 16 * MEGABYTE, "--threads", 2)
        claim(done.returncode == 0 and not done.stderr, f"{expression} of a file of two limits", done.stderr)
        claim(np.array_equal(written("out.npy"), expected), f"{expression} has the right bytes")
    done = limited("run", "x.T[:512].reshape(2048,1024).T", "x=big.npy", "-o", "cut.npy")
    claim(done.returncode == 1 and b"big.npy" in done.stderr and done.stderr.count(b"\n") == 1
          and not os.path.exists("cut.npy"), "what needs the whole file says so", done.returncode, done.stderr)

# On a terminal a run that takes longer than a second tells how far it is, and wipes that.
try:
    terminal, end = pty.openpty()
except OSError as error:
    terminal = None
    print("skipped: progress on a terminal:", error)
if terminal is not None:
    process = subprocess.Popen([TOOL, "run", "x.T", "x=y.npy", "-o", "-", "--chunk", "400000"], stdout=subprocess.PIPE, stderr=end)
    os.close(end)
    time.sleep(1.1)
    out = process.stdout.read()
    told = b""
    while select.select([terminal], [], [], 1)[0]:
        try:
            told += os.read(terminal, 1 << 16)
        except OSError:
            break
    claim(process.wait() == 0 and out.endswith(as_there(y.T).tobytes()), "a slow stream", process.returncode)
    claim(b" %  0.00 of 0.00 GB  " in told and told.endswith(b"\r\x1b[K") and b"\n" not in told, "progress on a terminal", told)
claim(not [name for name in os.listdir() if name.startswith(".viewfold")], "nothing is left behind")
finish("pieces")
