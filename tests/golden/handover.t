# What leaves the browser: copies, files of what is shown, and CRESSETSECURE, which turns files off.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data

run cresset view two -c 'select hash_bytes; copy name; copy stack; copy source'
run cresset view two -c 'select hash_bytes; copy address' | sed 's/0x[0-9a-f]*/0xN/'
run cresset view two -c 'invert; select hash_bytes; child; copy stack'
run cresset view before.folded -c 'copy stack'
run cresset view before.folded -c 'select lex; copy address'
run cresset view before.folded -c 'select lex; copy source'
run cresset view before.folded -c 'copy all'
printf 'a;evil\033]0 x\007\033[2Jname 3\n' >hostile.folded
run cresset view hostile.folded -c 'child; child; copy name'

echo '# the command line leads back to the same view'
run cresset view before.folded -c "zoom render; search x'y; view functions; sort total; reverse; copy command"
run cresset diff before.folded after.folded -o none.svg --start 'view functions'
run cresset view before.folded -c 'focus ^parse; merge lex; root up; palette dso; select parse; mark 1s..2s; copy command'

echo '# what is on the screen'
for name in shown.txt shown.csv shown.json; do
	run cresset view before.folded -c "view functions; sort total; export $name"
	cat $name
done
run cresset view before.folded -c 'export shown.csv'
run cresset view before.folded -c 'export-new shown.txt'

echo '# the session as a script'
run cresset view before.folded -c 'size 60 12; view functions; down; search ^l; undo; zoom lex; out; history'
run cresset view before.folded -c 'view functions; sort total; history tour'
cat tour
run cresset view before.folded -c 'history tour'
run cresset view before.folded -c "$(cat tour) print functions; history"

echo '# nothing is written'
CRESSETSECURE=1
export CRESSETSECURE
run cresset view before.folded -c 'export secure.svg'
run cresset view before.folded -c 'export-new secure.txt'
run cresset view before.folded -c 'select lex; copy name; history secure.tour'
ls secure.* 2>/dev/null
exit 0
