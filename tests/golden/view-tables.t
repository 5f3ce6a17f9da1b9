# The rows of every view as CSV and JSON: printed, and written by w. And which extension selects what.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data before.folded after.folded >/dev/null

for view in flame functions tree around; do
	run cresset view before.folded -c "size 80 24; select parse; print $view csv; print $view json"
	run cresset view -c "diff before after; size 80 24; select parse; print $view csv" | head -n 6
done
run cresset view before.folded -c 'size 80 24; zoom parse; print flame csv; levels 1; print tree csv'
run cresset view two -c 'size 80 24; print threads csv; print threads json'
run cresset view two -c 'size 40 9; print time csv' | head -n 4
run cresset view two -c 'size 40 9; lanes function; print time json' | head -n 4
run cresset view two -c 'size 80 24; threads-by process; print threads csv; threads-by comm; print threads csv'
run cresset view two -c 'size 40 9; chart map; print time csv' | head -n 5
run cresset view two -c 'size 80 24; select count_primes; listing source; print source csv' | head -n 4
run cresset view two -c 'size 80 24; select count_primes; listing source; print source json' | head -n 4
run cresset view before.folded -c 'print summary csv; print summary json' | grep -E 'section|functions|finding'
run cresset view -c 'diff before after; print summary csv' | grep -E 'section|functions'
run cresset view two -c 'print store csv; print store json' | sed -E 's/[0-9]+(}|}]})?,?$/-/'

echo '# threads of both sides'
# samples COMM PID/TID COUNT FUNCTION
samples() {
	i=0
	while [ $i -lt "$3" ]; do
		printf '%s %s %d.%06d: 1 cycles:\n\tffff %s (/bin/x)\n\n' "$1" "$2" $((i / 10)) $((i % 10 * 100000)) "$4"
		i=$((i + 1))
	done
}
{ samples reader 1/2 60 read; samples flusher 1/3 30 flush; samples server 1/1 100 accept; } >one.script
{ samples server 7/7 102 accept; samples reader 7/8 61 read; samples gc 7/9 40 collect; } >other.script
touch -t 202601020304.05 one.script other.script
cresset ingest one.script other.script >/dev/null
run cresset view -c 'diff one other; size 80 24; print threads; threads-by comm; swap; print threads'
run cresset view -c 'diff one other; size 80 24; print threads csv' | cut -d, -f 1-9,14
run cresset view -c 'diff one other; size 80 24; changes only; print threads; view threads; next-change; print selected'

run cresset view -c 'diff one other; size 40 16; print time; print time csv' | grep -E '%|s,comm|,(7|10)\.'

echo '# what w writes'
for name in shown.csv shown.json; do
	for view in tree threads; do
		run cresset view two -c "size 80 24; view $view; export $name"
		head -n 3 $name
	done
done
for name in x.speedscope.json x.d3.json x.samples.csv x.html x.pb.gz; do
	run cresset view two -c "size 80 24; view threads; export $name"
	head -c 40 $name | grep -aoE '^.*"\$schema"|^\{"name|^time_ns,pid|^<!doctype|^<!DOCTYPE'
done

echo '# the names of rows'
run cresset view two -c 'view threads; copy name; right; down; copy name'
run cresset view two -c 'size 80 24; view time; row 3; copy name; view summary; copy name; view store; copy name'

echo '# hostile names'
printf 'all;=evil\033]0 x\007\033[2J,"name" 3\n' >hostile.folded
for view in flame functions tree around summary; do
	run cresset view hostile.folded -c "child; child; print $view csv; print $view json" | grep -a evil
done
printf 'ev\033il;x 1/2 12.500000: 1 cycles:\n\tffff do\033[31m (/bin/\033x)\n\n' >hostile.script
for view in threads time source; do
	run cresset view hostile.script -c "size 30 9; child; child; print $view csv; print $view json" | grep -a il | head -n 3
done

echo '# what is wrong'
run cresset view before.folded -c 'print threads csv'
run cresset view before.folded -c 'print time json'
run cresset view before.folded -c 'print flame svg'
run cresset view before.folded -c 'print flames csv'
run cresset view before.folded -c 'export x.csv stacks=yes'
run cresset view before.folded -c 'export x.samples.csv stacks=yes'
exit 0
