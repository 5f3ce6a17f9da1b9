#include "fleet_p.h"

#include "model/columns.h"
#include "model/tree/default_tree.h"

#include <stdio.h>
#include <stdlib.h>

#define SUMS_MOST ((size_t)UINT32_MAX - 1)
/* Functions inlined into one another that become one location. */
#define CHAIN_MOST 255u
#define NS UINT64_C(1000000000)

/* ---- rows of the result */

static void
add_sum(struct cr_merge_fleet *f, const struct cr_fleet_sum *s)
{
	const uint64_t h = cr_hash_mix(
		cr_hash_mix((uint64_t)s->node << 32 | s->group, (uint64_t)s->comm << 32 | s->event),
		s->time_ns);
	uint32_t row;

	cr_index_each(&f->sum_index, h, row) {
		struct cr_fleet_sum *have = &f->sums.p[row];

		if (have->node == s->node && have->group == s->group && have->comm == s->comm &&
			have->event == s->event && have->time_ns == s->time_ns) {
			have->weight = cr_add_sat(have->weight, s->weight);
			return;
		}
	}
	cr_index_add(&f->sum_index, h, (uint32_t)f->sums.n);
	cr_vec_push(&f->sums, *s);
}

static void
add_count(struct cr_merge_fleet *f, uint32_t group, uint32_t event, struct cr_fleet_count c)
{
	const uint64_t h = cr_hash_mix(group, event);
	uint32_t row;

	if (!c.samples)
		return;
	cr_index_each(&f->count_index, h, row) {
		struct cr_merged_count *have = &f->counts.p[row];

		if (have->group != group || have->event != event)
			continue;
		have->count.samples = cr_add_sat(have->count.samples, c.samples);
		have->count.effective = cr_add_sat(have->count.effective, c.effective);
		return;
	}
	cr_index_add(&f->count_index, h, (uint32_t)f->counts.n);
	cr_vec_push(&f->counts, ((struct cr_merged_count){group, event, c}));
}

/* ---- groups */

/* The row of the group that `g` describes; all of its texts but those for people are its key. */
static uint32_t
group_row(struct cr_merge *m, const struct cr_merged_group *g)
{
	struct cr_merge_fleet *f = m->fleet;
	struct cr_text key = {0};
	struct cr_merged_group *have;
	uint32_t row;

	cr_text_printf(&key, "%u\t%u", g->batch, g->in.flags);
	cr_merge_put_text(&key, g->in.event);
	cr_merge_put_text(&key, g->in.unit);
	cr_merge_put_text(&key, g->in.wall);
	for (uint32_t k = 0; k < f->by.n_keys; k++)
		cr_merge_put_text(&key, g->values[k]);
	row = cr_strings_intern(&f->keys, &m->p->arena, cr_text_view(&key));
	if (row == f->groups.n) {
		cr_vec_push(&f->groups, *g);
		have = &f->groups.p[row];
		have->in.digest.lo = cr_digest(key.p, key.len);
		have->in.digest.hi = cr_digest_mix(have->in.digest.lo, key.len);
		have->in.spaces = 1;
		have->recordings = 0;
		cr_merge_keep_input(m, &have->in);
		for (uint32_t k = 0; k < f->by.n_keys; k++)
			have->values[k] = cr_merge_keep(m, g->values[k]);
	}
	cr_text_fini(&key);
	have = &f->groups.p[row];
	have->recordings = cr_add_sat(have->recordings, g->recordings);
	have->in.duration_ns = CR_MAX(have->in.duration_ns, g->in.duration_ns);
	if (cr_str_cmp(g->in.date, have->in.date) > 0)
		have->in.date = cr_merge_keep(m, g->in.date);
	return row;
}

/* ---- functions and stacks */

/* The name by which a dso is the same on all machines. */
static struct cr_str
common_name(const struct cr_dso *o, struct cr_text *made)
{
	if (o->kind == CR_KIND_JIT)
		return CR_STR("[JIT]");
	return o->kind == CR_KIND_MODULE ? cr_dso_name(o->name, o->kind, made) : o->name;
}

static uint32_t *
add_dsos(struct cr_merge *m, const struct cr_profile *p)
{
	uint32_t *row = cr_alloc(p->n_dsos, sizeof(*row));
	struct cr_text made = {0};

	for (uint32_t i = 0; i < p->n_dsos; i++)
		row[i] = cr_merge_dso(m, &(struct cr_dso){.name = common_name(&p->dsos[i], &made),
						 .kind = p->dsos[i].kind});
	cr_text_fini(&made);
	return row;
}

/* Stacks of a profile on their way into the merge. */
struct stacks {
	struct cr_merge *m;
	const struct cr_profile *p;
	uint32_t *dso; /* by dso of p */
	/* By function of p: its row in the merge + 1, inlined and called; 0: not needed yet. */
	uint32_t *inlined, *called;
};

static void
stacks_begin(struct stacks *s, struct cr_merge *m, const struct cr_profile *p)
{
	*s = (struct stacks){.m = m,
		.p = p,
		.dso = add_dsos(m, p),
		.inlined = cr_alloc(p->n_functions, sizeof(uint32_t)),
		.called = cr_alloc(p->n_functions, sizeof(uint32_t))};
}

static void
stacks_end(struct stacks *s)
{
	free(s->dso);
	free(s->inlined);
	free(s->called);
}

static uint32_t
function_of(struct stacks *s, uint32_t row, bool inlined)
{
	const struct cr_function *from = &s->p->functions[row];
	const bool is_inlined = inlined && from->addr == CR_ADDR_INLINED;
	uint32_t *at = is_inlined ? &s->inlined[row] : &s->called[row];

	if (!*at) {
		struct cr_function f = *from;

		f.addr = is_inlined ? CR_ADDR_INLINED : 0;
		f.dso.i = s->dso[f.dso.i];
		*at = cr_merge_function(s->m, &f) + 1;
	}
	return *at - 1;
}

/* Append a function to the location that is being made; the innermost comes first. */
static void
chain_push(struct cr_merge *m, uint32_t function)
{
	cr_vec_push(&m->chain, ((struct cr_line){.function = {function}, .file = {"", 0}}));
}

/* The node below `parent` of the location with the functions of the chain. */
static uint32_t
chain_node(struct cr_merge *m, uint32_t parent)
{
	const struct cr_line *last = &m->chain.p[m->chain.n - 1];
	const struct cr_location l = {
		.dso = m->functions.p[last->function.i].dso, .lines = (uint16_t)m->chain.n};

	return cr_merge_node(m, parent, cr_merge_location(m, l));
}

/* ---- the default tree of a recording */

/* By node of the default tree. */
struct place {
	uint32_t node;  /* of the merge; 0 until it is needed */
	uint32_t comm;  /* row of the comms */
	uint32_t chain; /* functions from here up to the one that is not inlined; 0 for a group */
};

struct default_places {
	struct stacks s;
	const struct cr_default_tree *tree;
	struct place *at;
};

/* The node of the merge for node i, made when it is first asked for. */
static uint32_t
place_node(struct default_places *d, uint32_t i)
{
	struct place *place = &d->at[i];
	const uint32_t length = place->chain;
	uint32_t functions[CHAIN_MOST], outer = i, parent;

	if (place->node || !length)
		return place->node;
	for (uint32_t k = 0; k < length; k++) {
		functions[k] = function_of(
			&d->s, d->tree->frame_function[d->tree->frame[outer]], k + 1 < length);
		outer = d->tree->parent[outer];
	}
	parent = d->at[outer].node; /* made before, as that of all callers */
	d->s.m->chain.n = 0;
	for (uint32_t k = 0; k < length; k++)
		chain_push(d->s.m, functions[k]);
	return place->node = chain_node(d->s.m, parent);
}

/* Find the place of node i, whose parent has one. */
static void
find_place(struct default_places *d, uint32_t i)
{
	const struct cr_default_tree *t = d->tree;
	const struct place *up = &d->at[t->parent[i]];
	const uint32_t function = t->frame_function[t->frame[i]];
	struct cr_merge_fleet *f = d->s.m->fleet;

	if (function == CR_NO_ROW) {
		place_node(d, t->parent[i]);
		d->at[i] = *up;
		d->at[i].chain = 0;
		if (f->by.comm && t->parent[i] == 0)
			d->at[i].comm = cr_strings_intern(
				&f->comms, &d->s.m->p->arena, t->frame_comm[t->frame[i]]);
		return;
	}
	d->at[i] = *up;
	d->at[i].node = 0;
	d->at[i].chain = 1;
	if (d->s.p->functions[function].addr == CR_ADDR_INLINED && up->chain &&
		up->chain < CHAIN_MOST)
		d->at[i].chain = up->chain + 1;
	else
		place_node(d, t->parent[i]);
}

static void
add_default_tree(struct cr_merge *m, const struct cr_profile *p, const uint32_t *event,
	struct cr_fleet_sum sum)
{
	const struct cr_default_tree *t = p->default_tree;
	struct default_places d = {.tree = t, .at = cr_alloc(t->n, sizeof(*d.at))};

	stacks_begin(&d.s, m, p);
	d.at[0].comm = cr_strings_intern(&m->fleet->comms, &m->p->arena, (struct cr_str){"", 0});
	for (uint32_t i = 1; i < t->n; i++)
		find_place(&d, i);
	for (uint32_t e = 0; e < t->n_events; e++) {
		if (event[e] == CR_NO_ROW)
			continue;
		for (uint32_t i = 0; i < t->n; i++) {
			if (!(sum.weight = t->self[(size_t)e * t->n + i]))
				continue;
			sum.event = event[e];
			sum.comm = d.at[i].comm;
			sum.node = place_node(&d, i);
			add_sum(m->fleet, &sum);
		}
	}
	stacks_end(&d.s);
	free(d.at);
}

/* ---- a recording */

unsigned
cr_fleet_needs(const struct cr_profile *p)
{
	uint64_t weight;
	uint32_t event;

	if (p->flags & CR_PROFILE_FLEET)
		return CR_NEEDS_SAMPLES | CR_NEEDS_TREE;
	if ((p->flags & CR_PROFILE_ADDED_UP) || cr_column_one_weight(p, &weight))
		return 0;
	return CR_NEEDS_WEIGHT | (cr_column_one_event(p, &event) ? 0 : CR_NEEDS_EVENT);
}

/* By event: (sum w)^2 / sum w^2, rounded; 0 if the weights were lost. */
static void
effective_samples(const struct cr_profile *p, uint64_t *out)
{
	double *sum = cr_alloc(p->n_events, 2 * sizeof(*sum)), *squares = sum + p->n_events;
	const struct cr_event_column events = cr_column_events(p);
	const uint64_t *weights = cr_column_weights(p);

	for (uint64_t i = 0; i < p->samples.n; i++) {
		const double w = (double)weights[i];

		sum[cr_event_of(&events, i)] += w;
		squares[cr_event_of(&events, i)] += w * w;
	}
	for (uint32_t e = 0; e < p->n_events; e++)
		out[e] = squares[e] > 0 ? (uint64_t)(sum[e] * sum[e] / squares[e] + 0.5) : 0;
	free(sum);
}

static void
add_counts(struct cr_merge *m, const struct cr_profile *p, const uint32_t *event, uint32_t group)
{
	uint64_t *effective = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*effective)), weight;
	const bool added_up = p->flags & CR_PROFILE_ADDED_UP;

	for (uint32_t e = 0; e < p->n_events; e++)
		effective[e] = !added_up || cr_event_counts_samples(&p->events[e])
				       ? cr_event_samples(&p->events[e])
				       : 0;
	if (!added_up && !cr_column_one_weight(p, &weight) && (p->flags & CR_PROFILE_HAS_SAMPLES))
		effective_samples(p, effective);
	for (uint32_t e = 0; e < p->n_events; e++)
		if (event[e] != CR_NO_ROW)
			add_count(m->fleet, group, event[e],
				(struct cr_fleet_count){
					cr_event_samples(&p->events[e]), effective[e]});
	free(effective);
}

/* The batch of a recording: a hash of its contents, and of when and where it was made. */
static uint32_t
batch_of(const struct cr_profile *p)
{
	static const char *const facts[] = {"hostname", "date", "cmdline", "duration_ns"};
	const struct cr_default_tree *t = p->default_tree;
	uint64_t h = t->n;

	for (size_t i = 0; i < CR_LEN(facts); i++) {
		const struct cr_str value = cr_profile_fact(p, facts[i]);

		h = cr_digest_mix(h, cr_digest(value.p, value.len));
	}
	for (uint32_t e = 0; e < p->n_events; e++)
		h = cr_digest_mix(cr_digest_mix(h, p->events[e].samples), p->events[e].weight);
	for (uint32_t i = 0; i < t->n; i++)
		h = cr_digest_mix(h, t->parent[i]);
	for (size_t i = 0; i < (size_t)t->n * t->n_events; i++)
		h = cr_digest_mix(h, t->self[i]);
	return (uint32_t)(h % CR_FLEET_BATCHES);
}

/* Days from 1970 to a date of the Gregorian calendar. */
static int64_t
days_from_1970(int64_t year, unsigned month, unsigned day)
{
	const int64_t y = year - (month <= 2), era = y / 400, of_era = y - era * 400;
	const int64_t of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* The start of the interval in which the recording began. False if it has no date. */
static bool
bucket_of(const struct cr_profile *p, uint64_t bucket_ns, uint64_t *out)
{
	const struct cr_str fact = cr_profile_fact(p, "date");
	unsigned year, month, day, hour, minute, second;
	char text[32] = "", zone[4] = "";
	uint64_t end, duration;

	memcpy(text, fact.p, CR_MIN(fact.len, (uint32_t)sizeof(text) - 1));
	if (sscanf(text, "%4u-%2u-%2u %2u:%2u:%2u %3s", &year, &month, &day, &hour, &minute,
		    &second, zone) != 7 ||
		strcmp(zone, "UTC") != 0 || year < 1971 || year > 2500 || month < 1 || month > 12)
		return false;
	end = (uint64_t)days_from_1970(year, month, day) * 86400 + hour * 3600 + minute * 60 +
	      second;
	duration = cr_merge_number(cr_profile_fact(p, "duration_ns"));
	end *= NS;
	end -= CR_MIN(duration, end - NS);
	*out = end - end % bucket_ns;
	return true;
}

/* The fact that a key names. */
static const char *
fact_of(struct cr_str key)
{
	return cr_str_eq(key, CR_STR("host")) ? "hostname" : key.p;
}

static int
add_recording(
	struct cr_merge *m, const struct cr_profile *p, const uint32_t *event, struct cr_err *err)
{
	const struct cr_fleet_by *by = &m->fleet->by;
	struct cr_merged_group g = {.recordings = 1};
	struct cr_fleet_sum sum = {.time_ns = 0};

	if (!p->default_tree)
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"it has too many events and stacks to be folded");
	if (m->nodes.n + p->default_tree->n > CR_MERGE_NODES_MOST)
		return cr_fail(err, CR_ELIMIT, CR_NO_OFFSET,
			"more than %zu distinct stacks are too many for one profile",
			CR_MERGE_NODES_MOST);
	if (by->bucket_ns && !bucket_of(p, by->bucket_ns, &sum.time_ns))
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"intervals need the date of the recording, which is not known");
	g.batch = batch_of(p);
	g.in.flags = by->comm && cr_profile_by_comm(p) ? CR_PROFILE_HAS_TASK : 0;
	g.in.duration_ns = cr_merge_number(cr_profile_fact(p, "duration_ns"));
	g.in.date = cr_profile_fact(p, "date");
	g.in.wall = cr_profile_fact(p, "wall");
	if (p->n_events) {
		g.in.event = p->events[cr_event_main(p).i].name;
		g.in.unit = p->events[cr_event_main(p).i].unit;
	}
	for (uint32_t k = 0; k < by->n_keys; k++)
		g.values[k] = cr_profile_fact(p, fact_of(by->keys[k]));
	sum.group = group_row(m, &g);
	add_counts(m, p, event, sum.group);
	add_default_tree(m, p, event, sum);
	return CR_OK;
}

/* ---- a fleet */

static bool
is_same_by(const struct cr_fleet_by *a, const struct cr_fleet_by *b)
{
	bool same = a->comm == b->comm && a->bucket_ns == b->bucket_ns && a->n_keys == b->n_keys;

	for (uint32_t i = 0; same && i < a->n_keys; i++)
		same = cr_str_eq(a->keys[i], b->keys[i]);
	return same;
}

/* True if all frames are functions, as in a profile that was folded. */
static bool
frames_are_functions(const struct cr_profile *p)
{
	for (uint32_t i = 1; i < p->n_nodes; i++)
		if (!p->locations[p->node_location[i]].lines)
			return false;
	return true;
}

/* By node of p: its row in the merge. */
static uint32_t *
fleet_nodes(struct cr_merge *m, const struct cr_profile *p)
{
	uint32_t *node = cr_alloc(p->n_nodes, sizeof(*node));
	struct stacks s;

	stacks_begin(&s, m, p);
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct cr_location *l = &p->locations[p->node_location[i]];

		m->chain.n = 0;
		for (uint32_t k = 0; k < l->lines; k++)
			chain_push(m, function_of(&s, p->lines[l->first_line + k].function.i,
					      k + 1u < l->lines));
		node[i] = chain_node(m, node[p->node_parent[i]]);
	}
	stacks_end(&s);
	return node;
}

static void
add_fleet_rows(struct cr_merge *m, const struct cr_profile *p, const uint32_t *event,
	const uint32_t *group)
{
	const struct cr_samples *rows = &p->samples;
	uint32_t *node = fleet_nodes(m, p);

	for (uint64_t i = 0; i < rows->n; i++) {
		const struct cr_task *t = &p->tasks[rows->task[i]];
		const struct cr_str comm =
			p->flags & CR_PROFILE_HAS_TASK ? t->comm : (struct cr_str){"", 0};

		if (event[rows->event[i]] == CR_NO_ROW)
			continue;
		add_sum(m->fleet,
			&(struct cr_fleet_sum){.time_ns = rows->time_ns[i],
				.weight = rows->weight[i],
				.group = group[t->space.i],
				.comm = cr_strings_intern(&m->fleet->comms, &m->p->arena, comm),
				.node = node[rows->node[i]],
				.event = event[rows->event[i]]});
	}
	free(node);
}

static int
add_fleet(struct cr_merge *m, const struct cr_profile *p, const uint32_t *event, struct cr_err *err)
{
	struct cr_merge_inputs inputs;
	struct cr_fleet f;
	uint32_t *group;
	int rc = CR_OK;

	cr_needed(p, cr_fleet_needs(p));
	cr_merge_inputs(p, &inputs);
	if (!cr_fleet_of(p, &f) || inputs.n != f.n || !(p->flags & CR_PROFILE_HAS_SAMPLES) ||
		!frames_are_functions(p))
		rc = cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"its list of recordings is damaged, or its sums are lost");
	else if (!is_same_by(&f.by, &m->fleet->by))
		rc = cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"it was folded with another --by or --bucket");
	group = cr_alloc(CR_MAX(f.n, 1u), sizeof(*group));
	for (uint32_t i = 0; i < f.n && rc == CR_OK; i++) {
		struct cr_merged_group g = {.in = inputs.p[i],
			.batch = f.groups[i].batch,
			.recordings = f.groups[i].recordings};

		g.in.flags &= CR_PROFILE_HAS_TASK;
		for (uint32_t k = 0; k < f.by.n_keys; k++)
			g.values[k] = f.groups[i].values[k];
		group[i] = group_row(m, &g);
		for (uint32_t e = 0; e < p->n_events; e++)
			if (event[e] != CR_NO_ROW)
				add_count(m->fleet, group[i], event[e],
					f.counts[(size_t)i * p->n_events + e]);
	}
	if (rc == CR_OK)
		add_fleet_rows(m, p, event, group);
	free(group);
	cr_fleet_fini(&f);
	cr_merge_inputs_fini(&inputs);
	return rc;
}

/* ---- both */

int
cr_merge_fleet_add(struct cr_merge *m, const struct cr_profile *p, struct cr_err *err)
{
	/* Flags of the result that any recording may set. */
	const uint32_t kept =
		CR_PROFILE_IN_PART | CR_PROFILE_SYMBOL_NAMES | CR_PROFILE_FOLDED_NAMES;
	const bool is_fleet = p->flags & CR_PROFILE_FLEET;
	uint32_t *event;
	int rc;

	if (!is_fleet && cr_profile_fact(p, CR_MERGE_INPUTS).len)
		return cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"it is a merged profile; fold its recordings instead");
	if ((rc = cr_merge_limits_check(m, p, err)) < 0)
		return rc;
	event = cr_alloc(CR_MAX(p->n_events, 1u), sizeof(*event));
	rc = cr_merge_add_events(m, p, event, err);
	if (rc == CR_OK) {
		cr_merge_add_facts(m, p);
		cr_merge_add_quality(m, p);
		m->p->flags |= p->flags & kept;
		m->p->access = cr_access_join(m->p->access, p->access);
		rc = is_fleet ? add_fleet(m, p, event, err) : add_recording(m, p, event, err);
	}
	free(event);
	return rc == CR_OK && m->fleet->sums.n > SUMS_MOST
		       ? cr_fail(err, CR_ELIMIT, CR_NO_OFFSET, "too many distinct stacks")
		       : rc;
}
