#!/bin/sh
# Debian packages of the committed tree: lay debian/ in place in a copy, build, ask lintian.
#
#   sh examples/packaging/debian.sh FOLDER [dpkg-buildpackage options]
#
# Wants devscripts' usual company: build-essential debhelper dh-python cmake lintian fakeroot, and what debian/control
# names. The packages come to lie in FOLDER.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
version=$(sed -n '1s/.*(\(.*\)-.*/\1/p' "$here/debian/changelog")
tree=$folder/viewfold-$version

rm -rf "$tree"
mkdir "$tree"
git -C "$root" archive HEAD | tar -x -C "$tree"
cp -r "$here/debian" "$tree/debian"
(cd "$tree" && dpkg-buildpackage -us -uc -b "$@")
lintian --fail-on error "$folder"/*.changes
