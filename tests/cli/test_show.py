"""viewfold show prints values exactly as NumPy's print() does."""
import numpy as np

from _tool import NUMPY, as_there, claim, fails, finish, run, scratch, succeeds

keeper = scratch()
rng = np.random.default_rng(20240601)


def older_numpy_differs(array):
    """Before 2.3 NumPy turned to scientific notation at the same limits whatever the type, and
    before 2.0 it compared with 1e-4 in double precision."""
    if NUMPY >= (2, 3) or array.dtype.char not in "efF":
        return False
    limit = 1e3 if array.dtype.char == "e" else 1e6
    for part in array.real, array.imag:
        part = np.abs(part[np.isfinite(part) & (part != 0)]).astype(np.float64)
        if part.size and (limit <= part.max() < (1e8 if array.shape else 1e16)
                          or abs(part.min() / 1e-4 - 1) < 1e-3):
            return True
    return False


def check(array, label):
    if older_numpy_differs(array):
        return
    np.save("a.npy", array)
    done = run("show", "x", "x=a.npy")
    values = done.stdout.decode().split("\ndtype ")[0]
    claim(done.returncode == 0 and values == str(array), f"show {label} {array.dtype} {array.shape}",
          "expected", str(array), "came", values, done.stderr)


def shapes():
    yield from [(), (1,), (0,), (3,), (0, 4), (2, 3), (1, 1, 1), (7, 1), (2, 3, 4), (1, 2, 1, 3), (40,)]


INTEGERS = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"]
FLOATS = ["f2", "f4", "f8"]
COMPLEX = ["c8", "c16"]

for name in INTEGERS:
    info = np.iinfo(name)
    for shape in shapes():
        check(rng.integers(info.min, info.max, shape, name, endpoint=True), "integers")
        check(rng.integers(0, 9, shape, name), "small integers")
for shape in shapes():
    check(rng.integers(0, 2, shape).astype(bool), "bools")


def floats(name, shape):
    """Floats of many kinds: whole, short, long, near, far, special."""
    kind = rng.integers(0, 8)
    normal = rng.standard_normal(shape)
    with np.errstate(all="ignore"):
        if kind == 0:
            out = np.round(normal * 100)
        elif kind == 1:
            out = np.round(normal * 10, 1)
        elif kind == 2:
            out = normal
        elif kind == 3:
            out = normal * 10.0 ** rng.integers(-30, 30, shape)
        elif kind == 4:
            out = normal * 1e-3
        elif kind == 5:
            out = np.ldexp(np.ones(shape), rng.integers(-1074, 1024, shape))
        elif kind == 6:
            bits = rng.integers(0, 2**63, shape, np.int64)
            out = np.asarray(bits).view(np.float64)
        else:
            out = np.round(normal * 3) / 4
        out = np.array(out).astype(name)
    if out.size and rng.integers(0, 4) == 0:
        flat = out.reshape(-1)
        flat[rng.integers(0, out.size)] = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0])
    return out


for name in FLOATS:
    for shape in shapes():
        for _ in range(12):
            check(floats(name, shape), "floats")
    check(np.array([np.nan, np.inf]).astype(name), "only special")
    check(np.array([np.nan, -np.inf, 1.5]).astype(name), "special")
    check(np.array([1000.0, 1.0]).astype(name), "ratio 1000")
    check(np.array([1001.0, 1.0]).astype(name), "ratio beyond 1000")
    check(np.array([1e-4, 2e-4]).astype(name), "1e-4")
    check(np.array([9.9e-5, 1e-3]).astype(name), "below 1e-4")
    check(np.zeros(3, name), "zeros")
    check(-np.zeros(3, name), "negative zeros")
    for value in [0.1, 1e16, 1e15, 123456789, 1e-4, 9e-5, -0.0, 65504, 6e-8, np.nan, -np.inf, 3, 1e22, 5e-324, 1.7e308]:
        with np.errstate(all="ignore"):
            check(np.array(value).astype(name), "scalar")
# Every 16-bit float, in rows that summarise nothing.
halves = np.arange(65536, dtype=np.uint16).view(np.float16)
for part in np.array_split(halves, 70):
    check(part, "halves")
check(np.array([1e8, 1.0]), "1e8")
check(np.array([99999999.0, 1e6]), "below 1e8")
# Powers of two have lopsided neighbours: the fewest digits need care.
for start in range(-1074, 1024, 100):
    check(np.ldexp(1.0, np.arange(start, min(start + 100, 1024))), "powers of two")
check(np.ldexp(np.float32(1), np.arange(-149, 128)).astype("f4"), "powers of two")
for exponent in range(-1074, 1024, 37):
    check(np.array(np.ldexp(1.0, exponent)), "power of two")
for exponent in range(-149, 128, 5):
    check(np.array(np.ldexp(1.0, exponent), "f4"), "power of two")

for name in COMPLEX:
    for shape in shapes():
        for _ in range(6):
            part = floats(name.replace("c8", "f4").replace("c16", "f8"), shape)
            other = floats(part.dtype.name, shape)
            both = np.zeros(shape, name)
            both.real, both.imag = part, other
            check(both, "complex")
    for value in [1 + 2j, 2j, -0.0 + 2j, complex(np.nan, np.inf), complex(0, -np.inf), 1e20 - 1e-9j, 0j]:
        check(np.array(value, name), "complex scalar")

# Long arrays are shortened, at 1001 elements and not before.
for shape in [(1000,), (1001,), (1100, 2), (2, 600), (7, 8, 20), (11, 11, 11), (1001, 1), (3, 3, 200), (10, 7, 6, 5),
              (6, 300), (7, 300), (2, 2, 2, 2, 2, 2, 2, 2, 2, 2)]:
    check(np.arange(np.prod(shape), dtype="i4").reshape(shape), "shortened")
    check(np.linspace(0, 1, int(np.prod(shape))).reshape(shape), "shortened")
    check(np.asfortranarray(rng.standard_normal(shape)), "shortened Fortran")

# What is only moved prints as the bytes it is.
for element in (np.array([b"abc", b"it's"]), np.array([1, -5], "m8[s]"), np.array(["2020-02-29"], "M8[D]"),
                np.array(["\u00e9\u4e16"]), np.frombuffer(bytes(range(24)), "V12"), np.zeros((), "V3")):
    np.save("a.npy", element)
    moved = as_there(element).tobytes()
    flat = [moved[i:i + element.itemsize].hex() for i in range(0, element.nbytes, element.itemsize)]
    wanted = "[" + " ".join(flat) + "]" if element.shape else flat[0]
    shown = succeeds("show", "x", "x=a.npy").stdout.decode().split("\ndtype ")[0]
    claim(shown == wanted, f"show opaque {element.dtype}", wanted, shown)

# What follows the values.
np.save("a.npy", np.arange(6, dtype="f4").reshape(2, 3))
done = succeeds("show", "x", "x=a.npy")
tail = done.stdout.decode().split("\ndtype ")[1].split("\n")
claim(tail[:4] == ["   f32", "shape    (2, 3)", "strides  (3, 1)", "offset   0"]
      and tail[4].startswith("storage  "), "show tells dtype, shape, strides, offset, storage", tail)
done = succeeds("show", "x", "x=bf16[3]")
claim(done.stdout.startswith(b"[0. 1. 2.]\n"), "bf16 prints as f32", done.stdout)
done = succeeds("show", "x", "x=f32[]")
claim(done.stdout.startswith(b"0.0\n") and b"shape    ()\n" in done.stdout, "rank 0", done.stdout)

# Which elements of memory are read: of each input, through other types, of what is too large to follow.
def storage(text, *inputs):
    return succeeds("show", text, *inputs, "--storage").stdout.decode().split("\nstorage ")[1].split("\n", 1)[1]


claim(storage("cat([x[:, ::2], y.flip(0)[:, :3]]).pad([1, 0])", "x=u8[2,5]", "y=u8[2,4]", "z=f32[2]") ==
      "x: 10 u8 in memory, 6 read, 0 more than once\n  [0]  1  [2]  3  [4]\n  [5]  6  [7]  8  [9]\n"
      "y: 8 u8 in memory, 6 read, 0 more than once\n  [0] [1] [2]  3\n  [4] [5] [6]  7\n"
      "z: 2 f32 in memory, 0 read, 0 more than once\n   0.   1.\n", "what is read of each input")
claim(storage("x.unfold(0, 3, 1)", "x=i16[6]").startswith("x: 6 i16 in memory, 6 read, 4 more than once\n"),
      "elements read more than once are counted")
claim(storage("x.view(u8)[5:7]", "x=i16[5]") == "x: 5 i16 in memory, 2 read, 0 more than once\n   0   1  [2] [3]  4\n",
      "an element is read of which a byte is")
claim(storage("x[:0]", "x=u8[300]").startswith("x: 300 u8 in memory, 0 read"), "nothing is read for no elements")
claim(storage("x.byteswap()[1:]", "x=i16[3]").startswith("x: 3 i16 in memory, 2 read"), "swapped bytes are followed")
fails(1, ["elements are computed of x"], "show", "x.to(f32) - y", "x=u8[300]", "y=f32[300]", "--storage")
claim(storage("x[0, :300]", "x=u8[5000,5000]") == "x: too large to follow each byte\n", "large inputs are not followed")
finish("show")
