# compare records two commands in turn, stores the recordings with tags, and prints the difference. perf is a script
# here: it runs the command, and writes samples of the functions and costs that stand in the file COMMAND.costs.
. "$SRC/tests/golden/ready.sh"
mkdir fake empty
cat >fake/perf <<'SH'
#!/bin/sh
case $1 in
stat) echo "${CYCLES:-<not supported>},,cycles,0,100.00,," >&2; exit ;;
esac
[ -z "${FORBIDDEN:-}" ] || { echo 'Access limited, see /proc/sys/kernel/perf_event_paranoid' >&2; exit 255; }
echo "perf $*" | sed 's|-o [^ ]*|-o FILE|' >>log
while [ "$1" != -- ]; do
	[ "$1" != -o ] || out=$2
	shift
done
shift
"$@" || exit
while read -r name cost; do
	for i in $(seq "$cost"); do
		printf '%s 1 [000] %s.%03d: 1000000 cpu-clock:\n\tb3ce %s (/bin/prog)\n\n' "$1" 1 "$i" "$name"
	done
done <"$1.costs" >"$out"
SH
for command in old new; do
	printf '#!/bin/sh\nread -r line && echo "input was $line"\necho "$0 $* has run" >&2\n[ "$1" != fail ]\n' >$command
	chmod +x $command
done
chmod +x fake/perf
PATH=$PWD/fake:$PATH
printf 'parse 300\ndraw 300\nload 400\n' >old.costs
printf 'parse 150\ndraw 450\nload 400\n' >new.costs
numbers() { sed -E 's/[0-9.]+ m?s\b/N s/g; s/[0-9.]+ points/N points/; s/[^ ]*: [0-9:]*( [.]\/missing: not found)/\1/'; }
verdicts() { sed -nE 's/.*(changed [-+]) +([a-z]+).*/\2 \1/p'; }

echo '# in turn, after a warm-up of each'
cresset compare -o t -- ./old 1 -- ./new 1 2 2>err | verdicts
numbers <err
cat log
cresset ls t-* | sed '1d; s/ \+cpu-clock.*compare/ compare/; s/ *$//'

echo '# the names are taken; other options; fewer runs'
run cresset compare -n 1 -o t -- ./old -- ./new
rm log
CYCLES=123456 cresset compare --json -n 1 -o t --replace -F 99 -g dwarf -- ./old -- ./new 2>err | grep -oE '"command": "[a-z]*"|"recordings": 1'
tail -n 1 err
sort -u log
rm log
cresset compare --limit 1 -n 1 -o u -e task-clock -- ./old -- ./old >/dev/null 2>err || echo "exit $?"
sort -u log

echo '# until a change can be detected'
cresset compare --csv --limit 1 -n 1 -o v --until-detectable 7% -- ./old -- ./new >/dev/null 2>err || echo "exit $?"
numbers <err
cresset compare --csv --limit 1 -n 1 -o w --until-detectable 0.1% --max-runs 2 -- ./old -- ./new >/dev/null 2>err
tail -n 2 err | numbers

echo '# what can go wrong'
run cresset compare -- ./old
run cresset compare -- ./old --
run cresset compare -- ./old -- ./new -- x
run cresset compare -o ./x -- ./old -- ./new
run cresset compare --until-detectable x -- ./old -- ./new
run cresset compare -o x -- ./old -- ./new fail
run cresset compare -o x -- ./missing -- ./new 2>&1 | numbers
FORBIDDEN=1 run cresset compare -o x -- ./old -- ./new 2>&1 | sed 's/it is [-0-9]*/it is N/'
PATH=$PWD/empty run "$CRESSET" compare -o x -- ./old -- ./new
: >new.costs
cresset compare -o x -- ./old -- ./new 2>err || echo "exit $?"
sed 's|/[^ ]*/cresset-[^ ]*:|FILE:|' err | numbers
