#include "tui/panes/pane_p.h"

#include "keymap_p.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "session/commands/glossary.h"
#include "view/style/palette.h"

#include <string.h>

#define INDENT 2
#define KEYS_CELLS 18
#define COMMAND_CELLS 18
#define SAMPLE_CELLS 6 /* the width of the column of colour samples */
#define ABOUT_CELLS 20 /* the text beside a key has at least this width */
#define NARROW_INDENT 4

/* ---- text in two columns */

/* On a narrow screen the text is on lines of its own, below the key. */
static void
put_entry(
	struct cr_text *out, const char *key, const char *about, uint32_t key_cells, uint32_t cells)
{
	const uint32_t used = cr_utf8_cells(cr_str_of(key));
	const bool narrow = cells < INDENT + key_cells + ABOUT_CELLS;
	const uint32_t column = narrow ? NARROW_INDENT : INDENT + key_cells;

	cr_text_pad(out, ' ', INDENT);
	cr_text_puts(out, key);
	if (narrow || used >= key_cells) {
		cr_text_char(out, '\n');
		cr_text_pad(out, ' ', column);
	} else {
		cr_text_pad(out, ' ', key_cells - used);
	}
	cr_text_wrap(out, cr_str_of(about), column, CR_MAX(cells, column + 8));
}

void
cr_pane_help_heading(struct cr_text *out, const char *text)
{
	if (out->len)
		cr_text_char(out, '\n');
	cr_text_puts(out, text);
	cr_text_char(out, '\n');
}

void
cr_pane_help_entry(struct cr_text *out, const char *key, const char *about, uint32_t cells)
{
	put_entry(out, key, about, KEYS_CELLS, cells);
}

/* ---- the help */

static void
put_binding(struct cr_text *out, const struct cr_binding *b, uint32_t cells)
{
	struct cr_text keys = {0};

	for (size_t k = 0; k < CR_BINDING_KEYS && b->keys[k]; k++) {
		cr_text_puts(&keys, k ? " " : "");
		cr_keymap_name(b->keys[k], &keys);
	}
	put_entry(out, keys.p, b->about, KEYS_CELLS, cells);
	cr_text_fini(&keys);
}

/* The keys of a view, under a heading that names it. */
static void
put_own(struct cr_text *out, const struct cr_view_ops *view, const char *where, uint32_t cells)
{
	struct cr_text heading = {0};

	if (!view->keys)
		return;
	cr_text_printf(&heading, "%s %s", where, view->about);
	cr_pane_help_heading(out, heading.p);
	for (const struct cr_binding *b = view->keys; b->line; b++)
		put_binding(out, b, cells);
	cr_text_fini(&heading);
}

static void
put_table(struct cr_text *out, enum cr_keymap_table which, const char **group, uint32_t cells)
{
	for (const struct cr_binding *b = cr_keymap_table(which); b->line; b++) {
		if (strcmp(*group, b->group) != 0)
			cr_pane_help_heading(out, b->group);
		*group = b->group;
		put_binding(out, b, cells);
	}
}

/* The digits that show the views. */
static void
put_views(struct cr_text *out, uint32_t cells)
{
	for (uint32_t i = 0; cr_view_ops_at(i); i++) {
		const char key[2] = {(char)cr_view_key_at(i), '\0'};

		put_entry(out, key, cr_view_ops_at(i)->about, KEYS_CELLS, cells);
	}
}

/* The current view's own keys first, then those of all views, then those of other views. */
static void
put_keys(struct cr_text *out, uint32_t view, uint32_t cells)
{
	const char *group = "Views";

	put_own(out, cr_view_ops_at(view), "Here, in", cells);
	cr_pane_help_heading(out, group);
	put_views(out, cells);
	put_table(out, CR_KEYMAP_COMMON, &group, cells);
	put_table(out, CR_KEYMAP_EVERYWHERE, &group, cells);
	put_table(out, CR_KEYMAP_PANES, &group, cells);
	for (uint32_t i = 0; cr_view_ops_at(i); i++)
		if (i != view)
			put_own(out, cr_view_ops_at(i), "In", cells);
	put_table(out, CR_KEYMAP_PAGES, &group, cells);
}

/* A command with its arguments, in lines of at most `cells` if there are many arguments. */
static void
put_usage(struct cr_text *out, const struct cr_command *c, uint32_t cells)
{
	size_t line = out->len;

	cr_text_printf(out, "%s%s", c->name, *c->args ? " " : "");
	for (const char *at = c->args; *at;) {
		const size_t len = strcspn(at, "|") + (at[strcspn(at, "|")] == '|');

		if (out->len - line + len > cells && out->len > line + INDENT + NARROW_INDENT) {
			cr_text_char(out, '\n');
			line = out->len;
			cr_text_pad(out, ' ', INDENT + NARROW_INDENT);
		}
		cr_text_put(out, at, len);
		at += len;
	}
}

static void
put_commands(struct cr_text *out, uint32_t cells)
{
	struct cr_text name = {0};

	cr_pane_help_heading(out, "Commands, typed after ':' and separated by ';'");
	for (size_t i = 0; cr_command_at(i); i++) {
		const struct cr_command *c = cr_command_at(i);

		cr_text_clear(&name);
		put_usage(&name, c, CR_MAX(cells, 2 * NARROW_INDENT) - INDENT);
		put_entry(out, name.p, c->about, COMMAND_CELLS, cells);
	}
	cr_text_fini(&name);
}

/* ---- the legend */

struct legend {
	const struct cr_session *s;
	const struct cr_term *t;
	uint32_t cells;
	struct cr_text *out;
	cr_sample_looks *samples;
};

static void
put_sample(const struct legend *l, uint32_t ch, struct cr_look look, const char *about)
{
	struct cr_sample_look sample = {.ch = ch, .look = look};

	for (size_t i = 0; i < l->out->len; i++)
		sample.line += l->out->p[i] == '\n';
	cr_vec_push(l->samples, sample);
	put_entry(l->out, "", about, SAMPLE_CELLS, l->cells);
}

static void
put_classes(const struct legend *l)
{
	static const enum cr_kind order[CR_KINDS] = {CR_KIND_USER, CR_KIND_KERNEL, CR_KIND_MODULE,
		CR_KIND_VDSO, CR_KIND_JIT, CR_KIND_BPF, CR_KIND_UNKNOWN, CR_KIND_GROUP};
	const struct cr_pane pane = {.term = l->t};
	const enum cr_palette p = cr_session_palette(l->s);

	for (size_t i = 0; i < CR_LEN(order); i++)
		if (cr_palette_class_about(p, order[i]))
			put_sample(l, ' ',
				cr_pane_look_on(&pane, cr_pane_kind_color(&pane, order[i]), 0),
				cr_palette_class_about(p, order[i]));
}

static void
put_changes(const struct legend *l)
{
	put_sample(l, ' ', (struct cr_look){0, cr_palette_diff(1, 1), 0},
		"its share grew (+ from 0.1 points on); stronger colours mean more");
	put_sample(l, ' ', (struct cr_look){0, cr_palette_diff(-1, 1), 0},
		"its share shrank (- from 0.1 points on)");
	put_sample(l, ' ', (struct cr_look){0, cr_palette_diff(0, 1), 0},
		"unchanged, or not known to have changed (z: other rules)");
}

static void
put_colors(const struct legend *l)
{
	const struct cr_pane p = {.term = l->t, .theme = cr_session_theme(l->s)};

	if (l->t->colors == CR_COLORS_NONE)
		return;
	if (cr_session_sides(l->s) == 2)
		put_changes(l);
	else if (cr_palette_has_classes(cr_session_palette(l->s)))
		put_classes(l);
	else
		put_entry(l->out, "",
			cr_session_palette(l->s) == CR_PALETTE_DSO
				? "one colour for each dso (c: other rules)"
				: "colours by name, without other meaning (c: other rules)",
			SAMPLE_CELLS, l->cells);
	if (l->t->colors == CR_COLORS_16)
		put_entry(l->out, "", "brighter: inlined into its caller", SAMPLE_CELLS, l->cells);
	if (l->t->colors >= CR_COLORS_256 && cr_session_sides(l->s) == 1)
		put_entry(l->out, "", "paler: inlined into its caller", SAMPLE_CELLS, l->cells);
	if (l->t->colors >= CR_COLORS_256)
		put_entry(
			l->out, "", "greyer: a caller of the zoomed frame", SAMPLE_CELLS, l->cells);
	put_sample(l, ' ', cr_pane_look_on(&p, cr_pane_color(&p, CR_THEME_MATCH), 0),
		"matches the search");
}

/* The bars at the start of a frame, for terminals that draw whole cells only. */
static void
put_bars(const struct legend *l)
{
	static const struct {
		bool kernel, inlined;
		const char *about;
	} bars[] = {
		{true, false, "starts a frame of the kernel"},
		{false, true, "starts a frame that is inlined into its caller"},
		{true, true, "starts a frame that is both"},
	};

	for (size_t i = 0; i < CR_LEN(bars); i++) {
		char key[5] = "";

		cr_utf8_encode(cr_pane_bar(l->t, bars[i].kernel, bars[i].inlined), key);
		put_entry(l->out, key, bars[i].about, SAMPLE_CELLS, l->cells);
	}
	put_entry(l->out, (const char[]){CR_PANE_BAR_NAMELESS, 0},
		"starts a frame of a function without a name", SAMPLE_CELLS, l->cells);
	if (l->t->colors == CR_COLORS_NONE)
		put_entry(l->out, "", "bold and underlined: matches the search", SAMPLE_CELLS,
			l->cells);
}

static void
put_legend(const struct legend *l)
{
	const struct cr_pane p = {.term = l->t, .theme = cr_session_theme(l->s)};

	cr_pane_help_heading(l->out, CR_PANE_LEGEND);
	put_entry(l->out, "Width",
		cr_session_sides(l->s) == 2
			? "the larger of its shares before and after, including its callees"
			: "the cost of a function and its callees; the whole line is the whole "
			  "cost, or that of the zoom",
		KEYS_CELLS, l->cells);
	put_entry(l->out, "Rows",
		cr_session_root_up(l->s) ? "below a function are its callees (i: above)"
					 : "above a function are its callees (i: below)",
		KEYS_CELLS, l->cells);
	put_entry(l->out, "Shares",
		cr_session_sides(l->s) == 2
			? "of all that the filters leave, on each side, also after a zoom"
			: "of all that the filters leave; after a zoom, of the zoom, unless the "
			  "title says: not zoomed",
		KEYS_CELLS, l->cells);
	put_entry(l->out, "self, SELF", "the cost of a function alone", KEYS_CELLS, l->cells);
	put_entry(l->out, "total, TOTAL", "the cost of a function and its callees", KEYS_CELLS,
		l->cells);
	put_entry(l->out, cr_pane_mark(&p, "\xe2\x9a\xa0", "!"),
		"in the top line: data is missing; the key ! shows what", KEYS_CELLS, l->cells);
	put_colors(l);
	if (!cr_pane_fine(l->t))
		put_bars(l);
	put_sample(l, l->t->unicode ? 0x2591 : ':', CR_LOOK_PLAIN,
		"several functions, each too narrow to be drawn");
	put_sample(l, ' ', cr_pane_look_selected(&p), "selected");
}

static void
put_glossary(struct cr_text *out, uint32_t cells)
{
	cr_pane_help_heading(out, "Words in the views");
	for (size_t i = 0; cr_glossary_at(i); i++)
		put_entry(
			out, cr_glossary_at(i)->word, cr_glossary_at(i)->about, KEYS_CELLS, cells);
}

void
cr_pane_help_text(const struct cr_session *s, const struct cr_term *t, uint32_t cells,
	struct cr_text *out, cr_sample_looks *samples)
{
	const struct legend legend = {s, t, cells, out, samples};

	put_keys(out, cr_view_index(s), cells);
	cr_pane_help_heading(out, "Mouse");
	for (size_t i = 0; cr_keymap_mouse_at(i); i++)
		put_entry(out, cr_keymap_mouse_at(i)->name, cr_keymap_mouse_at(i)->about,
			KEYS_CELLS, cells);
	put_legend(&legend);
	put_glossary(out, cells);
	put_commands(out, cells);
}
