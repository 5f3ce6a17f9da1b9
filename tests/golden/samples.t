# Samples in the order of time, as text, on one line and as JSON; in the browser's commands; and the times between pairs of
# events. Of data/waiting.perf.data, whose times are known (tests/tools/make-waiting.py).
cat "$SRC/data/waiting.perf.data" >waiting.data
touch -t 202601020304.05 waiting.data
printf 'a;b 3\na;c 2\n' >two.folded

rows() { run cresset "$@" 2>&1 | grep -v -e '^# m' -e '"missing"'; }
rows samples waiting.data --tid 102 --time ..4ms
rows samples waiting.data --tid 101 --one-line
rows samples waiting.data --tid 101 --one-line --reverse --limit 2
rows samples waiting.data -e off-cpu --one-line --invert
rows samples waiting.data -e raw_syscalls:sys_enter --one-line --where id=202 --group comm
rows samples waiting.data --json --time 12ms..12.95ms
rows samples two.folded --one-line
rows samples waiting.data --comm nobody
rows samples waiting.data -e nothing
run cresset ingest -n one waiting.data >/dev/null 2>&1
cresset samples waiting.data >a && cresset samples one >b && cmp a b && echo same

echo '# every sample once, in the order of time'
cresset samples "$SRC/data/demo.cresset" --one-line --limit 0 >lines
wc -l <lines | tr -d ' '
sed 's/.* +\([0-9.]*\): .*/\1/' lines | sort -c -n && echo sorted
cresset samples "$SRC/data/demo.cresset" --one-line --limit 0 --reverse | sort >a
sort lines | cmp - a && echo same

echo '# in the browser'
step() { run cresset view waiting.data -c "event lock:contention_begin; $1"; }
step 'sample first; print selected'
step 'sample; sample next; sample next'
step 'sample last; sample previous; sample previous'
step 'sample 2'
step 'sample 3'
step 'sample 0'
step 'sample never'
step 'mark 15ms..17ms; sample'
step 'mark 17ms..18ms; sample'
step 'sample 2; tid 100; sample'
step 'sample 2; event sched:sched_switch; sample; undo; sample'
run cresset view waiting.data -c 'event off-cpu; invert; sample last; print selected'
run cresset view two.folded -c 'sample last; print selected'
run cresset view two.folded -c 'diff'

echo '# intervals'
rows intervals waiting.data
rows intervals waiting.data --by stack --csv
rows intervals waiting.data --by all --limit 1
rows intervals waiting.data --by tid --tid 101 --json
rows intervals waiting.data --by cpu --time 10ms..
rows intervals waiting.data --by comm --interval sched:sched_waking,sched:sched_switch,pid=next_pid
rows intervals waiting.data --interval raw_syscalls:sys_enter,raw_syscalls:sys_exit,tid+id --hide libc.so
rows intervals one --interval raw_syscalls:sys_enter,raw_syscalls:sys_exit,tid+id --by comm --markdown
for spec in a a,b a,b,c,d raw_syscalls:sys_enter,raw_syscalls:sys_exit, raw_syscalls:sys_enter,nothing,tid \
	raw_syscalls:sys_enter,raw_syscalls:sys_exit,ret raw_syscalls:sys_enter,raw_syscalls:sys_exit,id=no \
	raw_syscalls:sys_enter,raw_syscalls:sys_exit,tid+pid+cpu+id+tid; do
	rows intervals waiting.data --interval "$spec"
done
rows intervals waiting.data --by pid
rows intervals waiting.data -e off-cpu
rows intervals two.folded
rows intervals "$SRC/data/demo.cresset" | sed 's|/.*/||'
