# What a recording says of itself: the same from the file, from its copy in the cache, and for a format that says little.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after

run cresset info --symfs sym two.data
cresset info --symfs sym two.data >from-file
cresset ingest --symfs sym -n ./kept.cresset two.data
cresset info ./kept.cresset | cmp - from-file && echo same

run cresset info before.folded

echo '# in the browser only what was recorded, where and how'
run cresset view --symfs sym two.data -c 'print recording'

echo '# a recording without samples still says what it is; it leaves no copy'
head -c 600 two.data >empty.data
touch -r two.data empty.data
run cresset info --symfs sym empty.data
run cresset report --symfs sym empty.data
cached
