# Many recordings folded into one small profile: sums that are the same in whatever order.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cat >web9.script <<'SCRIPT'
# hostname : web9
# captured on    : Fri Jan  2 03:04:05 2026
srv  77/78  [001]     1.000000000:    1000000 cpu-clock: 
	    1000 main+0x10 (/bin/srv)

srv  77/79  [001]     1.500000000:    3000000 cpu-clock: 
	    2000 work+0x10 (/bin/srv)
	    1000 main+0x10 (/bin/srv)

SCRIPT
sed 's/web9/web8/; s/work/sleep/' web9.script >web8.script
touch -t 202601020304.05 web8.script web9.script
cresset ingest --symfs sym two.data >/dev/null
cresset ingest before.folded after.folded web8.script web9.script >/dev/null

# NAME...: the stored profiles are the same bytes
same() {
	first=$1
	shift
	for other; do cmp ".store/$first.cresset" ".store/$other.cresset" && echo same; done
}

echo '# what it is'
run cresset merge --fold two web8 web9 -o fleet
run cresset info fleet
run cresset export fleet -f folded -e cpu-clock --comm srv
run cresset doctor fleet
cresset merge two web8 web9 -o plain >/dev/null
for query in '' '--comm srv' '--granularity dso' '--invert'; do
	cresset export plain -f folded $query >want
	cresset export fleet -f folded $query | cmp - want && echo "the same stacks $query"
done

echo '# in any order, any tree of jobs, and with a job that was killed and done again'
cresset merge --fold web9 two -o a >/dev/null
cresset merge --fold web8 -o b >/dev/null
cresset merge --fold b a -o c >/dev/null
cresset merge --fold web9 web8 two -o d >/dev/null
cresset merge --fold fleet -o e >/dev/null
same fleet c d e
for wait in 0 0.003 0.01; do
	{ cresset merge --fold web9 two -o a --replace >/dev/null & } 2>/dev/null
	sleep $wait
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	[ ! -e .store/a.cresset ] || cresset verify a >/dev/null || echo 'a half is left'
	cresset merge --fold web9 two -o a --replace >/dev/null
	cresset merge --fold b a -o c --replace >/dev/null
	same fleet c
done

echo '# kept apart'
run cresset merge --fold --by host web8 web9 -o hosts
run cresset export hosts -f folded --group host
run cresset export hosts -f csv
run cresset export hosts -f csv --fields nothing
run cresset export hosts -f csv --fields host --stacks
run cresset report hosts --where host=web9 --limit 2
run cresset diff hosts --a-where host=web8 --b-where host=web9 --report
run cresset diff hosts --a-where host=web8 --b-where host=web7 --report
run cresset merge --fold --by comm,host,arch --bucket 1h two -o hours
run cresset info hours | grep -E '^(\$|folded|not kept|field)'
cresset export hours -f csv | sed -n '1p;$p' | cut -d, -f 1,4,5,11-
echo '# of a recording: header fields and tags'
cresset tag web8 build=7 'odd="=1' >/dev/null
for name in web8 web9; do
	cresset export $name -f csv --fields host,tag.build,'tag.odd' | cut -d, -f 8,11-
done
cresset series hours --json | grep -o '"first_ns": [0-9]*'

echo '# stacks that came with counts'
run cresset merge --fold before after -o counts
cresset export counts -f folded >got
cat before.folded after.folded | cresset collapse | cmp - got && echo 'the sum'

echo '# a difference compares the batches'
for side in before after; do
	cresset merge --fold "$SRC/data/compare/$side-"[123].cresset -o "$side-fleet" >/dev/null
done
# Names and verdicts only: the numbers may differ in the last digit.
verdicts() { cresset diff --json "$@" | grep -o '"name": "[^"]*"\|"word": "[^"]*"'; }
verdicts "$SRC"/data/compare/before-[123].cresset -- "$SRC"/data/compare/after-[123].cresset >want
verdicts before-fleet after-fleet >got
[ -s want ] && cmp want got && echo 'the same verdicts as from the recordings'

echo '# what it cannot answer'
run cresset threads fleet
run cresset report fleet --pid 7
run cresset series fleet
run cresset merge fleet web8 -o x
run cresset merge --fold plain -o x
run cresset merge --fold --by host fleet -o x
run cresset merge --fold --bucket 10m web8 -o x
run cresset merge --by host web8 -o x
run cresset merge --fold --bucket 10 web8 -o x
run cresset merge --fold --by host,,comm web8 -o x
run cresset verify --all
leftovers
