# Exports for OpenTelemetry: read back they are the same stacks, and written again the same bytes.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data

while read -r query; do
	cresset export two -f otlp $query -o part.otlp
	cresset export two -f folded --group none $query >want
	cresset export part.otlp -f folded --group none >got
	cmp want got && echo "same: $query, $(wc -l <got) stacks"
done <<'QUERIES'
--event cpu-clock
--comm child
--focus count_primes
--invert --hide main
QUERIES

echo '# read back, threads, cpus, inlined functions, build-ids and lines are there'
cresset export two -o two.otlp
cresset threads two --csv | cut -d, -f 1-3 | LC_ALL=C sort >want
cresset threads two.otlp --csv | cut -d, -f 1-3 | LC_ALL=C sort | cmp want - && echo same
cresset export "$FIX/good-inlined.cresset" -f otlp --service sorting >inlined.otlp
cresset export inlined.otlp -f folded >got
cresset export "$FIX/good-inlined.cresset" -f folded | cmp - got && echo same
cresset report inlined.otlp --no-inline --limit 3 --sort sym,srcline
cresset info inlined.otlp | grep -v 'file written'

echo '# and again: the same bytes; compressed: the same profile'
for file in two.otlp inlined.otlp; do
	cresset export $file -f otlp | cmp $file - && echo same
done
gzip -c two.otlp >two.gz
cresset export two.gz -f folded >got
cresset export two -f folded | cmp - got && echo same

echo '# the beginning of a file is read as far as it goes'
for size in 300 600 900; do
	head -c $size inlined.otlp >part.otlp
	run cresset export part.otlp -f folded
done

echo '# hostile names, and what has no threads and times'
printf '=1+1;a,"b"|*c*;\033[31m\001\377; ;;~~~ 3\n' >evil.folded
run cresset export evil.folded -o evil.otlp
run cresset export evil.otlp -f script
run cresset export two -f otlp --comm nobody
run cresset export two -f otlp --service ''
