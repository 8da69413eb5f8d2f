#!/usr/bin/env python3
"""changes.py -- two runs of sweep.py or of `viewfold bench --list --json`, row by row.

    changes.py BEFORE AFTER [--by KEY] [--beyond PERCENT] [--all]

Prints the rows that changed by more than PERCENT (3), those that lost first, then the geometric mean of all
ratios. KEY is limit_ratio, which weighs each run by its own copy, or another number of the rows; of a time
(kernel_ns) the ratio is before to after, so that above 1 is always better. A row whose middle halves of runs
meet is marked ~ and counts neither as lost nor as gained: that much the same program moves. Exit status 1 if
rows lost.
"""

import argparse
import json
import math
import sys


def read(path):
    with open(path) as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return {row.get("name", row["expr"]): row for row in rows}


def change(before, after, key):
    return before[key] / after[key] if key.endswith("_ns") else after[key] / before[key]


def middle(row):
    """The kernel's quartiles as fractions of its median, of rows that have them."""
    return [row.get(key, row["kernel_ns"]) / row["kernel_ns"] for key in ("kernel_low_ns", "kernel_high_ns")]


def doubtful(before, after, ratio):
    """Whether the two runs' middle halves meet; False of rows without times."""
    if "kernel_low_ns" not in before or "kernel_low_ns" not in after:
        return False
    (low_before, high_before), (low_after, high_after) = middle(before), middle(after)
    return low_before / high_after <= 1 / ratio if ratio > 1 else high_before / low_after >= 1 / ratio


def line_of(pair, key, mark):
    before, after = pair
    return "%6.2f%s %10.4g -> %-10.4g  %-14s -> %-14s  %s  %s" % (
        change(before, after, key),
        mark,
        before[key],
        after[key],
        before["strategy"],
        after["strategy"],
        after.get("name", ""),
        after["expr"],
    )


def print_sum(ratios, options, kinds):
    words = "%d rows, %s: geometric mean %.3f of before, least %.2f, greatest %.2f; "
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    print(words % (len(ratios), options.by, mean, min(ratios.values()), max(ratios.values())), end="")
    words = "%d lost more than %g %%, %d gained more, %d within the spread of their runs"
    print(words % (kinds.count("lost"), options.beyond, kinds.count("gained"), kinds.count("doubtful")))


def kind_of(pair, ratio, edge):
    if abs(ratio - 1) <= edge:
        return "level"
    if doubtful(*pair, ratio):
        return "doubtful"
    return "lost" if ratio < 1 else "gained"


def main():
    parser = argparse.ArgumentParser(description="two runs, row by row")
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--by", default="limit_ratio")
    parser.add_argument("--beyond", type=float, default=3)
    parser.add_argument("--all", action="store_true", help="print each row")
    options = parser.parse_args()
    before, after = read(options.before), read(options.after)
    pairs = {name: (before[name], after[name]) for name in before if name in after}
    if not pairs:
        sys.exit("changes: the two files share no row")
    ratios = {name: change(*pair, options.by) for name, pair in pairs.items()}
    kinds = {name: kind_of(pairs[name], ratios[name], options.beyond / 100) for name in pairs}
    for name in sorted(pairs, key=ratios.get):
        if options.all or kinds[name] != "level":
            print(line_of(pairs[name], options.by, "~" if kinds[name] == "doubtful" else " "))
    print_sum(ratios, options, list(kinds.values()))
    for title, some, others in (("only before", before, after), ("only after", after, before)):
        missing = [name for name in some if name not in others]
        if missing:
            print("%s: %s" % (title, ", ".join(missing)))
    sys.exit(1 if "lost" in kinds.values() else 0)


if __name__ == "__main__":
    main()
