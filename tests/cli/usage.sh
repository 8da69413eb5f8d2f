#!/bin/sh
# Help, exit statuses, and one line for each mistake.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0 claims=0

# check STATUS WORDS ARGUMENT...: the tool ends so, with one line on stderr that holds the words.
check() {
	status=$1 words=$2
	shift 2
	claims=$((claims + 1))
	"$VIEWFOLD" "$@" >out 2>err
	came=$?
	lines=$(wc -l <err)
	if [ "$came" -ne "$status" ] || [ "$lines" -ne 1 ] || ! grep -q '^viewfold: ' err || ! grep -qF -- "$words" err; then
		echo "FAILED: viewfold $*"
		echo "    expected status $status and one line with: $words"
		echo "    came status $came and: $(cat err)"
		failures=$((failures + 1))
	fi
}

# works WORDS ARGUMENT...: status 0, nothing on stderr, the words on stdout.
works() {
	words=$1
	shift
	claims=$((claims + 1))
	if ! "$VIEWFOLD" "$@" >out 2>err || [ -s err ] || ! grep -qF -- "$words" out; then
		echo "FAILED: viewfold $*"
		echo "    expected on stdout: $words"
		echo "    came: $(head -5 out) $(cat err)"
		failures=$((failures + 1))
	fi
}

works 'viewfold bench' --help
works 'viewfold bench' -h
works 'viewfold 0.' --version
works '.SH OPTIONS' --man
works '.B \-\-chunk BYTES' --man
for command in run show explain dump graph bench assign; do
	works "viewfold $command " "$command" --help
	check 2 "$command needs an expression" "$command"
	check 2 'unknown option --nonsense' "$command" --nonsense x x=f32[2]
	check 2 'no input' "$command" x=y stray
done

check 2 'unknown option -x.T (see viewfold dump --help); an expression that begins with - goes behind --' dump -x.T x=f32[2]
works '-0. -1.' show -- -x x=f32[2]

check 2 'no command'
check 2 "unknown command 'frobnicate'" frobnicate
check 2 "'=f32[2]' is no input" show x =f32[2]
check 2 "'x=' is no input" show x x=
check 2 "'2x=f32[2]' is no input" show x 2x=f32[2]
check 2 "input 'x' is given twice" show x x=f32[2] y=u8[1] x=f32[3]
check 2 'run needs an output' run x x=f32[2]
check 2 'ends in .npy or .png' run x x=f32[2] -o out.txt
check 2 'needs a value' run x x=f32[2] -o
check 2 'needs a value' bench x x=f32[2] --threads
check 2 'a number from 1 to 1024' bench x x=f32[2] --threads 0
check 2 'a number from 1 to 1024' bench x x=f32[2] --threads many
check 2 'auto, jit or interpret' bench x x=f32[2] --engine v8
check 2 'estimate, measure' bench x x=f32[2] --effort none
check 2 "has no '='" assign 'x[0]' x=a.npy
check 1 'nonsense' bench x x=f32[2] --variant nonsense

check 1 'as an extent' show x 'x=f32[2,a]'
check 1 'an extent of -2' show x 'x=f32[-2]'
check 1 "']'" show x 'x=f32[2'
check 1 "text after ']'" show x 'x=f32[2]]'
check 1 'beyond 64 bits' show x 'x=f32[99999999999999999999]'
check 1 'beyond 64 bits' show x 'x=f32[4611686018427387904,4]'
for command in dump explain graph; do
	check 1 'reaches beyond' $command x.T 'x=f32[9223372036854775807,2]'
done
check 1 'more than this machine' show x 'x=f32[1000000,1000000,1000]'
check 1 "no element type 'q32', and no such file" show x 'x=q32[2]'
check 1 'No such file' show x x=missing.npy
echo 'plain text' >text
check 1 'neither a .npy file nor a PNG' show x x=text
check 1 'Is a directory' show x x=.

# The library's sentences come through, on one line.
check 1 'reshape' show 'x.reshape(3,5)' 'x=f32[4,6]'
check 1 'y' show 'y.T' 'x=f32[4,6]'
check 1 '' show 'x.frobnicate()' 'x=f32[4,6]'
check 1 '' show 'x[' 'x=f32[4,6]'
check 1 '' show '' 'x=f32[4,6]'

# What reads no element takes shapes beyond any memory.
works permute explain 'x.permute(1,0)' 'x=f32[1000000,1000000]'
works vf_kernel dump x.T 'x=f32[7,9]'
works '; the least wins' explain 'x.flip(1)' 'x=u8[40,40,3]'
works "order: blocks of both runs 1.80; nothing else applies" explain x.T 'x=f32[512,512]'
works 'blocks: whole lines of dst 1.55, along rows of dst with lines carried on 1.70; the least wins' \
	explain x.T 'x=f32[4096,4096]'
works 'the next block: into the second cache 1.00, not asked for 1.15' explain x.T 'x=f32[4096,4096]'
works 'rows of the source: packed first 2.10, as they lie 4.50; the least wins' \
	explain --variant plain x.T 'x=u8[1501,8192]' # with AVX2 they go by slices
works 'one after the other 1.' \
	explain 'x[:,:,:2000]' 'x=u8[64,100,8000]'
works '8 x axis 0 of dst (8)' dump 'x.permute(0,3,1,2)' 'x=u8[8,1080,1920,3]'
works 'pick: source 0' explain "x.unfold(1,4,2).flip(2).to('f32')" 'x=f16[9000,32]' # pixels that compute
works digraph graph x.T 'x=f32[7,9]'
works 'result 1' graph '(x.T, x[0])' 'x=f32[7,9]'
works 'results 0, 1, 2, in one move' explain 'x.unbind(-1)' 'x=u8[40,50,3]'
works 'strategy' explain '(x.T,)' 'x=u8[40,50]'
check 1 'no results' explain '()' 'x=u8[40,50]'
works 'f32' show x 'x=f32[]'
works 'f32' show -- x 'x=f32[]'

# Output that cannot be printed is an error too.
claims=$((claims + 1))
if [ -w /dev/full ]; then
	"$VIEWFOLD" show x 'x=f32[2]' >/dev/full 2>err
	if [ $? -ne 1 ] || ! grep -q 'No space left' err; then
		echo "FAILED: a full standard output: $(cat err)"
		failures=$((failures + 1))
	fi
fi

# VF_DUMP prints the phases of a run on stderr.
claims=$((claims + 1))
VF_DUMP=fold,job,normal,choice,plan,c "$VIEWFOLD" run x.T 'x=f32[7,9]' -o out.npy 2>err
if ! grep -q 'vf_kernel' err || ! grep -q '^%1 = x.T' err || ! grep -q '^job: ' err || ! grep -q '^normal: ' err ||
	! grep -q '^choice: ' err || ! grep -q '^root: ' err; then
	echo "FAILED: VF_DUMP=fold,job,normal,choice,plan,c prints these phases: $(head -3 err)"
	failures=$((failures + 1))
fi

# --json has the keys that scripts rely on.
claims=$((claims + 1))
"$VIEWFOLD" bench x.T 'x=f32[64,64]' --time 0.05 --json >out 2>err
for key in expr dtype out_bytes kernel_ns copy_ns limit_ratio memcpy_ns ratio traffic_bytes traffic_ratio \
	compile_ns interpret_ns strategy threads cuts cache pages; do
	if ! grep -q "\"$key\": " out; then
		echo "FAILED: bench --json has $key: $(cat out err)"
		failures=$((failures + 1))
	fi
done

# --list: a line for each row, under its name; a row that fails is named and left out.
check 2 "'x' beside --list" bench --list rows.tsv x
check 1 'rows.tsv: No such file' bench --list rows.tsv
printf '# name\tinputs\texpression\n\nturned\tx=f32[64,64]\tx.T\nbad\tx=f32[2]\tx.T.frob()\njoined\tx=u8[9] y=u8[3]\tcat([x, y])\n' >rows.tsv
claims=$((claims + 1))
"$VIEWFOLD" bench --list rows.tsv --time 0.02 --json >out 2>err
if [ $? -ne 1 ] || [ "$(sed 's/, "expr.*//' out)" != "$(printf '{"name": "turned"\n{"name": "joined"')" ] ||
	! grep -q 'rows.tsv: line 4 is left out' err; then
	echo "FAILED: bench --list times the rows that can be: $(cat out err)"
	failures=$((failures + 1))
fi
printf 'one\tx=f32[64,64]\n' >rows.tsv
claims=$((claims + 1))
if "$VIEWFOLD" bench --list - --json <rows.tsv >out 2>err || ! grep -q 'a tab between each' err; then
	echo "FAILED: bench --list - refuses a row of two columns: $(cat out err)"
	failures=$((failures + 1))
fi

# --beside: a loop of one's own is timed too, and must write the same bytes.
check 1 'gone.so' bench x.T 'x=u8[8,8]' --beside gone.so
check 2 '--beside gone.so goes with one expression' bench --list rows.tsv --beside gone.so
if command -v "${CC:-cc}" >/dev/null; then
	claims=$((claims + 2))
	cat >own.c <<-'END'
		void vf_beside(void *dst, const void *const src[]);
		void vf_beside(void *dst, const void *const src[])
		{
			for (int i = 0; i < 64; i++)
				((char *)dst)[i] = ((const char *)src[0])[i % 8 * 8 + i / 8 + WRONG * (i == 63)];
		}
	END
	"${CC:-cc}" -DWRONG=0 -shared -fPIC -o own.so own.c && "${CC:-cc}" -DWRONG=-1 -shared -fPIC -o wrong.so own.c
	if ! "$VIEWFOLD" bench x.T 'x=u8[8,8]' --beside ./own.so --time 0.01 --json >out 2>err ||
		! grep -q '"beside": \[{"path": "./own.so", "ns": [0-9]' out; then
		echo "FAILED: bench --beside times a loop: $(cat out err)"
		failures=$((failures + 1))
	fi
	if "$VIEWFOLD" bench x.T 'x=u8[8,8]' --beside ./wrong.so --json >out 2>err || ! grep -q 'differs at byte 63 of 64' err; then
		echo "FAILED: bench --beside compares what a loop writes: $(cat out err)"
		failures=$((failures + 1))
	fi
fi

echo "usage: $((claims - failures)) of $claims claims hold"
[ "$failures" -eq 0 ]
