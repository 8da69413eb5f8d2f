#!/bin/sh
# dump --standalone: no warning from any compiler that is there, as C11 and as C++17; the bytes are those of `run`, at
# once and by units; two texts link into one program; a name that is none is refused.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
flags="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

c= cxx=
echo 'int main(void) { return 0; }' >probe.cc
cp probe.cc probe.c
for compiler in gcc clang; do command -v $compiler >/dev/null 2>&1 && c="$c $compiler"; done
for compiler in g++ clang++; do
	$compiler -c probe.cc -o probe.o >/dev/null 2>&1 && cxx="$cxx $compiler"
done
if [ -z "$c" ]; then
	echo "no gcc or clang"
	exit 77
fi

# compiles FILE.c: warnings are errors, as either language.
compiles() {
	for compiler in $c; do
		$compiler -std=c11 $flags -Wmissing-prototypes -O2 $native -c "$1" -o probe.o >log 2>&1 ||
			fail "$compiler $1: $(head -5 log)"
	done
	for compiler in $cxx; do
		$compiler -x c++ -std=c++17 $flags -Wmissing-declarations -O0 -c "$1" -o probe.o >log 2>&1 ||
			fail "$compiler $1: $(head -5 log)"
	done
}

cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "one.h"

/* main X Y WAY: the inputs' bytes from files, the result to stdout; WAY 1: unit by unit, last first. */
static unsigned char *read_all(const char *name)
{
	FILE *file = fopen(name, "rb");
	static unsigned char none[64];
	if (!file || fseek(file, 0, SEEK_END) != 0) return none;
	long n = ftell(file);
	unsigned char *bytes = malloc((size_t)n + 1);
	rewind(file);
	if (!bytes || fread(bytes, 1, (size_t)n, file) != (size_t)n) abort();
	return bytes;
}

int main(int argc, char **argv)
{
	const void *src[2] = {read_all(argv[1]), read_all(argc > 2 ? argv[2] : "")};
	unsigned char *dst = malloc(one_OUT_BYTES + 1);
	enum { BEHIND = 1 << 16 };
	char *scratch = one_SCRATCH_BYTES ? aligned_alloc(64, (one_SCRATCH_BYTES + 63) / 64 * 64 + BEHIND) : NULL;
	if (scratch) memset(scratch + one_SCRATCH_BYTES, 7, BEHIND);
	if (strcmp(argv[argc - 1], "1") == 0)
		for (long long unit = one_UNITS - 1; unit >= 0; unit--) one(dst, src, scratch, unit, unit + 1);
	else
		one(dst, src, scratch, 0, one_UNITS);
	for (int i = 0; scratch && i < BEHIND; i++)
		if (scratch[one_SCRATCH_BYTES + i] != 7) abort();
	return fwrite(dst, 1, one_OUT_BYTES, stdout) != one_OUT_BYTES;
}
END

# same EXPR DECL [DECL]: the text's bytes are those of `run`.
same() {
	expr=$1
	shift
	"$VIEWFOLD" dump --standalone "$expr" "$@" --name one -o one.c --header one.h || fail "dump $expr"
	[ -z "$strictly" ] || compiles one.c
	"$VIEWFOLD" run "$expr" "$@" -o expected.npy
	k=0
	: >y.raw
	for input in "$@"; do
		"$VIEWFOLD" run "${input%%=*}" "$input" -o input.npy
		tail -c +129 input.npy >"$k.raw"
		k=$((k + 1))
	done
	set -- $c
	$1 -O1 $native -o program main.c one.c || fail "linking $expr"
	for way in 0 1; do
		./program 0.raw 1.raw $way >out.raw
		tail -c +129 expected.npy | cmp -s - out.raw || fail "$expr, way $way: other bytes"
	done
}

cat >several.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "one.h"

/* several X WAY BYTES ...: the same of several results, each of so many bytes, one after the other. */
int main(int argc, char **argv)
{
	static unsigned char x[1 << 24];
	FILE *file = fopen(argv[1], "rb");
	if (!file || !fread(x, 1, sizeof x, file)) abort();
	const void *src[] = {x};
	void *dst[8], *scratch = aligned_alloc(64, (one_SCRATCH_BYTES + 64) / 64 * 64);
	size_t bytes[8], all = 0;
	int n = argc - 3;
	for (int i = 0; i < n; i++) {
		all += bytes[i] = (size_t)atol(argv[i + 3]);
		dst[i] = (char *)malloc(bytes[i] + 8) + i;
	}
	if (all != one_OUT_BYTES) abort();
	if (strcmp(argv[2], "1") == 0)
		for (long long unit = one_UNITS - 1; unit >= 0; unit--) one(dst, src, scratch, unit, unit + 1);
	else
		one(dst, src, scratch, 0, one_UNITS);
	for (int i = 0; i < n; i++) fwrite(dst[i], 1, bytes[i], stdout);
	return 0;
}
END

# same_all EXPR DECL: the same of a list.
same_all() {
	"$VIEWFOLD" dump --standalone "$1" "$2" --name one -o one.c --header one.h || fail "dump $1"
	[ -z "$strictly" ] || compiles one.c
	rm -f part*.npy
	"$VIEWFOLD" run "$1" "$2" -o 'part{}.npy'
	"$VIEWFOLD" run x "$2" -o x.npy
	tail -c +129 x.npy >x.raw
	sizes= n=0
	: >expected.raw
	while [ -f "part$n.npy" ]; do
		tail -c +129 "part$n.npy" >part.raw
		sizes="$sizes $(wc -c <part.raw)"
		cat part.raw >>expected.raw
		n=$((n + 1))
	done
	compiler=${c# }
	${compiler%% *} -O1 -o program several.c one.c || fail "linking $1"
	for way in 0 1; do
		./program x.raw $way $sizes >out.raw
		cmp -s expected.raw out.raw || fail "$1, way $way: other bytes"
	done
}

# One of each codelet that is streamed, by every compiler; then shapes that take other ways through them.
strictly=1 native=
set -- $c
$1 -march=native -c probe.c -o probe.o >/dev/null 2>&1 && native=-march=native
same 'x.T' 'x=f32[70,50]'
same 'x.T' 'x=f32[1100,1060]'
same 'x.permute(0,3,1,2)' 'x=u8[2,700,1021,3]'
same 'x.permute(0,3,1,2)' 'x=u8[3,300,511,8]'
same 'x.flip(1)' 'x=u8[1003,1600,3]'
same 'cat([x, y.flip(1)], dim=0).T' 'x=f64[300,1000]' 'y=f64[400,1000]'
same 'x.T.reshape(300,301).T' 'x=u8[300,301]'
same 'x[:0]' 'x=f32[4,4]'
# bytes that are turned are no number: before, behind and beside what computes
same '((x.byteswap() * 3).byteswap() + (y * 2).byteswap()).to(c128).byteswap()' 'x=f32[70,50]' 'y=f32[70,50]'
strictly=
same '(x.byteswap() + y.byteswap()).to(f32).byteswap()' 'x=f64[70,50]' 'y=f64[50]'
same 'x.T.to(f16)' 'x=f32[1100,1060]'
same 'x.permute(2,0,1) - y' 'x=f32[45,19,1169]' 'y=f32[19]'
same 'x.permute(3,2,0,1).flip(1).to(f64) - y' 'x=f32[19,18,17,90]' 'y=f32[17,1,1]'
same 'x.flip(2)' 'x=u8[1000,1600,3]'
same 'x.pad([1,1,1,1])' 'x=f32[16,257,300]'
same 'x.pad([1,2,3,1])' 'x=f32[211,61,53]'
same 'cat([x, y], dim=1)' 'x=u8[50001,40]' 'y=u8[50001,23]'
same 'x.permute(0,2,3,1)' 'x=u16[2,3,700,600]'
same 'x.permute(0,2,3,1)' 'x=u16[3,11,300,211]'
same 'x.permute(0,3,1,2)' 'x=f32[40,15,17,13]'
same 'x[..., 1:4].permute(0,3,1,2)' 'x=f32[4,150,171,7]'
same 'x.permute(1,0,2)[4:, :, 9:116]' 'x=u16[97,131,128]'
same 'x.permute(1,0,2)[:, ::-1, 32:]' 'x=f32[331,27,112]'
same 'x.permute(0,3,1,2).flip(3)' 'x=f32[30,56,56,8]'
same 'x.permute(0,3,1,2)' 'x=u8[3,157,159,24]'
same 'x.flip(3).rot90(1,(1,2))' 'x=u8[3,211,171,3]'
same 'x[..., [1,0,2]].permute(0,2,1,3)' 'x=u16[2,211,171,3]'
same 'x[..., [1,0,2]].permute(0,2,1,3)' 'x=f32[1,311,257,3]'
same 'x.T' 'x=u8[2111,2077]'
same 'x.rot90(1,(0,1))' 'x=u8[1303,1207,3]'
same 'x[:, ::2]' 'x=f32[1500,2000]'
same 'cat([y * 2, x], 2)' 'x=f32[40,100,3]' 'y=f32[40,100,130]'
same 'cat([x * 2, y * 3], 1)' 'x=f32[16000,100]' 'y=f32[16000,100]'
same 'cat([x[..., 40:] * -1, x[..., :40]], 1)' 'x=f16[50000,80]'
same 'cat([x * 2, x * 3 + y * 2], 1)' 'x=f32[40000,32]' 'y=f32[40000,32]'
same '(x * 2).pad([1,1,1,1], value=7)' 'x=f32[32,200,100]'
same 'x.pad([0,1], value=255)' 'x=u8[1000,1600,3]'
native=
same 'x[3:, 7:1000]' 'x=u8[4801,1011]'
same 'x.unfold(0,3,1).unfold(1,3,1).permute(2,3,0,1)' 'x=f32[400,403]'
same 'x.expand(1000, 1300)' 'x=f32[1000,1]'
same 'x.reshape(1100,2,540).transpose(0,1)' 'x=f32[1100,1080]'
same 'x.roll(5, 1)' 'x=f32[64,65]'
# Computed of what is moved first, block by block: of one source as two; in rows of blocks.
same 'cat([x, x.flip(0)], dim=2)[:, 19:248, 9:491].to(bf16)' 'x=u8[64,256,256]'
same 'x.pad([1,1,1,1]) / 255' 'x=f32[3,64,56,56]'

# Planes in one move, moved and computed; bands of several moves; one by way of a cut; nothing.
same_all '(x[..., 0], x[..., 1], x[..., 2])' 'x=u8[300,700,3]'
same_all '(x[..., 0] / 255 - 0.5, x[..., 1] / 255 - 0.4, x[..., 2] / 255 - 0.3)' 'x=u8[400,700,3]'
strictly=1
same_all '((x.to(f32) - 3) / 7).unbind(-1)' 'x=u8[700,1021,3]'
strictly=
same_all 'x.unbind(-1)' 'x=u16[1400,1200,4]'
same_all 'x.unbind(-1)' 'x=u8[700,600,6]'
same_all 'x.split([100, 300, 176], 1)' 'x=f32[1000,576]'
same_all '(x.T, x[::-1], x[:0])' 'x=f32[300,500]'
same_all '(x.T.reshape(300,301).T.contiguous().view("u8"), x)' 'x=u16[300,301]'
for list in '(x[..., 0], x[..., 1], x[..., 2])' '(x.T, x)'; do
	"$VIEWFOLD" dump "$list" 'x=u8[50,60,3]' >plain.c || fail "dump $list"
	grep -q 'vf_kernel(unsigned char \*dst' plain.c || fail "the plain dump of $list"
done
"$VIEWFOLD" dump '()' 'x=u8[5]' >out 2>err && fail "dump of no result"

# Two in one program.
"$VIEWFOLD" dump --standalone 'x.T' 'x=f32[1500,1100]' --name first -o first.c --header first.h
"$VIEWFOLD" dump --standalone 'x.flip(1)' 'x=u8[1000,1600,3]' --name second -o second.c --header second.h
cat >two.c <<'END'
#include "first.h"
#include "first.h"
#include "second.h"
static unsigned char x[6600000], y[6600000], scratch[1 << 20] __attribute__((aligned(64)));
int main(void)
{
	const void *src[] = {x};
	x[first_OUT_BYTES - 1] = 7;
	first(y, src, scratch, 0, first_UNITS);
	second(y, src, scratch, 0, second_UNITS);
	return first_SCRATCH_BYTES + second_SCRATCH_BYTES > 1 << 20 || y[0] != x[1599 * 3];
}
END
set -- $c
if $1 -std=c11 $flags -o two two.c first.c second.c >log 2>&1; then
	./two || fail "two texts in one program"
else
	fail "two texts in one program: $(head -5 log)"
fi

# The first line has the expression, and no word of a user's ends the comment.
"$VIEWFOLD" dump --standalone "x.T" 'x=f32[7,9]' | head -1 | grep -qF 'vf_kernel -- x.T' || fail "the first line"
for name in 2d 'a b' vf_move 'a;b' ''; do
	if "$VIEWFOLD" dump --standalone x.T 'x=f32[7,9]' --name "$name" >out 2>err || ! grep -q 'name' err; then
		fail "the name '$name' is taken: $(cat err)"
	fi
done
[ $failures -eq 0 ]
