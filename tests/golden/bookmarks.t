# Bookmarks: kept with a stored profile, gone to in one step of undo, and harmless whatever a profile says.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data

run cresset view two -c 'view tree; zoom main; search hash; bookmark hot.part; bookmarks'
echo '# in another session: there, and back with one undo'
run cresset view two -c 'bookmarks; view functions; search x; go hot.part; copy command; undo; copy command'
run cresset view two -c 'search lex; bookmark hot.part; bookmark here; forget here; bookmarks'
run cresset verify two
run cresset view two -c 'forget hot.part; bookmarks'

echo '# names and places that cannot be kept'
run cresset view two -c 'bookmark a/b'
run cresset view two -c 'go nowhere'
run cresset view two -c 'search a;b; bookmark both'

echo '# not stored: for this session'
printf 'main;lex 3\nmain;parse 4\n' >t.folded
run cresset view t.folded -c 'zoom lex; bookmark lex; bookmarks; reset; go lex; copy command'
run cresset view t.folded -c 'bookmarks'

echo '# nothing is changed'
CRESSETSECURE=1 run cresset view two -c 'bookmark secret'
run cresset view two -c 'bookmarks'
exit 0
