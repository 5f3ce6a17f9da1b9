#include "session/session.h"

#include "changes_p.h"
#include "history_p.h"
#include "script_p.h"
#include "session_p.h"
#include "split_layout_p.h"
#include "trees_p.h"

#include "base/hash.h"
#include "base/work.h"
#include "model/merge/merge.h"
#include "model/profile.h"
#include "query/diff/diff.h"
#include "session/custom/custom_p.h"
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
cr_session_set_zoom(struct cr_session *s, uint32_t node)
{
	const struct cr_tree *t = s->tree;

	if (node == s->zoom)
		return;
	s->trail = cr_realloc(s->trail, s->n_trail + 1, sizeof(*s->trail));
	s->trail[s->n_trail++] = s->zoom;
	while (s->n_trail &&
		(s->trail[s->n_trail - 1] == node || !is_inside(t, node, s->trail[s->n_trail - 1])))
		s->n_trail--;
	s->zoom = node;
	zoom_changed(s);
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

/* The node of `to` with the same stack as `node` of `from`, as deep as it exists. */
static uint32_t
node_in(const struct cr_tree *to, const struct cr_tree *from, uint32_t node)
{
	const uint32_t depth = from->depth[node];
	uint32_t *path = cr_alloc((uint64_t)depth + 1, sizeof(*path));
	uint32_t at = 0;

	for (uint32_t d = depth; d > 0; d--, node = from->parent[node])
		path[d] = node;
	for (uint32_t d = 1; d <= depth; d++) {
		const uint32_t next = child_like(to, at, &from->frames[from->frame[path[d]]]);

		if (next == CR_NO_ROW)
			break;
		at = next;
	}
	free(path);
	return at;
}

/* Replace the tree and everything that refers to its nodes. The current view is not made. */
static void
tree_replace(struct cr_session *s, struct cr_tree *tree)
{
	struct cr_tree *old = s->tree;
	uint32_t kept = 0, selected = 0;

	s->tree = tree;
	cr_changes_drop(s);
	cr_changes_normalise(s);
	cr_view_drop_all(s, CR_CHANGED_TREE);
	if (old) {
		selected = node_in(tree, old, s->selection.node);
		s->zoom = node_in(tree, old, s->zoom);
		for (uint32_t i = 0; i < s->n_trail; i++) {
			const uint32_t node = node_in(tree, old, s->trail[i]);

			if (node != s->zoom && (kept == 0 || s->trail[kept - 1] != node))
				s->trail[kept++] = node;
		}
		s->n_trail = kept;
	}
	cr_session_select_node(s, selected);
	for (uint32_t side = 0; side < s->sides; side++) {
		s->unresolved[side] = cr_tree_unresolved(cr_trees_base(s->trees), side);
		s->unresolved_of[side] = cr_trees_base(s->trees)->total[side][0];
	}
	zoom_moved(s);
	cr_trees_show(s->trees, old);
}

/*
 * Change tree and search together. Everything that can fail or be cancelled is done before s is
 * changed.
 */
static int
set_query(struct cr_session *s, uint32_t event, const struct cr_query *q, const char *pattern,
	bool literal, struct cr_err *err)
{
	struct cr_query copy;
	struct cr_tree *tree;
	struct found f;
	int rc;

	if ((rc = cr_trees_make(s->trees, s, event, q, &tree, err)) < 0)
		return rc;
	if ((rc = find(tree, pattern, literal, &f, err)) < 0) {
		if (tree != s->tree)
			cr_trees_drop(s->trees, tree);
		return rc;
	}
	/* Views make their rows of the query again as soon as the tree is there. */
	cr_query_copy(q, &copy); /* q may be that of s */
	cr_query_fini(&s->query);
	s->query = copy;
	s->event = event;
	search_replace(s, &f);
	if (tree != s->tree)
		tree_replace(s, tree);
	return CR_OK;
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

int
cr_session_set_query(
	struct cr_session *s, uint32_t event, const struct cr_query *q, struct cr_err *err)
{
	int rc = s->tree ? check_words(s, q, err) : CR_OK;

	if (rc == CR_OK)
		rc = set_query(s, event, q, s->pattern, s->literal, err);
	if (rc == CR_OK)
		cr_view_make(cr_view_current(s), s);
	return rc;
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
	int rc;

	if (swaps)
		cr_changes_swap_sides(s);
	if ((rc = set_query(s, to->event, &to->query, to->pattern, to->literal, err)) < 0) {
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

/* ---- creation */

static int
thread_cmp(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* A thread has a task for each of its names; threads of two recordings are never equal. */
static uint32_t
threads_count(const struct cr_profile *p)
{
	uint32_t *recording, n = 0;
	uint64_t *threads;

	if (!(p->flags & CR_PROFILE_HAS_TASK) || !p->n_tasks)
		return 0;
	recording = cr_alloc(p->n_tasks, sizeof(*recording));
	threads = cr_alloc(p->n_tasks, sizeof(*threads));
	cr_merge_recordings(p, recording);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		threads[i] = (uint64_t)recording[i] << 32 | (uint32_t)p->tasks[i].tid;
	qsort(threads, p->n_tasks, sizeof(*threads), thread_cmp);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		n += (int32_t)(uint32_t)threads[i] >= 0 && (i == 0 || threads[i] != threads[i - 1]);
	free(threads);
	free(recording);
	return n;
}

static int
first_event(
	const struct cr_session *s, const struct cr_filter *f, cr_event_id *out, struct cr_err *err)
{
	cr_event_id of_side[CR_SIDES];
	int rc;

	if (s->sides == 2 && cr_trees_own_event(s, 0, out))
		return CR_OK;
	if (s->sides == 1 || cr_state_is_within(s))
		return cr_filter_event(s->profile[0], f, out, err);
	rc = cr_diff_events((const struct cr_profile *const *)s->profile, f, of_side, NULL, err);
	*out = of_side[0];
	return rc;
}

/*
 * Report before a comparison: different sampling rates, or programs with different names treated as
 * one.
 */
static void
report_comparison(struct cr_session *s)
{
	struct cr_text rate[CR_SIDES] = {{0}, {0}};
	const struct cr_str *paired = s->tree->paired;

	if (s->sides == 2 && !cr_state_is_within(s) &&
		cr_diff_rates((const struct cr_profile *const *)s->profile, s->tree, rate))
		cr_text_printf(&s->message,
			"sampled at different rates, %s before and %s after: compare shares, not "
			"samples",
			rate[0].p, rate[1].p);
	if (paired[0].len) {
		cr_text_puts(&s->message, s->message.len ? "; " : "");
		cr_text_safe(&s->message, cr_str_basename(paired[0]));
		cr_text_puts(&s->message, " and ");
		cr_text_safe(&s->message, cr_str_basename(paired[1]));
		cr_text_puts(&s->message, " are compared as one program");
	}
	for (int side = 0; side < CR_SIDES; side++)
		cr_text_fini(&rate[side]);
}

static void
parts_new(struct cr_session *s)
{
	s->split = cr_split_initial();
	s->script = cr_script_new();
	s->custom = cr_custom_new();
	s->bookmarks = cr_custom_new();
	s->theme = cr_theme_made(0);
	s->names = cr_selection_names_new();
	s->trees = cr_trees_new();
	s->changes = cr_changes_new();
	s->views = cr_view_new_all();
}

int
cr_session_new_by_time(const struct cr_session *of, uint64_t from_ns, uint64_t to_ns,
	struct cr_session **out, struct cr_err *err)
{
	struct cr_session *s = cr_alloc(1, sizeof(*s));
	struct cr_text title = {0};
	int rc;

	*out = NULL;
	s->profile[0] = s->profile[1] = of->profile[0];
	s->sides = 2;
	s->by_time = true;
	s->from_ns = from_ns;
	s->to_ns = to_ns;
	s->users = of->users;
	++*s->users;
	s->threads[0] = s->threads[1] = of->threads[0];
	cr_text_printf(&title, "%s: the rest", of->title[0]);
	s->title[0] = cr_strdup(title.p);
	cr_text_clear(&title);
	cr_selection_put_time(&of->selection, &title);
	s->title[1] = cr_strdup(title.len ? title.p : "the mark");
	cr_text_fini(&title);
	parts_new(s);
	if ((rc = cr_session_set_query(s, of->event, &of->query, err)) == CR_OK)
		for (uint32_t side = 0; side < CR_SIDES && rc == CR_OK; side++)
			if (!s->tree->total_samples[side][0])
				rc = cr_fail(err, CR_EEMPTY, CR_NO_OFFSET,
					side ? "no samples are in the marked time"
					     : "all samples are in the marked time");
	if (rc < 0) {
		cr_session_free(s);
		return rc;
	}
	s->history = cr_history_new(s);
	*out = s;
	return CR_OK;
}

static void
compare_as(struct cr_session *s, const struct cr_comparison *how)
{
	s->diff = how->diff;
	s->norm = how->norm;
	if (how->norm.function)
		s->norm.function = s->norm_function = cr_strdup(how->norm.function);
	s->noise = how->noise;
	for (int side = 0; side < CR_SIDES && how->side; side++)
		cr_query_copy(&how->side[side], &s->own[side]);
}

int
cr_session_new(struct cr_profile *before, const char *before_title, struct cr_profile *after,
	const char *after_title, const struct cr_query *query, const struct cr_comparison *how,
	struct cr_session **out, struct cr_err *err)
{
	struct cr_session *s = cr_alloc(1, sizeof(*s));
	struct cr_query q = {0};
	cr_event_id first;
	int rc;

	*out = NULL;
	if (query)
		cr_query_copy(query, &q);
	s->profile[0] = before;
	s->profile[1] =
		!after && !cr_query_filter(&q)->event && cr_diff_is(before) ? before : after;
	s->title[0] = cr_strdup(before_title ? before_title : "");
	s->title[1] = cr_strdup(after && after_title ? after_title : "");
	s->sides = s->profile[1] ? 2 : 1;
	if (how)
		compare_as(s, how);
	for (uint32_t side = 0; side < s->sides; side++)
		s->diff.profile[side] = s->profile[side];
	for (uint32_t side = 0; side < s->sides; side++)
		s->threads[side] = threads_count(s->profile[side]);
	parts_new(s);
	s->users = cr_alloc(1, sizeof(*s->users));
	*s->users = 1;
	if ((rc = first_event(s, cr_query_filter(&q), &first, err)) == CR_OK) {
		cr_query_remove(&q, CR_WORD_EVENT); /* it becomes s->event */
		rc = cr_session_set_query(s, first.i, &q, err);
	}
	if (rc == CR_OK)
		rc = cr_changes_check_norm(s, err);
	cr_query_fini(&q);
	if (rc < 0) {
		cr_session_free(s);
		return rc;
	}
	report_comparison(s);
	s->history = cr_history_new(s);
	*out = s;
	return CR_OK;
}

/* Another session may have the same profiles. */
static void
profiles_free(struct cr_session *s)
{
	if (s->users && --*s->users)
		return;
	free(s->users);
	if (s->profile[1] != s->profile[0])
		cr_profile_free(s->profile[1]);
	cr_profile_free(s->profile[0]);
}

void
cr_session_free(struct cr_session *s)
{
	if (!s)
		return;
	cr_session_free(s->earlier);
	cr_session_free(s->later);
	cr_history_free(s->history);
	cr_script_free(s->script);
	cr_custom_free(s->custom);
	cr_custom_free(s->bookmarks);
	cr_selection_names_free(s->names);
	cr_view_free_all(s->views);
	cr_search_fini(&s->search);
	if (s->tree)
		cr_trees_drop(s->trees, s->tree);
	cr_trees_free(s->trees);
	cr_view_drop_samples(s);
	cr_changes_free(s->changes);
	cr_query_fini(&s->query);
	profiles_free(s);
	for (uint32_t side = 0; side < CR_SIDES; side++) {
		free(s->title[side]);
		cr_text_fini(&s->source[side]);
		cr_query_fini(&s->own[side]);
	}
	free(s->recording);
	cr_text_fini(&s->copied);
	cr_text_fini(&s->message);
	free(s->trail);
	free(s->pattern);
	free(s->norm_function);
	free(s);
}
