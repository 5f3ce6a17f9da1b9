# The threads of a recording, each below the one that created it; names of processes; sizes of symbols and mappings.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest -q --symfs sym two.data
run cresset report two --tasks
run cresset report --no-cache --symfs sym two.data --mmaps
run cresset report two -s tgid --no-children
run cresset report two -s sym,symbol_size,dso_size --no-children --limit 6 2>&1 | grep -v missing
run cresset report two -s symbol_size --csv --limit 2 --no-children
run cresset report two -s dso,dso_size --json --no-children | grep -m 2 dso_size
printf 'a;b 1\n' >folded
run cresset report folded --tasks
run cresset merge -q -o both two two
run cresset report both --tasks
