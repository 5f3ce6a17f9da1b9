#include "number_model_p.h"

#include "base/mem.h"

#include <stdlib.h>

#define CLASSES 65u  /* 0 to 64 bits */
#define TOP_BITS 3u  /* predicted of those below the highest */
#define TOP_NODES 8u /* contexts that these have in a class */
#define SIGNS 3u

static unsigned
bits_of(uint64_t v)
{
	return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

unsigned
cr_number_model_bits(uint32_t class)
{
	return CR_MAX(bits_of(class), 1u);
}

void
cr_number_model_init(struct cr_number_model *m, unsigned class_bits, bool small, bool is_signed,
	uint32_t n_contexts)
{
	const uint64_t nodes = (uint64_t)1 << class_bits, classes = CR_MIN(nodes, CLASSES);

	*m = (struct cr_number_model){
		.class_bits = class_bits,
		.small = small,
		.is_signed = is_signed,
		.n_contexts = n_contexts,
		.one = cr_alloc(classes * nodes, sizeof(*m->one)),
		.two = cr_alloc(classes * classes * nodes, sizeof(*m->two)),
		.third = cr_alloc(n_contexts * nodes, sizeof(*m->third)),
		.signs = cr_alloc((uint64_t)CLASSES * SIGNS, sizeof(*m->signs)),
		.low = cr_alloc((uint64_t)CLASSES * TOP_NODES, sizeof(*m->low)),
		.weights = cr_alloc(nodes, sizeof(*m->weights)),
	};
}

void
cr_number_model_fini(struct cr_number_model *m)
{
	free(m->one);
	free(m->two);
	free(m->third);
	free(m->signs);
	free(m->low);
	free(m->weights);
	*m = (struct cr_number_model){0};
}

static uint32_t
code_class(struct cr_number_model *m, struct cr_bit_coder *c, uint32_t context, uint32_t class)
{
	const uint32_t nodes = 1u << m->class_bits, classes = CR_MIN(nodes, CLASSES);
	cr_bit_state *const one = m->one + m->last * nodes;
	cr_bit_state *const two = m->two + ((size_t)m->second * classes + m->last) * nodes;
	cr_bit_state *const third = m->third + (size_t)context * nodes;
	uint32_t node = 1;

	for (unsigned i = m->class_bits; i-- > 0;) {
		cr_bit_state *const s[CR_MIXED] = {one + node, two + node, third + node};

		node = node << 1 | cr_bit_coder_mixed(c, s, m->weights[node], class >> i & 1);
	}
	class = node - nodes;
	if (class >= classes) {
		c->bad = true;
		return 0;
	}
	m->second = m->last;
	m->last = class;
	return class;
}

/* The bits below the highest one. */
static uint64_t
code_low(struct cr_number_model *m, struct cr_bit_coder *c, uint32_t class, uint64_t v)
{
	unsigned left = class - 1, node = 1;
	uint64_t got = 1;

	for (unsigned i = 0; i < TOP_BITS && left; i++) {
		left--;
		node = node << 1 | cr_bit_coder_bit(c, &m->low[class * TOP_NODES + node],
					   (unsigned)(v >> left & 1));
		got = got << 1 | (node & 1);
	}
	return left ? got << left | cr_bit_coder_raw(c, v & (((uint64_t)1 << left) - 1), left)
		    : got;
}

uint64_t
cr_number_model_code(
	struct cr_number_model *m, struct cr_bit_coder *c, uint32_t context, uint64_t v)
{
	bool is_negative = m->is_signed && v >> 63;
	uint64_t size = is_negative ? 0 - v : v;
	const uint32_t class = code_class(m, c, context, m->small ? (uint32_t)size : bits_of(size));

	if (m->small || class == 0)
		return class;
	if (m->is_signed)
		is_negative =
			cr_bit_coder_bit(c, &m->signs[class * SIGNS + m->last_sign], is_negative);
	m->last_sign = 1 + is_negative;
	size = code_low(m, c, class, size);
	return is_negative ? 0 - size : size;
}
