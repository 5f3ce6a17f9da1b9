# Reports of a part of the samples: by comm, process, thread, processor, time and event.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data

part() { run cresset report two --limit 3 "$@" | grep -v missing; }
part --comm 'hash worker'
part --comm child -s comm
part --comm 'hash'
part --pid 5771
part --tid 5772 -s comm
part --pid 5769 --comm prime-worker --tid 5772
part --tid 1
part --cpu 0
part -e cpu-clock
run cresset report two -e cycles

echo '# times add up'
part --time 0..0.1
part --time 0.1..
part --time ..0.1
part --time 0.1s..0.1000001s
part --time 100..
whole=0
for t in 0..0.05 0.05..0.15 0.15..0.3 0.3..; do
	n=$(cresset report two --time $t | sed -n 's/^# Samples: \([0-9]*\) .*/\1/p')
	whole=$((whole + n))
done
echo "$whole samples in all parts"

echo '# a profile that knows no comms, no times'
before_after
run cresset report before.folded -s comm
run cresset report before.folded --comm server
run cresset report before.folded --time ..1
run cresset report before.folded --tid 1

echo done
