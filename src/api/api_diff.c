#include "api_p.h"

#include "base/mem.h"
#include "model/tree/default_tree.h"
#include "query/diff/diff.h"

#include <stdlib.h>
#include <string.h>

struct match {
	bool force;
	const char *match;
};

static const struct cr_option_spec match_specs[] = {
	CR_API_FLAG("force", struct match, force),
	CR_API_TEXT("match", struct match, match),
	{0},
};

static int
match_options(const char *const *given, struct cr_diff_opts *out, struct cr_err *err)
{
	struct match m = {0};
	int rc = cr_api_options(given, match_specs, &m, NULL, 0, err);

	out->force = m.force;
	out->by_path = m.match && strcmp(m.match, "path") == 0;
	if (rc == CR_OK && m.match && !out->by_path && strcmp(m.match, "name") != 0)
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "match takes name or path");
	return rc;
}

/* Write the event of each side into its query, as cresset diff does. */
static int
choose_events(cresset_tree *t, struct cr_err *err)
{
	const struct cr_profile *const p[CR_SIDES] = {t->p[0]->p, t->p[1]->p};
	const struct cr_filter *f = cr_query_filter(&t->query[0]);
	const struct cr_fold_opts opts = cr_query_opts(&t->query[0]);
	cr_event_id event[CR_SIDES];
	int rc;

	if (!f->event && (cr_diff_is(p[0]) || cr_diff_is(p[1]) ||
				 memchr(opts.groups, CR_GROUP_EVENT, opts.n_groups)))
		return CR_OK;
	rc = cr_diff_events(p, f, event, NULL, err);
	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++) {
		const struct cr_str name = p[s]->events[event[s].i].name;
		char *text = cr_memdup(name.len ? name.p : "", name.len);

		rc = cr_query_add(&t->query[s], CR_WORD_EVENT, text, err);
		free(text);
	}
	return rc;
}

static int
fold_sides(cresset_tree *t, const char *words, struct cr_err *err)
{
	int rc = CR_OK;

	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++) {
		const unsigned parts = cr_load_parts(CR_EVIDENCE_NEEDS);

		if ((rc = cr_api_query(words, &t->query[s], err)) < 0)
			break;
		rc = cr_api_fetch(t->p[s],
			parts | cr_load_parts(cr_query_needs(t->p[s]->p, &t->query[s])), err);
	}
	t->diff.keep_groups = cr_query_groups(&t->query[0]);
	if (rc == CR_OK)
		rc = choose_events(t, err);
	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++)
		rc = cr_query_fold(t->p[s]->p, &t->query[s], &t->side[s], err);
	return rc;
}

static int
make_difference(cresset_tree *t, const char *words, const char *const *options, struct cr_err *err)
{
	int rc = match_options(options, &t->diff, err);

	if (rc == CR_OK)
		rc = fold_sides(t, words, err);
	if (rc < 0)
		return rc;
	for (int s = 0; s < CR_SIDES; s++)
		t->diff.profile[s] = t->p[s]->p;
	t->diff.frames =
		cr_diff_match((const struct cr_tree *const[]){t->side[0], t->side[1]}, &t->diff);
	rc = cr_diff(t->side[0], t->side[1], &t->diff, &t->tree, err);
	/* The words of both sides are the same, but for the event. */
	if (rc == CR_OK)
		rc = cr_query_transform(&t->query[0], &t->tree, err);
	return rc == CR_OK ? cr_query_left(&t->query[0], t->tree, err) : rc;
}

cresset_tree *
cresset_diff(cresset_profile *before, cresset_profile *after, const char *words,
	const char *const *options)
{
	cresset_tree *t = cr_alloc(1, sizeof(*t));
	cresset *c = before->c;
	struct cr_text title = {0};

	t->held = 1;
	t->p[0] = before;
	t->p[1] = after;
	cr_api_hold(&before->held);
	cr_api_hold(&after->held);
	cr_text_printf(&title, "%s \xe2\x86\x92 %s", before->name, after->name);
	t->title = title.p;
	cr_api_begin(c);
	if (cr_api_end(c, make_difference(t, words, options, &c->err)) == CR_OK)
		return t;
	cresset_tree_free(t);
	return NULL;
}
