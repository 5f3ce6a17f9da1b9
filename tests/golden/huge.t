# Weights, periods and times near 2^64: a sum that does not fit stays at the limit, and never starts again at 0.
# huge-*.perf.data are the recordings of branches.t, memory.t and waits.t with huge numbers.
printf 'a;b 9223372036854775808\na;c 18446744073709551615\nd;e 9223372036854775807\nd;e;f 18446744073709551614\ng 5\n' >a.folded
printf 'a;b 18446744073709551615 9223372036854775808\na;c 1 18446744073709551615\nd 18446744073709551615 1\n' >two.folded
for name in branches memory history waiting; do cp "$FIX/huge-$name.perf.data" "$name.data"; done
mkdir -p sym/opt/example
cp "$FIX/made-branches.elf" sym/opt/example/loop
touch -t 202601020304.05 ./*.folded ./*.data

rows() { run cresset "$@" 2>&1; }
for file in a.folded history.data; do
	rows report "$file"
	rows report --no-children -n "$file"
	rows report --csv "$file"
	rows threads "$file"
	rows collapse "$file"
	rows export -f markdown "$file"
done
rows callers a.folded e
rows callees a.folded a
rows diff --all a.folded two.folded
rows diff --all two.folded
rows export -f d3 two.folded
rows export -f callgrind two.folded

echo '# branches'
rows report branches.data --symfs sym --total-cycles
rows annotate branches.data main --symfs sym --lines
rows annotate branches.data work --symfs sym --asm
rows samples branches.data --limit 3
rows series branches.data
rows latency history.data

echo '# memory'
rows c2c memory.data
rows report memory.data -s mem,local_weight
rows report memory.data -s symbol,weight --limit 3

echo '# waiting'
rows waits waiting.data
rows waits --as-perf waiting.data
rows syscalls waiting.data
rows intervals --interval lock:contention_begin,lock:contention_end,lock_addr waiting.data
rows intervals waiting.data
rows latency waiting.data
rows heat waiting.data
rows export -f firefox waiting.data | grep -o '"timeDeltas":.[^]]*' | head -n 2
rm -r sym
