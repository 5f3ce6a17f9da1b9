#ifndef CR_SYMBOL_FILES_OPENER_MESSAGE_P_H
#define CR_SYMBOL_FILES_OPENER_MESSAGE_P_H

#include "symbol/elf/elf_p.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CR_OPENER_AT_ONCE 32 /* maximum files in one request */

/*
 * Messages between the process that opens files (opener.h) and the one that asks (opener_ask_p.h).
 */
enum cr_opener_kind { CR_OPENER_FILE, CR_OPENER_PROCESS, CR_OPENER_DEBUGINFO, CR_OPENER_STOP };

/* A request. Sent up to the used end of path. */
struct cr_opener_request {
	uint32_t kind;
	uint32_t rules, also;      /* for CR_OPENER_FILE: see gate_p.h */
	uint32_t has_owner, owner; /* for CR_OPENER_FILE */
	int32_t pid;               /* for CR_OPENER_PROCESS */
	uint32_t what;             /* for CR_OPENER_PROCESS: enum cr_opener_of_process */
	struct cr_build_id id;     /* for CR_OPENER_DEBUGINFO */
	char path[PATH_MAX];       /* for CR_OPENER_FILE: one or more, each NUL-terminated */
};

/* An answer; opened descriptors are attached. During a download, progress answers precede it. */
struct cr_opener_answer {
	uint32_t is_progress;
	uint32_t opened; /* for CR_OPENER_FILE: one bit for each path; descriptors in that order */
	uint64_t done, whole; /* progress in bytes */
	char path[PATH_MAX];  /* for CR_OPENER_DEBUGINFO: "" if unavailable */
	char why[256];        /* for CR_OPENER_DEBUGINFO: why the first failed request failed */
};

/* The reply to a progress answer. */
struct cr_opener_go_on {
	uint32_t stop;
};

/* Send one message with n_fds descriptors, at most CR_OPENER_AT_ONCE. */
bool cr_opener_send(int socket, const void *p, size_t len, const int *fds, size_t n_fds);

/*
 * Receive one message; returns its length, at most len; 0 if the other side is gone. fds has room
 * for CR_OPENER_AT_ONCE.
 */
size_t cr_opener_receive(int socket, void *p, size_t len, int *fds, size_t *n_fds);

/* Close n descriptors. */
void cr_opener_close_all(const int *fds, size_t n);

#endif
