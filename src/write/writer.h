#ifndef CR_WRITE_WRITER_H
#define CR_WRITE_WRITER_H

#include "base/err.h"
#include "base/option.h"
#include "base/sink.h"
#include "base/str.h"
#include "model/tree/tree_nodes.h"

#include <stdbool.h>
#include <stdint.h>

/* A writer for browsers, which get slow beyond it, leaves out smaller nodes of larger trees. */
#define CR_WRITER_NODES_MOST 4000000u

enum cr_write_order {
	CR_WRITE_BY_WEIGHT, /* as struct cr_tree says */
	CR_WRITE_BY_NAME,   /* as cr_tree_by_name() sorts */
	CR_WRITE_BY_TIME,   /* as recorded */
};

/* What to write, in any format. p or tree may be NULL if the writer does not need it. */
struct cr_write_in {
	const struct cr_profile *p;
	const uint8_t *select;      /* by sample: 1 to write it; NULL: all but derived events */
	const struct cr_tree *tree; /* one or two sides */
	uint32_t root;              /* root of the subtree to write; 0 for all */
	const uint8_t *hit;         /* by frame: 1 if it matches a search; may be NULL */
	/*
	 * By sample: its node of the tree, or CR_NO_ROW to leave it out; see cr_query_place(). Only
	 * for writers with CR_WRITER_PLACES, whose tree it is.
	 */
	const uint32_t *place;
	const char
		*title; /* the name of the input, for formats that have room for it; may be NULL */
	const char *query;    /* what was selected and changed, as text; may be NULL */
	const uint8_t *noise; /* of two sides: see struct cr_change_look; may be NULL */
	/* By frame: its colour 0xRRGGBB, + 1; 0 for that of the palette. May be NULL. */
	const uint32_t *color1;
	enum cr_write_order order; /* of siblings in the tree */
	struct cr_tree_cut cut;    /* what the tree lacks */
	bool totals;               /* of two sides: colour changes of total cost, not of self */
};

enum cr_writer_needs {
	CR_WRITER_TREE = 1,
	CR_WRITER_SAMPLES = 2,  /* the profile with its samples and location tree */
	CR_WRITER_FIELDS = 4,   /* also the values of its fields */
	CR_WRITER_PLACES = 8,   /* the samples, each with its node of the tree */
	CR_WRITER_LINES = 16,   /* with PLACES: frames are source lines of functions */
	CR_WRITER_CODE = 64,    /* with SAMPLES: also machine code */
	CR_WRITER_CHANGES = 32, /* of two sides: shows which functions have changed */
};

/*
 * An output format: one file, and one line in writers.def. Its options are stored in a struct of
 * its own. On the command line each is --NAME; in the browser's `w` and `export` NAME=VALUE.
 */
struct cr_writer {
	const char *name;              /* "svg" */
	const char *const *extensions; /* ".svg"; ends with NULL. Unique among writers */
	const char *about;
	unsigned needs;                       /* enum cr_writer_needs */
	const struct cr_option_spec *options; /* ends with an option without a name; NULL if none */
	size_t options_size;                  /* size of the struct of the options */
	/* It colours its output with control sequences, which a terminal must get unchanged. */
	bool for_terminals;
	/*
	 * For a tree of more than CR_WRITER_NODES_MOST nodes: the writer looks at none of less than
	 * cut.least, if that is at most 1/share of the whole, and returns this share; 0: it looks
	 * at all nodes. NULL if it always does. See cr_query_run_cut().
	 */
	uint32_t (*cut_share)(const void *options);
	/* Additional needs with these options; NULL if there are none. */
	unsigned (*needs_for)(const void *options);
	/* options: from cr_writer_defaults(), maybe changed. Returns CR_EIO if the disk is full. */
	int (*write)(const struct cr_write_in *in, const void *options, struct cr_sink *out,
		struct cr_err *err);
};

const struct cr_writer *cr_writer_at(size_t i);           /* the i-th writer; NULL past the last */
const struct cr_writer *cr_writer_find(const char *name); /* by name; NULL if there is none */

/* The writer with the longest extension that the path ends with; NULL if none. */
const struct cr_writer *cr_writer_for_path(const char *path);

/* The same among n writers. */
const struct cr_writer *cr_writer_among(
	const struct cr_writer *const *writers, size_t n, const char *path);

/* Return the struct of a writer's options with the default values; the caller frees it. */
void *cr_writer_defaults(const struct cr_writer *w);

/* Find an option of a writer by name; NULL if there is none. */
const struct cr_option_spec *cr_writer_option(const struct cr_writer *w, struct cr_str name);

/*
 * Set an option. CR_ENOTFOUND if the writer has none of that name, CR_EUSAGE for an invalid value.
 */
int cr_writer_set(const struct cr_writer *w, void *options, const char *name, const char *value,
	struct cr_err *err);

/*
 * Everything the writer needs with these options: bits of enum cr_writer_needs. options NULL: the
 * defaults.
 */
unsigned cr_writer_needs(const struct cr_writer *w, const void *options);

/*
 * Write to a sink. options NULL: the defaults. CR_EUSAGE if `in` lacks something that the writer
 * needs, CR_EIO if the system refuses.
 */
int cr_writer_write(const struct cr_writer *w, const struct cr_write_in *in, const void *options,
	struct cr_sink *out, struct cr_err *err);

/*
 * Write to a file: to a temporary file next to it, which is synced and renamed
 * (base/atomic_file.h). path "-" or NULL is standard output. A link is followed; a pipe or device
 * is written directly.
 */
int cr_writer_run(const struct cr_writer *w, const struct cr_write_in *in, const void *options,
	const char *path, struct cr_err *err);

#endif
