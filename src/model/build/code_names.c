#include "model/field.h"

#include "base/hash.h"
#include "base/mapped_vector.h"
#include "base/vec.h"
#include "string_table.h"

#include <stdlib.h>

/* A kernel location and its absolute address. */
struct place {
	uint64_t addr;
	uint32_t location;
};

/* An address printed in one form, and the resulting text. */
struct named {
	uint64_t addr;
	uint32_t text;
	uint8_t code; /* enum cr_code_form */
};

struct naming {
	struct cr_profile *p;
	struct place *places; /* sorted by address */
	size_t n_places;
	struct cr_strings texts;
	CR_VEC(struct named) named;
	struct cr_index named_index;
};

static bool
is_kernels(const struct cr_profile *p, const struct cr_location *l)
{
	const enum cr_kind kind = p->dsos[l->dso.i].kind;

	return kind == CR_KIND_KERNEL || kind == CR_KIND_MODULE || kind == CR_KIND_BPF;
}

static int
by_addr(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->location > b->location) - (a->location < b->location);
}

static void
find_places(struct naming *n)
{
	const struct cr_profile *p = n->p;

	n->places = cr_alloc(p->n_locations, sizeof(*n->places));
	for (uint32_t i = 0; i < p->n_locations; i++)
		if (is_kernels(p, &p->locations[i]))
			n->places[n->n_places++] = (struct place){p->locations[i].addr, i};
	if (n->n_places)
		qsort(n->places, n->n_places, sizeof(*n->places), by_addr);
}

/* The function that contains the code, not one inlined there; NULL if unknown. */
static const struct cr_function *
function_at(const struct naming *n, uint64_t addr)
{
	const struct cr_profile *p = n->p;
	const struct cr_location *l;
	const struct cr_function *f;
	size_t lo = 0, hi = n->n_places;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (n->places[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == n->n_places || n->places[lo].addr != addr)
		return NULL;
	l = &p->locations[n->places[lo].location];
	f = &p->functions[p->lines[l->first_line + l->lines - 1u].function.i];
	return f->name.len ? f : NULL;
}

static uint32_t
text_make(struct naming *n, uint64_t addr, enum cr_code_form code)
{
	const struct cr_function *f = function_at(n, addr);
	struct cr_text t = {0};
	uint32_t row;

	if (f)
		cr_text_str(&t, f->name);
	if (!f || (code == CR_CODE_OFFSET && addr >= f->addr)) {
		cr_text_puts(&t, f ? "+0x" : "0x");
		cr_text_hex(&t, f ? addr - f->addr : addr);
	}
	row = cr_strings_intern(&n->texts, &n->p->arena, cr_text_view(&t));
	cr_text_fini(&t);
	return row;
}

static uint32_t
text_of(struct naming *n, uint64_t addr, enum cr_code_form code)
{
	const uint64_t h = cr_hash_mix(addr, code);
	uint32_t row, text;

	cr_index_each(&n->named_index, h, row)
		if (n->named.p[row].addr == addr && n->named.p[row].code == code)
			return n->named.p[row].text;
	text = text_make(n, addr, code);
	cr_index_add(&n->named_index, h, (uint32_t)n->named.n);
	cr_vec_push(&n->named, ((struct named){addr, text, (uint8_t)code}));
	return text;
}

static void
name_values(struct naming *n, struct cr_field *d)
{
	struct cr_mapped_vector named = {0};

	for (uint64_t i = 0; i < d->n; i++) {
		const uint64_t text = d->value[i] == cr_form_none(d->form)
					      ? cr_form_none(CR_FORM_TEXT)
					      : text_of(n, d->value[i], d->code);

		cr_field_sweep(d, i);
		cr_mapped_vector_push(&named, &text, sizeof(text));
	}
	cr_mapped_vector_end(&named);
	cr_arena_drop(&n->p->arena, d->value);
	d->value = cr_arena_adopt_mapping(&n->p->arena, named.p, named.cap);
	d->filed = named.filed;
	d->form = CR_FORM_TEXT;
	d->code = CR_CODE_NONE;
}

/* True if the event already has a text field of this name: two fields may share it in two forms. */
static bool
is_text_too(const struct cr_profile *p, const struct cr_field *d)
{
	for (uint32_t i = 0; i < p->n_fields; i++)
		if (p->fields[i].form == CR_FORM_TEXT && p->fields[i].event.i == d->event.i &&
			cr_str_eq(p->fields[i].name, d->name))
			return true;
	return false;
}

static void
name_fields(struct naming *n)
{
	struct cr_profile *p = n->p;
	struct cr_field *fields =
		cr_arena_copy(&p->arena, p->fields, p->n_fields * sizeof(*fields));

	find_places(n);
	for (uint32_t i = 0; i < p->n_texts; i++)
		cr_strings_add(&n->texts, p->texts[i]);
	for (uint32_t i = 0; i < p->n_fields; i++)
		if (fields[i].code != CR_CODE_NONE && !is_text_too(p, &fields[i]))
			name_values(n, &fields[i]);
	p->n_texts = (uint32_t)n->texts.rows.n;
	p->texts = cr_arena_adopt(&p->arena, n->texts.rows.p);
	n->texts.rows.p = NULL;
	cr_fields_sum_up(fields, p->n_fields, p->n_texts);
	p->fields = fields;
}

void
cr_fields_name_code(struct cr_profile *p)
{
	struct naming n = {.p = p};
	uint32_t i = 0;

	while (i < p->n_fields && p->fields[i].code == CR_CODE_NONE)
		i++;
	if (i == p->n_fields)
		return;
	name_fields(&n);
	cr_strings_fini(&n.texts);
	cr_vec_fini(&n.named);
	cr_index_fini(&n.named_index);
	free(n.places);
}
