#include "settings_p.h"

#include "colors_p.h"
#include "custom_p.h"

#include "base/mem.h"
#include "session/key.h"
#include "session/session_p.h"
#include "session/views/view.h"

#include <stdlib.h>
#include <string.h>

#define COLOR_PREFIX "color." /* of the options that set one colour */
#define LINE_MOST 4096        /* bytes of a line of the configuration */

/* ---- options: each is a command, and has a value now */

static const char *
value_palette(const struct cr_session *s)
{
	return cr_palette_name(s->palette);
}

static const char *
value_theme(const struct cr_session *s)
{
	return cr_theme_name_at(s->theme.row);
}

static const char *
value_view(const struct cr_session *s)
{
	return cr_view_current(s)->ops->name;
}

static const char *
value_root(const struct cr_session *s)
{
	return s->root_up ? "up" : "down";
}

static const char *
value_split(const struct cr_session *s)
{
	switch (s->split.how) {
	case CR_SPLIT_NONE: return "none";
	case CR_SPLIT_BESIDE: return "beside";
	case CR_SPLIT_BELOW: return "below";
	case CR_SPLIT_AUTO: return "auto";
	}
	return "";
}

static const char *
value_mouse(const struct cr_session *s)
{
	return s->mouse_off ? "off" : "on";
}

static const struct {
	const char *name; /* of the command that sets it */
	const char *(*value)(const struct cr_session *s);
} options[] = {
	{"palette", value_palette},
	{"theme", value_theme},
	{"view", value_view},
	{"root", value_root},
	{"split", value_split},
	{"mouse", value_mouse},
};

const char *
cr_session_option_at(size_t i)
{
	return i < CR_LEN(options) ? options[i].name : NULL;
}

/* "set color.match #ff0000"; the theme is an option. */
static void
put_color(void *to, const char *command, struct cr_str args)
{
	if (strcmp(command, "color") == 0)
		fprintf(to, "set color.%.*s\n", (int)args.len, args.p);
}

static void
put_all(const struct cr_session *s, FILE *out)
{
	const char *name, *line;

	for (size_t i = 0; i < CR_LEN(options); i++)
		fprintf(out, "set %s %s\n", options[i].name, options[i].value(s));
	cr_colors_each(s, put_color, out);
	for (size_t i = 0; cr_session_bound_at(s, i, &name, &line); i++)
		fprintf(out, "bind %s %s\n", name, line);
	for (size_t i = 0; cr_session_macro_at(s, i, &name, &line); i++)
		fprintf(out, "macro %s %s\n", name, line);
}

int
cr_settings_set(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const size_t len = strcspn(args, " ");
	struct cr_text names = {0};
	int rc;

	if (!*args && out)
		put_all(s, out);
	if (!*args)
		return CR_OK;
	if (strncmp(args, COLOR_PREFIX, strlen(COLOR_PREFIX)) == 0)
		return cr_colors_part(s, args + strlen(COLOR_PREFIX), out, err);
	for (size_t i = 0; i < CR_LEN(options); i++) {
		const char *name = options[i].name;

		cr_text_printf(&names, "%s%s", i ? ", " : "", name);
		if (strlen(name) != len || memcmp(name, args, len) != 0)
			continue;
		cr_text_fini(&names);
		if (args[len + strspn(args + len, " ")])
			return cr_session_run(s, args, out, err);
		if (out)
			fprintf(out, "set %s %s\n", name, options[i].value(s));
		return CR_OK;
	}
	rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
		"set: no option '%.*s': one of %s, " COLOR_PREFIX "PART",
		(int)CR_MIN(len, (size_t)40), args, names.p);
	cr_text_fini(&names);
	return rc;
}

/* ---- keys and macros */

const char *
cr_session_bound(const struct cr_session *s, const char *key)
{
	return cr_custom_find(s->custom, CR_CUSTOM_KEY, key, strlen(key));
}

bool
cr_session_bound_at(const struct cr_session *s, size_t i, const char **key, const char **line)
{
	return cr_custom_at(s->custom, CR_CUSTOM_KEY, i, key, line);
}

bool
cr_session_macro_at(const struct cr_session *s, size_t i, const char **name, const char **line)
{
	return cr_custom_at(s->custom, CR_CUSTOM_MACRO, i, name, line);
}

bool
cr_session_mouse(const struct cr_session *s)
{
	return !s->mouse_off;
}

/* Split "NAME LINE". Returns the name, which the caller frees; *line points into args. */
static char *
name_split(const char *args, const char **line)
{
	const size_t len = strcspn(args, " ");

	*line = args + len + strspn(args + len, " ");
	return cr_memdup(args, len);
}

int
cr_settings_bind(struct cr_session *s, const char *args, struct cr_err *err)
{
	const char *line;
	char *name = name_split(args, &line);
	int rc = CR_OK;

	if (!cr_key_of_name(name))
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"bind: no key is called '%.40s'; names are like x, F5, Ctrl-T, Space, Up",
			name);
	else
		cr_custom_put(s->custom, CR_CUSTOM_KEY, name, line);
	free(name);
	return rc;
}

static bool
is_command(const char *name)
{
	for (size_t i = 0; cr_command_at(i); i++)
		if (strcmp(cr_command_at(i)->name, name) == 0)
			return true;
	return cr_word_find(cr_str_of(name)) != CR_WORDS;
}

int
cr_settings_macro(struct cr_session *s, const char *args, struct cr_err *err)
{
	const char *line;
	char *name = name_split(args, &line);
	int rc = CR_OK;

	if (!cr_custom_is_name(cr_str_of(name), ""))
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"macro: '%.40s' is not a name of letters, digits, - and _", name);
	else if (is_command(name))
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "macro: %.40s is a command", name);
	else
		cr_custom_put(s->custom, CR_CUSTOM_MACRO, name, line);
	free(name);
	return rc;
}

/* ---- the configuration file */

/* One line; blanks at its ends are cut. */
static int
line_apply(struct cr_session *s, const char *line, struct cr_err *err)
{
	static const char *const words[] = {"set", "bind", "macro"};
	const size_t len = strcspn(line, " ");

	if (!*line || *line == '#')
		return CR_OK;
	for (size_t i = 0; i < CR_LEN(words); i++)
		if (strlen(words[i]) == len && memcmp(line, words[i], len) == 0)
			return cr_session_run(s, line, NULL, err);
	return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "no '%.*s' here: set, bind, macro or #",
		(int)CR_MIN(len, (size_t)40), line);
}

int
cr_session_configure(struct cr_session *s, const char *path, struct cr_str text, struct cr_err *err)
{
	struct cr_text line = {0};
	uint32_t number = 0;
	int rc = CR_OK;

	for (uint32_t at = 0; at < text.len; number++) {
		const char *p = text.p + at, *end = memchr(p, '\n', text.len - at);
		size_t len = end ? (size_t)(end - p) : text.len - at;
		struct cr_err why = CR_ERR_INIT;

		at += (uint32_t)len + 1;
		while (len && strchr(" \t\r", p[len - 1]))
			len--;
		for (; len && strchr(" \t", *p); len--)
			p++;
		cr_text_clear(&line);
		cr_text_put(&line, p, CR_MIN(len, (size_t)LINE_MOST));
		for (size_t i = 0; i < line.len; i++)
			line.p[i] = line.p[i] == '\t' || !line.p[i] ? ' ' : line.p[i];
		if (len && line_apply(s, line.p, &why) < 0 && rc == CR_OK)
			rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s:%u: %s", path, number + 1,
				why.text);
	}
	cr_text_fini(&line);
	cr_session_restart_history(s);
	return rc;
}
