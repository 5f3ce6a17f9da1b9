# Long help is shown by the user's pager if standard output is a terminal, and by none otherwise.
needs python3
cat >pager <<'PAGER'
#!/bin/sh
echo "pager: LESS=$LESS"
head -n 1
PAGER
chmod +x pager

# terminal COMMAND...: run it in a terminal of its own
terminal() {
	python3 -c 'import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status) if hasattr(os, "waitstatus_to_exitcode") else status >> 8)' "$@" | tr -d '\r'
}
export TERM=vt100
export PAGER=./pager
echo '# the pager, with its usual options'
terminal cresset help ls
echo '# the other variable comes first; LESS is not replaced'
CRESSET_PAGER='sed s/^/sed:/ | head -n 1' terminal cresset help ls
LESS=x terminal cresset ls --help
echo '# no pager: the short help, a dumb terminal, none wanted, not allowed, no terminal'
terminal cresset ls -h | head -n 1
TERM=dumb terminal cresset help ls | head -n 1
CRESSET_PAGER= terminal cresset help ls | head -n 1
CRESSET_PAGER=cat terminal cresset help ls | head -n 1
CRESSETSECURE=1 terminal cresset help ls | head -n 1
cresset help ls | head -n 1
echo '# a pager that is not there'
CRESSET_PAGER=./nothing terminal cresset help ls
