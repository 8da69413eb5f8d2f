#!/bin/sh
# Whole outputs or none: full devices, limits, signals, files that shrink.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_files.py"
