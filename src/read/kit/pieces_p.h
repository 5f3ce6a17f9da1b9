#ifndef CR_READ_KIT_PIECES_P_H
#define CR_READ_KIT_PIECES_P_H

#include "diagnostics_p.h"
#include "read/reader.h"

/*
 * Reads a text in parallel: it is cut into pieces, which are read on as many threads as there are
 * processors, and appended in their order. The result does not depend on the number of threads. A
 * thread holds one piece, which it reads or which waits for those before it, so memory does not
 * grow with the text. Pages of a mapped file are dropped after use.
 *
 * Where nearly all stacks or names are new, one thread reads one piece after the other and the
 * others wait: to append rows takes as long as to read them.
 */
struct cr_piece {
	const char *p, *end; /* complete samples, except for damage */
	uint64_t offset;     /* of p, in the input */
	/*
	 * Builder of this thread: the same for all its pieces, with the samples of this piece only.
	 */
	struct cr_builder *b;
	/* Diagnostics of this piece; each line must be begun in it, see cr_diagnostics_line(). */
	struct cr_diagnostics *report;
	/* The same for all pieces; its log and its progress must not be used. */
	const struct cr_read_opts *opts;
};

struct cr_pieces {
	/*
	 * Return the first offset at or after `from` where a piece may begin, the start of a line;
	 * len if there is none. It examines only the text around it.
	 */
	size_t (*cut)(const char *p, size_t from, size_t len, const void *shared);
	/* Create what a thread keeps from piece to piece: caches of its builder's rows. */
	void *(*open)(struct cr_builder *b, const void *shared);
	void (*read)(void *state, const struct cr_piece *piece);
	void (*close)(void *state);
};

/*
 * Read all of `in`, starting at the offset `from`, into b. shared: data of the reader, used by all
 * threads and not changed meanwhile. The diagnostics are appended to the log. CR_ECANCEL if
 * progress cancels it. A text of less than two pieces, or read on one thread, is added to b
 * directly, and so are the first piece, those with many new rows, and those of one of the threads;
 * every other piece is first added to its thread's own builder.
 */
int cr_pieces_run(const struct cr_pieces *reader, const void *shared, const struct cr_input *in,
	size_t from, struct cr_builder *b, const struct cr_read_opts *opts, struct cr_err *err);

#endif
