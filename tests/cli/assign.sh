#!/bin/sh
# Writing through views into files, beside NumPy's own assignment.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_assign.py"
