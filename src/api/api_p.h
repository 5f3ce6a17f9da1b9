#ifndef CR_API_API_P_H
#define CR_API_API_P_H

#include "cresset.h"

#include "base/err.h"
#include "base/log.h"
#include "base/option.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/vec.h"
#include "query/diff/evidence.h"
#include "query/lang/query.h"
#include "query/table/table.h"
#include "session/load.h"
#include "view/sheet/table_sheet.h"
#include "view/sheet/verdict_sheet.h"
#include "write/writer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/*
 * What the handles of cresset.h are. A handle counts who holds it: the caller and the handles that
 * were made from it. A function of the API begins with cr_api_begin() and ends with cr_api_end().
 */
struct cresset {
	atomic_uint held;
	struct cr_err err;
	CR_VEC(char *) warnings;
	cresset_progress_fn *on_progress;
	void *progress_user;
	cresset_log_fn *on_log;
	void *log_user;
	struct cr_progress progress; /* calls on_progress */
	pthread_t caller;            /* the thread of the current call */
	atomic_bool stopped;         /* on_progress stopped it */
	struct cr_load_opts load;
	CR_VEC(char *) texts; /* values of options, which load borrows */
};

struct cresset_profile {
	atomic_uint held;
	cresset *c;
	struct cr_profile *p;
	char *name, *title;
	struct cr_arena texts; /* what was returned to the caller */
};

struct cresset_tree {
	atomic_uint held;
	cresset_profile *p[CR_SIDES]; /* p[1]: of a difference of two profiles, else NULL */
	struct cr_query query[CR_SIDES];
	struct cr_tree *tree;
	/* Of a difference: what it was made of, for verdicts. */
	struct cr_tree *side[CR_SIDES];
	struct cr_diff_opts diff;
	char *title; /* of a difference */
	/* For formats that list samples, made when they are first needed: see cr_query_place(). */
	struct cr_tree *placed[2]; /* without and with lines */
	uint32_t *place[2];
	const char **names, **dsos, **files; /* by frame: what was returned, or NULL */
	struct cr_arena texts;
};

struct cresset_table {
	cresset *c;
	cresset_profile *p; /* of a report, else NULL */
	cresset_tree *of;   /* of verdicts, else NULL */
	struct cr_tree *tree;
	struct cr_table_spec spec;
	struct cr_table table;
	struct cr_norm norm;
	char *norm_text;
	struct cr_judged judged;
	bool totals;
	struct cr_table_sheet costs;
	struct cr_verdict_sheet changes;
	const struct cr_sheet *sheet; /* one of these two */
	uint32_t *columns, n_columns; /* those for programs */
	struct cr_text cell;
};

/*
 * _begin(): forget the last error, and report progress of this thread to the caller's function.
 * _end(): returns rc, or CR_ECANCEL if that function stopped the work. Between both the error goes
 * to c->err.
 */
void cr_api_begin(cresset *c);
int cr_api_end(cresset *c, int rc);

/* Turn a log into warnings, and tell the caller's function. */
void cr_api_warn(cresset *c, const struct cr_log *log);
void cr_api_no_warnings(cresset *c);

void cr_api_hold(atomic_uint *held);
/* True if nobody holds it any more. */
bool cr_api_let_go(atomic_uint *held);

/*
 * The parameters of a function from its list of options: a struct with its defaults, described by
 * specs that end with one without a name. Texts are borrowed from the list. With `rest` unknown
 * options are stored there, up to `most` of them, and a NULL; otherwise they are CR_ENOTFOUND.
 */
#define CR_API_FLAG(name_, type_, member)                                              \
	{                                                                              \
		.name = (name_), .type = CR_OPTION_FLAG, .at = offsetof(type_, member) \
	}
#define CR_API_TEXT(name_, type_, member)                                                        \
	{                                                                                        \
		.name = (name_), .type = CR_OPTION_TEXT, .min = 1, .at = offsetof(type_, member) \
	}
int cr_api_options(const char *const *given, const struct cr_option_spec *specs, void *to,
	const char **rest, size_t most, struct cr_err *err);

/* Split "name=value": *name is allocated, *value borrowed, NULL without '='. */
void cr_api_split(const char *option, char **name, const char **value);

/* Set the options of a writer. */
int cr_api_writer_options(
	const struct cr_writer *w, const char *const *given, void *options, struct cr_err *err);

/* Give a text to the caller as bytes. It is empty afterwards. On failure there are none. */
int cr_api_give(int rc, struct cr_text *t, char **bytes, size_t *len);

/* Read more of a stored profile: bits as in cr_filter_needs(). */
int cr_api_fetch(cresset_profile *p, unsigned parts, struct cr_err *err);

/* Parse a query; words may be NULL. */
int cr_api_query(const char *words, struct cr_query *out, struct cr_err *err);

#endif
