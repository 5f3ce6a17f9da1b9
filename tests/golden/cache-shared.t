# Several programs at work on one cache; programs that are killed; a disk that is full.
. "$SRC/tests/golden/ready.sh"
before_after
awk -v lines=3000 -f "$SRC/tests/tools/make-folded.awk" >many.folded
cache=$XDG_CACHE_HOME/cresset
cresset report many.folded --no-cache --limit 0 >want

echo '# twelve that look at the same file for the first time'
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	{ cresset report many.folded --limit 0 2>&1 || echo "exit $?"; } >got.$i &
done
wait
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	cmp want got.$i
done
cached
ls "$cache" | grep -v '\.cresset$'

echo '# while others clear it and change its limit'
for i in 1 2 3 4 5 6; do
	{ cresset report many.folded --limit 0 2>&1 || echo "exit $?"; } >got.$i &
	cresset cache clear >/dev/null || echo "clear: exit $?" &
	cresset cache limit ${i}M || echo "limit: exit $?" &
	cresset cache ls >/dev/null || echo "ls: exit $?" &
done
wait
for i in 1 2 3 4 5 6; do
	cmp want got.$i
done
cresset cache limit | grep -c '^[1-6] MiB$'
cresset cache limit 2G
cresset report many.folded >/dev/null
cresset verify "$cache"/*.cresset | sed 's/.*: //'

echo '# a full disk: said, and nothing else'
cresset cache clear | sed 's/, .*//'
(
	trap '' XFSZ
	ulimit -f 4
	code=0
	cresset report many.folded --limit 0 || code=$?
	echo "[exit $code]"
) 2>said | cat >got
cat said
sed '$d' got | cmp want -
tail -n 1 got
ls "$cache" | grep -v '^limit$'

echo '# what a killed program left is removed'
(ulimit -f 4; exec cresset report many.folded) >/dev/null 2>&1
: >"$cache/0123-a.cresset.tmp.999999999.abc"
cresset report before.folded >/dev/null
ls "$cache" | grep -c '\.tmp\.'
cached
