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

/* One input, all of it, borrowed from a source. What may be NULL is so for input from memory. */
struct cr_input {
	const unsigned char *p;
	size_t len;
	struct cr_source *source; /* whose bytes they are, for cr_source_done(); may be NULL */
	const struct cr_input *
		streams; /* data.0, data.1 and on of a recording that is a directory; may be NULL */
	size_t n_streams; /* they have no streams themselves */
};

struct cr_read_opts {
	const struct cr_progress *progress;  /* may be NULL */
	struct cr_log *log;                  /* never NULL: damage is counted here */
	const struct cr_symbol_opts *symbol; /* where jitdumps are; NULL: only the input is read */
	const char *unit;   /* of the weights of a text that does not say; NULL: the format's own */
	bool root_first;    /* of a format whose stacks stand innermost first: these do not */
	unsigned threads;   /* to read a text on; 0: as many as there are processors */
	size_t piece_bytes; /* of a text that one of them reads at a time, about; 0: the default */
};

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
	unsigned heads; /* the kinds of head that it is shown, enum cr_head_kind; 0 is CR_HEAD_TEXT
			 */
	bool recording; /* says much of itself, and is worth a look also without samples */
	unsigned (*probe)(const struct cr_head *head, uint64_t *line);
	int (*read)(const struct cr_input *in, struct cr_builder *b,
		const struct cr_read_opts *opts, struct cr_err *err);
};

/* The readers, in a fixed order; NULL past the last. */
const struct cr_reader *cr_reader_at(size_t i);

/* By name; NULL if there is none. */
const struct cr_reader *cr_reader_find(const char *name);

/*
 * The reader with the most evidence; *line is that of the line that tells, 0 where none does.
 * CR_EUNKNOWN when nobody wants a text, CR_EFORMAT when it is known to be something else, and
 * CR_EUNSUPPORTED when that is a profile, or on a tie, naming both; CR_EEMPTY for no bytes at all.
 */
int cr_reader_detect(const struct cr_input *in, const struct cr_reader **out, uint64_t *line,
	struct cr_err *err);

#endif
