#ifndef CR_MODEL_BUILD_ADD_FIELDS_H
#define CR_MODEL_BUILD_ADD_FIELDS_H

#include "base/mapped_vector.h"
#include "model/build/string_table.h"
#include "model/profile.h"

/*
 * Fields that are computed when a profile is complete, such as names of data.
 *
 *	cr_add_fields_begin(&a, p)
 *	struct cr_added_field *f = cr_add_fields_new(&a, event, "data_symbol", CR_FORM_TEXT)
 *	cr_add_fields_value(f, value)       for each sample of the event, in order
 *	cr_add_fields_end(&a)
 */
struct cr_added_field {
	const char *name;
	cr_event_id event;
	enum cr_form form;
	uint64_t have; /* number of values */
	struct cr_mapped_vector values;
};

struct cr_add_fields {
	struct cr_profile *p;
	struct cr_strings texts;
	CR_VEC(struct cr_added_field *) fields;
};

void cr_add_fields_begin(struct cr_add_fields *a, struct cr_profile *p);

/* name: a literal. The field is borrowed until cr_add_fields_end(). */
struct cr_added_field *cr_add_fields_new(
	struct cr_add_fields *a, cr_event_id event, const char *name, enum cr_form form);

/* The row of a text, for a value. */
uint64_t cr_add_fields_text(struct cr_add_fields *a, struct cr_str s);

/* Append the value of the next sample; cr_form_none() for none. */
void cr_add_fields_value(struct cr_added_field *f, uint64_t value);

/* Add the fields that have a value to the profile, and free a. */
void cr_add_fields_end(struct cr_add_fields *a);

#endif
