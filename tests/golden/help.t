# The help of everything, asked for in each way.
run cresset help
for command in ls report export formats; do
	echo
	run cresset help "$command"
done
run cresset help nothing

echo "# the same by other ways"
cresset help >asked.one
for other in "" --help "--store x" "help --strict"; do
	cresset $other >asked.two && cmp asked.one asked.two
done
cresset help report >asked.one
cresset report --help >asked.two
cmp asked.one asked.two
cresset --store x report a b c --help >asked.two
cmp asked.one asked.two
cresset -h >asked.one
cresset --store x -h | cmp asked.one -

echo "# the short form"
run cresset -h
run cresset ls -h
cresset report -h >short
cresset report --help >long
[ "$(wc -l <short)" -lt "$(wc -l <long)" ] || echo 'not shorter'
grep -c -- '--show-from' short long
cresset record ls -h >asked.two 2>&1 # -h is an option of ls
grep -c '^Usage' asked.two

echo "# no line is wider than 80 columns; each command has an example and the exit codes"
for command in $(cresset -h | sed -n 's/^  \([a-z][a-z0-9-]*\)  .*/\1/p'); do
	for form in -h --help; do
		cresset "$command" $form >text
		awk -v command="$command" 'length > 80 { print command ": " $0 }' text
		grep -q '^  cresset ' text || echo "$command $form: no example"
	done
	grep -q '^  4  ' text || echo "$command: no exit codes"
done
cresset help formats | awk 'length > 80'
echo done
