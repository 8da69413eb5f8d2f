"""Files that promise more than there is, and machines that have less than is asked: one line each, no output."""
import os
import resource
import struct
import subprocess
import zlib

import numpy as np

from _tool import SANITIZED, TOOL, claim, fails, finish, scratch, succeeds

keeper = scratch()


def npy(shape, data=b"", descr="<f8"):
    """A .npy whose header says `shape` whatever its data are."""
    text = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    with open("in.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def bomb(width, height, compressed_rows):
    """A gray PNG, its rows all zero: about a thousandth of what it becomes."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(width + 1)) for _ in range(compressed_rows)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    with open("in.png", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b""))


def with_memory(megabytes, *args):
    """Run the tool with that much address space."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    done = subprocess.run([TOOL, *args], capture_output=True, preexec_fn=limit)
    return done.returncode, done.stderr.decode("utf-8", "replace")


def peak(*args):
    """The status, and the most megabytes the tool had."""
    process = subprocess.Popen([TOOL, *args])
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss >> 10


def nothing_left(name):
    left = [entry for entry in os.listdir(".") if entry.startswith((".viewfold", "out."))]
    claim(not left, f"{name} leaves nothing", left)


# Shapes that promise petabytes, or what no machine can count.
for shape in [(1 << 50,), (1 << 25, 1 << 25), (1 << 62, 1 << 62), (1 << 63,), (1 << 64,), (10 ** 30,),
              (-1,), (2, -3), (1 << 60, 8)]:
    npy(shape, bytes(64))
    fails(1, ["in.npy"], "run", "x", "x=in.npy", "-o", "out.npy")
nothing_left("a shape that promises too much")

# A header cut at every byte, and data one byte short.
npy((3, 4), bytes(96))
with open("in.npy", "rb") as file:
    whole = file.read()
for length in list(range(0, 128, 3)) + [len(whole) - 1]:
    with open("in.npy", "wb") as file:
        file.write(whole[:length])
    fails(1, ["in.npy"], "run", "x", "x=in.npy", "-o", "out.npy")
nothing_left("a header that is cut")

# Results beyond any disk or memory: refused, not begun.
np.save("one.npy", np.zeros(1))
for expression in ["x.expand(1125899906842624)", "x.expand(1048576, 1073741824)"]:
    fails(1, ["out.npy"], "run", expression, "x=one.npy", "-o", "out.npy")
nothing_left("a result that no disk holds")

# Decompression bombs: told apart by their size, or refused where memory is short.
bomb(20000, 1000000, 2)
fails(1, ["in.png", "cannot come from"], "run", "x", "x=in.png", "-o", "out.npy")
bomb(20000, 20000, 20)
fails(1, ["in.png"], "run", "x", "x=in.png", "-o", "out.npy")
nothing_left("a bomb")
# Texts that unpack to a thousand times their size: not unpacked.
with open("in.png", "wb") as file:
    text = chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * (7 << 20), 9))
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0)) + 60 * text
               + chunk(b"IDAT", zlib.compress(b"\0\1\2" * 2)) + chunk(b"IEND", b""))
status, megabytes = peak("run", "x", "x=in.png", "-o", "small.npy")
claim(status == 0 and (SANITIZED or megabytes < 100), "a bomb of texts", status, megabytes)
claim(np.load("small.npy").tolist() == [[1, 2], [1, 2]], "the picture beside it")
bomb(12000, 12000, 12000)
if SANITIZED or "VIEWFOLD_EMULATED" in os.environ:  # a sanitizer reserves terabytes of addresses
    print("skipped: little memory (a sanitizer or an emulator wants more)")
else:
    status, line = with_memory(96, "run", "x", "x=in.png", "-o", "out.npy")
    claim(status == 1 and line.count("\n") == 1 and line.startswith("viewfold: "), "a bomb in little memory", status, line)
    status, line = with_memory(96, "run", "x.T.reshape(7,-1).T", "x=f64[70000,1001]", "-o", "out.npy")
    claim(status == 1 and line.count("\n") == 1 and line.startswith("viewfold: "), "a large cut in little memory", status, line)
    nothing_left("little memory")
succeeds("run", "x[:2, :2]", "x=in.png", "-o", "small.npy")
claim(np.array_equal(np.load("small.npy"), np.zeros((2, 2), np.uint8)), "a large picture that is one")
finish("faults")
