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
 * State of a store being read into tables whose values are all in range. It is the origin of the
 * profile, since more may be read later.
 */
struct cr_opening {
	struct cr_origin origin; /* must be the first member, see opening_of() */
	struct cr_source *src;   /* NULL: the caller owns the bytes */
	const unsigned char *bytes;
	bool unchecked; /* skip the checksums */
	struct cr_directory dir;
	uint64_t budget;        /* bytes of memory that may still be allocated */
	struct cr_str *strings; /* bound[CR_BOUND_STRINGS] of them */
	struct cr_str *sources; /* bound[CR_BOUND_SOURCES] of them */
	uint64_t bound[CR_BOUNDS];
	uint32_t stored_flags;
	unsigned tried;         /* bits of enum cr_store_parts: read or lost */
	bool no_tasks, no_tree; /* lost, together with everything that refers to them */
	bool zones_disagree;    /* a disagreement of zones and samples was reported */
	struct cr_default_tree_check *check; /* comparison of the default tree; NULL if not begun */
	bool recalls;           /* if they agree, add the file to the list of proven_p.h */
	struct cr_proven_id id; /* identity of the file, if recalls */
	bool summed;            /* the samples were compared with the totals of the events */
	void *columns[CR_SAMPLE_COLUMNS]; /* by column; NULL if not read; those of p->samples */
	/* By column: the descriptor, + 1, of the file that it is in; 0 if it is in memory. */
	int file1[CR_SAMPLE_COLUMNS];
	struct cr_sample_zone *zones;  /* those of p->samples */
	struct cr_field *fields;       /* those of p */
	struct cr_function *functions; /* those of p */
	struct cr_profile *p;
	struct cr_log *log; /* log of the current call */
	CR_VEC(struct cr_quality) lost;
};

/* Continue without a part of the store; log it and add it to the quality. */
void cr_opening_lose(struct cr_opening *o, const char *part, const struct cr_err *err);

/*
 * Allocate `count` items of `size` bytes, zeroed: from the heap (the caller frees it), or owned by
 * the profile. Returns NULL with *err set if a store of this size may not use that much memory.
 */
void *cr_opening_heap(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err);
void *cr_opening_room(struct cr_opening *o, uint64_t count, size_t size, struct cr_err *err);

/*
 * The same for a table that is filled and read in order. A large one is in a temporary file, if one
 * can be created: then cr_mapping_done() drops its pages from memory, and *file1 becomes its
 * descriptor, + 1, which the caller closes; otherwise 0.
 */
void *cr_opening_room_filed(
	struct cr_opening *o, uint64_t count, size_t size, int *file1, struct cr_err *err);

/* Find a section. CR_EFORMAT if the store lacks it, CR_EUNSUPPORTED if it has a newer version. */
int cr_opening_section(const struct cr_opening *o, enum cr_section_id id,
	const struct cr_section **out, struct cr_err *err);
const struct cr_block *cr_opening_block(
	const struct cr_opening *o, const struct cr_section *s, uint32_t number);

/* Fail with "section 'samples' is damaged: HOW", at the offset of the block. */
int cr_opening_damaged(
	const struct cr_section *s, const struct cr_block *b, const char *how, struct cr_err *err);

/* Check the checksum of a block. */
int cr_opening_check(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_err *err);

/* Read a block of texts. They are unpacked into the profile's memory and stay there. */
int cr_opening_texts(struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_cursor *out, struct cr_err *err);

/* Read a table of structs, owned by the profile; *n rows. NULL with *err set on failure. */
void *cr_opening_structs(
	struct cr_opening *o, enum cr_section_id id, uint32_t *n, struct cr_err *err);

/* Read further columns into structs that were read before. Fails if the number of rows is not n. */
int cr_opening_fields(
	struct cr_opening *o, enum cr_section_id id, void *rows, uint32_t n, struct cr_err *err);

/* Read a table of arrays, owned by the profile, into bases[], in the order of the columns. */
int cr_opening_arrays(
	struct cr_opening *o, enum cr_section_id id, void **bases, uint64_t *n, struct cr_err *err);

/* The same, but the caller frees the arrays, also on failure. */
int cr_opening_arrays_heap(
	struct cr_opening *o, enum cr_section_id id, void **bases, uint64_t *n, struct cr_err *err);

/*
 * Read a table of one column with plain values into `array`, which has room for all its rows. want:
 * by block, not 0 if it is read; NULL for all. file1: see cr_opening_room_filed(); the values are
 * written to the file. spans: by block, set for each block that was read and has rows; may be NULL.
 */
int cr_opening_column(struct cr_opening *o, const struct cr_section *s, void *array, int file1,
	const uint8_t *want, struct cr_column_span *spans, struct cr_err *err);

/*
 * Read one block of such a table into an array that has room for its rows. It does not change o, so
 * several threads may call it at once, each with its own scratch buffer. A scratch for s also
 * serves other sections whose blocks have no more rows.
 */
struct cr_opening_scratch *cr_opening_scratch_new(
	const struct cr_opening *o, const struct cr_section *s);
void cr_opening_scratch_free(struct cr_opening_scratch *w);
int cr_opening_column_block(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	void *array, struct cr_opening_scratch *w, struct cr_err *err);

/* Read the bytes of a block of a table; borrowed until the next call with this scratch. */
int cr_opening_block_bytes(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	struct cr_opening_scratch *w, struct cr_cursor *out, struct cr_err *err);

/*
 * *is: the head of the block's only column proves that all rows have the same value, *value. Fails
 * if the block cannot be read.
 */
int cr_opening_constant(const struct cr_opening *o, const struct cr_section *s, uint32_t number,
	bool *is, uint64_t *value, struct cr_err *err);

#endif
