#include "model/build/add_fields.h"

#include "model/field.h"

#include <stdlib.h>
#include <string.h>

void
cr_add_fields_begin(struct cr_add_fields *a, struct cr_profile *p)
{
	*a = (struct cr_add_fields){.p = p};
	for (uint32_t i = 0; i < p->n_texts; i++)
		cr_strings_add(&a->texts, p->texts[i]);
}

struct cr_added_field *
cr_add_fields_new(struct cr_add_fields *a, cr_event_id event, const char *name, enum cr_form form)
{
	struct cr_added_field *f = cr_alloc(1, sizeof(*f));

	*f = (struct cr_added_field){.name = name, .event = event, .form = form};
	cr_vec_push(&a->fields, f);
	return f;
}

uint64_t
cr_add_fields_text(struct cr_add_fields *a, struct cr_str s)
{
	return cr_strings_intern(&a->texts, &a->p->arena, s);
}

void
cr_add_fields_value(struct cr_added_field *f, uint64_t value)
{
	f->have += value != cr_form_none(f->form);
	cr_mapped_vector_push(&f->values, &value, sizeof(value));
}

/* The profile owns the values from now on. */
static struct cr_field
field_end(struct cr_profile *p, struct cr_added_field *f)
{
	struct cr_field out = {
		.name = cr_str_of(f->name), .event = f->event, .form = (uint8_t)f->form};

	cr_mapped_vector_end(&f->values);
	out.n = f->values.len / sizeof(uint64_t);
	out.filed = f->values.filed;
	out.value = cr_arena_adopt_mapping(&p->arena, f->values.p, f->values.cap);
	f->values = (struct cr_mapped_vector){0};
	return out;
}

void
cr_add_fields_end(struct cr_add_fields *a)
{
	struct cr_profile *p = a->p;
	struct cr_field *all =
		cr_arena_array(&p->arena, (uint64_t)p->n_fields + a->fields.n, sizeof(*all));
	uint32_t n = 0, old = 0;

	for (uint32_t e = 0; e < p->n_events; e++) { /* fields are sorted by event */
		for (; old < p->n_fields && p->fields[old].event.i <= e; old++)
			all[n++] = p->fields[old];
		for (size_t i = 0; i < a->fields.n; i++)
			if (a->fields.p[i]->event.i == e && a->fields.p[i]->have)
				all[n++] = field_end(p, a->fields.p[i]);
	}
	p->n_texts = (uint32_t)a->texts.rows.n;
	p->texts = cr_arena_adopt(&p->arena, a->texts.rows.p);
	a->texts.rows.p = NULL;
	cr_fields_sum_up(all, n, p->n_texts);
	p->fields = all;
	p->n_fields = n;
	for (size_t i = 0; i < a->fields.n; i++) {
		cr_mapped_vector_fini(&a->fields.p[i]->values);
		free(a->fields.p[i]);
	}
	cr_vec_fini(&a->fields);
	cr_strings_fini(&a->texts);
}
