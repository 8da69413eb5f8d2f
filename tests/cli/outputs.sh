#!/bin/sh
# Several results of one expression into several files.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_outputs.py"
