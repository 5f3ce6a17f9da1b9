# Options that act when a recording is read say so if the profile is a stored one.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data >/dev/null 2>&1
printf 'a;b 1\n' >alone.folded

said() { echo "$ $*" && cresset "$@" 2>&1 >/dev/null; }
for option in '--input-format perf.data' '--unit ms' --root-first --fresh '--symfs sym' '--debug-dir sym' \
	'--kallsyms sym/none' '--vmlinux sym/none' '--map-dir sym' --no-demangle --with-source --data-types \
	--guess-callers --no-stitch; do
	# shellcheck disable=SC2086
	said report two $option --limit 1
done
said info two --data-types --symfs sym
said diff two two --data-types
said report two --data-types --quiet --limit 1
cresset report two --data-types --limit 1 --json 2>/dev/null | grep warnings

echo '# the place of files counts where code is looked up; these act on any profile'
said annotate two hash_work --symfs sym
said annotate two hash_work --symfs sym --data-types
said report two --no-inline --no-cache --force-owner --threads 1 --source-dir sym --limit 1

echo '# a recording is read'
said report two.data --symfs sym --data-types --guess-callers --limit 1
