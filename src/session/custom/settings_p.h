#ifndef CR_SESSION_SETTINGS_P_H
#define CR_SESSION_SETTINGS_P_H

#include "session/session.h"

/* The commands of the configuration file, with their arguments. They can be typed as well. */

/*
 * "NAME VALUE": set an option. "NAME": print it. "": print all that is in force, as lines of a
 * configuration file. CR_EUSAGE for unknown names and values.
 */
int cr_settings_set(struct cr_session *s, const char *args, FILE *out, struct cr_err *err);

/* "KEY COMMAND; COMMAND": what the key does in views. Without a command: what it did before. */
int cr_settings_bind(struct cr_session *s, const char *args, struct cr_err *err);

/* "NAME COMMAND; COMMAND": a new command. Without a command the macro is removed. */
int cr_settings_macro(struct cr_session *s, const char *args, struct cr_err *err);

#endif
