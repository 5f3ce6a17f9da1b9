#ifndef CR_SESSION_STORED_LIST_H
#define CR_SESSION_STORED_LIST_H

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"
#include "store/catalog.h"

struct cr_profile;

/* The stored profiles as they are listed, with what can be read of each without opening it. */
struct cr_stored {
	const struct cr_catalog_entry *entry;
	struct cr_profile *p; /* facts and events; NULL if it cannot be read, see err */
	struct cr_err err;
	struct cr_str date, host, event, command, note; /* borrowed from p; "" if not known */
	uint64_t samples, duration_ns;
	bool has_duration;
};

struct cr_stored_list {
	struct cr_catalog catalog;
	CR_VEC(struct cr_stored) rows; /* by name */
};

/*
 * List a directory of profiles. wanted() says by its name whether a profile is read; NULL: all are.
 * A missing directory is an empty list. Fails as cr_catalog_list() does, and leaves nothing to free
 * then; else free with cr_stored_list_fini().
 */
int cr_stored_list_make(const char *dir, bool (*wanted)(const void *user, const char *name),
	const void *user, struct cr_stored_list *out, struct cr_err *err);
void cr_stored_list_fini(struct cr_stored_list *l);

/* What a list can be sorted by: "name", "date" ...; NULL past the last. */
const char *cr_stored_sort_word(size_t i);

/* Sort by one of these words; ties are by name. False, and nothing is done, for any other word. */
bool cr_stored_list_sort(struct cr_stored_list *l, const char *word, bool reverse);

/* True if the profile has this tag: "KEY", or "KEY=VALUE". */
bool cr_stored_has_tag(const struct cr_profile *p, const char *tag);

/* Append the tags, "host=demo release=1.4", safe for a terminal. */
void cr_stored_put_tags(const struct cr_profile *p, struct cr_text *out);

/* The samples of all events together; of counts of an unknown unit their sum. */
uint64_t cr_stored_samples(const struct cr_profile *p);

#endif
