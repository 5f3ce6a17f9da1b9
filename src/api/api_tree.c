#include "api_p.h"

#include "base/mem.h"

#include <stdlib.h>

/* ---- making and freeing */

/* Open what the steps of a query need, and run them. */
static int
run_query(cresset_profile *p, const char *words, cresset_tree *t, struct cr_err *err)
{
	struct cr_query *q = &t->query[0];
	int rc = cr_api_query(words, q, err);

	if (rc == CR_OK)
		rc = cr_api_fetch(p, cr_load_parts(cr_query_needs(p->p, q)), err);
	if (rc == CR_OK)
		rc = cr_query_run(p->p, q, &t->tree, err);
	if (rc == CR_OK)
		rc = cr_query_left(q, t->tree, err);
	return rc;
}

cresset_tree *
cresset_query(cresset_profile *p, const char *words)
{
	cresset_tree *t = cr_alloc(1, sizeof(*t));
	int rc;

	t->held = 1;
	t->p[0] = p;
	cr_api_hold(&p->held);
	cr_api_begin(p->c);
	rc = cr_api_end(p->c, run_query(p, words, t, &p->c->err));
	if (rc == CR_OK)
		return t;
	cresset_tree_free(t);
	return NULL;
}

void
cresset_tree_free(cresset_tree *t)
{
	if (!t || !cr_api_let_go(&t->held))
		return;
	cr_tree_free(t->tree);
	cr_diff_match_free(t->diff.frames);
	for (int i = 0; i < CR_SIDES; i++) {
		cr_tree_free(t->side[i]);
		cr_tree_free(t->placed[i]);
		free(t->place[i]);
		cr_query_fini(&t->query[i]);
		cresset_profile_free(t->p[i]);
	}
	cr_arena_fini(&t->texts);
	free(t->title);
	free(t->names);
	free(t->dsos);
	free(t->files);
	free(t);
}

/* ---- nodes */

uint32_t
cresset_sides(const cresset_tree *t)
{
	return t->tree->sides;
}

const char *
cresset_tree_event(cresset_tree *t, uint32_t side, const char **unit)
{
	struct cr_measure m;

	if (unit)
		*unit = NULL;
	if (side >= t->tree->sides)
		return NULL;
	m = cr_tree_measure(t->tree, side);
	if (unit)
		*unit = cr_arena_copy(&t->texts, m.unit.p, m.unit.len);
	return cr_arena_copy(&t->texts, m.event.p, m.event.len);
}

uint32_t
cresset_nodes(const cresset_tree *t)
{
	return t->tree->n;
}

uint32_t
cresset_parent(const cresset_tree *t, uint32_t node)
{
	return node < t->tree->n ? t->tree->parent[node] : 0;
}

uint32_t
cresset_first_child(const cresset_tree *t, uint32_t node)
{
	return node < t->tree->n && node + 1 < t->tree->end[node] ? node + 1 : 0;
}

uint32_t
cresset_next_sibling(const cresset_tree *t, uint32_t node)
{
	if (node == 0 || node >= t->tree->n)
		return 0;
	return t->tree->end[node] < t->tree->end[t->tree->parent[node]] ? t->tree->end[node] : 0;
}

/* A text of a frame, copied once. */
static const char *
frame_text(cresset_tree *t, const char ***copies, uint32_t frame, struct cr_str s)
{
	if (!*copies)
		*copies = cr_alloc(t->tree->n_frames, sizeof(**copies));
	if (!(*copies)[frame])
		(*copies)[frame] = cr_arena_copy(&t->texts, s.p, s.len);
	return (*copies)[frame];
}

const char *
cresset_node_name(cresset_tree *t, uint32_t node)
{
	const uint32_t frame = node < t->tree->n ? t->tree->frame[node] : 0;

	return node < t->tree->n ? frame_text(t, &t->names, frame, t->tree->frames[frame].name)
				 : "";
}

const char *
cresset_node_dso(cresset_tree *t, uint32_t node)
{
	const uint32_t frame = node < t->tree->n ? t->tree->frame[node] : 0;

	return node < t->tree->n ? frame_text(t, &t->dsos, frame, t->tree->frames[frame].dso) : "";
}

const char *
cresset_node_source(cresset_tree *t, uint32_t node, uint32_t *line)
{
	const uint32_t frame = node < t->tree->n ? t->tree->frame[node] : 0;

	if (line)
		*line = node < t->tree->n ? t->tree->frames[frame].line : 0;
	return node < t->tree->n ? frame_text(t, &t->files, frame, t->tree->frames[frame].file)
				 : "";
}

static bool
is_node(const cresset_tree *t, uint32_t node, uint32_t side)
{
	return node < t->tree->n && side < t->tree->sides;
}

uint64_t
cresset_node_self(const cresset_tree *t, uint32_t node, uint32_t side)
{
	return is_node(t, node, side) ? t->tree->self[side][node] : 0;
}

uint64_t
cresset_node_total(const cresset_tree *t, uint32_t node, uint32_t side)
{
	return is_node(t, node, side) ? t->tree->total[side][node] : 0;
}

uint64_t
cresset_node_samples(const cresset_tree *t, uint32_t node, uint32_t side)
{
	return is_node(t, node, side) ? t->tree->total_samples[side][node] : 0;
}
