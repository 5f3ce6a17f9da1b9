#ifndef CR_QUERY_FOLD_DERIVED_H
#define CR_QUERY_FOLD_DERIVED_H

#include "base/err.h"
#include "base/str.h"
#include "base/text.h"
#include "model/profile.h"

/*
 * Keys of samples that are computed from other values of the sample: "mem" from the data source,
 * "time" from the time, "parent" from the stack. They are used like fields and have the names that
 * perf report gives them. A key may have an argument behind a slash:
 *
 *	time/10ms	intervals of this length; 100ms without an argument
 *	parent/RE	the first function, from the outermost one, that matches; parent/-RE: from
 *			the innermost one. Without an argument as in perf: ^sys_|^do_page_fault
 *
 * A field of the event hides a key of the same name, unless the key is made from this field.
 */
struct cr_derived;

/* The key of a word, with or without an argument; NULL if there is none. */
const struct cr_derived *cr_derived_find(struct cr_str word);

/* The i-th key, from 0 on; NULL if i is too large. */
const struct cr_derived *cr_derived_at(size_t i);

const char *cr_derived_word(const struct cr_derived *d);
const char *cr_derived_head(const struct cr_derived *d); /* of a column of a table, as in perf */

/* Append "struct node +0x8 (next)" for the nth sample of the event of the field "type". */
void cr_type_offset_put(
	const struct cr_profile *p, const struct cr_field *type, uint64_t nth, struct cr_text *out);

/* The field that its values are made from; NULL if none. */
const char *cr_derived_field(const struct cr_derived *d);

/* Bits of enum cr_needs that the values are made from. */
unsigned cr_derived_needs(const struct cr_derived *d);

/* True if the word means a field of the event instead, or if it is no key. */
bool cr_derived_hidden(const struct cr_profile *p, cr_event_id event, struct cr_str word);

/* CR_EUSAGE if the argument of a key is invalid. Words that are not keys are valid. */
int cr_derived_check(struct cr_str word, struct cr_err *err);

#endif
