"""test_bench.py -- what the benchmarks stand on: the random chains, the lists, and the comparison of two runs.

Each chain of a seed must be one that the tool takes, with the result's shape that the generator counted on; each
row of the lists must be taken; changes.py must name the row that lost, and only that.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bench"))

import chains  # pylint: disable=wrong-import-position
import lists  # pylint: disable=wrong-import-position

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
    for name in ("pipelines", "cliffs", "cached", "transposes", "ttc57-u16"):
        rows = lists.read(name)
        expect(len({row[0] for row in rows}) == len(rows), name, "has a name twice")
        for _, declarations, expression in rows:
            done = explain(declarations, expression)
            expect(done.returncode == 0, name, expression, declarations, done.stderr.strip())


def test_changes():
    with tempfile.TemporaryDirectory() as directory:
        before, after = os.path.join(directory, "before"), os.path.join(directory, "after")
        for path, ratios in (
            (before, {"a": 0.5, "b": 0.8, "c": 0.9}),
            (after, {"a": 0.45, "b": 0.79, "c": 0.99}),
        ):
            with open(path, "w") as out:
                for name, ratio in ratios.items():
                    print(
                        json.dumps({"name": name, "expr": "x.T", "strategy": "tile", "limit_ratio": ratio}),
                        file=out,
                    )
        command = [sys.executable, "-B", os.path.join(ROOT, "bench", "changes.py")]
        done = subprocess.run(command + [before, after], capture_output=True, text=True, check=False)
        expect(
            done.returncode == 1 and "1 lost more" in done.stdout and "1 gained more" in done.stdout,
            "changes:",
            done,
        )
        expect(
            [line.split()[-2] for line in done.stdout.splitlines()[:-1]] == ["a", "c"],
            "changes names:",
            done.stdout,
        )
        done = subprocess.run(command + [before, before], capture_output=True, text=True, check=False)
        expect(done.returncode == 0 and "geometric mean 1.000" in done.stdout, "no change:", done)


def main():
    test_chains()
    test_lists()
    test_changes()
    for failure in failures[:10]:
        print("FAILED:", failure)
    print("%d chains, the lists and changes.py: %d failures" % (CHAINS, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
