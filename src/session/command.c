#include "session/session.h"

#include "argument_p.h"
#include "export_p.h"
#include "history_p.h"
#include "move_p.h"
#include "print_p.h"
#include "state_p.h"
#include "steps_p.h"

#include "base/hash.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

/* Cells of a screen nobody has: wider ones would overflow the units of a scene. */
#define CELLS_MAX 10000

/* The session has its own way to choose an event. */
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
#define SELECTION(id, name, arg, about) {name, arg, about, true, run_word_##id},
#define FOLDING SELECTION
#define TRANSFORM(id, name, arg, about) \
	{name, sizeof(arg) > 1 ? "[" arg "]" : "", about, true, run_word_##id},
#define COMMAND(name, handler, args, rest, about) {name, args, about, rest, run_##handler},
static const struct cr_command commands[] = {
#include "commands.def"
};
#undef COMMAND

const struct cr_command *
cr_command_at(size_t i)
{
	return i < CR_LEN(commands) ? &commands[i] : NULL;
}

/* ---- views and zoom */

static int
run_view(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	if (strcmp(args, "next") == 0) {
		cr_session_set_view(s, (s->view + 1) % CR_VIEWS);
		return CR_OK;
	}
	if (strcmp(args, "previous") == 0) {
		cr_session_set_view(s, (s->view + CR_VIEWS - 1) % CR_VIEWS);
		return CR_OK;
	}
	for (enum cr_session_view v = 0; v < CR_VIEWS; v++) {
		if (strcmp(args, cr_session_view_name(v)) != 0)
			continue;
		cr_session_set_view(s, v);
		return CR_OK;
	}
	return cr_argument_bad(err, "view", args, "flame, functions, next, previous");
}

static int
run_zoom(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	uint32_t node = s->selected;
	int rc;

	(void)out;
	if (*args && (rc = cr_argument_node(s, args, &node, err)) < 0)
		return rc;
	cr_session_set_zoom(s, node);
	cr_session_select(s, node);
	return CR_OK;
}

/* Search for the name of a frame. */
static int
search_frame(struct cr_session *s, uint32_t frame, struct cr_err *err)
{
	const struct cr_str name = s->tree->frames[frame].name;
	char *pattern;
	int rc;

	if (memchr(name.p, '\0', name.len))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "cannot search for a name with a NUL in it");
	pattern = cr_memdup(name.p, name.len);
	rc = cr_session_set_search(s, pattern, true, err);
	free(pattern);
	return rc;
}

static int
run_open(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	int rc;

	(void)args;
	if (s->view == CR_VIEW_FLAME)
		return run_zoom(s, "", out, err);
	if (!s->table.n)
		return CR_OK;
	if ((rc = search_frame(s, cr_session_frame(s), err)) < 0)
		return rc;
	cr_session_select_row(s, s->row);
	cr_session_set_view(s, CR_VIEW_FLAME);
	return CR_OK;
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
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "select what: a number or a name");
	if ((rc = cr_argument_node(s, args, &node, err)) < 0)
		return rc;
	cr_session_select(s, node);
	return CR_OK;
}

static int
run_row(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const long lines = (long)cr_session_table(s)->n;
	const char *rest;
	long line;
	int rc;

	(void)out;
	if (!lines)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "the table is empty");
	if ((rc = cr_argument_number(args, 1, lines, &line, &rest, err)) < 0)
		return rc;
	cr_session_select_row(s, (uint32_t)(line - 1));
	return CR_OK;
}

#define RUN_MOVE(handler, to)                                                          \
	static int run_##handler(                                                      \
		struct cr_session *s, const char *args, FILE *out, struct cr_err *err) \
	{                                                                              \
		(void)args, (void)out, (void)err;                                      \
		cr_move(s, to);                                                        \
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
	cr_session_select(s, s->tree->parent[s->selected]);
	return CR_OK;
}

static int
run_child(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	/* Siblings stand by falling extent: the first child is the costliest. */
	if (s->selected + 1 < s->tree->end[s->selected])
		cr_session_select(s, s->selected + 1);
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
	cr_session_scroll(s, (int32_t)lines);
	return CR_OK;
}

/* ---- search */

static bool
frame_is_hit(const struct cr_session *s, uint32_t frame, uint32_t unused)
{
	(void)unused;
	return s->search.hit[frame];
}

/* After a search: when what is selected is no match, select the widest one. */
static void
select_match(struct cr_session *s)
{
	uint32_t node;

	if (!s->search.hit)
		return;
	if (s->view == CR_VIEW_FUNCTIONS) {
		const struct cr_table *t = cr_session_table(s);

		if (s->row >= t->n || !s->row_hit[t->order[s->row]])
			cr_move_match(s, false);
		return;
	}
	if (s->search.hit[s->tree->frame[s->selected]])
		return;
	node = cr_session_widest(s, s->zoom, frame_is_hit, 0);
	if (node != CR_NO_ROW)
		cr_session_select(s, node);
}

static int
run_search(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	int rc;

	(void)out;
	if ((rc = cr_session_set_search(s, args, false, err)) < 0)
		return rc;
	if (s->pattern && !s->search.n_nodes)
		cr_text_printf(&s->message, "nothing matches %s", args);
	select_match(s);
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
		return search_frame(s, cr_session_frame(s), err);
	if ((rc = cr_session_set_search(s, args, true, err)) < 0)
		return rc;
	select_match(s);
	return CR_OK;
}

static int
run_match(struct cr_session *s, bool backward)
{
	if (!s->pattern)
		cr_text_puts(&s->message, "no search to go on with");
	else if (!s->search.n_nodes)
		cr_text_printf(&s->message, "nothing matches %s", s->pattern);
	else if (!cr_move_match(s, backward))
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

/* ---- how it is shown */

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
	(void)args, (void)out;
	return cr_steps_keep(s, 0, err);
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

/* The events that have samples, as words for a message. */
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

/* Can it be compared with an event of the other side, if there is one? */
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
	if (cr_session_is_within(s)) {
		cr_text_puts(&s->message, "this is the difference of its two events");
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
	cr_text_puts(&s->message, "there is only this event");
	return CR_OK;
}

static bool
sort_exists(const struct cr_session *s, enum cr_table_sort k)
{
	return s->sides == 2 || (k != CR_SORT_DELTA_SELF && k != CR_SORT_DELTA_TOTAL);
}

static int
run_sort(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_text words = {0};
	const int step = strcmp(args, "previous") == 0 ? CR_SORTS - 1 : 1;
	int k = (int)cr_session_table(s)->sort, rc;

	(void)out;
	if (strcmp(args, "next") == 0 || strcmp(args, "previous") == 0) {
		do
			k = (k + step) % CR_SORTS;
		while (!sort_exists(s, (enum cr_table_sort)k));
		cr_session_set_sort(s, (enum cr_table_sort)k, false);
		return CR_OK;
	}
	for (k = 0; k < CR_SORTS; k++) {
		if (!sort_exists(s, (enum cr_table_sort)k))
			continue;
		if (strcmp(args, cr_table_sort_name((enum cr_table_sort)k)) == 0) {
			cr_session_set_sort(s, (enum cr_table_sort)k, false);
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

static int
run_reverse(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_table *t = cr_session_table(s);

	(void)args, (void)out, (void)err;
	cr_session_set_sort(s, t->sort, !t->reverse);
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
		if (strcmp(args, cr_palette_name((enum cr_palette)p)) == 0) {
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
run_print(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	static const struct {
		const char *what;
		void (*print)(struct cr_session *s, struct cr_text *out);
	} prints[] = {
		{"flame", cr_print_flame},
		{"functions", cr_print_functions},
		{"selected", cr_print_selected},
		{"recording", cr_print_recording},
	};
	struct cr_text t = {0};

	for (size_t i = 0; i < CR_LEN(prints); i++) {
		if (strcmp(args, prints[i].what) != 0)
			continue;
		if (!out)
			return CR_OK;
		prints[i].print(s, &t);
		fwrite(t.p, 1, t.len, out);
		cr_text_fini(&t);
		return CR_OK;
	}
	return cr_argument_bad(err, "print", args, "flame, functions, selected, recording");
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
	s->width = (int32_t)width;
	s->height = (int32_t)height;
	return CR_OK;
}

static int
run_help(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	bool found = false;

	(void)s;
	for (size_t i = 0; i < CR_LEN(commands); i++) {
		const struct cr_command *c = &commands[i];
		int used;

		if (*args && strcmp(args, c->name) != 0)
			continue;
		found = true;
		if (!out)
			continue;
		used = fprintf(out, "%s %s", c->name, c->args);
		fprintf(out, "%*s%s\n", used < 36 ? 36 - used : 2, "", c->about);
	}
	if (!found)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "no command '%s'", args);
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

static const struct cr_command *
command_find(const char *name, size_t len)
{
	for (size_t i = 0; i < CR_LEN(commands); i++)
		if (strlen(commands[i].name) == len && memcmp(commands[i].name, name, len) == 0)
			return &commands[i];
	return NULL;
}

static int
command_run(struct cr_session *s, const struct cr_command *c, const char *args, FILE *out,
	struct cr_err *err)
{
	const struct {
		uint32_t zoom, selected, row;
		enum cr_session_view view;
		int32_t width, height;
		bool root_up;
	} was = {s->zoom, s->selected, s->row, s->view, s->width, s->height, s->root_up};
	const struct cr_tree *tree = s->tree;
	int rc;

	cr_text_clear(&s->message);
	if (!*c->args && *args)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s takes no argument", c->name);
	if ((rc = c->run(s, args, out, err)) < 0)
		return rc;
	if (c->run != run_search_live)
		cr_history_note(s->history, s);
	/*
	 * Scrolling may lose sight of the selection; whatever moves it or the frame around it may
	 * not.
	 */
	if (tree != s->tree || was.zoom != s->zoom || was.selected != s->selected ||
		was.row != s->row || was.view != s->view || was.width != s->width ||
		was.height != s->height || was.root_up != s->root_up || c->run == run_sort ||
		c->run == run_reverse)
		cr_session_follow(s, was.zoom != s->zoom);
	return CR_OK;
}

/*
 * Where the arguments end: at a ';'. In a pattern, which may hold one, only at a ';' that blanks
 * or nothing follow and no '\\' stands before.
 */
static size_t
args_len(const struct cr_command *c, const char *args)
{
	size_t n = strcspn(args, ";");

	while (c->rest_is_one && args[n] &&
		((n && args[n - 1] == '\\') || !strchr(" \t\n", args[n + 1])))
		n += 1 + strcspn(args + n + 1, ";");
	return n;
}

/* The same for a word of a query, whose argument may stand in quotes. */
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

/* Run the command that line begins with; *rest gets what stands behind its ';'. */
static int
line_step(struct cr_session *s, const char *line, const char **rest, FILE *out, struct cr_err *err)
{
	const size_t name_len = strcspn(line, " \t;");
	const struct cr_command *c = command_find(line, name_len);
	const char *args = line + name_len + strspn(line + name_len, " \t");
	size_t len;
	char *copy;
	int rc;

	if (!c)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "no command '%.*s'",
			(int)CR_MIN(name_len, 40u), line);
	if (cr_word_find(cr_str_of(c->name)) != CR_WORDS)
		return word_step(s, c, line, rest, out, err);
	len = args_len(c, args);
	*rest = args + len + (args[len] == ';');
	/* Blanks at the end may be part of a pattern. */
	while (!c->rest_is_one && len && strchr(" \t", args[len - 1]))
		len--;
	copy = cr_memdup(args, len);
	rc = command_run(s, c, copy, out, err);
	free(copy);
	return rc;
}

int
cr_session_run(struct cr_session *s, const char *line, FILE *out, struct cr_err *err)
{
	int rc = CR_OK;

	while (rc == CR_OK && !s->quit) {
		line += strspn(line, " \t\n;");
		if (!*line)
			break;
		rc = line_step(s, line, &line, out, err);
	}
	if (rc < 0) {
		cr_text_clear(&s->message);
		cr_text_safe(&s->message, cr_str_of(err->text));
	}
	return rc;
}
