# A field as cost: --cost in each command, and the command `cost` of the browser. The loads of made-memory.perf.data have a
# weight, the system calls of waiting.perf.data return negative errors.
cp "$FIX/made-memory.perf.data" memory.data
cp "$SRC/data/waiting.perf.data" waiting.data
touch -t 202601020304.05 memory.data waiting.data

rows() { run cresset "$@" 2>&1 | grep -v '^# [SEm]'; }
rows report memory.data --no-children -s mem --cost weight --show-total-period
run cresset report memory.data --no-children -s comm --cost weight | sed -n 1,2p
rows report memory.data --no-children -s comm --cost weight --json | grep -E '"(event|unit|self|query)"'
rows export memory.data -f folded --header --group mem --cost weight --focus 'group:RAM'
rows threads memory.data --cost weight --limit 2
rows series memory.data --cost weight --by comm --bins 3 --csv
rows brief memory.data --cost weight | head -n 1
run cresset brief memory.data --cost weight | grep -A 1 next
rows callers memory.data '[share]' --cost weight | tail -n 1
rows samples memory.data --cost weight --limit 2 | head -n 4
run cresset export memory.data -f svg --cost weight | grep -o '<title>[^<]*</title>' | head -n 2
rows diff memory.data memory.data --cost weight | head -n 2
rows diff --cost weight memory.data memory.data -- memory.data memory.data | head -n 2
rows report memory.data --no-children -s comm --cost period --show-total-period

echo
echo '# in the browser'
rows view memory.data -c 'cost weight; filters; print summary; undo; filters; redo; filters; cost period; filters' |
	grep -E 'event|samples of'
rows view memory.data --cost weight -c 'copy command; event cpu/mem-loads,ldlat=30/P; filters; clear cost; filters'
rows view memory.data -c 'cost weight; comm reader; mark 10us..30us; compare-mark; filters; print functions; undo; filters'
rows view memory.data -c 'also cost weight'
rows view memory.data -c 'cost nothing'
rows diff --cost weight --latency memory.data memory.data | head -n 1

echo
echo '# a negative value costs 0; only the events that have the field are shown'
rows report waiting.data --no-children -s comm --cost ret --show-total-period
run cresset report waiting.data --no-children -s comm --cost ret | grep '^# missing: samples'
rows view waiting.data -c 'event raw_syscalls:sys_exit; cost ret; print tree'
rows report waiting.data -e sched:sched_switch --cost ret
rows view waiting.data -c 'cost ret'
rows report waiting.data --cost bytes -s comm --no-children --show-total-period
run cresset report waiting.data --cost bytes -s comm --no-children | sed -n 2p

echo
echo '# what cannot be a cost'
rows report memory.data --cost addr
rows report memory.data --cost data_src
rows report memory.data --cost nothing
rows report memory.data --cost ''
rows report memory.data --cost weight --latency
rows export memory.data -f folded --cost weight --latency
echo 'a;b 3' >folded
rows report folded --cost weight

echo
echo '# the same from the store'
cresset ingest -n one memory.data >/dev/null 2>&1
cresset report memory.data --csv --cost weight -s mem >direct
cresset report one --csv --cost weight -s mem | cmp - direct && echo same

echo '# commands that add up something else'
for command in flamegraph 'diff-folded x' collapse c2c waits syscalls intervals; do
	# shellcheck disable=SC2086
	run cresset $command "$FIX/made-memory.perf.data" --cost weight
done
true
