"""chart.py -- the pipelines of suite.py as a picture: a bar for viewfold with its
spread (half of the runs), a mark for each peer and for memcpy, the fastest copy a line."""

import math

import report

ROW, LEFT, WIDTH, TOP, RIGHT = 26, 176, 560, 92, 44
INK, FAINT, GRID, PAPER = "#1e293b", "#64748b", "#e2e8f0", "#ffffff"
BAR = "#f08c4b"
MARKS = {
    "numpy": ("circle", "#0f766e"),
    "torch": ("square", "#7c3aed"),
    "compile": ("triangle", "#b45fd6"),
    "jax": ("diamond", "#2563eb"),
    "memcpy": ("bar", "#475569"),
}


def mark(shape, colour, x, y, r=5.5):
    """A mark of its own shape, so that colour is not all that tells."""
    style = 'fill="%s" stroke="%s" stroke-width="1"' % (colour, PAPER)
    if shape == "circle":
        return '<circle cx="%.1f" cy="%.1f" r="%.1f" %s/>' % (x, y, r, style)
    if shape == "bar":
        return '<rect x="%.1f" y="%.1f" width="3" height="%.1f" fill="%s"/>' % (
            x - 1.5,
            y - 1.4 * r,
            2.8 * r,
            colour,
        )
    corners = {
        "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        "triangle": [(0, -1.2), (1.15, 0.9), (-1.15, 0.9)],
        "diamond": [(0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)],
    }[shape]
    points = " ".join("%.1f,%.1f" % (x + 0.9 * r * a, y + 0.9 * r * b) for a, b in corners)
    return '<polygon points="%s" %s/>' % (points, style)


def text(x, y, words, colour=INK, anchor="start", more=""):
    return '<text x="%.1f" y="%.1f" fill="%s" text-anchor="%s" %s>%s</text>' % (
        x,
        y,
        colour,
        anchor,
        more,
        words,
    )


def rows_of(found):
    """Fastest first, then what they come to."""
    names = ["limit", "memcpy"] + [p["name"] for p in found["peers"]]
    rows = sorted(found["pipelines"], key=lambda r: -r["limit"])
    mean = {n: report.geometric_mean(report.values(rows, n)) for n in names if report.values(rows, n)}
    return rows + [dict(mean, name="geometric mean")]


def grid(right_value, x_of, bottom):
    for k in range(int(right_value * 4) + 1):
        x, strong = x_of(k / 4), k == 4
        yield '<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s" stroke-width="%s"/>' % (
            x,
            TOP - 8,
            x,
            bottom,
            INK if strong else GRID,
            "1.6" if strong else "1",
        )
        yield text(x, bottom + 18, "%g" % (k / 4), FAINT, "middle")
        if strong:
            yield text(x, TOP - 14, "the fastest copy", INK, "middle", 'font-weight="bold"')


def legend(asked, y):
    x = LEFT
    yield '<rect x="%d" y="%d" width="16" height="10" rx="2" fill="%s"/>' % (x, y - 9, BAR)
    yield text(x + 22, y, "viewfold", INK, "start", 'font-weight="bold"')
    x += 92
    yield from whisker(x, x + 22, y - 4)
    yield text(x + 30, y, "half of its runs")
    x += 148
    for peer in [{"name": "memcpy", "title": "memcpy"}] + asked:
        yield mark(*MARKS[peer["name"]], x + 5, y - 4)
        yield text(x + 16, y, peer["title"])
        x += 44 + 7.4 * len(peer["title"])


def spread(row, y, x_of):
    """A line over the end of the bar: half of the runs lie within."""
    if "limit_low" not in row:
        return
    yield from whisker(x_of(row["limit_low"]), x_of(row["limit_high"]), y)


def whisker(low, high, y):
    yield '<path d="M%.1f %.1fH%.1fM%.1f %.1fv8M%.1f %.1fv8" stroke="%s" stroke-width="1.3" fill="none"/>' % (
        low,
        y,
        high,
        low,
        y - 4,
        high,
        y - 4,
        INK,
    )


def row_parts(row, y, asked, x_of):
    title = "%s: viewfold %.2f" % (row["name"], row["limit"])
    yield text(
        LEFT - 12, y + 4.5, row["name"], INK, "end", 'font-weight="bold"' if " " in row["name"] else ""
    )
    yield '<rect x="%d" y="%.1f" width="%.1f" height="14" rx="2" fill="%s"><title>%s</title></rect>' % (
        LEFT,
        y - 7,
        x_of(row["limit"]) - LEFT,
        BAR,
        title,
    )
    yield from spread(row, y, x_of)
    yield text(LEFT + WIDTH + RIGHT - 8, y + 4.5, "%.2f" % row["limit"], INK, "end", 'font-weight="bold"')
    for name in ["memcpy"] + [peer["name"] for peer in asked]:
        if name in row:
            yield mark(*MARKS[name], x_of(row[name]), y)


def draw(path, found):
    rows, asked = rows_of(found), found["peers"]
    most = max(
        v
        for r in rows
        for k, v in r.items()
        if k in ["limit", "limit_high", "memcpy"] + [p["name"] for p in asked]
    )
    right_value = max(1.25, math.ceil(most * 4) / 4)
    bottom = TOP + ROW * len(rows) + 10

    def x_of(ratio):
        return LEFT + WIDTH * ratio / right_value

    size = LEFT + WIDTH + RIGHT + 12, bottom + 34
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13">' % (size * 2),
        # A sheet of its own: the same on a white page and on a dark one.
        '<rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="%s" stroke="#cbd5e1"/>'
        % (size[0] - 1, size[1] - 1, PAPER),
        text(
            16,
            27,
            "Speed of a chain as a fraction of the fastest copy's, one thread",
            INK,
            "start",
            'font-size="16" font-weight="bold"',
        ),
    ]
    parts += legend(asked, 54)
    parts += grid(right_value, x_of, bottom)
    for i, row in enumerate(rows):
        y = TOP + ROW * i + 8 + (6 if i + 1 == len(rows) else 0)
        parts += row_parts(row, y, asked, x_of)
    with open(path, "w") as out:
        out.write("\n".join(parts + ["</svg>"]) + "\n")
