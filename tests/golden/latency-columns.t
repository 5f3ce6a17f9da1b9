# Latency and parallelism: columns, keys and filters, exact with records of switches and estimated without them, in every
# command that takes --latency. data/latency.perf.data is the example of docs/latency.md.
cat "$SRC/data/latency.perf.data" >switched.data
touch -t 202601020304.05 switched.data

rows() { run cresset "$@" 2>&1 | grep -v '^# [SEm]'; }
rows report switched.data -s comm --latency
rows report switched.data -s comm --latency --children
rows report switched.data -s comm -F +latency
rows report switched.data -F latency_children,latency,parallelism
rows report switched.data -s parallelism --no-children
rows report switched.data -s comm --where parallelism=128
rows report switched.data -s tid -F latency,tid --limit 3
rows report switched.data -s comm,sym --latency -g caller --comm alone
rows report switched.data -s comm --latency --csv
rows report switched.data -s comm --latency --limit 1 --percent-limit 50

echo
echo '# the same in every command'
run cresset export switched.data -f folded --latency --group comm
run cresset export switched.data -f folded --latency --event cpu-clock --group parallelism
rows threads switched.data --latency --limit 2
run cresset series switched.data --latency --by comm --bins 5 --csv
run cresset callees switched.data '[work]' --latency 2>&1 | head -n 1
run cresset view switched.data --latency -c 'print tree'
run cresset ingest -n one switched.data >/dev/null 2>&1
run cresset export one -f folded --latency --group comm

echo
echo '# without records of switches: two threads that are sampled in turns, then one of them alone'
awk 'BEGIN {
	for (t = 0; t < 100; t++) {
		if (t < 50 || t % 2 == 0)
			printf "work 7/7 1%d.%03d000: 10000000 cpu-clock:\n\t10 one+0x0 (/work)\n\n", t / 100, t * 10 % 1000
		if (t < 50)
			printf "work 7/8 1%d.%03d000: 10000000 cpu-clock:\n\t20 two+0x0 (/work)\n\n", t / 100, t * 10 % 1000 + 1
	}
}' >text
rows report text -s sym --latency
rows report text -s parallelism
run cresset export text -f folded --latency
run cresset report text -s comm --where parallelism=2 --json | grep -o "\"self\": [0-9]*"

echo
echo '# what has no latency'
echo 'a;b 3' >folded
run cresset report folded --latency
run cresset export folded --latency -f folded
run cresset report switched.data --latency --hierarchy
