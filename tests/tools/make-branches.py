#!/usr/bin/env python3
"""make-branches.py BRANCHES MEMORY HISTORY PROGRAM: three recordings, made by hand so that every number is known.

BRANCHES is as `perf record -b -e cycles:u` would write it: a loop that calls a function with a loop in it. MEMORY is as
`perf mem record` would write it: two threads that share a cache line, and loads from elsewhere. HISTORY is the loop
again as `perf record -b -g` would write it, with the kernel in it. PROGRAM is the ELF file of the loop. With --huge as
the last argument periods and weights are near 2^63 and 2^64, so that sums do not fit in 64 bits."""

import struct
import sys

IP, TID, TIME, ADDR, CPU, PERIOD, CHAIN, BRANCHES, WEIGHT, DATA_SRC, PHYS = (
    1, 2, 4, 8, 1 << 7, 1 << 8, 1 << 5, 1 << 11, 1 << 14, 1 << 15, 1 << 19)
DISABLED, INHERIT, MMAP, COMM, TASK, MMAP_DATA, ID_ALL = (1 << bit for bit in (0, 1, 8, 9, 13, 17, 18))
PID, START, BASE = 100, 1_000_000_000_000, 0x400000
HALF, WHOLE = (2**63, 2**64 - 2000) if sys.argv[-1] == "--huge" else (0, 0)


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
    body = struct.pack("<QIIQIIQ", BASE + 0x1014, PID, tid, START + 1000 * (i + 1), 0, 0, HALF + 1000)
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
    body = struct.pack("<QIIQQIIQ", BASE + code, PID, tid, START + 1000 * (i + 1), address, tid - PID, 0, HALF + 1000)
    body += struct.pack("<QQQ", HALF + weight + i % 2, source, address & 0xFFFFFFF | 1 << 32)
    samples += record(9, 2, body)
write(sys.argv[2], (4, 0x1CD, "cpu/mem-loads,ldlat=30/P"),
      IP | TID | TIME | ADDR | CPU | PERIOD | WEIGHT | DATA_SRC | PHYS, 0, samples)

# The loop with call chains. Sometimes an interrupt comes, so the newest branches are in the kernel; entries may be
# empty, and the caller of main() is known.
KERNEL, USER = (1 << 64) - 128, (1 << 64) - 512
TEXT, INTERRUPT = 0xFFFFFFFF81000000, [(BASE + 0x1020, 0xFFFFFFFF81000100), (0xFFFFFFFF81000120, 0xFFFFFFFF81000200)]
samples = begin([(PID, "loop")], [(BASE, 0x2000, "/opt/example/loop", 0)])
for i in range(24):
    in_kernel, in_work = i % 4 == 3, i % 6 in (1, 2, 3, 4)
    entries = [(BASE + source, BASE + target) for source, target, _, _ in (turn * 4)[i % 6:i % 6 + 14]]
    if in_kernel:
        entries = entries[4:] + INTERRUPT
    entries = entries[::-1] + [(0, 0)] * (2 if i % 8 == 7 else 0)
    ip = TEXT + 0x204 if in_kernel else BASE + (0x110C if in_work else 0x1018)
    chain = [KERNEL, ip, TEXT + 0x125, USER, BASE + 0x1020] if in_kernel else [USER, ip]
    chain += ([BASE + 0x1014] if in_work and not in_kernel else []) + [BASE + 0x1080]
    body = struct.pack("<QIIQIIQ", ip, PID, PID, START + 1000 * (i + 1), 0, 0, WHOLE + 1000 + i)
    body += struct.pack("<Q%dQ" % len(chain), len(chain), *chain) + struct.pack("<Q", len(entries))
    for source, target in entries:
        body += struct.pack("<QQQ", source, target, 2)
    samples += record(9, 1 if in_kernel else 2, body)
write(sys.argv[3], (0, 0, "cycles"), IP | TID | TIME | CPU | PERIOD | CHAIN | BRANCHES, 1 << 3, samples)


# Its code: "add $1,%rax" up to each branch. All addresses are offsets in the file.
def code(at, *parts):
    out = b""
    for end, branch in parts:
        while at < end:
            step = b"\x48\x83\xc0\x01" if (end - at) % 4 == 0 else b"\x31\xc9"  # xor %ecx,%ecx
            out, at = out + step, at + len(step)
        out, at = out + branch, at + len(branch)
    return out


main = code(0x1000, (0x1010, b"\xff\x54\x24\x08"), (0x1050, b"\xeb\xae"))  # call *8(%rsp); jmp 0x1000
work = code(0x1100, (0x1120, b"\x75\xe6"), (0x1130, b"\xc3"))  # jne 0x1108; ret
strings, names = b"\0main\0work\0start\0", b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", name, 0x12, 0, 1, at, size)
                               for name, at, size in ((1, 0x1000, 0x60), (6, 0x1100, 0x40), (11, 0x1070, 0x20)))
text_part = (main.ljust(0x100, b"\x90") + work).ljust(0x140, b"\x90")
symbols_at, sections = 0x1140, bytes(64)
strings_at, names_at = symbols_at + len(symbols), symbols_at + len(symbols) + len(strings)
for name, kind, flags, at, offset, size, link, info, item in (
        (1, 1, 6, 0x1000, 0x1000, len(text_part), 0, 0, 0), (7, 2, 0, 0, symbols_at, len(symbols), 3, 1, 24),
        (15, 3, 0, 0, strings_at, len(strings), 0, 0, 0), (23, 3, 0, 0, names_at, len(names), 0, 0, 0)):
    sections += struct.pack("<IIQQQQIIQQ", name, kind, flags, at, offset, size, link, info, 8, item)
sections_at = (names_at + len(names) + 7) // 8 * 8
head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 62, 1, 0x1000, 64, sections_at, 0, 64, 56, 1, 64, 5, 4)
head += struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 0x1140, 0x1140, 0x1000)
with open(sys.argv[4], "wb") as f:
    f.write(head.ljust(0x1000, b"\0") + text_part + symbols + strings + names)
    f.write(bytes(sections_at - names_at - len(names)) + sections)
