# The browser's commands without a browser.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data

run cresset view before.folded -c 'print flame'
run cresset before.folded -c 'size 40 10; print flame; root down; print flame'
run cresset view before.folded -c 'zoom render; print flame; out; print selected'
run cresset view before.folded -c 'select lex; search ^r
next
print selected
undo
print selected'
run cresset view before.folded -c 'search nothing'
run cresset view before.folded -c 'search ('
run cresset view before.folded -c 'view functions; sort total; print functions; reverse; print functions'
run cresset view before.folded -c 'select parse; print callers; view callers; down; open; up; right; size 60 20; print callers; undo; print callers'
run cresset view two -c 'size 60 20; select hash_bytes; print selected; parent; print selected'
run cresset view two -c 'print functions' | head -n 4
run cresset view two -c 'size 80 24; print summary; size 50 20; print summary; size 20 5; print summary'
run cresset view two -c 'view summary; down; open; filters; print selected'
run cresset view before.folded -c 'print summary'
cresset view two -c 'comm two_threads; print summary' | grep 'samples of' # what the query leaves, and of what
run cresset view two -c 'print recording' | grep -v key
cresset view two -c 'diff two two; print recording' | grep '^[A-Z][^ ]*:\|^recording'
run cresset view -c 'print recording'
run cresset view before.folded -c 'help zoom'
run cresset view before.folded -c 'help blocked; help not tested'

echo '# written from there'
run cresset view before.folded -c 'zoom parse; export zoomed.svg'
run cresset view before.folded -c 'export-new zoomed.svg'
run cresset view before.folded -c 'export whole.folded'
cat whole.folded
run cresset view before.folded -c 'export nowhere/x.svg'
run cresset view before.folded -c 'export x.gif'
run cresset view before.folded -c 'export a b.svg title=Of two words icicle=yes width=300'
grep -o '<title>Of two words<\|data-up="1"\|width="300"' 'a b.svg' | sort -u
run cresset view before.folded -c 'export x.svg widht=300'
run cresset view before.folded -c 'export x.svg width=3'
run cresset view before.folded -c 'export x.folded palette=kind'

echo '# what is no command'
run cresset view before.folded -c 'fly'
run cresset view before.folded -c 'print'
run cresset view before.folded -c 'zoom nobody'
run cresset view before.folded -c 'zoom 99'
run cresset view before.folded -c 'print selected; fly; print flame'
run cresset view before.folded -c ''
run cresset view before.folded -c ' ; ;; '
run cresset view before.folded -c 'quit; print flame'
run cresset view before.folded -e nothing -c 'print flame'
run cresset view nothing -c 'print flame'

echo '# without commands, in a pipe: the report'
cresset report before.folded >want
cresset view before.folded | cmp want - && echo same
cresset before.folded | cmp want - && echo same
cresset two >want
cresset report two | cmp want - && echo same

# a processor that the recording does not have
printf 'x 1 [003] 1.000000: 5 cpu-clock:\n\tb3ce f (/bin/x)\n\n' >cpu.txt
run cresset view cpu.txt -c 'cpu 3; filters'
run cresset view cpu.txt -c 'cpu 4'
