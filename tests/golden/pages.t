# The pages of the manual that are made: one for each command, with all options of its help and its examples, and text
# for each option; mandoc has nothing to say about them. The commands of the tutorial work.
page() { cresset help "$1" | awk -v command="$1" -f "$SRC/docs/page.awk" - "$SRC/docs/cresset.1"; }
commands=$(cresset -h | sed -n 's/^  \([a-z][a-z0-9-]*\)  .*/\1/p')

echo '# the commands that the Makefile knows'
printf '%s\n' $commands | LC_ALL=C sort >there
sed -n '/^page_commands = /,/^$/s/^	\([a-z0-9-]*\).*/\1/p' "$SRC/Makefile.am" | LC_ALL=C sort | diff - there

echo '# the pages'
for command in $commands; do
	page "$command" >"cresset-$command.1"
	cresset help "$command" | sed -n 's/^      \(--[a-z-]*\).*/\1/p; s/^  -., \(--[a-z-]*\).*/\1/p' | while read -r option; do
		grep -q "^\.It .*Fl -${option#--}\( \|\$\)" "cresset-$command.1" || echo "$command: no $option"
	done
	grep -q '^  cresset ' "cresset-$command.1" || echo "$command: no example"
	awk '/^\.It / && item == NR - 1 { print FILENAME ": no text before line " NR } /^\.It / { item = NR }' "cresset-$command.1" |
		grep -v 'diff.1' # its sides are described together
	grep -c '^\.Sh ' "cresset-$command.1"
done | sort | uniq -c | sed 's/^ *//'
awk -v page=formats -v about='formats' -v sections='INPUT FORMATS|OUTPUT FORMATS' -f "$SRC/docs/page.awk" \
	"$SRC/docs/cresset.1" >cresset-formats.5
awk -v page=config -v about='configuration' -v sections=CONFIGURATION -f "$SRC/docs/page.awk" \
	"$SRC/docs/cresset.1" >cresset-config.5
[ "$(grep -c '^\.It ' cresset-formats.5)" -gt 40 ] || echo 'no formats'
[ "$(wc -l <cresset-config.5)" -gt 30 ] || echo 'no configuration'
if command -v mandoc >/dev/null 2>&1; then
	mandoc -T lint cresset-*.[15] 2>/dev/null | grep -vE 'longer than 80 bytes|referenced manual not found'
fi

echo '# the tutorial'
cp "$SRC/data/demo.cresset" .
sed -n 's/^\$ cresset /cresset /p' "$SRC/docs/cresset-tutorial.7" | grep -v '^cresset record' | while read -r line; do
	code=0
	sh -c "$line" </dev/null >got 2>&1 || code=$?
	case "$code $line" in
	0\ * | 1\ cresset\ diff\ *) echo "works: $line" ;;
	*) echo "exit $code: $line"; cat got ;;
	esac
done
