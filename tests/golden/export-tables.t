# Exports as tables and as text: CSV of samples and of stacks, Markdown, a flame graph of characters.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data

echo '# samples: the sum of each stack is that of the folded stacks, whatever the query changes'
# The folded stacks of CSV: this test has no comma and no quote in a name.
refold() { awk -F, 'NR > 1 { gsub(/"/, "", $10); sum[$10] += $7 } END { for (s in sum) print s, sum[s] }' | LC_ALL=C sort; }
run cresset export two -f csv --time ..0.002
while read -r query; do
	cresset export two -f folded --group none $query | LC_ALL=C sort >want
	cresset export two -f csv $query | refold >got
	cmp want got && echo "same: $query, $(wc -l <got) stacks"
done <<'QUERIES'
--comm child
--focus count_primes
--ignore count_primes
--hide main
--show-from main
--prune count_primes
--root-at main
--invert
--callers count_primes
--callees main
--invert --hide main --recursion direct
--granularity dso
QUERIES
cresset export two -f csv --group comm | cut -d, -f 10 | cut -d';' -f 1 | sort -u

echo '# stacks, also of a difference'
run cresset export before.folded -f csv --stacks
run cresset diff before.folded after.folded -f csv --stacks
run cresset diff before.folded after.folded -f csv

echo '# Markdown'
run cresset export before.folded -o before.md
cat before.md
run cresset export before.folded -f markdown --functions 1 --tree-lines 0
run cresset diff before.folded after.folded -f markdown

echo '# a flame graph of characters'
run cresset export before.folded -f ansi --plain --columns 40
cresset export before.folded -f ansi --columns 40 | head -n 3 | od -c | sed 's/^[0-9]* *//' | head -n 12
run cresset diff before.folded after.folded -f ansi --plain --columns 60 --focus draw

echo '# names that would be formulas, markup, fields or control characters'
printf '=1+1;a,"b"|*c*;\033[31m\001\377;~~~ 3\n' >evil.folded
run cresset export evil.folded -f csv
run cresset export evil.folded -f csv --stacks
run cresset export evil.folded -f markdown
run cresset export evil.folded -f ansi --plain

echo '# HTML: the page is well-formed, loads nothing, and has the flame graph of -f svg'
page() { sed 's/<!doctype html>//; s/;base64,[^"]*/;base64,.../; /<meta/s/">$/"\/>/' "$1"; }
run cresset export before.folded -o before.html --table-rows 3
page before.html
sed -n 's/.*svg+xml;base64,\([^"]*\)".*/\1/p' before.html | base64 -d >in.svg
cresset export before.folded -f svg | cmp - in.svg && echo 'same graph'
cresset diff before.folded after.folded -f html | grep -E '<h1>|<td' | sed -n 1,3p
printf 'main;old 1\nmain;x 1\n' >was.folded
printf 'main;young 2\nmain;x 1\n' >now.folded
cresset diff was.folded now.folded -f html | grep -oE '(>MARK<|<td>[^<]*</td><td>(old|young|x)<)'
printf '<script>alert(1)</script>;a&b;\033[31m\001\377 3\n' >'<b>&"x".folded'
cresset export '<b>&"x".folded' -f html >page.html
grep -E '<h1>|<td|<title>' page.html
grep -oE '(src|href)="[^"]{4}' page.html
if command -v xmllint >/dev/null; then page page.html | xmllint --noout - || echo 'NOT well-formed'; fi
