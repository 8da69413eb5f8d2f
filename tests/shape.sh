#!/bin/sh
# The shape of the code: prints it, and fails where it is beyond what CONTRIBUTING.md promises. The layout is
# .clang-format's, so a function is a line at the margin that ends in a parenthesis, its braces at the margin too.
#
#   shape.sh SOURCE_DIR
cd "$1" || exit 1

# "FILE:LINE NAME LINES PARAMETERS" for each function; its lines are those between the braces.
functions() {
	xargs awk '
	FNR == 1 { head = ""; body = -1 }
	/^[A-Za-z_].*[^;:]$/ && !/^(typedef|struct|enum|union|extern)[^(]*$/ && body < 0 && head == "" { head = $0; line = FNR; next }
	head != "" && body < 0 && /^\{$/ { body = 0; next }
	head != "" && body < 0 { if (/;$|^#|^$|^\}/) head = ""; else head = head " " $0; next }
	body >= 0 && /^\}/ { report(); head = ""; body = -1; next }
	body >= 0 { body++ }
	function report(text, depth, n, i, c, start) {
		if (head !~ /\(/) return
		text = head
		sub(/^__attribute__\(\([^)]*\)+ */, "", text)
		name = text
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		text = substr(text, index(text, "(") + 1)
		n = text ~ /^(void)?\)/ ? 0 : 1
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			if (c == "(") depth++
			if (c == ")" && depth-- == 0) break
			if (c == "," && depth == 0) n++
		}
		print FILENAME ":" line, name, body, n
	}'
}

sources() {
	find "$@" \( -name '*.[ch]' -o -name '*.hpp' -o -name '*.cpp' \) ! -path '*/texts/*' | LC_ALL=C sort
}

failed=0

# at_most NUMBER MOST WHAT
at_most() {
	printf '%6d (at most %d)  %s\n' "$1" "$2" "$3"
	[ "$1" -le "$2" ] || { echo "FAILED: $3: $1, at most $2"; failed=1; }
}

list=$(mktemp) || exit 1
trap 'rm -f "$list"' EXIT
sources src codegen | functions >"$list"
count=$(wc -l <"$list")
nth() { awk '{ print $3 }' "$list" | sort -n | sed -n "$((count * $1 / 100 + 1))p"; }

echo "src and codegen: $count functions"
[ "$count" -gt 1000 ] || { echo "FAILED: functions are not recognised"; failed=1; }
at_most "$(nth 50)" 10 "lines of a function, the median"
at_most "$(nth 90)" 22 "lines of a function, one in ten is longer"
at_most "$(awk '{ print $3 }' "$list" | sort -n | tail -1)" 45 "lines of a function, the longest"
awk '$3 > 45 { print "        " $0 }' "$list"
at_most "$(awk '$4 > 6 && $2 != "vf_boxes"' "$list" | wc -l)" 0 "functions with more than six parameters (but vf_boxes, a public call)"
awk '$4 > 6 && $2 != "vf_boxes" { print "        " $1, $2, $4 }' "$list"
at_most "$(sources src codegen | xargs wc -l | awk '$2 != "total" { print $1 }' | sort -n | tail -1)" 500 "lines of a file"
sources src codegen | xargs wc -l | awk '$2 != "total" && $1 > 500 { print "        " $2, $1 }'
sources include src codegen tests examples | xargs awk -v most=110 '
	{ width = 0
	  n = split($0, part, "\t")
	  for (i = 1; i <= n; i++) { width += length(part[i]); if (i < n) width += 8 - width % 8 }
	  if (width > most) print "        " FILENAME ":" FNR }' >"$list"
at_most "$(wc -l <"$list")" 0 "lines beyond 110 columns, tests and examples included"
cat "$list"
exit $failed
