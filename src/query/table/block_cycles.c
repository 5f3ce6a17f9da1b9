#include "query/table/block_cycles.h"

#include "base/hash.h"
#include "model/columns.h"
#include "model/field.h"

#include <stdlib.h>

#define BRANCHES "branch-stack"
#define BLOCKS "branch-blocks"
#define CYCLES "block_cycles"
#define CYCLES_MIN "block_cycles_min"
#define CYCLES_MAX "block_cycles_max"

struct making {
	const struct cr_profile *p;
	struct cr_block_cycles *out;
	struct cr_index ends, runs;
	const struct cr_field *least, *most; /* of the branches; NULL: not known */
};

static const struct cr_field *
field_of(const struct cr_profile *p, const char *event, const char *name)
{
	const struct cr_field *field = NULL;

	for (uint32_t i = 0; i < p->n_events && !field; i++)
		if (cr_str_eq(p->events[i].name, cr_str_of(event)))
			field = cr_field_find(p, (cr_event_id){i}, cr_str_of(name));
	return field && field->form == CR_FORM_NUMBER ? field : NULL;
}

bool
cr_block_cycles_has(const struct cr_profile *p)
{
	return field_of(p, BRANCHES, CYCLES) != NULL;
}

cr_function_id
cr_block_function(const struct cr_profile *p, uint32_t location)
{
	const struct cr_location *l = &p->locations[location];

	return p->lines[l->first_line + l->lines - 1u].function;
}

static bool
at_same(const struct cr_profile *p, uint32_t a, uint32_t b)
{
	return p->locations[a].dso.i == p->locations[b].dso.i &&
	       p->locations[a].addr == p->locations[b].addr;
}

static uint64_t
hash_of(const struct cr_profile *p, uint32_t location)
{
	return cr_hash_mix(p->locations[location].addr, p->locations[location].dso.i);
}

/* The row of the blocks that end at a location; CR_NO_ROW if there is none. */
static uint32_t
end_at(const struct making *m, uint32_t location)
{
	uint32_t row;

	cr_index_each(&m->ends, hash_of(m->p, location), row)
		if (at_same(m->p, m->out->ends.p[row].location, location))
			return row;
	return CR_NO_ROW;
}

/* The value of the nth sample of an event; 0 if it has none. */
static uint64_t
value_at(const struct cr_field *field, uint64_t nth)
{
	if (!field || nth >= field->n || field->value[nth] == cr_form_none(CR_FORM_NUMBER))
		return 0;
	return field->value[nth];
}

static void
add_branch(struct making *m, uint32_t from, uint64_t n, uint64_t cycles, uint64_t nth)
{
	const uint64_t least = value_at(m->least, nth), most = value_at(m->most, nth);
	uint32_t row = end_at(m, from);
	struct cr_block_end *end;

	if (row == CR_NO_ROW) {
		row = (uint32_t)m->out->ends.n;
		cr_index_add(&m->ends, hash_of(m->p, from), row);
		cr_vec_push(&m->out->ends, ((struct cr_block_end){from, CR_NO_ROW, 0, 0, 0, 0}));
	}
	end = &m->out->ends.p[row];
	end->cycles = cr_add_sat(end->cycles, cycles);
	end->n = cr_add_sat(end->n, n);
	if (least && (!end->least || least < end->least))
		end->least = least;
	end->most = CR_MAX(end->most, most);
	m->out->cycles = cr_add_sat(m->out->cycles, cycles);
}

static void
add_run(struct making *m, const struct cr_block_run *run)
{
	const uint64_t h = cr_hash_mix(cr_hash_mix(run->from, run->to), run->function.i);
	uint32_t row;

	cr_index_each(&m->runs, h, row) {
		struct cr_block_run *r = &m->out->runs.p[row];

		if (r->from != run->from || r->to != run->to || r->function.i != run->function.i)
			continue;
		r->cycles = cr_add_sat(r->cycles, run->cycles);
		r->n = cr_add_sat(r->n, run->n);
		return;
	}
	cr_index_add(&m->runs, h, (uint32_t)m->out->runs.n);
	cr_vec_push(&m->out->runs, *run);
}

/* A block begins in the function that it ends in, or it is no block of that function. */
static void
add_block(struct making *m, uint32_t from, uint32_t to, uint64_t n, uint64_t cycles)
{
	const struct cr_profile *p = m->p;
	const cr_function_id function = cr_block_function(p, to);
	const uint32_t row = end_at(m, to);
	struct cr_block_end *end;

	if (row == CR_NO_ROW || cr_block_function(p, from).i != function.i ||
		p->locations[from].dso.i != p->locations[to].dso.i)
		return;
	end = &m->out->ends.p[row];
	if (end->start_location == CR_NO_ROW ||
		p->locations[from].addr < p->locations[end->start_location].addr)
		end->start_location = from;
	add_run(m, &(struct cr_block_run){
			   function, p->locations[from].addr, p->locations[to].addr, cycles, n});
}

/* Add the selected samples of one of the two events. */
static int
add_event(struct making *m, const struct cr_filter *f, const char *name, struct cr_err *err)
{
	const struct cr_profile *p = m->p;
	const struct cr_field *field = field_of(p, name, CYCLES);
	struct cr_filter of = *f;
	const bool is_branch = strcmp(name, BRANCHES) == 0;
	struct cr_event_column events;
	const uint32_t *nodes;
	const uint64_t *weights;
	uint64_t nth = 0, row;
	cr_event_id event;
	uint8_t *sel;
	int rc;

	if (!field)
		return CR_OK;
	cr_needed(p, CR_NEEDS_TREE | CR_NEEDS_FIELDS);
	of.event = name;
	of.all_events = false;
	if (!is_branch)
		of.wheres.n = 0; /* fields of branches */
	if ((rc = cr_filter_event(p, &of, &event, err)) < 0 ||
		(rc = cr_select(p, &of, &sel, err)) < 0)
		return rc;
	events = cr_column_events(p);
	nodes = cr_column_nodes(p);
	weights = cr_column_weights(p);
	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint32_t node = nodes[i],
			       above = node < p->n_nodes ? p->node_parent[node] : 0;
		uint64_t cycles;

		cr_samples_sweep(&p->samples, i);
		if (cr_event_of(&events, i) != event.i)
			continue;
		row = nth++;
		cycles = row < field->n ? field->value[row] : UINT64_MAX;
		if (!sel[i] || !above || cycles == UINT64_MAX)
			continue;
		if (is_branch)
			add_branch(m, p->node_location[above], weights[i], cycles, row);
		else
			add_block(m, p->node_location[above], p->node_location[node], weights[i],
				cycles);
	}
	free(sel);
	return CR_OK;
}

/* ---- order */

static int
by_cycles(const void *px, const void *py, void *user)
{
	const struct cr_profile *p = user;
	const struct cr_block_end *x = px, *y = py;
	const struct cr_location *a = &p->locations[x->location], *b = &p->locations[y->location];

	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	if (a->dso.i != b->dso.i)
		return a->dso.i < b->dso.i ? -1 : 1;
	return (a->addr > b->addr) - (a->addr < b->addr);
}

static int
by_function(const void *px, const void *py)
{
	const struct cr_block_run *x = px, *y = py;

	if (x->function.i != y->function.i)
		return x->function.i < y->function.i ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

unsigned
cr_block_cycles_needs(const struct cr_filter *f)
{
	return cr_filter_needs(f) | CR_NEEDS_TREE | CR_NEEDS_NODE | CR_NEEDS_WEIGHT |
	       CR_NEEDS_EVENT | CR_NEEDS_FIELDS;
}

int
cr_block_cycles_make(const struct cr_profile *p, const struct cr_filter *f,
	struct cr_block_cycles *out, struct cr_err *err)
{
	struct making m = {.p = p,
		.out = out,
		.least = field_of(p, BRANCHES, CYCLES_MIN),
		.most = field_of(p, BRANCHES, CYCLES_MAX)};
	int rc;

	*out = (struct cr_block_cycles){.cycles = 0};
	if (!cr_block_cycles_has(p))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"no branches with cycles (perf record -b, on processors that count them)");
	rc = add_event(&m, f, BRANCHES, err);
	if (rc == CR_OK)
		rc = add_event(&m, f, BLOCKS, err);
	if (out->ends.n)
		qsort_r(out->ends.p, out->ends.n, sizeof(*out->ends.p), by_cycles,
			(void *)(uintptr_t)p);
	if (out->runs.n)
		qsort(out->runs.p, out->runs.n, sizeof(*out->runs.p), by_function);
	cr_index_fini(&m.ends);
	cr_index_fini(&m.runs);
	return rc;
}

void
cr_block_cycles_fini(struct cr_block_cycles *b)
{
	cr_vec_fini(&b->ends);
	cr_vec_fini(&b->runs);
}
