# docs/index.md names every page. The site has all of them, and every link and anchor in it leads somewhere; links to other
# sites are not followed. Markdown that the pages use becomes the HTML that it stands for.
set -e
echo '# pages that docs/index.md does not name'
for page in "$SRC"/docs/*.md "$SRC"/docs/*.[157]; do
	name=$(basename "$page")
	[ "$name" = index.md ] || grep -qF "]($name" "$SRC/docs/index.md" || echo "$name"
done

echo '# the site'
awk -v page=config -v about='configuration' -v sections=CONFIGURATION -f "$SRC/docs/page.awk" "$SRC/docs/cresset.1" >cresset-config.5
"$SRC/docs/site/make-site" out "$SRC"/docs/*.[157] cresset-config.5 2>messages
for page in "$SRC"/*.md "$SRC"/docs/*.md; do
	html=out/${page#"$SRC"/}
	[ -s "${html%.md}.html" ] || echo "no ${html%.md}.html"
done
for page in cresset.1 cresset-store.5 cresset-tutorial.7 cresset-config.5; do
	[ "$(wc -l <"out/man/$page.html")" -gt 30 ] || echo "no $page"
done

echo '# links that lead nowhere'
find out -name '*.html' | LC_ALL=C sort | while read -r page; do
	awk -v page="$page" '
	{ line = $0; while (match(line, / id="[^"]*"/)) { print "anchor " page "#" substr(line, RSTART + 5, RLENGTH - 6); line = substr(line, RSTART + RLENGTH) } }
	{ line = $0; while (match(line, /(href|src)="[^"]*"/)) {
		link = substr(line, RSTART, RLENGTH - 1); sub(/^[a-z]*="/, "", link); line = substr(line, RSTART + RLENGTH)
		if (link ~ /^[a-z]+:/) continue
		if (link ~ /^#/) { print "link " page link; continue }
		directory = page; sub(/[^\/]*$/, "", directory); path = directory link
		while (path ~ /[^\/]+\/\.\.\//) sub(/[^\/]+\/\.\.\//, "", path)
		print "link " path
	} }' "$page"
done >places
[ "$(grep -c '^link' places)" -gt 300 ] || echo 'few links found'
sed -n 's/^anchor //p' places | LC_ALL=C sort -u >anchors
sed -n 's/^link //p' places | LC_ALL=C sort -u | while read -r link; do
	[ -e "${link%%#*}" ] || { echo "$link: no file"; continue; }
	case $link in *'#'*) grep -qxF "$link" anchors || echo "$link: no anchor" ;; esac
done

echo '# nothing in the site comes from a network'
grep -rlE '(src|href)="https?:[^"]*\.(js|css|woff2?)"|@import|url\(' out || :

echo '# every page is complete'
find out -name '*.html' | while read -r page; do
	[ "$(tail -n 1 "$page")" = '</body></html>' ] || echo "$page: cut off"
	for tag in ul ol table pre code; do
		begun=$(grep -oE "<$tag[ >]" "$page" | wc -l)
		ended=$(grep -o "</$tag>" "$page" | wc -l)
		[ "$begun" -eq "$ended" ] || echo "$page: $begun of <$tag>, $ended of </$tag>"
	done
done

echo '# Markdown'
cat >page.md <<'MD'
# A *title* with `code` & more

A paragraph
of two lines, **strong**, a [link](other.md#place), [out](https://example.org) and `a < b`.

- one
  goes on
- two
  1. inner
  2. last

| a | b \| c |
|---|---:|
| `x|y` | 7 |

    code <1>

    more
## Twice
## Twice
MD
awk -v home=../ -v prefix=p/ -f "$SRC/docs/site/markdown.awk" page.md
