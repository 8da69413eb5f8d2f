#!/bin/sh
# viewfold draw: what it says each index reads, what it refuses, and that the pictures of the pages
# are those it draws.
set -u
pictures=$(cd "$(dirname "$0")/../../examples/pictures" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

wrong() {
	echo "wrong: $*"
	failed=1
}

# labels CLAIM EXPR INPUT...: the numbers in the result's cells, in its order.
labels() {
	claim=$1
	shift
	"$VIEWFOLD" draw "$@" -o "$scratch/one.svg" || { wrong "draw $*"; return; }
	got=$(sed -n '/result: what/,$s/.*<text class="[nq]"[^>]*>\([^<]*\)<.*/\1/p' "$scratch/one.svg" | tr '\n' ' ')
	[ "${got% }" = "$claim" ] || wrong "draw $*: $got, not $claim"
}

# refuses STATUS WORDS ARGUMENTS...
refuses() {
	status=$1 words=$2
	shift 2
	said=$("$VIEWFOLD" draw "$@" 2>&1)
	got=$?
	[ $got -eq "$status" ] || wrong "draw $*: status $got, not $status"
	case $said in
	*"$words"*) ;;
	*) wrong "draw $*: said: $said" ;;
	esac
}

labels '0 3 1 4 2 5' x.T 'x=f32[2,3]'
labels '5 4 3 2 1 0' 'x.reshape(6)[::-1]' 'x=c128[2,3]'
labels '0 1 1 2' 'x.unfold(0,2,1)' 'x=u8[3]'
labels '7 0 1 7' 'x.pad([1,1],value=7)' 'x=i16[2]'
labels '0 0+1 1 1+1' 'x.view(u8)' 'x=u16[2]'
labels '0 2' 'x.view(c64)' 'x=f32[4]'
labels 'x0 x1 y0 y1' 'cat([x,y])' 'x=u8[2]' 'y=u8[2]'
labels 'a0 a1 b1 b0' 'cat([first,second.flip(0)])' 'first=u8[2]' 'second=u8[2]'
# Of what is computed: each element that a formula takes.
labels 'x0 y0 x2 y1 x1 y2 x3 y3' 'x.T + y' 'x=u8[2,2]' 'y=u8[2,2]'
labels '0. 0 1' '(x/255).pad([1,0])' 'x=u8[2]'
labels '1 0' 'x.byteswap().flip(0)' 'x=u16[2]'
labels '0 1 2 0 1 2' '(x.to(f32) - 1).tile(2)' 'x=u8[3]'
labels '* * *' 'x.to(f32).pad([1,0])/2 - 1' 'x=u8[2]'
# Each region has its map, by the input's name.
"$VIEWFOLD" draw 'cat([y, x.flip(0)]).T' 'x=u8[2,3]' 'y=u8[1,3]' -o "$scratch/regions.svg" || wrong "draw"
for line in 'region @(0,0) (3,1):(1,0)+0 of y' 'region @(0,1) (3,2):(1,-3)+3 of x'; do
	grep -qF "$line" "$scratch/regions.svg" || wrong "draw: no line '$line'"
done
"$VIEWFOLD" draw '(x.to(f32) - m) / 2' 'x=u8[2,3]' 'm=f32[3]' -o "$scratch/formula.svg" &&
	grep -qF 'each index: (f32(x) - m) / 2' "$scratch/formula.svg" || wrong "draw: no formula"
labels '0' 'x' 'x=u8[]'
labels '' 'x[2:]' 'x=u8[2]'
refuses 1 '257 elements; a picture holds 256' x 'x=u8[257]' -o "$scratch/a.svg"
refuses 1 'the result has 300 elements' 'x.tile(100)' 'x=u8[3]' -o "$scratch/a.svg"
refuses 2 'needs an output' x 'x=u8[2]'
refuses 2 'ends in .svg' x 'x=u8[2]' -o "$scratch/a.png"
[ ! -e "$scratch/a.svg" ] || wrong "a refused picture was written"

# The name of one of several grids, "[1]", has a line of its own above the indices.
"$VIEWFOLD" draw 'x[..., None, None]' 'x=u8[2]' -o "$scratch/names.svg" || wrong "draw"
sed -n 's/^<text class="g".* y="\([0-9]*\)">\[.*/\1/p' "$scratch/names.svg" | sort -u >"$scratch/names"
[ "$(wc -l <"$scratch/names")" -eq 1 ] || wrong "draw: the grids in a row have names at $(cat "$scratch/names")"
! grep 'class="i"' "$scratch/names.svg" | grep -qF "y=\"$(cat "$scratch/names")\"" || wrong "draw: a name stands on indices"

"$VIEWFOLD" draw x 'x=u8[2,2]' -o - >"$scratch/stream.svg" || wrong "draw to stdout"
"$VIEWFOLD" draw "x.rearrange('a b -> b a')[x.ndim-2:]" 'x=u8[2,2]' -o "$scratch/escaped.svg" || wrong "draw"
VIEWFOLD=$VIEWFOLD sh "$pictures/draw.sh" "$scratch" || wrong "draw.sh"
for picture in "$pictures"/*.svg; do
	cmp "$picture" "$scratch/$(basename "$picture")" || wrong "$picture is not what draw.sh draws"
done
if [ -n "${PYTHON:-}" ]; then
	for picture in "$scratch"/*.svg; do
		"$PYTHON" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$picture" ||
			wrong "$picture is not well-formed"
	done
fi
[ $failed -eq 0 ] && echo "draw: as claimed"
exit $failed
