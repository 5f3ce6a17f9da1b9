#include "fold_p.h"

#include "base/hash.h"
#include "base/vec.h"
#include "query/fold/lanes.h"

#include <stdlib.h>

/* ---- several keys as one */

/*
 * Combines several keys into one: each tuple of lanes that occurs gets a number. Tuples of one key
 * are its lane numbers; two keys are joined pair by pair.
 */
struct tuples {
	uint32_t n_keys;
	uint32_t n;            /* number of tuples */
	CR_VEC(uint32_t) lane; /* [number * n_keys + key] */
};

/* Tuples of a followed by b, in out, which grows when new pairs occur. */
struct grouped_key {
	const struct tuples *a, *b;
	struct tuples *out;
	/* [a * b->n + b]: number + 1; NULL if that would be too large, or a grows. */
	uint32_t *table;
	struct cr_index index;  /* used instead of the table */
	CR_VEC(uint64_t) pairs; /* by number */
};

#define MOST_IN_TABLE ((uint64_t)1 << 22)

/* Tuples of one key: the numbers 0 to lanes - 1. */
static void
tuples_of_lanes(struct tuples *t, uint32_t lanes)
{
	lanes = CR_MAX(lanes, 1u); /* samples that are not selected have lane 0 */
	*t = (struct tuples){.n_keys = 1, .n = lanes};
	cr_vec_reserve(&t->lane, lanes);
	for (uint32_t i = 0; i < lanes; i++)
		cr_vec_push(&t->lane, i);
}

static void
tuples_fini(struct tuples *t)
{
	cr_vec_fini(&t->lane);
	*t = (struct tuples){0};
}

/* a and b must not move. grows: a is the output of another grouped key. */
static void
grouped_key_init(struct grouped_key *j, const struct tuples *a, bool grows, const struct tuples *b,
	struct tuples *out)
{
	*j = (struct grouped_key){.a = a, .b = b, .out = out};
	*out = (struct tuples){.n_keys = a->n_keys + b->n_keys};
	if (!grows && (uint64_t)a->n * b->n <= MOST_IN_TABLE)
		j->table = cr_alloc((uint64_t)a->n * b->n + 1, sizeof(*j->table));
}

static uint32_t
tuple_new(struct grouped_key *j, uint32_t a, uint32_t b)
{
	for (uint32_t k = 0; k < j->a->n_keys; k++)
		cr_vec_push(&j->out->lane, j->a->lane.p[(size_t)a * j->a->n_keys + k]);
	for (uint32_t k = 0; k < j->b->n_keys; k++)
		cr_vec_push(&j->out->lane, j->b->lane.p[(size_t)b * j->b->n_keys + k]);
	return j->out->n++;
}

static uint32_t
look_up(struct grouped_key *j, uint32_t a, uint32_t b)
{
	const uint64_t pair = (uint64_t)a << 32 | b, h = cr_hash_mix(a, b);
	uint32_t row;

	cr_index_each(&j->index, h, row)
		if (j->pairs.p[row] == pair)
			return row;
	cr_vec_push(&j->pairs, pair);
	row = tuple_new(j, a, b);
	cr_index_add(&j->index, h, row);
	return row;
}

/* The number of the pair of tuples a and b. */
static uint32_t
grouped_key_of(struct grouped_key *j, uint32_t a, uint32_t b)
{
	uint32_t *number1;

	if (!j->table)
		return look_up(j, a, b);
	number1 = &j->table[(size_t)a * j->b->n + b];
	if (!*number1)
		*number1 = tuple_new(j, a, b) + 1;
	return *number1 - 1;
}

static void
grouped_key_fini(struct grouped_key *j)
{
	free(j->table);
	cr_index_fini(&j->index);
	cr_vec_fini(&j->pairs);
}

/* ---- groups */

/* What the lanes of a key are indexed by. */
enum source {
	BY_TASK,
	BY_CPU,
	BY_EVENT,
	BY_ROW,
	BY_NODE, /* must be last: see cr_grouping_by_node() */
	SOURCES
};

struct key {
	enum cr_group group;
	enum source source;
	struct cr_lanes lanes;
	uint32_t *frame1; /* by lane: its frame, + 1; 0 if it has none yet */
	uint32_t number;  /* of a field among those of the options */
};

/* The keys with one source, combined. */
struct column {
	enum source source;
	struct tuples tuples;
	uint32_t *of; /* by task, cpu ... */
};

struct cr_grouping {
	const struct cr_profile *p;
	struct key keys[CR_GROUPS_MOST];
	uint32_t n_keys;
	uint8_t key_at[CR_GROUPS_MOST]; /* by position in a tuple */
	struct column columns[SOURCES];
	uint32_t n_columns;
	/* [i], from 1 on: combines the output of [i - 1] with column i. */
	struct grouped_key joins[SOURCES];
	struct tuples joined[SOURCES]; /* its output */
	CR_VEC(struct cr_frame) frames;
};

static const struct {
	enum cr_lane_key lane;
	enum source source;
} of_group[] = {
	[CR_GROUP_COMM] = {CR_LANE_COMM, BY_TASK},
	[CR_GROUP_PID] = {CR_LANE_PID, BY_TASK},
	[CR_GROUP_TID] = {CR_LANE_TID, BY_TASK},
	[CR_GROUP_CPU] = {CR_LANE_CPU, BY_CPU},
	[CR_GROUP_DSO] = {CR_LANE_DSO, BY_NODE},
	[CR_GROUP_EVENT] = {CR_LANE_EVENT, BY_EVENT},
	[CR_GROUP_FIELD] = {CR_LANE_FIELD, BY_ROW},
};

unsigned
cr_grouping_needs(const struct cr_fold_opts *o)
{
	uint32_t n_fields = 0;
	unsigned needs = 0;

	for (uint8_t i = 0; i < o->n_groups; i++) {
		const uint8_t group = o->groups[i] == CR_GROUP_USUAL ? CR_GROUP_COMM : o->groups[i];
		struct cr_lane_by by = {.key = of_group[group].lane};

		if (group == CR_GROUP_NONE)
			continue;
		if (group == CR_GROUP_FIELD && n_fields < CR_FOLD_FIELDS_MOST)
			by.field = o->fields[n_fields++];
		needs |= cr_lanes_need(&by);
	}
	return needs;
}

bool
cr_grouping_asks(const struct cr_fold_opts *o, enum cr_group group)
{
	for (uint8_t i = 0; i < o->n_groups; i++)
		if (o->groups[i] == group)
			return true;
	return false;
}

static uint32_t
source_rows(const struct cr_profile *p, enum source source)
{
	switch (source) {
	case BY_TASK: return p->n_tasks;
	case BY_CPU: return UINT16_MAX + 1;
	case BY_EVENT: return p->n_events;
	case BY_NODE: return p->n_nodes;
	default: return (uint32_t)p->samples.n;
	}
}

static int
find_lanes(struct cr_grouping *g, const struct cr_filter *f, const struct cr_fold_opts *o,
	const uint8_t *select, struct cr_err *err)
{
	uint32_t n_fields = 0;

	for (uint8_t i = 0; i < o->n_groups; i++) {
		struct key *k = &g->keys[g->n_keys];
		struct cr_lane_by by = {.field = NULL};
		int rc;

		k->group = (enum cr_group)o->groups[i];
		if (k->group == CR_GROUP_USUAL && cr_profile_by_comm(g->p))
			k->group = CR_GROUP_COMM;
		if (k->group == CR_GROUP_USUAL || k->group == CR_GROUP_NONE)
			continue;
		by.key = of_group[k->group].lane;
		if (k->group == CR_GROUP_FIELD && n_fields < CR_FOLD_FIELDS_MOST) {
			k->number = n_fields;
			by.field = o->fields[n_fields++];
		}
		k->source = of_group[k->group].source;
		if ((rc = cr_lanes_find(g->p, f, &by, select, &k->lanes, err)) < 0)
			return rc;
		k->frame1 = cr_alloc(CR_MAX(k->lanes.n, 1u), sizeof(*k->frame1));
		g->n_keys++;
	}
	return CR_OK;
}

/* Add another key with the same source. */
static void
column_join(struct column *c, const struct cr_lanes *lanes, uint32_t rows)
{
	struct tuples more, out;
	struct grouped_key j;

	tuples_of_lanes(&more, lanes->n);
	grouped_key_init(&j, &c->tuples, false, &more, &out);
	for (uint32_t i = 0; i < rows; i++)
		c->of[i] = grouped_key_of(&j, c->of[i], lanes->of[i]);
	grouped_key_fini(&j);
	tuples_fini(&more);
	tuples_fini(&c->tuples);
	c->tuples = out;
}

static void
column_make(struct cr_grouping *g, enum source source)
{
	struct column *c = &g->columns[g->n_columns];
	const uint32_t rows = source_rows(g->p, source);
	uint32_t at = 0;

	for (uint32_t i = 0; i < g->n_columns; i++)
		at += g->columns[i].tuples.n_keys;
	*c = (struct column){.source = source};
	for (uint32_t k = 0; k < g->n_keys; k++) {
		const struct cr_lanes *lanes = &g->keys[k].lanes;

		if (g->keys[k].source != source)
			continue;
		g->key_at[at++] = (uint8_t)k;
		if (c->of) {
			column_join(c, lanes, rows);
			continue;
		}
		c->of = cr_alloc(CR_MAX(rows, 1u), sizeof(*c->of));
		memcpy(c->of, lanes->of, rows * sizeof(*c->of));
		tuples_of_lanes(&c->tuples, lanes->n);
	}
	g->n_columns += c->of != NULL;
}

static const struct tuples *
tuples_up_to(const struct cr_grouping *g, uint32_t column)
{
	return column ? &g->joined[column] : &g->columns[0].tuples;
}

int
cr_grouping_new(const struct cr_profile *p, const struct cr_filter *f, const struct cr_fold_opts *o,
	const uint8_t *select, struct cr_grouping **out, struct cr_err *err)
{
	struct cr_grouping *g = cr_alloc(1, sizeof(*g));
	int rc;

	*out = NULL;
	g->p = p;
	if ((rc = find_lanes(g, f, o, select, err)) < 0) {
		cr_grouping_free(g);
		return rc;
	}
	for (int s = 0; s < SOURCES; s++)
		column_make(g, (enum source)s);
	for (uint32_t i = 1; i < g->n_columns; i++)
		grouped_key_init(&g->joins[i], tuples_up_to(g, i - 1), i > 1, &g->columns[i].tuples,
			&g->joined[i]);
	*out = g;
	return CR_OK;
}

void
cr_grouping_free(struct cr_grouping *g)
{
	if (!g)
		return;
	for (uint32_t i = 0; i < g->n_keys; i++) {
		cr_lanes_fini(&g->keys[i].lanes);
		free(g->keys[i].frame1);
	}
	for (uint32_t i = 0; i < g->n_columns; i++) {
		grouped_key_fini(&g->joins[i]);
		tuples_fini(&g->joined[i]);
		tuples_fini(&g->columns[i].tuples);
		free(g->columns[i].of);
	}
	cr_vec_fini(&g->frames);
	free(g);
}

void
cr_grouping_names(struct cr_grouping *g, struct cr_arena *names)
{
	for (uint32_t i = 0; i < g->n_keys; i++)
		cr_arena_join(names, &g->keys[i].lanes.names);
}

#define FILL(index)                                                 \
	do {                                                        \
		for (uint64_t k = 0, i; some && k < some->n; k++) { \
			i = some->rows[k];                          \
			out[i] = c->of[index];                      \
		}                                                   \
		for (uint64_t i = 0; !some && i < n; i++)           \
			out[i] = c->of[index];                      \
	} while (0)

/* By row: the index in the table of a source; 16 bits, 32 bits, or the row itself. */
static void
column_rows(const struct cr_selector *s, const struct column *c, uint64_t from, uint64_t n,
	const struct cr_grouping_some *some, uint32_t *out)
{
	if (c->source == BY_CPU) {
		const uint16_t *cpu = cr_selector_column(s, CR_SAMPLE_CPU);

		FILL(cpu[from + i]);
	} else if (c->source == BY_TASK) {
		const uint32_t *task = cr_selector_column(s, CR_SAMPLE_TASK);

		FILL(task[from + i]);
	} else if (c->source == BY_EVENT) {
		const struct cr_event_column events = cr_selector_events(s);

		FILL(cr_event_of(&events, from + i));
	} else {
		memcpy(out, c->of + from, (size_t)n * sizeof(*out));
	}
}

bool
cr_grouping_by_row(const struct cr_grouping *g)
{
	return g->n_columns && g->columns[0].source != BY_NODE;
}

#define EACH 4u /* if one row of so many is wanted, or less, the others are left out */

bool
cr_grouping_rows(struct cr_grouping *g, const struct cr_selector *s, uint64_t from, uint64_t to,
	const struct cr_grouping_some *some, uint32_t *out)
{
	const uint64_t n = to - from;
	uint32_t *more;

	if (!cr_grouping_by_row(g))
		return false;
	if (some && some->n > n / EACH)
		some = NULL;
	column_rows(s, &g->columns[0], from, n, some, out);
	if (g->n_columns == 1 || g->columns[1].source == BY_NODE)
		return true;
	more = cr_alloc(n, sizeof(*more));
	for (uint32_t c = 1; c < g->n_columns && g->columns[c].source != BY_NODE; c++) {
		column_rows(s, &g->columns[c], from, n, some, more);
		for (uint64_t k = 0; k < (some ? some->n : n); k++) {
			const uint64_t i = some ? some->rows[k] : k;

			out[i] = grouped_key_of(&g->joins[c], out[i], more[i]);
		}
	}
	free(more);
	return true;
}

bool
cr_grouping_by_node(const struct cr_grouping *g)
{
	return g->n_columns && g->columns[g->n_columns - 1].source == BY_NODE;
}

uint32_t
cr_grouping_of_node(struct cr_grouping *g, uint32_t number, uint32_t node)
{
	const uint32_t last = g->n_columns - 1;

	return last ? grouped_key_of(&g->joins[last], number, g->columns[last].of[node])
		    : g->columns[0].of[node];
}

/* Without selected samples a key has no lanes, and nobody sees the frame. */
static uint32_t
frame_of_lane(struct cr_grouping *g, struct key *k, uint32_t lane)
{
	static const struct cr_lane none;
	const struct cr_lane *l = k->lanes.n ? &k->lanes.lanes[lane] : &none;

	if (!k->frame1[lane]) {
		cr_vec_push(&g->frames,
			((struct cr_frame){.name = l->name,
				.kind = CR_KIND_GROUP,
				.group = (uint8_t)k->group,
				.number = k->group == CR_GROUP_FIELD ? k->number : l->number}));
		k->frame1[lane] = (uint32_t)g->frames.n;
	}
	return k->frame1[lane] - 1;
}

uint32_t
cr_grouping_count(const struct cr_grouping *g)
{
	return g->n_columns ? tuples_up_to(g, g->n_columns - 1)->n : 1;
}

void
cr_grouping_ways(struct cr_grouping *g, struct cr_fold_template_groups *out, uint32_t **way)
{
	const struct tuples *t = g->n_columns ? tuples_up_to(g, g->n_columns - 1) : NULL;

	*out = (struct cr_fold_template_groups){.n = t ? t->n : 1, .n_keys = g->n_keys};
	*way = cr_alloc((uint64_t)out->n * g->n_keys + 1, sizeof(**way));
	for (size_t i = 0; t && i < t->n; i++)
		for (uint32_t at = 0; at < g->n_keys; at++)
			(*way)[i * g->n_keys + g->key_at[at]] = frame_of_lane(
				g, &g->keys[g->key_at[at]], t->lane.p[i * g->n_keys + at]);
	out->way = *way;
	out->frames = g->frames.p;
	out->n_frames = (uint32_t)g->frames.n;
}
