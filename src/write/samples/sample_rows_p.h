#ifndef CR_WRITE_SAMPLES_SAMPLE_ROWS_P_H
#define CR_WRITE_SAMPLES_SAMPLE_ROWS_P_H

#include "model/columns.h"
#include "write/writer.h"

/*
 * The samples that a writer with CR_WRITER_PLACES writes, one after the other, in the order of the
 * recording. Samples without weight are passed over.
 *
 *	cr_sample_rows_init(&rows, in);
 *	while (cr_sample_rows_next(&rows, &r))
 *		...
 */
struct cr_sample_row {
	uint64_t time_ns; /* 0: no time */
	uint64_t weight;  /* in the unit of its event */
	uint32_t task, event;
	uint32_t node; /* of in->tree */
	uint16_t cpu;  /* may be CR_CPU_NONE or CR_CPU_UNKNOWN */
};

struct cr_sample_rows {
	const struct cr_write_in *in;
	const uint64_t *times, *weights;
	const uint32_t *tasks;
	const uint16_t *cpus;
	struct cr_event_column events;
	uint64_t next;
};

/* Begin with the first sample. Borrows from `in`; nothing need be freed. */
void cr_sample_rows_init(struct cr_sample_rows *s, const struct cr_write_in *in);
bool cr_sample_rows_next(struct cr_sample_rows *s, struct cr_sample_row *out);

/*
 * The threads of a profile: tasks with the same pid, tid and comm are one. A profile without tasks
 * has one thread without numbers and name.
 */
struct cr_sample_thread {
	int32_t pid, tid; /* -1 if unknown */
	struct cr_str comm;
};

struct cr_sample_threads {
	uint32_t *of_task; /* by task: its row in `rows` */
	struct cr_sample_thread *rows;
	uint32_t n; /* at least 1 */
};

/* Fill out, which the caller ends with cr_sample_threads_fini(). Borrows names from p. */
void cr_sample_threads_init(struct cr_sample_threads *out, const struct cr_profile *p);
void cr_sample_threads_fini(struct cr_sample_threads *t);

/*
 * Returns an array by node of a tree: 1 if no caller of it is the same function (by name and dso),
 * so that its total counts for the function. The caller frees it.
 */
uint8_t *cr_sample_outermost(const struct cr_tree *t);

/*
 * The unit of an event as pprof and speedscope spell it: "nanoseconds" for "ns" and so on. Other
 * units are returned as they are. Borrowed from `unit`, or constant.
 */
struct cr_str cr_sample_unit(struct cr_str unit);

/* The dso with this name; one with a build-id if there are several. NULL if there is none. */
const struct cr_dso *cr_sample_dso(const struct cr_profile *p, struct cr_str name);

/* Append a build-id in hexadecimal; nothing if it is unknown. */
void cr_sample_build_id(const struct cr_dso *d, struct cr_text *out);

/* When the profile was recorded, in nanoseconds since 1970; 0 if unknown. */
uint64_t cr_sample_date_ns(const struct cr_profile *p);

/* True for UTF-8 without a NUL byte, which formats with texts of their own can hold as it is. */
bool cr_sample_text_ok(struct cr_str s);

/*
 * Append s as such a text; if it is none, with control bytes and wrong bytes as \xHH. A decoder may
 * refuse a whole message if one of its texts is not UTF-8.
 */
void cr_sample_text_put(struct cr_str s, struct cr_text *out);

#endif
