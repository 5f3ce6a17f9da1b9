#include "query/diff/thread_diff.h"

#include "base/hash.h"
#include "base/mem.h"
#include "model/columns.h"
#include "query/diff/evidence_samples.h"

#include <stdlib.h>

/* ---- matching: both sides sorted by name, then merged */

struct sorting {
	const struct cr_thread_row *rows;
	bool by_number;
};

static int
compare(const struct cr_thread_row *a, const struct cr_thread_row *b, bool by_number)
{
	const int rc = cr_str_cmp(a->comm, b->comm);

	if (rc || !by_number)
		return rc;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* Rows are sorted by cost, so those of the same name stay so. */
static int
by_key(const void *x, const void *y, void *user)
{
	const struct sorting *s = user;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const int rc = compare(&s->rows[a], &s->rows[b], s->by_number);

	return rc ? rc : (a > b) - (a < b);
}

/* The caller frees it. */
static uint32_t *
sorted(const struct cr_thread_rows *t, bool by_number)
{
	struct sorting s = {t->rows, by_number};
	uint32_t *order = cr_alloc(CR_MAX(t->n, 1u), sizeof(*order));

	for (uint32_t i = 0; i < t->n; i++)
		order[i] = i;
	if (t->n)
		qsort_r(order, t->n, sizeof(*order), by_key, &s);
	return order;
}

/* True if all rows have one name: that of the program. */
static bool
has_one_name(const struct cr_thread_rows *t)
{
	for (uint32_t i = 1; i < t->n; i++)
		if (!cr_str_eq(t->rows[i].comm, t->rows[0].comm))
			return false;
	return t->n > 0;
}

/* Returns the number of pairs. */
static uint32_t
match(const struct cr_thread_rows side[CR_SIDES], bool by_number, struct cr_thread_pair *pairs)
{
	const bool any_name = has_one_name(&side[0]) && has_one_name(&side[1]) && !by_number;
	uint32_t *order[CR_SIDES] = {sorted(&side[0], by_number), sorted(&side[1], by_number)};
	uint32_t n = 0, a = 0, b = 0;

	while (a < side[0].n || b < side[1].n) {
		int rc = a == side[0].n ? 1 : b == side[1].n ? -1 : 0;

		if (!rc && !any_name)
			rc = compare(
				&side[0].rows[order[0][a]], &side[1].rows[order[1][b]], by_number);
		pairs[n].row[0] = rc <= 0 ? order[0][a++] : CR_NO_ROW;
		pairs[n++].row[1] = rc >= 0 ? order[1][b++] : CR_NO_ROW;
	}
	free(order[0]);
	free(order[1]);
	return n;
}

/* ---- verdicts */

/* By task of a side: its pair. The caller frees it. */
static uint32_t *
pairs_of_tasks(
	const struct cr_thread_diff *d, uint32_t n_pairs, uint32_t side, const struct cr_profile *p)
{
	const struct cr_thread_rows *t = &d->side[side];
	uint32_t *pair_of = cr_alloc(CR_MAX(t->n, 1u), sizeof(*pair_of));
	uint32_t *out = cr_alloc(CR_MAX(p->n_tasks, 1u), sizeof(*out));

	for (uint32_t i = 0; i < n_pairs; i++)
		if (d->pairs[i].row[side] != CR_NO_ROW)
			pair_of[d->pairs[i].row[side]] = i;
	for (uint32_t i = 0; i < p->n_tasks; i++)
		out[i] = t->row_of[i] == CR_NO_ROW ? CR_NO_ROW : pair_of[t->row_of[i]];
	free(pair_of);
	return out;
}

static int
judge(const struct cr_thread_diff_side side[CR_SIDES], uint32_t n, struct cr_thread_diff *d,
	struct cr_err *err)
{
	struct cr_evidence_samples in[CR_SIDES];
	uint32_t *row_of[CR_SIDES];
	int rc;

	for (uint32_t k = 0; k < CR_SIDES; k++) {
		row_of[k] = pairs_of_tasks(d, n, k, side[k].p);
		in[k] = (struct cr_evidence_samples){
			side[k].p, side[k].query, cr_column_tasks(side[k].p), row_of[k]};
	}
	d->verdicts = cr_alloc(CR_MAX(n, 1u), sizeof(*d->verdicts));
	rc = cr_evidence_samples_judge(in, n, d->verdicts, &d->summary, err);
	if (rc == CR_OK && !d->summary.tested) {
		free(d->verdicts);
		d->verdicts = NULL;
	}
	free(row_of[0]);
	free(row_of[1]);
	return rc;
}

/* ---- rows */

uint64_t
cr_thread_diff_weight(const struct cr_thread_diff *d, uint32_t row, uint32_t side)
{
	const uint32_t at = d->pairs[row].row[side];

	return at == CR_NO_ROW ? 0 : d->side[side].rows[at].weight;
}

int32_t
cr_thread_diff_ppm(const struct cr_thread_diff *d, uint32_t row)
{
	return (int32_t)cr_share_ppm(cr_thread_diff_weight(d, row, 1), d->side[1].weight) -
	       (int32_t)cr_share_ppm(cr_thread_diff_weight(d, row, 0), d->side[0].weight);
}

static int
by_change(const void *x, const void *y, void *user)
{
	const struct cr_thread_diff *d = user;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const int32_t size_a = abs(cr_thread_diff_ppm(d, a)),
		      size_b = abs(cr_thread_diff_ppm(d, b));

	if (d->verdicts) {
		const bool call_a = cr_verdict_is_call(d->verdicts[a].word),
			   call_b = cr_verdict_is_call(d->verdicts[b].word);

		if (call_a != call_b)
			return call_a ? -1 : 1;
	}
	if (size_a != size_b)
		return size_a > size_b ? -1 : 1;
	return (a > b) - (a < b);
}

/* Sort pairs and verdicts. */
static void
sort_rows(struct cr_thread_diff *d, uint32_t n)
{
	uint32_t *order = cr_alloc(CR_MAX(n, 1u), sizeof(*order));
	struct cr_thread_pair *pairs = cr_alloc(CR_MAX(n, 1u), sizeof(*pairs));
	struct cr_verdict *verdicts =
		d->verdicts ? cr_alloc(CR_MAX(n, 1u), sizeof(*verdicts)) : NULL;

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	if (n)
		qsort_r(order, n, sizeof(*order), by_change, d);
	for (uint32_t i = 0; i < n; i++) {
		pairs[i] = d->pairs[order[i]];
		if (verdicts)
			verdicts[i] = d->verdicts[order[i]];
	}
	free(order);
	free(d->pairs);
	free(d->verdicts);
	d->pairs = pairs;
	d->verdicts = verdicts;
}

static void
rows_make(struct cr_thread_diff *d, uint32_t n)
{
	d->both = d->side[1];
	d->both.arena = (struct cr_arena){0};
	d->both.row_of = NULL;
	d->both.n = n;
	d->both.rows = cr_alloc(CR_MAX(n, 1u), sizeof(*d->both.rows));
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t side = d->pairs[i].row[1] != CR_NO_ROW;

		d->both.rows[i] = d->side[side].rows[d->pairs[i].row[side]];
	}
}

int
cr_thread_diff_make(const struct cr_thread_diff_side side[CR_SIDES], enum cr_thread_by by,
	bool judged, struct cr_thread_diff *out, struct cr_err *err)
{
	uint32_t n;
	int rc = CR_OK;

	*out = (struct cr_thread_diff){.pairs = NULL};
	for (int k = 0; k < CR_SIDES && rc == CR_OK; k++)
		rc = cr_thread_rows_make(side[k].p, side[k].query, NULL, by, &out->side[k], err);
	if (rc < 0) {
		cr_thread_diff_fini(out);
		return rc;
	}
	out->pairs = cr_alloc(CR_MAX((uint64_t)out->side[0].n + out->side[1].n, (uint64_t)1),
		sizeof(*out->pairs));
	n = match(out->side, side[0].p == side[1].p, out->pairs);
	if (judged && (rc = judge(side, n, out, err)) < 0) {
		cr_thread_diff_fini(out);
		return rc;
	}
	sort_rows(out, n);
	rows_make(out, n);
	return CR_OK;
}

void
cr_thread_diff_fini(struct cr_thread_diff *d)
{
	for (int k = 0; k < CR_SIDES; k++)
		cr_thread_rows_fini(&d->side[k]);
	free(d->both.rows);
	free(d->pairs);
	free(d->verdicts);
	*d = (struct cr_thread_diff){.pairs = NULL};
}
