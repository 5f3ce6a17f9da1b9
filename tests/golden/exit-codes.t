# The table of exit codes in cresset(1), row by row.
code() { # WANTED COMMAND...
	want=$1
	shift
	"$@" >out 2>said
	got=$?
	[ "$got" -eq "$want" ] || { echo "$*: exit $got, not $want: $(cat said)"; return; }
	echo "$got: $*"
}

echo 'a;b 1000' >one.folded
echo 'a;c 1000' >two.folded
: >empty.folded
printf 'event cycles\n' >no-samples.txt
head -c 6000 "$FIX/alone-x86-64.perf.data" >cut.data

echo '# 0: done'
code 0 cresset ingest one.folded -n one
code 0 cresset report one.folded
code 0 cresset diff one.folded one.folded
code 0 cresset diff one.folded two.folded # weights: nothing is tested
code 0 cresset diff --unit samples --fail-over c=100.0% two.folded one.folded
code 0 cresset diff --unit samples --fail-over other=1% one.folded two.folded
code 0 cresset verify --all

echo '# 1: nothing found'
code 1 cresset report empty.folded
code 1 cresset report one.folded --focus nothing
code 1 cresset report one.folded --event other
code 1 cresset callers one.folded nothing
code 1 cresset annotate one.folded nothing
code 1 cresset view one.folded -c 'zoom nothing'
code 1 cresset ls 'nothing*'
code 1 cresset export empty.folded -f folded

echo '# 1 of diff: there is a difference, and nothing else'
code 1 cresset diff --unit samples one.folded two.folded
code 1 cresset diff --unit samples --fail-worse --fail-over 50% one.folded two.folded
code 1 cresset diff --unit samples --fail-over c=50% one.folded two.folded
code 3 cresset diff empty.folded one.folded
code 3 cresset diff one.folded empty.folded
code 3 cresset diff one.folded two.folded --focus nothing
code 3 cresset diff one.folded two.folded --event other
code 3 cresset diff empty.folded
code 3 cresset diff one.folded empty.folded -f svg

echo '# 2: the command line'
code 2 cresset report --no-such-option one.folded
code 2 cresset diff one.folded
code 2 cresset diff one.folded two.folded one.folded
code 2 cresset diff -- one.folded two.folded
code 2 cresset diff --fail-over much one.folded two.folded
code 2 cresset diff --fail-over 101% one.folded two.folded
code 2 cresset diff --unit samples --min-runs 3 one.folded two.folded
code 2 cresset report one.folded --focus '('
code 2 cresset report one.folded --time 3..5
code 2 cresset no-such-command one.folded
code 2 cresset view one.folded -c 'no-such-command'

echo '# 3: input and output'
code 3 cresset report nowhere
code 3 cresset diff one.folded nowhere
code 3 cresset export one.folded -f svg -o nowhere/x.svg
[ ! -w /dev/full ] || cresset report one.folded >/dev/full 2>said || echo "$?: a full disk"

echo '# 4: in part'
code 0 cresset report cut.data
code 4 cresset report --strict cut.data
code 4 cresset diff --strict one.folded cut.data

# A signal ends it as it ends others: here an export whose reader has read a byte, and waits.
echo '# signals'
mkfifo pipe
awk 'BEGIN { for (i = 0; i < 20000; i++) print "a;b" i ";c 1" }' >many.folded
for signal in HUP TERM; do # SIGINT is ignored in what a script starts in the background
	cresset export many.folded -f folded >pipe 2>said &
	exec 3<pipe
	dd bs=1 count=1 <&3 >byte 2>/dev/null
	kill -s $signal $!
	wait $! 2>/dev/null
	echo "$signal: $?"
	exec 3<&-
done 2>/dev/null
