# setup.sh -- install what a build needs and only what is missing. Sourced, POSIX sh.
#
#   setup build           compiler, cmake, make, libtcc, libpng, jansson, zlib
#   setup build tests     and cmocka, pkg-config, Doxygen, a Python with NumPy
#   configure_and_build DIR [cmake options]      $targets names what is built, if not all
#
# Packages come by apt-get (as root, or through sudo). Where that cannot be done, one line says
# what is missing; what the build can do without is then left out.

say() { printf '%s\n' "$*" >&2; }

works() { "$@" >/dev/null 2>&1; }

has_header() { echo "#include <$1>" | ${CC:-cc} -E -xc - >/dev/null 2>&1; }

has_library() { echo 'int main(void){return 0;}' | ${CC:-cc} -xc - "-l$1" -o /dev/null 2>/dev/null; }

# The path of a python3 that can import the module $1. The system's own comes first: another one
# on PATH often shadows it.
python_with() {
	for python in "${PYTHON:-}" /usr/bin/python3 python3; do
		[ -n "$python" ] || continue
		if works "$python" -c "import $1"; then
			command -v "$python"
			return 0
		fi
	done
	return 1
}

# Python.h of some Python 3.11 or newer: what src/python is built with.
has_python_header() {
	for python in "${PYTHON:-}" /usr/bin/python3 python3; do
		[ -n "$python" ] && works "$python" -c "
import os, sys, sysconfig
header = os.path.join(sysconfig.get_path('include'), 'Python.h')
sys.exit(not (sys.version_info >= (3, 11) and os.path.exists(header)))" && return 0
	done
	return 1
}

cmake_is_new_enough() {
	cmake --version 2>/dev/null | awk '
		/version/ { split($3, v, "."); enough = v[1] > 3 || v[1] == 3 && v[2] >= 20 }
		END { exit !enough }'
}

# Names of packages for what is not there, required ones in $required, others in $wanted.
find_missing() {
	required= wanted=
	if ! works ${CC:-cc} --version || ! works c++ --version || ! has_header stdio.h; then
		required="build-essential"
		wanted="libtcc-dev libpng-dev libjansson-dev zlib1g-dev libzstd-dev"
	else
		has_header libtcc.h || wanted="libtcc-dev"
		has_header png.h || wanted="$wanted libpng-dev"
		has_header jansson.h || wanted="$wanted libjansson-dev"
		has_header zlib.h || wanted="$wanted zlib1g-dev"
		has_header zstd.h || wanted="$wanted libzstd-dev"
	fi
	cmake_is_new_enough || required="$required cmake"
	works make --version || works ninja --version || case $required in
		*build-essential*) ;;
		*) required="$required make" ;;
	esac
	[ "${1:-}" = tests ] || return 0
	works pkg-config --version || wanted="$wanted pkg-config"
	has_library cmocka || wanted="$wanted libcmocka-dev"
	works doxygen --version || wanted="$wanted doxygen"
	python_with numpy >/dev/null || wanted="$wanted python3-numpy"
	has_python_header || wanted="$wanted python3-dev"
}

# Install the packages named, without a question. An index that is too old or not there is
# fetched once.
install_packages() {
	command -v apt-get >/dev/null || return 1
	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null || return 1
		as_root=sudo
	fi
	say "setup: installing $*"
	get="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq"
	$get install -y --no-install-recommends "$@" >/dev/null 2>&1 && return 0
	$get update >/dev/null && $get install -y --no-install-recommends "$@" >/dev/null
}

# setup build [tests]
setup() {
	find_missing "${2:-}"
	[ -n "$required$wanted" ] || return 0
	install_packages $required $wanted || true
	find_missing "${2:-}"
	[ -z "$required$wanted" ] ||
		say "setup: missing, and not to be had by apt-get here:" $required $wanted
	[ -z "$required" ]
}

jobs() { nproc 2>/dev/null || echo 2; }

# configure_and_build DIR [cmake options]: quiet unless something goes wrong.
configure_and_build() {
	build=$1
	shift
	mkdir -p "$build"
	if [ ! -f "$build/CMakeCache.txt" ] && works ninja --version; then
		set -- -G Ninja "$@"
	fi
	if ! cmake -S "$root" -B "$build" "$@" >"$build/configure.log" 2>&1; then
		cat "$build/configure.log" >&2
		return 1
	fi
	if ! cmake --build "$build" --parallel "$(jobs)" ${targets:+--target $targets} >"$build/build.log" 2>&1; then
		grep -v '^\[' "$build/build.log" >&2
		return 1
	fi
	# Warnings are worth seeing even where they do not stop the build.
	grep -A3 'warning:' "$build/build.log" >&2 || true
}
