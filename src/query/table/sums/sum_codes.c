#include "sum_codes_p.h"

#include "base/order.h"

#include <stdlib.h>

/* Mark the frames of the locations that stacks go through, as far as they have been made. */
static void
find_used(const struct cr_stack_sums *s, struct cr_table_maker *m)
{
	const struct cr_location_frames *f = &s->frames;
	const struct cr_profile *p = s->p;
	uint8_t *used = cr_alloc(CR_MAX(p->n_locations, 1u), 1), *live = cr_alloc(p->n_nodes, 1);

	for (size_t i = 0; i < s->n; i++)
		live[s->sums[i].node] = 1;
	for (uint32_t n = p->n_nodes; n-- > 1;) {
		live[p->node_parent[n]] |= live[n];
		used[p->node_location[n]] |= live[n];
	}
	for (uint32_t i = 0; i < p->n_locations; i++)
		for (uint32_t k = f->first[i]; used[i] && k < f->first[i + 1]; k++)
			if (f->run[k] < f->n_frames)
				m->frames[f->run[k]].code = CR_NO_ROW;
	free(used);
	free(live);
}

/* ---- frames of addresses */

/* Frames of addresses that have the same value of cr_table_nameless_value(). */
struct class
{
	uint32_t value;
	/* The address and the code met last, while addresses rise, as in a stored profile. */
	uint64_t last;
	uint32_t code;
	bool falls;
};

struct numbering {
	struct cr_sum_codes *c;
	struct cr_table_maker *m;
	const struct cr_location_frames *f;
	CR_VEC(struct class) classes;
	struct cr_index index; /* of the classes, by value */
	/* By function: its class, + 1; 0 for not known yet, UNLIKE if addresses do not decide. */
	uint32_t *class1;
	uint32_t *code; /* by frame of an address */
};

#define UNLIKE UINT32_MAX

static uint32_t
class_find(struct numbering *n, const struct cr_frame *f)
{
	uint32_t value, row;

	if (!cr_table_maker_by_address(n->m) || !cr_frame_is_nameless(f))
		return UNLIKE;
	value = cr_table_nameless_value(n->m, f);
	cr_index_each(&n->index, cr_hash_mix(value, 0), row)
		if (n->classes.p[row].value == value)
			return row + 1;
	cr_index_add(&n->index, cr_hash_mix(value, 0), (uint32_t)n->classes.n);
	cr_vec_push(&n->classes, ((struct class){.value = value, .code = CR_NO_ROW}));
	return (uint32_t)n->classes.n;
}

/*
 * The class of the frame of an address; UNLIKE if its code is made as that of any other frame. A
 * function that is named as nameless ones are printed may share the code of the address 0.
 */
static uint32_t
class_of(struct numbering *n, uint32_t i)
{
	const struct cr_apart_frame *apart = &n->f->apart[i];

	if (!n->class1[apart->function])
		n->class1[apart->function] = class_find(n, &n->f->frames[apart->function + 1]);
	return n->c->s->p->locations[apart->location].addr ? n->class1[apart->function] : UNLIKE;
}

/* Make the codes of frames that have no class. They precede those that are only numbers. */
static void
make_unlike(struct numbering *n)
{
	for (uint32_t i = 0; i < n->f->n_apart; i++)
		if (class_of(n, i) == UNLIKE) {
			const struct cr_frame f = cr_location_frames_apart(n->c->s->p, n->f, i);

			n->code[i] = cr_table_code_make(n->m, &f, n->f->apart[i].function + 1);
		}
}

/* Number the frames that have a class. Those of a class whose addresses do not rise are not all. */
static void
number_rising(struct numbering *n)
{
	for (uint32_t i = 0; i < n->f->n_apart; i++) {
		const uint64_t addr = n->c->s->p->locations[n->f->apart[i].location].addr;
		const uint32_t at = class_of(n, i);
		struct class *c;

		if (at == UNLIKE)
			continue;
		c = &n->classes.p[at - 1];
		c->falls |= addr < c->last;
		if (addr != c->last)
			c->code = n->c->n_made + i;
		c->last = addr;
		n->code[i] = c->code;
	}
}

/* Number the frames of the other classes: those of an address get the number of the first one. */
static void
number_falling(struct numbering *n)
{
	struct cr_keyed *all, *room;
	uint32_t count = 0;

	for (uint32_t i = 0; i < n->f->n_apart; i++) {
		const uint32_t at = class_of(n, i);

		count += at != UNLIKE && n->classes.p[at - 1].falls;
	}
	all = cr_alloc(CR_MAX(count, 1u), sizeof(*all));
	room = cr_alloc(CR_MAX(count, 1u), sizeof(*room));
	count = 0;
	for (uint32_t i = 0; i < n->f->n_apart; i++) {
		const uint32_t at = class_of(n, i);

		if (at != UNLIKE && n->classes.p[at - 1].falls)
			all[count++] = (struct cr_keyed){
				n->c->s->p->locations[n->f->apart[i].location].addr, i};
	}
	cr_keyed_sort(all, room, count);
	for (uint32_t i = 0; i < count; i++)
		all[i].key = class_of(n, all[i].item);
	cr_keyed_sort(all, room, count);
	for (uint32_t k = 0; k < count; k++) {
		const struct cr_apart_frame *a = &n->f->apart[all[k].item];
		const struct cr_apart_frame *b = &n->f->apart[all[k ? k - 1 : 0].item];
		const struct cr_location *at = n->c->s->p->locations;

		n->code[all[k].item] = k && all[k].key == all[k - 1].key &&
						       at[a->location].addr == at[b->location].addr
					       ? n->code[all[k - 1].item]
					       : n->c->n_made + all[k].item;
	}
	free(all);
	free(room);
}

/* By frame of an address: its code. */
static uint32_t *
codes_apart(struct cr_sum_codes *c, struct cr_table_maker *m)
{
	struct numbering n = {.c = c,
		.m = m,
		.f = &c->s->frames,
		.class1 = cr_alloc(CR_MAX(c->s->p->n_functions, 1u), sizeof(*n.class1)),
		.code = cr_alloc(CR_MAX(c->s->frames.n_apart, 1u), sizeof(*n.code))};
	bool falls = false;

	make_unlike(&n);
	c->n_made = m->codes.n;
	number_rising(&n);
	for (size_t i = 0; i < n.classes.n; i++)
		falls |= n.classes.p[i].falls;
	if (falls)
		number_falling(&n);
	cr_vec_fini(&n.classes);
	cr_index_fini(&n.index);
	free(n.class1);
	return n.code;
}

static struct cr_sum_place
place_made(const struct cr_table_frame_kind *kind)
{
	return (struct cr_sum_place){kind->code & CR_SUM_NO_CODE, kind->kernel};
}

static struct cr_sum_place
place_apart(const struct cr_sum_codes *c, uint32_t i, const uint32_t *code)
{
	const struct cr_apart_frame *apart = &c->s->frames.apart[i];
	const uint8_t kind = c->s->frames.frames[apart->function + 1].kind;
	const uint64_t addr = c->s->p->locations[apart->location].addr;

	return (struct cr_sum_place){code[i] & CR_SUM_NO_CODE, cr_table_in_kernel(kind, addr)};
}

/* Set the codes of the frames of each location. apart: by frame of an address. */
static void
find_places(struct cr_sum_codes *c, const struct cr_table_maker *m, const uint32_t *apart)
{
	const struct cr_location_frames *f = &c->s->frames;
	const struct cr_profile *p = c->s->p;

	c->places = cr_alloc((uint64_t)f->first[p->n_locations] + 1, sizeof(*c->places));
	c->only = cr_alloc(CR_MAX(p->n_locations, 1u), sizeof(*c->only));
	for (uint32_t i = 0; i < p->n_locations; i++) {
		for (uint32_t k = f->first[i]; k < f->first[i + 1]; k++) {
			const uint32_t frame = f->run[k];

			c->places[k] = frame < f->n_frames
					       ? place_made(&m->frames[frame])
					       : place_apart(c, frame - f->n_frames, apart);
		}
		c->only[i] = f->first[i + 1] - f->first[i] == 1
				     ? c->places[f->first[i]]
				     : (struct cr_sum_place){CR_SUM_NO_CODE, 0};
	}
}

void
cr_sum_codes_init(struct cr_sum_codes *c, struct cr_table_maker *m, const struct cr_stack_sums *s)
{
	uint32_t *apart;

	*c = (struct cr_sum_codes){.s = s};
	find_used(s, m);
	cr_table_maker_codes(m);
	apart = codes_apart(c, m);
	c->n = c->n_made + s->frames.n_apart;
	find_places(c, m, apart);
	free(apart);
}

void
cr_sum_codes_fini(struct cr_sum_codes *c)
{
	free(c->places);
	free(c->only);
}

void
cr_sum_codes_make(const struct cr_sum_codes *c, struct cr_table_maker *m)
{
	const struct cr_location_frames *f = &c->s->frames;
	uint32_t *made1 = cr_alloc(CR_MAX(f->n_apart, 1u), sizeof(*made1));

	for (size_t i = 0; i < m->rows.n; i++)
		if (m->rows.p[i].code >= c->n_made)
			made1[m->rows.p[i].code - c->n_made] = 1;
	for (uint32_t i = 0; i < f->n_apart; i++)
		if (made1[i]) {
			const struct cr_frame frame = cr_location_frames_apart(c->s->p, f, i);

			made1[i] = cr_table_code_append(m, &frame, f->apart[i].function + 1) + 1;
		}
	for (size_t i = 0; i < m->rows.n; i++)
		if (m->rows.p[i].code >= c->n_made)
			m->rows.p[i].code = made1[m->rows.p[i].code - c->n_made] - 1;
	free(made1);
}
