# What several cases start from; they read it with . "$SRC/tests/golden/ready.sh".

# two.data is the recording of the fixtures, with a date that stays; sym holds its program. With
# --symfs sym nothing of the machine the test runs on gets into the output.
two_threads() {
	mkdir -p sym/srv/fixture
	cat "$FIX/good-two-threads.elf" >sym/srv/fixture/two_threads
	cat "$FIX/good-two-threads.perf.data" >two.data
	touch -t 202601020304.05 two.data
}

# Two builds of a small server: in the second one lex is slower, and render has become draw_all.
before_after() {
	cat >before.folded <<'FOLDED'
server;main;parse;lex 300
server;main;parse 100
server;main;render;draw 400
server;main;wait 200
FOLDED
	cat >after.folded <<'FOLDED'
server;main;parse;lex 500
server;main;parse 100
server;main;draw_all;draw 200
server;main;wait 200
FOLDED
	touch -t 202601020304.05 before.folded after.folded
}

# The store, without the sizes of its files: they are up to the version of zstd.
list() {
	echo '$ cresset ls'
	cresset ls "$@" 2>&1 | sed -E 's/ +[0-9.]+ k?B  /  -  /; s/ +SIZE  /  SIZE  /'
}

# The copies in the cache, without when they were used, and their sizes, which are up to the version of zstd.
cached() {
	echo '$ cresset cache ls'
	cresset cache ls 2>&1 | sed -E '/^#/d; s/^  [-0-9]+ [0-9:]+ +[0-9.]+ k?B +//; s/^([0-9]+ [a-z]+), [0-9.]+ k?B of/\1 of/' |
		LC_ALL=C sort
}

# The names of all files in the store, also of those that ls does not show.
leftovers() {
	find "${1:-$CRESSET_STORE}" -type f ! -name '*.cresset' 2>/dev/null | sed 's/.*/left: &/'
}

# Shows the exit code of "cresset ..." and how many lines are on its standard error, one a call.
brief() {
	brief_code=0
	cresset "$@" >.brief.out 2>.brief.err || brief_code=$?
	printf 'exit %d, %d lines out: ' "$brief_code" "$(wc -l <.brief.out)"
	if [ -s .brief.err ]; then cat .brief.err; else echo 'no complaint'; fi
}
