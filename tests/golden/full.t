# A full disk: said, exit 3, and no half of anything left behind. The limit on the size of a file
# stands in for the full disk; the shell's unit of it is 512 or 1024 bytes.
. "$SRC/tests/golden/ready.sh"
two_threads
awk -v lines=3000 -f "$SRC/tests/tools/make-folded.awk" >many.folded

if [ -w /dev/full ]; then
	for command in help ls 'ls --store nowhere' 'report two' 'info two' 'export two -f folded' \
		'export two -f script' 'export two -f svg' 'collapse many.folded' 'diff two two' \
		'view two -c print~flame' '--version' 'ingest many.folded -n full' 'export two -f folded -o /dev/full'
	do
		[ -d .store ] || cresset ingest --symfs sym two.data >/dev/null
		set -- $(echo "$command")
		code=0
		if [ "$1" = view ]; then set -- view two -c 'print flame'; fi
		cresset "$@" >/dev/full 2>said || code=$?
		echo "cresset $*: exit $code: $(cat said)"
	done
else
	skip '/dev/full is not there'
fi

# Through cat, so that the limit is not on the output of this test.
limited() {
	echo "\$ cresset $*"
	(
		trap '' XFSZ
		ulimit -f 4
		code=0
		cresset "$@" || code=$?
		echo "[exit $code]"
	) 2>&1 | cat
}
rm -rf .store
limited ingest many.folded
limited ingest many.folded -n ./x.cresset
limited report many.folded --no-children --limit 1
mkdir out
limited export many.folded -o out/x.svg
echo old >out/y.folded
limited export many.folded -o out/y.folded
cat out/y.folded
ls out x.cresset 2>/dev/null
find .store -type f

echo '# killed by the limit: the next look at the store cleans up'
cresset ingest --symfs sym two.data
(ulimit -f 4; exec cresset ingest many.folded) >out/said 2>&1 && echo 'not killed'
list
leftovers
