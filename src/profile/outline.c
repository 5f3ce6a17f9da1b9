#include "cresset/profile/outline.h"

#include "cresset/base/vec.h"
#include "cresset/profile/folder.h"

#include <stdlib.h>

/* The event whose widths order siblings in the outline: the one with the most samples. */
static uint32_t
main_event(const struct cr_profile *p)
{
	uint32_t best = 0;

	for (uint32_t e = 1; e < p->n_events; e++)
		if (p->events[e].samples > p->events[best].samples)
			best = e;
	return best;
}

struct cr_frame
cr_outline_frame(const struct cr_profile *p, uint32_t function, struct cr_arena *arena)
{
	const struct cr_function *f = &p->functions[function];
	const struct cr_object *o = &p->objects[f->object.i];
	struct cr_frame frame = {
		.name = f->name, .linkage = f->linkage, .file = f->file, .line = f->line, .kind = o->kind,
	};
	struct cr_str base = cr_str_basename(o->name);
	char *name;

	if (f->object.i != 0)
		frame.object = o->name;
	if (f->name.len)
		return frame;
	if (f->object.i == 0) {
		frame.name = CR_STR("[unknown]");
		return frame;
	}
	if (cr_str_ends(base, " (deleted)"))
		base.len -= 10;
	name = cr_arena_alloc(arena, base.len + 3u);
	name[0] = '[';
	memcpy(name + 1, base.p, base.len);
	name[base.len + 1] = ']';
	frame.name = (struct cr_str){name, base.len + 2};
	return frame;
}

/* Weights by event and builder's node while the outline grows. */
struct sums {
	uint64_t *self, *samples; /* event-major, `room` apart */
	uint32_t room;
};

static void
sums_room(struct sums *s, uint32_t n_events, uint32_t node)
{
	struct sums bigger = {.room = s->room ? s->room : 1024};

	if (node < s->room)
		return;
	while (node >= bigger.room)
		bigger.room *= 2;
	bigger.self = cr_alloc((size_t)n_events * bigger.room, sizeof(*bigger.self));
	bigger.samples = cr_alloc((size_t)n_events * bigger.room, sizeof(*bigger.samples));
	for (uint32_t e = 0; e < n_events && s->room; e++) {
		memcpy(bigger.self + (size_t)e * bigger.room, s->self + (size_t)e * s->room, s->room * sizeof(*s->self));
		memcpy(bigger.samples + (size_t)e * bigger.room, s->samples + (size_t)e * s->room,
		       s->room * sizeof(*s->samples));
	}
	free(s->self);
	free(s->samples);
	*s = bigger;
}

/* Move one event's sums from the builder's order to the outline's. */
static void
sums_place(const uint64_t *from, const uint32_t *place, uint32_t n_from, uint64_t *to)
{
	for (uint32_t i = 0; i < n_from; i++)
		if (place[i] != CR_NO_ROW)
			to[place[i]] = from[i];
}

static void
outline_frames(struct cr_profile *p, const struct cr_tree *t, struct cr_outline *o)
{
	uint32_t *used = cr_alloc(t->n_frames, sizeof(*used)); /* frame of the tree to one of the outline, + 1 */
	uint32_t *frame = cr_arena_alloc(&p->arena, t->n * sizeof(*frame));
	uint32_t *function = cr_arena_alloc(&p->arena, t->n_frames * sizeof(*function));
	struct cr_str *comm = cr_arena_alloc(&p->arena, t->n_frames * sizeof(*comm));

	for (uint32_t i = 0; i < t->n; i++) {
		const uint32_t f = t->frame[i];

		if (!used[f]) {
			const bool is_function = f > 0 && f <= p->n_functions;

			function[o->n_frames] = is_function ? f - 1 : CR_NO_ROW;
			comm[o->n_frames] = is_function ? (struct cr_str){"", 0} : t->frames[f].name;
			used[f] = ++o->n_frames;
		}
		frame[i] = used[f] - 1;
	}
	o->frame = frame;
	o->frame_function = function;
	o->frame_comm = comm;
	free(used);
}

void
cr_outline_make(struct cr_profile *p)
{
	struct cr_folder *folder = cr_folder_new(p, p->flags & CR_PROFILE_HAS_TASK, 1);
	struct cr_outline *o = cr_arena_alloc(&p->arena, sizeof(*o));
	struct sums sums = {0};
	struct cr_tree_builder *tb;
	struct cr_tree *t;
	uint32_t *place, *parent, n_builder = 1;
	uint64_t *self, *samples;

	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint32_t node = cr_folder_node(folder, p->samples.task[i], p->samples.node[i]);
		size_t at;

		n_builder = CR_MAX(n_builder, node + 1);
		sums_room(&sums, p->n_events, node);
		at = (size_t)p->samples.event[i] * sums.room + node;
		sums.self[at] = cr_add_sat(sums.self[at], p->samples.weight[i]);
		sums.samples[at]++;
	}
	tb = cr_folder_end(folder);
	sums_room(&sums, p->n_events, n_builder - 1);
	for (uint32_t i = 0; i < n_builder; i++) {
		const size_t at = (size_t)main_event(p) * sums.room + i;
		uint64_t any = 0;

		for (uint32_t e = 0; e < p->n_events; e++)
			any += sums.samples[(size_t)e * sums.room + i];
		cr_tree_builder_add(tb, i, 0, sums.self[at], any);
	}
	t = cr_tree_builder_finish(tb, &place);
	o->n = t->n;
	o->n_events = p->n_events;
	parent = cr_arena_alloc(&p->arena, t->n * sizeof(*parent));
	memcpy(parent, t->parent, t->n * sizeof(*parent));
	o->parent = parent;
	self = cr_arena_alloc(&p->arena, (size_t)p->n_events * t->n * sizeof(*self));
	samples = cr_arena_alloc(&p->arena, (size_t)p->n_events * t->n * sizeof(*samples));
	for (uint32_t e = 0; e < p->n_events; e++) {
		sums_place(sums.self + (size_t)e * sums.room, place, n_builder, self + (size_t)e * t->n);
		sums_place(sums.samples + (size_t)e * sums.room, place, n_builder, samples + (size_t)e * t->n);
	}
	o->self = self;
	o->self_samples = samples;
	outline_frames(p, t, o);
	p->outline = o;
	free(place);
	free(sums.self);
	free(sums.samples);
	cr_tree_free(t);
}

struct cr_tree *
cr_outline_tree(const struct cr_profile *p, cr_event_id event)
{
	const struct cr_outline *o = p->outline;
	const uint64_t *self = o->self + (size_t)event.i * o->n;
	const uint64_t *samples = o->self_samples + (size_t)event.i * o->n;
	struct cr_frame *frames = cr_alloc(o->n_frames, sizeof(*frames));
	uint32_t *node = cr_alloc(o->n, sizeof(*node));
	struct cr_arena names = {0};
	struct cr_tree_builder *tb;
	struct cr_tree *t;

	for (uint32_t i = 0; i < o->n_frames; i++) {
		if (o->frame_function[i] != CR_NO_ROW)
			frames[i] = cr_outline_frame(p, o->frame_function[i], &names);
		else
			frames[i] = (struct cr_frame){.name = o->frame_comm[i], .kind = CR_KIND_GROUP};
	}
	tb = cr_tree_builder_new(1, frames, o->n_frames);
	cr_tree_builder_keep(tb, &names);
	for (uint32_t i = 0; i < o->n; i++) {
		if (i)
			node[i] = cr_tree_builder_append(tb, node[o->parent[i]], o->frame[i]);
		cr_tree_builder_add(tb, node[i], 0, self[i], samples[i]);
	}
	t = cr_tree_builder_finish(tb, NULL);
	t->event = p->events[event.i].name;
	t->unit = p->events[event.i].unit;
	free(frames);
	free(node);
	return t;
}
