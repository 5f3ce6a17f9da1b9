#ifndef CR_READ_PERF_DATA_PERF_CHAIN_P_H
#define CR_READ_PERF_DATA_PERF_CHAIN_P_H

#include "base/hash.h"
#include "base/log.h"
#include "perf_sample_p.h"
#include "perf_space_p.h"
#include "read/kit/line_cache_p.h"

/* One address of a chain with whose it is, and the node it came to. */
struct perf_chain_frame {
	uint64_t ip;
	uint16_t returned;        /* CR_ORDINAL_RETURN if it is a return address, else 0 */
	struct perf_space *space; /* NULL: nobody's that is known here */
	cr_node_id node;          /* of the path from the root to here */
};

/* An answer of cr_perf_space_locate(), good as long as the space has this version. */
struct perf_chain_located {
	uint64_t ip;
	uint32_t space1, version; /* space id + 1; 0 is a free place */
	uint16_t returned;
	cr_location_id location;
};

#define PERF_CHAIN_LOCATED 32768

/* What else than its entries decides where a chain leads. */
struct perf_chain_state {
	uint32_t space, version, kernel_version;
	enum perf_chain_kind kind;
};

/* What a chain is looked up by. */
struct perf_chain_key {
	struct cr_hash128 hash;
	struct perf_chain_state now;
};

/* A chain that was followed to its node, root first: most of a stack is the thread's last one. */
struct perf_chain_last {
	struct perf_chain_state state;
	CR_VEC(struct perf_chain_frame) frames;
};

#define PERF_CHAIN_LASTS 16

/*
 * From a recorded callchain to a node of the location tree. A chain that was seen before in the
 * same state of the same address space costs one look-up, however deep it is.
 */
struct perf_chains {
	struct cr_line_cache
		seen; /* nodes, by the hash of a chain's entries and of the state of the
				address spaces */
	CR_VEC(struct perf_chain_frame) frames; /* of the chain at hand, leaf first */
	CR_VEC(cr_location_id) path;            /* its part that is not shared, outermost first */
	CR_VEC(cr_node_id) nodes;               /* by path */
	CR_VEC(struct cr_location_at) asked;    /* what of the path had to be looked up, */
	CR_VEC(uint32_t) asked_at;              /* where in the path, */
	CR_VEC(cr_location_id) answers;         /* and what came of it */
	struct perf_chain_last last[PERF_CHAIN_LASTS]; /* by thread */
	struct perf_chain_located *located;            /* PERF_CHAIN_LOCATED, by hash */
};

/* The part of a record's misc that says whose address an address is. */
enum perf_cpumode {
	PERF_CPUMODE_MASK = 7,
	PERF_CPUMODE_KERNEL = 1,
	PERF_CPUMODE_USER = 2,
	PERF_CPUMODE_GUEST = 4, /* and above */
};

/*
 * The key of s->chain as things stand now, and a hint to the processor to fetch its place: called
 * some samples ahead of cr_perf_chain_node(), for the look-up is a wait for memory. The key is good
 * as long as no address space changes.
 */
void cr_perf_chain_key(const struct perf_chains *c, const struct perf_spaces *spaces,
	const struct perf_space *user, const struct perf_sample *s, struct perf_chain_key *out);

/*
 * The node of s->chain if it has entries, else of s->ip alone. Entries behind the first of the
 * kernel's or the user's part, where they were recorded, are return addresses: their locations have
 * CR_ORDINAL_RETURN.
 */
cr_node_id cr_perf_chain_node(struct perf_chains *c, struct perf_spaces *spaces,
	struct perf_space *user, const struct perf_sample *s, unsigned cpumode,
	const struct perf_chain_key *key, struct cr_log *log);
void cr_perf_chains_init(struct perf_chains *c);
void cr_perf_chains_fini(struct perf_chains *c);

#endif
