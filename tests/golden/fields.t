# What samples carry beside the columns that all have: listed, written, filtered and grouped by.
cat "$SRC/tests/fuzz/corpus/fuzz_store/details" >x.cresset

run cresset info x.cresset | sed -n '/^event/p; /^field/p'

echo '# behind the last colon of a head'
run cresset export x.cresset -f script --fields all | grep -av '^	\|^$'
run cresset export x.cresset -f script --fields cgroup,prio | grep -a '^init' | sed -n 1,3p
cresset export x.cresset -f script >plain
cresset export x.cresset -f script --fields all | sed 's/:  .*/:/' | cmp plain - && echo 'else the same'

echo '# only those with a value'
run cresset export x.cresset -f script --fields id --where id=18446744073709551605
run cresset report x.cresset --where addr=0x0 --sort comm
run cresset export x.cresset -e sched:sched_switch -f folded --where prio=-9223372036854775806
run cresset report x.cresset --where addr=1

echo '# under the values'
run cresset report x.cresset -e sched:sched_switch --group once --sort comm
run cresset export x.cresset -e sched:sched_switch -f folded --group once | cat -v
run cresset diff --all x.cresset x.cresset --group cgroup --sort comm

echo '# what is not there'
run cresset export x.cresset -f script --fields addr,pc
run cresset report x.cresset --group prio
run cresset report x.cresset --where prio=1
run cresset report x.cresset --where addr=x
run cresset report x.cresset --where addr
run cresset export x.cresset -f folded --fields all
run cresset export x.cresset -f script --group addr

echo '# several keys of samples where nothing is left'
run cresset report "$FIX/made-fields.perf.data" -s bytes_req,ptr,cpu --comm nobody
run cresset report "$FIX/made-branches.perf.data" -b -s mispredict,cycles,symbol_from --comm nobody
true
run cresset export "$FIX/made-memory.perf.data" -f csv --fields data_src,weight -o memory.csv
head -n 1 memory.csv
