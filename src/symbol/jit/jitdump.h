#ifndef CR_SYMBOL_JIT_JITDUMP_H
#define CR_SYMBOL_JIT_JITDUMP_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "symbol/opts.h"

/*
 * jitdump: a JIT compiler writes a record for each piece of code, with the code itself, to a file
 * jit-PID.dump. To announce it to the recorder, the process maps the start of the file executable,
 * which it never runs: the marker.
 *
 * Code of a jitdump is treated as a dso: code at an address of the process is a piece of the file,
 * mapped there from the time when it was loaded. Its dso addresses are offsets in the file, so a
 * reused address is not confused with the earlier code there.
 */
struct cr_jit_code {
	uint64_t time;       /* CLOCK_MONOTONIC in ns, unless arch_clock */
	uint64_t start, end; /* addresses in the process: [start, end), never empty */
	uint64_t offset;     /* file offset of its bytes */
	uint64_t from;       /* previous address if it was moved; equal to start if it was loaded */
	int32_t pid, tid;    /* in the innermost pid namespace of the process */
	struct cr_str name;  /* borrowed from the file; not demangled */
};

#define CR_JITDUMP_ID 12

struct cr_jitdump {
	CR_VEC(struct cr_jit_code) code; /* sorted by time; equal times in file order */
	int32_t pid;                     /* like code.pid */
	uint16_t machine;                /* machine of the code, as e_machine of ELF */
	bool big_endian;
	bool arch_clock;  /* times are processor ticks */
	bool cut;         /* the file ends in the middle of a record */
	uint64_t damaged; /* number of invalid records, which were skipped */
	/* pid and time of the header: distinguishes files with one path. */
	uint8_t id[CR_JITDUMP_ID];
	struct cr_source *src; /* NULL if parsed from memory */
};

/* Identifies a jitdump. */
struct cr_jit_marker {
	struct cr_str path; /* as recorded */
	int32_t pid;        /* as recorded, so in the recorder's namespace; -1 if unknown */
	uint64_t start;     /* address of the marker; 0 if unknown */
	const uint8_t *id;  /* accept only this id; NULL accepts any */
};

/* True for jit-PID.dump in any directory. */
bool cr_jitdump_is_name(struct cr_str path);

/*
 * Parse len bytes of either byte order. out borrows them; free it with cr_jitdump_fini(), also on
 * failure. Unknown records are skipped; an incomplete last record ends the file. Fails with
 * CR_EFORMAT or CR_ETRUNC for an invalid header. Time is linear in len. Source:
 * tools/perf/Documentation/jitdump-specification.txt of Linux 6.1.
 */
int cr_jitdump_parse(const void *p, size_t len, struct cr_jitdump *out, struct cr_err *err);

/*
 * Find and parse a jitdump. It is searched by name in opts->map_dir and its directory PID;
 * otherwise below opts->symfs; otherwise, if the process with that marker is still running, where
 * it sees the path; otherwise at the path. CR_ENOTFOUND if there is none.
 */
int cr_jitdump_open(const struct cr_symbol_opts *opts, const struct cr_jit_marker *m,
	struct cr_jitdump *out, struct cr_err *err);

void cr_jitdump_fini(struct cr_jitdump *d);

#endif
