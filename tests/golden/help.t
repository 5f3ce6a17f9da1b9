# The help of everything, asked for in each way.
run cresset help
for command in view ingest ls info doctor rm report diff export collapse help formats; do
	echo
	run cresset help "$command"
done
run cresset help nothing

echo "# the same by other ways"
cresset help >asked.one
for other in "" --help -h "--store x" "help --strict"; do
	cresset $other >asked.two && cmp asked.one asked.two
done
cresset help report >asked.one
cresset report --help >asked.two
cmp asked.one asked.two
cresset --store x report a b c --help >asked.two
cmp asked.one asked.two
echo done
