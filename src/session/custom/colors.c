#include "colors_p.h"

#include "session/commands/argument_p.h"
#include "session/state_p.h"

#include <string.h>

/* Fail with the words that name_at() lists. */
static int
bad_word(struct cr_err *err, const char *what, const char *given, const char *(*name_at)(size_t i))
{
	struct cr_text words = {0};
	int rc;

	for (size_t i = 0; name_at(i); i++)
		cr_text_printf(&words, "%s%s", i ? ", " : "", name_at(i));
	rc = cr_argument_bad(err, what, given, words.p);
	cr_text_fini(&words);
	return rc;
}

/* ---- names */

static const char *
palette_at(size_t i)
{
	return i < CR_PALETTES ? cr_palette_name((enum cr_palette)i) : NULL;
}

static const char *
part_at(size_t i)
{
	return i < CR_THEME_PARTS ? cr_theme_part_name((enum cr_theme_part)i) : NULL;
}

/* ---- commands */

int
cr_colors_palette(struct cr_session *s, const char *args, struct cr_err *err)
{
	if (strcmp(args, "next") == 0) {
		s->palette = (s->palette + 1) % CR_PALETTES;
		cr_text_printf(&s->message, "colours by %s", cr_palette_name(s->palette));
		return CR_OK;
	}
	if (cr_palette_find(args, &s->palette))
		return CR_OK;
	return bad_word(err, "palette", args, palette_at);
}

int
cr_colors_theme(struct cr_session *s, const char *args, struct cr_err *err)
{
	for (size_t i = 0; cr_theme_name_at(i); i++)
		if (strcmp(cr_theme_name_at(i), args) == 0) {
			s->theme = cr_theme_made(i);
			return CR_OK;
		}
	return bad_word(err, "theme", args, cr_theme_name_at);
}

int
cr_colors_part(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_str name = {args, (uint32_t)strcspn(args, " ")};
	const char *value = args + name.len + strspn(args + name.len, " ");
	struct cr_text now = {0};
	uint32_t part = 0, rgb;

	while (part_at(part) && !cr_str_eq(name, cr_str_of(part_at(part))))
		part++;
	if (!part_at(part))
		return bad_word(err, "colour", args, part_at);
	if (*value && !cr_color_parse(cr_str_of(value), &rgb))
		return bad_word(err, "colour value (or #rrggbb)", value, cr_color_name_at);
	if (*value) {
		s->theme.color[part] = s->theme.few[part] = rgb;
	} else if (out) {
		cr_color_put(s->theme.color[part], &now);
		fprintf(out, "color %s %s\n", part_at(part), now.p);
	}
	cr_text_fini(&now);
	return CR_OK;
}

void
cr_colors_each(const struct cr_session *s,
	void (*put)(void *to, const char *command, struct cr_str args), void *to)
{
	const struct cr_theme made = cr_theme_made(s->theme.row);
	struct cr_text args = {0};

	if (s->theme.row)
		put(to, "theme", cr_str_of(cr_theme_name_at(s->theme.row)));
	for (int part = 0; part < CR_THEME_PARTS; part++) {
		if (s->theme.color[part] == made.color[part] &&
			s->theme.few[part] == made.few[part])
			continue;
		cr_text_clear(&args);
		cr_text_printf(&args, "%s ", part_at((size_t)part));
		cr_color_put(s->theme.color[part], &args);
		put(to, "color", cr_text_view(&args));
	}
	cr_text_fini(&args);
}
