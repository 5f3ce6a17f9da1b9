#ifndef CR_WRITE_SAMPLES_EDGES_P_H
#define CR_WRITE_SAMPLES_EDGES_P_H

#include "base/vec.h"
#include "write/writer.h"

/* A branch that was taken, or a piece of code that ran without one, within a binary. */
struct cr_edge {
	uint64_t from, to; /* addresses in the binary; of a block: its first and its last one */
	uint64_t count, missed;
};

/* The branches and blocks of one binary, of all threads, each sorted by address. */
struct cr_edges {
	CR_VEC(struct cr_edge) branches;
	CR_VEC(struct cr_edge) blocks;
	uint32_t dso;
};

/* The option of the writers. */
struct cr_edge_options {
	const char *binary; /* path or file name; NULL: the one with the most branches */
};

/*
 * Collect the edges, at addresses of the file or at virtual addresses. Virtual ones are known of
 * binaries of which machine code was stored; otherwise they are those of the file. Without
 * branches, and for an unknown binary, CR_EUNSUPPORTED. Free them with cr_edges_fini() in any case.
 */
int cr_edges_make(const struct cr_write_in *in, const struct cr_edge_options *o, bool is_virtual,
	struct cr_edges *out, struct cr_err *err);
void cr_edges_fini(struct cr_edges *e);

#endif
