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
 * What a reader is given: a file, a pipe, or a directory that perf record has written:
 *
 *	DIR/data                 a perf.data file
 *	DIR/data.0, data.1 ...   the streams of perf record --threads, raw records
 *	DIR/kcore_dir/kallsyms   the kernel's symbols, of perf record --kcore
 *
 * The files of a directory are regular files: links in it are not followed.
 */
struct cr_recording {
	struct cr_source *main;
	struct cr_source **streams; /* by name, byte for byte: data.10 is before data.2 */
	struct cr_input *inputs;    /* of the streams, once unpacked */
	size_t n_streams;
	int kallsyms_fd; /* if has_kallsyms */
	bool has_kallsyms;
	uint64_t identity;       /* of all the files together */
	struct cr_access access; /* who may read all of them */
};

#define CR_RECORDING_STREAMS_MAX 65536u /* more files than that are no recording */

/* Is path a directory with a perf.data file called data? */
bool cr_recording_is_directory(const char *path);

/*
 * path, or "-" for standard input. Packed files stay packed until cr_recording_unpack(): the
 * identity is known without. CR_EFORMAT for a directory without a recording, CR_ELIMIT for one with
 * too many streams; else fails as sources do. cr_recording_close() takes r also after a failure.
 */
int cr_recording_open(const char *path, const struct cr_progress *progress, struct cr_recording *r,
	struct cr_err *err);
int cr_recording_unpack(
	struct cr_recording *r, const struct cr_progress *progress, struct cr_err *err);
void cr_recording_close(struct cr_recording *r);

/* cr_source_wait_for_clock() of all its files. */
void cr_recording_wait_for_clock(const struct cr_recording *r);

/* Borrowed from r. */
struct cr_input cr_recording_input(const struct cr_recording *r);

/* Logs what is known to be missing from the files as such; true if something is. */
bool cr_recording_damage(const struct cr_recording *r, struct cr_log *log);

#endif
