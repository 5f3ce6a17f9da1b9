#ifndef CR_BASE_LOG_H
#define CR_BASE_LOG_H

#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Warnings, counted by kind, of each kind the first one kept whole. A log belongs to one job
 * (an ingest, an open); whoever runs the job decides what is shown. At most CR_LOG_KINDS kinds
 * are told apart, further ones fall into the last.
 */
#define CR_LOG_KINDS 64
#define CR_LOG_LINES 20

struct cr_log {
	struct cr_log_entry {
		const char *kind; /* a literal: "sample of an unknown event" */
		uint64_t count;
		uint64_t offset; /* of the first; CR_NO_OFFSET where there is none */
		uint64_t line;   /* of the first, in a text; 0 where there is none */
		char first[160]; /* field of the first; may be empty */
	} entries[CR_LOG_KINDS];
	size_t n;
	/* Of the lines of a text, the first that were warned of, of whatever kind. */
	struct cr_log_place {
		const char *why; /* a literal: "no-count" */
		uint64_t line;   /* from 1 */
		char text[84];   /* how it begins */
	} places[CR_LOG_LINES];
	size_t n_places;
	/*
	 * The lines of a text, each of which was used, was not used and its reason counted above,
	 * or is no part of the profile in a text that has other things in it. The three add up to
	 * the first.
	 */
	uint64_t lines, lines_used, lines_told, lines_passed;
};

void cr_log_warn(struct cr_log *log, const char *kind, uint64_t offset, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* So many more of a kind, the first in this line of a text. */
void cr_log_count(struct cr_log *log, const char *kind, uint64_t count, uint64_t line);

/* A line of a text that something is wrong with; past the room for such lines it is not kept. */
void cr_log_line(struct cr_log *log, const char *why, uint64_t line, struct cr_str text);

#endif
