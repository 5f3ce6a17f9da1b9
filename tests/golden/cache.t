# A recording is read once: it leaves a copy in the cache, and the copy is opened as long as the file and the options
# are the same. The store holds only what the user puts there.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cache=$XDG_CACHE_HOME/cresset

# Which files of the cache were written since the last call? A copy that is only opened stays the same file.
written() {
	ls -i "$cache" 2>/dev/null | grep '\.cresset$' | LC_ALL=C sort >.files
	LC_ALL=C comm -13 .files.before .files | wc -l
	mv .files .files.before
}
: >.files.before

echo '# the first time, and again'
brief report --symfs sym two.data
cp .brief.out first
written
brief report --symfs sym two.data
cmp first .brief.out
written
cached
run cresset ls
ls -l "$cache" | sed -n 's/^\(-[-a-z]*\).*/\1/p'
ls -ld "$cache" | cut -c 1-10

echo '# other options: another reading'
brief report --symfs sym --no-demangle two.data
mkdir nothing other other/nothing
brief report --symfs nothing two.data
written
brief report --symfs sym two.data
cmp first .brief.out
written
echo '# a path that is the same only as text'
(cd other && brief report --symfs nothing ../two.data)
written

echo '# --no-cache, and what never leaves a copy'
brief report --no-cache --symfs sym --no-inline two.data
brief collapse two.data
cresset ingest --symfs sym two.data -n stored >/dev/null
brief report stored
cresset report --symfs sym --no-inline - <two.data | cmp .brief.out -
cat two.data | cresset report --symfs sym --no-inline - | cmp .brief.out -
cat two.data | cresset report --symfs sym --no-inline /dev/stdin | cmp .brief.out -
mkfifo pipe
cat two.data >pipe &
cresset report --symfs sym --no-inline pipe | cmp .brief.out -
wait
written

echo '# merge uses copies that are there and writes none'
cp before.folded apart.folded
cresset merge two.data apart.folded --symfs sym -o merged >/dev/null
written
cresset merge two.data apart.folded --symfs sym --no-cache -o merged-too >/dev/null
cmp .store/merged.cresset .store/merged-too.cresset && echo same

echo '# the file changes: so does what is shown, also when its size and date stay the same'
brief report before.folded
cp .brief.out first
written
cat after.folded >before.folded
brief report before.folded
cmp -s first .brief.out && echo 'this is the old one'
brief report after.folded
tail -n +2 .brief.out >two
brief report before.folded
tail -n +2 .brief.out | cmp two - && echo same
written
sed 's/500/600/; s/200/100/' after.folded >before.folded
touch -r after.folded before.folded
sed 's/500/400/; s/200/300/' after.folded >same-size
for i in 1 2 3 4 5 6 7 8; do
	cat same-size >before.folded
	touch -r after.folded before.folded
	cresset report before.folded --limit 0 >is
	cresset report before.folded --no-cache --limit 0 | cmp is - || echo 'this is the old one'
	sed 's/500/600/; s/200/100/' after.folded >before.folded
	touch -r after.folded before.folded
	cresset report before.folded --limit 0 >is
	cresset report before.folded --no-cache --limit 0 | cmp is - || echo 'this is the old one'
done
cresset cache clear | sed 's/, .*//'
cached

echo '# a copy that is damaged, cut, or no profile is not used, and is replaced'
brief report before.folded
cp .brief.out first
copy=$(echo "$cache"/*.cresset)
size=$(wc -c <"$copy")
at=0
while [ "$at" -lt "$size" ]; do
	byte=$(od -An -tu1 -j "$at" -N 1 "$copy" | tr -d ' ')
	printf "\\$(printf %o $((255 - byte)))" | dd of="$copy" bs=1 seek="$at" conv=notrunc 2>/dev/null
	cresset report before.folded >is 2>&1 || echo "byte $at: exit $?"
	cmp first is || echo "byte $at"
	at=$((at + size / 40))
done
for cut in 0 10 $((size / 2)); do
	dd if=/dev/null of="$copy" bs=1 seek="$cut" 2>/dev/null
	cresset report before.folded >is 2>&1
	cmp first is || echo "cut at $cut"
done
cp after.folded "$copy"
cresset report before.folded 2>&1 | cmp first -
cresset verify "$copy" | sed 's/.*: //'

echo '# links, FIFOs and what others may write to are not opened'
cp "$copy" elsewhere
cresset report after.folded >/dev/null
plant() { # the copy of the other recording
	for other in "$cache"/*.cresset; do
		[ "$other" = "$copy" ] || cp "$other" "$copy"
	done
}
for kind in link fifo folder writable owner; do
	rm -f "$copy"
	case $kind in
	link) ln -s "$PWD/elsewhere" "$copy" ;;
	fifo) mkfifo "$copy" ;;
	folder) mkdir "$copy" ;;
	writable) plant && chmod 666 "$copy" ;;
	owner) plant && chown 12345 "$copy" 2>/dev/null || rm -f "$copy" ;; # as root
	esac
	cresset report before.folded >is 2>said || echo "$kind: exit $?"
	cmp first is || echo "$kind"
	[ ! -d "$copy" ] || rmdir "$copy"
done
cmp "$copy" elsewhere || echo 'it is not replaced'
rm -rf "$cache"

echo '# the directory: not used if others may write to it'
mkdir -p "$cache"
chmod 777 "$cache"
brief report before.folded
ls -A "$cache"
run cresset cache
run cresset cache ls
chmod 700 "$cache"

echo '# no place for a cache: nothing is lost but time'
rm -rf "$cache"
: >"$cache"
brief report before.folded
run cresset cache
rm -f "$cache"
(unset XDG_CACHE_HOME HOME; brief report before.folded; run cresset cache)
(XDG_CACHE_HOME=relative; brief report before.folded)
ls "$HOME/.cache"
ls -A "$CRESSET_STORE"
rm -rf "$cache"

echo '# the limit: what was not used for the longest time is removed'
for name in a b c d; do
	cp before.folded "$name.folded"
	cresset report "$name.folded" >/dev/null
done
run cresset cache limit
size=$(cat "$cache"/*.cresset | wc -c)
# d is the oldest now; b is used again below
for file in "$cache"/*.cresset; do
	touch -d '2026-01-05' "$file"
	cresset info "$file" | grep -q '^source.*[:=] *d.folded' && touch -d '2026-01-01' "$file"
	cresset info "$file" | grep -q '^source.*[:=] *b.folded' && touch -d '2026-01-02' "$file"
done
cresset report b.folded >/dev/null
cresset cache limit $((size - 1))
cached | grep folded
run cresset cache limit 1K
run cresset cache limit
cresset cache ls | tail -n 1 | sed 's/.* of at/at/; s/, in .*//'
cresset report a.folded >/dev/null
cresset report c.folded >/dev/null
cached | grep -c folded
echo '# larger than the limit alone: it is not left, and removes no other'
awk -v lines=3000 -f "$SRC/tests/tools/make-folded.awk" >many.folded
cresset report many.folded >/dev/null
cached | grep -c folded
cresset cache limit 0
brief report a.folded
cached
run cresset cache limit 2GiB
run cresset cache limit

echo '# usage'
run cresset cache limit 12X
run cresset cache limit -1
run cresset cache limit 99999999999T
run cresset cache list
run cresset cache ls x
run cresset cache clear
