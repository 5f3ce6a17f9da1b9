#include "copied_p.h"

#include "selection_set_p.h"
#include "session/commands/argument_p.h"
#include "state_p.h"

#include "base/mem.h"
#include "model/profile.h"
#include "session/custom/colors_p.h"
#include "session/views/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what can be copied */

static int
put_name(struct cr_session *s, struct cr_text *out, struct cr_err *err)
{
	struct cr_view *v = cr_view_current(s);

	if (v->ops->put_name && v->ops->put_name(v, s, out))
		return CR_OK;
	if (s->is_empty)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "copy: nothing is selected");
	cr_text_safe(out, s->tree->frames[cr_view_frame(s)].name);
	return CR_OK;
}

/* From the sampled function to the outermost caller, as debuggers print it. */
static int
put_stack(struct cr_session *s, struct cr_text *out, struct cr_err *err)
{
	const struct cr_tree *t = s->tree;
	const uint32_t node = s->selection.node, depth = t->depth[node];
	uint32_t *path;

	if (!node)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"copy: no frame is selected, so there is no stack");
	path = cr_alloc((uint64_t)depth + 1, sizeof(*path));
	for (uint32_t d = depth, n = node; d > 0; d--, n = t->parent[n])
		path[d] = n;
	for (uint32_t i = 1; i <= depth; i++) {
		cr_text_puts(out, i > 1 ? "\n" : "");
		cr_text_safe(
			out, t->frames[t->frame[path[t->leaves_first ? i : depth + 1 - i]]].name);
	}
	free(path);
	return CR_OK;
}

/* The start of the function; in a tree of addresses, the address. */
static bool
address_of(const struct cr_session *s, const struct cr_frame *f, uint64_t *out)
{
	const struct cr_function *function;

	*out = f->number;
	if (cr_frame_is_group(f) || f->number || !f->function1)
		return f->number && !cr_frame_is_group(f);
	function = &s->profile[0]->functions[f->function1 - 1];
	*out = function->addr;
	return function->addr && function->addr != CR_ADDR_INLINED;
}

static int
put_address(struct cr_session *s, struct cr_text *out, struct cr_err *err)
{
	const struct cr_frame *f = &s->tree->frames[cr_view_frame(s)];
	uint64_t address;

	if (!address_of(s, f, &address))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"copy: no address is known for the selected frame");
	cr_text_safe(out, f->dso);
	cr_text_printf(out, "+0x%" PRIx64, address);
	return CR_OK;
}

static int
put_source(struct cr_session *s, struct cr_text *out, struct cr_err *err)
{
	struct cr_str file;
	uint32_t line;

	if (!cr_session_source(s, &file, &line))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"copy: no source file is known for the selected frame");
	cr_text_safe(out, file);
	if (line)
		cr_text_printf(out, ":%" PRIu32, line);
	return CR_OK;
}

bool
cr_session_source(const struct cr_session *s, struct cr_str *file, uint32_t *line)
{
	const struct cr_frame *f = &s->tree->frames[cr_view_frame(s)];

	if (s->selection.parts & CR_SELECTED_LINE) {
		*file = s->selection.file;
		*line = s->selection.line;
	} else {
		*file = f->file;
		*line = f->line;
	}
	return file->len > 0;
}

/* ---- the command line */

/* One word of a shell, quoted if it contains other characters than these. */
static void
put_word(struct cr_str word, struct cr_text *out)
{
	struct cr_text safe = {0};

	cr_text_safe(&safe, word);
	if (safe.len &&
		!safe.p[strspn(safe.p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "0123456789_./+-")]) {
		cr_text_puts(out, safe.p);
	} else {
		cr_text_char(out, '\'');
		for (size_t i = 0; i < safe.len; i++)
			if (safe.p[i] == '\'')
				cr_text_puts(out, "'\\''");
			else
				cr_text_char(out, safe.p[i]);
		cr_text_char(out, '\'');
	}
	cr_text_fini(&safe);
}

void
cr_session_set_sources(struct cr_session *s, uint32_t side, const char *const *names, uint32_t n)
{
	cr_text_clear(&s->source[side]);
	for (uint32_t i = 0; i < n; i++) {
		cr_text_puts(&s->source[side], i ? " " : "");
		put_word(cr_str_of(names[i]), &s->source[side]);
	}
	s->n_sources[side] = n;
	if (side == 0) {
		free(s->recording);
		s->recording = n == 1 ? cr_strdup(names[0]) : NULL;
	}
}

static void
put_step(struct cr_text *out, const char *command, struct cr_str argument)
{
	cr_text_printf(out, "%s%s", out->len ? "; " : "", command);
	if (argument.len) {
		cr_text_char(out, ' ');
		cr_text_str(out, argument);
	}
}

static void
put_color(void *to, const char *command, struct cr_str args)
{
	put_step(to, command, args);
}

static void
put_number(struct cr_text *out, const char *command, uint32_t number)
{
	cr_text_printf(out, "%s%s %" PRIu32, out->len ? "; " : "", command, number);
}

static void
put_selection(const struct cr_session *s, struct cr_text *out)
{
	const struct cr_selection *n = &s->selection;
	struct cr_text t = {0};

	if (n->node != s->zoom)
		put_number(out, "select", n->node);
	if (n->parts & CR_SELECTED_THREAD && n->pid >= 0)
		cr_text_printf(&t, "%" PRId32 "/", n->pid);
	if (n->parts & CR_SELECTED_THREAD) {
		cr_text_printf(&t, "%" PRId32, n->tid);
		put_step(out, "select-thread", cr_text_view(&t));
	}
	cr_text_clear(&t);
	cr_selection_put_time(n, &t);
	if (t.len)
		put_step(out, "mark", cr_text_view(&t));
	if (n->parts & CR_SELECTED_LINE) {
		cr_text_clear(&t);
		cr_text_str(&t, n->file);
		cr_text_printf(&t, ":%" PRIu32, n->line);
		put_step(out, "select-line", cr_text_view(&t));
	}
	cr_text_fini(&t);
}

/* The commands of a view, such as its order of rows. */
static void
put_own(struct cr_session *s, uint32_t view, struct cr_text *out)
{
	struct cr_text t = {0};

	if (cr_view_ops_at(view)->put_commands)
		cr_view_ops_at(view)->put_commands(&s->views[view], s, &t);
	if (t.len)
		put_step(out, t.p, CR_STR(""));
	cr_text_fini(&t);
}

static void
put_query(const struct cr_session *s, struct cr_text *out)
{
	const struct cr_profile *p = s->profile[0];

	if (p->n_events > 1 && !cr_state_is_within(s))
		put_step(out, "event", cr_event_recorded_name(p, (cr_event_id){s->event}));
	if (s->query.n) {
		cr_text_puts(out, out->len ? "; " : "");
		cr_session_put_steps(s, 0, out);
	}
}

/* Zoom, search, selection, and what views keep for themselves. */
static void
put_rest(struct cr_session *s, struct cr_text *out)
{
	for (uint32_t i = 0; i < s->n_trail; i++)
		if (s->trail[i])
			put_number(out, "zoom", s->trail[i]);
	if (s->zoom)
		put_number(out, "zoom", s->zoom);
	if (s->pattern)
		put_step(out, s->literal ? "search-name" : "search", cr_str_of(s->pattern));
	put_selection(s, out);
	for (uint32_t i = 0; cr_view_ops_at(i); i++)
		put_own(s, i, out);
}

void
cr_copied_put_place(struct cr_session *s, struct cr_text *out)
{
	put_query(s, out);
	put_rest(s, out);
	put_step(out, "view", cr_str_of(cr_view_current(s)->ops->name));
}

/* Commands that lead from the first screen to this one, except for opened rows and scrolling. */
static void
put_state(struct cr_session *s, struct cr_text *out)
{
	put_query(s, out);
	if (s->palette)
		put_step(out, "palette", cr_str_of(cr_palette_name(s->palette)));
	cr_colors_each(s, put_color, out);
	if (s->root_up)
		put_step(out, "root up", CR_STR(""));
	put_rest(s, out);
	if (s->split.how == CR_SPLIT_BESIDE)
		put_step(out, "split beside", CR_STR(""));
	else if (s->split.how == CR_SPLIT_BELOW)
		put_step(out, "split below", CR_STR(""));
	if (s->view)
		put_step(out, "view", cr_str_of(cr_view_current(s)->ops->name));
}

static void
put_option(struct cr_text *out, const char *option, const char *value)
{
	cr_text_printf(out, " %s ", option);
	put_word(cr_str_of(value), out);
}

/* How the sides of a difference are compared, as options. */
static void
put_comparison(const struct cr_session *s, struct cr_text *out)
{
	cr_text_puts(out, s->diff.force ? " --force" : "");
	cr_text_puts(out, s->diff.by_path ? " --match path" : "");
	if (s->norm.kind != CR_NORM_SHARE)
		put_option(out, "--norm", cr_norm_name(&s->norm));
	if (s->noise)
		cr_text_printf(out, " --noise %" PRIu32, s->noise);
	for (int side = 0; side < CR_SIDES; side++)
		for (size_t i = 0; i < s->own[side].n; i++) {
			const struct cr_step *step = &s->own[side].steps[i];

			cr_text_printf(
				out, " --%c-%s ", "ab"[side], cr_word_info(step->word) -> name);
			put_word(cr_str_of(step->arg), out);
		}
}

static void
put_recordings(const struct cr_session *s, uint32_t side, struct cr_text *out)
{
	cr_text_char(out, ' ');
	if (s->source[side].len)
		cr_text_str(out, cr_text_view(&s->source[side]));
	else
		put_word(cr_str_of(s->title[side]), out);
}

static int
put_command(struct cr_session *s, struct cr_text *out, struct cr_err *err)
{
	const bool compares = s->profile[1] && !cr_state_is_within(s);
	struct cr_text state = {0};

	(void)err;
	cr_text_puts(out, compares ? "cresset diff" : "cresset view");
	put_state(s, &state);
	if (!compares)
		put_recordings(s, 0, out);
	else
		put_comparison(s, out);
	if (state.len)
		put_option(out, "--start", state.p);
	if (compares) { /* the options come before "--" */
		put_recordings(s, 0, out);
		cr_text_puts(out, s->n_sources[0] > 1 || s->n_sources[1] > 1 ? " --" : "");
		put_recordings(s, 1, out);
	}
	cr_text_fini(&state);
	return CR_OK;
}

/* ---- */

static const struct {
	const char *word;
	int (*put)(struct cr_session *s, struct cr_text *out, struct cr_err *err);
} kinds[] = {
	{"name", put_name},
	{"stack", put_stack},
	{"address", put_address},
	{"source", put_source},
	{"command", put_command},
};

/*
 * Truncate after this many bytes, at a whole character: terminals refuse more than about 100 000.
 */
static bool
cut(struct cr_text *t)
{
	size_t n = CR_COPIED_BYTES;

	if (t->len <= n)
		return false;
	while (n && ((unsigned char)t->p[n] & 0xc0) == 0x80)
		n--;
	t->p[n] = '\0';
	t->len = n;
	return true;
}

/* What was copied, in one line. */
static void
report(struct cr_session *s, const char *what, bool was_cut)
{
	size_t lines = 1;

	for (size_t i = 0; i < s->copied.len; i++)
		lines += s->copied.p[i] == '\n';
	if (lines > 1)
		cr_text_printf(&s->message, "copied: a %s of %zu lines", what, lines);
	else
		cr_text_printf(&s->message, "copied: %s", s->copied.p);
	if (was_cut)
		cr_text_printf(&s->message, ", cut after %u bytes", CR_COPIED_BYTES);
}

int
cr_copied_make(struct cr_session *s, const char *what, FILE *out, struct cr_err *err)
{
	struct cr_text t = {0};
	bool was_cut;
	int rc;

	for (size_t i = 0; i < CR_LEN(kinds); i++) {
		if (strcmp(what, kinds[i].word) != 0)
			continue;
		cr_text_puts(&t, "");
		if ((rc = kinds[i].put(s, &t, err)) == CR_OK && !s->on_screen) {
			if (out)
				fprintf(out, "%s\n", t.p);
		} else if (rc == CR_OK) {
			was_cut = cut(&t);
			cr_text_fini(&s->copied);
			s->copied = t;
			report(s, what, was_cut);
			return CR_OK;
		}
		cr_text_fini(&t);
		return rc;
	}
	return cr_argument_bad(err, "copy", what, "name, stack, address, source, command");
}
