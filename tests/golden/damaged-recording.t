# A recording that was cut, emptied or is something else: one line and exit 3, or what is left of it
# and a word about what is missing. Never a crash.
. "$SRC/tests/golden/ready.sh"
two_threads
size=$(wc -c <two.data)

echo '# cut'
for len in 0 1 7 8 15 16 64 103 104 240 1000 5000 20000 $((size - 1000)) $((size - 1)); do
	head -c $len two.data >cut.data
	printf '%s bytes: ' "$len"
	brief report --store "store-$len" --symfs sym cut.data
done

echo '# not a recording'
: >empty
mkdir folder
head -c 70000 /dev/zero >zeros
printf 'hello\n' >hello.txt
printf '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>\n' >picture.svg
printf '{"frames": []}\n' >frames.json
printf 'a;b\nc;d\ne;f\n' >no-counts
printf '(\265/\375' >packed.zst
printf 'PERFFILE' >seven
printf '2ELIFREP\000\000\000\000' >swapped
printf 'PERFILE2' | cat - /dev/zero | head -c 4096 >zeros.data
for file in empty folder zeros hello.txt picture.svg frames.json no-counts packed.zst seven swapped \
	zeros.data sym/srv/fixture/two_threads /dev/null; do
	printf '%s: ' "$file"
	brief report "$file"
done

echo '# told that it is one'
for format in perf.data folded; do
	for file in empty zeros hello.txt sym/srv/fixture/two_threads; do
		printf '%s as %s: ' "$file" $format
		brief report --input-format $format "$file"
	done
done

echo '# in a row: the good ones are kept'
run cresset ingest --symfs sym zeros two.data empty
list
leftovers
