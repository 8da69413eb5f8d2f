#!/bin/sh
# Results and sources larger than memory: piece by piece, and the pieces make the whole.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_pieces.py"
