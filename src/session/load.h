#ifndef CR_SESSION_LOAD_H
#define CR_SESSION_LOAD_H

#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "model/profile.h"
#include "symbol/opts.h"

/*
 * Opens what a user names: a stored profile by name, a .cresset file, any input that a reader
 * knows, or a directory written by perf record. A directory without a recording is no input, so
 * that a stored profile with its name can be opened.
 */
struct cr_load_opts {
	const char *store_dir; /* --store; NULL for the default */
	const char *format;    /* --input-format: name of a reader; NULL to detect it */
	/* --unit: unit of the weights if a text names none; NULL: the format's default. */
	const char *unit;
	bool branch_history; /* --branch-history: stacks contain the branches of the samples */
	bool root_first;     /* --root-first: frames of a SystemTap text are outermost first */
	unsigned threads;    /* --threads: to read a text; 0: as many as processors */
	struct cr_symbol_opts symbol;
	const struct cr_progress *progress;
	bool with_source;     /* also store the source lines of hot functions */
	bool data_types;      /* also find the types of data: see symbol/data/data_types.h */
	bool force_owner;     /* read a recording whoever owns it */
	bool no_cache;        /* --no-cache: neither use nor write a copy of an input file */
	bool may_be_empty;    /* accept a recording without samples; it is not cached */
	bool no_copy;         /* open an existing copy of an input file, but write none */
	bool no_default_tree; /* the caller folds the samples itself; requires no_cache */
	bool fresh;           /* --fresh: read the input again even if there is a copy */
	/* Code and source may be looked up later, where the options of `symbol` say. */
	bool finds_code;
	/* Estimate the field "parallelism" of events that lack it; see model/parallelism.h. */
	bool parallelism;
	bool latency;     /* --latency: the same, and weights become latencies */
	const char *cost; /* what weights become: see model/cost.h; NULL: as recorded */
	bool as_recorded; /* ignore latency and cost: the caller changes the weights later */
};

/* The cost that these options select, see model/cost.h; NULL: as recorded. */
const char *cr_load_cost(const struct cr_load_opts *o);

/*
 * Change the weights of a profile that was loaded as recorded, with all its columns and fields, and
 * make its default tree. cost: see model/cost.h; NULL changes nothing.
 */
int cr_load_weigh(struct cr_profile *p, const char *cost, struct cr_err *err);

/*
 * Read an input with its reader, symbolize it, make the default tree. Uses neither store nor cache.
 */
int cr_load_input(const char *path, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err);

/*
 * Open NAME or FILE with at least these parts (bits of enum cr_store_parts). An input file is read
 * once: a copy is written to the cache (store/cache.h), and opened as long as file and options are
 * unchanged. A damaged copy is ignored. If no copy can be written, the profile is opened anyway,
 * and it is logged, unless there can be no cache at all.
 */
int cr_load(const char *what, unsigned parts, const struct cr_load_opts *o, struct cr_profile **out,
	struct cr_log *log, struct cr_err *err);

/*
 * The same for len bytes at p, which need not stay: a stored profile or any input. name: of the
 * profile, as that of a file. There is no copy in the cache.
 */
int cr_load_memory(const void *p, size_t len, const char *name, unsigned parts,
	const struct cr_load_opts *o, struct cr_profile **out, struct cr_log *log,
	struct cr_err *err);

/*
 * The bits of enum cr_store_parts that contain what is needed: bits as in cr_filter_needs(). For 0,
 * where the default tree suffices, that is compared with the samples.
 */
unsigned cr_load_parts(unsigned needs);

/*
 * Ingest FILE as NAME (NULL: a free name derived from the file's). *name becomes its name; the
 * caller frees it. CR_EEXISTS if the name exists and replace is false.
 */
int cr_load_ingest(const char *path, const char *as, bool replace, const struct cr_load_opts *o,
	char **name, struct cr_profile **out, struct cr_log *log, struct cr_err *err);

/* The name without directories and ".cresset", for titles. The caller frees it. */
char *cr_load_title(const char *what);

#endif
