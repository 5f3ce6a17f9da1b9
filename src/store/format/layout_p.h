#ifndef CR_STORE_FORMAT_LAYOUT_P_H
#define CR_STORE_FORMAT_LAYOUT_P_H

#include "column_p.h"
#include "model/profile.h"
#include "model/tree/default_tree.h"
#include "modelled_p.h"

/*
 * The sections of a store and their columns, in file order. Writer and reader use the same tables,
 * so they cannot disagree; cresset-store(5) describes them in words. Numbers are never reused with
 * another meaning: a changed section gets a new version, and the reader still accepts the old one.
 */
enum cr_section_id {
	CR_SECTION_SUMMARY = 1, /* flags, facts, events; not a table */
	CR_SECTION_STRINGS = 2, /* every distinct string of the tables below */
	CR_SECTION_DSOS = 3,
	CR_SECTION_FUNCTIONS = 4,
	CR_SECTION_TASKS = 5,
	CR_SECTION_FRAMES = 6,       /* frames of the default tree */
	CR_SECTION_DEFAULT_TREE = 7, /* its nodes, in stores older than section 29 */
	CR_SECTION_WEIGHTS = 8,      /* its weights, event by event */
	CR_SECTION_QUALITY = 9,
	CR_SECTION_LOCATIONS = 10,
	CR_SECTION_LINES = 11,
	CR_SECTION_NODES = 12, /* the location tree, in stores older than section 31 */
	CR_SECTION_MAPS = 13,
	CR_SECTION_SAMPLES = 14, /* in stores older than section 20 */
	CR_SECTION_FIELDS = 15,
	CR_SECTION_VALUES = 16, /* values of the fields, one field after the other */
	CR_SECTION_TEXTS = 17,  /* strings that only fields use */
	/* Row for row with the lines; only if some line has a file of its own. */
	CR_SECTION_LINE_FILES = 18,
	/* One row for each block of 20 to 25: minimum and maximum of its values. */
	CR_SECTION_ZONES = 19,
	/* 20 to 25: one section for each column of the samples, by enum cr_sample_column. */
	CR_SECTION_COLUMN = 20,
	CR_SECTION_CODES = 26,
	CR_SECTION_SOURCE_LINES = 27,
	CR_SECTION_SOURCES = 28,            /* strings that only 26 and 27 use */
	CR_SECTION_DEFAULT_TREE_NODES = 29, /* see tree_code_p.h */
	CR_SECTION_DEFAULT_TREE_WAYS = 30,
	CR_SECTION_TREE_NODES = 31,
	CR_SECTION_TREE_WAYS = 32,
	CR_SECTION_PADDING = 33, /* no data: see CR_STORE_UNPACK_RATIO */
	CR_SECTION_THREADS = 34, /* all that the recording names, with their parents */
	/* Row for row with the functions; only if the size of some function is known. */
	CR_SECTION_FUNCTION_SIZES = 35,
	CR_SECTIONS
};

/*
 * Memory that a store may use, whatever its size, and in multiples of its size. Real stores need 5
 * to 20 times their size; the limit protects against small hostile files. The writer pads a store
 * whose samples compress better than that.
 */
#define CR_STORE_UNPACK_FREE ((uint64_t)256 << 20)
#define CR_STORE_UNPACK_RATIO ((uint64_t)256)

#define CR_SECTION_VERSION 1u /* of most sections */
/* Columns may have the codings of modelled_p.h. Only where the layout says `modelled`. */
#define CR_SECTION_MODELLED 2u
/* A tree is stored as in tree_streams_p.h; times are modelled and may have CR_MODELLED_STEPS. */
#define CR_SECTION_STREAMS 3u
/* Times that may be ticks of a clock: with CR_MODELLED_TICKS, or in any number with ticks_p.h. */
#define CR_SECTION_TICKS 4u
/* Texts, compressed with the phrases of phrases_p.h before them. */
#define CR_SECTION_PHRASES 4u

/* Upper limit of a value, exclusive: the number of rows of the table it refers to. */
enum cr_bound {
	CR_BOUND_NONE, /* only its own size */
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
	CR_BOUND_BUILD_ID, /* length of a build-id: at most 20 */
	CR_BOUND_SOURCES,
	CR_BOUND_FLAG, /* 0 or 1 */
	CR_BOUNDS
};

enum cr_sense {
	CR_SENSE_VALUE,
	CR_SENSE_STRING,  /* a struct cr_str in memory, its number in the file */
	CR_SENSE_BACK,    /* number of rows back: row - value */
	CR_SENSE_OR_NONE, /* value + 1; CR_NO_ROW is 0 */
};

struct cr_column_field {
	uint16_t offset;  /* in the row's struct; 0 if each column is an array */
	uint8_t size;     /* bytes in memory: 1, 2, 4, 8; sizeof(struct cr_str) for a string */
	uint8_t sense;    /* enum cr_sense */
	uint8_t bound;    /* enum cr_bound */
	uint8_t coding;   /* enum cr_coding preferred by the writer; the reader accepts any */
	uint8_t modelled; /* enum cr_modelled that the writer prefers in a section of version 2 */
};

#define CR_LAYOUT_ARRAYS 2 /* most columns of a table whose columns are arrays */

struct cr_layout {
	const char *name;   /* "location tree"; printed when the section is lost */
	uint32_t row_bytes; /* size of the row's struct; 0 if each column is an array */
	uint32_t n_fields;  /* 0 for a section that is no table */
	const struct cr_column_field *fields;
	bool many; /* may have 2^32-1 rows or more, as it grows with the samples */
	/* May have version 2. It is not read when a profile is opened, so it may take longer. */
	bool modelled;
	bool streams; /* may have version 3 */
	bool ticks;   /* may have version 4 */
	bool phrases; /* the same; it has texts */
};

/* A zone as stored: struct cr_sample_zone without what follows from the blocks. */
struct cr_stored_zone {
	uint64_t least[CR_SAMPLE_COLUMNS], most[CR_SAMPLE_COLUMNS];
};

/* The highest version of a section that is known. */
uint32_t cr_layout_version(enum cr_section_id id);
/* True if a section may have this version, which is not higher. */
bool cr_layout_has_version(enum cr_section_id id, uint32_t version);

/* The layout of a section; static. */
const struct cr_layout *cr_layout_of(enum cr_section_id id);

#endif
