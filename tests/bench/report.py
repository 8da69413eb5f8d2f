"""report.py -- what suite.py found, as lines while it runs and as the block of the README."""

import math
import statistics

GOOD = 0.8  # of the fastest copy
SHARES = (0.25, 0.5, 0.8)
NOISE = 0.1
DOUBT = 0.1  # compiled and interpreted that differ by more are timed again


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def columns(asked):
    return ["limit", "memcpy"] + [p.name for p in asked]


def values(rows, column):
    return [row[column] for row in rows if column in row]


# ---- lines of a table while it is measured


def heading(asked):
    titles = ["limit", "memcpy"] + [p.title for p in asked] + ["interp/jit", "text->kernel"]
    return "%-44s %s  strategy" % ("", " ".join("%13s" % t for t in titles))


def cells(numbers):
    return " ".join("%13s" % ("-" if n is None else "%.2f" % n) for n in numbers)


def line(row, asked):
    numbers = [row.get(c) for c in columns(asked)] + [row["over_interpreter"]]
    return "%-44s %s %10.0f us  %s" % (row["name"], cells(numbers), row["build_us"], row["strategy"])


def foot(rows, asked):
    found = [values(rows, c) for c in columns(asked) + ["over_interpreter"]]
    yield "%-44s %s" % ("geometric mean", cells([geometric_mean(v) if v else None for v in found]))
    yield "%-44s %s" % ("worst", cells([min(v) if v else None for v in found]))


# ---- the block of the README


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def number(value, bold=False):
    text = "–" if value is None else "%.2f" % value
    return "**%s**" % text if bold else text


def enumerate_words(words):
    words = list(words)
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)


def pipelines(found):
    rows, asked = found["pipelines"], found["peers"]
    names = ["limit", "memcpy"] + [p["name"] for p in asked]
    body = [["`%s`" % r["name"]] + [number(r.get(n)) for n in names] + [r["strategy"]] for r in rows]
    for title, fold in (("geometric mean", geometric_mean), ("worst", min)):
        folded = [fold(values(rows, n)) if values(rows, n) else None for n in names]
        body.append(["**%s**" % title] + [number(f, True) for f in folded] + [""])
    yield from table(["chain", "viewfold", "`memcpy`"] + [p["title"] for p in asked] + ["strategy"], body)
    yield from ahead(rows, asked)


def ahead(rows, asked):
    """Where another library is faster, beyond noise."""
    faster = {}
    for row in rows:
        for peer in asked:
            if row.get(peer["name"], 0) > row["limit"] * (1 + NOISE):
                faster.setdefault(peer["title"], []).append("`%s`" % row["name"])
    if faster:
        yield "Ahead of viewfold by more than %.0f %%: %s." % (
            100 * NOISE,
            "; ".join("%s on %s" % (title, enumerate_words(names)) for title, names in faster.items()),
        )
        yield ""


def lists_of(found):
    """The long tables, a row each."""
    groups = [("pipelines on small pages", found.get("small"))]
    groups += [("57 permutations `%s`" % dtype, rows) for dtype, rows in found.get("ttc57", {}).items()]
    groups += [
        ("public transpositions", found.get("transposes")),
        ("families of shapes", found.get("families")),
        ("random chains", found.get("sweep")),
        ("results that stay in L2", found.get("cached")),
        ("pipelines on two threads", found.get("threads")),
    ]
    yield (
        "The rest in the same measure. The permutations are those of the Tensor Transpose Compiler's "
        "benchmark, which HPTT uses; the public transpositions those of XLA, TensorFlow, DALI, cuTT, "
        "Strided.jl and the like; the families channels, patches, heads, windows and pictures as models "
        "and formats have them (`tests/bench/families.tsv`); the random chains one to five ops over "
        "pictures, video, sound, tensors, volumes and matrices, 4 to 300 MB (`tests/bench/chains.py`). Two "
        "threads stand beside the fastest copy on two."
    )
    yield ""
    yield from table(
        ["of the fastest copy", "rows", "geometric mean", "worst", "one in twenty below"]
        + ["below %.2f" % s for s in SHARES]
        + ["`memcpy`"],
        [[title] + spread(rows) for title, rows in groups if rows],
    )


def spread(rows):
    ratios = sorted(values(rows, "limit"))
    shares = ["%.0f %%" % (100 * sum(n < s for n in ratios) / len(ratios)) for s in SHARES]
    return (
        [
            "%d" % len(ratios),
            number(geometric_mean(ratios), True),
            number(ratios[0]),
            number(ratios[int(0.05 * (len(ratios) - 1))]),
        ]
        + shares
        + [number(geometric_mean(values(rows, "memcpy")))]
    )


def engines(found):
    """Compiled against interpreted, the same plans."""
    groups = [
        ("the pipelines", found.get("pipelines", [])),
        ("those that fit in L2", found.get("cached", [])),
        ("the permutations", [r for rows in found.get("ttc57", {}).values() for r in rows]),
    ]
    groups = [(title, [r for r in rows if r["engine"] == "jit"]) for title, rows in groups]
    body = [
        [
            title,
            "%d" % len(rows),
            number(geometric_mean(values(rows, "over_interpreter"))),
            extreme(rows, min),
            extreme(rows, max),
        ]
        for title, rows in groups
        if rows
    ]
    small = [
        dict(
            r,
            name="%s of %d × %d" % (r["chain"], r["n"], r["n"]),
            over_interpreter=r["interpret_ns"] / r["kernel_ns"],
        )
        for r in found.get("calls", {}).get("again", [])
    ]
    if small:
        body.append(
            [
                "%d × %d to %d × %d `f32`" % (2 * (small[0]["n"],) + 2 * (small[-1]["n"],)),
                "%d" % len(small),
                number(geometric_mean(values(small, "over_interpreter"))),
                extreme(small, min),
                extreme(small, max),
            ]
        )
    yield "The same plans, compiled against interpreted (the interpreter's time over the compiled kernel's):"
    yield ""
    yield from table(["", "rows", "geometric mean", "least", "greatest"], body)


def extreme(rows, fold):
    row = fold(rows, key=lambda r: r["over_interpreter"])
    return "%.2f `%s`" % (row["over_interpreter"], row["name"])


def compiling(found):
    rows = found["pipelines"]
    words = [
        "Compiling, which the table does not count: libtcc takes %.0f µs (median of the pipelines; at most %.0f), "
        "all from text to kernel %.0f µs (at most %.0f)"
        % (
            statistics.median(values(rows, "libtcc_us")),
            max(values(rows, "libtcc_us")),
            statistics.median(values(rows, "build_us")),
            max(values(rows, "build_us")),
        )
    ]
    for peer in found["peers"]:
        first = values(rows, peer["name"] + "_first_s")
        if peer["name"] in ("compile", "jax") and first:
            words.append("%s's first call takes %.0f ms" % (peer["title"], 1e3 * statistics.median(first)))
    yield "; ".join(words) + "."
    yield ""


def calls(found):
    fresh, seen, again = (found["calls"][k] for k in ("fresh", "seen", "again"))
    sizes = sorted({r["n"] for r in again})
    chains = list(dict.fromkeys(r["chain"] for r in again))
    rows = {(r["chain"], r["n"]): r for r in again}
    copies = [statistics.median(r["memcpy_ns"] for r in again if r["n"] == n) for n in sizes]

    def beyond(chain, key):
        return ["%.0f" % (rows[chain, n][key] - rows[chain, n]["memcpy_ns"]) for n in sizes]

    yield (
        "Small results, in L1: nanoseconds beyond a `memcpy` of the same bytes, of `vf_run` of a "
        "kernel that is there and of `vf_materialize` of an array that was materialised before."
    )
    yield ""
    body = [["`memcpy` itself"] + ["%.0f" % c for c in copies]]
    body += [
        ["`%s`, `x.%s`" % (title, c)] + beyond(c, key)
        for title, key in (("vf_run", "kernel_ns"), ("vf_materialize", "materialize_ns"))
        for c in chains
    ]
    yield from table(["`f32`"] + ["%d × %d" % (n, n) for n in sizes], body)
    yield (
        "A chain that was never met takes %.0f µs from its text to its bytes, %.0f of them in libtcc (its "
        "first run is interpreted, its second compiles it); one met before %.2f µs beyond the copy, with a buffer that was not (%.2f by the C "
        "functions)."
    ) % (
        fresh["total_us"],
        fresh["libtcc_us"],
        (seen["eval_ns"] - seen["copy_ns"]) / 1e3,
        (seen["calls_ns"] - seen["copy_ns"]) / 1e3,
    )
    yield ""


def introduction(found):
    yield "![%d pipelines as fractions of the fastest copy's speed: %s](tests/bench/bench.svg)" % (
        len(found["pipelines"]),
        enumerate_words(["viewfold"] + [p["title"] for p in found["peers"]]),
    )
    yield ""
    yield (
        "Each number is the fraction of the fastest copy's speed, weighted by the bytes that must "
        "cross the memory bus: one thread, medians of alternating runs, results beyond the cache. The "
        "fastest copy is the better of `memcpy` and of copies that write past the caches, of as many "
        "bytes on the same pages in the same run."
    )
    if found["peers"]:
        yield (
            "Beside it in the same run the same expression by %s: each by the fastest way it has of "
            "filling C order, in memory that was touched before."
        ) % enumerate_words(
            "%s %s" % (p["title"], p["version"]) for p in found["peers"]
        )
    yield ""


def ending(found):
    machine = found["machine"]
    rows = [row for table_of in ("pipelines", "transposes", "sweep") for row in found.get(table_of, [])]
    evicted = sorted({row["evicted_by"] for row in rows if row["evicted_by"]})
    pages = "huge pages where not said otherwise" if rows else ""
    cold = "cold caches by `%s`" % evicted[0] if evicted else ""
    yield "Measured %s on %s (%s), %s, %s%s, by `cmake --build build --target bench`%s." % (
        machine["date"],
        machine["processor"],
        ", ".join(filter(None, [machine["kind"], "%d cores" % machine["cores"], machine["vectors"]])),
        machine["system"],
        machine["libc"],
        "" if found["effort"] == "estimate" else ", plans by measuring",
        "; " + ", ".join(filter(None, [pages, cold])) if rows else "",
    )


def summary(found):
    """All of it, in Markdown."""
    lines = []
    for keys, parts in (
        (("pipelines",), (introduction, pipelines)),
        (("small", "ttc57", "transposes", "families", "sweep", "cached", "threads"), (lists_of,)),
        (("calls",), (calls,)),
        (("pipelines",), (engines, compiling)),
    ):
        for part in parts if any(key in found for key in keys) else ():
            lines.extend(part(found))
    return "\n".join(lines + list(ending(found)))


def put_between(path, mark, words):
    """Into a file, between <!-- mark --> and <!-- /mark -->."""
    begin, end = "<!-- %s -->" % mark, "<!-- /%s -->" % mark
    with open(path) as old:
        text = old.read()
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    with open(path, "w") as new:
        new.write(before + begin + "\n" + words + "\n" + end + after)


def refresh(path, found, other=False):
    """Put the summary between the marks of a file; of another processor than the picture's the fractions only."""
    if other:
        lines = [*pipelines(found), *lists_of(found), *ending(found)]
        put_between(path, "bench of another processor", "\n".join(lines))
    else:
        put_between(path, "bench", summary(found))
