# The words of a query, as options, as commands, and as text.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data
cat >x.folded <<'END'
app;main;parse;lex 30
app;main;parse 10
app;main;draw;line;clip 20
app;main;draw;draw;line 25
app;main;draw;parse;draw;line 5
app;idle 10
END
stacks() { run cresset export x.folded -f folded "$@"; }

echo '# what is changed'
stacks --focus ^draw
stacks --ignore '^draw|idle'
stacks --hide '^(draw|main)$'
stacks --show-from PARSE
stacks --show-from parse
stacks --prune ^draw
stacks --root-at draw
stacks --root-at 'app;main;parse'
stacks --recursion direct
stacks --recursion all
stacks --merge main
stacks --drop parse
stacks --invert
stacks --invert --invert
stacks --callers line
stacks --callees parse
stacks --focus =parse --prune draw
stacks --prune draw --focus =parse
stacks --focus nothing

echo '# what is selected, and what stacks stand under'
part() { run cresset export two -f folded "$@" | sort | head -n 3; }
part --comm child --comm prime-worker --group tid --root-at count_primes
part --mode kernel --grain object
part --ignore group:=child --prune .
part --focus child
part --group cpu,comm --prune .
part --object '[kernel.kallsyms]' --group none --prune .
part --time 10%..20% --prune .
part --pid 1-9,5771 --tid 5772

echo '# one query, three ways'
q='comm child; hide ^_; recursion all; invert'
cresset export two -f folded --comm child --hide ^_ --recursion all --invert >one
cresset view two -c "$q; filters; export two.folded"
cmp one two.folded && echo same
cresset view two --comm child --hide ^_ -c 'recursion all; invert; export three.folded'
cmp one three.folded && echo same
run cresset view two -c "$q; pop; undo; redo; filters; clear; filters; pop"
run cresset view x.folded -c 'size 60 20; select parse; drop; select draw; focus; filters'
run cresset view x.folded -c 'size 60 20; select parse; merge; filters; print functions'

echo '# differences'
before_after
run cresset diff before.folded after.folded --report --focus render
run cresset diff before.folded after.folded --report --comm nobody

echo '# samples as they are'
run cresset view two -c 'comm child; time ..50%; export x.script'
cresset export two -f script --comm child --time ..50% | cmp x.script - && echo same
run cresset view two -c 'invert; export x.script'
run cresset export two -f script --invert

echo '# in a pipe'
run cresset collapse x.folded --root-at draw --merge line

echo '# what makes no sense'
for o in --focus=\( --recursion=some --mode=guest --grain=lines --group=a,b --where=x --time=5 --cpu=x --invert=1 --drop=; do
	run cresset report x.folded $o
done
run cresset report x.folded -e cycles
run cresset report two --comm nobody --focus x
run cresset annotate two main --focus x
escape=$(printf '\033M')
for o in --time --cpu --mode --grain --group --sort --fields --where --object -g -e; do
	brief report two $o "$escape"
done
brief series two --by "$escape"
cresset view two -c "search nobody$escape"

echo '# nothing is left: the same everywhere, and nothing on standard output'
for command in 'report two' 'report two --json' 'report two --csv' 'threads two --json' 'series two' 'series two --json' 'heat two' \
	'heat two --csv' 'callers two main' 'annotate two count_primes' 'annotate two count_primes --json' 'export two -f folded' 'diff two two'; do
	brief $command --comm nobody
done

echo '# the profile has no such event, field or function: 1; that was not recorded at all: 2'
for command in report threads series heat doctor 'export -f folded' 'diff two'; do
	brief $command two -e none
done
brief report two --where other=1
brief report two --sort other
brief export two -f folded --group other
brief export two -f script --fields other
brief series two --by other
brief callers two nobody
brief annotate two nobody
brief view two -c 'event none'
brief view two -c 'select nobody'
for o in '--cpu 1' '--time 1..2' '--pid 1' '--comm app' '--object app' '--mode user'; do
	brief report x.folded $o
done
brief threads x.folded

echo '# what has no object'
cat >u.script <<'END'
app 10/11 [000] 1.000000: 1 cycles:
	    7f00 [unknown] ([unknown])
	    4000 main (/bin/app)

app 10/11 [000] 1.100000: 1 cycles:
	    4100 work (/bin/app)
	    4000 main (/bin/app)

app 10/11 [000] 1.300000: 1 cycles:

END
run cresset report u.script --sort dso
run cresset report u.script --sort dso --object '[unknown]'
run cresset report u.script --sort sym --invert
run cresset view u.script -c 'invert; print recording' | grep 'no name'

echo '# objects and files of a difference; lines are of one build'
run cresset diff u.script two --grain object --sort function --force
run cresset diff two two --grain line

echo done

echo '# old spellings of words and values work and mean the new ones'
for old in '--object app --grain object' '--order object' '--group object'; do
	new=$(printf '%s\n' "$old" | sed 's/object/dso/g; s/grain/granularity/')
	cresset report u.script $old >old.txt 2>&1 || cat old.txt
	cresset report u.script $new >new.txt 2>&1
	cmp old.txt new.txt && echo "$old: the same as $new"
done
run cresset view u.script -c 'object app; grain object; filters; sort object; palette object'
