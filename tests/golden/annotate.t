# What each line and each instruction of a function cost, its code and its source out of the store.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data
rm -rf sym

# Without libcapstone there are no instructions: that is left out, and of addresses are told those with a self.
annotate() {
	annotate_code=0
	cresset annotate "$@" >.annotate 2>&1 || annotate_code=$?
	sed 's/, not disassembled: .*//' .annotate
	return "$annotate_code"
}
self_by_address() {
	cresset annotate "$@" --asm | sed -n 's/^ *\([0-9.]* %\) .*: *\([0-9a-f]*\): .*/\2 \1/p' | grep -v ' 0\.00 %'
}

echo "# code without the binary"
annotate two count_primes --asm | sed -n '1,/^$/p'
self_by_address two count_primes
self_by_address two count_primes --percent-type global-hits --percent-limit 10
self_by_address two hash_bytes --comm 'hash worker' --percent-type global-period
echo "# a caller is at its call; of what is too cold to be kept there are addresses"
cresset annotate two hash_work --csv | grep -v ',0,0,0,0,' | cut -d , -f 1-10
cresset annotate two hash_work --json | head -n 1
echo '# for programs too only what is asked for'
for how in --lines --asm '--lines --percent-limit 20'; do
	# shellcheck disable=SC2086
	cresset annotate two hash_work --csv $how | cut -d , -f 1 | sort | uniq -c | sed 's/^ *//'
done
if cresset annotate two count_primes --asm | grep -q 'not as instructions'; then
	echo "instructions, and where a jump goes"
else
	cresset annotate two count_primes --asm | grep -q ' j[a-z]* .*<count_primes+0x[0-9a-f]*>$' &&
		echo "instructions, and where a jump goes"
fi
echo
echo "# lines, and what is inlined at them"
cp "$FIX/good-inlined.cresset" with.cresset
run annotate ./with.cresset /^order/ --lines --symfs nowhere
run annotate ./with.cresset /swap/ --percent-limit 50 --symfs nowhere
echo
echo "# source lines are kept when they are asked for"
mkdir src
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "	line_$i()"; done >src/p.py
cat >s.json <<JSON
{"\$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [
  {"name": "outer", "file": "$PWD/src/p.py", "line": 14},
  {"name": "inner", "file": "$PWD/src/p.py", "line": 9},
  {"name": "inner", "file": "$PWD/src/p.py", "line": 19}]},
 "profiles": [{"type": "sampled", "name": "main", "unit": "none", "startValue": 0, "endValue": 2,
  "samples": [[0, 1], [0, 2], [0, 2]], "weights": [1, 1, 1]}]}
JSON
touch -t 202601020304.05 s.json src/p.py
cresset ingest s.json -n without
cresset ingest s.json -n untrusted --with-source
echo "# a file that the input alone names is read only below a directory that the user names"
run annotate untrusted inner --lines
cresset ingest s.json -n with --with-source --source-dir "$PWD/src"
run annotate without inner --source-dir "$PWD/src"
touch src/p.py
cresset annotate without inner --source-dir "$PWD/src" | grep '^# source'
rm src/p.py
run annotate without outer
run annotate with inner
run annotate with inner --no-source --percent-limit 60
echo
echo "# one whole for self and total, whichever it is: no self is above its total"
cat >calls.json <<'JSON'
{"$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [
  {"name": "main", "file": "m.c", "line": 3}, {"name": "work", "file": "m.c", "line": 14},
  {"name": "work", "file": "m.c", "line": 16}, {"name": "help", "file": "m.c", "line": 30}]},
 "profiles": [{"type": "sampled", "name": "main", "unit": "none", "startValue": 0, "endValue": 100,
  "samples": [[0], [0, 1], [0, 2, 3], [0, 2]], "weights": [50, 20, 25, 5]}]}
JSON
for type in total-period local-period global-period total-hits local-hits global-hits; do
	echo "# $type"
	cresset annotate calls.json work --percent-type $type | grep -E '^# (self|shares)|m.c:'
	cresset annotate calls.json work --percent-type $type --csv | cut -d , -f 3,7,9,11-12
	for function in /^count_primes/ /^hash_work/ /^hash_bytes/ /^descend/ /^main/; do
		cresset annotate two $function --percent-type $type |
			sed -n 's/^ *\([0-9.]*\) % *\([0-9.]*\) % :.*/\1 \2/p' | awk -v f=$function '$1 > $2 { print f, "self", $1, "total", $2 }'
	done
done
run annotate calls.json work --percent-type local
echo
echo "# the demonstration has code and source of its hot functions"
demo=$SRC/data/demo.cresset
annotate "$demo" sqlite3VdbeExec --symfs nowhere | sed -n '1,/code and its lines/p'
cresset report "$demo" --no-children --sort dso,sym --percent-limit 0.2 --csv |
	awk -F , '$3 == "sqlite3" || $3 == "zstd" { print $3, $4 }' >hot
while read -r dso name; do
	cresset annotate "$demo" "$name" --in "$dso" --csv --symfs nowhere 2>/dev/null >rows ||
		{ echo "$name: not one function"; continue; }
	# Lines that cost something, and the text of what they cost.
	awk -F , -v name="$name" '$1 == "line" && $3 != "" && $2 ~ /^.opt.demo/ { all += $8; if ($13 != "") told += $8 }
		END { if (told < 0.9 * all || !all) print name ": no text" }' rows
done <hot
echo "hot functions: $(wc -l <hot)"
echo
echo "# which function"
run annotate two nothing
run annotate two '/^hash/'
run annotate two '/(/'
run annotate two count_primes --in two_threads --percent-type local
run annotate two count_primes --in libc.so.6
run annotate two nothing --in libc.so.6
run annotate two ''
run annotate two count_primes --comm child --lines
run annotate two count_primes --pid 1
run annotate two || :
