#ifndef CR_WRITE_WRITER_H
#define CR_WRITE_WRITER_H

#include "base/err.h"
#include "base/option.h"
#include "base/sink.h"
#include "base/str.h"
#include "model/tree/tree.h"

#include <stdbool.h>
#include <stdint.h>

/* What to write, whatever the format. p or tree may be NULL if the writer does not need it. */
struct cr_write_in {
	const struct cr_profile *p;
	const uint8_t *select;      /* by sample, 1 to write; NULL for all that were recorded */
	const struct cr_tree *tree; /* one or two sides */
	uint32_t root;              /* node of the tree to start at; 0 for all */
	const uint8_t *hit;         /* search matches by frame, or NULL */
};

enum cr_writer_needs {
	CR_WRITER_TREE = 1,
	CR_WRITER_SAMPLES = 2, /* the profile with its samples and location tree */
	CR_WRITER_FIELDS = 4,  /* and with the values of its fields */
};

/*
 * An output format: one file, one line in writers.def. Its options are values of a struct of its
 * own: the command line has each as --NAME, the browser's `w` and `export` as NAME=VALUE.
 */
struct cr_writer {
	const char *name;              /* "svg" */
	const char *const *extensions; /* ".svg"; ends with NULL. No two writers have the same */
	const char *about;
	unsigned needs;                       /* enum cr_writer_needs */
	const struct cr_option_spec *options; /* the last has no name; NULL: none */
	size_t options_size;                  /* of the struct that they are stored in */
	/* What it needs beside that with these options; NULL for nothing. */
	unsigned (*needs_for)(const void *options);
	/* options: of cr_writer_defaults(), some set. Reports a full disk as CR_EIO. */
	int (*write)(const struct cr_write_in *in, const void *options, struct cr_sink *out,
		struct cr_err *err);
};

const struct cr_writer *cr_writer_at(size_t i);           /* NULL past the last */
const struct cr_writer *cr_writer_find(const char *name); /* by name; NULL if there is none */

/* By the longest extension that the path ends with; NULL if it ends with none. */
const struct cr_writer *cr_writer_for_path(const char *path);

/* The same among n writers. */
const struct cr_writer *cr_writer_among(
	const struct cr_writer *const *writers, size_t n, const char *path);

/* The struct of a writer's options with their defaults; free() it. */
void *cr_writer_defaults(const struct cr_writer *w);

/* An option of a writer by its name; NULL if there is none. */
const struct cr_option_spec *cr_writer_option(const struct cr_writer *w, struct cr_str name);

/* Set an option; CR_ENOTFOUND if the writer has none of that name, CR_EUSAGE for a bad value. */
int cr_writer_set(const struct cr_writer *w, void *options, const char *name, const char *value,
	struct cr_err *err);

/* All that it needs with these options: enum cr_writer_needs. */
unsigned cr_writer_needs(const struct cr_writer *w, const void *options);

/*
 * Write to a sink. options NULL: the defaults. CR_EUSAGE when `in` lacks what the writer needs,
 * CR_EIO when the system refuses.
 */
int cr_writer_write(const struct cr_writer *w, const struct cr_write_in *in, const void *options,
	struct cr_sink *out, struct cr_err *err);

/*
 * The same to a file, through a temporary one beside it that is synced and renamed
 * (base/atomic_file.h); path "-" or NULL is standard output. A link is followed, a pipe or
 * device written to.
 */
int cr_writer_run(const struct cr_writer *w, const struct cr_write_in *in, const void *options,
	const char *path, struct cr_err *err);

#endif
