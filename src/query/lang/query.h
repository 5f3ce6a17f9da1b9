#ifndef CR_QUERY_LANG_QUERY_H
#define CR_QUERY_LANG_QUERY_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree_nodes.h"
#include "query/fold/fold.h"
#include "query/fold/select.h"
#include "query/fold/transform.h"

/*
 * What to show of a profile, as a list of words with arguments:
 *
 *	event cycles:u; comm nginx; time 3s..5s; focus ^ext4_; recursion direct; invert
 *
 * Samples are selected first, then folded; then the transforms change the tree in their order. A
 * selection given twice means either; different selections must all match. `event`, `cost`,
 * `granularity`, `group` and those of switches exist once: a second one replaces the first.
 */
enum cr_word {
#define SELECTION(id, word, arg, about) CR_WORD_##id,
#define FOLDING(id, word, arg, about) CR_WORD_##id,
#define TRANSFORM(id, word, arg, about) CR_WORD_##id,
#include "query_words.def"
	CR_WORDS
};

enum cr_word_kind {
	CR_WORD_SELECTS = 1,
	CR_WORD_FOLDS = 2,
	CR_WORD_TRANSFORMS = 4,
	CR_WORD_ANY = 7,
};

struct cr_word_info {
	const char *name, *arg, *about; /* arg is NULL if it takes none */
	enum cr_word_kind kind;
	enum cr_transform transform; /* for words that transform */
};

/* Name, argument, help and kind of a word; static. */
const struct cr_word_info *cr_word_info(enum cr_word w);
/* True if the argument is a pattern or a name, which may contain anything. */
bool cr_word_is_free(enum cr_word w);
/*
 * Returns the current spelling of a word, or of a value of one: "dso" for "object", "granularity"
 * for "grain". Any other text is returned as it is. Old spellings work, but no help lists them.
 */
struct cr_str cr_word_spelling(struct cr_str word);
/* The word with this name, also in an old spelling; CR_WORDS if there is none. */
enum cr_word cr_word_find(struct cr_str name);

struct cr_step {
	enum cr_word word;
	char *arg; /* "" if there is none */
};

#define CR_QUERY_STEPS_MOST 1000

/* All zero bytes is a query that selects all samples of the main event and changes nothing. */
struct cr_query {
	struct cr_step *steps;
	size_t n;
	struct cr_query_made *made; /* the filter and options that the steps result in */
};

/* Append a step. CR_EUSAGE, with q unchanged, for an invalid argument. */
int cr_query_add(struct cr_query *q, enum cr_word word, const char *arg, struct cr_err *err);

/*
 * Append the steps of a text, separated by ';', or none of them on failure. An argument that begins
 * with a quote ends with one, and may contain \", \\ and \xHH. Otherwise it ends before a ';'; in
 * patterns and names only before one that is followed by a blank or the end, and not preceded by a
 * backslash. Used by tests; the program adds step by step.
 */
int cr_query_parse(struct cr_query *q, const char *text, struct cr_err *err);

/* Parse the first step of a text; *rest becomes what follows its ';'. arg is cleared first. */
int cr_query_next(const char *text, enum cr_word *word, struct cr_text *arg, const char **rest,
	struct cr_err *err);

/*
 * Append all steps, or one, as text. Parsing it gives the same steps, and it is safe to print on
 * any terminal.
 */
void cr_query_print(const struct cr_query *q, struct cr_text *out);
void cr_query_put_step(enum cr_word word, const char *arg, struct cr_text *out);

/*
 * _cut(): keep only the first n steps. _remove(): remove all steps with the word. _fini(): free the
 * steps.
 */
void cr_query_cut(struct cr_query *q, size_t n);
void cr_query_remove(struct cr_query *q, enum cr_word word);
void cr_query_fini(struct cr_query *q);

/* Copy q to *out, which need not be initialised and is freed with cr_query_fini(). */
void cr_query_copy(const struct cr_query *q, struct cr_query *out);

/*
 * Copy q to *out with the steps of `own` in place of all steps with the same words; *out as for
 * cr_query_copy(). The steps of both were checked before.
 */
void cr_query_override(const struct cr_query *q, const struct cr_query *own, struct cr_query *out);

/*
 * _has(): true if there is a step of one of these kinds (bits of enum cr_word_kind). _same(): true
 * if the steps of these kinds are equal.
 */
bool cr_query_has(const struct cr_query *q, unsigned kinds);
bool cr_query_same(const struct cr_query *a, const struct cr_query *b, unsigned kinds);

/*
 * The filter and the fold options of the steps; borrowed from q until it changes. Without a `group`
 * stacks are grouped by comm.
 */
const struct cr_filter *cr_query_filter(const struct cr_query *q);
struct cr_fold_opts cr_query_opts(const struct cr_query *q);

/* True if steps set the grouping of stacks; otherwise they are grouped by comm, if known. */
bool cr_query_groups(const struct cr_query *q);

/*
 * What must be read for cr_query_fold(): bits as in cr_filter_needs(). 0: the default tree
 * suffices. p may be NULL if it is not open yet; with it fewer columns may be needed.
 */
unsigned cr_query_needs(const struct cr_profile *p, const struct cr_query *q);

/*
 * cr_query_fold() selects and folds. cr_query_transform() replaces *t by a tree changed by the
 * transforms. cr_query_run() does both. For a profile that is itself a difference, and without an
 * `event`, the tree has two sides. Trees borrow p's names. On failure *out is NULL, and *t a tree
 * changed by some of the transforms.
 */
int cr_query_fold(const struct cr_profile *p, const struct cr_query *q, struct cr_tree **out,
	struct cr_err *err);
int cr_query_transform(const struct cr_query *q, struct cr_tree **t, struct cr_err *err);
int cr_query_run(const struct cr_profile *p, const struct cr_query *q, struct cr_tree **out,
	struct cr_err *err);

/*
 * cr_query_run() for who looks only at the largest nodes. If the tree would have more than
 * cut->most nodes, it may be a sketch, and then *cut tells what it lacks: see cr_wide_stacks_cut()
 * (query/fold/sketch/wide_stacks.h). Otherwise *cut is unchanged.
 */
int cr_query_run_cut(const struct cr_profile *p, const struct cr_query *q, uint32_t share,
	struct cr_tree_cut *cut, struct cr_tree **out, struct cr_err *err);

/*
 * The call path of each sample after all steps, for formats that list samples. *out is a tree of
 * one side, *place an array by row of p's samples: its node of the tree, or CR_NO_ROW if the sample
 * is not selected or was removed. Stacks are grouped only if the query has a `group` step. Without
 * `event` and `where` in the query, samples of all recorded events have a place, but not those of
 * derived events.
 *
 * - lines: frames are source lines of functions, unless a step needs frames of another kind.
 *
 * Needs all columns of the samples. The caller frees both. Fails like cr_query_run().
 */
int cr_query_place(const struct cr_profile *p, const struct cr_query *q, bool lines,
	struct cr_tree **out, uint32_t **place, struct cr_err *err);

/*
 * CR_EEMPTY, "no samples left after: comm foo", if t has no samples, as from cr_query_run(); CR_OK
 * for a query without steps.
 */
int cr_query_left(const struct cr_query *q, const struct cr_tree *t, struct cr_err *err);
/* Fail with that error. */
int cr_query_none_left(const struct cr_query *q, struct cr_err *err);

#endif
