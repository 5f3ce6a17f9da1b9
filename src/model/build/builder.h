#ifndef CR_MODEL_BUILD_BUILDER_H
#define CR_MODEL_BUILD_BUILDER_H

#include "base/err.h"
#include "base/log.h"
#include "model/profile.h"

/*
 * Builds a profile; nothing else can create one. A reader makes these calls in the order of the
 * samples:
 *
 *	ev   = cr_builder_event(b, "cycles:u", "cycles");
 *	dso  = cr_builder_dso(b, &(struct cr_dso){.name = "/bin/x", .kind = CR_KIND_USER});
 *	sp   = cr_builder_address_space(b);
 *	map  = cr_builder_map(b, sp, start, end, pgoff, dso);       valid from the next sample on
 *	task = cr_builder_task(b, pid, tid, "x", sp);
 *	loc  = cr_builder_location(b, dso, addr, 0);
 *	node = cr_builder_push(b, parent, loc);               root first; CR_ROOT is the empty stack
 *	cr_builder_sample(b, &(struct cr_sample){...});
 *	addr = cr_builder_field(b, ev, "addr", CR_FORM_HEX);
 *	       cr_builder_value(b, addr, 0x7f00);                   of the sample just added
 *	       cr_builder_unmap(b, map);                            invalid from the next sample on
 *	cr_builder_finish(b, &profile)
 *
 * Strings are copied. Adding an equal event, dso, task, location or stack again returns the same
 * id.
 */
struct cr_builder;

struct cr_limits {
	uint64_t nodes; /* nodes of the location tree; 0 means the default, 1 << 28 */
	uint32_t depth; /* frames of one stack; 0 means the default, 8192 */
	/*
	 * Values of all fields, including those of samples without a value; 0 means the default, 1
	 * << 28.
	 */
	uint64_t values;
	/* Bytes of all distinct texts of fields; 0 means the default, 256 MiB. */
	uint64_t text_bytes;
};

struct cr_sample {
	uint64_t time_ns; /* on the recording's clock; 0 if unknown */
	uint64_t weight;  /* in the event's unit; 1 for a plain count */
	cr_node_id node;
	cr_task_id task;
	cr_event_id event;
	uint16_t cpu; /* CR_CPU_NONE if not recorded, CR_CPU_UNKNOWN if recorded as -1 */
};

#define CR_ROOT ((cr_node_id){0})
#define CR_DSO_UNKNOWN ((cr_dso_id){0})

struct cr_builder *cr_builder_new(const struct cr_limits *lim); /* lim: NULL for the defaults */
void cr_builder_free(struct cr_builder *b);

/*
 * Reserve address space for about `samples` samples. Memory is used only as they arrive, so a guess
 * that is too high costs nothing.
 */
void cr_builder_expect(struct cr_builder *b, uint64_t samples);

/*
 * Allow a profile without samples, which still has facts. Without this call cr_builder_finish()
 * refuses it.
 */
void cr_builder_may_be_empty(struct cr_builder *b);

/* Add an event to those of which no record is a sample, see cr_event_is_derived(). */
void cr_builder_derived(struct cr_builder *b, struct cr_str event);

/* Bits to set: CR_PROFILE_HAS_TIME ... */
void cr_builder_flags(struct cr_builder *b, uint32_t flags);
/* A later value replaces an earlier one. */
void cr_builder_fact(struct cr_builder *b, const char *key, struct cr_str value);
/* Counts with the same text are added. */
void cr_builder_quality(struct cr_builder *b, struct cr_str what, uint64_t count);
/* Return the event with this name and unit; add it if it is new. */
cr_event_id cr_builder_event(struct cr_builder *b, struct cr_str name, struct cr_str unit);

/* Add an event "wall" to the profile, the sum of these two, if both have samples. */
void cr_builder_wall(struct cr_builder *b, cr_event_id on_cpu, cr_event_id off_cpu);

/* Return the dso with this name, build-id and kind; add it if it is new. */
cr_dso_id cr_builder_dso(struct cr_builder *b, const struct cr_dso *o);
/* The pointer is valid until the next dso is added; the name until the builder is freed. */
const struct cr_dso *cr_builder_dso_at(const struct cr_builder *b, cr_dso_id dso);

/* Add an address space: that of a process until it execs. */
cr_address_space_id cr_builder_address_space(struct cr_builder *b);
/*
 * Add the mapping of [start, end) (absolute addresses) to `dso` at offset pgoff, valid from the
 * next sample on. Returns its number, for cr_builder_unmap(), which ends it at the next sample.
 */
uint32_t cr_builder_map(struct cr_builder *b, cr_address_space_id space, uint64_t start,
	uint64_t end, uint64_t pgoff, cr_dso_id dso);
void cr_builder_unmap(struct cr_builder *b, uint32_t map);

/* Return the task with these values; add it if it is new. pid and tid: -1 if unknown. */
cr_task_id cr_builder_task(struct cr_builder *b, int32_t pid, int32_t tid, struct cr_str comm,
	cr_address_space_id space);

/* Add a thread that the recording names. Called once for each, in any order. */
void cr_builder_thread(struct cr_builder *b, const struct cr_named_thread *t);

/*
 * Return the location with this dso, address and ordinal (see struct cr_location); add it if there
 * is none. cr_symbolize() names it later.
 */
cr_location_id cr_builder_location(
	struct cr_builder *b, cr_dso_id dso, uint64_t addr, uint16_t ordinal);

/*
 * The same for n addresses at once. It is faster, since the memory for all of them is prefetched.
 * location[i] is the location of at[i].
 */
struct cr_location_at {
	cr_dso_id dso;
	uint16_t ordinal;
	uint64_t addr;
};

/* See struct cr_location_at. `location` has room for n ids. */
void cr_builder_locations(
	struct cr_builder *b, const struct cr_location_at *at, size_t n, cr_location_id *location);

/*
 * The location "[truncated]", which has no code. A reader puts it below the root of a stack whose
 * outer frames are missing because the recorder stored too little of the stack.
 */
cr_location_id cr_builder_truncated(struct cr_builder *b);

/* A location that has only a function name. */
cr_location_id cr_builder_named(struct cr_builder *b, struct cr_str function, cr_dso_id dso);

/*
 * A string that many rows may refer to, such as one of a table of strings: if it is long, the
 * builder's own copy is returned, otherwise s itself. Functions of the builder that are given the
 * copy do not read its bytes again.
 */
struct cr_str cr_builder_shared(struct cr_builder *b, struct cr_str s);

/*
 * A location with names from a text: n functions (1 to 65535), the innermost inlined one first, the
 * one that contains the code last. The name of a nameless function is "". addr: offset in the last
 * function, or the absolute address if that function has no name; 0 if unknown.
 */
struct cr_named {
	struct cr_str name;
	struct cr_str file; /* of the source line; "" if unknown */
	uint32_t line;      /* 0 if unknown */
};

/* See struct cr_named. The names are copied. */
cr_location_id cr_builder_named_at(
	struct cr_builder *b, cr_dso_id dso, uint64_t addr, const struct cr_named *named, size_t n);

/*
 * The same for n locations of one function each. It is faster, since the memory for many of them is
 * prefetched. location[i] is the location of at[i].
 */
struct cr_named_one {
	cr_dso_id dso;
	uint64_t addr;
	struct cr_named named;
};

/* See struct cr_named_one. `location` has room for n ids. */
void cr_builder_named_all(
	struct cr_builder *b, const struct cr_named_one *at, size_t n, cr_location_id *location);

/*
 * Return the node of `location` as a child of `parent`; add it if it is new. Beyond the limit
 * of nodes or depth it returns the parent and counts the frame: the sample keeps its weight, and
 * the quality of the profile contains the count.
 */
cr_node_id cr_builder_push(struct cr_builder *b, cr_node_id parent, cr_location_id location);

/*
 * The same for a path of n locations below `parent`, outermost first. It is faster, since the
 * memory for all lookups is prefetched. node[i] is the node of location[i].
 */
void cr_builder_push_path(struct cr_builder *b, cr_node_id parent, const cr_location_id *location,
	size_t n, cr_node_id *node);

/* The n nodes that end in `leaf`, outermost first. The leaf is at least n nodes below the root. */
void cr_builder_path_to(const struct cr_builder *b, cr_node_id leaf, size_t n, cr_node_id *node);

/* Append a sample. */
void cr_builder_sample(struct cr_builder *b, const struct cr_sample *s);
/* Number of samples so far, which is the row of the next. */
uint64_t cr_builder_samples(const struct cr_builder *b);
/* Number of functions, locations and nodes so far. */
uint64_t cr_builder_rows(const struct cr_builder *b);

/*
 * For a reader that unwinds: how the user part of the last sample's stack ends. Call one of them at
 * most once for each sample; none if nothing is known.
 *
 * - whole: the stack is complete up to the start of its thread. Its n frames are directly below the
 *   root. sp[i] is the stack pointer in frame i, counted from the leaf; in a caller, at its call.
 * - cut: the stack is truncated. Its frames are below cr_builder_truncated(); sp is the stack
 *   pointer in the outermost known frame.
 *
 * In both cases frames of the kernel may follow below.
 */
void cr_builder_whole(struct cr_builder *b, const uint64_t *sp, size_t n);
void cr_builder_cut(struct cr_builder *b, uint64_t sp);

/*
 * Complete truncated stacks with the outer frames that they must have had. Call it when all samples
 * were added. The outermost CR_STITCH_FRAMES known frames must be callers in user code. They must
 * occur in whole stacks of the same thread (pid and tid) with the same locations and the same stack
 * pointer in the outermost. All those whole stacks must agree on the frames above. Then the sample
 * moves to the completed stack. It gets a field "stitched" with the number of added frames, and the
 * quality counts it. cr_builder_finish() counts the truncated stacks that remain, with or without
 * this call.
 *
 * Time grows with the samples, with the distinct frames of truncated stacks in each thread, and
 * with the nodes of its whole stacks above.
 */
#define CR_STITCH_FRAMES 4u
void cr_builder_stitch(struct cr_builder *b);

/*
 * Return the field of `event` with this name and form; add it if it is new. A name in two
 * forms, as in hostile input, is two fields. Beyond 4096 fields the returned id accepts no values.
 */
cr_field_id cr_builder_field(
	struct cr_builder *b, cr_event_id event, struct cr_str name, enum cr_form form);

/*
 * Set the value of the last sample of the field's event; the last call wins. Samples without a call
 * have no value, which is stored as cr_form_none(). Costs 8 bytes for each sample of the event up
 * to the last with a value. Values beyond the limit are dropped; the quality contains their number.
 */
void cr_builder_value(struct cr_builder *b, cr_field_id field, uint64_t value);

/*
 * Declare that the values of the field, which has CR_FORM_HEX, are addresses of kernel code. The
 * caller adds a location for each address too. After cr_symbolize() has named these, the values
 * become texts.
 */
void cr_builder_field_code(struct cr_builder *b, cr_field_id field, enum cr_code_form code);

/*
 * Return the value for `text` in a field of CR_FORM_TEXT. Beyond the limit of distinct texts it is
 * cr_form_none(), and counted.
 */
uint64_t cr_builder_text(struct cr_builder *b, struct cr_str text);

/*
 * Move the samples of `from` to the end of b, with everything they refer to: events, dsos,
 * locations, stacks, tasks, fields; and its flags. `from` keeps its other rows but has no samples
 * afterwards, so that more can be added to it and appended again.
 *
 * `appended` (all zero at first, one for each `from`) maps rows of `from` to rows of b. Address
 * spaces are equal if their numbers are. Facts, maps, quality and ends of stacks are not moved: a
 * reader that works in pieces must not add them to the pieces. Rows of b get the same order as if
 * the samples had been added to b directly. Time grows with the samples and with the new rows of
 * `from`.
 */
struct cr_builder_appended {
	/* By row of `from`. */
	uint32_t *event, *dso, *function, *location, *node, *task, *text, *field;
	uint32_t n_event, n_dso, n_function, n_location, n_node, n_task, n_text, n_field;
};

void cr_builder_append_rows(
	struct cr_builder *b, struct cr_builder *from, struct cr_builder_appended *appended);
void cr_builder_appended_fini(struct cr_builder_appended *appended);

/*
 * Turn the collected rows into a profile, which the caller owns: renumber the tree in preorder and
 * count the events. Entries of the log become quality. b is empty afterwards and can only be freed.
 * Fails with CR_EFORMAT if there is no sample.
 */
int cr_builder_finish(struct cr_builder *b, const struct cr_log *log, struct cr_profile **out,
	struct cr_err *err);

#endif
