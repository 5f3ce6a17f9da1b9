#include "groups_p.h"

#include "base/hash.h"
#include "model/columns.h"
#include "model/field.h"

#include <stdlib.h>

#define MOST_GROUPS 65536u

/* The distinct values, in order of appearance. */
struct values {
	const struct cr_profile *p;
	const struct cr_field *d;
	struct cr_groups *out; /* it has one name more than values if there are too many */
	CR_VEC(uint64_t) values;
	struct cr_index index;
};

static void
value_name(struct values *v, const char *before, const uint64_t *value)
{
	struct cr_text t = {0};

	cr_text_puts(&t, before);
	cr_text_str(&t, v->d->name);
	if (value) {
		cr_text_char(&t, '=');
		/* Unchanged: drawing makes it safe. */
		if (v->d->form == CR_FORM_TEXT)
			cr_text_str(&t, v->p->texts[*value]);
		else
			cr_field_put(v->p, v->d, *value, &t);
	}
	cr_vec_push(&v->out->names,
		((struct cr_str){cr_arena_copy(&v->out->made, t.p, t.len), (uint32_t)t.len}));
	cr_text_fini(&t);
}

static uint32_t
value_row(struct values *v, uint64_t value)
{
	const bool none = value == cr_form_none(v->d->form);
	const uint64_t h = cr_hash_mix(value, 0);
	uint32_t row;

	cr_index_each(&v->index, h, row)
		if (v->values.p[row] == value)
			return row;
	row = (uint32_t)v->values.n;
	if (row == MOST_GROUPS) {
		if (v->out->names.n == MOST_GROUPS)
			value_name(v, "other ", NULL);
		return MOST_GROUPS;
	}
	cr_vec_push(&v->values, value);
	value_name(v, none ? "no " : "", none ? NULL : &value);
	cr_index_add(&v->index, h, row);
	return row;
}

void
cr_groups_make(const struct cr_profile *p, const uint8_t *sel, const struct cr_field *d,
	struct cr_groups *out)
{
	const struct cr_event_column events = cr_column_events(p);
	struct values v = {.p = p, .d = d, .out = out};
	uint64_t row = 0;

	cr_needed(p, CR_NEEDS_FIELDS);
	*out = (struct cr_groups){.of_sample = cr_alloc(p->samples.n, sizeof(*out->of_sample))};
	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		if (sel[i])
			out->of_sample[i] = value_row(&v, d->value[row]);
		row += cr_event_of(&events, i) == d->event.i;
	}
	cr_vec_fini(&v.values);
	cr_index_fini(&v.index);
}

void
cr_groups_fini(struct cr_groups *g)
{
	free(g->of_sample);
	cr_vec_fini(&g->names);
	cr_arena_fini(&g->made);
}
