#ifndef CR_BASE_LOG_H
#define CR_BASE_LOG_H

#include <stddef.h>
#include <stdint.h>

/*
 * Warnings, counted by kind, of each kind the first one kept whole. A log belongs to one job
 * (an ingest, an open); whoever runs the job decides what is shown. At most CR_LOG_KINDS kinds
 * are told apart, further ones fall into the last.
 */
#define CR_LOG_KINDS 64

struct cr_log {
	struct cr_log_entry {
		const char *kind; /* a literal: "sample of an unknown event" */
		uint64_t count;
		uint64_t offset;  /* of the first; CR_NO_OFFSET where there is none */
		char first[160];  /* detail of the first; may be empty */
	} entries[CR_LOG_KINDS];
	size_t n;
};

void cr_log_warn(struct cr_log *log, const char *kind, uint64_t offset, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
