#include "edges_p.h"

#include "base/hash.h"
#include "model/columns.h"
#include "model/field.h"

#include <stdlib.h>

struct collecting {
	const struct cr_write_in *in;
	const struct cr_profile *p;
	uint32_t branches, blocks;     /* events; CR_NO_ROW if there is none */
	const struct cr_field *missed; /* NULL if nothing is known */
	struct cr_edges *out;
};

static uint32_t
event_named(const struct cr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_str_eq(p->events[i].name, cr_str_of(name)))
			return i;
	return CR_NO_ROW;
}

/* The two locations of a row; false if its stack is another one. */
static bool
ends_of(const struct cr_profile *p, uint32_t node, const struct cr_location **from,
	const struct cr_location **to)
{
	const uint32_t above = node < p->n_nodes ? p->node_parent[node] : 0;

	if (!node || !above)
		return false;
	*from = &p->locations[p->node_location[above]];
	*to = &p->locations[p->node_location[node]];
	return true;
}

static bool
is_row(const struct collecting *c, uint32_t event, uint64_t row)
{
	return (event == c->branches || event == c->blocks) &&
	       (!c->in->select || c->in->select[row]);
}

/* The dso with the most branches inside it. */
static uint32_t
main_dso(const struct collecting *c)
{
	const struct cr_profile *p = c->p;
	const struct cr_event_column events = cr_column_events(p);
	const uint32_t *nodes = cr_column_nodes(p);
	const uint64_t *weights = cr_column_weights(p);
	uint64_t *sum = cr_alloc(CR_MAX(p->n_dsos, 1u), sizeof(*sum));
	uint32_t best = CR_NO_ROW;

	for (uint64_t i = 0; i < p->samples.n; i++) {
		const struct cr_location *from, *to;

		cr_samples_sweep(&p->samples, i);
		if (!is_row(c, cr_event_of(&events, i), i) || !ends_of(p, nodes[i], &from, &to) ||
			from->dso.i != to->dso.i || !from->dso.i)
			continue;
		sum[from->dso.i] = cr_add_sat(sum[from->dso.i], weights[i]);
		if (best == CR_NO_ROW || sum[from->dso.i] > sum[best])
			best = from->dso.i;
	}
	free(sum);
	return best;
}

static uint32_t
dso_named(const struct cr_profile *p, struct cr_str name)
{
	for (uint32_t i = 1; i < p->n_dsos; i++)
		if (cr_str_eq(p->dsos[i].name, name) ||
			cr_str_eq(cr_str_basename(p->dsos[i].name), name))
			return i;
	return CR_NO_ROW;
}

/* What is added to addresses in the file to make virtual ones. */
static uint64_t
shift_of(const struct cr_profile *p, uint32_t dso)
{
	if (p->not_read & CR_NEEDS_CODE)
		return 0;
	for (uint32_t i = 0; i < p->n_codes; i++) {
		const struct cr_machine_code *code = &p->codes[i];

		if (p->functions[code->function.i].dso.i == dso)
			return (code->base & ~(uint64_t)1) - (code->addr & ~(uint64_t)1);
	}
	return 0;
}

static void
collect(struct collecting *c, uint64_t shift)
{
	const struct cr_profile *p = c->p;
	const struct cr_event_column events = cr_column_events(p);
	const uint32_t *nodes = cr_column_nodes(p);
	const uint64_t *weights = cr_column_weights(p);
	uint64_t nth = 0; /* among the branches */

	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint32_t event = cr_event_of(&events, i);
		const uint64_t branch = nth;
		const struct cr_location *from, *to;
		struct cr_edge e;

		cr_samples_sweep(&p->samples, i);
		nth += event == c->branches;
		if (!is_row(c, event, i) || !ends_of(p, nodes[i], &from, &to) ||
			from->dso.i != c->out->dso || to->dso.i != c->out->dso)
			continue;
		e = (struct cr_edge){from->addr + shift, to->addr + shift, weights[i], 0};
		if (event == c->blocks) {
			cr_vec_push(&c->out->blocks, e);
			continue;
		}
		if (c->missed && branch < c->missed->n && c->missed->value[branch] < p->n_texts &&
			cr_str_eq(p->texts[c->missed->value[branch]], CR_STR("Y")))
			e.missed = e.count;
		cr_vec_push(&c->out->branches, e);
	}
}

static int
by_address(const void *x, const void *y)
{
	const struct cr_edge *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

/* Sort them, and add up those of different threads. Returns how many are left. */
static size_t
add_up(struct cr_edge *e, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(e, n, sizeof(*e), by_address);
	for (size_t i = 0; i < n; i++) {
		if (!kept || by_address(&e[kept - 1], &e[i]) != 0) {
			e[kept++] = e[i];
			continue;
		}
		e[kept - 1].count = cr_add_sat(e[kept - 1].count, e[i].count);
		e[kept - 1].missed = cr_add_sat(e[kept - 1].missed, e[i].missed);
	}
	return kept;
}

int
cr_edges_make(const struct cr_write_in *in, const struct cr_edge_options *o, bool is_virtual,
	struct cr_edges *out, struct cr_err *err)
{
	struct collecting c = {.in = in, .p = in->p, .out = out};

	*out = (struct cr_edges){.dso = CR_NO_ROW};
	c.branches = event_named(in->p, "branch-stack");
	c.blocks = event_named(in->p, "branch-blocks");
	if (c.branches == CR_NO_ROW)
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"the profile has no branches (perf record -b)");
	c.missed = cr_field_find(in->p, (cr_event_id){c.branches}, CR_STR("mispredict"));
	if (c.missed && (c.missed->form != CR_FORM_TEXT || !c.missed->value))
		c.missed = NULL;
	out->dso = o->binary ? dso_named(in->p, cr_str_of(o->binary)) : main_dso(&c);
	if (out->dso == CR_NO_ROW)
		return o->binary ? cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "%s: no such binary",
					   o->binary)
				 : cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
					   "no branches are selected; they are samples of the "
					   "events branch-stack and branch-blocks");
	collect(&c, is_virtual ? shift_of(in->p, out->dso) : 0);
	out->branches.n = add_up(out->branches.p, out->branches.n);
	out->blocks.n = add_up(out->blocks.p, out->blocks.n);
	return CR_OK;
}

void
cr_edges_fini(struct cr_edges *e)
{
	cr_vec_fini(&e->branches);
	cr_vec_fini(&e->blocks);
}
