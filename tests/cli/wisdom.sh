#!/bin/sh
# --wisdom: what measuring found out goes into a file and comes back; what is not of here is passed over.
. "$(dirname "$0")/_claims.sh"
quiet() { [ ! -s err ]; }
lines() { [ "$(wc -l <"$1")" -eq "$2" ]; }

x='x=f32[300,200]'
claim 'no file and nothing measured: an error' tool 1 run x.T $x -o a.npy --wisdom w
claim 'it names the file' grep -q '^viewfold: w: No such file' err
claim 'a run that measures makes the file' tool 0 run x.T $x -o a.npy --wisdom w --effort measure
claim 'without a word' quiet
claim 'a head and a plan' lines w 2
cp w first
claim 'another chain' tool 0 bench 'x.flip(0).T' $x --wisdom w --effort measure --time 0.01
claim 'adds to it' lines w 3
claim 'and keeps what was there' grep -qxF "$(sed -n 2p first)" w
cp w both
claim 'a chain that is known' tool 0 run x.T $x -o b.npy --wisdom w --effort measure
claim 'adds nothing' cmp -s w both
claim 'the same bytes' cmp -s a.npy b.npy

# What is known is used: the same plan under either number. What bends the
# machine that it is planned for makes another.
claim 'explain measures too' tool 0 explain x.T 'x=f32[3000,2000]' --wisdom w --effort measure
for number in 00000000 50000000; do
	sed "2,\$s/ [0-9]*\$/ $number/" w >given
	cp given kept
	claim "explain with choice $number" tool 0 explain x.T 'x=f32[3000,2000]' --wisdom given
	claim 'nothing is written without measuring' cmp -s given kept
	grep '^plan' out >plan$number
done
claim 'a choice changes the plan' sh -c '! cmp -s plan00000000 plan50000000'

# Of another machine or release: passed over, with a note; replaced where this run measures.
sed '1s/viewfold-wisdom [0-9.]*/viewfold-wisdom 0.0.0/' both >foreign
cp foreign kept
claim 'foreign wisdom' tool 0 run x.T $x -o b.npy --wisdom foreign
claim 'is told of' grep -q '^viewfold: foreign: of another machine or release' err
claim 'in one line' lines err 1
claim 'and left alone' cmp -s foreign kept
claim 'foreign wisdom, measured' tool 0 run x.T $x -o b.npy --wisdom foreign --effort measure
claim 'is told of too' grep -q '^viewfold: foreign: of another machine or release' err
claim "and replaced by this machine's" [ "$(head -1 foreign)" = "$(head -1 first)" ]
claim 'with what was measured alone' lines foreign 2

# What holds for the machine comes before the plans, from tune.
sed '1q' first >tuned
echo 'machine 50000000' >>tuned
claim "explain with a machine's choice" tool 0 explain x.T 'x=f32[3000,2000]' --wisdom tuned
grep '^plan' out >plan
claim 'it changes the plan too' cmp -s plan plan50000000
claim 'a run that measures keeps it' tool 0 run x.T $x -o b.npy --wisdom tuned --effort measure
claim 'in its place' [ "$(sed -n 2p tuned)" = 'machine 50000000' ]

# Damage ends what is read; what is no wisdom is an error and stays.
{ cat first; echo 'zzz 99999'; } >damaged
claim 'damaged wisdom' tool 0 run x.T $x -o b.npy --wisdom damaged
echo 'my letters' >letters
claim 'another file' tool 1 run x.T $x -o b.npy --wisdom letters --effort measure
claim 'is refused' grep -q '^viewfold: letters: wisdom: ' err
claim 'and stays' grep -qx 'my letters' letters
: >empty
claim 'an empty file' tool 1 run x.T $x -o b.npy --wisdom empty --effort measure
claim 'a directory' tool 1 run x.T $x -o b.npy --wisdom . --effort measure
claim 'where no file can be' tool 1 explain x.T $x --wisdom nowhere/w --effort measure
claim 'nothing is left behind' sh -c '! ls -A | grep -q "^\.viewfold"'

tell wisdom
