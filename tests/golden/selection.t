# Parts of the selection become filters, and filters of one word are removed.
demo=$SRC/data/demo.cresset

run cresset view "$demo" -c 'mark 1s..2s; only time; filters; print selected'
echo "# a second range takes the place of the first"
run cresset view "$demo" -c 'mark 1s..2s; only time; mark 7.8s..11.25s; only time; filters; undo; filters; undo; filters'
run cresset view "$demo" -c 'mark 1s..; select-thread 4008; only thread; only time; filters; clear time; filters'
run cresset view "$demo" -c 'select main; only dso; filters; clear object; filters; clear tid'
run cresset view "$demo" -c 'unselect time; only time'
run cresset view "$demo" -c 'only thread'
run cresset view "$demo" -c 'select 0; only dso'
run cresset view "$demo" -c 'only line'
run cresset view "$demo" -c 'clear nothing'
run cresset view "$demo" -c 'clear event'
run cresset view "$demo" -c 'mark 18000s..18001s; only time'
