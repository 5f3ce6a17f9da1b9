# What an input comes in: packed by gzip, xz or zstd, in several pieces, through a pipe, as a folder
# of perf record. It reads as the plain file does, and what is damaged is told.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after

cresset report --store plain --symfs sym two.data >want
same() {
	cresset report --store "store-$1" --symfs sym "$2" 2>&1 | cmp want - && echo "$1: the same"
}

have() {
	command -v "$1" >/dev/null 2>&1 && echo a | "$1" -c >/dev/null 2>&1
}

# Where a packer is not installed, or this build cannot unpack it, the output is as if it were.
each() {
	if ! have "$1"; then
		printf '%s\n' "$1: the same" "$1 piped: the same" "$1 in two pieces: the same"
		return
	fi
	"$1" -c two.data >"two.data.$1"
	if cresset report --store try "two.data.$1" 2>&1 | grep -q 'built without'; then
		printf '%s\n' "$1: the same" "$1 piped: the same" "$1 in two pieces: the same"
		return
	fi
	same "$1" "two.data.$1"
	cresset report --symfs sym - <"two.data.$1" | cmp want -
	cat "two.data.$1" | cresset report --symfs sym - | cmp want - && echo "$1 piped: the same"
	{
		head -c 9999 two.data | "$1" -c
		tail -c +10000 two.data | "$1" -c
		head -c 512 /dev/zero
	} >"pieces.$1"
	same "$1 in two pieces" "pieces.$1"
}
each gzip
each xz
each zstd

echo '# of any format, in any way one can be named'
cat "$FIX/good-folded.zst" >x.folded.zst
touch -t 202601020304.05 x.folded.zst
run cresset collapse x.folded.zst
cat x.folded.zst | cresset collapse
cresset collapse folded x.folded.zst
run cresset ingest x.folded.zst
brief report x.folded.zst
list

echo '# damaged'
size=$(wc -c <x.folded.zst)
for len in 3 4 9 $((size - 1)); do
	head -c "$len" x.folded.zst >cut.zst
	printf '%s bytes: ' "$len"
	brief report --store "store-$len" --strict cut.zst
done
{ cat x.folded.zst; echo tail; } >tail.zst
touch -t 202601020304.05 tail.zst
brief report --strict tail.zst
run cresset collapse tail.zst
{ cat x.folded.zst x.folded.zst | head -c $((size + 10)); } >half.zst
touch -t 202601020304.05 half.zst
brief report half.zst
brief report half.zst

echo '# a bomb'
brief report --store bombs "$FIX/bad-bomb.zst"
cat "$FIX/bad-bomb.zst" | brief report -

echo '# a folder of perf record'
mkdir -p rec/data.d other
cat two.data >rec/data
touch -t 202601020304.05 rec/data
same folder rec
same 'folder/' rec/
run cresset ingest --symfs sym rec
run cresset ingest --symfs sym rec/
brief report --symfs sym rec
rm -r rec/data.d
list
for folder in other ./other /; do
	brief report $folder
done
brief ingest other
echo '# called like a profile'
cresset ingest after.folded -n other
brief report other
