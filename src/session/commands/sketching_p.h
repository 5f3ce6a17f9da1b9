#ifndef CR_SESSION_COMMANDS_SKETCHING_P_H
#define CR_SESSION_COMMANDS_SKETCHING_P_H

#include "session/state_p.h"

struct cr_command;

/*
 * True if a command does the same to a tree that is a sketch (query/fold/sketch/sketch.h) as to the
 * complete tree. Before any other command cr_session_complete() replaces the sketch.
 */
bool cr_sketching_allows(const struct cr_session *s, const struct cr_command *c, const char *args);

#endif
