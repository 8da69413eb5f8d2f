#!/bin/sh
# Lay what the tests link, for another machine, in a folder: libtcc, cmocka, libpng and zlib as Debian
# builds them. Nothing of this machine changes: apt keeps its lists of that architecture in the folder.
#
#   sysroot.sh DEBIAN_ARCHITECTURE FOLDER
#   sysroot.sh musl FOLDER      cmocka alone, built from Debian's source for that C library
#   sysroot.sh mingw FOLDER     the same, for Windows
#
# A package that the architecture does not have is left out; the build does without it.
set -eu
architecture=$1 folder=$2
[ ! -e "$folder/complete" ] || exit 0
case $architecture in
musl) toolchain=-DCMAKE_C_COMPILER=musl-gcc ;;
mingw) toolchain=-DCMAKE_TOOLCHAIN_FILE=$(cd "$(dirname "$0")" && pwd)/mingw.cmake ;;
*) toolchain= ;;
esac
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
cd "$folder"

if [ -n "$toolchain" ]; then
	archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | head -n 1)
	printf '%s\n' 'Types: deb-src' "URIs: $archive" "Suites: $(. /etc/os-release && echo $VERSION_CODENAME)" \
		'Components: main' 'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg' >apt/source.sources
	from_source="-o Dir::Etc::sourcelist=$folder/apt/source.sources -o Dir::Etc::sourceparts=/dev/null"
	architecture=$(dpkg --print-architecture)
fi

apt() {
	apt-get ${from_source-} -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
		-o APT::Sandbox::User="$(id -un)" -o Dir::State::lists="$folder/apt/lists" \
		-o Dir::State::status=/dev/null -o Dir::Cache="$folder/apt" "$@"
}
apt update || echo "$architecture: some lists could not be had" >&2
if [ -n "${from_source-}" ]; then
	apt source --download-only cmocka
	mkdir source
	tar -xf cmocka_*.orig.tar.xz -C source --strip-components=1
	cmake -S source -B source/build "$toolchain" -DCMAKE_INSTALL_PREFIX=/usr -DWITH_STATIC_LIB=ON \
		-DWITH_EXAMPLES=OFF >/dev/null
	cmake --build source/build >/dev/null
	mkdir -p usr/lib usr/include
	cp source/build/src/libcmocka-static.a usr/lib/libcmocka.a
	cp source/include/cmocka.h usr/include/
	rm -rf apt source cmocka_*
	touch complete
	exit 0
fi
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
