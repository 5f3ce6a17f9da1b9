#include "pane.h"

#include "keymap.h"

#include "cresset/base/utf8.h"

#include <string.h>

#define INDENT 2
#define KEYS_CELLS 18
#define COMMAND_CELLS 18

/* ---- text in two columns */

static void
put_entry(
	struct cr_text *out, const char *key, const char *about, uint32_t key_cells, uint32_t cells)
{
	const uint32_t used = (uint32_t)strlen(key);

	cr_text_pad(out, ' ', INDENT);
	cr_text_puts(out, key);
	if (used >= key_cells)
		cr_text_char(out, '\n');
	cr_text_pad(out, ' ', used < key_cells ? key_cells - used : INDENT + key_cells);
	cr_text_wrap(out, cr_str_of(about), INDENT + key_cells, CR_MAX(cells, INDENT + key_cells + 20));
}

static void
put_heading(struct cr_text *out, const char *text)
{
	if (out->len)
		cr_text_char(out, '\n');
	cr_text_puts(out, text);
	cr_text_char(out, '\n');
}

/* ---- the help */

static void
put_binding(struct cr_text *out, const struct cr_binding *b, uint32_t cells)
{
	struct cr_text keys = {0}, about = {0};

	for (size_t k = 0; k < CR_BINDING_KEYS && b->keys[k]; k++) {
		cr_text_puts(&keys, k ? " " : "");
		cr_keymap_name(b->keys[k], &keys);
	}
	cr_text_puts(&about, b->about);
	if (b->views == 1u << CR_VIEW_FUNCTIONS)
		cr_text_puts(&about, " (functions)");
	else if (b->views == 1u << CR_VIEW_FLAME)
		cr_text_puts(&about, " (flame)");
	put_entry(out, keys.p, about.p, KEYS_CELLS, cells);
	cr_text_fini(&keys);
	cr_text_fini(&about);
}

static void
put_commands(struct cr_text *out, uint32_t cells)
{
	struct cr_text name = {0};

	put_heading(out, "Commands, after ':' and in scripts; ';' between two");
	for (size_t i = 0; cr_command_at(i); i++) {
		const struct cr_command *c = cr_command_at(i);

		cr_text_clear(&name);
		cr_text_printf(&name, "%s%s%s", c->name, *c->args ? " " : "", c->args);
		put_entry(out, name.p, c->about, COMMAND_CELLS, cells);
	}
	cr_text_fini(&name);
}

void
cr_pane_help_text(uint32_t cells, struct cr_text *out)
{
	const char *group = "";

	for (size_t i = 0; cr_keymap_at(i); i++) {
		const struct cr_binding *b = cr_keymap_at(i);

		if (strcmp(group, b->group) != 0)
			put_heading(out, b->group);
		group = b->group;
		put_binding(out, b, cells);
	}
	put_heading(out, "Mouse");
	for (size_t i = 0; cr_keymap_mouse_at(i); i++)
		put_entry(out, cr_keymap_mouse_at(i)->name, cr_keymap_mouse_at(i)->about,
			KEYS_CELLS, cells);
	put_commands(out, cells);
}

/* ---- any text */

int32_t
cr_pane_text_lines(const struct cr_text *text)
{
	int32_t n = 0;

	for (size_t i = 0; i < text->len; i++)
		n += text->p[i] == '\n';
	return n;
}

void
cr_pane_text_draw(const struct cr_pane *p, const struct cr_text *text, int32_t first, bool headings)
{
	const char *at = text->p ? text->p : "";

	for (int32_t line = 0; *at; line++) {
		const size_t len = strcspn(at, "\n");
		const struct cr_look look = headings && *at != ' ' ? CR_LOOK_BOLD : CR_LOOK_PLAIN;

		if (line >= first && line < first + p->height)
			cr_grid_text(p->g, p->x, p->y + line - first, p->width,
				(struct cr_str){at, (uint32_t)len}, look);
		at += len + (at[len] == '\n');
	}
}
