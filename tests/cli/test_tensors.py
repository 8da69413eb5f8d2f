"""Arrays in files of several: .safetensors read and written, .npz read; files that are wrong are refused by one line."""
import io
import json
import struct
import sys
import zipfile

import numpy as np

from _tool import claim, fails, finish, run, scratch, succeeds

keeper = scratch()
rng = np.random.default_rng(13)

if "built without jansson" in run("show", "x", "x=none.safetensors:x").stderr + run(
        "run", "x", "x=u8[1]", "-o", "probe.safetensors:x").stderr:
    print("tensors: this tool was built without jansson")
    sys.exit(77)

TYPES = {"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "U64": "<u8",
         "I64": "<i8", "F16": "<f2", "F32": "<f4", "F64": "<f8", "C64": "<c8"}


def write(name, tensors, metadata=None, header=None, data=b"", length=None):
    """A file of {name: (dtype, array)}, or of a header as it is given."""
    if header is None:
        header, data = {}, b""
        if metadata:
            header["__metadata__"] = metadata
        for key, (kind, array) in tensors.items():
            header[key] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), len(data) + array.nbytes]}
            data += array.tobytes()
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    with open(name, "wb") as file:
        file.write(struct.pack("<Q", len(text) if length is None else length) + text + data)


def read(name):
    """The tensors of a file, by the format's own words."""
    with open(name, "rb") as file:
        whole = file.read()
    length, = struct.unpack("<Q", whole[:8])
    header, data = json.loads(whole[8:8 + length]), whole[8 + length:]
    out = {}
    for key, entry in header.items():
        begin, end = entry["data_offsets"]
        kind = TYPES.get(entry["dtype"], "<u2" if entry["dtype"] == "BF16" else "u1")
        out[key] = entry["dtype"], np.frombuffer(data[begin:end], kind).reshape(entry["shape"]), 8 + length + begin
    return out


# Every type comes in, and goes out again under its own name.
for kind, numpy in TYPES.items():
    array = np.frombuffer(rng.bytes(24 * np.dtype(numpy).itemsize), "u1").view(numpy).reshape(4, 6)
    array = np.array([[0, 1] * 3] * 4, bool) if kind == "BOOL" else array
    write("in.safetensors", {"pad": ("U8", np.zeros(3, "u1")), "w": (kind, array)}, metadata={"format": "pt"})
    succeeds("run", "w.T", "w=in.safetensors:w", "-o", "out.npy")
    claim(np.load("out.npy").tobytes() == array.T.tobytes(), f"{kind} is read")
    succeeds("run", "w.T", "w=in.safetensors:w", "-o", "out.safetensors:turned")
    got = read("out.safetensors")
    claim(got["turned"][0] == kind and got["turned"][1].tobytes() == array.T.tobytes() and
          got["turned"][1].shape == (6, 4), f"{kind} is written", got)
for kind, width in [("BF16", 2), ("F8_E4M3", 1), ("F8_E5M2", 1)]:
    array = np.arange(12, dtype=f"<u{width}").reshape(3, 4)
    write("in.safetensors", {"w": (kind, array)})
    succeeds("run", "w.T", "w=in.safetensors", "-o", "out.safetensors:w")
    got = read("out.safetensors")
    claim(got["w"][0] == kind and (got["w"][1] == array.T).all(), f"{kind} keeps its name", got)

# Several tensors in one run, into several files, each aligned; names with dots and colons.
a, b, c = np.arange(24, dtype="<f4").reshape(4, 6), np.arange(5, dtype="u1"), np.arange(8, dtype="<f8")
write("in.safetensors", {"model.a:0": ("F32", a), "b": ("U8", b), "c": ("F64", c)})
succeeds("run", "[b[::-1], a.T, c, a[0]]", "a=in.safetensors:model.a:0", "b=in.safetensors:b", "c=in.safetensors:c",
         "-o", "one.safetensors:b", "-o", "one.safetensors:x.a:0", "-o", "two.safetensors:c", "-o", "one.safetensors:row")
one, two = read("one.safetensors"), read("two.safetensors")
claim(list(one) == ["b", "x.a:0", "row"] or set(one) == {"b", "x.a:0", "row"}, "three tensors in a file", one)
claim((one["b"][1] == b[::-1]).all() and (one["x.a:0"][1] == a.T).all() and (one["row"][1] == a[0]).all() and
      (two["c"][1] == c).all(), "each has its elements")
claim(all(place % array.itemsize == 0 for _, array, place in [*one.values(), *two.values()]), "each is aligned")
succeeds("run", "a.unbind(0)", "a=in.safetensors:model.a:0", "-o", "rows.safetensors:row{}")
rows = read("rows.safetensors")
claim(all((rows[f"row{i}"][1] == a[i]).all() for i in range(4)), "{} counts tensors")
succeeds("run", "a.T", "a=in.safetensors:model.a:0", "-o", "in.safetensors:a")
claim((read("in.safetensors")["a"][1] == a.T).all(), "a file over itself")
succeeds("assign", "a[0]=7", "a=in.safetensors:a")
claim((read("in.safetensors")["a"][1][0] == 7).all(), "assign writes into a tensor")

# More than a megabyte of header, more than a window of elements.
many = {f"t{i:05}": ("U8", np.full(3, i % 251, "u1")) for i in range(20000)}
many["big"] = "F32", np.arange(1 << 20, dtype="<f4").reshape(1024, 1024)
write("many.safetensors", many)
succeeds("run", "x.T", "x=many.safetensors:big", "-o", "big.npy", "--chunk", "64K")
claim((np.load("big.npy") == many["big"][1].T).all(), "a tensor behind a long header, in pieces")
claim(succeeds("show", "x", "x=many.safetensors:t19999").stdout.startswith(b"[170 170 170]"), "one of many")

# What is wrong with a file, in one line.
U8 = {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}
for label, words, make in [
        ("nothing", "it has 0 bytes", lambda: open("bad.safetensors", "wb").close()),
        ("a header beyond the file", "the header claims 100 bytes, the file has 2 left", lambda: write("bad.safetensors", 0, header=b"{}", length=100)),
        ("a huge header", "the header claims 18446744073709551615 bytes; the limit is 100000000", lambda: write("bad.safetensors", 0, header=b"{}", length=2**64 - 1)),
        ("no JSON", "the header is no JSON", lambda: write("bad.safetensors", 0, header=b"{'w': 1}")),
        ("a list", "no object", lambda: write("bad.safetensors", 0, header=b"[1]")),
        ("a name twice", "the header is no JSON: duplicate", lambda: write("bad.safetensors", 0, header=b'{"w": 1, "w": 2}')),
        ("offsets beyond the file", "tensor 'w': data_offsets [0, 4] are not within the 3 bytes of data", lambda: write("bad.safetensors", 0, header={"w": U8}, data=b"123")),
        ("offsets that fall", "tensor 'w': data_offsets [4, 0] are not within", lambda: write("bad.safetensors", 0, header={"w": {**U8, "data_offsets": [4, 0]}}, data=b"1234")),
        ("negative offsets", "tensor 'w': data_offsets are not two numbers", lambda: write("bad.safetensors", 0, header={"w": {**U8, "data_offsets": [-4, 0]}}, data=b"1234")),
        ("one offset", "tensor 'w': data_offsets are not two numbers", lambda: write("bad.safetensors", 0, header={"w": {**U8, "data_offsets": [0]}}, data=b"1234")),
        ("overlap", "tensors 'w' and 'v' overlap at byte 3 of the data", lambda: write("bad.safetensors", 0, header={"w": U8, "v": {**U8, "data_offsets": [3, 7]}}, data=b"1234567")),
        ("a wrong dtype", "tensor 'w': dtype F31 is unknown", lambda: write("bad.safetensors", 0, header={"w": {**U8, "dtype": "F31"}}, data=b"1234")),
        ("no dtype", "tensor 'w': dtype (none) is unknown", lambda: write("bad.safetensors", 0, header={"w": {**U8, "dtype": 8}}, data=b"1234")),
        ("a wrong size", "tensor 'w': shape and dtype need 5 bytes, its data_offsets have 4", lambda: write("bad.safetensors", 0, header={"w": {**U8, "shape": [5]}}, data=b"1234")),
        ("an overflow", "tensor 'w': its shape overflows 64 bits", lambda: write("bad.safetensors", 0, header={"w": {**U8, "shape": [2**62, 4]}}, data=b"1234")),
        ("no shape", "tensor 'w': its shape is no list", lambda: write("bad.safetensors", 0, header={"w": {**U8, "shape": 4}}, data=b"1234")),
        ("no extent", "tensor 'w': item 0 of its shape is no extent", lambda: write("bad.safetensors", 0, header={"w": {**U8, "shape": ["4"]}}, data=b"1234")),
        ("a high rank", "tensor 'w': more than 64 axes", lambda: write("bad.safetensors", 0, header={"w": {**U8, "shape": [1] * 65}}, data=b"1234")),
        ("another name", "no tensor 'w' among its 1: v", lambda: write("bad.safetensors", 0, header={"v": U8}, data=b"1234")),
]:
    make()
    fails(1, [words], "show", "w", "w=bad.safetensors:w")
write("bad.safetensors", 0, header={"w": U8, "v": {**U8, "data_offsets": [4, 8]}}, data=b"12345678")
fails(1, ["it has 2 tensors: w, v; one is named"], "show", "w", "w=bad.safetensors")
fails(2, ["a tensor needs a name"], "run", "x", "x=u8[2]", "-o", "out.safetensors")
fails(1, ["out.safetensors: safetensors has no c128"], "run", "x", "x=c128[2]", "-o", "out.safetensors:x")
fails(1, ["no tensor can be called __metadata__"], "run", "x", "x=u8[2]", "-o", "out.safetensors:__metadata__")
fails(2, ["given twice"], "run", "[x, x]", "x=u8[2]", "-o", "o.safetensors:x", "-o", "o.safetensors:x")

# Archives of NumPy's: stored members mapped, compressed ones inflated.
arrays = {"a": rng.integers(0, 99, (40, 30)), "f": np.asfortranarray(rng.standard_normal((3, 4))), "swapped": np.arange(6, dtype=">i4"),
          "empty": np.zeros((0, 3), "f4"), "arr_0": np.arange(1 << 17, dtype="i4")}
np.savez("plain.npz", **arrays)
np.savez_compressed("packed.npz", **arrays)
packs = "without zlib" not in run("show", "x", "x=packed.npz:a").stderr
for name in ["plain.npz"] + ["packed.npz"] * packs:
    for key, array in arrays.items():
        for chunk in "64K", "1G":
            succeeds("run", "x.flip(0)", f"x={name}:{key}", "-o", "out.npy", "--chunk", chunk)
            got = np.load("out.npy")
            claim(got.dtype.newbyteorder("=") == array.dtype.newbyteorder("=") and (got == array[::-1]).all(), f"{name}:{key}")
np.savez("single.npz", np.arange(3))
claim(succeeds("show", "x", "x=single.npz").stdout.startswith(b"[0 1 2]"), "the only member needs no name")
fails(1, ["no array 'q' among its 5 members, such as a.npy"], "show", "x", "x=plain.npz:q")
fails(1, ["it has 5 members, such as a.npy; one is named"], "show", "x", "x=plain.npz")
fails(1, [".npz files alone"], "assign", "x[0]=1", "x=plain.npz:a")
with zipfile.ZipFile("odd.npz", "w", zipfile.ZIP_BZIP2) as archive:
    archive.writestr("a.npy", b"x" * 300)
fails(1, ["compressed by method 12"], "show", "x", "x=odd.npz:a")
with zipfile.ZipFile("odd.npz", "w") as archive:
    archive.writestr("a.npy", b"no array at all")
fails(1, ["the magic bytes are missing"], "show", "x", "x=odd.npz:a")
whole = io.BytesIO()
np.savez(whole, a=np.arange(20))
whole = whole.getvalue()
for length in range(0, len(whole), 7):
    with open("cut.npz", "wb") as file:
        file.write(whole[:length])
    fails(1, ["the record at the end of a ZIP archive is missing"], "show", "x", "x=cut.npz:a")
if packs:
    damaged = bytearray(open("packed.npz", "rb").read())
    damaged[100:140] = bytes(40)
    open("damaged.npz", "wb").write(damaged)
    fails(1, ["a compressed member is damaged"], "show", "x", "x=damaged.npz:a")

# The reference implementation, where it is installed.
try:
    from safetensors.numpy import load_file, save_file
except ImportError:
    pass
else:
    theirs = {"q": rng.standard_normal((8, 6)).astype("f4"), "k": np.arange(6, dtype="i8")}
    save_file(theirs, "theirs.safetensors")
    succeeds("run", "[q.T, k]", "q=theirs.safetensors:q", "k=theirs.safetensors:k", "-o", "ours.safetensors:q", "-o", "ours.safetensors:k")
    ours = load_file("ours.safetensors")
    claim((ours["q"] == theirs["q"].T).all() and (ours["k"] == theirs["k"]).all(), "safetensors for Python reads ours")
finish("tensors")
