#!/usr/bin/env python3
"""check_firefox.py FILE: FILE has the form of a processed profile of the Firefox Profiler, version 66.

All columns of a table have its length, every reference is to an existing row, callers come before
callees, and members have the types of src/types/profile.ts of that viewer. Prints the number of
threads and samples, and the sum of the weights in the order of the weight types.
"""
import json
import sys
from decimal import Decimal

TABLES = {
    "stackTable": "frame prefixOffset",
    "frameTable": "address inlineDepth category subcategory func nativeSymbol innerWindowID line column"
                  " originalLocation",
    "funcTable": "name isJS relevantForJS resource source lineNumber columnNumber originalLocation",
    "resourceTable": "lib name host type",
    "nativeSymbols": "libIndex address name functionSize",
    "sources": "id filename startLine startColumn sourceMapURL content",
    "sourceLocationTable": "source line column",
}
COLORS = "transparent purple green orange yellow lightblue blue brown magenta red lightred darkgrey grey"


def expect(good, *what):
    if not good:
        sys.exit(" ".join(str(w) for w in what))


def check_table(name, table, columns):
    expect(set(table) == set(columns) | {"length"}, name, "has", sorted(table))
    for column in columns:
        expect(len(table[column]) == table["length"], name, column, "has another length")


def check_rows(name, column, limit, none=()):
    for row in column:
        expect(row in none or (isinstance(row, int) and 0 <= row < limit), name, "refers to", row)


def check_shared(profile):
    shared = profile["shared"]
    for name, columns in TABLES.items():
        check_table(name, shared[name], columns.split())
    strings = len(shared["stringArray"])
    frames, functions = shared["frameTable"], shared["funcTable"]
    stacks, categories = shared["stackTable"], profile["meta"]["categories"]
    check_rows("stackTable.frame", stacks["frame"], frames["length"])
    for row, up in enumerate(stacks["prefixOffset"]):
        expect(0 <= up <= row, "stack", row, "has no caller", up, "before it")
    check_rows("frameTable.func", frames["func"], functions["length"])
    check_rows("frameTable.category", frames["category"], len(categories))
    for category, sub in zip(frames["category"], frames["subcategory"]):
        expect(0 <= sub < len(categories[category]["subcategories"]), "subcategory", category, sub)
    check_rows("funcTable.name", functions["name"], strings)
    check_rows("funcTable.resource", functions["resource"], shared["resourceTable"]["length"], (-1,))
    check_rows("funcTable.source", functions["source"], shared["sources"]["length"], (None,))
    check_rows("resourceTable.lib", shared["resourceTable"]["lib"], len(profile["libs"]))
    check_rows("resourceTable.name", shared["resourceTable"]["name"], strings)
    check_rows("sources.filename", shared["sources"]["filename"], strings)
    expect(len(set(shared["stringArray"])) == strings, "a string is there twice")


def check_meta(profile):
    meta = profile["meta"]
    expect(meta["preprocessedProfileVersion"] == 66, "version")
    for key in ("interval", "startTime", "processType", "stackwalk", "version"):
        expect(isinstance(meta[key], int), key)
    for key in ("symbolicated", "sourceCodeIsNotOnSearchfox"):
        expect(meta[key] is True, key)
    expect(isinstance(meta["product"], str) and isinstance(meta["markerSchema"], list), "meta")
    expect(any(c["color"] == "grey" for c in meta["categories"]), "no default category")
    for category in meta["categories"]:
        expect(category["color"] in COLORS.split(), category["color"])
        expect(category["subcategories"][0] == "Other", category)
    for lib in profile["libs"]:
        expect(set(lib) == set("arch name path debugName debugPath breakpadId codeId".split()), lib)


def check_thread(profile, thread):
    samples = thread["samples"]
    expect(isinstance(thread["pid"], str) and isinstance(thread["isMainThread"], bool), "thread")
    check_table("samples", {k: v for k, v in samples.items() if k != "weightType"},
                ["stack", "timeDeltas", "weight"])
    check_rows("samples.stack", samples["stack"], profile["shared"]["stackTable"]["length"], (None,))
    expect(samples["weightType"] in ("samples", "tracing-ms", "bytes"), samples["weightType"])
    check_table("markers", thread["markers"], "data name startTime endTime phase category".split())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file, parse_float=Decimal)
    check_meta(profile)
    check_shared(profile)
    ids = set()
    sums = {}
    for thread in profile["threads"]:
        check_thread(profile, thread)
        ids.add((thread["pid"], thread["tid"]))
        kind = thread["samples"]["weightType"]
        sums[kind] = sums.get(kind, 0) + sum(thread["samples"]["weight"])
    expect(len(ids) == len(profile["threads"]), "two threads have the same number")
    print(len(ids), sum(t["samples"]["length"] for t in profile["threads"]),
          *(f"{kind} {total}" for kind, total in sorted(sums.items())))


main()
