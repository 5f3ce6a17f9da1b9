#ifndef CR_QUERY_LANG_QUERY_H
#define CR_QUERY_LANG_QUERY_H

#include "base/err.h"
#include "base/text.h"
#include "query/fold/fold.h"
#include "query/fold/select.h"
#include "query/fold/transform.h"

/*
 * What to look at in a profile, and how, as a list of words with arguments:
 *
 *	event cycles:u; comm nginx; time 3s..5s; focus ^ext4_; recursion direct; invert
 *
 * Samples are selected first, then folded, then the tree goes through the transforms in their
 * order. The same selection twice means any of the two, different ones mean both. Of `event`,
 * `granularity` and `group` there is one: a second one takes the place of the first.
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
	const char *name, *arg, *about; /* arg NULL: takes none */
	enum cr_word_kind kind;
	enum cr_transform transform; /* of one that transforms */
};

const struct cr_word_info *cr_word_info(enum cr_word w);
/* Its argument is a pattern or a name, which may hold anything. */
bool cr_word_is_free(enum cr_word w);
/*
 * Returns the current spelling of a word, or of a value of one: "dso" for "object", "granularity"
 * for "grain". Any other text is returned as it is. Old spellings work, but no help lists them.
 */
struct cr_str cr_word_spelling(struct cr_str word);
/* The word with this name, also in an old spelling; CR_WORDS when there is none. */
enum cr_word cr_word_find(struct cr_str name);

struct cr_step {
	enum cr_word word;
	char *arg; /* "" where there is none */
};

#define CR_QUERY_STEPS_MOST 1000

/* All zero bytes is a query that selects all samples of the main event and changes nothing. */
struct cr_query {
	struct cr_step *steps;
	size_t n;
	struct cr_query_made *made; /* what the steps come to */
};

/* A step behind the others. CR_EUSAGE for an argument that makes no sense: q is as it was. */
int cr_query_add(struct cr_query *q, enum cr_word word, const char *arg, struct cr_err *err);

/*
 * Steps of a text, parted by ';', behind those of q; or none of them. An argument that begins with
 * a quote ends with one, and has \", \\ and \xHH for what stands behind the backslash. Else it ends
 * before a ';'; in patterns and names only before one that a blank or nothing follows and no
 * backslash precedes.
 */
int cr_query_parse(struct cr_query *q, const char *text, struct cr_err *err);

/* The first step of a text; *rest gets what is behind its ';'. arg is emptied first. */
int cr_query_next(const char *text, enum cr_word *word, struct cr_text *arg, const char **rest,
	struct cr_err *err);

/*
 * All steps, or one, as such a text, appended: it reads back as it was and can be printed on any
 * terminal.
 */
void cr_query_print(const struct cr_query *q, struct cr_text *out);
void cr_query_put_step(enum cr_word word, const char *arg, struct cr_text *out);

/* Only the first n steps stay; all but those of the word. */
void cr_query_cut(struct cr_query *q, size_t n);
void cr_query_remove(struct cr_query *q, enum cr_word word);
void cr_query_fini(struct cr_query *q);

void cr_query_copy(const struct cr_query *q, struct cr_query *out);

/* Is there a step of one of these kinds (enum cr_word_kind, bits)? Are those of both the same? */
bool cr_query_has(const struct cr_query *q, unsigned kinds);
bool cr_query_same(const struct cr_query *a, const struct cr_query *b, unsigned kinds);

/*
 * What the steps come to; borrowed from q until it changes. Without a group stacks stand under
 * comms.
 */
const struct cr_filter *cr_query_filter(const struct cr_query *q);
struct cr_fold_opts cr_query_opts(const struct cr_query *q);

/*
 * Do steps say what stacks are grouped under? Else they are under their comms, where these are
 * known.
 */
bool cr_query_groups(const struct cr_query *q);

/*
 * What has to be there for cr_query_fold(): bits as of cr_filter_needs(). 0: the default tree will
 * do. p may be NULL where it is not known yet; what is known of it may save columns.
 */
unsigned cr_query_needs(const struct cr_profile *p, const struct cr_query *q);

/*
 * Select and fold; put a tree in the place of *t that has gone through the transforms among the
 * steps. cr_query_run() does both. Of a profile that is a difference, where no event was asked for,
 * the tree has two sides. Trees borrow p's names. On failure *out is NULL, *t one that some of the
 * transforms have changed.
 */
int cr_query_fold(const struct cr_profile *p, const struct cr_query *q, struct cr_tree **out,
	struct cr_err *err);
int cr_query_transform(const struct cr_query *q, struct cr_tree **t, struct cr_err *err);
int cr_query_run(const struct cr_profile *p, const struct cr_query *q, struct cr_tree **out,
	struct cr_err *err);

/*
 * CR_EEMPTY, "no samples left after: comm foo", when t has none, as cr_query_run() says too; of a
 * query with no steps CR_OK.
 */
int cr_query_left(const struct cr_query *q, const struct cr_tree *t, struct cr_err *err);
/* That error. */
int cr_query_none_left(const struct cr_query *q, struct cr_err *err);

#endif
