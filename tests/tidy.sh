#!/bin/sh
# clang-tidy over the library, the tool and the emitter, by the checks of .clang-tidy.
#
#   tidy.sh SOURCE_DIR BUILD_DIR      77 where there is none of version 14: others find other things
clang-tidy --version 2>/dev/null | grep -q 'version 14\.' || { echo "skipped: clang-tidy is none of version 14"; exit 77; }
cd "$1" || exit 1
root=$(pwd)
sed -n 's/^ *"file": "\(.*\)",*$/\1/p' "$2/compile_commands.json" | grep -e "^$root/src/" -e "^$root/codegen/" |
	grep -v -e /python/ -e /libtcc/ | LC_ALL=C sort -u |
	xargs -P "$(nproc)" -n 8 clang-tidy -p "$2" --quiet --extra-arg=-Wno-unknown-warning-option 2>/dev/null |
	grep -E 'warning:|error:'
[ $? -eq 1 ]
