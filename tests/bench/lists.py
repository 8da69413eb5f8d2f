"""lists.py -- lists of chains: rows of (name, declarations, expression).

read(NAME) knows those below; read(FILE) reads one as `viewfold bench --list` takes it.

    pipelines   what people write: layouts, patches, windows, crops
    cached      the like with results of 32 KiB to 1 MiB, which stay in L2
    cliffs      chains on which a strategy once fell off
    rows        rows with gaps between them: crops, steps, slices, pads, joins, windows
    elements    chains that compute: conversions, byte order, arithmetic
    transposes  permutations from public benchmarks: XLA's, cuTT's, NumPy's and PyTorch's threads
    families    families of shapes: channels, patches, heads, windows by what models and formats have
    everyday    pipelines as programs have them: pictures, video, sound, volumes, tensors, tables; with numbers, too
    ttc57-TYPE  the 57 permutations of the Tensor Transpose Compiler's benchmark, of f32 or any other type
"""

import os

HERE = os.path.dirname(os.path.abspath(__file__))


def read(name):
    if name.startswith("ttc57-"):
        return list(ttc57(name[len("ttc57-") :]))
    path = os.path.join(HERE, name + ".tsv")
    return list(rows_of(path if os.path.exists(path) else name))


def rows_of(path):
    with open(path) as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, declarations, expression = line.rstrip("\n").split("\t")
                yield name, declarations.split(), expression


def text_of(rows):
    return "".join(
        "%s\t%s\t%s\n" % (name, " ".join(declarations), expression) for name, declarations, expression in rows
    )


def ttc57(dtype):
    """ttc57.txt: rank, permutation, extents. Column-major axis d of rank r is row-major axis r - 1 - d."""
    with open(os.path.join(HERE, "ttc57.txt")) as lines:
        for line in lines:
            words = [int(w) for w in line.split()]
            if not words:
                continue
            rank, perm, extents = words[0], words[1 : 1 + words[0]], words[1 + words[0] :]
            shape = extents[::-1]
            order = [rank - 1 - perm[rank - 1 - j] for j in range(rank)]
            name = "%s:%s" % (",".join(map(str, perm)), "x".join(map(str, extents)))
            yield name, ["x=%s[%s]" % (dtype, ",".join(map(str, shape)))], "x.permute(%s)" % ",".join(
                map(str, order)
            )
