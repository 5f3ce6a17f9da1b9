#!/usr/bin/env python3
# Prints src/base/utf8_widths.def: the characters that take no cell of a terminal or two, all others take one. Of the
# Unicode version of this Python, which it says.
import unicodedata

# EastAsianWidth.txt: what is not assigned here is wide as well.
WIDE = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD)]
# Hexagrams and circled numbers that Unicode 16 makes wide, or that C libraries have as wide.
WIDE += [(0x4DC0, 0x4DFF), (0x3248, 0x324F)]
# Vowels and finals of Hangul, which join the letter before them.
JOINS = [(0x1160, 0x11FF), (0xD7B0, 0xD7FF)]


def within(c, ranges):
    return any(a <= c <= b for a, b in ranges)


def width(c):
    category = unicodedata.category(chr(c))
    if category in ('Mn', 'Me') or within(c, JOINS):
        return 0
    if category in ('Cc', 'Cf'):
        return 1  # cr_text_safe() shows them as \xHH
    return 2 if unicodedata.east_asian_width(chr(c)) in 'WF' or within(c, WIDE) else 1


ranges = []
for c in range(0x110000):
    w = width(c)
    if w == 1:
        continue
    if ranges and ranges[-1][1] == c - 1 and ranges[-1][2] == w:
        ranges[-1][1] = c
    else:
        ranges.append([c, c, w])
print('/* Unicode %s, made by tests/tools/make-widths.py. */' % unicodedata.unidata_version)
line = ''
for a, b, w in ranges:
    item = '{0x%x, 0x%x, %d},' % (a, b, w)
    if line and len(line) + 1 + len(item) > 96:
        print(line)
        line = ''
    line += (' ' if line else '') + item
print(line)
