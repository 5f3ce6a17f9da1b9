#include "model/build/builder.h"

#include "builder_p.h"

#include <stdlib.h>

/*
 * The location tree makes stitching cheap. The outermost known frames of a truncated stack are the
 * first nodes below the marker; the last of them, `known`, identifies them all. If the same frames
 * occur in a whole stack, the last of them, the `donor`, also identifies all frames above. All
 * whole stacks agree if there is only one donor.
 *
 *	root ── [truncated] ── f ── g ── … ── known ── x ── y       CR_STITCH_FRAMES from f to known
 *	root ── main ── loop ── f ── g ── … ── donor ── z           y moves to donor ── x ── y
 *
 * Equal frames alone prove little: whole stacks are shallow and truncated ones deep, where the same
 * frames may have other callers. So f must also be at the same stack address in both.
 */
#define KNOWN_DEPTH (CR_STITCH_FRAMES + 1u)
#define NOWHERE CR_NO_ROW
#define STAYS 0u /* the root: no sample ever moves there */

/* Truncated stacks of one thread that are equal from the outermost frame to the leaf. */
struct pair {
	uint64_t sp; /* stack pointer in the outermost frame */
	uint32_t thread, node;
	uint32_t known; /* row of the table of known frames */
	uint32_t to;    /* node that the samples move to, or STAYS */
};

struct known {
	uint64_t sp;
	uint32_t thread, node;
	uint32_t donor; /* NOWHERE until one is found, STAYS if there are several */
};

/* Number of samples of an event so far, and its field if there is one. */
struct event_state {
	uint64_t n;
	bool has;
	cr_field_id field;
};

struct stitching {
	struct cr_builder *b;
	uint32_t n_nodes;   /* before nodes were added */
	uint32_t *thread;   /* by task: number of its thread; 0 if unknown */
	uint32_t n_threads; /* including thread 0 */
	bool *cut;          /* by node: it is the marker or below it */
	bool *left;         /* by node: a sample remains here or below */
	/* By node: the node of the known frames above it; 0 if there are too few frames. */
	uint32_t *known_of;
	CR_VEC(struct pair) pairs;
	struct cr_index pair_index;
	CR_VEC(struct known) known;
	struct cr_index known_index; /* keyed by thread, frames and sp */
	uint32_t *touched;           /* by node: the last thing that visited it */
	uint32_t *to;                /* by visited node: where it moves */
	CR_VEC(uint32_t) way;
};

static const struct cr_built_node *
node_at(const struct stitching *s, uint32_t node)
{
	return &s->b->nodes.p[node];
}

/* ---- ends of stacks, as the reader reports them */

static uint32_t
last_of(const struct cr_builder *b, enum cr_sample_column column)
{
	const struct cr_mapped_vector *t = &b->columns[column];
	uint32_t last;

	memcpy(&last, t->p + t->len - sizeof(last), sizeof(last));
	return last;
}

/* The ancestors of a node that has a height have heights too. */
static void
set_heights(struct cr_builder *b, uint32_t node, const uint64_t *sp, size_t n)
{
	const size_t known = b->heights.n;

	cr_vec_reserve(&b->heights, b->nodes.n);
	b->heights.n = b->nodes.n;
	memset(b->heights.p + known, 0, (b->heights.n - known) * sizeof(*b->heights.p));
	for (; node && !b->heights.p[node]; node = b->nodes.p[node].parent) {
		const uint32_t depth = b->nodes.p[node].depth;
		/* Deeper frames than the user part belong to the kernel. */
		const uint64_t height = depth > n ? UINT64_MAX : sp[n - 1] - sp[n - depth];

		b->heights.p[node] =
			height < CR_BUILT_NO_HEIGHT - 1 ? (uint32_t)height + 1 : CR_BUILT_NO_HEIGHT;
	}
}

void
cr_built_whole(struct cr_builder *b, uint32_t task, uint32_t node, const uint64_t *sp, size_t n)
{
	const uint64_t h = cr_hash_mix(task, node);
	uint32_t row;

	cr_index_each(&b->whole_index, h, row)
		if (b->wholes.p[row].task == task && b->wholes.p[row].node == node)
			return;
	if (n == 0 || b->nodes.p[node].depth < n) /* frames beyond the limits are missing */
		return;
	cr_index_add(&b->whole_index, h, (uint32_t)b->wholes.n);
	cr_vec_push(&b->wholes, ((struct cr_built_whole){sp[n - 1], task, node}));
	set_heights(b, node, sp, n);
}

void
cr_builder_whole(struct cr_builder *b, const uint64_t *sp, size_t n)
{
	if (b->queue)
		cr_built_queue_whole(b, last_of(b, CR_SAMPLE_TASK), sp, n);
	else
		cr_built_whole(b, last_of(b, CR_SAMPLE_TASK), last_of(b, CR_SAMPLE_NODE), sp, n);
}

void
cr_builder_cut(struct cr_builder *b, uint64_t sp)
{
	const struct cr_built_cut cut = {b->n_samples - 1, sp};

	cr_mapped_vector_push(&b->cuts, &cut, sizeof(cut));
}

void
cr_built_ends_fini(struct cr_builder *b)
{
	cr_vec_fini(&b->wholes);
	cr_vec_fini(&b->heights);
	cr_index_fini(&b->whole_index);
	cr_mapped_vector_fini(&b->cuts);
}

/* ---- threads: tasks with one pid and tid, under any name */

static int
by_pid_tid(const void *x, const void *y, void *tasks)
{
	const struct cr_task *a = (struct cr_task *)tasks + *(const uint32_t *)x;
	const struct cr_task *b = (struct cr_task *)tasks + *(const uint32_t *)y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static void
number_threads(struct stitching *s)
{
	size_t n_tasks;
	struct cr_task *tasks = cr_built_tasks(s->b, &n_tasks);
	const uint32_t n = (uint32_t)n_tasks;
	uint32_t *row = cr_alloc(n, sizeof(*row));

	s->thread = cr_alloc(n, sizeof(*s->thread));
	s->n_threads = 1;
	for (uint32_t i = 0; i < n; i++)
		row[i] = i;
	qsort_r(row, n, sizeof(*row), by_pid_tid, tasks);
	for (uint32_t i = 0; i < n; i++) {
		const bool same = i && by_pid_tid(&row[i - 1], &row[i], tasks) == 0;

		if (tasks[row[i]].pid >= 0 && tasks[row[i]].tid >= 0)
			s->thread[row[i]] = same ? s->n_threads - 1 : s->n_threads++;
	}
	free(row);
}

/* ---- truncated stacks */

static bool
is_kernels(const struct stitching *s, uint32_t location)
{
	return cr_kind_is_kernel(s->b->dsos.p[s->b->locations.p[location].dso.i].kind);
}

static void
judge_nodes(struct stitching *s, uint32_t marker)
{
	s->cut = cr_alloc(s->n_nodes, sizeof(*s->cut));
	s->known_of = cr_alloc(s->n_nodes, sizeof(*s->known_of));
	s->cut[marker] = true;
	for (uint32_t i = marker + 1; i < s->n_nodes; i++) {
		const struct cr_built_node *at = node_at(s, i);

		s->cut[i] = s->cut[at->parent];
		if (!s->cut[i] || at->depth < KNOWN_DEPTH)
			continue;
		s->known_of[i] = at->depth == KNOWN_DEPTH ? i : s->known_of[at->parent];
		/*
		 * The last known frame must have called another: the position of a leaf proves
		 * nothing.
		 */
		if (at->depth == KNOWN_DEPTH + 1 && is_kernels(s, at->location))
			s->known_of[i] = 0;
	}
}

/* Hash of the outermost known frames of a thread, starting at the innermost of them. */
static uint64_t
frames_hash(const struct stitching *s, uint32_t thread, uint32_t node, uint64_t sp)
{
	uint64_t h = cr_hash_mix(sp, thread);

	for (uint32_t i = 0; i < CR_STITCH_FRAMES; i++, node = node_at(s, node)->parent)
		h = cr_hash_mix(h, node_at(s, node)->location);
	return h;
}

static bool
frames_are(const struct stitching *s, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < CR_STITCH_FRAMES && a != b; i++) {
		if (node_at(s, a)->location != node_at(s, b)->location)
			return false;
		a = node_at(s, a)->parent;
		b = node_at(s, b)->parent;
	}
	return true;
}

/* The row with the same frames and stack address as node, or CR_NO_ROW. */
static uint32_t
known_find(const struct stitching *s, uint32_t thread, uint32_t node, uint64_t sp, uint64_t h)
{
	uint32_t row;

	cr_index_each(&s->known_index, h, row) {
		const struct known *k = &s->known.p[row];

		if (k->thread == thread && k->sp == sp && frames_are(s, k->node, node))
			return row;
	}
	return CR_NO_ROW;
}

static uint32_t
known_intern(struct stitching *s, uint32_t thread, uint32_t node, uint64_t sp)
{
	const uint64_t h = frames_hash(s, thread, node, sp);
	uint32_t row = known_find(s, thread, node, sp, h);

	if (row != CR_NO_ROW)
		return row;
	row = (uint32_t)s->known.n;
	cr_vec_push(&s->known, ((struct known){sp, thread, node, NOWHERE}));
	cr_index_add(&s->known_index, h, row);
	return row;
}

static uint64_t
pair_hash(uint32_t thread, uint32_t node, uint64_t sp)
{
	return cr_hash_mix(cr_hash_mix(thread, node), sp);
}

static const struct pair *
pair_find(const struct stitching *s, uint32_t thread, uint32_t node, uint64_t sp)
{
	const uint64_t h = pair_hash(thread, node, sp);
	uint32_t row;

	cr_index_each(&s->pair_index, h, row) {
		const struct pair *p = &s->pairs.p[row];

		if (p->thread == thread && p->node == node && p->sp == sp)
			return p;
	}
	return NULL;
}

static void
pair_intern(struct stitching *s, uint32_t thread, uint32_t node, uint64_t sp)
{
	const uint32_t known = s->known_of[node], row = (uint32_t)s->pairs.n;

	if (!thread || !known || known == node || pair_find(s, thread, node, sp))
		return;
	cr_index_add(&s->pair_index, pair_hash(thread, node, sp), row);
	cr_vec_push(&s->pairs,
		((struct pair){sp, thread, node, known_intern(s, thread, known, sp), STAYS}));
}

/*
 * The cut of the sample `row`, or NULL. Call it in row order: *k is the number of cuts returned so
 * far.
 */
static const struct cr_built_cut *
cut_of(const struct cr_mapped_vector *cuts, uint64_t row, uint64_t *k)
{
	const struct cr_built_cut *cut = (const void *)cuts->p;

	if (*k == cuts->len / sizeof(*cut) || cut[*k].row != row)
		return NULL;
	cr_built_swept(cuts, *k, sizeof(*cut));
	return &cut[(*k)++];
}

static void
collect_pairs(struct stitching *s)
{
	const struct cr_mapped_vector *columns = s->b->columns;
	const uint32_t *task = (const void *)columns[CR_SAMPLE_TASK].p;
	const uint32_t *node = (const void *)columns[CR_SAMPLE_NODE].p;
	const struct cr_built_cut *cut;

	for (uint64_t i = 0, k = 0; i < s->b->n_samples; i++) {
		cr_built_swept(&columns[CR_SAMPLE_TASK], i, sizeof(*task));
		cr_built_swept(&columns[CR_SAMPLE_NODE], i, sizeof(*node));
		if ((cut = cut_of(&s->b->cuts, i, &k)))
			pair_intern(s, s->thread[task[i]], node[i], cut->sp);
	}
}

/* ---- whole stacks */

/* Rows grouped by key: those of key k are row[first[k]] up to row[first[k + 1]], exclusive. */
struct groups {
	uint32_t *row, *first;
};

static void
group(struct groups *g, const uint32_t *key, uint32_t n, uint32_t n_keys)
{
	g->row = cr_alloc(n, sizeof(*g->row));
	g->first = cr_alloc((uint64_t)n_keys + 1, sizeof(*g->first));
	for (uint32_t i = 0; i < n; i++)
		g->first[key[i]]++;
	for (uint32_t k = 0; k < n_keys; k++)
		g->first[k + 1] += g->first[k];
	for (uint32_t i = n; i-- > 0;)
		g->row[--g->first[key[i]]] = i;
}

static void
groups_fini(struct groups *g)
{
	free(g->row);
	free(g->first);
}

/* If node, part of a whole stack with the outermost frame at `base`, is a donor, record it. */
static void
donor_look(struct stitching *s, uint32_t thread, uint32_t node, uint64_t base)
{
	uint32_t outermost = node, height1, row;
	uint64_t sp;

	if (node_at(s, node)->depth < CR_STITCH_FRAMES)
		return;
	for (uint32_t i = 1; i < CR_STITCH_FRAMES; i++)
		outermost = node_at(s, outermost)->parent;
	height1 = s->b->heights.p[outermost];
	if (height1 == CR_BUILT_NO_HEIGHT)
		return;
	sp = base - (height1 - 1);
	row = known_find(s, thread, node, sp, frames_hash(s, thread, node, sp));
	if (row != CR_NO_ROW)
		s->known.p[row].donor = s->known.p[row].donor == NOWHERE ? node : STAYS;
}

/* Stops at the first node visited before: its ancestors were visited too. */
static void
look_up_from(struct stitching *s, uint32_t thread, uint32_t node, uint64_t base)
{
	for (; node && s->touched[node] != thread; node = node_at(s, node)->parent) {
		s->touched[node] = thread;
		donor_look(s, thread, node, base);
	}
}

static void
find_donors(struct stitching *s)
{
	const struct cr_builder *b = s->b;
	uint32_t *thread = cr_alloc(b->wholes.n, sizeof(*thread));
	bool *cut = cr_alloc(s->n_threads, sizeof(*cut));
	struct groups by_thread;

	for (size_t i = 0; i < b->wholes.n; i++)
		thread[i] = s->thread[b->wholes.p[i].task];
	for (size_t i = 0; i < s->known.n; i++)
		cut[s->known.p[i].thread] = true;
	group(&by_thread, thread, (uint32_t)b->wholes.n, s->n_threads);
	for (uint32_t t = 1; t < s->n_threads; t++) {
		if (!cut[t])
			continue;
		for (uint32_t i = by_thread.first[t]; i < by_thread.first[t + 1]; i++) {
			const struct cr_built_whole *w = &b->wholes.p[by_thread.row[i]];

			if (!s->cut[w->node])
				look_up_from(s, t, w->node, w->base);
		}
	}
	groups_fini(&by_thread);
	free(cut);
	free(thread);
}

/* ---- moving */

static uint32_t
child(const struct stitching *s, uint32_t parent, uint32_t location)
{
	if (parent == STAYS || node_at(s, parent)->depth >= s->b->lim.depth ||
		s->b->nodes.n >= s->b->lim.nodes)
		return STAYS;
	return cr_builder_push(s->b, (cr_node_id){parent}, (cr_location_id){location}).i;
}

/* Return the new node for a node below the known frames of that row. */
static uint32_t
place(struct stitching *s, uint32_t row, uint32_t node)
{
	const struct known *k = &s->known.p[row];
	uint32_t to;

	s->way.n = 0;
	for (; node != k->node && s->touched[node] != row + 1; node = node_at(s, node)->parent)
		cr_vec_push(&s->way, node);
	to = node == k->node ? k->donor : s->to[node];
	while (s->way.n) {
		node = s->way.p[--s->way.n];
		to = child(s, to, node_at(s, node)->location);
		s->touched[node] = row + 1;
		s->to[node] = to;
	}
	return to;
}

static void
place_pairs(struct stitching *s)
{
	uint32_t *known = cr_alloc(s->pairs.n, sizeof(*known));
	struct groups by_known;

	for (size_t i = 0; i < s->pairs.n; i++)
		known[i] = s->pairs.p[i].known;
	group(&by_known, known, (uint32_t)s->pairs.n, (uint32_t)s->known.n);
	memset(s->touched, 0, s->n_nodes * sizeof(*s->touched));
	for (uint32_t i = 0; i < s->pairs.n; i++) {
		struct pair *p = &s->pairs.p[by_known.row[i]];

		if (s->known.p[p->known].donor != NOWHERE)
			p->to = place(s, p->known, p->node);
	}
	groups_fini(&by_known);
	free(known);
}

static void
add_stitched(struct cr_builder *b, struct event_state *state, uint32_t event, uint32_t frames)
{
	if (!state->has)
		state->field = cr_builder_field(
			b, (cr_event_id){event}, CR_STR("stitched"), CR_FORM_NUMBER);
	state->has = true;
	cr_field_builder_nth(&b->fields, state->field, state->n, frames);
}

static void
leave(struct stitching *s, uint32_t node)
{
	for (; !s->left[node]; node = node_at(s, node)->parent)
		s->left[node] = true;
}

static uint64_t
move_samples(struct stitching *s)
{
	const struct cr_mapped_vector *columns = s->b->columns;
	const uint32_t *task = (const void *)columns[CR_SAMPLE_TASK].p;
	const uint16_t *event = (const void *)columns[CR_SAMPLE_EVENT].p;
	uint32_t *node = (void *)columns[CR_SAMPLE_NODE].p;
	struct event_state *state = cr_alloc(s->b->events.n, sizeof(*state));
	uint64_t moved = 0;

	for (uint64_t i = 0, k = 0; i < s->b->n_samples; i++) {
		const struct cr_built_cut *cut = cut_of(&s->b->cuts, i, &k);
		const struct pair *p = NULL;

		cr_built_swept(&columns[CR_SAMPLE_TASK], i, sizeof(*task));
		cr_built_swept(&columns[CR_SAMPLE_EVENT], i, sizeof(*event));
		cr_built_swept(&columns[CR_SAMPLE_NODE], i, sizeof(*node));
		state[event[i]].n++;
		if (cut)
			p = pair_find(s, s->thread[task[i]], node[i], cut->sp);
		if (!p || p->to == STAYS) {
			leave(s, node[i]);
			continue;
		}
		/* The marker was counted as a node in the old stack, but not in the new one. */
		add_stitched(s->b, &state[event[i]], event[i],
			node_at(s, p->to)->depth + 1 - node_at(s, node[i])->depth);
		node[i] = p->to;
		moved++;
	}
	free(state);
	return moved;
}

static void
stitch(struct stitching *s, uint32_t marker)
{
	uint64_t moved;

	s->left = cr_alloc(s->n_nodes, sizeof(*s->left));
	s->left[0] = true;
	s->touched = cr_alloc(s->n_nodes, sizeof(*s->touched));
	s->to = cr_alloc(s->n_nodes, sizeof(*s->to));
	number_threads(s);
	judge_nodes(s, marker);
	collect_pairs(s);
	find_donors(s);
	place_pairs(s);
	moved = move_samples(s);
	for (uint32_t i = marker; i < s->n_nodes; i++)
		s->b->nodes.p[i].gone = s->cut[i] && !s->left[i];
	if (moved)
		cr_builder_quality(s->b,
			CR_STR("user stacks stitched, their callers taken from whole ones"), moved);
}

void
cr_builder_stitch(struct cr_builder *b)
{
	const uint32_t marker = cr_built_truncated(b);
	struct stitching s = {.b = b, .n_nodes = (uint32_t)b->nodes.n};

	if (marker && b->cuts.len && b->wholes.n)
		stitch(&s, marker);
	free(s.thread);
	free(s.cut);
	free(s.left);
	free(s.known_of);
	free(s.touched);
	free(s.to);
	cr_vec_fini(&s.pairs);
	cr_index_fini(&s.pair_index);
	cr_vec_fini(&s.known);
	cr_index_fini(&s.known_index);
	cr_vec_fini(&s.way);
	cr_built_ends_fini(b);
}
