#include "session/views/view.h"

#include "sheet_view_p.h"
#include "source_rows_p.h"

#include "session/changes_p.h"
#include "session/commands/argument_p.h"
#include "session/print_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "query/lang/pattern.h"
#include "view/sheet/verdict_sheet.h"
#include "view/style/change.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The selected function: its source line by line, or its instructions, with what each costs. What
 * is missing is reported above them, with what to do about it.
 */
extern const struct cr_view_ops cr_view_source;

static const char *const mode_names[CR_SOURCE_MODES] = {"source", "both", "code"};

static const struct cr_source_row *
shown_selected(const struct cr_view *v)
{
	const struct cr_source_rows *w = v->state;

	return w->made && v->row < w->shown.n ? &w->shown.p[v->row] : NULL;
}

/* ---- the selection */

static void
source_selected(struct cr_view *v, const struct cr_session *s, unsigned parts)
{
	const struct cr_source_rows *w = v->state;

	if (w->made && !w->selecting && (parts & CR_SELECTED_LINE) &&
		(s->selection.parts & CR_SELECTED_LINE))
		v->row = cr_source_rows_row_of_selection(w, s);
}

static void
source_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	struct cr_source_rows *w = v->state;
	const struct cr_source_row *at;

	cr_source_rows_make(v, s);
	if (!v->n)
		return;
	v->row = CR_MIN(row, v->n - 1);
	at = &w->shown.p[v->row];
	if (at->row == CR_NO_ROW || w->list.rows.p[at->row].kind != CR_LISTING_LINE ||
		!w->list.rows.p[at->row].number)
		return;
	w->selecting = true;
	cr_session_select_line(
		s, cr_source_rows_file(w, at->row), (uint32_t)w->list.rows.p[at->row].number);
	w->selecting = false;
}

/* A line of source cannot be opened: say why. */
static void
say_closed(const struct cr_source_rows *w, struct cr_session *s)
{
	const struct cr_str host = cr_source_rows_host(w);

	if (host.len) {
		cr_text_puts(&s->message, "inlined: Enter shows the instructions, in ");
		cr_text_safe(&s->message, host);
	} else if (w->a.code == CR_ANNOTATION_NO_CODE) {
		cr_text_printf(
			&s->message, "no instructions here: %s", w->a.why ? w->a.why : "unknown");
	} else {
		cr_text_puts(&s->message, "no instruction of this line was sampled");
	}
}

/* Show the instructions of a line of source, or hide them. */
static void
set_open(struct cr_view *v, struct cr_session *s, bool open)
{
	struct cr_source_rows *w = v->state;
	const uint32_t row = w->shown.p[v->row].row, n = v->n;

	if (row == CR_NO_ROW)
		return;
	if (open && w->list.rows.p[row].kind == CR_LISTING_INLINED)
		cr_text_puts(&s->message, "inlined here: Enter shows its own source");
	if (w->list.rows.p[row].kind != CR_LISTING_LINE || w->open[row] == open)
		return;
	w->open[row] = open;
	cr_source_rows_show(v);
	if (open && v->n == n) {
		w->open[row] = false;
		say_closed(w, s);
	}
	for (uint32_t i = 0; i < v->n; i++)
		if (w->shown.p[i].kind == CR_SOURCE_ROW_LISTING && w->shown.p[i].at == row)
			v->row = i;
}

static void
source_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	uint32_t row;

	cr_source_rows_make(v, s);
	if (!v->n)
		return;
	row = cr_view_row_after(v, to);
	if (to == CR_MOVE_LEFT || to == CR_MOVE_RIGHT)
		set_open(v, s, to == CR_MOVE_RIGHT);
	else if (row != v->row)
		source_select_row(v, s, row);
}

/* The function that a call goes to, that is inlined at the row, or that a note is about. */
static struct cr_str
function_at(const struct cr_source_rows *w, const struct cr_source_row *at)
{
	const char *from, *end;
	struct cr_listing_row r;

	if (at->kind == CR_SOURCE_ROW_NOTE)
		return cr_source_rows_note_function(w, at->at);
	r = cr_source_rows_row(w, at);
	if (r.kind == CR_LISTING_LINE)
		return cr_source_rows_host(w);
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
jump_target(const struct cr_source_rows *w, const struct cr_source_row *at)
{
	const struct cr_listing_row r = cr_source_rows_row(w, at);
	const char *plus = r.text.len ? memmem(r.text.p, r.text.len, "+0x", 3) : NULL;
	uint64_t base = 0, offset = 0;
	uint32_t best = CR_NO_ROW;

	if (r.kind != CR_LISTING_INSTRUCTION || !plus)
		return CR_NO_ROW;
	for (plus += 3; plus < r.text.p + r.text.len && *plus != '>'; plus++)
		offset = offset * 16 +
			 (uint64_t)(*plus <= '9' ? *plus - '0' : (*plus | 32) - 'a' + 10);
	for (uint32_t i = 0; i < w->shown.n && best == CR_NO_ROW; i++) {
		const struct cr_listing_row x = w->shown.p[i].kind == CR_SOURCE_ROW_LISTING
							? w->list.rows.p[w->shown.p[i].at]
							: (struct cr_listing_row){.kind = 0};

		if (x.kind == CR_LISTING_SYMBOL)
			base = x.number;
		else if (x.kind == CR_LISTING_INSTRUCTION && base && x.number >= base + offset)
			best = i;
	}
	return best;
}

/*
 * Enter follows a call, a jump or an inlined function; it opens a line of source, or shows the
 * function that its instructions are in.
 */
static int
source_open(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	struct cr_source_rows *w = v->state;
	const struct cr_source_row *at;
	struct cr_str name;
	uint32_t to;

	(void)err;
	cr_source_rows_make(v, s);
	if (!(at = shown_selected(v)))
		return CR_OK;
	name = function_at(w, at);
	if (name.len) {
		if (!cr_session_select_function(s, name, CR_STR(""))) {
			cr_text_safe(&s->message, name);
			cr_text_puts(&s->message, " has no samples here");
		}
		return CR_OK;
	}
	if (at->kind == CR_SOURCE_ROW_NOTE)
		return CR_OK;
	if ((to = jump_target(w, at)) != CR_NO_ROW)
		source_select_row(v, s, to);
	else if (at->row != CR_NO_ROW)
		set_open(v, s, !w->open[at->row]);
	return CR_OK;
}

/* ---- matches: in the text */

static bool
row_matches(const struct cr_source_rows *w, const struct cr_pattern *pattern, const char *literal,
	const struct cr_source_row *at)
{
	const struct cr_listing_row r = at->kind == CR_SOURCE_ROW_NOTE
						? (struct cr_listing_row){.kind = 0}
						: cr_source_rows_row(w, at);

	if (!r.text.len)
		return false;
	return literal ? memmem(r.text.p, r.text.len, literal, strlen(literal)) != NULL
		       : cr_pattern_match(pattern, r.text);
}

/* The next line that matches, from `from` on, `n` lines long; CR_NO_ROW for none. */
static uint32_t
match_after(const struct cr_source_rows *w, const struct cr_session *s, uint32_t from, uint32_t n,
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
	const struct cr_source_rows *w = v->state;

	cr_source_rows_make(v, s);
	return shown_selected(v) && match_after(w, s, v->row, 1, false) == v->row;
}

static bool
source_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	uint32_t at;

	cr_source_rows_make(v, s);
	if (!v->n)
		return false;
	at = match_after(
		v->state, s, (backward ? v->row + v->n - 1 : v->row + 1) % v->n, v->n, backward);
	if (at != CR_NO_ROW)
		source_select_row(v, s, at);
	return at != CR_NO_ROW;
}

/* ---- the surface */

/* Of a row of a difference; NULL if it has no costs of both sides. */
static const struct cr_change_cells *
changes_of(const struct cr_source_rows *w, const struct cr_source_row *at)
{
	if (!w->is_diff || at->kind != CR_SOURCE_ROW_LISTING ||
		w->list.rows.p[at->at].kind == CR_LISTING_INSTRUCTION)
		return NULL;
	return &w->changes.cells[at->at];
}

static bool
is_changed(const struct cr_source_rows *w, uint32_t row)
{
	const struct cr_change_cells *change = changes_of(w, &w->shown.p[row]);

	return change && cr_change_mark_of(change->shown);
}

/* The next line that has changed. */
static bool
source_next_change(
	struct cr_view *v, struct cr_session *s, bool backward, uint32_t *place, uint32_t *of)
{
	const struct cr_source_rows *w = v->state;
	uint32_t at = CR_NO_ROW;

	cr_source_rows_make(v, s);
	*place = *of = 0;
	for (uint32_t i = 1; i <= v->n && at == CR_NO_ROW; i++) {
		const uint32_t row = (backward ? v->row + v->n - i : v->row + i) % v->n;

		if (is_changed(w, row))
			at = row;
	}
	for (uint32_t i = 0; i < v->n && at != CR_NO_ROW; i++) {
		*of += is_changed(w, i);
		*place += i <= at && is_changed(w, i);
	}
	if (at != CR_NO_ROW)
		source_select_row(v, s, at);
	return at != CR_NO_ROW;
}

static void
source_head(
	const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	struct cr_source_rows *w = surface->view->state;

	w->ascii = !unicode;
	cr_source_lines_head(&w->lines, cells, out);
}

static void
source_paint(
	const struct cr_sheet_surface *surface, uint32_t row, bool unicode, struct cr_paint *out)
{
	const struct cr_source_rows *w = surface->view->state;
	const struct cr_source_row *at = &w->shown.p[row];
	struct cr_source_lines lines = w->lines;
	struct cr_listing_row r;
	const char *mark = "";

	if (at->kind == CR_SOURCE_ROW_NOTE) {
		cr_paint_text(out, CR_INK_WARN,
			at->part  ? "   "
			: unicode ? " \xe2\x9a\xa0 "
				  : " ! ");
		cr_paint_str(out, CR_INK_WARN, cr_source_rows_note_line(w, at->at, at->part));
		return;
	}
	r = cr_source_rows_row(w, at);
	if (r.kind == CR_LISTING_LINE && w->a.code != CR_ANNOTATION_NO_CODE)
		mark = w->open[at->at] ? (unicode ? "\xe2\x96\xbe " : "- ")
		       : r.has_cost    ? (unicode ? "\xe2\x96\xb8 " : "+ ")
				       : "  ";
	lines.change = changes_of(w, at);
	cr_source_lines_put(&lines, &r, at->kind == CR_SOURCE_ROW_BELOW, mark, unicode, out);
}

static struct cr_row_look
source_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	const struct cr_source_rows *w = surface->view->state;
	const struct cr_change_cells *change = changes_of(w, &w->shown.p[row]);

	return (struct cr_row_look){.hit = match_after(w, w->s, row, 1, false) == row,
		.change = change ? change->shown : 0,
		.noise = change && w->changes.is_noise && (change->part[0] || change->part[1])};
}

static const void *
source_surface(struct cr_view *v, struct cr_session *s)
{
	struct cr_source_rows *w = v->state;

	cr_source_rows_make(v, s);
	w->s = s;
	w->surface = (struct cr_sheet_surface){
		.empty = "nothing is known of this function",
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
	const struct cr_source_rows *w = v->state;

	(void)s;
	cr_sheet_view_put_of(w->function, out);
}

/* Of what is inlined at a line, its own place. */
static void
put_inlined_where(
	const struct cr_source_rows *w, const struct cr_source_row *at, struct cr_text *out)
{
	const struct cr_annotate_line *line;
	const struct cr_listing_row *r;

	if (at->kind != CR_SOURCE_ROW_LISTING)
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
put_where(const struct cr_source_rows *w, const struct cr_source_row *at, struct cr_text *out)
{
	cr_text_safe(out, cr_str_of(w->function));
	if (at->kind != CR_SOURCE_ROW_NOTE && w->list.rows.p[at->row].kind == CR_LISTING_LINE) {
		cr_text_puts(out, "   ");
		cr_text_safe(out, cr_str_basename(cr_source_rows_file(w, at->row)));
		if (w->list.rows.p[at->row].number)
			cr_text_printf(out, ":%" PRIu64, w->list.rows.p[at->row].number);
	}
	put_inlined_where(w, at, out);
	cr_text_puts(out, *w->dso ? "   " : "");
	cr_text_safe(out, cr_str_of(w->dso));
}

/* The verdict about the function, and what was in lines that are not listed. */
static void
put_verdict(const struct cr_source_rows *w, struct cr_session *s, struct cr_text *out)
{
	const uint32_t frame = cr_source_rows_frame(w, s);
	const struct cr_verdict *v =
		frame == CR_NO_ROW ? NULL : cr_changes_verdict(s, frame, false);

	if (v) {
		cr_text_puts(out, "function self ");
		cr_verdict_put_shares(v, !w->ascii, out);
	}
	if (w->changes.lost) {
		cr_text_puts(out, "   before, other lines had ");
		cr_text_share(out, w->changes.lost, w->changes.whole);
	}
}

/* The costs of the row and of the function; of a note, the rest of it. */
static void
put_costs(const struct cr_source_rows *w, const struct cr_source_row *at, struct cr_text *out)
{
	const struct cr_cost *all = &w->a.a.cost;
	struct cr_listing_row r;

	if (at->kind == CR_SOURCE_ROW_NOTE) {
		cr_text_puts(out, w->notes.p[at->at]);
		return;
	}
	r = cr_source_rows_row(w, at);
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
	const struct cr_source_rows *w = v->state;
	const struct cr_source_row *at = shown_selected(v);

	if (!w->function || !at)
		return false;
	if (line == 0)
		put_where(w, at, out);
	else if (w->is_diff && w->has_a && at->kind != CR_SOURCE_ROW_NOTE)
		put_verdict(w, s, out);
	else if (w->has_a || at->kind == CR_SOURCE_ROW_NOTE)
		put_costs(w, at, out);
	return true;
}

static void
source_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_sheet_surface *surface = source_surface(v, s);
	const struct cr_source_rows *w = v->state;

	cr_print_heading(s, out);
	cr_text_safe(out, cr_str_of(w->function));
	cr_text_puts(out, *w->dso ? "  " : "");
	cr_text_safe(out, cr_str_of(w->dso));
	if (w->has_a && w->is_diff) {
		cr_text_puts(out, "  ");
		put_verdict(w, s, out);
	} else if (w->has_a) {
		cr_text_puts(out, "  total ");
		cr_text_share(out, w->a.a.cost.total, w->a.a.whole);
		cr_text_puts(out, "  self ");
		cr_text_share(out, w->a.a.cost.self, w->a.a.whole);
	}
	cr_text_char(out, '\n');
	cr_sheet_view_print(surface, out);
}

/* The lines, the instructions, or both, as the listing shows them; NULL if nothing is known. */
static const struct cr_sheet *
source_sheet(struct cr_view *v, struct cr_session *s)
{
	struct cr_source_rows *w = v->state;
	struct cr_annotate_sheet_opts opts = {.lines = true, .addresses = true};

	cr_source_rows_make(v, s);
	if (!w->has_a)
		return NULL;
	opts.lines = cr_source_rows_mode(w) != CR_SOURCE_MODE_CODE;
	opts.addresses = cr_source_rows_mode(w) != CR_SOURCE_MODE_SOURCE;
	opts.whole = w->a.a.whole;
	cr_annotate_sheet_fini(&w->sheet);
	cr_annotate_sheet_init(&w->a.in, &opts, &w->sheet);
	return &w->sheet.sheet;
}

/* What undo restores. */
static void
source_save(const struct cr_view *v, struct cr_text *out)
{
	const struct cr_source_rows *w = v->state;

	cr_text_printf(out, "%d %d", (int)w->mode, (int)w->has_mode);
}

static void
source_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	struct cr_source_rows *w = v->state;
	int mode = 0, has_mode = 0;

	(void)s;
	if (sscanf(text, "%d %d", &mode, &has_mode) != 2 || mode < 0 || mode >= CR_SOURCE_MODES)
		return;
	w->made &= (int)w->mode == mode && (int)w->has_mode == has_mode;
	w->mode = (enum cr_source_mode)mode;
	w->has_mode = has_mode;
}

/* ---- its commands */

static int
run_show(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_source);
	struct cr_source_rows *w = v->state;
	int mode = 0;

	(void)out;
	cr_source_rows_make(v, s);
	if (strcmp(args, "next") == 0)
		mode = ((int)cr_source_rows_mode(w) + 1) % CR_SOURCE_MODES;
	else
		while (mode < CR_SOURCE_MODES && strcmp(args, mode_names[mode]) != 0)
			mode++;
	if (mode == CR_SOURCE_MODES)
		return cr_argument_bad(err, "kind of listing", args, "source, both, code, next");
	w->mode = (enum cr_source_mode)mode;
	w->has_mode = true;
	w->made = false;
	cr_source_rows_make(v, s);
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
	cr_source_rows_make(v, s);
	at = cr_source_rows_hot_after(v->state, first || !v->n ? CR_NO_ROW : v->row, backward);
	if (at == CR_NO_ROW)
		cr_text_puts(&s->message, "no line of it has samples of its own");
	else
		source_select_row(v, s, at);
	cr_source_rows_centre(v);
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
		"follow a call, a jump or what is inlined; on a line of source: show its "
		"instructions",
		"follow", false},
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
	.ignores_zoom = true,
	.state_bytes = sizeof(struct cr_source_rows),
	.keys = source_keys,
	.commands = source_commands,
	.make = cr_source_rows_make,
	.drop = cr_source_rows_drop_changed,
	.fini = cr_source_rows_fini,
	.surface_of = source_surface,
	.move = source_move,
	.select_row = source_select_row,
	.selected = source_selected,
	.open = source_open,
	.is_match = source_is_match,
	.find = source_find,
	.next_change = source_next_change,
	.put_title = source_put_title,
	.put_about = source_put_about,
	.save = source_save,
	.restore = source_restore,
	.sheet = source_sheet,
	.print = source_print,
};
