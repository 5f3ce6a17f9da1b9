#ifndef CR_READ_PPROF_PPROF_SAMPLES_P_H
#define CR_READ_PPROF_PPROF_SAMPLES_P_H

#include "bytes/cursor.h"
#include "read/kit/stacks_p.h"

/*
 * Shared by the readers of pprof formats: each sample has a value of every type ("samples", "cpu"),
 * and each type is an event. One of them is the main event.
 */
struct cr_pprof_type {
	struct cr_str name, unit; /* as in the profile */
	/*
	 * negative: event for values below zero, with their magnitude; for the main type it is
	 * named "negative".
	 */
	cr_event_id event, negative;
	bool has_negative;
	bool used; /* it has samples */
};

#define CR_PPROF_TYPES_MAX 256u

struct cr_pprof_types {
	struct cr_pprof_type row[CR_PPROF_TYPES_MAX];
	uint32_t n, main;
};

/*
 * Create the events of at least one type, the main one first: the one named `main`, otherwise the
 * last. Types with one name are distinguished by their units.
 */
void cr_pprof_events(struct cr_pprof_types *t, struct cr_builder *b, struct cr_str main);

/* After all samples: set the main event. If that has no samples, the last one with samples. */
void cr_pprof_set_main(const struct cr_pprof_types *t, struct cr_builder *b);

/* A label of a sample. */
struct cr_pprof_label {
	struct cr_str name;
	enum cr_form form; /* CR_FORM_TEXT or CR_FORM_SIGNED */
	uint64_t value;    /* a row of the builder's texts, or a number */
};

struct cr_pprof_labels {
	CR_VEC(struct cr_pprof_label) row;
	struct cr_str thread; /* name and numbers of a thread, if there are such labels */
	struct cr_text room;  /* buffer for the name */
	int32_t pid, tid;     /* -1 if unknown */
	uint16_t cpu;         /* CR_CPU_NONE if unknown */
	uint64_t time_ns;
	bool has_task;
	bool by_comm;              /* the name of the thread is a label "comm" */
	cr_address_space_id space; /* of all tasks */
};

/* Labels of the next sample. Keys that name the thread or the time set those instead. */
void cr_pprof_labels_clear(struct cr_pprof_labels *l);
void cr_pprof_labels_fini(struct cr_pprof_labels *l);
void cr_pprof_label_text(
	struct cr_pprof_labels *l, struct cr_builder *b, struct cr_str key, struct cr_str text);
void cr_pprof_label_number(struct cr_pprof_labels *l, struct cr_str key, int64_t number);

/*
 * The messages of a source line and of a function, in pprof and in OpenTelemetry. Strings and
 * functions are numbers of the file. name_field: the number of the field with the function's name;
 * its system name and its file have the next two.
 */
struct cr_pprof_line {
	uint64_t function;
	uint32_t line; /* 0 if unknown */
};

struct cr_pprof_function {
	uint64_t name, system_name, file;
};

struct cr_pprof_line cr_pprof_line_read(struct cr_cursor message);
struct cr_pprof_function cr_pprof_function_read(struct cr_cursor message, uint32_t name_field);

/*
 * Prepare the functions of one location, innermost first. If one has a name, those without become
 * "unknown" and it returns true.
 */
bool cr_pprof_names_ready(struct cr_named *named, size_t n);

/*
 * Add a sample for each type whose value is not 0, with the frames added before, innermost first.
 * value: n values, at most as many as types.
 */
void cr_pprof_sample(struct cr_stacks *s, struct cr_pprof_types *t, const int64_t *value, size_t n,
	const struct cr_pprof_labels *l);

/* The same for a stack that has a node already. */
void cr_pprof_sample_at(struct cr_stacks *s, struct cr_pprof_types *t, cr_node_id node,
	const int64_t *value, size_t n, const struct cr_pprof_labels *l);

#endif
