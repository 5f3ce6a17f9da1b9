# Links to source files in tables, for those that there are, with escaped names; and lines that editors read.
demo=$SRC/data/demo.cresset
esc=$(printf '\033')
mkdir -p 'src/a b'
seq 1 3 >src/zstd_lazy.c
shown() { LC_ALL=C sed "s/$esc/ESC/g; s|file://[^/]*/|file://HOST/|; s|file://HOST$PWD|file://HOST/TMP|"; }
plain() { LC_ALL=C sed "s/$esc\[[0-9]*m//g; s/$esc]8;;[^$esc]*$esc\\\\//g"; }
report() { cresset report "$demo" --no-children "$@"; }

echo '# only the file that is there is a link'
report -s srcline,sym --limit 8 --source-dir src --color always | shown | tail -n 9
report -s srcfile --limit 2 --source-dir src --color always | shown | tail -n 3
echo '# none without --source-dir, and none without colours'
report -s srcline --limit 8 --color always | grep -c "]8;;" || :
report -s srcline --limit 8 --source-dir src | grep -c "]8;;" || :
echo '# annotate'
cresset annotate "$demo" ZSTD_RowFindBestMatch --source-dir src --color always | shown | grep zstd_lazy | head -n 3
echo '# the text is the same'
for command in 'report -s srcline,sym' 'report -s srcfile,dso' 'annotate ZSTD_RowFindBestMatch' 'annotate sqlite3VdbeExec --lines'; do
	set -- $command
	name=$1
	shift
	cresset $name "$demo" "$@" --source-dir src >plain
	cresset $name "$demo" "$@" --source-dir src --color always | plain | cmp - plain || echo "another text: $command"
done

echo '# names that act on a terminal'
evil=$(printf 'x;\033]0;t\007 y.c')
seq 1 3 >"src/$evil"
printf 'c 1 [000] 1.0: 100 ev:\n\t1000 f+0x0 (/x)\n  %s:1\n\n' "$evil" >evil.script
cresset report evil.script -s srcline --no-children --source-dir src --color always | shown | tail -n 1
cresset report evil.script --quickfix --source-dir src | sed "s|$PWD|TMP|"

echo '# quickfix'
cresset report "$demo" --quickfix --limit 3 --source-dir src | sed "s|$PWD|TMP|"
cresset report "$demo" --quickfix --comm sqlite3 --limit 2
cresset annotate "$demo" ZSTD_RowFindBestMatch --quickfix --source-dir src | sed "s|$PWD|TMP|" | head -n 3
cresset annotate "$demo" ZSTD_RowFindBestMatch --quickfix --percent-type global-hits --percent-limit 3
cresset report "$demo" --quickfix | grep -vcE '^[^:]+:[0-9]+: [0-9.]+ % self of .' || :
run cresset report "$demo" --quickfix -s dso || :
run cresset report "$demo" --quickfix --json || :
run cresset annotate "$demo" main --quickfix --csv || :
