#!/bin/sh
# Files that promise more than there is, and machines that have less than is asked.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_faults.py"
