#ifndef CR_SESSION_RECORDING_P_H
#define CR_SESSION_RECORDING_P_H

#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The input of a reader: a file, a pipe, or a directory written by perf record:
 *
 *	DIR/data                 a perf.data file
 *	DIR/data.0, data.1 ...   the streams of perf record --threads, raw records
 *	DIR/kcore_dir/kallsyms   the kernel's symbols, of perf record --kcore
 *
 * Files of a directory must be regular; links in it are not followed.
 */
struct cr_recording {
	struct cr_source *main;
	/* Sorted by the bytes of their names: data.10 precedes data.2. */
	struct cr_source **streams;
	struct cr_input *inputs; /* of the streams, after unpacking */
	size_t n_streams;
	int kallsyms_fd; /* if has_kallsyms */
	bool has_kallsyms;
	uint64_t identity;       /* of all files together */
	struct cr_access access; /* who may read all files */
};

#define CR_RECORDING_STREAMS_MAX 65536u /* a directory with more files is no recording */

/* True if path is a directory with a perf.data file named data. */
bool cr_recording_is_directory(const char *path);

/*
 * Open path, or standard input for "-". Packed files stay packed until cr_recording_unpack(), since
 * the identity is known before. CR_EFORMAT for a directory without a recording, CR_ELIMIT for one
 * with too many streams; otherwise fails like cr_source_open(). Call cr_recording_close() also
 * after a failure.
 */
int cr_recording_open(const char *path, const struct cr_progress *progress, struct cr_recording *r,
	struct cr_err *err);
/* The same for len bytes at p, which need not stay. */
int cr_recording_open_memory(const void *p, size_t len, struct cr_recording *r, struct cr_err *err);
int cr_recording_unpack(
	struct cr_recording *r, const struct cr_progress *progress, struct cr_err *err);
void cr_recording_close(struct cr_recording *r);

/* cr_source_wait_for_clock() for all its files. */
void cr_recording_wait_for_clock(const struct cr_recording *r);

/* Borrowed from r. */
struct cr_input cr_recording_input(const struct cr_recording *r);

/* Log what is known to be missing from the files; returns true if something is. */
bool cr_recording_damage(const struct cr_recording *r, struct cr_log *log);

#endif
