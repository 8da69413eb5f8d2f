# The claims of a shell test: a folder of its own, and what is said at its end.
#
#   . FOLDER/_claims.sh
#   claim TEXT COMMAND...    the command succeeds
#   tool STATUS ARGUMENT...  viewfold ends so; stdout and stderr are in out and err
#   tell NAME                how many claims hold; fails if one does not
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 claims=0

claim() {
	text=$1
	shift
	claims=$((claims + 1))
	"$@" >said 2>&1 && return
	echo "FAILED: $text"
	[ -s said ] && sed 's/^/    /' said
	[ -s err ] && sed 's/^/    /' err
	failures=$((failures + 1))
}

tool() {
	status=$1
	shift
	"$VIEWFOLD" "$@" >out 2>err
	[ $? -eq "$status" ]
}

tell() {
	echo "$1: $((claims - failures)) of $claims claims hold"
	[ "$failures" -eq 0 ]
}
