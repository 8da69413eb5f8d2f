#!/usr/bin/env python3
"""suite.py -- viewfold beside memcpy, NumPy, PyTorch and JAX: every table of the README.

    suite.py [VIEWFOLD] [--only TABLE] [--peers LIST] [--seconds S] [--calls PROGRAM]
                      [--json FILE] [--plot FILE.svg] [--readme README.md]
    suite.py --from FILE.json [--plot FILE.svg] [--readme README.md]

Tables (--only takes one, again and again; without it all):

  pipelines   pipelines.tsv, what people write: layouts, patches, windows, crops; beside the peers
  threads     the same on two threads, beside a memcpy on two threads
  cached      cached.tsv, the like that fit in L2
  ttc57       ttc57.txt, the permutations of the Tensor Transpose Compiler's benchmark, which HPTT uses
              (rank, permutation, extents, column-major): f32, f64, u16 and u8
  calls       --calls: a program that times single calls, bench/calls.c

VIEWFOLD is build/viewfold, and --calls the bench.calls that was built with it, unless told otherwise.

Each row of the first four is one run of `viewfold bench --json`: medians of alternating runs of the
compiled kernel, the interpreter on the same plan, and a memcpy of the result's bytes. `ratio` is memcpy's
time over the kernel's; `traffic` weighs it by the bytes that must cross the memory bus. Peers are asked
in the same run, each beside a memcpy of its own (peers.py); one that is absent is named and left out, and a
dash stands where a chain has no equal in one. --json keeps all numbers, --from reads them back.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time

import chart
import lists
import peers
import report

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(HERE, "..", "..", "build", "viewfold")
TTC_DTYPES = ["f32", "f64", "u16", "u8"]
TABLES = ["pipelines", "threads", "cached", "ttc57", "calls"]


# ---- measuring


def measure(options, declarations, expression, threads, seconds):
    command = [options.tool, "bench", "--json", expression, *declarations,
               "--threads", str(threads), "--time", str(seconds), "--effort", options.effort]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def describe(name, found):
    return {"name": name, "ratio": found["ratio"], "traffic": found["traffic_ratio"], "strategy": found["strategy"],
            "out_bytes": found["out_bytes"], "engine": found["engine"],
            "over_interpreter": found["interpret_ns"] / found["kernel_ns"],
            "libtcc_us": found["compile_ns"] / 1e3, "build_us": found["build_ns"] / 1e3}


def ask_peers(row, asked, declarations, expression):
    for peer in asked:
        reply = peer.ask(declarations, expression)
        if "error" in reply:
            print("%s has no %s: %s" % (peer.title, row["name"], reply["error"]), file=sys.stderr)
            continue
        row[peer.name] = row["traffic"] / row["ratio"] * reply["ratio"]
        row[peer.name + "_first_s"] = reply["first_s"]


def run_table(title, rows, asked, options, threads=1, share=1.0):
    """Measure and print the rows of one table; `share` of the time asked for is spent on each."""
    print("\n%s\n%s" % (title, report.heading(asked)), flush=True)
    results = []
    for name, declarations, expression in rows:
        found = measure(options, declarations, expression, threads, options.seconds * share)
        row = describe(name, found)
        if abs(row["over_interpreter"] - 1) > report.DOUBT:  # in whose favour it may be: once more, for longer
            found = measure(options, declarations, expression, threads, 2 * options.seconds)
            row["over_interpreter"] = describe(name, found)["over_interpreter"]
        ask_peers(row, asked, declarations, expression)
        results.append(row)
        print(report.line(row, asked), flush=True)
    for words in report.foot(results, asked):
        print(words)
    return results


def find_peers(wanted):
    found = []
    for name in wanted.split(",") if wanted != "none" else []:
        peer = peers.Peer(name)
        if peer.error:
            print("without %s: %s" % (peer.title, peer.error), file=sys.stderr)
            peer.close()
        else:
            found.append(peer)
    return found


def read_word(path, key):
    """What follows `key` and a separator in a file of such lines."""
    try:
        with open(path) as lines:
            for line in lines:
                if line.startswith(key):
                    return line[len(key):].strip(" \t\n:=\"")
    except OSError:
        pass
    return ""


def describe_machine():
    flags = read_word("/proc/cpuinfo", "flags").split()
    vectors = "AVX-512" if "avx512bw" in flags else "AVX2" if "avx2" in flags else "no AVX2"
    return {"processor": read_word("/proc/cpuinfo", "model name") or platform.machine(), "vectors": vectors,
            "cores": len(os.sched_getaffinity(0)), "system": read_word("/etc/os-release", "PRETTY_NAME") or platform.system(),
            "libc": " ".join(platform.libc_ver()), "date": time.strftime("%Y-%m")}


def run_all(options):
    wanted = options.only or TABLES
    found = {"machine": describe_machine(), "effort": options.effort, "peers": []}
    if "pipelines" in wanted:
        asked = find_peers(options.peers)
        found["peers"] = [{"name": p.name, "title": p.title, "version": p.version} for p in asked]
        found["pipelines"] = run_table("pipelines, one thread", lists.read("pipelines"), asked, options)
        for peer in asked:
            peer.close()
    if "threads" in wanted:
        found["threads"] = run_table("pipelines, two threads", lists.read("pipelines"), [], options, threads=2)
    if "cached" in wanted:
        found["cached"] = run_table("pipelines that fit in L2", lists.read("cached"), [], options, share=0.25)
    if "ttc57" in wanted:
        found["ttc57"] = {dtype: run_table("ttc57 " + dtype, lists.read("ttc57-" + dtype), [], options, share=0.25)
                          for dtype in options.dtype or TTC_DTYPES}
    if "calls" in wanted:
        found["calls"] = json.loads(subprocess.run([options.calls], check=True, capture_output=True, text=True).stdout)
    return found


# ---- the command


def parse_arguments():
    parser = argparse.ArgumentParser(description="viewfold beside memcpy, NumPy, PyTorch and JAX")
    parser.add_argument("tool", nargs="?", default=BUILT, help="the viewfold to measure (default: build/viewfold)")
    parser.add_argument("--only", action="append", choices=TABLES, help="this table (may be repeated)")
    parser.add_argument("--dtype", action="append", choices=["u8", "u16", "f16", "f32", "f64"],
                        help="of ttc57 (may be repeated; default: %s)" % ", ".join(TTC_DTYPES))
    parser.add_argument("--peers", default=",".join(peers.KINDS), help="default: %(default)s; or none")
    parser.add_argument("--effort", default="estimate", choices=["estimate", "measure"])
    parser.add_argument("--seconds", type=float, default=1, help="for a pipeline; other rows get a quarter")
    parser.add_argument("--calls", help="the program of bench/calls.c (default: tests/bench.calls beside the tool)")
    parser.add_argument("--json", help="write all numbers")
    parser.add_argument("--from", dest="source", help="read them instead of measuring")
    parser.add_argument("--plot", help="write the picture of the pipelines, SVG")
    parser.add_argument("--readme", help="put the tables between its marks, and the picture where it says")
    options = parser.parse_args()
    if options.source:
        return options
    options.calls = options.calls or os.path.join(os.path.dirname(options.tool), "tests", "bench.calls")
    for program in [options.tool] + [options.calls] * ("calls" in (options.only or TABLES)):
        if not os.access(program, os.X_OK):
            parser.error("%s is no program; build it first" % program)
    return options


def main():
    options = parse_arguments()
    if options.source:
        with open(options.source) as source:
            found = json.load(source)
    else:
        found = run_all(options)
    if options.json:
        with open(options.json, "w") as out:
            json.dump(found, out, indent=1)
    print("\n" + report.summary(found))
    if options.plot and "pipelines" in found:
        chart.draw(options.plot, found)
    if options.readme:
        report.refresh(options.readme, found)
        chart.draw(os.path.join(HERE, "bench.svg"), found)


if __name__ == "__main__":
    main()
