# record calls perf with what it chose, stores the recording, and prints a report. perf is a script here: it runs the
# command and writes ten samples; variables make it fail as perf does.
needs cc
mkdir fake empty
cat >fake/perf <<'SH'
#!/bin/sh
case $1 in
stat)
	echo "${CYCLES:-<not supported>},,cycles:u,0,100.00,,
${CLOCK:-0.5},msec,cpu-clock:u,0,100.00
0.5,msec,task-clock:u,0,100.00" >&2
	exit
esac
echo "perf $*" | sed 's|-o /[^ ]*|-o FILE|' >>"$LOG"
[ -z "${FORBIDDEN:-}" ] || { echo 'Access limited, see /proc/sys/kernel/perf_event_paranoid' >&2; exit 255; }
case "$*" in
*--off-cpu*) [ -n "${BPF:-}" ] || echo "Warning: option \`off-cpu' is being ignored because no BUILD_BPF_SKEL=1" >&2 ;;
*sched_switch*) [ -z "${NO_TRACING:-}" ] || { echo 'Error: No permissions to read /sys/kernel/tracing' >&2; exit 129; } ;;
*--wrong*) printf 'Error: unknown option wrong\n Usage: perf record\n  many lines\n' >&2; exit 129 ;;
esac
trap : INT TERM # perf stops, and writes what it has
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	[ "$1" != -o ] || out=$2
	shift
done
[ $# = 0 ] || shift
code=0
[ $# = 0 ] || "$@" || code=$?
[ -z "${NOTHING:-}" ] || exit "$code"
for i in 0 1 2 3 4 5 6 7 8 9; do
	printf 'prog 1 [000] 1.%03d: 1000000 cpu-clock:\n\tb3ce work (/bin/prog)\n\tb3cf main (/bin/prog)\n\n' "$i"
done >"$out"
[ "$code" -lt 128 ] || trap - INT TERM
[ "$code" -lt 128 ] || kill -s "$(kill -l "$code")" $$
exit "$code"
SH
printf '#!/bin/sh\necho "root: $1 $2"\nexec "$@"\n' >fake/sudo
printf '#!/bin/sh\nread -r line && echo "input was $line"\necho "$* to standard output"\nexit "${CODE:-0}"\n' >script
chmod +x fake/perf fake/sudo script
cat >work.c <<'C'
#include <stdlib.h>
__attribute__((noinline)) int f(char *s) { return atoi(s) + 1; }
__attribute__((noinline)) int g(char *s) { return f(s) + atoi(s); }
int main(int argc, char **argv) { return g(argv[argc - 1]) > 7; }
C
cc -O1 -fno-omit-frame-pointer -o keeps work.c && cc -O1 -fomit-frame-pointer -o keeps_none work.c || exit 1
ln -s keeps node
PATH=$PWD/fake:$PATH LOG=$PWD/log
export LOG

# What record says, with what differs between machines left out; the last command line of perf, which is the one that
# records, not the one that tries it out.
try() {
	: >log
	code=0
	printf '$ cresset record %s\n' "$*" | sed -E 's/-p [0-9]+ ?/-p PID /; s/ $//'
	cresset record --replace $stacks "$@" >out 2>err </dev/null || code=$?
	sed -E 's/[0-9]+ of [0-9]+ functions/N of N functions/; s/it is -?[0-9]+/it is N/; s/[0-9]{8}-[0-9]{6}/DATE/; s|/[^ ]*/cresset-[^ :]*|FILE|
		/^#( .*)?$/d; /^ +[0-9]/d; /^$/d; /^[^c].*Terminated$/d; /^Terminated$/d; s/-p [0-9]+/-p PID/' err
	sed 's/^/output: /' out
	sed -E -n 's/-p [0-9]+/-p PID/; $p' log
	[ "$code" -eq 0 ] || echo "[exit $code]"
}
stacks='-g fp'
one() { stacks= try -o x "$@" | grep ' stacks ' | sed 's/.*stacks/stacks/'; }

echo '# a command: what was chosen; its output is its own, and the report is on standard error'
try -o first -- ./script a b
cat err | grep -v '^cresset'
cresset ls first | sed '1d; s/ .*//'
ls -A "$TMPDIR"

echo '# how stacks are recorded'
one -- ./keeps
one -- ./keeps_none
one -- ./node
one -g -- ./keeps_none
one -g dwarf,16384 -- ./keeps
one --call-graph=fp -- ./keeps_none
printf '#!%s/keeps\n' "$PWD" >of-keeps
printf '#!/usr/bin/env -S keeps_none -x\n' >of-none
printf 'no program\n' >text
chmod +x of-keeps of-none text
one -- ./of-keeps
PATH=$PWD:$PATH one -- of-none
one -- ./text

echo '# events and times'
CYCLES=123456 try -o x -- ./script
CLOCK='<not supported>' try -o x -F max -- ./script
try -o x -e task-clock:u -F 99 --latency --perf -m 16 --all-user -- ./script
BPF=1 try -o x --off-cpu -- ./script
try -o x --off-cpu --latency -F 99 -- ./script
try -o x --off-cpu -e cycles:u -- ./script
try -o x -c 'record  -F 99 -g' -- ./script

echo '# processes and the machine'
try -o x -p $$ -- true
try -o x -p $$
try -o x -a -- true

echo '# names and files'
try ./script | sed -n 2,3p
try -o many --repeat 3 -- ./script
cresset ls | sed -n 's/^\(many[^ ]*\) .*\(record=many.*\)/\1 \2/p' | sed 's/ *$//'
try -o flame.svg --title 'A title' -- ./script
grep -q '>A title<' flame.svg && echo 'it has the title'
try -o ./some.folded -- ./script
cat some.folded
try -o some.cresset -- ./script
cresset ls | grep -c some
ls some.cresset
try -o kept --keep -- ./script
ls ./*.perf.data
try --root -o x -- ./script
try --root=./fake/sudo -o x -- ./script

echo '# how the command ends'
CODE=7 try -o x -- ./script
try -o x -- sh -c 'kill -TERM $$'
(trap - INT TERM; LOG=/dev/null cresset record --replace -o stopped -- sh -c 'trap "exit 3" TERM; echo $$ >pid; while :; do sleep 0.1; done' >out 2>err &
echo $! >record.pid; wait $!; echo "exit $?") &
while ! [ -s pid ]; do sleep 0.1; done
kill -TERM "$(cat record.pid)"
kill -TERM "$(cat pid)" 2>/dev/null
wait
grep -v '^#' err | grep cresset: | sed -n '2,$p'

echo '# what can go wrong'
try
try -a -p 1 -- true
try -p x -- true
try -p 99999999 -- true
try -- ./missing
try -c 'stat -e x' -- ./script
try --perf --wrong -- ./script
try --repeat 2 -o x.svg -- ./script
try --title x -o y -- ./script
try --call-graph=wrong -- ./script
try -c 'record -g' -F 99 -- ./script
try -o some/file -- ./script
try -o x.svg --counts -- ./script
run cresset record -o many -- ./script
FORBIDDEN=1 try -- ./script
FORBIDDEN=1 try -a
FORBIDDEN=1 try --root -a
NO_TRACING=1 try --off-cpu -- ./script
NOTHING=1 try -- ./script
try --root=./no-such -- ./script
PATH=$PWD/empty run "$CRESSET" record --replace -o x -- ./script
touch old.perf.data
run cresset record --keep -g fp -o old -- ./script
ls -A "$TMPDIR"
