#include "source_rows_p.h"

#include "sheet_view_p.h"
#include "view_samples_p.h"

#include "query/fold/node_costs.h"
#include "session/changes_p.h"
#include "session/load.h"
#include "session/state_p.h"
#include "session/trees_p.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "view/style/change.h"

#include <stdlib.h>

#define NOTE_MARK 4   /* cells before the text of a note, and after it */
#define NOTE_LEAST 16 /* in narrower panes a note is not wrapped */
#define NOTES_MOST 4u /* source files that a note is about */

static void
list_drop(struct cr_source_rows *w)
{
	cr_listing_fini(&w->list);
	cr_annotate_sheet_fini(&w->sheet);
	cr_source_changes_fini(&w->changes);
	free(w->open);
	w->list = (struct cr_listing){.arena = {0}};
	w->open = NULL;
	w->made = false;
}

static void
drop(struct cr_source_rows *w)
{
	list_drop(w);
	if (w->has_a)
		cr_annotation_fini(&w->a);
	if (w->has_other)
		cr_annotation_fini(&w->other);
	w->has_other = w->is_diff = false;
	for (size_t i = 0; i < w->notes.n; i++)
		free(w->notes.p[i]);
	w->notes.n = 0;
	w->has_a = false;
	free(w->function);
	free(w->dso);
	w->function = w->dso = NULL;
}

static void
note(struct cr_source_rows *w, const char *before, struct cr_str what, const char *after)
{
	struct cr_text t = {0};

	cr_text_puts(&t, before);
	cr_text_safe(&t, what);
	cr_text_puts(&t, after);
	cr_vec_push(&w->notes, t.p);
}

/* The one that most of the inlined copies are in; the first note is about it. */
struct cr_str
cr_source_rows_host(const struct cr_source_rows *w)
{
	const struct cr_profile *p = w->a.in.p;

	if (!w->has_a || w->a.code != CR_ANNOTATION_NO_CODE || !w->a.a.hosts.n ||
		!(p->flags & CR_PROFILE_HAS_ADDR))
		return CR_STR("");
	return p->functions[w->a.a.hosts.p[0].function.i].name;
}

struct cr_str
cr_source_rows_note_function(const struct cr_source_rows *w, uint32_t note)
{
	return note == 0 ? cr_source_rows_host(w) : CR_STR("");
}

/* What is missing, and how to get it. */
static void
notes_make(struct cr_source_rows *w, const struct cr_profile *p)
{
	const struct cr_str host = cr_source_rows_host(w);
	uint32_t files = 0;

	if (!(p->flags & CR_PROFILE_HAS_ADDR))
		note(w, "no instructions: the recording has no addresses", CR_STR(""), "");
	else if (host.len)
		note(w, "it is inlined: its instructions are those of ", host,
			w->a.a.hosts.n > 1 ? " and others" : "");
	else if (w->a.code == CR_ANNOTATION_NO_CODE)
		note(w, "no instructions: ", cr_str_of(w->a.why ? w->a.why : ""), "");
	else if (w->a.why)
		note(w, "instructions are not disassembled: ", cr_str_of(w->a.why), "");
	if (w->a.n_sources == 0)
		note(w, "no source: no debug info of the program is here (--debug-dir DIR)",
			CR_STR(""), "");
	for (uint32_t i = 0; i < w->a.n_sources && files < NOTES_MOST; i++) {
		const struct cr_annotation_source *s = &w->a.sources[i];

		if (s->stored || (s->found && !s->newer))
			continue;
		files++;
		if (s->found)
			note(w, "", cr_str_basename(s->file),
				" is newer than the recording: its lines may have moved");
		else
			note(w, "no source: ", cr_str_basename(s->file),
				s->trusted ? " is not here (--source-dir DIR)"
					   : " is only named by the profile (--source-dir DIR)");
	}
}

static bool
has_source(const struct cr_source_rows *w)
{
	for (uint32_t i = 0; i < w->a.n_sources; i++)
		if (w->a.sources[i].stored || w->a.sources[i].found)
			return true;
	return false;
}

enum cr_source_mode
cr_source_rows_mode(const struct cr_source_rows *w)
{
	if (w->has_mode)
		return w->mode;
	return has_source(w) || w->a.a.addresses.n == 0 || w->a.code == CR_ANNOTATION_NO_CODE
		       ? CR_SOURCE_MODE_SOURCE
		       : CR_SOURCE_MODE_BOTH;
}

/* The line of the function itself that an address belongs to; false if it is not known. */
static bool
own_line(const struct cr_source_rows *w, const struct cr_annotate_address *at, struct cr_str *file,
	uint32_t *line)
{
	const struct cr_annotate *a = &w->a.a;
	struct cr_listing_place place = {.line = 0};
	uint32_t l = at->line;

	while (l != CR_NO_ROW && a->lines.p[l].at != CR_NO_ROW)
		l = a->lines.p[l].at;
	if (l != CR_NO_ROW) {
		*file = a->lines.p[l].file;
		*line = a->lines.p[l].line;
		return *line != 0;
	}
	if (!w->a.in.place || !w->a.in.place(w->a.in.user, at, &place) || place.function.len)
		return false;
	*file = place.file;
	*line = place.line;
	return true;
}

struct cr_str
cr_source_rows_file(const struct cr_source_rows *w, uint32_t row)
{
	for (uint32_t i = row + 1; i-- > 0;)
		if (w->list.rows.p[i].kind == CR_LISTING_FILE)
			return w->list.rows.p[i].text;
	return CR_STR("");
}

static void
push_below(struct cr_source_rows *w, uint32_t row)
{
	const struct cr_annotate *a = &w->a.a;
	const struct cr_str file = cr_source_rows_file(w, row);
	struct cr_str own;
	uint32_t line;

	for (uint32_t i = 0; i < a->addresses.n; i++)
		if (own_line(w, &a->addresses.p[i], &own, &line) &&
			line == w->list.rows.p[row].number && cr_str_eq(own, file))
			cr_vec_push(&w->shown,
				((struct cr_source_row){CR_SOURCE_ROW_BELOW, i, row, 0}));
}

struct cr_str
cr_source_rows_note_line(const struct cr_source_rows *w, uint32_t note, uint32_t part)
{
	const uint32_t cells = w->width > NOTE_LEAST ? (uint32_t)w->width - NOTE_MARK : UINT32_MAX;
	struct cr_str rest = cr_str_of(w->notes.p[note]);

	for (;; part--) {
		uint32_t len = (uint32_t)cr_utf8_fit(rest, cells), cut = len;

		while (len < rest.len && cut > 0 && rest.p[cut] != ' ')
			cut--;
		if (len < rest.len && cut > 0)
			len = cut;
		if (part == 0 || !rest.len)
			return (struct cr_str){rest.p, len};
		while (len < rest.len && rest.p[len] == ' ')
			len++;
		rest = (struct cr_str){rest.p + len, rest.len - len};
	}
}

/* A note has as many rows as it has lines in this width. */
static void
push_note(struct cr_source_rows *w, uint32_t note)
{
	for (uint32_t part = 0; cr_source_rows_note_line(w, note, part).len; part++)
		cr_vec_push(&w->shown,
			((struct cr_source_row){CR_SOURCE_ROW_NOTE, note, CR_NO_ROW, part}));
}

/* In a difference of which only changes are shown: a file, or a line with a mark. */
static bool
is_shown(const struct cr_source_rows *w, uint32_t row)
{
	const uint8_t kind = w->list.rows.p[row].kind;

	return !w->only_changed || kind == CR_LISTING_FILE || kind == CR_LISTING_SYMBOL ||
	       cr_change_mark_of(w->changes.cells[row].shown);
}

void
cr_source_rows_show(struct cr_view *v)
{
	struct cr_source_rows *w = v->state;

	w->shown.n = 0;
	w->width = v->width;
	for (uint32_t i = 0; i < w->notes.n; i++)
		push_note(w, i);
	for (uint32_t i = 0; i < w->list.rows.n; i++) {
		if (!is_shown(w, i))
			continue;
		cr_vec_push(&w->shown, ((struct cr_source_row){CR_SOURCE_ROW_LISTING, i, i, 0}));
		if (w->open[i])
			push_below(w, i);
	}
	v->n = (uint32_t)w->shown.n;
}

/* Digits of the highest address of the listing. */
static uint32_t
address_digits(const struct cr_listing *list)
{
	uint64_t most = 0;
	uint32_t digits = 1;

	for (size_t i = 0; i < list->rows.n; i++)
		if (list->rows.p[i].kind == CR_LISTING_INSTRUCTION)
			most = CR_MAX(most, list->rows.p[i].number);
	for (; most >= 16; most /= 16)
		digits++;
	return digits;
}

static void
list_make(struct cr_source_rows *w)
{
	const enum cr_source_mode mode = cr_source_rows_mode(w);

	if (mode == CR_SOURCE_MODE_SOURCE)
		cr_listing_lines(&w->a.in, &w->list);
	else
		cr_listing_code(&w->a.in, mode == CR_SOURCE_MODE_BOTH, &w->list);
	w->open = cr_alloc(CR_MAX(w->list.rows.n, (size_t)1), 1);
	w->lines = (struct cr_source_lines){.in = &w->a.in,
		.function = cr_str_of(w->function),
		.whole = w->a.a.cost.total,
		.has_blocks = w->a.a.has_blocks,
		.has_ipc = mode != CR_SOURCE_MODE_SOURCE && w->a.a.run_cycles,
		.by_code = mode != CR_SOURCE_MODE_SOURCE,
		.address_digits = address_digits(&w->list),
		.dedent = cr_source_lines_dedent(&w->list),
		.is_diff = w->is_diff};
}

/* ---- the function */

uint32_t
cr_source_rows_frame(const struct cr_source_rows *w, const struct cr_session *s)
{
	for (uint32_t f = 1; f < s->tree->n_frames; f++)
		if (cr_str_eq(s->tree->frames[f].name, cr_str_of(w->function)))
			return f;
	return CR_NO_ROW;
}

/* The selected function, or where none is selected the hottest one; false if it is shown. */
static bool
function_changed(struct cr_source_rows *w, const struct cr_session *s)
{
	const struct cr_selection *at = &s->selection;
	const struct cr_frame *hottest;
	struct cr_str name = at->function, dso = at->dso;

	if (!(at->parts & CR_SELECTED_FUNCTION)) {
		if (w->function)
			return false;
		hottest = &s->tree->frames[cr_sheet_view_hottest(s->tree)];
		name = hottest->name;
		dso = hottest->dso;
	}
	if (w->function && cr_str_eq(name, cr_str_of(w->function)) &&
		cr_str_eq(dso, cr_str_of(w->dso)))
		return false;
	drop(w);
	w->function = cr_memdup(name.len ? name.p : "", name.len);
	w->dso = cr_memdup(dso.len ? dso.p : "", dso.len);
	return true;
}

static int
annotate(const struct cr_source_rows *w, struct cr_session *s, uint32_t side,
	const struct cr_query *q, const struct cr_annotate_found *found, struct cr_annotation *out,
	struct cr_err *err)
{
	static const struct cr_symbol_opts nowhere;
	const struct cr_annotation_opts o = {.filter = cr_query_filter(q),
		.query = q,
		.costs = side + 1 == s->sides ? cr_view_node_costs(s, q) : NULL,
		.symbol = s->load ? &s->load->symbol : &nowhere,
		.places = true};
	uint32_t n;

	if (found->names.n == 0)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"'%s' is no function of the profile", w->function);
	n = found->names.p[0].n;
	return cr_annotation_make(
		s->profile[side], &o, found->functions.p + found->names.p[0].first, n, out, err);
}

/* The function in a profile; with other dsos if it is not in the one that is selected. */
static int
find(const struct cr_source_rows *w, const struct cr_profile *p, bool any_dso,
	struct cr_annotate_found *out, struct cr_err *err)
{
	int rc = cr_annotate_find(p, w->function, *w->dso ? w->dso : NULL, out, err);

	if (rc < 0 || out->names.n || !any_dso || !*w->dso)
		return rc;
	cr_annotate_found_fini(out);
	*out = (struct cr_annotate_found){.arena = {0}};
	return cr_annotate_find(p, w->function, NULL, out, err);
}

/* Of a side of a difference; *has: whether there is something to end. */
static int
side_make(const struct cr_source_rows *w, struct cr_session *s, uint32_t side,
	struct cr_annotation *out, bool *has, struct cr_err *err)
{
	const unsigned parts = CR_NEEDS_TREE | CR_NEEDS_MAPS | CR_NEEDS_CODE | CR_NEEDS_EVENT |
			       cr_node_costs_need(s->profile[side]);
	struct cr_annotate_found found = {.arena = {0}};
	struct cr_query q;
	int rc;

	if ((rc = cr_trees_query_of(s, w->is_diff ? side : 0, &q, err)) < 0)
		return rc;
	if ((rc = cr_view_fetch_of(
		     s, side, parts | cr_annotation_needs(s->profile[side], &q), err)) == CR_OK &&
		(rc = find(w, s->profile[side], w->is_diff, &found, err)) == CR_OK) {
		*has = found.names.n > 0;
		rc = annotate(w, s, side, &q, &found, out, err);
	}
	cr_annotate_found_fini(&found);
	cr_query_fini(&q);
	return rc;
}

/* Of a difference the listing is that of the side after, unless the function is gone. */
static int
annotation_make(struct cr_source_rows *w, struct cr_session *s, struct cr_err *err)
{
	struct cr_err unused = CR_ERR_INIT;
	int rc;

	w->is_diff = cr_view_has_sides(s);
	w->side = s->sides - 1;
	rc = side_make(w, s, w->side, &w->a, &w->has_a, err);
	if (!w->is_diff)
		return rc;
	if (side_make(w, s, 0, &w->other, &w->has_other, &unused) < 0)
		return rc;
	if (rc == CR_OK && w->a.a.cost.total)
		return rc;
	if (w->has_a)
		cr_annotation_fini(&w->a);
	w->a = w->other;
	w->has_a = true;
	w->has_other = false;
	w->side = 0;
	return CR_OK;
}

/* What the lines cost on both sides. */
static void
changes_make(struct cr_source_rows *w, struct cr_session *s)
{
	const bool all = s->change.shown == CR_SHOWN_ALL;
	const uint32_t frame = cr_source_rows_frame(w, s);
	const struct cr_verdict *v =
		frame == CR_NO_ROW ? NULL : cr_changes_verdict(s, frame, false);

	cr_source_changes_make(&w->list, &w->a, w->side, w->has_other ? &w->other : NULL,
		!all && v && !cr_verdict_is_call(v->word), &w->changes);
	w->only_changed = s->change.shown == CR_SHOWN_ONLY;
}

/* ---- hottest rows */

static uint64_t
self_of(const struct cr_source_rows *w, const struct cr_source_row *at)
{
	const struct cr_listing_row *r;

	if (at->kind != CR_SOURCE_ROW_LISTING)
		return 0;
	r = &w->list.rows.p[at->at];
	return r->has_cost ? r->cost.self : 0;
}

/* True if row a sorts before row b: it has more self cost, or as much and is further up. */
static bool
is_hotter(const struct cr_source_rows *w, uint32_t a, uint32_t b)
{
	const uint64_t x = self_of(w, &w->shown.p[a]), y = self_of(w, &w->shown.p[b]);

	return x != y ? x > y : a < b;
}

/*
 * The next row after `from` by falling self cost, or the one before it; with CR_NO_ROW for `from`,
 * the hottest or the least hot row. Wraps around. CR_NO_ROW if no row has self cost.
 */
uint32_t
cr_source_rows_hot_after(const struct cr_source_rows *w, uint32_t from, bool backward)
{
	uint32_t best = CR_NO_ROW, first = CR_NO_ROW;

	if (from != CR_NO_ROW && self_of(w, &w->shown.p[from]) == 0)
		from = CR_NO_ROW;
	for (uint32_t i = 0; i < w->shown.n; i++) {
		if (self_of(w, &w->shown.p[i]) == 0)
			continue;
		if (first == CR_NO_ROW || is_hotter(w, i, first) != backward)
			first = i;
		if (from == CR_NO_ROW || i == from || is_hotter(w, from, i) == backward)
			continue;
		if (best == CR_NO_ROW || is_hotter(w, i, best) != backward)
			best = i;
	}
	return best != CR_NO_ROW ? best : first;
}

/* The row of the selected line; else the hottest one, else the first. */
uint32_t
cr_source_rows_row_of_selection(const struct cr_source_rows *w, const struct cr_session *s)
{
	const struct cr_selection *at = &s->selection;
	uint32_t hot;

	for (uint32_t i = 0; i < w->shown.n && (at->parts & CR_SELECTED_LINE); i++) {
		const struct cr_source_row *x = &w->shown.p[i];

		if (x->kind == CR_SOURCE_ROW_LISTING &&
			w->list.rows.p[x->at].kind == CR_LISTING_LINE &&
			w->list.rows.p[x->at].number == at->line &&
			cr_str_eq(cr_source_rows_file(w, x->at), at->file))
			return i;
	}
	hot = cr_source_rows_hot_after(w, CR_NO_ROW, false);
	return hot == CR_NO_ROW ? 0 : hot;
}

/* Scroll so that the selected line is in the middle: what is around it matters too. */
void
cr_source_rows_centre(struct cr_view *v)
{
	v->first = CR_MAX((int32_t)v->row - v->height / 2, 0);
}

/* The pane has another width: wrap the notes anew, and stay on the row. */
static void
wrap_again(struct cr_view *v)
{
	struct cr_source_rows *w = v->state;
	const struct cr_source_row at = w->shown.p[CR_MIN(v->row, v->n - 1)];

	cr_source_rows_show(v);
	for (uint32_t i = 0; i < v->n; i++)
		if (w->shown.p[i].kind == at.kind && w->shown.p[i].at == at.at &&
			w->shown.p[i].part <= at.part)
			v->row = i;
}

void
cr_source_rows_make(struct cr_view *v, struct cr_session *s)
{
	struct cr_source_rows *w = v->state;
	struct cr_err err = CR_ERR_INIT;

	if (w->made && !function_changed(w, s)) {
		if (w->notes.n && w->width != v->width)
			wrap_again(v);
		return;
	}
	if (!w->made)
		function_changed(w, s);
	if (!w->has_a && !w->notes.n) {
		if (annotation_make(w, s, &err) < 0)
			note(w, "", cr_str_of(err.text), "");
		else
			notes_make(w, s->profile[w->side]);
	}
	list_drop(w);
	w->only_changed = false;
	if (w->has_a)
		list_make(w);
	if (w->has_a && w->is_diff)
		changes_make(w, s);
	cr_source_rows_show(v);
	v->row = cr_source_rows_row_of_selection(w, s);
	cr_source_rows_centre(v);
	w->made = true;
}

void
cr_source_rows_drop_changed(struct cr_view *v, unsigned changed)
{
	struct cr_source_rows *w = v->state;

	if (changed & CR_CHANGED_TREE)
		drop(w);
	if (w->is_diff && (changed & CR_CHANGED_CHANGES))
		w->made = false;
}

void
cr_source_rows_fini(struct cr_view *v)
{
	struct cr_source_rows *w = v->state;

	drop(w);
	cr_vec_fini(&w->shown);
	cr_vec_fini(&w->notes);
}

/* The row that is painted for a line; for an instruction below a line it is made. */
struct cr_listing_row
cr_source_rows_row(const struct cr_source_rows *w, const struct cr_source_row *at)
{
	const struct cr_annotate_address *address;
	struct cr_listing_row r = {.kind = CR_LISTING_INSTRUCTION, .has_cost = true};

	if (at->kind != CR_SOURCE_ROW_BELOW)
		return w->list.rows.p[at->at];
	address = &w->a.a.addresses.p[at->at];
	r.number = address->addr;
	r.cost = address->cost;
	r.blocks = address->blocks;
	r.run_instructions = address->run_instructions;
	r.run_cycles = address->run_cycles;
	r.text = CR_STR("");
	w->a.in.code(w->a.in.user, address, &r.number, &r.text);
	return r;
}
