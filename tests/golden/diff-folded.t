# diff-folded: the lines of difffolded.pl and inferno-diff-folded.
printf 'main;read 10\nmain;0x7f12abc;parse 4\nmain;old 6\n' >before
printf 'main;read 30\nmain;0x55d000;parse 8\nmain;new 2\n' >after
run cresset diff-folded before after
run cresset diff-folded -n before after
run cresset diff-folded --normalize after before
run cresset diff-folded -s before after
run cresset diff-folded -ns before after
run cresset diff-folded --strip-hex -q -v before after
echo '# the same stack in several lines, fractions, addresses at all places'
printf 'a;b 1\na;b 2\na 0.5\n' >one
printf 'a;b 1.25\n0x 3\n0xg;0xFf0x1 1\n' >two
run cresset diff-folded one two
run cresset diff-folded -s one two
run cresset diff-folded -n one two
echo '# nothing to scale to'
: >empty
run cresset diff-folded -n empty after
run cresset diff-folded -n before empty
echo '# standard input, a file, what flamegraph makes of it'
cresset diff-folded - after <before | cmp - from-files 2>/dev/null
cresset diff-folded before after >from-files
cresset diff-folded - after <before | cmp - from-files && cresset diff-folded before - <after | cmp - from-files && echo same
run cresset diff-folded -o out before after && cmp out from-files
cresset diff-folded before after | cresset flamegraph | grep -A1 '<title>read' | head -1 | sed 's/.*<title>//'
echo '# what is wrong'
printf 'a;b 1\nno count\n' >bad
run cresset diff-folded bad after
run cresset diff-folded -q --strict bad after
run cresset diff-folded before
run cresset diff-folded before missing
run cresset diff-folded - - || :
