#ifndef CR_SESSION_COMMANDS_COMMANDS_P_H
#define CR_SESSION_COMMANDS_COMMANDS_P_H

#include "session/session.h"

struct cr_view;

/*
 * The functions cr_run_NAME() of commands.def, of the type of `run` in struct cr_command: args is
 * the rest of the line without blanks around it, "" if there is none. out gets what the command
 * prints and may be NULL.
 */
#define SELECTION(id, name, arg, about)
#define FOLDING SELECTION
#define TRANSFORM SELECTION
#define COMMAND(name, handler, args, rest, about) \
	int cr_run_##handler(                     \
		struct cr_session *s, const char *args_given, FILE *out, struct cr_err *err);
#include "session/commands.def"
#undef COMMAND

/* The view with this name or old name; NULL if there is none. */
struct cr_view *cr_command_view(const struct cr_session *s, const char *name);

#endif
