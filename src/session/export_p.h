#ifndef CR_SESSION_EXPORT_P_H
#define CR_SESSION_EXPORT_P_H

#include "session/session.h"

struct cr_view;

/*
 * Write what the session shows, from the zoom on, to a file. given: "PATH NAME=VALUE ...", where
 * the extension selects the format and the values are its options; ~/ is the home directory.
 * CR_EEXISTS if the file exists, unless `over`. The message of the session tells what was written.
 */
int cr_export(struct cr_session *s, const char *given, bool over, struct cr_err *err);

/* The extensions of files of text and tables: .txt, .csv, .json; NULL past the last. */
const char *cr_export_page_extension(size_t i);
/*
 * True if a path selects such a file: it has one of these extensions, and no longer one of an
 * output format, such as .speedscope.json.
 */
bool cr_export_is_page(const char *path);

/*
 * Append a view in the form "txt", "csv" or "json". CR_EUSAGE for another word, CR_EEMPTY if the
 * view has nothing for a table.
 */
int cr_export_put_view(struct cr_session *s, struct cr_view *v, const char *form,
	struct cr_text *out, struct cr_err *err);

/*
 * Write the current view to such a file: its text as `print` prints it, or its table. CR_EEMPTY if
 * the view has nothing for a table, CR_EIO if the file cannot be written.
 */
int cr_export_page(struct cr_session *s, const char *path, struct cr_err *err);

/* Create or replace the file at path with this text. */
int cr_export_text(const char *path, const struct cr_text *text, struct cr_err *err);

/* Expand ~/x to the home directory, like a shell. The caller frees the result. */
char *cr_export_path(const char *path);

/* CR_EEXISTS if there is a file at an expanded path. given: as the user wrote it. */
int cr_export_check_new(const char *path, const char *given, struct cr_err *err);

#endif
