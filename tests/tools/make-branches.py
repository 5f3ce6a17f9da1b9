#!/usr/bin/env python3
"""make-branches.py BRANCHES MEMORY: two recordings, made by hand so that every number is known.

BRANCHES is as `perf record -b -e cycles:u` would write it: a loop that calls a function with a loop in it. MEMORY is as
`perf mem record` would write it: two threads that share a cache line, and loads from elsewhere."""

import struct
import sys

IP, TID, TIME, ADDR, CPU, PERIOD, BRANCHES, WEIGHT, DATA_SRC, PHYS = (
    1, 2, 4, 8, 1 << 7, 1 << 8, 1 << 11, 1 << 14, 1 << 15, 1 << 19)
DISABLED, INHERIT, MMAP, COMM, TASK, MMAP_DATA, ID_ALL = (1 << bit for bit in (0, 1, 8, 9, 13, 17, 18))
PID, START, BASE = 100, 1_000_000_000_000, 0x400000


def text(name, padded):
    return name.encode().ljust(padded, b"\0")


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def who(tid, time):  # sample_id_all: what every record but samples ends with
    return struct.pack("<IIQII", PID, tid, time, 0, 0)


def begin(comms, maps):
    out = b""
    for tid, comm in comms:
        out += record(3, 1 << 13, struct.pack("<II", PID, tid) + text(comm, 16) + who(tid, START))
    for at, size, name, data in maps:
        out += record(1, 2 | (data << 13),
                      struct.pack("<IIQQQ", PID, PID, at, size, 0) + text(name, 24) + who(PID, START))
    return out


def write(path, event, sample_type, branch_type, data):
    attr = struct.pack("<IIQQQQQ", event[0], 112, event[1], 1000, sample_type, 0,
                       DISABLED | INHERIT | MMAP | COMM | TASK | MMAP_DATA | ID_ALL)
    attr = (attr + struct.pack("<IIQQQ", 0, 0, 0, 0, branch_type)).ljust(112, b"\0")
    data_at = 104 + 112 + 16
    name = event[2].encode() + b"\0"
    name = name.ljust((len(name) + 63) // 64 * 64, b"\0")
    described = struct.pack("<II", 1, 112) + attr + struct.pack("<II", 0, len(name)) + name
    table_at = data_at + len(data)
    with open(path, "wb") as f:
        f.write(struct.pack("<8sQQQQQQQQ", b"PERFILE2", 104, 128, 104, 128, data_at, len(data), 0, 0))
        f.write(struct.pack("<4Q", 1 << 12, 0, 0, 0) + attr + struct.pack("<QQ", 0, 0) + data)
        f.write(struct.pack("<QQ", table_at + 16, len(described)) + described)


# The loop, oldest branch first: from, to, mispredicted, cycles.
CALL, RETURN, AGAIN = (0x1010, 0x1100, 0, 5), (0x1130, 0x1014, 0, 7), (0x1050, 0x1000, 0, 20)
INNER, INNER_MISSED = (0x1120, 0x1108, 0, 3), (0x1120, 0x1108, 1, 40)
turn = [CALL, INNER, INNER, INNER_MISSED, RETURN, AGAIN]
samples = begin([(PID, "loop"), (PID + 1, "other")], [(BASE, 0x2000, "/opt/example/loop", 0)])
for i in range(12):
    entries = ((turn * 4)[i % 6:i % 6 + 16])[::-1]
    tid = PID + (i % 3 == 2)
    body = struct.pack("<QIIQIIQ", BASE + 0x1014, PID, tid, START + 1000 * (i + 1), 0, 0, 1000)
    body += struct.pack("<Q", len(entries))
    for source, target, missed, cycles in entries:
        body += struct.pack("<QQQ", BASE + source, BASE + target, (1 if missed else 2) | cycles << 4)
    samples += record(9, 2, body)
write(sys.argv[1], (0, 0, "cycles:u"), IP | TID | TIME | CPU | PERIOD | BRANCHES, 1 | 1 << 3, samples)

# Data sources: operation, level, snoop, lock, TLB.
LOAD, STORE = 1 << 1, 1 << 2
HIT, MISS, L1, LFB, L3, RAM = (1 << (5 + bit) for bit in (1, 2, 3, 4, 6, 7))
REMOTE_CACHE = 1 << (5 + 10)
NO_SNOOP, SNOOP_HIT, SNOOP_MISS, HITM = (1 << (19 + bit) for bit in (1, 2, 3, 4))
LOCKED = 1 << 25
TLB_HIT = (1 << 27) | (1 << 29) | (1 << 30)
TLB_MISS = (1 << 28) | (1 << 31)
SHARED, PRIVATE, FAR = 0x7F0000001040, 0x7F0000002000, 0x7F0000100000
kinds = [
    # tid, code, address, weight, data source
    (PID, 0x1010, SHARED + 8, 220, LOAD | HIT | L3 | HITM | TLB_HIT),
    (PID, 0x1018, SHARED + 8, 30, STORE | HIT | L1 | TLB_HIT),
    (PID + 1, 0x1110, SHARED + 16, 260, LOAD | HIT | L3 | HITM | TLB_HIT),
    (PID + 1, 0x1118, SHARED + 16, 34, STORE | MISS | L1 | TLB_HIT | LOCKED),
    (PID + 1, 0x1120, SHARED + 16, 410, LOAD | HIT | REMOTE_CACHE | HITM | TLB_HIT),
    (PID, 0x1020, PRIVATE, 4, LOAD | HIT | L1 | NO_SNOOP | TLB_HIT),
    (PID, 0x1020, PRIVATE + 64, 5, LOAD | HIT | L1 | NO_SNOOP | TLB_HIT),
    (PID, 0x1028, FAR, 350, LOAD | HIT | RAM | SNOOP_MISS | TLB_MISS),
    (PID, 0x1028, FAR + 0x1000, 90, LOAD | HIT | LFB | SNOOP_HIT | TLB_HIT),
]
samples = begin([(PID, "reader"), (PID + 1, "writer")],
                [(BASE, 0x2000, "/opt/example/share", 0), (0x7F0000000000, 0x200000, "/dev/shm/table", 1)])
for i in range(60):
    tid, code, address, weight, source = kinds[i * 7 % 9 if i % 4 else 0]
    body = struct.pack("<QIIQQIIQ", BASE + code, PID, tid, START + 1000 * (i + 1), address, tid - PID, 0, 1000)
    body += struct.pack("<QQQ", weight + i % 2, source, address & 0xFFFFFFF | 1 << 32)
    samples += record(9, 2, body)
write(sys.argv[2], (4, 0x1CD, "cpu/mem-loads,ldlat=30/P"),
      IP | TID | TIME | ADDR | CPU | PERIOD | WEIGHT | DATA_SRC | PHYS, 0, samples)
