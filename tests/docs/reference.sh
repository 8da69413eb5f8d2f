#!/bin/sh
# The reference comes out of the public headers without a warning, and has every function.
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
echo "$(echo "$functions" | wc -l) functions"
[ "$(echo "$functions" | wc -l)" -gt 50 ] && [ $missing -eq 0 ]
