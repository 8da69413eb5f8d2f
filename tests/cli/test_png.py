"""PNG in and out; the files are made and read here, chunk by chunk, without a library."""
import os
import struct
import zlib

import numpy as np

from _tool import as_there, claim, fails, finish, run, scratch, succeeds

keeper = scratch()
rng = np.random.default_rng(3)
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, color, rows, more=b"", size=None):
    """A PNG of raw rows (bytes each), unfiltered."""
    head = struct.pack(">IIBBBBB", *(size or (width, height)), depth, color, 0, 0, 0)
    packed = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def write(content, name="in.png"):
    with open(name, "wb") as file:
        file.write(content)


def unfilter(data, height, stride, step):
    """Undo the filters of a PNG's rows."""
    out, above, at = [], bytearray(stride), 0
    for _ in range(height):
        kind, row, at = data[at], bytearray(data[at + 1:at + 1 + stride]), at + 1 + stride
        for i in range(stride):
            left = row[i - step] if i >= step else 0
            up, corner = above[i], above[i - step] if i >= step else 0
            if kind == 4:
                guess = left + up - corner
                choice = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            else:
                choice = (0, left, up, (left + up) // 2)[kind]
            row[i] = (row[i] + choice) & 255
        out.append(bytes(row))
        above = row
    return b"".join(out)


def read(name):
    """The pixels of a PNG of 8 or 16 bits without palette or interlace."""
    with open(name, "rb") as file:
        content = file.read()
    at, packed = 8, b""
    while at < len(content):
        length, = struct.unpack(">I", content[at:at + 4])
        kind, data = content[at + 4:at + 8], content[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[:10])
        if kind == b"IDAT":
            packed += data
        at += 12 + length
    channels = {GRAY: 1, RGB: 3, GRAY_ALPHA: 2, RGBA: 4}[color]
    stride = width * channels * depth // 8
    pixels = np.frombuffer(unfilter(zlib.decompress(packed), height, stride, channels * depth // 8), ">u%d" % (depth // 8))
    return pixels.astype("u%d" % (depth // 8)).reshape((height, width) if channels == 1 else (height, width, channels))


def through(expression, expected, label):
    """The tool reads in.png and writes out.npy and out.png, both `expected`."""
    succeeds("run", expression, "x=in.png", "-o", "out.npy")
    came = np.load("out.npy")
    claim(came.dtype == as_there(expected).dtype and np.array_equal(came, expected), f"{label} to .npy", came, expected)
    succeeds("run", expression, "x=in.png", "-o", "out.png")
    came = read("out.png")
    claim(came.dtype == expected.dtype and np.array_equal(came, expected), f"{label} to .png", came, expected)


for color, channels in [(GRAY, 1), (RGB, 3), (GRAY_ALPHA, 2), (RGBA, 4)]:
    for depth in (8, 16):
        shape = (5, 7) if channels == 1 else (5, 7, channels)
        pixels = rng.integers(0, 256 ** (depth // 8), shape).astype("u%d" % (depth // 8))
        write(png(7, 5, depth, color, [row.astype(f">u{depth // 8}").tobytes() for row in pixels]))
        through("x", pixels, f"{channels} channels of {depth} bits")
        through("x.rot90(1, (0, 1)).flip(1)", np.flip(np.rot90(pixels, 1, (0, 1)), 1), f"{channels} of {depth}, turned")

# Gray of fewer bits is scaled to 8; palettes become their colours; transparent ones get alpha.
for depth in (1, 2, 4):
    values = rng.integers(0, 2 ** depth, (3, 8))
    rows = [np.packbits(np.unpackbits(row.astype("u1")[:, None], axis=1)[:, -depth:].ravel()).tobytes() for row in values]
    write(png(8, 3, depth, GRAY, rows))
    through("x", (values * (255 // (2 ** depth - 1))).astype("u1"), f"gray of {depth} bits")
    palette = rng.integers(0, 256, (2 ** depth, 3)).astype("u1")
    write(png(8, 3, depth, PALETTE, rows, chunk(b"PLTE", palette.tobytes())))
    through("x", palette[values], f"palette of {depth} bits")
    alpha = rng.integers(0, 256, 2 ** depth).astype("u1")
    write(png(8, 3, depth, PALETTE, rows, chunk(b"PLTE", palette.tobytes()) + chunk(b"tRNS", alpha.tobytes())))
    through("x", np.concatenate([palette, alpha[:, None]], 1)[values], f"palette of {depth} bits with alpha")
write(png(2, 1, 8, GRAY, [b"\x05\x06"], chunk(b"tRNS", b"\0\x05")))
through("x", np.array([[[5, 0], [6, 255]]], "u1"), "gray with a transparent value")
write(png(2, 1, 8, RGB, [b"\x05\x06\x07\x08\x09\x0a"], chunk(b"gAMA", struct.pack(">I", 100000))))
through("x", np.array([[[5, 6, 7], [8, 9, 10]]], "u1"), "values are not changed by a gamma")

# What a PNG cannot hold.
for declaration, words in [("f32[4,4]", ["u8 or u16", "f32"]), ("bool[4,4]", ["u8 or u16", "bool"]),
                           ("u8[4]", ["shapes"]), ("u8[4,4,5]", ["shapes"]), ("u8[4,4,0]", ["shapes"]),
                           ("u8[]", ["shapes"]), ("u8[1,4,4,3]", ["shapes"]), ("u8[0,4]", ["4 x 0 pixels"])]:
    fails(1, ["bad.png", *words], "run", "x", f"x={declaration}", "-o", "bad.png")
    claim(not os.path.exists("bad.png"), f"no PNG of {declaration}")
succeeds("run", "x", "x=u8[3,4,1]", "-o", "out.png")
claim(read("out.png").shape == (3, 4), "(H,W,1) is gray")
succeeds("run", "x", "x=u8[3,4]", "-o", "OUT.PNG")
claim(read("OUT.PNG").shape == (3, 4), "an ending in capitals")

# Broken files: one line each.
good = png(7, 5, 8, RGB, [bytes(21)] * 5)
for length in range(8, len(good) - 12):
    write(good[:length])
    fails(1, ["in.png", "PNG"], "run", "x", "x=in.png", "-o", "bad.npy")
for place in range(8, len(good) - 12):
    write(good[:place] + bytes([good[place] ^ 0x55]) + good[place + 1:])
    done = run("run", "x", "x=in.png", "-o", "bad2.npy")
    claim(done.returncode == 0 or done.returncode == 1 and done.stderr.count("\n") == 1, f"byte {place} changed",
          done.returncode, done.stderr)
claim(not os.path.exists("bad.npy"), "no output of a broken PNG")
write(png(7, 5, 8, RGB, [bytes(21)] * 5, size=(1 << 20, 1 << 20)))
fails(1, ["1048576 x 1048576 pixels cannot come from"], "run", "x", "x=in.png", "-o", "bad.npy")
write(png(7, 5, 8, RGB, [bytes(21)] * 5, size=(1 << 30, 1)))
fails(1, ["in.png", "PNG"], "run", "x", "x=in.png", "-o", "bad.npy")
write(png(7, 5, 8, RGB, [bytes(21)] * 5, size=(0, 5)))
fails(1, ["in.png", "PNG"], "run", "x", "x=in.png", "-o", "bad.npy")
write(b"GIF89a....")
fails(1, ["neither a .npy file nor a PNG"], "run", "x", "x=in.png", "-o", "bad.npy")
write(b"")
fails(1, ["neither a .npy file nor a PNG"], "run", "x", "x=in.png", "-o", "bad.npy")
finish("png")
