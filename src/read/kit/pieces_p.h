#ifndef CR_READ_KIT_PIECES_P_H
#define CR_READ_KIT_PIECES_P_H

#include "read/reader.h"
#include "report_p.h"

/*
 * A text that can be read from the middle: it is cut into pieces, which are read side by side on as
 * many threads as there are processors and put together in their order. What comes out is the same
 * on any number of threads. A thread has one piece that it reads or that waits for those before it,
 * so that memory does not grow with the text; what was read of a mapped file leaves memory.
 */
struct cr_piece {
	const char *p, *end;  /* whole samples, but for what damage there is */
	uint64_t offset;      /* of p in the input */
	struct cr_builder *b; /* of this thread: the same for all of its pieces, with the samples of
				 this one only */
	struct cr_report
		*report; /* of this piece; each line is begun in it, see cr_report_line() */
	const struct cr_read_opts
		*opts; /* the same for all; its log and its progress are not for pieces */
};

struct cr_pieces {
	/*
	 * The first offset at or after `from` where a piece may begin, a line's start; len when
	 * there is none. Looks at what stands around it only.
	 */
	size_t (*cut)(const char *p, size_t from, size_t len, const void *shared);
	/* What a thread keeps from piece to piece: caches of its builder's rows. */
	void *(*open)(struct cr_builder *b, const void *shared);
	void (*read)(void *state, const struct cr_piece *piece);
	void (*close)(void *state);
};

/*
 * Read all of `in` from the offset `from` on, into b. shared is the reader's, the same for all
 * threads and not changed meanwhile. The report goes to the log. CR_ECANCEL when progress says
 * stop. A text of less than two pieces, or on one thread, goes into b at once; else a piece goes
 * into its thread's own builder first.
 */
int cr_pieces_run(const struct cr_pieces *reader, const void *shared, const struct cr_input *in,
	size_t from, struct cr_builder *b, const struct cr_read_opts *opts, struct cr_err *err);

#endif
