#include "commands_p.h"

#include "session/commands/argument_p.h"
#include "session/custom/bookmarks_p.h"
#include "session/custom/colors_p.h"
#include "session/profiles_p.h"
#include "session/session_p.h"
#include "session/split_layout_p.h"
#include "session/views/view.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Commands that choose views, panes and their sizes, and how they look. */

/* Larger screens would overflow the units of a scene. */
#define CELLS_MAX 10000
#define LINES_MAX 1000000 /* to scroll by */
#define PANE_STEP 50      /* per mille of the screen */

#define VIEW(digit, name) #name ", "
static const char one_of_views[] =
#include "session/views/views.def"
	"next, previous";
#undef VIEW

/* ---- views and zoom */

static bool
is_called(const struct cr_view_ops *view, const char *word)
{
	return strcmp(word, view->name) == 0 || (view->alias && strcmp(word, view->alias) == 0);
}

struct cr_view *
cr_command_view(const struct cr_session *s, const char *name)
{
	for (uint32_t i = 0; cr_view_ops_at(i); i++)
		if (is_called(cr_view_ops_at(i), name))
			return &s->views[i];
	return NULL;
}

int
cr_run_view(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = cr_command_view(s, args);
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

/* The number of places that a function is called from; calls by itself do not count. */
static uint32_t
count_places(const struct cr_tree *t, struct cr_str name)
{
	uint32_t places = 0;

	for (uint32_t n = 1; n < t->n;) {
		const bool is_place = cr_str_eq(t->frames[t->frame[n]].name, name);

		places += is_place;
		n = is_place ? t->end[n] : n + 1;
	}
	return places;
}

/* A name may be called from several places, and the zoom shows one of them: report that. */
static void
report_places(struct cr_session *s, const char *name, uint32_t node)
{
	const struct cr_str of = s->tree->frames[s->tree->frame[node]].name;
	uint32_t places;

	if (!cr_str_eq(of, cr_str_of(name)) || (places = count_places(s->tree, of)) < 2)
		return;
	cr_text_clear(&s->message);
	cr_text_printf(&s->message, "zoomed to the costliest of %" PRIu32 " calls of ", places);
	cr_text_safe(&s->message, of);
	cr_text_puts(&s->message, "; 4 shows all of its callers");
}

int
cr_run_zoom(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	uint32_t node = s->selection.node;
	int rc;

	(void)out;
	if (*args && (rc = cr_argument_node(s, args, &node, err)) < 0)
		return rc;
	if ((rc = cr_session_set_zoom(s, &node, err)) < 0)
		return rc;
	cr_session_select_node(s, node);
	report_places(s, args, node);
	return CR_OK;
}

int
cr_run_open(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

int
cr_run_out(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out, (void)err;
	cr_session_zoom_out(s);
	return CR_OK;
}

int
cr_run_reset(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	uint32_t all = 0;

	(void)args, (void)out;
	return cr_session_set_zoom(s, &all, err);
}

/* ---- panes */

int
cr_run_split(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

int
cr_run_pane(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *other = cr_split_other(s);
	int32_t per_mille = 0;
	int rc = CR_OK;

	if (strcmp(args, "next") == 0 && !other)
		return cr_run_view(s, "next", out, err);
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

int
cr_run_size(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

static int
scroll(struct cr_session *s, struct cr_view *v, const char *args, struct cr_err *err)
{
	const char *rest;
	long lines;
	const int rc = cr_argument_number(args, -LINES_MAX, LINES_MAX, &lines, &rest, err);

	if (rc == CR_OK && v)
		cr_view_scroll(v, s, (int32_t)lines);
	return rc;
}

int
cr_run_scroll(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return scroll(s, cr_view_current(s), args, err);
}

int
cr_run_scroll_other(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return scroll(s, cr_split_other(s), args, err);
}

/* ---- presentation */

int
cr_run_root(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
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

int
cr_run_palette(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_colors_palette(s, args, err);
}

int
cr_run_bookmark(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_bookmarks_set(s, args, err);
}

int
cr_run_go(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	return cr_bookmarks_go(s, args, out, err);
}

int
cr_run_bookmarks(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_text text = {0};

	(void)args, (void)err;
	cr_bookmarks_print(s, &text);
	if (out)
		fputs(text.p, out);
	cr_text_fini(&text);
	return CR_OK;
}

int
cr_run_forget(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_bookmarks_forget(s, args, err);
}

int
cr_run_theme(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_colors_theme(s, args, err);
}

int
cr_run_color(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	return cr_colors_part(s, args, out, err);
}

int
cr_run_mouse(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	if (strcmp(args, "on") != 0 && strcmp(args, "off") != 0 && strcmp(args, "toggle") != 0)
		return cr_argument_bad(err, "mouse", args, "on, off, toggle");
	s->mouse_off = strcmp(args, "toggle") == 0 ? !s->mouse_off : strcmp(args, "off") == 0;
	cr_text_puts(&s->message, s->mouse_off ? "the mouse is the terminal's: it selects text"
					       : "the mouse is the browser's");
	return CR_OK;
}
