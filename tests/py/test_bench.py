"""test_bench.py -- what the benchmarks stand on: the random chains, the lists, and the comparison of two runs.

Each chain of a seed must be one that the tool takes, with the result's shape that the generator counted on; each
row of the lists must be taken; changes.py must name the row that lost, and only that; the README's block must be led by the
fastest copy; dumps and naive nests must write the same bytes.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bench"))

import chains  # pylint: disable=wrong-import-position
import lists  # pylint: disable=wrong-import-position
import report  # pylint: disable=wrong-import-position

TOOL = os.environ["VIEWFOLD"]
CHAINS = int(os.environ.get("VF_BENCH_CHAINS", "150"))
failures = []


def expect(holds, *words):
    if not holds:
        failures.append(" ".join(map(str, words)))


def explain(declarations, expression):
    return subprocess.run(
        [TOOL, "explain", expression, *declarations], capture_output=True, text=True, check=False
    )


def last_shape(text):
    """Of the last line that is a map: "    (4,6):(6,1)+0" or "    (6,6) { ... }". A compound axis counts its digits."""
    found = [line.strip() for line in text.splitlines() if re.match(r"    \(", line)]
    depth, shape, product = 0, [], 1
    for word in re.findall(r"[(),]|\d+", found[-1]):
        if word == "(":
            depth += 1
        elif word == ")" or word == ",":
            depth -= word == ")"
            if depth <= 1 and product is not None:
                shape.append(product)
                product = None
            if depth == 0:
                return shape
            product = 1 if depth == 1 and word == "," else product
        else:
            product = (product or 1) * int(word)
    return shape


def test_chains():
    for number in range(CHAINS):
        declarations, expression = chains.chain("test", number)
        expect(
            (declarations, expression) == chains.chain("test", number),
            "another chain by the same seed:",
            number,
        )
        done = explain(declarations, expression)
        expect(done.returncode == 0, "refused:", expression, declarations, done.stderr.strip())
        wanted = chains.counted("test", number)
        if done.returncode == 0:
            expect(
                last_shape(done.stdout) == wanted,
                expression,
                declarations,
                "has",
                last_shape(done.stdout),
                "not",
                wanted,
            )


def test_lists():
    for name in ("pipelines", "cliffs", "cached", "rows", "transposes", "ttc57-u16"):
        rows = lists.read(name)
        expect(len({row[0] for row in rows}) == len(rows), name, "has a name twice")
        for _, declarations, expression in rows:
            done = explain(declarations, expression)
            expect(done.returncode == 0, name, expression, declarations, done.stderr.strip())


def write_run(path, rows):
    """Rows of (name, limit_ratio, the spread of its kernel's runs)."""
    with open(path, "w") as out:
        for name, ratio, spread in rows:
            row = {"name": name, "expr": "x.T", "strategy": "tile", "limit_ratio": ratio, "kernel_ns": 100}
            row.update(kernel_low_ns=100 / (1 + spread), kernel_high_ns=100 * (1 + spread))
            print(json.dumps(row), file=out)


def test_changes():
    with tempfile.TemporaryDirectory() as directory:
        before, after = os.path.join(directory, "before"), os.path.join(directory, "after")
        write_run(before, [("a", 0.5, 0.01), ("b", 0.8, 0), ("c", 0.9, 0), ("d", 0.5, 0.06), ("e", 0.5, 0.06)])
        write_run(after, [("a", 0.45, 0.01), ("b", 0.79, 0), ("c", 0.99, 0), ("d", 0.45, 0.06), ("e", 0.55, 0.06)])
        command = [sys.executable, "-B", os.path.join(ROOT, "bench", "changes.py")]
        done = subprocess.run(command + [before, after], capture_output=True, text=True, check=False)
        words = "1 lost more than 3 %, 1 gained more, 2 within the spread"
        expect(done.returncode == 1 and words in done.stdout, "changes:", done)
        marks = [(line.split()[-2], "~" in line) for line in done.stdout.splitlines()[:-1]]
        expect(sorted(marks) == [("a", False), ("c", False), ("d", True), ("e", True)], "marks:", done.stdout)
        done = subprocess.run(command + [before, before], capture_output=True, text=True, check=False)
        expect(done.returncode == 0 and "geometric mean 1.000" in done.stdout, "no change:", done)


def test_report():
    """The fastest copy leads, and the block of a README is all that changes."""
    row = {
        "name": "turned",
        "limit": 0.75,
        "memcpy": 0.5,
        "numpy": 0.25,
        "strategy": "tile",
        "engine": "jit",
        "out_bytes": 64,
    }
    row.update(over_interpreter=1.0, libtcc_us=60, build_us=70, evicted_by="clflush", numpy_first_s=0.1)
    machine = dict.fromkeys(("date", "processor", "kind", "vectors", "system", "libc"), "?")
    found = {
        "machine": {**machine, "cores": 2},
        "effort": "estimate",
        "pipelines": [row],
        "ttc57": {"f32": [row]},
        "peers": [{"name": "numpy", "title": "NumPy", "version": "2"}],
    }
    begin, end = "<!-- bench -->", "<!-- /bench -->"
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "README.md")
        with open(path, "w") as out:
            out.write("before\n%s\nold\n%s\nafter\n" % (begin, end))
        report.refresh(path, found)
        with open(path) as text:
            lines = text.read().splitlines()
        expect(
            lines[:2] == ["before", begin] and lines[-2:] == [end, "after"], "refresh:", lines
        )
        expect("| `turned` | 0.75 | 0.50 | 0.25 | tile |" in lines, "the pipelines' row:", lines)
        expect(
            any(line.startswith("| 57 permutations `f32` | 1 | **0.75** | 0.75 |") for line in lines),
            "the list:",
            lines,
        )
        with open(path, "a") as out:
            out.write("<!-- bench of another processor -->\n<!-- /bench of another processor -->\n")
        report.refresh(path, found, other=True)
        with open(path) as text:
            both = text.read().splitlines()
        expect(both[: len(lines)] == lines, "another processor's: the first stay as they are:", both)
        expect(
            both[len(lines)] == "<!-- bench of another processor -->"
            and both.count("| `turned` | 0.75 | 0.50 | 0.25 | tile |") == 2
            and not any(line.startswith("![") for line in both[len(lines) :]),
            "another processor's rows, without a picture:",
            both,
        )


STANDALONE = """turned\tx=f32[40,72]\tx.T
picture\tx=u8[1,24,40,3]\tx.permute(0, 3, 1, 2)
border\tx=u8[2,9,11,4]\tx.pad([1, 1, 2, 2], value=7)
rolled\tx=i16[5,40,6]\tx.roll(2, 2).transpose(0, 2).reshape(-1, 40)
joined\tx=f64[6,10] y=f64[4,10]\tcat([x, y.flip(1)])[::2]
windows\tx=f32[2,12,12]\tx.pad([1, 1, 1, 1]).unfold(1, 3, 1).unfold(2, 3, 1).permute(1, 2, 0, 3, 4).flatten(2)
hops\tx=c128[12,10]\tx.T.reshape(8, 15).T
"""


def test_standalone():
    """Dumps and naive nests by a C compiler write what the interpreter writes: `bench --beside` compares them."""
    compiler = os.environ.get("CC", "cc")
    if not shutil.which(compiler):
        return
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "list.tsv")
        with open(path, "w") as out:
            out.write(STANDALONE)
        command = [sys.executable, "-B", os.path.join(ROOT, "bench", "standalone.py"), TOOL, "--list", path]
        kept = os.path.join(directory, "kept")
        command += ["--seconds", "0.001", "--cc", compiler, "--flags=-O1", "--json", kept]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        names = []
        if os.path.exists(kept):
            with open(kept) as rows:
                names = [json.loads(row)["name"] for row in rows]
        expect(
            names == [line.split("\t")[0] for line in STANDALONE.splitlines()],
            "standalone:",
            done.stdout,
            done.stderr,
        )


def main():
    test_chains()
    test_lists()
    test_changes()
    test_report()
    test_standalone()
    for failure in failures[:10]:
        print("FAILED:", failure)
    print("%d chains, the lists and changes.py: %d failures" % (CHAINS, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
