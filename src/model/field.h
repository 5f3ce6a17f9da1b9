#ifndef CR_MODEL_FIELD_H
#define CR_MODEL_FIELD_H

#include "model/profile.h"

/* "number", "signed", "hex", "text" */
const char *cr_form_name(enum cr_form form);

/*
 * The field of `event` with this name, the first if there are several (of different forms); NULL if
 * there is none. Borrowed from p.
 */
const struct cr_field *cr_field_find(
	const struct cr_profile *p, cr_event_id event, struct cr_str name);

/* True if any event has a field of this name. */
bool cr_field_exists(const struct cr_profile *p, struct cr_str name);

/*
 * Append a value for people and programs: 12, -3, 0x7f00, or a text made safe for a terminal.
 * Numbers in the range of kernel addresses are printed in hexadecimal too. Appends nothing for
 * cr_form_none().
 */
void cr_field_put(
	const struct cr_profile *p, const struct cr_field *d, uint64_t value, struct cr_text *out);

/*
 * Compute have, least, most and distinct of n fields from their values. n_texts: number of rows
 * that texts refer to.
 */
void cr_fields_sum_up(struct cr_field *fields, uint32_t n, uint32_t n_texts);

/*
 * Turn fields whose values are code addresses into text fields. Call it when the locations have
 * their functions. The text is the function of the location at the address. If there is no such
 * location, or it has no name, it is the address in hexadecimal.
 */
void cr_fields_name_code(struct cr_profile *p);

#endif
