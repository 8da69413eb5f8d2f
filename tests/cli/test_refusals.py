"""What the tool asks of the system, refused call by call while it writes over a file.

Each run ends in one of two ways: the right result, as if nothing had been; or status 1, one line on stderr, and
the old file as it was. Neither leaves a temporary file.
"""
import errno
import os
import subprocess
import sys

import numpy as np

from _tool import TOOL, claim, finish, scratch

keeper = scratch()
if not os.environ.get("VIEWFOLD_REFUSE"):
    print("nothing was built that refuses")
    sys.exit(77)
ENV = {**os.environ, "LD_PRELOAD": os.environ["VIEWFOLD_REFUSE"], "REFUSE_TOLD": "told"}

FAULTS = [("malloc", errno.ENOMEM), ("mmap", errno.ENOMEM), ("mprotect", errno.EACCES), ("open", errno.EMFILE),
          ("close", errno.ENOSPC), ("read", errno.EIO), ("read", 0), ("read", errno.EINTR),
          ("write", errno.ENOSPC), ("write", 0), ("write", errno.EINTR), ("posix_fallocate", errno.ENOSPC),
          ("rename", errno.EACCES), ("stat", errno.EACCES), ("access", errno.EACCES), ("realpath", errno.ENOENT),
          ("fchmod", errno.EPERM), ("fchown", errno.EPERM), ("pthread_create", errno.EAGAIN)]
# What the tool must go on after, and what it may: pages for code and threads are a help, a file's owner a wish.
HARMLESS = {("read", 0), ("read", errno.EINTR), ("write", 0), ("write", errno.EINTR)}
HELP = {"mmap", "mprotect", "stat", "fchmod", "fchown", "pthread_create"}

rng = np.random.default_rng(7)
np.save("a.npy", rng.integers(0, 256, (40, 70, 3), np.uint8))
np.save("large.npy", rng.integers(0, 256, (400, 700, 3), np.uint8))
np.save("b.npy", rng.standard_normal((40, 70)))


def put(path, content):
    with open(path, "wb") as file:
        file.write(content)


def get(path):
    with open(path, "rb") as file:
        return file.read()


def refuse(words, out, old, new, stdin, fault, n, ever_after):
    """One run; its status, or None where it never came to the fault."""
    function, error = fault
    put(out, old)
    if os.path.exists("told"):
        os.remove("told")
    done = subprocess.run([TOOL, *words], input=stdin, capture_output=True,
                          env={**ENV, "REFUSE": f"{function} {n}{'+' * ever_after} {error}"})
    name = f"{' '.join(words)} with {function} {n}{'+' * ever_after} refused ({error})"
    after, line = get(out), done.stderr.decode("utf-8", "replace")
    told = os.path.exists("told")
    if done.returncode == 0:
        claim(after == new and line == "", f"{name}: the result", line, len(after))
    else:
        one_line = line.startswith("viewfold: ") and line.count("\n") == 1 and line.endswith("\n")
        claim(done.returncode == 1 and one_line and after == old and told, f"{name}: one line, and the file as it was",
              done.returncode, line, "old" if after == old else "new" if after == new else "neither")
        claim(fault not in HARMLESS, f"{name}: goes on", line)
    left = [entry for entry in os.listdir(".") if entry.startswith(".viewfold")]
    claim(not left, f"{name}: nothing is left", left)
    for entry in left:
        os.remove(entry)
    return done.returncode if told else None


def refuse_each(words, out, old, stdin):
    """Every fault at every call, once and from then on."""
    put(out, old)
    subprocess.run([TOOL, *words], input=stdin, check=True)
    new = get(out)
    claim(new != old, "the command changes the file", words)
    refused = {}
    for fault in FAULTS:
        for ever_after in (False,) if fault in HARMLESS else (False, True):
            ends = []
            while (end := refuse(words, out, old, new, stdin, fault, len(ends), ever_after)) is not None:
                ends.append(end)
            claim(not ends or 1 in ends or fault in HARMLESS or fault[0] in HELP,
                  f"{' '.join(words)}: some {fault[0]} is missed", ends)
            refused[fault[0]] = refused.get(fault[0], 0) + len(ends)
    print(f"{' '.join(words)}:", ", ".join(f"{n} {key}" for key, n in refused.items() if n))
    return refused


subprocess.run([TOOL, "run", "x", "x=a.npy", "-o", "picture.png"], check=True)
put("c.npy", get("b.npy"))
total = {}
for words, out, old, stdin in [
    (["run", "x.permute(2,1,0)", "x=large.npy", "-o", "out.npy", "--threads", "2"], "out.npy", b"old", None),
    (["run", "x.permute(2,1,0)", "x=large.npy", "-o", "out.npy", "--chunk", "300000"], "out.npy", b"old", None),
    (["run", "x.T.reshape(7,-1).T", "x=b.npy", "-o", "b.npy"], "b.npy", get("b.npy"), None),
    (["run", "x[::2]", "x=/dev/stdin", "-o", "out.npy"], "out.npy", b"old", get("a.npy")),
    (["run", "x", "x=a.npy", "-o", "out.png"], "out.png", b"old", None),
    (["run", "x.flip(0)", "x=picture.png", "-o", "picture.png"], "picture.png", get("picture.png"), None),
    (["assign", "x[1:]=y.flip(0)[1:]", "x=b.npy", "y=c.npy"], "b.npy", get("b.npy"), None),
    (["draw", "x.T", "x=u8[3,4]", "-o", "out.svg"], "out.svg", b"old", None),
]:
    for function, n in refuse_each(words, out, old, stdin).items():
        total[function] = total.get(function, 0) + n
    put(out, old)
# An interpreter-only build makes no page executable.
claim(all(total[function] for function, _ in FAULTS if function != "mprotect"), "each function was refused somewhere", total)
print("refused:", sum(total.values()))
finish("refusals")
