#include "model/build/naming.h"

#include "base/hash.h"
#include "base/vec.h"
#include "quality_table_p.h"
#include "string_table.h"

#include <stdlib.h>

struct cr_naming {
	struct cr_profile *p;
	struct cr_strings strings;
	CR_VEC(struct cr_function) functions;
	struct cr_index function_index;
	CR_VEC(struct cr_line) lines;
	struct cr_quality_table quality;
	/* Those of p, changed in place; first_line of a named location is a row of `lines`. */
	struct cr_location *locations;
	struct cr_dso *dsos; /* those of p, changed in place */
	uint8_t *named;      /* by location */
};

static struct cr_str
keep(struct cr_naming *n, struct cr_str s)
{
	if (s.len == 0)
		return (struct cr_str){"", 0};
	return cr_strings_keep(&n->strings, &n->p->arena, s);
}

static uint64_t
function_hash(const struct cr_function *f)
{
	return cr_hash_mix(cr_hash(f->name.p, f->name.len), f->addr ^ (uint64_t)f->dso.i << 32);
}

/* Those of p, which need no copy if p owns them by themselves. */
static void
take_functions(struct cr_naming *n, struct cr_profile *p)
{
	n->functions.p = cr_arena_release(&p->arena, p->functions);
	n->functions.n = n->functions.cap = n->functions.p ? p->n_functions : 0;
	for (uint32_t i = (uint32_t)n->functions.n; i < p->n_functions; i++)
		cr_vec_push(&n->functions, p->functions[i]);
	for (uint32_t i = 0; i < p->n_functions; i++)
		cr_index_add(&n->function_index, function_hash(&n->functions.p[i]), i);
}

struct cr_naming *
cr_naming_new(struct cr_profile *p)
{
	struct cr_naming *n = cr_alloc(1, sizeof(*n));

	n->p = p;
	n->locations = (struct cr_location *)(uintptr_t)p->locations;
	n->dsos = (struct cr_dso *)(uintptr_t)p->dsos;
	n->named = cr_alloc(p->n_locations, 1);
	take_functions(n, p);
	for (uint32_t i = 0; i < p->n_quality; i++)
		cr_quality_append(&n->quality, p->quality[i].what, p->quality[i].count);
	return n;
}

cr_function_id
cr_naming_function(struct cr_naming *n, const struct cr_function *f)
{
	const uint64_t h = function_hash(f);
	uint32_t row;
	struct cr_function copy = *f;

	cr_index_each(&n->function_index, h, row) {
		const struct cr_function *g = &n->functions.p[row];

		if (g->dso.i == f->dso.i && g->addr == f->addr && cr_str_eq(g->name, f->name) &&
			(f->addr != CR_ADDR_INLINED || cr_str_eq(g->file, f->file)))
			return (cr_function_id){row};
	}
	row = (uint32_t)n->functions.n;
	copy.name = keep(n, f->name);
	copy.linkage = keep(n, f->linkage);
	copy.file = keep(n, f->file);
	cr_vec_push(&n->functions, copy);
	n->p->functions = n->functions.p; /* it may have moved */
	cr_index_add(&n->function_index, h, row);
	return (cr_function_id){row};
}

void
cr_naming_line(struct cr_naming *n, cr_location_id location, const struct cr_line *line)
{
	struct cr_location *l = &n->locations[location.i];
	struct cr_line copy = *line;

	if (!n->named[location.i]) {
		n->named[location.i] = 1;
		l->first_line = (uint32_t)n->lines.n;
		l->lines = 0;
	}
	if (l->lines == UINT16_MAX)
		return;
	l->lines++;
	copy.file = keep(n, line->file);
	cr_vec_push(&n->lines, copy);
}

void
cr_naming_quality(struct cr_naming *n, struct cr_str what, uint64_t count)
{
	if (!cr_quality_add(&n->quality, what, count))
		cr_quality_append(&n->quality, keep(n, what), count);
}

void
cr_naming_build_id(struct cr_naming *n, cr_dso_id dso, const uint8_t *id, uint8_t len)
{
	struct cr_dso *o = &n->dsos[dso.i];

	o->build_id_len = CR_MIN(len, (uint8_t)sizeof(o->build_id));
	memcpy(o->build_id, id, o->build_id_len);
}

/* Free the arrays that are replaced: those of a large profile are as large as the new ones. */
static void
drop_replaced(struct cr_profile *p)
{
	cr_arena_drop(&p->arena, p->lines);
	cr_arena_drop(&p->arena, p->quality);
}

struct cr_profile *
cr_naming_finish(struct cr_naming *n)
{
	struct cr_profile *p = n->p;
	uint64_t lines = n->lines.n;

	for (uint32_t i = 0; i < p->n_locations; i++)
		lines += n->named[i] ? 0 : n->locations[i].lines;
	cr_vec_reserve(&n->lines, lines);
	for (uint32_t i = 0; i < p->n_locations; i++) {
		struct cr_location *l = &n->locations[i];
		const uint32_t from = l->first_line;

		if (n->named[i])
			continue;
		l->first_line = (uint32_t)n->lines.n;
		for (uint16_t k = 0; k < l->lines; k++)
			cr_vec_push(&n->lines, p->lines[from + k]);
	}
	drop_replaced(p);
	p->n_lines = (uint32_t)n->lines.n;
	p->lines = cr_arena_adopt(&p->arena, n->lines.p);
	p->n_functions = (uint32_t)n->functions.n;
	p->functions = cr_arena_adopt(&p->arena, n->functions.p);
	p->quality = cr_arena_adopt(&p->arena, cr_quality_release(&n->quality, &p->n_quality));
	cr_strings_fini(&n->strings);
	cr_index_fini(&n->function_index);
	free(n->named);
	free(n);
	return p;
}
