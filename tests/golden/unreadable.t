# Files and directories without the right to read or write them: one line that names the reason, and exit 3.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data >/dev/null

# Root may read everything: the program then runs as root without that right.
cp two.data secret
chmod 0 secret
if [ -r secret ]; then
	needs setpriv
	cresset() { setpriv --inh-caps=-all --bounding-set=-dac_override,-dac_read_search "$CRESSET" "$@"; }
fi

mkdir shut shut-recording no-writing
cp two.data shut/x
cp two.data shut-recording/data
cp .store/two.cresset stored.cresset
chmod 0 shut stored.cresset shut-recording/data
chmod a-w no-writing

echo '# to read'
run cresset report secret
run cresset export secret -f folded
run cresset collapse secret
run cresset info secret
run cresset ingest secret
run cresset report shut/x
run cresset report shut
run cresset report shut-recording
run cresset report ./stored.cresset
run cresset import stored.cresset
run cresset diff two secret

echo '# to write'
run cresset export two -f folded -o no-writing/two.folded
run cresset ingest two.data -n ./no-writing/two.cresset

echo '# the store'
chmod 0 .store
run cresset ls
run cresset report two
run cresset ingest two.data
chmod 755 .store
chmod 0 .store/two.cresset
list
run cresset report two
chmod 644 .store/two.cresset
list
leftovers
