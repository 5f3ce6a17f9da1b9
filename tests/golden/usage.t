# Wrong use: one line that says what is wrong, exit 2, and nothing done.
. "$SRC/tests/golden/ready.sh"
before_after

echo '# options that are not there'
run cresset report --nothing before.folded
run cresset --nothing
run cresset report -z before.folded
run cresset ls --limit 3
run cresset ingest --comm a before.folded
run cresset report --limit=3 --limits=3 before.folded

echo '# a value is missing, or there is one too many'
run cresset report --limit
run cresset report before.folded --comm
run cresset --store
run cresset report --strict=yes before.folded
run cresset export -f

echo '# values that make no sense'
run cresset report --limit many before.folded
run cresset report --limit -1 before.folded
run cresset report --limit 4294967296 before.folded
run cresset report --tid x before.folded
run cresset report --pid 99999999999 before.folded
run cresset report --cpu -1 before.folded
run cresset report --time 5 before.folded
run cresset report --time 5..3 before.folded
run cresset report --time a..b before.folded
run cresset report --time nan.. before.folded
run cresset report --time ..1e99 before.folded
run cresset report --sort size before.folded
run cresset report --order size before.folded
run cresset report --input-format elf before.folded
run cresset report -e cycles before.folded
run cresset export -f gif before.folded
run cresset export -o x.gif before.folded
run cresset export before.folded
run cresset export -f svg --width 10 before.folded
run cresset export -f svg --palette mauve before.folded
run cresset diff -f script before.folded after.folded

echo '# too many arguments, or too few'
run cresset report
run cresset report before.folded after.folded
run cresset diff before.folded
run cresset ls all
run cresset rm
run cresset ingest
run cresset ingest -n one before.folded after.folded
run cresset collapse before.folded after.folded
run cresset before.folded after.folded

echo '# no such thing'
run cresset report nothing
run cresset report ./nothing
run cresset report ''
run cresset report .
run cresset report -- --limit
run cresset report --comm nobody before.folded

echo '# what was left behind by all that'
find . -path ./.home -prune -o '(' -name '*.cresset' -o -name '*.svg' -o -name '*.gif' ')' -print | LC_ALL=C sort
cached
