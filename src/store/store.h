#ifndef CR_STORE_STORE_H
#define CR_STORE_STORE_H

#include "base/err.h"
#include "base/log.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>

#define CR_STORE_SUFFIX ".cresset" /* suffix of the file names */

/* How to write a stored profile to a path: one of the first three, optionally with the last one. */
enum cr_store_how {
	CR_STORE_NEW = 0,     /* fail with CR_EEXISTS if the path exists */
	CR_STORE_REPLACE = 1, /* replace what is there */
	CR_STORE_PRIVATE = 2, /* replace, with mode 0600 */
	/*
	 * The default tree was computed from these samples. They need no comparison when the file
	 * is opened with CR_STORE_RECALL.
	 */
	CR_STORE_REMEMBER = 4,
};

/*
 * Write a profile as one file, NAME.cresset. docs/cresset-store.5 describes the format. The file is
 * written next to its final name, synced and renamed. So at any moment the path is the complete old
 * or new file.
 */
int cr_store_write(const char *path, const struct cr_profile *p, unsigned how, struct cr_err *err);

/* True if the input begins like a stored profile. */
bool cr_store_is(const void *head, size_t len);

/* True if path is a regular file that begins like one. */
bool cr_store_is_file(const char *path);

/*
 * Open the file of a stored profile for reading; the caller closes *fd. Only regular files are
 * accepted: a FIFO or a device fails with CR_EFORMAT, and opening never blocks. CR_ENOTFOUND if
 * there is no file.
 */
int cr_store_file_open(const char *path, int *fd, struct cr_err *err);

/* Parts of a store that are read on request, in addition to what the first screen needs. */
enum cr_store_parts {
	/* Names, tasks, events, facts, quality, default tree: always read. */
	CR_STORE_DEFAULT_TREE = 0,
	CR_STORE_TREE = 1, /* the location tree, its locations and lines */
	CR_STORE_MAPS = 2,
	CR_STORE_FIELDS = 4,   /* the values and texts of the fields */
	CR_STORE_CODE = 8,     /* machine code and source lines */
	CR_STORE_PROOF = 16,   /* not a table: compare the default tree with the samples */
	CR_STORE_TRUSTED = 32, /* this user wrote the file: the default tree needs no proof */
	/* Do not compare again if the file is on the list of compared ones; see below. */
	CR_STORE_RECALL = 64,
	CR_STORE_SIZES = 128, /* of functions */
	/* One bit for each column of the samples: 0x100 << enum cr_sample_column. */
	CR_STORE_TIME = 0x100,
	CR_STORE_WEIGHT = 0x200,
	CR_STORE_TASK = 0x400,
	CR_STORE_NODE = 0x800, /* also reads the tree, which it refers to */
	CR_STORE_CPU = 0x1000,
	CR_STORE_EVENT = 0x2000,
	CR_STORE_COLUMNS = 0x3f00,
	CR_STORE_SAMPLES = CR_STORE_TREE | CR_STORE_MAPS | CR_STORE_COLUMNS,
	CR_STORE_ALL = CR_STORE_SAMPLES | CR_STORE_FIELDS | CR_STORE_CODE | CR_STORE_SIZES,
};

/*
 * The default tree is written together with the samples, but a hostile file may contain one that
 * disagrees with them. With CR_STORE_PROOF all samples are read once, without keeping them, and
 * their sums compared with those of the default tree (see model/tree/default_tree_proof.h).
 *
 * If they differ, the samples are read and a new default tree is computed, which is logged and
 * added to the quality. Samples whose sums differ from the events count as damaged and are lost;
 * then the default tree stays. This takes about 20 ns per sample and is skipped for more than
 * CR_STORE_PROOF_ROWS samples, except in cr_store_prove().
 *
 * With CR_STORE_RECALL a file for which the two agreed is put on a list in the cache. It is not
 * compared again as long as it is unchanged and on that list. Only files that belong to the user
 * or to root, and that nobody else may write to, are put on it.
 */
#define CR_STORE_PROOF_ROWS ((uint64_t)1 << 22)

/*
 * Read a stored profile; the caller owns *out. Tables not requested are empty, columns of the
 * samples NULL. CR_PROFILE_HAS_SAMPLES is set only if columns were requested and are present.
 * Fields are always listed; their values and texts are read only on request. The profile keeps the
 * file open, so cr_store_fetch() works even if the path is removed or replaced.
 *
 * Every block is checked before use. A damaged block costs its section:
 * - without names, events or default tree the profile is useless: CR_EFORMAT, with the offset;
 * - without samples, fields, mappings, tree, tasks or quality it opens: CR_PROFILE_IN_PART is set,
 *   and the loss is logged and added to the quality.
 *
 * CR_EUNSUPPORTED for a file of a newer cresset. CR_ELIMIT for a file that would need more memory
 * than 256 MiB plus 256 times its size.
 */
int cr_store_open(const char *path, unsigned parts, struct cr_profile **out, struct cr_log *log,
	struct cr_err *err);

/* The same for an open descriptor of a regular file, which the caller may close afterwards. */
int cr_store_open_fd(
	int fd, unsigned parts, struct cr_profile **out, struct cr_log *log, struct cr_err *err);

/*
 * Read further parts of the store that p was opened from. Tables that were read before do not move.
 * Does nothing for parts that were read or lost, and for a profile that was not stored. Damaged
 * parts are lost as above, with CR_OK. If any column of the samples is lost, all samples are, and
 * CR_PROFILE_HAS_SAMPLES is cleared. Lost times or cpus cost only themselves and clear
 * CR_PROFILE_HAS_TIME or _CPU. CR_EMEM if there is not enough memory for the samples.
 */
int cr_store_fetch(struct cr_profile *p, unsigned parts, struct cr_log *log, struct cr_err *err);

/*
 * Do the work of CR_STORE_PROOF in steps and for any number of samples: compare up to `blocks` more
 * blocks. *more is true if it must be called again.
 */
int cr_store_prove(
	struct cr_profile *p, uint32_t blocks, bool *more, struct cr_log *log, struct cr_err *err);

/*
 * Like cr_store_fetch(), but read columns of the samples only in some zones: those with want[z] not
 * 0. p->samples.zones, available after opening, tells which zones can matter, and in `here` which
 * were read. If the profile has no zones, all rows are read, and want may be NULL.
 */
int cr_store_fetch_zones(struct cr_profile *p, unsigned parts, const uint8_t *want,
	struct cr_log *log, struct cr_err *err);

/* Read only facts and events, one small section: what `ls` shows of a file. */
int cr_store_peek(const char *path, struct cr_profile **out, struct cr_err *err);

/*
 * Check every block of a store, including those unknown to this version, and then open it
 * completely. Fails with the first problem; the log lists all.
 */
int cr_store_verify(const char *path, struct cr_log *log, struct cr_err *err);

#endif
