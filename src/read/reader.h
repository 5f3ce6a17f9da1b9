#ifndef CR_READ_READER_H
#define CR_READ_READER_H

#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "model/build/builder.h"
#include "read/probe.h"

#include <stdbool.h>
#include <stddef.h>

struct cr_shape;
struct cr_source;
struct cr_symbol_opts;

/*
 * A complete input, borrowed from a source. Members that may be NULL are NULL for input in memory.
 */
struct cr_input {
	const unsigned char *p;
	size_t len;
	struct cr_source *source; /* owner of the bytes, for cr_source_done(); may be NULL */
	/* data.0, data.1 ... of a recording that is a directory; may be NULL. */
	const struct cr_input *streams;
	size_t n_streams; /* they have no streams themselves */
};

struct cr_read_opts {
	const struct cr_progress *progress;  /* may be NULL */
	struct cr_log *log;                  /* never NULL: damage is counted here */
	const struct cr_symbol_opts *symbol; /* where jitdumps are; NULL: only the input is read */
	/* unit of the weights if the text names none; NULL: the format's default. */
	const char *unit;
	bool branch_history; /* add the recorded branches of a sample to its stack */
	bool root_first;     /* the stacks are root first, though the format is innermost first */
	unsigned threads;    /* to read a text; 0 means as many as processors */
	/* Approximate size of a piece of text for one thread; 0 means the default. */
	size_t piece_bytes;
};

/*
 * An input format: one file, and one line in readers.def.
 *
 * - probe: return the amount of evidence, 0 for none; *line is the number of the line that proves
 *   it, if any.
 * - read: add the input to the builder. Damage is logged, and what is readable is kept; fails only
 *   if nothing can be read.
 */
struct cr_reader {
	const char *name;  /* "perf.data" */
	const char *about; /* one line of help */
	/* Kinds of head shown to it, bits of enum cr_head_kind; 0 means CR_HEAD_TEXT. */
	unsigned heads;
	bool recording; /* it contains many facts, and is useful without samples */
	unsigned (*probe)(const struct cr_head *head, uint64_t *line);
	int (*read)(const struct cr_input *in, struct cr_builder *b,
		const struct cr_read_opts *opts, struct cr_err *err);
};

/* The i-th reader, in a fixed order; NULL past the last. */
const struct cr_reader *cr_reader_at(size_t i);

/* The reader with this name; NULL if there is none. */
const struct cr_reader *cr_reader_find(const char *name);

/*
 * Find the reader with the most evidence; *line is the line that proves it, 0 if none. CR_EUNKNOWN
 * if no reader accepts a text; CR_EFORMAT if it is known to be something else; CR_EUNSUPPORTED if
 * that is a profile, or on a tie, naming both; CR_EEMPTY for an empty input.
 */
int cr_reader_detect(const struct cr_input *in, const struct cr_reader **out, uint64_t *line,
	struct cr_err *err);

#endif
