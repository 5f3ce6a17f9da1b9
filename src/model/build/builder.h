#ifndef CR_MODEL_BUILD_BUILDER_H
#define CR_MODEL_BUILD_BUILDER_H

#include "base/err.h"
#include "base/log.h"
#include "model/profile.h"

/*
 * The only way into a profile. A reader makes calls like these, in the order of the samples:
 *
 *	ev   = cr_builder_event(b, "cycles:u", "cycles");
 *	obj  = cr_builder_dso(b, &(struct cr_dso){.name = "/bin/x", .kind = CR_KIND_USER});
 *	sp   = cr_builder_address_space(b);
 *	map  = cr_builder_map(b, sp, start, end, pgoff, obj);       alive from the next sample on
 *	task = cr_builder_task(b, pid, tid, "x", sp);
 *	loc  = cr_builder_location(b, obj, addr, 0);
 *	node = cr_builder_push(b, parent, loc);               root first; CR_ROOT is the empty stack
 *	cr_builder_sample(b, &(struct cr_sample){...});
 *	addr = cr_builder_field(b, ev, "addr", CR_FORM_HEX);
 *	       cr_builder_value(b, addr, 0x7f00);                   of the sample just added
 *	       cr_builder_unmap(b, map);                            not alive for the next sample
 *	cr_builder_finish(b, &profile)
 *
 * Strings are copied. The same event, dso, task, location or stack twice gives the same id.
 */
struct cr_builder;

struct cr_limits {
	uint64_t nodes;  /* of the location tree; 0 is the default, 1 << 28 */
	uint32_t depth;  /* frames of one stack; 0 is the default, 8192 */
	uint64_t values; /* of all fields, the samples that lack one counted too; 0 is the default,
			    1 << 28 */
	uint64_t text_bytes; /* of all different texts of fields; 0 is the default, 256 MiB */
};

struct cr_sample {
	uint64_t time_ns; /* on the recording's clock; 0 if there is none */
	uint64_t weight;  /* in the event's unit; for plain counts 1 */
	cr_node_id node;
	cr_task_id task;
	cr_event_id event;
	uint16_t cpu; /* CR_CPU_NONE when not recorded, CR_CPU_UNKNOWN when recorded as none */
};

#define CR_ROOT ((cr_node_id){0})
#define CR_DSO_UNKNOWN ((cr_dso_id){0})

struct cr_builder *cr_builder_new(const struct cr_limits *lim); /* NULL: the defaults */
void cr_builder_free(struct cr_builder *b);

/*
 * About so many samples will come: room is taken at once, touched as they do. A guess too high
 * costs nothing.
 */
void cr_builder_expect(struct cr_builder *b, uint64_t samples);

/*
 * A recording without samples is a profile too, for what it says of itself; cr_builder_finish()
 * else refuses it.
 */
void cr_builder_may_be_empty(struct cr_builder *b);

void cr_builder_flags(struct cr_builder *b, uint32_t flags); /* or-ed in: CR_PROFILE_HAS_TIME ... */
void cr_builder_fact(
	struct cr_builder *b, const char *key, struct cr_str value); /* the last one wins */
void cr_builder_quality(struct cr_builder *b, struct cr_str what,
	uint64_t count); /* counts of the same what add up */
cr_event_id cr_builder_event(struct cr_builder *b, struct cr_str name, struct cr_str unit);

/* The profile gets an event "wall", the sum of these two, if both have samples. */
void cr_builder_wall(struct cr_builder *b, cr_event_id on_cpu, cr_event_id off_cpu);

/* Same name, build-id and kind: same dso. */
cr_dso_id cr_builder_dso(struct cr_builder *b, const struct cr_dso *o);
/* Good until the next one is made; the name until the builder is freed. */
const struct cr_dso *cr_builder_dso_at(const struct cr_builder *b, cr_dso_id dso);

cr_address_space_id cr_builder_address_space(struct cr_builder *b);
uint32_t cr_builder_map(struct cr_builder *b, cr_address_space_id space, uint64_t start,
	uint64_t end, uint64_t pgoff, cr_dso_id dso);
void cr_builder_unmap(struct cr_builder *b, uint32_t map);

cr_task_id cr_builder_task(struct cr_builder *b, int32_t pid, int32_t tid, struct cr_str comm,
	cr_address_space_id space);

/* A location by address, to be named later by cr_symbolize(). */
cr_location_id cr_builder_location(
	struct cr_builder *b, cr_dso_id dso, uint64_t addr, uint16_t ordinal);

/*
 * The same for n addresses at once, and faster: memory is asked for all of them before the first
 * is looked at. location[i] is that of at[i].
 */
struct cr_location_at {
	cr_dso_id dso;
	uint16_t ordinal;
	uint64_t addr;
};

void cr_builder_locations(
	struct cr_builder *b, const struct cr_location_at *at, size_t n, cr_location_id *location);

/*
 * What stands at the root of a stack whose outer frames are missing, because the recorder kept too
 * little of it: "[truncated]", no code. The frames that are known stand below.
 */
cr_location_id cr_builder_truncated(struct cr_builder *b);

/* A location by name alone. */
cr_location_id cr_builder_named(struct cr_builder *b, struct cr_str function, cr_dso_id dso);

/*
 * A location by what a text says of it: n functions, 1 to 65535, the innermost inlined one first,
 * the one that has the code last. The name of a function that has none is "". addr is the offset in
 * the last function, or the absolute address where that has no name; 0 when the text does not say.
 */
struct cr_named {
	struct cr_str name;
	struct cr_str file; /* of the source line; "" when not known */
	uint32_t line;      /* 0 when not known */
};

cr_location_id cr_builder_named_at(
	struct cr_builder *b, cr_dso_id dso, uint64_t addr, const struct cr_named *named, size_t n);

/*
 * The node of `location` called from `parent`. Past the limit of nodes or depth the parent
 * itself is returned and counted: the sample keeps its weight, the quality says so.
 */
cr_node_id cr_builder_push(struct cr_builder *b, cr_node_id parent, cr_location_id location);

/*
 * The same for a path of n locations below parent, outermost first, and faster: where each of its
 * nodes is looked for is known before the first is found. node[i] gets the node of location[i].
 */
void cr_builder_push_path(struct cr_builder *b, cr_node_id parent, const cr_location_id *location,
	size_t n, cr_node_id *node);

void cr_builder_sample(struct cr_builder *b, const struct cr_sample *s);
uint64_t cr_builder_samples(const struct cr_builder *b); /* how many so far: the row of the next */

/*
 * For a reader that unwinds: how the user part of the last sample's stack ends. To be called once
 * for a sample, or not at all when nothing is known of it.
 *
 * whole   it is known to its thread's start. Its n frames stand right below the root, and sp[i] was
 *         the stack pointer in them, the leaf's first: of callers, at their call.
 * cut  it is truncated. Its frames stand below cr_builder_truncated(), and sp was the stack pointer
 *         in the outermost.
 *
 * Below either may be frames of the kernel.
 */
void cr_builder_whole(struct cr_builder *b, const uint64_t *sp, size_t n);
void cr_builder_cut(struct cr_builder *b, uint64_t sp);

/*
 * Once all samples are there: give truncated stacks the outer frames that they must have had. The
 * outermost CR_STITCH_FRAMES frames that are known, callers in user code, have to stand in whole
 * stacks of the same thread (pid and tid), location by location and with the same stack pointer in
 * the outermost, and all of those have to agree on what is above. Then the sample moves there. It
 * gets a field "stitched", the number of frames that it was given, and the quality counts it. What
 * stays is counted by cr_builder_finish(), stitched or not.
 *
 * Time grows with the samples, with the frames of truncated stacks that differ in a thread, and
 * with the nodes above its whole ones.
 */
#define CR_STITCH_FRAMES 4u
void cr_builder_stitch(struct cr_builder *b);

/*
 * A column of values beside the samples of `event`. The same event, name and form twice is the same
 * field; a name in two forms, as a hostile input may have it, is two of them. Past 4096 fields
 * the id is one that takes no values.
 */
cr_field_id cr_builder_field(
	struct cr_builder *b, cr_event_id event, struct cr_str name, enum cr_form form);

/*
 * The value that the last sample of the field's event has; the last call wins. Samples without a
 * call have none, and cr_form_none() says so too. Costs 8 bytes for each sample of the event up to
 * the last with a value. What is past the limit is dropped and counted: the quality says so.
 */
void cr_builder_value(struct cr_builder *b, cr_field_id field, uint64_t value);

/*
 * The values of the field, of CR_FORM_HEX, are addresses of the kernel's code. Whoever adds one
 * adds a location for it too: once cr_symbolize() has named these, the values become texts.
 */
void cr_builder_field_code(struct cr_builder *b, cr_field_id field, enum cr_code_form code);

/*
 * The value of a field of CR_FORM_TEXT. Past the limit of distinct texts it is "none", and
 * counted.
 */
uint64_t cr_builder_text(struct cr_builder *b, struct cr_str text);

/*
 * Move the samples that `from` has behind those of b, with all that they point at: events, dsos,
 * locations, stacks, tasks, fields; and its flags. `from` keeps its rows and has no samples
 * afterwards, so that it can go on and be taken from again; taken (all zero at first, one for each
 * `from`) remembers which rows of it are which of b. Address spaces are the same by their number.
 * Facts, maps, quality and the ends of stacks are not moved: a reader that works in pieces has none
 * of them in the pieces. Rows of b come in the order in which they would have come had the samples
 * gone to b at once. Time grows with the samples and with the rows that are new in `from`.
 */
struct cr_builder_appended {
	uint32_t *event, *dso, *function, *location, *node, *task, *text,
		*field; /* by row of `from` */
	uint32_t n_event, n_dso, n_function, n_location, n_node, n_task, n_text, n_field;
};

void cr_builder_append_rows(
	struct cr_builder *b, struct cr_builder *from, struct cr_builder_appended *taken);
void cr_builder_taken_fini(struct cr_builder_appended *taken);

/*
 * Turn what was collected into a profile: the tree renumbered in preorder, events counted. The
 * log's entries become quality. b is empty afterwards and only to be freed. Fails with CR_EFORMAT
 * when there is no sample.
 */
int cr_builder_finish(struct cr_builder *b, const struct cr_log *log, struct cr_profile **out,
	struct cr_err *err);

#endif
