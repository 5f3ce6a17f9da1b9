#ifndef CR_SESSION_COLORS_P_H
#define CR_SESSION_COLORS_P_H

#include "session/session.h"

/* The commands that choose colours, with their arguments. CR_EUSAGE for unknown words. */

/* "next" or the name of a palette. */
int cr_colors_palette(struct cr_session *s, const char *args, struct cr_err *err);

/* The name of a theme. Colours that were set one by one become those of the theme. */
int cr_colors_theme(struct cr_session *s, const char *args, struct cr_err *err);

/* "PART COLOUR": set one colour of the theme. "PART": print it. */
int cr_colors_part(struct cr_session *s, const char *args, FILE *out, struct cr_err *err);

/*
 * Call put() with each command that leads from the first theme to the present one: "theme", "dark";
 * "color", "match #ff0000".
 */
void cr_colors_each(const struct cr_session *s,
	void (*put)(void *to, const char *command, struct cr_str args), void *to);

#endif
