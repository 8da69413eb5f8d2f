#!/bin/sh
# Write the page that is made of the list of operations, src/doc/operations.md; or see that it is fresh.
#
#   operations.sh TOOL SOURCE_DIR [--check]
page=src/doc/operations.md
new=$(mktemp) || exit 1
trap 'rm -f "$new"' EXIT
"$1" ops --markdown >"$new" || exit 1
if cmp -s "$new" "$2/$page"; then
	exit 0
elif [ "$3" = --check ]; then
	echo "$page is not what src/graph/ops.def says: cmake --build build --target operations" >&2
	diff "$2/$page" "$new" | head -20 >&2
	exit 1
fi
cat "$new" >"$2/$page"
