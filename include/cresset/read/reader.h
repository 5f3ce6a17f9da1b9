#ifndef CR_READ_READER_H
#define CR_READ_READER_H

#include "cresset/base/err.h"
#include "cresset/base/log.h"
#include "cresset/base/progress.h"
#include "cresset/profile/builder.h"

#include <stdbool.h>
#include <stddef.h>

struct cr_source;
struct cr_symbol_opts;

/* One input, all of it, borrowed from a source. What may be NULL is so for input from memory. */
struct cr_input {
	const unsigned char *p;
	size_t len;
	struct cr_source *source;       /* whose bytes they are, for cr_source_done(); may be NULL */
	const struct cr_input *streams; /* data.0, data.1 and on of a recording that is a folder; may be NULL */
	size_t n_streams;               /* they have no streams themselves */
};

struct cr_read_opts {
	const struct cr_progress *progress; /* may be NULL */
	struct cr_log *log;                 /* never NULL: damage is counted here */
	const struct cr_symbol_opts *symbol; /* where jitdumps are; NULL: only the input is read */
	const char *unit;                   /* of the weights of a text that does not say; NULL: the format's own */
};

/*
 * What a reader is shown to say whether an input is its own: the first 64 KiB, or all when shorter.
 * Of text a line that is cut off at the end of 64 KiB is left out, unless there is no other.
 */
struct cr_head {
	const unsigned char *p;
	size_t len;
	bool whole;        /* it is the whole input */
	bool binary;       /* there is a NUL in its first 4 KiB */
};

/*
 * Bits of evidence: that a magic number stands at the start; that a line says which format it is; that
 * most lines look like it; that some do.
 */
#define CR_EVIDENCE_MAGIC 64u
#define CR_EVIDENCE_SIGNATURE 40u
#define CR_EVIDENCE_SHAPE 16u
#define CR_EVIDENCE_WEAK 8u

/*
 * An input format: one file, one line in readers.def.
 *
 * probe   how much evidence there is, 0 for none; *line gets the number of the line that tells, if
 *         there is one
 * read    drives the builder. Damage in the middle is logged and what is readable is kept;
 *         fails only when nothing of the input can be read.
 */
struct cr_reader {
	const char *name;  /* "perf.data" */
	const char *about; /* one line of help */
	unsigned (*probe)(const struct cr_head *head, uint64_t *line);
	int (*read)(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
		struct cr_err *err);
};

#define CR_PROBE_BYTES 65536

/* The readers, in a fixed order; NULL past the last. */
const struct cr_reader *cr_reader_at(size_t i);

/* By name; NULL if there is none. */
const struct cr_reader *cr_reader_find(const char *name);

/*
 * The reader with the most evidence. CR_EFORMAT when nobody wants the input, saying what it
 * looks like if that is known; CR_EUNSUPPORTED on a tie, naming both.
 */
int cr_reader_detect(const struct cr_input *in, const struct cr_reader **out, struct cr_err *err);

#endif
