# Many profiles as one: the sum of them, and the same in whatever order.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cat >wall.script <<'SCRIPT'
# hostname : web9
# captured on    : Fri Jan  2 03:04:05 2026
srv  77/78  [001]     1.000000000:    1000000 cpu-clock: 
	    1000 main+0x10 (/bin/srv)

srv  77/79  [001]     1.500000000:    3000000 cpu-clock: 
	    2000 work+0x10 (/bin/srv)
	    1000 main+0x10 (/bin/srv)

SCRIPT
sed 's/web9/web8/; s/1\.000000000/8.250000000/; s/1\.500000000/9.000000000/; s/work/sleep/' wall.script >other.script
touch -t 202601020304.05 wall.script other.script
cresset ingest --symfs sym two.data >/dev/null
cresset ingest before.folded after.folded wall.script other.script >/dev/null

echo '# what it is'
run cresset merge wall other -o hosts
run cresset info hosts
run cresset report hosts --limit 0
run cresset export hosts -f script
run cresset export hosts -f folded --time 0.4..0.6
run cresset export hosts -f folded --where host=web8
run cresset export hosts -f folded --group host

echo '# stacks that came with a count each'
run cresset merge before after -o both
cresset export both -f folded >got
cat before.folded after.folded | cresset collapse | cmp - got && echo 'the sum'

echo '# of all kinds, in any order and grouping'
run cresset merge two before after wall other -o all
cresset merge other before -o one >/dev/null
cresset merge two wall -o two-more >/dev/null
cresset merge two-more after -o three >/dev/null
cresset merge three one -o all-too >/dev/null
cmp .store/all.cresset .store/all-too.cresset && echo same
cresset merge all -o all-three >/dev/null
cmp .store/all.cresset .store/all-three.cresset && echo same
cresset merge ./wall.script two other.script ./.store/one.cresset before -o twice >/dev/null
cresset merge before two other wall one -o twice-too >/dev/null
cresset merge wall two -o a >/dev/null && cresset merge other before -o b >/dev/null && cresset merge b a one -o twice-three >/dev/null
cmp .store/twice-too.cresset .store/twice-three.cresset && echo same
run cresset info all | sed '/^  /d'
run cresset export all -e weight -f folded
run cresset verify --all
echo '# what cannot be'
run cresset merge before
run cresset merge before nothing -o x
run cresset merge before after -o both
run cresset merge before -o both --replace
head -c 1000 .store/two.cresset >.store/cut.cresset
run cresset merge before cut -o x
cresset ls 2>&1 | sed 's/ .*//' | xargs
leftovers

