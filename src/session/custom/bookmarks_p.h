#ifndef CR_SESSION_BOOKMARKS_P_H
#define CR_SESSION_BOOKMARKS_P_H

#include "session/session.h"

/*
 * Bookmarks: each is a name and a line of commands that shows what was shown when it was added. A
 * stored profile keeps its bookmarks as facts "bookmark.NAME", next to its note. Bookmarks of a
 * difference or of a recording that is not stored last until the profile is closed.
 *
 * A profile may come from anywhere. Therefore bookmarks with a command that does more than choose
 * what is shown are ignored.
 */

/*
 * Add a bookmark for what is shown; it replaces one of the same name. The
 * message of the session says whether it is stored. CR_EUSAGE if the name has other characters than
 * letters, digits, '-', '_' and '.', or if what is shown cannot be written as commands. If the
 * store cannot be written, the bookmark is added all the same, and that error is returned.
 */
int cr_bookmarks_set(struct cr_session *s, const char *name, struct cr_err *err);

/*
 * Run the commands of a bookmark as one step of undo; they print to out. CR_ENOTFOUND if there is
 * no bookmark of this name. If a command fails, what was shown before is shown again.
 */
int cr_bookmarks_go(struct cr_session *s, const char *name, FILE *out, struct cr_err *err);

/*
 * Remove a bookmark, in the stored profile too. CR_ENOTFOUND if there is no bookmark of this name;
 * fails as cr_bookmarks_set() does if the store cannot be written.
 */
int cr_bookmarks_forget(struct cr_session *s, const char *name, struct cr_err *err);

/* Append a line for each bookmark, its name and its commands, or a line that says there is none. */
void cr_bookmarks_print(const struct cr_session *s, struct cr_text *out);

#endif
