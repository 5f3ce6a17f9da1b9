# The page of cresset brief: text and JSON, its commands, what changed, at most 4 KB.
. "$SRC/tests/golden/ready.sh"
cp -r "$SRC/data/debug" debug
chmod -R u+w debug
load="--symfs debug --debug-dir debug"
cat "$SRC/data/query.perf.data" >query.data

echo '# of a recording'
run cresset brief $load query.data
run cresset brief --json $load query.data

echo '# the commands that it names work'
cresset brief $load query.data | sed -n 's/^  \(cresset .*\)/\1/p' >commands
while read -r command; do
	sh -c "$command $load" >out 2>&1 || { echo "exit $? of $command"; cat out; }
done <commands
wc -l <commands

echo '# since the last profile of the same command; the same recording is none'
touch -t 202601020304.05 query.data
cresset ingest $load query.data -n first
run cresset brief first
touch -t 202601030304.05 query.data
cresset ingest $load query.data -n second
run cresset brief second
cresset brief --json second | grep '^"changes"'
cresset ingest $load query.data -n copy
cresset brief copy | grep '^since'

echo '# perf wrote another file; a date of another form, so the time of storing counts'
script() {
	printf '# captured on    : Fri Jan  %s 03:04:05 2026\n# cmdline : perf record -g -o /tmp/%s -F 9 -- ./%s\n' "$1" "$2" "$3"
	printf '%s 7/7 1.000000: 1 cycles:\n\t10 f (/bin/x)\n\n' "$3"
}
script 2 abc work >1.script
script 3 def work >2.script
script 4 def rest >3.script
for i in 1 2 3; do
	cresset ingest -q $i.script -n run$i
	touch -t 20260101030$i.05 "$CRESSET_STORE/run$i.cresset"
done
for i in 1 2 3; do
	cresset brief run$i | grep -E '^(since|recorded)'
done

echo '# filters and conditions'
run cresset brief first --time ..50% --fail-if 'self:sqlite3VdbeExec>1%'
run cresset brief first --comm nobody

echo '# names that are long or odd'
long=$(printf '%0900d' 0 | tr 0 n)
for i in 1 2 3 4 5 6 7 8 9; do
	echo "main;it's $i <b>;f$i$long 1$i"
done >long.folded
printf "main;it's <b> 30\n" >odd.folded
cresset brief long.folded | wc -c
cresset brief --json long.folded | wc -c
cresset brief long.folded | grep -c cresset
run cresset brief odd.folded
cresset brief odd.folded | sed -n 's/^  \(cresset .*\)/\1/p' >commands
while read -r command; do
	echo "$command"
	sh -c "$command" | tail -n 1
done <commands

echo '# names that begin with a minus'
printf 'main;-[View draw] 7\nmain;other 2\n' >objc.txt
cp objc.txt ./-objc.txt
cresset brief -q objc.txt | sed -n '/^next/,$p'
cresset brief -q -- -objc.txt | sed -n '/^next/,$p'
