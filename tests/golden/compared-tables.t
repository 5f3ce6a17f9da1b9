# What tests/truth/report takes for equal in tables of perf and of cresset: the differences that docs/conformance.md
# lists, and nothing else.
cat >head <<'END'
# Samples: 10 of event 'cpu-clock'
# Event count (approx.): 1000
END

# compare KEYS WHAT: the tables in the files perf and ours; columns: children, period, samples, the keys
compare() {
	echo "== $1: $2"
	for side in perf ours; do cat head $side >$side.table; done
	awk -F '|' -f "$SRC/tests/truth/report.awk" -v name=case -v keys="$1" -v limit=0.5 side=1 perf.table side=2 ours.table >told
	code=$?
	sort told # awk has no order of its own
	echo "exit $code"
}

printf '%s\n' '90.00%|900|9|libc.so.6|[.] memset' '10.00%|100|1|work|[.] main' >perf
cp perf ours
compare dso,sym 'the same'
printf '%s\n' '90.00%|900|9|libc.so.6|[.] memset' '10.02%|100|1|work|[.] main' >ours
compare dso,sym 'another total'
printf '%s\n' '90.00%|899|9|libc.so.6|[.] memset' '10.00%|101|1|work|[.] main' >ours
compare dso,sym 'another self'
printf '%s\n' '90.00%|900|9|libc.so.6|[.] memset' '10.00%|100|1|work|[.] other' >ours
compare dso,sym 'another function'

printf '%s\n' '50.00%|500|5|libc.so.6|[.] @plt' '20.00%|200|2|libc.so.6|[.] realloc@plt' '30.00%|300|3|work|[.] _init' >perf
printf '%s\n' '40.00%|400|4|libc.so.6|[.] calloc@plt' '30.00%|300|3|libc.so.6|[.] *ABS*+0x9f0@plt' '30.00%|300|3|work|[.] abs@plt' >ours
compare dso,sym 'D4, names of PLT stubs'
printf '%s\n' '40.00%|400|4|libc.so.6|[.] calloc@plt' '30.00%|300|3|libc.so.6|[.] calloc' '30.00%|300|3|work|[.] abs@plt' >ours
compare dso,sym 'a function is no stub'
printf '%s\n' '70.00%|700|7|work|[.] calloc@plt' '30.00%|300|3|libc.so.6|[.] abs@plt' >ours
compare dso,sym 'stubs of another object'

printf '%s\n' '|600|6|work.c:16' '|400|4|libc-start.c:74' >perf
printf '%s\n' '|600|6|work.c:16' '|400|4|libc_start_call_main.h:74' >ours
compare srcline 'D40, the file of a line'
printf '%s\n' '|600|6|work.c:16' '|400|4|libc_start_call_main.h:75' >ours
compare srcline 'another line'
printf '%s\n' '|500|5|work.c:16' '|500|5|libc_start_call_main.h:74' >ours
compare srcline 'another cost of the line'
printf '%s\n' '|600|6|work.c:16' '|400|4|main+31' >perf
printf '%s\n' '|600|6|work.c:16' '|300|3|main+0x1f' '|100|1|work[119c]' >ours
compare srcline 'D40, no line'

printf '%s\n' '|600|6|kworker/0:1' '|400|4|work' >perf
printf '%s\n' '|600|6|kworker/0:1-events' '|400|4|work' >ours
compare comm 'D45, perf cuts a thread'\''s name at the longest last one'
