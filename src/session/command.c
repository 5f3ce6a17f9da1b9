#include "session/session.h"

#include "argument_p.h"
#include "copied_p.h"
#include "export_p.h"
#include "history_p.h"
#include "print_p.h"
#include "profiles_p.h"
#include "script_p.h"
#include "session_p.h"
#include "split_layout_p.h"
#include "steps_p.h"

#include "base/hash.h"
#include "base/secure.h"
#include "base/work.h"
#include "model/profile.h"
#include "session/custom/custom_p.h"
#include "session/custom/settings_p.h"
#include "session/views/view.h"
#include "session/word_score.h"

#include <stdlib.h>
#include <string.h>

/* Larger screens would overflow the units of a scene. */
#define CELLS_MAX 10000
#define MACRO_DEPTH 16 /* of macros that run macros */

#define PANE_STEP 50 /* per mille of the screen */

/* Words from the table of views. */
#define VIEW(digit, name) #name ", "
static const char one_of_views[] =
#include "session/views/views.def"
	"next, previous";
static const char one_of_prints[] =
#include "session/views/views.def"
	"selected, recording, doctor";
#undef VIEW

/* The session selects events in its own way. */
#define EVENT_SELECTION(id, name, arg, about)
#define SELECTION(id, name, arg, about)                                                \
	static int run_word_##id(                                                      \
		struct cr_session *s, const char *args, FILE *out, struct cr_err *err) \
	{                                                                              \
		(void)out;                                                             \
		return cr_steps_add(s, CR_WORD_##id, args, err);                       \
	}
#define FOLDING SELECTION
#define TRANSFORM SELECTION
#define COMMAND(name, handler, args, rest, about) \
	static int run_##handler(                 \
		struct cr_session *s, const char *args_given, FILE *out, struct cr_err *err);
#include "commands.def"
#undef COMMAND

#define EVENT_SELECTION(id, name, arg, about)
#define SELECTION(id, name, arg, about) {name, arg, about, true, run_word_##id, NULL},
#define FOLDING SELECTION
#define TRANSFORM(id, name, arg, about) \
	{name, sizeof(arg) > 1 ? "[" arg "]" : "", about, true, run_word_##id, NULL},
#define COMMAND(name, handler, args, rest, about) {name, args, about, rest, run_##handler, NULL},
static const struct cr_command commands[] = {
#include "commands.def"
};
#undef COMMAND

static const struct cr_command *
command_in(const struct cr_command *table, size_t n, const char *name, size_t len)
{
	for (size_t i = 0; table && i < n && table[i].name; i++)
		if (strlen(table[i].name) == len && memcmp(table[i].name, name, len) == 0)
			return &table[i];
	return NULL;
}

/* The i-th of a view's own commands that no view before it has; *i counts down to it. */
static const struct cr_command *
own_command_at(uint32_t view, size_t *i)
{
	const struct cr_command *c = cr_view_ops_at(view)->commands;

	for (; c && c->name; c++) {
		bool is_new = true;

		for (uint32_t v = 0; v < view; v++)
			is_new &= !command_in(
				cr_view_ops_at(v)->commands, SIZE_MAX, c->name, strlen(c->name));
		if (is_new && (*i)-- == 0)
			return c;
	}
	return NULL;
}

const struct cr_command *
cr_command_at(size_t i)
{
	if (i < CR_LEN(commands))
		return &commands[i];
	i -= CR_LEN(commands);
	for (uint32_t view = 0; cr_view_ops_at(view); view++) {
		const struct cr_command *c = own_command_at(view, &i);

		if (c)
			return c;
	}
	return NULL;
}

/* Searched in the current view, the common ones, and other views. */
static const struct cr_command *
command_find(const struct cr_session *s, const char *name, size_t len)
{
	const struct cr_command *c =
		command_in(cr_view_current(s)->ops->commands, SIZE_MAX, name, len);

	if (!c)
		c = command_in(commands, CR_LEN(commands), name, len);
	for (uint32_t view = 0; !c && cr_view_ops_at(view); view++)
		c = command_in(cr_view_ops_at(view)->commands, SIZE_MAX, name, len);
	if (!c) {
		const enum cr_word word = cr_word_find((struct cr_str){name, (uint32_t)len});

		if (word != CR_WORDS) /* an old spelling */
			c = command_in(commands, CR_LEN(commands), cr_word_info(word)->name,
				strlen(cr_word_info(word)->name));
	}
	return c;
}

/* ---- views and zoom */

static bool
is_called(const struct cr_view_ops *view, const char *word)
{
	return strcmp(word, view->name) == 0 || (view->alias && strcmp(word, view->alias) == 0);
}

/* The view with this name; NULL if none. */
static struct cr_view *
view_named(const struct cr_session *s, const char *name)
{
	for (uint32_t i = 0; cr_view_ops_at(i); i++)
		if (is_called(cr_view_ops_at(i), name))
			return &s->views[i];
	return NULL;
}

static int
run_view(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = view_named(s, args);
	uint32_t n = 0;

	(void)out;
	while (cr_view_ops_at(n))
		n++;
	if (strcmp(args, "next") == 0)
		v = &s->views[(s->view + 1) % n];
	else if (strcmp(args, "previous") == 0)
		v = &s->views[(s->view + n - 1) % n];
	if (!v)
		return cr_argument_bad(err, "view", args, one_of_views);
	cr_session_set_view(s, v);
	return CR_OK;
}

static int
run_zoom(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	uint32_t node = s->selection.node;
	int rc;

	(void)out;
	if (*args && (rc = cr_argument_node(s, args, &node, err)) < 0)
		return rc;
	cr_session_set_zoom(s, node);
	cr_session_select_node(s, node);
	return CR_OK;
}

static int
run_open(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_current(s);
	struct cr_text line = {0};
	int rc = CR_OK;

	if (*args)
		return cr_session_open(s, args, NULL, err);
	if (!v->ops->put_open)
		return v->ops->open(v, s, err);
	v->ops->put_open(v, s, &line);
	if (line.len)
		rc = cr_session_run(s, line.p, out, err);
	cr_text_fini(&line);
	return rc;
}

static int
run_out(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	cr_session_zoom_out(s);
	return CR_OK;
}

static int
run_reset(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	cr_session_set_zoom(s, 0);
	return CR_OK;
}

/* ---- selection */

static int
run_select(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

static int
run_select_thread(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

static int
run_select_line(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

static int
run_mark(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

static int
run_unselect(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const unsigned part = part_named(args);

	(void)out;
	if (!part || part == CR_SELECTED_DSO)
		return cr_argument_bad(err, "part of the selection", args, "time, thread, line");
	cr_session_unselect(s, part);
	return CR_OK;
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

static int
run_row(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

#define RUN_MOVE(handler, to)                                                          \
	static int run_##handler(                                                      \
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

static int
run_parent(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	cr_session_select_node(s, s->tree->parent[s->selection.node]);
	return CR_OK;
}

static int
run_child(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	/* Siblings are sorted by falling extent: the first child is the costliest. */
	if (s->selection.node + 1 < s->tree->end[s->selection.node])
		cr_session_select_node(s, s->selection.node + 1);
	return CR_OK;
}

static int
run_scroll(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const char *rest;
	long lines;
	int rc;

	(void)out;
	if ((rc = cr_argument_number(args, -1000000, 1000000, &lines, &rest, err)) < 0)
		return rc;
	cr_view_scroll(cr_view_current(s), s, (int32_t)lines);
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

static int
run_search(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

static int
run_search_live(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_place *here = cr_history_here(s->history);

	(void)out;
	if (*args)
		return cr_session_set_search(s, args, false, err);
	return cr_session_set_search(s, here->pattern, here->literal, err);
}

static int
run_search_name(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

static int
run_next(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	return run_match(s, false);
}

static int
run_previous(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	return run_match(s, true);
}

static int
run_clear_search(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	return cr_session_set_search(s, NULL, false, err);
}

/* ---- panes */

static int
run_split(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	static const struct {
		const char *word;
		enum cr_split_how how;
	} ways[] = {{"beside", CR_SPLIT_BESIDE}, {"below", CR_SPLIT_BELOW}, {"none", CR_SPLIT_NONE},
		{"auto", CR_SPLIT_AUTO}};
	const bool had_two = cr_split_other(s) != NULL;

	(void)out;
	for (size_t i = 0; i < CR_LEN(ways); i++) {
		if (strcmp(args, ways[i].word) != 0)
			continue;
		s->split.how = ways[i].how;
		cr_split_apply(s);
		if (!had_two && !cr_split_other(s) && i < 2)
			cr_text_puts(&s->message, "there is no room for two panes");
		return CR_OK;
	}
	return cr_argument_bad(err, "split", args, "beside, below, none, auto");
}

/* Give the pane with the keys more of the screen, or less if per_mille is negative. */
static void
widen(struct cr_session *s, int32_t per_mille)
{
	cr_split_share(s, cr_split_share_now(s) + (s->split.second ? -per_mille : per_mille));
}

/* "62" or "62.5" percent. */
static int
argument_percent(const char *args, int32_t *per_mille, struct cr_err *err)
{
	const size_t whole = strspn(args, "0123456789");
	const char *end = args + whole;

	*per_mille = whole <= 3 ? (int32_t)strtol(args, NULL, 10) * 10 : INT32_MAX;
	if (end[0] == '.' && end[1] >= '0' && end[1] <= '9' && *per_mille < 1000) {
		*per_mille += end[1] - '0';
		end += 2;
	}
	if (!whole || *end || *per_mille > 1000)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"pane: '%s' is no percentage from 0 to 100", args);
	return CR_OK;
}

static int
run_pane(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *other = cr_split_other(s);
	int32_t per_mille = 0;
	int rc = CR_OK;

	if (strcmp(args, "next") == 0 && !other)
		return run_view(s, "next", out, err);
	if (!other)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "there is only one pane; see split");
	if (strcmp(args, "next") == 0)
		cr_session_set_view(s, other);
	else if (strcmp(args, "even") == 0)
		cr_split_share(s, 500);
	else if (strcmp(args, "wider") == 0)
		widen(s, PANE_STEP);
	else if (strcmp(args, "narrower") == 0)
		widen(s, -PANE_STEP);
	else if (*args < '0' || *args > '9')
		rc = cr_argument_bad(
			err, "pane", args, "next, even, wider, narrower, a percentage");
	else if ((rc = argument_percent(args, &per_mille, err)) == CR_OK)
		cr_split_share(s, per_mille);
	return rc;
}

/* ---- presentation */

static int
run_root(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	if (strcmp(args, "up") == 0)
		s->root_up = true;
	else if (strcmp(args, "down") == 0)
		s->root_up = false;
	else if (strcmp(args, "toggle") == 0)
		s->root_up = !s->root_up;
	else
		return cr_argument_bad(err, "root", args, "up, down, toggle");
	return CR_OK;
}

/* ---- the query */

static int
run_pop(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	return cr_steps_keep(s, s->query.n ? s->query.n - 1 : 0, err);
}

static int
run_clear(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const enum cr_word word = cr_word_find(cr_str_of(args));

	(void)out;
	if (!*args)
		return cr_steps_keep(s, 0, err);
	if (word == CR_WORDS || word == CR_WORD_EVENT)
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "clear: no filter is called '%s'", args);
	return cr_steps_remove(s, word, err);
}

static int
run_only(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	unsigned part;

	(void)out;
	if ((part = part_named(args)) == 0 || part == CR_SELECTED_LINE)
		return cr_argument_bad(err, "part", args, "time, thread, dso");
	return cr_steps_only(s, part, err);
}

static int
run_filters(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_text t = {0};

	(void)args, (void)err;
	if (!out)
		return CR_OK;
	cr_steps_print(s, &t);
	fprintf(out, "%s\n", t.p ? t.p : "");
	cr_text_fini(&t);
	return CR_OK;
}

/* Fail with the list of events that have samples. */
static int
bad_event(const struct cr_profile *p, const char *given, struct cr_err *err)
{
	struct cr_text t = {0};
	int rc;

	for (uint32_t i = 0; i < p->n_events; i++) {
		cr_text_puts(&t, i ? ", " : "");
		cr_text_safe(&t, p->events[i].name);
	}
	rc = cr_argument_bad(err, "event", given, t.p ? t.p : "none");
	if (*given)
		rc = err->code = CR_ENOTFOUND; /* another profile may have it */
	cr_text_fini(&t);
	return rc;
}

/* True if the event can be compared with one of the other side, or there is only one side. */
static bool
has_partner(const struct cr_session *s, uint32_t event)
{
	struct cr_err unused = CR_ERR_INIT;
	cr_event_id partner;

	return s->sides == 1 || cr_diff_partner(s->profile[1], &s->profile[0]->events[event],
					s->diff.force, &partner, &unused) == CR_OK;
}

static int
run_event(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_profile *p = s->profile[0];
	const uint32_t step = strcmp(args, "previous") == 0 ? p->n_events - 1 : 1;

	(void)out;
	if (cr_state_is_within(s)) {
		cr_text_puts(&s->message, "this difference has no other events");
		return CR_OK;
	}
	if (strcmp(args, "next") != 0 && strcmp(args, "previous") != 0) {
		for (uint32_t i = 0; i < p->n_events; i++)
			if (cr_str_eq(p->events[i].name, cr_str_of(args)))
				return i == s->event ? CR_OK
						     : cr_session_set_query(s, i, &s->query, err);
		return bad_event(p, args, err);
	}
	for (uint32_t i = (s->event + step) % p->n_events; i != s->event;
		i = (i + step) % p->n_events)
		if (p->events[i].samples && has_partner(s, i))
			return cr_session_set_query(s, i, &s->query, err);
	cr_text_puts(&s->message, "there is no other event");
	return CR_OK;
}

static int
run_palette(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_text words = {0};
	int rc;

	(void)out;
	if (strcmp(args, "next") == 0) {
		s->palette = (s->palette + 1) % CR_PALETTES;
		cr_text_printf(&s->message, "colours by %s", cr_palette_name(s->palette));
		return CR_OK;
	}
	for (int p = 0; p < CR_PALETTES; p++) {
		if (cr_str_eq(cr_word_spelling(cr_str_of(args)),
			    cr_str_of(cr_palette_name((enum cr_palette)p)))) {
			s->palette = (enum cr_palette)p;
			cr_text_fini(&words);
			return CR_OK;
		}
		cr_text_printf(&words, "%s%s", p ? ", " : "", cr_palette_name((enum cr_palette)p));
	}
	rc = cr_argument_bad(err, "palette", args, words.p);
	cr_text_fini(&words);
	return rc;
}

/* ---- history */

static int
run_history(struct cr_session *s, bool forward, struct cr_err *err)
{
	const struct cr_place *to;
	int rc;

	to = cr_history_peek(s->history, forward);
	if (!to && cr_session_turn(s, forward))
		return CR_OK;
	if (!to) {
		cr_text_printf(&s->message, "nothing to %s", forward ? "redo" : "undo");
		return CR_OK;
	}
	if ((rc = cr_session_go(s, to, err)) < 0)
		return rc;
	cr_history_moved(s->history, forward);
	return CR_OK;
}

static int
run_undo(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	return run_history(s, false, err);
}

static int
run_redo(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	return run_history(s, true, err);
}

/* ---- output */

static int
run_export(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_export(s, args, true, err);
}

static int
run_export_new(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_export(s, args, false, err);
}

static int
run_copy(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	return cr_copied_make(s, args, out, err);
}

static int
run_print(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = view_named(s, args);
	const bool selected = strcmp(args, "selected") == 0;
	const bool doctor = strcmp(args, "doctor") == 0;
	struct cr_text t = {0};

	if (!v && !selected && !doctor && strcmp(args, "recording") != 0)
		return cr_argument_bad(err, "print", args, one_of_prints);
	if (!out)
		return CR_OK;
	if (v)
		v->ops->print(v, s, &t);
	else if (selected)
		cr_print_selected(s, &t);
	else if (doctor)
		cr_print_doctor(s, &t);
	else
		cr_print_recording(s, &t);
	fwrite(t.p, 1, t.len, out);
	cr_text_fini(&t);
	return CR_OK;
}

/* Print the script of the session, or write it to a new file. */
static int
run_history_script(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_err why = CR_ERR_INIT;
	struct cr_text t = {0};
	char *path;
	int rc = CR_OK;

	cr_text_puts(&t, "");
	if (!cr_script_put(s->script, &t))
		rc = cr_fail(err, CR_EUNSUPPORTED, CR_NO_OFFSET,
			"history: too many commands were run to be kept");
	else if (*args && (rc = cr_secure_check("history", err)) == CR_OK) {
		path = cr_export_path(args);
		if ((rc = cr_export_check_new(path, args, err)) == CR_OK &&
			(rc = cr_export_text(path, &t, &why)) < 0)
			cr_fail(err, rc, why.offset, "%s: %s", args, why.text);
		free(path);
		if (rc == CR_OK)
			cr_text_printf(&s->message, "written: %s", args);
	} else if (rc == CR_OK && out)
		fputs(t.p, out);
	cr_text_fini(&t);
	return rc;
}

static int
run_scroll_other(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_split_other(s);
	const char *rest;
	long lines;
	int rc;

	(void)out;
	if ((rc = cr_argument_number(args, -1000000, 1000000, &lines, &rest, err)) < 0)
		return rc;
	if (v)
		cr_view_scroll(v, s, (int32_t)lines);
	return CR_OK;
}

static int
run_set(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	return cr_settings_set(s, args, out, err);
}

static int
run_bind(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_settings_bind(s, args, err);
}

static int
run_macro(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_settings_macro(s, args, err);
}

static int
run_mouse(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	if (strcmp(args, "on") != 0 && strcmp(args, "off") != 0 && strcmp(args, "toggle") != 0)
		return cr_argument_bad(err, "mouse", args, "on, off, toggle");
	s->mouse_off = strcmp(args, "toggle") == 0 ? !s->mouse_off : strcmp(args, "off") == 0;
	cr_text_puts(&s->message, s->mouse_off ? "the mouse is the terminal's: it selects text"
					       : "the mouse is the browser's");
	return CR_OK;
}

static int
run_size(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const char *rest;
	long width, height;
	int rc;

	(void)out;
	if ((rc = cr_argument_number(args, 1, CELLS_MAX, &width, &rest, err)) < 0 ||
		(rc = cr_argument_number(
			 rest + strspn(rest, " "), 1, CELLS_MAX, &height, &rest, err)) < 0)
		return rc;
	cr_split_resize(s, (int32_t)width, (int32_t)height);
	return CR_OK;
}

static void
put_command(const struct cr_command *c, FILE *out)
{
	int used;

	if (!out)
		return;
	used = fprintf(out, "%s %s", c->name, c->args);
	fprintf(out, "%*s%s\n", used < 36 ? 36 - used : 2, "", c->about);
}

/* The commands that fit a topic with this score; how many. */
static uint32_t
put_commands(const char *topic, uint32_t score, FILE *out)
{
	uint32_t n = 0;

	for (size_t i = 0; cr_command_at(i); i++) {
		const struct cr_command *c = cr_command_at(i);

		if (*topic && cr_word_score(topic, c->name, c->about) != score)
			continue;
		put_command(c, out);
		n++;
	}
	return n;
}

static uint32_t
topic_next(const char *topic, uint32_t from)
{
	uint32_t next = CR_WORD_NO_MATCH;

	for (size_t i = 0; cr_command_at(i); i++) {
		const uint32_t score =
			cr_word_score(topic, cr_command_at(i)->name, cr_command_at(i)->about);

		if (score >= from)
			next = CR_MIN(next, score);
	}
	return next;
}

/* All commands, or those about a topic, the closest first. Guesses only where there is no other. */
static int
run_help(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	uint32_t n = 0;

	(void)s;
	if (!*args)
		n = put_commands(args, 0, out);
	for (uint32_t score = topic_next(args, 0);
		*args && score != CR_WORD_NO_MATCH && (!n || score < CR_WORD_GUESS);
		score = topic_next(args, score + 1))
		n += put_commands(args, score, out);
	if (!n)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "help: nothing about '%s'", args);
	return CR_OK;
}

static int
run_quit(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	s->quit = true;
	return CR_OK;
}

/* ---- lines */

static bool
is_own(const struct cr_view *v, const struct cr_command *c)
{
	return command_in(v->ops->commands, SIZE_MAX, c->name, strlen(c->name)) == c;
}

static int
command_run(struct cr_session *s, const struct cr_command *c, const char *args, FILE *out,
	struct cr_err *err)
{
	const struct cr_view *v = cr_view_current(s), before = *v;
	const struct {
		uint32_t zoom, selected;
		bool root_up;
	} was = {s->zoom, s->selection.node, s->root_up};
	const struct cr_tree *tree = s->tree;
	struct cr_view *other;
	bool moved;
	int rc;

	cr_text_clear(&s->message);
	if (!*c->args && *args)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s takes no argument", c->name);
	if ((rc = c->run(s, args, out, err)) < 0)
		return rc;
	if (c->run != run_search_live)
		cr_history_note(s->history, s);
	/* Scrolling may hide the selection; moving it, or what is around it, may not. */
	moved = tree != s->tree || was.zoom != s->zoom || was.selected != s->selection.node ||
		was.root_up != s->root_up;
	if (moved || v != cr_view_current(s) || before.row != v->row || before.width != v->width ||
		before.height != v->height || is_own(v, c))
		cr_view_follow(cr_view_current(s), s, was.zoom != s->zoom);
	if (moved && (other = cr_split_other(s)))
		cr_view_follow(other, s, was.zoom != s->zoom);
	return CR_OK;
}

/* Does a backslash stand before the character, one that is not escaped itself? */
static bool
is_escaped(const char *args, size_t at)
{
	size_t n = 0;

	while (n < at && args[at - 1 - n] == '\\')
		n++;
	return n % 2;
}

/*
 * Length of the arguments: up to a ';'. A pattern may contain one, so it ends only at a ';' that is
 * followed by a blank or the end and not preceded by '\\'.
 */
static size_t
args_len(const struct cr_command *c, const char *args)
{
	size_t n = strcspn(args, ";");

	if (c->run == run_bind || c->run == run_macro) /* their argument is a line of commands */
		return strlen(args);
	while (c->rest_is_one && args[n] && (is_escaped(args, n) || !strchr(" \t\n", args[n + 1])))
		n += 1 + strcspn(args + n + 1, ";");
	return n;
}

/* The same for a word of a query, whose argument may be quoted. */
static int
word_step(struct cr_session *s, const struct cr_command *c, const char *line, const char **rest,
	FILE *out, struct cr_err *err)
{
	struct cr_text arg = {0};
	enum cr_word word;
	int rc;

	if ((rc = cr_query_next(line, &word, &arg, rest, err)) == CR_OK)
		rc = command_run(s, c, arg.p, out, err);
	cr_text_fini(&arg);
	return rc;
}

/* Commands that change nothing on the screen, or that are in the script by other means. */
static bool
is_recorded(const struct cr_command *c)
{
	static int (*const others[])(struct cr_session * s, const char *args, FILE *out,
		struct cr_err *err) = {run_search_live, run_filters, run_export, run_export_new,
		run_copy, run_print, run_size, run_help, run_history_script, run_quit, run_bind,
		run_macro, run_mouse};

	for (size_t i = 0; i < CR_LEN(others); i++)
		if (c->run == others[i])
			return false;
	return true;
}

/* An undo that has nothing to undo is not a step of a script, which may begin later. */
static bool
is_idle(const struct cr_session *s, const struct cr_command *c)
{
	const bool forward = c->run == run_redo;

	return (forward || c->run == run_undo) && !cr_history_peek(s->history, forward) &&
	       !(forward ? s->later : s->earlier);
}

/* Run the command c that line begins with; *rest is set to the text after its ';'. */
static int
step_run(struct cr_session *s, const struct cr_command *c, const char *line, const char **rest,
	FILE *out, struct cr_err *err)
{
	const size_t name_len = strcspn(line, " \t;");
	const char *args = line + name_len + strspn(line + name_len, " \t");
	size_t len;
	char *copy;
	int rc;

	if (cr_word_find(cr_str_of(c->name)) != CR_WORDS)
		return word_step(s, c, line, rest, out, err);
	len = args_len(c, args);
	*rest = args + len + (args[len] == ';');
	/* Trailing blanks may be part of a pattern. */
	while (!c->rest_is_one && len && strchr(" \t", args[len - 1]))
		len--;
	copy = cr_memdup(args, len);
	rc = command_run(s, c, copy, out, err);
	free(copy);
	return rc;
}

/* A macro has no arguments. What it runs is recorded, not its name. */
static int
macro_run(struct cr_session *s, const char *macro, const char *args, const char **rest, FILE *out,
	struct cr_err *err)
{
	char *copy;
	int rc;

	args += strspn(args, " \t");
	if (*args && *args != ';')
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "a macro takes no argument");
	*rest = args + (*args == ';');
	if (s->macro_depth == MACRO_DEPTH)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "macros run each other without end");
	copy = cr_strdup(macro); /* it may define itself anew */
	s->macro_depth++;
	s->depth--;
	rc = cr_session_run(s, copy, out, err);
	s->depth++;
	s->macro_depth--;
	free(copy);
	return rc;
}

/* The same for any line, and what it changes is recorded. */
static int
line_step(struct cr_session *s, const char *line, const char **rest, FILE *out, struct cr_err *err)
{
	const size_t name_len = strcspn(line, " \t;");
	const struct cr_command *c = command_find(s, line, name_len);
	const char *macro = c ? NULL : cr_custom_find(s->custom, CR_CUSTOM_MACRO, line, name_len);
	bool record;
	int rc;

	if (macro)
		return macro_run(s, macro, line + name_len, rest, out, err);
	if (!c)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "no command '%.*s'",
			(int)CR_MIN(name_len, 40u), line);
	record = s->depth == 1 && is_recorded(c) && !is_idle(s, c);
	if ((rc = step_run(s, c, line, rest, out, err)) == CR_OK && record)
		cr_script_add(s->script,
			(struct cr_str){line,
				(uint32_t)(*rest - line) - (*rest > line && (*rest)[-1] == ';')});
	return rc;
}

int
cr_session_run(struct cr_session *s, const char *line, FILE *out, struct cr_err *err)
{
	int rc = CR_OK;

	s->depth++;
	while (rc == CR_OK && !s->quit) {
		line += strspn(line, " \t\n;");
		if (!*line)
			break;
		if ((rc = cr_work_check(err)) == CR_OK)
			rc = line_step(s, line, &line, out, err);
	}
	s->depth--;
	/* What failed on the way may have failed for being stopped. */
	if (rc < 0 && cr_work_stopped())
		rc = cr_fail(err, CR_ECANCEL, CR_NO_OFFSET, "stopped; the view has not changed");
	if (rc < 0) {
		cr_text_clear(&s->message);
		cr_text_safe(&s->message, cr_str_of(err->text));
	}
	return rc;
}
