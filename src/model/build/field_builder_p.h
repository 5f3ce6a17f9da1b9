#ifndef CR_MODEL_BUILD_FIELD_BUILDER_P_H
#define CR_MODEL_BUILD_FIELD_BUILDER_P_H

#include "base/mapped_vector.h"
#include "base/vec.h"
#include "model/profile.h"
#include "string_table.h"

/* A field being filled, with values up to the last sample that has one. */
struct cr_filling {
	struct cr_str name;
	cr_event_id event;
	uint8_t form;                  /* enum cr_form */
	uint8_t code;                  /* enum cr_code_form */
	struct cr_mapped_vector value; /* uint64_t */
};

/* The fields of a profile being built. All zero bytes is an empty one without limits set. */
struct cr_field_builder {
	uint64_t most_values, most_text_bytes;
	CR_VEC(struct cr_filling) rows;
	struct cr_index index;
	struct cr_strings texts;
	uint64_t values, text_bytes; /* totals so far */
	/* Number of dropped fields, values and texts. */
	uint64_t over_fields, over_values, over_texts;
};

/*
 * Return the field with these values; add it if it is new. The name is an interned string, so equal
 * names have the same address. Its bytes must live as long as the profile.
 */
cr_field_id cr_field_builder_row(
	struct cr_field_builder *d, cr_event_id event, struct cr_str name, enum cr_form form);

/*
 * Set the value of the last sample of the field's event. events: their sample counts say which
 * sample is the last.
 */
void cr_field_builder_value(struct cr_field_builder *d, cr_field_id field, uint64_t value,
	const struct cr_event *events);

/* The same for the n-th sample of the field's event; n is 1 for the first. */
void cr_field_builder_nth(
	struct cr_field_builder *d, cr_field_id field, uint64_t n, uint64_t value);

/*
 * Return the value for a text, which is copied to the arena the first time; cr_form_none() beyond
 * the limit. A long one becomes a row of `strings`, and is recognised by the address of that.
 */
uint64_t cr_field_builder_text(struct cr_field_builder *d, struct cr_strings *strings,
	struct cr_arena *arena, struct cr_str text);

/* Renumber the events: number[old] is the new number. */
void cr_field_builder_renumber(struct cr_field_builder *d, const uint16_t *number);

/*
 * Move all fields to p, whose events will be `events`. d is empty afterwards, except for the counts
 * of dropped items.
 */
void cr_field_builder_finish(
	struct cr_field_builder *d, const struct cr_event *events, struct cr_profile *p);
void cr_field_builder_fini(struct cr_field_builder *d);

#endif
