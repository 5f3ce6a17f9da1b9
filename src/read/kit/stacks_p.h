#ifndef CR_READ_KIT_STACKS_P_H
#define CR_READ_KIT_STACKS_P_H

#include "base/vec.h"
#include "bytes/scan.h"
#include "diagnostics_p.h"
#include "read/reader.h"

/*
 * Reads a text format from front to back: lines in, stacks out. A simple reader is a loop over
 * cr_stacks_line() that adds frames as they come and ends each stack.
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
	struct cr_diagnostics report;
	bool stopped;              /* the user cancelled */
	cr_event_id event;         /* event of the next stack */
	struct cr_str unit;        /* unit of events created here */
	cr_task_id task;           /* thread of the next stack; initially one without a name */
	cr_address_space_id space; /* address space of all tasks without one of their own */
	uint64_t time_ns;          /* time of the next stack; 0 if the format has no times */
	uint16_t cpu;
	uint64_t first_line;           /* line number of the first frame of the current stack */
	uint64_t first_mark;           /* cr_diagnostics_mark() at that line */
	CR_VEC(cr_location_id) frames; /* of the current stack, in order of insertion */
	/* Functions inlined into the next frame, innermost first. */
	CR_VEC(struct cr_named) inlined;
	CR_VEC(cr_location_id) roots; /* outermost first; above every stack until cleared */
	/* Of the stack being ended, including roots, outermost first. */
	CR_VEC(cr_location_id) path;
	CR_VEC(cr_node_id) nodes; /* its nodes */
	struct cr_text name;      /* buffer for a name */
};

/*
 * The event for a text that does not name one: "weight" with the unit "weight", or with the unit
 * given by the user; if that is samples, the event has that name too.
 */
struct cr_str cr_stacks_default_event(
	struct cr_builder *b, const struct cr_read_opts *opts, struct cr_str *unit);

/*
 * Begin reading. The event is "samples" with `unit`, unless the user gave a unit; NULL: the text
 * does not name a unit.
 */
void cr_stacks_open(struct cr_stacks *s, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts, const char *unit);

/* For a format that names its events: no event is created, and the user's unit is ignored. */
void cr_stacks_open_bare(struct cr_stacks *s, const struct cr_input *in, struct cr_builder *b,
	const struct cr_read_opts *opts);

/*
 * Return the next line without its end; false at the end of the input, or if the user cancelled.
 * Account for every line that is not blank before reading the next one. Otherwise it is reported
 * as a line that the format does not have.
 */
bool cr_stacks_line(struct cr_stacks *s, struct cr_str *line);

/* The current line was understood. */
static inline void
cr_stacks_used(struct cr_stacks *s)
{
	cr_diagnostics_fate(&s->report, CR_LINE_USED);
}

/* The current line belongs to something that was reported when it began. */
static inline void
cr_stacks_reported(struct cr_stacks *s)
{
	cr_diagnostics_fate(&s->report, CR_LINE_REPORTED);
}

/*
 * The current line is foreign text that the format allows around it. Not for a line that may be a
 * damaged frame.
 */
static inline void
cr_stacks_passed(struct cr_stacks *s)
{
	cr_diagnostics_fate(&s->report, CR_LINE_PASSED);
}

/* All remaining lines are foreign text. */
void cr_stacks_pass_rest(struct cr_stacks *s);

/* Add a frame by name; "" is replaced by "-". */
void cr_stacks_frame(struct cr_stacks *s, struct cr_str name, cr_dso_id dso);
void cr_stacks_location(struct cr_stacks *s, cr_location_id location);

/*
 * Add a frame with all that is known about it, as in cr_builder_named_at(). cr_stacks_inlined()
 * adds a function inlined into the next frame added by cr_stacks_frame_at(); the innermost is added
 * first.
 */
void cr_stacks_frame_at(
	struct cr_stacks *s, cr_dso_id dso, uint64_t addr, const struct cr_named *named);
void cr_stacks_inlined(struct cr_stacks *s, const struct cr_named *named);

/* Add a root above the stacks that is no code: a thread's name or a key. */
void cr_stacks_root(struct cr_stacks *s, struct cr_str name);
void cr_stacks_clear_roots(struct cr_stacks *s);

/* Add a root that is the key of an aggregation: blanks become '_', as in comms. */
void cr_stacks_key(struct cr_stacks *s, struct cr_str key);

/*
 * End the stack: its frames, added innermost first or last, become a sample. The list of frames is
 * then empty.
 */
void cr_stacks_end_leaf_first(struct cr_stacks *s, uint64_t weight);
void cr_stacks_end_root_first(struct cr_stacks *s, uint64_t weight);

/*
 * End a stack, innermost first, with a negative weight: it becomes a sample of the event
 * "negative", with the same unit, which folds of the other event do not include.
 */
void cr_stacks_end_negative(struct cr_stacks *s, uint64_t magnitude);

/* The same in two steps, for a stack of several events; s->event is set for each. */
cr_node_id cr_stacks_node_leaf_first(struct cr_stacks *s);
void cr_stacks_sample(struct cr_stacks *s, cr_node_id node, uint64_t weight);

/* Discard the frames of the stack, because of something that was reported. */
void cr_stacks_drop(struct cr_stacks *s);

/*
 * Parse "x.c:12", or "x.c:12:3" with a column, which is ignored. Returns false, with nothing
 * changed, if there is no number.
 */
bool cr_stacks_source(struct cr_str text, struct cr_str *file, uint32_t *line);

/* Report the current line, which accounts for it. */
void cr_stacks_report(struct cr_stacks *s, enum cr_reason why, struct cr_str line);

/*
 * Parse all of `digits` as a count. A larger one becomes 2^64-1 and is reported. Returns false if
 * it is no number.
 */
bool cr_stacks_count(struct cr_stacks *s, struct cr_str digits, struct cr_str line, uint64_t *out)
	__attribute__((warn_unused_result));

/*
 * Finish: append the diagnostics to the log and report remaining lines. CR_ECANCEL if the user
 * cancelled.
 */
int cr_stacks_close(struct cr_stacks *s, struct cr_err *err);

/*
 * For a probe: return `bits` if tells() is true for one of the first `lines` lines (0: all of the
 * head), otherwise 0. *line is its number.
 */
unsigned cr_stacks_signature(const struct cr_head *head, bool (*tells)(struct cr_str line),
	unsigned bits, uint64_t lines, uint64_t *line);

/*
 * "[libfoo.so.1]" from "/usr/lib/libfoo.so.1 (deleted)": the name of a function without a name.
 * room: buffer for it.
 */
struct cr_str cr_stacks_bracketed(struct cr_str path, struct cr_text *room);

#endif
