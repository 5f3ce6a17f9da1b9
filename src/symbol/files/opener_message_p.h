#ifndef CR_SYMBOL_FILES_OPENER_MESSAGE_P_H
#define CR_SYMBOL_FILES_OPENER_MESSAGE_P_H

#include "symbol/elf/elf_p.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CR_OPENER_AT_ONCE 32 /* files of a request */

/* What the process that opens files (opener.h) and the one that asks it (opener_ask_p.h) say. */
enum cr_opener_kind { CR_OPENER_FILE, CR_OPENER_PROCESS, CR_OPENER_DEBUGINFO, CR_OPENER_STOP };

/* A request: the struct, up to the end of path that is used. */
struct cr_opener_request {
	uint32_t kind;
	uint32_t rules, also;      /* CR_OPENER_FILE: see gate.h */
	uint32_t has_owner, owner; /* CR_OPENER_FILE */
	int32_t pid;               /* CR_OPENER_PROCESS */
	uint32_t what;             /* CR_OPENER_PROCESS: enum cr_opener_of_process */
	struct cr_build_id id;     /* CR_OPENER_DEBUGINFO */
	char path[PATH_MAX];       /* CR_OPENER_FILE: one or more, each ends with a NUL */
};

/*
 * An answer; what is opened comes with it. While debug info is fetched, some that tell of progress
 * come before it.
 */
struct cr_opener_answer {
	uint32_t is_progress;
	uint32_t
		opened; /* CR_OPENER_FILE: a bit for each path; the descriptors are in this order */
	uint64_t done, whole; /* of progress, in bytes */
	char path[PATH_MAX];  /* CR_OPENER_DEBUGINFO: "" when there is none */
	char why[256];        /* CR_OPENER_DEBUGINFO: of the first that there was none of */
};

/* The reply to progress. */
struct cr_opener_go_on {
	uint32_t stop;
};

/* Send one message, with n_fds descriptors, at most CR_OPENER_AT_ONCE. */
bool cr_opener_send(int socket, const void *p, size_t len, const int *fds, size_t n_fds);

/*
 * The bytes of one message, at most len; 0 when the other side is gone. fds has room for
 * CR_OPENER_AT_ONCE.
 */
size_t cr_opener_receive(int socket, void *p, size_t len, int *fds, size_t *n_fds);

void cr_opener_close_all(const int *fds, size_t n);

#endif
