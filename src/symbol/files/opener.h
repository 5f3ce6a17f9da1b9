#ifndef CR_SYMBOL_FILES_OPENER_H
#define CR_SYMBOL_FILES_OPENER_H

#include "base/err.h"
#include "symbol/opts.h"

/*
 * A process that opens files for one that confines itself (base/confine.h). A recording
 * names its dsos, and which directories they are in is known only when it has been read, which is
 * too late to allow them. So a second process is started before. It reads no input, and knows three
 * requests:
 *
 * - Open files that a recording names, one or some at once. It asks the same gate as a process that
 * is not confined (src/symbol/files/gate_p.h), with the options that it was started with, and hands
 * the descriptors back.
 * - Open the mappings, or the state, of a process of this machine.
 * - Get the debug info of a build-id from the servers of $DEBUGINFOD_URLS, where opts->debuginfod.
 *
 * It ends with the process that started it. Requests may come from several threads.
 */
struct cr_opener;

/*
 * Start it. Before any thread is started. opts has the user's options; it must not change while the
 * opener runs. inputs, n of them, are the paths that the user named: the owners of these files (of
 * "-": of standard input) are the ones that a request may name as the owner of the recording. NULL
 * when no process can be started.
 */
struct cr_opener *cr_opener_start(
	const struct cr_symbol_opts *opts, const char *const *inputs, int n);

/* End it and wait for its end. Takes NULL. */
void cr_opener_stop(struct cr_opener *o);

/*
 * The directories and files outside of symfs where names are looked for, whatever the recording
 * names: see src/symbol/files/gate_p.h.
 */
void cr_opener_places(
	const struct cr_symbol_opts *opts, void (*visit)(void *user, const char *path), void *user);

#endif
