#ifndef CR_STORE_OPENING_P_H
#define CR_STORE_OPENING_P_H

#include "base/log.h"
#include "base/vec.h"
#include "model/profile.h"
#include "proven_p.h"
#include "store/format/column_p.h"
#include "store/format/directory_p.h"
#include "store/format/layout_p.h"

/*
 * A store that is being read: from its sections to tables whose every value is in range. It is the
 * profile's origin, for there may be more to read.
 */
struct cr_opening {
	struct cr_origin origin; /* the first, see opening_of() */
	struct cr_source *src;   /* NULL: the bytes are the caller's */
	const unsigned char *bytes;
	bool unchecked; /* pass over the checksums */
	struct cr_directory dir;
	uint64_t budget;        /* bytes that may still be asked for */
	struct cr_str *strings; /* bound[CR_BOUND_STRINGS] of them */
	struct cr_str *sources; /* bound[CR_BOUND_SOURCES] of them */
	uint64_t bound[CR_BOUNDS];
	uint32_t stored_flags;
	unsigned had;                        /* enum cr_store_parts: they are there, or lost */
	bool no_tasks, no_tree;              /* lost: and so is what points into them */
	bool zones_disagree;                 /* it was reported that some do */
	struct cr_default_tree_check *check; /* of the default tree, as far as it has come */
	bool recalls;                        /* agreement is to be put on the list of the proven */
	struct cr_proven_id id;              /* of the file, then */
	bool summed;                         /* the samples were found to be what the events say */
	void *columns[CR_SAMPLE_COLUMNS];    /* NULL where not read; as p->samples has them */
	struct cr_sample_zone *zones;        /* those of p->samples */
	struct cr_field *fields;             /* those of p */
	struct cr_profile *p;
	struct cr_log *log; /* of the call at hand */
	CR_VEC(struct cr_quality) lost;
};

/* Go on without a part of the store, and say so wherever the profile is shown. */
void cr_opening_lose(struct cr_opening *o, const char *part, const struct cr_err *err);

/*
 * count items of size bytes, zeroed, from the heap or as the profile's own; NULL with err set
 * when that is more than a store of this size may ask for.
 */
void *cr_opening_heap(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err);
void *cr_opening_room(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err);

/* CR_EFORMAT when the store has no such section, CR_EUNSUPPORTED when it is of a newer version. */
int cr_opening_section(struct cr_opening *o, enum cr_section_id id, const struct cr_section **out,
	struct cr_err *err);
const struct cr_block *cr_opening_block(
	const struct cr_opening *o, const struct cr_section *s, uint32_t number);

/* "section 'samples' is damaged: HOW", at the block's place. */
int cr_opening_damaged(
	const struct cr_section *s, const struct cr_block *b, const char *how, struct cr_err *err);

/* Compare a block with its checksum. */
int cr_opening_check(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_err *err);

/* A block that holds texts, checked; they stay where they are unpacked: in the profile's memory. */
int cr_opening_texts(struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_cursor *out, struct cr_err *err);

/* A table whose rows are structs, the profile's own; NULL with err set when it fails. */
void *cr_opening_structs(
	struct cr_opening *o, enum cr_section_id id, uint32_t *n, struct cr_err *err);

/* A table of more fields of structs that were read already: n rows, or it is an error. */
int cr_opening_fields(
	struct cr_opening *o, enum cr_section_id id, void *rows, uint32_t n, struct cr_err *err);

/* A table whose columns are arrays, the profile's own: put into bases, in the fields' order. */
int cr_opening_arrays(
	struct cr_opening *o, enum cr_section_id id, void **bases, uint64_t *n, struct cr_err *err);

/* The same, but the arrays are the caller's to free(), on failure too. */
int cr_opening_arrays_heap(
	struct cr_opening *o, enum cr_section_id id, void **bases, uint64_t *n, struct cr_err *err);

/*
 * Read a table of one column, whose values are stored as they are, into an array that has room for
 * all of its rows: only the blocks whose want is not 0, or all of them if want is NULL. spans, if
 * not NULL, has an item for each block: those of the blocks that were read and have rows are set.
 */
int cr_opening_column(struct cr_opening *o, const struct cr_section *s, void *array,
	const uint8_t *want, struct cr_column_span *spans, struct cr_err *err);

/*
 * One block of such a table, into an array that has room for its rows. Changes nothing of o, so
 * that threads may do so at once, each with a scratch of its own: for blocks of s and of other
 * sections whose blocks have no more rows.
 */
struct cr_opening_scratch *cr_opening_scratch_new(
	const struct cr_opening *o, const struct cr_section *s);
void cr_opening_scratch_free(struct cr_opening_scratch *w);
int cr_opening_column_block(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	void *array, struct cr_opening_scratch *w, struct cr_err *err);

/* *is: by its head, all rows of the block's only column have the same value, *value. Fails if the
 * block cannot be read. */
int cr_opening_constant(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	bool *is, uint64_t *value, struct cr_err *err);

#endif
