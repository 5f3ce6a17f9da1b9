#ifndef CR_SESSION_CUSTOM_P_H
#define CR_SESSION_CUSTOM_P_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Tables of the user's lines of commands by name: of keys that are bound, of macros, of bookmarks.
 * Keys have the names that cr_key_put_name() prints.
 */
enum cr_custom_kind { CR_CUSTOM_KEY, CR_CUSTOM_MACRO, CR_CUSTOM_BOOKMARK, CR_CUSTOM_KINDS };

struct cr_custom;

struct cr_custom *cr_custom_new(void);
void cr_custom_free(struct cr_custom *c);

/* True for one or more letters, digits, '-', '_' and characters of `also`, all of them ASCII. */
bool cr_custom_is_name(struct cr_str name, const char *also);

/* The line of a name of `len` bytes; NULL if there is none. Borrowed until it is changed. */
const char *cr_custom_find(
	const struct cr_custom *c, enum cr_custom_kind kind, const char *name, size_t len);

/* The name and the line in row i. False past the last. */
bool cr_custom_at(const struct cr_custom *c, enum cr_custom_kind kind, size_t i, const char **name,
	const char **line);

/* Replace or add the line of a name; both are copied. "" removes it. */
void cr_custom_put(
	struct cr_custom *c, enum cr_custom_kind kind, const char *name, const char *line);

#endif
