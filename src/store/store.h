#ifndef CR_STORE_STORE_H
#define CR_STORE_STORE_H

#include "base/err.h"
#include "base/log.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>

#define CR_STORE_SUFFIX ".cresset" /* of the names of its files */

/* How a stored profile is written to a path: one of the first three, and the last one or not. */
enum cr_store_how {
	CR_STORE_NEW = 0,     /* CR_EEXISTS if something is there */
	CR_STORE_REPLACE = 1, /* in the place of what is there */
	CR_STORE_PRIVATE = 2, /* the same, with mode 0600 */
	/*
	 * The default tree was made from these samples, so that they need no comparison when the
	 * file is opened with CR_STORE_RECALL.
	 */
	CR_STORE_REMEMBER = 4,
};

/*
 * A profile as one file: NAME.cresset. The format is described in docs/cresset-store.5.
 *
 * Writing goes to a temporary file beside the final name, which is synced and renamed: at any
 * moment either the old file stands there or the new one, whole.
 */
int cr_store_write(const char *path, const struct cr_profile *p, unsigned how, struct cr_err *err);

/* Does this input begin like a stored profile? */
bool cr_store_is(const void *head, size_t len);

/* Is there a regular file at path that does? */
bool cr_store_is_file(const char *path);

/*
 * Open the file of a stored profile for reading; the caller closes *fd. Only regular files are
 * opened as profiles: a FIFO or a device fails with CR_EFORMAT, and opening never waits.
 * CR_ENOTFOUND if there is no file.
 */
int cr_store_file_open(const char *path, int *fd, struct cr_err *err);

/* What may be read of a store, apart from what the first screen needs. */
enum cr_store_parts {
	CR_STORE_DEFAULT_TREE =
		0,         /* names, tasks, events, facts, quality, default tree: always read */
	CR_STORE_TREE = 1, /* the location tree with its locations and lines */
	CR_STORE_MAPS = 2,
	CR_STORE_FIELDS = 4, /* the values and texts of the fields */
	CR_STORE_CODE = 8,   /* the codes and source lines */
	CR_STORE_PROOF = 16, /* no tables: the default tree is compared with the samples */
	CR_STORE_TRUSTED =
		32, /* the file is this user's own work: the default tree needs no proof */
	CR_STORE_RECALL = 64, /* when opening: not if it was proven before; see below */
	CR_STORE_TIME =
		0x100, /* columns of the samples, a bit each: 0x100 << enum cr_sample_column */
	CR_STORE_WEIGHT = 0x200,
	CR_STORE_TASK = 0x400,
	CR_STORE_NODE = 0x800, /* brings the tree, which it points into */
	CR_STORE_CPU = 0x1000,
	CR_STORE_EVENT = 0x2000,
	CR_STORE_COLUMNS = 0x3f00,
	CR_STORE_SAMPLES = CR_STORE_TREE | CR_STORE_MAPS | CR_STORE_COLUMNS,
	CR_STORE_ALL = CR_STORE_SAMPLES | CR_STORE_FIELDS | CR_STORE_CODE,
};

/*
 * The default tree is written together with the samples, but nothing in a file makes them agree.
 * With CR_STORE_PROOF all samples are read once, and not kept, and their sums compared with those
 * of the default tree (see model/tree/default_tree_proof.h). Where they differ the samples are
 * read, and the default tree is made from them, which is logged and put into the quality. Samples
 * that do not add up to the events are lost as any that are damaged; then the default tree stays.
 * That takes 20 ns a sample or so, and is not done for more samples than CR_STORE_PROOF_ROWS,
 * except by cr_store_prove().
 *
 * With CR_STORE_RECALL a file for which the two were found to agree is put on a list in the cache,
 * and is not compared again as long as it is on that list and unchanged. Only files that belong to
 * the user or to root, and that nobody else may write to, are put on it.
 */
#define CR_STORE_PROOF_ROWS ((uint64_t)1 << 22)

/*
 * Read a stored profile. Tables that were not asked for are empty, columns of the samples NULL, and
 * CR_PROFILE_HAS_SAMPLES is set only if such columns were asked for and are there. Details are
 * always there, their values and texts only if asked for. The profile keeps the file, not its name:
 * that may go, or become another's, without changing what cr_store_fetch() reads.
 *
 * Every block that is read is checked first. A damaged block costs its section: a section that
 * the profile cannot be shown without (names, events, default tree) fails with CR_EFORMAT and the
 * offset; without another one (samples, fields, mappings, tree, tasks, quality) the profile opens,
 * CR_PROFILE_IN_PART is set and the loss is logged and put into its quality. CR_EUNSUPPORTED
 * for what a newer cresset wrote, CR_ELIMIT for a small file that unpacks to more than 256 MiB
 * and 8192 times its size.
 */
int cr_store_open(const char *path, unsigned parts, struct cr_profile **out, struct cr_log *log,
	struct cr_err *err);

/* The same of an open descriptor of a regular file, which the caller may close afterwards. */
int cr_store_open_fd(
	int fd, unsigned parts, struct cr_profile **out, struct cr_log *log, struct cr_err *err);

/*
 * Read more of the store that p was opened from, in place: what was there stays where it is. Does
 * nothing for parts that are there or lost, and for a profile that is from no store. What is
 * damaged is lost as above, with CR_OK: samples of which a column is lost are none, and
 * CR_PROFILE_HAS_SAMPLES goes; but of lost times or processors these alone, and CR_PROFILE_HAS_TIME
 * or _CPU goes. CR_EMEM when there is no memory for the samples.
 */
int cr_store_fetch(struct cr_profile *p, unsigned parts, struct cr_log *log, struct cr_err *err);

/*
 * What CR_STORE_PROOF does, a step at a time and for any number of samples: compare so many blocks
 * more. *more: call it again.
 */
int cr_store_prove(
	struct cr_profile *p, uint32_t blocks, bool *more, struct cr_log *log, struct cr_err *err);

/*
 * The same, but of columns of the samples only the rows of some zones: want[z] is not 0.
 * p->samples.zones, which is there from the opening on, tells which ones can be of use, and what is
 * `here` afterwards; of a profile without zones all rows are read, and want may be NULL.
 */
int cr_store_fetch_zones(struct cr_profile *p, unsigned parts, const uint8_t *want,
	struct cr_log *log, struct cr_err *err);

/* Facts and events only: what `ls` shows of a file, at the cost of one small section. */
int cr_store_peek(const char *path, struct cr_profile **out, struct cr_err *err);

/*
 * Check every block of a store, also those that this version has no use for, and then that it
 * can be opened whole. Fails with the first thing that is wrong; the log has all of them.
 */
int cr_store_verify(const char *path, struct cr_log *log, struct cr_err *err);

#endif
