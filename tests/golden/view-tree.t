# The call tree and what is around a function, as text.
. "$SRC/tests/golden/ready.sh"
before_after

run cresset view before.folded -c 'view tree; print tree'
run cresset view before.folded -c 'size 60 20; levels 1; print tree; levels more; print tree; levels all; print tree; levels less; print tree'
run cresset view before.folded -c 'size 80 20; view tree; least 30; print tree; least next; undo; print tree'
run cresset view before.folded -c 'size 80 20; view tree; select lex; print tree; left; left; print selected'
run cresset view before.folded -c 'size 80 20; invert; view tree; levels 9; print tree'
run cresset view before.folded -c 'size 80 20; zoom parse; print tree'
run cresset diff before.folded after.folded -c 'size 80 20; print tree' 2>&1 | head -20
run cresset view before.folded -c 'size 80 20; select lex; print around'
run cresset view before.folded -c 'select lex; print callers'

echo '# what is wrong'
run cresset view before.folded -c 'least much'
run cresset view before.folded -c 'least 101'
run cresset view before.folded -c 'levels few'
run cresset view before.folded -c 'levels'
