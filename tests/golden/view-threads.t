# The threads of a recording as the browser shows them, as text.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data

run cresset view two -c 'print threads'
run cresset view two -c 'size 80 24; view threads; right; print threads; print selected'
run cresset view two -c 'threads-by comm; view threads; print selected' # what is not recorded is said first
run cresset view two -c 'size 80 24; view threads; threads-by process; print threads; threads-by comm; print threads'
run cresset view two -c 'size 60 24; view threads; sort name; print threads; reverse; print threads'
run cresset view two -c 'size 80 24; view threads; open; print threads; filters; undo; print threads'
run cresset view before.folded -c 'print threads'

echo '# what is wrong'
run cresset view two -c 'view threads; sort self'
run cresset view two -c 'threads-by cpu'
