#ifndef CR_SYMBOL_FILES_OPENING_P_H
#define CR_SYMBOL_FILES_OPENING_P_H

#include "base/hash.h"
#include "base/vec.h"
#include "symbol/elf/elf_p.h"
#include "symbol/opts.h"

#include <pthread.h>
#include <sys/types.h>

/* A file that may be asked for. */
struct cr_opener_expected {
	char *path;
	int fd;     /* opened, and not asked for so far; -1 */
	bool asked; /* the opener was asked */
};

struct cr_opener {
	int fd; /* our end of the pair of sockets */
	pid_t pid;
	pthread_mutex_t lock; /* a request and its answer; over what follows */
	CR_VEC(struct cr_opener_expected) expected;
	struct cr_index expected_index;
};

/* Requests to a cr_opener. A descriptor is the caller's to close; -1 when there is none. */

/* As cr_gate_open(). */
int cr_opener_file(struct cr_opener *o, const struct cr_symbol_opts *opts, const char *path,
	unsigned rules, uint32_t also);

/*
 * Name files that may be asked for next, with no rules. One that is asked for comes together with
 * those of its directory that are next in this list, so that a recording of thousands of dsos does
 * not wait for each of them. What was opened in vain is closed by the next list; n 0 is for none.
 */
void cr_opener_expect(struct cr_opener *o, const char *const *paths, size_t n);

/* One of them that came with another one, opened by the same gate; -1 if it did not. */
int cr_opener_ready(struct cr_opener *o, const char *path);

enum cr_opener_of_process { CR_OPENER_MAPS, CR_OPENER_STATUS };

int cr_opener_process(struct cr_opener *o, int32_t pid, enum cr_opener_of_process what);

/*
 * As cr_debuginfod_find() of a client that the opener keeps. why (size bytes) gets
 * cr_debuginfod_why(). progress is called while a file is downloaded; when it stops one, no other
 * is asked for.
 */
char *cr_opener_debuginfod(struct cr_opener *o, const struct cr_build_id *id,
	const struct cr_progress *progress, char *why, size_t size);

/* Its process, for tests. */
pid_t cr_opener_pid(const struct cr_opener *o);

#endif
