#!/bin/sh
# The reference comes out without a warning; it has every function of the public headers, and the operations.
#
#   reference.sh DOXYGEN DOXYFILE INCLUDE_DIR HTML_DIR
set -u
rm -rf "$4"
"$1" "$2" || exit 1
functions=$(sed -n 's/^VF_API .*[ *]\(vf_[A-Za-z0-9_]*\)(.*/\1/p' "$3"/*.h)
missing=0
for name in $functions; do
	grep -q "$name()</h2>" "$4"/group__*.html || { echo "no documentation of $name()"; missing=1; }
done
grep -q "x.flip(dims=None)" "$4"/md_*operations.html || { echo "no page of operations"; missing=1; }
echo "$(echo "$functions" | wc -l) functions"
[ "$(echo "$functions" | wc -l)" -gt 50 ] && [ $missing -eq 0 ]
