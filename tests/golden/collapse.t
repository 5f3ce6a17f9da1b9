# collapse: a recording or folded stacks in, folded stacks out, nothing kept.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after

run cresset collapse --symfs sym two.data
cresset collapse --symfs sym two.data >want
cresset collapse --symfs sym - <two.data | cmp want - && echo same
cat two.data | cresset collapse --symfs sym | cmp want - && echo same
run cresset collapse --symfs sym --comm child two.data
run cresset collapse --symfs sym --time 0.45.. two.data

echo '# folded stacks: put together, sorted'
printf 'b;c 1\na;x 2\nb;c 3\n\n# a comment\n  a ; x  5\nb 1\n;;d;; 2\n' >loose.folded
run cresset collapse loose.folded
printf 'a;b 0.5\na;b 1.25\nc 2\n' | run cresset collapse
printf 'a;b 18446744073709551615\na;b 18446744073709551615\n' | run cresset collapse

echo '# lines that are no stacks'
printf 'a;b 1\na;b\na;b -1\na;b 99999999999999999999\na;c 2\na;d 3\na;e 4\na;f 5\na;g 6\na;h 7\na;i 8\na;j 9\n' >rough.folded
run cresset collapse rough.folded
run cresset collapse --strict rough.folded

echo '# text is folded again as it is; a format by its name'
printf 'main(int);f<T>(T&, int) 3\n' >text.folded
run cresset collapse text.folded
run cresset collapse folded text.folded
run cresset collapse perf.data text.folded

echo '# nothing is kept'
find . -name '*.cresset'
leftovers
