#ifndef CR_QUERY_FOLD_NODE_COSTS_H
#define CR_QUERY_FOLD_NODE_COSTS_H

#include "model/profile.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What the samples that end at each node of the location tree cost, so that the cost of any subtree
 * is known without its samples. Where all samples weigh the same, only their number is kept: 4
 * bytes a node.
 */
struct cr_node_costs {
	uint32_t *rows;             /* by node: samples; NULL if they weigh differently */
	uint64_t same;              /* then the weight of each */
	bool is_weight;             /* and their weight is their number as well */
	uint64_t *weight, *samples; /* by node, if rows is NULL */
	uint64_t *block[2];         /* the two above, or rows, by CR_NODE_COSTS_BLOCK nodes */
};

#define CR_NODE_COSTS_BLOCK 256u

/* What must be read before cr_node_costs_make(): bits of enum cr_needs. */
unsigned cr_node_costs_need(const struct cr_profile *p);

/*
 * Add up the samples of an event. sel: by sample, 0 for those that are left out, or NULL. If the
 * work (base/work.h) is cancelled, the costs are incomplete. The caller ends them with
 * cr_node_costs_fini().
 */
void cr_node_costs_make(const struct cr_profile *p, cr_event_id event, const uint8_t *sel,
	struct cr_node_costs *out);
void cr_node_costs_fini(struct cr_node_costs *c);

/* The costs of the nodes [from, to) together. */
void cr_node_costs_of(const struct cr_node_costs *c, uint32_t from, uint32_t to, uint64_t *weight,
	uint64_t *samples);

#endif
