#include "session/session.h"

#include "history_p.h"
#include "script_p.h"
#include "session_p.h"
#include "split_layout_p.h"
#include "state_p.h"
#include "steps_p.h"

#include "base/hash.h"
#include "base/work.h"
#include "session/commands/commands_p.h"
#include "session/commands/sketching_p.h"
#include "session/custom/custom_p.h"
#include "session/views/view.h"

#include <stdlib.h>
#include <string.h>

#define MACRO_DEPTH 16 /* of macros that run macros */

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
#define COMMAND(name, handler, args, rest, about)
#include "commands.def"
#undef COMMAND

#define EVENT_SELECTION(id, name, arg, about)
#define SELECTION(id, name, arg, about) {name, arg, about, true, run_word_##id, NULL},
#define FOLDING SELECTION
#define TRANSFORM(id, name, arg, about) \
	{name, sizeof(arg) > 1 ? "[" arg "]" : "", about, true, run_word_##id, NULL},
#define COMMAND(name, handler, args, rest, about) {name, args, about, rest, cr_run_##handler, NULL},
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

/* Commands that users of vi type. */
static const char *const short_names[][2] = {{"e", "open"}, {"q", "quit"}, {"w", "export-new"}};

/* A common command, by its name or a short one. */
static const struct cr_command *
common_find(const char *name, size_t len)
{
	for (size_t i = 0; i < CR_LEN(short_names); i++)
		if (len == 1 && *name == *short_names[i][0])
			return command_in(commands, CR_LEN(commands), short_names[i][1],
				strlen(short_names[i][1]));
	return command_in(commands, CR_LEN(commands), name, len);
}

/* Searched in the current view, the common ones, and other views. */
static const struct cr_command *
command_find(const struct cr_session *s, const char *name, size_t len)
{
	const struct cr_command *c =
		command_in(cr_view_current(s)->ops->commands, SIZE_MAX, name, len);

	if (!c)
		c = common_find(name, len);
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
	if (tree && tree->is_sketch && !cr_sketching_allows(s, c, args)) {
		if ((rc = cr_session_complete(s, err)) < 0)
			return rc;
		return command_run(s, c, args, out, err);
	}
	if ((rc = c->run(s, args, out, err)) < 0)
		return rc;
	if (c->run != cr_run_search_live && !s->one_step)
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

	if (c->run == cr_run_bind ||
		c->run == cr_run_macro) /* their argument is a line of commands */
		return strlen(args);
	while (c->rest_is_one && args[n] && (is_escaped(args, n) || !strchr(" \t\n", args[n + 1])))
		n += 1 + strcspn(args + n + 1, ";");
	return n;
}

/* Run `also`: the argument of its step may be quoted. */
static int
also_step(struct cr_session *s, const struct cr_command *c, const char *step, const char **rest,
	FILE *out, struct cr_err *err)
{
	struct cr_text arg = {0};
	enum cr_word word;
	char *copy;
	int rc;

	if ((rc = cr_query_next(step, &word, &arg, rest, err)) == CR_OK) {
		copy = cr_memdup(step, (size_t)(*rest - step));
		rc = command_run(s, c, copy, out, err);
		free(copy);
	}
	cr_text_fini(&arg);
	return rc;
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
		struct cr_err *err) = {cr_run_search_live, cr_run_filters, cr_run_export,
		cr_run_export_new, cr_run_copy, cr_run_print, cr_run_size, cr_run_help,
		cr_run_history_script, cr_run_quit, cr_run_bind, cr_run_macro, cr_run_mouse};

	for (size_t i = 0; i < CR_LEN(others); i++)
		if (c->run == others[i])
			return false;
	return true;
}

/* An undo that has nothing to undo is not a step of a script, which may begin later. */
static bool
is_idle(const struct cr_session *s, const struct cr_command *c)
{
	const bool forward = c->run == cr_run_redo;

	return (forward || c->run == cr_run_undo) && !cr_history_peek(s->history, forward) &&
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
	if (c->run == cr_run_also)
		return also_step(s, c, args, rest, out, err);
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
	copy = cr_strdup(macro); /* running it may redefine the macro */
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
