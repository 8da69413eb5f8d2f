#!/usr/bin/env python3
"""sweep.py -- many chains beside the fastest copy: quantiles, shares below, the worst.

    sweep.py [VIEWFOLD] [--chains N | --permutations N] [--computed] [--seed S] [--list LIST] [--rows A:B]
             [--peers numpy,torch] [--json FILE]
    sweep.py --from FILE [--worst N]

Without --list the chains are random ones, as people write them (chains.py), or with --permutations those of
permutations.py; with --computed something is done to the elements of each (computing.py); the same for the same seed.
LIST is a file as `viewfold bench --list` takes it, or a name of lists.py: pipelines, cached, cliffs, elements,
transposes, families, ttc57-f32.
--json appends each row that was measured to FILE, an object a line, with its `inputs`; --from reads them back, and
changes.py compares two such files. --write only writes the list.

Each number is limit_ratio: of the fastest copy, by the bytes that must cross the memory bus. Peers do the same
expression by Python in a process beside it, each beside a memcpy of its own (peers.py); they are compared by
what each has of memcpy.
"""

import argparse
import json
import math
import os
import subprocess
import sys

import chains
import computing
import lists
import permutations

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(HERE, "..", "..", "build", "viewfold")
SHARES = (0.25, 0.5, 0.8)
NOISE = 0.1  # a peer is ahead if it is by more


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


# ---- measuring


def rows_wanted(options):
    if options.list:
        rows = lists.read(options.list)
    elif options.permutations:
        make = permutations.computed if options.computed else permutations.permutations
        rows = make(options.seed, options.permutations)
    else:
        rows = list(chains.chains(options.seed, options.chains))
        if options.computed:
            rows = [row for row in (computing.row(*row) for row in rows) if row]
    begin, end = (int(n) if n else None for n in options.rows.split(":"))
    return rows[begin:end]


def bench(options, rows, apart=False):
    """The tool's lines of JSON, as they come; `apart` runs it a row at a time, so that nothing runs in between."""
    if apart and len(rows) > 1:
        for row in rows:
            yield from bench(options, [row])
        return
    command = [
        options.tool,
        "bench",
        "--list",
        "-",
        "--json",
        "--time",
        str(options.seconds),
        "--pages",
        options.pages,
        "--threads",
        str(options.threads),
        "--effort",
        options.effort,
    ]
    inputs = {name: " ".join(declarations) for name, declarations, _ in rows}
    tool = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    tool.stdin.write(lists.text_of(rows))
    tool.stdin.close()
    for line in tool.stdout:
        row = json.loads(line)
        row["inputs"] = inputs[row["name"]]
        yield row
    tool.wait()
    if tool.returncode not in (0, 1):
        sys.exit("sweep: the tool ended with status %d" % tool.returncode)


def open_peers(names):
    if not names:
        return []
    import peers  # pylint: disable=import-outside-toplevel

    return [peers.Peer(name) for name in names.split(",")]


def ask(row, asked):
    for peer in asked:
        reply = peer.ask(row["inputs"].split(), row["expr"])
        if "error" in reply:
            row[peer.name + "_error"] = reply["error"]
        else:
            row[peer.name] = reply["ratio"]


def measure(options):
    rows, found, asked = rows_wanted(options), [], open_peers(options.peers)
    kept = open(options.json, "a") if options.json else None  # pylint: disable=consider-using-with
    for row in bench(options, rows, apart=bool(asked)):
        ask(row, asked)
        found.append(row)
        if kept:
            print(json.dumps(row), file=kept, flush=True)
    for peer in asked:
        peer.close()
    if len(found) < len(rows):
        print("%d of %d chains were not measured" % (len(rows) - len(found), len(rows)))
    return found


# ---- what came out


def line_of(title, numbers):
    below = " ".join("%9s" % ("%.0f %%" % (100 * sum(n < s for n in numbers) / len(numbers))) for s in SHARES)
    ordered = sorted(numbers)
    quantiles = " ".join("%6.2f" % ordered[int(q * (len(ordered) - 1))] for q in (0, 0.05, 0.1, 0.25, 0.5))
    return "%-28s %5d %6.2f %s %s" % (title[:28], len(numbers), geometric_mean(numbers), quantiles, below)


def print_quantiles(found):
    print(
        "%-28s %5s %6s %6s %6s %6s %6s %6s %s"
        % (
            "of the fastest copy",
            "rows",
            "mean",
            "worst",
            "5 %",
            "10 %",
            "25 %",
            "50 %",
            " ".join("%9s" % ("< %.2f" % s) for s in SHARES),
        )
    )
    print(line_of("all", [row["limit_ratio"] for row in found]))
    strategies = {}
    for row in found:
        strategies.setdefault(row["strategy"] + (" (cuts)" if row["cuts"] else ""), []).append(
            row["limit_ratio"]
        )
    for strategy, numbers in sorted(strategies.items(), key=lambda item: -len(item[1])):
        print(line_of("  " + strategy, numbers))


def words_of(row):
    return "%5.2f  %6.1f MB  %-16s  %s  %s" % (
        row["limit_ratio"],
        row["out_bytes"] / 1e6,
        row["strategy"],
        row["expr"],
        row["inputs"],
    )


def print_peers(found):
    for name in ("numpy", "torch", "compile", "jax"):
        both = [row for row in found if name in row]
        if not both:
            continue
        ahead = [row for row in both if row[name] > row["ratio"] * (1 + NOISE)]
        print(
            "\n%s on %d of them: viewfold is %.1f times as fast in the geometric mean; behind by more than %.0f %% on %d"
            % (
                name,
                len(both),
                geometric_mean([row["ratio"] / row[name] for row in both]),
                100 * NOISE,
                len(ahead),
            )
        )
        for row in sorted(ahead, key=lambda row: row["ratio"] / row[name]):
            print("  %4.2f times its speed  %s" % (row["ratio"] / row[name], words_of(row)))


def print_all(found, worst):
    print_quantiles(found)
    print("\nthe worst:")
    for row in sorted(found, key=lambda row: row["limit_ratio"])[:worst]:
        print("  " + words_of(row))
    print_peers(found)


# ---- the command


def parse_arguments():
    parser = argparse.ArgumentParser(description="many chains beside the fastest copy")
    parser.add_argument(
        "tool", nargs="?", default=BUILT, help="the viewfold to measure (default: build/viewfold)"
    )
    parser.add_argument("--chains", type=int, default=200, help="random chains (default: 200)")
    parser.add_argument("--permutations", type=int, default=0, help="random permutations instead")
    parser.add_argument("--computed", action="store_true", help="random ones that compute")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--list", help="these instead")
    parser.add_argument("--rows", default=":", help="A:B, a part of the rows")
    parser.add_argument("--seconds", type=float, default=0.25, help="for a chain (default: 0.25)")
    parser.add_argument("--pages", default="huge", choices=["huge", "small"])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--effort", default="estimate", choices=["estimate", "measure"])
    parser.add_argument("--peers", help="numpy, torch, compile, jax: those that this Python can import")
    parser.add_argument("--json", help="append what is measured to this file")
    parser.add_argument("--from", dest="source", help="read such a file instead of measuring")
    parser.add_argument("--write", help="write the list to this file and measure nothing")
    parser.add_argument("--worst", type=int, default=15, help="how many of the worst to print (default: 15)")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.write:
        with open(options.write, "w") as out:
            out.write(lists.text_of(rows_wanted(options)))
        return
    if options.source:
        with open(options.source) as lines:
            found = [json.loads(line) for line in lines]
    else:
        found = measure(options)
    if found:
        print_all(found, options.worst)


if __name__ == "__main__":
    main()
