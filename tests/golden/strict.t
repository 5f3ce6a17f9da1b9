# --strict: exit 4 when something of the input had to be left out; the rest is shown all the same.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
head -c 20000 two.data >cut.data

echo '# whole: 0'
cresset collapse --strict before.folded >out
echo "exit $?"
run cresset report --strict --symfs sym two.data --no-children --limit 1

echo '# cut: said, and with --strict exit 4'
cresset collapse --symfs sym cut.data >lax
echo "exit $?"
cresset collapse --strict --symfs sym cut.data >strict
echo "exit $?"
cmp lax strict
cresset --strict collapse --symfs sym cut.data >strict
echo "exit $?"
run cresset report --strict --symfs sym cut.data --no-children --limit 1
cresset export --strict --symfs sym cut.data -f folded >strict
echo "exit $?"
run cresset export --strict --symfs sym cut.data -o cut.svg
run cresset view --strict --symfs sym cut.data -c 'size 40 8; print flame'
run cresset info --strict --symfs sym cut.data | sed -n '/^missing/p'
cresset info --strict --symfs sym cut.data >out
echo "exit $?"
run cresset diff --strict --symfs sym cut.data cut.data | tail -n 1
cresset diff --strict --symfs sym cut.data cut.data >out
echo "exit $?"
run cresset ingest --strict --symfs sym cut.data -n cut2
run cresset ingest --strict --symfs sym two.data cut.data before.folded

echo '# also from the copy in the cache'
run cresset report --strict cut2 --no-children --limit 1
printf 'a;b 1\na;b\na;b 1\na;b 1\na;b 1\na;c 1\n' >rough.folded
run cresset report --strict rough.folded
run cresset report --strict rough.folded
