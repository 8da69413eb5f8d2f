#!/bin/sh
# viewfold ops: the list, one operation, mistakes; the page of the reference.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0

# shows WORDS ARGUMENT...: the words are on stdout.
shows() {
	words=$1
	shift
	if ! "$VIEWFOLD" ops "$@" >"$work/out" 2>"$work/err" || [ -s "$work/err" ] || ! grep -qF -- "$words" "$work/out"; then
		echo "FAILED: viewfold ops $*: no '$words' in: $(head -5 "$work/out") $(cat "$work/err")"
		failures=$((failures + 1))
	fi
}

# refuses WORDS ARGUMENT...: status 2 and one line on stderr.
refuses() {
	words=$1
	shift
	"$VIEWFOLD" ops "$@" >"$work/out" 2>"$work/err"
	if [ $? -ne 2 ] || [ "$(wc -l <"$work/err")" -ne 1 ] || ! grep -qF -- "$words" "$work/err"; then
		echo "FAILED: viewfold ops $*: no '$words' in: $(cat "$work/err")"
		failures=$((failures + 1))
	fi
}

shows 'x.narrow(dim, start, length)'
shows 'cat(arrays, dim=0)'
shows 'x.T'
shows 'np.swapaxes(x, dim0, dim1)' swapaxes
shows 'x.view(dtype)' view
shows 'x.view(size)' view
shows 'x[items]' '[]'
shows 'viewfold ops [NAME]' --help
refuses "no operation 'swap'" swap
refuses "no operation ''" ''
refuses 'takes one name, not 2' permute flip
refuses 'unknown option --xml' --xml
shows '## `x.flip(dims=None)`' --markdown
shows '- Example: `x.T` of `x=i32[2,3]` is `[[0, 3], [1, 4], [2, 5]]`' --markdown
echo "$failures failures"
[ "$failures" -eq 0 ]
