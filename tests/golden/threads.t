# The bytes of a stored profile do not depend on the number of threads.
for file in "$FIX"/*.perf.data; do
	cp "$file" .
done
zstd -dcq "$FIX/good-folded.zst" >folded 2>/dev/null || echo 'main;work 1' >folded
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "main;f%d;leaf_%d %d\n", i % 7, i, i % 9 + 1 }' >large
awk 'BEGIN { for (i = 0; i < 20000; i++) printf \
	"perf %d %d.%06d: 10 cycles:\n\t%x f%d+0x1 (/bin/x)\n\t40 main+0x2 (/bin/x)\n\n", \
	i % 5, i / 1000, i % 1000, 4096 + i, i % 3000 }' >script
"$SRC/tests/tools/same_threads" *.perf.data folded large script
run cresset ingest --threads 0 large
