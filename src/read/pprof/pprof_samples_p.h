#ifndef CR_READ_PPROF_TEXT_PPROF_P_H
#define CR_READ_PPROF_TEXT_PPROF_P_H

#include "read/kit/stacks_p.h"

/*
 * What the ways to write a pprof profile share: each sample has a value of every type ("samples",
 * "cpu"), and each type is an event. One of them is shown first.
 */
struct cr_pprof_type {
	struct cr_str name, unit;    /* as the profile has them */
	cr_event_id event, negative; /* negative: of values below zero, with their magnitude; of the
					main type "negative" */
	bool has_negative;
	bool used; /* it has samples */
};

#define CR_PPROF_TYPES_MAX 256u

struct cr_pprof_types {
	struct cr_pprof_type row[CR_PPROF_TYPES_MAX];
	uint32_t n, main;
};

/*
 * Make the events of one type or more, the main one first: that called `main`, else the last. Types
 * of one name are told apart by their units.
 */
void cr_pprof_events(struct cr_pprof_types *t, struct cr_builder *b, struct cr_str main);

/*
 * After all samples: which event is the main one. The last that has samples, where that has none.
 */
void cr_pprof_set_main(const struct cr_pprof_types *t, struct cr_builder *b);

/* What is said of a sample beside its values. */
struct cr_pprof_label {
	struct cr_str name;
	enum cr_form form; /* CR_FORM_TEXT or CR_FORM_SIGNED */
	uint64_t value;    /* a row of the builder's texts, or a number */
};

struct cr_pprof_labels {
	CR_VEC(struct cr_pprof_label) row;
	struct cr_text thread; /* name and numbers of a thread, where labels have them */
	int32_t pid, tid;      /* -1 when not */
	uint64_t time_ns;
	bool has_task;
	cr_address_space_id space; /* of all tasks */
};

/* For the next sample. A key that says which thread it was, or when, is heard. */
void cr_pprof_labels_clear(struct cr_pprof_labels *l);
void cr_pprof_labels_fini(struct cr_pprof_labels *l);
void cr_pprof_label_text(
	struct cr_pprof_labels *l, struct cr_builder *b, struct cr_str key, struct cr_str text);
void cr_pprof_label_number(struct cr_pprof_labels *l, struct cr_str key, int64_t number);

/*
 * The functions of one place, the innermost first: is there one with a name? Then those without are
 * called unknown.
 */
bool cr_pprof_names_ready(struct cr_named *named, size_t n);

/*
 * A sample of each type whose value is not 0, with the frames that were handed over, the innermost
 * first: none is left. n values, as many as there are types or fewer.
 */
void cr_pprof_sample(struct cr_stacks *s, struct cr_pprof_types *t, const int64_t *value, size_t n,
	const struct cr_pprof_labels *l);

#endif
