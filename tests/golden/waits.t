# Where the lives of threads went, and system calls: of data/waiting.perf.data, whose times are known (see
# tests/tools/make-waiting.py), of a recording that has only SWITCH records, and of those that have none.
cat "$SRC/data/waiting.perf.data" >waiting.data
cat "$SRC/data/latency.perf.data" >switched.data
touch -t 202601020304.05 waiting.data switched.data

rows() { run cresset "$@" 2>&1 | grep -v '^# m'; }
rows waits waiting.data
rows waits waiting.data --csv
rows waits waiting.data --limit 1
run cresset waits waiting.data --json --tid 100 | grep -v missing
rows waits waiting.data --time 5ms..15ms
rows waits waiting.data --time 5ms..6ms --time 5500us..7ms --comm worker
rows waits waiting.data --markdown --pid 100 --limit 1
rows waits waiting.data --as-perf
rows waits waiting.data --as-perf --csv --tid 102
run cresset report waiting.data -e off-cpu -s comm,waker --csv
run cresset report waiting.data -e off-cpu -s comm,queued --csv

echo '# the parts of each thread add up to its lifetime'
sums() {
	cresset waits "$1" --csv | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			sum = 0
			for (name in at)
				if (name ~ /^(on|sleep|disk|queue|preempted|stopped|off|remainder)_ns$/) sum += $at[name]
			if (sum != $at["lifetime_ns"]) print "not equal: " $0
			n++
		}
		END { print n, "threads" }'
}
sums waiting.data
sums switched.data

echo '# only SWITCH records'
rows waits switched.data --limit 2

echo '# a stored copy knows the same'
run cresset ingest -n one waiting.data >/dev/null 2>&1
cresset waits waiting.data --csv >a && cresset waits one --csv >b && cmp a b && echo same
cresset waits waiting.data --as-perf --csv >a && cresset waits one --as-perf --csv >b && cmp a b && echo same
cresset syscalls waiting.data --by thread --csv >a && cresset syscalls one --by thread --csv >b && cmp a b && echo same

echo '# system calls'
rows syscalls waiting.data
rows syscalls waiting.data --by thread
rows syscalls waiting.data --by thread --csv --tid 100
run cresset syscalls waiting.data --json --limit 1 | grep -v missing
rows syscalls waiting.data --time 9ms..

echo '# what is refused'
rows waits waiting.data --cpu 0
rows waits waiting.data -e off-cpu
rows waits waiting.data --as-perf --time 1ms..
rows waits waiting.data --comm none
rows syscalls waiting.data --where id=0
rows syscalls waiting.data --by tid
rows syscalls switched.data
rows waits switched.data --as-perf
run cresset waits "$SRC/data/demo.cresset"
