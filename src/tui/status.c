#include "tui/panes/pane_p.h"

#include "keymap_p.h"

#include "base/utf8.h"
#include "model/profile.h"
#include "query/diff/diff.h"
#include "session/profiles.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <string.h>

/* Warn if more than this share of samples has no name: half a percent. */
#define UNRESOLVED_PPM 5000

/* On narrower screens shares are printed before counts. */
#define COUNTS_WIDTH 60

/* From these widths on, the bottom line has the labels of all views, or the digits of all views. */
#define ALL_LABELS_WIDTH 160
#define DIGITS_WIDTH 40

#define QUERY_LEAST 8 /* in cells; a shorter piece of a query is useless */
#define MARK_CELLS 5  /* width of the warning mark with its surroundings */

#define GAP 3 /* blanks between the fields of a line */

#define PATTERN_CELLS 24 /* width of the pattern */
#define BRIEF_CELLS 12   /* width of the pattern if there is little room */
#define NAME_CELLS 8     /* a name has at least this width beside the share of a search */

static uint32_t
cells_of(const struct cr_text *t)
{
	return t->len ? cr_utf8_cells(cr_text_view(t)) : 0;
}

/* ---- the top line */

/*
 * "⚠ in part, 2.10 % unresolved, 12 samples lost": the most serious first; as many as fit in
 * `room`.
 */
static void
put_warnings(const struct cr_session *s, const struct cr_pane *p, int32_t room, struct cr_text *out)
{
	const uint32_t side = cr_session_sides(s) - 1;
	struct cr_text next = {0};
	uint32_t i = 0;

	for (int step = 0;; step++) {
		const struct cr_profile *pr = cr_session_profile(s, side);

		cr_text_clear(&next);
		if (step == 0 && pr->flags & CR_PROFILE_IN_PART) {
			cr_text_puts(&next, "read in part");
		} else if (step == 1 &&
			   cr_share_ppm(cr_session_unresolved(s, side),
				   cr_session_unresolved_of(s, side)) >= UNRESOLVED_PPM) {
			cr_text_share(&next, cr_session_unresolved(s, side),
				cr_session_unresolved_of(s, side));
			cr_text_puts(&next, " unresolved");
		} else if (step > 1) {
			while (i < pr->n_quality &&
				cr_quality_class(&pr->quality[i]) == CR_QUALITY_LINES)
				i++;
			if (i == pr->n_quality)
				break;
			cr_text_grouped(&next, pr->quality[i].count);
			cr_text_char(&next, ' ');
			cr_text_safe(&next, pr->quality[i++].what);
		}
		if (!next.len)
			continue;
		if ((int32_t)(cells_of(out) + cells_of(&next) + 2) > room) {
			/* Show at least that there are warnings. */
			if (!out->len && room > 2)
				cr_text_puts(out, cr_pane_mark(p, "\xe2\x9a\xa0", "!"));
			break;
		}
		if (out->len)
			cr_text_puts(out, ", ");
		else
			cr_text_printf(out, "%s ", cr_pane_mark(p, "\xe2\x9a\xa0", "!"));
		cr_text_puts(out, next.p);
	}
	cr_text_fini(&next);
}

/* The room for one title beside that of the other side: half, or more if that is shorter. */
static uint32_t
left_by(const struct cr_session *s, uint32_t other, uint32_t room)
{
	return room - CR_MIN(cr_utf8_cells(cr_str_of(cr_session_title(s, other))), room / 2);
}

static void
put_titles(const struct cr_session *s, const struct cr_pane *p, uint32_t cells, struct cr_text *out)
{
	const char *arrow = cr_pane_mark(p, " \xe2\x86\x92 ", " > ");
	const uint32_t room = cells > 7 ? cells - 3 : 4;

	if (!*cr_session_title(s, 1)) {
		cr_label_fit(out, cr_str_of(cr_session_title(s, 0)), cells);
		return;
	}
	cr_label_fit(out, cr_str_of(cr_session_title(s, 0)), left_by(s, 1, room));
	cr_text_puts(out, arrow);
	cr_label_fit(out, cr_str_of(cr_session_title(s, 1)), left_by(s, 0, room));
}

/* Print the steps from `from` on. `cut` is printed in place of the steps before. */
static void
put_steps(const struct cr_query *q, size_t from, const char *cut, struct cr_text *out)
{
	if (from)
		cr_text_printf(out, "%s; ", cut);
	for (size_t i = from; i < q->n; i++) {
		cr_text_puts(out, i > from ? "; " : "");
		cr_query_put_step(q->steps[i].word, q->steps[i].arg, out);
	}
}

/*
 * "62.10 %: focus =main; invert": the share of the event that the query keeps, and its steps. If
 * `cells` are too few, the oldest steps are dropped first, then the end of the newest step is cut.
 * The share is dropped only if too little of the step would remain.
 */
static void
put_query(const struct cr_session *s, const struct cr_pane *p, int32_t cells, struct cr_text *out)
{
	const char *cut = cr_pane_mark(p, "\xe2\x80\xa6", "~");
	struct cr_text share = {0}, steps = {0};

	if (!cr_session_query(s)->n || cells < QUERY_LEAST)
		return;
	cr_label_kept(&share, cr_session_tree(s), cr_pane_mark(p, " \xe2\x86\x92 ", " > "));
	cr_text_puts(&share, share.len ? ": " : "");
	for (size_t from = 0; from < cr_session_query(s)->n; from++) {
		cr_text_clear(&steps);
		put_steps(cr_session_query(s), from, cut, &steps);
		if ((int32_t)(cells_of(&share) + cells_of(&steps)) <= cells)
			break;
	}
	if ((int32_t)cells_of(&share) + QUERY_LEAST > cells)
		cr_text_clear(&share);
	cr_text_str(out, cr_text_view(&share));
	cells -= (int32_t)cells_of(&share);
	if ((int32_t)cells_of(&steps) <= cells) {
		cr_text_str(out, cr_text_view(&steps));
	} else {
		cr_text_put(out, steps.p, cr_utf8_fit(cr_text_view(&steps), (uint32_t)cells - 1));
		cr_text_puts(out, cut);
	}
	cr_text_fini(&share);
	cr_text_fini(&steps);
}

/* Recording time and threads of one profile; for two profiles there is not enough room. */
static void
put_facts(const struct cr_session *s, struct cr_text *out)
{
	const struct cr_str duration = cr_profile_fact(cr_session_profile(s, 0), "duration_ns");
	uint64_t ns = 0;

	if (cr_session_sides(s) == 2)
		return;
	for (uint32_t i = 0; i < duration.len && duration.p[i] >= '0' && duration.p[i] <= '9'; i++)
		ns = ns * 10 + (uint64_t)(duration.p[i] - '0');
	if (ns)
		cr_text_duration(out, ns);
	if (cr_session_threads(s, 0))
		cr_text_printf(out, "%s%" PRIu32 " thread%s", ns ? "  " : "",
			cr_session_threads(s, 0), cr_session_threads(s, 0) == 1 ? "" : "s");
}

static bool
has_other_events(const struct cr_session *s)
{
	const struct cr_profile *p = cr_session_profile(s, 0);
	uint32_t n = 0;

	if (cr_session_is_within(s))
		return false;
	for (uint32_t i = 0; i < p->n_events; i++)
		n += p->events[i].samples > 0;
	return n > 1;
}

void
cr_status_title(struct cr_session *s, const struct cr_pane *p)
{
	const struct cr_look look = CR_LOOK_REVERSE;
	struct cr_text view = {0}, event = {0}, counts = {0}, facts = {0}, title = {0},
		       warning = {0}, query = {0}, events = {0};
	int32_t x, right, used;

	cr_grid_fill(p->g, p->x, p->y, p->width, 1, ' ', look);
	if (cr_split_layout(s).n == 1) /* with several panes each pane has its own heading */
		cr_pane_put_view(cr_view_current(s), s, &view);
	right = p->x + p->width - 1 - (int32_t)cells_of(&view);
	if (view.len && right > p->x + p->width / 3) {
		cr_grid_text(
			p->g, right, p->y, (int32_t)cells_of(&view), cr_text_view(&view), look);
		cr_pane_zone(p, right, right + (int32_t)cells_of(&view), p->y, "view next");
	} else {
		right = p->x + p->width;
	}
	right -= 2;

	cr_label_event(&events, cr_session_tree(s), cr_pane_mark(p, " \xe2\x86\x92 ", " > "));
	cr_label_fit(&event, cr_text_view(&events), (uint32_t)CR_MAX(p->width / 4, 4));
	cr_session_put_norm(s, &event);
	if (has_other_events(s))
		cr_text_puts(&event, cr_pane_mark(p, " \xe2\x96\xbe", " v"));
	cr_label_costs(&counts, cr_session_tree(s), cr_pane_mark(p, " \xe2\x86\x92 ", " > "));
	put_facts(s, &facts);
	if (cr_session_is_empty(s)) { /* there is no event either */
		cr_text_clear(&event);
		cr_text_clear(&counts);
	}
	/*
	 * The title is shortened in favour of event and samples. They get what a fair share for the
	 * title leaves.
	 */
	used = (int32_t)(cells_of(&event) + cells_of(&counts)) + 2 * GAP;
	put_titles(s, p,
		(uint32_t)CR_MAX(
			CR_MIN(CR_MAX(right - p->x - 1 - used, p->width / 4), right - p->x - 1), 0),
		&title);

	x = p->x + 1;
	if (title.len)
		x += cr_grid_text(p->g, x, p->y, right - x, cr_text_view(&title),
			     (struct cr_look){look.fg, look.bg, CR_ATTR_REVERSE | CR_ATTR_BOLD}) +
		     2;
	if (event.len && x + (int32_t)cells_of(&event) <= right) {
		used = cr_grid_text(p->g, x, p->y, right - x, cr_text_view(&event), look);
		cr_pane_zone(p, x, x + used, p->y, "event next");
		x += used + 2;
	}
	if (x + (int32_t)cells_of(&counts) <= right)
		x += cr_grid_text(p->g, x, p->y, right - x, cr_text_view(&counts), look) + 2;
	put_query(s, p, right - x - MARK_CELLS, &query);
	if (query.len) {
		used = cr_grid_text(p->g, x, p->y, right - x, cr_text_view(&query),
			(struct cr_look){look.fg, look.bg, CR_ATTR_REVERSE | CR_ATTR_BOLD});
		cr_pane_zone(p, x, x + used, p->y, "filters");
		x += used + 2;
	}
	put_warnings(s, p, right - x, &warning);
	if (warning.len) {
		right -= (int32_t)cells_of(&warning);
		cr_grid_text(p->g, right, p->y, (int32_t)cells_of(&warning), cr_text_view(&warning),
			(struct cr_look){look.fg, look.bg, CR_ATTR_REVERSE | CR_ATTR_BOLD});
		cr_pane_zone(
			p, right, right + (int32_t)cells_of(&warning), p->y, "print recording");
		right -= 2;
	}
	if (facts.len && x + (int32_t)cells_of(&facts) <= right)
		cr_grid_text(p->g, x, p->y, right - x, cr_text_view(&facts), look);
	cr_text_fini(&view);
	cr_text_fini(&event);
	cr_text_fini(&events);
	cr_text_fini(&counts);
	cr_text_fini(&facts);
	cr_text_fini(&title);
	cr_text_fini(&warning);
	cr_text_fini(&query);
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

	if (!brief) {
		cr_text_grouped(out, found->n_frames);
		cr_text_puts(out, found->n_frames == 1 ? " function, " : " functions, ");
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
	NUMBER_ZOOM,
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

static void
numbers_make(struct cr_session *s, const struct cr_pane *p, struct numbers *n)
{
	const struct cr_view_costs c = cr_view_costs(s);

	for (int form = 0; form < 2; form++) {
		put_share(s, p, "total", c.total, c.whole, &n->text[NUMBER_TOTAL][form]);
		put_share(s, p, "self", c.self, c.whole, &n->text[NUMBER_SELF][form]);
		put_search(s, form == FORM_BRIEF, &n->text[NUMBER_SEARCH][form]);
	}
	if (cr_session_sides(s) == 1 && p->width >= COUNTS_WIDTH) {
		cr_text_puts(&n->text[NUMBER_TOTAL][FORM_FULL], "  ");
		cr_label_cost(&n->text[NUMBER_TOTAL][FORM_FULL], cr_session_tree(s), 0, c.total[0],
			c.samples[0]);
	}
	if (c.in_zoom && cr_session_sides(s) == 1)
		put_share(s, p, "of zoom", c.total, c.zoom, &n->text[NUMBER_ZOOM][FORM_FULL]);
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
		{NUMBER_ZOOM, FORM_NONE},
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
	cr_text_share(&t, c.total[side], c.whole[side]);
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

/* The whole cost, and what one may begin with. */
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
