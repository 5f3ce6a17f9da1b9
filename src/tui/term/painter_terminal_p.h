#ifndef CR_TUI_PAINTER_TERMINAL_P_H
#define CR_TUI_PAINTER_TERMINAL_P_H

#include "base/text.h"
#include "tui/term.h"

/* What a terminal can do. Sequences are "" if the terminal lacks them; they are borrowed. */
struct cr_painter_terminal {
	enum cr_color_depth colors;
	bool unicode;
	/*
	 * Its sequences are those of ECMA-48, as in all terminals of today. Without it there are no
	 * colours, and only the sequences below and go() are used.
	 */
	bool ansi;
	bool turns_off;      /* attributes can be turned off one by one */
	bool default_colors; /* 39 and 49 select the default colours */
	bool fills;          /* erasing and scrolling fill with the current background */
	bool erases;         /* ECH: erase some characters */
	bool repeats;        /* REP: repeat the last character */
	bool scrolls;        /* DECSTBM: scroll some lines */
	bool shifts;         /* DCH and ICH: move the rest of a line */
	bool no_corner;      /* a character in the last cell scrolls the screen */
	uint8_t attrs;       /* those of enum cr_attr that it has */
	uint8_t plain_attrs; /* of these, those that it has only without colours */
	const char *clear, *reset, *bold, *dim, *reverse, *underline;
	const char *show_cursor, *hide_cursor;
	/* Append the sequence that moves the cursor to a cell. */
	void (*go)(int32_t x, int32_t y, struct cr_text *out);
	/* Append the SGR parameters that select a colour by its number there: "38;5;12". */
	void (*put_color)(int32_t color, bool background, struct cr_text *out);
};

#endif
