# Samples over time; a profile whose numbers are known from report.
LC_ALL=C
export LC_ALL
demo=$SRC/data/demo.cresset
run cresset series "$demo"
run cresset series "$demo" --by comm --top 3
run cresset series "$demo" --by tid --top 2 --time 3s..5s --bins 40
run cresset series "$demo" --by object --comm sqlite3 --bins 30
run cresset series "$demo" --by function --top 4 --bins 30
run cresset series "$demo" --focus copy_ --ignore ^sqlite3 --by comm --bins 20
run cresset series "$demo" --root-at "main;f"
run cresset series "$demo" --by event --bins 3 --csv
run cresset series "$demo" --by comm --top 2 --bins 4 --csv
run cresset series "$demo" --by comm --top 2 --bins 4 --json
LC_ALL=C.UTF-8
export LC_ALL
run cresset series "$demo" --by comm --top 2 --bins 40
# nothing in it
run cresset series "$demo" --comm nobody
run cresset series "$demo" --time 100s..200s
# no such thing
run cresset series "$demo" --by nothing
run cresset series "$demo" --bins 0
run cresset series "$demo" --bins 100001
run cresset series "$FIX/alone-arm64.perf.data" --symfs "$FIX" --by cpu --bins 3 --csv
printf 'a;b 12\n' >text.folded
run cresset series text.folded
:
