"""What the Python module tells of itself: signatures, examples, stubs, names; and einops and the array API over it."""
import ast
import doctest
import importlib.util
import inspect
import os
import re
import subprocess
import sys
import unittest

import numpy as np

from built import vf

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..", "src", "python")


def operations():
    """(kind, name, parameters) of each row of operations.h."""
    with open(os.path.join(SOURCE, "operations.h")) as header:
        text = header.read().split("#define VIEWFOLD_OPERATIONS", 1)[1]
    yield from re.findall(r'^\t(VIEW|LIST|JOIN)\((\w+), "([^"]*)"', text, re.M)
    yield from (("ATTRIBUTE", name, "") for name in re.findall(r"^\tATTRIBUTE\((\w+),", text, re.M))


OPERATIONS = list(operations())


def owner(kind):
    return vf if kind == "JOIN" else vf.Array


class Descriptions(unittest.TestCase):
    def test_each_operation_has_a_signature_and_a_text(self):
        self.assertGreater(len(OPERATIONS), 55)
        for kind, name, parameters in OPERATIONS:
            described = getattr(owner(kind), name)
            with self.subTest(name):
                self.assertGreater(len(inspect.getdoc(described)), 12)
                if kind != "ATTRIBUTE":
                    wanted = ("" if kind == "JOIN" else "self, /" + (", " if parameters else "")) + parameters
                    self.assertEqual(str(inspect.signature(described)), f"({wanted})")

    def test_examples(self):
        shown = 0
        runner = doctest.DocTestRunner(verbose=False)
        names = {name: getattr(vf, name) for name in vf.__all__}
        described = [(name, getattr(owner(kind), name)) for kind, name, _ in OPERATIONS] + \
                    [(name, getattr(vf, name)) for name in ("ascontiguousarray", "copyto", "set_options")] + [("phase", vf.Array.phase)]
        for name, thing in described:
            text = inspect.getdoc(thing)
            example = doctest.DocTestParser().get_doctest(text, dict(names), name, None, None)
            output = []
            runner.run(example, out=output.append)
            self.assertEqual(output, [])
            shown += len(example.examples) > 0
            if ">>>" not in text and "The same as" not in text:
                self.assertIn(name, ("T", "mT", "real", "imag"))
        self.assertGreater(shown, 40)

    def test_stubs_have_the_parameters(self):
        with open(os.path.join(SOURCE, "viewfold", "_viewfold.pyi")) as file:
            module = ast.parse(file.read()).body
        kinds = {node.name: node for node in module if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        methods = {node.name: node for node in kinds["Array"].body if isinstance(node, ast.FunctionDef)}
        for kind, name, parameters in OPERATIONS:
            stub = (kinds if kind == "JOIN" else methods)[name]
            wanted = [] if kind == "JOIN" else ["self"]
            for parameter in re.findall(r"(\*{0,2}\w+)(?:=(?:\([^)]*\)|[^,]*))?(?:, |$)", parameters):
                wanted += ["*args", parameter[1:]] if re.match(r"\*\w", parameter) else [parameter]
            given = stub.args
            found = [argument.arg for argument in given.args] + (["*" + given.vararg.arg] if given.vararg else [])
            found += [argument.arg for argument in given.kwonlyargs] + (["**" + given.kwarg.arg] if given.kwarg else [])
            self.assertEqual(found, wanted, name)

    def test_stubs_name_what_is_there(self):
        for file, things in (("_viewfold.pyi", vf._viewfold), ("__init__.pyi", vf)):
            with open(os.path.join(SOURCE, "viewfold", file)) as text:
                text = text.read()
            for name in re.findall(r"^    def (\w+)\(", text, re.M):
                if name == "__buffer__" and sys.version_info < (3, 12):
                    continue  # Python code cannot see it before
                owners = (things.Array, getattr(things, "set_options", None))
                self.assertTrue(any(hasattr(o, name) for o in owners if o), (file, name))
            for name in re.findall(r"^(?:def|class) (\w+)", text, re.M):
                self.assertTrue(hasattr(things, name), (file, name))
        public = {name for name in vars(vf.Array) if not name.startswith("_")}
        with open(os.path.join(SOURCE, "viewfold", "__init__.pyi")) as text:
            self.assertEqual(public - set(re.findall(r"    def (\w+)", text.read())), set())

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "needs mypy")
    def test_mypy_accepts_a_sample(self):
        self.assertIn("no issues found", self.mypy(os.path.join(HERE, "typed_sample.py")))
        self.assertIn("Found 2 errors", self.mypy(
            "-c", "import viewfold as vf\nvf.asarray(b'').narrow('a', 1, 2)\nvf.nosuch()\n"))

    def mypy(self, *what):
        """What it prints. An installed package it finds by itself, and wants no path to."""
        folder = os.environ["VIEWFOLD_PYTHONPATH"]
        path = {} if "site-packages" in folder else {"MYPYPATH": folder}
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, *what], text=True,
                              stdout=subprocess.PIPE, env={**os.environ, **path}).stdout


@unittest.skipUnless(importlib.util.find_spec("einops"), "needs einops")
class Einops(unittest.TestCase):
    def test_einops_runs_over_our_arrays(self):
        import einops
        import viewfold.einops  # noqa: F401
        a = np.arange(2 * 4 * 6 * 3).reshape(2, 4, 6, 3)
        x = vf.asarray(a)
        for pattern, sizes in (("b h w c -> b c h w", {}), ("b (h p) (w q) c -> (b h w) (p q c)", {"p": 2, "q": 3}),
                               ("b h w c -> (c b w) h 1", {}), ("... c -> c ...", {})):
            got = einops.rearrange(x, pattern, **sizes)
            self.assertIs(type(got), vf.Array)
            np.testing.assert_array_equal(got.numpy(), einops.rearrange(a, pattern, **sizes))
        for pattern, sizes in (("b h w c -> b (h 2) (w 3) c", {}), ("b h w c -> n b h w c", {"n": 5}),
                               ("b h w c -> b h w c k", {"k": 2})):
            np.testing.assert_array_equal(einops.repeat(x, pattern, **sizes).numpy(), einops.repeat(a, pattern, **sizes))
        packed, shapes = einops.pack([x, x[:, 0]], "b * c")
        wanted, _ = einops.pack([a, a[:, 0]], "b * c")
        np.testing.assert_array_equal(packed.numpy(), wanted)
        for part, source in zip(einops.unpack(packed, shapes, "b * c"), (a, a[:, 0])):
            np.testing.assert_array_equal(part.numpy(), source)
        np.testing.assert_array_equal(einops.rearrange([x, x], "n b h w c -> b n h w c").numpy(), np.stack([a, a], 1))
        self.assertEqual(einops.parse_shape(x, "b h _ c"), {"b": 2, "h": 4, "c": 3})
        with self.assertRaisesRegex(Exception, "elements only"):
            einops.reduce(x, "b h w c -> c", "max")


class ArrayApi(unittest.TestCase):
    def test_the_namespace(self):
        a = np.arange(24.0).reshape(2, 3, 4)
        x = vf.asarray(a)
        xp = x.__array_namespace__(api_version="2024.12")
        with self.assertRaisesRegex(ValueError, "1999"):
            x.__array_namespace__(api_version="1999.1")
        for line in ("permute_dims(x, (2, 0, 1))", "moveaxis(x, 0, -1)", "flip(x)", "flip(x, axis=1)", "roll(x, 2)",
                     "roll(x, (1, 2), axis=(0, 2))", "reshape(x, (4, -1))", "expand_dims(x, axis=-1)", "tile(x, (2, 1))",
                     "squeeze(expand_dims(x, axis=1), 1)", "repeat(x, 2)", "repeat(x, 3, axis=1)",
                     "concat((x, x), axis=None)", "concat([x, x], axis=-1)", "stack([x, x], axis=2)", "unstack(x, axis=1)[2]",
                     "broadcast_to(x, (5, 2, 3, 4))", "broadcast_arrays(x, x[:1])[1]", "matrix_transpose(x)",
                     "subtract(x, 3)", "multiply(x, flip(x))", "divide(7, x + 1)", "add(negative(x), positive(x[0]))",
                     "clip(x, 3, 7.5)", "clip(x, max=2)", "clip(x)", "astype(x, 'float32')",
                     "astype(x, 'int8', copy=False)", "subtract(x, [1, 2.5, 3, 4])",
                     "take(x, indices, axis=1)", "repeat(x, indices, axis=1)", "reshape(x, (24,), copy=True)"):
            names = {name: getattr(np, name) for name in xp.__all__ if hasattr(np, name)}
            if any(re.search(rf"\b{name}\(", line) and name not in names for name in xp.__all__):
                continue  # of a NumPy that does not have it yet
            indices = np.array([2, 0, 1])
            with self.subTest(line):
                got = eval(line, {**{name: getattr(xp, name) for name in xp.__all__}, "x": x,
                                  "indices": vf.asarray(indices)})
                np.testing.assert_array_equal(got.numpy(), eval(line, {**names, "x": a, "indices": indices}))
        for error, line in ((vf.LayoutError, "reshape(x.T, (24,), copy=False)"), (ValueError, "squeeze(x, 0)"),
                            (ValueError, "broadcast_arrays(x, x[:, :2])"), (ValueError, "take(x, x)"),
                            (TypeError, "asarray(x, dtype='int8')"), (ValueError, "asarray(x, device='gpu')")):
            with self.subTest(line), self.assertRaises(error):
                eval(line, {**{name: getattr(xp, name) for name in xp.__all__}, "x": x})
        info = xp.__array_namespace_info__()
        self.assertEqual((info.devices(), info.default_device(), info.capabilities()["boolean indexing"]),
                         (["cpu"], "cpu", False))
        self.assertEqual(info.dtypes(kind="bool"), {"bool": np.dtype("bool")})
        self.assertEqual((x.device, x.to_device("cpu") is x), ("cpu", True))

    def test_types_are_promoted_as_the_standard_says(self):
        from viewfold import array_api
        kinds = "u1 u2 u4 u8 i1 i2 i4 i8 f4 f8 c8 c16".split()
        for one, other in ((one, other) for one in kinds for other in kinds):
            a, b = np.arange(6, dtype=one).reshape(2, 3)[:, ::-1], np.arange(6, dtype=other).reshape(2, 3)
            x, y = vf.asarray(a), vf.asarray(b)
            mixed = (one[0] in "ui") != (other[0] in "ui") or ("u8" in (one, other) and "i" in (one[0], other[0]))
            with self.subTest(f"{one} and {other}"):
                for ours, theirs in ((array_api.concat, np.concatenate), (array_api.stack, np.stack)):
                    if mixed:
                        self.assertRaises(TypeError, ours, [x, y])
                        continue
                    got, wanted = ours([x, y]).numpy(), theirs([a, b])
                    self.assertEqual(got.dtype, wanted.dtype)
                    np.testing.assert_array_equal(got, wanted)

    def test_shapes_of_others(self):
        x = vf.asarray(np.arange(6)).reshape(2, 3)
        y = vf.asarray(np.arange(6)).reshape(3, 2)
        self.assertEqual(x.view_as(y).tolist(), y.tolist())
        self.assertEqual(x.T.reshape_as(y).tolist(), x.T.tolist())
        self.assertEqual(x[:1].expand_as(x).tolist(), [[0, 1, 2]] * 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
