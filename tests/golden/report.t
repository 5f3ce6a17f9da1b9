# The table of costs in the look of perf report: rows by keys, columns, order, limits, call chains, levels.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data

run cresset report two
for keys in dso sym,comm pid tgid,pid cpu srcline srcfile addr,sym event; do
	echo
	run cresset report two --sort $keys --limit 5 2>&1 | grep -v missing
done
echo
echo '# words for the same'
cresset report two -s sym >words; cresset report two -s function | cmp words -
cresset report two --sort=dso --stdio --children >words; cresset report two -s object | cmp words -
cresset report two -s comm,dso,sym >words; cresset report two | cmp words -

echo
echo '# columns and order'
table() { run cresset report two "$@" 2>&1 | grep -v '^# [SEm]'; }
table --no-children --percent-limit 5
table --no-children -n --show-total-period -s dso
table -F overhead,overhead_us,overhead_sys,sample,comm
table -F sym,overhead -s sym --limit 4
for order in self total name dso; do
	table --order $order --limit 2
done
table -s comm --order object
table -s comm -w 10,10,4
table -s comm,sym -t : --limit 4

echo
echo '# call chains'
table -s sym -g --limit 2
table -s sym -g caller,30,2 --limit 1
table -s comm,sym -g callee --no-children --limit 2
table -s sym -g fractal,20 --limit 1
table -s dso -g flat --limit 2
table -s dso -g folded,count,callee --limit 2
table -s sym -g none --limit 1
brief report two -g sideways

echo
echo '# levels'
table --hierarchy --percent-limit 5
table --hierarchy -s dso,comm --limit 3

echo
echo '# limits'
run cresset report two --limit 0 -s comm | grep -v missing
run cresset report two --limit 4 -s comm | grep -v missing
run cresset report two --limit 3 -s comm | grep -v missing

echo
echo '# what makes no table'
brief report two -s ''
brief report two -s overhead
brief report two -s nonsense
brief report two -s nonsense,more
brief report two -w 1,x
brief report two --percent-limit 101
brief report two --csv --json
