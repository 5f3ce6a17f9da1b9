# A file that an input names is not shown and not stored: neither by its path, nor through --symfs.
. "$SRC/tests/golden/ready.sh"
echo 'the canary sings' >canary
chmod 600 canary
mkdir -p sys outside
cp canary outside/canary
ln -s "$PWD/canary" sys/link.c
ln -s ../canary sys/up.c

# Does anything of it appear, in what is printed or in what is stored?
silent() {
	"$@" >out 2>&1
	if grep -rqa 'canary sings' out .home; then echo "$1 $2: it sings"; else echo "$1 $2: silent"; fi
}

n=0
for path in "$PWD/canary" "/../canary" "/../../../../../../..$PWD/canary" /link.c /up.c "/proc/self/root$PWD/canary" ../canary; do
	n=$((n + 1))
	cat >p$n.json <<JSON
{"\$schema": "https://www.speedscope.app/file-format-schema.json",
 "shared": {"frames": [{"name": "f", "file": "$path", "line": 1}]},
 "profiles": [{"type": "sampled", "name": "main", "unit": "none", "startValue": 0, "endValue": 1,
  "samples": [[0]], "weights": [1]}]}
JSON
	printf 'x 1 [000] 1.000000: 1 cycles:\n\t    1000 f (/bin/x)\n  %s:1\n\n' "$path" >p$n.script
	for input in p$n.json p$n.script; do
		silent cresset ingest "$input" -n "$input" --with-source
		silent cresset annotate "$input" f
		silent cresset ingest "$input" -n "$input.s" --with-source --symfs "$PWD/sys"
		silent cresset annotate "$input.s" f --symfs "$PWD/sys"
		silent cresset ingest "$input" -n "$input.d" --with-source --source-dir "$PWD/sys"
		silent cresset report "$input" --sort srcline
		silent cresset export "$input" -f script -o -
	done
done | sort | uniq -c | sed 's/^ *//'
echo "# below a directory that the user names it is"
cp outside/canary sys/plain.c
sed 's#"file": "[^"]*"#"file": "/elsewhere/plain.c"#' p1.json >plain.json
cresset annotate plain.json f --lines --source-dir "$PWD/sys" | grep sings
echo "# files that are there and not opened: why is reported, not that there are none"
mkdir -p found/tmp/perf-5.map found/srv/fixture
mkfifo found/srv/fixture/two_threads
cresset info "$FIX/made-fields.perf.data" --symfs found | grep '^missing: .*perf-5.map'
cresset info "$FIX/good-two-threads.perf.data" --symfs found | grep '^missing: .*two_threads'
cresset info "$FIX/good-two-threads.perf.data" --symfs sys | grep '^missing: .*two_threads'
