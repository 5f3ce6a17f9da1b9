#include "changes_p.h"

#include "selection_set_p.h"
#include "trees_p.h"

#include "base/hash.h"
#include "base/wide.h"
#include "base/work.h"
#include "session/load.h"
#include "session/views/view.h"
#include "session/views/view_samples_p.h"
#include "store/store.h"
#include "view/sheet/verdict_sheet.h"

#include <inttypes.h>
#include <stdlib.h>

#define NODES_LATER (1u << 16)
#define LEAST_PPM 1000 /* of what is called a change where nothing could be tested */

struct cr_changes {
	bool made;
	bool has_table, is_judged, is_tested;
	bool waits;        /* a view needs verdicts, which cr_changes_judge() is to make */
	struct cr_err why; /* it is not judged */
	struct cr_table table;
	struct cr_judged judged;
	uint8_t *noise[2]; /* by frame: judged by self cost, by total cost */
	uint8_t *kept;     /* by node; NULL if not made */
	uint64_t *widths;  /* of the kept nodes, by node; NULL if not made */
};

struct cr_changes *
cr_changes_new(void)
{
	return cr_alloc(1, sizeof(struct cr_changes));
}

static void
drop_kept(struct cr_changes *c)
{
	free(c->kept);
	free(c->widths);
	c->kept = NULL;
	c->widths = NULL;
}

static void
drop(struct cr_changes *c)
{
	drop_kept(c);
	for (int i = 0; i < 2; i++)
		free(c->noise[i]);
	cr_judged_fini(&c->judged);
	if (c->has_table)
		cr_table_fini(&c->table);
	*c = (struct cr_changes){.made = false};
}

void
cr_changes_free(struct cr_changes *c)
{
	if (!c)
		return;
	drop(c);
	free(c);
}

void
cr_changes_drop(struct cr_session *s)
{
	drop(s->changes);
}

/* ---- verdicts */

static int
judge_sides(struct cr_session *s, const struct cr_trees_sides *sides, struct cr_judged *out,
	struct cr_err *err)
{
	struct cr_evidence_side side[CR_SIDES] = {{s->profile[0], &s->query, NULL}};
	struct cr_diff_opts opts = s->diff;
	struct cr_log log = {0}; /* losses are in the profile's quality too */

	opts.keep_groups = cr_query_groups(&s->query);
	for (uint32_t i = 0; i < CR_SIDES && sides; i++) {
		const int rc =
			cr_store_fetch(s->profile[i], cr_load_parts(CR_EVIDENCE_NEEDS), &log, err);

		if (rc < 0)
			return rc;
		side[i] =
			(struct cr_evidence_side){s->profile[i], &sides->query[i], sides->tree[i]};
	}
	return cr_evidence_judge(
		side, &opts, s->tree, &s->changes->table, &s->norm, s->noise / 100.0, out, err);
}

/*
 * Returns false if that is not possible, or was cancelled. Two times of one recording differ by
 * what the program did then, not by noise from run to run, so they are not judged.
 */
static bool
judge(struct cr_session *s, struct cr_judged *out, struct cr_err *err)
{
	struct cr_trees_sides sides;
	int rc;

	if (s->by_time)
		return false;
	if (cr_state_is_within(s))
		return judge_sides(s, NULL, out, err) == CR_OK;
	if (cr_trees_make_sides(s->trees, s, &sides, err) < 0)
		return false;
	rc = judge_sides(s, &sides, out, err);
	cr_trees_sides_fini(&sides);
	return rc == CR_OK;
}

static void
judge_rows(struct cr_session *s)
{
	struct cr_changes *c = s->changes;

	c->made = true;
	c->is_judged = judge(s, &c->judged, &c->why);
	c->is_tested = c->is_judged && c->judged.of_self.tested;
	if (!c->is_tested)
		return;
	c->noise[0] = cr_change_noise(s->tree, &c->table, c->judged.self);
	c->noise[1] = cr_change_noise(s->tree, &c->table, c->judged.total);
}

/* The verdicts about a large tree take long: a screen shows all differences first. */
static bool
is_for_later(const struct cr_session *s)
{
	return s->on_screen && s->norm.kind == CR_NORM_SHARE && s->tree->n >= NODES_LATER;
}

static void
changes_make(struct cr_session *s)
{
	struct cr_changes *c = s->changes;

	if (!c->has_table)
		cr_table_make(NULL, s->tree, 0, cr_table_by(CR_TABLE_FUNCTION), &c->table);
	c->has_table = true;
	c->waits = !c->made && is_for_later(s);
	if (!c->made && !c->waits)
		judge_rows(s);
}

bool
cr_changes_wait(const struct cr_session *s)
{
	return s->changes->waits;
}

void
cr_changes_judge(struct cr_session *s)
{
	struct cr_changes *c = s->changes;

	if (!c->waits)
		return;
	judge_rows(s);
	c->waits = cr_work_stopped();
	c->made = !c->waits;
	drop_kept(c);
	cr_view_drop_all(s, CR_CHANGED_CHANGES);
}

void
cr_changes_normalise(struct cr_session *s)
{
	struct cr_changes *c = s->changes;

	if (s->sides == 1 || s->norm.kind == CR_NORM_SHARE)
		return;
	changes_make(s);
	if (!c->is_judged) {
		cr_text_clear(&s->message);
		cr_text_printf(&s->message, "%s; shares of the whole are shown", c->why.text);
		return;
	}
	cr_judged_set_whole(&c->judged, s->tree);
	for (uint32_t side = 0; side < CR_SIDES; side++)
		c->table.whole[side] = cr_tree_whole(s->tree, side);
}

int
cr_changes_check_norm(struct cr_session *s, struct cr_err *err)
{
	const struct cr_changes *c = s->changes;

	if (s->sides == 1 || s->norm.kind == CR_NORM_SHARE || c->is_judged)
		return CR_OK;
	*err = c->why;
	return err->code;
}

const struct cr_judged *
cr_changes_judged(struct cr_session *s, const struct cr_table **table)
{
	changes_make(s);
	*table = &s->changes->table;
	return s->changes->is_tested ? &s->changes->judged : NULL;
}

const uint8_t *
cr_changes_noise(struct cr_session *s)
{
	changes_make(s);
	return s->changes->noise[s->change.totals];
}

const struct cr_verdict *
cr_changes_verdict(struct cr_session *s, uint32_t frame, bool totals)
{
	const struct cr_table *table;
	const struct cr_judged *j = cr_changes_judged(s, &table);
	const uint32_t row = table->frame_row[frame];

	if (!j || row == CR_NO_ROW)
		return NULL;
	return totals ? &j->total[row] : &j->self[row];
}

/* ---- lines of a tree */

struct cr_change_cells
cr_changes_cells(struct cr_session *s, const struct cr_change_look *look, uint32_t node)
{
	const struct cr_tree *t = look->tree;
	struct cr_change_cells c = {.shown = cr_change_ppm(look, node),
		.verdict = cr_changes_verdict(s, t->frame[node], true)};

	for (uint32_t side = 0; side < CR_SIDES; side++) {
		c.part[side] = t->total[side][node];
		c.whole[side] = cr_tree_whole(t, side);
	}
	return c;
}

bool
cr_changes_is_noise(const struct cr_change_look *look, uint32_t node)
{
	return look->noise && look->noise[look->tree->frame[node]];
}

static void
put_name(const struct cr_frame *f, struct cr_text *out)
{
	cr_text_safe(out, f->name);
	cr_text_puts(out, f->inlined ? " (inlined)" : "");
	if (f->dso.len) {
		cr_text_puts(out, "   ");
		cr_text_safe(out, f->dso);
	}
	if (!f->file.len)
		return;
	cr_text_puts(out, "   ");
	cr_text_safe(out, f->file);
	if (f->line)
		cr_text_printf(out, ":%" PRIu32, f->line);
}

bool
cr_changes_put_place(struct cr_session *s, const struct cr_tree *t, uint32_t node, int line,
	bool unicode, struct cr_text *out)
{
	const struct cr_verdict *v =
		s->sides == 2 ? cr_changes_verdict(s, t->frame[node], true) : NULL;

	if (!v)
		return false;
	if (line == 0) {
		put_name(&t->frames[t->frame[node]], out);
		return true;
	}
	cr_text_puts(out, "function total ");
	cr_verdict_put_shares(v, unicode, out);
	return true;
}

/* ---- how it looks */

static struct cr_change_look
look_of(struct cr_session *s, bool totals)
{
	changes_make(s);
	return cr_change_look_make(s->tree, totals,
		s->change.shown == CR_SHOWN_ALL ? NULL : s->changes->noise[totals]);
}

struct cr_change_look
cr_changes_look(struct cr_session *s)
{
	return look_of(s, s->change.totals);
}

struct cr_change_look
cr_changes_look_of_totals(struct cr_session *s)
{
	return look_of(s, true);
}

const uint8_t *
cr_changes_kept(struct cr_session *s)
{
	struct cr_changes *c = s->changes;
	struct cr_change_look look;

	if (s->change.shown != CR_SHOWN_ONLY)
		return NULL;
	changes_make(s);
	if (c->kept)
		return c->kept;
	look = cr_changes_look(s);
	c->kept = cr_change_kept(&look);
	return c->kept;
}

/*
 * A node that has changed is as wide as always. Its callers are as wide as what is below them, so
 * that small changes fill the screen.
 */
static uint64_t *
kept_widths(struct cr_session *s, const uint8_t *kept, const uint64_t *all)
{
	const struct cr_tree *t = s->tree;
	const struct cr_change_look look = cr_changes_look(s);
	uint64_t *widths = cr_alloc(t->n, sizeof(*widths));

	for (uint32_t n = t->n - 1; n > 0; n--) {
		if (kept[n] && cr_change_mark(&look, n))
			widths[n] = CR_MAX(widths[n], all[n]);
		widths[t->parent[n]] = cr_add_sat(widths[t->parent[n]], widths[n]);
	}
	return widths;
}

const uint64_t *
cr_changes_widths(struct cr_session *s)
{
	const struct cr_tree *t = s->tree;
	const uint64_t *const of[CR_WIDTHS_KINDS] = {[CR_WIDTHS_LARGER] = t->extent,
		[CR_WIDTHS_BEFORE] = t->total[0],
		[CR_WIDTHS_AFTER] = t->total[1]};
	const uint64_t *all = of[s->change.widths];
	const uint8_t *kept = cr_changes_kept(s);
	struct cr_changes *c = s->changes;

	if (!kept)
		return all;
	if (!c->widths) {
		c->widths = kept_widths(s, kept, all);
	}
	return c->widths;
}

/* ---- from change to change */

struct ranked {
	uint32_t row;
	double size;
};

static int
ranked_cmp(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* The functions that have changed, the largest change first. The caller frees *out. */
static uint32_t
rank(const struct cr_session *s, struct ranked **out)
{
	const struct cr_changes *c = s->changes;
	const struct cr_verdict *v = s->change.totals ? c->judged.total : c->judged.self;
	const bool called =
		c->is_tested && (s->change.totals ? c->judged.of_total : c->judged.of_self).called;
	uint32_t n = 0;

	*out = cr_alloc(c->table.n, sizeof(**out));
	for (uint32_t i = 0; i < c->table.n; i++) {
		const int32_t ppm = s->change.totals ? cr_table_delta_total_ppm(&c->table, i)
						     : cr_table_delta_self_ppm(&c->table, i);

		if (called ? cr_verdict_is_call(v[i].word) : abs(ppm) >= LEAST_PPM)
			(*out)[n++] = (struct ranked){i, abs(ppm)};
	}
	if (n)
		qsort(*out, n, sizeof(**out), ranked_cmp);
	return n;
}

/* Within the zoom, the node of a function with the largest change; CR_NO_ROW if there is none. */
static uint32_t
node_of(const struct cr_session *s, const struct cr_change_look *look, uint32_t row)
{
	uint32_t best = CR_NO_ROW;
	int32_t most = -1;

	for (uint32_t n = s->zoom; n < s->tree->end[s->zoom]; n++) {
		const int32_t ppm = abs(cr_change_ppm(look, n));

		if (s->changes->table.frame_row[s->tree->frame[n]] == row && ppm > most) {
			most = ppm;
			best = n;
		}
	}
	return best;
}

/* The place of the selected function in the ranking; n if it has none. */
static uint32_t
place_of(const struct cr_session *s, const struct ranked *ranked, uint32_t n)
{
	const uint32_t row = s->changes->table.frame_row[s->tree->frame[s->selection.node]];

	for (uint32_t i = 0; i < n; i++)
		if (ranked[i].row == row)
			return i;
	return n;
}

bool
cr_changes_select_next(struct cr_session *s, bool backward, uint32_t *place, uint32_t *of)
{
	struct cr_change_look look;
	struct ranked *ranked;
	uint32_t n, at, node = CR_NO_ROW;

	changes_make(s);
	cr_changes_judge(s);
	look = cr_changes_look(s);
	n = rank(s, &ranked);
	at = place_of(s, ranked, n);
	if (at == n)
		at = backward ? 0 : n - 1;
	for (uint32_t i = 0; i < n && node == CR_NO_ROW; i++) {
		at = (backward ? at + n - 1 : at + 1) % n;
		node = node_of(s, &look, ranked[at].row);
	}
	free(ranked);
	if (node != CR_NO_ROW)
		cr_session_select_node(s, node);
	*place = at + 1;
	*of = n;
	return node != CR_NO_ROW;
}

/* ---- options */

void
cr_changes_set(struct cr_session *s, struct cr_change_opts opts)
{
	opts.swapped = s->change.swapped;
	s->change = opts;
	drop_kept(s->changes);
	cr_view_drop_all(s, CR_CHANGED_CHANGES);
	cr_view_make(cr_view_current(s), s);
}

void
cr_changes_swap_sides(struct cr_session *s)
{
	struct cr_profile *profile = s->profile[0], *recorded = s->recorded[0];
	char *title = s->title[0];
	const struct cr_text source = s->source[0];
	const struct cr_query own = s->own[0];
	const uint32_t threads = s->threads[0], n_sources = s->n_sources[0];

	s->profile[0] = s->profile[1];
	s->profile[1] = profile;
	s->recorded[0] = s->recorded[1];
	s->recorded[1] = recorded;
	s->title[0] = s->title[1];
	s->title[1] = title;
	s->source[0] = s->source[1];
	s->source[1] = source;
	s->n_sources[0] = s->n_sources[1];
	s->n_sources[1] = n_sources;
	s->own[0] = s->own[1];
	s->own[1] = own;
	s->threads[0] = s->threads[1];
	s->threads[1] = threads;
	for (int side = 0; side < CR_SIDES; side++)
		s->diff.profile[side] = s->profile[side];
	s->change.swapped = !s->change.swapped;
	cr_trees_swap(s->trees);
	cr_view_drop_samples(s);
	s->remade++;
}
