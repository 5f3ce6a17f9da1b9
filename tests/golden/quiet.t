# --quiet: no warnings and no progress on standard error; errors remain, and --json still has the warnings.
printf 'a;b 3\na;b;c 5\na;b;d 5\nno count\n' >part.folded
printf 'a;b 3\na;b;c 5\n' >whole.folded
both() { # COMMAND...: standard error without and with -q
	cresset "$@" 2>said >out || :
	cresset -q "$@" 2>quiet >quiet.out || :
	cmp out quiet.out
	echo "$1: $(wc -l <said | tr -d ' ') lines, $(wc -l <quiet | tr -d ' ') with -q"
	cat quiet
}
both report --no-cache part.folded
both callers --no-cache part.folded b
both info --no-cache part.folded
both brief --no-cache part.folded
both doctor --no-cache part.folded
both diff --no-cache part.folded whole.folded --csv --fail-over nobody=1%
both export --no-cache part.folded -f folded
both view --no-cache part.folded -c 'print flame'
both ingest --replace part.folded
both verify part
echo '# errors remain'
both report missing.data
both report --no-such-option part.folded
echo '# warnings in JSON'
cresset report --no-cache --quiet part.folded --json | tail -n 1
echo '# also behind the command, and with a letter'
cresset report --no-cache part.folded -q --limit 1 2>&1 | grep warning || echo none
