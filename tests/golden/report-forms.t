# Tables for programs and for pages: CSV, JSON, Markdown, with names that would break them.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data
printf 'a,b;"quoted";pipe|d 3\na,b;\033[31mred\377 2\na,b;[back]`tick` 1\n' >odd.folded

for form in --csv --json --markdown; do
	echo
	run cresset report two $form -s comm,sym --limit 3
	run cresset report odd.folded $form
done
echo
run cresset report two --csv -s tgid,pid,dso,event
run cresset report two --csv --hierarchy -s comm,dso
run cresset report two --json -g -s sym --limit 1 --comm 'hash worker'
run cresset report two --json -s sym --comm nobody
run cresset report odd.folded -t '|' -s sym

if python3 -c 'import csv, json' 2>/dev/null; then
	cresset report odd.folded --json | python3 -c 'import json, sys; json.load(sys.stdin)' || echo "no JSON"
	cresset report odd.folded --csv |
		python3 -c 'import csv, sys; assert {len(r) for r in csv.reader(sys.stdin)} == {10}' || echo "no CSV"
fi
