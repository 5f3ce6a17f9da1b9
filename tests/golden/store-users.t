# A store among several users: who may read a profile, what is opened as one, who is waited for, what is reported.
. "$SRC/tests/golden/ready.sh"
before_after
needs flock
mode() { stat -c '%a %n' "$@"; }
hidden() { sed -E 's/process [0-9]+/process PID/; s/user [0-9]+/user UID/; s/[0-9:]{8} UTC/TIME/'; }

echo '# a changed profile keeps its mode'
for mode in 600 640 660 644; do
	cresset ingest before.folded -n one --replace >/dev/null
	chmod $mode .store/one.cresset
	cresset tag one a=b
	cresset note one text
	cresset ingest after.folded -n one --replace >/dev/null
	cresset merge ./.store/one.cresset after.folded -o one --replace >/dev/null
	cresset export one -f cresset -o two.cresset
	chmod $mode two.cresset
	cresset export one -f cresset -o two.cresset
	mode .store/one.cresset two.cresset
	rm -f .store/one.cresset two.cresset
done

echo '# a new one has no more permissions than its input'
for mode in 600 640 644 664; do
	chmod $mode before.folded
	cresset ingest before.folded -n "ingest$mode" >/dev/null
	cresset ingest - -n "stdin$mode" <before.folded >/dev/null
	cresset merge before.folded after.folded -o "merge$mode" >/dev/null
	cresset merge after.folded "ingest$mode" -o "again$mode" >/dev/null
	cresset export before.folded -f cresset -o "./.store/export$mode.cresset"
	cresset report before.folded >/dev/null # into the cache, whose copies are narrower
	cresset export before.folded -f cresset -o "./.store/cached$mode.cresset"
	cresset export "ingest$mode" -f cresset -o "./.store/copy$mode.cresset"
	cresset import "./.store/ingest$mode.cresset" -n "import$mode" >/dev/null
	cresset import - -n "imported$mode" <"./.store/ingest$mode.cresset" >/dev/null
done
(cd .store && mode *.cresset)
chmod 600 before.folded
cresset ingest before.folded -n import600 --replace >/dev/null
cresset ingest before.folded -n import644 --replace >/dev/null # wider than what is in it now
mode .store/import644.cresset
(umask 077 && cresset ingest after.folded -n mine >/dev/null)
mode .store/mine.cresset
rm -rf .store

echo '# FIFOs and devices are never opened as profiles'
cresset ingest before.folded -n one >/dev/null
mkfifo .store/fifo.cresset
ln -s /dev/null .store/zero.cresset # a device that the sandbox lets be opened
for name in fifo zero; do
	for command in report info 'info --sections' verify 'tag' 'note' "tag $name a=b --" 'doctor' 'export -f folded' 'merge -o x'; do
		set -- $command
		case $command in tag*=*) run cresset tag $name a=b ;; *) run cresset $command $name ;; esac
	done
	run cresset export -f cresset -o x.cresset $name
	run cresset diff one $name
done 2>&1 | sed 's/^/	/'
run cresset ls >/dev/null
run cresset verify --all
ls x.cresset .store

echo '# a FIFO is written to and not replaced, and so would be a device'
mkfifo out
cat out >got.cresset &
run cresset export one -f cresset -o out
wait
cmp got.cresset .store/one.cresset
[ -p out ] && echo 'still there'
run cresset export before.folded -f cresset -o out
ln -s real.cresset link.cresset
: >real.cresset
cresset export one -f cresset -o link.cresset
[ -L link.cresset ] && cmp real.cresset .store/one.cresset && echo 'the link stays'

echo '# who may only read a profile blocks nobody'
flock -s .store/one.cresset sh -c '
	cresset tag one a=b && cresset note one text && cresset ingest after.folded -n one --replace >/dev/null &&
	cresset mv one two && cresset mv two one && cresset tag one c=d && cresset rm one && echo done'
cresset ingest before.folded -n one >/dev/null

echo '# who holds the lock is waited for, but not for ever, and named'
: >.store/one.cresset.lock
CRESSET_LOCK_SECONDS=1 flock .store/one.cresset.lock sh -c '
	for command in "tag one a=b" "note one text" "rm one" "mv one two" "ingest after.folded -n one --replace"; do
		cresset $command
		echo "[exit $?]"
	done' 2>&1 | hidden
cresset tag one a=b
cresset tag one
ls .store
cresset ingest before.folded -n b >/dev/null
: >.store/b.cresset.lock
CRESSET_LOCK_SECONDS=0 flock .store/b.cresset.lock cresset mv one b --replace 2>&1 | hidden
ls .store

echo '# locks that were left behind do not matter'
echo 1 >.store/one.cresset.lock
: >.store/other.cresset.lock
cresset tag one e=f
ls .store
cresset ls >/dev/null
ls .store

echo '# standard output that is full or closed'
if [ -w /dev/full ]; then
	cresset ingest after.folded >/dev/null
	cresset tag after k=v
	for command in 'ingest before.folded' 'ingest before.folded -n one --replace' 'import got.cresset' 'merge one b -o sum' \
		'cache clear' 'tag after' 'cache' 'ls' 'verify --all'; do
		code=0
		cresset $command >/dev/full 2>said || code=$?
		echo "$command: exit $code: $(cat said)"
	done
	for command in 'ingest after.folded' 'tag after'; do
		code=0
		cresset $command >&- 2>said || code=$?
		echo "$command: exit $code: $(cat said)"
	done
fi
run cresset verify --all
