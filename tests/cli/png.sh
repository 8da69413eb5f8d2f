#!/bin/sh
# PNG in and out: all forms of pixels, what does not fit, broken files.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_png.py"
