#include "commands_p.h"

#include "session/commands/argument_p.h"
#include "session/history_p.h"
#include "session/session_p.h"
#include "session/steps_p.h"
#include "session/views/view.h"

#include "base/hash.h"

#include <string.h>

/* Commands that select, move and search. */

int
cr_run_select(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	uint32_t node;
	int rc;

	(void)out;
	if (!*args)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "select needs a number or a name");
	if ((rc = cr_argument_node(s, args, &node, err)) < 0)
		return rc;
	cr_session_select_node(s, node);
	return CR_OK;
}

int
cr_run_select_thread(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const char *slash = strchr(args, '/'), *rest;
	char *first = cr_memdup(args, slash ? (size_t)(slash - args) : 0);
	long pid = -1, tid = 0;
	int rc = CR_OK;

	(void)out;
	if (slash)
		rc = cr_argument_number(first, 0, INT32_MAX, &pid, &rest, err);
	if (rc == CR_OK)
		rc = cr_argument_number(slash ? slash + 1 : args, 0, INT32_MAX, &tid, &rest, err);
	if (rc == CR_OK)
		cr_session_select_thread(s, (int32_t)pid, (int32_t)tid);
	free(first);
	return rc;
}

int
cr_run_select_line(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const char *colon = strrchr(args, ':'), *rest;
	long line;
	int rc;

	(void)out;
	if (!colon || colon == args)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"select-line: '%s' is no line like parse.c:12", args);
	if ((rc = cr_argument_number(colon + 1, 1, INT32_MAX, &line, &rest, err)) == CR_OK)
		cr_session_select_line(
			s, (struct cr_str){args, (uint32_t)(colon - args)}, (uint32_t)line);
	return rc;
}

int
cr_run_mark(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_query q = {0};
	const struct cr_times *times;
	int rc;

	(void)out;
	if ((rc = cr_query_add(&q, CR_WORD_TIME, args, err)) == CR_OK) {
		times = &cr_query_filter(&q)->times;
		if (times->p[0].is_share)
			rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
				"mark: give times such as 3s..5s, not percentages");
		else
			cr_session_select_time(s, times->p[0].from, times->p[0].to);
	}
	cr_query_fini(&q);
	return rc;
}

/* The part of the selection with this name; 0 if none. */
static unsigned
part_named(const char *word)
{
	static const struct {
		const char *word;
		unsigned part;
	} words[] = {{"time", CR_SELECTED_TIME}, {"thread", CR_SELECTED_THREAD},
		{"line", CR_SELECTED_LINE}, {"dso", CR_SELECTED_DSO}};

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (strcmp(word, words[i].word) == 0)
			return words[i].part;
	return 0;
}

int
cr_run_unselect(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const unsigned part = part_named(args);

	(void)out;
	if (!part || part == CR_SELECTED_DSO)
		return cr_argument_bad(err, "part of the selection", args, "time, thread, line");
	cr_session_unselect(s, part);
	return CR_OK;
}

int
cr_run_only(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	unsigned part;

	(void)out;
	if ((part = part_named(args)) == 0 || part == CR_SELECTED_LINE)
		return cr_argument_bad(err, "part", args, "time, thread, dso");
	return cr_steps_only(s, part, err);
}

/* The visible sheet, otherwise the first one. */
static struct cr_view *
current_sheet(const struct cr_session *s)
{
	struct cr_view *v = cr_view_current(s);

	for (uint32_t i = 0; v->ops->surface != CR_SURFACE_SHEET; i++)
		v = &s->views[i];
	return v;
}

int
cr_run_row(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = current_sheet(s);
	const char *rest;
	long line;
	int rc;

	(void)out;
	cr_view_make(v, s);
	if (!v->n)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "the table is empty");
	if ((rc = cr_argument_number(args, 1, (long)v->n, &line, &rest, err)) < 0)
		return rc;
	v->ops->select_row(v, s, (uint32_t)(line - 1));
	return CR_OK;
}

/* ---- moves */

#define RUN_MOVE(handler, to)                                                          \
	int cr_run_##handler(                                                          \
		struct cr_session *s, const char *args, FILE *out, struct cr_err *err) \
	{                                                                              \
		struct cr_view *v = cr_view_current(s);                                \
                                                                                       \
		(void)args, (void)out, (void)err;                                      \
		v->ops->move(v, s, to);                                                \
		return CR_OK;                                                          \
	}

RUN_MOVE(up, CR_MOVE_UP)
RUN_MOVE(down, CR_MOVE_DOWN)
RUN_MOVE(left, CR_MOVE_LEFT)
RUN_MOVE(right, CR_MOVE_RIGHT)
RUN_MOVE(page_up, CR_MOVE_PAGE_UP)
RUN_MOVE(page_down, CR_MOVE_PAGE_DOWN)
RUN_MOVE(first, CR_MOVE_FIRST)
RUN_MOVE(last, CR_MOVE_LAST)
RUN_MOVE(top, CR_MOVE_TOP)
RUN_MOVE(bottom, CR_MOVE_BOTTOM)

int
cr_run_parent(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	cr_session_select_node(s, s->tree->parent[s->selection.node]);
	return CR_OK;
}

int
cr_run_child(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const int rc = cr_session_open_selected(s, err);

	(void)args, (void)out;
	if (rc < 0)
		return rc;
	/* Siblings are sorted by falling extent: the first child is the costliest. */
	if (s->selection.node + 1 < s->tree->end[s->selection.node])
		cr_session_select_node(s, s->selection.node + 1);
	return CR_OK;
}

/* ---- search */

static bool
find(struct cr_session *s, bool backward)
{
	struct cr_view *v = cr_view_current(s);

	return s->search.hit && v->ops->find(v, s, backward);
}

/* After a search: if the selection is no match, select the widest match. */
static void
select_match(struct cr_session *s)
{
	struct cr_view *v = cr_view_current(s);

	if (!s->search.hit || v->ops->is_match(v, s))
		return;
	if (v->ops->find_best)
		v->ops->find_best(v, s);
	else
		v->ops->find(v, s, false);
}

int
cr_run_search(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	int rc;

	(void)out;
	if ((rc = cr_session_set_search(s, args, false, err)) < 0)
		return rc;
	select_match(s);
	/* Some views find what they show, which need not be a function. */
	if (s->pattern && !s->search.n_nodes &&
		!cr_view_current(s)->ops->is_match(cr_view_current(s), s))
		cr_text_printf(&s->message, "nothing matches %s", args);
	return CR_OK;
}

int
cr_run_search_live(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_place *here = cr_history_here(s->history);

	(void)out;
	if (*args)
		return cr_session_set_search(s, args, false, err);
	return cr_session_set_search(s, here->pattern, here->literal, err);
}

int
cr_run_search_name(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	int rc;

	(void)out;
	if (!*args)
		return cr_session_search_frame(s, cr_view_frame(s), err);
	if ((rc = cr_session_set_search(s, args, true, err)) < 0)
		return rc;
	select_match(s);
	return CR_OK;
}

static int
run_match(struct cr_session *s, bool backward)
{
	if (!s->pattern)
		cr_text_puts(&s->message, "nothing was searched for yet");
	else if (find(s, backward))
		return CR_OK;
	else if (!s->search.n_nodes)
		cr_text_printf(&s->message, "nothing matches %s", s->pattern);
	else
		cr_text_puts(
			&s->message, "no match in the zoomed part; zoom out to reach the others");
	return CR_OK;
}

int
cr_run_next(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	return run_match(s, false);
}

int
cr_run_previous(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	return run_match(s, true);
}

int
cr_run_clear_search(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	return cr_session_set_search(s, NULL, false, err);
}
