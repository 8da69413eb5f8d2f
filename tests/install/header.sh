#!/bin/sh
# The headers stand alone: as C99, C11, C17 and C++11, C++20, without a warning.
set -eu
flags="-I$1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only"
for header in viewfold.h viewfold_dlpack.h; do
	for standard in c99 c11 c17; do
		echo "#include <$header>" | $CC -x c -std=$standard -Wstrict-prototypes $flags -
	done
	[ -n "${CXX-}" ] || continue
	for standard in c++11 c++20; do
		echo "#include <$header>" | $CXX -x c++ -std=$standard $flags -
	done
done
[ -n "${CXX-}" ] || echo "no C++ compiler"
