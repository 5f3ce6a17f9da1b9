# Each command of README.md works on the recordings in data/ as it stands there, and prints what stands below it; the
# examples of the manual work with a perf.data and an after.data.
#
# A line that begins with "$ " is followed by its output. Other commands have to end with 0, or diff with 1, and print
# something. What builds the program, or records, is not run; any other command is, so that none can be forgotten.

ln -s "$SRC/data" data
ln -s "$SRC/tests" tests
mkdir build bin
ln -s "$CRESSET" build/cresset
cat data/query.perf.data >perf.data # not cp: a source that may not be written to gives files that may not be written to

# In place of the perf that a machine may not have, for "perf script -i FILE" and for compare, which starts "perf record".
cat >bin/perf <<'PERF'
#!/bin/sh
[ "$1 $2" = "script -i" ] && exec cresset export "$3" -f script
while [ $# -gt 1 ] && [ "$1" != -o ]; do shift; done
[ "$1" != -o ] || cat perf.data >"$2"
PERF
chmod +x bin/perf
PATH=$PWD/bin:$PATH

# The blocks of code of a page: "do COMMAND" for each command, "say LINE" for each line of its output.
blocks() {
	awk '
/^    / {
	line = substr($0, 5)
	if (line ~ /^\$ /) { shown = 1; print "do", substr(line, 3) }
	else if (shown && blank) print "say \nsay", line # an empty line of the output
	else print shown ? "say" : "do", line
	blank = 0
	next
}
{ if (shown && (blank || $0 != "")) { print "end"; shown = blank = 0 } else blank = shown }
END { if (shown) print "end" }
' "$@"
}
blocks "$SRC/README.md" >lines

check() {
	code=0
	sh -c "$command" </dev/null >got 2>errors || code=$?
	case "$code $command" in
	0\ * | 1\ *cresset\ diff\ * | 1\ *cresset\ compare\ *) ;;
	*) echo "exit $code: $command"; cat errors; return ;;
	esac
	if [ -n "$shown" ]; then
		# Blanks at the ends of lines are not kept in the README.
		sed 's/ *$//' got | diff -u said - || echo "prints something else: $command"
	elif ! [ -s got ] && ! printf '%s\n' "$command" | grep -qE -- ' -o |>|^mkdir|^awk|^cresset import'; then
		echo "prints nothing: $command"
	fi
	n=$((n + 1))
}

run_lines() {
	command= shown=
	while IFS= read -r line; do
		case $line in
		say\ *) shown=yes; printf '%s\n' "${line#say }" >>said; continue ;;
		end) continue ;;
		esac
		[ -z "$command" ] || check
		command=${line#do } shown=
		: >said
		case $command in
		./bootstrap* | ./configure* | 'sudo make '* | autoreconf* | 'perf record '* | 'cresset record '*) command= ;;
		*cresset* | 'mkdir -p '* | 'awk -f tests/tools/'* | 'head '*) ;;
		*) echo "what is this: $command"; command= ;;
		esac
	done
	[ -z "$command" ] || check
}

n=0
run_lines <lines
[ "$n" -gt 20 ] || echo "only $n commands"
[ -s query.svg ] || echo 'no picture'
echo '# and a second time what is kept is not lost'
cresset merge demo query -o both

echo '# the manual'
cresset export demo -f script >perf.data
cresset export demo --time 20%..70% -f script >after.data
sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/s/^\$ /do /p' "$SRC/docs/cresset.1" | sed 's/\\&//g; s/\\e/\\/g' >lines
n=0
run_lines <lines
[ "$n" -gt 8 ] || echo "only $n examples"

echo '# the example of docs/comparing.md'
sed -n '/^## An example/,/^## What/p' "$SRC/docs/comparing.md" | blocks >lines
n=0
run_lines <lines
[ "$n" -eq 5 ] || echo "$n commands"
grep -q 'not known to have changed' words.svg || echo 'nothing is grey'

echo '# the examples of docs/latency.md'
blocks "$SRC/docs/latency.md" >lines
n=0
run_lines <lines
[ "$n" -eq 5 ] || echo "$n commands"

echo '# the pages whose commands are all run'
for page in brief stacks containers jit languages store waiting samples perf-words branches memory; do
	sed '/^## Node, step by step/q' "$SRC/docs/$page.md" | blocks >lines
	n=0
	run_lines <lines
	[ "$n" -gt 1 ] || echo "$page: $n commands"
done

echo '# the examples of docs/fleets.md'
sed -n '/^## An example/,/^## How/p; /^## In a database/,/^<!--/p' "$SRC/docs/fleets.md" | blocks >lines
n=0
run_lines <lines
[ "$n" -eq 7 ] || echo "$n commands"

echo '# the examples of docs/gates.md'
blocks "$SRC/docs/gates.md" >lines
n=0
run_lines <lines
[ "$n" -eq 7 ] || echo "$n commands"

echo '# the examples of docs/json.md'
blocks "$SRC/docs/json.md" >lines
n=0
run_lines <lines
[ "$n" -eq 3 ] || echo "$n commands"

echo '# the examples of docs/editors.md'
blocks "$SRC/docs/editors.md" >lines
n=0
run_lines <lines
[ "$n" -eq 2 ] || echo "$n commands"
