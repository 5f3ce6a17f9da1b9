# Tables in colour: which cells, when, and that nothing else changes. A pipe has none unless they are asked for.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data >/dev/null
cat "$SRC/data/latency.perf.data" >latency.data
head -c 9000 "$SRC/data/demo.cresset" >.store/damaged.cresset
compare=$SRC/data/compare
cat "$compare"/before-1.cresset >one.cresset
cat "$compare"/after-1.cresset >other.cresset
esc=$(printf '\033')
shown() { LC_ALL=C sed "s/$esc/ESC/g"; }
without() { LC_ALL=C sed "s/$esc\[[0-9]*m//g"; }

echo '# heads are bold, shares of 5 % red, of 0.5 % green'
cresset report two --color always --no-children -s comm,dso --limit 5 | shown
cresset callers two count_primes --color=always | shown | tail -n 4
echo '# verdicts: a higher cost is red, a lower one green, what is not known to have changed dim'
cresset diff --report --color always --all --limit 7 "$compare"/before-?.cresset -- "$compare"/after-?.cresset |
	shown | grep -v '^# [ab]'
echo '# a damaged profile is red'
cresset ls --color always 2>/dev/null | shown | sed -E 's/[0-9.]+ k?B/SIZE/; s/ +ESC/ ESC/g'

echo '# the text is the same'
while read -r command; do
	cresset $command >plain 2>/dev/null || :
	cresset $command --color always >colored 2>/dev/null || :
	cresset $command --color never >never 2>/dev/null || :
	[ -s plain ] || echo "nothing: $command"
	cmp plain never || echo "not plain: $command"
	! grep -q "$esc" plain || echo "colours in a pipe: $command"
	grep -q "$esc" colored || echo "no colours: $command"
	without <colored | cmp - plain || echo "another text: $command"
done <<COMMANDS
report two
report two -g
report two --hierarchy --sort comm,dso,sym
report two -s comm,dso,sym -w 10,0,5
report two --limit 3 --short-names
callers two count_primes
callees two main
threads two
latency latency.data
latency latency.data --by comm
ls
diff --report one.cresset other.cresset
COMMANDS
echo '# not in data'
for form in --csv --json --markdown '-t ;'; do
	! cresset report two $form --color always | grep -q "$esc" || echo "colours: $form"
done

echo '# the environment'
has() { # WHAT COMMAND...
	what=$1
	shift
	if "$@" | grep -q "$esc"; then echo "$what: colours"; else echo "$what: none"; fi
}
has 'a pipe' cresset threads two
has 'CLICOLOR_FORCE=1' env CLICOLOR_FORCE=1 cresset threads two
has 'CLICOLOR_FORCE=0' env CLICOLOR_FORCE=0 cresset threads two
has 'CLICOLOR_FORCE=1, NO_COLOR=1' env CLICOLOR_FORCE=1 NO_COLOR=1 cresset threads two
has 'CLICOLOR_FORCE=1, an empty NO_COLOR' env CLICOLOR_FORCE=1 NO_COLOR= cresset threads two
has 'CLICOLOR_FORCE=1, --color never' env CLICOLOR_FORCE=1 cresset threads two --color never
has 'NO_COLOR=1, --color always' env NO_COLOR=1 cresset threads two --color always
run cresset threads two --color sometimes || :
