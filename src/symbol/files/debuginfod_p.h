#ifndef CR_SYMBOL_FILES_DEBUGINFOD_P_H
#define CR_SYMBOL_FILES_DEBUGINFOD_P_H

#include "base/progress.h"
#include "base/text.h"
#include "symbol/elf/elf_p.h"

/*
 * Downloads debug info from the servers of $DEBUGINFOD_URLS with libdebuginfod. The library is
 * loaded on first use, since loading it takes longer than reading a small recording. It caches its
 * downloads itself. For one thread.
 */
struct cr_debuginfod;
struct cr_opener;

/*
 * NULL in a build without the library. Otherwise never NULL: if the library cannot be loaded,
 * cr_debuginfod_why() tells why. progress is called during a download and can cancel it. With an
 * opener, the library is loaded and called in the opener's process.
 */
struct cr_debuginfod *cr_debuginfod_new(
	struct cr_opener *opener, const struct cr_progress *progress);

/*
 * The path of the debug file with this build-id, which the caller frees; NULL if it is unavailable.
 * After progress has cancelled a download, nothing is requested any more.
 */
char *cr_debuginfod_find(struct cr_debuginfod *d, const struct cr_build_id *id);

/* Why the first failed request failed; "" if none did. */
const char *cr_debuginfod_why(const struct cr_debuginfod *d);

void cr_debuginfod_free(struct cr_debuginfod *d);

#endif
