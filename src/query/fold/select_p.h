#ifndef CR_QUERY_FOLD_SELECT_P_H
#define CR_QUERY_FOLD_SELECT_P_H

#include "model/columns.h"
#include "query/fold/select.h"

/*
 * A filter prepared for one profile: tables that tell for each task, cpu and node whether its
 * samples are selected.
 */
struct cr_selector {
	const struct cr_profile *p;
	cr_event_id event;                      /* the filter's, or the main event */
	uint8_t *events, *tasks, *cpus, *nodes; /* NULL: no condition */
	struct cr_time *times;                  /* all in ns */
	size_t n_times;
	uint64_t first_ns;                /* start of the times */
	struct cr_selector_field *fields; /* conditions on fields, one for each name */
	size_t n_fields;
	uint8_t *switched; /* by row: between two switches; NULL: no condition */
	uint8_t *zones;    /* zones that may contain selected rows; NULL: all */
	bool has_columns;  /* `columns` is filled */
	struct {
		const uint64_t *times;
		const uint32_t *tasks, *nodes;
		const uint16_t *cpus;
		struct cr_event_column events;
	} columns;
};

/* Fails like cr_select(). Call cr_selector_fini() in any case. */
int cr_selector_init(struct cr_selector *s, const struct cr_profile *p, const struct cr_filter *f,
	struct cr_err *err);
void cr_selector_fini(struct cr_selector *s);

/* True if every row is selected. */
bool cr_selector_is_all(const struct cr_selector *s);

/*
 * Find the next rows to examine: *row becomes the first at or after it that may be selected, *end
 * the end of the range. False if there is none.
 */
bool cr_selector_next(const struct cr_selector *s, uint64_t *row, uint64_t *end);

/*
 * A column, for callers that access only rows that may be selected; it must have been read for
 * these.
 */
const void *cr_selector_column(const struct cr_selector *s, enum cr_sample_column c);
struct cr_event_column cr_selector_events(const struct cr_selector *s);

/*
 * Store one byte for each row, 1 if selected. If there are conditions on fields, ranges must be
 * requested in order and without gaps.
 */
void cr_selector_rows(struct cr_selector *s, uint64_t from, uint64_t to, uint8_t *out);

/*
 * _span(): the first and the last time of all samples; UINT64_MAX and 0 if none has a time. If
 * some sample has no time, the column of times is used, which must have been read; otherwise the
 * zones are enough. _share(): a number of millionths of a length.
 */
void cr_selector_span(const struct cr_profile *p, uint64_t *first, uint64_t *last);
uint64_t cr_selector_share(uint64_t whole, uint64_t millionths);

/* Whether the times from least to most of some rows, in ns of the recording, are selected. */
enum cr_selector_part { CR_SELECTOR_NONE, CR_SELECTOR_SOME, CR_SELECTOR_ALL };
enum cr_selector_part cr_selector_times(
	const struct cr_selector *s, uint64_t least_ns, uint64_t most_ns);

/* CR_EUSAGE if p lacks what f asks for. */
int cr_selector_can(const struct cr_profile *p, const struct cr_filter *f, struct cr_err *err);

/* Returns an array by dso: 1 if f selects stacks whose leaf is in it. The caller frees it. */
uint8_t *cr_selector_dsos(const struct cr_profile *p, const struct cr_filter *f);

/* True if s is in the list, or the list is empty. */
bool cr_selector_any(const struct cr_strs *any, struct cr_str s);

#endif
