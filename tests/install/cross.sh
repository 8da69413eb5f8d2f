#!/bin/sh
# A build for another machine takes nothing of this one's: Python.h, libtcc.a and libpng are left out
# unless the toolchain says where those of the target are. Configured only: the compiler is ours.
#
#   cross.sh SOURCE SCRATCH     with CC, CXX, CMAKE, CMAKE_GENERATOR
set -eu
source=$1 scratch=$2/cross
rm -rf "$scratch"
mkdir -p "$scratch/sysroot"
cat >"$scratch/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER $CC)
set(CMAKE_CXX_COMPILER $CXX)
set(CMAKE_FIND_ROOT_PATH $scratch/sysroot)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
END
"$CMAKE" -S "$source" -B "$scratch/build" -DCMAKE_TOOLCHAIN_FILE="$scratch/toolchain.cmake"

cache=$scratch/build/CMakeCache.txt
if grep -E '^VIEWFOLD_(PYTHON_INCLUDE|LIBTCC_INCLUDE|LIBTCC_ARCHIVE|CMOCKA)[^=]*=.*/usr' "$cache"; then
	echo "the host's, in a build for another machine"
	exit 1
fi
"$CMAKE" --build "$scratch/build" --target help | grep -w viewfold_shared >/dev/null
if "$CMAKE" --build "$scratch/build" --target help | grep -w viewfold_python; then
	echo "a Python module of the host's Python.h"
	exit 1
fi
