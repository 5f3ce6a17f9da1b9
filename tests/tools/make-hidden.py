#!/usr/bin/env python3
# Prints the table of characters in src/base/text_hidden.h: those that a terminal shows nothing of, or that act on
# what stands around them. Of the Unicode version of this Python, which it says.
import unicodedata

# Default_Ignorable_Code_Point that are letters or marks by category: DerivedCoreProperties.txt.
IGNORABLE = [(0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2065, 0x2065),
             (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF)]


def hidden(c):
    return (unicodedata.category(chr(c)) in ('Cc', 'Cf', 'Co', 'Zl', 'Zp')
            or any(a <= c <= b for a, b in IGNORABLE))


ranges = []
for c in range(0x110000):
    if not hidden(c):
        continue
    if ranges and ranges[-1][1] == c - 1:
        ranges[-1][1] = c
    else:
        ranges.append([c, c])
print('/* Unicode %s, made by tests/tools/make-hidden.py. */' % unicodedata.unidata_version)
line = ''
for a, b in ranges:
    item = '{0x%x, 0x%x},' % (a, b)
    if line and len(line) + 1 + len(item) > 90:
        print(line)
        line = ''
    line += (' ' if line else '') + item
print(line)
