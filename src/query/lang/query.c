#include "query/lang/query.h"

#include "query/diff/diff.h"
#include "query/fold/sketch/wide_stacks.h"
#include "query/fold/transform_p.h"
#include "query_p.h"

#include <stdlib.h>
#include <string.h>

const struct cr_word_info *
cr_word_info(enum cr_word w)
{
	static const struct cr_word_info words[] = {
#define SELECTION(id, word, arg, about) \
	{word, sizeof(arg) > 1 ? arg : NULL, about, CR_WORD_SELECTS, CR_TRANSFORMS},
#define FOLDING(id, word, arg, about) {word, arg, about, CR_WORD_FOLDS, CR_TRANSFORMS},
#define TRANSFORM(id, word, arg, about) \
	{word, sizeof(arg) > 1 ? arg : NULL, about, CR_WORD_TRANSFORMS, CR_TRANSFORM_##id},
#include "query_words.def"
	};

	return &words[w];
}

bool
cr_word_is_free(enum cr_word w)
{
	const char *arg = cr_word_info(w)->arg;

	return arg && w != CR_WORD_EVENT && w != CR_WORD_SWITCH_ON && w != CR_WORD_SWITCH_OFF &&
	       (strcmp(arg, "RE") == 0 || strncmp(arg, "NAME", 4) == 0 ||
		       strcmp(arg, "FIELD=VALUE") == 0);
}

struct cr_str
cr_word_spelling(struct cr_str word)
{
	static const struct {
		const char *old, *now;
	} spellings[] = {
		{"object", "dso"},
		{"grain", "granularity"},
	};

	for (size_t i = 0; i < CR_LEN(spellings); i++)
		if (cr_str_eq(word, cr_str_of(spellings[i].old)))
			return cr_str_of(spellings[i].now);
	return word;
}

enum cr_word
cr_word_find(struct cr_str name)
{
	int w = 0;

	name = cr_word_spelling(name);
	while (w < CR_WORDS && !cr_str_eq(name, cr_str_of(cr_word_info((enum cr_word)w)->name)))
		w++;
	return (enum cr_word)w;
}

/* ---- the list */

static int
step_check(const struct cr_step *s, struct cr_err *err)
{
	const struct cr_word_info *w = cr_word_info(s->word);

	if (!w->arg && *s->arg)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s takes no argument", w->name);
	if (w->kind != CR_WORD_TRANSFORMS)
		return CR_OK;
	if (w->arg && !*s->arg)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s wants %s", w->name, w->arg);
	return cr_transform_check(w->transform, s->arg, err);
}

/* Compute the filter and options of the steps anew. */
static int
made_again(struct cr_query *q, struct cr_err *err)
{
	struct cr_query_made *m = cr_alloc(1, sizeof(*m));
	int rc = CR_OK;

	m->opts = CR_FOLD_USUAL;
	for (size_t i = 0; i < q->n && rc == CR_OK; i++)
		if (cr_word_info(q->steps[i].word)->kind != CR_WORD_TRANSFORMS)
			rc = cr_query_made_add(m, &q->steps[i], err);
	if (rc < 0) {
		cr_query_made_free(m);
		return rc;
	}
	cr_query_made_end(m);
	cr_query_made_free(q->made);
	q->made = m;
	return CR_OK;
}

static bool
is_single(enum cr_word w)
{
	return w == CR_WORD_EVENT || w == CR_WORD_COST || w == CR_WORD_GRANULARITY ||
	       w == CR_WORD_GROUP || w == CR_WORD_SWITCH_ON || w == CR_WORD_SWITCH_OFF ||
	       w == CR_WORD_SHOW_ON_OFF;
}

static void
step_remove(struct cr_query *q, size_t at)
{
	free(q->steps[at].arg);
	memmove(q->steps + at, q->steps + at + 1, (q->n - at - 1) * sizeof(*q->steps));
	q->n--;
}

int
cr_query_add(struct cr_query *q, enum cr_word word, const char *arg, struct cr_err *err)
{
	const struct cr_step s = {
		word, cr_strdup(arg && is_single(word) ? cr_word_spelling(cr_str_of(arg)).p
				: arg                  ? arg
						       : "")};
	size_t same = 0;
	int rc;

	while (same < q->n && !(is_single(word) && q->steps[same].word == word))
		same++;
	if (q->n == CR_QUERY_STEPS_MOST)
		rc = cr_fail(
			err, CR_ELIMIT, CR_NO_OFFSET, "more than %d steps", CR_QUERY_STEPS_MOST);
	else
		rc = step_check(&s, err);
	if (rc < 0) {
		free(s.arg);
		return rc;
	}
	q->steps = cr_realloc(q->steps, q->n + 1, sizeof(*q->steps));
	q->steps[q->n++] = s;
	if ((rc = made_again(q, err)) < 0) {
		step_remove(q, q->n - 1);
		return rc;
	}
	if (same + 1 < q->n)
		step_remove(q, same);
	return CR_OK;
}

void
cr_query_cut(struct cr_query *q, size_t n)
{
	struct cr_err unused = CR_ERR_INIT;

	while (q->n > n)
		step_remove(q, q->n - 1);
	made_again(q, &unused); /* these steps were accepted before */
}

void
cr_query_remove(struct cr_query *q, enum cr_word word)
{
	for (size_t i = q->n; i-- > 0;)
		if (q->steps[i].word == word)
			step_remove(q, i);
	cr_query_cut(q, q->n);
}

void
cr_query_fini(struct cr_query *q)
{
	while (q->n)
		step_remove(q, q->n - 1);
	free(q->steps);
	cr_query_made_free(q->made);
	*q = (struct cr_query){0};
}

void
cr_query_copy(const struct cr_query *q, struct cr_query *out)
{
	struct cr_err unused = CR_ERR_INIT;

	*out = (struct cr_query){.steps = cr_alloc(q->n, sizeof(*q->steps)), .n = q->n};
	for (size_t i = 0; i < q->n; i++)
		out->steps[i] = (struct cr_step){q->steps[i].word, cr_strdup(q->steps[i].arg)};
	made_again(out, &unused);
}

void
cr_query_override(const struct cr_query *q, const struct cr_query *own, struct cr_query *out)
{
	struct cr_err unused = CR_ERR_INIT;

	cr_query_copy(q, out);
	for (size_t i = 0; i < own->n; i++)
		cr_query_remove(out, own->steps[i].word);
	for (size_t i = 0; i < own->n; i++)
		cr_query_add(out, own->steps[i].word, own->steps[i].arg, &unused);
}

bool
cr_query_same(const struct cr_query *a, const struct cr_query *b, unsigned kinds)
{
	size_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < a->n && !(cr_word_info(a->steps[i].word)->kind & kinds))
			i++;
		while (j < b->n && !(cr_word_info(b->steps[j].word)->kind & kinds))
			j++;
		if (i == a->n || j == b->n)
			return i == a->n && j == b->n;
		if (a->steps[i].word != b->steps[j].word ||
			strcmp(a->steps[i].arg, b->steps[j].arg) != 0)
			return false;
	}
}

bool
cr_query_has(const struct cr_query *q, unsigned kinds)
{
	for (size_t i = 0; i < q->n; i++)
		if (cr_word_info(q->steps[i].word)->kind & kinds)
			return true;
	return false;
}

/* ---- filter and options */

const struct cr_filter *
cr_query_filter(const struct cr_query *q)
{
	static const struct cr_filter all = {0};

	return q->made ? &q->made->filter : &all;
}

struct cr_fold_opts
cr_query_opts(const struct cr_query *q)
{
	return q->made ? q->made->opts : CR_FOLD_USUAL;
}

bool
cr_query_groups(const struct cr_query *q)
{
	const struct cr_fold_opts o = cr_query_opts(q);

	return o.n_groups != 1 || o.groups[0] != CR_GROUP_USUAL;
}

unsigned
cr_query_needs(const struct cr_profile *p, const struct cr_query *q)
{
	const struct cr_fold_opts o = cr_query_opts(q);

	return cr_fold_needs(p, cr_query_filter(q), &o);
}

int
cr_query_fold(const struct cr_profile *p, const struct cr_query *q, struct cr_tree **out,
	struct cr_err *err)
{
	const struct cr_filter *f = cr_query_filter(q);
	const struct cr_fold_opts o = cr_query_opts(q);

	return !f->event && cr_diff_is(p) ? cr_diff_within(p, f, &o, out, err)
					  : cr_fold(p, f, &o, out, err);
}

int
cr_query_transform(const struct cr_query *q, struct cr_tree **t, struct cr_err *err)
{
	for (size_t i = 0; i < q->n; i++) {
		const struct cr_word_info *w = cr_word_info(q->steps[i].word);
		struct cr_tree *next;
		int rc;

		if (w->kind != CR_WORD_TRANSFORMS)
			continue;
		if ((rc = cr_transform(*t, w->transform, q->steps[i].arg, &next, err)) < 0)
			return rc;
		cr_tree_free(*t);
		*t = next;
	}
	return CR_OK;
}

int
cr_query_none_left(const struct cr_query *q, struct cr_err *err)
{
	struct cr_text t = {0};

	cr_query_print(q, &t);
	cr_fail(err, CR_EEMPTY, CR_NO_OFFSET, "no samples left after: %s", t.p ? t.p : "");
	cr_text_fini(&t);
	return err->code;
}

int
cr_query_left(const struct cr_query *q, const struct cr_tree *t, struct cr_err *err)
{
	uint64_t left = 0;

	for (uint32_t s = 0; s < t->sides; s++)
		left |= t->total[s][0] | t->total_samples[s][0];
	return q->n && !left ? cr_query_none_left(q, err) : CR_OK;
}

int
cr_query_run(const struct cr_profile *p, const struct cr_query *q, struct cr_tree **out,
	struct cr_err *err)
{
	int rc = cr_query_fold(p, q, out, err);

	if (rc < 0)
		return rc;
	if ((rc = cr_query_transform(q, out, err)) < 0 || (rc = cr_query_left(q, *out, err)) < 0) {
		cr_tree_free(*out);
		*out = NULL;
	}
	return rc;
}

/* Fold to a tree that may be cut; *out is NULL if that is no use. */
static int
fold_cut(struct cr_plan *plan, const struct cr_filter *f, uint32_t share, struct cr_tree_cut *cut,
	struct cr_tree **out, struct cr_err *err)
{
	struct cr_wide_stacks *wide;
	int rc;

	*out = NULL;
	if (!cr_plan_can_be_wide(plan, f))
		return CR_OK;
	rc = cr_plan_fold_wide(plan, f, cut->most, out, &wide, err);
	if (rc == CR_OK && wide) {
		rc = cr_wide_stacks_cut(wide, share, cut, out, err);
		if (rc == CR_OK && !*out)
			rc = cr_wide_stacks_sketch(wide, 0, NULL, 0, out, err);
	}
	cr_wide_stacks_free(wide);
	return rc;
}

int
cr_query_run_cut(const struct cr_profile *p, const struct cr_query *q, uint32_t share,
	struct cr_tree_cut *cut, struct cr_tree **out, struct cr_err *err)
{
	const struct cr_filter *f = cr_query_filter(q);
	const struct cr_fold_opts o = cr_query_opts(q);
	struct cr_plan *plan;
	int rc;

	*out = NULL;
	if (cr_query_has(q, CR_WORD_TRANSFORMS) || (!f->event && cr_diff_is(p)))
		return cr_query_run(p, q, out, err);
	plan = cr_plan_new(p, &o);
	rc = fold_cut(plan, f, share, cut, out, err);
	cr_plan_free(plan);
	if (rc < 0 || !*out)
		return rc < 0 ? rc : cr_query_run(p, q, out, err);
	if ((rc = cr_query_left(q, *out, err)) < 0) {
		cr_tree_free(*out);
		*out = NULL;
	}
	return rc;
}
