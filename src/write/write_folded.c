#include "base/order.h"
#include "base/vec.h"
#include "folded_name_p.h"
#include "write/writer.h"

#include <stdlib.h>

/*
 * One line per stack: "a;b;c 12", with two sides "a;b;c 10 12". Lines are sorted by the bytes of
 * the stack; equal stacks are summed; stacks without weight are omitted.
 *
 * This is done without storing whole stacks, which take gigabytes for a tree of a million nodes.
 * Instead the tree is walked in the order of the text. Below a stack, the next frame is written as
 * "name" if the line ends and as "name;" if not; these may sort differently ("a;b 1", "a;b.x;y 1",
 * "a;b;c 1"), so each frame has a rank for both. Siblings with equal names are walked as one.
 */
struct item {
	uint32_t rank;
	uint32_t name;
	bool ends;                 /* a line to print; otherwise nodes to visit */
	uint64_t weight[CR_SIDES]; /* of a line */
	uint32_t nodes, n_nodes; /* otherwise: range in the pool; a single node while in `found` */
	size_t path_len;         /* length of the text before the name */
};

struct folded_options {
	bool counts; /* write numbers of samples instead of weights */
	bool header; /* begin with a comment: event, unit and number of samples */
};

struct fold_writer {
	const struct cr_tree *t;
	const uint64_t *count[CR_SIDES]; /* by node: weights, or samples */
	struct cr_str unit[CR_SIDES];
	/* By frame: cleaned names, each followed by ';'; the last one is that of "no frame". */
	struct cr_str *names;
	uint32_t *rank_end;                  /* by frame: rank of "name" */
	uint32_t *rank_on;                   /* by frame: rank of "name;" */
	CR_VEC(struct item) todo;            /* stack: the next one is the last */
	CR_VEC(struct item) found;           /* below the current nodes */
	CR_VEC(struct cr_keyed) order, room; /* of many of them */
	CR_VEC(uint32_t) pool;               /* nodes of the items of todo, in order */
	CR_VEC(uint32_t) at_hand;
	struct cr_text path;
	struct cr_text text;
	struct cr_arena arena; /* of names that had to be cleaned */
	struct cr_arena texts; /* of names */
};

/* A key to be ranked: the name of frame item / 2 at the end of a line, or before a ';'. */
static struct cr_str
key_text(const void *user, uint32_t item)
{
	const struct fold_writer *w = user;
	const struct cr_str name = w->names[item / 2];

	return (struct cr_str){name.p, name.len + item % 2};
}

static int
by_text(const void *user, uint32_t a, uint32_t b)
{
	return cr_str_cmp(key_text(user, a), key_text(user, b));
}

static void
rank_names(struct fold_writer *w, uint32_t n)
{
	const struct cr_names keys = {.user = w, .name = key_text, .compare = by_text};
	uint32_t *order = cr_names_order(&keys, n * 2);

	w->rank_end = cr_alloc(n, sizeof(*w->rank_end));
	w->rank_on = cr_alloc(n, sizeof(*w->rank_on));
	for (uint32_t i = 0, rank = 0; i < n * 2; i++) {
		if (i > 0 && by_text(w, order[i - 1], order[i]) != 0)
			rank++;
		(order[i] % 2 ? w->rank_on : w->rank_end)[order[i] / 2] = rank;
	}
	free(order);
}

/* A copy of the name, followed by a ';'. */
static struct cr_str
name_keep(struct fold_writer *w, struct cr_str name)
{
	char *p = cr_arena_text(&w->texts, name.p, name.len);

	p[name.len] = ';';
	return (struct cr_str){p, name.len};
}

static void
clean_names(struct fold_writer *w)
{
	const struct cr_tree *t = w->t;

	w->names = cr_alloc((uint64_t)t->n_frames + 1, sizeof(*w->names));
	for (uint32_t i = 0; i < t->n_frames; i++)
		w->names[i] = name_keep(w, cr_folded_name(&t->frames[i], &w->arena));
	w->names[t->n_frames] = name_keep(w, CR_STR("[no stack]"));
	rank_names(w, t->n_frames + 1);
}

static void
find_line(struct fold_writer *w, uint32_t node, uint32_t name)
{
	struct item i = {.rank = w->rank_end[name], .name = name, .ends = true};
	uint64_t any = 0;

	for (uint32_t s = 0; s < w->t->sides; s++)
		any |= i.weight[s] = w->count[s][node];
	if (any)
		cr_vec_push(&w->found, i);
}

static void
find_node(struct fold_writer *w, uint32_t node)
{
	const uint32_t name = w->t->frame[node];

	find_line(w, node, name);
	if (w->t->end[node] > node + 1)
		cr_vec_push(&w->found,
			((struct item){.rank = w->rank_on[name], .name = name, .nodes = node}));
}

/* Merge found items of one rank, [first, end), into one of todo. */
static void
todo_add(struct fold_writer *w, size_t first, size_t end)
{
	struct item one = w->found.p[w->order.p[first].item];

	one.path_len = w->path.len;
	one.nodes = (uint32_t)w->pool.n;
	for (size_t k = first; k < end; k++) {
		const struct item *i = &w->found.p[w->order.p[k].item];

		if (!one.ends)
			cr_vec_push(&w->pool, i->nodes);
		for (uint32_t s = 0; one.ends && k > first && s < w->t->sides; s++)
			one.weight[s] = cr_add_sat(one.weight[s], i->weight[s]);
	}
	one.n_nodes = (uint32_t)w->pool.n - one.nodes;
	cr_vec_push(&w->todo, one);
}

#define FEW 16u /* items that are sorted by insertion */

/* Sort what was found by rank. */
static void
sort_found(struct fold_writer *w)
{
	const uint32_t n = (uint32_t)w->found.n; /* at most two for each node */

	cr_vec_reserve(&w->order, n);
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_keyed one = {w->found.p[i].rank, i};
		uint32_t k = i;

		for (; n <= FEW && k > 0 && w->order.p[k - 1].key > one.key; k--)
			w->order.p[k] = w->order.p[k - 1];
		w->order.p[k] = one;
	}
	if (n <= FEW)
		return;
	cr_vec_reserve(&w->room, n);
	cr_keyed_sort(w->order.p, w->room.p, n);
}

/* Move what was found to todo, in reverse order. */
static void
todo_found(struct fold_writer *w)
{
	size_t first, end = w->found.n;

	sort_found(w);
	for (; end > 0; end = first) {
		for (first = end - 1;
			first > 0 && w->order.p[first - 1].key == w->order.p[end - 1].key;)
			first--;
		todo_add(w, first, end);
	}
	w->found.n = 0;
}

/* Find and order what is below the nodes at hand. */
static void
todo_children(struct fold_writer *w)
{
	const struct cr_tree *t = w->t;

	for (size_t k = 0; k < w->at_hand.n; k++) {
		const uint32_t n = w->at_hand.p[k];

		for (uint32_t c = n + 1; c < t->end[n]; c = t->end[c])
			find_node(w, c);
	}
	todo_found(w);
}

static void
todo_start(struct fold_writer *w, uint32_t root)
{
	const struct cr_tree *t = w->t;

	if (root > 0) {
		find_node(w, root);
	} else {
		find_line(w, 0, t->n_frames);
		for (uint32_t c = 1; c < t->end[0]; c = t->end[c])
			find_node(w, c);
	}
	todo_found(w);
}

static int
put_path(struct fold_writer *w, struct cr_sink *out, struct cr_err *err)
{
	int rc;

	if (w->path.len < CR_SINK_LARGE) {
		cr_text_put(&w->text, w->path.p, w->path.len);
		return CR_OK;
	}
	if ((rc = cr_sink_text(out, &w->text, err)) < 0)
		return rc;
	return cr_sink_put(out, w->path.p, w->path.len, err);
}

/* Write the path as a line with these weights. */
static int
put_line(struct fold_writer *w, const uint64_t *weight, struct cr_sink *out, struct cr_err *err)
{
	const int rc = put_path(w, out, err);

	if (rc < 0)
		return rc;
	for (uint32_t s = 0; s < w->t->sides; s++) {
		cr_text_char(&w->text, ' ');
		cr_text_weight(&w->text, weight[s], w->unit[s]);
	}
	cr_text_char(&w->text, '\n');
	return cr_sink_large(out, &w->text, err);
}

/* Add a name to the path, at its end or before another one. */
static void
put_name(struct fold_writer *w, uint32_t name, bool ends)
{
	const struct cr_str text = w->names[name];

	cr_text_put(&w->path, text.p, text.len + !ends);
}

#define NAMES_AHEAD 12u /* nodes before a name is written when it is prefetched */

/* Nodes of one chain are neighbours, but their names are anywhere. */
static void
prefetch_names(const struct fold_writer *w, uint32_t node)
{
	const struct cr_tree *t = w->t;

	if (node + NAMES_AHEAD >= t->n)
		return;
	__builtin_prefetch(&w->names[t->frame[node + NAMES_AHEAD]]);
	__builtin_prefetch(w->names[t->frame[node + NAMES_AHEAD / 2]].p);
}

/*
 * Follow a node that is the only one with its path as long as it has one child and the path does
 * not end: most nodes of stacks that are all different. What is below the last one is added to
 * todo, or written.
 */
static int
follow(struct fold_writer *w, uint32_t node, struct cr_sink *out, struct cr_err *err)
{
	const struct cr_tree *t = w->t;
	uint64_t weight[CR_SIDES] = {0}, any = 0;
	uint32_t child;

	for (; t->end[node] > node + 1; node = child) {
		child = node + 1;
		prefetch_names(w, node);
		for (uint32_t s = 0; s < t->sides; s++)
			any |= weight[s] = w->count[s][child];
		if (t->end[child] != t->end[node] || (any && t->end[child] > child + 1)) {
			w->at_hand.n = 0;
			cr_vec_push(&w->at_hand, node);
			todo_children(w);
			return CR_OK;
		}
		put_name(w, t->frame[child], t->end[child] == child + 1);
	}
	return any ? put_line(w, weight, out, err) : CR_OK;
}

/* Write or add to todo what is below an item, whose path is written. */
static int
write_below(struct fold_writer *w, const struct item *i, struct cr_sink *out, struct cr_err *err)
{
	w->pool.n = i->nodes; /* they were the last ones */
	if (i->n_nodes == 1)
		return follow(w, w->pool.p[i->nodes], out, err);
	w->at_hand.n = 0;
	cr_vec_append(&w->at_hand, w->pool.p + i->nodes, i->n_nodes);
	todo_children(w);
	return CR_OK;
}

static int
write_lines(struct fold_writer *w, struct cr_sink *out, struct cr_err *err)
{
	while (w->todo.n > 0) {
		const struct item i = w->todo.p[--w->todo.n];
		int rc;

		w->path.len = i.path_len;
		put_name(w, i.name, i.ends);
		rc = i.ends ? put_line(w, i.weight, out, err) : write_below(w, &i, out, err);
		if (rc < 0)
			return rc;
	}
	return cr_sink_text(out, &w->text, err);
}

/* ---- the header */

/* In quotes, since a name may contain any bytes. */
static void
put_quoted(struct cr_text *out, struct cr_str s)
{
	cr_text_char(out, '"');
	for (uint32_t i = 0; i < s.len; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			cr_text_char(out, '\\');
		cr_text_char(
			out, s.p[i] == '\n' || s.p[i] == '\r' || s.p[i] == '\0' ? ' ' : s.p[i]);
	}
	cr_text_char(out, '"');
}

static bool
is_word(struct cr_str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (!((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z') && s.p[i] != '_' &&
			s.p[i] != '-')
			return false;
	return true;
}

/* Quoted if it could be misread, for example as the count of a stack. */
static void
put_unit(struct cr_text *out, struct cr_str unit)
{
	if (!unit.len || cr_str_eq(unit, CR_STR("millionths")))
		unit = CR_STR("weight");
	if (is_word(unit))
		cr_text_str(out, unit);
	else
		put_quoted(out, unit);
}

/* Write the number of samples on each side, unless the input has only sums of an unknown number. */
static void
put_samples(struct fold_writer *w, const struct cr_write_in *in)
{
	const struct cr_tree *t = in->tree;
	const bool are_weights = cr_str_eq(t->unit, CR_STR("samples"));
	uint64_t n = 0;

	for (uint32_t s = 0; s < t->sides; s++) {
		n = (are_weights ? t->total : t->total_samples)[s][in->root];
		cr_text_puts(&w->text, s ? " and " : ", ");
		cr_text_u64(&w->text, n);
	}
	cr_text_puts(&w->text, n == 1 ? " sample" : " samples");
}

/* The format is described in src/read/folded/folded_header_p.h. */
static int
put_header(struct fold_writer *w, const struct cr_write_in *in, struct cr_err *err)
{
	const struct cr_measure m = cr_tree_measure(in->tree, 0),
				after = cr_tree_measure(in->tree, in->tree->sides - 1);

	if (!cr_str_eq(m.event, after.event) || !cr_str_eq(m.unit, after.unit))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"a header names one event, and the sides have two");
	if (!m.event.len)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"a header names one event, and the inputs have several");
	cr_text_puts(&w->text, "# event ");
	put_quoted(&w->text, m.event);
	cr_text_puts(&w->text, ", unit ");
	put_unit(&w->text, w->unit[0]);
	if (!m.summed || cr_str_eq(m.unit, CR_STR("samples")))
		put_samples(w, in);
	cr_text_char(&w->text, '\n');
	return CR_OK;
}

/*
 * Choose what is written of a side. If the input counts samples, they are its weights; without
 * times it is unknown whether a row is a sample or a sum of many, so they are called stacks.
 */
static void
choose_counts(struct fold_writer *w, const struct cr_write_in *in, bool counts, uint32_t side)
{
	const struct cr_measure m = cr_tree_measure(in->tree, side);
	const bool are_samples = cr_str_eq(m.unit, CR_STR("samples"));

	if (!counts || are_samples) {
		w->count[side] = in->tree->weight[side];
		w->unit[side] = m.unit;
	} else {
		w->count[side] = in->tree->samples[side];
		w->unit[side] = m.summed ? CR_STR("stacks") : CR_STR("samples");
	}
}

static int
folded_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	const struct folded_options *o = options;
	const struct cr_tree *t = in->tree;
	struct fold_writer w = {.t = t};
	int rc;

	for (uint32_t s = 0; s < t->sides; s++)
		choose_counts(&w, in, o->counts, s);
	if (o->header && (rc = put_header(&w, in, err)) < 0) {
		cr_text_fini(&w.text);
		return rc;
	}
	clean_names(&w);
	todo_start(&w, in->root);
	rc = write_lines(&w, out, err);
	free(w.names);
	free(w.rank_end);
	free(w.rank_on);
	cr_vec_fini(&w.todo);
	cr_vec_fini(&w.found);
	cr_vec_fini(&w.order);
	cr_vec_fini(&w.room);
	cr_vec_fini(&w.pool);
	cr_vec_fini(&w.at_hand);
	cr_text_fini(&w.path);
	cr_text_fini(&w.text);
	cr_arena_fini(&w.arena);
	cr_arena_fini(&w.texts);
	return rc;
}

static const char *const folded_extensions[] = {".folded", ".collapsed", NULL};

static const struct cr_option_spec folded_options[] = {
	{.name = "counts",
		.help = "count the samples of each stack (default: add up their weights, in the "
			"event's unit)",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct folded_options, counts)},
	{.name = "header",
		.help = "begin with a comment that names the event, the unit and the number of "
			"samples",
		.type = CR_OPTION_FLAG,
		.at = offsetof(struct folded_options, header)},
	{.name = NULL},
};

const struct cr_writer cr_writer_folded = {
	.name = "folded",
	.extensions = folded_extensions,
	.about = "one line per stack, as flamegraph.pl and inferno read it",
	.needs = CR_WRITER_TREE,
	.options = folded_options,
	.options_size = sizeof(struct folded_options),
	.write = folded_write,
};
