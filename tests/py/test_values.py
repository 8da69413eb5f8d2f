"""What the Python module makes of values: element types both ways, comparisons, lists, errors, copies."""
import array
import copy
import gc
import hashlib
import os
import pickle
import subprocess
import sys
import unittest
import weakref

import numpy as np

from built import optional, vf

ml_dtypes = optional("ml_dtypes")
jnp = optional("jax.numpy")

# Every letter that NumPy has for a number, and ours; texts, voids and long doubles are opaque.
LETTERS = {"?": "bool", "b": "i8", "B": "u8", "h": "i16", "H": "u16", "i": "i32", "I": "u32", "l": "i64", "L": "u64",
           "q": "i64", "Q": "u64", "p": "i64", "P": "u64", "n": "i64", "N": "u64",
           "e": "f16", "f": "f32", "d": "f64", "F": "c64", "D": "c128"}
OPAQUE = {"S3": 3, "U2": 8, "V5": 5, "g": np.dtype("g").itemsize, "G": np.dtype("G").itemsize}
OTHER = ">" if sys.byteorder == "little" else "<"


def samples(dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([[True, False, True], [False, False, True]])
    if dtype.kind == "c":
        return np.array([[1 - 2j, 3, -4j], [0, 5.5 + 1j, -6]], dtype)
    return np.array([[1, -5 if dtype.kind in "if" else 250, 3], [0, 100, 7]]).astype(dtype)


def without_numpy(code):
    """Run lines in a Python that cannot import NumPy; what it prints."""
    hidden = "import sys; sys.modules['numpy'] = None; sys.path.insert(0, %r)\nimport viewfold as vf\n"
    return subprocess.run([sys.executable, "-c", hidden % os.environ["VIEWFOLD_PYTHONPATH"] + code], check=True,
                          stdout=subprocess.PIPE, text=True).stdout


class Types(unittest.TestCase):
    def test_every_letter_of_numpy_both_ways(self):
        for letter, ours in LETTERS.items():
            a = samples(letter)
            x = vf.asarray(a)
            with self.subTest(letter):
                self.assertEqual(x._type, ours)
                self.assertEqual(x.dtype, a.dtype)
                for back in (x.numpy(), np.asarray(x), np.asarray(memoryview(x)), x.T.numpy().T, np.from_dlpack(x)):
                    self.assertEqual(back.dtype, a.dtype)
                    self.assertEqual(back.tolist(), a.tolist())
                x[0, 0] = x[1, 2]
                self.assertEqual(a[0, 0], a[1, 2])

    def test_writes_of_signed_bytes(self):
        a = np.array([-1, 5, 3], "i1")
        vf.asarray(a)[1] = -7
        self.assertEqual(a.tolist(), [-1, -7, 3])
        self.assertEqual(vf.asarray(a).tolist(), [-1, -7, 3])

    def test_types_of_array(self):
        for letter in "bBhHiIlLqQfd":
            a = array.array(letter, [1, 2, 100])
            with self.subTest(letter):
                self.assertEqual(vf.asarray(a).dtype, np.asarray(a).dtype)
                self.assertEqual(vf.asarray(a)[::-1].tolist(), [100, 2, 1])

    def test_types_of_memoryview_cast(self):
        for letter in "?cbBhHiIlLqQnNfdP":
            m = memoryview(bytearray(range(1, 17))).cast(letter)
            expected = np.dtype("u8" if letter == "P" else "u1" if letter == "c" else letter)
            with self.subTest(letter):
                self.assertEqual(vf.asarray(m).dtype, expected)
                self.assertEqual(memoryview(vf.asarray(m)).tobytes(), m.tobytes())

    def test_opaque_types(self):
        for letter, size in OPAQUE.items():
            a = np.zeros(4, letter)
            a[1:3] = a[:2]
            x = vf.asarray(a)
            with self.subTest(letter):
                self.assertEqual((x._type, x.itemsize), (f"bytes{size}", size))
                self.assertEqual(x[::-1].numpy().view(a.dtype).tolist(), a[::-1].tolist())

    def test_types_that_are_refused(self):
        for a in (np.array([None]), np.zeros(2, [("a", "O"), ("b", "u1")])):
            with self.subTest(a.dtype), self.assertRaisesRegex(TypeError, "O"):
                vf.asarray(a)
        for a in (np.zeros(2, "M8[s]"), np.zeros(2, "m8[s]")):
            with self.subTest(a.dtype), self.assertRaises((ValueError, TypeError, BufferError)):
                vf.asarray(a)

    def test_the_other_byte_order_is_turned_on_the_way_in(self):
        for letter in "hHiIqQefdFD":
            a = samples(letter)
            for swapped in (a.astype(a.dtype.newbyteorder(OTHER)), a.astype(a.dtype.newbyteorder(OTHER))[::-1, 1:],
                            np.array(a[0, 0], a.dtype.newbyteorder(OTHER))):
                x = vf.asarray(swapped)
                with self.subTest(letter, shape=swapped.shape):
                    self.assertEqual(x.dtype, a.dtype)
                    self.assertEqual(x.tolist(), swapped.tolist())
                    with self.assertRaisesRegex(vf.ReadOnlyError, "read-only"):
                        x.fill(0)
        self.assertEqual(vf.asarray(np.zeros((0, 3), OTHER + "f4")).shape, (0, 3))

    def test_a_copy_too_large_to_turn_gives_its_buffer_back_once(self):
        lender = np.zeros(1, OTHER + "f8")
        before = sys.getrefcount(lender)
        for _ in range(3):
            with self.assertRaises(MemoryError):
                vf.asarray(np.broadcast_to(lender, 1 << 58))
        self.assertEqual(sys.getrefcount(lender), before)

    @unittest.skipUnless(ml_dtypes, "needs ml_dtypes")
    def test_bfloat16_goes_out_and_comes_back(self):
        a = np.array([[1.5, -2, 3]], ml_dtypes.bfloat16)
        x = vf.asarray(a)
        self.assertEqual((x._type, x.dtype), ("bf16", a.dtype))
        for out in (x.numpy(), np.asarray(x), np.asarray(x.T).T):
            self.assertEqual((out.dtype, out.tolist()), (a.dtype, a.tolist()))
            self.assertEqual(vf.asarray(out)._type, "bf16")
        self.assertTrue(np.shares_memory(np.asarray(x), a))
        x[0, 1] = x[0, 2]
        x[0, :1] = [9]
        self.assertEqual(a.tolist(), [[9, 3, 3]])

    @unittest.skipUnless(ml_dtypes, "needs ml_dtypes")
    def test_other_types_of_extensions_move_whole(self):
        for dtype in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.int4):
            a = np.arange(6).reshape(2, 3).astype(dtype)
            for b in (a, a[:, ::-1], a[:0], a[1, 2, ...]):
                x = vf.asarray(b)
                self.assertEqual((x._type, x.T.numpy().view(dtype).tolist()), ("bytes1", b.T.tolist()))
            vf.asarray(a)[0] = vf.asarray(a)[1]
            self.assertEqual(a.tolist(), [[3, 4, 5], [3, 4, 5]])


class Comparisons(unittest.TestCase):
    def test_elements_are_compared(self):
        a = np.arange(6.0).reshape(2, 3)
        x = vf.asarray(a)
        for other in (4, a, x, x[0], a.T.copy().T, [0, 1, 2], np.float32(4)):
            expected = np.asarray(other) if isinstance(other, vf.Array) else other
            self.assertEqual((x == other).tolist(), (a == expected).tolist())
            self.assertEqual((x != other).tolist(), (a != expected).tolist())
        self.assertIs(x[1, 1] == 4, True)
        self.assertIs(x[1, 1] != 4.0, False)
        self.assertIs(x[1, 1] == x[0, 0], False)
        self.assertIs(x.view("i64")[0, 0] == 0.0, True)
        with self.assertRaises(ValueError):
            bool(x == 4)

    def test_in(self):
        x = vf.asarray(np.arange(6.0).reshape(2, 3))
        self.assertTrue(5 in x)
        self.assertTrue(np.float64(5) in x)
        self.assertFalse(7 in x)
        self.assertFalse(float("nan") in vf.asarray(np.array([np.nan])))
        self.assertTrue(x[0] in x)

    def test_arrays_are_keys_by_identity(self):
        x = vf.asarray(np.arange(3))
        known = {x: 1}
        self.assertEqual(known[x], 1)
        gone = weakref.ref(x)
        watched = weakref.WeakKeyDictionary({x: 2})
        del x, known
        gc.collect()
        self.assertIsNone(gone())
        self.assertEqual(len(watched), 0)


class Lists(unittest.TestCase):
    def test_tolist_and_item_of_every_type(self):
        for letter in LETTERS:
            a = samples(letter)
            for got, expected in ((vf.asarray(a).T, a.T), (vf.asarray(a)[0], a[0]), (vf.asarray(a)[1, 2], a[1, 2])):
                with self.subTest(letter, shape=got.shape):
                    self.assertEqual(got.tolist(), expected.tolist())
            self.assertEqual(type(vf.asarray(a)[0, 0].item()), type(a[0, 0].item()))
        for shape in ((0,), (2, 0), (0, 3), (2, 0, 3), (1, 1, 1), (2, 3, 4)):
            a = np.arange(np.prod(shape)).reshape(shape)
            self.assertEqual(vf.asarray(a).tolist(), a.tolist())
        self.assertEqual(vf.asarray(np.array([b"ab", b"c"])).tolist(), [b"ab", b"c\0"])
        with self.assertRaisesRegex(ValueError, "3 elements, not one"):
            vf.asarray(np.arange(3)).item()

    def test_without_numpy(self):
        self.assertEqual(without_numpy("""
x = vf.asarray(memoryview(bytearray(range(6))).cast("B", (2, 3)))
print(x.T.tolist(), x[1, 2].item(), x[1, 2] == 5, 4 in x, 9 in x, x.dtype, x.T.reshape(6).copy().tolist())
x[0] = 7
print(x.tolist(), list(map(int, x[1])), vf.cat([x, x], 1).shape, vf.__version__)
try:
    x == x
except TypeError as error:
    print(error)
"""), f"""[[0, 3], [1, 4], [2, 5]] 5 True True False uint8 [0, 3, 1, 4, 2, 5]
[[7, 7, 7], [3, 4, 5]] [3, 4, 5] (2, 6) {vf.__version__}
arrays are compared by NumPy, which is not installed: compare their tolist()
""")


class Errors(unittest.TestCase):
    def test_one_kind_of_failure_is_one_type(self):
        x = vf.asarray(np.arange(12.0).reshape(3, 4))
        rolled, frozen = x.roll(1), vf.asarray(b"abcd")
        kinds = {
            vf.LayoutError: [lambda: memoryview(rolled), lambda: rolled.__array__(copy=False),
                             lambda: rolled.__dlpack__(copy=False), lambda: x.T.reshape(12).stride(),
                             lambda: x.T.view(12), lambda: x.T.reshape(12).storage_offset(),
                             lambda: hashlib.sha256(x.T),
                             lambda: vf.asarray(np.zeros(3, [("a", "u1"), ("b", "f8")])["b"])],
            vf.ReadOnlyError: [lambda: frozen.fill(1), lambda: frozen.__setitem__(0, 1),
                               lambda: frozen.__dlpack__(copy=False), lambda: frozen._materialize(frozen),
                               lambda: x.T.contiguous().fill(1)],
            vf.AxisError: [lambda: x.permute(0, 0), lambda: x.flip(5), lambda: vf.cat([x, x], 7)],
            vf.ArgumentError: [lambda: x.reshape(), lambda: x.apply("nosuch()"), lambda: vf.cat([x], nosuch=1)],
            TypeError: [lambda: vf.cat([x, frozen]), lambda: x.assign(np.zeros(4, "f4")), lambda: vf.asarray(3),
                        lambda: vf.asarray(np.array([None])), lambda: vf.cat()],
        }
        for kind, calls in kinds.items():
            for i, call in enumerate(calls):
                with self.subTest(kind, i=i), self.assertRaises(kind):
                    call()
        for kind, parents in ((vf.LayoutError, (ValueError, BufferError)), (vf.AxisError, (ValueError, IndexError)),
                              (vf.ReadOnlyError, (ValueError, BufferError)), (vf.ArgumentError, (ValueError, TypeError))):
            self.assertTrue(all(issubclass(kind, parent) for parent in parents))

    def test_pickling_is_refused_with_a_sentence(self):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with self.assertRaisesRegex(TypeError, r"pickle its numpy\(\)"):
                pickle.dumps(vf.asarray(np.arange(3)), protocol)

    def test_slices_beyond_64_bits_are_clipped(self):
        a = np.arange(10)
        x = vf.asarray(a)
        for low, high, step in ((-10**30, 10**30, 1), (10**30, -10**30, -1), (0, 10**19, 3), (None, -10**19, -2),
                                (10**30, None, None), (2, None, 10**30)):
            with self.subTest(low=low, high=high, step=step):
                self.assertEqual(x[low:high:step].tolist(), a.tolist()[low:high:step])


class Copies(unittest.TestCase):
    def test_what_pytorch_calls_it(self):
        x = vf.asarray(np.arange(24, dtype="f4").reshape(4, 6))[1:, 2:]
        self.assertEqual((x.dim(), x.numel(), x.element_size(), x.storage_offset(), x.stride()), (2, 12, 4, 8, (6, 1)))

    def test_copies_are_their_own(self):
        a = np.arange(6.0).reshape(2, 3)
        for copied in (vf.asarray(a).T.copy(), copy.deepcopy(vf.asarray(a).T)):
            copied[0, 0] = 100
            self.assertEqual(copied.tolist(), [[100, 3], [1, 4], [2, 5]])
            self.assertTrue(copied.is_contiguous())
        self.assertEqual(a[0, 0], 0)
        view = vf.asarray(a).T
        self.assertIs(copy.copy(view), view)

    def test_numpy_out(self):
        a = np.arange(12.0).reshape(3, 4)
        out = np.empty((4, 3))
        self.assertIs(vf.asarray(a).T.numpy(out=out), out)
        self.assertEqual(out.tolist(), a.T.tolist())
        strided = np.zeros((8, 6))[::-2, ::2]
        self.assertIs(vf.asarray(a).T.numpy(out=strided), strided)
        self.assertEqual(strided.tolist(), a.T.tolist())
        square = np.arange(9.0).reshape(3, 3)
        expected = square.T.copy()
        vf.asarray(square).T.numpy(out=square)  # as if copied first
        self.assertEqual(square.tolist(), expected.tolist())
        for wrong in (np.empty((3, 4)), np.empty((4, 3), "f4")):
            with self.assertRaisesRegex(ValueError, "numpy: out is"):
                vf.asarray(a).T.numpy(out=wrong)

    def test_consumers_of_old_dlpack_get_copies_of_what_is_read_only(self):
        x = vf.asarray(b"abc")
        back = vf.Array._from_dlpack(x.__dlpack__())
        back.fill(0)
        self.assertEqual(x.tolist(), [97, 98, 99])
        writable = vf.asarray(bytearray(b"abc"))
        vf.Array._from_dlpack(writable.__dlpack__(copy=True)).fill(0)
        self.assertEqual(writable.tolist(), [97, 98, 99])
        vf.Array._from_dlpack(writable.__dlpack__()).fill(0)
        self.assertEqual(writable.tolist(), [0, 0, 0])

    @unittest.skipUnless(jnp, "needs JAX")
    def test_jax_takes_back_what_it_gave(self):
        x = vf.asarray(jnp.arange(6.0).reshape(2, 3))
        self.assertEqual(jnp.from_dlpack(x).tolist(), [[0, 1, 2], [3, 4, 5]])
        self.assertEqual(jnp.asarray(x.T).tolist(), [[0, 3], [1, 4], [2, 5]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
