"""The Python module against NumPy, and against PyTorch where it can be imported."""
import array
import ctypes
import gc
import os
import re
import sys
import threading
import unittest
import weakref

import numpy as np

from built import optional, vf

torch = optional("torch")

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include", "viewfold.h")


def counting(*shape, dtype="f8"):
    return np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)


def same(test, got, expected):
    """Bytes, shape and type; `got` by both ways out of viewfold."""
    expected = np.asarray(expected)
    for result in (got.numpy(), np.asarray(got)):
        test.assertEqual(result.shape, expected.shape)
        test.assertEqual(result.dtype, expected.dtype)
        test.assertEqual(result.tobytes(), expected.tobytes())


# Lines that mean the same on a NumPy array and on ours.
NUMPY_LINES = """
x.T
x.reshape(6, 4)
x.reshape(-1)
x.reshape((2, 12)).T.reshape(4, 6)
x.T.reshape(3, 8)[1:]
x[1]
x[-1, ::-2]
x[..., None, 2]
x[:, [5, 0, 0, 2]]
x[::-1].T[2:5].reshape(12)
x[np.int64(1):np.int8(3)]
x[:, np.array([2, 1, 0])]
x[0, 0]
x[()]
x[4:]
x.swapaxes(0, 1).ravel()
x.squeeze()
x.diagonal(1)
x.flatten()[::-3]
"""

# Lines that mean the same on a PyTorch tensor and on ours.
TORCH_LINES = """
x.permute(1, 0)
x.permute((1, 0)).reshape(-1)
x.transpose(0, -1)[1:]
x.flip(0)
x.flip(0, 1).unsqueeze(1)
x.t().roll(1, 0)
x.roll([1, 2], dims=[0, 1])
x.unflatten(1, (2, 3)).movedim(0, 2)
x.expand(2, 4, 6).flatten(0, 1)
x.repeat(2, 1, 2)
x.tile(2)
x.repeat_interleave(3, dim=1)
x.unfold(1, 3, 2)
x.narrow(1, 2, 3)
x.select(0, -1)
x.view(2, 2, 6)
x.view(torch.float32)
x.split(4, dim=1)[1]
x.split([1, 5], 1)[0]
x.chunk(4, 1)[2]
x.tensor_split((1, 2), dim=1)[2]
x.unbind(1)[5]
x.as_strided((2, 3), (1, 6), 2)
x.rot90(1, [0, 1])
x.reshape(1, 4, 2, 3).permute(0, 2, 1, 3).contiguous().view(2, 12)
"""


class Views(unittest.TestCase):
    def lines(self, text):
        return [line for line in text.splitlines() if line]

    def test_lines_of_numpy(self):
        for dtype in ("f8", "u1", "c16", "?", "f2"):
            a = counting(4, 6, dtype=dtype)
            for line in self.lines(NUMPY_LINES):
                with self.subTest(line, dtype=dtype):
                    same(self, eval(line, {"x": vf.asarray(a), "np": np}), eval(line, {"x": a, "np": np}))

    @unittest.skipUnless(torch, "needs PyTorch")
    def test_lines_of_pytorch(self):
        t = torch.arange(24, dtype=torch.float64).reshape(4, 6)
        for line in self.lines(TORCH_LINES):
            with self.subTest(line):
                expected = eval(line, {"x": t, "torch": torch})
                same(self, eval(line, {"x": vf.asarray(t), "torch": torch}), expected.numpy())

    def test_lists(self):
        a = counting(4, 6)
        x = vf.asarray(a)
        self.assertEqual(len(x), 4)
        for got, row in zip(x, a):
            same(self, got, row)
        self.assertEqual([p.shape for p in x.split(4, dim=1)], [(4, 4), (4, 2)])
        self.assertEqual([p.shape for p in x.split([1, 5], 1)], [(4, 1), (4, 5)])
        self.assertEqual([p.shape for p in x.chunk(3)], [(2, 6), (2, 6)])
        for got, part in zip(x.tensor_split([1, 3], 1), np.array_split(a, [1, 3], 1)):
            same(self, got, part)
        self.assertEqual(len(x.unbind(-1)), 6)
        self.assertEqual(vf.asarray(np.empty((0, 3))).unbind(), ())
        self.assertEqual([p.shape for p in x.chunk(chunks=4, axis=1)], [(4, 2)] * 3)
        self.assertEqual([p.shape for p in x.unstack()], [(6,)] * 4)
        self.assertEqual(x.array_split(4)[3].map, "(1,6):(6,1)+18")
        with self.assertRaisesRegex(ValueError, "split"):
            x.split(0)
        with self.assertRaisesRegex(IndexError, "unbind"):
            x.unbind(2)

    def test_long_lists(self):
        n = 200000
        order = np.random.default_rng(1).integers(-n, n, n + 1000)
        a = np.arange(2 * n, dtype=np.int32).reshape(n, 2)
        same(self, vf.asarray(a)[order], a[order])
        same(self, vf.asarray(a)[order.tolist()], a[order])
        same(self, vf.asarray(a.T)[:, order], a.T[:, order])
        written = a.copy()
        vf.asarray(written)[np.unique(order % n)] = 0
        a[order] = 0
        same(self, vf.asarray(written), a)
        with self.assertRaisesRegex(IndexError, str(n)):
            vf.asarray(a)[[0] * 100 + [n]]
        with self.assertRaises(IndexError):
            vf.asarray(a)[:, :, [0] * 100]

    def test_ranges_are_lists(self):
        a = counting(2, 3, 4)
        same(self, vf.asarray(a).movedim(range(3), range(2, -1, -1)), np.moveaxis(a, range(3), range(2, -1, -1)))
        same(self, vf.take(a, range(0, 4, 2), axis=2), np.take(a, range(0, 4, 2), axis=2))

    def test_joins(self):
        a, b = counting(4, 6), -counting(4, 6)
        same(self, vf.cat([a, b], 1), np.concatenate([a, b], 1))
        same(self, vf.cat([a, b], dim=-2), np.concatenate([a, b], -2))
        same(self, vf.stack([a, vf.asarray(b).flip(0)]), np.stack([a, b[::-1]]))
        same(self, vf.hstack([a, b]), np.hstack([a, b]))
        same(self, vf.vstack((a, b)).T, np.vstack([a, b]).T)
        same(self, vf.asarray(a).pad([1, 2], value=-3.5), np.pad(a, [(0, 0), (1, 2)], constant_values=-3.5))
        same(self, vf.asarray(a).pad([1, 2], mode="circular"), np.pad(a, [(0, 0), (1, 2)], mode="wrap"))
        same(self, vf.evaluate("cat([x, yy.flip(0)], dim=1).T", x=a, yy=b),
             np.concatenate([a, b[::-1]], 1).T)
        same(self, vf.asarray(a).rearrange("h (w p) -> p w h", p=2), a.reshape(4, 3, 2).transpose(2, 1, 0))

    def test_complex_and_other_types(self):
        a = counting(3, 4, dtype="c8") * (1 + 2j)
        x = vf.asarray(a)
        same(self, x.real, a.real)
        same(self, x.imag[::-1], a.imag[::-1])
        same(self, x.view_as_real(), a.view("f4").reshape(3, 4, 2))
        same(self, x.view("f64"), a.view("f8"))
        same(self, x.view(np.dtype("u1")), a.view("u1"))
        same(self, vf.asarray(a.real.copy()).view(np.int32), a.real.copy().view("i4"))

    def test_every_operation_is_there(self):
        other = {"take": "index_select", "slice": "slice", "shape": "shape", "retain": None, "release": None,
                 "inverse": None, "compose": None}  # of maps: the C library has them alone
        with open(HEADER) as header:
            names = re.findall(r"^VF_API vf_array \*vf_(\w+)\(vf_array \*a\b", header.read(), re.M)
        self.assertGreater(len(names), 40)
        for name in names:
            name = other.get(name, name)
            name = name and name.removesuffix("_number")  # one method for arrays and numbers
            self.assertTrue(name in (None, "apply") or hasattr(vf.Array, name), name)
        for name in ("split", "chunk", "tensor_split", "unbind"):
            self.assertTrue(hasattr(vf.Array, name))

    def test_phases(self):
        x = vf.asarray(np.zeros((2, 3), "u1")).T
        for name in ("fold", "job", "normal", "choice", "plan", "c"):
            self.assertTrue(x.phase(name), name)
        self.assertIn("source 0+0 -> dst+0: 3(2,1) 2(1,3)", x.phase("job"))
        with self.assertRaisesRegex(ValueError, "'jobs' is none of fold, job, normal, choice, plan, c"):
            x.phase("jobs")

    def test_what_an_array_tells(self):
        x = vf.asarray(counting(4, 6, dtype="f4")).T[::-1]
        self.assertEqual((x.shape, x.ndim, x.size, x.itemsize, x.nbytes), ((6, 4), 2, 24, 4, 96))
        self.assertEqual((x.dtype, x.strides, x.stride()), ("float32", (-4, 24), (-1, 6)))
        self.assertEqual((x.stride(0), x.stride(dim=-1), x.stride(None)), (-1, 6, (-1, 6)))
        with self.assertRaisesRegex(vf.AxisError, "^stride: axis 2 is out of range for rank 2"):
            x.stride(2)
        self.assertEqual((x.map, x.cuts), ("(6,4):(-1,6)+5", 0))
        self.assertEqual(np.dtype(x), np.float32)  # JAX asks so
        self.assertIn("folded", x.explain())
        self.assertIn("void ", x.source())
        self.assertIn("vf_kernel(", x.source(standalone=True))
        self.assertIn("digraph", x.dot())
        self.assertEqual(repr(x), "viewfold.Array(f32[6,4], map=(6,4):(-1,6)+5)")
        three = vf.asarray(np.float64(3))
        self.assertEqual((three.item(), int(three), float(three), complex(three), bool(three)), (3, 3, 3, 3, True))
        self.assertEqual(x.tolist(), counting(4, 6).T[::-1].tolist())


class Several(unittest.TestCase):
    def test_several_arrays_in_one_pass(self):
        a = counting(50, 40, 3)
        x = vf.asarray(a)
        planes = [x[..., c] * 0.5 - c for c in range(3)]
        expected = [a[..., c] * 0.5 - c for c in range(3)]
        for found in (vf.materialize(planes), vf.materialize(tuple(planes), out=[np.zeros((50, 40)) for _ in "rgb"])):
            for ours, theirs in zip(found, expected, strict=True):
                np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(vf.materialize(x.T)[0], a.T)
        np.testing.assert_array_equal(vf.materialize([a, x[:0]])[0], a)
        self.assertEqual(vf.materialize([]), [])

    def test_what_several_arrays_are_not_written_to(self):
        a = counting(4, 6)
        x = vf.asarray(a)
        with self.assertRaisesRegex(ValueError, "2 places for 1 arrays"):
            vf.materialize([x], out=[a, a])
        with self.assertRaisesRegex(ValueError, r"out is float32\[4, 6\], the array float64\[4, 6\]"):
            vf.materialize([x], out=[a.astype("f4")])
        with self.assertRaisesRegex(vf.LayoutError, "not in C order"):
            vf.materialize([x.T], out=[counting(4, 6).T])
        place = np.zeros((4, 6))
        with self.assertRaisesRegex(ValueError, "overlap"):
            vf.materialize([x, x[::-1]], out=[place, place])
        with self.assertRaisesRegex(ValueError, "overlap"):
            vf.materialize([x[::-1]], out=[a])
        np.testing.assert_array_equal(a, counting(4, 6))

    def test_what_several_arrays_tell(self):
        x = vf.asarray(counting(50, 40, 3))
        planes = x.unbind(-1)
        self.assertIn("results 0, 1, 2, in one move:", vf.explain(planes))
        self.assertIn("job: 1 moves of 3 sources", vf.phase(planes, "job"))
        self.assertIn("void *const dst[]", vf.source(planes, standalone=True))
        self.assertEqual(vf.source(list(planes)).count("void vf_kernel("), 1)
        self.assertIn('label="result 2"', vf.dot(planes))
        self.assertEqual((vf.source(x), vf.explain(x), vf.dot([x])), (x.source(), x.explain(), x.dot()))
        for look in (vf.explain, vf.source, vf.dot):
            with self.assertRaisesRegex(ValueError, "no arrays"):
                look([])
        with self.assertRaisesRegex(vf.ArgumentError, "'jobs' is none of"):
            vf.phase(planes, "jobs")


class Writes(unittest.TestCase):
    def test_writes_reach_the_array_below(self):
        a, b = counting(4, 6), counting(4, 6)
        x = vf.asarray(a)
        x[1:3, ::-2] = 5
        b[1:3, ::-2] = 5
        x.T[0] = counting(4)
        b.T[0] = counting(4)
        x[3, 1:3] = [8, 9]
        b[3, 1:3] = [8, 9]
        x.reshape(3, 8)[2].fill(-1.5)
        b.reshape(3, 8)[2] = -1.5
        x[0].assign(x[1].flip(0))
        b[0] = b[1][::-1].copy()
        np.testing.assert_array_equal(a, b)
        x.T.reshape(24)[::5] = 77
        flat = b.T.flatten()
        flat[::5] = 77
        np.testing.assert_array_equal(a, flat.reshape(6, 4).T)

    def test_leading_axes_of_one_are_dropped(self):
        a, b = counting(4, 6), counting(4, 6)
        x = vf.asarray(a)
        for key, shape in ((0, (1, 6)), (..., (1, 1, 4, 6)), (2, (1, 1, 1)), (slice(1, 3), (1, 1, 6))):
            values = -1 - counting(*shape)
            x[key] = values
            b[key] = values
        np.testing.assert_array_equal(a, b)
        with self.assertRaisesRegex(ValueError, r"\(2, 6\) does not stretch"):
            x[0] = counting(2, 6)

    def test_copies_in_either_order(self):
        x = vf.asarray(counting(2, 3, 4)).permute(1, 2, 0)
        for order in "CF":
            y = x.copy(order=order)
            np.testing.assert_array_equal(y.numpy(), x.numpy())
            self.assertEqual(np.asarray(y).strides, np.asarray(x).copy(order).strides)
            self.assertFalse(vf.shares_memory(x, y))
        with self.assertRaisesRegex(vf.ArgumentError, "order 'K'"):
            x.copy("K")
        self.assertEqual(vf.asarray(np.float32(2)).copy("F").item(), 2)

    def test_overlap_is_as_if_copied(self):
        a, b = counting(24), counting(24)
        vf.asarray(a)[1:] = vf.asarray(a)[:-1]
        b[1:] = b[:-1].copy()
        np.testing.assert_array_equal(a, b)

    def test_numbers_of_every_type(self):
        for dtype in ("?", "u1", "i2", "i8", "f2", "f4", "f8", "c8", "c16"):
            a, b = np.zeros(3, dtype), np.zeros(3, dtype)
            vf.asarray(a)[1] = 1
            b[1] = 1
            np.testing.assert_array_equal(a, b)
        for number in (np.float32(2.5), np.array(2.5)) + ((torch.tensor(2.5),) if torch else ()):
            same(self, vf.asarray(np.zeros(1)).pad([0, 1], value=number), [0, 2.5])
        a = np.zeros(2, "c16")
        vf.asarray(a)[0] = 1 - 2.5j
        self.assertEqual(a[0], 1 - 2.5j)

    def test_refusals(self):
        a = counting(4, 6)
        x = vf.asarray(a)
        frozen = counting(3)
        frozen.flags.writeable = False
        for error, sentence, call in (
                (ValueError, "read-only", lambda: vf.asarray(b"abc").fill(1)),
                (ValueError, "read-only", lambda: vf.asarray(frozen).fill(1)),
                (ValueError, "expand|twice", lambda: x[0].expand(3, 6).fill(1)),
                (ValueError, "assign", lambda: x.T.contiguous().fill(1)),
                (TypeError, "the source is f32", lambda: x.assign(np.zeros(6, "f4"))),
                (ValueError, r"^assign: the source of shape \(5,\) does not stretch to \(4, 6\)",
                 lambda: x.assign(np.zeros(5))),
                (TypeError, "^fill: it takes a number, not None", lambda: vf.asarray(np.zeros(3)).fill(None)),
                (ValueError, "^fill: it takes a number, not 'a'", lambda: vf.asarray(np.zeros(3)).fill("a")),
                (TypeError, r"^fill: it takes a number, not \[1, 2\]", lambda: vf.asarray(np.zeros(3)).fill([1, 2])),
                (TypeError, "^value: 300 does not fit u8", lambda: vf.asarray(np.zeros(3, "u1")).fill(300))):
            with self.subTest(sentence), self.assertRaisesRegex(error, sentence):
                call()
        np.testing.assert_array_equal(a, counting(4, 6))

    def test_errors_are_the_library_s(self):
        x = vf.asarray(counting(4, 6))
        for error, sentence, call in (
                (ValueError, r"^reshape: cannot make \(3, 5\)", lambda: x.reshape(3, 5)),
                (ValueError, "^view: ", lambda: x.T.view(24)),
                (IndexError, "^permute: axis 0 is named twice", lambda: x.permute(0, 0)),
                (IndexError, "index 9 is out of range", lambda: x[9]),
                (IndexError, "unsqueeze", lambda: x.unsqueeze(7)),
                (ValueError, "pad", lambda: x.pad([1], mode="nonsense")),
                (ValueError, "flip", lambda: x.flip(0, bad=3)),
                (IndexError, "not float", lambda: x[1.5]),
                (IndexError, "not str", lambda: x[0, "a"]),
                (ValueError, "axis 5", lambda: x.swapaxes(0, 5)),
                (TypeError, "^reshape: missing argument 'shape'", lambda: x.reshape()),
                (ValueError, "^expression:3: T: ", lambda: x.apply("T(1)")),
                (TypeError, "no element type 'nosuch'", lambda: x.view("nosuch")),
                (TypeError, r"^dtype\('>f4'\) has its bytes in the other order", lambda: x.to(np.dtype(">f4"))),
                (TypeError, "rank 0", lambda: iter(x[0, 0])),
                (ValueError, "24 elements, not one", lambda: bool(x)),
                (TypeError, "cannot be an argument", lambda: x.reshape(object())),
                (TypeError, "neither the buffer protocol", lambda: vf.asarray(3)),
                (ValueError, "NUL", lambda: x.apply("T\0[0]")),
                (TypeError, "no str", lambda: x.apply(3)),
                (TypeError, "asarray", vf.Array),
                (TypeError, "", lambda: vf.cat([x, x.view("f32")])),
                (AttributeError, "nosuch", lambda: x.nosuch)):
            with self.subTest(sentence), self.assertRaisesRegex(error, sentence):
                call()
        same(self, x.flip(0), counting(4, 6)[::-1])  # and nothing of it is left


class Memory(unittest.TestCase):
    def test_nothing_is_copied(self):
        a = counting(4, 6)
        b = np.asarray(vf.asarray(a)[::-1, 1:].T)
        self.assertTrue(np.shares_memory(a, b))
        self.assertEqual(b.strides, a[::-1, 1:].T.strides)
        b[0, 0] = 100
        self.assertEqual(a[3, 1], 100)
        self.assertFalse(np.shares_memory(a, vf.asarray(a).numpy()))
        self.assertFalse(np.shares_memory(a, np.array(vf.asarray(a))))
        self.assertTrue(vf.shares_memory(vf.asarray(a)[0], a[0]))
        self.assertFalse(vf.shares_memory(vf.asarray(a)[0], vf.asarray(a)[1]))

    def test_sources_live_as_long_as_their_views(self):
        a = counting(4, 6)
        gone = weakref.ref(a)
        y = vf.cat([vf.asarray(a).T, vf.asarray(a).T])
        del a
        gc.collect()
        self.assertIsNotNone(gone())
        same(self, y[:6], counting(4, 6).T)
        del y
        self.assertIsNone(gone())

    def test_lent_memory_lives_as_long_as_its_users(self):
        for lend in (memoryview, np.asarray, np.from_dlpack):
            with self.subTest(lend.__name__):
                a = counting(4, 6)
                gone = weakref.ref(a)
                user = lend(vf.asarray(a)[1:])
                del a
                gc.collect()
                self.assertEqual(np.asarray(user)[0, 0], 6)
                del user
                gc.collect()
                self.assertIsNone(gone())

    def test_capsules_nobody_takes(self):
        a = counting(4, 6)
        gone = weakref.ref(a)
        for version in (None, (0, 8), (1, 0)):
            vf.asarray(a).__dlpack__(max_version=version)
        del a
        self.assertIsNone(gone())

    def test_buffers(self):
        backing = bytearray(range(12))
        x = vf.asarray(memoryview(backing).cast("B", (3, 4)))
        self.assertEqual(x.T.numpy().tolist(), [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]])
        x[1] = 0
        self.assertEqual(backing[4:8], bytes(4))
        same(self, vf.asarray(array.array("h", [1, -2]))[::-1], np.array([-2, 1], "i2"))
        matrix = ((ctypes.c_int16 * 3) * 2)((1, 2, 3), (4, 5, 6))  # such buffers have no strides
        vf.asarray(matrix).T[2] = [7, 8]
        same(self, vf.asarray(matrix), np.array([[1, 2, 7], [4, 5, 8]], "i2"))
        m = memoryview(x[::-1])
        self.assertEqual((m.format, m.shape, m.strides, m.readonly), ("B", (3, 4), (-4, 1), False))
        self.assertEqual(m.tolist(), x[::-1].tolist())
        self.assertEqual(bytes(x), bytes(backing))
        self.assertTrue(memoryview(vf.asarray(b"abc")).readonly)
        with self.assertRaisesRegex(BufferError, "does not lie in memory"):
            memoryview(x.roll(1))
        for objects in (np.array([None]), np.zeros(2, [("a", "O"), ("b", "u1")])):
            with self.assertRaisesRegex(TypeError, "O"):
                vf.asarray(objects)
        self.assertEqual(vf.asarray(np.zeros(2, [("O", "u1"), ("b", "u4")])).dtype, "V5")
        odd = np.zeros(3, [("a", "u1"), ("b", "f8")])["b"]
        with self.assertRaisesRegex(ValueError, "no whole number of elements"):
            vf.asarray(odd)

    def test_records_move_whole(self):
        a = np.array([(1, 2.5), (3, 4.5)], [("a", "u1"), ("b", "f8")])
        x = vf.asarray(a)
        self.assertEqual(x.dtype, "V9")
        self.assertEqual(x[::-1].numpy().tobytes(), a[::-1].tobytes())
        self.assertEqual(np.asarray(x[::-1]).view(a.dtype)[0].tolist(), (3, 4.5))

    def test_array_protocol(self):
        x = vf.asarray(counting(4, 6))
        self.assertEqual(x.__array__(np.float32).dtype, np.float32)
        with self.assertRaisesRegex(ValueError, "needs a copy"):
            x.roll(1).__array__(copy=False)
        np.testing.assert_array_equal(np.asarray(x.roll(1)), np.roll(counting(4, 6), 1))
        np.testing.assert_array_equal(np.add(x, x.flip(0)), counting(4, 6) + counting(4, 6)[::-1])

    def test_shapes_at_the_edge(self):
        for shape in ((), (0,), (3, 0, 2), (1,) * 32):
            a = counting(*shape)
            same(self, vf.asarray(a).T, a.T)
            same(self, vf.asarray(np.from_dlpack(vf.asarray(a))), a)

    def test_many_threads(self):
        x = vf.asarray(counting(64, 64)).T.reshape(16, 256)
        expected, wrong = x.numpy(), []

        def work():
            for i in range(50):
                got = x[i % 16:].numpy()
                if not np.array_equal(got, expected[i % 16:]):
                    wrong.append(i)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class DLPack(unittest.TestCase):
    def test_numpy_takes_views_as_they_are(self):
        a = counting(4, 6)
        for view in ("T", "[::-1, ::2]", "[:, 3]"):
            b = np.from_dlpack(vf.asarray(a).apply(view))
            self.assertTrue(np.shares_memory(a, b))
        np.testing.assert_array_equal(np.from_dlpack(vf.asarray(a).roll(1)), np.roll(a, 1))

    def test_both_structs(self):
        class Plain:  # a producer that has only __dlpack__
            def __init__(self, a, new):
                self.a, self.new = a, new

            def __dlpack__(self, *, stream=None, **keywords):
                if keywords and not self.new:
                    raise TypeError("unexpected keyword argument 'max_version'")
                return self.a.__dlpack__(**keywords)

            def __dlpack_device__(self):
                return self.a.__dlpack_device__()
        a = counting(4, 6)
        for producer in (vf.asarray(a), a):
            for new in (False, True):
                if producer is a and new and np.lib.NumpyVersion(np.__version__) < "2.1.0":
                    continue
                x = vf.asarray(Plain(producer, new))
                same(self, x.T, a.T)
                self.assertTrue(np.shares_memory(np.asarray(x), a))

    def test_refusals(self):
        x = vf.asarray(counting(4, 6))
        with self.assertRaises(BufferError):
            x.__dlpack__(stream=1)
        with self.assertRaisesRegex(BufferError, "not the host"):
            x.__dlpack__(dl_device=(2, 0))
        with self.assertRaisesRegex(BufferError, "needs a copy"):
            x.roll(1).__dlpack__(copy=False)
        for refused in (lambda: vf.asarray(b"abc").__dlpack__(copy=False),
                        lambda: vf.asarray(b"abc").fill(1),
                        lambda: vf.asarray(b"xyz")._materialize(vf.asarray(b"abc"))):
            with self.subTest(refused), self.assertRaisesRegex(vf.ReadOnlyError, "read-only"):
                refused()
        capsule = x.__dlpack__(max_version=(1, 0))
        vf.Array._from_dlpack(capsule)
        with self.assertRaises(ValueError):
            vf.Array._from_dlpack(capsule)  # taken already

    def test_copy_on_request(self):
        a = counting(4, 6)
        x = vf.Array._from_dlpack(vf.asarray(a).__dlpack__(max_version=(1, 0), copy=True))
        x.fill(0)
        np.testing.assert_array_equal(a, counting(4, 6))

    @unittest.skipUnless(torch, "needs PyTorch")
    def test_pytorch_both_ways(self):
        t = torch.arange(24.0).reshape(4, 6)
        x = vf.asarray(t)
        x.T[0] = 9
        self.assertEqual(t[:, 0].tolist(), [9] * 4)
        u = torch.from_dlpack(x.T[1:])
        self.assertEqual((u.data_ptr(), u.stride()), (t.data_ptr() + 4, (1, 6)))
        v = torch.from_dlpack(x.T.reshape(3, 8))
        self.assertTrue(torch.equal(v, t.T.reshape(3, 8)))
        self.assertTrue(torch.equal(torch.from_dlpack(vf.cat([t, t], 1)), torch.cat([t, t], 1)))
        self.assertTrue(torch.equal(x.flip(1).torch(), t.flip(1)))
        self.assertEqual(x.T.torch().data_ptr(), t.data_ptr())
        del t, x
        gc.collect()
        self.assertEqual(u[0, 1].item(), 7)

    @unittest.skipUnless(torch, "needs PyTorch")
    def test_types_of_pytorch(self):
        for dtype in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16,
                      torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128):
            t = torch.arange(24).to(dtype).reshape(4, 6)
            back = torch.from_dlpack(vf.asarray(t).T.reshape(24))
            self.assertEqual(back.dtype, dtype)
            self.assertTrue(torch.equal(back, t.T.reshape(24)))
        with self.assertRaisesRegex(BufferError, "grad"):
            vf.asarray(torch.zeros(3, requires_grad=True))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
