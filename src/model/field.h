#ifndef CR_MODEL_FIELD_H
#define CR_MODEL_FIELD_H

#include "model/profile.h"

/* "number", "signed", "hex", "text" */
const char *cr_form_name(enum cr_form form);

/* The event's field of this name, of several the first; NULL if there is none. */
const struct cr_field *cr_field_find(
	const struct cr_profile *p, cr_event_id event, struct cr_str name);

/*
 * A value for people and programs, appended: 12, -3, 0x7f00, or a text made safe for a terminal. A
 * number that only a kernel address can be is hexadecimal, too. Nothing for the value of a sample
 * that has none.
 */
void cr_field_put(
	const struct cr_profile *p, const struct cr_field *d, uint64_t value, struct cr_text *out);

/*
 * Fill in have, least, most and distinct of n fields from their values; texts are rows of n_texts.
 */
void cr_fields_sum_up(struct cr_field *fields, uint32_t n, uint32_t n_texts);

/*
 * Once locations have their functions: fields whose values are addresses of code become texts, the
 * function of the location at the address, or the address in hexadecimal where there is none or it
 * has no name.
 */
void cr_fields_name_code(struct cr_profile *p);

#endif
