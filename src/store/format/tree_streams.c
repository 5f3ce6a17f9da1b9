#include "tree_streams_p.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

/*
 * Streams of `up`: by how often the previous node's key had no child, and whether that node is a
 * first child. The last one: no way leads from its key.
 */
#define LEAVES 7u
#define UPS (2 * LEAVES + 1)
#define NO_WAYS (UPS - 1)
/* Streams of `way`: by the number of ways, and which one the previous sibling took. */
#define MANY 8u
#define SIBLINGS 4u
#define WAYS (MANY * SIBLINGS)
#define REST (UPS + WAYS) /* what a byte has no room for */
#define STREAMS (REST + 1)

#define ESCAPE 255u   /* this number or a larger one */
#define RUN_MOST 255u /* zeros: no other number follows, but another run */
#define DEPTHS 65536u

struct cr_tree_streams {
	const uint32_t *first;
	uint32_t n_keys;
	uint8_t *kinds;     /* by key: see kind_of() */
	uint8_t *leaves;    /* by key: how often it had no child of late, of 255 */
	uint32_t *next;     /* by key: what way_number() knows */
	uint8_t *sibling;   /* by depth: sibling_of() the way of the last node there */
	uint32_t at, depth; /* the previous node and its depth */
	bool was_first;     /* it is the first child */
	/* Being written: the numbers of each stream; what is left of them and their runs. */
	struct cr_buf streams[STREAMS], values, runs;
};

#define NONE 0u
#define ONE 1u
#define FEW 2u /* 2 ways */
#define MOST (FEW + MANY - 1)

/* No, 1, 2, 3, 4, 5 to 6, 7 to 10, 11 to 20, 21 to 64, and more ways. */
static unsigned
kind_of(uint32_t ways)
{
	static const uint8_t few[21] = {
		NONE, ONE, 2, 3, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};

	return ways < CR_LEN(few) ? few[ways] : ways <= 64 ? 8 : MOST;
}

struct cr_tree_streams *
cr_tree_streams_new(const uint32_t *first, uint32_t n_keys)
{
	struct cr_tree_streams *t = cr_alloc(1, sizeof(*t));

	t->first = first;
	t->n_keys = n_keys;
	t->kinds = cr_alloc((uint64_t)n_keys + 1, 1);
	for (uint32_t k = 0; k <= n_keys; k++)
		t->kinds[k] = (uint8_t)kind_of(first[k + 1] - first[k]);
	t->leaves = cr_alloc((uint64_t)n_keys + 1, 1);
	t->next = cr_alloc((uint64_t)n_keys + 1, sizeof(*t->next));
	t->sibling = cr_alloc(DEPTHS, 1);
	memset(t->leaves, 128, (size_t)n_keys + 1);
	return t;
}

void
cr_tree_streams_free(struct cr_tree_streams *t)
{
	if (!t)
		return;
	for (unsigned s = 0; s < STREAMS; s++)
		free(t->streams[s].p);
	free(t->values.p);
	free(t->runs.p);
	free(t->kinds);
	free(t->leaves);
	free(t->next);
	free(t->sibling);
	free(t);
}

static unsigned
up_stream(unsigned kind, unsigned leaves, bool was_first)
{
	return kind == NONE ? NO_WAYS : 2 * (leaves * LEAVES >> 8) + was_first;
}

/* Where a child is unlikely, 0 and 1 change places, so that 0 is the most frequent number. */
static uint32_t
up_number(unsigned stream, uint32_t up)
{
	return stream >= LEAVES && stream != NO_WAYS && up < 2 ? 1 - up : up;
}

/* A quarter of the way to 255 or 0, rounded down. */
static uint8_t
learnt(unsigned leaves, bool is_leaf)
{
	return (uint8_t)((int)leaves + (((is_leaf ? 255 : 0) - (int)leaves) >> 2));
}

/*
 * The number of a way from a key with the most ways: 0 for the next one, which was never taken
 * before.
 */
static uint32_t
way_number(struct cr_tree_streams *t, uint32_t key, uint32_t way)
{
	const uint32_t next = t->next[key];

	if (way >= next)
		t->next[key] = way + 1;
	return way == next ? 0 : way < next ? way + 1 : way;
}

/* The way that has this number, UINT32_MAX if none has. */
static uint32_t
way_of(struct cr_tree_streams *t, uint32_t key, uint32_t number)
{
	const uint32_t next = t->next[key], way = number == 0      ? next
						  : number <= next ? number - 1
								   : number;

	if (way >= next && way < UINT32_MAX)
		t->next[key] = way + 1;
	return way;
}

static unsigned
way_stream(unsigned kind, unsigned sibling)
{
	return UPS + (kind - FEW) * SIBLINGS + sibling;
}

static uint8_t
sibling_of(uint32_t way)
{
	return (uint8_t)(1 + CR_MIN(way, SIBLINGS - 2));
}

/* ---- writing */

/* There is room for it: see cr_tree_streams_write(). */
static void
put(struct cr_tree_streams *t, unsigned stream, uint32_t v)
{
	struct cr_buf *b = &t->streams[stream];

	b->p[b->n++] = (unsigned char)CR_MIN(v, ESCAPE);
	if (v >= ESCAPE)
		cr_buf_leb(&t->streams[REST], v - ESCAPE);
}

static void
node_put(struct cr_tree_streams *t, const uint32_t *parent, const uint32_t *key,
	const uint32_t *way, uint32_t i)
{
	const uint32_t before = t->at ? key[t->at] : t->n_keys,
		       from = parent[i] ? key[parent[i]] : t->n_keys;
	const unsigned kind = t->kinds[from],
		       stream = up_stream(t->kinds[before], t->leaves[before], t->was_first);
	uint32_t up = 0;
	uint8_t *sibling;

	for (uint32_t at = t->at; at != parent[i]; at = parent[at])
		up++;
	put(t, stream, stream == NO_WAYS ? up - 1 : up_number(stream, up));
	t->leaves[before] = learnt(t->leaves[before], up);
	t->depth += 1 - up;
	sibling = &t->sibling[CR_MIN(t->depth, DEPTHS - 1)];
	if (kind != ONE)
		put(t, way_stream(kind, up ? *sibling : 0),
			kind == MOST ? way_number(t, from, way[i]) : way[i]);
	*sibling = sibling_of(way[i]);
	t->was_first = up == 0;
	t->at = i;
}

/*
 * Append the numbers of a stream to t->values as they are; or, if it has runs and most are 0, as
 * runs of zeros to t->runs, one before each other number and one at the end, and the other numbers
 * to t->values. sizes: of both.
 */
static void
stream_put(struct cr_tree_streams *t, const struct cr_buf *numbers, bool has_runs, size_t *sizes)
{
	uint32_t zeros = 0, run = 0;

	for (size_t i = 0; has_runs && i < numbers->n; i++)
		zeros += numbers->p[i] == 0;
	if (!has_runs || 2 * zeros <= numbers->n) {
		cr_buf_put(&t->values, numbers->p, numbers->n);
		sizes[0] = 0;
		sizes[1] = numbers->n;
		return;
	}
	sizes[0] = t->runs.n;
	sizes[1] = t->values.n;
	cr_vec_reserve(&t->runs, t->runs.n + numbers->n + 1);
	cr_vec_reserve(&t->values, t->values.n + numbers->n);
	for (size_t i = 0; i < numbers->n; i++) {
		const unsigned char v = numbers->p[i];

		if (v == 0 && ++run < RUN_MOST)
			continue;
		t->runs.p[t->runs.n++] = (unsigned char)run;
		run = 0;
		if (v)
			t->values.p[t->values.n++] = v;
	}
	t->runs.p[t->runs.n++] = (unsigned char)run;
	sizes[0] = t->runs.n - sizes[0];
	sizes[1] = t->values.n - sizes[1];
}

void
cr_tree_streams_write(struct cr_tree_streams *t, const uint32_t *parent, const uint32_t *key,
	const uint32_t *way, uint32_t from, uint32_t to, struct cr_buf *out, struct cr_cuts *cuts)
{
	size_t sizes[REST][2];
	const unsigned char *runs, *values;

	for (unsigned s = 0; s < STREAMS; s++) {
		t->streams[s].n = 0;
		cr_vec_reserve(&t->streams[s], to - from);
	}
	for (uint32_t i = CR_MAX(from, 1u); i < to; i++)
		node_put(t, parent, key, way, i);
	t->runs.n = t->values.n = 0;
	cr_vec_reserve(&t->runs, 1); /* not NULL, even if a tree needs neither */
	cr_vec_reserve(&t->values, 1);
	for (unsigned s = 0; s < REST; s++) {
		stream_put(t, &t->streams[s], s < UPS, sizes[s]);
		cr_buf_leb(out, sizes[s][0]);
		cr_buf_leb(out, sizes[s][1]);
	}
	runs = t->runs.p;
	values = t->values.p;
	for (unsigned s = 0; s < REST; s++) {
		cr_buf_put(out, runs, sizes[s][0]);
		cr_cuts_add(cuts, out->n);
		cr_buf_put(out, values, sizes[s][1]);
		cr_cuts_add(cuts, out->n);
		runs += sizes[s][0];
		values += sizes[s][1];
	}
	cr_buf_put(out, t->streams[REST].p, t->streams[REST].n);
}

/* ---- reading */

/* A stream being read. */
struct stream {
	const unsigned char *run, *run_end, *at, *end;
	uint32_t zeros; /* that are left of a run */
	bool has_runs;
};

struct in {
	struct stream streams[REST];
	struct cr_cursor rest;
	bool bad;
};

static uint32_t
run_next(struct in *in, struct stream *s)
{
	uint32_t run = 0;

	while (s->run < s->run_end) {
		run += *s->run;
		if (*s->run++ != RUN_MOST)
			return run;
	}
	in->bad = true;
	return 0;
}

static bool
in_open(struct in *in, struct cr_cursor *block)
{
	uint64_t sizes[REST][2];

	for (unsigned s = 0; s < REST; s++)
		for (unsigned i = 0; i < 2; i++)
			sizes[s][i] = cr_cursor_uleb(block);
	in->bad = false;
	for (unsigned s = 0; s < REST; s++) {
		const struct cr_cursor runs = cr_cursor_sub(block, sizes[s][0]),
				       values = cr_cursor_sub(block, sizes[s][1]);

		in->streams[s] = (struct stream){
			runs.p, runs.end, values.p, values.end, 0, cr_cursor_left(&runs) > 0};
		if (in->streams[s].has_runs)
			in->streams[s].zeros = run_next(in, &in->streams[s]);
	}
	in->rest = cr_cursor_sub(block, cr_cursor_left(block));
	return !block->bad && !in->bad;
}

static bool
in_at_end(const struct in *in)
{
	bool all = !in->bad && !in->rest.bad && cr_cursor_left(&in->rest) == 0;

	for (unsigned s = 0; s < REST; s++)
		all &= in->streams[s].at == in->streams[s].end && in->streams[s].zeros == 0 &&
		       in->streams[s].run == in->streams[s].run_end;
	return all;
}

static uint32_t
get_rest(struct in *in)
{
	const uint64_t v = cr_cursor_uleb(&in->rest);

	in->bad |= v > UINT32_MAX - ESCAPE;
	return (uint32_t)(v + ESCAPE);
}

static uint32_t
get_value(struct in *in, struct stream *s)
{
	uint32_t v;

	if (s->at == s->end) {
		in->bad = true;
		return 0;
	}
	v = *s->at++;
	if (s->has_runs)
		s->zeros = run_next(in, s);
	return v < ESCAPE ? v : get_rest(in);
}

static inline uint32_t
get(struct in *in, unsigned stream)
{
	struct stream *s = &in->streams[stream];

	if (s->zeros == 0)
		return get_value(in, s);
	s->zeros--;
	return 0;
}

/* Read which way leads from a key; in->bad if there is none. */
static inline uint32_t
get_way(struct cr_tree_streams *t, struct in *in, uint32_t from, unsigned sibling)
{
	const unsigned kind = t->kinds[from];
	uint32_t way;

	if (kind <= ONE) {
		in->bad |= kind == NONE;
		return 0;
	}
	way = get(in, way_stream(kind, sibling));
	if (kind == MOST)
		way = way_of(t, from, way);
	in->bad |= way >= t->first[from + 1] - t->first[from];
	return way;
}

/* The local variables are not looked up again after each byte that is stored. */
bool
cr_tree_streams_read(struct cr_tree_streams *t, struct cr_cursor *block, const uint32_t *keys,
	uint32_t from, uint32_t to, uint32_t most_deep, uint32_t *parent, uint32_t *key,
	uint32_t *end)
{
	const uint32_t *const first = t->first, n_keys = t->n_keys;
	const uint8_t *const kinds = t->kinds;
	uint8_t *const leaves = t->leaves, *const siblings = t->sibling;
	uint32_t at = t->at, depth = t->depth, before = at ? key[at] : n_keys;
	bool was_first = t->was_first;
	struct in in;

	if (!in_open(&in, block))
		return false;
	if (from == 0 && to)
		parent[0] = key[0] = 0;
	most_deep = CR_MIN(most_deep, DEPTHS - 1);
	for (uint32_t i = CR_MAX(from, 1u); i < to; i++) {
		const unsigned l = leaves[before], s = up_stream(kinds[before], l, was_first);
		const uint32_t number = get(&in, s),
			       up = s == NO_WAYS ? number + 1 : up_number(s, number);
		uint32_t key_from = before, way;

		leaves[before] = learnt(l, up);
		was_first = up == 0;
		if (up) {
			if (up > depth)
				return false;
			depth -= up;
			for (uint32_t k = 0; k < up; k++) {
				if (end)
					end[at] = i;
				at = parent[at];
			}
			key_from = at ? key[at] : n_keys;
		}
		if (++depth > most_deep)
			return false;
		way = get_way(t, &in, key_from, up ? siblings[depth] : 0);
		if (in.bad)
			return false;
		siblings[depth] = sibling_of(way);
		parent[i] = at;
		key[i] = before = keys[first[key_from] + way];
		at = i;
	}
	t->at = at;
	t->depth = depth;
	t->was_first = was_first;
	return in_at_end(&in);
}

void
cr_tree_streams_end(
	const struct cr_tree_streams *t, const uint32_t *parent, uint32_t nodes, uint32_t *end)
{
	for (uint32_t at = t->at; at; at = parent[at])
		end[at] = nodes;
	if (nodes)
		end[0] = nodes;
}
