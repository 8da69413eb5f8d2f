#!/bin/sh
# viewfold tune: what it finds is kept below XDG_CACHE_HOME, where every command looks that has no --wisdom.
. "$(dirname "$0")/_claims.sh"
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
kept=$XDG_CACHE_HOME/viewfold/wisdom

claim 'without a file every command works' tool 0 explain x.T 'x=f32[3000,2000]'
grep '^plan' out >plan
claim 'tune' tool 0 tune --time 0.1
claim 'it says what it found' grep -qx 'machine [0-9]*' out
claim 'and where it is' grep -qx "kept in $kept" out
claim 'a head and a line' [ "$(wc -l <"$kept")" -eq 2 ]
claim 'into a file of its own' tool 0 tune --time 0.1 --wisdom other
claim 'the same head' [ "$(head -1 other)" = "$(head -1 "$kept")" ]

head -1 other >"$kept"
echo 'machine 50000000' >>"$kept"
claim 'a command without --wisdom' tool 0 explain x.T 'x=f32[3000,2000]'
grep '^plan' out >plan2
claim 'plans by what is kept' sh -c '! cmp -s plan plan2'
claim 'one with --wisdom' tool 0 explain x.T 'x=f32[3000,2000]' --wisdom other
claim 'again' tool 0 tune --time 0.1
claim 'takes the place of what was kept' sh -c "! grep -q 50000000 '$kept'"

echo 'no wisdom' >"$kept"
claim 'what is none is passed over' tool 0 explain x.T 'x=f32[3000,2000]'
claim 'without a word' [ ! -s err ]
claim 'tune says so' tool 1 tune --time 0.1
claim 'by name' grep -q "^viewfold: $kept: wisdom: " err

claim 'an argument' tool 2 tune x.T
claim 'is refused' grep -q "^viewfold: tune: 'x.T': it takes no arguments" err
claim 'no time' tool 2 tune --time 0
unset XDG_CACHE_HOME HOME
claim 'nowhere to keep it' tool 1 tune --time 0.1
claim 'one sentence' [ "$(wc -l <err)" -eq 1 ]

tell tune
