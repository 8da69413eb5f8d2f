#!/bin/sh
# Draw the pictures of the README and the tutorial again: sh examples/pictures/draw.sh
set -eu
cd "$(dirname "$0")"
draw() {
	"${VIEWFOLD:-../../build/viewfold}" draw "$2" "$3" ${4:+"$4"} -o "$1.svg"
}
draw patches "x.rearrange('(h p) (w q) -> (h w) (p q)', p=2, q=2)" 'x=u8[4,6]'
draw slice 'x[1:, ::2]' 'x=u8[4,6]'
draw transpose 'x.T' 'x=u8[4,6]'
draw expand 'x.expand(3, 6)' 'x=u8[1,6]'
draw unfold 'x.unfold(0, 3, 1)' 'x=u8[8]'
draw compound 'x.T.reshape(3, 8)' 'x=u8[4,6]'
draw regions 'cat([x, y.T], dim=0).pad([1, 1], value=9)' 'x=u8[2,4]' 'y=u8[4,3]'
