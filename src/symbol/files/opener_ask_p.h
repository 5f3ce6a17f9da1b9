#ifndef CR_SYMBOL_FILES_OPENING_P_H
#define CR_SYMBOL_FILES_OPENING_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "symbol/elf/elf_p.h"
#include "symbol/opts.h"

#include <pthread.h>
#include <sys/types.h>

/* A file that will probably be requested. */
struct cr_opener_expected {
	char *path;
	int fd;     /* opened in advance, not yet requested; -1 if not */
	bool asked; /* the opener was asked for it */
};

struct cr_opener {
	int fd; /* our end of the socket pair */
	pid_t pid;
	pthread_mutex_t lock; /* held during a request and its answer; protects what follows */
	CR_VEC(struct cr_opener_expected) expected;
	struct cr_index expected_index;
};

/* Requests to a cr_opener. The caller closes the returned descriptor; -1 on failure. */

/* Like cr_gate_open(). */
int cr_opener_file(struct cr_opener *o, const struct cr_symbol_opts *opts, const char *path,
	unsigned rules, uint32_t also);

/*
 * Announce files that will be requested next, without rules. A request for one of them also opens
 * those of its directory that follow in the list. So a recording with thousands of dsos does not
 * wait for each of them. Unused descriptors are closed by the next call; n may be 0.
 */
void cr_opener_expect(struct cr_opener *o, const char *const *paths, size_t n);

/* Return a file that was opened together with another; -1 if it was not. */
int cr_opener_ready(struct cr_opener *o, const char *path);

enum cr_opener_of_process { CR_OPENER_MAPS, CR_OPENER_STATUS };

/* Open a file of /proc for a process on this machine. */
int cr_opener_process(struct cr_opener *o, int32_t pid, enum cr_opener_of_process what);

/*
 * Like cr_debuginfod_find(), done by the opener. why (a buffer of size bytes) becomes
 * cr_debuginfod_why(). progress is called during a download; if it cancels one, no other is
 * started.
 */
char *cr_opener_debuginfod(struct cr_opener *o, const struct cr_build_id *id,
	const struct cr_progress *progress, char *why, size_t size);

/* Its process id, for tests. */
pid_t cr_opener_pid(const struct cr_opener *o);

#endif
