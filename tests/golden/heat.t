# Samples by second and by time within it.
LC_ALL=C
export LC_ALL
demo=$SRC/data/demo.cresset
run cresset heat "$demo"
run cresset heat "$demo" --rows 4 --comm sqlite3
run cresset heat "$demo" --rows 3 --time 2500ms..5s --csv
run cresset heat "$demo" --rows 3 --time 2500ms..5s --json
LC_ALL=C.UTF-8
export LC_ALL
run cresset heat "$demo" --rows 5 --time 1s..10s
run cresset heat "$demo" --rows 0
run cresset heat "$demo" --comm nobody
printf 'a;b 12\n' >text.folded
run cresset heat text.folded
:
