# How long what an event stands for took.
LC_ALL=C
export LC_ALL
demo=$SRC/data/demo.cresset
cp "$SRC/tests/fuzz/corpus/fuzz_perf_data/sched-switch" switched.data
run cresset latency switched.data
run cresset latency switched.data --by state
run cresset latency "$demo"
run cresset latency "$demo" -e cpu-clock
cat >spans.json <<'JSON'
{"traceEvents": [
 {"name": "outer", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
 {"name": "inner", "ph": "X", "pid": 1, "tid": 1, "ts": 10, "dur": 30},
 {"name": "outer", "ph": "X", "pid": 1, "tid": 2, "ts": 200, "dur": 700},
 {"name": "quick", "ph": "X", "pid": 1, "tid": 2, "ts": 1000, "dur": 3}]}
JSON
run cresset latency spans.json -e spans
run cresset latency spans.json -e spans --by function
run cresset latency spans.json -e spans --by tid --top 1
run cresset latency spans.json -e spans --by function --csv
run cresset latency spans.json -e spans --by function --json
LC_ALL=C.UTF-8
export LC_ALL
run cresset latency spans.json -e spans
run cresset latency spans.json -e spans --tid 99
# no times, or no single ones
printf 'a;b 12\n' >text.folded
run cresset latency text.folded -e weight
run cresset latency --unit us text.folded -e weight
:
