# flamegraph: the options of flamegraph.pl and inferno-flamegraph. The frames of the picture, one a line: their place and
# width in percent, their row from the top, and what their first line says.
frames() {
	cresset flamegraph "$@" >out.svg || return
	sed -n '/^<g.*<title>/{N;s/.*<title>\(.*\)\n.*<rect x="\([^"]*\)" width="\([^"]*\)" y="\([^"]*\)".*/\2 \3 \4 \1/p;}' out.svg |
		awk '{ y = $3 / 18; $3 = "row " y ":"; print }'
}
shows() {
	echo "\$ cresset flamegraph $*"
	frames "$@" || echo "[exit $?]"
}
cat >x.folded <<'STACKS'
main;work;read_[k] 30
main;work 20
main;work;parse;work 10
main;idle 35
init;work;parse 5
STACKS

echo '# names, counts, widths, and the order of names'
shows x.folded
frames <x.folded | cmp - from-file 2>/dev/null
frames x.folded >from-file
frames <x.folded | cmp - from-file && echo 'the same from standard input'
cat x.folded | frames - | cmp - from-file && echo 'and with -'
shows --inverted x.folded | head -3
cresset flamegraph -i x.folded | grep -o '<text id="title".*' | sed 's/.*<title>\(.*\)<.title>.*/title: \1/'

echo '# the innermost function first, by time, from a function on'
shows --reverse x.folded
printf 'a;b 1\na;c 2\na;b 4\n' >time.folded
shows --flamechart time.folded
printf 'a 5\na;b 3\na 2\na;b 4\na;c 1\na 1\n' >own.folded
shows --flamechart own.folded
shows --base work x.folded
shows --base idle --base init x.folded
run cresset flamegraph --base nothing x.folded

echo '# the sum of the counts'
shows --total 200 x.folded | sed 3q
shows --total 99 x.folded | sed 2q

echo '# two counts: before and after'
printf 'a;b 10 20\na;c 30 20\na;d 5 0\na;e 7\n' >diff.folded
shows diff.folded
shows --negate diff.folded
echo '# a name that ends in a number is a count for other programs, too'
printf 'a;thread 12 3\nb 4\n' >number.folded
shows number.folded

echo '# fractions, empty names, comments, lines without a count'
printf 'a;b 1.5\na;c 0.25\n' | shows
printf ';b 1\nc;;d 1\n' | shows
printf '# a comment\n\na;b 3\nbroken line\nc 1e3\nd -4\n' >broken.folded
shows broken.folded
shows -q broken.folded
run cresset flamegraph --strict -o strict.svg broken.folded
printf 'a 1\r\nb 2\r\n' | shows
gzip -c x.folded >x.folded.gz && frames x.folded.gz | cmp - from-file && echo 'packed: the same'

echo '# several inputs are added up'
shows x.folded time.folded | sed 4q

echo '# event and unit of collapse --header'
printf '# event "cpu-clock", unit ns, 3 samples\na;b 2000000\na;c 1000000\n' | shows
grep -o 'id="subtitle".*' out.svg | sed 's/.*font-size="12">\(.*\)<.text>/\1/'

echo '# colours'
color_of() { grep -A1 "<title>$1 (" out.svg | grep -o 'fill="[^"]*"' | head -1; }
frames --cp x.folded >/dev/null && sort -c palette.map && sed 's/rgb.*/.../' palette.map
printf 'main->rgb(1,2,3)\nother->rgb(4,5,6)\nbroken\n' >palette.map
frames --cp x.folded >/dev/null && color_of main
grep -c . palette.map && grep -E '^(main|other|broken)' palette.map
frames --colors hot x.folded >/dev/null && hot=$(color_of work)
frames -c hot --hash --deterministic --no-sort --encoding=UTF-8 x.folded >/dev/null
[ "$hot" = "$(color_of work)" ] && echo 'the same name has the same colour'
frames --random -c hot x.folded >/dev/null && one=$(color_of work)$(color_of idle)$(color_of init)
frames --random -c hot x.folded >/dev/null && other=$(color_of work)$(color_of idle)$(color_of init)
[ "$one" != "$other" ] && echo 'at random, it has another one each time'
printf 'a;b;--;w;x 1\n' >wakes.folded
cresset flamegraph --colors chain wakes.folded | grep -o 'data-name="[a-z]*"'

echo '# what is refused'
run cresset flamegraph --colors mauve x.folded
run cresset flamegraph --encoding latin1 x.folded
run cresset flamegraph --total some x.folded
run cresset flamegraph --flamechart --order weight x.folded
run cresset flamegraph missing.folded
run cresset flamegraph /dev/null
echo '# nothing is stored'
[ -e .store ] || [ -e .home/.cache ] || echo 'neither store nor cache'

echo '# what is written where'
cresset flamegraph --title Title --subtitle 'Second & line' --notes 'a--note' --countname bytes --factor 0.5 --nametype Call: \
	--height 16 --fonttype 'Verdana, "DejaVu Sans"' --fontsize 10.5 --fontwidth 0.59 --bgcolors green \
	--search-color '#203040' --stroke-color '#102030' --uicolor '#405060' x.folded -o look.svg
grep -o '<text id="\(title\|subtitle\)".*' look.svg | sed 's/<[^>]*>/|/g'
grep '^<!--' look.svg
grep -A1 '<title>read' look.svg | sed 's/.*<title>//; s/<text.*//'
rules() { sed '1,/^@media (forced-colors/d; /^]]/,$d' "$@"; }
rules look.svg
grep -o '<linearGradient.*</linearGradient>' look.svg
sed -n 's/&quot;/"/g; s/.*\("pitch".*}\),* *"columns.*/\1/p; s/.*\("pitch".*\), "columns.*/\1/p' look.svg
cresset flamegraph --stroke-color none --bgcolors '#102030' x.folded | rules

echo '# narrow frames: in percent, in pixels'
shows --minwidth 10% x.folded
shows --minwidth 130 x.folded
cresset flamegraph --minwidth 10% x.folded | grep -o '"leftOut":"[^"]*"\|leftOut[^}]*left out'
shows --minwidth 0 x.folded | wc -l

echo '# labels, colours by width, the picture alone'
printf 'a_function_with_a_long_name 10\nb 100\n' >long.folded
for how in '' --truncate-text-right; do
	cresset flamegraph $how long.folded | grep -A1 '<title>a_func' | grep -o '<text.*' | sed 's/.*">\(.*\)<.text>.*/\1/'
done
cresset flamegraph --colordiffusion x.folded | grep -o 'fill="#f[0-9a-f]*"/>' | sort | uniq -c | sed 's/^ *//'
cresset flamegraph --no-javascript --pretty-xml x.folded | grep -c '<script'
for palette in red green blue aqua yellow purple orange python rust; do
	frames --color $palette x.folded >/dev/null && echo "$palette $(color_of work)"
done
for wrong in '--minwidth wide' '--minwidth -1' '--factor 0' '--factor 1e3' '--fontsize big' '--height 5' '--bgcolors pink' \
	'--search-color red' '--fonttype a;b' '--fonttype }' '--uicolor #12345' --nameattr=x; do
	run cresset flamegraph $wrong x.folded
done
run cresset export x.folded -f folded --subtitle x || :
