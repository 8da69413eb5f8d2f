#!/bin/sh
# Arrays of Zarr v3: what is read of folders that are written here, and each bad one with its sentence.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_zarr.py"
