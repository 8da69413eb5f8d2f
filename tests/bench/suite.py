#!/usr/bin/env python3
"""suite.py -- viewfold beside the fastest copy, NumPy, PyTorch and JAX: every table of the README.

    suite.py [VIEWFOLD] [--only TABLE] [--peers LIST] [--seconds S] [--calls PROGRAM]
                      [--json FILE] [--plot FILE.svg] [--readme README.md [--other]]
    suite.py --from FILE.json [--plot FILE.svg] [--readme README.md [--other]]

Tables (--only takes one, again and again; without it all):

  pipelines   pipelines.tsv, what people write: layouts, patches, windows, crops; beside the peers
  small       the same on small pages, which is what malloc gives
  threads     the same on two threads, beside the fastest copy on two threads
  cached      cached.tsv, the like that fit in L2
  ttc57       ttc57.txt, the permutations of the Tensor Transpose Compiler's benchmark, which HPTT uses
              (rank, permutation, extents, column-major): f32, f64, u16 and u8
  transposes  transposes.tsv, permutations from other public benchmarks
  families    families.tsv, channels, patches, heads, windows and pictures by what models and formats have
  sweep       200 random chains of a seed (chains.py)
  calls       --calls: a program that times single calls, bench/calls.c

VIEWFOLD is build/viewfold, and --calls the bench.calls that was built with it, unless told otherwise.

The rows of each table but the last are one run of `viewfold bench --list`: medians of alternating runs of the
compiled kernel, the interpreter on the same plan, memcpy and a streaming copy. `limit` is limit_ratio: of the
better of the two copies, by the bytes that must cross the memory bus. Peers are asked beside each row, each beside
a memcpy of its own (peers.py); one that is absent is named and left out, and a dash stands where a chain has
no equal in one. --json keeps all numbers, --from reads them back; with --only, --json adds to those that the file has,
so that the tables can be measured one by one.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time

import chains
import chart
import lists
import peers
import report
import sweep

HERE = os.path.dirname(os.path.abspath(__file__))
TTC_DTYPES = ["f32", "f64", "u16", "u8"]
TABLES = ["pipelines", "small", "threads", "cached", "ttc57", "transposes", "families", "sweep", "calls"]
SWEEP = {"seed": "1", "chains": 200}


# ---- measuring


def describe(found):
    return {
        "name": found["name"],
        "expr": found["expr"],
        "limit": found["limit_ratio"],
        "ratio": found["ratio"],
        "memcpy": found["copy_ns"] / found["memcpy_ns"],
        "strategy": found["strategy"],
        "out_bytes": found["out_bytes"],
        "engine": found["engine"],
        "pages": found["pages"],
        "evicted_by": found.get("evicted_by", ""),
        "limit_low": found["limit_ratio"] * found["kernel_ns"] / found["kernel_high_ns"],
        "limit_high": found["limit_ratio"] * found["kernel_ns"] / found["kernel_low_ns"],
        "over_interpreter": found["interpret_ns"] / found["kernel_ns"],
        "libtcc_us": found["compile_ns"] / 1e3,
        "build_us": found["build_ns"] / 1e3,
    }


def ask_peers(row, asked, declarations):
    for peer in asked:
        reply = peer.ask(declarations, row["expr"])
        if "error" in reply:
            print("%s has no %s: %s" % (peer.title, row["name"], reply["error"]), file=sys.stderr)
            continue
        row[peer.name] = row["limit"] / row["ratio"] * reply["ratio"]
        row[peer.name + "_first_s"] = reply["first_s"]


def doubted(settings, row, again):
    """In whose favour it may be: compiled and interpreted that differ are timed once more, for longer."""
    if abs(row["over_interpreter"] - 1) > report.DOUBT:
        settings = argparse.Namespace(**{**vars(settings), "seconds": 2 * settings.seconds})
        row["over_interpreter"] = describe(next(sweep.bench(settings, [again])))["over_interpreter"]
    return row


def run_table(title, rows, options, asked=(), **changes):
    """Measure and print the rows of one table; `changes` are of the settings that sweep.bench() takes."""
    settings = argparse.Namespace(**{**vars(options), "threads": 1, "pages": "huge", **changes})
    print("\n%s\n%s" % (title, report.heading(asked)), flush=True)
    results, by_name = [], {row[0]: row for row in rows}
    for found in sweep.bench(settings, rows, apart=bool(asked)):
        results.append(describe(found))
        ask_peers(results[-1], asked, by_name[found["name"]][1])
        print(report.line(results[-1], asked), flush=True)
    results = [doubted(settings, row, by_name[row["name"]]) for row in results]
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


def read_words(path, keys):
    """What follows each key and a separator, the first time, in a file of such lines."""
    found = dict.fromkeys(keys, "")
    try:
        with open(path) as lines:
            for line in lines:
                key = next((k for k in keys if line.startswith(k) and not found[k]), None)
                if key:
                    found[key] = line[len(key) :].strip(' \t\n:="')
    except OSError:
        pass
    return found


def describe_machine():
    cpu = read_words("/proc/cpuinfo", ["vendor_id", "cpu family", "model name", "model\t", "flags"])
    flags = cpu["flags"].split()
    vectors = "AVX-512" if "avx512bw" in flags else "AVX2" if "avx2" in flags else "no AVX2"
    kind = (
        "%s, family %s, model %s" % (cpu["vendor_id"], cpu["cpu family"], cpu["model\t"])
        if cpu["vendor_id"]
        else ""
    )
    system = read_words("/etc/os-release", ["PRETTY_NAME"])["PRETTY_NAME"]
    return {
        "processor": cpu["model name"] or platform.machine(),
        "kind": kind,
        "vectors": vectors,
        "cores": len(os.sched_getaffinity(0)),
        "system": system or platform.system(),
        "libc": " ".join(platform.libc_ver()),
        "date": time.strftime("%Y-%m"),
    }


def run_pipelines(options, found):
    asked = find_peers(options.peers)
    found["peers"] = [{"name": p.name, "title": p.title, "version": p.version} for p in asked]
    rows = run_table("pipelines, one thread", lists.read("pipelines"), options, asked)
    for peer in asked:
        peer.close()
    return rows


def earlier(options):
    """What the file of --json has of other tables."""
    if not (options.only and options.json and os.path.exists(options.json)):
        return {}
    with open(options.json) as kept:
        return json.load(kept)


def run_all(options):
    quick = {"seconds": options.seconds / 4}
    found = {"peers": [], **earlier(options), "machine": describe_machine(), "effort": options.effort}
    tables = {
        "pipelines": lambda: run_pipelines(options, found),
        "small": lambda: run_table("pipelines, small pages", lists.read("pipelines"), options, pages="small"),
        "threads": lambda: run_table("pipelines, two threads", lists.read("pipelines"), options, threads=2),
        "cached": lambda: run_table("results that fit in L2", lists.read("cached"), options, **quick),
        "ttc57": lambda: {
            dtype: run_table("ttc57 " + dtype, lists.read("ttc57-" + dtype), options, **quick)
            for dtype in options.dtype or TTC_DTYPES
        },
        "transposes": lambda: run_table("public transpositions", lists.read("transposes"), options, **quick),
        "families": lambda: run_table("families of shapes", lists.read("families"), options, **quick),
        "sweep": lambda: run_table(
            "random chains", list(chains.chains(SWEEP["seed"], SWEEP["chains"])), options, **quick
        ),
        "calls": lambda: json.loads(
            subprocess.run([options.calls], check=True, capture_output=True, text=True).stdout
        ),
    }
    for name in options.only or TABLES:
        found[name] = tables[name]()
    return found


# ---- the command


def parse_arguments():
    parser = argparse.ArgumentParser(description="viewfold beside the fastest copy, NumPy, PyTorch and JAX")
    parser.add_argument(
        "tool", nargs="?", default=sweep.BUILT, help="the viewfold to measure (default: build/viewfold)"
    )
    parser.add_argument("--only", action="append", choices=TABLES, help="this table (may be repeated)")
    parser.add_argument(
        "--dtype",
        action="append",
        choices=["u8", "u16", "f16", "f32", "f64"],
        help="of ttc57 (may be repeated; default: %s)" % ", ".join(TTC_DTYPES),
    )
    parser.add_argument("--peers", default=",".join(peers.KINDS), help="default: %(default)s; or none")
    parser.add_argument("--effort", default="estimate", choices=["estimate", "measure"])
    parser.add_argument(
        "--seconds", type=float, default=1, help="for a pipeline; rows of long tables get a quarter"
    )
    parser.add_argument(
        "--calls", help="the program of bench/calls.c (default: tests/bench.calls beside the tool)"
    )
    parser.add_argument("--json", help="write all numbers")
    parser.add_argument("--from", dest="source", help="read them instead of measuring")
    parser.add_argument("--plot", help="write the picture of the pipelines, SVG")
    parser.add_argument("--readme", help="put the tables between its marks, and the picture where it says")
    parser.add_argument(
        "--other", action="store_true", help="--readme: beside those of the processor that is there, no picture"
    )
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
        report.refresh(options.readme, found, options.other)
    if options.readme and not options.other:
        chart.draw(os.path.join(HERE, "bench.svg"), found)


if __name__ == "__main__":
    main()
