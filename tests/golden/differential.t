# Two counts a stack are a difference, whatever shows them.
cat >d.folded <<'END'
app;main;parse 300 100
app;main;draw;line 100 300
app;main;gone 10 0
app;main;new 0 10
END
touch -t 202601020304.05 d.folded
run cresset report d.folded
run cresset diff d.folded
run cresset diff --unit samples d.folded
run cresset view d.folded -c 'print flame; select new; print selected'
run cresset collapse d.folded
run cresset report --event after d.folded
run cresset report --sort dso d.folded
run cresset report --sort cpu d.folded
run cresset report --json d.folded
run cresset collapse --event before d.folded
run cresset info d.folded | grep -v ^date
run cresset view d.folded -c 'event next'
run cresset ingest -n stored d.folded
run cresset report --order name stored
run cresset export stored -f svg -o d.svg
grep -o '>[^<]*samples before[^<]*' d.svg
grep -o '<title>[^<]*new)' d.svg
run cresset diff --event after d.folded
printf 'app;main 1\n' >one.folded
run cresset diff one.folded
run cresset diff d.folded one.folded
