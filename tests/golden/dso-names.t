# Objects by the short names that perf report has: [JIT] tid 5 for code of a perf map, [x_fs] for a module's file; and by
# their paths where it has these, as in perf script.
cat >kallsyms <<'END'
ffffffff81000000 T _text
ffffffff81000100 T allocate
END
mkdir maps
printf '7f0000000000 80 jit_main\n7f0000000080 80 jit_caller\n' >maps/perf-5.map
cp "$FIX/made-fields.perf.data" made.data
touch -t 202601020304.05 made.data
load="--kallsyms kallsyms --map-dir maps made.data"

run cresset report $load -e cpu-clock -s dso,sym --no-children
run cresset report $load -e kmem:kmalloc -s dso
run cresset report $load -e cpu-clock -s srcline --no-children
run cresset callees $load jit_caller -e cpu-clock
run cresset export $load -e kmem:kmalloc -f folded --grain object
echo '# paths, and what the collapsers call functions without a name'
run cresset export $load -e cpu-clock -f script
run cresset collapse $load -e cpu-clock
echo '# an object is found by either'
for object in '[JIT] tid 5' perf-5.map /tmp/perf-5.map; do
	cresset report $load -e cpu-clock --object "$object" -s sym | tail -n 3
done
cresset annotate --kallsyms kallsyms --map-dir maps made.data -e cpu-clock jit_main --in '[JIT] tid 5' | head -n 3
cresset doctor $load -e cpu-clock | grep JIT
