#ifndef CR_READ_PERF_DATA_PERF_CHAIN_P_H
#define CR_READ_PERF_DATA_PERF_CHAIN_P_H

#include "base/hash.h"
#include "base/log.h"
#include "model/build/stack_queue.h"
#include "perf_sample_p.h"
#include "perf_space_p.h"
#include "read/kit/line_cache_p.h"

/* Whose address an address of a callchain is. */
enum perf_chain_part {
	PERF_CHAIN_NOWHERE, /* of a hypervisor or a guest: of no known space */
	PERF_CHAIN_KERNEL,
	PERF_CHAIN_USER, /* in the space of the sample's thread */
};

/* One address of a callchain. */
struct perf_chain_frame {
	uint64_t ip;
	uint16_t returned; /* CR_ORDINAL_RETURN if it is a return address, otherwise 0 */
	uint16_t part;     /* enum perf_chain_part */
};

/*
 * An address that has the place of this row in the queue of stacks, with the result of
 * cr_perf_space_locate(). Valid while the space has this version.
 */
struct perf_chain_located {
	uint64_t ip;
	uint32_t space1, version; /* space id + 1; 0 if free */
	uint16_t returned;
};

#define PERF_CHAIN_LOCATED 32768u /* and a place for addresses that are not cached */
_Static_assert(PERF_CHAIN_LOCATED + 1 == CR_STACK_PLACES, "places of a queue of stacks");

/* What the node of a chain depends on besides its entries. */
struct perf_chain_state {
	uint32_t space, version, kernel_version;
	enum perf_chain_kind kind;
};

/* Key of a chain in the cache. */
struct perf_chain_key {
	struct cr_hash128 hash;
	struct perf_chain_state now;
};

/* The last chain of a thread, root first: most of the next stack is usually equal. */
struct perf_chain_last {
	struct perf_chain_state state;
	cr_node_id ticket;
	CR_VEC(struct perf_chain_frame) frames;
};

#define PERF_CHAIN_LASTS (CR_STACK_FAMILIES - 1) /* the last one is that of branches */

/*
 * Converts recorded callchains to stacks of the builder's queue. A chain that was seen before, in
 * the same state of the same address space, costs one lookup, however deep it is.
 */
struct perf_chains {
	/* Tickets, by the hash of a chain's entries and of the state of the address spaces. */
	struct cr_line_cache seen;
	/* Chains with markers of an unknown kind: a warning counts each chain once. */
	struct cr_line_cache odd;
	CR_VEC(struct perf_chain_frame) frames; /* of the current chain, leaf first */
	CR_VEC(struct cr_stack_frame) path; /* the part of it that is not shared, outermost first */
	CR_VEC(struct cr_location_at) asked;           /* the locations of its new frames */
	struct perf_chain_last last[PERF_CHAIN_LASTS]; /* by thread */
	struct perf_chain_located *located;            /* PERF_CHAIN_LOCATED entries, by hash */
};

/* The part of a record's misc field that tells whose address an address is. */
enum perf_cpumode {
	PERF_CPUMODE_MASK = 7,
	PERF_CPUMODE_KERNEL = 1,
	PERF_CPUMODE_USER = 2,
	PERF_CPUMODE_GUEST = 4, /* and higher values */
};

/*
 * Compute the key of s->chain in the current state, and prefetch its slot. Called some samples
 * ahead of cr_perf_chain_node(), whose lookup waits for memory. The key is valid as long as no
 * address space changes.
 */
void cr_perf_chain_key(const struct perf_chains *c, const struct perf_spaces *spaces,
	const struct perf_space *user, const struct perf_sample *s, struct perf_chain_key *out);

/*
 * If the chain was not seen before, prefetch what its addresses are looked up in. Called some
 * samples after cr_perf_chain_key() and some ahead of cr_perf_chain_node(); it changes nothing.
 */
void cr_perf_chain_prefetch(const struct perf_chains *c, const struct perf_spaces *spaces,
	const struct perf_space *user, const struct perf_sample *s,
	const struct perf_chain_key *key);

/*
 * The ticket for the stack of s->chain if it has entries, otherwise of s->ip alone. Recorded
 * entries after the first one of the kernel's or the user's part are return addresses: their
 * locations have CR_ORDINAL_RETURN.
 */
cr_node_id cr_perf_chain_node(struct perf_chains *c, struct perf_spaces *spaces,
	struct perf_space *user, const struct perf_sample *s, unsigned cpumode,
	const struct perf_chain_key *key, struct cr_log *log);
void cr_perf_chains_init(struct perf_chains *c);
void cr_perf_chains_fini(struct perf_chains *c);

#endif
