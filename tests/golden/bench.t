# The benchmarks run, write what docs/benchmarks.md shows, and notice what grows too fast.
needs awk md5sum
built=$(dirname "$CRESSET")
CPU_TIME=$built/tests/bench/cpu_time
MAKE_GROWING=$built/tests/tools/make_growing_perf
export CPU_TIME MAKE_GROWING SRC

echo '# all comparisons, once'
BENCH_QUICK=1 BENCH_MARKDOWN=page.md "$SRC/tests/bench/run" >said 2>&1 || cat said
grep -q '^stored size:' said && grep -q 'md5sum .* \.\. ' said && echo 'a table as text'
head -n 1 page.md
grep '^| cresset' page.md
number='[0-9][0-9.]*'
for format in perf folded stap; do
	grep "^| collapse $format | md5sum | $number | $number .. $number | $number | $number .. $number | " page.md |
		cut -d '|' -f 2,3
done
! grep -e "$PWD" -e "$SRC" -e "${TMPDIR:-/tmp}" page.md

echo '# growth'
export GROWTH_LEAST=100 GROWTH_MOST=1000 GROWTH_RUNS=1
"$SRC/tests/bench/growth" samples stacks threads comms remaps names >said 2>&1 || cat said
awk '{ print $1, $2 }' said
cat >slower <<'SLOWER'
#!/bin/sh
"$@" || exit
took=$(cat took 2>/dev/null || echo 1)
echo $((took * 20)) >took
echo "0 $took 0 1000" >&3
SLOWER
chmod +x slower
CPU_TIME=./slower "$SRC/tests/bench/growth" samples 2>&1 | grep -o 'grows too fast\|^growth: .*'
"$SRC/tests/bench/growth" nothing 2>&1 | tail -n 1
