#!/bin/sh
# .safetensors and .npz files: what is read and written, and each bad file with its sentence.
[ -n "${PYTHON:-}" ] || exit 77
exec "$PYTHON" -B "$(dirname "$0")/_tensors.py"
