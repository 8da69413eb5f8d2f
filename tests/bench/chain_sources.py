"""chain_sources.py -- what random chains start from: the arrays that people hold.

The shapes are ones in use and odd ones. Axes have a meaning: n batch, t time, h w d space, c channels, s sequence,
e heads, k features; the axis None takes what is left of the size that is wanted.
"""

import math

BYTES = {
    "bool": 1,
    "u8": 1,
    "i8": 1,
    "u16": 2,
    "i16": 2,
    "f16": 2,
    "bf16": 2,
    "u32": 4,
    "i32": 4,
    "f32": 4,
    "u64": 8,
    "i64": 8,
    "f64": 8,
    "c64": 8,
    "c128": 16,
}
PICTURES = (
    (1080, 1920),
    (720, 1280),
    (2160, 3840),
    (480, 640),
    (1200, 1600),
    (3024, 4032),
    (1079, 1919),
    (427, 640),
    (333, 500),
    (768, 1024),
    (1536, 2048),
)
CROPS = (224, 256, 384, 512, 299, 227, 112, 128, 640, 1024)
MAPS = (7, 14, 28, 56, 112, 13, 33, 32, 64, 40, 80)
CHANNELS = (32, 64, 96, 128, 192, 256, 512, 768, 17, 100)
SIDES = (512, 1000, 1024, 2000, 2048, 3000, 4096, 4095, 5000, 6144, 8192, 777, 1536, 3333, 64, 100, 16, 300)


class Chain:
    """An expression, with the shape, the meaning of the axes and the type of its result."""

    def __init__(self, text, shape, roles, dtype):
        self.text, self.shape, self.roles, self.dtype = text, list(shape), list(roles), dtype

    def bytes(self):
        return math.prod(self.shape) * BYTES[self.dtype]

    def then(self, words, shape, roles, dtype=None):
        return Chain(self.text + words, shape, roles, dtype or self.dtype)

    def rank(self):
        return len(self.shape)

    def axes(self, roles):
        return [k for k, role in enumerate(self.roles) if role in roles]

    def plane(self):
        """The two axes of a picture, or the last two."""
        found = self.axes("hw")
        return tuple(found) if len(found) == 2 else (self.rank() - 2, self.rank() - 1)


def weighted(r, table_of):
    return r.choices([row[1] for row in table_of], [row[0] for row in table_of])[0]


def picture(r):
    h, w = r.choice(PICTURES)
    c = r.choice((3, 3, 3, 4, 4, 1))
    dtype = r.choice(("u8", "u8", "u8", "u8", "u16", "f32"))
    return r.choice(
        (
            ((None, h, w, c), "nhwc", dtype),
            ((None, h, w, c), "nhwc", dtype),
            ((None, c, h, w), "nchw", dtype),
            ((None, w, c), "hwc", dtype),
        )
    )


def batch(r):
    side = r.choice(CROPS)
    c = r.choice((3, 3, 3, 1, 4))
    dtype = r.choice(("u8", "f32", "f32", "f16", "bf16"))
    return r.choice((((None, side, side, c), "nhwc", dtype), ((None, c, side, side), "nchw", dtype)))


def video(r):
    h, w = r.choice(PICTURES[:5])
    dtype = r.choice(("u8", "u8", "u8", "f16"))
    return r.choice(
        (
            ((None, h, w, 3), "thwc", dtype),
            ((2, 3, None, h // 4, w // 4), "ncthw", dtype),
            ((None, 8, h // 3, w // 3, 3), "nthwc", dtype),
        )
    )


def sound(r):
    channels = r.choice((2, 2, 2, 1, 6, 8))
    dtype = r.choice(("i16", "i16", "f32", "i32"))
    second = r.choice((44100, 48000, 16000))
    return r.choice(
        (
            ((None, channels), "tc", dtype),
            ((channels, None), "ct", dtype),
            ((None, second, channels), "ntc", dtype),
            ((None, channels, second), "nct", dtype),
        )
    )


def tensor(r):
    side, c = r.choice(MAPS), r.choice(CHANNELS)
    dtype = r.choice(("f32", "f32", "f16", "bf16", "i8"))
    return r.choice((((None, c, side, side), "nchw", dtype), ((None, side, side, c), "nhwc", dtype)))


def attention(r):
    d, e = r.choice((64, 64, 80, 96, 128)), r.choice((8, 12, 16, 32))
    s = r.choice((128, 197, 256, 512, 1000, 1024, 2048, 4096))
    dtype = r.choice(("f16", "bf16", "f32"))
    return r.choice(
        (((None, s, e, d), "nsek", dtype), ((None, e, s, d), "nesk", dtype), ((None, s, e * d), "nsk", dtype))
    )


def volume(r):
    h, w = r.choice(((512, 512), (256, 256), (217, 181), (128, 128), (320, 260), (1024, 1024)))
    return (None, h, w), "dhw", r.choice(("u8", "u16", "i16", "f32", "f64"))


def matrix(r):
    return (None, r.choice(SIDES)), "hw", r.choice(list(BYTES))


def table(r):
    return (
        (None, r.choice((3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 28, 40))),
        "nk",
        r.choice(("i64", "f64", "f32", "i32", "u8", "f16")),
    )


def spectrum(r):
    return (
        (r.choice((1, 2, 4)), None, r.choice((257, 513, 1024, 1025))),
        "nts",
        r.choice(("c64", "c128", "f32")),
    )


SOURCES = (
    (3, picture),
    (2, batch),
    (1, video),
    (1.5, sound),
    (2, tensor),
    (2, attention),
    (1, volume),
    (2, matrix),
    (0.7, table),
    (0.5, spectrum),
)


def source(r, size):
    shape, roles, dtype = weighted(r, SOURCES)(r)
    rest = math.prod(n for n in shape if n) * BYTES[dtype]
    return Chain("x", [n or max(1, round(size / rest)) for n in shape], roles, dtype)
