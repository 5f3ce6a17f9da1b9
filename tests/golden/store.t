# Ingest, list, look at, remove: what is in the store, under which name.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after

echo '# nothing yet'
run cresset ls

echo '# the name comes from the file, or is given'
run cresset ingest --symfs sym two.data
run cresset ingest before.folded after.folded
run cresset ingest -n mine before.folded
run cresset ingest --name=mine-too before.folded
list

echo '# a name is given once, unless it is to be replaced'
run cresset ingest -n mine after.folded
run cresset report mine --no-children --limit 1
run cresset ingest -n mine --replace after.folded
run cresset report mine --no-children --limit 1

echo '# without a name given: a free one'
run cresset ingest before.folded

echo '# what a profile is'
run cresset info two | grep -v '^  '
run cresset info mine

echo '# by path, and in another folder'
run cresset ingest -n ./moved.cresset before.folded
run cresset report ./moved.cresset --no-children --limit 1
run cresset report moved.cresset --no-children --limit 1
run cresset ingest --store other/place before.folded
list --store other/place
run cresset --store other/place report before --no-children --limit 1
run cresset report --store=other/place before --no-children --limit 1

echo '# removed'
run cresset rm mine mine-too
run cresset rm mine
run cresset rm nothing before after
list
ls .store other/place
leftovers .
