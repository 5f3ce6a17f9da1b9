# What the store has: listed, chosen, renamed, tagged, checked, taken over.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data >/dev/null
cresset ingest before.folded after.folded >/dev/null

echo '# other names'
run cresset mv before old
run cresset mv old after
run cresset mv old old
run cresset mv nothing else
run cresset mv old a/b
run cresset mv old ..
run cresset mv old.cresset x
run cresset mv old after --replace
list
run cresset mv after before

echo '# only the names'
run cresset ls --names
run cresset ls -s name -r --names 'b*' two
cresset ls -0 | tr '\0' '|'
echo
cresset ls -0 two | xargs -0 cresset tag

echo '# tags and notes'
run cresset tag before release=1.4 'team=core & more' empty=
run cresset tag two release=1.5
run cresset tag before
run cresset tag before release=
run cresset tag before
run cresset tag before release=1.4 nokey =x 'a b=c'
run cresset tag before 'odd=	tab and "quotes" \ and '"$(printf '\033[31m\377')"
run cresset tag nothing a=b
run cresset note two measured after the change
run cresset note two
printf 'two lines\nof a note\n\n' | cresset note before -
run cresset note before
run cresset info before
list
list --tag release
list --tag team='core & more'
list --tag release=nothing
run cresset note before ''
run cresset note before
run cresset report before --limit 1
run cresset verify before two

cresset info two --sections | sed -n 's/^section: \(summary\|threads\|dsos\): \([^,]*\),.*/\1: \2/p'
run cresset info before.folded --sections >got || tail -n 1 got

echo '# which, and in which order'
list 'b*' 'nothing*'
list 'nothing*'
list --host fixture
for key in name date host command event samples duration size colour; do
	echo "# $key"
	cresset ls --sort $key 2>&1 | sed 's/ .*//' | xargs
	cresset ls -s $key --reverse 2>/dev/null | sed 's/ .*//' | xargs
done
cresset ls --json | sed -E 's/"size": [0-9]+/"size": SIZE/'
run cresset ls --json nothing

echo '# a file of it, and back'
run cresset export two -f cresset -o two.cresset
cmp two.cresset .store/two.cresset
run cresset import two.cresset
run cresset import two.cresset -n two
run cresset import two.cresset -n ./three.cresset
cresset export two -f cresset | cresset import -n piped -
cmp .store/piped.cresset .store/two.cresset && cmp three.cresset two.cresset && echo same
run cresset export two -f cresset --comm x -o x.cresset
run cresset export two -f cresset --title x -o x.cresset
run cresset export --symfs sym two.data -o made.cresset
cresset ingest --symfs sym two.data -n again >/dev/null
cmp made.cresset .store/again.cresset && echo same
cresset rm again
head -c 1000 two.cresset >cut.cresset
run cresset import cut.cresset before.folded nothing
cp cut.cresset .store/cut.cresset
run cresset export cut -f cresset -o x.cresset
ls x.cresset

echo '# damage'
run cresset verify --all
cresset verify --json cut two
run cresset verify
run cresset verify two --all
run cresset verify nothing
cresset ls --json 'c*' 2>/dev/null | sed -E 's/"size": [0-9]+/"size": SIZE/'
list 'c*'
run cresset tag cut a=b
run cresset rm cut
leftovers

echo '# names of any bytes, listed so that nothing of them reaches the terminal, and given as they are'
rm -rf .store
cresset ingest -n plain before.folded >/dev/null
for name in 'two
lines' 'a"b\c' '100%' '*' '[a]' -n '--all' '~' "$(printf 'esc\033[2J\377')" 'x.cresset.tmp' "$(printf '%0199d' 0)"; do
	cresset ingest before.folded --name="$name" >/dev/null &&
		cresset tag -- "$name" k=v &&
		cresset verify -- "$name" >/dev/null &&
		cresset mv -- "$name" moved &&
		cresset mv moved -- "$name" &&
		cresset merge -o sum --replace -- "$name" plain >/dev/null &&
		cresset export -f cresset -o out.cresset -- "$name" || echo "exit $?"
done
cresset rm plain sum
cresset ls --json | grep '"name"' | sed 's/0\{50,\}/0.../'
cresset ls '[*]' | sed '1d; s/  .*//'
cresset ls '[a]' | sed '1d; s/  .*//'
cresset ls | sed '1d; s/  .*//; s/0\{50,\}/0.../'
