# Names of profiles: what may be one, and odd ones all the way from the file to the list.
. "$SRC/tests/golden/ready.sh"
printf 'a;b 1\n' >x.folded
touch -t 202601020304.05 x.folded
long=$(printf '%0199d' 0)

echo '# what cannot be a name'
for name in '' . .. "${long}0"; do
	run cresset ingest -n "$name" x.folded
	run cresset rm "$name"
done

echo '# odd ones'
esc=$(printf '\033[31m')
bad=$(printf '\377')
for name in "$long" 'two words' -dash --option .hidden 'a.b' 'a;b' '*' 'ключ' "red$esc" "bad$bad"; do
	cresset ingest --name="$name" x.folded >/dev/null || echo "not taken: exit $?"
	cresset report --limit 1 -- "$name" >/dev/null || echo "not found: exit $?"
done
# The long one as its length, so that it does not set the width of the list.
cresset ls | sed 's/  .*//; s/00*0/0.../'
cresset rm -- "$long" 'two words' -dash --option .hidden 'a.b' 'a;b' '*' 'ключ' "red$esc" "bad$bad" || echo "exit $?"
run cresset ls

echo '# files of odd names: the profile is called like the file'
for file in 'two words.folded' '-.folded' .folded 'a.folded.txt.out' "esc$esc.folded" ...data 'x.folded '; do
	cp x.folded "./$file"
	cresset ingest "./$file"
	rm -f "./$file"
done

echo '# a folder is not a store, nor is a file'
mkdir dir.cresset
run cresset report dir.cresset
run cresset rm dir.cresset
run cresset ls --store x.folded
run cresset ingest --store x.folded/below x.folded

echo '# rm removes profiles, not other files'
run cresset rm ./x.folded
ls x.folded

echo '# a link is a profile: mv and rm are of the link, tag puts a changed copy in its place'
mkdir elsewhere
cresset ingest -n linked x.folded
mv "$CRESSET_STORE/linked.cresset" elsewhere/file.cresset
ln -s "$PWD/elsewhere/file.cresset" "$CRESSET_STORE/linked.cresset"
cresset --no-sandbox mv linked renamed
readlink "$CRESSET_STORE/renamed.cresset" | sed "s|$PWD|.|"
run cresset --no-sandbox report --limit 1 renamed
cresset --no-sandbox tag renamed seen=yes
cresset --no-sandbox tag renamed
[ -h "$CRESSET_STORE/renamed.cresset" ] || echo 'it is a file now'
cresset tag elsewhere/file.cresset
ln -s "$PWD/elsewhere/file.cresset" "$CRESSET_STORE/again.cresset"
cresset rm again
ls elsewhere
cresset ls | grep again || echo 'the link is gone'
