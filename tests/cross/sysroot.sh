#!/bin/sh
# Lay what the tests link, for another machine, in a folder: libtcc, cmocka, libpng and zlib as Debian
# builds them. Nothing of this machine changes: apt keeps its lists of that architecture in the folder.
#
#   sysroot.sh DEBIAN_ARCHITECTURE FOLDER
#
# A package that the architecture does not have is left out; the build does without it.
set -eu
architecture=$1 folder=$2
[ ! -e "$folder/complete" ] || exit 0
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
cd "$folder"

apt() {
	apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
		-o APT::Sandbox::User="$(id -un)" -o Dir::State::lists="$folder/apt/lists" \
		-o Dir::State::status=/dev/null -o Dir::Cache="$folder/apt" "$@"
}
apt update || echo "$architecture: some lists could not be had" >&2
for package in libtcc-dev libcmocka-dev libcmocka0 libpng-dev libpng16-16 zlib1g-dev zlib1g; do
	if apt download "$package" 2>/dev/null; then
		dpkg-deb -x "$package"_*.deb .
		rm "$package"_*.deb
	else
		echo "$architecture: no $package" >&2
	fi
done
# zlib lies in lib/, which is usr/lib/ on a merged system; its link names that folder from the root.
if [ -d lib ]; then
	cp -a lib/. usr/lib/
	for link in usr/lib/*/libz.so; do
		ln -sf libz.so.1 "$link"
	done
	rm -rf lib
fi
rm -rf apt
touch complete
