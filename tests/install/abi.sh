#!/bin/sh
# What programs are compiled against stays: functions, numbers of enums, places of fields. New ones may come.
#
#   abi.sh INCLUDE_DIR KEPT FOLDER            compare with the list KEPT; with CC
#   abi.sh INCLUDE_DIR KEPT FOLDER --update   write it anew: when something is added, and when the SONAME changes
#
# Places are those of 64-bit machines; on others there is nothing to compare.
set -eu
include=$1 kept=$2 folder=$3
mkdir -p "$folder"
{
	cat <<'END'
#include <stddef.h>
#include <stdio.h>
#include "viewfold.h"
#include "viewfold_dlpack.h"
#define FIELD(s, f) printf("field %s.%s at %zu, %zu bytes\n", #s, #f, offsetof(s, f), sizeof ((s *)0)->f);
#define NUMBER(name) printf("number %s %d\n", #name, (int)name);
int main(void)
{
END
	sed -n 's/^VF_API [^(]*[ *]\(vf_[A-Za-z0-9_]*\)(.*/puts("function \1");/p' "$include"/viewfold*.h
	awk '
		{ gsub(/\/\*[^*]*\*\//, "") }
		/^typedef struct vf_[a-z_]* \{/ { struct = $3; next }
		/^typedef enum vf_[a-z_]* \{/ { inside = 1; sub(/.*\{/, "") }
		/^\}/ { struct = ""; inside = 0; next }
		struct != "" && /^\t[a-z][^;]*;[ \t]*$/ {
			line = $0
			if (match(line, /\(\*[a-z_]+\)/)) name = substr(line, RSTART + 2, RLENGTH - 3)
			else { sub(/;[ \t]*$/, "", line); sub(/.*[ *]/, "", line); name = line }
			print "FIELD(" struct ", " name ")"
		}
		inside { while (match($0, /VF_[A-Z0-9_]+/)) {
			name = substr($0, RSTART, RLENGTH)
			print "NUMBER(" name ")"
			$0 = substr($0, RSTART + RLENGTH)
			sub(/^ = [^,}]*/, "") } if (/\}/) inside = 0 }
	' "$include/viewfold.h"
	echo 'return sizeof(void *) != 8 ? 77 : 0; }'
} >"$folder/abi.c"
$CC -std=c11 -I"$include" -o "$folder/abi" "$folder/abi.c"
"$folder/abi" >"$folder/unsorted" || exit $?
LC_ALL=C sort "$folder/unsorted" >"$folder/now.txt"
[ "${4-}" != --update ] || { cp "$folder/now.txt" "$kept"; exit 0; }

LC_ALL=C comm -13 "$kept" "$folder/now.txt" | sed 's/^/new (add it by --update): /'
LC_ALL=C comm -23 "$kept" "$folder/now.txt" >"$folder/gone.txt"
[ -s "$folder/gone.txt" ] || exit 0
echo 'no longer so, and programs rely on it:'
cat "$folder/gone.txt"
exit 1
