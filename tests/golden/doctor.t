# The doctor's page: of recordings with names and without, of text, of what is cut, of odd command lines.
. "$SRC/tests/golden/ready.sh"
two_threads
cat "$SRC/data/query.perf.data" >query.data
touch -t 202601020304.05 query.data

echo '# all names are there'
run cresset doctor --symfs "$SRC/data/debug" --debug-dir "$SRC/data/debug" query.data
echo
echo '# none are'
run cresset doctor --symfs empty query.data
echo
run cresset doctor --symfs sym two.data
echo
echo '# the same from the store, and of the demonstration'
cresset ingest --symfs sym two.data
cresset doctor two | sed 1d >stored
cresset doctor --symfs sym two.data | sed 1d | cmp - stored
run cresset doctor "$SRC/data/demo.cresset"
echo
echo '# text'
printf 'x;main;f 30\nx;main;[unknown];g 10\nx;main;[unknown] 5\n' >x.folded
touch -t 202601020304.05 x.folded
run cresset doctor x.folded
echo
echo '# cut: told, and with --strict exit 4'
head -c 20000 two.data >cut.data
touch -t 202601020304.05 cut.data
run cresset doctor --strict --symfs sym cut.data
echo
echo '# nothing to look at'
run cresset doctor nowhere
run cresset doctor -e nothing two.data
run cresset doctor
