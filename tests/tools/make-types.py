#!/usr/bin/env python3
"""make-types.py PROGRAM PATH OUT FUNCTION...: a recording, made by hand, with one sample at each instruction of these
functions of an x86-64 program, as loads that took a cycle for each. The recording says that the program is at PATH."""

import re
import struct
import subprocess
import sys

IP, TID, TIME, PERIOD, WEIGHT = 1, 2, 4, 1 << 8, 1 << 14
DISABLED, INHERIT, MMAP, COMM, TASK, ID_ALL = (1 << bit for bit in (0, 1, 8, 9, 13, 18))
PID, START = 100, 1_000_000_000_000


def text(name, padded):
    return name.encode().ljust(padded, b"\0")


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def instructions(program, functions):
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], check=True, capture_output=True,
                             text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout
    name = None
    for line in listing.splitlines():
        head = re.match(r"[0-9a-f]+ <([^>]*)>:$", line)
        if head:
            name = head.group(1).split(".")[0]
        code = re.match(r" +([0-9a-f]+):\t", line)
        if code and name in functions:
            yield int(code.group(1), 16)


def segment(program):
    """Address, offset and size of the code."""
    with open(program, "rb") as f:
        elf = f.read()
    offset, = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    for i in range(count):
        kind, flags, at, vaddr, _, length = struct.unpack_from("<IIQQQQ", elf, offset + i * size)
        if kind == 1 and flags & 1:
            return vaddr, at, length
    raise SystemExit("no code in " + program)


program, path, out, functions = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
vaddr, at, length = segment(program)
base = 0x555500000000
padded = (len(path) // 8 + 1) * 8
samples = record(3, 1 << 13, struct.pack("<II", PID, PID) + text("structs", 16) + struct.pack("<IIQ", PID, PID, START))
samples += record(1, 2, struct.pack("<IIQQQ", PID, PID, base + at, (length + 4095) // 4096 * 4096, at) +
                  text(path, padded) + struct.pack("<IIQ", PID, PID, START))
count = 0
for address in sorted(instructions(program, functions)):
    count += 1
    samples += record(9, 2, struct.pack("<QIIQQQ", base + address - vaddr + at, PID, PID, START + count, 1, count))
sample_type = IP | TID | TIME | PERIOD | WEIGHT
attr = struct.pack("<IIQQQQQ", 4, 112, 0x1CD, 1, sample_type, 0,
                   DISABLED | INHERIT | MMAP | COMM | TASK | ID_ALL).ljust(112, b"\0")
data_at = 104 + 112 + 16
name = text("cpu/mem-loads/P", 64)
described = struct.pack("<II", 1, 112) + attr + struct.pack("<II", 0, len(name)) + name
with open(out, "wb") as f:
    f.write(struct.pack("<8sQQQQQQQQ", b"PERFILE2", 104, 128, 104, 128, data_at, len(samples), 0, 0))
    f.write(struct.pack("<4Q", 1 << 12, 0, 0, 0) + attr + struct.pack("<QQ", 0, 0) + samples)
    f.write(struct.pack("<QQ", data_at + len(samples) + 16, len(described)) + described)
