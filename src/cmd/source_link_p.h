#ifndef CR_CMD_SOURCE_LINK_P_H
#define CR_CMD_SOURCE_LINK_P_H

#include "options_p.h"

#include "base/text.h"

/*
 * Where the source files of a profile are on this machine: for links (OSC 8) in tables on a
 * terminal, and for lines that editors read. Files are looked for as for annotate; they are not
 * opened. All zero bytes, but opts, is an empty object.
 */
struct cr_source_links {
	const struct cr_symbol_opts *opts;
	struct cr_str file; /* the one looked for last, and where it is; NULL if it is nowhere */
	char *path;
};

/* Its absolute path, borrowed until the next call; NULL if there is no such file. */
const char *cr_source_path(struct cr_source_links *l, struct cr_str file);

/* Append the URL of the file; false if there is no such file. user: a struct cr_source_links. */
bool cr_source_url(void *user, struct cr_str file, struct cr_text *out);

/* A line that editors understand as a place in a source file, and how much of the cost it has. */
struct cr_quickfix {
	struct cr_str file, function;
	uint32_t line;
	uint64_t self, whole;
};

/*
 * Append "/src/x.c:12: 34.56 % self of main". A file that is not found keeps the path of the
 * profile.
 */
void cr_quickfix_put(struct cr_source_links *l, const struct cr_quickfix *q, struct cr_text *out);

void cr_source_links_fini(struct cr_source_links *l);

#endif
