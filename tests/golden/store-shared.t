# Several at work on one store, a store that may not be written, a full disk, odd names and files.
. "$SRC/tests/golden/ready.sh"
before_after
awk -v lines=3000 -f "$SRC/tests/tools/make-folded.awk" >many.folded

names() { cresset ls "$@" 2>/dev/null | sed '1d; s/  .*//' | LC_ALL=C sort | xargs; }

echo '# twelve at once, under the names that are free'
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	cresset ingest many.folded >/dev/null || echo "exit $?" &
done
wait
names
cresset verify --all | grep -c ': whole$'
leftovers
rm -rf .store

echo '# one name for several: the first has it'
for i in 1 2 3 4 5 6; do
	cresset ingest many.folded -n one >/dev/null 2>said.$i || echo $? >>codes &
done
wait
cat codes | sort | uniq -c | sed 's/  *//'
cat said.* | sort -u
names

echo '# while others list, tag, rename and remove'
cresset ingest before.folded >/dev/null
for i in 1 2 3 4 5 6 7 8; do
	cresset ingest many.folded -n "n$i" >/dev/null || echo "ingest: exit $?" &
	cresset tag one "k$i=$i" || echo "tag: exit $?" &
	cresset ls >/dev/null || echo "ls: exit $?" &
	cresset ingest many.folded -n one --replace >/dev/null || echo "replace: exit $?" &
done
wait
for i in 1 2 3 4 5 6 7 8; do
	cresset tag before "k$i=$i" || echo "tag: exit $?" &
	cresset rm "n$i" || echo "rm: exit $?" &
	cresset ls >/dev/null || echo "ls: exit $?" &
	cresset ingest many.folded -n "m$i" >/dev/null || echo "ingest: exit $?" &
done
wait
cresset tag before | sort | xargs # each was added to what the others had left
names
cresset verify --all | grep -c ': whole$'
leftovers

echo '# removed while it is tagged: it stays removed'
for i in 1 2 3 4 5 6 7 8; do
	cresset tag "m$i" a=b 2>/dev/null &
	cresset rm "m$i" || echo "rm: exit $?" &
done
wait
names
leftovers

echo '# the store is a link, and holds what is no profile'
rm -rf .store
mkdir elsewhere
ln -s elsewhere .store
cresset ingest before.folded >/dev/null
echo text >.store/README
echo text >.store/text.cresset
: >.store/.cresset
: >.store/..cresset
: >.store/a.cresset.cresset
mkdir .store/folder.cresset
ln -s before.cresset .store/linked.cresset
ln -s nowhere .store/dangling.cresset
mkfifo .store/pipe.cresset
printf 'half' >.store/x.cresset.tmp.1.abc # there is a process 1: it may be its
run cresset ls '*' 2>&1 | sed 's/  .*//'
run cresset rm folder
run cresset mv folder file
run cresset rm dangling
run cresset tag linked a=b
run cresset mv linked before --replace
run cresset rm text
names
ls -A .store
run cresset verify --all

echo '# a folder that is none'
run cresset ls --store before.folded/below
run cresset ingest --store before.folded/below before.folded
run cresset rm --store nowhere x
run cresset verify --all --store nowhere
run cresset ls --store nowhere

echo '# a disk that is full'
rm -rf .store
cresset ingest many.folded >/dev/null
cresset ingest before.folded >/dev/null
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
limited tag many a=b
limited note many text
limited merge many before -o sum
limited merge many before -o many --replace
limited import .store/many.cresset
limited export many -f cresset -o out.cresset
limited tag before a=b
limited mv many more
limited rm more
names
leftovers
[ ! -e out.cresset ]
