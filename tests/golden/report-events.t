# Events side by side: --event-columns, and --group without a key as perf report has it.
printf 'a;b 1\n' >alone.folded
cp "$FIX/good-together.cresset" "$FIX/made-fields.perf.data" .
cresset ingest --name fields made-fields.perf.data >/dev/null

run cresset report good-together.cresset --event-columns
run cresset report --group good-together.cresset --no-children -n
run cresset report --no-children -s comm,dso --group -i fields
run cresset report fields --no-children -s comm --group --group-sort-idx 3
run cresset report fields --no-children -s comm --group --group-sort-idx 9
run cresset report fields --event-columns --hierarchy -s comm,sym
run cresset report good-together.cresset --event-columns -g graph,caller --no-children --limit 2
run cresset report good-together.cresset --event-columns --csv --limit 3
run cresset report good-together.cresset --event-columns --json --limit 1
run cresset report good-together.cresset --event-columns --markdown --no-children -F overhead,period,sym --limit 1

echo '# an event of which nothing is left has its columns; one without the field has none'
run cresset report fields --group --no-children -s comm --comm server
run cresset report fields --group --no-children -s comm --comm nobody
run cresset report fields --group --no-children -s call_site
run cresset report fields --group --csv --no-children -s bytes_req
run cresset report fields --group -s nothing

echo '# a row is shown if one event reaches the limit; shares may be of all'
run cresset report fields --group --no-children -s comm --percent-limit 40
run cresset report fields --group --no-children -s comm -c server
run cresset report fields --group --no-children -s comm --percentage relative -c server

echo '# with a key it groups stacks; one event needs no columns'
run cresset report good-together.cresset --group comm --limit 1 --no-children
run cresset report alone.folded --group --limit 1 --no-children
run cresset report --group comm --limit 1

echo '# the first rows are those of the event that sorts, also if there are many more'
awk 'BEGIN {
	for (i = 0; i < 200; i++) {
		printf "app 1 1.%06d: %d cycles: \n\t%x f%03d (/app)\n\n", i, 200 - i, 4096 + 16 * i, i
		printf "app 1 2.%06d: %d faults: \n\t%x f%03d (/app)\n\n", i, i + 1, 4096 + 16 * i, i
	}
}' >many.script
run cresset report many.script --event-columns --no-children -s sym --limit 3
run cresset report many.script --event-columns --no-children -s sym --limit 2 --group-sort-idx 1

echo '# of several --group the last one counts'
run cresset report good-together.cresset --group nosuch --group comm --limit 1 --no-children

echo '# refused'
for with in '--event cycles:u' '-s event,sym' --latency --quickfix; do
	# shellcheck disable=SC2086
	run cresset report good-together.cresset --event-columns $with
done
true
