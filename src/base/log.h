#ifndef CR_BASE_LOG_H
#define CR_BASE_LOG_H

#include "base/str.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Warnings, counted by kind; the first of each kind is stored in full. A log belongs to one job (an
 * ingest, an open); the owner of the job decides what to print. At most CR_LOG_KINDS kinds are
 * counted separately; further ones count for the last.
 */
#define CR_LOG_KINDS 64
#define CR_LOG_LINES 20

struct cr_log {
	struct cr_log_entry {
		const char *kind; /* a string literal: "sample of an unknown event" */
		uint64_t count;
		uint64_t offset; /* of the first; CR_NO_OFFSET if unknown */
		uint64_t line;   /* line number of the first in a text, from 1; 0 if unknown */
		char first[160]; /* message of the first; may be empty */
	} entries[CR_LOG_KINDS];
	size_t n;
	/* The first lines of a text with a warning of any kind. */
	struct cr_log_place {
		const char *why; /* a string literal: "no-count" */
		uint64_t line;   /* from 1 */
		char text[84];   /* start of the line */
	} places[CR_LOG_LINES];
	size_t n_places;
	/*
	 * Line counts of a text: all lines; those used; those not used and counted in a warning
	 * above; those skipped because they are not part of the profile. The last three add up to
	 * the first.
	 */
	uint64_t lines, lines_used, lines_told, lines_passed;
};

/*
 * Count one warning of `kind`, a string literal. If it is the first of its kind, store offset and
 * message.
 */
void cr_log_warn(struct cr_log *log, const char *kind, uint64_t offset, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Append a warning as one line without its end: its kind, how often, and where the first was. Bytes
 * that a terminal would obey are escaped.
 */
void cr_log_put(const struct cr_log_entry *e, struct cr_text *out);

/* Add `count` to a kind. line: number of the first such line of a text; 0 if unknown. */
void cr_log_count(struct cr_log *log, const char *kind, uint64_t count, uint64_t line);

/* Record a faulty line of a text; ignored after CR_LOG_LINES lines. */
void cr_log_line(struct cr_log *log, const char *why, uint64_t line, struct cr_str text);

#endif
