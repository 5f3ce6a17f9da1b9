# The stored profiles in the browser's commands: listed, opened, compared, changed.
. "$SRC/tests/golden/ready.sh"
before_after
run cresset view -c 'print store'
cresset ingest before.folded after.folded

run cresset view -c 'size 80 24; print store'
run cresset view before -c 'print store; select-profile after; open-selected; size 40 10; print flame; undo; print flame; redo; print recording'
run cresset view before -c 'open after; view functions; undo; filters; open nothing'
run cresset view before -c 'open nowhere/x'
run cresset view -c 'select-profile before; pick before; select-profile after; pick after; print store; diff; size 60 20; print functions'
run cresset view -c 'diff before after; size 60 20; print functions; undo; print store'
run cresset view -c 'diff'

echo '# changed from there'
run cresset view -c 'select-profile after; tag release=1.4; note slower since Monday; print store; tag release=; note; print store'
run cresset view -c 'select-profile after; tag x y=1'
run cresset view -c 'select-profile after; rename later; print store; rename before'
run cresset view -c 'select-profile before; pick before; select-profile later; pick after; combine both; print store'
run cresset view -c 'sort size; reverse; print store; sort colour'
run cresset view -c 'select-profile both; remove; print store'
run cresset view -c 'match lat; print store; match nothing; print store'
run cresset view -c 'select-profile gone'

echo '# a name that would like to move the cursor'
evil=$(printf 'ev\033[31mil; x')
cp "$CRESSET_STORE/before.cresset" "$CRESSET_STORE/$evil.cresset"
run cresset view -c 'size 60 10; print store; match il; open-selected; print recording; undo; remove' | cat -v
run cresset ls
run cresset view
