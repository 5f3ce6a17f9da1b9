#ifndef CR_WRITE_WRITER_H
#define CR_WRITE_WRITER_H

#include "base/err.h"
#include "model/tree/tree.h"
#include "view/style/palette.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What is to be written. p or tree may be NULL where the writer does not need it. */
struct cr_write_in {
	const struct cr_profile *p;
	const uint8_t *select;      /* by sample, 1 to write; NULL for all that were recorded */
	const struct cr_tree *tree; /* one or two sides */
	uint32_t root;              /* node of the tree to start at; 0 for all */
	const char *title;          /* NULL for a title made from the facts */
	const uint8_t *hit;         /* search matches by frame, or NULL */
	bool icicle;                /* svg: root at the top */
	enum cr_palette palette;
	uint32_t width_px;     /* svg; 0 is 1200 */
	const char *fields;    /* script: details to write, "," between, or "all"; NULL for none */
	bool srcline;          /* script: the source line behind each frame, where it is known */
	bool full_source_path; /* its file with folders */
	bool counts;           /* folded: how many samples a stack has, not what they weigh */
	bool header; /* folded: a comment that says the event, its unit and how many samples there
			are */
};

enum cr_writer_needs {
	CR_WRITER_TREE = 1,
	CR_WRITER_SAMPLES = 2, /* the profile with its samples and location tree */
	CR_WRITER_FIELDS = 4, /* and with the values of its details where in.fields asks for them */
	CR_WRITER_STACKS =
		8, /* it writes stacks with their counts, and heeds in.counts and in.header */
};

/* An output format: one file, one line in writers.def. A writer reports a full disk as CR_EIO. */
struct cr_writer {
	const char *name;      /* "svg" */
	const char *extension; /* ".svg" */
	const char *about;
	unsigned needs; /* enum cr_writer_needs */
	int (*write)(const struct cr_write_in *in, FILE *out, struct cr_err *err);
};

const struct cr_writer *cr_writer_at(size_t i);               /* NULL past the last */
const struct cr_writer *cr_writer_find(const char *name);     /* by name; NULL if there is none */
const struct cr_writer *cr_writer_for_path(const char *path); /* by extension */

/*
 * To a file, through a temporary one beside it that is synced and renamed
 * (base/atomic_file.h); path "-" or NULL is standard output. A link is followed, a pipe or
 * device written to. CR_EUSAGE when `in` lacks what the writer needs, CR_EIO when the system
 * refuses.
 */
int cr_writer_run(const struct cr_writer *w, const struct cr_write_in *in, const char *path,
	struct cr_err *err);

#endif
