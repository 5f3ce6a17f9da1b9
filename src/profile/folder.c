#include "cresset/profile/folder.h"

#include "cresset/base/hash.h"
#include "cresset/base/vec.h"
#include "cresset/profile/outline.h"
#include "string_table.h"

#include <stdlib.h>

/*
 * What was folded already: (group, node) to the builder's node. Nearly every node belongs to
 * one group alone, the first that came; its memo stands in an array by node. Those of further
 * groups are found through an index.
 */
struct memo {
	uint32_t group, node, out;
};

struct cr_folder {
	const struct cr_profile *p;
	struct cr_tree_builder *tb;
	uint32_t *task_group;   /* by task: number of its comm; all 0 when not grouped */
	uint32_t *group_node;   /* by group: the builder's node its stacks stand under */
	struct first {
		uint32_t group, out1; /* out + 1; 0 is none yet */
	} *first;
	struct cr_index index;
	CR_VEC(struct memo) memos;
	CR_VEC(uint32_t) path;
};

struct cr_folder *
cr_folder_new(const struct cr_profile *p, bool by_comm, uint32_t sides)
{
	struct cr_folder *f = cr_alloc(1, sizeof(*f));
	struct cr_strings comms = {0};
	struct cr_arena scratch = {0}, names = {0};
	struct cr_frame *frames;
	uint32_t n_frames = p->n_functions + 1;

	f->p = p;
	f->first = cr_alloc(p->n_nodes, sizeof(*f->first));
	f->task_group = cr_alloc(p->n_tasks, sizeof(*f->task_group));
	for (uint32_t i = 0; by_comm && i < p->n_tasks; i++)
		f->task_group[i] = cr_strings_intern(&comms, &scratch, p->tasks[i].comm);
	frames = cr_alloc(n_frames + comms.rows.n, sizeof(*frames));
	frames[0] = (struct cr_frame){.name = CR_STR("all"), .kind = CR_KIND_GROUP};
	for (uint32_t i = 0; i < p->n_functions; i++)
		frames[i + 1] = cr_outline_frame(p, i, &names);
	/* The tree outlives this function, so its frames borrow the comms from the profile. */
	for (uint32_t i = 0; by_comm && i < p->n_tasks; i++)
		frames[n_frames + f->task_group[i]] = (struct cr_frame){.name = p->tasks[i].comm, .kind = CR_KIND_GROUP};
	f->tb = cr_tree_builder_new(sides, frames, n_frames + (uint32_t)comms.rows.n);
	cr_tree_builder_keep(f->tb, &names);
	f->group_node = cr_alloc(CR_MAX(comms.rows.n, 1), sizeof(*f->group_node));
	for (uint32_t i = 0; i < comms.rows.n; i++)
		f->group_node[i] = cr_tree_builder_child(f->tb, 0, n_frames + i);
	free(frames);
	cr_strings_fini(&comms);
	cr_arena_fini(&scratch);
	return f;
}

struct cr_tree_builder *
cr_folder_tree(struct cr_folder *f)
{
	return f->tb;
}

static uint32_t
recall(const struct cr_folder *f, uint32_t group, uint32_t node)
{
	const uint64_t h = cr_hash_mix(group, node);
	uint32_t at, row;

	if (!f->first[node].out1)
		return CR_NO_ROW;
	if (f->first[node].group == group)
		return f->first[node].out1 - 1;
	at = cr_index_first(&f->index, h);
	for (; (row = cr_index_row(&f->index, &at, h)) != CR_NO_ROW; at = cr_index_next(&f->index, at))
		if (f->memos.p[row].node == node && f->memos.p[row].group == group)
			return f->memos.p[row].out;
	return CR_NO_ROW;
}

static void
remember(struct cr_folder *f, uint32_t group, uint32_t node, uint32_t out)
{
	if (!f->first[node].out1) {
		f->first[node] = (struct first){group, out + 1};
		return;
	}
	cr_index_add(&f->index, cr_hash_mix(group, node), (uint32_t)f->memos.n);
	cr_vec_push(&f->memos, ((struct memo){group, node, out}));
}

/* The frames of a location, outermost first, below `out`. */
static uint32_t
descend(struct cr_folder *f, uint32_t out, uint32_t node)
{
	const struct cr_location *l = &f->p->locations[f->p->node_location[node]];

	for (uint32_t k = l->lines; k-- > 0;)
		out = cr_tree_builder_child(f->tb, out, f->p->lines[l->first_line + k].function.i + 1);
	return out;
}

uint32_t
cr_folder_node(struct cr_folder *f, uint32_t task, uint32_t node)
{
	const uint32_t group = f->task_group[task];
	uint32_t out = CR_NO_ROW;

	/* Up to the first ancestor that is known, then down again, remembering each step. */
	f->path.n = 0;
	for (; node; node = f->p->node_parent[node]) {
		out = recall(f, group, node);
		if (out != CR_NO_ROW)
			break;
		cr_vec_push(&f->path, node);
	}
	if (out == CR_NO_ROW)
		out = f->group_node[group];
	while (f->path.n) {
		node = f->path.p[--f->path.n];
		out = descend(f, out, node);
		remember(f, group, node, out);
	}
	return out;
}

struct cr_tree_builder *
cr_folder_end(struct cr_folder *f)
{
	struct cr_tree_builder *tb = f->tb;

	free(f->first);
	free(f->task_group);
	free(f->group_node);
	cr_index_fini(&f->index);
	cr_vec_fini(&f->memos);
	cr_vec_fini(&f->path);
	free(f);
	return tb;
}
