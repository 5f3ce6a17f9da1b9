# The stored profiles in the browser's commands: listed, opened, compared, changed.
. "$SRC/tests/golden/ready.sh"
before_after

# The list without the sizes of the stored files, nor the width that they take: they are up to the version of zstd.
view() {
	run cresset view "$@" 2>&1 | sed -E 's/ +[0-9.]+ k?B  /  -  /; s/ +SIZE  /  SIZE  /; s/^(. [^ ]+) +([0-9 ]+  -  )/\1  \2/
		s/^(  NAME) +/\1  /'
}

view -c 'print store'
cresset ingest before.folded after.folded

view -c 'size 80 24; print store'
view before -c 'print store; select-profile after; open-selected; size 40 10; print flame; undo; print flame; redo; print recording'
view before -c 'open after; view functions; undo; filters; open nothing'
view before -c 'open nowhere/x'
view -c 'select-profile before; pick before; select-profile after; pick after; print store; diff; size 60 20; print functions'
view -c 'diff before after; size 60 20; print functions; undo; print store'
view -c 'diff'

echo '# changed from there'
view -c 'select-profile after; tag release=1.4; note slower since Monday; print store; tag release=; note; print store'
view -c 'select-profile after; tag x y=1'
view -c 'select-profile after; rename later; print store; rename before'
view -c 'select-profile before; pick before; select-profile later; pick after; combine both; print store'
view -c 'select-profile later; note 7 quick zebras vex 41 bold judges of my whale park, Ohio; sort size; reverse; print store; note; sort colour'
view -c 'select-profile both; remove; print store'
view -c 'match lat; print store; match nothing; print store'
view -c 'select-profile gone'

echo '# a name that would like to move the cursor'
evil=$(printf 'ev\033[31mil; x')
cp "$CRESSET_STORE/before.cresset" "$CRESSET_STORE/$evil.cresset"
view -c 'size 60 10; print store; match il; open-selected; print recording; undo; remove' | cat -v
list
run cresset view
