#ifndef CR_SYMBOL_DEMANGLE_DEMANGLE_H
#define CR_SYMBOL_DEMANGLE_DEMANGLE_H

#include "base/text.h"

#include <stdbool.h>

/*
 * Demangle a name: C++ with parameters, Rust (legacy and v0) without the hash, D, OCaml, Java from
 * its descriptors, Go without characters that its linker escapes. Compiler suffixes are kept,
 * except in Rust: "f(int) [clone .isra.0]". A C++ name whose parameters cannot be parsed is shown
 * without them.
 *
 * Returns false, with out empty, for a name that is not mangled ("f"; "i" is not a type here), that
 * is damaged, that is C++ and longer than 4 KiB, or whose demangled form exceeds 64 KiB. Without
 * libiberty at build time this is every C++ and Rust name. Thread-safe; needs some megabytes of
 * stack.
 */
bool cr_demangle(const char *name, struct cr_text *out);

/*
 * The same for the languages that perf demangles, which exclude D and Go. Used to choose among
 * aliases like perf.
 */
bool cr_demangle_as_perf(const char *name, struct cr_text *out);

#endif
