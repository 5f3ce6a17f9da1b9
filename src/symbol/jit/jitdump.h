#ifndef CR_SYMBOL_JIT_JITDUMP_H
#define CR_SYMBOL_JIT_JITDUMP_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "symbol/opts.h"

/*
 * jitdump: what a JIT compiler tells of its code, with the code itself, into a file jit-PID.dump.
 * So that a recorder notices, the process maps the file's start executable, which it never runs:
 * the marker.
 *
 * Code from a dump is a dso like any other: code at an address of the process is a piece of
 * the dump mapped there, from the time it was loaded on. Its dso addresses are offsets in the
 * dump, so that an address that was used again is not mixed up with what was there before.
 */
struct cr_jit_code {
	uint64_t time;       /* CLOCK_MONOTONIC in ns, if not arch_clock */
	uint64_t start, end; /* in the process: [start, end), never empty */
	uint64_t offset;     /* of its bytes in the dump */
	uint64_t from;       /* moved from there; start when it was loaded */
	int32_t pid, tid;    /* in the innermost pid namespace of the process */
	struct cr_str name;  /* borrowed from the dump; not demangled */
};

#define CR_JITDUMP_ID 12

struct cr_jitdump {
	CR_VEC(struct cr_jit_code) code; /* by time; those of the same time as in the file */
	int32_t pid;                     /* as code.pid */
	uint16_t machine;                /* of the code, ELF's number of it */
	bool big_endian;
	bool arch_clock;           /* times count ticks of the processor */
	bool cut;                  /* ends in the middle of a record */
	uint64_t damaged;          /* records that were left out */
	uint8_t id[CR_JITDUMP_ID]; /* pid and time of the header: tells dumps of one path apart */
	struct cr_source *src;     /* NULL if parsed from memory */
};

/* Which dump is meant. */
struct cr_jit_marker {
	struct cr_str path; /* as recorded */
	int32_t pid;        /* as recorded, so of the recorder's namespace; -1 when not known */
	uint64_t start;     /* of the marker; 0 when not known */
	const uint8_t *id;  /* only the dump of this id; NULL takes any */
};

/* True of jit-PID.dump, in any directory. */
bool cr_jitdump_is_name(struct cr_str path);

/*
 * Parse len bytes, either byte order, into out, which borrows them; cr_jitdump_fini() it, on
 * failure too. Records of unknown kinds are skipped, a last one that is cut off ends the dump.
 * Fails with CR_EFORMAT or CR_ETRUNC when the header is not one. Cost: in step with len.
 * Source: tools/perf/Documentation/jitdump-specification.txt of Linux 6.1.
 */
int cr_jitdump_parse(const void *p, size_t len, struct cr_jitdump *out, struct cr_err *err);

/*
 * Find the dump's file and parse it. It is looked for in opts->map_dir by its name, and there in
 * the directory PID; else under opts->symfs; else, if the process with the very marker still lives,
 * where it sees the path; else at the path. CR_ENOTFOUND when there is none.
 */
int cr_jitdump_open(const struct cr_symbol_opts *opts, const struct cr_jit_marker *m,
	struct cr_jitdump *out, struct cr_err *err);

void cr_jitdump_fini(struct cr_jitdump *d);

#endif
