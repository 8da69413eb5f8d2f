#!/bin/sh
# The headers stand alone: as C99, C11, C17 and C++11, C++20, without a warning. So does the example
# at the top of viewfold.h.
#
#   header.sh INCLUDE_DIR     with CC, CXX (may be empty)
set -eu
include=$1
flags="-I$include -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only"

# check C_FLAGS CXX_FLAGS: the text on stdin, as each of the standards
check() {
	text=$(cat)
	for standard in c99 c11 c17; do
		printf '%s\n' "$text" | $CC -x c -std=$standard -Wstrict-prototypes $flags -
	done
	[ -n "${CXX-}" ] || return 0
	for standard in c++11 c++20; do
		printf '%s\n' "$text" | $CXX -x c++ -std=$standard $flags -
	done
}

for header in viewfold.h viewfold_dlpack.h; do
	echo "#include <$header>" | check
done

if [ -n "${CXX-}" ]; then
	for standard in c++17 c++20; do
		echo '#include <viewfold.hpp>' | $CXX -x c++ -std=$standard $flags -
	done
fi

example=$(sed -n '1,/\*\//s/^ \*     \([^ ].*;\)$/\1/p' "$include/viewfold.h")
[ "$(printf '%s\n' "$example" | grep -c 'vf_')" -ge 5 ] || { echo "no example found in viewfold.h"; exit 1; }
check <<END
#include <stdio.h>
#include <viewfold.h>
static unsigned char pixels[8 * 1080 * 1920 * 3], out[8 * 3 * 540 * 960];
int main(void)
{
$example
return 0;
}
END
[ -n "${CXX-}" ] || echo "no C++ compiler"
