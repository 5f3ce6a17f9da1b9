#!/bin/sh
# Small inputs in every text format, written for the purpose:
#
#   tests/tools/make-text-corpus.sh FOLDER          for fuzz_text: the first line names the format
#   tests/tools/make-text-corpus.sh FOLDER plain    FORMAT.WHAT, as they are, for tests/e2e/texts.e2e
#
# tests/fuzz/corpus/fuzz_text is made by the first. Characters that an editor would spoil are written
# as printf has them.
set -eu
out=${1:?folder}
plain=${2:-}
mkdir -p "$out"

# put FORMAT.WHAT: standard input is the input
put()
{
	{
		[ -n "$plain" ] || printf '%s\n' "${1%%.*}"
		cat
	} >"$out/$1"
}

# ---- SystemTap

put stap.user <<'END'
 0x55d0c1a3f4e1 : parse_item+0x31/0x90 [/srv/app/bin/server]
 0x55d0c1a40012 : parse_list(std::vector<int, A> const&)+0x12/0x44 [/srv/app/bin/server]
 0x7fa1b2c3d4e5 : __libc_start_main+0xf5/0x1c0 [/usr/lib64/libc-2.17.so]
	12
 0x55d0c1a3f4ff : parse_item+0x4f/0x90 [/srv/app/bin/server]
 0x55d0c1a40012 : parse_list(std::vector<int, A> const&)+0x12/0x44 [/srv/app/bin/server]
 0x7fa1b2c3d4e5 : __libc_start_main+0xf5/0x1c0 [/usr/lib64/libc-2.17.so]
	3
END
put stap.kernel <<'END'
WARNING: Tracing all of the machine. Hit Ctrl-C to end.
 0xffffffff81234567 : do_sys_poll+0x67/0x500 [kernel]
 0xffffffffa0112233 : tun_get_user+0x33/0x900 [tun] (inexact)
 0x7f0011223344 : 0x7f0011223344 [/opt/lib+x/libz (1).so (deleted)+0x344/0x2000]
 0x7f0011220000 : 0x7f0011220000
Returning from:  0xffffffff81000010 : sys_poll+0x0/0x40 [kernel]
	18446744073709551615
 0x0 (inexact)
<no user backtrace at kernel.function("f")>
	-7
	2
END
put stap.words <<'END'
@/srv/lua/a-b.lua:12
C:ngx_http_lua_ngx_echo
builtin#21
  0x4005d0 0x400600 0x7f12 
	4
My::Pkg::run
(eval)
cut_off_na	9
sym+0x12 [libm.so]
0x1234 [libm.so+0x34]
 f;g+0x1/0x2 at /usr/src/c++/a.c:123 [mod]
42x
	  5  
END
printf ' 0x1 : a+0x1/0x2 [m]\r\n\t12\r\n 0x2 : b+0x1/0x2 [m]\r\n' | put stap.crlf
put stap.histogram <<'END'
value |-------------------------------------------------- count
    8 |@@@@                                                4
   16 |                                                    0
    ~
  128 |@                                                   1
END

# ---- folded

put folded.plain <<'END'
# a comment
main;parse;lex 4
main;parse 10
main;"quo;ted" name 12 3
main;;x 2
; 1
main;parse 5
END
put folded.fractions <<'END'
a;b 1.5
a;c 0.000001
a;b 2.
a;b;c 3
a;b;c;d 7
a;b;d 1.25
a;c 0.5
a;c;e 12
a;f;g 4
a;b 1
a;c 2
a;d 3
a;b;e 1
a;b;f 1
a;b;g 0.75
a;b;h 1
a;b .25
a;d 1e3
a;e -4
a;f
END
put folded.two <<'END'
a;b 10 4
a;c 0 6
a;d 3 0
END
put folded.mixed <<'END'
a;operator new 64 100
a;b 3
END
put folded.suffixes <<'END'
java;Lorg/x/Y:::run_[j];write_[k];inl_[i] 7
-;sys_[k];--;waker_[w] 2
END
put folded.header <<'END'
# event "a \"b\\", unit "blocks of 4", 10 and 12 samples
a;b 3 5
c 4 0
# event "x", unit ns, 1 sample
# event "x\
# event "", unit ns, 99999999999999999999 samples
d 3 4
END
put folded.large <<'END'
x;a 18446744073709551615
x;a 18446744073709551615
x;b 99999999999999999999999
x;c 0
END
printf 'a;b\tc 3\r\n\376\377;\001x 2\r\n a;\t 5\nmain;x 1\nmain;y 2\nmain;z 3\nmain;u;v 4\nmain;w 5\nmain;t;s 6\n\302\240;\303\251 1' | put folded.bytes
printf '\377\376m\0a\0i\0n\0;\0f\0\351\0 \0003\0\r\0\n\0' | put auto.utf16le
printf '\376\377\0m\0;\0f\330\74\337\244\0 \0001\0\n' | put auto.utf16be
printf '\357\273\277main;x 3\n' | put auto.bom

# ---- perf script

put perf.plain <<'END'
# ========
# captured on: Tue May  7 10:00:00 2024
# event : name = cycles:u, , id = { 1 }, type = 0
# ========
#
server  4242 [003] 81.000100:     250000 cycles:u: 
	          401136 work(int)+0x16 (/srv/app/server)
	          401180 main+0x20 (/srv/app/server)
	    7f3a00021234 __libc_start_main+0xf4 (/usr/lib/libc.so.6)

server  4242/4243 [001] 81.000350:     250000 cycles:u: 
	ffffffff81000123 do_syscall_64+0x33 ([kernel.kallsyms])
	          401150 [unknown] (/srv/app/server)
	               0 [unknown] ([unknown])

swapper     0 [000] 81.000400:     250000 cycles:u:  ffffffff81a0 native_safe_halt+0x2 ([kernel.kallsyms])
END
put perf.inlined <<'END'
java 77/80 12.345678: cpu-clock: 
        7f0000001000 Lcom/acme/A;::b+0x10 (/tmp/perf-77.map)
        7f0000001010 Lcom/acme/A;::c->Lcom/acme/B;::d+0x1 (/tmp/perf-77.map)
            55550010 inner (inlined)
            55550010 outer<int, x>(y::z const&)+0x4 (/srv/lib so/x+1.so (deleted))
  outer.cc:12
            55550020 std::__1::vector<int>::operator()(int)+0xc (inlined)
            55550020 _ZN3foo17h0123456789abcdefE+0x1 ([vdso])
END
put perf.tracepoint <<'END'
 my prog: 2 :-1/-1   [002] 2024-01-02 10:00:00.123456    5.000001000:          1 sched:sched_switch: prev_comm=x: y prev_pid=1 ==> next_comm=z
	ffffffff81 __schedule+0x1 ([kernel.kallsyms])

:5  5 .. K  6.000000:  page-faults: 
	zz
garbage line
 x 1 7.500000: PERF_RECORD_MMAP2 1/1: [0x400000(0x1000) @ 0 fd:01 1 1]: r-xp /bin/x
x 1 7.600000: cycles: 
	401136 f (/bin/x)
 ABI:2    AX:0x1    BX:0x2
x 1 7.700000: cycles: 
	401136 f (/bin/x) 0x1/0x2/P/-/-/3/COND
	99999999999999999 g+0xfffffffffffffffff (/bin/x)
END
put perf.large <<'END'
a 1 1.000000: 18446744073709551615 cycles: 
	1 f (b)

a 1 1.000000: 18446744073709551616 cycles: 
	1 f (b)
END

# ---- DTrace, sample, bpftrace, bcc

put dtrace.plain <<'END'
CPU     ID                    FUNCTION:NAME
  0  64091                        :tick-10s 


              genunix`syscall_mstate+0x1f
              unix`sys_syscall+0x1a2

              libc.so.1`__write+0xa
              prog`Foo::operator+(Foo const&)+0x30
              prog`main+0x12
              0x400d
               14

  bash                                              
              unix`x86_cpu_mwait+0xe
                3
dtrace: 5 drops on CPU 0
              unix`open
END
put sample.plain <<'END'
Analysis of sampling Demo (pid 812) every 1 millisecond
Process:         Demo [812]

Call graph:
    12 Thread_5511   DispatchQueue_1: com.apple.main-thread  (serial)
    + 9 start  (in libdyld.dylib) + 1  [0x7fff0001]
    + ! 7 main  (in Demo) + 40  [0x100001]
    + !   4 -[Box draw:in:]  (in Demo) + 12,20  [0x100100,0x100108]  Box.m:31
    + !   3 read  (in libsystem_kernel.dylib) + 10  [0x7fff0100]
    + ! 2 other  (in Demo)  load address 0x100000 + 0x44  [0x100044]
    + 3 ???  (in <unknown binary>)  [0x1]
    4 Thread_5512: worker
      4 mach_msg_trap  (in libsystem_kernel.dylib) + 10  [0x7fff0200]

Total number in stack (recursive counted multiple, when >=5):

Binary Images:
       0x100000 -        0x101fff +Demo (1) <A1B2> /Applications/Demo
END
put bpftrace.plain <<'END'
Attaching 2 probes...

@[
    __schedule+808
    schedule+64
, 
    read+16@io.c:31
    main+4
, bash, 31]: 6
@stacks[worker, 
    f+1
]: -2
@bytes[
	7f00 malloc+12 (/lib/libc.so.6)
	7f01 0x7f01 ([unknown])
]: 4096
@h[
    g+1
]:
[1, 2)                 3 |@@@        |
@open[
    h+2
END
put bcc.plain <<'END'
Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.

    native_safe_halt
    default_idle+0x12 [kernel]
    --
    main
    [unknown]
    -                my proc (71)
        21

    [Missed User Stack]
    -                dd (72)
        2
END

# ---- debuggers

put gdb.plain <<'END'
[New LWP 31]
[Thread debugging using libthread_db enabled]
0x00007f0000000010 in poll () from /lib64/libc.so.6

Thread 2 (Thread 0x7f00 (LWP 31) "io worker"):
#0  0x00007f0000000010 in poll () from /lib64/libc.so.6
#1  0x0000000000401200 in (anonymous namespace)::Loop::run<int (*)(char)> (this=0x0, s=" at (x\" from ") at loop.cc:18
#2  operator() (x=...) at loop.h:4
#3  0x0000000000401300 in std::thread::join() ()
        local = 1
#4  <signal handler called>
#5  0x00000000004014a0 in ?? () from /srv/lib/x.so
Backtrace stopped: previous frame inner to this frame (corrupt stack?)

Thread 1 (Thread 0x7f01 (LWP 30) "main"):
#0  spin (n=3,
    m=4) at spin.c:7
#1  main () at spin.c:20
[Inferior 1 (process 30) detached]
END
put eustack.plain <<'END'
PID 30 - process
TID 30:
#0  0x00007f0000000010     __poll - /usr/lib/libc.so.6
#1  0x0000000000401200 - 1 main - /srv/app
    /srv/src/app.c:31:4
#2  0x0000000000401210 - 1 - /srv/app
    [0123456789abcdef0123456789abcdef01234567]@0x400000+0x1210
TID 31:
#0  0x00007f0000000010 foo(int, char)
eu-stack: dwfl_thread_getframes tid 32: no error
TID 32:
END
put faulthandler.plain <<'END'
Fatal Python error: Segmentation fault

Thread 0x00007f0000001000 [reader] (most recent call first):
  File "/srv/app/io.py", line 31 in read
  File "/srv/app/main.py", line 4 in <module>
Current thread 0x00007f0000002000 (most recent call first):
  File "/srv/app/c;d.py", line 12 in f
  ...
END
put aix.plain <<'END'
4587: /usr/bin/app -x
---------- tid# 112233 (pthread ID:      1) ----------
0x0000000100000abc  poll(0x1, 0x2) + 0x1c
0x0000000100000def  main(??, ??) + 0x20
---------- tid# 112244 ----------
0x0000000100000fff  ???? + 0x0
END
put wcp.plain <<'END'
Samples: 30

Full stacks
60.00% ==== (18 samples)
1: poll   (at /build/libc/poll.c:29)
2: main   (at app.c:7)

40.00% ==== (12 samples)
1: work
2: main   (at app.c:9)
END

# ---- Java and Go

put jstack.plain <<'END'
2024-05-07 10:00:00
Full thread dump OpenJDK 64-Bit Server VM (17.0.1+12 mixed mode):

"main" #1 prio=5 os_prio=0 cpu=10.20ms elapsed=3.10s tid=0x00007f00 nid=0x51 runnable  [0x00007f01]
   java.lang.Thread.State: RUNNABLE
	at com.acme.Parser.parse(Parser.java:31)
	- locked <0x0001> (a com.acme.Parser)
	at com.acme.Main.main(java.base@17/Main.java:4)

"My "odd"-7" #12 daemon prio=5 os_prio=0 tid=0x00007f02 nid=0x52 waiting on condition  [0x00007f03]
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleep(Native Method)

"VM Thread" os_prio=0 cpu=1.00ms tid=0x00007f04 nid=0x53 runnable  

JNI global refs: 12, weak refs: 0
END
put javaexc.plain <<'END'
10:00:01 ERROR request failed
java.lang.IllegalStateException: no
	at com.acme.Store.get(Store.java:12)
	at com.acme.Web.serve(Web.java:88)
Caused by: java.io.IOException: gone
	at com.acme.Disk.read(Disk.java:3)
	... 2 more
10:00:02 INFO done
java.lang.Error
	at a.b(Unknown Source)
	at a.c(Native Method)
END
put ibm.plain <<'END'
0SECTION       THREADS subcomponent dump routine
3XMTHREADINFO      "main" J9VMThread:0x01, j9thread_t:0x02, java/lang/Thread:0x03, state:R, prio=5
4XESTACKTRACE                at com/acme/A.run(A.java:12(Compiled Code))
4XESTACKTRACE                at com/acme/Main.main(Main.java:4)
3XMTHREADINFO3           Native callstack:
3XMTHREADINFO      "idle" J9VMThread:0x05, state:CW, prio=5
4XESTACKTRACE                at java/lang/Object.wait(Native Method)
END
put ljp.plain <<'END'
12 2 work(App.java:31)
  main(App.java:4)
3 1 idle(App.java:9)
Total trace count = 2
END
put gotrace.plain <<'END'
panic: no

goroutine 1 [running, locked to thread]:
main.(*T).Spin(0xc000010000, {0x1, 0x2})
	/srv/app/main.go:12 +0x1a
main.gen[...](...)
	/srv/app/main.go:20
main.main()
	/srv/app/main.go:31 +0x2c

goroutine 18 gp=0xc0 m=nil [chan receive, 5 minutes]:
main.worker.func1()
	/srv/app/w.go:7 +0x10 fp=0x1 sp=0x2 pc=0x3
...additional frames elided...
created by main.worker in goroutine 1
	/srv/app/w.go:5 +0x4c
END
put gocount.goroutine <<'END'
goroutine profile: total 5
3 @ 0x4386d6 0x406f4b
# labels: {"queue":"a"}
#	0x4386d5	main.wait+0x15	/srv/app/w.go:7
#	0x406f4a	main.main+0x4a	/srv/app/main.go:31

2 @ 0x4386d6
END
put gocount.heap <<'END'
heap profile: 2: 4096 [10: 40960] @ heap/1048576
1: 2048 [4: 8192] @ 0x4386d6 0x406f4b
#	0x4386d5	main.alloc+0x15	/srv/app/a.go:7
#	0x406f4a	main.main+0x4a	/srv/app/main.go:31

1: 2048 [6: 32768] @ 0x406f4b

# runtime.MemStats
# Alloc = 4096
END
put pprofraw.plain <<'END'
PeriodType: cpu nanoseconds
Period: 10000000
Time: 2024-05-07 10:00:00.5 +0000 UTC
Duration: 2.5
Samples:
samples/count cpu/nanoseconds[dflt]
          3   30000000: 1 2 
                request:[a b]
          1   10000000: 2 9 
Locations
     1: 0x4386d6 M=1 main.inner /srv/app/a.go:7:1 s=5
             main.outer /srv/app/a.go:9:1 s=8(main.outer)
     2: 0x406f4b M=1 [F] main.main /srv/app/main.go:31 s=20
Mappings
1: 0x400000/0x500000/0x0 /srv/app/app abc [FN][FL][LN][IN]
END
put pproftraces.plain <<'END'
File: app
Type: cpu
Time: May 7, 2024 at 10:00am (UTC)
Duration: 2.50s, Total samples = 1.53s
-----------+-------------------------------------------------------
   request:  a b
     1.50s   main.inner (inline)
             main.outer
             main.main
-----------+-------------------------------------------------------
      30ms   main.main
-----------+-------------------------------------------------------
END
printf '\012\004\010\001\020\002\022\007\012\002\001\002\022\001\005\042\010\010\001\042\004\010\001\020\012\042\010\010\002\042\004\010\002\020\024\052\004\010\001\020\004\052\004\010\002\020\003\062\000\062\003cpu\062\013nanoseconds\062\004main\062\004work' |
	put pprof.plain

put threadz.plain <<'END'
--- threadz 1 ---

--- Thread 7f794ab90940 (name: main/14748) stack: ---
  PC:  0x00bc8f1c: helper(arg*)
  0x0040be31: main
--- Thread 7f7948978700 (name: thread3/14759) stack: ---
  [same as previous thread]
--- Thread 7f7948978701 (name: idle/14760) stack: ---
  PC: 0x00400010 0x00400020
      creator: 0xa45b96 0xa460b4
--- Memory map: ---
  00400000-00fcb000: /bin/server
END
# word N...: numbers below 256 as little-endian words of four bytes
word()
{
	for n; do printf "\\$(printf %03o "$n")\\0\\0\\0"; done
}
{
	word 0 3 0 100 0
	word 5 2 65 66
	word 1 1 67
	word 0 1 0
	printf '00000000-00001000 r-xp 00000000 08:01 1234 /bin/server\n'
} | put gperftools.plain

# ---- tables and trees

put vtune.hotspots <<'END'
Function Stack,CPU Time:Self,Module
Total,0.000,
 main,0.010,app.exe
  "f(int, char)",0.125,app.exe
  "say ""hi""",1.5,lib.dll
   deep,0.0004,lib.dll
     too_deep,1,lib.dll
END
put vtune.memory <<'END'
Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module
Total,0,0,0,
 main,0,0,0,app
  alloc,4096,0,2,app
END
put vsprof.samples <<'END'
Level,Function Name,Inclusive Samples,Exclusive Samples,Module Name
0,app.exe,"1,200",0,
1,Main,"1,200",200,app.exe
2,"Work(int, char)","1,000","1,000",app.exe
END
put vsprof.calls <<'END'
Level,Function Name,Number of Calls,Elapsed Inclusive Time %,Elapsed Exclusive Time %,Avg Elapsed Inclusive Time,Avg Elapsed Exclusive Time,Module Name
1,Main,1,100.00,10.00,5.0,0.5,app.exe
2,Work,20,90.00,90.00,0.2,0.2,app.exe
END
printf 'Running Time\tSelf\t\tSymbol Name\n120.0 ms  100.0%%\t20.0 ms\t \tmain\n100.0 ms   83.3%%\t1.5 s\t \t work\n10.0 us    0.1%%\t2.0 min\t \t   deep\n' |
	put instruments.plain
put xctrace.plain <<'END'
<?xml version="1.0"?>
<trace-query-result>
<node xpath='//trace-toc[1]/run[1]/data[1]/table[1]'><schema name="time-profile"/>
<row><sample-time id="1" fmt="0.1">100</sample-time><thread id="2" fmt="main 0x1 (app, pid: 7)"><tid id="3">1</tid></thread><weight id="4" fmt="1 ms">1000000</weight><backtrace id="5"><frame id="6" name="a&lt;b&gt;" addr="0x10"><binary id="7" name="app" path="/app"/></frame><frame id="8" name="main" addr="0x20"><binary ref="7"/></frame></backtrace></row>
<row><sample-time id="9">200</sample-time><thread ref="2"/><weight ref="4"/><backtrace ref="5"/></row>
<row><sentinel/></row>
<row><backtrace id="10"><frame ref="8"/><frame ref="99"/></backtrace></row>
</node>
</trace-query-result>
END
put ghcprof.plain <<'END'
	Tue May  7 10:00 2024 Time and Allocation Profiling Report  (Final)

	   app +RTS -p -RTS

	total time  =        1.00 secs   (1000 ticks @ 1000 us, 1 processor)
	total alloc = 1,000 bytes  (excludes profiling overheads)

COST CENTRE MODULE  SRC            %time %alloc

work        Main    Main.hs:3:1-9   90.0   80.0

                                          individual      inherited
COST CENTRE  MODULE  SRC          no.  entries  %time %alloc   %time %alloc

MAIN         MAIN    <built-in>   100       0    0.0    0.0   100.0  100.0
 main        Main    Main.hs:1:1  101       1   10.0   20.0   100.0  100.0
  wörk       Main    Main.hs:3:1  102       5   90.0   80.0    90.0   80.0

END
put pmc.plain <<'END'
@ INSTRUCTIONS [30 samples]

66.67%  [20]       leaf @ /bin/app
 75.00%  [15]      caller
  100.0%  [15]     main
 25.00%  [5]       other @ /bin/app

33.33%  [10]       idle @ /boot/kernel/kernel
END
printf 'TRACE START [2024-05-07 10:00:00]\n1\t0\t0\t0.000100\t1000\t{main}\t1\t\t/srv/a.php\t0\t0\n2\t1\t0\t0.000200\t1000\twork\t1\t\t/srv/a.php\t3\t0\n2\t1\t1\t0.000900\t1100\n2\t1\tR\t\t\ttrue\n1\t0\t1\t0.001000\t1100\n\t\t\t0.001100\t900\nTRACE END   [2024-05-07 10:00:01]\n' |
	put xdebug.plain
put speedscope.plain <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json","name":"demo","activeProfileIndex":0,
"shared":{"frames":[{"name":"main","file":"a.c","line":1},{"name":"w\u00f6rk \"x\""}]},
"profiles":[{"type":"sampled","name":"t1","unit":"milliseconds","startValue":0,"endValue":5,"samples":[[0],[0,1]],"weights":[2,3]},
{"type":"evented","name":"t2","unit":"none","startValue":0,"endValue":9,"events":[{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":4},{"type":"C","frame":1,"at":6},{"type":"C","frame":0,"at":9}]}]}
END
put callgrind.plain <<'END'
# callgrind format
version: 1
creator: callgrind-3.19.0
cmd: ./query 7
positions: line
events: Ir Dr
summary: 1290 310

ob=(1) /usr/bin/query
fl=(1) query.c
fn=(1) main
12 40 10
+3 20
cob=(2) /lib/libc.so.6
cfi=(2) qsort.c
cfn=(2) qsort
calls=3 120
* 1000 300
fi=(3) query.h
7 30
fe=(1)

ob=(2)
fl=(2)
fn=(2)
120 1200 300
totals: 1290 310
END
put d3.plain <<'END'
{"name":"all","value":9,"event":"cycles","unit":"cycles","children":[
{"name":"main","value":9,"children":[{"name":"w\u00f6rk","value":4,"libtype":"inlined"},
{"name":"k","value":2,"libtype":"kernel","children":[]}]}]}
END
put firefox.plain <<'END'
{"meta":{"preprocessedProfileVersion":66,"startTime":1000,"product":"demo","importedFrom":"cresset 0.1.0",
"extra":[{"label":"Recording","entries":[{"label":"cmdline","format":"string","value":"perf record x"}]}]},
"libs":[{"path":"/bin/x","name":"x","codeId":"0a0b0c0d"}],
"shared":{"stringArray":["main","w\u00f6rk","a.c"],
"stackTable":{"length":3,"frame":[0,1,2],"prefixOffset":[0,1,2]},
"frameTable":{"length":3,"func":[0,1,1],"line":[7,null,9],"inlineDepth":[0,1,0],"category":[1,1,2],"subcategory":[0,0,1]},
"funcTable":{"length":2,"name":[0,1],"resource":[0,-1],"source":[0,null]},
"resourceTable":{"length":1,"lib":[0]},"sources":{"length":1,"filename":[2]}},
"threads":[{"name":"x","pid":"7","tid":"8","cresset":{"comm":"x","pid":7,"tid":8,"event":"cpu-clock","unit":"ns","main":1,"by_comm":1,"start_ns":5000},
"samples":{"length":3,"stack":[0,1,null],"timeDeltas":[0,1.5,2],"weightType":"tracing-ms","weight":[1,0.000004,2]}},
{"name":"y","pid":"7","tid":"9.2","stringArray":["f"],"stackTable":{"frame":[0],"prefix":[null]},"frameTable":{"func":[0]},"funcTable":{"name":[0],"fileName":[0]},
"samples":{"stack":[0],"time":[3],"weight":null,"weightType":"samples"}}]}
END
put chrometrace.plain <<'END'
[{"name":"main","ph":"X","ts":0,"dur":100,"pid":1,"tid":2,"cat":"a"},
{"name":"work","ph":"B","ts":10,"pid":1,"tid":2},
{"name":"work","ph":"E","ts":60,"pid":1,"tid":2},
{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"loop"}}]
END
put cpuprofile.nodes <<'END'
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1},"children":[2]},
{"id":2,"callFrame":{"functionName":"main","url":"a.js","lineNumber":3},"children":[3]},
{"id":3,"callFrame":{"functionName":"","url":"a.js","lineNumber":9}}],
"startTime":100,"endTime":400,"samples":[2,3,3],"timeDeltas":[50,100,50]}
END
put cpuprofile.heap <<'END'
{"head":{"callFrame":{"functionName":"(root)","url":"","lineNumber":-1},"selfSize":0,"children":[
{"callFrame":{"functionName":"fill","url":"a.js","lineNumber":3},"selfSize":4096,"children":[]}]}}
END
