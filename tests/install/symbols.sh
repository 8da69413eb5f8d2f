#!/bin/sh
# Both libraries define exactly the functions that the headers declare, and no other name.
#
#   symbols.sh INCLUDE_DIR libviewfold.a libviewfold.so     with NM, READELF
set -eu
include=$1 static=$2 shared=$3
failed=0

declared=$(sed -n 's/^VF_API [^(]*[ *]\(vf_[A-Za-z0-9_]*\)(.*/\1/p' "$include"/*.h | sort)
in_static=$($NM -g --defined-only "$static" | awk 'NF == 3 { print $3 }' | sort)
in_shared=$($NM -D --defined-only "$shared" | awk 'NF == 3 && $2 != "A" { print $3 }' | sed 's/@.*//' | sort)

# check FILE NAMES
check() {
	for name in $2; do
		printf '%s\n' "$declared" | grep -qx "$name" || { echo "$1 shows $name"; failed=1; }
	done
	for name in $declared; do
		printf '%s\n' "$2" | grep -qx "$name" || { echo "$1 lacks $name"; failed=1; }
	done
}
check "$static" "$in_static"
check "$shared" "$in_shared"

if $READELF -d "$shared" | grep -q TEXTREL; then
	echo "$shared relocates its text"
	failed=1
fi
if $READELF -lW "$shared" | grep -q 'GNU_STACK.*RWE'; then
	echo "$shared asks for an executable stack"
	failed=1
fi
exit $failed
