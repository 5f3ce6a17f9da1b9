# The counts of folded stacks: samples or weights, with a header that names event and unit, and without one.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data >/dev/null

echo '# weights are in the unit of the event; samples are asked for'
run cresset export two -f folded
run cresset export two -f folded --counts
cresset collapse --symfs sym --counts two.data >counts.folded
awk '{ n += $NF } END { print n, "samples" }' counts.folded

echo '# a header keeps the event and its unit'
run cresset export two -f folded --header -o two.folded
run cat two.folded
touch -t 202601020304.05 two.folded
run cresset info two.folded
cresset report two.folded -g none | sed 2q
cresset export two.folded -f folded --header | sed 1q
sed 1d two.folded >without
cresset export two.folded -f folded | cmp - without && echo same
cresset export two -f folded --header --counts | sed 1q
cresset collapse --symfs sym --header two.data | sed 1q
cresset collapse --symfs sym --header --counts two.data | sed 1q
echo '# flamegraph.pl takes lines that end in a number for stacks; none of these does'
for option in '' --counts; do
	cresset export two -f folded --header $option
	cresset collapse --symfs sym --header $option two.data
done | grep '^# event' | grep -c '[0-9]$'

echo '# without a header they are weights of nobody knows what, unless the user says'
printf 'a;b 3\na;c 4\n' >bare.folded
touch -t 202601020304.05 bare.folded
run cresset report bare.folded
run cresset info bare.folded
run cresset doctor bare.folded | head -n 4
run cresset export bare.folded -f folded --header
for unit in samples ns; do
	cresset report --unit $unit bare.folded | sed 2q
done
run cresset export --unit samples bare.folded -f folded --header --counts
printf 'a;b 1.5\na;c 4\n' >fractions.folded
cresset export fractions.folded -f folded --header | tee fractions
cresset export fractions -f folded --header | cmp - fractions && echo same
cresset report fractions.folded | sed 2q

echo '# how many samples were added up is not to be had from them'
run cresset export bare.folded -f folded --counts --header

echo '# formats that count samples say samples'
printf '  a`f+0x1\n  a`g+0x2\n\n  a`f+0x1\n' >one.dtrace
printf ' 0x1 : main+0x1/0x9 [p]\n 0x2 : work+0x2/0x9 [p]\n' >one.stap
for format in dtrace stap; do
	cresset report --input-format $format one.$format 2>&1 | grep -v warning: | sed 3q
done
echo '# those with counts that they say nothing of do not'
printf '\n\n    a`f+0x1\n    a`g+0x2\n    5\n' >two.dtrace
printf ' 0x1 : main+0x1/0x9 [p]\n\t5\n' >two.stap
printf '@[\n    f+1\n    g+2\n]: 5\n' >two.bpftrace
printf '    f\n    g\n    -    p (1)\n        5\n' >two.bcc
for format in dtrace stap bpftrace bcc; do
	cresset report --input-format $format two.$format 2>&1 | sed 2q
done

echo '# two counts'
before_after
run cresset diff --unit us before.folded after.folded -o both.folded -f folded --header
run cat both.folded
run cresset export both.folded -f folded --header

echo '# where it has no place'
run cresset export two -f svg --header
run cresset export two -f script --counts
run cresset export two -f cresset --counts -o x.cresset
run cresset diff --header before.folded after.folded
cat two.folded bare.folded >mixed.folded
sed 's/cpu-clock/cycles/; s/unit [a-z]*/unit cycles/' two.folded >>mixed.folded
cresset collapse mixed.folded >/dev/null
run cresset collapse --header two.folded bare.folded

echo '# mangled names in what SystemTap prints'
printf ' 0x401136 : _D3foo3barFiZv+0x1/0x20 [/bin/x]\n 0x401150 : main+0x5/0x10 [/bin/x]\n\t5\n' >cxx.stap
run cresset collapse -f stap cxx.stap
run cresset collapse -f stap --no-demangle cxx.stap
