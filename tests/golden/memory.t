# Loads and stores: their keys, and the cache lines that processors take from each other. made-memory.perf.data has 60
# samples of two threads; docs/memory.md explains them.
cp "$FIX/made-memory.perf.data" memory.data
touch -t 202601020304.05 memory.data

rows() { run cresset "$@" 2>&1 | grep -v '^# [Em]'; }
rows info memory.data | grep -E '^(event|field)'
rows c2c memory.data
rows c2c memory.data --limit 1 --comm writer
rows c2c memory.data --csv
rows c2c memory.data --cpu 0 --markdown
rows c2c "$SRC/data/demo.cresset"
rows report memory.data --no-children -s op,mem,snoop,tlb,locked,blocked
rows report memory.data --no-children -s dcacheline,phys_daddr,dso_daddr --limit 3
rows report memory.data --no-children -s mem,local_weight --limit 3 --json | sed '/"profile"/d'
rows export memory.data -f folded --group mem
rows series memory.data --by snoop --bins 4 --csv
rows report memory.data -s symbol_daddr

echo
echo '# without loads that find a line modified, all lines'
rows c2c memory.data --where weight=4
cresset ingest -n one memory.data >/dev/null 2>&1
cresset c2c memory.data --csv >direct
cresset c2c one --csv | cmp - direct && echo same
