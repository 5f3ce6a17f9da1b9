#include "tui/panes/pane_p.h"

#include "base/utf8.h"
#include "model/profile.h"
#include "session/profiles.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <string.h>

/* Warn if more than this share of samples has no name: half a percent. */
#define UNRESOLVED_PPM 5000

#define QUERY_LEAST 8 /* in cells; a shorter piece of a query is useless */

/* Cells between two fields. */
#define GAP 2
/* Cells for the warning mark and the gap before it. */
#define MARK_CELLS (1 + GAP)

static uint32_t
cells_of(const struct cr_text *t)
{
	return t->len ? cr_utf8_cells(cr_text_view(t)) : 0;
}

/* ---- what the fields print */

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
			cr_text_safe(&next, pr->quality[i].what);
			cr_text_puts(&next, ": ");
			cr_text_grouped(&next, pr->quality[i++].count);
		}
		if (!next.len)
			continue;
		if ((int32_t)(cells_of(out) + cells_of(&next) + 2) > room) {
			/* Show at least that there are warnings. */
			if (!out->len && room > 0)
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
put_steps(const struct cr_session *s, size_t from, const char *cut, struct cr_text *out)
{
	if (from)
		cr_text_printf(out, "%s; ", cut);
	cr_session_put_steps(s, from, out);
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
		put_steps(s, from, cut, &steps);
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

/* ---- drawing */

/* The line while it is drawn: cells from x up to right, without it, are free. */
struct bar {
	struct cr_session *s;
	const struct cr_pane *p;
	int32_t x, right;
	int32_t kept; /* cells at the right end that only the warnings may use */
	const char *arrow;
};

static const struct cr_look look_bold = {
	CR_COLOR_DEFAULT, CR_COLOR_DEFAULT, CR_ATTR_REVERSE | CR_ATTR_BOLD};

/* Free cells for a field that is not a warning. */
static int32_t
room_of(const struct bar *b)
{
	return CR_MAX(b->right - b->kept - b->x, 0);
}

/* Draw a field at the left end, and make it run a line when clicked; nothing if it does not fit. */
static void
put_left(struct bar *b, const struct cr_text *field, struct cr_look look, const char *line)
{
	const int32_t cells = (int32_t)cells_of(field);

	if (!cells || cells > room_of(b))
		return;
	cr_grid_text(b->p->g, b->x, b->p->y, cells, cr_text_view(field), look);
	if (line)
		cr_pane_zone(b->p, b->x, b->x + cells, b->p->y, line);
	b->x += cells + GAP;
}

/* The same at the right end. */
static void
put_right(struct bar *b, const struct cr_text *field, struct cr_look look, const char *line)
{
	const int32_t cells = (int32_t)cells_of(field);

	if (!cells)
		return;
	b->right -= cells;
	cr_grid_text(b->p->g, b->right, b->p->y, cells, cr_text_view(field), look);
	cr_pane_zone(b->p, b->right, b->right + cells, b->p->y, line);
	b->right -= GAP;
}

/* The name of the view. With several panes each pane has a heading of its own. */
static void
draw_view(struct bar *b)
{
	struct cr_text view = {0};

	if (cr_split_layout(b->s).n == 1)
		cr_pane_put_view(cr_view_current(b->s), b->s, &view);
	if (view.len && (int32_t)cells_of(&view) + 1 < b->p->width - b->p->width / 3)
		put_right(b, &view, CR_LOOK_REVERSE, "view next");
	else
		b->right--;
	cr_text_fini(&view);
}

/* Title, event and samples. The title is shortened if they do not all fit. */
static void
draw_profile(struct bar *b)
{
	struct cr_text title = {0}, event = {0}, counts = {0}, events = {0};
	int32_t used;

	if (!cr_session_is_empty(b->s)) {
		cr_label_event(&events, cr_session_tree(b->s), b->arrow);
		cr_label_fit(&event, cr_text_view(&events), (uint32_t)CR_MAX(b->p->width / 4, 4));
		cr_session_put_norm(b->s, &event);
		if (has_other_events(b->s))
			cr_text_puts(&event, cr_pane_mark(b->p, " \xe2\x96\xbe", " v"));
		cr_label_costs(&counts, cr_session_tree(b->s), b->arrow);
	}
	used = (int32_t)(cells_of(&event) + cells_of(&counts)) + 2 * GAP;
	put_titles(b->s, b->p,
		(uint32_t)CR_MIN(CR_MAX(room_of(b) - used, b->p->width / 4), room_of(b)), &title);
	put_left(b, &title, look_bold, NULL);
	put_left(b, &event, CR_LOOK_REVERSE, "event next");
	put_left(b, &counts, CR_LOOK_REVERSE, NULL);
	cr_text_fini(&title);
	cr_text_fini(&event);
	cr_text_fini(&events);
	cr_text_fini(&counts);
}

void
cr_title_bar_draw(struct cr_session *s, const struct cr_pane *p)
{
	struct bar b = {.s = s,
		.p = p,
		.x = p->x + 1,
		.right = p->x + p->width - 1,
		.arrow = cr_pane_mark(p, " \xe2\x86\x92 ", " > ")};
	struct cr_text warnings = {0}, query = {0}, facts = {0};

	cr_grid_fill(p->g, p->x, p->y, p->width, 1, ' ', CR_LOOK_REVERSE);
	put_warnings(s, p, 1, &warnings);
	b.kept = warnings.len ? MARK_CELLS : 0;
	cr_text_clear(&warnings);
	draw_view(&b);
	draw_profile(&b);
	put_query(s, p, room_of(&b), &query);
	put_left(&b, &query, look_bold, "filters");
	put_warnings(s, p, b.right - b.x, &warnings);
	put_right(&b, &warnings, look_bold, "print recording");
	b.kept = 0;
	put_facts(s, &facts);
	put_left(&b, &facts, CR_LOOK_REVERSE, NULL);
	cr_text_fini(&warnings);
	cr_text_fini(&query);
	cr_text_fini(&facts);
}
