"""cases.py -- read a batch of chains as tests/support/dump.h writes it."""

import json
import os

import numpy as np
from numpy.lib.stride_tricks import as_strided

from views import View, numpy_dtype


class Case:
    """One expression, its leaves as Views, and the bytes that came of it."""

    def __init__(self, record, blob):
        self.number = record["number"]
        self.text = record["text"]
        self.record = record
        self.arrays = {leaf["name"]: leaf_view(leaf, blob) for leaf in record["leaves"]}
        self.dtype = numpy_dtype(record["dtype"]) if record["dtype"] != "bf16" else None
        self.shape = tuple(record["shape"])
        self.count = int(np.prod(self.shape, dtype=object)) if self.shape else 1
        self.bytes = blob[record["at"]:record["at"] + self.count * self.dtype.itemsize]

    def declarations(self):
        return "; ".join("%(name)s: %(dtype)s%(shape)s strides %(strides)s" % leaf for leaf in self.record["leaves"])

    def complaint(self, shape, data):
        """None if the result is the expected one, else what is wrong with it."""
        if tuple(shape) != self.shape:
            return "shape %s, not %s" % (tuple(shape), self.shape)
        if data == self.bytes:
            return None
        size = self.dtype.itemsize
        for k in range(self.count):
            one, other = data[k * size:(k + 1) * size], self.bytes[k * size:(k + 1) * size]
            if one != other:
                index = tuple(int(i) for i in np.unravel_index(k, self.shape)) if self.shape else ()
                return "at %s: %s, not %s" % (index, one.hex(), other.hex())
        return "%d bytes, not %d" % (len(data), len(self.bytes))


def leaf_view(leaf, blob):
    dtype = numpy_dtype(leaf["dtype"])
    store = np.frombuffer(blob, np.uint8, leaf["length"], leaf["at"])
    if 0 in leaf["shape"]:
        return View(np.empty(leaf["shape"], dtype), store[:0])
    strides = [s * dtype.itemsize for s in leaf["strides"]]
    return View(as_strided(store[leaf["first"]:leaf["first"] + dtype.itemsize].view(dtype), leaf["shape"], strides), store)


def read_cases(directory):
    with open(os.path.join(directory, "bytes.bin"), "rb") as f:
        blob = f.read()
    with open(os.path.join(directory, "cases.jsonl"), encoding="utf-8") as f:
        for line in f:
            yield Case(json.loads(line), blob)
