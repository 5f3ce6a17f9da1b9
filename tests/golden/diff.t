# Two profiles compared in a pipe: what differs, and whether anything does.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data

echo '# with itself: no difference'
run cresset diff two two
run cresset diff before.folded before.folded

echo '# with another'
run cresset diff before.folded after.folded
run cresset diff after.folded before.folded --limit 3
for order in self total name delta-self delta-total; do
	run cresset diff before.folded after.folded --order $order --limit 3
done
run cresset diff before.folded after.folded --report --limit 1
run cresset diff two before.folded --limit 3 --force

echo '# shares, not counts: twice as long is the same'
sed 's/00$/000/' before.folded >longer.folded
run cresset diff before.folded longer.folded --limit 1

echo '# by another key, and of a part'
run cresset diff two two -s comm --comm child
run cresset diff two two --time ..0.1 -s object

echo '# as folded stacks with two counts, as a picture'
run cresset diff before.folded after.folded -f folded
run cresset diff before.folded after.folded -o diff.folded
cresset diff before.folded after.folded -f folded | cmp diff.folded - && echo same
run cresset diff before.folded after.folded -o diff.svg
grep -c draw_all diff.svg

echo '# what cannot be compared'
run cresset diff before.folded nothing
run cresset diff nothing before.folded
run cresset diff before.folded after.folded -o diff.script
