#ifndef CR_SESSION_LOAD_H
#define CR_SESSION_LOAD_H

#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "model/profile.h"
#include "symbol/opts.h"

/*
 * From what a user names to a profile, whatever it is: the name of a stored profile, a .cresset
 * file, any input a reader knows, or a directory that perf record has written. A directory without
 * a recording is no input, so that a profile of its name can be opened.
 */
struct cr_load_opts {
	const char *store_dir; /* --store; NULL for the default */
	const char *format;    /* --format: a reader's name; NULL to detect */
	const char *unit; /* --unit: of the weights of a text that does not say; NULL: the format's
			     own */
	bool root_first;  /* --root-first: the frames of a SystemTap text stand outermost first */
	unsigned threads; /* --threads: to read a text on; 0: as many as there are processors */
	struct cr_symbol_opts symbol;
	const struct cr_progress *progress;
	bool with_source;     /* keep the source lines of hot functions too */
	bool force_owner;     /* read a recording whoever owns it */
	bool no_cache;        /* --no-cache: neither use nor leave a copy of an input file */
	bool may_be_empty;    /* take a recording without samples too; it leaves no copy */
	bool no_default_tree; /* whoever asks folds the samples himself; to go with no_cache */
	bool fresh;           /* --fresh: read the input again although there is a copy */
};

/* Read an input with its reader, name it, make the default tree. Touches no store. */
int cr_load_input(const char *path, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err);

/*
 * Open NAME or FILE with at least these parts (enum cr_store_parts). An input file is read once: it
 * leaves a copy in the cache (store/cache.h), which is opened the next time, as long as the
 * file and the options are the same. A copy that is damaged is not used. If no copy can be written,
 * the profile is opened all the same; log says so unless there can be no cache at all.
 */
int cr_load(const char *what, unsigned parts, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err);

/*
 * The parts (enum cr_store_parts) that hold what has to be there: bits as of cr_filter_needs(). For
 * 0, where the default tree will do, it is compared with the samples.
 */
unsigned cr_load_parts(unsigned needs);

/*
 * Ingest FILE as NAME (NULL: a fresh name from the file's); *name gets what it was called.
 * CR_EEXISTS unless replace.
 */
int cr_load_ingest(const char *path, const char *as, bool replace, const struct cr_load_opts *o,
	char **name, struct cr_profile **out, struct cr_log *log, struct cr_err *err);

#endif
