#!/usr/bin/env python3
"""waits.py -- rows of sweep.py that wait: cold they take longer than what they do in the caches, and than a copy.

    waits.py ROWS.json [VIEWFOLD] [--below RATIO] [--seconds S] [--most N]

ROWS.json is what `sweep.py --json` has written. Each row below RATIO (0.66) of the fastest copy whose inputs have
the same first axis, which its result has too, is timed again with so little of that axis that the result stays in
the second cache. Printed are, those first that wait most: cold by the slower of warm and a copy, for as many bytes;
limit_ratio; warm by a copy; the strategies; the chain. Near 1 nothing is gained by how it is asked for; from 2 on
something waits that nobody asked for. The plan of so little may be another one: a hint where to look, no measure.
"""

import argparse
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(HERE, "..", "..", "build", "viewfold")
WARM = 700e3  # bytes of a result that stays


def cut(row):
    """The row's inputs with less of their first axis, and that part of it; None where there is none."""
    declared = [re.fullmatch(r"(\w+=\w+)\[(\d+),(.*)\]", one) for one in row["inputs"].split()]
    if not all(declared):
        return None
    first = {int(one[2]) for one in declared}
    if len(first) > 1:
        return None
    whole = first.pop()
    part = max(1, int(whole * WARM / row["out_bytes"]))
    if 2 * part > whole:
        return None
    return ["%s[%d,%s]" % (one[1], part, one[3]) for one in declared], part / whole


def warm_of(row, options):
    """What the row would take in the caches; None where it cannot be cut, or its result does not become less."""
    less = cut(row)
    if not less:
        return None
    inputs, part = less
    command = [options.tool, "bench", row["expr"], *inputs, "--json", "--time", str(options.seconds)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1) or not ran.stdout:
        return None
    small = json.loads(ran.stdout.splitlines()[0])
    if abs(small["out_bytes"] / row["out_bytes"] / part - 1) > 0.05:
        return None
    return small["kernel_ns"] / part


def main():
    parser = argparse.ArgumentParser(description="rows that wait for memory")
    parser.add_argument("rows")
    parser.add_argument("tool", nargs="?", default=BUILT)
    parser.add_argument("--below", type=float, default=0.66)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--most", type=int, default=40)
    options = parser.parse_args()
    with open(options.rows) as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    found = []
    for row in rows:
        warm = warm_of(row, options) if row["limit_ratio"] < options.below else None
        if warm:
            found.append((row["kernel_ns"] / max(warm, row["copy_ns"]), warm / row["copy_ns"], row))
    found.sort(key=lambda one: -one[0])
    print("waits  of the fastest copy  warm by a copy")
    for waits, warm, row in found[: options.most]:
        words = row["strategy"], row["expr"], row["inputs"]
        print("%5.2f  %.2f  %.2f  %s" % (waits, row["limit_ratio"], warm, "  ".join(words)))


if __name__ == "__main__":
    main()
