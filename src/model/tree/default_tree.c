#include "model/tree/default_tree.h"

#include "base/vec.h"
#include "function_tree_p.h"
#include "tree_p.h"

#include <stdlib.h>

uint32_t *
cr_default_tree_sums(const struct cr_profile *p)
{
	uint32_t *sum1 = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*sum1));

	for (uint32_t s = 0; s < p->n_events; s++)
		for (uint32_t e = 0; cr_event_is_sum(p, (cr_event_id){s}) && e < p->n_events; e++)
			if (e != s && cr_event_includes(p, (cr_event_id){s}, (cr_event_id){e}))
				sum1[e] = s + 1;
	return sum1;
}

/* By event and node: the sums of its pairs. */
static void
default_tree_weights(
	const struct cr_path_sums_sorted *sums, struct cr_arena *arena, struct cr_default_tree *o)
{
	uint64_t *self =
		cr_arena_adopt(arena, cr_alloc((uint64_t)o->n_events * o->n, sizeof(*self)));
	uint64_t *samples =
		cr_arena_adopt(arena, cr_alloc((uint64_t)o->n_events * o->n, sizeof(*samples)));

	for (uint32_t i = 0; i < sums->n; i++)
		for (uint32_t e = 0; e < o->n_events; e++) {
			const size_t from = (size_t)sums->row[i] * o->n_events + e;
			const size_t to = (size_t)e * o->n + sums->node[i];

			self[to] = cr_add_sat(self[to], sums->weight[from]);
			samples[to] = cr_add_sat(samples[to], sums->samples[from]);
		}
	o->self = self;
	o->self_samples = samples;
}

/*
 * Number of sums of a default tree: events times nodes. With more than a few events most of them
 * are 0, and a file may have thousands of events. 4 Mi sums take 64 MiB whenever the profile is
 * opened, and two or three times that while they are made.
 */
#define FEW_EVENTS 4
#define MAX_SUMS ((size_t)4 << 20)

/*
 * With many comms a stack becomes as many paths. A tree of more nodes than this for each sample,
 * and than twice those of the profile, takes more memory than the samples that it saves to read. A
 * small one is always made.
 */
#define NODES_PER_SAMPLE 4
#define SMALL_NODES ((uint64_t)64 << 10)
#define MAX_NODES ((uint64_t)8 << 20)

uint64_t
cr_default_tree_most_nodes(const struct cr_profile *p)
{
	const uint64_t few = CR_MIN(p->samples.n, MAX_NODES) * NODES_PER_SAMPLE;

	return CR_MAX(CR_MIN(CR_MAX(few, SMALL_NODES), MAX_NODES), (uint64_t)p->n_nodes * 2);
}

void
cr_default_tree_make(struct cr_profile *p)
{
	p->default_tree = cr_default_tree_compute(p, cr_default_tree_most_nodes(p), &p->arena);
}

struct cr_path_sums *
cr_default_tree_sum_up(const struct cr_profile *p)
{
	struct cr_path_sums *path_sums = cr_path_sums_new(p, cr_profile_by_comm(p), p->n_events);
	uint32_t *sum1 = cr_default_tree_sums(p);
	bool too_many = false;

	for (uint64_t i = 0; i < p->samples.n && !too_many; i++) {
		const uint32_t event = p->samples.event[i];

		cr_samples_sweep(&p->samples, i);
		cr_path_sums_prefetch(path_sums, i);
		cr_path_sums_add(path_sums, i, event);
		if (sum1[event])
			cr_path_sums_add(path_sums, i, sum1[event] - 1);
		too_many = p->n_events > FEW_EVENTS &&
			   cr_path_sums_pairs(path_sums) > MAX_SUMS / p->n_events;
	}
	free(sum1);
	if (!too_many)
		return path_sums;
	cr_path_sums_free(path_sums);
	return NULL;
}

const struct cr_default_tree *
cr_default_tree_of_sums(const struct cr_profile *p, struct cr_path_sums *path_sums,
	uint64_t most_nodes, struct cr_arena *arena)
{
	struct cr_default_tree *o = NULL;
	struct cr_path_sums_sorted sums;
	struct cr_function_tree t = {0};

	if (!path_sums)
		return NULL;
	cr_path_sums_sort(path_sums, &sums);
	if (cr_function_tree_make(p, &sums, cr_event_main(p).i,
		    CR_MIN(most_nodes, (uint64_t)UINT32_MAX), arena, &t)) {
		o = cr_arena_alloc(arena, sizeof(*o));
		*o = (struct cr_default_tree){.n = t.n,
			.n_frames = t.n_frames,
			.n_events = p->n_events,
			.parent = t.parent,
			.frame = t.frame,
			.frame_function = t.frame_function,
			.frame_comm = t.frame_comm};
		default_tree_weights(&sums, arena, o);
	}
	cr_path_sums_sorted_fini(&sums);
	return o;
}

const struct cr_default_tree *
cr_default_tree_compute(const struct cr_profile *p, uint64_t most_nodes, struct cr_arena *arena)
{
	return cr_default_tree_of_sums(p, cr_default_tree_sum_up(p), most_nodes, arena);
}

/* The default tree's frames, with the same numbers. */
static struct cr_frame *
default_tree_tree_frames(const struct cr_profile *p, struct cr_arena *names)
{
	const struct cr_default_tree *o = p->default_tree;
	struct cr_frame *frames = cr_alloc(o->n_frames, sizeof(*frames));

	for (uint32_t i = 0; i < o->n_frames; i++) {
		if (o->frame_function[i] != CR_NO_ROW)
			frames[i] = cr_path_sums_frame(p, o->frame_function[i], names);
		else
			frames[i] = (struct cr_frame){.name = o->frame_comm[i].len
								      ? o->frame_comm[i]
								      : CR_STR("[unknown]"),
				.kind = CR_KIND_GROUP,
				.group = i > 0 ? CR_GROUP_COMM : CR_GROUP_NONE};
	}
	return frames;
}

static bool
frame_is_inlined(const struct cr_profile *p, uint32_t frame)
{
	const uint32_t function = p->default_tree->frame_function[frame];

	return function != CR_NO_ROW && p->functions[function].addr == CR_ADDR_INLINED;
}

/* Add up the weights of merged nodes, in the order of the shape. */
static void
default_tree_move_weights(struct cr_profile *p, const uint32_t *place, struct cr_default_tree *out)
{
	const struct cr_default_tree *o = p->default_tree;
	uint64_t *self = cr_arena_adopt(
		&p->arena, cr_alloc((uint64_t)out->n_events * out->n, sizeof(*self)));
	uint64_t *samples = cr_arena_adopt(
		&p->arena, cr_alloc((uint64_t)out->n_events * out->n, sizeof(*samples)));

	for (uint32_t e = 0; e < o->n_events; e++)
		for (uint32_t i = 0; i < o->n; i++) {
			const size_t from = (size_t)e * o->n + i,
				     to = (size_t)e * out->n + place[i];

			if (place[i] == CR_NO_ROW)
				continue;
			self[to] = cr_add_sat(self[to], o->self[from]);
			samples[to] = cr_add_sat(samples[to], o->self_samples[from]);
		}
	out->self = self;
	out->self_samples = samples;
}

void
cr_default_tree_outermost(struct cr_profile *p)
{
	const struct cr_default_tree *o = p->default_tree;
	struct cr_default_tree *out = cr_arena_alloc(&p->arena, sizeof(*out));
	const size_t main = (size_t)cr_event_main(p).i * o->n;
	uint32_t *node = cr_alloc(o->n, sizeof(*node));
	struct cr_arena names = {0};
	struct cr_frame *frames = default_tree_tree_frames(p, &names);
	struct cr_tree_builder *tb = cr_tree_builder_new(1, frames, o->n_frames);
	struct cr_tree_shape shape;

	for (uint32_t i = 0; i < o->n; i++) {
		uint64_t samples = 0;

		if (i)
			node[i] = node[o->parent[i]];
		if (i && !frame_is_inlined(p, o->frame[i]))
			node[i] = cr_tree_builder_child(tb, node[i], o->frame[i]);
		for (uint32_t e = 0; e < o->n_events; e++)
			samples = cr_add_sat(samples, o->self_samples[(size_t)e * o->n + i]);
		cr_tree_builder_add(tb, node[i], 0, o->self[main + i], samples);
	}
	cr_tree_builder_shape(tb, &shape);
	for (uint32_t i = 0; i < o->n; i++)
		node[i] = shape.place[node[i]];
	*out = *o;
	out->n = shape.n;
	out->parent = cr_arena_adopt(&p->arena, shape.parent);
	out->frame = cr_arena_adopt(&p->arena, shape.frame);
	default_tree_move_weights(p, node, out);
	p->default_tree = out;
	free(node);
	free(shape.place);
	free(frames);
	cr_arena_fini(&names);
	cr_tree_builder_free(tb);
}

/* Number of nodes in the selected subtrees of the root, and the root itself. */
static uint32_t
included_nodes(const struct cr_default_tree *o, const uint8_t *included)
{
	bool is_included = true;
	uint32_t n = 1;

	for (uint32_t i = 1; i < o->n; i++) {
		if (o->parent[i] == 0)
			is_included = !included || included[o->frame[i]];
		n += is_included;
	}
	return n;
}

/*
 * Copy the selected subtrees of the root, one after the other. If included is NULL, copy all of
 * them and the root's own weight. Weights of nodes whose frame is not one of `leaves` become 0.
 */
static struct cr_tree_raw
default_tree_raw(const struct cr_default_tree *o, const uint64_t *self, const uint64_t *samples,
	const uint8_t *included, const uint8_t *leaves)
{
	const uint32_t room = included_nodes(o, included);
	struct cr_tree_raw raw = {.n = 1,
		.sides = 1,
		.parent = cr_alloc(room, sizeof(*raw.parent)),
		.frame = cr_alloc(room, sizeof(*raw.frame)),
		.weight[0] = cr_alloc(room, sizeof(*self)),
		.samples[0] = cr_alloc(room, sizeof(*samples))};
	bool is_included = false;
	uint32_t gone = 0;

	if (!included && (!leaves || leaves[0])) {
		raw.weight[0][0] = self[0];
		raw.samples[0][0] = samples[0];
	}
	for (uint32_t i = 1; i < o->n; i++) {
		if (o->parent[i] == 0) {
			is_included = !included || included[o->frame[i]];
			gone = i - raw.n;
		}
		if (!is_included)
			continue;
		raw.parent[raw.n] = o->parent[i] ? o->parent[i] - gone : 0;
		raw.frame[raw.n] = o->frame[i];
		if (!leaves || leaves[o->frame[i]]) {
			raw.weight[0][raw.n] = self[i];
			raw.samples[0][raw.n] = samples[i];
		}
		raw.n++;
	}
	return raw;
}

struct cr_tree *
cr_default_tree_tree_of(const struct cr_profile *p, cr_event_id event, const uint8_t *included,
	const uint8_t *leaves)
{
	const struct cr_default_tree *o = p->default_tree;
	const uint64_t *self = o->self + (size_t)event.i * o->n;
	const uint64_t *samples = o->self_samples + (size_t)event.i * o->n;
	struct cr_arena names = {0};
	struct cr_frame *frames = default_tree_tree_frames(p, &names);
	struct cr_tree *t = cr_tree_new(frames, o->n_frames, NULL, 0);

	cr_tree_keep(t, &names);
	free(frames);
	/* The nodes are in the order of the main event, whose tree can borrow the arrays. */
	if (included || leaves ||
		!cr_tree_finish_borrowed(t, o->n, o->parent, o->frame, self, samples)) {
		struct cr_tree_raw raw = default_tree_raw(o, self, samples, included, leaves);

		cr_tree_finish(t, &raw, NULL);
	}
	t->event = p->events[event.i].name;
	t->unit = p->events[event.i].unit;
	t->summed = cr_event_is_summed(p, event);
	return t;
}

struct cr_tree *
cr_default_tree_fold(const struct cr_profile *p, cr_event_id event)
{
	return cr_default_tree_tree_of(p, event, NULL, NULL);
}
