# Killed at any moment, an ingest leaves the store as it was: what is listed is whole, and the next
# look at the store clears away the rest.
. "$SRC/tests/golden/ready.sh"
awk -v lines=3000 -f "$SRC/tests/tools/make-folded.awk" >many.folded
cresset report many.folded --store aside --limit 10 >want
start=$(date +%s%N)
cresset ingest many.folded -n whole --store aside >/dev/null
took_ms=$((($(date +%s%N) - start) / 1000000))

wrong() {
	echo "round $round: $*"
	exit 1
}

check() {
	cresset ls >listed 2>said || wrong "ls fails: $(cat said)"
	[ -n "$(leftovers)" ] && wrong "$(leftovers)"
	for file in .store/*.cresset; do
		[ -e "$file" ] || continue
		cresset report "$file" --limit 10 >got 2>said || wrong "$file: $(cat said)"
		cmp -s got want && [ ! -s said ] || wrong "$file is not whole: $(cat said)"
	done
}

# Until the ingest is writing its file, or is done.
writing() {
	while [ ! -s told ]; do
		set -- .store/*.tmp.*
		[ -e "$1" ] && return
	done
}

# start, wait in some way, kill.
killed() {
	: >told
	cresset ingest many.folded "$@" >told 2>&1 &
	pid=$!
	if [ $((round % 2)) -eq 0 ]; then
		ms=$((took_ms * (round % 20 + 1) / 20))
		sleep "$((ms / 1000)).$(printf '%03d' $((ms % 1000)))"
	else
		writing
	fi
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	check
}

round=0
while [ $round -lt 20 ]; do
	round=$((round + 1))
	killed
	rm -f .store/*.cresset
done
echo 'never a half'

# Replacing: the old one or the new one.
rm -rf .store
cresset ingest many.folded -n one >/dev/null
while [ $round -lt 26 ]; do
	round=$((round + 1))
	killed -n one --replace
	[ -f .store/one.cresset ] || wrong 'neither the old one nor the new one'
done
echo 'always one'

# Several at a time do not get into each other's way.
rm -rf .store
for i in 1 2 3 4; do
	cresset ingest many.folded -n "by$i" >/dev/null &
done
wait
check
ls .store
