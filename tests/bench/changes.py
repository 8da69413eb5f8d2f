#!/usr/bin/env python3
"""changes.py -- two runs of sweep.py or of `viewfold bench --list --json`, row by row.

    changes.py BEFORE AFTER [--by KEY] [--beyond PERCENT] [--all]

Prints the rows that changed by more than PERCENT (3), those that lost first, then the geometric mean of all
ratios. KEY is limit_ratio, which weighs each run by its own copy, or another number of the rows; of a time
(kernel_ns) the ratio is before to after, so that above 1 is always better. Exit status 1 if rows lost.
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


def line_of(name, before, after, key):
    return "%6.2f  %10.4g -> %-10.4g  %-14s -> %-14s  %s  %s" % (
        change(before, after, key),
        before[key],
        after[key],
        before["strategy"],
        after["strategy"],
        name,
        after["expr"],
    )


def main():
    parser = argparse.ArgumentParser(description="two runs, row by row")
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--by", default="limit_ratio")
    parser.add_argument("--beyond", type=float, default=3)
    parser.add_argument("--all", action="store_true", help="print each row")
    options = parser.parse_args()
    before, after = read(options.before), read(options.after)
    names = [name for name in before if name in after]
    if not names:
        sys.exit("changes: the two files share no row")
    ratios = {name: change(before[name], after[name], options.by) for name in names}
    edge = options.beyond / 100
    lost = [name for name in names if ratios[name] < 1 - edge]
    won = [name for name in names if ratios[name] > 1 + edge]
    for name in sorted(names, key=ratios.get):
        if options.all or name in lost or name in won:
            print(line_of(name, before[name], after[name], options.by))
    print(
        "%d rows, %s: geometric mean %.3f of before, least %.2f, greatest %.2f; %d lost more than %g %%, %d gained more"
        % (
            len(names),
            options.by,
            math.exp(sum(map(math.log, ratios.values())) / len(names)),
            min(ratios.values()),
            max(ratios.values()),
            len(lost),
            options.beyond,
            len(won),
        )
    )
    for title, some, others in (("only before", before, after), ("only after", after, before)):
        missing = [name for name in some if name not in others]
        if missing:
            print("%s: %s" % (title, ", ".join(missing)))
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
