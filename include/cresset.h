#ifndef CRESSET_H
#define CRESSET_H

/*
 * libcresset: what the program cresset does with profiles, for other programs. It opens recordings
 * and texts of profilers, folds stacks, makes tables, compares profiles and writes every output
 * format. docs/library.md has examples; cresset(1) explains queries, options and formats.
 *
 * Rules for all functions
 *
 * Handles. All types are opaque. A handle that a function returns belongs to the caller, who frees
 * it with the function of its type. A handle keeps what it was made from, so handles may be freed
 * in any order. NULL may be freed.
 *
 * Errors. A function that returns a handle returns NULL on failure, one that returns int a negative
 * enum cresset_code. Then cresset_error() of the context says why. Nothing in the library ends the
 * process, except as said under "Memory".
 *
 * Texts. A returned text ends with NUL and is borrowed: it is valid as long as the handle that it
 * was asked of, unless its function says otherwise. Names come from the input: they may contain any
 * byte but NUL. What may go to a terminal has to be made safe first.
 *
 * Options. A list of options is an array of texts "name=value", or "name" for a switch, that ends
 * with NULL. NULL is the empty list. Names and values are those of the program, without dashes.
 *
 * Bytes. Functions with the parameters `bytes` and `len` store the address and the length of their
 * output there. The caller frees *bytes with cresset_free_bytes(). A NUL follows the output and is
 * not counted. On failure *bytes is NULL and *len is 0.
 *
 * Units. Weights are in the unit of the event, such as "ns", "cycles" or "samples"; see
 * cresset_event(). In the unit "millionths" they are counts with a fraction, times 1000000.
 *
 * Threads. A context with everything that was made from it belongs to one thread at a time; both
 * sides of a difference are of one context. Several
 * contexts may be used in several threads at once. The library starts threads of its own for long
 * work and ends them before the function returns; callbacks are called in the thread of the caller.
 *
 * Memory. Memory whose size the input decides is refused with CRESSET_ENOMEM. If the system has no
 * memory at all for anything else, abort() is called. There is no parameter for an allocator:
 * tables are mapped from files, given to threads and freed by them, and the libraries below bring
 * their own; so malloc() of the process is used.
 *
 * Process. The library has no settings outside of a context, but for the environment, of which it
 * reads what the program reads: the places of home, store and temporary files, and the servers of
 * debuginfod. It changes neither the locale nor the directory, starts no program and prints
 * nothing. One thing belongs to the whole process: while a file is mapped, another program may
 * truncate it; so the first opened file installs a handler for SIGBUS, which gives every other
 * SIGBUS to the handler that was there before. A function opens the files that its contract names.
 * Symbolizing also opens programs and debug files that a recording names; cresset(1) lists which.
 * A hostile recording is checked, but nothing confines the process as the program does;
 * SECURITY.md says more.
 *
 * Compatibility. The name libcresset.so.0 stays as long as a compiled program goes on working.
 * Values are only added to enums, at their ends.
 */

#include <stddef.h>
#include <stdint.h>

#define CRESSET_VERSION_MAJOR 0
#define CRESSET_VERSION_MINOR 1
#define CRESSET_VERSION_PATCH 0
/* For #if: the version that was compiled with is at least this. */
#define CRESSET_VERSION_AT_LEAST(major, minor, patch)                                              \
	(CRESSET_VERSION_MAJOR * 1000000 + CRESSET_VERSION_MINOR * 1000 + CRESSET_VERSION_PATCH >= \
		(major)*1000000 + (minor)*1000 + (patch))

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CRESSET_API __attribute__((visibility("default")))
#else
#define CRESSET_API
#endif

typedef struct cresset cresset;                 /* a context: settings, last error, warnings */
typedef struct cresset_profile cresset_profile; /* a recording that was read */
typedef struct cresset_tree cresset_tree;       /* a call tree, or two as a difference */
typedef struct cresset_table cresset_table;     /* rows of costs, or of changes */

enum cresset_code {
	CRESSET_OK = 0,
	CRESSET_EFORMAT = -1,      /* the input is malformed */
	CRESSET_ETRUNCATED = -2,   /* the input ends too early */
	CRESSET_ELIMIT = -3,       /* a documented limit was exceeded */
	CRESSET_ENOMEM = -4,       /* the input needs more memory than there is */
	CRESSET_EIO = -5,          /* the system refused; the text contains its reason */
	CRESSET_EUNSUPPORTED = -6, /* known, but not supported by this version or build */
	CRESSET_ENOTFOUND = -7,    /* no such file, profile, event, field or option */
	CRESSET_EEXISTS = -8,      /* the name is in use */
	CRESSET_EUSAGE = -9,       /* an argument, a query or an option is wrong */
	CRESSET_ECANCELLED = -10,  /* the progress callback stopped it */
	CRESSET_EEMPTY = -11,      /* readable, but there are no samples, or a query left none */
	CRESSET_EUNKNOWN = -12,    /* the format of the input is not known */
	CRESSET_ELOCKED = -13,     /* another process works on the stored profile */
};

/* ---- contexts */

/* The version of the library that is loaded: "0.1.0". Static. */
CRESSET_API const char *cresset_version(void);

/* A context with default settings. Never NULL. */
CRESSET_API cresset *cresset_new(void);
CRESSET_API void cresset_free(cresset *c);

/*
 * The code and the text of the last failure: one line in lower case, without a full stop.
 * CRESSET_OK and "" if the last call succeeded. The text is valid until the next call with the
 * context or with anything made from it.
 */
CRESSET_API int cresset_error_code(const cresset *c);
CRESSET_API const char *cresset_error(const cresset *c);

/*
 * The i-th warning, from 0, of the last cresset_open(), cresset_open_memory(), cresset_ingest() or
 * cresset_collapse(), and of what was read of that profile later: "lines without a count: 2, the
 * first in line 7". NULL past the last. Valid until the next of these calls.
 */
CRESSET_API const char *cresset_warning(const cresset *c, size_t i);

/*
 * Set a function that is called during long work, at most every few thousand records. what:
 * "lines", "reading" ...; done and whole: bytes or items; whole is 0 if not known. It returns 0 to
 * go on; anything else stops the work, which then fails with CRESSET_ECANCELLED. It must not use
 * this context. NULL: none.
 */
typedef int cresset_progress_fn(void *user, const char *what, uint64_t done, uint64_t whole);
CRESSET_API void cresset_on_progress(cresset *c, cresset_progress_fn *fn, void *user);

/*
 * Set a function that gets each warning as soon as the call that found it has ended its work, just
 * before it returns. text: as of cresset_warning(), valid during the call. NULL: none.
 */
typedef void cresset_log_fn(void *user, const char *text);
CRESSET_API void cresset_on_log(cresset *c, cresset_log_fn *fn, void *user);

/*
 * Set how inputs are read from now on. CRESSET_ENOTFOUND for an option that is none of these,
 * CRESSET_EUSAGE for a bad value. value may be NULL for a switch; a switch takes yes and no.
 *
 *	input-format=FORMAT   do not detect the format; see cresset_input_format()
 *	unit=UNIT             unit of the counts of a text
 *	root-first            frames of a SystemTap text are outermost first
 *	threads=N             use at most N threads
 *	symfs=DIR             look for programs and symbols only under DIR
 *	debug-dir=DIR         look for debug files in DIR before /usr/lib/debug
 *	kallsyms=FILE vmlinux=FILE source-dir=DIR map-dir=DIR
 *	no-inline             no inlined functions and no source lines
 *	no-demangle           leave the names of C++, Rust ... as they are linked
 *	guess-callers         unwind through code without unwind tables
 *	debuginfod            ask the servers of $DEBUGINFOD_URLS
 *	force-owner           read a recording that another user could have written
 *	data-types            find the types of data that instructions access
 *	latency               weights become latencies
 *	cost=FIELD            weights become a number of the samples' fields, or latency, as with
 *	                      cresset report --cost; then queries of the profile have no cost
 *	store=DIR             the directory of stored profiles
 */
CRESSET_API int cresset_set(cresset *c, const char *option, const char *value);

/* Free the output of a function. NULL is allowed. */
CRESSET_API void cresset_free_bytes(void *bytes);

/* ---- formats */

/* The name of the i-th input or output format, from 0; NULL past the last. Static. */
CRESSET_API const char *cresset_input_format(size_t i);
CRESSET_API const char *cresset_output_format(size_t i);

/* The name of the i-th option of an output format; NULL past the last. Static. */
CRESSET_API const char *cresset_output_option(const char *format, size_t i);

/* ---- profiles */

/*
 * Open a recording, a text, a directory of perf record or a .cresset file; or the stored profile of
 * that name, if there is no such file. "-" is standard input. The program's cache of copies is
 * neither used nor written.
 */
CRESSET_API cresset_profile *cresset_open(cresset *c, const char *what);

/*
 * The same for len bytes in memory, which need not stay, packed or not. name: what the profile is
 * called where it has to have a name, such as "perf.data".
 */
CRESSET_API cresset_profile *cresset_open_memory(
	cresset *c, const void *bytes, size_t len, const char *name);

/*
 * Read a file and store it under a name, as cresset ingest does; as NULL: a free name made from the
 * path. replace: 0, or a stored profile of that name is replaced. cresset_profile_name() of the
 * result is the name in the store.
 */
CRESSET_API cresset_profile *cresset_ingest(
	cresset *c, const char *path, const char *as, int replace);

/* Write all of a profile as a .cresset file. replace: 0, or an existing file is replaced. */
CRESSET_API int cresset_save(cresset_profile *p, const char *path, int replace);

CRESSET_API void cresset_profile_free(cresset_profile *p);

/* What the profile was opened as. */
CRESSET_API const char *cresset_profile_name(const cresset_profile *p);

/*
 * The name of the i-th event, from 0; NULL past the last. unit, samples and weight get its unit,
 * the number of its samples and the sum of their weights; each may be NULL.
 */
CRESSET_API const char *cresset_event(
	cresset_profile *p, size_t i, const char **unit, uint64_t *samples, uint64_t *weight);

/* What the recording says about itself: "hostname", "arch", "cmdline" ... NULL if not known. */
CRESSET_API const char *cresset_fact(cresset_profile *p, const char *key);

/*
 * The i-th kind of data that the recording lacks, such as "lost events"; NULL past the last. count
 * gets how much of it, and may be NULL.
 */
CRESSET_API const char *cresset_missing(cresset_profile *p, size_t i, uint64_t *count);

/* ---- call trees */

/*
 * Select samples, fold their stacks and change them. words: steps of a query, separated by ';', as
 * in "event cycles; comm nginx; focus ^ext4_; invert"; QUERIES in cresset(1) lists them. NULL or ""
 * selects all samples of the main event. A query that leaves no samples fails with CRESSET_EEMPTY.
 */
CRESSET_API cresset_tree *cresset_query(cresset_profile *p, const char *words);

/*
 * Compare two profiles: a tree with two sides, before and after. Functions match as in cresset
 * diff; the transforms of the query change both sides together. Options:
 *
 *	force         compare different events
 *	match=path    programs and libraries match only by path
 */
CRESSET_API cresset_tree *cresset_diff(cresset_profile *before, cresset_profile *after,
	const char *words, const char *const *options);

CRESSET_API void cresset_tree_free(cresset_tree *t);

/* 1; or 2 for a difference: side 0 is before, side 1 after. */
CRESSET_API uint32_t cresset_sides(const cresset_tree *t);

/* The event that a side measures; unit gets its unit and may be NULL. NULL for no such side. */
CRESSET_API const char *cresset_tree_event(cresset_tree *t, uint32_t side, const char **unit);

/*
 * Nodes have the numbers 0 to cresset_nodes() - 1 in preorder: parents come before their children.
 * Node 0 is the root, which stands for all stacks. Siblings are sorted, the largest first.
 *
 *	for (n = cresset_first_child(t, parent); n; n = cresset_next_sibling(t, n))
 *
 * Both return 0 if there is none. A number that is no node has no children, no name and no cost.
 */
CRESSET_API uint32_t cresset_nodes(const cresset_tree *t);
CRESSET_API uint32_t cresset_parent(const cresset_tree *t, uint32_t node);
CRESSET_API uint32_t cresset_first_child(const cresset_tree *t, uint32_t node);
CRESSET_API uint32_t cresset_next_sibling(const cresset_tree *t, uint32_t node);

/* The name of a node: of a function, comm ... Never NULL. "" for a number that is no node. */
CRESSET_API const char *cresset_node_name(cresset_tree *t, uint32_t node);
/* The program or library of its code; "" if there is none. */
CRESSET_API const char *cresset_node_dso(cresset_tree *t, uint32_t node);
/* Its source file, "" if not known; line gets the line, 0 if not known, and may be NULL. */
CRESSET_API const char *cresset_node_source(cresset_tree *t, uint32_t node, uint32_t *line);

/*
 * The costs of a node on a side: the weight that was sampled in it; the weight that was sampled in
 * it or in what it called; and the number of samples of the latter.
 */
CRESSET_API uint64_t cresset_node_self(const cresset_tree *t, uint32_t node, uint32_t side);
CRESSET_API uint64_t cresset_node_total(const cresset_tree *t, uint32_t node, uint32_t side);
CRESSET_API uint64_t cresset_node_samples(const cresset_tree *t, uint32_t node, uint32_t side);

/* ---- tables */

/*
 * The costs of what a query selects by a list of keys, as cresset report prints them. keys:
 * "comm,dso,sym" as for report --sort; NULL: those that the program takes. Without `event` in the
 * query the rows are of the main event. Options:
 *
 *	fields=COLUMN,...    choose the columns, as report --fields
 *	children=no          no column for total cost
 *	percent-limit=N      leave out rows with less than N percent
 *	limit=N              leave out rows after the first N
 */
CRESSET_API cresset_table *cresset_report(
	cresset_profile *p, const char *words, const char *keys, const char *const *options);

/*
 * Judge each function of a difference that cresset_diff() made: which have changed, and which
 * changes are noise. The rows that are called changed come first. Shares are parts of 1 here, in
 * the columns before, after, delta ... Options:
 *
 *	total         judge the total cost, not self
 *	all           also rows without any change
 *	norm=HOW      compare share (the default), time, second, none or the total of a function
 *	noise=N       least noise from run to run, in percent of a row's share
 *	sort=KEY      rows of sym (the default), dso or comm
 */
CRESSET_API cresset_table *cresset_verdicts(cresset_tree *difference, const char *const *options);

CRESSET_API void cresset_table_free(cresset_table *t);

CRESSET_API size_t cresset_rows(const cresset_table *t);

/* The name of the i-th column as in CSV, such as "sym"; NULL past the last. */
CRESSET_API const char *cresset_column(const cresset_table *t, size_t i);

/*
 * A cell as text, "" if it is empty, and as a number, NaN if it is not one. In tables of
 * cresset_report() shares are percentages. The text is valid until the next call for this table.
 * NULL and NaN for no such cell.
 */
CRESSET_API const char *cresset_cell(cresset_table *t, size_t row, size_t column);
CRESSET_API double cresset_cell_number(cresset_table *t, size_t row, size_t column);

/* What cresset_verdicts() says about a row. */
enum cresset_verdict {
	CRESSET_NOT_TESTED, /* too few samples, or their number is not known */
	CRESSET_MACHINE,    /* work of the machine for other programs, such as interrupts */
	CRESSET_CANNOT_TELL,
	CRESSET_WITHIN_NOISE,   /* shown to be the same, up to what does not matter */
	CRESSET_LIKELY_CHANGED, /* changed, but a side has only one recording */
	CRESSET_CHANGED,
	CRESSET_NEW,
	CRESSET_GONE,
};
/* The verdict about a row; CRESSET_NOT_TESTED for other tables and for no such row. */
CRESSET_API enum cresset_verdict cresset_row_verdict(const cresset_table *t, size_t row);

/*
 * Write a table. form: "csv" with a line of names; "json", a list of objects; "text" and "markdown"
 * for people, with names made safe for a terminal.
 */
CRESSET_API int cresset_write_table(cresset_table *t, const char *form, char **bytes, size_t *len);

/* ---- output formats */

/*
 * Write a tree in an output format, to memory or to a file, which is replaced when it is complete.
 * Formats that list samples, such as pprof, write those of the tree's profile and query.
 * CRESSET_EUSAGE if the format cannot represent the tree, such as a difference.
 */
CRESSET_API int cresset_write(
	cresset_tree *t, const char *format, const char *const *options, char **bytes, size_t *len);
CRESSET_API int cresset_write_file(
	cresset_tree *t, const char *format, const char *const *options, const char *path);

/* ---- folded stacks, from memory to memory */

/*
 * Fold any input like cresset collapse, with the names that the stackcollapse scripts write. words:
 * a query as of cresset_query(), or NULL. Options, as of cresset collapse: pid, tid, kernel, jit,
 * addrs, includeoffset, srcline, full-source-path, no-modules, no-include-tname, include-tid,
 * shorten-pkgs, recursive.
 */
CRESSET_API int cresset_collapse(cresset *c, const void *input, size_t input_len, const char *words,
	const char *const *options, char **bytes, size_t *len);

/*
 * Draw folded stacks as a flame graph in SVG, like cresset flamegraph. Lines with two counts give a
 * differential flame graph. Options: those of the output format svg, and inverted, reverse,
 * flamechart, negate and colors=PALETTE of cresset flamegraph.
 */
CRESSET_API int cresset_flamegraph(cresset *c, const void *folded, size_t folded_len,
	const char *const *options, char **bytes, size_t *len);

/*
 * Two folded texts as one with two counts a line, before and after, like cresset diff-folded.
 * Options: normalize, strip-hex.
 */
CRESSET_API int cresset_diff_folded(cresset *c, const void *before, size_t before_len,
	const void *after, size_t after_len, const char *const *options, char **bytes, size_t *len);

#ifdef __cplusplus
}
#endif

#endif
