# Where an export goes: -o FILE, its extension, what is there already, what cannot be written.
. "$SRC/tests/golden/ready.sh"
before_after
same() { cmp "$1" "$2" && echo same; }
cresset export before.folded -f folded >want.folded
cresset export before.folded -f svg >want.svg

run cresset export before.folded -o out.folded
same want.folded out.folded
run cresset export before.folded -o out.svg
same want.svg out.svg
run cresset export before.folded -f folded -o out.svg
same want.folded out.svg
run cresset export before.folded -f folded -o -
run cresset export before.folded -f folded --output=out

echo '# the rights of a file that was there stay; a link is followed'
chmod 640 out.folded
ln -s out.folded link.folded
run cresset export after.folded -o link.folded
ls -l out.folded link.folded | sed 's/ .*//'
grep -c draw_all out.folded

echo '# what cannot be written: the old one stays'
cresset export before.folded -f folded -o out
run cresset export before.folded -f folded -o nowhere/out
mkdir folder.folded
run cresset export before.folded -o folder.folded
run cresset export before.folded -f folded -o ''
run cresset export nothing -o out.folded
grep -c draw_all out.folded
ls
