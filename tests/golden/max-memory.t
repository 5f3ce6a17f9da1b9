# When the memory limit is reached, the message names the limit and its option.
. "$SRC/tests/golden/ready.sh"
if grep -q __asan_init "$CRESSET"; then skip 'a program without the address sanitizer'; fi
awk 'BEGIN { for (i = 0; i < 300000; i++) print "main;f" i ";g" i * 7 " 1" }' >many.folded

limited() { # COMMAND...
	echo "\$ cresset $*"
	cresset "$@" >out 2>err
	echo "[exit $?]"
	sed 's/[0-9]* items of [0-9]* bytes/N items of N bytes/' err
	[ ! -s out ] || echo 'something was printed'
}
limited collapse many.folded --max-memory 8M
limited report many.folded --max-memory=8MiB --no-cache
limited --max-memory 8192k report many.folded --no-cache
limited ingest many.folded --max-memory 8388608
ls .store 2>/dev/null
cresset ingest many.folded >/dev/null
limited report many --max-memory 8M
limited view many -c 'print flame' --max-memory 8M
limited merge many many.folded -o sum --max-memory 8M
limited diff many many.folded --max-memory 8M
ls .store
ls "$TMPDIR"

echo '# what suffices, and none'
cresset collapse many.folded --max-memory 1G | wc -l
cresset collapse many.folded --max-memory 0 | wc -l
cresset collapse many.folded | wc -l

run cresset collapse many.folded --max-memory some
run cresset collapse many.folded --max-memory 1Q
run cresset collapse many.folded --max-memory 99999999999999999999
