# Branch entries: two events, their keys, and what compilers read. made-branches.perf.data is a loop: 12 samples with
# 16 branches each. docs/branches.md explains them.
cp "$FIX/made-branches.perf.data" loop.data
touch -t 202601020304.05 loop.data

rows() { run cresset "$@" 2>&1 | grep -v '^# [Em]'; }
rows info loop.data | grep -E '^(event|field)'
rows report loop.data
rows report loop.data -b
rows report loop.data -b -s comm,addr_from,addr_to,mispredict
rows report loop.data -b -s +dso_to --limit 1
rows report loop.data -b --where mispredict=Y -s addr_from
rows report loop.data -b -s srcline_from,srcline_to --comm other --csv
rows report loop.data -e branch-blocks --no-children -s addr_from,addr_to,cycles
rows report loop.data -s symbol_from
rows report loop.data -s cycles
rows export loop.data -f folded -e branch-stack --group mispredict

echo
echo '# cycles of blocks'
mkdir -p sym/opt/example
cp "$FIX/made-branches.elf" sym/opt/example/loop
rows report loop.data --symfs sym --total-cycles
rows report loop.data --total-cycles --comm other --limit 2
rows report loop.data --symfs sym --total-cycles --where mispredict=Y --csv
rows report loop.data --symfs sym --total-cycles --json | grep -A11 '"rows"'
rows report loop.data --total-cycles -s sym
rows report loop.data --total-cycles --group comm
rows report loop.data --total-cycles --comm loop --hide main
rows report loop.data --total-cycles -S work
rows report loop.data --total-cycles --cpu 0
rows report loop.data -b --time 0s..1s
rows annotate loop.data main --symfs sym
rows annotate loop.data work --symfs sym --asm --comm other
rows annotate loop.data main --symfs sym --lines
rows annotate loop.data main --symfs sym --csv --asm
rows annotate loop.data main --symfs sym --json --lines | grep '"line"'
rows annotate loop.data main --symfs sym --time 0-1s --lines
rows annotate loop.data work --symfs sym --csv --percent-limit 50
rows report "$FIX/made-history.perf.data" --total-cycles

echo
echo '# in the text of perf script'
cat >text.script <<'TEXT'
loop   100/100    1000.000001:       1000 cycles:u:            401014 main (/opt/example/loop) 0x401120(/opt/example/loop)/0x401108(/opt/example/loop)/M/-/-/40/  0x401010(/opt/example/loop)/0x401100(/opt/example/loop)/P/-/-/5/

loop   100/100    1000.000002:       1000 cycles:u:            401014 main (/opt/example/loop)work+0x20(/opt/example/loop)/work+0x8(/opt/example/loop)/P/-/-/3/ [unknown]/work+0x0(/opt/example/loop)/P/-/-/5/

TEXT
rows report text.script -b -s symbol_from,symbol_to,addr_from,addr_to,mispredict,cycles
rows report text.script --no-children
rows info text.script | grep -E '^(event|field|missing)'
cat >trace.script <<'TEXT'
loop   100/100   [000]  1000.000001:          1   branches:uH:   call                           401010 main+0x10 (/opt/example/loop) =>           401100 work+0x0 (/opt/example/loop)
loop   100/100   [000]  1000.000002:          1   branches:uH:   return                         401130 work+0x30 (/opt/example/loop) =>           401014 main+0x14 (/opt/example/loop)
 instruction trace error type 1 time 1000.0 cpu 0 pid 100 tid 100 ip 0x401014 code 7: Overflow packet
loop   100/100   [000]  1000.000003:          1   branches:uH:   jmp                            401050 main+0x50 (/opt/example/loop) =>           401000 main+0x0 (/opt/example/loop)
TEXT
rows report trace.script --no-children
rows report trace.script -b -s symbol_from,symbol_to
rows report trace.script -e branch-blocks --no-children -s symbol_from,addr_from,addr_to
rows export trace.script -f folded -e branch-stack

echo
echo '# for compilers'
run cresset export loop.data -f autofdo
run cresset export loop.data -o loop.preagg.txt
cat loop.preagg.txt
run cresset export loop.data -f bolt -e branch-stack --comm other --binary loop
run cresset export loop.data -f bolt --binary ls
run cresset export loop.data -f bolt -e cycles:u
run cresset export "$SRC/data/demo.cresset" -f autofdo
run cresset report "$SRC/data/demo.cresset" -b

echo
echo '# every page of branches says that they are counts'
cp "$FIX/made-branches.script" text.script
run cresset view text.script -c 'event branch-stack; size 60 20; print flame'
cresset export text.script -e branch-stack -f svg | grep -o '<text id="subtitle".*'
cresset export text.script -e branch-stack -f html | grep -c 'counts, not time'
cresset export text.script -e branch-stack -f markdown | sed -n 3p
cresset brief text.script -e branch-stack | head -n 1
cresset view loop.data -c 'size 60 20; print flame' | grep -c 'counts, not time'
run cresset report text.script --branch-history

echo
echo '# in the stacks'
cp "$FIX/made-history.perf.data" history.data
cresset export history.data --branch-history --symfs sym -f script | sed -n '/1000.000003000/,/1000.000005000/p'
rows report history.data --branch-history --symfs sym --no-children -g caller,0.5,address --limit 1
rows report history.data --symfs sym --no-children
rows ingest -n path history.data --branch-history --symfs sym
rows report path --branch-history --no-children --csv
rows info path | grep history
rows ingest -n plain history.data
rows report plain --branch-history
rows report "$SRC/data/demo.cresset" --branch-history
rows ingest -n none "$FIX/made-memory.perf.data" --branch-history
cresset ls --names

echo
echo '# stored, and merged'
run cresset ingest -n one loop.data
cresset export loop.data -f bolt >direct
cresset export one -f bolt | cmp - direct && echo same
run cresset merge one one -o both
cresset export both -f autofdo >twice
cresset export one -f autofdo | awk -F: 'NF == 2 { print $1 ":" $2 * 2; next } 1' | cmp - twice && echo twice
