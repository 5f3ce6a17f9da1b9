#include "table_p.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/order.h"

/* ---- values */

int
cr_table_value_cmp(const struct cr_table_value *a, const struct cr_table_value *b)
{
	int c;

	if (a->nameless != b->nameless)
		return a->nameless ? 1 : -1; /* after known ones */
	if (a->key == CR_TABLE_THREAD || a->key == CR_TABLE_PROCESS || a->key == CR_TABLE_CPU ||
		a->key == CR_TABLE_ADDR)
		return (a->number > b->number) - (a->number < b->number);
	c = cr_str_cmp(a->text, b->text);
	return c ? c : (a->number > b->number) - (a->number < b->number);
}

/*
 * The first bytes of a text as a number; if the numbers of two texts differ, they have the order of
 * the texts.
 */
static uint64_t
prefix_of(struct cr_str text)
{
	unsigned char first[8] = {0};
	uint64_t prefix = 0;

	if (text.len)
		memcpy(first, text.p, CR_MIN(text.len, sizeof(first)));
	for (size_t i = 0; i < sizeof(first); i++)
		prefix = prefix << 8 | first[i];
	return prefix;
}

/* A value to be ranked, with its kind of key. */
struct ranked {
	uint32_t class, value;
	uint64_t prefix;
};

static struct ranked
ranked_of(const struct cr_table_value *v, uint32_t i)
{
	const bool by_number = v->key == CR_TABLE_THREAD || v->key == CR_TABLE_PROCESS ||
			       v->key == CR_TABLE_CPU || v->key == CR_TABLE_ADDR;

	return (struct ranked){.class = v->key * 2u + v->nameless,
		.value = i,
		.prefix = by_number ? v->number : prefix_of(v->text)};
}

static int
compare_ranked(const void *x, const void *y, void *values)
{
	const struct ranked *a = x, *b = y;
	const struct cr_table_value *v = values;

	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->prefix != b->prefix)
		return a->prefix < b->prefix ? -1 : 1;
	return cr_table_value_cmp(&v[a->value], &v[b->value]);
}

/*
 * By value: its rank among the values of its key; equal values have equal ranks. used: by value,
 * not 0 if its rank is needed.
 */
static uint32_t *
ranks_of(const struct cr_table *h, uint32_t n_values, const uint8_t *used)
{
	struct ranked *ranked = cr_alloc(CR_MAX(n_values, 1u), sizeof(*ranked));
	uint32_t *rank = cr_alloc(CR_MAX(n_values, 1u), sizeof(*rank)), n = 0;

	for (uint32_t i = 0; i < n_values; i++)
		if (used[i])
			ranked[n++] = ranked_of(&h->values[i], i);
	qsort_r(ranked, n, sizeof(*ranked), compare_ranked, h->values);
	for (uint32_t i = 1; i < n; i++)
		rank[ranked[i].value] =
			rank[ranked[i - 1].value] +
			(compare_ranked(&ranked[i - 1], &ranked[i], h->values) != 0);
	free(ranked);
	return rank;
}

/* ---- rows as words; smaller words come first */

enum part_kind {
	PART_COST,
	PART_DEPTH,
	PART_RANK,  /* rank of the value of a key */
	PART_NUMBER /* number of the row; the last part, which decides ties */
};

/* The content of a word: half of it, or all. */
struct part {
	uint8_t kind;   /* enum part_kind */
	uint8_t column; /* for PART_COST */
	uint8_t side;
	bool of_frame; /* for PART_RANK: the key is one of frames */
	uint8_t at;    /* index of the key among those of frames, or of samples */
	uint8_t word, shift;
};

#define PARTS_MOST (3 * CR_TABLE_MOST + CR_TABLE_COMM * CR_TABLE_SIDES)

struct sorter {
	const struct cr_table *h;
	const struct cr_table_row *all;
	uint32_t n_rows; /* how many rows are sorted, the first of `kept` */
	struct part parts[PARTS_MOST];
	uint32_t n, words;
	bool is_half;   /* the last word has room for one more half */
	uint32_t *rank; /* by value */
};

static void
add_part(struct sorter *s, struct part part)
{
	const bool half =
		part.kind == PART_DEPTH || part.kind == PART_RANK || part.kind == PART_NUMBER;
	const bool joins = half && s->is_half;

	if (!joins)
		s->words++;
	part.word = (uint8_t)(s->words - 1);
	part.shift = half && !joins && part.kind != PART_NUMBER ? 32 : 0;
	s->is_half = half && !joins;
	s->parts[s->n++] = part;
}

static void
add_cost(struct sorter *s, uint8_t column, uint32_t side)
{
	add_part(s, (struct part){.kind = PART_COST, .column = column, .side = (uint8_t)side});
}

static void
add_key(struct sorter *s, uint8_t key)
{
	const struct cr_table_spec *spec = s->h->spec;
	struct part part = {.kind = PART_RANK, .of_frame = key >= CR_TABLE_DSO};

	for (uint32_t i = 0; i < spec->n_keys && spec->keys[i] != key; i++)
		part.at = (uint8_t)(part.at + ((spec->keys[i] >= CR_TABLE_DSO) == part.of_frame));
	add_part(s, part);
}

/* Of a difference the last side, of events the main one, and then the others. */
static void
add_costs(struct sorter *s, uint8_t column)
{
	const struct cr_table *h = s->h;
	const uint32_t first = h->beside ? h->main : h->sides - 1;

	add_cost(s, column, first);
	for (uint32_t side = 0; h->beside && side < h->sides; side++)
		if (side != first)
			add_cost(s, column, side);
}

/* Rows of equal cost: a caller precedes the code that it calls. */
static void
add_parts(struct sorter *s)
{
	const struct cr_table_spec *spec = s->h->spec;

	for (uint32_t i = 0; i < spec->n_order; i++) {
		if (spec->order[i] >= CR_TABLE_COMM)
			add_key(s, spec->order[i]);
		else
			add_costs(s, spec->order[i]);
		if (spec->order[i] == CR_TABLE_CHILDREN)
			add_part(s, (struct part){.kind = PART_DEPTH});
	}
	for (uint32_t i = 0; i < spec->n_keys; i++)
		add_key(s, spec->keys[i]);
	add_part(s, (struct part){.kind = PART_NUMBER});
}

static uint64_t
cost_of(const struct cr_table_cost *c, enum cr_table_column cost)
{
	switch (cost) {
	case CR_TABLE_CHILDREN: return c->total;
	case CR_TABLE_KERNEL: return c->kernel;
	case CR_TABLE_USER: return c->user;
	case CR_TABLE_SAMPLES: return c->self_samples;
	default: return c->self;
	}
}

static uint64_t
part_value(const struct sorter *s, const struct part *part, uint32_t row)
{
	const struct cr_table_row *r = &s->all[row];
	const struct cr_table *h = s->h;

	switch ((enum part_kind)part->kind) {
	case PART_COST: return ~cost_of(&r->cost[part->side], (enum cr_table_column)part->column);
	case PART_DEPTH: return r->depth;
	case PART_NUMBER: return row;
	case PART_RANK: break;
	}
	return s->rank[part->of_frame ? h->codes[(size_t)r->code * h->n_code_keys + part->at]
				      : h->groups[(size_t)r->group * h->n_group_keys + part->at]];
}

static uint64_t *
words_of(const struct sorter *s, const uint32_t *kept)
{
	uint64_t *words = cr_alloc(CR_MAX(s->n_rows, 1u) * (uint64_t)s->words, sizeof(*words));

	for (uint32_t i = 0; i < s->n_rows; i++)
		for (uint32_t k = 0; k < s->n; k++)
			words[(size_t)i * s->words + s->parts[k].word] |=
				part_value(s, &s->parts[k], kept[i]) << s->parts[k].shift;
	return words;
}

/* The row of these words: the lower half of the last one. */
static uint32_t
number_in(const uint64_t *words, const struct sorter *s)
{
	return (uint32_t)words[s->words - 1];
}

/*
 * The sorted rows in the order of their words; in a tie by group, then by code. was: their numbers.
 * One word after another is sorted, the last one first.
 */
static void
sort_by_words(const struct sorter *s, const uint64_t *words, uint32_t *was)
{
	const uint32_t n = s->n_rows;
	struct cr_keyed *rows = cr_alloc(CR_MAX(n, 1u), sizeof(*rows)),
			*room = cr_alloc(CR_MAX(n, 1u), sizeof(*room));

	for (uint32_t i = 0; i < n; i++)
		rows[i] = (struct cr_keyed){
			s->all[number_in(words + (size_t)i * s->words, s)].code, i};
	cr_keyed_sort(rows, room, n);
	for (uint32_t i = 0; i < n; i++)
		rows[i].key = s->all[number_in(words + (size_t)rows[i].item * s->words, s)].group;
	cr_keyed_sort(rows, room, n);
	for (uint32_t w = s->words; w-- > 0;) {
		const unsigned low = w == s->words - 1 ? 32 : 0; /* the number decides nothing */

		for (uint32_t i = 0; i < n; i++)
			rows[i].key = words[(size_t)rows[i].item * s->words + w] >> low;
		cr_keyed_sort(rows, room, n);
	}
	for (uint32_t i = 0; i < n; i++)
		was[i] = number_in(words + (size_t)rows[i].item * s->words, s);
	free(rows);
	free(room);
}

/* Move the rows to h. was: their numbers, sorted. */
static void
place_rows(struct cr_table *h, const struct cr_table_row *all, const uint32_t *was)
{
	h->rows = cr_alloc(CR_MAX(h->n, 1u), sizeof(*h->rows));
	for (uint32_t i = 0; i < h->n; i++) {
		h->rows[i] = all[was[i]];
		h->rows[i].was = was[i];
	}
}

/* ---- a merged key */

/* The rows of a merged key; items are indexes of kept. */
struct merged {
	const struct cr_table *h;
	const struct cr_table_row *all;
	const uint32_t *kept;
};

static const struct cr_table_value *
value_of(const struct merged *m, uint32_t item)
{
	return &m->h->values[m->all[m->kept[item]].code];
}

static struct cr_str
name_of(const void *user, uint32_t item)
{
	return value_of(user, item)->text;
}

static int
compare_merged(const void *user, uint32_t a, uint32_t b)
{
	const struct cr_table_value *v = value_of(user, a), *w = value_of(user, b);
	int c = cr_str_cmp(v->text, w->text);

	if (c == 0)
		c = cr_str_cmp(v->dso, w->dso);
	return c ? c : v->kind - w->kind;
}

/* Sort by falling cost; rows of equal cost keep their order. */
static void
sort_by_cost(const struct merged *m, enum cr_table_column column, uint32_t side,
	struct cr_keyed *rows, struct cr_keyed *room)
{
	for (uint32_t i = 0; i < m->h->n; i++)
		rows[i].key = ~cost_of(&m->all[m->kept[rows[i].item]].cost[side], column);
	cr_keyed_sort(rows, room, m->h->n);
}

/* By item: its rank by name. Items that differ neither in text nor in dso have equal ranks. */
static uint32_t *
name_ranks(const struct merged *m, const uint32_t *by_name)
{
	uint32_t *rank = cr_alloc(CR_MAX(m->h->n, 1u), sizeof(*rank));

	for (uint32_t i = 1; i < m->h->n; i++) {
		const struct cr_table_value *v = value_of(m, by_name[i - 1]),
					    *w = value_of(m, by_name[i]);

		rank[by_name[i]] = rank[by_name[i - 1]] +
				   (!cr_str_eq(v->text, w->text) || !cr_str_eq(v->dso, w->dso));
	}
	return rank;
}

/* By falling self, then total, then self before, then name. */
static void
sort_merged(struct cr_table *h, const struct cr_table_row *all, const uint32_t *kept)
{
	const struct merged m = {h, all, kept};
	const struct cr_names names = {&m, name_of, compare_merged};
	const uint32_t last = h->sides - 1, n = CR_MAX(h->n, 1u);
	struct cr_keyed *rows = cr_alloc(n, sizeof(*rows)), *room = cr_alloc(n, sizeof(*room));
	uint32_t *by_name = cr_names_order(&names, h->n), *rank = name_ranks(&m, by_name);
	uint32_t *was = cr_alloc(n, sizeof(*was));

	for (uint32_t i = 0; i < h->n; i++)
		rows[i].item = by_name[i];
	if (last)
		sort_by_cost(&m, CR_TABLE_SELF, 0, rows, room);
	sort_by_cost(&m, CR_TABLE_CHILDREN, last, rows, room);
	sort_by_cost(&m, CR_TABLE_SELF, last, rows, room);
	h->name_rank = cr_alloc(n, sizeof(*h->name_rank));
	for (uint32_t i = 0; i < h->n; i++) {
		was[i] = kept[rows[i].item];
		h->name_rank[i] = rank[rows[i].item];
	}
	place_rows(h, all, was);
	free(rows);
	free(room);
	free(by_name);
	free(rank);
	free(was);
}

/* ---- the first rows only */

#define WORDS 3u /* of a row that are compared before its keys */

/* What decides the place of a row before its keys do: smaller words come first. */
struct first_words {
	uint64_t w[WORDS];
};

struct cr_table_best {
	uint32_t n;
	struct first_words *heap; /* the last of them is the first of the heap */
};

static int
compare_words(const struct first_words *a, const struct first_words *b)
{
	for (uint32_t i = 0; i < WORDS; i++)
		if (a->w[i] != b->w[i])
			return a->w[i] < b->w[i] ? -1 : 1;
	return 0;
}

/* Put v in the place of the last one. */
static void
heap_lower(struct cr_table_best *best, const struct first_words *v)
{
	struct first_words *heap = best->heap;
	uint32_t at = 0, next;

	while ((next = 2 * at + 1) < best->n) {
		next += next + 1 < best->n && compare_words(&heap[next + 1], &heap[next]) > 0;
		if (compare_words(&heap[next], v) <= 0)
			break;
		heap[at] = heap[next];
		at = next;
	}
	heap[at] = *v;
}

struct cr_table_best *
cr_table_best_new(const struct cr_table_spec *spec)
{
	struct cr_table_best *best;

	if (!spec->first || spec->order[0] >= CR_TABLE_COMM)
		return NULL;
	best = cr_alloc(1, sizeof(*best));
	best->n = spec->first;
	best->heap = cr_alloc(best->n, sizeof(*best->heap));
	memset(best->heap, 0xff, best->n * sizeof(*best->heap));
	return best;
}

void
cr_table_best_free(struct cr_table_best *best)
{
	if (best)
		free(best->heap);
	free(best);
}

/* As add_parts() has them; a larger cost is a smaller word. */
static struct first_words
words_before_keys(
	const struct cr_table_spec *spec, const struct cr_table_cost *cost, uint32_t depth)
{
	struct first_words out = {{0}};
	uint32_t n = 0;

	for (uint32_t i = 0; i < spec->n_order && spec->order[i] < CR_TABLE_COMM; i++) {
		if (n < WORDS)
			out.w[n++] = ~cost_of(cost, (enum cr_table_column)spec->order[i]);
		if (n < WORDS && spec->order[i] == CR_TABLE_CHILDREN)
			out.w[n++] = depth;
	}
	return out;
}

bool
cr_table_is_among(struct cr_table_best *best, const struct cr_table_spec *spec,
	const struct cr_table_cost *cost, uint32_t depth)
{
	const struct first_words v = words_before_keys(spec, cost, depth);
	const int order = compare_words(&v, &best->heap[0]);

	if (order < 0)
		heap_lower(best, &v);
	return order <= 0;
}

uint64_t
cr_table_best_least(const struct cr_table_best *best)
{
	return ~best->heap[0].w[0];
}

/*
 * Move the rows that may be among the first to the front of kept: those that come before the others
 * without regard to their keys. Sets how many they are.
 */
static void
select_first(struct sorter *s, uint32_t *kept)
{
	const struct cr_table_spec *spec = s->h->spec;
	const uint32_t last = s->h->sides - 1;
	struct cr_table_best *best = cr_table_best_new(spec);
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->h->n; i++) {
		const struct cr_table_row *r = &s->all[kept[i]];

		cr_table_is_among(best, spec, &r->cost[last], r->depth);
	}
	for (uint32_t i = 0; i < s->h->n; i++) {
		const uint32_t row = kept[i];
		const struct first_words v =
			words_before_keys(spec, &s->all[row].cost[last], s->all[row].depth);

		if (compare_words(&v, &best->heap[0]) > 0)
			continue;
		kept[i] = kept[n];
		kept[n++] = row;
	}
	s->n_rows = n;
	cr_table_best_free(best);
}

/* By value: 1 if a row that is sorted has it. */
static uint8_t *
values_used(const struct sorter *s, const uint32_t *kept, uint32_t n_values)
{
	const struct cr_table *h = s->h;
	uint8_t *used = cr_alloc(CR_MAX(n_values, 1u), 1);

	for (uint32_t i = 0; i < s->n_rows; i++) {
		const struct cr_table_row *r = &s->all[kept[i]];

		for (uint32_t k = 0; k < h->n_code_keys; k++)
			used[h->codes[(size_t)r->code * h->n_code_keys + k]] = 1;
		for (uint32_t k = 0; k < h->n_group_keys; k++)
			used[h->groups[(size_t)r->group * h->n_group_keys + k]] = 1;
	}
	return used;
}

#define SELECT_FROM 8u /* times as many rows as wanted: with fewer, sorting all is as fast */

void
cr_table_sort_rows(
	struct cr_table *h, const struct cr_table_row *all, uint32_t *kept, uint32_t n_values)
{
	struct sorter s = {.h = h, .all = all, .n_rows = h->n};
	const uint32_t most = h->spec->first;
	uint64_t *words;
	uint32_t *was;
	uint8_t *used;

	if (h->spec->merged) {
		sort_merged(h, all, kept);
		return;
	}
	add_parts(&s);
	if (most && most < h->n / SELECT_FROM && s.parts[0].kind == PART_COST)
		select_first(&s, kept);
	used = values_used(&s, kept, n_values);
	s.rank = ranks_of(h, n_values, used);
	words = words_of(&s, kept);
	was = cr_alloc(CR_MAX(h->n, 1u), sizeof(*was));
	sort_by_words(&s, words, was);
	for (uint32_t i = s.n_rows; i < h->n; i++)
		was[i] = kept[i];
	place_rows(h, all, was);
	free(was);
	free(words);
	free(used);
	free(s.rank);
}
