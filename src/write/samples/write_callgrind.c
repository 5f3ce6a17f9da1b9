#include "base/hash.h"
#include "base/vec.h"
#include "model/build/string_table.h"
#include "sample_rows_p.h"

#include <stdlib.h>

/*
 * The profile format of callgrind, for KCachegrind and callgrind_annotate: for each function its
 * self cost by source line, and for each call the inclusive cost of what was called.
 *
 *	fl=(1) file.c
 *	fn=(1) main
 *	12 5                  line 12 costs 5 itself
 *	cob=(2) libz.so
 *	cfi=(2) inflate.c
 *	cfn=(2) inflate
 *	calls=1 0             how often it was called is not known
 *	14 95                 what it called in line 14 costs 95
 *
 * Some programs compute the total of a function as the sum of its own cost and that of its calls,
 * others as the sum of the calls to it. Both are right, also for a function that is on a stack
 * several times, since only its innermost occurrence is kept. Stacks begin in a function "all".
 */
struct function {
	struct cr_str name, file, dso;
};

/* A cost of a function: its own in a line, or that of a call. */
struct cost {
	uint32_t function;
	uint32_t callee1; /* function + 1 that was called; 0: own cost */
	uint32_t line;
	uint32_t node; /* whose values it is */
	bool minus;    /* they are subtracted */
};

/*
 * The stack of a node without outer occurrences of functions, as a list. Places are depths; 0 is
 * the root. A place that was taken out keeps its links, so that it can be put back.
 */
struct chain {
	uint32_t *node, *prev, *next; /* by place; next 0: none */
	uint32_t *outer;              /* by place: the one it took out; 0: none */
	uint32_t *at;                 /* by function: its place; 0: none */
	uint32_t last, depth;
};

struct callgrind {
	const struct cr_write_in *in;
	const struct cr_profile *p;
	const struct cr_tree *t;
	CR_VEC(uint32_t) events;
	uint32_t *column;    /* by event: its index in `events` */
	uint64_t *own, *sum; /* by node and column: of samples there; with those below it */
	uint32_t *function;  /* by frame */
	CR_VEC(struct function) functions;
	CR_VEC(struct cost) costs;
	struct cr_strings names, files, dsos; /* written once, then by number */
	struct cr_text text;
};

static uint64_t *
values(const struct callgrind *c, uint64_t *of, uint32_t node)
{
	return of + (size_t)node * c->events.n;
}

/* ---- costs of nodes */

static void
events_find(struct callgrind *c)
{
	struct cr_sample_rows rows;
	struct cr_sample_row r;

	c->column = cr_alloc(CR_MAX(c->p->n_events, 1), sizeof(*c->column));
	cr_sample_rows_init(&rows, c->in);
	while (cr_sample_rows_next(&rows, &r))
		c->column[r.event] = 1;
	for (uint32_t i = 0; i < c->p->n_events; i++)
		if (c->column[i]) {
			c->column[i] = (uint32_t)c->events.n;
			cr_vec_push(&c->events, i);
		}
}

static void
values_find(struct callgrind *c)
{
	const size_t n = c->events.n;
	struct cr_sample_rows rows;
	struct cr_sample_row r;

	c->own = cr_alloc((uint64_t)c->t->n * n, sizeof(*c->own));
	cr_sample_rows_init(&rows, c->in);
	while (cr_sample_rows_next(&rows, &r)) {
		uint64_t *at = values(c, c->own, r.node) + c->column[r.event];

		*at = cr_add_sat(*at, r.weight);
	}
	c->sum = cr_memdup(c->own, c->t->n * n * sizeof(*c->sum));
	for (uint32_t node = c->t->n; node-- > 1;)
		for (size_t k = 0; k < n; k++) {
			uint64_t *up = values(c, c->sum, c->t->parent[node]) + k;

			*up = cr_add_sat(*up, values(c, c->sum, node)[k]);
		}
}

/* ---- functions */

static bool
is_same(const struct function *a, const struct function *b)
{
	return cr_str_eq(a->name, b->name) && cr_str_eq(a->dso, b->dso);
}

/* By frame: its function, which has the source file of its first frame. */
static void
functions_find(struct callgrind *c)
{
	struct cr_index ix = {0};
	uint32_t row;

	c->function = cr_alloc(c->t->n_frames, sizeof(*c->function));
	for (uint32_t i = 0; i < c->t->n_frames; i++) {
		const struct cr_frame *f = &c->t->frames[i];
		const struct function new = {f->name, f->file, f->dso};
		const uint64_t h =
			cr_hash_mix(cr_hash(f->name.p, f->name.len), cr_hash(f->dso.p, f->dso.len));

		cr_index_each(&ix, h, row)
			if (is_same(&c->functions.p[row], &new))
				break;
		if (row == CR_NO_ROW) {
			row = (uint32_t)c->functions.n;
			cr_vec_push(&c->functions, new);
			cr_index_add(&ix, h, row);
		}
		c->function[i] = row;
	}
	cr_index_fini(&ix);
}

/* ---- lines */

static int
by_place(const void *x, const void *y)
{
	const struct cost *a = x, *b = y;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->callee1 != b->callee1)
		return a->callee1 < b->callee1 ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static bool
has_any(const struct callgrind *c, const uint64_t *v)
{
	for (size_t k = 0; k < c->events.n; k++)
		if (v[k])
			return true;
	return false;
}

/* The line of a node's frame; 0 if it is in another file than its function. */
static uint32_t
line_of(const struct callgrind *c, uint32_t node)
{
	const uint32_t frame = c->t->frame[node];
	const struct cr_frame *f = &c->t->frames[frame];

	return cr_str_eq(f->file, c->functions.p[c->function[frame]].file) ? f->line : 0;
}

/* Add a call that costs the total of a node. caller, callee: nodes. */
static void
call_add(struct callgrind *c, uint32_t caller, uint32_t callee, uint32_t node, bool minus)
{
	const struct cr_tree *t = c->t;

	cr_vec_push(&c->costs,
		((struct cost){c->function[t->frame[caller]], c->function[t->frame[callee]] + 1,
			line_of(c, caller), node, minus}));
}

/* Take out a place, for all stacks of a node: what it called is called by its caller. */
static void
chain_take_out(struct callgrind *c, struct chain *l, uint32_t place, uint32_t node)
{
	const uint32_t prev = l->prev[place], next = l->next[place];

	call_add(c, l->node[prev], l->node[place], node, true);
	if (next) {
		call_add(c, l->node[place], l->node[next], node, true);
		call_add(c, l->node[prev], l->node[next], node, false);
		l->prev[next] = prev;
	} else {
		l->last = prev;
	}
	l->next[prev] = next;
}

static void
chain_push(struct callgrind *c, struct chain *l, uint32_t node)
{
	const uint32_t place = c->t->depth[node];
	uint32_t *at = &l->at[c->function[c->t->frame[node]]];

	l->outer[place] = *at;
	if (*at)
		chain_take_out(c, l, *at, node);
	l->node[place] = node;
	l->prev[place] = l->last;
	l->next[place] = 0;
	l->next[l->last] = place;
	call_add(c, l->node[l->last], node, node, false);
	*at = l->last = l->depth = place;
}

static void
chain_pop(const struct callgrind *c, struct chain *l)
{
	const uint32_t place = l->depth--, outer = l->outer[place];

	l->last = l->prev[place];
	l->next[l->last] = 0;
	l->at[c->function[c->t->frame[l->node[place]]]] = outer;
	if (!outer)
		return;
	l->next[l->prev[outer]] = outer;
	if (l->next[outer])
		l->prev[l->next[outer]] = outer;
	else
		l->last = outer;
}

static void
calls_find(struct callgrind *c)
{
	const uint64_t places = (uint64_t)c->t->max_depth + 1;
	struct chain l = {
		.node = cr_alloc(places, sizeof(*l.node)),
		.prev = cr_alloc(places, sizeof(*l.prev)),
		.next = cr_alloc(places, sizeof(*l.next)),
		.outer = cr_alloc(places, sizeof(*l.outer)),
		.at = cr_alloc(c->functions.n, sizeof(*l.at)),
	};

	for (uint32_t n = 1; n < c->t->n; n++) {
		while (l.depth >= c->t->depth[n])
			chain_pop(c, &l);
		chain_push(c, &l, n);
	}
	free(l.node);
	free(l.prev);
	free(l.next);
	free(l.outer);
	free(l.at);
}

static void
costs_find(struct callgrind *c)
{
	for (uint32_t n = 0; n < c->t->n; n++)
		if (has_any(c, values(c, c->own, n)))
			cr_vec_push(&c->costs, ((struct cost){c->function[c->t->frame[n]], 0,
						       line_of(c, n), n, false}));
	calls_find(c);
	if (c->costs.n)
		qsort(c->costs.p, c->costs.n, sizeof(*c->costs.p), by_place);
}

/* ---- output */

/* "fl=(1) file.c", later "fl=(1)". */
static void
put_name(struct callgrind *c, const char *key, struct cr_strings *all, struct cr_str name)
{
	const size_t known = all->rows.n;
	const uint32_t row = cr_strings_intern(all, NULL, name);

	cr_text_printf(&c->text, "%s=(%u)", key, row + 1);
	if (row == known) {
		cr_text_char(&c->text, ' ');
		cr_text_safe(&c->text, name.len ? name : CR_STR("???"));
	}
	cr_text_char(&c->text, '\n');
}

static void
put_values(struct callgrind *c, const uint64_t *v)
{
	for (size_t k = 0; k < c->events.n; k++) {
		cr_text_char(&c->text, ' ');
		cr_text_u64(&c->text, v[k]);
	}
	cr_text_char(&c->text, '\n');
}

/* The name of an event must be one word. */
static void
put_head(struct callgrind *c)
{
	cr_text_puts(&c->text,
		"# callgrind format\nversion: 1\ncreator: cresset " PACKAGE_VERSION "\ncmd: ");
	cr_text_safe(&c->text, cr_profile_fact(c->p, "cmdline"));
	if (c->in->query && *c->in->query)
		cr_text_printf(&c->text, "\ndesc: Query: %s", c->in->query);
	cr_text_puts(&c->text, "\npositions: line\nevents:");
	for (size_t k = 0; k < c->events.n; k++) {
		const struct cr_str name = c->p->events[c->events.p[k]].name;

		cr_text_char(&c->text, ' ');
		for (uint32_t i = 0; i < name.len; i++)
			cr_text_char(
				&c->text, memchr(" \t\r\n\f\v", name.p[i], 6) ? '_' : name.p[i]);
	}
	cr_text_puts(&c->text, "\nsummary:");
	put_values(c, c->sum); /* of the root */
	cr_text_char(&c->text, '\n');
}

/*
 * The sum of the costs [from, to); what is subtracted was added by another one. A sum that does not
 * fit stays at the limit.
 */
static void
cost_sum(const struct callgrind *c, size_t from, size_t to, uint64_t *sum)
{
	memset(sum, 0, c->events.n * sizeof(*sum));
	for (int minus = 0; minus < 2; minus++)
		for (size_t i = from; i < to; i++) {
			const struct cost *x = &c->costs.p[i];
			const uint64_t *v = values(c, x->callee1 ? c->sum : c->own, x->node);

			for (size_t k = 0; k < c->events.n && x->minus == minus; k++)
				if (!minus)
					sum[k] = cr_add_sat(sum[k], v[k]);
				else if (sum[k] != UINT64_MAX)
					sum[k] -= CR_MIN(sum[k], v[k]);
		}
}

static void
put_cost(struct callgrind *c, const struct cost *cost, const uint64_t *sum)
{
	if (cost->callee1) {
		const struct function *callee = &c->functions.p[cost->callee1 - 1];

		put_name(c, "cob", &c->dsos, callee->dso);
		put_name(c, "cfi", &c->files, callee->file);
		put_name(c, "cfn", &c->names, callee->name);
		cr_text_puts(&c->text, "calls=1 0\n");
	}
	cr_text_u64(&c->text, cost->line);
	put_values(c, sum);
}

static int
put_costs(struct callgrind *c, struct cr_sink *out, struct cr_err *err)
{
	uint64_t *sum = cr_alloc(CR_MAX(c->events.n, 1), sizeof(*sum));
	uint32_t function = CR_NO_ROW;
	int rc = CR_OK;

	for (size_t from = 0, to; rc == CR_OK && from < c->costs.n; from = to) {
		const struct cost *first = &c->costs.p[from];

		for (to = from + 1; to < c->costs.n; to++)
			if (c->costs.p[to].function != first->function ||
				c->costs.p[to].callee1 != first->callee1 ||
				c->costs.p[to].line != first->line)
				break;
		cost_sum(c, from, to, sum);
		if (!has_any(c, sum))
			continue;
		if (first->function != function) {
			const struct function *f = &c->functions.p[function = first->function];

			cr_text_char(&c->text, '\n');
			put_name(c, "ob", &c->dsos, f->dso);
			put_name(c, "fl", &c->files, f->file);
			put_name(c, "fn", &c->names, f->name);
		}
		put_cost(c, first, sum);
		rc = cr_sink_large(out, &c->text, err);
	}
	free(sum);
	return rc;
}

static void
callgrind_fini(struct callgrind *c)
{
	cr_vec_fini(&c->events);
	free(c->column);
	free(c->own);
	free(c->sum);
	free(c->function);
	cr_vec_fini(&c->functions);
	cr_vec_fini(&c->costs);
	cr_strings_fini(&c->names);
	cr_strings_fini(&c->files);
	cr_strings_fini(&c->dsos);
	cr_text_fini(&c->text);
}

static int
callgrind_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct callgrind c = {.in = in, .p = in->p, .t = in->tree};
	int rc;

	(void)options;
	events_find(&c);
	values_find(&c);
	functions_find(&c);
	costs_find(&c);
	put_head(&c);
	rc = put_costs(&c, out, err);
	if (rc == CR_OK) {
		cr_text_puts(&c.text, "\ntotals:");
		put_values(&c, c.sum);
		rc = cr_sink_text(out, &c.text, err);
	}
	callgrind_fini(&c);
	return rc;
}

static const char *const callgrind_extensions[] = {".callgrind", NULL};

const struct cr_writer cr_writer_callgrind = {
	.name = "callgrind",
	.extensions = callgrind_extensions,
	.about = "costs of functions, lines and calls, for KCachegrind and callgrind_annotate",
	.needs = CR_WRITER_PLACES | CR_WRITER_LINES,
	.write = callgrind_write,
};
