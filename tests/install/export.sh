#!/bin/sh
# A library takes viewfold by add_subdirectory and exports itself; a program takes that library, once
# from where it is installed, once from where it was built.
#
#   export.sh SOURCE SCRATCH     with CC, CMAKE, CMAKE_GENERATOR, LIBTCC
set -eu
source=$1 scratch=$2/export
exporter=$source/tests/install/exporter
. "$source/tests/install/quick.sh"
rm -rf "$scratch"

"$CMAKE" -S "$exporter" -B "$scratch/build" -DCMAKE_BUILD_TYPE=$quick_type $(quick_flags -D) -DCMAKE_C_COMPILER="$CC" \
	-DVIEWFOLD_SOURCE="$source" -DVIEWFOLD_LIBTCC="$LIBTCC" -DCMAKE_INSTALL_PREFIX="$scratch/prefix"
"$CMAKE" --build "$scratch/build"
"$CMAKE" --install "$scratch/build" >/dev/null

# viewfold's own papers do not lie in the folder of another project.
[ -z "$(find "$scratch/prefix" -path '*doc/exporter*')" ] || { echo "papers under doc/exporter"; exit 1; }

# user NAME CMAKE_OPTION...
user() {
	name=$1
	shift
	"$CMAKE" -S "$exporter/user" -B "$scratch/$name" -DCMAKE_C_COMPILER="$CC" "$@"
	"$CMAKE" --build "$scratch/$name"
	(cd "$scratch/$name" && "$(dirname "$CMAKE")/ctest" --output-on-failure)
}
user installed -DCMAKE_PREFIX_PATH="$scratch/prefix"
user built -Dexporter_DIR="$scratch/build" -Dviewfold_DIR="$scratch/build/viewfold"
