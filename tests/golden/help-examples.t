# Each example of the help works. Those of record and compare, which need perf, are not run; "cresset" alone has
# nothing to print here. The functions and threads of the examples have others in their places that the recording has.
cresset export "$SRC/data/demo.cresset" -f script >perf.data
cresset export "$SRC/data/demo.cresset" --time 20%..70% -f script >after.data
for name in before old; do cresset ingest -n "$name" perf.data >/dev/null 2>&1; done
cresset ingest -n after after.data >/dev/null 2>&1
cresset export before -f cresset -o tuesday.cresset
cresset export before -f folded >stacks.folded
cresset export after -f folded >later.folded
function=$(cresset report --no-children -s sym --limit 1 --csv before | sed -n 2p | cut -d , -f 3)
thread=$(cresset report --no-children -s comm --limit 1 --csv before | sed -n 2p | cut -d , -f 3)

for command in $(cresset -h | sed -n 's/^  \([a-z][a-z0-9-]*\)  .*/\1/p'); do
	cresset help "$command" | sed -n '/^Examples/,/^$/s/^  \(cresset [^ ].*\)/\1/p' | sed 's/   *.*//'
done | grep -vE '^cresset (record|compare) |^cresset$' |
	sed "s/ words / $thread /; s/\^malloc/./; s/ malloc\$/ '$function'/; s/ main\>/ '$function'/" >lines
n=0
while IFS= read -r command; do
	code=0
	sh -c "$command" </dev/null >got 2>errors || code=$?
	case "$code $command" in
	0\ * | 1\ *cresset\ diff\ *) ;;
	1\ *latency*) grep -q 'no times off the CPU' errors || cat errors ;;
	1\ *c2c*) grep -q 'no data addresses' errors || cat errors ;;
	*) echo "exit $code: $command"; cat errors ;;
	esac
	n=$((n + 1))
done <lines
[ "$n" -gt 40 ] || echo "only $n examples"
cat lines
