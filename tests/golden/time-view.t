# Cost over time in the browser's commands: lanes, the map, a marked range, and what follows from it.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data >/dev/null

run cresset view two -c 'size 80 20; print time; lanes tid; print time; lanes function; print time'
run cresset view two -c 'size 60 16; chart map; print time; chart toggle; print time'
run cresset view two -c 'size 70 12; mark 1ms..2ms; print time; view time; open; filters; print time; undo; filters'
run cresset view two -c 'size 70 12; mark 1ms..2ms; zoom-time in; print time; zoom-time out; print time; zoom-time all; print time'
run cresset view two -c 'size 70 12; mark 1ms..2ms; compare-mark; print functions; undo; filters'
run cresset view two -c 'lanes next; lanes previous; cursor 1.5ms; mark-here; right; right; mark-here; size 50 12; print time; mark-off; print time'
run cresset view two -c 'view time; row 3; open; filters'
run cresset view two -c 'lanes colour'
run cresset view two -c 'chart pie'
run cresset view two -c 'cursor 10%'
run cresset view two -c 'compare-mark'
run cresset view two -c 'mark 1000s..1001s; compare-mark'
run cresset view before.folded -c 'print time'
