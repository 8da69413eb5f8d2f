"""viewfold.dask: chains over Dask arrays are what NumPy makes of them, each chunk from just the chunks that it reads;
with a cluster, of more data than one of its workers may hold, and with a worker that is ended on the way.
"""
import os
import signal
import sys
import tempfile
import time
import unittest

sys.path[:0] = filter(None, [os.environ.get("VIEWFOLD_PYTHONPATH")])
try:
    import dask.array as da
    import numpy as np
    import viewfold as vf
    import viewfold.dask
except ImportError as error:
    if "VIEWFOLD_PYTHONPATH" in os.environ and getattr(error, "name", "") not in ("dask", "numpy"):
        raise
    print(f"dask: skipped: {error}")
    sys.exit(77)
try:
    import distributed
except ImportError:
    distributed = None
try:
    import zarr
except ImportError:
    zarr = None

SHAPE = 12, 10, 8
CHAINS = ["x", "x.T", "x.permute(2, 0, 1)[:, ::-2]", "x.reshape(-1)", "x.reshape(-1)[5:700:7]", "x.permute(1, 0, 2).reshape(40, 24)",
          "x[3:9, 1::3, 5]", "x.flip(0, 2)", "x.roll([3, 5], [0, 1])", "x.pad([1, 2, 0, 3], value=7)", "cat([x[6:], x[:6].flip(1)], 1)",
          "x.unfold(0, 4, 3)", "x[:, [7, 0, 3, 3]]", "x[2].expand(3, -1, -1)", "x.view('u8')", "x.view('u8')[..., ::4]", "x.view('i64')[:, ::3]", "x[4, 4, 4]",
          "x[:0]", "x.diagonal(0, 0, 1)", "x.reshape(-1).unfold(0, 100, 50)", "x.rearrange('(a b) c d -> (c a) (d b)', b=3)",
          "x.tile(2, 1, 2)"]
CHUNKS = [(12, 10, 8), (4, 5, 8), (5, 3, 4), ((1, 7, 4), (10,), (2, 6)), (1, 1, 1)]


class Chains(unittest.TestCase):
    def test_values_are_numpys(self):
        a = np.arange(np.prod(SHAPE), dtype="i4").reshape(SHAPE)
        for chunks in CHUNKS:
            x = da.from_array(a, chunks)
            for chain in CHAINS:
                wanted = vf.evaluate(chain, x=a).numpy()
                for out in ("auto", 7):
                    y = viewfold.dask.apply(chain, x=x, chunks=out)
                    self.assertEqual((y.shape, y.dtype), (wanted.shape, wanted.dtype), chain)
                    if x.npartitions * y.npartitions > 4000:
                        continue
                    np.testing.assert_array_equal(y.compute(scheduler="synchronous"), wanted, chain)

    def test_each_chunk_reads_what_it_needs_and_no_more(self):
        """Brute force: an array of the numbers of its chunks, through the chain by itself."""
        computed = set()

        def marked(block_id):
            computed.add(block_id)
            extents = [axis[i] for axis, i in zip(x.chunks, block_id)]
            return np.full(extents, 1 + np.ravel_multi_index(block_id, x.numblocks), "i4")

        for chunks in CHUNKS[1:]:
            x = da.zeros(SHAPE, chunks=chunks, dtype="i4")
            x = da.map_blocks(marked, chunks=x.chunks, dtype="i4", meta=np.empty(0, "i4"))
            marks, places = x.compute(scheduler="synchronous"), list(np.ndindex(*x.numblocks))
            for chain in CHAINS:
                if "view" in chain:
                    continue # of bytes, which are no marks
                read = vf.evaluate(chain.replace("value=7", "value=0"), x=marks).numpy()
                y = viewfold.dask.apply(chain, x=x, chunks=9)
                for place in list(np.ndindex(*y.numblocks))[:4]:
                    part = read[tuple(slice(sum(axis[:i]), sum(axis[:i + 1])) for axis, i in zip(y.chunks, place))]
                    computed.clear()
                    (y.blocks[place] if place else y).compute(scheduler="synchronous")
                    self.assertEqual(computed, {places[mark - 1] for mark in np.unique(part) if mark}, (chain, chunks, place))

    def test_several_inputs_and_types(self):
        a, b = np.arange(24, dtype="f4").reshape(4, 6), np.arange(12, dtype="f4").reshape(2, 6)
        y = viewfold.dask.apply("cat([x.flip(0), y]).T", x=da.from_array(a, 3), y=b, chunks=2)
        np.testing.assert_array_equal(y.compute(scheduler="synchronous"), np.concatenate([a[::-1], b]).T)
        for kind in ("?", "u1", "f2", "c16", ">i4", "V5"):
            a = np.frombuffer(bytes(range(120)), "u1")[:np.dtype(kind).itemsize * 6].view(kind).reshape(2, 3)
            y = viewfold.dask.apply("x.T", x=da.from_array(a, 2))
            got = y.compute(scheduler="synchronous")
            self.assertTrue(got.dtype.isnative)
            self.assertEqual(got.tobytes(), a.T.astype(got.dtype).tobytes(), kind)

    def test_what_is_wrong_is_said_at_once(self):
        x = da.zeros((4, 6), chunks=2)
        with self.assertRaisesRegex(ValueError, "cannot make"):
            viewfold.dask.apply("x.reshape(5, 5)", x=x)
        with self.assertRaisesRegex(ValueError, "unknown sizes"):
            viewfold.dask.apply("x", x=x[x[:, 0] > 0])


@unittest.skipUnless(distributed, "needs distributed")
class Cluster(unittest.TestCase):
    def run_on(self, memory, work):
        try:
            cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=memory, dashboard_address=None)
        except (OSError, RuntimeError, TimeoutError) as error:
            self.skipTest(f"no cluster can be started here: {error}")
        with cluster, distributed.Client(cluster) as client:
            return work(client)

    def test_more_data_than_a_worker_may_hold(self):
        rows, columns = 8192, 24576 # 805 MB of f4; the workers may have 500 each
        x = da.arange(rows, chunks=1024, dtype="f4")[:, None] + da.zeros((rows, columns), chunks=(1024, 2048), dtype="f4")
        y = viewfold.dask.apply("x.T.flip(0)", x=x, chunks=(2048, 1024))
        self.assertGreater(y.nbytes, 500e6)
        sums = self.run_on("500MB", lambda client: y.sum(axis=0, dtype="f8").compute())
        np.testing.assert_array_equal(sums, np.arange(rows, dtype="f8") * columns)

    def test_a_worker_that_ends(self):
        def work(client):
            future = client.compute(viewfold.dask.apply("x.T[::-1]", x=slow, chunks=100).sum(axis=1))
            deadline = time.monotonic() + 60
            while not any(client.has_what().values()) and time.monotonic() < deadline:
                time.sleep(0.01)
            pids = client.run(os.getpid)
            os.kill(next(iter(pids.values())), signal.SIGKILL)
            return future.result(timeout=120)

        def wait(block):
            time.sleep(0.05)
            return block

        a = np.arange(600 * 500, dtype="i8").reshape(600, 500)
        slow = da.from_array(a, 100).map_blocks(wait, dtype="i8")
        np.testing.assert_array_equal(self.run_on("1GB", work), a.T[::-1].sum(axis=1))


@unittest.skipUnless(zarr, "zarr is not installed")
class Zarr(unittest.TestCase):
    def test_from_one_store_to_another(self):
        """The chain reads a chunk of the store for each part that it needs; the result goes to another store."""
        a = np.arange(24 * 30, dtype="f4").reshape(24, 30)
        with tempfile.TemporaryDirectory() as folder:
            stored = zarr.create_array(f"{folder}/a.zarr", shape=a.shape, chunks=(5, 8), dtype=a.dtype)
            stored[...] = a
            y = viewfold.dask.apply("x.T[::-2].reshape(5, -1)", x=da.from_zarr(f"{folder}/a.zarr"), chunks=(2, 40))
            da.to_zarr(y, f"{folder}/b.zarr")
            np.testing.assert_array_equal(zarr.open_array(f"{folder}/b.zarr")[...], a.T[::-2].reshape(5, -1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=0)
