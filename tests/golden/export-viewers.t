# Exports for viewers: speedscope, charts of d3, KCachegrind.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data
printf 'main;a;a;b;a 3\nmain;a;b 4\nmain;b;a;b 5\n' >recursive.folded
printf '=1+1;a,"b"|*c*\\;\033[31m\001\377; ;;~~~ 3\n' >evil.folded

echo '# speedscope: read back it is the same, and written again too'
run cresset export before.folded -f speedscope
for input in two "$FIX/good-inlined.cresset" recursive.folded; do
	cresset export "$input" -o one.speedscope.json
	cresset export one.speedscope.json -f folded >got
	cresset export "$input" -f folded | cmp - got && echo same
	cresset export one.speedscope.json -f speedscope >again
	sed 's/"name": "[^"]*", "query"/"name": "", "query"/' one.speedscope.json >want
	sed 's/"name": "[^"]*", "query"/"name": "", "query"/' again | cmp want - && echo same
done
run cresset export two -f speedscope --comm child --hide main
cresset threads two --csv | cut -d, -f 1-3 >want
cresset export two -o two.speedscope.json
cresset threads two.speedscope.json --csv | cut -d, -f 1-3 | cmp want - && echo 'same threads'

echo '# d3: values are totals; a difference has deltas'
run cresset export before.folded -f d3
run cresset export before.folded -f d3 --focus nothing
run cresset diff before.folded after.folded -f d3 --focus parse
run cresset export recursive.folded -f d3 --invert

echo '# callgrind: recursion is counted once'
run cresset export recursive.folded -f callgrind
run cresset export recursive.folded -f callgrind --recursion direct --focus '^b$'
run cresset export "$FIX/good-inlined.cresset" -f callgrind

echo '# d3 and firefox: read back and written again they are the same'
for input in two "$FIX/good-inlined.cresset" recursive.folded evil.folded; do
	cresset export "$input" -o one.d3.json
	cresset export one.d3.json -f d3 | cmp one.d3.json - && echo same
	cresset export "$input" -o one.firefox.json
	cresset export one.firefox.json -f folded >got
	cresset export "$input" -f folded | cmp -s - got && echo same stacks
	sed 's/"product": "[^"]*", //; s/, "extra": .*//' one.firefox.json >want
	cresset export one.firefox.json -f firefox | sed 's/"product": "[^"]*", //; s/, "extra": .*//' | cmp want - && echo same
done
cresset threads two --csv | cut -d, -f 1-3 >want
cresset export two -o two.firefox.json
cresset threads two.firefox.json --csv | cut -d, -f 1-3 | cmp want - && echo 'same threads'
cresset series two --csv >want
cresset series two.firefox.json --csv | cmp want - && echo 'same times'

echo '# hostile names'
for format in speedscope d3 callgrind; do
	run cresset export evil.folded -f $format
done
