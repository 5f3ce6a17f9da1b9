# The table of costs: by function, object and comm, ordered, limited, and of a part of the samples.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data

for key in function object comm; do
	echo
	run cresset report two --sort $key
done
echo
echo '# the words of perf'
cresset report two -s sym >words; cresset report two -s function | cmp words -
cresset report two --sort=dso >words; cresset report two -s object | cmp words -

for order in self total name object; do
	echo
	run cresset report two --order $order --limit 4 | grep -v missing
done
echo
run cresset report two --limit 0 -s comm | grep -v missing
run cresset report two --limit 4 -s comm | grep -v missing
run cresset report two --limit 3 -s comm | grep -v missing
