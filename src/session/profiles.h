#ifndef CR_SESSION_PROFILES_H
#define CR_SESSION_PROFILES_H

#include "session/session.h"

struct cr_load_opts;

/*
 * Let the session open other profiles, and list and change those that are stored: load says where
 * the store is and how inputs are read. Borrowed as long as the session lives. Without this call,
 * or with NULL, the session has no store.
 */
void cr_session_set_store(struct cr_session *s, const struct cr_load_opts *load);

/* Call each() with the name of every stored profile that the session can open, in their order. */
void cr_session_stored_names(
	const struct cr_session *s, void (*each)(void *user, const char *name), void *user);

/* A session that shows no profile yet, from which one can be opened. */
int cr_session_new_empty(struct cr_session **out, struct cr_err *err);
/* True as long as none was opened. */
bool cr_session_is_empty(const struct cr_session *s);

#endif
