#include "session/session.h"

#include "changes_p.h"
#include "history_p.h"
#include "script_p.h"
#include "session_p.h"
#include "split_layout_p.h"
#include "trees_p.h"

#include "base/hash.h"
#include "base/work.h"
#include "model/cost.h"
#include "model/profile.h"
#include "query/diff/diff.h"
#include "query/fold/sketch/sketch.h"
#include "session/views/view.h"
#include "session/views/view_samples_p.h"
#include "view/style/label.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NORM_CELLS 20 /* of the name of a function that is 100 % */

/* ---- changes */

static bool
is_inside(const struct cr_tree *t, uint32_t node, uint32_t of)
{
	return node >= of && node < t->end[of];
}

static void
zoom_moved(struct cr_session *s)
{
	const struct cr_tree *t = s->tree;

	cr_view_drop_all(s, CR_CHANGED_ZOOM);
	s->ahead = 0;
	/* Ancestors are visible too, so one of them may stay selected. */
	if (!is_inside(t, s->selection.node, s->zoom) && !is_inside(t, s->zoom, s->selection.node))
		cr_session_select_node(s, s->zoom);
}

static void
zoom_changed(struct cr_session *s)
{
	zoom_moved(s);
	cr_view_make(cr_view_current(s), s);
}

void
cr_session_zoom_out(struct cr_session *s)
{
	s->zoom = s->n_trail ? s->trail[--s->n_trail] : 0;
	zoom_changed(s);
}

void
cr_session_prepare(struct cr_session *s)
{
	struct cr_view *v = cr_view_current(s);

	cr_view_make(v, s);
	v->ops->surface_of(v, s);
	if ((v = cr_split_other(s))) {
		cr_view_make(v, s);
		v->ops->surface_of(v, s);
	}
}

/* The matches of a pattern in a tree; the visible search stays until this replaces it. */
struct found {
	struct cr_search search;
	char *pattern;
	bool literal;
};

/* Pattern NULL or "" has no matches. */
static int
find(const struct cr_tree *t, const char *pattern, bool literal, struct found *out,
	struct cr_err *err)
{
	int rc;

	*out = (struct found){0};
	if (!pattern || !*pattern)
		return CR_OK;
	if ((rc = cr_search_make(t, pattern, literal, &out->search, err)) < 0)
		return rc;
	if ((rc = cr_work_check(err)) < 0) {
		cr_search_fini(&out->search);
		return rc;
	}
	out->pattern = cr_strdup(pattern);
	out->literal = literal;
	return CR_OK;
}

static void
search_replace(struct cr_session *s, const struct found *f)
{
	cr_search_fini(&s->search);
	free(s->pattern);
	s->search = f->search;
	s->pattern = f->pattern;
	s->literal = f->literal;
	cr_view_drop_all(s, CR_CHANGED_SEARCH);
}

int
cr_session_set_search(struct cr_session *s, const char *pattern, bool literal, struct cr_err *err)
{
	struct found f;
	const int rc = find(s->tree, pattern, literal, &f, err);

	if (rc == CR_OK)
		search_replace(s, &f);
	return rc;
}

int
cr_session_search_frame(struct cr_session *s, uint32_t frame, struct cr_err *err)
{
	const struct cr_str name = s->tree->frames[frame].name;
	char *pattern;
	int rc;

	if (memchr(name.p, '\0', name.len))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "cannot search for a name with a NUL in it");
	pattern = cr_memdup(name.p, name.len);
	rc = cr_session_set_search(s, pattern, true, err);
	free(pattern);
	return rc;
}

void
cr_session_set_view(struct cr_session *s, const struct cr_view *v)
{
	const bool was_shown = v == cr_split_other(s);

	if (was_shown)
		cr_view_make(&s->views[v - s->views], s); /* as it followed the selection */
	cr_split_show(s, (uint32_t)(v - s->views));
	if (v->ops->enter && !was_shown)
		v->ops->enter(&s->views[s->view], s);
	cr_split_apply(s);
	cr_view_make(&s->views[s->view], s);
	if (s->is_empty && !v->ops->needs_no_profile)
		cr_text_puts(&s->message, "no profile is open; 9 shows those that are stored");
}

cr_event_id
cr_session_event_of(const struct cr_session *s, uint32_t side)
{
	const struct cr_profile *p = s->profile[side];
	struct cr_err unused = CR_ERR_INIT;
	cr_event_id event = {s->event};

	if (!p->n_events)
		return (cr_event_id){UINT32_MAX};
	if (cr_trees_own_event(s, side, &event))
		return event;
	if (side && !cr_state_is_within(s) &&
		cr_diff_partner(
			p, &s->profile[0]->events[s->event], s->diff.force, &event, &unused) < 0)
		return cr_event_main(p);
	return event;
}

/* ---- the tree */

static uint32_t
child_like(const struct cr_tree *t, uint32_t parent, const struct cr_frame *f)
{
	for (uint32_t c = parent + 1; c < t->end[parent]; c = t->end[c]) {
		const struct cr_frame *g = &t->frames[t->frame[c]];

		if (g->kind == f->kind && g->inlined == f->inlined && cr_str_eq(g->name, f->name) &&
			cr_str_eq(g->dso, f->dso))
			return c;
	}
	return CR_NO_ROW;
}

static uint32_t
child_of_frame(const struct cr_tree *t, uint32_t parent, uint32_t frame)
{
	for (uint32_t c = parent + 1; c < t->end[parent]; c = t->end[c])
		if (t->frame[c] == frame)
			return c;
	return CR_NO_ROW;
}

/*
 * The node of `to` with the same stack as `node` of `from`, as deep as it exists. same: they are of
 * the same query, so that their frames have the same numbers. Otherwise names are compared; several
 * siblings may have the same name.
 */
static uint32_t
node_in(const struct cr_tree *to, const struct cr_tree *from, uint32_t node, bool same)
{
	const uint32_t depth = from->depth[node];
	uint32_t *path = cr_alloc((uint64_t)depth + 1, sizeof(*path));
	uint32_t at = 0;

	for (uint32_t d = depth; d > 0; d--, node = from->parent[node])
		path[d] = from->frame[node];
	for (uint32_t d = 1; d <= depth; d++) {
		const uint32_t next = same ? child_of_frame(to, at, path[d])
					   : child_like(to, at, &from->frames[path[d]]);

		if (next == CR_NO_ROW)
			break;
		at = next;
	}
	free(path);
	return at;
}

/*
 * Replace the tree and everything that refers to its nodes. same: as for node_in(). The current
 * view is not made.
 */
static void
tree_replace(struct cr_session *s, struct cr_tree *tree, bool same)
{
	struct cr_tree *old = s->tree;
	uint32_t kept = 0, selected = 0;

	s->tree = tree;
	cr_changes_drop(s);
	cr_changes_normalise(s);
	cr_view_drop_all(s, CR_CHANGED_TREE);
	if (old) {
		selected = node_in(tree, old, s->selection.node, same);
		s->zoom = node_in(tree, old, s->zoom, same);
		for (uint32_t i = 0; i < s->n_trail; i++) {
			const uint32_t node = node_in(tree, old, s->trail[i], same);

			if (node != s->zoom && (kept == 0 || s->trail[kept - 1] != node))
				s->trail[kept++] = node;
		}
		s->n_trail = kept;
	}
	cr_session_select_node(s, selected);
	for (uint32_t side = 0; side < s->sides; side++) {
		s->unresolved[side] = cr_trees_unresolved(s->trees, side);
		s->unresolved_of[side] = cr_trees_base(s->trees)->total[side][0];
	}
	zoom_moved(s);
	cr_trees_show(s->trees, old);
}

static bool
same_sketch(const struct cr_sketching *a, const struct cr_sketching *b)
{
	return a->opened1 == b->opened1 && a->path1 == b->path1;
}

/*
 * If the tree is a sketch, make one in which all is there that is shown if *node has the full
 * width: in which its group is complete, or the path to it open, or to the selection below it.
 * *node gets its number in it.
 */
static int
open_sketch(struct cr_session *s, uint32_t *node, struct cr_err *err)
{
	struct cr_sketching how = {true, s->sketching.opened1, s->sketching.path1};
	struct cr_tree *tree;
	int rc;

	if (!s->tree->is_sketch || !*node)
		return CR_OK;
	if (s->tree->is_wide)
		how.path1 = cr_trees_path1(s->trees, s->tree,
			is_inside(s->tree, s->selection.node, *node) ? s->selection.node : *node);
	else
		how.opened1 = cr_sketch_group1(s->tree, *node);
	if (same_sketch(&how, &s->sketching))
		return CR_OK;
	if ((rc = cr_trees_make(s->trees, s, s->event, &s->query, &how, &tree, err)) < 0)
		return rc;
	*node = node_in(tree, s->tree, *node, true);
	s->sketching = how;
	tree_replace(s, tree, true);
	return CR_OK;
}

int
cr_session_open_selected(struct cr_session *s, struct cr_err *err)
{
	uint32_t node = s->selection.node;
	int rc;

	if (!s->tree->is_wide || !cr_sketch_is_closed(s->tree, node))
		return CR_OK;
	if ((rc = open_sketch(s, &node, err)) < 0)
		return rc;
	cr_view_make(cr_view_current(s), s);
	if (!s->one_step)
		cr_history_renumber(s->history, s);
	return CR_OK;
}

int
cr_session_set_zoom(struct cr_session *s, uint32_t *node, struct cr_err *err)
{
	const struct cr_tree *t;
	int rc;

	if (*node == s->zoom)
		return CR_OK;
	if ((rc = open_sketch(s, node, err)) < 0)
		return rc;
	t = s->tree;
	s->trail = cr_realloc(s->trail, s->n_trail + 1, sizeof(*s->trail));
	s->trail[s->n_trail++] = s->zoom;
	while (s->n_trail && (s->trail[s->n_trail - 1] == *node ||
				     !is_inside(t, *node, s->trail[s->n_trail - 1])))
		s->n_trail--;
	s->zoom = *node;
	zoom_changed(s);
	return CR_OK;
}

/* What is to be shown. */
struct wanted {
	uint32_t event;
	const struct cr_query *query;
	const char *pattern;
	bool literal;
	struct cr_sketching how;
	bool keeps_zoom; /* the zoom stays where it is, as far as that is still there */
	bool same;       /* it is the same query as before */
};

/* True if a node of `from` may be in the complete tree, and is not in the sketch of it. */
static bool
is_cut_off(const struct cr_tree *sketch, const struct cr_tree *from, uint32_t node)
{
	const uint32_t to = node_in(sketch, from, node, false);

	return sketch->depth[to] < from->depth[node] && cr_sketch_is_closed(sketch, to);
}

/* The innermost node that is drawn or selected: zoom and selection are above one another. */
static uint32_t
innermost(const struct cr_session *s)
{
	return is_inside(s->tree, s->selection.node, s->zoom) ? s->selection.node : s->zoom;
}

/*
 * *out is a sketch of very many stacks. Open the path to the innermost node, as far as it is there
 * and was not open.
 */
static int
open_innermost(struct cr_session *s, const struct wanted *w, struct cr_sketching *how,
	struct cr_tree **out, struct cr_err *err)
{
	const uint32_t node = innermost(s);
	int rc = CR_OK;

	while (rc == CR_OK && (*out)->is_wide) {
		const uint32_t at = node_in(*out, s->tree, node, false);
		const uint32_t path1 = cr_trees_path1(s->trees, *out, at);

		if (path1 == how->path1)
			break;
		how->path1 = path1;
		rc = cr_trees_make(s->trees, s, w->event, w->query, how, out, err);
	}
	return rc;
}

/*
 * Make the tree. If it is a sketch, and zoom and selection stay where they are, they must be in it:
 * the group of the zoom is complete, or the path to them open. Otherwise the tree is. *how tells
 * what was made.
 */
static int
tree_make(struct cr_session *s, const struct wanted *w, struct cr_sketching *how,
	struct cr_tree **out, struct cr_err *err)
{
	int rc = cr_trees_make(s->trees, s, w->event, w->query, how, out, err);
	uint32_t group1;

	if (rc < 0 || !w->keeps_zoom || !s->tree || *out == s->tree || !(*out)->is_sketch)
		return rc;
	if ((*out)->is_wide)
		return open_innermost(s, w, how, out, err);
	group1 = cr_sketch_group1(*out, node_in(*out, s->tree, s->zoom, false));
	if (group1 && group1 != how->opened1) {
		how->opened1 = group1;
		rc = cr_trees_make(s->trees, s, w->event, w->query, how, out, err);
	}
	if (rc == CR_OK && is_cut_off(*out, s->tree, s->selection.node)) {
		how->wanted = false;
		rc = cr_trees_make(s->trees, s, w->event, w->query, how, out, err);
	}
	return rc;
}

/*
 * Change tree and search together. Everything that can fail or be cancelled is done before s is
 * changed. The profiles have the cost of q.
 */
static int
set_query_of_cost(struct cr_session *s, const struct wanted *w, struct cr_err *err)
{
	struct cr_sketching how = w->how;
	const struct cr_query *q = w->query;
	struct cr_query copy;
	struct cr_tree *tree;
	struct found f;
	int rc;

	if ((rc = tree_make(s, w, &how, &tree, err)) < 0)
		return rc;
	if ((rc = find(tree, w->pattern, w->literal, &f, err)) < 0) {
		if (tree != s->tree)
			cr_trees_drop(s->trees, tree);
		return rc;
	}
	/* Views make their rows of the query again as soon as the tree is there. */
	cr_query_copy(q, &copy); /* q may be that of s */
	cr_query_fini(&s->query);
	s->query = copy;
	s->event = w->event;
	s->sketching = how;
	search_replace(s, &f);
	if (tree != s->tree)
		tree_replace(s, tree, w->same);
	return CR_OK;
}

static int
set_cost(struct cr_session *s, const char *cost, struct cr_err *err)
{
	int rc = CR_OK;

	if (!cr_cost_same(s->profile[0]->cost, cost) &&
		(rc = cr_trees_set_cost(s->trees, s, cost, err)) == CR_OK)
		cr_view_drop_samples(s);
	return rc;
}

static int
set_query(struct cr_session *s, const struct wanted *w, struct cr_err *err)
{
	const char *was = s->profile[0]->cost;
	struct cr_err unused = CR_ERR_INIT;
	int rc = set_cost(s, cr_query_filter(w->query)->cost, err);

	if (rc == CR_OK && (rc = set_query_of_cost(s, w, err)) < 0)
		set_cost(s, was, &unused); /* which is there already */
	return rc;
}

static bool
has_word(const struct cr_query *q, enum cr_word word)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->steps[i].word == word)
			return true;
	return false;
}

/* A word that both sides of a difference replace by their own has no effect: refuse it. */
static int
check_words(const struct cr_session *s, const struct cr_query *q, struct cr_err *err)
{
	for (size_t i = 0; i < q->n; i++) {
		const enum cr_word word = q->steps[i].word;

		if (!has_word(&s->query, word) && has_word(&s->own[0], word) &&
			has_word(&s->own[1], word))
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
				"each side of this difference has its own %s",
				cr_word_info(word)->name);
	}
	return CR_OK;
}

/*
 * The next tree may be a sketch: on a screen, where all that is shown is the same as with the
 * complete tree.
 */
static bool
fits_sketch(const struct cr_session *s)
{
	const struct cr_view *other = cr_split_other(s);

	return (s->on_screen || s->for_screen) && s->sides == 1 && !s->pattern &&
	       (!s->zoom || s->tree->is_sketch) && !cr_query_has(&s->query, CR_WORD_TRANSFORMS) &&
	       cr_view_current(s)->ops->takes_sketch && (!other || other->ops->takes_sketch);
}

int
cr_session_set_query(
	struct cr_session *s, uint32_t event, const struct cr_query *q, struct cr_err *err)
{
	const struct wanted w = {event, q, s->pattern, s->literal,
		{fits_sketch(s), s->sketching.opened1, s->sketching.path1}, .keeps_zoom = true};
	int rc = s->tree ? check_words(s, q, err) : CR_OK;

	if (rc == CR_OK)
		rc = set_query(s, &w, err);
	if (rc == CR_OK)
		cr_view_make(cr_view_current(s), s);
	return rc;
}

int
cr_session_complete(struct cr_session *s, struct cr_err *err)
{
	const struct wanted w = {
		s->event, &s->query, s->pattern, s->literal, .keeps_zoom = true, .same = true};
	int rc;

	if (!s->tree || !s->tree->is_sketch)
		return CR_OK;
	if ((rc = set_query(s, &w, err)) < 0)
		return rc;
	cr_view_make(cr_view_current(s), s);
	if (!s->one_step)
		cr_history_renumber(s->history, s);
	return CR_OK;
}

/* ---- history */

void
cr_session_restart_history(struct cr_session *s)
{
	cr_history_free(s->history);
	s->history = cr_history_new(s);
}

/* ---- restoring states */

int
cr_session_go(struct cr_session *s, const struct cr_place *to, struct cr_err *err)
{
	const bool swaps = to->change.swapped != s->change.swapped;
	const struct wanted w = {to->event, &to->query, to->pattern, to->literal, to->sketching,
		.keeps_zoom = false};
	int rc;

	if (swaps)
		cr_changes_swap_sides(s);
	if ((rc = set_query(s, &w, err)) < 0) {
		if (swaps)
			cr_changes_swap_sides(s);
		return rc;
	}
	if (s->sides == 2)
		cr_changes_set(s, to->change);
	free(s->trail);
	s->trail = to->n_trail ? cr_memdup(to->trail, to->n_trail * sizeof(*to->trail)) : NULL;
	s->n_trail = to->n_trail;
	if (s->zoom != to->zoom)
		cr_view_drop_all(s, CR_CHANGED_ZOOM);
	s->zoom = to->zoom;
	cr_session_select_again(s, &to->selection);
	s->root_up = to->root_up;
	s->palette = to->palette;
	s->theme = to->theme;
	s->split = to->split;
	s->view = to->view;
	cr_session_set_view(s, &s->views[s->view]);
	for (uint32_t i = 0; cr_view_ops_at(i); i++)
		if (cr_view_ops_at(i)->restore)
			cr_view_ops_at(i)->restore(&s->views[i], s, to->own[i]);
	return CR_OK;
}

void
cr_session_on_screen(struct cr_session *s)
{
	if (s->on_screen)
		return;
	s->on_screen = true;
	s->split.how = CR_SPLIT_AUTO;
	cr_script_add(s->script, CR_STR("split auto"));
	cr_session_restart_history(s);
}

/* ---- reading the state */

uint32_t
cr_session_sides(const struct cr_session *s)
{
	return s->sides;
}

bool
cr_session_is_within(const struct cr_session *s)
{
	return cr_state_is_within(s);
}

const struct cr_profile *
cr_session_profile(const struct cr_session *s, uint32_t side)
{
	return s->profile[side];
}

const char *
cr_session_title(const struct cr_session *s, uint32_t side)
{
	return s->title[side];
}

void
cr_session_put_norm(const struct cr_session *s, struct cr_text *out)
{
	static const char *const words[] = {[CR_NORM_TIME] = ", CPU time",
		[CR_NORM_SECOND] = " per second",
		[CR_NORM_NONE] = ", as recorded",
		[CR_NORM_FUNCTION] = ", 100 % is "};

	if (s->sides == 1 || s->norm.kind == CR_NORM_SHARE)
		return;
	cr_text_puts(out, words[s->norm.kind]);
	if (s->norm_function)
		cr_label_fit(out, cr_str_of(s->norm_function), NORM_CELLS);
}

uint32_t
cr_session_threads(const struct cr_session *s, uint32_t side)
{
	return s->threads[side];
}

uint64_t
cr_session_unresolved(const struct cr_session *s, uint32_t side)
{
	return s->unresolved[side];
}

uint64_t
cr_session_unresolved_of(const struct cr_session *s, uint32_t side)
{
	return s->unresolved_of[side];
}

uint32_t
cr_session_event(const struct cr_session *s)
{
	return s->event;
}

const struct cr_query *
cr_session_query(const struct cr_session *s)
{
	return &s->query;
}

const struct cr_tree *
cr_session_tree(const struct cr_session *s)
{
	return s->tree;
}

uint32_t
cr_session_zoom(const struct cr_session *s)
{
	return s->zoom;
}

const struct cr_selection *
cr_session_selection(const struct cr_session *s)
{
	return &s->selection;
}

const struct cr_search *
cr_session_search(const struct cr_session *s)
{
	return &s->search;
}

const char *
cr_session_pattern(const struct cr_session *s)
{
	return s->pattern;
}

bool
cr_session_is_literal(const struct cr_session *s)
{
	return s->literal;
}

bool
cr_session_root_up(const struct cr_session *s)
{
	return s->root_up;
}

const struct cr_theme *
cr_session_theme(const struct cr_session *s)
{
	return &s->theme;
}

enum cr_palette
cr_session_palette(const struct cr_session *s)
{
	return s->palette;
}

bool
cr_session_quits(const struct cr_session *s)
{
	return s->quit;
}

const struct cr_text *
cr_session_message(const struct cr_session *s)
{
	return &s->message;
}

void
cr_session_say(struct cr_session *s, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	cr_text_clear(&s->message);
	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		return;
	cr_text_puts(&s->message, text);
	free(text);
}

void
cr_session_clear_message(struct cr_session *s)
{
	cr_text_clear(&s->message);
}

/* ---- copied text */

const struct cr_text *
cr_session_copied(const struct cr_session *s)
{
	return &s->copied;
}

void
cr_session_clear_copied(struct cr_session *s)
{
	cr_text_clear(&s->copied);
}
