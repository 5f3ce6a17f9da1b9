# Options of perf report that select and cut: switches, sockets, parallelism, --max-stack; and the letters of perf.
sample() { printf 'work %d/%d [%03d] %s: 1 %s:\n\t%x %s (/bin/work)\n\t%x main (/bin/work)\n\n' "$1" "$1" "$2" "$3" "$4" "$5" "$6" 1; }
{
	sample 7 0 1.0 cycles 10 before
	sample 7 0 2.0 begin 11 begin
	sample 7 1 3.0 cycles 12 within
	sample 7 1 3.5 begin 11 begin
	sample 7 0 4.0 end 13 end
	sample 7 0 5.0 cycles 14 after
	sample 7 0 6.0 begin 11 begin
	sample 7 1 7.0 cycles 12 within
} >script
touch -t 202601020304.05 script

rows() { run cresset report --no-cache "$@" 2>&1 | grep -v '^# [EmS]'; }
rows script -s sym --no-children -e cycles --switch-on begin
rows script -s sym --no-children -e cycles --switch-off end
rows script -s sym --no-children -e cycles --switch-on begin --switch-off end
rows script -s event,sym --no-children -n --switch-on begin --switch-off end
rows script -s sym -F sample,sym -e begin --switch-on begin --show-on-off-events
run cresset export script -f folded -e cycles --switch-on begin --switch-off end
run cresset view script -c 'event cycles; switch-on begin; switch-off end; print tree' 2>&1 | head -n 8
rows script --switch-on nothing
rows script --show-on-off-events
cresset ingest -q -n stored script
rows stored -s sym --no-children -e cycles --switch-on begin --switch-off end

echo '# cut stacks'
printf 'a;b;c;d;e 6\na;b;x;e 3\na 1\n' >deep
rows deep -s sym
rows deep -s sym --max-stack 1
rows deep -s sym --max-stack 2
rows deep -s sym --max-stack 2 --no-children -g caller --limit 1
rows deep -s sym --max-stack 2 -g callee
cresset ingest -q -n deep deep
cresset report deep -s sym --max-stack 1 >stored.out
cresset report --no-cache deep -s sym --max-stack 1 | cmp - stored.out

echo '# parallelism and processors'
cp "$SRC/data/latency.perf.data" latency.data
rows latency.data -s comm --parallelism 1
rows latency.data -s comm --parallelism 2,126-128
rows latency.data -s comm --parallelism 5-2
rows -i script -C 1 -s sym -e cycles
rows script --socket 0
rows latency.data -s socket,comm --socket 0
rows latency.data -s comm --socket-filter 1
rows -f -i script -I -k /nowhere/vmlinux --skip-empty --raw-trace --stdio-color never -s comm -e cycles --limit 1
rows -i script -e cycles -s sym --show-cpu-utilization --no-children

echo '# source lines'
printf 'work 7/7 [000] 1.0: 1 cycles:\n\t10 f (/bin/work)\n  /src/dir/f.c:12\n\t1 main (/bin/work)\n  /src/dir/main.c:3\n\n' >lines
rows lines -s srcline
rows lines -s srcline,srcfile --full-source-path
