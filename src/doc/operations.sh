#!/bin/sh
# Write the pages that are made of the list of operations; or see that they are fresh.
#
#   operations.sh TOOL SOURCE_DIR [--check]
#
# src/doc/operations.md is such a page, and so are the lines of src/cli/viewfold.1 between its two marks.
tool=$1 source=$2 check=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$tool" ops --markdown >"$work/operations.md" && "$tool" ops --man >"$work/list" || exit 1
awk -v list="$work/list" '
	/^\.\\" operations end/ { inside = 0 }
	!inside { print }
	/^\.\\" operations begin/ { inside = 1; while ((getline line < list) > 0) print line }
' "$source/src/cli/viewfold.1" >"$work/viewfold.1" || exit 1
status=0
for page in src/doc/operations.md src/cli/viewfold.1; do
	new=$work/${page##*/}
	if cmp -s "$new" "$source/$page"; then
		continue
	elif [ "$check" = --check ]; then
		echo "$page is not what src/graph/ops.def says: cmake --build build --target operations" >&2
		diff "$source/$page" "$new" | head -20 >&2
		status=1
	else
		cp "$new" "$source/$page" || status=1
	fi
done
exit $status
