#ifndef CR_PERF_CHAIN_H
#define CR_PERF_CHAIN_H

#include "cresset/base/log.h"
#include "perf_sample.h"
#include "perf_space.h"

/*
 * From a recorded callchain to a node of the location tree. A chain that was seen before in the
 * same state of the same address space costs one look-up, however deep it is.
 */
/* A chain as it was recorded, and what came of it. */
struct perf_chain_seen {
	const unsigned char *entries;
	uint32_t bytes;
	uint32_t space, version, kernel_version;
	cr_node_id node;
};

/* One address of a chain with whose it is, and the node it came to. */
struct perf_chain_frame {
	uint64_t ip;
	struct perf_space *space; /* NULL: nobody's that is known here */
	cr_node_id node;          /* of the path from the root to here */
};

/* An answer of perf_space_locate(), good as long as the space has this version. */
struct perf_chain_located {
	uint64_t ip;
	uint32_t space1, version; /* space id + 1; 0 is a free place */
	cr_location_id location;
};

#define PERF_CHAIN_LOCATED 8192

struct perf_chains {
	struct cr_index index;
	CR_VEC(struct perf_chain_seen) seen;
	CR_VEC(struct perf_chain_frame) frames; /* of the chain at hand, leaf first */
	/* The chain before it, root first: most of a stack is the stack of the last sample. */
	CR_VEC(struct perf_chain_frame) last;
	uint32_t last_space, last_version, last_kernel_version;
	struct perf_chain_located located[PERF_CHAIN_LOCATED];
};

/* The part of a record's misc that says whose address an address is. */
enum perf_cpumode {
	PERF_CPUMODE_MASK = 7,
	PERF_CPUMODE_KERNEL = 1,
	PERF_CPUMODE_USER = 2,
};

/* s->chain if it has entries, else s->ip alone. The chain's bytes must outlive c. */
cr_node_id perf_chain_node(struct perf_chains *c, struct perf_spaces *spaces, struct perf_space *user,
	const struct perf_sample *s, unsigned cpumode, struct cr_log *log);
void perf_chains_fini(struct perf_chains *c);

#endif
