#ifndef CR_READ_JSON_V8_TREE_P_H
#define CR_READ_JSON_V8_TREE_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "json_reader_p.h"

/*
 * The call tree in V8's profiles. A node has an id and a call frame, and is linked by "parent" or
 * by "children", which are ids or nested nodes. Nodes may come in any order and in pieces. Ids are
 * kept as texts, so numbers and strings work alike. All zero bytes is an empty tree.
 */
#define CR_V8_NONE UINT32_MAX

struct cr_v8_node {
	struct cr_str id, parent_id; /* as written; "" if missing */
	struct cr_str name, url;     /* as written; "" if missing */
	uint64_t line;               /* from 1; 0 if unknown */
	uint64_t hits;               /* number of samples, or allocated bytes */
	uint32_t parent;             /* row of nodes; CR_V8_NONE */
	uint32_t state;              /* of node: 0 unknown, 1 being computed, 2 known */
	cr_node_id node;
};

struct cr_v8_link {
	uint32_t parent;
	struct cr_str child; /* id of the child */
};

struct cr_v8_tree {
	CR_VEC(struct cr_v8_node) nodes;
	struct cr_index by_id;
	CR_VEC(struct cr_v8_link) links; /* to nodes that may come later */
	CR_VEC(uint32_t) path;           /* scratch buffer */
	struct cr_text name, url;        /* scratch buffers */
	bool bytes;                      /* hits are bytes */
};

/* Add the node at j and all nodes nested in it. id: its id unless it contains another. */
void cr_v8_tree_add(
	struct cr_v8_tree *v, struct cr_json_reader *t, struct cr_json *j, struct cr_str id);

/* Add the nodes of an array. */
void cr_v8_tree_add_all(struct cr_v8_tree *v, struct cr_json_reader *t, struct cr_json *j);

/* Find a node by id; CR_V8_NONE if there is none. */
uint32_t cr_v8_tree_find(const struct cr_v8_tree *v, struct cr_str id);

/* The stack of a node in t's profile. "(root)" is omitted, since it is no code. */
cr_node_id cr_v8_tree_node(struct cr_v8_tree *v, struct cr_json_reader *t, uint32_t row);

void cr_v8_tree_fini(struct cr_v8_tree *v);

#endif
