#include "session/views/rows/threads_list_p.h"
#include "sheet_view_p.h"
#include "view_around_p.h"
#include "view_flame_p.h"
#include "view_samples_p.h"

#include "session/commands/argument_p.h"
#include "session/print_p.h"
#include "session/session_p.h"
#include "session/steps_p.h"

#include "base/hash.h"
#include "query/lang/pattern.h"
#include "view/sheet/verdict_sheet.h"
#include "view/style/chart.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Threads, processes or comms: what each costs, when it ran, and what it waited in where the
 * recording knows. A row is opened for the functions that it ran most and waited in most.
 */
extern const struct cr_view_ops cr_view_threads;

#define TITLE_CELLS 24 /* of the second profile of a difference, in the title */

static const char *const sort_names[CR_THREADS_SORTS] = {
	"share", "waiting", "waits", "longest", "first", "name", "pid", "tid"};

/* ---- the lines */

/* The selected line; NULL where there is none. */
static const struct cr_threads_line *
line_selected(const struct cr_view *v)
{
	const struct cr_threads_list *w = v->state;

	return w->made && v->row < w->shown.n ? &w->shown.p[v->row] : NULL;
}

/* The rows stay: they are of samples, and cr_threads_list_make() knows which. */
static void
threads_drop(struct cr_view *v, unsigned changed)
{
	(void)v, (void)changed;
}

/* ---- the selection */

static void
threads_selected(struct cr_view *v, const struct cr_session *s, unsigned parts)
{
	struct cr_threads_list *w = v->state;
	const struct cr_threads_line *line = line_selected(v);

	if (!(parts & CR_SELECTED_THREAD) || !line || line->function != CR_NO_ROW)
		return;
	if (w->by != CR_THREAD_BY_THREAD || w->t->rows[line->row].tid != s->selection.tid)
		v->row = cr_threads_list_selected(w, s);
}

/* A row selects its thread; a function below it, the function. */
static void
threads_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	struct cr_threads_list *w = v->state;
	const struct cr_thread_row *r;
	const struct cr_threads_line *line;

	cr_threads_list_make(v, s);
	if (!v->n)
		return;
	v->row = CR_MIN(row, v->n - 1);
	line = &w->shown.p[v->row];
	r = &w->t->rows[line->row];
	if (line->function != CR_NO_ROW)
		cr_session_select_function(
			s, w->functions[line->off].p[line->function].name, CR_STR(""));
	else if (w->by != CR_THREAD_BY_COMM)
		cr_session_select_thread(s, r->pid, r->tid);
	v->row = CR_MIN(row, v->n - 1);
}

static int
functions_make(struct cr_threads_list *w, struct cr_session *s, uint32_t row, struct cr_err *err)
{
	const struct cr_thread_rows *rows = w->is_diff ? &w->diff.side[1] : &w->one;
	const uint32_t at = w->is_diff ? w->diff.pairs[row].row[1] : row;
	struct cr_query q;
	int rc;

	for (int off = 0; off < 2; off++)
		cr_thread_functions_fini(&w->functions[off]);
	if (at == CR_NO_ROW) /* gone */
		return CR_OK;
	if ((rc = cr_view_query(s, &q, err)) < 0)
		return rc;
	rc = cr_view_fetch(s, CR_NEEDS_NODE | CR_NEEDS_TREE, err);
	for (int off = 0; off < 1 + w->t->has_reasons && rc == CR_OK; off++)
		rc = cr_thread_functions_make(
			cr_view_profile(s), &q, rows, at, off, &w->functions[off], err);
	cr_query_fini(&q);
	return rc;
}

/* Open a row, or close the one that is open, and stay on the row. */
static void
set_open(struct cr_view *v, struct cr_session *s, bool open)
{
	struct cr_threads_list *w = v->state;
	const uint32_t row = w->shown.p[v->row].row;
	struct cr_err err = CR_ERR_INIT;

	w->open = open ? row : CR_NO_ROW;
	if (open && functions_make(w, s, row, &err) < 0)
		w->open = CR_NO_ROW;
	cr_threads_list_show(v, s);
	for (uint32_t i = 0; i < v->n; i++)
		if (w->shown.p[i].row == row && w->shown.p[i].function == CR_NO_ROW)
			v->row = i;
}

static void
threads_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	const struct cr_threads_list *w = v->state;
	uint32_t row;

	cr_threads_list_make(v, s);
	if (!v->n)
		return;
	row = cr_view_row_after(v, to);
	if (to == CR_MOVE_RIGHT && w->shown.p[v->row].row == w->open)
		row = CR_MIN(v->row + 1, v->n - 1);
	else if (to == CR_MOVE_RIGHT || to == CR_MOVE_LEFT)
		set_open(v, s, to == CR_MOVE_RIGHT);
	if (row != v->row && (to != CR_MOVE_LEFT && row < v->n))
		threads_select_row(v, s, row);
}

/*
 * Only the samples of this row: of a thread, a process or a comm. Numbers are not the same in two
 * recordings, so there it is the comm.
 */
static int
only_row(struct cr_session *s, const struct cr_threads_list *w, const struct cr_thread_row *r,
	struct cr_err *err)
{
	const bool by_comm = w->by == CR_THREAD_BY_COMM || (w->is_diff && !s->by_time);
	char *comm = cr_memdup(r->comm.len ? r->comm.p : "", r->comm.len);
	struct cr_text arg = {0};
	int rc;

	cr_text_printf(&arg, "%" PRId32, w->by == CR_THREAD_BY_PROCESS ? r->pid : r->tid);
	if (by_comm)
		rc = cr_steps_add(s, CR_WORD_COMM, comm, err);
	else if (w->by == CR_THREAD_BY_PROCESS)
		rc = cr_steps_add(s, CR_WORD_PID, arg.p, err);
	else
		rc = cr_steps_only(s, CR_SELECTED_THREAD, err);
	cr_text_fini(&arg);
	free(comm);
	return rc;
}

/* Enter shows the flame graph of the row; of a function, what is around it. */
static int
threads_open(struct cr_view *v, struct cr_session *s, struct cr_err *err)
{
	const struct cr_threads_list *w = v->state;
	const struct cr_threads_line *line;
	int rc;

	cr_threads_list_make(v, s);
	if (!(line = line_selected(v)))
		return CR_OK;
	threads_select_row(v, s, v->row);
	if (line->function != CR_NO_ROW) {
		cr_session_set_view(s, cr_view_of(s, &cr_view_around));
		return CR_OK;
	}
	if (!w->t->rows[line->row].samples)
		return cr_fail(err, CR_EEMPTY, CR_NO_OFFSET,
			"it was never on the CPU: event off-cpu shows where it waited");
	if ((rc = only_row(s, w, &w->t->rows[line->row], err)) == CR_OK)
		cr_session_set_view(s, cr_view_of(s, &cr_view_flame));
	return rc;
}

/* ---- matches: names of threads */

static bool
row_matches(const struct cr_session *s, const struct cr_thread_row *r)
{
	struct cr_pattern *pattern;
	struct cr_err err = CR_ERR_INIT;
	bool hit;

	if (!s->pattern)
		return false;
	if (s->literal)
		return cr_str_eq(r->comm, cr_str_of(s->pattern)) ||
		       cr_str_eq(r->waits_in, cr_str_of(s->pattern));
	if (cr_pattern_new(s->pattern, &pattern, &err) < 0)
		return false;
	hit = cr_pattern_match(pattern, r->comm) ||
	      (r->waits_in.len && cr_pattern_match(pattern, r->waits_in));
	cr_pattern_free(pattern);
	return hit;
}

static bool
threads_is_match(struct cr_view *v, struct cr_session *s)
{
	const struct cr_threads_list *w = v->state;

	cr_threads_list_make(v, s);
	return line_selected(v) && row_matches(s, &w->t->rows[line_selected(v)->row]);
}

static bool
threads_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	const struct cr_threads_list *w = v->state;

	cr_threads_list_make(v, s);
	for (uint32_t i = 1; i <= v->n; i++) {
		const uint32_t at = (backward ? v->row + v->n - i : v->row + i) % v->n;
		const struct cr_threads_line *line = &w->shown.p[at];

		if (line->function != CR_NO_ROW || !row_matches(s, &w->t->rows[line->row]))
			continue;
		threads_select_row(v, s, at);
		return true;
	}
	return false;
}

/* The next row of a difference that has changed, in the order of the lines. */
static bool
threads_next_change(
	struct cr_view *v, struct cr_session *s, bool backward, uint32_t *place, uint32_t *of)
{
	const struct cr_threads_list *w = v->state;
	uint32_t at = CR_NO_ROW;

	cr_threads_list_make(v, s);
	*place = *of = 0;
	for (uint32_t i = 0; i < v->n && w->is_diff; i++)
		*of += w->shown.p[i].function == CR_NO_ROW &&
		       cr_threads_list_has_changed(w, w->shown.p[i].row);
	for (uint32_t i = 1; i <= v->n && *of && at == CR_NO_ROW; i++) {
		const uint32_t line = (backward ? v->row + v->n - i : v->row + i) % v->n;

		if (w->shown.p[line].function == CR_NO_ROW &&
			cr_threads_list_has_changed(w, w->shown.p[line].row))
			at = line;
	}
	if (at == CR_NO_ROW)
		return false;
	threads_select_row(v, s, at);
	for (uint32_t i = 0; i <= at; i++)
		*place += w->shown.p[i].function == CR_NO_ROW &&
			  cr_threads_list_has_changed(w, w->shown.p[i].row);
	return true;
}

/* ---- the surface */

static const struct cr_sheet_column_head heads[] = {
	{"SHARE", "sort share", false},
	{"CHANGE", "sort share", false},
	{"SAMPLES", "sort share", false},
	{"OFF CPU", "sort waiting", false},
	{"WAITS", "sort waits", false},
	{"LONGEST", "sort longest", false},
	{"PID", "sort pid", false},
	{"TID", "sort tid", false},
	{"FROM", "sort first", false},
	{"THREADS", "sort share", false},
	{"THREAD", "sort name", true},
	{"PROCESS", "sort name", true},
	{"COMM", "sort name", true},
	{0},
};

static const char *const sort_lines[CR_THREADS_SORTS] = {"sort share", "sort waiting", "sort waits",
	"sort longest", "sort first", "sort name", "sort pid", "sort tid"};

static void
threads_head(
	const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	struct cr_threads_list *w = surface->view->state;

	w->ascii = !unicode;
	cr_thread_lines_head(&w->lines, cells, out);
}

static void
threads_paint(
	const struct cr_sheet_surface *surface, uint32_t row, bool unicode, struct cr_paint *out)
{
	const struct cr_threads_list *w = surface->view->state;
	const struct cr_threads_line *line = &w->shown.p[row];
	const struct cr_thread_functions *f = &w->functions[line->off];
	const char *mark = unicode ? "\xe2\x96\xb8 " : "+ ";

	if (line->row == w->open)
		mark = unicode ? "\xe2\x96\xbe " : "- ";
	if (line->function == CR_NO_ROW)
		cr_thread_lines_put(&w->lines, line->row, mark, unicode, out);
	else
		cr_thread_lines_put_function(&w->lines, line->off ? "waits in " : "runs ",
			&f->p[line->function], f->whole, line->off ? CR_STR("ns") : w->t->unit,
			out);
}

static struct cr_row_look
threads_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	const struct cr_threads_list *w = surface->view->state;
	const struct cr_threads_line *line = &w->shown.p[row];

	struct cr_row_look look = {
		.hit = line->function == CR_NO_ROW && row_matches(w->s, &w->t->rows[line->row])};

	if (w->is_diff && line->function == CR_NO_ROW) {
		look.change = w->change[line->row].shown;
		look.noise = w->diff.verdicts && !look.change;
	}
	return look;
}

static const void *
threads_surface(struct cr_view *v, struct cr_session *s)
{
	struct cr_threads_list *w = v->state;

	cr_threads_list_make(v, s);
	w->s = s;
	w->surface = (struct cr_sheet_surface){
		.empty = w->why    ? w->why
			 : w->t->n ? "no thread is known to have changed; z shows all"
				   : "no samples here",
		.heads = heads,
		.sorted = sort_lines[w->sort],
		.falls = w->reverse == (w->sort >= CR_THREADS_FIRST),
		.view = v,
		.head = threads_head,
		.paint = threads_paint,
		.look = threads_look,
	};
	return &w->surface;
}

/* ---- texts */

static void
threads_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct cr_threads_list *w = v->state;

	if (w->is_diff && w->diff.verdicts) {
		cr_verdict_put_called(&w->diff.summary, out);
	} else if (s->sides == 2 && !w->is_diff && *s->title[1]) {
		cr_text_puts(out, " of ");
		cr_label_fit(out, cr_str_of(s->title[1]), TITLE_CELLS);
	}
	if (w->by != CR_THREAD_BY_THREAD)
		cr_text_printf(out, " by %s", cr_thread_by_name(w->by));
}

/* A difference compares one event: waits are those of another. */
static void
put_waits(const struct cr_threads_list *w, const struct cr_session *s, struct cr_text *out)
{
	if (!w->diff.side[0].has_off && !w->diff.side[1].has_off)
		cr_text_puts(out, "   waits are not recorded (! says how)");
	else if (cr_str_eq(s->profile[0]->events[s->event].name, CR_STR("off-cpu")))
		cr_text_puts(out, "   shares are of the time off the CPU");
	else
		cr_text_puts(out, "   waits: event off-cpu");
}

static bool
threads_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	const struct cr_threads_list *w = v->state;
	const struct cr_threads_line *at = line_selected(v);

	if (!at)
		return false;
	if (w->is_diff && w->diff.verdicts && line == 1) {
		cr_text_puts(out, "total ");
		cr_verdict_put_shares(&w->diff.verdicts[at->row], !w->ascii, out);
	} else {
		cr_thread_lines_about(&w->lines, at->row, (uint32_t)line, out);
	}
	if (w->is_diff && line == 1)
		put_waits(w, s, out);
	return true;
}

static void
threads_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	cr_print_heading(s, out);
	cr_sheet_view_print(threads_surface(v, s), out);
}

static bool
threads_print_selected(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	cr_threads_list_make(v, s);
	if (!line_selected(v))
		return false;
	for (int line = 0; line < 2; line++) {
		threads_put_about(v, s, line, out);
		cr_text_char(out, '\n');
	}
	return true;
}

/* NULL if there are no threads. */
static const struct cr_sheet *
threads_sheet(struct cr_view *v, struct cr_session *s)
{
	struct cr_threads_list *w = v->state;

	cr_threads_list_make(v, s);
	if (w->why)
		return NULL;
	if (w->is_diff)
		cr_thread_table_init_diff(&w->diff, w->order, &w->table);
	else
		cr_thread_table_init(w->t, w->order, w->by, &w->table);
	return &w->table.sheet;
}

/* A thread, or a function below it. */
static bool
threads_put_name(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct cr_threads_list *w = v->state;
	const struct cr_threads_line *line;

	cr_threads_list_make(v, s);
	if (!(line = line_selected(v)))
		return false;
	cr_text_safe(out, line->function == CR_NO_ROW
				  ? w->t->rows[line->row].comm
				  : w->functions[line->off].p[line->function].name);
	return true;
}

/* What undo restores. */
static void
threads_save(const struct cr_view *v, struct cr_text *out)
{
	const struct cr_threads_list *w = v->state;

	cr_text_printf(out, "%d %d %d", (int)w->by, (int)w->sort, (int)w->reverse);
}

static void
threads_restore(struct cr_view *v, struct cr_session *s, const char *text)
{
	struct cr_threads_list *w = v->state;
	int by = 0, sort = 0, reverse = 0;

	(void)s;
	if (sscanf(text, "%d %d %d", &by, &sort, &reverse) != 3)
		return;
	w->made &= (int)w->by == by && (int)w->sort == sort && (int)w->reverse == reverse;
	w->by = (enum cr_thread_by)by;
	w->sort = (enum cr_threads_sort)sort;
	w->reverse = reverse;
}

/* ---- its commands */

/* Sort the rows anew; the selected line stays selected. */
static void
set_sort(struct cr_view *v, struct cr_session *s, enum cr_threads_sort sort, bool reverse)
{
	struct cr_threads_list *w = v->state;
	struct cr_threads_line at = {CR_NO_ROW, CR_NO_ROW, false};

	cr_threads_list_make(v, s);
	if (line_selected(v))
		at = *line_selected(v);
	w->sort = sort;
	w->reverse = reverse;
	cr_threads_list_show(v, s);
	for (uint32_t i = 0; i < v->n; i++)
		if (w->shown.p[i].row == at.row && w->shown.p[i].function == at.function &&
			w->shown.p[i].off == at.off)
			v->row = i;
}

/* As the user has asked for: the cursor stays on the first line if it is there. */
static void
sort_anew(struct cr_session *s, enum cr_threads_sort sort, bool reverse)
{
	struct cr_view *v = cr_view_of(s, &cr_view_threads);
	const bool is_first = v->row == 0;

	set_sort(v, s, sort, reverse);
	if (is_first && (s->selection.parts & CR_SELECTED_THREAD))
		threads_select_row(v, s, 0);
	else if (is_first)
		v->row = 0;
}

/* True if the pane has the column that this sorts by. */
static bool
sort_is_shown(const struct cr_view *v, enum cr_threads_sort sort)
{
	const struct cr_threads_list *w = v->state;
	struct cr_text head = {0};
	bool shown = false;

	cr_thread_lines_head(&w->lines, v->width > 0 ? (uint32_t)v->width : 0, &head);
	for (const struct cr_sheet_column_head *h = heads; h->word && !shown; h++)
		shown = strcmp(h->line, sort_lines[sort]) == 0 && strstr(head.p, h->word);
	cr_text_fini(&head);
	return shown;
}

static int
run_sort(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_threads);
	const struct cr_threads_list *w = v->state;
	const int step = strcmp(args, "previous") == 0 ? CR_THREADS_SORTS - 1 : 1,
		  now = (int)w->sort;
	struct cr_text words = {0};
	int k = now, rc;

	(void)out;
	cr_threads_list_make(v, s);
	if (strcmp(args, "next") == 0 || strcmp(args, "previous") == 0) {
		do
			k = (k + step) % CR_THREADS_SORTS;
		while (k != now && !sort_is_shown(v, (enum cr_threads_sort)k));
		sort_anew(s, (enum cr_threads_sort)k, false);
		cr_text_printf(&s->message, "sorted by %s", sort_names[k]);
		return CR_OK;
	}
	for (k = 0; k < CR_THREADS_SORTS; k++) {
		if (strcmp(args, sort_names[k]) == 0) {
			sort_anew(s, (enum cr_threads_sort)k, false);
			cr_text_fini(&words);
			return CR_OK;
		}
		cr_text_printf(&words, "%s%s", k ? ", " : "", sort_names[k]);
	}
	rc = cr_argument_bad(err, "sort key", args, words.p);
	cr_text_fini(&words);
	return rc;
}

static const char *
sort_word_at(size_t i)
{
	return i < CR_THREADS_SORTS ? sort_names[i] : NULL;
}

static int
run_reverse(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_threads_list *w = cr_view_of(s, &cr_view_threads)->state;

	(void)args, (void)out, (void)err;
	sort_anew(s, w->sort, !w->reverse);
	return CR_OK;
}

static int
run_by(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_of(s, &cr_view_threads);
	struct cr_threads_list *w = v->state;
	int by = strcmp(args, "next") == 0 ? ((int)w->by + 1) % CR_THREAD_BYS : 0;

	(void)out;
	while (strcmp(args, "next") != 0 && by < CR_THREAD_BYS &&
		strcmp(args, cr_thread_by_name((enum cr_thread_by)by)) != 0)
		by++;
	if (by == CR_THREAD_BYS)
		return cr_argument_bad(err, "kind of row", args, "thread, process, comm, next");
	w->by = (enum cr_thread_by)by;
	w->made = false;
	cr_threads_list_make(v, s);
	return CR_OK;
}

static const struct cr_command threads_commands[] = {
	{"sort", "next|previous|KEY", "sort the rows by share, time off the CPU, name ...", false,
		run_sort, sort_word_at},
	{"reverse", "", "reverse the order of the rows", false, run_reverse, NULL},
	{"threads-by", "thread|process|comm|next",
		"one row for each thread, each process, or each comm", false, run_by, NULL},
	{0},
};

/* ---- the view */

static const struct cr_binding threads_keys[] = {
	{"Threads", {CR_KEY_ENTER}, "open",
		"show only this thread, in every view; on a function: what is around it", "only",
		false},
	{"Threads", {CR_KEY_RIGHT, 'l'}, "right",
		"open the row: the functions that it ran and waited in most", NULL, false},
	{"Threads", {CR_KEY_LEFT, 'h'}, "left", "close the row", NULL, false},
	{"Threads", {'b'}, "threads-by next", "a row for each process, each comm, each thread",
		"by", false},
	{"Threads", {'s'}, "sort next", "sort by the next column", "sort", false},
	{"Threads", {'S'}, "sort previous", "sort by the previous column", NULL, false},
	{"Threads", {'R'}, "reverse", "reverse the order", NULL, false},
	{0},
};

const struct cr_view_ops cr_view_threads = {
	.name = "threads",
	.label = "Threads",
	.about = "threads and processes, and what they wait for",
	.takes_sketch = true,
	.surface = CR_SURFACE_SHEET,
	.is_ahead = true,
	.ignores_zoom = true,
	.state_bytes = sizeof(struct cr_threads_list),
	.keys = threads_keys,
	.commands = threads_commands,
	.make = cr_threads_list_make,
	.drop = threads_drop,
	.fini = cr_threads_list_fini,
	.surface_of = threads_surface,
	.move = threads_move,
	.select_row = threads_select_row,
	.selected = threads_selected,
	.open = threads_open,
	.is_match = threads_is_match,
	.find = threads_find,
	.next_change = threads_next_change,
	.put_title = threads_put_title,
	.put_about = threads_put_about,
	.save = threads_save,
	.restore = threads_restore,
	.put_name = threads_put_name,
	.sheet = threads_sheet,
	.print = threads_print,
	.print_selected = threads_print_selected,
};
