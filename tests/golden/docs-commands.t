# Every command of cresset in every page of docs/ is one that cresset understands: it ends with 0, or with 1 if nothing was
# found or a comparison found a change. readme.t compares what the examples print; here the files that a page speaks of
# are stand-ins, and what records or compares programs is not run.
export CRESSET_STORE="$PWD/store"
mkdir store bin
ln -s "$SRC/data" data
ln -s "$SRC/tests" tests

# Other programs in a pipe read their input.
for program in duckdb flamegraph.pl stackcollapse-perf.pl; do
	printf '#!/bin/sh\nexec cat >/dev/null\n' >"bin/$program"
done
printf '#!/bin/sh\nexec cat perf.data\n' >bin/perf
chmod +x bin/*
PATH=$PWD/bin:$PATH

# Two threads, with the functions that pages name.
stand_in() {
	awk -v seed="$1" 'BEGIN {
		for (i = 0; i < 400; i++) {
			printf "%s %d/%d [000] %d.%03d000: 1000 cpu-clock:\n", i % 2 ? "reader" : "writer", 7, 7 + i % 2, i / 40, i % 40 * 25
			printf "\t1000 %s (/bin/app)\n\t2000 main (/bin/app)\n\n", (i * seed) % 7 < 3 ? "checksum" : "parse"
		}
	}'
}
for name in perf perf-1 perf-2 old new old-1 old-2 old-3 new-1 new-2 new-3 weigh; do
	stand_in $((${#name} + 2)) >$name.data
done
cresset ingest -n query data/query.perf.data --debug-dir data/debug >/dev/null 2>&1
cresset import data/demo.cresset >/dev/null 2>&1
awk -f "$SRC/tests/tools/make-fleet.awk" -v hosts=3 -v samples=20
cresset ingest -n pack perf.data >/dev/null 2>&1

# Profiles of a fleet, in the working directory and in the store.
for i in 1 2; do
	cp data/compare/before-$i.cresset "web-$i.cresset"
	chmod u+w "web-$i.cresset"
	cresset tag "./web-$i.cresset" version=$i
	cp "web-$i.cresset" "p$i.cresset"
done >/dev/null 2>&1

fleet() {
	rm -f store/web.cresset
	case $1 in
	*tag.version*) cresset merge --fold --by comm,tag.version web-1.cresset web-2.cresset -o web ;;
	*host=*) cresset merge --fold --by comm,host web-1.cresset web-2.cresset -o web ;;
	*merge*) cp web-1.cresset web1.cresset; cp web-2.cresset web2.cresset; rm -f store/web*.cresset ;;
	*) cresset merge --fold web-1.cresset web-2.cresset -o web ;;
	esac >/dev/null 2>&1
}

for page in "$SRC"/docs/*.md; do
	name=$(basename "$page" .md)
	# Lines of code that begin with cresset or have it after a prompt or a pipe, without those that are cut or go on.
	sed -n 's/^    //p' "$page" | sed -n 's/^[a-z0-9]*\$ *//; /^\(mkdir\|printf\|perf script\|cresset\) .*/p' |
		grep 'cresset' | grep -vE '\|$|\\$|\.\.\. |cresset (record|compare) ' >commands
	while IFS= read -r command; do
		[ "$name" != fleets ] || fleet "$command"
		code=0
		sh -c "$command" </dev/null >out 2>errors || code=$?
		echo "$name $code" >>all
		case $code in
		0) ;;
		1) grep -qE 'no samples left|fail-' errors || case $command in *diff* | *fail-if* | *grep*) ;; *) echo "$name: exit 1: $command"; cat errors ;; esac ;;
		*) echo "$name: exit $code: $command"; cat errors ;;
		esac
	done <commands
done
[ "$(wc -l <all)" -gt 60 ] || echo "only $(wc -l <all) commands"
for name in collapse comparing containers exporting fleets flamegraph gates jit json languages latency stacks store; do
	grep -q "^$name " all || echo "$name: no command"
done
