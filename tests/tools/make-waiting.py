#!/usr/bin/env python3
"""make-waiting.py OUT: a perf.data of a small server on two processors, as perf record -a would write it with
tracepoints of switches, wakings, system calls, locks, block requests and interrupts. Made by hand, so that all times
are known exactly: the times below are in microseconds.

With --huge as the second argument they are so long that the last one is near 2^64 ns.

Thread 100 "server" waits for its worker, then for a request that never comes. Thread 101 "worker" computes. Thread 102
"logger" waits for the disk, and shares processor 0 with the server."""

import struct
import sys

PID, CPUS = 100, 2
START, NS = (5, 2**64 // 20001) if sys.argv[-1] == "--huge" else (1_000_000_000_000, 1000)
IP, TID, TIME, CALLCHAIN, CPU, PERIOD, RAW, IDENTIFIER = 1, 2, 4, 1 << 5, 1 << 7, 1 << 8, 1 << 10, 1 << 16
SAMPLE_TYPE = IP | TID | TIME | CALLCHAIN | CPU | PERIOD | RAW | IDENTIFIER
DISABLED, INHERIT, MMAP, COMM, TASK, ID_ALL = (1 << bit for bit in (0, 1, 8, 9, 13, 18))
MMAP_RECORD, COMM_RECORD, EXIT_RECORD, FORK_RECORD, SAMPLE_RECORD = 1, 3, 4, 7, 9
KERNEL, USER = 2**64 - 128, 2**64 - 512
NAMES = {0: "swapper", 100: "server", 101: "worker", 102: "logger"}

# Name, id and fields of each tracepoint. A field: its declaration, its format for struct, whether it is signed.
TRACEPOINTS = {
    "sched:sched_switch": (316, [("char prev_comm[16]", "16s", 0), ("pid_t prev_pid", "i", 1), ("int prev_prio", "i", 1),
                                 ("long prev_state", "q", 1), ("char next_comm[16]", "16s", 0),
                                 ("pid_t next_pid", "i", 1), ("int next_prio", "i", 1)]),
    "sched:sched_waking": (317, [("char comm[16]", "16s", 0), ("pid_t pid", "i", 1), ("int prio", "i", 1),
                                 ("int target_cpu", "i", 1)]),
    "raw_syscalls:sys_enter": (21, [("long id", "q", 1), ("unsigned long args[6]", "6Q", 0)]),
    "raw_syscalls:sys_exit": (20, [("long id", "q", 1), ("long ret", "q", 1)]),
    "lock:contention_begin": (40, [("void * lock_addr", "Q", 0), ("unsigned int flags", "I", 0)]),
    "lock:contention_end": (41, [("void * lock_addr", "Q", 0), ("int ret", "i", 1)]),
    "block:block_rq_issue": (50, [("dev_t dev", "I", 0), ("unsigned int bytes", "I", 0), ("sector_t sector", "Q", 0)]),
    "block:block_rq_complete": (51, [("dev_t dev", "I", 0), ("int error", "i", 1), ("sector_t sector", "Q", 0)]),
    "irq:irq_handler_entry": (60, [("int irq", "i", 1)]),
    "irq:irq_handler_exit": (61, [("int irq", "i", 1), ("int ret", "i", 1)]),
}
COMMON = [("unsigned short common_type", 2, 0), ("unsigned char common_flags", 1, 0),
          ("unsigned char common_preempt_count", 1, 0), ("int common_pid", 4, 1)]
SERVER, WORKER, LOGGER, LIBC, LIBLOG = 0x400100, 0x500100, 0x600100, 0x700100, 0x800100
STACKS = {0: [], 100: [LIBC, SERVER], 101: [WORKER, SERVER], 102: [LIBC, LIBLOG, SERVER]}

records = []
now = 0


def text(name, padded):
    return name.encode().ljust(padded, b"\0")


def add(us, kind, misc, body, who=None):
    if who:  # sample_id_all: what every record but a sample ends with
        body += struct.pack("<IIQIIQ", PID, who[0], START + us * NS, who[1], 0, 316)
    records.append((us, len(records), struct.pack("<IHH", kind, misc, 8 + len(body)) + body))


def sample(us, cpu, tid, event, *values):
    number, fields = TRACEPOINTS[event]
    raw = struct.pack("<HBBi", number, 0, 0, tid)
    for (_, form, _), value in zip(fields, values):
        raw += struct.pack("<" + form, *(value if isinstance(value, tuple) else (value,)))
    raw = raw.ljust((len(raw) + 4 + 7) // 8 * 8 - 4, b"\0")
    chain = [USER] + STACKS[tid] if tid else []
    body = struct.pack("<QQIIQIIQ", number, chain[1] if tid else 0, PID if tid else 0, tid, START + us * NS, cpu, 0, 1)
    body += struct.pack("<Q%dQ" % len(chain), len(chain), *chain) + struct.pack("<I", len(raw)) + raw
    add(us, SAMPLE_RECORD, 2 if tid else 1, body)


def switch(us, cpu, prev, state, following):
    sample(us, cpu, prev, "sched:sched_switch", text(NAMES[prev], 16), prev, 120, state, text(NAMES[following], 16),
           following, 120)


def wake(us, cpu, waker, woken, target):
    sample(us, cpu, waker, "sched:sched_waking", text(NAMES[woken], 16), woken, 120, target)


def enter(us, cpu, tid, number):
    sample(us, cpu, tid, "raw_syscalls:sys_enter", number, (0,) * 6)


def leave(us, cpu, tid, number, result):
    sample(us, cpu, tid, "raw_syscalls:sys_exit", number, result)


def task(us, kind, tid, parent, who):
    add(us, kind, 0, struct.pack("<IIIIQ", PID, PID, tid, parent, START + us * NS), who)


def comm(us, tid, cpu):
    add(us, COMM_RECORD, 0, struct.pack("<II", PID, tid) + text(NAMES[tid], 16), (tid, cpu))


SLEEPS, DISK, PREEMPTED, DEAD = 1, 2, 0x100, 0x10
FUTEX, FSYNC, READ, OPENAT, EXIT = 202, 74, 0, 257, 60

comm(0, 100, 0)
for address, path in ((SERVER, "server"), (WORKER, "libwork.so"), (LOGGER, "logger"), (LIBC, "libc.so"),
                      (LIBLOG, "liblog.so")):
    add(0, MMAP_RECORD, 2, struct.pack("<IIQQQ", PID, PID, address & ~0xfff, 0x1000, 0) +
        text("/opt/example/" + path, 32), (PID, 0))
wake(0, 0, 0, 100, 0)
switch(10, 0, 0, 0, 100)
enter(100, 0, 100, OPENAT)
leave(120, 0, 100, OPENAT, -2)
enter(140, 0, 100, OPENAT)
leave(150, 0, 100, OPENAT, 3)
task(500, FORK_RECORD, 101, 100, (100, 0))
wake(520, 0, 100, 101, 1)
switch(530, 1, 0, 0, 101)
comm(531, 101, 1)
task(600, FORK_RECORD, 102, 100, (100, 0))
wake(620, 0, 100, 102, 0)
enter(990, 0, 100, FUTEX)
switch(1000, 0, 100, SLEEPS, 102)  # the logger has been in the run queue since 620
comm(1001, 102, 0)
enter(3000, 0, 102, FSYNC)
sample(3050, 0, 102, "block:block_rq_issue", 0x800001, 4096, 2048)
switch(3100, 0, 102, DISK, 0)
sample(5000, 1, 101, "lock:contention_begin", 0xffff888000001000, 1)
sample(5500, 1, 101, "lock:contention_end", 0xffff888000001000, 0)
sample(8040, 0, 0, "irq:irq_handler_entry", 27)
sample(8050, 0, 0, "block:block_rq_complete", 0x800001, 0, 2048)
wake(8060, 0, 0, 102, 0)
sample(8065, 0, 0, "irq:irq_handler_exit", 27, 1)
switch(8070, 0, 0, 0, 102)
leave(8100, 0, 102, FSYNC, 0)
enter(10000, 1, 101, FUTEX)
wake(10010, 1, 101, 100, 0)
leave(10020, 1, 101, FUTEX, 1)
switch(12000, 0, 102, PREEMPTED, 100)  # the server has been in the run queue since 10010
leave(12010, 0, 100, FUTEX, 0)
enter(12900, 0, 100, READ)
switch(13000, 0, 100, SLEEPS, 102)
enter(14990, 0, 102, EXIT)
task(14995, EXIT_RECORD, 102, 100, (102, 0))
switch(15000, 0, 102, DEAD, 0)
sample(16000, 1, 101, "lock:contention_begin", 0xffff888000001000, 1)
sample(16100, 1, 101, "lock:contention_end", 0xffff888000001000, 0)
enter(19990, 1, 101, EXIT)
task(19995, EXIT_RECORD, 101, 100, (101, 1))
switch(20000, 1, 101, DEAD, 0)


def format_of(name):
    number, fields = TRACEPOINTS[name]
    lines, at = ["name: " + name.split(":")[1], "ID: %d" % number, "format:"], 0
    for declaration, size, signed in COMMON:
        lines.append("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;" % (declaration, at, size, signed))
        at += size
    lines.append("")
    for declaration, form, signed in fields:
        size = struct.calcsize("<" + form)
        lines.append("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;" % (declaration, at, size, signed))
        at += size
    return ("\n".join(lines) + "\n\nprint fmt: \"%d\", REC->common_pid\n").encode()


def tracing():
    systems = {}
    for name in TRACEPOINTS:
        systems.setdefault(name.split(":")[0], []).append(format_of(name))
    out = b"\x17\x08\x44tracing0.6\0" + struct.pack("<BBI", 0, 8, 4096)
    page = b"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
    out += b"header_page\0" + struct.pack("<Q", len(page)) + page + b"header_event\0" + struct.pack("<Q", 0)
    out += struct.pack("<I", 0) + struct.pack("<I", len(systems))
    for system, formats in systems.items():
        out += system.encode() + b"\0" + struct.pack("<I", len(formats))
        for body in formats:
            out += struct.pack("<Q", len(body)) + body
    return out + struct.pack("<I", 0) + struct.pack("<I", 0) + struct.pack("<Q", 0)


def string(value):
    body = value.encode() + b"\0"
    body = body.ljust((len(body) + 63) // 64 * 64, b"\0")
    return struct.pack("<I", len(body)) + body


def described(name, attr):
    body = name.encode() + b"\0"
    body = body.ljust((len(body) + 63) // 64 * 64, b"\0")
    return attr + struct.pack("<II", 1, len(body)) + body + struct.pack("<Q", TRACEPOINTS[name][0])


attrs = {name: struct.pack("<IIQQQQQ", 2, 112, number, 1, SAMPLE_TYPE, 0,
                           DISABLED | INHERIT | MMAP | COMM | TASK | ID_ALL).ljust(112, b"\0")
         for name, (number, _) in TRACEPOINTS.items()}
data = b"".join(record for _, _, record in sorted(records, key=lambda r: r[:2]))
ids_at = 104
attrs_at = ids_at + 8 * len(attrs)
data_at = attrs_at + 128 * len(attrs)
out = struct.pack("<8sQQQQQQQQ", b"PERFILE2", 104, 128, attrs_at, 128 * len(attrs), data_at, len(data), 0, 0)
features = {1: tracing(), 3: string("example"), 4: string("6.1.0"), 6: string("x86_64"),
            7: struct.pack("<II", CPUS, CPUS),
            12: struct.pack("<II", len(attrs), 112) + b"".join(described(name, attr) for name, attr in attrs.items())}
out += struct.pack("<4Q", sum(1 << bit for bit in features), 0, 0, 0)
out += b"".join(struct.pack("<Q", number) for number, _ in TRACEPOINTS.values())
for i, attr in enumerate(attrs.values()):
    out += attr + struct.pack("<QQ", ids_at + 8 * i, 8)
out += data
table, bodies, at = b"", b"", len(out) + 16 * len(features)
for bit in sorted(features):
    table += struct.pack("<QQ", at + len(bodies), len(features[bit]))
    bodies += features[bit]
with open(sys.argv[1], "wb") as f:
    f.write(out + table + bodies)
