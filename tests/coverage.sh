#!/bin/sh
# Lines of the sources that the tests of a build with VIEWFOLD_COVERAGE ran, a folder.
#
#   coverage.sh SOURCE_DIR BUILD_DIR
root=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
find "$2" -name '*.gcda' -print0 | xargs -0 -n 50 gcov -n 2>/dev/null | awk -v root="$root/" '
	/^File / {
		file = substr($0, 7, length($0) - 7)
		if (index(file, root) == 1) file = substr(file, length(root) + 1)
		sub(/^(\.\.\/)+/, "", file)
		next
	}
	/^Lines executed/ && file ~ /^(src|codegen)\/.*\.c$/ {
		split($0, part, /[:% ]+/)
		lines = part[length(part)]
		run = part[3] * lines / 100
		if (!(file in most) || run > most[file]) most[file] = run
		all[file] = lines
	}
	{ file = "" }
	END {
		for (file in all) {
			n = split(file, part, "/")
			folder = part[1]
			for (i = 2; i < n; i++) folder = folder "/" part[i]
			folder_run[folder] += most[file]
			folder_all[folder] += all[file]
			total_run += most[file]
			total_all += all[file]
		}
		for (folder in folder_all)
			printf "%6.1f %%  of %5d lines  %s\n", 100 * folder_run[folder] / folder_all[folder], folder_all[folder], folder | "sort -k6"
		close("sort -k6")
		if (!total_all) { print "no counters: run the tests first"; exit 1 }
		printf "%6.1f %%  of %5d lines  all\n", 100 * total_run / total_all, total_all
	}'
