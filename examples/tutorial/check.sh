#!/bin/sh
# Run what a page shows and compare what it shows with what comes.
#
#   VIEWFOLD=build/viewfold sh check.sh PAGE.md...
#
# Of each ```console block, every line "$ COMMAND" is run in a scratch folder that all blocks of a
# page share; the lines below it are its output, standard error included. A line that is "..." alone
# stands for any lines, and " ..." at the end of one for the rest of it. A ```c block below
# <!-- FILE --> must be that file, to the byte; the file's name is relative to the page.
set -u
bin=$(cd "$(dirname "${VIEWFOLD:?names the tool}")" && pwd)
PATH=$bin:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0 count=0

# Commands to N.cmd, what the page shows to N.shown, code to N.code with its file's name in N.name.
take_apart() {
	awk -v to="$1" '
		function begin(ending) { if (file) close(file); file = to "/" sprintf("%03d", ++n) ending }
		/^```/ && inside { inside = 0; code = 0; next }
		/^```console/ { inside = 1; next }
		/^```c$/ && name { begin(".name"); print name > file; close(file)
			file = to "/" sprintf("%03d", n) ".code"; printf "" > file; inside = code = 1; next }
		/^```/ { inside = 1; skip = 1; code = 0 }
		{ name = "" }
		/^<!-- [^ ]+\.c -->$/ { name = $2 }
		!inside { skip = 0; next }
		skip { next }
		code { print > file; next }
		/^\$ / { begin(".line"); print FNR > file; close(file)
			file = to "/" sprintf("%03d", n) ".cmd"; print substr($0, 3) > file; close(file)
			file = to "/" sprintf("%03d", n) ".shown"; printf "" > file; next }
		file { print > file }' "$2"
}

# Whether the text $2 is what $1 shows.
same() {
	awk 'NR == FNR { shown[++n] = $0; next }
		{ got[++m] = $0 }
		function same_line(s, g) {
			return s == g || (s ~ / \.\.\.$/ && index(g, substr(s, 1, length(s) - 3)) == 1)
		}
		# shown[i...] against got[j...]
		function match_from(i, j) {
			for (; i <= n && shown[i] != "..."; i++) {
				if (j > m || !same_line(shown[i], got[j])) return 0
				j++
			}
			if (i > n) return j == m + 1
			for (i++; j <= m + 1; j++)
				if (match_from(i, j)) return 1
			return 0
		}
		END { exit !match_from(1, 1) }' "$1" "$2"
}

for page in "$@"; do
	page=$(cd "$(dirname "$page")" && pwd)/$(basename "$page")
	work=$scratch/work parts=$scratch/parts
	rm -rf "$work" "$parts"
	mkdir -p "$work" "$parts"
	take_apart "$parts" "$page"
	for command in "$parts"/*.cmd; do
		[ -e "$command" ] || continue
		part=${command%.cmd} count=$((count + 1))
		(cd "$work" && sh "$command") >"$part.got" 2>&1 </dev/null
		same "$part.shown" "$part.got" && continue
		failed=$((failed + 1))
		echo "$page:$(cat "$part.line"): $(cat "$command")"
		diff "$part.shown" "$part.got"
	done
	for code in "$parts"/*.code; do
		[ -e "$code" ] || continue
		count=$((count + 1)) name=$(cat "${code%.code}.name")
		cmp "$code" "$(dirname "$page")/$name" || failed=$((failed + 1))
	done
done
echo "$count snippets, $failed differ"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
