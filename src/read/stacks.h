#ifndef CR_READ_STACKS_H
#define CR_READ_STACKS_H

#include "cresset/base/vec.h"
#include "cresset/bytes/scan.h"
#include "cresset/read/reader.h"
#include "report.h"

/*
 * A text format from front to back: lines in, stacks out. A reader without needs of its own is a
 * loop over cr_stacks_line() that hands frames over as they come and says where a stack ends.
 *
 *	cr_stacks_open(&s, in, b, opts, "samples");
 *	while (cr_stacks_line(&s, &line)) {
 *		cr_stacks_frame(&s, name, CR_OBJECT_UNKNOWN);
 *		cr_stacks_end_leaf_first(&s, weight);
 *	}
 *	return cr_stacks_close(&s, err);
 */
struct cr_stacks {
	struct cr_builder *b;
	const struct cr_read_opts *opts;
	struct cr_scan scan;
	struct cr_report report;
	bool stopped;               /* the user did not want to wait */
	cr_event_id event;          /* what the next stack is a sample of */
	cr_task_id task;            /* and of which thread; the first is that of nobody */
	uint64_t time_ns;           /* and when; 0 where the format has no time */
	uint16_t cpu;
	uint64_t first_line;        /* of the stack being read: where its first frame stood */
	CR_VEC(cr_location_id) frames; /* of the stack being read, in the order they came */
	CR_VEC(cr_location_id) roots;  /* outermost first: stand above every stack until cleared */
};

/* The event is "samples" of `unit`, unless the user has said what the unit is. */
void cr_stacks_open(struct cr_stacks *s, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts, const char *unit);

/* The next line, without its end; false at the end of the input, or when the user does not want to wait. */
bool cr_stacks_line(struct cr_stacks *s, struct cr_str *line);

/* A frame by its name, "" is "-". */
void cr_stacks_frame(struct cr_stacks *s, struct cr_str name, cr_object_id object);
void cr_stacks_location(struct cr_stacks *s, cr_location_id location);

/* What stands at the root of a stack and is no code: a thread's name, a key. */
void cr_stacks_root(struct cr_stacks *s, struct cr_str name);
void cr_stacks_clear_roots(struct cr_stacks *s);

/* The frames that were handed over are a sample, the innermost first or last. Then there are none. */
void cr_stacks_end_leaf_first(struct cr_stacks *s, uint64_t weight);
void cr_stacks_end_root_first(struct cr_stacks *s, uint64_t weight);

/* The frames that were handed over are no sample. */
void cr_stacks_drop(struct cr_stacks *s);

/* Of the line last given. */
void cr_stacks_report(struct cr_stacks *s, enum cr_reason why, struct cr_str line);

/* Hands the report over. CR_ECANCEL when the user did not want to wait. */
int cr_stacks_close(struct cr_stacks *s, struct cr_err *err);

/* "[libfoo.so.1]" of "/usr/lib/libfoo.so.1 (deleted)": what stands for a function without a name. */
struct cr_str cr_stacks_bracketed(struct cr_str path, struct cr_text *room);

#endif
