#!/bin/sh
# The tree's layout is what .clang-format says: exits 1 and names the first places where it is not.
# clang-format -i FILE sets a file right. The expected outputs in tests/texts are as the emitter writes them.
#
#   tests/format.sh [CLANG_FORMAT]      77 where there is none of version 14: others lay out otherwise
cd "$(dirname "$0")/.." || exit 1
format=${1:-clang-format}
"$format" --version 2>/dev/null | grep -q 'version 14\.' || { echo "skipped: $format is none of version 14"; exit 77; }
find src codegen include tests examples \( -path tests/texts -o -name 'build*' -type d \) -prune -o \
	\( -name '*.[ch]' -o -name '*.hpp' -o -name '*.cpp' \) -print0 |
	xargs -0 -P "$(nproc)" -n 40 "$format" --dry-run --Werror --ferror-limit=1
