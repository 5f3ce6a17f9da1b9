# Names from outside that a terminal would act on, or that break lines and columns.
. "$SRC/tests/golden/ready.sh"
esc=$(printf '\033')
printf 'main;\033[31mred\033]0;title\007;plain 5\nmain;<script>alert(1)</script>;a&b 4\nmain;bad\377utf\300\200;\342\200\256rlo 3\nmain;tab\there;cr\rhere;del\177 2\nmain;日本語;e\314\201 1\nmain;\302\233csi;%%s%%n 1\n' >evil.folded
touch -t 202601020304.05 evil.folded

# Nothing that a terminal acts on: no control bytes but newlines, no C1, nothing that turns text round.
clean() {
	cat >shown
	LC_ALL=C tr -d '\n' <shown | LC_ALL=C grep -q '[[:cntrl:]]' && echo 'control bytes'
	LC_ALL=C grep -q "$(printf '\302[\200-\237]')" shown && echo 'C1 controls'
	LC_ALL=C grep -q "$(printf '\342\200\256')" shown && echo 'turned round'
	iconv -f UTF-8 -t UTF-8 <shown >/dev/null 2>&1 || echo 'not UTF-8'
	cat shown
}

run cresset report evil.folded | clean
run cresset view evil.folded -c 'size 78 12; print flame' | clean
run cresset view evil.folded -c 'search script; next; print selected' | clean
cresset export evil.folded -f folded | od -An -c | head -n 6
run cresset export evil.folded -f script | clean
run cresset diff --all evil.folded evil.folded | clean
cresset export evil.folded -f folded >again.folded
cresset collapse again.folded | cmp again.folded - && echo 'read again: the same'
rm again.folded

echo '# names of files, and of what is not there'
cp evil.folded "a$esc[31mb.folded"
cp evil.folded "$(printf 'bad\377.folded')"
cp evil.folded "$(printf 'new\nline.folded')"
for file in a*.folded bad*.folded new*.folded; do
	cresset ingest "$file" 2>&1 | clean
	cresset report "$file.gone" 2>&1 | clean
	cresset report "$file" "$file" 2>&1 | clean
	cresset "--$file" 2>&1 | clean
	cresset help "$file" 2>&1 | clean
	cresset export -f "$file" evil.folded 2>&1 | clean
	cresset report -e "$file" evil.folded 2>&1 | clean
	cresset view evil.folded -c "$file" 2>&1 | clean
	cresset view evil.folded -c "search ($file" 2>&1 | clean
	cresset diff "$file" "$file" | sed -n 1,2p | clean
	cresset export "$file" -o "nowhere/$file" 2>&1 | clean
done
cresset ls | cut -c 1-15 | clean
cached | clean
