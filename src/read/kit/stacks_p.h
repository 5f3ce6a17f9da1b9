#ifndef CR_READ_KIT_STACKS_P_H
#define CR_READ_KIT_STACKS_P_H

#include "base/vec.h"
#include "bytes/scan.h"
#include "read/reader.h"
#include "report_p.h"

/*
 * A text format from front to back: lines in, stacks out. A reader without needs of its own is a
 * loop over cr_stacks_line() that hands frames over as they come and says where a stack ends.
 *
 *	cr_stacks_open(&s, in, b, opts, "samples");
 *	while (cr_stacks_line(&s, &line)) {
 *		cr_stacks_frame(&s, name, CR_DSO_UNKNOWN);
 *		cr_stacks_end_leaf_first(&s, weight);
 *		cr_stacks_used(&s);
 *	}
 *	return cr_stacks_close(&s, err);
 */
struct cr_stacks {
	struct cr_builder *b;
	const struct cr_read_opts *opts;
	struct cr_scan scan;
	struct cr_report report;
	bool stopped;              /* the user did not want to wait */
	cr_event_id event;         /* what the next stack is a sample of */
	struct cr_str unit;        /* of the events that are made here */
	cr_task_id task;           /* and of which thread; the first is that of nobody */
	cr_address_space_id space; /* of all tasks that have no other */
	uint64_t time_ns;          /* and when; 0 where the format has no time */
	uint16_t cpu;
	uint64_t first_line;             /* of the stack being read: where its first frame stood, */
	uint64_t first_mark;             /* and the mark of the report there */
	CR_VEC(cr_location_id) frames;   /* of the stack being read, in the order they came */
	CR_VEC(struct cr_named) inlined; /* into the frame that is to come, the innermost first */
	CR_VEC(cr_location_id) roots; /* outermost first: stand above every stack until cleared */
	CR_VEC(cr_location_id) path;  /* of the stack that ends, roots and all, outermost first, */
	CR_VEC(cr_node_id) nodes;     /* and its nodes */
	struct cr_text name;          /* room for one */
};

/*
 * What the counts of a text that does not say are of: the event "weight" of the unit "weight", or
 * of the unit that the user says; if those are samples, the event is called that, too.
 */
struct cr_str cr_stacks_unsaid(
	struct cr_builder *b, const struct cr_read_opts *opts, struct cr_str *unit);

/*
 * The event is "samples" of `unit`, unless the user has said what the unit is; NULL: the text does
 * not say.
 */
void cr_stacks_open(struct cr_stacks *s, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts, const char *unit);

/*
 * For a format that says what it counts: there is no event yet, and the user's unit is not asked
 * for.
 */
void cr_stacks_open_bare(struct cr_stacks *s, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts);

/*
 * The next line, without its end; false at the end of the input, or when the user does not want to
 * wait. A line that is not blank must be accounted for before the next one, or it is reported as
 * one that the format does not have.
 */
bool cr_stacks_line(struct cr_stacks *s, struct cr_str *line);

/* The line last given was understood. */
static inline void
cr_stacks_used(struct cr_stacks *s)
{
	cr_report_fate(&s->report, CR_LINE_USED);
}

/* It belongs to something that was reported when it began. */
static inline void
cr_stacks_reported(struct cr_stacks *s)
{
	cr_report_fate(&s->report, CR_LINE_TOLD);
}

/*
 * It is no part of the profile, as the format lets other text stand around it. Not for what may be
 * a damaged frame.
 */
static inline void
cr_stacks_passed(struct cr_stacks *s)
{
	cr_report_fate(&s->report, CR_LINE_PASSED);
}

/* All lines that are left are. */
void cr_stacks_pass_rest(struct cr_stacks *s);

/* A frame by its name, "" is "-". */
void cr_stacks_frame(struct cr_stacks *s, struct cr_str name, cr_dso_id dso);
void cr_stacks_location(struct cr_stacks *s, cr_location_id location);

/*
 * A frame by all that is known of it, as in cr_builder_named_at(); one that was inlined into the
 * next that comes by cr_stacks_frame_at(), where the innermost comes first.
 */
void cr_stacks_frame_at(
	struct cr_stacks *s, cr_dso_id dso, uint64_t addr, const struct cr_named *named);
void cr_stacks_inlined(struct cr_stacks *s, const struct cr_named *named);

/* What stands at the root of a stack and is no code: a thread's name, a key. */
void cr_stacks_root(struct cr_stacks *s, struct cr_str name);
void cr_stacks_clear_roots(struct cr_stacks *s);

/* A root that is a key of an aggregation: blanks in it are '_', as in comms. */
void cr_stacks_key(struct cr_stacks *s, struct cr_str key);

/*
 * The frames that were handed over are a sample, the innermost first or last. Then there are none.
 */
void cr_stacks_end_leaf_first(struct cr_stacks *s, uint64_t weight);
void cr_stacks_end_root_first(struct cr_stacks *s, uint64_t weight);

/*
 * Innermost first, with so much less than nothing: a sample of the event "negative", in the unit of
 * the others, which folds of them leave out.
 */
void cr_stacks_end_negative(struct cr_stacks *s, uint64_t magnitude);

/* The same in two steps, for a stack of several events: s->event is that of each. */
cr_node_id cr_stacks_node_leaf_first(struct cr_stacks *s);
void cr_stacks_sample(struct cr_stacks *s, cr_node_id node, uint64_t weight);

/* The frames that were handed over are no sample: something was reported that cost them. */
void cr_stacks_drop(struct cr_stacks *s);

/*
 * "x.c:12", or "x.c:12:3" with a column, which is not kept. False, and nothing changed, when there
 * is no number.
 */
bool cr_stacks_source(struct cr_str text, struct cr_str *file, uint32_t *line);

/* Report the line last given, which accounts for it. */
void cr_stacks_report(struct cr_stacks *s, enum cr_reason why, struct cr_str line);

/*
 * All of s as a count; one past 2^64-1 is taken for that, and reported. False when it is no number.
 */
bool cr_stacks_count(struct cr_stacks *s, struct cr_str digits, struct cr_str line, uint64_t *out)
	__attribute__((warn_unused_result));

/*
 * Hand the report over; lines that are left are reported. CR_ECANCEL when the user did not want to
 * wait.
 */
int cr_stacks_close(struct cr_stacks *s, struct cr_err *err);

/*
 * For a probe: so many bits when one of the first so many lines tells, 0 when none does; 0 lines
 * are all of the head.
 */
unsigned cr_stacks_signature(const struct cr_head *head, bool (*tells)(struct cr_str line),
	unsigned bits, uint64_t lines, uint64_t *line);

/*
 * "[libfoo.so.1]" of "/usr/lib/libfoo.so.1 (deleted)": what stands for a function without a name.
 */
struct cr_str cr_stacks_bracketed(struct cr_str path, struct cr_text *room);

#endif
