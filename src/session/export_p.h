#ifndef CR_SESSION_EXPORT_P_H
#define CR_SESSION_EXPORT_P_H

#include "session/session.h"

/*
 * Write what the session shows, from the zoom on, to the file of `given`, "PATH NAME=VALUE ...",
 * whose extension says the format, with these options of it; ~/ is the home directory. CR_EEXISTS
 * when it is there, unless `over`. The message says what was written.
 */
int cr_export(struct cr_session *s, const char *given, bool over, struct cr_err *err);

#endif
