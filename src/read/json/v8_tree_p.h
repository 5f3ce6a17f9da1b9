#ifndef CR_READ_JSON_V8_TREE_P_H
#define CR_READ_JSON_V8_TREE_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "text_json_p.h"

/*
 * The call tree that V8 writes with its profiles: nodes that have an id and a call frame, and know
 * each other by "parent" or by "children", which are ids or the nodes themselves. They may come in
 * any order and piece by piece; ids are texts, so that numbers and strings are ids alike. All zero
 * is no nodes.
 */
#define CR_V8_NONE UINT32_MAX

struct cr_v8_node {
	struct cr_str id, parent_id; /* as they are written; "" */
	struct cr_str name, url;     /* the same */
	uint64_t line;               /* from 1; 0 is none */
	uint64_t hits;               /* samples, or bytes that were allocated */
	uint32_t parent;             /* row of nodes; CR_V8_NONE */
	uint32_t state;              /* of node: 0 not yet known, 1 being looked for, 2 known */
	cr_node_id node;
};

struct cr_v8_link {
	uint32_t parent;
	struct cr_str child; /* its id */
};

struct cr_v8_tree {
	CR_VEC(struct cr_v8_node) nodes;
	struct cr_index by_id;
	CR_VEC(struct cr_v8_link) links; /* to nodes that may still come */
	CR_VEC(uint32_t) path;           /* room */
	struct cr_text name, url;        /* room */
	bool bytes;                      /* hits are bytes */
};

/*
 * The node at j, with all nodes that are written within it. It has this id unless it says another.
 */
void cr_v8_tree_add(
	struct cr_v8_tree *v, struct cr_text_json *t, struct cr_json *j, struct cr_str id);

/* The nodes of an array. */
void cr_v8_tree_add_all(struct cr_v8_tree *v, struct cr_text_json *t, struct cr_json *j);

/* By its id; CR_V8_NONE when there is none. */
uint32_t cr_v8_tree_find(const struct cr_v8_tree *v, struct cr_str id);

/* The stack of a node in t's profile. "(root)" is no code and not in it. */
cr_node_id cr_v8_tree_node(struct cr_v8_tree *v, struct cr_text_json *t, uint32_t row);

void cr_v8_tree_fini(struct cr_v8_tree *v);

#endif
