# A stored profile with one byte changed: one line and exit 3, or the same output, or a warning with
# what was kept. Never a crash, never other numbers without a word.
. "$SRC/tests/golden/ready.sh"
before_after
two_threads
{
	cat before.folded
	awk 'BEGIN { for (i = 0; i < 40; i++) print "main;f" i % 7 ";g" i % 11 ";h" i " " i + 1 }'
} >some.folded

# What of the profile is looked at, of the copy at hand: into got.out, got.err, got.code.
look() {
	code=0
	cresset report ./x.cresset --limit 0 >got.out 2>got.err || code=$?
	cresset export ./x.cresset -f folded >>got.out 2>>got.err || code=$?
	cresset export ./x.cresset -f script >>got.out 2>>got.err || code=$?
}

wrong() {
	echo "$1, byte $at: $2"
	sed 's/^/	/' got.err | head -n 3
	bad=$((bad + 1))
	[ $bad -lt 10 ] || exit 1
}

try() {
	cp "$1" x.cresset
	look
	cp got.out want.out
	[ $code -eq 0 ] && [ ! -s got.err ] || { echo "$1 is not right to begin with"; exit 1; }
	size=$(wc -c <"$1")
	at=0 bad=0 tried=0
	# About 100 places: all of head and tail in steps of 7, the rest evenly.
	step=$(((size - 128) / 80 + 1))
	while [ $at -lt $size ]; do
		cp "$1" x.cresset
		# The complement, so that it is another byte whatever it was.
		byte=$(od -An -tu1 -j $at -N 1 x.cresset | tr -d ' ')
		printf "\\$(printf %o $((255 - byte)))" | dd of=x.cresset bs=1 seek=$at conv=notrunc 2>/dev/null
		look
		tried=$((tried + 1))
		if [ $code -ne 0 ] && [ $code -ne 3 ]; then
			wrong "$1" "exit $code"
		elif [ $code -eq 3 ] && [ ! -s got.err ]; then
			wrong "$1" 'exit 3 without a word'
		elif [ $code -eq 0 ] && [ ! -s got.err ] && ! cmp -s got.out want.out; then
			wrong "$1" 'another output without a word'
		elif grep -q -v '^cresset: \(standard output\|[^ ]*x.cresset\): ' got.err; then
			wrong "$1" 'a message of another kind'
		fi
		if [ $at -lt 24 ] || [ $at -ge $((size - 40)) ]; then at=$((at + 7)); else at=$((at + step)); fi
	done
	[ $tried -gt 40 ] && [ $bad -eq 0 ] && echo "$1: all places are safe"

	echo "# cut"
	for len in 0 1 8 23 24 100 $((size / 2)) $((size - 41)) $((size - 1)); do
		head -c $len "$1" >x.cresset
		at=$len
		look
		[ $code -eq 3 ] || wrong "$1" "cut: exit $code"
	done
	cp "$1" x.cresset
	echo more >>x.cresset
	look
	echo "with something behind it: exit $code"
}

cresset ingest --symfs sym two.data -n ./two.cresset >/dev/null
cresset ingest some.folded -n ./some.cresset >/dev/null
try two.cresset
try some.cresset

echo '# in the store: ls goes on, the source is read again'
cresset ingest some.folded >/dev/null
cresset ingest --symfs sym two.data >/dev/null
head -c 100 some.cresset >.store/cut.cresset
: >.store/empty.cresset
echo text >.store/text.cresset
list | sed -E "1d; /^cresset:/!s/ .*//"
echo '# removed in spite of it'
run cresset rm cut empty text
list | sed -E "1d; /^cresset:/!s/ .*//"
