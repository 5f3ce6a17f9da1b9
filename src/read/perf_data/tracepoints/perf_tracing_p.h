#ifndef CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACING_P_H
#define CR_READ_PERF_DATA_TRACEPOINTS_PERF_TRACING_P_H

#include "base/log.h"
#include "base/vec.h"
#include "bytes/cursor.h"
#include "perf_trace_format_p.h"

/*
 * The tracepoints described in a recording. All zero bytes is an empty one. Nothing is borrowed
 * from the input.
 */
struct perf_tracing {
	struct cr_arena arena;
	CR_VEC(struct perf_tracepoint) events; /* sorted by id */
};

/*
 * Read the payload of the feature TRACING_DATA, or what follows a record of that type in a pipe.
 * The byte order is that of the payload, whatever c says:
 *
 *	17 08 44 "tracing", version NUL, u8 big-endian?, u8 size of a long, u32 page size
 *	"header_page" NUL, u64 size, text        "header_event" NUL, u64 size, text
 *	u32 formats, each: u64 size, text        of the system "ftrace"
 *	u32 systems, each: name NUL, u32 formats, each: u64 size, text
 *	and kallsyms, printk formats, saved names of tasks, which nothing needs
 *
 * Damage is logged, and what is readable is kept. Returns false if the formats are truncated or
 * invalid. A recording has one such payload; a second one is refused. Only the first 32 MiB are
 * read; all formats of a kernel take about 2. Source: tools/perf/util/trace-event-read.c of Linux
 * 6.1; files of versions 0.5 and 0.6.
 */
bool cr_perf_tracing_read(struct cr_cursor c, struct perf_tracing *out, struct cr_log *log);
void cr_perf_tracing_fini(struct perf_tracing *t);

/*
 * Find a tracepoint by the config of an attr of type PERF_TYPE_TRACEPOINT; NULL if there is none.
 * Valid until _fini().
 */
const struct perf_tracepoint *cr_perf_tracing_find(const struct perf_tracing *t, uint64_t id);

#endif
