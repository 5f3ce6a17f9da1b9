#include "view_functions_p.h"

#include "view_flame_p.h"

#include "session/commands/argument_p.h"
#include "session/print_p.h"
#include "session/session_p.h"

#include "base/hash.h"
#include "view/style/label.h"

#include <stdlib.h>
#include <string.h>

#define MATCHES " matches" /* in the text that undo restores */
#define ZOOM_CELLS 24      /* maximum width of the name of the zoom in the title */

/* ---- the rows */

const struct cr_functions *
cr_view_functions_rows(struct cr_session *s)
{
	struct cr_view *v = cr_view_of(s, &cr_view_functions);

	cr_view_make(v, s);
	return v->state;
}

/* The selected row; NULL if none. */
static const struct cr_table_row *
row_selected(const struct cr_view *v)
{
	const struct cr_functions *f = v->state;

	return f->made && v->row < v->n ? &f->table.rows[cr_function_rows_on(f, v->row)] : NULL;
}

/* ---- the surface */

/* With verdicts; of the cost that is judged, self or total. */
static const struct cr_sheet_column_head judged_heads[2][7] = {
	{{"BEFORE", "sort self", false}, {"AFTER", "sort self", false},
		{"CHANGE", "sort delta-self", false}, {"TOTAL +-", "sort delta-total", false},
		{"FUNCTION", "sort name", true}, {"DSO", "sort dso", true}, {0}},
	{{"BEFORE", "sort total", false}, {"AFTER", "sort total", false},
		{"CHANGE", "sort delta-total", false}, {"SELF +-", "sort delta-self", false},
		{"FUNCTION", "sort name", true}, {"DSO", "sort dso", true}, {0}},
};

static const struct cr_sheet_column_head heads[] = {
	{"SELF +-", "sort delta-self", false},
	{"TOTAL +-", "sort delta-total", false},
	{"SELF", "sort self", false},
	{"SAMPLES", "sort self", false},
	{"NOW", "sort self", false},
	{"TOTAL", "sort total", false},
	{"FUNCTION", "sort name", true},
	{"DSO", "sort dso", true},
	{0},
};

static const char *const sort_lines[CR_SORTS] = {
	[CR_SORT_SELF] = "sort self",
	[CR_SORT_TOTAL] = "sort total",
	[CR_SORT_NAME] = "sort name",
	[CR_SORT_DSO] = "sort dso",
	[CR_SORT_DELTA_SELF] = "sort delta-self",
	[CR_SORT_DELTA_TOTAL] = "sort delta-total",
};

static const struct cr_functions *
functions_of(const struct cr_sheet_surface *surface)
{
	return surface->view->state;
}

static void
functions_head(
	const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	(void)unicode;
	cr_sheet_lines_head(cr_function_rows_lines(functions_of(surface)), cells, out);
}

static void
functions_row(const struct cr_sheet_surface *surface, uint32_t row, uint32_t cells, bool unicode,
	struct cr_text *out)
{
	struct cr_functions *f = surface->view->state;

	f->sheet.sheet.ascii = f->verdicts.sheet.ascii = !unicode;
	cr_sheet_lines_row(cr_function_rows_lines(f), row, cells, out);
}

/* The change of a row that its colour shows. */
static int32_t
change_of(const struct cr_functions *f, uint32_t row)
{
	if (f->table.sides != 2)
		return 0;
	if (!f->judged || f->colors_noise)
		return cr_table_delta_self_ppm(&f->table, row);
	if (!cr_verdict_is_call(f->verdicts.verdicts[row].word))
		return 0;
	return f->verdicts.verdicts[row].delta > 0 ? INT32_MAX : INT32_MIN;
}

static void
functions_paint(
	const struct cr_sheet_surface *surface, uint32_t row, bool unicode, struct cr_paint *out)
{
	struct cr_functions *f = surface->view->state;

	f->sheet.sheet.ascii = f->verdicts.sheet.ascii = !unicode;
	cr_sheet_lines_paint(cr_function_rows_lines(f), row, out);
}

static struct cr_row_look
functions_look(const struct cr_sheet_surface *surface, uint32_t line)
{
	const struct cr_functions *f = functions_of(surface);
	const uint32_t row = cr_function_rows_on(f, line);

	return (struct cr_row_look){.hit = f->row_hit && f->row_hit[row],
		.change = change_of(f, row),
		.noise = f->judged && !f->colors_noise && !change_of(f, row)};
}

static const void *
functions_surface(struct cr_view *v, struct cr_session *s)
{
	struct cr_functions *f = v->state;
	const struct cr_function_sheet *t = &f->sheet;

	cr_function_rows_make(v, s);
	f->colors_noise = s->change.shown == CR_SHOWN_ALL;
	f->surface = (struct cr_sheet_surface){
		.empty = f->matches && s->pattern ? "no function here matches the search"
			 : f->judged ? "no function is known to have changed; z shows all"
				     : "no functions here",
		.heads = f->judged ? judged_heads[s->change.totals] : heads,
		.sorted = sort_lines[t->sort],
		.falls = t->reverse == (t->sort == CR_SORT_NAME || t->sort == CR_SORT_DSO),
		.view = v,
		.head = functions_head,
		.row = functions_row,
		.look = functions_look,
		/* Rows of a difference are coloured by their change. */
		.paint = s->sides == 1 ? functions_paint : NULL,
	};
	return &f->surface;
}

/* ---- the selection */

static bool
frame_in_row(const struct cr_session *s, uint32_t frame, uint32_t row)
{
	const struct cr_functions *f = cr_view_of(s, &cr_view_functions)->state;

	return f->table.frame_row[frame] == row;
}

/* Select the widest node of the row. */
static void
functions_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	const struct cr_functions *f = v->state;
	uint32_t widest;

	if (!v->n)
		return;
	v->row = CR_MIN(row, v->n - 1);
	widest = cr_session_widest(s, s->zoom, frame_in_row, cr_function_rows_on(f, v->row));
	if (widest != CR_NO_ROW)
		cr_session_select_node(s, widest);
}

static void
functions_selected(struct cr_view *v, const struct cr_session *s, unsigned parts)
{
	const struct cr_functions *f = v->state;
	const uint32_t row = f->made ? cr_function_rows_of_selection(f, s) : CR_NO_ROW;

	if ((parts & CR_SELECTED_NODE) && row != CR_NO_ROW)
		v->row = cr_function_rows_line(f, row);
}

static uint32_t
row_at(const struct cr_view *v, uint32_t line)
{
	const struct cr_functions *f = v->state;

	return line < v->n ? cr_function_rows_on(f, line) : CR_NO_ROW;
}

static void
functions_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	const uint32_t row = cr_view_row_after(v, to);

	/* At first the first row is shown as selected, though its function is not. */
	if (row != v->row ||
		cr_function_rows_of_node(v->state, s, s->selection.node) != row_at(v, row))
		functions_select_row(v, s, row);
}

/* Enter shows the function in the flame graph, everywhere it is called. */
static int
functions_open(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	int rc;

	if (!v->n)
		return CR_OK;
	if ((rc = cr_session_search_frame(s, cr_view_frame(s), err)) < 0)
		return rc;
	cr_function_rows_make(v, s);
	functions_select_row(v, s, v->row);
	cr_session_set_view(s, cr_view_of(s, &cr_view_flame));
	return CR_OK;
}

static uint32_t
functions_frame(const struct cr_view *v, const struct cr_session *s)
{
	const struct cr_functions *f = v->state;

	return row_selected(v) ? cr_table_frame(&f->table, cr_function_rows_on(f, v->row))
			       : s->tree->frame[s->selection.node];
}

static bool
functions_inlined(const struct cr_view *v, const struct cr_session *s)
{
	const struct cr_table_row *r = row_selected(v);

	return r ? r->inlined : s->tree->frames[s->tree->frame[s->selection.node]].inlined;
}

static bool
functions_costs(const struct cr_view *v, const struct cr_session *s, struct cr_view_costs *out)
{
	const struct cr_table_row *r = row_selected(v);

	for (uint32_t side = 0; r && side < s->sides; side++) {
		out->total[side] = r->cost[side].total;
		out->self[side] = r->cost[side].self;
		out->samples[side] = r->cost[side].total_samples;
	}
	out->in_zoom = s->zoom != 0;
	return r != NULL;
}

/* ---- matches */

static bool
functions_is_match(struct cr_view *v, struct cr_session *s)
{
	const struct cr_functions *f = v->state;

	cr_function_rows_make(v, s);
	return v->row < v->n && f->row_hit[cr_function_rows_on(f, v->row)];
}

static bool
functions_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	const struct cr_functions *f = v->state;

	cr_function_rows_make(v, s);
	for (uint32_t i = 1; i <= v->n; i++) {
		const uint32_t line = (backward ? v->row + v->n - i : v->row + i) % v->n;

		if (!f->row_hit[cr_function_rows_on(f, line)])
			continue;
		functions_select_row(v, s, line);
		return true;
	}
	return false;
}

/* The function with this name, else the next match. */
static void
functions_find_best(struct cr_view *v, struct cr_session *s)
{
	const uint32_t node = cr_session_node_searched(s);

	cr_function_rows_make(v, s);
	if (node != CR_NO_ROW && cr_function_rows_of_node(v->state, s, node) != CR_NO_ROW)
		functions_select_row(v, s,
			cr_function_rows_line(
				v->state, cr_function_rows_of_node(v->state, s, node)));
	else
		functions_find(v, s, false);
}

/* ---- texts */

static void
functions_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct cr_functions *f = v->state;

	if (f->matches && s->pattern)
		cr_text_puts(out, " that match");
	else if (f->judged)
		cr_verdict_put_called(
			s->change.totals ? &f->judged->of_total : &f->judged->of_self, out);
	if (!s->zoom)
		return;
	cr_text_puts(out, " in ");
	cr_label_fit(out, s->tree->frames[s->tree->frame[s->zoom]].name, ZOOM_CELLS);
}

/* What the verdicts rest on. */
static void
put_verdict_head(const struct cr_functions *f, const struct cr_session *s, struct cr_text *out)
{
	struct cr_text head = {0};

	cr_verdict_head(f->judged, s->change.totals, &head);
	for (const char *line = head.p; *line; line += strcspn(line, "\n"), line += *line == '\n')
		cr_text_printf(out, "# %.*s\n", (int)strcspn(line, "\n"), line);
	cr_text_fini(&head);
}

/* In a difference: the function, then its verdict instead of costs. */
static bool
functions_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	const struct cr_functions *f = v->state;
	const struct cr_table_value *function;

	cr_function_rows_make(v, s);
	if (!f->judged || v->row >= v->n)
		return false;
	function = cr_table_value(&f->table, cr_function_rows_on(f, v->row), CR_TABLE_FUNCTION);
	if (line == 0) {
		cr_text_safe(out, function->text);
		cr_text_puts(out, "   ");
		cr_text_safe(out, function->dso);
	} else {
		cr_text_puts(out, s->change.totals ? "total " : "self ");
		cr_verdict_put_line(&f->verdicts, cr_function_rows_on(f, v->row), out);
	}
	return true;
}

static void
functions_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_functions *f = v->state;
	const uint32_t cells = v->width > 0 ? (uint32_t)v->width : 0;

	cr_function_rows_make(v, s);
	cr_print_heading(s, out);
	if (f->judged)
		put_verdict_head(f, s, out);
	cr_sheet_lines_head(cr_function_rows_lines(f), cells, out);
	cr_text_char(out, '\n');
	for (uint32_t i = 0; i < v->n; i++) {
		cr_sheet_lines_row(cr_function_rows_lines(f), i, cells, out);
		cr_text_char(out, '\n');
	}
}

/*
 * State of a stack: no frame of the row; one without a caller; otherwise the caller's frame + MET +
 * 1.
 */
enum { UNMET, MET };

/* The caller of a node, only functions; CR_CALLERS_OUTERMOST if there is none. */
static uint32_t
caller_of(const struct cr_tree *t, uint32_t node, const uint8_t *above)
{
	do
		node = t->parent[node];
	while (!above[node] && cr_frame_is_group(&t->frames[t->frame[node]]));
	return above[node] ? CR_CALLERS_OUTERMOST : t->frame[node];
}

/* Callers of a row where it is outermost in a stack, so that each sample counts once. */
static void
find_callers(const struct cr_functions *f, const struct cr_session *s, uint32_t row,
	struct cr_callers *c)
{
	const struct cr_tree *t = s->tree;
	uint32_t *state = cr_alloc(t->end[s->zoom] - s->zoom, sizeof(*state));
	uint8_t *above = cr_tree_above(t);

	for (uint32_t n = s->zoom; n < t->end[s->zoom]; n++) {
		const bool in_row = f->table.frame_row[t->frame[n]] == row;
		uint32_t *now = &state[n - s->zoom], frame;

		*now = n == s->zoom ? UNMET : state[t->parent[n] - s->zoom];
		if (in_row && (t->leaves_first || *now == UNMET)) {
			frame = t->leaves_first ? CR_CALLERS_OUTERMOST : caller_of(t, n, above);
			*now = frame == CR_CALLERS_OUTERMOST ? MET : frame + MET + 1;
		} else if (*now == MET && t->leaves_first &&
			   !cr_frame_is_group(&t->frames[t->frame[n]])) {
			*now = t->frame[n] + MET + 1;
		}
		if (*now == UNMET)
			continue;
		frame = *now == MET ? CR_CALLERS_OUTERMOST : *now - MET - 1;
		/* Inlined or not. */
		if (frame != CR_CALLERS_OUTERMOST && f->table.frame_row[frame] != CR_NO_ROW)
			frame = cr_table_frame(&f->table, f->table.frame_row[frame]);
		cr_callers_add(c, frame, t->weight, n);
	}
	free(above);
	free(state);
}

static bool
functions_print_selected(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_functions *f = v->state;
	const struct cr_table_row *r;
	const uint64_t whole[CR_SIDES] = {
		cr_tree_whole(s->tree, 0), s->sides == 2 ? cr_tree_whole(s->tree, 1) : 0};
	uint64_t self[CR_SIDES] = {0}, total[CR_SIDES] = {0}, self_samples[CR_SIDES] = {0},
		 total_samples[CR_SIDES] = {0};
	struct cr_callers c;

	cr_function_rows_make(v, s);
	if (!(r = row_selected(v)))
		return false;
	for (uint32_t side = 0; side < f->table.sides; side++) {
		self[side] = r->cost[side].self;
		total[side] = r->cost[side].total;
		self_samples[side] = r->cost[side].self_samples;
		total_samples[side] = r->cost[side].total_samples;
	}
	cr_print_cost(s->tree, out, "total", total, total_samples, f->table.whole);
	cr_print_cost(s->tree, out, "self", self, self_samples, f->table.whole);
	if (cr_view_whole(s) == CR_WHOLE_ZOOM)
		cr_print_cost(s->tree, out, "of all", total, total_samples, whole);
	cr_callers_init(s, &c);
	find_callers(f, s, cr_function_rows_on(f, v->row), &c);
	cr_callers_put(&c, total, out);
	return true;
}

static const struct cr_sheet *
functions_table(struct cr_view *v, struct cr_session *s)
{
	struct cr_functions *f = v->state;

	cr_function_rows_make(v, s);
	return cr_function_rows_sheet(f);
}

/* ---- its commands */

static void
set_sort(struct cr_view *v, struct cr_session *s, enum cr_table_sort sort, bool reverse)
{
	struct cr_functions *f = v->state;
	const uint32_t row = v->row < v->n ? cr_function_rows_on(f, v->row) : 0;

	cr_function_rows_judge(f, s);
	cr_function_rows_sort(f, sort, reverse);
	v->row = cr_function_rows_line(f, row);
}

/* As the user has asked for: the cursor stays on the first line if it is there. */
static void
sort_anew(struct cr_session *s, enum cr_table_sort sort, bool reverse)
{
	struct cr_view *v = cr_view_of(s, &cr_view_functions);
	const bool is_first = v->row == 0;

	set_sort(v, s, sort, reverse);
	if (is_first && cr_function_rows_of_selection(v->state, s) != CR_NO_ROW)
		functions_select_row(v, s, 0);
	else if (is_first)
		v->row = 0;
}

static bool
sort_exists(const struct cr_session *s, enum cr_table_sort k)
{
	return s->sides == 2 || (k != CR_SORT_DELTA_SELF && k != CR_SORT_DELTA_TOTAL);
}

static int
run_sort(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_functions *f = cr_view_functions_rows(s);
	struct cr_text words = {0};
	const int step = strcmp(args, "previous") == 0 ? CR_SORTS - 1 : 1;
	int k = (int)f->sheet.sort, rc;

	(void)out;
	if (strcmp(args, "next") == 0 || strcmp(args, "previous") == 0) {
		do
			k = (k + step) % CR_SORTS;
		while (!sort_exists(s, (enum cr_table_sort)k));
		sort_anew(s, (enum cr_table_sort)k, false);
		return CR_OK;
	}
	for (k = 0; k < CR_SORTS; k++) {
		if (!sort_exists(s, (enum cr_table_sort)k))
			continue;
		if (cr_str_eq(cr_word_spelling(cr_str_of(args)),
			    cr_str_of(cr_table_sort_name((enum cr_table_sort)k)))) {
			sort_anew(s, (enum cr_table_sort)k, false);
			cr_text_fini(&words);
			return CR_OK;
		}
		cr_text_puts(&words, words.len ? ", " : "");
		cr_text_puts(&words, cr_table_sort_name((enum cr_table_sort)k));
	}
	rc = cr_argument_bad(err, "sort key", args, words.p);
	cr_text_fini(&words);
	return rc;
}

static const char *
sort_word_at(size_t i)
{
	return i < CR_SORTS ? cr_table_sort_name((enum cr_table_sort)i) : NULL;
}

static int
run_reverse(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_function_sheet *t = &cr_view_functions_rows(s)->sheet;

	(void)args, (void)out, (void)err;
	sort_anew(s, t->sort, !t->reverse);
	return CR_OK;
}

/* Show the functions that match, or all of them again. */
static int
run_matches(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_functions);
	struct cr_functions *f = v->state;
	const bool shown = cr_view_current(s) == v;

	(void)out;
	if (!*args)
		f->matches = !f->matches || !shown;
	else if (strcmp(args, "on") == 0 || strcmp(args, "off") == 0)
		f->matches = args[1] == 'n';
	else
		return cr_argument_bad(err, "matches", args, "on, off");
	if (f->matches && !s->pattern)
		cr_text_puts(&s->message, "nothing is searched for: all functions are listed");
	if (!*args)
		cr_session_set_view(s, v);
	return CR_OK;
}

/*
 * Undo restores the order, as "total" or "total reverse"; nothing for the default order. " matches"
 * follows if only those are shown.
 */
static void
functions_save(const struct cr_view *v, struct cr_text *out)
{
	const struct cr_functions *f = v->state;

	if (f->sheet.order &&
		(f->sheet.sort != cr_function_rows_sort_first(f) || f->sheet.reverse)) {
		cr_text_puts(out, cr_table_sort_name(f->sheet.sort));
		cr_text_puts(out, f->sheet.reverse ? " reverse" : "");
	}
	cr_text_puts(out, f->matches ? MATCHES : "");
}

static void
functions_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	struct cr_functions *f = v->state;
	const struct cr_str word = {text, (uint32_t)strcspn(text, " ")};
	const bool reverse = strncmp(text + word.len, " reverse", strlen(" reverse")) == 0;
	enum cr_table_sort sort = cr_function_rows_sort_first(f);

	f->matches = cr_str_ends(cr_str_of(text), MATCHES);
	if (!*text && !f->sheet.order)
		return;
	for (int k = 0; k < CR_SORTS; k++)
		if (cr_str_eq(word, cr_str_of(cr_table_sort_name((enum cr_table_sort)k))))
			sort = (enum cr_table_sort)k;
	if (!f->made && f->sheet.order) { /* rows_make() sorts them when they are shown */
		f->sheet.sort = sort;
		f->sheet.reverse = reverse;
		return;
	}
	cr_function_rows_make(v, s);
	if (sort != f->sheet.sort || reverse != f->sheet.reverse)
		set_sort(v, s, sort, reverse);
}

static const struct cr_command functions_commands[] = {
	{"sort", "next|previous|KEY", "sort the table by self, total, name, dso, or a difference",
		false, run_sort, sort_word_at},
	{"matches", "[on|off]", "list only the functions that match the search, with their costs",
		false, run_matches, NULL},
	{"reverse", "", "reverse the order of the table", false, run_reverse, NULL},
	{0},
};

static void
functions_put_commands(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_functions *f = v->state;
	struct cr_text saved = {0};

	(void)s;
	functions_save(v, &saved);
	if (saved.len && strcmp(saved.p, MATCHES) != 0)
		cr_text_printf(out, "sort %s%s", cr_table_sort_name(f->sheet.sort),
			f->sheet.reverse ? "; reverse" : "");
	if (f->matches)
		cr_text_printf(out, "%smatches on", out->len ? "; " : "");
	cr_text_fini(&saved);
}

/* ---- the view */

static const struct cr_binding functions_keys[] = {
	{"Functions", {'s'}, "sort next", "sort the table by the next column", "sort", false},
	{"Functions", {'S'}, "sort previous", "sort the table by the previous column", NULL, false},
	{"Functions", {'R'}, "reverse", "reverse the order", "reverse", false},
	{0},
};

const struct cr_view_ops cr_view_functions = {
	.name = "functions",
	.label = "Functions",
	.about = "the table of functions",
	.surface = CR_SURFACE_SHEET,
	.is_ahead = true,
	.takes_sketch = true,
	.state_bytes = sizeof(struct cr_functions),
	.keys = functions_keys,
	.commands = functions_commands,
	.make = cr_function_rows_make,
	.drop = cr_function_rows_drop,
	.fini = cr_function_rows_fini,
	.surface_of = functions_surface,
	.move = functions_move,
	.select_row = functions_select_row,
	.selected = functions_selected,
	.open = functions_open,
	.is_match = functions_is_match,
	.find = functions_find,
	.find_best = functions_find_best,
	.frame = functions_frame,
	.inlined = functions_inlined,
	.costs = functions_costs,
	.put_about = functions_put_about,
	.put_title = functions_put_title,
	.save = functions_save,
	.restore = functions_restore,
	.put_commands = functions_put_commands,
	.sheet = functions_table,
	.print = functions_print,
	.print_selected = functions_print_selected,
};
