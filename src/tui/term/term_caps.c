#include "term_caps_p.h"

#include "terminfo_p.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

/* ---- opening */

/*
 * True if the terminal shows 24-bit colours although its terminfo entry has fewer: COLORTERM or the
 * capability Tc, which tmux reads too, announces them. screen does not pass them on.
 */
static bool
has_direct_colors(void)
{
	const char *says = getenv("COLORTERM");

	if (getenv("STY") || tigetnum("colors") < 256 || tigetflag("RGB") > 0)
		return false;
	return (says && (strcmp(says, "truecolor") == 0 || strcmp(says, "24bit") == 0)) ||
	       tigetflag("Tc") > 0;
}

/* newterm() with a terminfo entry, without a lasting change of the environment. */
static SCREEN *
screen_of(const char *type, const char *terminfo, FILE *out, FILE *in)
{
	const char *value = getenv("TERMINFO");
	char *was = value ? cr_strdup(value) : NULL;
	SCREEN *screen;

	setenv("TERMINFO", terminfo, 1);
	screen = newterm(type, out, in);
	if (was)
		setenv("TERMINFO", was, 1);
	else
		unsetenv("TERMINFO");
	free(was);
	return screen;
}

SCREEN *
cr_term_caps_screen(const char *type, FILE *out, FILE *in)
{
	struct cr_text terminfo = {0};
	SCREEN *screen = NULL;
	int found;

	if (setupterm(type, fileno(out), &found) == OK) {
		if (has_direct_colors())
			cr_terminfo_direct(type, &terminfo);
		del_curterm(cur_term);
		if (terminfo.len)
			screen = screen_of(type, terminfo.p, out, in);
		if (!screen)
			screen = newterm(type, out, in);
	} else if (cr_terminfo_builtin(type, &terminfo)) {
		screen = screen_of(type, terminfo.p, out, in);
	}
	cr_text_fini(&terminfo);
	return screen;
}

/* ---- capabilities */

const char *
cr_term_cap(const char *name)
{
	const char *s = tigetstr(name);

	return s && s != (char *)-1 ? s : "";
}

void
cr_term_caps_put(struct cr_text *out, const char *s)
{
	while (*s) {
		const char *pause = strstr(s, "$<"), *end = pause ? strchr(pause, '>') : NULL;

		cr_text_put(out, s, end ? (size_t)(pause - s) : strlen(s));
		s = end ? end + 1 : s + strlen(s);
	}
}

/* True for types whose windows have a title. Others, such as some consoles, would print it. */
static bool
may_title(void)
{
	static const char *const types[] = {"xterm", "tmux", "screen", "rxvt", "alacritty", "foot",
		"wezterm", "konsole", "gnome", "putty", "st-"};
	const char *type = getenv("TERM");

	for (size_t i = 0; type && i < CR_LEN(types); i++)
		if (strncmp(type, types[i], strlen(types[i])) == 0)
			return true;
	return false;
}

void
cr_term_caps_go(int32_t x, int32_t y, struct cr_text *out)
{
	cr_term_caps_put(out, tiparm(cr_term_cap("cup"), (int)y, (int)x));
}

/* ---- for the painter */

static enum cr_color_depth
colors_detect(void)
{
	const char *no_color = getenv("NO_COLOR"), *cli_color = getenv("CLICOLOR");
	const bool unwanted = (no_color && *no_color) || (cli_color && strcmp(cli_color, "0") == 0);
	const int colors = tigetnum("colors");

	if (unwanted || colors < 8 || strncmp(cr_term_cap("setaf"), "\033[", 2) != 0)
		return CR_COLORS_NONE;
	if (tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || *cr_term_cap("RGB"))
		return CR_COLORS_DIRECT;
	return colors >= 256 ? CR_COLORS_256 : colors >= 16 ? CR_COLORS_16 : CR_COLORS_8;
}

/* The parameters of a sequence such as "\033[38;5;12m". */
static void
put_color(int32_t color, bool background, struct cr_text *out)
{
	const char *s = tiparm(cr_term_cap(background ? "setab" : "setaf"), (int)color);
	const size_t len = strlen(s);

	if (len > 3)
		cr_text_put(out, s + 2, len - 3);
}

/* The attributes that the terminal cannot show together with colours, as curses numbers them. */
static uint8_t
plain_attrs(void)
{
	const int ncv = CR_MAX(tigetnum("ncv"), 0);

	return (uint8_t)((ncv & 2 ? CR_ATTR_UNDERLINE : 0) | (ncv & 4 ? CR_ATTR_REVERSE : 0) |
			 (ncv & 16 ? CR_ATTR_DIM : 0) | (ncv & 32 ? CR_ATTR_BOLD : 0));
}

void
cr_term_caps_init(struct cr_term_caps *c, bool unicode)
{
	static const struct {
		const char *name;
		uint8_t attr;
	} caps[CR_LEN(c->sequences)] = {{"clear", 0}, {"sgr0", 0}, {"bold", CR_ATTR_BOLD},
		{"dim", CR_ATTR_DIM}, {"rev", CR_ATTR_REVERSE}, {"smul", CR_ATTR_UNDERLINE},
		{"cnorm", 0}, {"civis", 0}};
	struct cr_painter_terminal *p = &c->painter;
	const char **const to[CR_LEN(c->sequences)] = {&p->clear, &p->reset, &p->bold, &p->dim,
		&p->reverse, &p->underline, &p->show_cursor, &p->hide_cursor};

	*c = (struct cr_term_caps){.pastes = false};
	for (size_t i = 0; i < CR_LEN(caps); i++) {
		cr_text_puts(&c->sequences[i], "");
		cr_term_caps_put(&c->sequences[i], cr_term_cap(caps[i].name));
		*to[i] = c->sequences[i].p;
		p->attrs |= c->sequences[i].len ? caps[i].attr : 0;
	}
	p->ansi = strncmp(cr_term_cap("cup"), "\033[", 2) == 0;
	p->unicode = unicode;
	p->colors = p->ansi ? colors_detect() : CR_COLORS_NONE;
	p->turns_off = tigetnum("colors") >= 8;
	p->default_colors = strcmp(cr_term_cap("op"), "\033[39;49m") == 0;
	p->fills = tigetflag("bce") > 0;
	p->erases = strncmp(cr_term_cap("ech"), "\033[", 2) == 0;
	p->repeats = strstr(cr_term_cap("rep"), "\033[") != NULL;
	p->scrolls = p->ansi && *cr_term_cap("csr") && *cr_term_cap("ri");
	p->shifts = strncmp(cr_term_cap("dch"), "\033[", 2) == 0 &&
		    strncmp(cr_term_cap("ich"), "\033[", 2) == 0;
	p->no_corner = tigetflag("am") > 0 && tigetflag("xenl") <= 0;
	p->plain_attrs = plain_attrs();
	p->go = cr_term_caps_go;
	p->put_color = put_color;
	/* Terminals with ANSI sequences ignore unknown modes; few entries list this one. */
	c->pastes = p->ansi;
	c->mouse = c->pastes && *cr_term_cap("kmous");
	c->titles = may_title();
}

void
cr_term_caps_fini(struct cr_term_caps *c)
{
	for (size_t i = 0; i < CR_LEN(c->sequences); i++)
		cr_text_fini(&c->sequences[i]);
}
