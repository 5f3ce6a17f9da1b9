#include "tui/panes/pane_p.h"

#include "keymap_p.h"

#include "base/utf8.h"
#include "model/profile.h"
#include "query/diff/diff.h"
#include "session/profiles.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <string.h>

/* On narrower screens shares are printed before counts. */
#define COUNTS_WIDTH 60

/* From these widths on, the bottom line has the labels of all views, or the digits of all views. */
#define ALL_LABELS_WIDTH 160
#define DIGITS_WIDTH 40

#define GAP 3 /* blanks between the fields of a line */

#define PATTERN_CELLS 24 /* width of the pattern */
#define BRIEF_CELLS 12   /* width of the pattern if there is little room */
#define NAME_CELLS 8     /* a name has at least this width beside the share of a search */

static uint32_t
cells_of(const struct cr_text *t)
{
	return t->len ? cr_utf8_cells(cr_text_view(t)) : 0;
}

/* ---- the selection */

/* "total 61.20 %", or "total 10.00 % → 12.00 % (+2.00)". */
static void
put_share(const struct cr_session *s, const struct cr_pane *p, const char *what,
	const uint64_t part[], const uint64_t whole[], struct cr_text *out)
{
	int32_t ppm;

	cr_text_printf(out, "%s ", what);
	cr_text_share(out, part[0], whole[0]);
	if (cr_session_sides(s) == 1)
		return;
	cr_text_puts(out, cr_pane_mark(p, " \xe2\x86\x92 ", " > "));
	cr_text_share(out, part[1], whole[1]);
	ppm = (int32_t)cr_share_ppm(part[1], whole[1]) - (int32_t)cr_share_ppm(part[0], whole[0]);
	cr_text_printf(out, "  %s%+.2f", cr_pane_mark(p, "\xce\x94 ", ""), ppm / 10000.0);
}

/* Why the view does not show the selected frame; empty if it does. */
static void
put_unseen(struct cr_session *s, bool brief, struct cr_text *out)
{
	struct cr_view *v = cr_view_current(s);

	if (v->ops->put_unseen)
		v->ops->put_unseen(v, s, brief, out);
}

/* Fields of a line, printed from left to right until the line is full. */
struct fields {
	const struct cr_pane *p;
	int32_t x, y;
};

static void
field_put(struct fields *f, const struct cr_text *text, struct cr_look look)
{
	const int32_t cells = (int32_t)cells_of(text);

	if (!cells || f->x + cells > f->p->x + f->p->width)
		return;
	cr_grid_text(f->p->g, f->x, f->y, cells, cr_text_view(text), look);
	f->x += cells + GAP;
}

void
cr_status_matches(const struct cr_session *s, bool brief, struct cr_text *out)
{
	const struct cr_search *found = cr_session_search(s);
	const struct cr_tree *t = cr_session_tree(s);
	const uint32_t side = t->sides - 1, zoom = cr_session_zoom(s);
	const uint32_t functions = brief ? 0 : cr_search_functions(found, t, zoom);

	/* If only groups match, such as comms, their share says enough. */
	if (!brief && (functions || !found->n_nodes)) {
		cr_text_counted(out, functions, "function", "functions");
		cr_text_puts(out, ", ");
	}
	cr_text_share(out, zoom ? cr_search_under(found, t, zoom, side) : found->weight[side],
		t->total[side][zoom]);
	if (zoom && !brief)
		cr_text_puts(out, " of the zoom");
}

/* "/ssl_/ 12 functions, 12.30 %", or "/ssl_/ 12.30 %"; empty without a search. */
static void
put_search(const struct cr_session *s, bool brief, struct cr_text *out)
{
	if (!cr_session_pattern(s))
		return;
	cr_text_puts(out, cr_session_is_literal(s) ? "" : "/");
	cr_label_fit(out, cr_str_of(cr_session_pattern(s)), brief ? BRIEF_CELLS : PATTERN_CELLS);
	cr_text_puts(out, cr_session_is_literal(s) ? ": " : "/ ");
	cr_status_matches(s, brief, out);
}

/* "marked 3s..5s  thread 17383": what is selected besides the frame. */
static void
put_parts(const struct cr_selection *n, struct cr_text *out)
{
	if (n->parts & CR_SELECTED_TIME) {
		cr_text_puts(out, "marked ");
		cr_selection_put_time(n, out);
	}
	if (n->parts & CR_SELECTED_THREAD)
		cr_text_printf(out, "%sthread %d", out->len ? "  " : "", n->tid);
}

/* The numbers about the selected frame, from left to right; each is full, brief or left out. */
enum number {
	NUMBER_TOTAL,
	NUMBER_SELF,
	NUMBER_ALL,
	NUMBER_UNSEEN,
	NUMBER_PARTS,
	NUMBER_SEARCH,
	NUMBERS
};
enum form { FORM_FULL, FORM_BRIEF, FORM_NONE };

struct numbers {
	struct cr_text text[NUMBERS][2];
	enum form form[NUMBERS];
};

static const struct cr_text *
number_text(const struct numbers *n, int which)
{
	static const struct cr_text none;

	return n->form[which] == FORM_NONE ? &none : &n->text[which][n->form[which]];
}

/* Shares of one profile refer to the zoom, as those of the view do: enum cr_view_whole. */
static bool
is_of_zoom(const struct cr_session *s, const struct cr_view_costs *c)
{
	return c->in_zoom && cr_view_whole(s) == CR_WHOLE_ZOOM;
}

static void
numbers_make(struct cr_session *s, const struct cr_pane *p, struct numbers *n)
{
	const struct cr_view_costs c = cr_view_costs(s);
	const bool of_zoom = is_of_zoom(s, &c);
	const uint64_t *whole = of_zoom ? c.zoom : c.whole;

	for (int form = 0; form < 2; form++) {
		put_share(s, p, "total", c.total, whole, &n->text[NUMBER_TOTAL][form]);
		put_share(s, p, "self", c.self, whole, &n->text[NUMBER_SELF][form]);
		put_search(s, form == FORM_BRIEF, &n->text[NUMBER_SEARCH][form]);
	}
	if (cr_session_zoom(s))
		cr_text_puts(&n->text[NUMBER_TOTAL][FORM_FULL], of_zoom ? " of zoom" : " of all");
	if (cr_session_sides(s) == 1 && p->width >= COUNTS_WIDTH) {
		cr_text_puts(&n->text[NUMBER_TOTAL][FORM_FULL], "  ");
		cr_label_cost(&n->text[NUMBER_TOTAL][FORM_FULL], cr_session_tree(s), 0, c.total[0],
			c.samples[0]);
	}
	if (of_zoom)
		put_share(s, p, "of all", c.total, c.whole, &n->text[NUMBER_ALL][FORM_FULL]);
	put_parts(cr_session_selection(s), &n->text[NUMBER_PARTS][FORM_FULL]);
	put_unseen(s, false, &n->text[NUMBER_UNSEEN][FORM_FULL]);
	put_unseen(s, true, &n->text[NUMBER_UNSEEN][FORM_BRIEF]);
}

static int32_t
numbers_cells(const struct numbers *n)
{
	int32_t cells = 1 - GAP;

	for (int i = 0; i < NUMBERS; i++)
		if (number_text(n, i)->len)
			cells += (int32_t)cells_of(number_text(n, i)) + GAP;
	return cells;
}

/*
 * If not all fits, shorten or drop the numbers in this order. The share of a search is never
 * dropped.
 */
static void
numbers_fit(struct numbers *n, int32_t cells)
{
	static const struct {
		enum number which;
		enum form form;
	} steps[] = {
		{NUMBER_ALL, FORM_NONE},
		{NUMBER_PARTS, FORM_NONE},
		{NUMBER_SEARCH, FORM_BRIEF},
		{NUMBER_UNSEEN, FORM_BRIEF},
		{NUMBER_TOTAL, FORM_BRIEF},
		{NUMBER_UNSEEN, FORM_NONE},
		{NUMBER_SELF, FORM_NONE},
		{NUMBER_TOTAL, FORM_NONE},
	};

	for (size_t i = 0; i < CR_LEN(steps) && numbers_cells(n) > cells; i++)
		n->form[steps[i].which] = steps[i].form;
}

static void
draw_numbers(struct cr_session *s, const struct cr_pane *p, int32_t y)
{
	struct fields f = {p, p->x + 1, y};
	struct numbers n = {0};

	numbers_make(s, p, &n);
	if (cr_session_pattern(s))
		numbers_fit(&n, p->width);
	for (int i = 0; i < NUMBERS; i++)
		field_put(&f, number_text(&n, i),
			i == NUMBER_SEARCH   ? cr_pane_look_match(p)
			: i == NUMBER_UNSEEN ? CR_LOOK_BOLD
					     : CR_LOOK_PLAIN);
	for (int i = 0; i < NUMBERS; i++) {
		cr_text_fini(&n.text[i][FORM_FULL]);
		cr_text_fini(&n.text[i][FORM_BRIEF]);
	}
}

/* "/build/src/http/ngx_http_request.c:2051", or "http/ngx_http_request.c:2051". */
static void
put_source(const struct cr_frame *f, bool whole, struct cr_text *out)
{
	if (!f->file.len)
		return;
	cr_text_safe(out, whole ? f->file : cr_label_path(f->file));
	if (f->line)
		cr_text_printf(out, ":%" PRIu32, f->line);
}

/* In a difference: new or gone; otherwise: inlined or not. */
static const char *
fate(const struct cr_session *s, const struct cr_view_costs *c)
{
	if (cr_session_sides(s) == 2 && !c->total[0] && c->total[1])
		return "new";
	if (cr_session_sides(s) == 2 && c->total[0] && !c->total[1])
		return "gone";
	return cr_view_inlined(s) ? "(inlined)" : "";
}

/*
 * Name, dso, source. If they do not fit, the paths are printed without directories. If that is not
 * enough, the source is dropped, then the dso, and finally the name is cut.
 */
static void
draw_name(struct cr_session *s, const struct cr_pane *p, int32_t y)
{
	const struct cr_frame *frame = &cr_session_tree(s)->frames[cr_view_frame(s)];
	const struct cr_view_costs c = cr_view_costs(s);
	struct fields f = {p, p->x + 1, y};
	struct cr_text name = {0}, dso = {0}, source = {0}, mark = {0}, made = {0};
	const uint32_t room = (uint32_t)CR_MAX(p->width - 2, 2);

	cr_text_safe(&name, frame->name);
	cr_text_safe(&dso, frame->dso);
	put_source(frame, true, &source);
	cr_text_puts(&mark, fate(s, &c));
	if (cells_of(&name) + cells_of(&dso) + cells_of(&source) + cells_of(&mark) + 3 * GAP >
		room) {
		cr_text_clear(&dso);
		cr_text_clear(&source);
		cr_text_safe(&dso, cr_dso_name(frame->dso, frame->kind, &made));
		cr_text_fini(&made);
		put_source(frame, false, &source);
	}
	if (cells_of(&name) + cells_of(&dso) + cells_of(&source) + cells_of(&mark) + 3 * GAP > room)
		cr_text_clear(&source);
	if (cells_of(&name) > room - CR_MIN(room, cells_of(&mark) + GAP)) {
		cr_text_clear(&name);
		cr_label_fit(&name, frame->name, room - CR_MIN(room - 2, cells_of(&mark) + GAP));
	}
	field_put(&f, &name, CR_LOOK_BOLD);
	if (mark.len && mark.p[0] == '(')
		f.x -= GAP - 1; /* "sort (inlined)" */
	field_put(&f, &mark, CR_LOOK_BOLD);
	field_put(&f, &dso, CR_LOOK_PLAIN);
	field_put(&f, &source, CR_LOOK_PLAIN);
	cr_text_fini(&name);
	cr_text_fini(&dso);
	cr_text_fini(&source);
	cr_text_fini(&mark);
}

/* Draw one line: the share, the name, cut to the width, and the search. */
static void
draw_short(struct cr_session *s, const struct cr_pane *p)
{
	const struct cr_view_costs c = cr_view_costs(s);
	const uint32_t side = cr_session_sides(s) - 1;
	struct cr_text t = {0}, search = {0};
	int32_t room;

	cr_text_char(&t, ' ');
	cr_text_share(&t, c.total[side], is_of_zoom(s, &c) ? c.zoom[side] : c.whole[side]);
	cr_text_puts(&t, " ");
	put_search(s, p->width < COUNTS_WIDTH, &search);
	room = p->width - (int32_t)t.len;
	if (search.len && room - (int32_t)cells_of(&search) >= GAP + NAME_CELLS) {
		room -= (int32_t)cells_of(&search) + GAP;
		cr_grid_text(p->g, p->x + p->width - (int32_t)cells_of(&search) - 1, p->y,
			(int32_t)cells_of(&search), cr_text_view(&search), cr_pane_look_match(p));
	}
	cr_label_fit(
		&t, cr_session_tree(s)->frames[cr_view_frame(s)].name, (uint32_t)CR_MAX(room, 2));
	cr_grid_text(p->g, p->x, p->y, p->width, cr_text_view(&t), CR_LOOK_BOLD);
	cr_text_fini(&t);
	cr_text_fini(&search);
}

/* As many fields as fit, or what fits of the first one. */
static void
draw_fields(
	const struct cr_pane *p, int32_t y, int32_t room, struct cr_text *text, struct cr_look look)
{
	char *end;

	while (text->len && (int32_t)cells_of(text) > room &&
		(end = memmem(text->p + 1, text->len - 1, "   ", GAP))) {
		for (char *next = end; next;
			next = memmem(end + 1, (size_t)(text->p + text->len - end - 1), "   ", GAP))
			end = next;
		text->len = (size_t)(end - text->p);
	}
	if (text->len)
		cr_grid_text(p->g, p->x + 1, y, room, cr_text_view(text), look);
}

/* The view's own lines, and the search. False where it has none. */
static bool
draw_about(struct cr_session *s, const struct cr_pane *p)
{
	struct cr_view *v = cr_view_current(s);
	const int32_t lines = CR_MIN(p->height, 2);
	struct cr_text text = {0}, search = {0};
	int32_t room = p->width - 1;
	bool has = v->ops->put_about != NULL;

	put_search(s, p->width < COUNTS_WIDTH, &search);
	for (int32_t i = 0; i < lines && has; i++) {
		cr_text_clear(&text);
		has = v->ops->put_about(v, s, i, &text);
		if (has && i == lines - 1 && search.len &&
			room > (int32_t)cells_of(&search) + NAME_CELLS) {
			room -= (int32_t)cells_of(&search) + GAP;
			cr_grid_text(p->g, p->x + 1 + room + GAP - 1, p->y + i,
				(int32_t)cells_of(&search), cr_text_view(&search),
				cr_pane_look_match(p));
		}
		draw_fields(p, p->y + i, room, &text, i ? CR_LOOK_PLAIN : CR_LOOK_BOLD);
	}
	cr_text_fini(&text);
	cr_text_fini(&search);
	return has;
}

/* The total cost, and the keys to begin with. */
static void
draw_begin(struct cr_session *s, const struct cr_pane *p)
{
	const struct cr_view_costs c = cr_view_costs(s);
	struct fields f = {p, p->x + 1, p->y + 1};
	struct cr_text text = {0};

	put_share(s, p, "total", c.total, c.whole, &text);
	if (cr_session_sides(s) == 1) {
		cr_text_puts(&text, "  ");
		cr_label_cost(&text, cr_session_tree(s), 0, c.total[0], c.samples[0]);
	}
	field_put(&f, &text, CR_LOOK_PLAIN);
	cr_text_clear(&text);
	cr_text_puts(&text, "begin: > hot path, 2 functions, 8 summary");
	field_put(&f, &text, CR_LOOK_DIM);
	cr_text_fini(&text);
}

void
cr_status_selected(struct cr_session *s, const struct cr_pane *p)
{
	if (draw_about(s, p))
		return;
	if (cr_pane_legend_draw(s, p)) {
		draw_begin(s, p);
		return;
	}
	if (p->height < 2) {
		draw_short(s, p);
		return;
	}
	draw_name(s, p, p->y);
	draw_numbers(s, p, p->y + 1);
}

/* ---- the bottom line */

static void
draw_label(const struct cr_pane *p, struct cr_str key, const char *label, const char *line,
	int32_t x, bool current)
{
	const int32_t from = x;
	struct cr_look look = current ? CR_LOOK_REVERSE : CR_LOOK_PLAIN;
	struct cr_look key_look = look;

	key_look.attr |= CR_ATTR_BOLD;
	x += cr_grid_text(p->g, x, p->y, p->width, key, key_look);
	cr_grid_put(p->g, x, p->y, ' ', look);
	x += 1 + cr_grid_text(p->g, x + 1, p->y, p->width, cr_str_of(label), look);
	cr_pane_zone(p, from, x, p->y, line);
}

/* The free part of the line. */
struct room {
	const struct cr_pane *p;
	const struct cr_view_ops *view; /* its keys are shown; NULL for a page of text */
	int32_t left, right;
};

/* Prints nothing if the label does not fit. */
static void
put_label(struct room *r, uint32_t key, const char *label, const char *line, bool at_right,
	bool current)
{
	struct cr_text name = {0};
	int32_t cells;

	cr_keymap_name(key, &name);
	cells = (int32_t)(cells_of(&name) + 1 + strlen(label));
	if (r->left + cells < r->right && at_right) {
		r->right -= cells + 1;
		draw_label(r->p, cr_text_view(&name), label, line, r->right, current);
		r->right--;
	} else if (r->left + cells < r->right) {
		draw_label(r->p, cr_text_view(&name), label, line, r->left, current);
		r->left += cells + 2;
	}
	cr_text_fini(&name);
}

/* The digit of a view that is not shown. `line` is its command; NULL if no view has the digit. */
static void
put_digit(struct room *r, uint32_t key, const char *line)
{
	cr_grid_put(r->p->g, r->left, r->p->y, key, CR_LOOK_BOLD);
	if (line)
		cr_pane_zone(r->p, r->left, r->left + 2, r->p->y, line);
	r->left += 2;
}

/* The labels of the view's own keys. */
static void
put_own(struct room *r)
{
	for (const struct cr_binding *b = r->view->keys; b && b->line; b++)
		if (b->label)
			put_label(r, b->keys[0], b->label, b->line, false, false);
}

/* The labels of a table, except for keys that the view has too. */
static void
put_table(struct room *r, const struct cr_binding *table, bool at_right)
{
	for (const struct cr_binding *b = table; b->line; b++)
		if (b->label && b->at_right == at_right &&
			!(r->view && cr_keymap_in(r->view->keys, b->keys[0])))
			put_label(r, b->keys[0], b->label, b->line, at_right, false);
}

/* The digits of the views, "1 2 3 Tree 4". With little room only the current view has a label. */
static void
put_views(struct room *r, uint32_t current)
{
	const bool all = r->p->width >= ALL_LABELS_WIDTH;

	for (uint32_t i = 0, key = '1'; key <= '9'; key++) {
		const bool exists = cr_view_ops_at(i) && cr_view_key_at(i) == key;

		if (exists && (all || i == current))
			put_label(r, key, cr_view_ops_at(i)->label, cr_keymap_view_line(i), false,
				i == current);
		else if (!all && r->left + 1 < r->right && r->p->width >= DIGITS_WIDTH)
			put_digit(r, key, exists ? cr_keymap_view_line(i) : NULL);
		i += exists;
	}
	r->left++;
}

/*
 * At the left are the views, then the view's own keys, then the common keys. At the right is a
 * fixed part, "q quit ? help".
 */
void
cr_status_labels(const struct cr_session *s, const struct cr_pane *p, bool page)
{
	struct room r = {.p = p,
		.view = page ? NULL : cr_view_current(s)->ops,
		.left = p->x + 1,
		.right = p->x + p->width};
	const enum cr_keymap_table which = page ? CR_KEYMAP_PAGES : CR_KEYMAP_COMMON;

	put_table(&r, cr_keymap_table(CR_KEYMAP_EVERYWHERE), true);
	put_table(&r, cr_keymap_table(which), true);
	if (!page) {
		put_views(&r, cr_view_index(s));
		put_own(&r);
	}
	put_table(&r, cr_keymap_table(which), false);
}

void
cr_status_pane_labels(const struct cr_pane *p)
{
	struct room r = {.p = p, .left = p->x + 1, .right = p->x + p->width};

	put_table(&r, cr_keymap_table(CR_KEYMAP_PANES), false);
}
