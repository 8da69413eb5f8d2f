# quick.sh -- what makes one more build of the project quick. Sourced, POSIX sh.
#
# As little optimised as may be, without AVX-512: these tests are about what links and what is in a package. With
# ccache (CMAKE_C_COMPILER_LAUNCHER) it is quickest as the project itself is built, whose objects are there.

quick_type=Debug quick_defines='CMAKE_C_FLAGS_DEBUG=-Og VIEWFOLD_AVX512=OFF'
[ "${CMAKE_C_COMPILER_LAUNCHER:-}" != ccache ] || quick_type=Release quick_defines=

# quick_flags PREFIX: the defines as options, each behind PREFIX
quick_flags() {
	for define in $quick_defines; do
		printf '%s%s ' "$1" "$define"
	done
}
