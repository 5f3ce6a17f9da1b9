#include "row_model_p.h"

#include "base/mem.h"

#include <stdlib.h>

#define RECENT 15u             /* of the last four rows */
#define DISTANCE_CLASS_BITS 5u /* a distance of up to 18 bits */

void
cr_row_model_init(struct cr_row_model *m, uint32_t n)
{
	*m = (struct cr_row_model){
		.n = n,
		.left = n,
		.counts = cr_alloc((uint64_t)n + 1, sizeof(*m->counts)),
		.occurred = cr_alloc(CR_MAX(n, 1u), sizeof(*m->occurred)),
	};
	for (uint32_t i = 1; i <= n; i++)
		m->counts[i] = i & (0 - i); /* each range is full */
	while (n && (n - 1) >> m->depth)
		m->depth++;
	m->tree = cr_alloc((uint64_t)2 << m->depth, sizeof(*m->tree));
	m->in_tree = cr_alloc((uint64_t)2 << m->depth, sizeof(*m->in_tree));
	cr_number_model_init(&m->first, DISTANCE_CLASS_BITS, false, true, 4);
	cr_number_model_init(&m->again, DISTANCE_CLASS_BITS, false, true, 4);
}

void
cr_row_model_fini(struct cr_row_model *m)
{
	free(m->counts);
	free(m->occurred);
	free(m->tree);
	free(m->in_tree);
	cr_number_model_fini(&m->first);
	cr_number_model_fini(&m->again);
	*m = (struct cr_row_model){0};
}

/* How many rows before this one did not occur yet. */
static uint32_t
new_before(const struct cr_row_model *m, uint32_t row)
{
	uint32_t sum = 0;

	for (; row; row &= row - 1)
		sum += m->counts[row];
	return sum;
}

/* The row that did not occur yet before which there are k such rows; k is less than m->left. */
static uint32_t
new_at(const struct cr_row_model *m, uint32_t k)
{
	uint32_t row = 0;

	for (uint32_t step = (uint32_t)1 << m->depth; step; step >>= 1)
		if (row + step <= m->n && m->counts[row + step] <= k) {
			row += step;
			k -= m->counts[row];
		}
	return row;
}

static void
occurs(struct cr_row_model *m, uint32_t row)
{
	m->occurred[row] = 1;
	m->left--;
	for (uint32_t i = row + 1; i <= m->n; i += i & (0 - i))
		m->counts[i]--;
}

/* Code a row that did not occur yet, by its distance from another one. */
static uint32_t
code_new(
	struct cr_row_model *m, struct cr_bit_coder *c, uint32_t context, uint32_t near, uint32_t v)
{
	const uint32_t from = new_before(m, near);
	const uint64_t step = (uint64_t)(c->reads ? 0 : new_before(m, v)) - from;
	const uint64_t k = from + cr_number_model_code(&m->first, c, context, step);

	if (k >= m->left) {
		c->bad = true;
		return 0;
	}
	v = new_at(m, (uint32_t)k);
	occurs(m, v);
	return v;
}

/* Code whether a row occurs for the first time, unless only one of both is possible. */
static bool
code_is_new(struct cr_row_model *m, struct cr_bit_coder *c, unsigned context, uint32_t v)
{
	unsigned is_new = m->left == m->n;

	if (m->left && m->left < m->n)
		is_new = cr_bit_coder_bit(
			c, &m->is_new[context & RECENT], c->reads ? 0 : !m->occurred[v]);
	m->news = m->news << 1 | is_new;
	return is_new;
}

/* Code a row that occurred, bit by bit. Bits that only one value of is possible are left out. */
static uint32_t
code_again(struct cr_row_model *m, struct cr_bit_coder *c, uint32_t v)
{
	uint32_t node = 1;

	for (unsigned i = m->depth; i-- > 0;) {
		const bool zero = m->in_tree[2 * node], one = m->in_tree[2 * node + 1];

		node = 2 * node +
		       (zero && one ? cr_bit_coder_bit(c, &m->tree[node], v >> i & 1) : one);
	}
	return node - ((uint32_t)1 << m->depth);
}

static void
put_in_tree(struct cr_row_model *m, uint32_t row)
{
	for (uint32_t node = row + ((uint32_t)1 << m->depth); node; node >>= 1)
		m->in_tree[node] = 1;
}

uint32_t
cr_row_model_code(struct cr_row_model *m, struct cr_bit_coder *c, uint32_t v)
{
	if (m->repeats && m->left < m->n) {
		const unsigned same =
			cr_bit_coder_bit(c, &m->is_same[m->same & RECENT], v == m->last);

		m->same = m->same << 1 | same;
		if (same)
			return m->last;
	}
	if (!code_is_new(m, c, m->news, v))
		return m->last = code_again(m, c, v);
	v = code_new(m, c, 0, m->last_new, v);
	put_in_tree(m, v);
	return m->last = m->last_new = v;
}

uint32_t
cr_row_model_code_end(
	struct cr_row_model *m, struct cr_bit_coder *c, bool is_same, uint32_t from, uint32_t v)
{
	const uint32_t near = is_same || from >= m->n ? m->last : from;
	const uint32_t context = (m->news & 1) << 1 | is_same;
	uint64_t end;

	if (code_is_new(m, c, m->news << 1 | is_same, v))
		return m->last = code_new(m, c, context, near, v);
	end = near + cr_number_model_code(&m->again, c, context, (uint64_t)v - near);
	c->bad |= end >= m->n;
	return m->last = end < m->n ? (uint32_t)end : 0;
}
