#ifndef CR_SESSION_EXPORT_P_H
#define CR_SESSION_EXPORT_P_H

#include "session/session.h"

/*
 * Write what the session shows, from the zoom on, to the file of `given`, "PATH NAME=VALUE ...",
 * whose extension says the format, with these options of it; ~/ is the home directory. CR_EEXISTS
 * when it is there, unless `over`. The message says what was written.
 */
int cr_export(struct cr_session *s, const char *given, bool over, struct cr_err *err);

/* The extensions of files of text and tables: .txt, .csv, .json; NULL past the last. */
const char *cr_export_page_extension(size_t i);
bool cr_export_is_page(const char *path);

/*
 * Write the current view to such a file: its text as `print` prints it, or its table. CR_EUSAGE if
 * the view has no table, CR_EIO if the file cannot be written.
 */
int cr_export_page(struct cr_session *s, const char *path, struct cr_err *err);

/* Replace the file at path, or make it, with this text. */
int cr_export_text(const char *path, const struct cr_text *text, struct cr_err *err);

/* ~/x in the home directory, as a shell has it; free() it. */
char *cr_export_path(const char *path);

/* CR_EEXISTS if there is a file at an expanded path. given: as the user wrote it. */
int cr_export_check_new(const char *path, const char *given, struct cr_err *err);

#endif
