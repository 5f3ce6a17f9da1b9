# Source and instructions of a function as the browser shows them. Instructions need libcapstone: of those only the costs.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data
cp "$FIX/good-inlined.cresset" with.cresset

echo '# lines that the profile has'
cresset view "$SRC/data/demo.cresset" -c 'size 80 24; select sqlite3BtreeIndexMoveto; print source' | grep -v '⚠' | head -n 40
echo '# the hottest line, and the next ones'
cresset view "$SRC/data/demo.cresset" -c 'size 80 24; select sqlite3BtreeIndexMoveto; view source; print selected; hot next; print selected; hot previous; hot first; print selected' |
	grep -v '⚠'
echo '# no source, no code'
run cresset view with.cresset -c 'size 80 24; select order(int*, int*); print source'
run cresset view with.cresset -c 'size 80 24; select order(int*, int*); print source; listing code; print source'
echo '# instructions'
cresset view two -c 'size 80 24; select count_primes; listing code; print source' | grep -v '⚠' | cut -c 1-35 | grep '[0-9]\.[0-9]'

echo '# a dso is no function: what was shown before is gone'
cresset view "$SRC/data/demo.cresset" -c 'select sqlite3Step; view source; print source; granularity dso; select 3; listing next; print source' |
	tail -n 4

echo '# what is wrong'
run cresset view two -c 'listing everything'
run cresset view two -c 'hot last'
