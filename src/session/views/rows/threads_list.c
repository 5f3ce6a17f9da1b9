#include "threads_list_p.h"

#include "session/trees_p.h"
#include "session/views/view_samples_p.h"

#include "base/hash.h"
#include "base/work.h"
#include "query/diff/evidence.h"

#include <stdlib.h>

static void
rows_drop(struct cr_threads_list *w)
{
	for (int off = 0; off < 2; off++)
		cr_thread_functions_fini(&w->functions[off]);
	cr_thread_rows_fini(&w->one);
	cr_thread_diff_fini(&w->diff);
	free(w->change);
	free(w->order);
	w->t = &w->one;
	w->is_diff = false;
	w->change = NULL;
	free(w->why);
	w->order = NULL;
	w->why = NULL;
	w->open = CR_NO_ROW;
	w->made = false;
}

static int
compare(const struct cr_threads_list *w, const struct cr_thread_row *a,
	const struct cr_thread_row *b)
{
	switch (w->sort) {
	case CR_THREADS_SHARE: return 0;
	case CR_THREADS_WAITING: return (a->off_ns < b->off_ns) - (a->off_ns > b->off_ns);
	case CR_THREADS_WAITS: return (a->waits < b->waits) - (a->waits > b->waits);
	case CR_THREADS_LONGEST:
		return (a->longest_ns < b->longest_ns) - (a->longest_ns > b->longest_ns);
	case CR_THREADS_FIRST: return (a->first_ns > b->first_ns) - (a->first_ns < b->first_ns);
	case CR_THREADS_NAME: return cr_str_cmp(a->comm, b->comm);
	case CR_THREADS_PID: return (a->pid > b->pid) - (a->pid < b->pid);
	case CR_THREADS_TID: return (a->tid > b->tid) - (a->tid < b->tid);
	case CR_THREADS_SORTS: break;
	}
	return 0;
}

static int
by_order(const void *x, const void *y, void *user)
{
	const struct cr_threads_list *w = user;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int less = compare(w, &w->t->rows[a], &w->t->rows[b]);

	if (less == 0)
		less = (a > b) - (a < b);
	return w->reverse ? -less : less;
}

/* Whether a row of a difference is known to have changed; without tests, whether it has a mark. */
bool
cr_threads_list_has_changed(const struct cr_threads_list *w, uint32_t row)
{
	return cr_change_mark_of(w->change[row].shown) != 0;
}

void
cr_threads_list_show(struct cr_view *v, const struct cr_session *s)
{
	struct cr_threads_list *w = v->state;

	if (w->t->n)
		qsort_r(w->order, w->t->n, sizeof(*w->order), by_order, w);
	w->shown.n = 0;
	w->shown_as = s->change.shown;
	for (uint32_t i = 0; i < w->t->n; i++) {
		if (w->is_diff && w->shown_as == CR_SHOWN_ONLY &&
			!cr_threads_list_has_changed(w, w->order[i]))
			continue;
		cr_vec_push(&w->shown, ((struct cr_threads_line){w->order[i], CR_NO_ROW, false}));
		for (int off = 0; off < 2 && w->order[i] == w->open; off++)
			for (uint32_t k = 0; k < w->functions[off].n; k++)
				cr_vec_push(&w->shown, ((struct cr_threads_line){w->open, k, off}));
	}
	v->n = (uint32_t)w->shown.n;
}

/* The columns of each row; what may be noise has no mark, unless all differences are shown. */
static void
change_make(struct cr_threads_list *w, const struct cr_session *s)
{
	const struct cr_thread_diff *d = &w->diff;

	free(w->change);
	w->change = cr_alloc(CR_MAX(d->both.n, 1u), sizeof(*w->change));
	for (uint32_t row = 0; row < d->both.n; row++) {
		struct cr_change_cells *c = &w->change[row];

		for (uint32_t side = 0; side < CR_SIDES; side++) {
			c->part[side] = cr_thread_diff_weight(d, row, side);
			c->whole[side] = d->side[side].weight;
		}
		c->verdict = d->verdicts ? &d->verdicts[row] : NULL;
		if (s->change.shown == CR_SHOWN_ALL || !c->verdict ||
			cr_verdict_is_call(c->verdict->word))
			c->shown = cr_thread_diff_ppm(d, row);
	}
	w->lines.change = w->change;
	w->lines.verdicts = d->verdicts != NULL;
}

static int
diff_make(struct cr_threads_list *w, struct cr_session *s, struct cr_err *err)
{
	struct cr_query q[CR_SIDES] = {{0}, {0}};
	struct cr_thread_diff_side side[CR_SIDES];
	int rc = CR_OK;

	for (uint32_t k = 0; k < CR_SIDES && rc == CR_OK; k++) {
		side[k] = (struct cr_thread_diff_side){s->profile[k], &q[k]};
		if ((rc = cr_trees_query_of(s, k, &q[k], err)) == CR_OK)
			rc = cr_view_fetch_of(s, k,
				cr_thread_rows_need(s->profile[k], &q[k]) | CR_EVIDENCE_NEEDS, err);
	}
	if (rc == CR_OK)
		rc = cr_thread_diff_make(side, w->by, !s->by_time, &w->diff, err);
	for (uint32_t k = 0; k < CR_SIDES; k++)
		cr_query_fini(&q[k]);
	w->is_diff = rc == CR_OK;
	if (w->is_diff)
		w->t = &w->diff.both;
	return rc;
}

static int
rows_make(struct cr_threads_list *w, struct cr_session *s, struct cr_err *err)
{
	const struct cr_profile *p = cr_view_profile(s);
	struct cr_query q;
	int rc;

	if (cr_view_has_sides(s))
		return diff_make(w, s, err);
	if ((rc = cr_view_query(s, &q, err)) < 0)
		return rc;
	if ((rc = cr_view_fetch(s, cr_thread_rows_need(p, &q), err)) == CR_OK)
		rc = cr_thread_rows_make(p, &q, cr_view_slices(s, &q), w->by, &w->one, err);
	cr_query_fini(&q);
	return rc;
}

/* The line of the selected thread; the first one if it has none. */
uint32_t
cr_threads_list_selected(const struct cr_threads_list *w, const struct cr_session *s)
{
	const struct cr_selection *at = &s->selection;

	for (size_t i = 0; i < w->shown.n && (at->parts & CR_SELECTED_THREAD); i++) {
		const struct cr_thread_row *r = &w->t->rows[w->shown.p[i].row];
		const bool same =
			w->by == CR_THREAD_BY_THREAD ? r->tid == at->tid : r->pid == at->pid;

		if (same && (at->pid < 0 || r->pid == at->pid))
			return (uint32_t)i;
	}
	return 0;
}

/* Other rows of a difference are to be shown. */
static void
changes_again(struct cr_view *v, const struct cr_session *s)
{
	change_make(v->state, s);
	cr_threads_list_show(v, s);
	v->row = cr_threads_list_selected(v->state, s);
}

void
cr_threads_list_make(struct cr_view *v, struct cr_session *s)
{
	struct cr_threads_list *w = v->state;
	struct cr_err err = CR_ERR_INIT;

	if (cr_view_is_made_of(s, &w->made_of) && w->made) {
		if (w->is_diff && w->shown_as != s->change.shown)
			changes_again(v, s);
		return;
	}
	rows_drop(w);
	if (rows_make(w, s, &err) < 0)
		w->why = cr_strdup(err.text);
	w->lines = (struct cr_thread_lines){.t = w->t, .by = w->by};
	if (w->is_diff)
		change_make(w, s);
	w->order = cr_alloc(CR_MAX(w->t->n, 1u), sizeof(*w->order));
	for (uint32_t i = 0; i < w->t->n; i++)
		w->order[i] = i;
	cr_threads_list_show(v, s);
	v->row = cr_threads_list_selected(w, s);
	w->made = !cr_work_stopped();
}

void
cr_threads_list_fini(struct cr_view *v)
{
	struct cr_threads_list *w = v->state;

	rows_drop(w);
	free(w->made_of);
	cr_vec_fini(&w->shown);
}
