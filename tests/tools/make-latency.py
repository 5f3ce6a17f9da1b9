#!/usr/bin/env python3
"""make-latency.py OUT: a perf.data in which one thread works alone for 9 s, then 128 threads work for 1 s on 128
processors, as `perf record -F 5 -e cpu-clock --switch-events` would write it. Thread 100 is called "alone", the others
are called "together". Made by hand, so that the shares are known exactly: 45 and 640 samples of 200 ms."""

import struct
import sys

CPUS, PID, START, PERIOD = 128, 100, 1_000_000_000_000, 200_000_000
IP, TID, TIME, CPU, PERIOD_BIT = 1, 2, 4, 1 << 7, 1 << 8
SAMPLE_TYPE = IP | TID | TIME | CPU | PERIOD_BIT
DISABLED, INHERIT, MMAP, COMM, FREQ, TASK, ID_ALL, SWITCH = (1 << bit for bit in (0, 1, 8, 9, 10, 13, 18, 26))
COMM_RECORD, EXIT_RECORD, FORK_RECORD, SAMPLE_RECORD, MMAP_RECORD, SWITCH_RECORD = 3, 4, 7, 9, 1, 14
OUT = 1 << 13

records = []


def add(time, kind, misc, body, who=None):
    if who:  # sample_id_all: what every other record ends with
        body += struct.pack("<IIQII", PID, who[0], time, who[1], 0)
    records.append((time, struct.pack("<IHH", kind, misc, 8 + len(body)) + body))


def text(name, padded):
    return name.encode().ljust(padded, b"\0")


def sample(time, tid, cpu, ip):
    add(time, SAMPLE_RECORD, 2, struct.pack("<QIIQIIQ", ip, PID, tid, time, cpu, 0, PERIOD))


def switch(time, tid, cpu, out):
    add(time, SWITCH_RECORD, OUT if out else 0, b"", (tid, cpu))


def task(time, kind, tid, parent, who):
    add(time, kind, 0, struct.pack("<IIIIQ", PID, PID, tid, parent, time), who)


add(START, COMM_RECORD, 1 << 13, struct.pack("<II", PID, PID) + text("alone", 16), (PID, 0))
add(START, MMAP_RECORD, 2, struct.pack("<IIQQQ", PID, PID, 0x400000, 0x1000, 0) + text("/opt/example/work", 24),
    (PID, 0))
for i in range(45):
    sample(START + (i + 1) * PERIOD - 1, PID, 0, 0x400100)
together = START + 45 * PERIOD
for n in range(CPUS):
    task(together, FORK_RECORD, PID + 1 + n, PID, (PID, 0))
switch(together + 1, PID, 0, True)
for n in range(CPUS):
    tid = PID + 1 + n
    add(together + 2, COMM_RECORD, 0, struct.pack("<II", PID, tid) + text("together", 16), (tid, n))
    switch(together + 3, tid, n, False)
for i in range(5):
    for n in range(CPUS):
        sample(together + 4 + i * PERIOD + PERIOD // 2, PID + 1 + n, n, 0x400200)
end = together + 5 * PERIOD + 10
for n in range(CPUS):
    task(end, EXIT_RECORD, PID + 1 + n, PID, (PID + 1 + n, n))
switch(end + 1, PID, 0, False)
task(end + 2, EXIT_RECORD, PID, PID, (PID, 0))

attr = struct.pack("<IIQQQQQ", 1, 112, 0, 5, SAMPLE_TYPE, 0,
                   DISABLED | INHERIT | MMAP | COMM | FREQ | TASK | ID_ALL | SWITCH).ljust(112, b"\0")
data = b"".join(record for _, record in sorted(records, key=lambda r: r[0]))
attrs_at = 104
data_at = attrs_at + 112 + 16
features = [(7, struct.pack("<II", CPUS, CPUS))]  # NRCPUS
head = struct.pack("<8sQQQQQQQQ", b"PERFILE2", 104, 128, attrs_at, 128, data_at, len(data), 0, 0)
bits = 0
for bit, _ in features:
    bits |= 1 << bit
out = head + struct.pack("<4Q", bits, 0, 0, 0) + attr + struct.pack("<QQ", 0, 0) + data
at = len(out) + 16 * len(features)
table, bodies = b"", b""
for _, body in features:
    table += struct.pack("<QQ", at + len(bodies), len(body))
    bodies += body
with open(sys.argv[1], "wb") as f:
    f.write(out + table + bodies)
