# Stores with right checksums that ask for too much, or that contradict themselves: the limit on CPU time of a case is
# what fails where one of them is believed. tests/tools/make-bad-stores.py says what they are.
all() {
	ln -s "$FIX/$1" "$1" # a short name: lines are cut before it would become FIX
	for command in info verify 'report --limit 3' heat series threads doctor 'export -f folded -o -'; do
		printf '$ cresset %s %s\n' "$command" "$1"
		code=0
		# shellcheck disable=SC2086
		cresset ${command%% *} "$1" ${command#"${command%% *}"} >out 2>&1 || code=$?
		cut -c 1-160 out | head -n 6
		[ $code -eq 0 ] || echo "[exit $code]"
	done
}

all bad-many-walls.cresset
all bad-many-lacks.cresset
all bad-many-facts.cresset
all bad-zone-weights.cresset
all bad-many-spaces.cresset
run cresset export -f script -o - bad-many-spaces.cresset
all bad-outline.cresset
all bad-many-samples.cresset
all bad-shared-lines.cresset
run cresset view bad-outline.cresset -c 'print functions'
run cresset callers bad-outline.cresset g
run cresset diff --all bad-outline.cresset bad-zone-weights.cresset
run cresset report --strict --csv bad-outline.cresset
