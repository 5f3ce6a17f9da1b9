# Exports for pprof: read back they are the same stacks, and written again the same bytes.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data

# Filters and transforms, as of every other format; the stacks are compared without their comms.
while read -r query; do
	cresset export two -f pprof $query -o part.pb.gz
	cresset export two -f folded --group none $query >want
	cresset export part.pb.gz -f folded --group none >got
	cmp want got && echo "same: $query, $(wc -l <got) stacks"
done <<'QUERIES'
--event cpu-clock
--comm child
--focus count_primes
--invert --hide main
--callers count_primes
QUERIES

echo '# read back, threads, cpus, inlined functions and lines are there'
cresset export two -o two.pb.gz
cresset export two.pb.gz -f folded >got
cresset export two -f folded | cmp - got && echo same
cresset threads two --csv | cut -d, -f 1-3 | LC_ALL=C sort >want
cresset threads two.pb.gz --csv | cut -d, -f 1-3 | LC_ALL=C sort | cmp want - && echo same
cresset export "$FIX/good-inlined.cresset" -o inlined.pprof
cresset export inlined.pprof -f folded >got
cresset export "$FIX/good-inlined.cresset" -f folded | cmp - got && echo same
cresset report inlined.pprof --no-inline --limit 3 --sort sym,srcline

echo '# and again: the same bytes'
for file in two.pb.gz inlined.pprof; do
	cresset export $file -f pprof | cmp $file - && echo same
done
cresset info two.pb.gz | grep -E '^(event|sampling|date|duration)'

echo '# hostile names, and what has no threads and times'
printf '=1+1;a,"b"|*c*;\033[31m\001\377; ;;~~~ 3\n' >evil.folded
run cresset export evil.folded -o evil.pb.gz
run cresset export evil.pb.gz -f script
run cresset diff before.folded after.folded -f pprof
run cresset export two -f pprof --comm nobody
