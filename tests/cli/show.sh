#!/bin/sh
# viewfold show against NumPy's print(), over thousands of numbers.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_show.py"
