#!/bin/sh
# What the tool asks of the system, refused call by call while it writes.
[ -n "${PYTHON:-}" ] && [ -n "${VIEWFOLD_REFUSE:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_refusals.py"
