#!/bin/sh
# Draw the pictures of the README and the tutorial again, here or in a folder of your choice:
#
#   VIEWFOLD=build/viewfold sh examples/pictures/draw.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tool=${VIEWFOLD:-$here/../../build/viewfold}
to=${1:-$here}
draw() {
	name=$1
	shift
	"$tool" draw "$@" -o "$to/$name.svg"
}
draw patches "x.rearrange('(h p) (w q) -> (h w) (p q)', p=2, q=2)" 'x=u8[4,6]'
draw slice 'x[1:, ::2]' 'x=u8[4,6]'
draw transpose 'x.T' 'x=u8[4,6]'
draw unfold 'x.unfold(0, 3, 1)' 'x=u8[8]'
draw compound 'x.T.reshape(3, 8)' 'x=u8[4,6]'
draw formula '(x.to(f32) - m).permute(2, 0, 1)' 'x=u8[2,3,2]' 'm=f32[2]'
draw regions 'cat([x, y.T], dim=0).pad([1, 1], value=9)' 'x=u8[2,4]' 'y=u8[4,3]'
