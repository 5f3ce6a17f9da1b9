#!/usr/bin/env python3
"""The hottest functions and the hottest stack of a profile, through libcresset and ctypes.

usage: hottest.py PROFILE [QUERY]
"""

import ctypes
import sys

library = ctypes.CDLL("libcresset.so.0")


def declare(name, result, *parameters):
    """Without this, ctypes would cut pointers to 32 bits."""
    function = getattr(library, name)
    function.restype = result
    function.argtypes = parameters
    return function


pointer, text, size, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32
new = declare("cresset_new", pointer)
free = declare("cresset_free", None, pointer)
error = declare("cresset_error", text, pointer)
open_profile = declare("cresset_open", pointer, pointer, text)
profile_free = declare("cresset_profile_free", None, pointer)
report = declare("cresset_report", pointer, pointer, text, text, ctypes.POINTER(text))
table_free = declare("cresset_table_free", None, pointer)
rows = declare("cresset_rows", size, pointer)
column = declare("cresset_column", text, pointer, size)
cell = declare("cresset_cell", text, pointer, size, size)
cell_number = declare("cresset_cell_number", ctypes.c_double, pointer, size, size)
query = declare("cresset_query", pointer, pointer, text)
tree_free = declare("cresset_tree_free", None, pointer)
first_child = declare("cresset_first_child", number, pointer, number)
node_name = declare("cresset_node_name", text, pointer, number)
node_total = declare("cresset_node_total", ctypes.c_uint64, pointer, number, number)


def columns(table):
    names = []
    while name := column(table, len(names)):
        names.append(name.decode())
    return names


def show(name):
    """Names come from the recording: nothing in them may act on the terminal."""
    return "".join(c if c.isprintable() else "?" for c in name.decode(errors="replace"))


def functions(profile, words):
    options = (text * 3)(b"children=no", b"limit=5", None)
    table = report(profile, words, b"sym", options)
    if not table:
        return
    names = columns(table)
    share, symbol = names.index("overhead"), names.index("sym")
    for row in range(rows(table)):
        print(f"{cell_number(table, row, share):5.1f} %  {show(cell(table, row, symbol))}")
    table_free(table)


def stack(profile, words):
    """Children are sorted, the largest first."""
    tree = query(profile, words)
    if not tree:
        return
    node, whole = 0, node_total(tree, 0, 0)
    while node := first_child(tree, node):
        print(f"{100 * node_total(tree, node, 0) / whole:5.1f} %  {show(node_name(tree, node))}")
    tree_free(tree)


def main():
    words = sys.argv[2].encode() if len(sys.argv) > 2 else None
    context = new()
    profile = open_profile(context, sys.argv[1].encode())
    if profile:
        functions(profile, words)
        if not error(context):
            print()
            stack(profile, words)
    message = error(context)
    profile_free(profile)
    if message:
        print(f"hottest.py: {message.decode(errors='replace')}", file=sys.stderr)
    free(context)
    return 1 if message else 0


if __name__ == "__main__":
    sys.exit(main())
