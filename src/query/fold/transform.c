#include "query/fold/transform.h"

#include "base/hash.h"
#include "query/lang/pattern.h"
#include "tidy_frames_p.h"
#include "transform_p.h"

#include <stdlib.h>
#include <string.h>

/* Every transform except inversions decides for each node what becomes of it. */
struct change {
	const struct cr_tree *t;
	uint8_t *above; /* by node: 1 for the root and groups that the query put above the stacks */
	uint8_t *hit;   /* by frame */
	bool groups;    /* only groups match; otherwise they never do */
	uint32_t *frame; /* by node: new frame, or CR_TREE_SAME to drop the node; NULL: unchanged */
	uint32_t *up;    /* by node: new parent, in t; NULL: unchanged */
	uint8_t *lost;   /* by node: its own weight is left out */
	uint8_t *own; /* by node: its own weight counts as sampled in its leaf; NULL: unchanged */
	struct cr_tidy tidy; /* owns frames with new names */
};

/* ---- arguments */

#define GROUPS_REFUSED "group: is only for focus and ignore"

/* A name or /RE/. */
static int
function_check(struct cr_str text, struct cr_err *err)
{
	struct cr_str inside;

	if (cr_pattern_in_slashes(text, &inside) && cr_frames_are_groups(inside.p))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, GROUPS_REFUSED);
	return cr_function_check(text, err);
}

/* ---- selecting samples */

/* True if the node matches. Nodes above the stacks match only if groups were requested. */
static bool
is_hit(const struct change *c, uint32_t node)
{
	return c->hit[c->t->frame[node]] && (c->above[node] != 0) == c->groups;
}

/* By node: 1 if it, or an ancestor, matches. */
static uint8_t *
below_match(const struct change *c)
{
	const struct cr_tree *t = c->t;
	uint8_t *below = cr_alloc(t->n, 1);

	for (uint32_t n = 1; n < t->n; n++)
		below[n] = below[t->parent[n]] || is_hit(c, n);
	return below;
}

/* Keep only samples with a match in their stack or above it, or only the others. */
static void
keep(struct change *c, bool with_match)
{
	uint8_t *below = below_match(c);

	for (uint32_t n = 0; n < c->t->n; n++)
		c->lost[n] = (below[n] != 0) != with_match;
	free(below);
}

/* ---- selecting frames */

static uint32_t *
copy_of(const uint32_t *v, uint32_t n)
{
	uint32_t *copy = cr_alloc(n, sizeof(*copy));

	memcpy(copy, v, n * sizeof(*copy));
	return copy;
}

static void
hide(struct change *c)
{
	c->frame = copy_of(c->t->frame, c->t->n);
	for (uint32_t n = 1; n < c->t->n; n++)
		if (is_hit(c, n))
			c->frame[n] = CR_TREE_SAME;
}

static void
prune(struct change *c)
{
	const struct cr_tree *t = c->t;

	c->own = below_match(c);
	c->frame = copy_of(t->frame, t->n);
	for (uint32_t n = 1; n < t->n; n++)
		if (c->own[t->parent[n]])
			c->frame[n] = CR_TREE_SAME;
}

/* Cut each stack above the node marked in begin[]; drop stacks without one. */
static void
begin_at(struct change *c, uint8_t *begin)
{
	const struct cr_tree *t = c->t;

	c->frame = copy_of(t->frame, t->n);
	for (uint32_t n = 0; n < t->n; n++) {
		begin[n] |= begin[t->parent[n]];
		c->lost[n] = !begin[n];
		if (!begin[n] && !c->above[n])
			c->frame[n] = CR_TREE_SAME;
	}
}

static void
show_from(struct change *c)
{
	uint8_t *begin = cr_alloc(c->t->n, 1);

	for (uint32_t n = 1; n < c->t->n; n++)
		begin[n] = is_hit(c, n);
	begin_at(c, begin);
	free(begin);
}

/* ---- paths: A;B;C, each a name or /RE/, and \; for a ';' in one */

struct path {
	struct cr_str *names;
	uint32_t n;
	char *text; /* owns the names */
};

static struct path
path_parse(const char *arg)
{
	struct path p = {.text = cr_alloc(strlen(arg) + 1, 1)};
	char *out = p.text, *first = out;

	for (const char *s = arg;; s++) {
		if (s[0] == '\\' && s[1] == ';') {
			*out++ = *++s;
		} else if (*s && *s != ';') {
			*out++ = *s;
		} else {
			p.names = cr_realloc(p.names, p.n + 1, sizeof(*p.names));
			p.names[p.n++] = (struct cr_str){first, (uint32_t)(out - first)};
			first = out;
		}
		if (!*s)
			return p;
	}
}

static void
path_fini(struct path *p)
{
	free(p->names);
	free(p->text);
}

/* By name of the path: its frames if it is a pattern, else NULL. */
static int
path_match(const struct change *c, const struct path *p, uint8_t **hits, struct cr_err *err)
{
	struct cr_str inside;
	int rc = CR_OK;

	for (uint32_t i = 0; i < p->n && rc == CR_OK; i++) {
		if (!cr_pattern_in_slashes(p->names[i], &inside))
			continue;
		hits[i] = cr_alloc(c->t->n_frames, 1);
		rc = cr_function_match(c->t, p->names[i], hits[i], err);
	}
	return rc;
}

static int
path_check(const char *arg, struct cr_err *err)
{
	struct path p = path_parse(arg);
	int rc = CR_OK;

	for (uint32_t i = 0; i < p.n && rc == CR_OK; i++)
		rc = function_check(p.names[i], err);
	path_fini(&p);
	return rc;
}

#define OFF_PATH UINT32_MAX

/*
 * Length of the path matched by a node and its ancestors. Groups may be omitted, or all of them,
 * depending on `with`.
 */
static uint32_t
path_step(const struct change *c, const struct path *p, uint8_t *const *hits, uint32_t node,
	uint32_t had, bool with_groups)
{
	const uint32_t frame = c->t->frame[node];

	if (had == OFF_PATH || had == p->n)
		return OFF_PATH;
	if (c->above[node] && !with_groups)
		return had;
	if (hits[had] ? hits[had][frame] : cr_str_eq(c->t->frames[frame].name, p->names[had]))
		return had + 1;
	return c->above[node] ? had : OFF_PATH;
}

static void
begin_at_path(struct change *c, const struct path *p, uint8_t *const *hits)
{
	const struct cr_tree *t = c->t;
	uint32_t *with = cr_alloc(t->n, sizeof(*with)), *without = cr_alloc(t->n, sizeof(*without));
	uint8_t *begin = cr_alloc(t->n, 1);

	for (uint32_t n = 1; n < t->n; n++) {
		const uint32_t up = t->parent[n];

		with[n] = path_step(c, p, hits, n, with[up], true);
		without[n] = path_step(c, p, hits, n, without[up], false);
		begin[n] = with[n] == p->n || without[n] == p->n;
	}
	begin_at(c, begin);
	free(begin);
	free(without);
	free(with);
}

/*
 * Cut above the outermost frame of this function, or at the end of a path from the outermost frame.
 */
static int
root_at(struct change *c, const char *arg, struct cr_err *err)
{
	struct path p = path_parse(arg);
	uint8_t **hits = cr_alloc(p.n, sizeof(*hits));
	int rc;

	if (p.n == 1) {
		if ((rc = cr_function_match(c->t, p.names[0], c->hit, err)) == CR_OK)
			show_from(c);
	} else if ((rc = path_match(c, &p, hits, err)) == CR_OK) {
		begin_at_path(c, &p, hits);
	}
	for (uint32_t i = 0; i < p.n; i++)
		free(hits[i]);
	free(hits);
	path_fini(&p);
	return rc;
}

/* ---- recursion */

/* Key of a function for recursion: frames that differ only in being inlined are equal. */
static bool
is_same_function(const struct cr_frame *a, const struct cr_frame *b)
{
	return a->kind == b->kind && a->line == b->line && a->number == b->number &&
	       cr_str_eq(a->name, b->name) && cr_str_eq(a->dso, b->dso) &&
	       cr_str_eq(a->file, b->file);
}

uint32_t *
cr_tree_functions(const struct cr_tree *t)
{
	uint32_t *function = cr_alloc(t->n_frames, sizeof(*function)), row;
	struct cr_index ix = {0};

	for (uint32_t f = 0; f < t->n_frames; f++) {
		const struct cr_frame *x = &t->frames[f];
		const uint64_t h = cr_hash_mix(
			cr_hash(x->name.p, x->name.len), cr_hash_mix(x->line, x->number));

		cr_index_each(&ix, h, row)
			if (is_same_function(&t->frames[row], x))
				break;
		function[f] = row == CR_NO_ROW ? f : row;
		if (row == CR_NO_ROW)
			cr_index_add(&ix, h, f);
	}
	cr_index_fini(&ix);
	return function;
}

/* f -> f becomes f. */
static void
recursion_direct(struct change *c)
{
	const struct cr_tree *t = c->t;
	uint32_t *function = cr_tree_functions(t);

	c->frame = copy_of(t->frame, t->n);
	for (uint32_t n = 1; n < t->n; n++)
		if (!c->above[n] && !c->above[t->parent[n]] &&
			function[t->frame[n]] == function[t->frame[t->parent[n]]])
			c->frame[n] = CR_TREE_SAME;
	free(function);
}

/*
 * f -> g -> f becomes f: callees of the inner f are added below the outer one, and g is removed
 * from this stack.
 *
 * Nodes are walked in preorder. stack[0..depth) are the nodes whose frames form the changed stack
 * of the last node, and at[f] is the last of them with function f. A node that is added may replace
 * one that is needed again after its subtree: `was` stores that.
 */
struct all_recursion {
	uint32_t *function;
	uint32_t *stack, *at;
	struct seen {
		uint32_t node, depth; /* depth: of the changed stack, including this node */
		uint32_t was_stack, was_at;
		bool added;
	} * path; /* of the nodes from the root to the last one */
};

static void
leave(const struct cr_tree *t, struct all_recursion *r, const struct seen *s)
{
	if (!s->added)
		return;
	r->stack[s->depth - 1] = s->was_stack;
	r->at[r->function[t->frame[s->node]]] = s->was_at;
}

/* The position in the changed stack that has the function; `depth` if none. */
static uint32_t
place_of(const struct all_recursion *r, uint32_t function, uint32_t depth, const uint32_t *place)
{
	const uint32_t node = r->at[function];

	return node != CR_NO_ROW && place[node] < depth && r->stack[place[node]] == node
		       ? place[node]
		       : depth;
}

static void
recursion_all(struct change *c)
{
	const struct cr_tree *t = c->t;
	struct all_recursion r = {
		.function = cr_tree_functions(t),
		.stack = cr_alloc((uint64_t)t->max_depth + 1, sizeof(*r.stack)),
		.at = cr_alloc(t->n_frames, sizeof(*r.at)),
		.path = cr_alloc((uint64_t)t->max_depth + 1, sizeof(*r.path)),
	};
	/* By node in a changed stack: its position. */
	uint32_t *place = cr_alloc(t->n, sizeof(*place));
	uint32_t n_path = 0;

	c->frame = copy_of(t->frame, t->n);
	c->up = copy_of(t->parent, t->n);
	memset(r.at, 0xff, t->n_frames * sizeof(*r.at));
	for (uint32_t n = 1; n < t->n; n++) {
		const uint32_t function = r.function[t->frame[n]];
		uint32_t depth, at;

		while (n_path && t->end[r.path[n_path - 1].node] <= n)
			leave(t, &r, &r.path[--n_path]);
		if (c->above[n])
			continue;
		depth = n_path ? r.path[n_path - 1].depth : 0;
		at = place_of(&r, function, depth, place);
		r.path[n_path] = (struct seen){n, at + 1, r.stack[at], r.at[function], at == depth};
		if (at < depth) {
			c->frame[n] = CR_TREE_SAME;
			c->up[n] = r.stack[at];
		} else {
			if (depth)
				c->up[n] = r.stack[depth - 1];
			r.stack[at] = r.at[function] = n;
			place[n] = at;
		}
		n_path++;
	}
	free(place);
	free(r.function);
	free(r.stack);
	free(r.at);
	free(r.path);
}

static void
tidy(struct change *c, const char *language)
{
	cr_tidy_frames(c->t, language, &c->tidy);
	c->frame = cr_tidy_nodes(c->t, &c->tidy, c->above);
}

/* ---- dispatch */

int
cr_transform_check(enum cr_transform how, const char *arg, struct cr_err *err)
{
	switch (how) {
	case CR_TRANSFORM_FOCUS:
	case CR_TRANSFORM_IGNORE: return cr_frames_check(arg, err);
	case CR_TRANSFORM_HIDE:
	case CR_TRANSFORM_SHOW_FROM:
	case CR_TRANSFORM_PRUNE:
		if (cr_frames_are_groups(arg))
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, GROUPS_REFUSED);
		return cr_frames_check(arg, err);
	case CR_TRANSFORM_MERGE:
	case CR_TRANSFORM_DROP:
	case CR_TRANSFORM_CALLERS:
	case CR_TRANSFORM_CALLEES: return function_check(cr_str_of(arg), err);
	case CR_TRANSFORM_ROOT_AT: return path_check(arg, err);
	case CR_TRANSFORM_TIDY: return cr_tidy_check(arg, err);
	case CR_TRANSFORM_RECURSION:
		if (strcmp(arg, "direct") == 0 || strcmp(arg, "all") == 0)
			return CR_OK;
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"unknown recursion '%s'; use direct or all", arg);
	default: return CR_OK;
	}
}

static int
match(struct change *c, enum cr_transform how, const char *arg, struct cr_err *err)
{
	switch (how) {
	case CR_TRANSFORM_FOCUS:
	case CR_TRANSFORM_IGNORE:
	case CR_TRANSFORM_HIDE:
	case CR_TRANSFORM_SHOW_FROM:
	case CR_TRANSFORM_PRUNE:
		c->groups = cr_frames_are_groups(arg);
		return cr_frames_match(c->t, arg, c->hit, err);
	case CR_TRANSFORM_MERGE:
	case CR_TRANSFORM_DROP:
	case CR_TRANSFORM_CALLERS:
	case CR_TRANSFORM_CALLEES: return cr_function_match(c->t, cr_str_of(arg), c->hit, err);
	default: return CR_OK;
	}
}

static int
change(struct change *c, enum cr_transform how, const char *arg, struct cr_err *err)
{
	switch (how) {
	case CR_TRANSFORM_FOCUS: keep(c, true); break;
	case CR_TRANSFORM_IGNORE:
	case CR_TRANSFORM_DROP: keep(c, false); break;
	case CR_TRANSFORM_HIDE:
	case CR_TRANSFORM_MERGE: hide(c); break;
	case CR_TRANSFORM_SHOW_FROM:
	case CR_TRANSFORM_CALLEES: show_from(c); break;
	case CR_TRANSFORM_PRUNE: prune(c); break;
	case CR_TRANSFORM_TIDY: tidy(c, arg); break;
	case CR_TRANSFORM_ROOT_AT: return root_at(c, arg, err);
	case CR_TRANSFORM_RECURSION:
		if (strcmp(arg, "all") == 0)
			recursion_all(c);
		else
			recursion_direct(c);
		break;
	default: break;
	}
	return CR_OK;
}

static void
change_init(const struct cr_tree *t, struct change *c)
{
	*c = (struct change){
		.t = t,
		.above = cr_tree_above(t),
		.hit = cr_alloc(t->n_frames, 1),
		.lost = cr_alloc(t->n, 1),
	};
}

static void
change_fini(struct change *c)
{
	free(c->above);
	free(c->hit);
	free(c->frame);
	free(c->up);
	free(c->lost);
	free(c->own);
	cr_tidy_fini(&c->tidy);
}

/* True if the transform means the same for inverted stacks. */
static bool
goes_either_way(enum cr_transform how)
{
	switch (how) {
	case CR_TRANSFORM_FOCUS:
	case CR_TRANSFORM_IGNORE:
	case CR_TRANSFORM_DROP:
	case CR_TRANSFORM_HIDE:
	case CR_TRANSFORM_MERGE:
	case CR_TRANSFORM_INVERT: return true;
	default: return false;
	}
}

static void
count_left_out(const struct cr_tree *t, struct cr_tree *out)
{
	for (uint32_t s = 0; s < t->sides; s++) {
		out->left_out[s] = cr_add_sat(t->left_out[s], t->total[s][0] - out->total[s][0]);
		out->left_out_samples[s] = cr_add_sat(
			t->left_out_samples[s], t->total_samples[s][0] - out->total_samples[s][0]);
	}
}

/* By node: 1 if its subtree is lost. NULL if no node is; the caller frees it. */
static uint8_t *
lost_subtrees(const struct change *c)
{
	const struct cr_tree *t = c->t;
	uint8_t *lost;

	if (!memchr(c->lost, 1, t->n))
		return NULL;
	lost = cr_alloc(t->n, 1);
	memset(lost, 1, t->n);
	for (uint32_t n = t->n; n-- > 1;) {
		lost[n] &= c->lost[n];
		lost[t->parent[n]] &= lost[n];
	}
	lost[0] = 0;
	return lost;
}

static void
derive(struct change *c, struct cr_tree **out, uint32_t **map)
{
	uint8_t *skip = c->up ? NULL : lost_subtrees(c);

	*out = cr_tree_derive(c->t,
		&(struct cr_tree_change){.frame = c->frame,
			.up = c->up,
			.lost = c->lost,
			.skip = skip,
			.own = c->own,
			.more = c->tidy.more,
			.n_more = c->tidy.n_more,
			.made = &c->tidy.made},
		map);
	free(skip);
	for (uint32_t n = 0; map && n < c->t->n; n++)
		if (c->lost[n])
			(*map)[n] = CR_NO_ROW;
}

/* Apply a transform to a tree in the order it expects. map: NULL if it is not requested. */
static int
transform(const struct cr_tree *t, enum cr_transform how, const char *arg, struct cr_tree **out,
	uint32_t **map, struct cr_err *err)
{
	struct change c;
	int rc;

	change_init(t, &c);
	if ((rc = match(&c, how, arg, err)) == CR_OK) {
		if (how == CR_TRANSFORM_INVERT)
			*out = cr_tree_invert(t, c.above, map);
		else if (how == CR_TRANSFORM_CALLERS)
			*out = cr_tree_callers(t, c.above, c.hit, map);
		else if ((rc = change(&c, how, arg, err)) == CR_OK)
			derive(&c, out, map);
	}
	if (rc == CR_OK)
		count_left_out(t, *out);
	change_fini(&c);
	return rc;
}

static struct cr_tree *
turned_over(const struct cr_tree *t, uint32_t **map)
{
	uint8_t *above = cr_tree_above(t);
	struct cr_tree *out = cr_tree_invert(t, above, map);

	free(above);
	return out;
}

/* Continue the n places of *map with the places of *next, which is freed. */
static void
map_join(uint32_t *map, uint32_t n, uint32_t *next)
{
	for (uint32_t i = 0; i < n; i++)
		if (map[i] != CR_NO_ROW)
			map[i] = next[map[i]];
	free(next);
}

/* Turn *t over, and the places of n nodes with it. */
static void
turn_back(struct cr_tree **t, uint32_t **map, uint32_t n)
{
	uint32_t *next;
	struct cr_tree *out = turned_over(*t, map ? &next : NULL);

	if (map)
		map_join(*map, n, next);
	cr_tree_free(*t);
	*t = out;
}

/*
 * Transforms are defined by callers and callees, not by the order on the screen. So trees that are
 * leaves first are inverted for a transform and back.
 */
static int
transform_leaves_first(const struct cr_tree *t, enum cr_transform how, const char *arg,
	struct cr_tree **out, uint32_t **map, struct cr_err *err)
{
	uint32_t *next, **wanted = map ? &next : NULL;
	struct cr_tree *callers_first = turned_over(t, map);
	const int rc = transform(callers_first, how, arg, out, wanted, err);

	cr_tree_free(callers_first);
	if (rc < 0) {
		if (map)
			free(*map);
		return rc;
	}
	if (map)
		map_join(*map, t->n, next);
	/* These define the order themselves. */
	if (how != CR_TRANSFORM_CALLERS && how != CR_TRANSFORM_CALLEES)
		turn_back(out, map, t->n);
	return CR_OK;
}

static int
transform_any(const struct cr_tree *t, enum cr_transform how, const char *arg, struct cr_tree **out,
	uint32_t **map, struct cr_err *err)
{
	int rc;

	*out = NULL;
	if ((rc = cr_transform_check(how, arg, err)) < 0)
		return rc;
	if (!t->leaves_first || goes_either_way(how))
		return transform(t, how, arg, out, map, err);
	return transform_leaves_first(t, how, arg, out, map, err);
}

int
cr_transform(const struct cr_tree *t, enum cr_transform how, const char *arg, struct cr_tree **out,
	struct cr_err *err)
{
	return transform_any(t, how, arg, out, NULL, err);
}

int
cr_transform_mapped(const struct cr_tree *t, enum cr_transform how, const char *arg,
	struct cr_tree **out, uint32_t **map, struct cr_err *err)
{
	const int rc = transform_any(t, how, arg, out, map, err);

	if (rc < 0)
		*map = NULL;
	return rc;
}
