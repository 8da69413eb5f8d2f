#!/bin/sh
# From a fresh checkout to a photograph turned, re-laid and recoloured by viewfold.
#
#   sh examples/quickstart.sh [PICTURE.png]
#
# Builds in build/, fetches a photograph (or takes yours: 8 bits a channel), writes before and
# after pictures into build/quickstart/, and shows one chain's fold, its generated C and its time
# beside memcpy.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/examples/setup.sh"
build=$root/build
out=$build/quickstart
tool=$build/viewfold

title() { printf '\n%s\n' "---- $* ----"; }

# Say a command, then run it on the tool.
viewfold() {
	printf '$ viewfold'
	for word in "$@"; do
		case $word in
		*\'*) printf ' "%s"' "$word" ;;
		*[!A-Za-z0-9_./=-]*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '\n'
	"$tool" "$@"
}

# A binary PPM as .npy: the same bytes behind another header.
ppm_to_npy() {
	size=$(sed -n '2{p;q;}' "$1") # djpeg: P6, "width height", 255, bytes
	width=${size% *} height=${size#* }
	printf '\223NUMPY\001\000\166\000%-117s\n' \
		"{'descr': '|u1', 'fortran_order': False, 'shape': ($height, $width, 3), }"
	tail -c $((width * height * 3)) "$1"
}

# Grace Hopper, the photograph that Matplotlib ships as sample data (public domain, US Navy): out
# of its Debian package, which is unpacked here and not installed.
fetch_photo() {
	command -v djpeg >/dev/null || install_packages libjpeg-turbo-progs || return 1
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
	mkdir -p "$out/package"
	(
		cd "$out/package"
		ls ./*.deb >/dev/null 2>&1 ||
			apt-get -qq -o APT::Sandbox::User=root download python-matplotlib-data
		dpkg-deb -x ./*.deb .
	) || return 1
	jpeg=$(find "$out/package" -name grace_hopper.jpg | head -n 1)
	[ -n "$jpeg" ] || return 1
	djpeg -outfile "$out/photo.ppm" "$jpeg"
	ppm_to_npy "$out/photo.ppm" >"$out/photo.npy"
	"$tool" run x "x=$out/photo.npy" -o "$out/grace_hopper.png"
	rm -rf "$out/package" "$out/photo.ppm" "$out/photo.npy"
}

title "building"
setup build
targets='viewfold viewfold_static viewfold_shared' # tests/run.sh builds the rest, and what that needs
configure_and_build "$build"
say "built $tool"
mkdir -p "$out"

title "a photograph"
if [ $# -gt 0 ]; then
	cp "$1" "$out/before.png"
elif [ -s "$out/grace_hopper.png" ] || fetch_photo; then
	cp "$out/grace_hopper.png" "$out/before.png"
else
	say "no photograph to be had from Debian here; name one: sh examples/quickstart.sh PICTURE.png"
	exit 1
fi
cd "$out"

# Width, height and kind of the picture stand at fixed places of a PNG.
set -- $(od -An -v -tu1 -j16 -N10 before.png)
width=$(((($1 * 256 + $2) * 256 + $3) * 256 + $4))
height=$(((($5 * 256 + $6) * 256 + $7) * 256 + $8))
kind=${10}
say "before.png: $width x $height"

title "turned and mirrored"
turn='x.rot90(1, (0, 1)).flip(1)'
viewfold run "$turn" x=before.png -o turned.png

title "a grid of patches, re-laid: one picture becomes sixteen"
crop="x[:$((height / 4 * 4)), :$((width / 4 * 4))]"
viewfold run "$crop.rearrange('(h a) (w b) ... -> (a h) (b w) ...', a=4, b=4)" \
	x=before.png -o sixteen.png

title "the same patches, places swapped across the diagonal"
viewfold run "$crop.rearrange('(a h) (b w) ... -> (b h) (a w) ...', a=4, b=4)" \
	x=before.png -o swapped.png

swap=
case $kind in
2) swap='x[..., [2, 1, 0]]' ;;
6) swap='x[..., [2, 1, 0, 3]]' ;;
esac
if [ -n "$swap" ]; then
	title "red and blue exchanged"
	viewfold run "$swap" x=before.png -o channels.png
fi

title "more contrast: converted, scaled, clamped and converted back, in one pass"
contrast='((x.to(f32) - 128) * 1.5 + 128).clamp(0, 255).to(u8)'
viewfold run "$contrast" x=before.png -o contrast.png

if [ -n "$swap" ]; then
	title "what a network reads: planes of f32 between -1 and 1"
	normal='(x[..., :3].permute(2, 0, 1).to(f32) / 255 - 0.5) / 0.5'
	viewfold run "$normal" x=before.png -o normal.npy
	viewfold show "($normal)[:, :2, :3]" x=before.png
fi

title "how the chain folded, op by op, and the plan"
viewfold explain "$turn" x=before.png

title "the loop it became"
viewfold dump "$turn" x=before.png | tee turned.c | head -n 60

title "its time beside the fastest copy"
viewfold bench "$turn" x=before.png

title "written to $out"
describe() {
	[ -s "$1" ] && printf '  %-14s %s\n' "$1" "$2"
	return 0
}
describe before.png "the photograph"
describe turned.png "$turn"
describe sixteen.png "every fourth pixel each way, sixteen times"
describe swapped.png "a 4 x 4 grid of patches, transposed"
describe channels.png "$swap"
describe contrast.png "$contrast"
describe normal.npy "${normal:-}"
describe turned.c "the C that turned it"
