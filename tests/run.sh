#!/bin/sh
# Build viewfold and run its tests, from nothing.
#
#   sh tests/run.sh [-DNAME=VALUE ...] [ctest arguments, such as -L unit]
#
# Installs by apt-get what is missing, builds in build/ (or $BUILD), runs ctest. The last line is
# "N passed, N failed"; the exit status is 0 if none failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/examples/setup.sh"
build=${BUILD:-$root/build}

options=
while [ $# -gt 0 ]; do
	case $1 in
	-D*) options="$options $1"; shift ;;
	*) break ;;
	esac
done

setup build tests || { echo "0 passed, 0 failed"; exit 1; }
say "building in $build"
configure_and_build "$build" $options || { say "the build failed"; echo "0 passed, 0 failed"; exit 1; }

cd "$build" || exit 1
ctest -j2 --output-on-failure "$@" 2>&1 | tee tests.log | awk '
	/^ *Start +[0-9]+:/ || /^Test project/ { next }
	/^[0-9]+% tests passed/ { exit }
	{ print; fflush() }'
awk '
	/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+:/ {
		name = $0
		sub(/^[^:]*: */, "", name)
		sub(/ .*/, "", name)
		if ($0 ~ / Passed +[0-9.]+ sec/) passed++
		else if ($0 ~ /\*\*\*Skipped/) skipped = skipped " " name
		else { failed++; names = names " " name }
	}
	END {
		print ""
		if (skipped != "") print "skipped:" skipped
		if (failed) print "failed:" names
		printf "%d passed, %d failed\n", passed, failed
		exit failed > 0 || passed == 0
	}' tests.log
