#!/usr/bin/env python3
# Writes the seeds of fuzz_query, fuzz_transform, fuzz_diff and fuzz_options below a directory:
#	tests/tools/make-query-corpus.py tests/fuzz/corpus
import os, sys

script = '''prog  100/101 [000] 10.000100: 1000 cycles:u:
	    55d0 a+0x10 (/bin/prog)
	    55e0 b+0x20 (/bin/prog)
	    55f0 main+0x30 (/bin/prog)

prog  100/102 [001] 10.000200: 3000 cycles:u:
	    55d0 a+0x14 (/bin/prog)
	    55d0 a+0x10 (/bin/prog)
	    55f0 main+0x30 (/bin/prog)

kworker  7/7 [001] 10.500000: 500 sched:sched_switch: prev_comm=x prev_pid=1 next_prio=120
	ffffffff81000010 schedule+0x10 ([kernel.kallsyms])

prog  100/101 [000] 11.000300: 2000 cycles:u:
	ffffffff81000020 do_idle+0x20 ([kernel.kallsyms])
	    55f0 main+0x30 (/bin/prog)

'''
queries = '''event cycles:u; comm prog; time 10%..70%
time 0.1ms..1s; pid 100; tid 101,102; cpu 0-1
object prog; grain address
mode kernel; group tid,event
where prev_comm=x; event sched:sched_switch; group prev_pid
focus ^a; ignore do_idle; hide "b;"; recursion direct
show-from main; prune a; root-at main;a; invert
merge a; drop schedule; callers a
callees main; recursion all; grain line
group comm,pid,cpu,object; grain file; grain object
comm "\\x41\\""; focus a\\;b
time 3s..5s; time 2.5..; time ..10ms'''.split('\n')
folded = b'main;a;b 10\nmain;a;a;c_[k] 20\nmain;d;a;b;a 5\nx;std::vector<int>::push_back_[j];a 7\nidle 100\n'
before = 'main;a;b.isra.0 10\nmain;a;c 20\nmain;core::fmt::h0123456789abcdef 5\nidle 100\n'
after = 'main;a;b.constprop.1 12\nmain;a;d 3\nmain;core::fmt::hfedcba9876543210 5\nrun;idle 90\n'
pairs = [(before, after), (after, before), (before, 'x 1\n'), ('p;/bin/a`f 3\n', 'p;/usr/bin/a`f 4\n'),
    ('a 18446744073709551615\n', 'a 1\nb 18446744073709551614\n'),
    ('prog;main;[libc.so.6] 5\n', 'prog-new;main;[libc.so.6] 6\n')]
lines = ['report -s comm,dso,sym --limit 5 x', 'report --fields overhead,sym -g caller,0.5 -w 0,0,40 x', 'diff --force a b',
    'collapse --event cycles -', 'export -f svg --title x -o - x', 'series --by tid --bins 10 x', 'latency --by comm x',
    'ingest -n name --replace x', 'annotate x main --asm', 'ls --sort size --json', 'merge a b -o c --', 'heat --rows 50 x',
    'report --percent-limit 0.5 --time 10%..20% --comm a --pid 1,2-4 x', '--store /tmp report x']

def put(target, name, what):
    os.makedirs(os.path.join(sys.argv[1], target), exist_ok=True)
    with open(os.path.join(sys.argv[1], target, name), 'wb') as f:
        f.write(what if isinstance(what, bytes) else what.encode())

for i, q in enumerate(queries):
    put('fuzz_query', 'query-%02d' % i, q + '\n' + script)
for how in range(1, 13):
    for which in (0, 5, 10):
        put('fuzz_transform', 'one-%02d-%02d' % (how, which), bytes([how, which + how % 7]) + b'\0\0' + folded)
    put('fuzz_transform', 'two-%02d' % how, bytes([how, 4, (how * 5) % 12 + 1, 3 + how]) + b'\0\0' + folded)
for i, (a, b) in enumerate(pairs):
    put('fuzz_diff', 'pair-%02d' % i, a + '--\n' + b)
for i, line in enumerate(lines):
    put('fuzz_options', 'line-%02d' % i, line.replace(' ', '\n'))
put('fuzz_options', 'view', 'view\n-c\nfocus a; invert\nx')
put('fuzz_options', 'record', "perf record -F 99 -a -g --call-graph dwarf,8192 -e '{cycles,instructions}:u' -- sleep 1")
