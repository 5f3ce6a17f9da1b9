#ifndef CR_STORE_FORMAT_LAYOUT_P_H
#define CR_STORE_FORMAT_LAYOUT_P_H

#include "column_p.h"
#include "model/profile.h"
#include "model/tree/default_tree.h"

/*
 * Which sections a store has and which columns each of them, in the order of the file. Writer
 * and reader both go by these tables, so that they cannot disagree; cresset-store(5) tells the
 * same in words. A number is never given a second meaning: what changes gets a new version,
 * and the reader keeps the old one.
 */
enum cr_section_id {
	CR_SECTION_SUMMARY = 1, /* flags, facts, events: not a table */
	CR_SECTION_STRINGS = 2, /* every distinct string of the tables below, once */
	CR_SECTION_DSOS = 3,
	CR_SECTION_FUNCTIONS = 4,
	CR_SECTION_TASKS = 5,
	CR_SECTION_FRAMES = 6,       /* of the default tree */
	CR_SECTION_DEFAULT_TREE = 7, /* its nodes, in stores from before 29 */
	CR_SECTION_WEIGHTS = 8,      /* theirs, event-major */
	CR_SECTION_QUALITY = 9,
	CR_SECTION_LOCATIONS = 10,
	CR_SECTION_LINES = 11,
	CR_SECTION_NODES = 12, /* the location tree, in stores from before 31 */
	CR_SECTION_MAPS = 13,
	CR_SECTION_SAMPLES = 14, /* of stores from before 20 */
	CR_SECTION_FIELDS = 15,
	CR_SECTION_VALUES = 16, /* of the fields, one behind the other */
	CR_SECTION_TEXTS = 17,  /* like the strings, but only fields point at them */
	CR_SECTION_LINE_FILES =
		18,            /* of the lines, row for row; only where one has a file of its own */
	CR_SECTION_ZONES = 19, /* a row for each block of 20 to 25: what its values lie between */
	CR_SECTION_COLUMN =
		20, /* to 25: the columns of the samples, one each, by enum cr_sample_column */
	CR_SECTION_CODES = 26,
	CR_SECTION_SOURCE_LINES = 27,
	CR_SECTION_SOURCES = 28,            /* strings that only 26 and 27 point at */
	CR_SECTION_DEFAULT_TREE_NODES = 29, /* see tree_code.h */
	CR_SECTION_DEFAULT_TREE_WAYS = 30,
	CR_SECTION_TREE_NODES = 31,
	CR_SECTION_TREE_WAYS = 32,
	CR_SECTION_PADDING = 33, /* nothing: see CR_STORE_UNPACK_RATIO */
	CR_SECTIONS
};

/*
 * A store may take this much memory, whatever its size, and this many times its size. Real ones
 * take 5 to 20 times; this bounds what a small file can be made to ask for. The writer pads a store
 * whose samples repeat so much that it would take more.
 */
#define CR_STORE_UNPACK_FREE ((uint64_t)256 << 20)
#define CR_STORE_UNPACK_RATIO ((uint64_t)256)

#define CR_SECTION_VERSION 1u /* of each of them so far */

/* What a value must be smaller than. */
enum cr_bound {
	CR_BOUND_NONE, /* only fit its field */
	CR_BOUND_STRINGS,
	CR_BOUND_DSOS,
	CR_BOUND_FUNCTIONS,
	CR_BOUND_TASKS,
	CR_BOUND_SPACES,
	CR_BOUND_EVENTS,
	CR_BOUND_FRAMES,
	CR_BOUND_DEFAULT_TREE,
	CR_BOUND_LOCATIONS,
	CR_BOUND_LINES,
	CR_BOUND_NODES,
	CR_BOUND_KINDS,
	CR_BOUND_FORMS,
	CR_BOUND_BUILD_ID, /* the length of one: 20 and less */
	CR_BOUND_SOURCES,
	CR_BOUND_FLAG, /* 0 or 1 */
	CR_BOUNDS
};

enum cr_sense {
	CR_SENSE_VALUE,
	CR_SENSE_STRING,  /* a struct cr_str in memory, its number in the file */
	CR_SENSE_BACK,    /* how many rows back: row - value */
	CR_SENSE_OR_NONE, /* value + 1, CR_NO_ROW is 0 */
};

struct cr_column_field {
	uint16_t offset; /* in the struct of a row; 0 where each column is an array of its own */
	uint8_t size;    /* in memory: 1, 2, 4, 8; of a string that of struct cr_str */
	uint8_t sense;   /* enum cr_sense */
	uint8_t bound;   /* enum cr_bound */
	uint8_t coding;  /* enum cr_coding: what packs well; the reader takes any */
};

struct cr_layout {
	const char *name;   /* "location tree": what is lost with it */
	uint32_t row_bytes; /* of the struct of a row; 0 where each column is an array */
	uint32_t n_fields;  /* 0 for a section that is not a table */
	const struct cr_column_field *fields;
	bool many; /* may have 2^32-1 rows and more: they go by the samples */
};

/* A zone as it is stored: struct cr_sample_zone without what goes without saying. */
struct cr_stored_zone {
	uint64_t least[CR_SAMPLE_COLUMNS], most[CR_SAMPLE_COLUMNS];
};

const struct cr_layout *cr_layout_of(enum cr_section_id id);

#endif
