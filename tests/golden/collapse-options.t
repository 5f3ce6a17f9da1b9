# collapse: the options that stackcollapse-perf.pl and inferno's programs have.
cat >x.perf <<'PERF'
my prog 10/11 [000] 1.000000: 5 cycles:u: 
	    4005d0 leaf(int)+0x10 (/bin/my prog)
	    400600 [unknown] ([unknown])
	    400610 main+0x20 (/bin/my prog)

java 20/21 [001] 1.100000: 7 cycles:u: 
	ffffffff8100 sys_read+0x5 ([kernel.kallsyms])
	    7f0100 La/B;::f->Lc/D;::g+0x3 (/tmp/perf-20.map)
	    7f0200 [unknown] (/lib/libjvm.so)

java 20/21 [001] 1.200000: 9 page-faults:u: 
	    7f0200 [unknown] (/lib/libjvm.so)

java 20/22 [001] 1.300000: 2 cycles:u: 

java 20/22 [001] 1.300000: 0 cycles:u: 
	    7f0200 idle (/lib/libjvm.so)

PERF
run cresset collapse x.perf
for option in --pid --tid --kernel --jit --all --addrs --includeoffset '--skip-after leaf' \
	'--event-filter page-faults:u' --event-filter=page-faults:u '--comm java --tid' --recursive '-n 1'; do
	run cresset collapse -q $option x.perf
done

echo '# what is not there'
run cresset collapse --event-filter cycles x.perf
run cresset collapse --comm nobody x.perf
run cresset collapse -q --srcline x.perf
run cresset collapse --srcline x.perf 2>&1 >/dev/null
run cresset collapse --inline x.perf
run cresset collapse --shorten-pkgs x.perf
run cresset collapse -v --event-filter page-faults:u x.perf
run cresset collapse --size x.perf
run cresset collapse --nthreads 0 x.perf
run cresset collapse --pid 10 x.perf

echo '# recursion'
printf 'a;b;b;b;c 1\na;b;c 2.5\nno count\n' | run cresset collapse-recursive
printf 'a;b;b;b;c 1\n' | run cresset collapse --recursive folded

echo '# several files, each read by itself'
printf 'a;b 1 2\na;c 3 4\n' >two.folded
printf 'a;b 1\nx 1.5\n' >one.folded
printf 'my prog;main 4\njunk\na;b 1\na;b 1\na;b 1\n' >more.folded
run cresset collapse one.folded more.folded one.folded
run cresset collapse folded one.folded more.folded
run cresset collapse one.folded nothing.folded
run cresset collapse one.folded two.folded
run cresset collapse two.folded two.folded
run cresset collapse folded <one.folded
