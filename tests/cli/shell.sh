#!/bin/sh
# What a shell asks of the tool: pipes, sizes as people write them, JSON, completion.
. "$(dirname "$0")/_claims.sh"

refused() {
	words=$1
	shift
	"$VIEWFOLD" "$@" >out 2>err && return 1
	[ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$words" err
}

# From a pipe, from a file that is standard input, from the middle of one.
"$VIEWFOLD" run x 'x=u8[3,5]' -o x.npy
"$VIEWFOLD" run x.T x=x.npy -o turned.npy
piped() { "$VIEWFOLD" run x 'x=u8[3,5]' -o - | "$VIEWFOLD" run x.T x=- -o - | cmp - turned.npy; }
claim 'a pipe through the tool' piped
redirected() { "$VIEWFOLD" run x.T x=- -o - <x.npy | cmp - turned.npy; }
claim 'a file as standard input' redirected
second() { { dd bs=1 count=7 >/dev/null 2>&1; "$VIEWFOLD" run x.T x=- -o - | cmp - turned.npy; } <late; }
{ printf 'preface'; cat x.npy; } >late
claim 'standard input that was read before' second
claim 'two inputs of standard input' refused 'another one reads standard input' run 'x' x=- y=- -o a.npy

# Sizes.
for size in 1 64 64K 64k 1M 1.5M 2G 1GiB 3MB; do
	claim "--chunk $size" "$VIEWFOLD" run x.T x=x.npy -o out.npy --chunk "$size"
	claim "--chunk $size writes the same" cmp out.npy turned.npy
done
for size in 0 -1 K 1X 1.M2 1e400 99999999999T nan inf 0x10Z ''; do
	claim "--chunk '$size' is refused" refused 'a number of bytes' run x.T x=x.npy -o out.npy --chunk "$size"
done

# JSON, read by a program.
if [ -n "${PYTHON:-}" ]; then
	shown() {
		"$VIEWFOLD" show 'x.T[:2]' x=x.npy --json | "$PYTHON" -c '
import json, sys
got = json.load(sys.stdin)
assert got == {"expr": "x.T[:2]", "dtype": "u8", "shape": [2, 3], "strides": [1, 5], "offset": 0,
               "map": "(2,3):(1,5)+0", "values": [[0, 5, 10], [1, 6, 11]]}, got'
	}
	claim 'show --json' shown
	kinds() {
		for kind in 'bool[3] [false,true,false]' 'f16[2] [0.0,1.0]' 'c64[2] [[0.0,0.0],[1.0,0.0]]' 'f32[] 0.0' \
			'i64[2,0] [[],[]]' 'bytes3[2] ["000102","030405"]' 'f64[1,2] [[0.0,1.0]]'; do
			"$VIEWFOLD" show x "x=${kind% *}" --json | "$PYTHON" -c '
import json, sys
got, wanted = json.load(sys.stdin)["values"], json.loads(sys.argv[1])
assert got == wanted, (got, wanted)' "${kind#* }" || return 1
		done
	}
	claim 'the values of each type' kinds
	compound() { "$VIEWFOLD" show 'x.T.reshape(15)' x=x.npy --json | grep -q '"strides": null, "offset": null'; }
	claim 'compound axes have no strides' compound
	specials() {
		"$PYTHON" -c 'import numpy as np; np.save("odd.npy", np.array([np.nan, np.inf, -np.inf, 1e300, -0.0, 1e-5]))'
		"$VIEWFOLD" show x x=odd.npy --json | "$PYTHON" -c '
import json, sys
assert json.load(sys.stdin)["values"] == ["nan", "inf", "-inf", 1e300, -0.0, 1e-5]'
	}
	claim 'what JSON has no number for' specials
	explained() {
		"$VIEWFOLD" explain 'x.T.reshape(300,301).T' 'x=u8[300,301]' --json | "$PYTHON" -c '
import json, sys
got = json.load(sys.stdin)
assert got["cuts"] == 1 and got["bytes"] == 90300 and got["inputs"] == [{"name": "x", "dtype": "u8", "shape": [300, 301]}], got
assert [step["made"] for step in got["steps"]][:2] == ["u8[300,301]", "x.T"] and len(got["steps"]) == 4, got
assert any(note.startswith("cut: radix 300 against 301") for note in got["steps"][3]["notes"]), got
assert "cuts: 1" in got["plan"], got'
	}
	claim 'explain --json' explained
	listed() {
		"$VIEWFOLD" explain '(x.T, x[::-1])' 'x=u8[5,7]' --json | "$PYTHON" -c '
import json, sys
got = json.load(sys.stdin)
assert [(r["shape"], r["strides"], r["bytes"]) for r in got["results"]] == [([7, 5], [1, 7], 35), ([5, 7], [-7, 1], 35)], got
assert [step["made"] for step in got["steps"]] == ["u8[5,7]", "x.T", "x[::-1]"] and "cuts" not in got, got
assert "result 1: %2" in got["plan"] and "result 1:" in got["plan"], got'
	}
	claim 'explain --json of a list' listed
fi
claim '--json beside --storage' refused 'do not go together' show x x=x.npy --json --storage

# Completion: what bash offers, and what the other shells can read.
for shell in bash zsh fish; do
	"$VIEWFOLD" completion $shell >completion.$shell
	claim "every option in that of $shell" grep -q 'cold warm' completion.$shell
	claim "every operation in that of $shell" grep -q 'pixel_shuffle' completion.$shell
done
claim 'an unknown shell' refused 'one of bash, zsh, fish' completion csh
claim 'no shell' refused 'one of bash, zsh, fish' completion
if command -v bash >/dev/null; then
	offered() { # WORDS... : the last is what is completed
		bash -c '. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _viewfold; echo "${COMPREPLY[*]}"' - "$@"
	}
	offers() { wanted=$1; shift; [ "$(offered "$@")" = "$wanted" ]; }
	claim 'bash: commands' offers 'dump draw' viewfold d
	claim 'bash: options' offers '--engine --effort' viewfold run x --e
	claim 'bash: values' offers 'jit' viewfold run x --engine j
	claim 'bash: operations' offers 'pixel_shuffle pixel_unshuffle' viewfold ops pix
	claim 'bash: files are left to the shell' offers '' viewfold run x x = x.n
fi
if command -v zsh >/dev/null; then claim 'zsh reads it' zsh -n completion.zsh; fi
if command -v fish >/dev/null; then claim 'fish reads it' fish -n completion.fish; fi

tell shell
