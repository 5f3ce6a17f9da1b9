#include "svg_chart_p.h"

#include "base/vec.h"
#include "model/columns.h"
#include "write/samples/thread_samples_p.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MOST (UINT32_MAX / 4)

/* A node of the last stack: of the tree of the samples, and of the chart. */
struct step {
	uint32_t from, to;
};

struct chart {
	const struct cr_write_in *in;
	struct cr_thread_samples samples;
	struct cr_arena names;          /* of the threads */
	CR_VEC(struct cr_frame) frames; /* those of the tree, then the threads */
	CR_VEC(struct cr_tree_node) nodes;
	CR_VEC(uint64_t) lead, counts; /* by node */
	CR_VEC(uint32_t) stack;        /* of the current sample: nodes of the tree, leaf first */
	CR_VEC(struct step) path;      /* the last stack of the same thread, root first */
};

static uint32_t
add_node(struct chart *c, uint32_t parent, uint32_t frame)
{
	const uint32_t node = (uint32_t)c->nodes.n;

	cr_vec_push(
		&c->nodes, ((struct cr_tree_node){.parent = parent, .frame = frame & INT32_MAX}));
	cr_vec_push(&c->lead, node ? c->nodes.p[parent].weight : 0);
	cr_vec_push(&c->counts, 0);
	if (node)
		cr_tree_node_link(c->nodes.p, node);
	return node;
}

static uint32_t
add_thread(struct chart *c, const struct cr_thread_list *l)
{
	struct cr_frame f = {.kind = CR_KIND_GROUP, .group = CR_GROUP_TID};
	struct cr_text title = {0};

	cr_thread_list_title(&c->samples, l, c->in->p, &title);
	f.name = (struct cr_str){cr_arena_copy(&c->names, title.p, title.len), (uint32_t)title.len};
	cr_text_fini(&title);
	cr_vec_push(&c->frames, f);
	return add_node(c, 0, (uint32_t)c->frames.n - 1);
}

/* Return the node of a sample's stack, below the node of its thread. */
static uint32_t
node_of(struct chart *c, uint32_t thread, uint32_t place)
{
	const struct cr_tree *t = c->in->tree;
	size_t shared = 0, left;

	c->stack.n = 0;
	for (uint32_t n = place; n; n = t->parent[n])
		cr_vec_push(&c->stack, n);
	left = c->stack.n;
	while (left && shared < c->path.n && c->path.p[shared].from == c->stack.p[left - 1]) {
		shared++;
		left--;
	}
	c->path.n = shared;
	while (left--) {
		const uint32_t from = c->stack.p[left];
		const uint32_t up = c->path.n ? c->path.p[c->path.n - 1].to : thread;

		cr_vec_push(&c->path, ((struct step){from, add_node(c, up, t->frame[from])}));
	}
	return c->path.n ? c->path.p[c->path.n - 1].to : thread;
}

static int
add_samples(struct chart *c, const struct cr_thread_list *l, struct cr_err *err)
{
	const uint64_t *weights = cr_column_weights(c->in->p);
	const uint32_t thread = add_thread(c, l);

	c->path.n = 0;
	for (uint64_t i = l->first; i < l->first + l->n; i++) {
		const uint64_t row = c->samples.row[i];
		const uint32_t node = node_of(c, thread, c->in->place[row]);

		c->nodes.p[node].weight = cr_add_sat(c->nodes.p[node].weight, weights[row]);
		c->counts.p[node]++;
		if (c->nodes.n > NODES_MOST)
			return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
				"too many samples for a picture in order of time; select fewer "
				"with --time");
	}
	return CR_OK;
}

/* The main event if it has samples, otherwise the first event that has. */
static uint32_t
choose_event(const struct chart *c)
{
	const uint32_t main = cr_event_main(c->in->p).i;
	uint32_t event = UINT32_MAX;

	for (size_t i = 0; i < c->samples.lists.n && event != main; i++)
		event = c->samples.lists.p[i].event == main
				? main
				: CR_MIN(event, c->samples.lists.p[i].event);
	return event;
}

static struct cr_tree *
finish(struct chart *c, uint32_t event)
{
	const struct cr_event *e = &c->in->p->events[event];
	struct cr_tree *t = cr_tree_from_nodes(&(struct cr_tree_nodes){.n = (uint32_t)c->nodes.n,
						       .node = c->nodes.p,
						       .samples = c->counts.p,
						       .lead = c->lead.p,
						       .frames = c->frames.p,
						       .n_frames = (uint32_t)c->frames.n},
		&c->names);

	cr_tree_set_measure(t, (struct cr_measure){e->name, e->unit,
				       cr_event_is_summed(c->in->p, (cr_event_id){event})});
	return t;
}

static void
fini(struct chart *c)
{
	cr_thread_samples_fini(&c->samples);
	cr_arena_fini(&c->names);
	cr_vec_fini(&c->frames);
	cr_vec_fini(&c->nodes);
	cr_vec_fini(&c->lead);
	cr_vec_fini(&c->counts);
	cr_vec_fini(&c->stack);
	cr_vec_fini(&c->path);
}

int
cr_svg_chart(const struct cr_write_in *in, struct cr_tree **out, struct cr_err *err)
{
	struct chart c = {.in = in};
	uint32_t event;
	int rc = CR_OK;

	cr_thread_samples_init(&c.samples, in);
	event = choose_event(&c);
	for (uint32_t i = 0; i < in->tree->n_frames; i++)
		cr_vec_push(&c.frames, in->tree->frames[i]);
	add_node(&c, 0, 0);
	for (size_t i = 0; rc == CR_OK && i < c.samples.lists.n; i++)
		if (c.samples.lists.p[i].event == event)
			rc = add_samples(&c, &c.samples.lists.p[i], err);
	if (rc == CR_OK && c.samples.lists.n == 0)
		rc = cr_fail(err, CR_EEMPTY, CR_NO_OFFSET, "no samples are left");
	if (rc == CR_OK)
		*out = finish(&c, event);
	fini(&c);
	return rc;
}
