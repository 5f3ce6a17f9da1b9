#include "session/views/view.h"

#include "view_samples_p.h"

#include "session/annotation.h"
#include "session/argument_p.h"
#include "session/load.h"
#include "session/print_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "query/lang/pattern.h"
#include "view/listing/source_lines.h"
#include "view/style/chart.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The selected function: its source line by line, or its instructions, with what each costs. What
 * is missing is reported above them, with what to do about it.
 */
extern const struct cr_view_ops cr_view_source;

#define TITLE_CELLS 28 /* of the function's name, in the title */
#define NOTES_MOST 4u  /* source files that a note is about */

enum mode { MODE_SOURCE, MODE_BOTH, MODE_CODE, MODES };

static const char *const mode_names[MODES] = {"source", "both", "code"};

enum shown_kind { SHOWN_NOTE, SHOWN_ROW, SHOWN_BELOW };

/* A line of the view: a note, a row of the listing, or an instruction below a line of source. */
struct shown {
	uint8_t kind; /* enum shown_kind */
	uint32_t at;  /* note, row of the listing, or address */
	uint32_t row; /* of the listing; that an instruction is below */
};

struct source {
	char *function; /* name; NULL while there is none */
	char *dso;      /* "" for any */
	struct cr_annotation a;
	struct cr_listing list;
	struct cr_source_lines lines;
	uint8_t *open; /* by row of the listing: 1 if its instructions are shown */
	CR_VEC(struct shown) shown;
	CR_VEC(char *) notes;
	enum mode mode;
	bool has_mode; /* the user chose it */
	bool has_a;    /* there is an annotation */
	bool made, selecting;
	struct cr_sheet_surface surface;
	struct cr_session *s; /* while the surface is in use */
};

/* ---- what is shown */

static void
list_drop(struct source *w)
{
	cr_listing_fini(&w->list);
	free(w->open);
	w->list = (struct cr_listing){.arena = {0}};
	w->open = NULL;
	w->made = false;
}

static void
all_drop(struct source *w)
{
	list_drop(w);
	if (w->has_a)
		cr_annotation_fini(&w->a);
	for (size_t i = 0; i < w->notes.n; i++)
		free(w->notes.p[i]);
	w->notes.n = 0;
	w->has_a = false;
	free(w->function);
	free(w->dso);
	w->function = w->dso = NULL;
}

static void
note(struct source *w, const char *before, struct cr_str what, const char *after)
{
	struct cr_text t = {0};

	cr_text_puts(&t, before);
	cr_text_safe(&t, what);
	cr_text_puts(&t, after);
	cr_vec_push(&w->notes, t.p);
}

/* What is missing, and how to get it. */
static void
notes_make(struct source *w, const struct cr_profile *p)
{
	uint32_t files = 0;

	if (!(p->flags & CR_PROFILE_HAS_ADDR))
		note(w, "no instructions: the recording has no addresses", CR_STR(""), "");
	else if (w->a.code == CR_ANNOTATION_NO_CODE && w->a.a.hosts.n)
		note(w, "it is inlined: its instructions are those of ",
			p->functions[w->a.a.hosts.p[0].function.i].name,
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
has_source(const struct source *w)
{
	for (uint32_t i = 0; i < w->a.n_sources; i++)
		if (w->a.sources[i].stored || w->a.sources[i].found)
			return true;
	return false;
}

/* What there is: source, else code, else lines of which only the numbers are known. */
static enum mode
mode_of(const struct source *w)
{
	if (w->has_mode)
		return w->mode;
	return has_source(w) || w->a.a.addresses.n == 0 || w->a.code == CR_ANNOTATION_NO_CODE
		       ? MODE_SOURCE
		       : MODE_BOTH;
}

/* The function's own line that an address is of; false where that is not known. */
static bool
own_line(const struct source *w, const struct cr_annotate_address *at, struct cr_str *file,
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

/* The file that a row of the listing is of. */
static struct cr_str
file_of(const struct source *w, uint32_t row)
{
	for (uint32_t i = row + 1; i-- > 0;)
		if (w->list.rows.p[i].kind == CR_LISTING_FILE)
			return w->list.rows.p[i].text;
	return CR_STR("");
}

static void
push_below(struct source *w, uint32_t row)
{
	const struct cr_annotate *a = &w->a.a;
	const struct cr_str file = file_of(w, row);
	struct cr_str own;
	uint32_t line;

	for (uint32_t i = 0; i < a->addresses.n; i++)
		if (own_line(w, &a->addresses.p[i], &own, &line) &&
			line == w->list.rows.p[row].number && cr_str_eq(own, file))
			cr_vec_push(&w->shown, ((struct shown){SHOWN_BELOW, i, row}));
}

static void
shown_make(struct cr_view *v)
{
	struct source *w = v->state;

	w->shown.n = 0;
	for (uint32_t i = 0; i < w->notes.n; i++)
		cr_vec_push(&w->shown, ((struct shown){SHOWN_NOTE, i, CR_NO_ROW}));
	for (uint32_t i = 0; i < w->list.rows.n; i++) {
		cr_vec_push(&w->shown, ((struct shown){SHOWN_ROW, i, i}));
		if (w->open[i])
			push_below(w, i);
	}
	v->n = (uint32_t)w->shown.n;
}

static void
list_make(struct source *w)
{
	const enum mode mode = mode_of(w);

	if (mode == MODE_SOURCE)
		cr_listing_lines(&w->a.in, &w->list);
	else
		cr_listing_code(&w->a.in, mode == MODE_BOTH, &w->list);
	w->open = cr_alloc(CR_MAX(w->list.rows.n, (size_t)1), 1);
	w->lines = (struct cr_source_lines){.in = &w->a.in,
		.function = cr_str_of(w->function),
		.whole = w->a.a.cost.total,
		.by_code = mode != MODE_SOURCE,
		.dedent = cr_source_lines_dedent(&w->list)};
}

/* ---- the function */

/* The function that costs most by itself. */
static uint32_t
frame_hottest(const struct cr_tree *t)
{
	uint64_t *self = cr_alloc(t->n_frames, sizeof(*self));
	uint32_t best = 0;

	for (uint32_t n = 1; n < t->n; n++) {
		const uint32_t f = t->frame[n];

		if (cr_frame_is_group(&t->frames[f]))
			continue;
		self[f] = cr_add_sat(self[f], t->self[t->sides - 1][n]);
		if (self[f] > self[best])
			best = f;
	}
	free(self);
	return best;
}

/* The selected function, or where none is selected the hottest one; false if it is shown. */
static bool
function_changed(struct source *w, const struct cr_session *s)
{
	const struct cr_selection *at = &s->selection;
	const struct cr_frame *hottest;
	struct cr_str name = at->function, dso = at->dso;

	if (!(at->parts & CR_SELECTED_FUNCTION)) {
		if (w->function)
			return false;
		hottest = &s->tree->frames[frame_hottest(s->tree)];
		name = hottest->name;
		dso = hottest->dso;
	}
	if (w->function && cr_str_eq(name, cr_str_of(w->function)) &&
		cr_str_eq(dso, cr_str_of(w->dso)))
		return false;
	all_drop(w);
	w->function = cr_memdup(name.len ? name.p : "", name.len);
	w->dso = cr_memdup(dso.len ? dso.p : "", dso.len);
	return true;
}

static int
annotate(struct source *w, const struct cr_session *s, const struct cr_query *q,
	const struct cr_annotate_found *found, struct cr_err *err)
{
	static const struct cr_symbol_opts nowhere;
	const struct cr_annotation_opts o = {.filter = cr_query_filter(q),
		.query = q,
		.symbol = s->load ? &s->load->symbol : &nowhere,
		.places = true};
	uint32_t n;

	if (found->names.n == 0)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"'%s' is no function of the profile", w->function);
	n = found->names.p[0].n;
	w->has_a = true;
	return cr_annotation_make(cr_view_profile(s), &o,
		found->functions.p + found->names.p[0].first, n, &w->a, err);
}

static int
annotation_make(struct source *w, const struct cr_session *s, struct cr_err *err)
{
	const unsigned parts = CR_NEEDS_TREE | CR_NEEDS_MAPS | CR_NEEDS_CODE | CR_NEEDS_NODE |
			       CR_NEEDS_WEIGHT | CR_NEEDS_EVENT;
	struct cr_annotate_found found = {.arena = {0}};
	struct cr_query q;
	int rc;

	if ((rc = cr_view_query(s, &q, err)) < 0)
		return rc;
	if ((rc = cr_view_fetch(s, parts | cr_annotation_needs(&q), err)) == CR_OK &&
		(rc = cr_annotate_find(cr_view_profile(s), w->function, *w->dso ? w->dso : NULL,
			 &found, err)) == CR_OK)
		rc = annotate(w, s, &q, &found, err);
	cr_annotate_found_fini(&found);
	cr_query_fini(&q);
	return rc;
}

/* ---- hottest rows */

static uint64_t
self_of(const struct source *w, const struct shown *at)
{
	const struct cr_listing_row *r;

	if (at->kind != SHOWN_ROW)
		return 0;
	r = &w->list.rows.p[at->at];
	return r->has_cost ? r->cost.self : 0;
}

/* What comes before another one: more self, or as much and further up. */
static bool
is_hotter(const struct source *w, uint32_t a, uint32_t b)
{
	const uint64_t x = self_of(w, &w->shown.p[a]), y = self_of(w, &w->shown.p[b]);

	return x != y ? x > y : a < b;
}

/*
 * The next hot row after `from`, or the one before it, by falling self; CR_NO_ROW for `from`: the
 * hottest, or the least of them. Wraps around. CR_NO_ROW when nothing has any.
 */
static uint32_t
hot_after(const struct source *w, uint32_t from, bool backward)
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
static uint32_t
row_at_first(const struct source *w, const struct cr_session *s)
{
	const struct cr_selection *at = &s->selection;
	uint32_t hot;

	for (uint32_t i = 0; i < w->shown.n && (at->parts & CR_SELECTED_LINE); i++) {
		const struct shown *x = &w->shown.p[i];

		if (x->kind == SHOWN_ROW && w->list.rows.p[x->at].kind == CR_LISTING_LINE &&
			w->list.rows.p[x->at].number == at->line &&
			cr_str_eq(file_of(w, x->at), at->file))
			return i;
	}
	hot = hot_after(w, CR_NO_ROW, false);
	return hot == CR_NO_ROW ? 0 : hot;
}

/* Scroll so that the selected line is in the middle: what is around it matters too. */
static void
centre(struct cr_view *v)
{
	v->first = CR_MAX((int32_t)v->row - v->height / 2, 0);
}

static void
source_make(struct cr_view *v, struct cr_session *s)
{
	struct source *w = v->state;
	struct cr_err err = CR_ERR_INIT;

	if (w->made && !function_changed(w, s))
		return;
	if (!w->made)
		function_changed(w, s);
	if (!w->has_a && !w->notes.n) {
		if (annotation_make(w, s, &err) < 0)
			note(w, "", cr_str_of(err.text), "");
		else
			notes_make(w, cr_view_profile(s));
	}
	list_drop(w);
	if (w->has_a)
		list_make(w);
	shown_make(v);
	v->row = row_at_first(w, s);
	centre(v);
	w->made = true;
}

static void
source_drop(struct cr_view *v, unsigned changed)
{
	if (changed & CR_CHANGED_TREE)
		all_drop(v->state);
}

static void
source_fini(struct cr_view *v)
{
	struct source *w = v->state;

	all_drop(w);
	cr_vec_fini(&w->shown);
	cr_vec_fini(&w->notes);
}

static const struct shown *
shown_selected(const struct cr_view *v)
{
	const struct source *w = v->state;

	return w->made && v->row < w->shown.n ? &w->shown.p[v->row] : NULL;
}

/* The row that is painted for a line; for an instruction below a line it is made. */
static struct cr_listing_row
row_of(const struct source *w, const struct shown *at)
{
	const struct cr_annotate_address *address;
	struct cr_listing_row r = {.kind = CR_LISTING_INSTRUCTION, .has_cost = true};

	if (at->kind != SHOWN_BELOW)
		return w->list.rows.p[at->at];
	address = &w->a.a.addresses.p[at->at];
	r.number = address->addr;
	r.cost = address->cost;
	r.text = CR_STR("");
	w->a.in.code(w->a.in.user, address, &r.number, &r.text);
	return r;
}

/* ---- the selection */

static void
source_selected(struct cr_view *v, const struct cr_session *s, unsigned parts)
{
	const struct source *w = v->state;

	if (w->made && !w->selecting && (parts & CR_SELECTED_LINE) &&
		(s->selection.parts & CR_SELECTED_LINE))
		v->row = row_at_first(w, s);
}

static void
source_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	struct source *w = v->state;
	const struct shown *at;

	source_make(v, s);
	if (!v->n)
		return;
	v->row = CR_MIN(row, v->n - 1);
	at = &w->shown.p[v->row];
	if (at->row == CR_NO_ROW || w->list.rows.p[at->row].kind != CR_LISTING_LINE ||
		!w->list.rows.p[at->row].number)
		return;
	w->selecting = true;
	cr_session_select_line(s, file_of(w, at->row), (uint32_t)w->list.rows.p[at->row].number);
	w->selecting = false;
}

/* Show the instructions of a line of source, or hide them. */
static void
set_open(struct cr_view *v, bool open)
{
	struct source *w = v->state;
	const uint32_t row = w->shown.p[v->row].row;

	if (row == CR_NO_ROW || w->list.rows.p[row].kind != CR_LISTING_LINE)
		return;
	w->open[row] = open;
	shown_make(v);
	for (uint32_t i = 0; i < v->n; i++)
		if (w->shown.p[i].kind == SHOWN_ROW && w->shown.p[i].at == row)
			v->row = i;
}

static void
source_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	uint32_t row;

	source_make(v, s);
	if (!v->n)
		return;
	row = cr_view_row_after(v, to);
	if (to == CR_MOVE_LEFT || to == CR_MOVE_RIGHT)
		set_open(v, to == CR_MOVE_RIGHT);
	else if (row != v->row)
		source_select_row(v, s, row);
}

/* The function that a call goes to, or that is inlined at the row; "" for none. */
static struct cr_str
function_at(const struct source *w, const struct shown *at)
{
	const struct cr_listing_row r = row_of(w, at);
	const char *from, *end;

	if (r.kind == CR_LISTING_INLINED && r.of != CR_NO_ROW)
		return w->a.in.p->functions[w->a.a.lines.p[r.of].function.i].name;
	if (r.kind != CR_LISTING_INSTRUCTION || !r.text.len || r.text.p[r.text.len - 1] != '>' ||
		!(from = memchr(r.text.p, '<', r.text.len)))
		return CR_STR("");
	from++;
	end = r.text.p + r.text.len - 1;
	if (memmem(from, (size_t)(end - from), "+0x", 3))
		return CR_STR("");
	return (struct cr_str){from, (uint32_t)(end - from)};
}

/* A jump within the function: the line of where it goes; CR_NO_ROW for none. */
static uint32_t
jump_target(const struct source *w, const struct shown *at)
{
	const struct cr_listing_row r = row_of(w, at);
	const char *plus = r.text.len ? memmem(r.text.p, r.text.len, "+0x", 3) : NULL;
	uint64_t base = 0, offset = 0;
	uint32_t best = CR_NO_ROW;

	if (r.kind != CR_LISTING_INSTRUCTION || !plus)
		return CR_NO_ROW;
	for (plus += 3; plus < r.text.p + r.text.len && *plus != '>'; plus++)
		offset = offset * 16 +
			 (uint64_t)(*plus <= '9' ? *plus - '0' : (*plus | 32) - 'a' + 10);
	for (uint32_t i = 0; i < w->shown.n && best == CR_NO_ROW; i++) {
		const struct cr_listing_row x = w->shown.p[i].kind == SHOWN_ROW
							? w->list.rows.p[w->shown.p[i].at]
							: (struct cr_listing_row){.kind = 0};

		if (x.kind == CR_LISTING_SYMBOL)
			base = x.number;
		else if (x.kind == CR_LISTING_INSTRUCTION && base && x.number >= base + offset)
			best = i;
	}
	return best;
}

/* Enter follows a call or a jump; on a line of source it shows its instructions. */
static int
source_open(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	struct source *w = v->state;
	const struct shown *at;
	struct cr_str name;
	uint32_t to;

	(void)err;
	source_make(v, s);
	if (!(at = shown_selected(v)) || at->kind == SHOWN_NOTE)
		return CR_OK;
	name = function_at(w, at);
	if (name.len) {
		if (!cr_session_select_function(s, name, CR_STR(""))) {
			cr_text_safe(&s->message, name);
			cr_text_puts(&s->message, " has no samples here");
		}
		return CR_OK;
	}
	if ((to = jump_target(w, at)) != CR_NO_ROW)
		source_select_row(v, s, to);
	else if (at->row != CR_NO_ROW)
		set_open(v, !w->open[at->row]);
	return CR_OK;
}

/* ---- matches: in the text */

static bool
row_matches(const struct source *w, const struct cr_pattern *pattern, const char *literal,
	const struct shown *at)
{
	const struct cr_listing_row r =
		at->kind == SHOWN_NOTE ? (struct cr_listing_row){.kind = 0} : row_of(w, at);

	if (!r.text.len)
		return false;
	return literal ? memmem(r.text.p, r.text.len, literal, strlen(literal)) != NULL
		       : cr_pattern_match(pattern, r.text);
}

/* The next line that matches, from `from` on, `n` lines long; CR_NO_ROW for none. */
static uint32_t
match_after(const struct source *w, const struct cr_session *s, uint32_t from, uint32_t n,
	bool backward)
{
	struct cr_pattern *pattern = NULL;
	struct cr_err err = CR_ERR_INIT;
	uint32_t found = CR_NO_ROW;

	if (!s->pattern || !w->shown.n ||
		(!s->literal && cr_pattern_new(s->pattern, &pattern, &err) < 0))
		return CR_NO_ROW;
	for (uint32_t i = 0; i < n && found == CR_NO_ROW; i++) {
		const uint32_t all = (uint32_t)w->shown.n;
		const uint32_t at = (backward ? from + all - i % all : from + i) % all;

		if (row_matches(w, pattern, s->literal ? s->pattern : NULL, &w->shown.p[at]))
			found = at;
	}
	cr_pattern_free(pattern);
	return found;
}

static bool
source_is_match(struct cr_view *v, struct cr_session *s)
{
	const struct source *w = v->state;

	source_make(v, s);
	return shown_selected(v) && match_after(w, s, v->row, 1, false) == v->row;
}

static bool
source_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	uint32_t at;

	source_make(v, s);
	if (!v->n)
		return false;
	at = match_after(
		v->state, s, (backward ? v->row + v->n - 1 : v->row + 1) % v->n, v->n, backward);
	if (at != CR_NO_ROW)
		source_select_row(v, s, at);
	return at != CR_NO_ROW;
}

/* ---- the surface */

static void
source_head(
	const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	const struct source *w = surface->view->state;

	(void)unicode;
	cr_source_lines_head(&w->lines, cells, out);
}

static void
source_paint(
	const struct cr_sheet_surface *surface, uint32_t row, bool unicode, struct cr_paint *out)
{
	const struct source *w = surface->view->state;
	const struct shown *at = &w->shown.p[row];
	struct cr_listing_row r;
	const char *mark = "";

	if (at->kind == SHOWN_NOTE) {
		cr_paint_text(out, CR_INK_WARN, unicode ? " \xe2\x9a\xa0 " : " ! ");
		cr_paint_text(out, CR_INK_WARN, w->notes.p[at->at]);
		return;
	}
	r = row_of(w, at);
	if (r.kind == CR_LISTING_LINE && w->a.code != CR_ANNOTATION_NO_CODE)
		mark = w->open[at->at] ? (unicode ? "\xe2\x96\xbe " : "- ")
		       : r.has_cost    ? (unicode ? "\xe2\x96\xb8 " : "+ ")
				       : "  ";
	cr_source_lines_put(&w->lines, &r, at->kind == SHOWN_BELOW, mark, unicode, out);
}

static struct cr_row_look
source_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	const struct source *w = surface->view->state;

	return (struct cr_row_look){.hit = match_after(w, w->s, row, 1, false) == row};
}

static const void *
source_surface(struct cr_view *v, struct cr_session *s)
{
	static const struct cr_sheet_column_head no_heads[1];
	struct source *w = v->state;

	source_make(v, s);
	w->s = s;
	w->surface = (struct cr_sheet_surface){
		.empty = "nothing is known of this function",
		.heads = no_heads,
		.view = v,
		.head = source_head,
		.paint = source_paint,
		.look = source_look,
	};
	return &w->surface;
}

/* ---- texts */

static void
source_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct source *w = v->state;

	(void)s;
	if (!w->function)
		return;
	cr_text_puts(out, " of ");
	cr_label_fit(out, cr_str_of(w->function), TITLE_CELLS);
}

/* Of what is inlined at a line, its own place. */
static void
put_inlined_where(const struct source *w, const struct shown *at, struct cr_text *out)
{
	const struct cr_annotate_line *line;
	const struct cr_listing_row *r;

	if (at->kind != SHOWN_ROW)
		return;
	r = &w->list.rows.p[at->at];
	if (r->kind != CR_LISTING_INLINED || r->of == CR_NO_ROW)
		return;
	line = &w->a.a.lines.p[r->of];
	cr_text_puts(out, "   inlined: ");
	cr_text_safe(out, w->a.in.p->functions[line->function.i].name);
	cr_text_puts(out, "   ");
	cr_text_safe(out, cr_str_basename(line->file));
	if (line->line)
		cr_text_printf(out, ":%" PRIu32, line->line);
}

static void
put_where(const struct source *w, const struct shown *at, struct cr_text *out)
{
	cr_text_safe(out, cr_str_of(w->function));
	if (at->kind != SHOWN_NOTE && w->list.rows.p[at->row].kind == CR_LISTING_LINE) {
		cr_text_puts(out, "   ");
		cr_text_safe(out, cr_str_basename(file_of(w, at->row)));
		if (w->list.rows.p[at->row].number)
			cr_text_printf(out, ":%" PRIu64, w->list.rows.p[at->row].number);
	}
	put_inlined_where(w, at, out);
	cr_text_puts(out, *w->dso ? "   " : "");
	cr_text_safe(out, cr_str_of(w->dso));
}

/* The costs of the row and of the function; of a note, the rest of it. */
static void
put_costs(const struct source *w, const struct shown *at, struct cr_text *out)
{
	const struct cr_cost *all = &w->a.a.cost;
	struct cr_listing_row r;

	if (at->kind == SHOWN_NOTE) {
		cr_text_puts(out, w->notes.p[at->at]);
		return;
	}
	r = row_of(w, at);
	if (r.has_cost) {
		cr_text_puts(out, "line: self ");
		cr_text_share(out, r.cost.self, all->total);
		cr_text_puts(out, "  ");
		cr_text_counted(out, r.cost.self_samples, "sample", "samples");
		cr_text_puts(out, "   ");
	}
	cr_text_puts(out, "function: total ");
	cr_text_share(out, all->total, w->a.a.whole);
	cr_text_puts(out, "  self ");
	cr_text_share(out, all->self, w->a.a.whole);
	cr_text_puts(out, " of all");
}

static bool
source_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	const struct source *w = v->state;
	const struct shown *at = shown_selected(v);

	(void)s;
	if (!w->function || !at)
		return false;
	if (line == 0)
		put_where(w, at, out);
	else if (w->has_a || at->kind == SHOWN_NOTE)
		put_costs(w, at, out);
	return true;
}

static void
source_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_sheet_surface *surface = source_surface(v, s);
	const struct source *w = v->state;
	const uint32_t cells = v->width > 0 ? (uint32_t)v->width : 0;

	cr_print_heading(s, out);
	cr_text_safe(out, cr_str_of(w->function));
	cr_text_puts(out, *w->dso ? "  " : "");
	cr_text_safe(out, cr_str_of(w->dso));
	if (w->has_a) {
		cr_text_puts(out, "  total ");
		cr_text_share(out, w->a.a.cost.total, w->a.a.whole);
		cr_text_puts(out, "  self ");
		cr_text_share(out, w->a.a.cost.self, w->a.a.whole);
	}
	cr_text_char(out, '\n');
	source_head(surface, cells, true, out);
	cr_text_char(out, '\n');
	for (uint32_t row = 0; row < v->n; row++) {
		struct cr_paint line = {out, NULL, 0, cells};

		source_paint(surface, row, true, &line);
		cr_chart_line_end(out);
	}
}

/* What undo restores. */
static void
source_save(const struct cr_view *v, struct cr_text *out)
{
	const struct source *w = v->state;

	cr_text_printf(out, "%d %d", (int)w->mode, (int)w->has_mode);
}

static void
source_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	struct source *w = v->state;
	int mode = 0, has_mode = 0;

	(void)s;
	if (sscanf(text, "%d %d", &mode, &has_mode) != 2 || mode < 0 || mode >= MODES)
		return;
	w->made &= (int)w->mode == mode && (int)w->has_mode == has_mode;
	w->mode = (enum mode)mode;
	w->has_mode = has_mode;
}

/* ---- its commands */

static int
run_show(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_source);
	struct source *w = v->state;
	int mode = 0;

	(void)out;
	source_make(v, s);
	if (strcmp(args, "next") == 0)
		mode = ((int)mode_of(w) + 1) % MODES;
	else
		while (mode < MODES && strcmp(args, mode_names[mode]) != 0)
			mode++;
	if (mode == MODES)
		return cr_argument_bad(err, "kind of listing", args, "source, both, code, next");
	w->mode = (enum mode)mode;
	w->has_mode = true;
	w->made = false;
	source_make(v, s);
	return CR_OK;
}

static int
run_hot(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_source);
	const bool first = strcmp(args, "first") == 0, backward = strcmp(args, "previous") == 0;
	uint32_t at;

	(void)out;
	if (!first && !backward && strcmp(args, "next") != 0)
		return cr_argument_bad(err, "hot line", args, "first, next, previous");
	source_make(v, s);
	at = hot_after(v->state, first || !v->n ? CR_NO_ROW : v->row, backward);
	if (at == CR_NO_ROW)
		cr_text_puts(&s->message, "no line of it has samples of its own");
	else
		source_select_row(v, s, at);
	centre(v);
	return CR_OK;
}

static const struct cr_command source_commands[] = {
	{"listing", "source|both|code|next",
		"show the source of the function, its instructions, or both", false, run_show,
		NULL},
	{"hot", "first|next|previous",
		"select the hottest line, or the next or previous one by cost", false, run_hot,
		NULL},
	{0},
};

/* ---- the view */

static const struct cr_binding source_keys[] = {
	{"Source", {CR_KEY_ENTER}, "open",
		"follow a call or a jump; on a line of source: show its instructions", "follow",
		false},
	{"Source", {'o'}, "listing next", "show source, instructions with their lines, or both",
		"listing", false},
	{"Source", {'H'}, "hot first", "select the hottest line", "hottest", false},
	{"Source", {'.'}, "hot next", "select the next hottest line", NULL, false},
	{"Source", {','}, "hot previous", "select the line that is hotter", NULL, false},
	{"Source", {CR_KEY_RIGHT, 'l'}, "right", "show the instructions of the line", NULL, false},
	{"Source", {CR_KEY_LEFT, 'h'}, "left", "hide them", NULL, false},
	{"Source", {CR_KEY_BACKSPACE}, "undo", "go back to the function or view before", NULL,
		false},
	{0},
};

const struct cr_view_ops cr_view_source = {
	.name = "source",
	.label = "Source",
	.about = "source and instructions of a function",
	.surface = CR_SURFACE_SHEET,
	.state_bytes = sizeof(struct source),
	.keys = source_keys,
	.commands = source_commands,
	.make = source_make,
	.drop = source_drop,
	.fini = source_fini,
	.surface_of = source_surface,
	.move = source_move,
	.select_row = source_select_row,
	.selected = source_selected,
	.open = source_open,
	.is_match = source_is_match,
	.find = source_find,
	.put_title = source_put_title,
	.put_about = source_put_about,
	.save = source_save,
	.restore = source_restore,
	.print = source_print,
};
