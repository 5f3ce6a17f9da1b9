# report --fail-if: conditions on names, stacks and functions, and what the exit code says.
. "$SRC/tests/golden/ready.sh"
demo=$SRC/data/demo.cresset
if_code() { # CONDITION INPUT...
	condition=$1
	shift
	cresset report --limit 1 --fail-if "$condition" "$@" >/dev/null 2>said
	echo "$condition: $?"
	cat said
}

printf '%s\n' 'main;work;malloc 30' 'main;work;sort;malloc 10' 'main;sort;sort;[x] 20' 'main;op> 40' >made.folded

echo '# self cost of a function, by its name or by a pattern'
if_code 'self:malloc>39.9%' made.folded
if_code 'self:malloc>40%' made.folded
if_code 'self:mall>1%' made.folded
if_code 'self:/mall/>1%' made.folded
if_code 'self:op>>39' made.folded

echo '# total cost: recursion counts once'
if_code 'total:sort>29%' made.folded
if_code 'total:sort>30%' made.folded
if_code 'total:/^(sort|malloc)$/>59%' made.folded
if_code 'total:/^(sort|malloc)$/>60%' made.folded

echo '# of what the query leaves'
if_code 'total:sort>30%' --focus malloc made.folded
if_code 'total:sort>24%' --focus malloc made.folded

echo '# names and stacks'
if_code 'unresolved>19%' made.folded
if_code 'unresolved>20%' made.folded
if_code 'broken>0%' made.folded
if_code 'unresolved>99%' "$demo"
if_code 'broken>99%' "$demo"
if_code 'truncated>99%' "$demo"
if_code 'lost>0%' "$demo"

echo '# several: all that hold are reported'
run cresset report --limit 1 --fail-if 'self:malloc>1%' --fail-if 'self:main>1%' --fail-if 'total:main>99%' made.folded

echo '# what is no condition'
if_code 'self:malloc' made.folded
if_code 'self:>1%' made.folded
if_code 'selfish>1%' made.folded
if_code 'broken>' made.folded
if_code 'broken>1%x' made.folded
if_code 'broken>101%' made.folded
if_code 'self:/(/>1%' made.folded
