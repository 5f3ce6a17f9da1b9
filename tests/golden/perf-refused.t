# The options of perf report that cresset report does not have say what to use instead, also those that begin like one
# of its own. perf-words.e2e compares the list with that of perf.
printf 'a;b 1\n' >x.folded

for option in --addr2line=x --addr2line-style=x --asm-raw --demangle-kernel --disable-order --disassembler-style=x -Mx \
	--dump-raw-trace -D --gtk --itrace --itrace=b --mem-mode --modules -m --ns --objdump=x --percent-type=x --prefix=x \
	--prefix-strip=1 --pretty=x --proc-map-timeout=1 --samples --samples=3 --show-ref-call-graph --source --stitch-lbr -T \
	--tui --unwind-style=x --verbose -v -nv; do
	run cresset report x.folded $option
done

echo '# what is off by default, and what is on'
run cresset report x.folded --no-group
run cresset report x.folded --no-branch-stack --no-call-graph
run cresset report x.folded --no-source
run cresset report x.folded --no-stdio
run cresset report x.folded --no-nonsense
run cresset report x.folded --inline --demangle -H

echo '# one profile'
run cresset report x.folded -i y.folded
run cresset report -i x.folded -i y.folded
run cresset report -i x.folded --limit 1
true
