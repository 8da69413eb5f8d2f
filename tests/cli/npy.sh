#!/bin/sh
# .npy in and out: every dtype, order and version, broken headers among them.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_npy.py"
