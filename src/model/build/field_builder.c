#include "field_builder_p.h"

#include <assert.h>
#include <stdlib.h>

#include "model/field.h"

#define MOST_FIELDS 4096u
#define MOST_FILED 128u /* fields whose values may be in a file, which needs a descriptor */

cr_field_id
cr_field_builder_row(
	struct cr_field_builder *d, cr_event_id event, struct cr_str name, enum cr_form form)
{
	const uint64_t h = cr_hash_mix((uint64_t)(uintptr_t)name.p, event.i);
	uint32_t row;

	cr_index_each(&d->index, h, row) {
		const struct cr_filling *f = &d->rows.p[row];

		if (f->event.i == event.i && f->form == form && f->name.p == name.p)
			return (cr_field_id){row};
	}
	row = (uint32_t)d->rows.n;
	if (row == MOST_FIELDS) {
		d->over_fields++;
		return (cr_field_id){CR_NO_ROW};
	}
	cr_vec_push(&d->rows, ((struct cr_filling){.name = name,
				      .event = event,
				      .form = (uint8_t)form,
				      .value.no_file = row >= MOST_FILED}));
	cr_index_add(&d->index, h, row);
	return (cr_field_id){row};
}

static uint64_t
values_of(const struct cr_filling *f)
{
	return f->value.len / sizeof(uint64_t);
}

/* Extend the column to n rows; new rows have no value. */
static void
fill_up(struct cr_filling *f, uint64_t n)
{
	const uint64_t none = cr_form_none(f->form);

	while (values_of(f) < n)
		cr_mapped_vector_push(&f->value, &none, sizeof(none));
}

void
cr_field_builder_nth(struct cr_field_builder *d, cr_field_id field, uint64_t n, uint64_t value)
{
	struct cr_filling *f;

	if (field.i == CR_NO_ROW)
		return;
	f = &d->rows.p[field.i];
	assert(f->form != CR_FORM_TEXT || value < d->texts.rows.n ||
		value == cr_form_none(CR_FORM_TEXT));
	if (values_of(f) < n) {
		if (value == cr_form_none(f->form))
			return;
		if (n - values_of(f) > d->most_values - d->values) {
			d->over_values++;
			return;
		}
		d->values += n - values_of(f);
		fill_up(f, n);
	}
	memcpy(f->value.p + (n - 1) * sizeof(value), &value, sizeof(value));
}

void
cr_field_builder_value(struct cr_field_builder *d, cr_field_id field, uint64_t value,
	const struct cr_event *events)
{
	uint64_t n;

	if (field.i == CR_NO_ROW)
		return;
	n = events[d->rows.p[field.i].event.i].samples;
	assert(n > 0);
	cr_field_builder_nth(d, field, n, value);
}

uint64_t
cr_field_builder_text(struct cr_field_builder *d, struct cr_strings *strings,
	struct cr_arena *arena, struct cr_str text)
{
	const size_t known = d->texts.rows.n;
	const bool is_long = text.len >= CR_STRINGS_LONG;
	uint32_t row;

	if (text.len > d->most_text_bytes - d->text_bytes) {
		d->over_texts++;
		return cr_form_none(CR_FORM_TEXT);
	}
	if (is_long) /* it has an address that is known, and is not kept twice */
		text = cr_strings_keep(strings, arena, text);
	row = cr_strings_intern(&d->texts, is_long ? NULL : arena, text);
	if (d->texts.rows.n > known)
		d->text_bytes += text.len;
	return row;
}

void
cr_field_builder_renumber(struct cr_field_builder *d, const uint16_t *number)
{
	for (size_t i = 0; i < d->rows.n; i++)
		d->rows.p[i].event.i = number[d->rows.p[i].event.i];
}

static bool
has_value(const struct cr_filling *f)
{
	const uint64_t none = cr_form_none(f->form), *value = (const void *)f->value.p;

	for (uint64_t i = 0; i < values_of(f); i++)
		if (value[i] != none)
			return true;
	return false;
}

/* Move the whole column of n samples to the profile's memory. */
static struct cr_field
move_column(struct cr_filling *f, uint64_t n, struct cr_profile *p)
{
	struct cr_field field = {
		.name = f->name, .event = f->event, .form = f->form, .code = f->code, .n = n};

	fill_up(f, n);
	cr_mapped_vector_end(&f->value);
	field.value = cr_arena_adopt_mapping(&p->arena, f->value.p, f->value.cap);
	field.filed = f->value.filed;
	f->value = (struct cr_mapped_vector){0};
	return field;
}

static int
by_event(const void *x, const void *y)
{
	const struct cr_filling *const *a = x, *const *b = y;

	if ((*a)->event.i != (*b)->event.i)
		return (*a)->event.i < (*b)->event.i ? -1 : 1;
	return (*a > *b) - (*a < *b); /* rows of one table, so this is the order of the reader */
}

/* The rows to keep, in the order of the profile. */
static size_t
rows_to_keep(struct cr_field_builder *d, const struct cr_event *events, struct cr_filling **out)
{
	uint64_t left = d->most_values;
	size_t kept = 0;

	for (size_t i = 0; i < d->rows.n; i++) {
		struct cr_filling *f = &d->rows.p[i];

		if (!has_value(f))
			continue;
		if (events[f->event.i].samples > left) {
			d->over_values += values_of(f);
			continue;
		}
		left -= events[f->event.i].samples;
		out[kept++] = f;
	}
	qsort(out, kept, sizeof(*out), by_event);
	return kept;
}

void
cr_field_builder_finish(
	struct cr_field_builder *d, const struct cr_event *events, struct cr_profile *p)
{
	struct cr_filling **keep = cr_alloc(d->rows.n, sizeof(*keep));
	const size_t n = rows_to_keep(d, events, keep);
	struct cr_field *fields = cr_arena_adopt(&p->arena, cr_alloc(n, sizeof(*fields)));

	for (size_t i = 0; i < n; i++)
		fields[i] = move_column(keep[i], events[keep[i]->event.i].samples, p);
	cr_fields_sum_up(fields, (uint32_t)n, (uint32_t)d->texts.rows.n);
	p->fields = fields;
	p->n_fields = (uint32_t)n;
	p->texts = cr_arena_adopt(&p->arena, d->texts.rows.p);
	p->n_texts = (uint32_t)d->texts.rows.n;
	d->texts.rows.p = NULL;
	free(keep);
	cr_field_builder_fini(d);
}

void
cr_field_builder_fini(struct cr_field_builder *d)
{
	for (size_t i = 0; i < d->rows.n; i++)
		cr_mapped_vector_fini(&d->rows.p[i].value);
	cr_vec_fini(&d->rows);
	cr_index_fini(&d->index);
	cr_strings_fini(&d->texts);
}
