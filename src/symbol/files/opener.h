#ifndef CR_SYMBOL_FILES_OPENER_H
#define CR_SYMBOL_FILES_OPENER_H

#include "base/err.h"
#include "symbol/opts.h"

/*
 * A process that opens files on behalf of a confined one (base/confine.h). A recording names its
 * dsos, and their directories are known only after it was read, too late to allow them. So a second
 * process is started before. It reads no input and serves three requests:
 *
 * - Open files that a recording names, one or several at once. It applies the rules of gate_p.h
 *   with the options it was started with, and passes the descriptors back.
 * - Open the mappings or the status of a process on this machine.
 * - Download debug info by build-id from the servers of $DEBUGINFOD_URLS, if opts->debuginfod.
 *
 * It ends when the process that started it ends. Several threads may send requests.
 */
struct cr_opener;

/*
 * Start it, before any thread is started. opts: the user's options, unchanged while the opener
 * runs. inputs: n paths that the user named. Only the owners of these files (of "-": of standard
 * input) are accepted as the owner of the recording. Returns NULL if no process can be started.
 */
struct cr_opener *cr_opener_start(
	const struct cr_symbol_opts *opts, const char *const *inputs, int n);

/* Stop it and wait for its end. NULL is allowed. */
void cr_opener_stop(struct cr_opener *o);

/*
 * Call visit for the directories and files outside symfs that are searched for names, whatever the
 * recording contains: see gate_p.h.
 */
void cr_opener_places(
	const struct cr_symbol_opts *opts, void (*visit)(void *user, const char *path), void *user);

#endif
