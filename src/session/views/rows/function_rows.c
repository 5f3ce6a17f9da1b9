#include "function_rows_p.h"

#include "session/changes_p.h"
#include "session/session_p.h"
#include "session/trees_p.h"

#include "base/hash.h"
#include "query/table/sums/wide_table.h"

#include <stdlib.h>

const struct cr_sheet *
cr_function_rows_sheet(const struct cr_functions *f)
{
	return f->judged ? &f->verdicts.sheet : &f->sheet.sheet;
}

const struct cr_sheet_lines *
cr_function_rows_lines(const struct cr_functions *f)
{
	return f->judged ? &f->verdicts.lines : &f->sheet.lines;
}

/* The row of the table that is shown on a line. */
uint32_t
cr_function_rows_on(const struct cr_functions *f, uint32_t line)
{
	return f->judged ? f->verdicts.order[line] : f->sheet.order[line];
}

/* The line of this row of the table. */
uint32_t
cr_function_rows_line(const struct cr_functions *f, uint32_t row)
{
	for (uint32_t i = 0; i < cr_function_rows_sheet(f)->n_rows; i++)
		if (cr_function_rows_on(f, i) == row)
			return i;
	return 0;
}

uint32_t
cr_function_rows_of_node(const struct cr_functions *f, const struct cr_session *s, uint32_t node)
{
	return f->table.frame_row[s->tree->frame[node]];
}

/*
 * The row of the selected function; CR_NO_ROW if none is selected. A zoom selects its own function,
 * which would hide the hottest functions of the zoom: it costs little itself.
 */
uint32_t
cr_function_rows_of_selection(const struct cr_functions *f, const struct cr_session *s)
{
	const uint32_t node = s->selection.node;

	return node == s->zoom ? CR_NO_ROW : cr_function_rows_of_node(f, s, node);
}

/* A difference is sorted by change at first. */
enum cr_table_sort
cr_function_rows_sort_first(const struct cr_functions *f)
{
	return f->table.sides == 2 ? CR_SORT_DELTA_SELF : CR_SORT_SELF;
}

/* With verdicts the first order is another one: what is called changed comes first. */
void
cr_function_rows_sort(struct cr_functions *f, enum cr_table_sort sort, bool reverse)
{
	if (f->judged && sort == cr_function_rows_sort_first(f) && !reverse) {
		f->sheet.sort = sort;
		f->sheet.reverse = false;
	} else {
		cr_function_sheet_sort(&f->sheet, sort, reverse);
		if (f->judged)
			cr_verdict_sheet_set_order(
				&f->verdicts, f->sheet.order, f->sheet.sheet.n_rows);
	}
	if (f->judged && f->sheet.kept)
		cr_verdict_sheet_keep(&f->verdicts, f->sheet.kept);
}

static void
judged_drop(struct cr_functions *f)
{
	if (f->judged)
		cr_verdict_sheet_fini(&f->verdicts);
	f->judged = NULL;
}

/* The verdicts are about the whole tree, so a part of it has none. */
void
cr_function_rows_judge(struct cr_functions *f, struct cr_session *s)
{
	const struct cr_table *same; /* as f->table, which is of the whole tree too */

	judged_drop(f);
	if (s->sides == 2 && !s->zoom)
		f->judged = cr_changes_judged(s, &same);
	if (!f->judged)
		return;
	cr_verdict_sheet_init(
		s->tree, &f->table, f->judged, s->change.totals, true, "FUNCTION", &f->verdicts);
	if (s->change.shown == CR_SHOWN_ONLY)
		cr_verdict_sheet_only_called(&f->verdicts);
}

/* Exchange the table and the one that was shown before. */
static void
table_swap(struct cr_functions *f)
{
	const struct cr_table table = f->table;
	const uint64_t tree = f->tree;
	const uint32_t zoom = f->zoom;

	f->table = f->before.table;
	f->tree = f->before.tree;
	f->zoom = f->before.zoom;
	f->before.table = table;
	f->before.tree = tree;
	f->before.zoom = zoom;
}

/* Sketches of the same stacks have the same table, but not the same numbers of nodes. */
static uint64_t
tree_number(const struct cr_session *s)
{
	return s->tree->is_wide && !s->zoom ? cr_trees_wide(s->trees)->number : s->tree->number;
}

static bool
table_is_of(const struct cr_functions *f, const struct cr_session *s)
{
	return f->tree && f->tree == tree_number(s) && f->zoom == s->zoom;
}

/* The table of the zoomed stacks of the tree, or the one before if it is of these. */
static void
table_find(struct cr_functions *f, const struct cr_session *s)
{
	/* Groups have no rows. In a sketch of groups the zoom is in a complete group. */
	const struct cr_tree *t =
		s->tree->is_sketch && !s->zoom ? cr_trees_plain(s->trees) : s->tree;

	if (table_is_of(f, s))
		return;
	table_swap(f);
	if (table_is_of(f, s))
		return;
	cr_table_fini(&f->table);
	if (s->tree->is_wide)
		cr_table_make_wide(cr_trees_wide(s->trees), s->tree, s->zoom,
			cr_table_by(CR_TABLE_FUNCTION), &f->table);
	else
		cr_table_make(NULL, t, s->zoom, cr_table_by(CR_TABLE_FUNCTION), &f->table);
	f->tree = tree_number(s);
	f->zoom = s->zoom;
}

/*
 * The table of the zoomed stacks. That of the whole tree of a difference is there already, as the
 * verdicts are about its rows.
 */
static void
table_make(struct cr_functions *f, struct cr_session *s)
{
	const struct cr_table *same;

	if (f->borrows_table) {
		f->table = (struct cr_table){0};
		f->tree = 0;
	}
	f->borrows_table = s->sides == 2 && !s->zoom;
	if (f->borrows_table) {
		cr_changes_judged(s, &same);
		cr_table_fini(&f->table);
		f->table = *same;
	} else {
		table_find(f, s);
		for (uint32_t side = 0; side < s->sides; side++)
			f->table.whole[side] = cr_view_whole(s) == CR_WHOLE_ZOOM && s->zoom
						       ? s->tree->total[side][s->zoom]
						       : cr_tree_whole(s->tree, side);
	}
}

static void
rows_make(struct cr_view *v, struct cr_functions *f, struct cr_session *s)
{
	static const char *const names[CR_WHOLES] = {[CR_WHOLE_ALL] = "FUNCTION",
		[CR_WHOLE_ZOOM] = "FUNCTION, % OF ZOOM",
		[CR_WHOLE_NO_ZOOM] = "FUNCTION, % OF ALL"};
	const enum cr_table_sort sort = f->sheet.sort;
	const bool reverse = f->sheet.reverse, first = !f->sheet.order;
	uint32_t row;

	cr_function_sheet_fini(&f->sheet);
	table_make(f, s);
	cr_function_sheet_init(s->tree, &f->table, names[cr_view_whole(s)], &f->sheet);
	cr_function_rows_judge(f, s);
	if (!first || s->sides == 2)
		cr_function_rows_sort(f, first ? cr_function_rows_sort_first(f) : sort, reverse);
	row = cr_function_rows_of_selection(f, s);
	v->n = cr_function_rows_sheet(f)->n_rows;
	v->row = row == CR_NO_ROW ? 0 : cr_function_rows_line(f, row);
	f->made = f->is_kept = true;
}

static void
hits_drop(struct cr_functions *f)
{
	f->is_kept &= !f->sheet.kept;
	f->sheet.kept = NULL;
	free(f->row_hit);
	f->row_hit = NULL;
}

/*
 * A row has several frames if a name is inlined in one place and called in another, or is in
 * several files.
 */
static void
hits_make(struct cr_functions *f, const struct cr_session *s)
{
	f->row_hit = cr_alloc(CR_MAX(f->table.n, 1u), 1);
	for (uint32_t i = 0; i < s->tree->n_frames; i++)
		if (s->search.hit[i] && f->table.frame_row[i] != CR_NO_ROW)
			f->row_hit[f->table.frame_row[i]] = 1;
}

/* Show matches only, or all rows, as the user has chosen. */
static void
rows_keep(struct cr_view *v, struct cr_functions *f, struct cr_session *s)
{
	const uint8_t *rows = f->matches ? f->row_hit : NULL;
	uint32_t row;

	if (f->is_kept && rows == f->sheet.kept)
		return;
	f->is_kept = true;
	cr_function_sheet_keep(&f->sheet, rows);
	if (f->judged) {
		cr_function_rows_judge(f, s);
		cr_function_rows_sort(f, f->sheet.sort, f->sheet.reverse);
	}
	row = cr_function_rows_of_selection(f, s);
	v->n = cr_function_rows_sheet(f)->n_rows;
	v->row = row == CR_NO_ROW ? 0 : cr_function_rows_line(f, row);
}

void
cr_function_rows_make(struct cr_view *v, struct cr_session *s)
{
	struct cr_functions *f = v->state;

	if (!f->made) {
		rows_make(v, f, s);
		hits_drop(f);
	}
	if (s->search.hit && !f->row_hit)
		hits_make(f, s);
	rows_keep(v, f, s);
}

void
cr_function_rows_drop(struct cr_view *v, unsigned changed)
{
	struct cr_functions *f = v->state;

	if (changed & (CR_CHANGED_TREE | CR_CHANGED_ZOOM | CR_CHANGED_CHANGES))
		f->made = false;
	if (changed & CR_CHANGED_SEARCH)
		hits_drop(f);
}

void
cr_function_rows_fini(struct cr_view *v)
{
	struct cr_functions *f = v->state;

	hits_drop(f);
	judged_drop(f);
	cr_function_sheet_fini(&f->sheet);
	if (!f->borrows_table)
		cr_table_fini(&f->table);
	cr_table_fini(&f->before.table);
}
