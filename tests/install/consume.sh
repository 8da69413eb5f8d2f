#!/bin/sh
# Build the consumer in one of the ways a user would, in a scratch folder, and run it.
#
#   consume.sh WAY SOURCE SCRATCH PREFIX LIBDIR     with CC, CXX, CMAKE, CMAKE_GENERATOR, LIBTCC
set -eu
way=$1 source=$2 scratch=$3/$1 prefix=$4 libdir=$5
consumer=$source/tests/install/consumer
. "$source/tests/install/quick.sh"

rm -rf "$scratch"
mkdir -p "$scratch"

if [ "$way" != pkg_config ]; then
	"$CMAKE" -S "$consumer" -B "$scratch" -DWAY="$way" -DCMAKE_BUILD_TYPE=$quick_type $(quick_flags -D) \
		-DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
		-DVIEWFOLD_SOURCE="$source" -DVIEWFOLD_LIBTCC="$LIBTCC" -DCMAKE_PREFIX_PATH="$prefix" \
		--no-warn-unused-cli
	"$CMAKE" --build "$scratch"
	cd "$scratch"
	exec "$(dirname "$CMAKE")/ctest" --output-on-failure
fi

PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
LD_LIBRARY_PATH=$prefix/$libdir
export PKG_CONFIG_PATH LD_LIBRARY_PATH
command -v pkg-config >/dev/null || { echo "pkg-config is missing"; exit 77; }
shared=$(pkg-config --cflags --libs viewfold)
static=$(pkg-config --static --cflags --libs viewfold | sed 's/-lviewfold/-l:libviewfold.a/')
set -x
cd "$scratch"
$CC -o c_shared "$consumer/main.c" $shared
$CC -o c_static "$consumer/main.c" $static
$CXX -o cpp_shared "$consumer/main.cpp" $shared
$CXX -o cpp_static "$consumer/main.cpp" $static
./c_shared
./cpp_shared
unset LD_LIBRARY_PATH
./c_static
./cpp_static
