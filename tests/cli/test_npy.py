"""viewfold run reads every .npy that NumPy writes, and writes what numpy.save would."""
import io
import os
import struct

import numpy as np

from _tool import as_there, claim, fails, finish, run, scratch, succeeds

keeper = scratch()
rng = np.random.default_rng(7)


def saved(array, version=None):
    """The bytes of a .npy file."""
    out = io.BytesIO()
    if version:
        np.lib.format.write_array(out, array, version)
    else:
        np.save(out, array)
    return out.getvalue()


def same(expression, array, expected, label, version=None):
    """`expression` over the file of `array` writes the file of `expected`, byte for byte."""
    with open("in.npy", "wb") as file:
        file.write(saved(array, version))
    if os.path.exists("out.npy"):
        os.remove("out.npy")
    done = run("run", expression, "x=in.npy", "-o", "out.npy")
    if not claim(done.returncode == 0 and not done.stderr, f"run {expression} on {label}", done.stderr):
        return
    with open("out.npy", "rb") as file:
        came = file.read()
    wanted = saved(as_there(np.ascontiguousarray(expected).reshape(expected.shape)))
    claim(came == wanted, f"run {expression} on {label} writes NumPy's bytes", wanted[:200], came[:200])


def random_array(dtype, shape):
    count = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    if np.dtype(dtype) == bool:
        return rng.integers(0, 2, shape).astype(bool)
    if np.dtype(dtype).kind == "U":
        text = rng.integers(32, 126, (*shape, np.dtype(dtype).itemsize // 4)).astype("u4")
        return np.frombuffer(text.tobytes(), "<U%d" % (np.dtype(dtype).itemsize // 4)).reshape(shape).astype(dtype)
    return np.frombuffer(rng.bytes(count), dtype).reshape(shape)


SIMPLE = ["?", "u1", "i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f2", "<f4", "<f8", "<c8", "<c16"]
MOVED = ["V12", "S5", "<U3", "<M8[ns]", "<m8[25s]", "V1", "<f16", "S1", "V300"]
SHAPES = [(), (1,), (5,), (2, 3), (0,), (3, 0, 2), (2, 3, 4), (1, 1), (2, 1, 3, 1, 2)]

for dtype in SIMPLE + MOVED:
    for shape in SHAPES:
        array = random_array(dtype, shape)
        same("x", array, array, f"{dtype} {shape}")
        if len(shape) > 1:
            same("x.T", array, array.T, f"{dtype} {shape}")
            same("x", np.asfortranarray(array), array, f"Fortran {dtype} {shape}")
            same("x.T", np.asfortranarray(array), array.T, f"Fortran {dtype} {shape}")
    array = random_array(dtype, (2, 3))
    for version in [(1, 0), (2, 0), (3, 0)]:
        same("x[::-1]", array, array[::-1], f"{dtype} version {version}", version)

# The other byte order comes out in the machine's, as astype() would have it.
for dtype in [name.replace("<", ">") for name in SIMPLE + MOVED if "<" in name]:
    for shape in [(), (7,), (3, 4), (2, 0)]:
        array = random_array(dtype, shape)
        with np.errstate(all="ignore"):
            native = array.byteswap().view(array.dtype.newbyteorder())
        same("x", array, native, f"{dtype} {shape}")
        if len(shape) > 1:
            same("x.T", np.asfortranarray(array), native.T, f"Fortran {dtype} {shape}")

# Structures stay as they are, their description too.
STRUCTURES = [
    [("a", "<i4"), ("b", "u1")],
    [("a", ">i4"), ("b", "<f8", (2, 3))],
    [("a", [("x", "<f4"), ("y", "<f4")]), ("b", "S3")],
    [(("title", "name"), "<i8")],
    np.dtype([("a", "u1"), ("b", "<f8")], align=True),
    np.dtype({"names": ["p"], "formats": ["<i2"], "offsets": [5], "itemsize": 9}),
]
for dtype in STRUCTURES:
    array = np.frombuffer(rng.bytes(12 * np.dtype(dtype).itemsize), dtype).reshape(3, 4)
    with open("in.npy", "wb") as file:
        file.write(saved(array))
    done = succeeds("run", "x.T[::-1]", "x=in.npy", "-o", "out.npy")
    if done.returncode == 0:
        plain = f"V{array.itemsize}"  # padding counts as well
        stored, came = (np.fromfile(name, plain, offset=os.path.getsize(name) - array.nbytes) for name in ("in.npy", "out.npy"))
        claim(came.tobytes() == stored.reshape(3, 4).T[::-1].tobytes(), f"structure {dtype}")
        claim(np.load("out.npy").dtype == np.load("in.npy").dtype, f"description of {dtype}")

# Names beyond ASCII need version 3, and keep it.
array = np.zeros(3, [("\u4e16", "<i4")])
with open("in.npy", "wb") as file:
    file.write(saved(array, (3, 0)))
succeeds("run", "x", "x=in.npy", "-o", "out.npy")
claim(np.load("out.npy").dtype == array.dtype, "field names in UTF-8")

# Descriptions that inputs share survive; those they do not share fall back to bytes.
np.save("a.npy", np.arange(3).astype("M8[s]"))
np.save("b.npy", np.arange(3).astype("M8[D]"))
succeeds("run", "cat([x, y], dim=0)", "x=a.npy", "y=a.npy", "-o", "out.npy")
claim(np.load("out.npy").dtype == as_there(np.zeros(1, "M8[s]")).dtype, "one description for both inputs")
succeeds("run", "cat([x, y], dim=0)", "x=a.npy", "y=b.npy", "-o", "out.npy")
claim(np.load("out.npy").dtype == np.dtype("V8"), "two descriptions of one size")
succeeds("run", "x.view(i64)", "x=a.npy", "-o", "out.npy")
claim(np.array_equal(np.load("out.npy"), np.arange(3)), "a date seen as an integer")

# bf16 has no name in NumPy.
succeeds("run", "x", "x=bf16[5]", "-o", "out.npy")
with open("out.npy", "rb") as file:
    head = file.read()
descr = "'descr': '%sV2'" % as_there(np.zeros(1, "<u2")).dtype.str[0]
claim(descr.encode() in head and len(head) == 138, "bf16 is written as <V2", head)

# Declarations count up.
for name, dtype in [("u8", "u1"), ("i8", "i1"), ("u16", "u2"), ("i16", "i2"), ("u32", "u4"), ("i32", "i4"),
                    ("u64", "u8"), ("i64", "i8"), ("f16", "f2"), ("f32", "f4"), ("f64", "f8"), ("c64", "c8"),
                    ("c128", "c16")]:
    succeeds("run", "x", f"x={name}[3, 700]", "-o", "out.npy")
    with np.errstate(all="ignore"):
        claim(np.array_equal(np.load("out.npy"), np.arange(2100).astype(dtype).reshape(3, 700)), f"{name} counts up")
for name, dtype in (("u8", "u1"), ("i8", "i1"), ("bool", "?"), ("u16", "u2"), ("i16", "i2"), ("i32", "i4"), ("f16", "f2")):
    if succeeds("run", "x", f"x={name}[140000]", "-o", "out.npy"):
        count = np.arange(140000) & 1 if name == "bool" else np.arange(140000)
        with np.errstate(over="ignore"):
            claim(np.array_equal(np.load("out.npy"), count.astype(dtype)), f"{name} counts on after its numbers begin again")
succeeds("run", "x", "x=bool[5]", "-o", "out.npy")
claim(np.load("out.npy").tolist() == [False, True, False, True, False], "bool counts up")
succeeds("run", "x", "x=bytes3[90]", "-o", "out.npy")
claim(np.load("out.npy").tobytes() == bytes(i % 256 for i in range(270)), "bytes count up")

# A header as long as version 2 needs.
wide = np.zeros(2, [("f%04d" % i + "x" * 20, "u1") for i in range(3000)])
with open("in.npy", "wb") as file:
    file.write(saved(wide, (2, 0)))
succeeds("run", "x[::-1]", "x=in.npy", "-o", "out.npy")
with open("out.npy", "rb") as file:
    head = file.read(12)
claim(head[6] == 2 and (struct.unpack("<I", head[8:12])[0] + 12) % 64 == 0, "a long header is version 2", head)

# Headers as other writers make them.
data = struct.pack("<6i", *range(6))


def file_of(text, version=1, data=data):
    raw = text if isinstance(text, bytes) else text.encode()
    size = struct.pack("<H", len(raw)) if version == 1 else struct.pack("<I", len(raw))
    return b"\x93NUMPY" + bytes([version, 0]) + size + raw + data


def write(content):
    with open("in.npy", "wb") as file:
        file.write(content)


GOOD = [
    "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }\n",
    "{'shape':(2,3),'fortran_order':False,'descr':'<i4'}",
    '{"descr": "<i4", "fortran_order": False, "shape": (2, 3)}',
    "{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 3L), }",
    "{u'descr': '<i4', 'fortran_order': False, 'shape': (2, 3,), }",
    " \t{ 'descr' : 'i4' , 'fortran_order' : False , 'shape' : ( 2 , 3 ) } \n\n",
    "{'descr': '=i4', 'fortran_order': False, 'shape': (2, 3)}",
]
for text in GOOD:
    if "VIEWFOLD_ORDER" in os.environ and "<" not in text:
        continue  # the order of the tool's machine; the bytes below are this one's
    write(file_of(text))
    done = succeeds("run", "x", "x=in.npy", "-o", "out.npy")
    claim(done.returncode == 0 and np.load("out.npy").tolist() == [[0, 1, 2], [3, 4, 5]], f"header {text!r}")
write(file_of(GOOD[0]) + b"more bytes after the data")
succeeds("run", "x", "x=in.npy", "-o", "out.npy")
write(file_of("{'descr': '<i4', 'fortran_order': False, 'shape': (0, 9223372036854775807, 9223372036854775807)}"))
run("run", "x", "x=in.npy", "-o", "out.npy")

BAD = [
    ("", ["found its end"]),
    ("[1, 2]", ["'{'"]),
    ("{}", ["'descr' is missing"]),
    ("{'descr': '<i4', 'fortran_order': False}", ["'shape' is missing"]),
    ("{'descr': '<i4', 'shape': (2, 3)}", ["'fortran_order' is missing"]),
    ("{'fortran_order': False, 'shape': (2, 3)}", ["'descr' is missing"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}", ["unknown key 'more'"]),
    ("{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}", ["stands twice"]),
    ("{'descr': '<i4', 'fortran_order': 0, 'shape': (2, 3)}", ["True or False"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': [2, 3]}", ["'('"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (6)}", ["no tuple"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (-2, 3)}", ["extent of -2"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)} junk", ["after the dictionary"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)", ["'}'"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3.5)}", ["')'"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 4)}", ["(2, 4)", "32 bytes", "24 left"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904, 4611686018427387904)}", ["overflows"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}", ["beyond 64 bits"]),
    ("{'descr': '<i4', 'fortran_order': False, 'shape': (%s)}" % ("1, " * 65), ["more than 64 axes"]),
    ("{'descr': '|O', 'fortran_order': False, 'shape': (2, 3)}", ["Python objects"]),
    ("{'descr': [('a', '|O')], 'fortran_order': False, 'shape': (2, 3)}", ["Python objects"]),
    ("{'descr': '<i3', 'fortran_order': False, 'shape': (2, 3)}", ["'<i3' is not understood"]),
    ("{'descr': 'garbage', 'fortran_order': False, 'shape': (2, 3)}", ["not understood"]),
    ("{'descr': '', 'fortran_order': False, 'shape': (2, 3)}", ["not understood"]),
    ("{'descr': '<f4[ns]', 'fortran_order': False, 'shape': (2, 3)}", ["not understood"]),
    ("{'descr': '|V0', 'fortran_order': False, 'shape': (2, 3)}", ["elements of 0 bytes"]),
    ("{'descr': '|V99999', 'fortran_order': False, 'shape': (2, 3)}", ["elements of 99999 bytes"]),
    ("{'descr': '|V99999999999999999999', 'fortran_order': False, 'shape': (2, 3)}", ["not understood"]),
    ("{'descr': %s'<i4'%s, 'fortran_order': False, 'shape': (2, 3)}" % ("[('a', " * 40, ")]" * 40), ["nested"]),
    ("{'descr': %s, 'fortran_order': False, 'shape': (2, 3)}" % ("(" * 5000), ["nested"]),
    ("{'descr': [('a', '<i4', (4611686018427387904, 4))], 'fortran_order': False, 'shape': (2, 3)}", ["impossible"]),
    ("{'descr': [], 'fortran_order': False, 'shape': (2, 3)}", ["elements of 0 bytes"]),
    ("{'descr': 7, 'fortran_order': False, 'shape': (2, 3)}", ["a string"]),
    ("{'descr': '<i4, 'fortran_order': False, 'shape': (2, 3)}", []),
    ("{'descr': '<i4\\", ["without an end"]),
    (b"{'descr': '<i4'\0, 'fortran_order': False, 'shape': (2, 3)}", ["0x00"]),
]
for text, words in BAD:
    write(file_of(text))
    if os.path.exists("out.npy"):
        os.remove("out.npy")
    fails(1, ["in.npy", *words], "run", "x", "x=in.npy", "-o", "out.npy")
    claim(not os.path.exists("out.npy"), f"no output after {text!r}")

write(b"\x93NUMPY\x01\x00\xff\xff{'descr'")
fails(1, ["claims 65535 bytes", "8 left"], "run", "x", "x=in.npy", "-o", "out.npy")
write(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'")
fails(1, ["claims 4294967295 bytes"], "run", "x", "x=in.npy", "-o", "out.npy")
write(b"\x93NUMPY\x04\x00\x10\x00")
fails(1, ["version 4.0"], "run", "x", "x=in.npy", "-o", "out.npy")
write(b"\x93NUMPY\x01\x07\x10\x00")
fails(1, ["version 1.7"], "run", "x", "x=in.npy", "-o", "out.npy")

# Cut at every byte: one line, exit 1, nothing written.
if os.path.exists("out.npy"):
    os.remove("out.npy")
for whole in [saved(np.arange(6, dtype="i4").reshape(2, 3)), saved(np.zeros(2, [("a", "<i4"), ("b", "S3")]), (2, 0))]:
    for length in range(len(whole)):
        write(whole[:length])
        fails(1, ["in.npy"], "run", "x", "x=in.npy", "-o", "out.npy")
claim(not os.path.exists("out.npy"), "a cut file gives no output")

# One byte of the header changed: whole or one line, never anything else.
whole = bytearray(saved(np.arange(6, dtype="i4").reshape(2, 3)))
for place in range(6, 128, 1):
    for byte in (0x00, 0x27, 0x29, 0x39, 0xff):
        changed = bytes(whole[:place]) + bytes([byte]) + bytes(whole[place + 1:])
        write(changed)
        done = run("explain", "x", "x=in.npy")
        fine = done.returncode == 0 and not done.stderr or done.returncode == 1 and done.stderr.count("\n") == 1
        if not fine:
            claim(fine, f"byte {place} as {byte:#x}", done.returncode, done.stderr)
claim(True, "changed headers")
finish("npy")
