"""Arrays of Zarr v3: folders that are written here by the format's own words, read by the tool; bad ones refused."""
import gzip
import itertools
import json
import os
import shutil
import sys

import numpy as np

from _tool import claim, fails, finish, run, scratch, succeeds

try:
    from compression import zstd  # Python 3.14
except ImportError:
    try:
        import zstandard as zstd
    except ImportError:
        zstd = None

keeper = scratch()
NAMES = {"?": "bool", "i1": "int8", "u2": "uint16", "i4": "int32", "u8": "uint64", "f2": "float16", "f4": "float32",
         "f8": "float64", "c8": "complex64", "c16": "complex128"}
PACK = {None: bytes, "gzip": gzip.compress, **({"zstd": zstd.compress} if zstd else {})}
sizes = {"left_out": 0}


def header_of(array, chunks, codec=None, endian="little", fill=0, keys=("default", "/")):
    codecs = [{"name": "bytes", "configuration": {"endian": endian}}]
    return {"zarr_format": 3, "node_type": "array", "shape": list(array.shape), "data_type": NAMES[array.dtype.str[1:]]
            if array.dtype != bool else "bool", "fill_value": fill, "attributes": {},
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
            "chunk_key_encoding": {"name": keys[0], "configuration": {"separator": keys[1]}},
            "codecs": codecs + ([{"name": codec, "configuration": {}}] if codec else [])}


def write(folder, array, chunks, codec=None, endian="little", fill=0, keys=("default", "/")):
    """Chunks whose elements are all `fill` have no file."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(f"{folder}/zarr.json", "w") as file:
        json.dump(header_of(array, chunks, codec, endian, fill, keys), file)
    for place in itertools.product(*[range(-(-extent // chunk)) for extent, chunk in zip(array.shape, chunks)]):
        whole = np.full(chunks, fill, array.dtype)
        part = array[tuple(slice(i * c, (i + 1) * c) for i, c in zip(place, chunks))]
        whole[tuple(slice(extent) for extent in part.shape)] = part
        name = keys[1].join((["c"] if keys[0] == "default" else []) + list(map(str, place))) or "0"
        if (whole == fill).all():
            sizes["left_out"] += 1
            continue
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        with open(f"{folder}/{name}", "wb") as file:
            file.write(PACK[codec](whole.astype(whole.dtype.newbyteorder("<" if endian == "little" else ">")).tobytes()))


if "built without jansson" in run("show", "x", "x=.").stderr:
    print("zarr: this tool was built without jansson")
    sys.exit(77)
write("probe.zarr", np.arange(3, dtype="i4"), (3,))
if "built without jansson" in run("show", "x", "x=probe.zarr").stderr:
    print("zarr: this tool was built without jansson")
    sys.exit(77)
write("probe.zarr", np.arange(3, dtype="i4"), (3,), "gzip")
if "built without zlib" in run("show", "x", "x=probe.zarr").stderr:
    del PACK["gzip"]
if zstd:
    write("probe.zarr", np.arange(3, dtype="i4"), (3,), "zstd")
    if "built without libzstd" in run("show", "x", "x=probe.zarr").stderr:
        del PACK["zstd"]

# ---- what is read

count = 0
for dtype, shape in itertools.product(NAMES, [(5, 7), (12,), (4, 3, 5), (), (0, 4)]):
    for chunks in {shape, tuple(min(3, max(n, 1)) for n in shape), tuple(n + 2 for n in shape)}:
        chunks = tuple(max(n, 1) for n in chunks)
        count += 1
        codec = list(PACK)[count % len(PACK)]
        array = (np.arange(np.prod(shape, dtype=int)) % 100).astype(dtype).reshape(shape)
        if array.ndim > 1:
            array[:3] = 1
        keys = [("default", "/"), ("default", "."), ("v2", "."), ("v2", "/")][count % 4]
        write("a.zarr", array, chunks, codec, ["little", "big"][count // 2 % 2], fill=1, keys=keys)
        succeeds("run", "x", "x=a.zarr", "-o", "a.npy")
        read = np.load("a.npy")
        claim(read.shape == array.shape and (read == array).all(), f"{dtype} {shape} in {chunks}, {codec}, {keys}", read)
claim(count > 100 and sizes["left_out"] > 20, "many of them, and chunks without a file", count, sizes)

for dtype, fill in (("f8", 0.5), ("f4", -2.25), ("f2", 3.0), ("c16", [1.5, -2.0])):
    os.makedirs("f.zarr", exist_ok=True)
    with open("f.zarr/zarr.json", "w") as file:
        json.dump(header_of(np.zeros(3, dtype), (2,), fill=fill), file)
    succeeds("run", "x", "x=f.zarr", "-o", "a.npy")
    claim((np.load("a.npy") == (complex(*fill) if isinstance(fill, list) else fill)).all(), f"{dtype} filled with {fill}")
with open("f.zarr/zarr.json", "w") as file:
    json.dump(header_of(np.zeros(3, "f4"), (2,), fill="NaN"), file)
succeeds("run", "x", "x=f.zarr", "-o", "a.npy")
claim(np.isnan(np.load("a.npy")).all(), "filled with NaN")

array = np.arange(24, dtype="f4").reshape(4, 6)
write("g/a.zarr", array, (2, 4))
succeeds("run", "x.T[::2]", "x=g/a.zarr", "-o", "a.npy", "--chunk", "16")
claim((np.load("a.npy") == array.T[::2]).all(), "a chain over it, in pieces")
claim(b"cuts: 0" in succeeds("explain", "x.T", "x=g/a.zarr").stdout, "explain")

# ---- what is not


def refuses(words, change, name="a.zarr"):
    write(name, array, (2, 4), "gzip" if "gzip" in PACK else None)
    change(name)
    fails(1, words, "show", "x", f"x={name}")


def edit(**keys):
    def change(name):
        with open(f"{name}/zarr.json") as file:
            header = json.load(file)
        with open(f"{name}/zarr.json", "w") as file:
            json.dump({**header, **keys}, file)
    return change


def overwrite(path, data):
    def change(name):
        with open(f"{name}/{path}", "wb") as file:
            file.write(data)
    return change


refuses(["Is a directory, without zarr.json"], lambda name: os.remove(f"{name}/zarr.json"))
refuses(["no JSON"], overwrite("zarr.json", b"{"))
refuses(["no object"], overwrite("zarr.json", b"[1]"))
refuses(["format 2, not 3"], edit(zarr_format=2))
refuses(["'group'", "name one inside it"], edit(node_type="group"))
refuses(["data_type 'string'"], edit(data_type="string"))
refuses(["'irregular'"], edit(chunk_grid={"name": "irregular"}))
refuses(["item 1 of the shape"], edit(shape=[4, -6]))
refuses(["item 0 of the chunk_shape"], edit(chunk_grid={"name": "regular", "configuration": {"chunk_shape": [0, 4]}}))
refuses(["2 extents and chunks of 1"], edit(chunk_grid={"name": "regular", "configuration": {"chunk_shape": [4]}}))
refuses(["beyond 63 bits"], edit(shape=[1 << 40, 1 << 40]))
refuses(["item 0 of the shape"], edit(shape=[1.5, 1]))
refuses(["'other'"], edit(chunk_key_encoding={"name": "other"}))
refuses(["3 codecs"], edit(codecs=[{"name": "bytes"}] * 3))
refuses(["'transpose'"], edit(codecs=[{"name": "transpose"}, {"name": "bytes"}]))
refuses(["'blosc'", "neither"], edit(codecs=[{"name": "bytes"}, {"name": "blosc"}]))
refuses(["c/0/0", "3 bytes, where a chunk has 32"],
        lambda name: (edit(codecs=[{"name": "bytes"}])(name), overwrite("c/0/0", b"abc")(name)))
refuses(["c/1/1", "fill_value"], lambda name: (edit(fill_value="odd")(name), os.remove(f"{name}/c/1/1")))
if "gzip" in PACK:
    refuses(["c/0/1", "damaged"], overwrite("c/0/1", gzip.compress(bytes(31))))
    refuses(["c/0/1", "damaged"], overwrite("c/0/1", gzip.compress(bytes(33))))
    refuses(["c/0/1", "damaged"], overwrite("c/0/1", b"\x1f\x8b nothing"))
if "zstd" in PACK:
    refuses(["c/0/0", "another length"], lambda name: (edit(codecs=[{"name": "bytes"}, {"name": "zstd"}])(name),
                                                       *[overwrite(f"c/{i}/{j}", zstd.compress(bytes(31)))(name)
                                                         for i in (0, 1) for j in (0, 1)]))
fails(1, ["compressed, or of Zarr"], "assign", "x=1", "x=g/a.zarr")
finish("zarr")
