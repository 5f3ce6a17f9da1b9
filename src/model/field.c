#include "model/field.h"

#include <stdlib.h>

/*
 * Address range of a 64-bit kernel. Counters never reach it; error numbers, -1 to -4095, are above
 * it.
 */
#define KERNEL_LOWEST ((uint64_t)0xffff << 48)
#define KERNEL_HIGHEST ((uint64_t)-4096)

const char *
cr_form_name(enum cr_form form)
{
	static const char *const names[CR_FORMS] = {
		[CR_FORM_NUMBER] = "number",
		[CR_FORM_SIGNED] = "signed",
		[CR_FORM_HEX] = "hex",
		[CR_FORM_TEXT] = "text",
	};

	return names[form];
}

const struct cr_field *
cr_field_find(const struct cr_profile *p, cr_event_id event, struct cr_str name)
{
	for (uint32_t i = 0; i < p->n_fields; i++)
		if (p->fields[i].event.i == event.i && cr_str_eq(p->fields[i].name, name))
			return &p->fields[i];
	return NULL;
}

bool
cr_field_exists(const struct cr_profile *p, struct cr_str name)
{
	for (uint32_t i = 0; i < p->n_fields; i++)
		if (cr_str_eq(p->fields[i].name, name))
			return true;
	return false;
}

void
cr_field_put(
	const struct cr_profile *p, const struct cr_field *d, uint64_t value, struct cr_text *out)
{
	if (value == cr_form_none(d->form))
		return;
	switch ((enum cr_form)d->form) {
	case CR_FORM_SIGNED:
		if ((int64_t)value < 0)
			cr_text_char(out, '-');
		cr_text_u64(out, (int64_t)value < 0 ? 0 - value : value);
		return;
	case CR_FORM_HEX:
		cr_text_puts(out, "0x");
		cr_text_hex(out, value);
		return;
	case CR_FORM_TEXT: cr_text_safe(out, p->texts[value]); return;
	default:
		if (value < KERNEL_LOWEST || value > KERNEL_HIGHEST) {
			cr_text_u64(out, value);
			return;
		}
		cr_text_puts(out, "0x");
		cr_text_hex(out, value);
	}
}

/* Map signed values to unsigned ones in the same order. */
static uint64_t
rank_of(enum cr_form form, uint64_t value)
{
	return form == CR_FORM_SIGNED ? value ^ (uint64_t)1 << 63 : value;
}

/* seen[text] is the number of the last field that contained it, so one array serves all fields. */
static void
sum_up_texts(struct cr_field *d, uint32_t number, uint32_t *seen)
{
	for (uint64_t i = 0; i < d->n; i++) {
		const uint64_t text = d->value[i];

		cr_field_sweep(d, i);
		if (text == cr_form_none(CR_FORM_TEXT))
			continue;
		d->have++;
		d->distinct += seen[text] != number;
		seen[text] = number;
	}
}

static void
sum_up_numbers(struct cr_field *d)
{
	const uint64_t none = cr_form_none(d->form);
	uint64_t least = UINT64_MAX, most = 0;

	for (uint64_t i = 0; i < d->n; i++) {
		const uint64_t rank = rank_of(d->form, d->value[i]);

		cr_field_sweep(d, i);
		if (d->value[i] == none)
			continue;
		d->have++;
		least = CR_MIN(least, rank);
		most = CR_MAX(most, rank);
	}
	if (d->have) {
		d->least = rank_of(d->form, least); /* rank_of() is its own inverse */
		d->most = rank_of(d->form, most);
	}
}

void
cr_fields_sum_up(struct cr_field *fields, uint32_t n, uint32_t n_texts)
{
	uint32_t *seen = cr_alloc(n_texts, sizeof(*seen));

	for (uint32_t i = 0; i < n; i++) {
		struct cr_field *d = &fields[i];

		d->have = d->least = d->most = d->distinct = 0;
		if (d->form == CR_FORM_TEXT)
			sum_up_texts(d, i + 1, seen);
		else
			sum_up_numbers(d);
	}
	free(seen);
}
