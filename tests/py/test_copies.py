"""Copies for programs of NumPy and PyTorch (ascontiguousarray, copyto, contiguous), and the settings of the process."""
import os
import sys
import threading
import unittest

import numpy as np

from built import optional, vf

torch = optional("torch")

SMALL, LARGE = (6, 8, 10), (90, 110, 130)  # below and above what is left to NumPy
VIEWS = {
    "T": lambda a: a.T, "middle": lambda a: a.transpose(1, 0, 2), "reversed": lambda a: a[::-1, :, ::-1],
    "thinned": lambda a: a[:, ::2, ::3], "crop": lambda a: a[1:-1, 2:-2, 1:], "plain": lambda a: a,
    "spread": lambda a: np.broadcast_to(a[:, :1], a.shape), "nothing": lambda a: a[:0], "one": lambda a: a[1, 2, 3],
}
RECORD = [("a", "u1"), ("b", ">f8")]


def numbered(shape, dtype):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


class NumPy(unittest.TestCase):
    def check(self, got, view):
        self.assertEqual((got.shape, got.dtype), (view.shape, view.dtype))
        self.assertTrue(got.flags.c_contiguous)
        self.assertEqual(got.tobytes(), view.tobytes())

    def test_the_same_as_numpy(self):
        for dtype in ("?", "u1", "i2", "f4", "c8", "c16", ">f4", "M8[s]", "S5", "U3", "f2"):
            for shape in (SMALL, LARGE):
                a = numbered(shape, "i8").astype(dtype)
                for name, view_of in VIEWS.items():
                    with self.subTest(name, dtype=dtype, shape=shape):
                        self.check(vf.ascontiguousarray(view_of(a)), np.ascontiguousarray(view_of(a)))

    def test_records_and_odd_strides(self):
        a = np.zeros(200000, RECORD)
        a["b"] = np.arange(200000)
        for view in (a[::-3], a["b"], a["b"][::2], a.reshape(400, 500).T):
            self.check(vf.ascontiguousarray(view), view)

    def test_objects_and_lists(self):
        a = np.array([[1, "x"], [None, 2.5]], object)
        self.assertEqual(vf.ascontiguousarray(a.T).tolist(), a.T.tolist())
        self.assertEqual(vf.ascontiguousarray([[1, 2]]).tolist(), [[1, 2]])
        large = np.full((400, 500), "x", object)
        self.assertEqual(vf.ascontiguousarray(large.T).tolist(), large.T.tolist())

    def test_what_is_in_order_comes_back_as_it_is(self):
        a = numbered(LARGE, "f4")
        self.assertTrue(np.shares_memory(vf.ascontiguousarray(a), a))
        self.assertFalse(np.shares_memory(vf.ascontiguousarray(a.T), a))

    def test_into_out(self):
        for shape in (SMALL, LARGE):
            a = numbered(shape, "f4")
            out = np.empty(a.T.shape, "f4")
            self.assertIs(vf.ascontiguousarray(a.T, out), out)
            np.testing.assert_array_equal(out, a.T)
            out[...] = 0
            self.assertIs(vf.ascontiguousarray(a.T, out=out, threads=2), out)
            np.testing.assert_array_equal(out, a.T)
            with self.assertRaisesRegex(ValueError, "out is float64"):
                vf.ascontiguousarray(a.T, np.empty(a.T.shape))
            with self.assertRaisesRegex(ValueError, "out is float32"):
                vf.ascontiguousarray(a.T, np.empty(a.T.shape + (1,), "f4"))
        square = numbered((300, 300), "f4")
        expected = square.T.copy()
        np.testing.assert_array_equal(vf.ascontiguousarray(square.T, out=square), expected)  # as if copied first

    def test_arguments(self):
        a = numbered(LARGE, "f4").T
        for threads in (None, 1, 2, 5):
            self.check(vf.ascontiguousarray(a, None, threads), a)
        for wrong in (lambda: vf.ascontiguousarray(), lambda: vf.ascontiguousarray(a, None, 1, 2),
                      lambda: vf.ascontiguousarray(a, nosuch=1), lambda: vf.ascontiguousarray(a, None, out=None),
                      lambda: vf.ascontiguousarray(a, threads="2")):
            with self.assertRaises(TypeError):
                wrong()
        for threads in (0, -1, 10**6, 10**30):
            with self.assertRaises((ValueError, OverflowError)):
                vf.ascontiguousarray(a, threads=threads)

    def test_copyto(self):
        for shape in (SMALL, LARGE):
            a, b, source = numbered(shape, "f4"), numbered(shape, "f4"), -numbered(shape, "f4")
            for place, value in ((lambda x: x.T, source.T.copy()), (lambda x: x[::-1], source), (lambda x: x, source[:1]),
                                 (lambda x: x[:, ::2], source[:, 1::2]), (lambda x: x, source.astype("i8")),
                                 (lambda x: x[1:], a[:-1]), (lambda x: x, 5), (lambda x: x[0], source[1].T.copy().T)):
                vf.copyto(place(a), value)
                np.copyto(place(b), value if value is not a[:-1] else b[:-1])
            self.assertEqual(a[0].tobytes(), b[0].tobytes())
            np.testing.assert_array_equal(a, b)
            mask = source < -20
            vf.copyto(a, source, where=mask)
            np.copyto(b, source, where=mask)
            np.testing.assert_array_equal(a, b)
            frozen = a.view()
            frozen.flags.writeable = False
            with self.assertRaises(ValueError):
                vf.copyto(frozen, source)
            with self.assertRaises(TypeError):
                vf.copyto(a.astype("i4"), source.astype("c8"))
            with self.assertRaises(ValueError):
                vf.copyto(a, source[:3])

    def test_many_python_threads(self):
        a = numbered(LARGE, "f4").T
        wrong = []

        def work(threads):
            for _ in range(10):
                if not np.array_equal(vf.ascontiguousarray(a, threads=threads), a):
                    wrong.append(threads)
        workers = [threading.Thread(target=work, args=(1 + k % 3,)) for k in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(wrong, [])


@unittest.skipUnless(torch, "needs PyTorch")
class PyTorch(unittest.TestCase):
    def test_the_same_as_pytorch(self):
        for dtype in (torch.bool, torch.uint8, torch.int16, torch.bfloat16, torch.float32, torch.float64,
                      torch.complex64, torch.complex128):
            for shape in (SMALL, LARGE):
                t = torch.arange(int(np.prod(shape))).to(dtype).reshape(shape)
                for view in (t.permute(2, 0, 1), t[:, ::2], t, t[:0], t.expand(2, *shape), t[0].T):
                    got = vf.contiguous(view)
                    self.assertTrue(got.is_contiguous() and got.dtype == dtype and torch.equal(got, view))
        big = torch.zeros(LARGE)
        self.assertEqual(vf.contiguous(big).data_ptr(), big.data_ptr())

    def test_what_is_more_than_bytes_is_pytorch_s(self):
        t = torch.randn(LARGE, requires_grad=True)
        vf.contiguous(t.permute(2, 0, 1)).sum().backward()
        self.assertTrue(torch.equal(t.grad, torch.ones(LARGE)))
        c = torch.randn(LARGE, dtype=torch.complex64).conj().permute(1, 2, 0)
        self.assertTrue(torch.equal(vf.contiguous(c), c))
        self.assertTrue(torch.equal(vf.contiguous(c.imag), c.imag))
        with self.assertRaisesRegex(TypeError, "no torch.Tensor"):
            vf.contiguous(3)

    def test_into_out(self):
        t = torch.randn(LARGE)
        out = torch.empty(LARGE[2], LARGE[0], LARGE[1])
        self.assertIs(vf.contiguous(t.permute(2, 0, 1), out, threads=2), out)
        self.assertTrue(torch.equal(out, t.permute(2, 0, 1)))
        square = torch.randn(300, 300)
        expected = square.T.clone()
        self.assertTrue(torch.equal(vf.contiguous(square.T, out=square), expected))
        with self.assertRaisesRegex(ValueError, "out is"):
            vf.contiguous(t, torch.empty(3))


class Settings(unittest.TestCase):
    def test_settings_hold_until_the_block_ends(self):
        before = vf.get_options()
        self.assertEqual(before, {"threads": 1, "effort": "estimate", "engine": "auto"})
        a = numbered(LARGE, "f4")
        with vf.set_options(threads=3, engine="interpret"):
            self.assertEqual(vf.get_options(), {"threads": 3, "effort": "estimate", "engine": "interpret"})
            np.testing.assert_array_equal(vf.asarray(a).T.numpy(), a.T)
            with vf.set_options(effort="measure"):
                self.assertEqual(vf.get_options()["threads"], 3)
                np.testing.assert_array_equal(vf.asarray(a).permute(1, 2, 0).numpy(), a.transpose(1, 2, 0))
        self.assertEqual(vf.get_options(), before)
        vf.set_options(threads=2)
        self.assertEqual(vf.get_options()["threads"], 2)
        vf.set_options(threads=1)

    @unittest.skipUnless(os.path.isdir("/proc/self/task"), "needs /proc")
    def test_threads_are_as_many(self):
        a = numbered((400, 500, 3), "f4")
        with vf.set_options(threads=3):
            vf.asarray(a).permute(2, 0, 1).numpy()
            running = len(os.listdir("/proc/self/task"))
        self.assertGreaterEqual(running, 3)

    def test_what_measuring_finds_goes_round(self):
        vf.tune(0.05)
        known = vf.wisdom()
        self.assertRegex(known, r"\Aviewfold-wisdom .*\nmachine [0-9]{8}\n")
        vf.load_wisdom(known)
        self.assertEqual(vf.wisdom(), known)
        a = numbered((700, 900), "f4")
        np.testing.assert_array_equal(vf.asarray(a).T.numpy(), a.T)
        for wrong in (0, -1, float("nan"), 1e9):
            with self.subTest(seconds=wrong), self.assertRaisesRegex(ValueError, "tune: "):
                vf.tune(wrong)
        with self.assertRaisesRegex(ValueError, "wisdom: "):
            vf.load_wisdom("folly")
        with self.assertRaises(TypeError):
            vf.load_wisdom(b"viewfold-wisdom")
        with self.assertRaises(TypeError):
            vf.tune("ten")

    def test_settings_that_are_none(self):
        before = vf.get_options()
        for wrong in ({"threads": -1}, {"engine": "tcc"}, {"effort": 1}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                vf.set_options(**wrong)
            self.assertEqual(vf.get_options(), before)
        with self.assertRaises(TypeError):
            vf.set_options(nosuch=1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
