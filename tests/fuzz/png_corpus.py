"""Write the corpus of the PNG target: python3 png_corpus.py DIRECTORY.

One small file for each form of pixels, straight and interlaced; palettes and transparent colours;
and what a hostile file does: cut, wrong checksums, extents beyond all measure, texts that unpack.
"""
import os
import struct
import sys
import zlib

GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}
DEPTHS = {GRAY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GRAY_ALPHA: (8, 16), RGBA: (8, 16)}
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def rows(width, height, bits):
    """Rows whose bytes count up, each with the next of the five filters before it."""
    stride = (width * bits + 7) // 8
    return b"".join(bytes([y % 5]) + bytes((7 * y + 3 * i) % 256 for i in range(stride)) for y in range(height) if stride)


def png(width, height, depth, color, interlaced=0, before=b"", size=None):
    bits = depth * CHANNELS[color]
    if interlaced:
        raw = b"".join(rows((width - x + dx - 1) // dx, (height - y + dy - 1) // dy, bits) for x, y, dx, dy in PASSES)
    else:
        raw = rows(width, height, bits)
    if color == PALETTE:
        before = chunk(b"PLTE", bytes(i % 251 for i in range(3 << depth))) + before
    head = struct.pack(">IIBBBBB", *(size or (width, height)), depth, color, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + before + chunk(b"IDAT", zlib.compress(raw, 9))
            + chunk(b"IEND", b""))


def files():
    names = {GRAY: "gray", RGB: "rgb", PALETTE: "palette", GRAY_ALPHA: "gray_alpha", RGBA: "rgba"}
    for color, depths in DEPTHS.items():
        for depth in depths:
            yield f"{names[color]}{depth}", png(5, 3, depth, color)
            yield f"{names[color]}{depth}_interlaced", png(9, 6, depth, color, 1)
    yield "palette2_alpha", png(5, 3, 2, PALETTE, before=chunk(b"tRNS", b"\x00\x80\xff"))
    yield "gray8_alpha", png(5, 3, 8, GRAY, before=chunk(b"tRNS", b"\0\x03"))
    yield "rgb16_alpha", png(5, 3, 16, RGB, before=chunk(b"tRNS", bytes(6)))
    yield "one_pixel", png(1, 1, 8, GRAY)
    text = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(100000), 9))
    profile = chunk(b"iCCP", b"p\0\0" + zlib.compress(bytes(3000), 9))
    yield "texts", png(5, 3, 8, GRAY, before=3 * text + profile + chunk(b"gAMA", struct.pack(">I", 45455)))
    whole = png(5, 3, 8, RGB)
    for length in (8, 20, 33, 45, 60, len(whole) - 12):
        yield f"cut{length}", whole[:length]
    yield "wrong_checksum", whole[:30] + b"\0" + whole[31:]
    yield "no_data", b"".join([whole[:33], whole[-12:]])
    yield "two_heads", whole[:33] + whole[8:]
    for name, size in [("petabytes", (1 << 31) - 1), ("terabyte", 1 << 20), ("megabytes", 3000), ("nothing", 0)]:
        yield "bomb_" + name, png(5, 3, 8, RGBA, size=(size, size))
    yield "bomb_tall", png(5, 3, 1, GRAY, size=(1, 1 << 20))
    yield "bomb_wide", png(5, 3, 16, RGBA, 1, size=(1 << 20, 1))


if __name__ == "__main__":
    for name, content in files():
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(content)
