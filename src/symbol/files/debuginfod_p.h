#ifndef CR_SYMBOL_FILES_DEBUGINFOD_P_H
#define CR_SYMBOL_FILES_DEBUGINFOD_P_H

#include "base/progress.h"
#include "base/text.h"
#include "symbol/elf/elf_p.h"

/*
 * Debug info from the servers of $DEBUGINFOD_URLS, through libdebuginfod, which is loaded when it
 * is first asked, for it and what it needs take longer to load than small recordings to read. It
 * keeps what it gets in its own cache. For one thread.
 */
struct cr_debuginfod;
struct cr_opener;

/*
 * NULL in a program that was built without the library. Otherwise never NULL: when the library
 * cannot be loaded, cr_debuginfod_why() tells it. progress is called while a file is downloaded,
 * and can stop the download. With an opener, the library is loaded and called in the opener's
 * process.
 */
struct cr_debuginfod *cr_debuginfod_new(
	struct cr_opener *opener, const struct cr_progress *progress);

/*
 * The path of the debug file with that build-id, the caller's to free; NULL when it cannot be had.
 * Nobody is asked any more once progress has said stop.
 */
char *cr_debuginfod_find(struct cr_debuginfod *d, const struct cr_build_id *id);

/* Why the first one that could not be had could not; "" when all could. */
const char *cr_debuginfod_why(const struct cr_debuginfod *d);

void cr_debuginfod_free(struct cr_debuginfod *d);

#endif
