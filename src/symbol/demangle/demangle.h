#ifndef CR_SYMBOL_DEMANGLE_DEMANGLE_H
#define CR_SYMBOL_DEMANGLE_DEMANGLE_H

#include "base/text.h"

#include <stdbool.h>

/*
 * The name as its language has it: C++ with parameters, Rust (legacy and v0) without the hash, D,
 * OCaml, Java from its descriptors, Go without what its linker cannot bear. Suffixes of the
 * compiler stay visible, but for Rust's: "f(int) [clone .isra.0]". C++ whose parameters cannot be
 * read is given without them.
 *
 * false, and out empty, for names that are not mangled ("f", "i": not types here), that are
 * damaged, are of C++ and past 4 KiB, or whose demangled form passes 64 KiB. Without libiberty at
 * build time that is every name of C++ and Rust. May be called from several threads, with some
 * megabytes of stack each.
 */
bool cr_demangle(const char *name, struct cr_text *out);

/* The same, for the languages that perf knows: not D and Go. It chooses among aliases by that. */
bool cr_demangle_as_perf(const char *name, struct cr_text *out);

#endif
