#include "brief_changes_p.h"

#include "options_p.h"

#include "query/diff/diff.h"
#include "query/diff/evidence.h"
#include "query/diff/significance.h"
#include "query/health/record_line.h"
#include "store/catalog.h"
#include "store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the last profile of the same command */

/*
 * When a profile was recorded, as "2026-11-23 13:35:04"; when it was stored, if its date is unknown
 * or has another form. Texts of this form sort by time.
 */
struct when {
	char date[32];
	int64_t stored_ns;
};

static struct when
when_of(const struct cr_profile *p, int64_t stored_ns)
{
	const struct cr_str date = cr_profile_fact(p, "date");
	const time_t stored = (time_t)(stored_ns / 1000000000);
	struct when w = {.stored_ns = stored_ns};
	struct tm tm;

	if (date.len >= 19 && date.p[4] == '-' && date.p[7] == '-' && date.p[10] == ' ')
		memcpy(w.date, date.p, 19);
	else if (gmtime_r(&stored, &tm))
		strftime(w.date, sizeof(w.date), "%Y-%m-%d %H:%M:%S", &tm);
	return w;
}

static bool
is_before(const struct when *a, const struct when *b)
{
	const int c = strcmp(a->date, b->date);

	return c ? c < 0 : a->stored_ns < b->stored_ns;
}

static bool
same_fact(const struct cr_profile *a, const struct cr_profile *b, const char *key)
{
	return cr_str_eq(cr_profile_fact(a, key), cr_profile_fact(b, key));
}

/* The same command, but not the same recording under another name. Sets *when. */
static bool
is_other_run(const struct cr_catalog_entry *e, const struct cr_profile *p, struct when *when)
{
	struct cr_err unused = CR_ERR_INIT;
	struct cr_profile *other;
	bool is;

	if (cr_store_peek(e->path, &other, &unused) < 0)
		return false;
	*when = when_of(other, e->mtime_ns);
	is = cr_record_line_same(
		     cr_profile_fact(other, "cmdline"), cr_profile_fact(p, "cmdline")) &&
	     !(same_fact(other, p, "date") && same_fact(other, p, "duration_ns"));
	cr_profile_free(other);
	return is;
}

/* The modification time of the profile of this name; now for what is not stored. */
static int64_t
time_of(const struct cr_catalog *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->entries[i].name, name) == 0)
			return c->entries[i].mtime_ns;
	return (int64_t)time(NULL) * 1000000000;
}

/* The last one that was recorded before p. NULL if there is none. Borrowed from c. */
static const struct cr_catalog_entry *
find_last(const struct cr_catalog *c, const char *name, const struct cr_profile *p)
{
	const struct when end = when_of(p, time_of(c, name));
	const struct cr_catalog_entry *last = NULL;
	struct when of_last = {.stored_ns = 0}, when;

	for (size_t i = 0; i < c->n; i++) {
		const struct cr_catalog_entry *e = &c->entries[i];

		if (!is_other_run(e, p, &when) || !is_before(&when, &end))
			continue;
		if (last && !is_before(&of_last, &when))
			continue;
		last = e;
		of_last = when;
	}
	return last;
}

/* ---- the difference */

struct sides {
	const struct cr_profile *p[CR_SIDES];
	struct cr_query query[CR_SIDES];
	struct cr_tree *tree[CR_SIDES], *both;
	struct cr_diff_opts opts;
};

static int
fold_side(struct sides *d, int s, cr_event_id event, struct cr_err *err)
{
	const struct cr_str name = d->p[s]->events[event.i].name;
	char *text = cr_memdup(name.len ? name.p : "", name.len);
	int rc = cr_query_add(&d->query[s], CR_WORD_EVENT, text, err);

	free(text);
	if (rc == CR_OK)
		rc = cr_query_fold(d->p[s], &d->query[s], &d->tree[s], err);
	d->opts.profile[s] = d->p[s];
	return rc;
}

static int
fold_both(struct sides *d, const struct cr_query *query, struct cr_err *err)
{
	cr_event_id event[CR_SIDES];
	int rc = cr_diff_events(d->p, cr_query_filter(query), event, NULL, err);

	for (int s = 0; s < CR_SIDES; s++)
		cr_query_copy(query, &d->query[s]);
	for (int s = 0; s < CR_SIDES && rc == CR_OK; s++)
		rc = fold_side(d, s, event[s], err);
	return rc == CR_OK ? cr_diff(d->tree[0], d->tree[1], &d->opts, &d->both, err) : rc;
}

/* Insert a change where it belongs by size. */
static void
add_change(struct cr_brief_changes *c, struct cr_str name, const struct cr_verdict *v)
{
	const double points = 100 * v->delta;
	uint32_t at = c->n;

	c->all++;
	while (at && fabs(c->changes[at - 1].points) < fabs(points))
		at--;
	if (at == CR_BRIEF_CHANGES)
		return;
	if (c->n == CR_BRIEF_CHANGES)
		free(c->changes[--c->n].name);
	memmove(&c->changes[at + 1], &c->changes[at], (c->n - at) * sizeof(*c->changes));
	c->changes[at] = (struct cr_brief_change){
		cr_memdup(name.len ? name.p : "", name.len), points, cr_verdict_word(v->word)};
	c->n++;
}

static int
judge(const struct cr_options *o, const struct sides *d, struct cr_brief_changes *out,
	struct cr_err *err)
{
	struct cr_evidence_side side[CR_SIDES];
	struct cr_table table;
	struct cr_judged judged;
	int rc;

	for (int s = 0; s < CR_SIDES; s++)
		side[s] = (struct cr_evidence_side){d->p[s], &d->query[s], d->tree[s]};
	cr_table_make(NULL, d->both, 0, cr_table_by(CR_TABLE_FUNCTION), &table);
	rc = cr_evidence_judge(side, &d->opts, d->both, &table, &o->norm, 0, &judged, err);
	if (rc == CR_OK) {
		out->tested = judged.of_self.tested > 0;
		for (uint32_t i = 0; i < table.n; i++)
			if (cr_verdict_is_call(judged.self[i].word))
				add_change(out, cr_table_value(&table, i, CR_TABLE_FUNCTION)->text,
					&judged.self[i]);
		cr_judged_fini(&judged);
	}
	cr_table_fini(&table);
	return rc;
}

static void
compare(const struct cr_options *o, const struct cr_catalog_entry *last, const struct cr_profile *p,
	struct cr_brief_changes *out)
{
	struct sides d = {.p = {NULL, p}};
	struct cr_err unused = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *before;

	if (cr_store_open(last->path, CR_STORE_ALL, &before, &log, &unused) < 0)
		return;
	d.p[0] = before;
	/* It may have other events, of the same command. */
	if (cr_load_weigh(before, p->cost, &unused) == CR_OK &&
		fold_both(&d, &o->query, &unused) == CR_OK) {
		out->since = cr_strdup(last->name);
		judge(o, &d, out, &unused);
	}
	cr_tree_free(d.both);
	for (int s = 0; s < CR_SIDES; s++) {
		cr_tree_free(d.tree[s]);
		cr_query_fini(&d.query[s]);
	}
	cr_profile_free(before);
}

void
cr_brief_changes_find(
	const struct cr_options *o, const struct cr_profile *p, struct cr_brief_changes *out)
{
	const struct cr_catalog_entry *last;
	struct cr_err unused = CR_ERR_INIT;
	struct cr_catalog c = {0};
	char *dir = NULL;

	*out = (struct cr_brief_changes){0};
	if (!cr_profile_fact(p, "cmdline").len || cr_diff_is(p) ||
		cr_catalog_dir(o->load.store_dir, &dir, &unused) < 0)
		return;
	if (cr_catalog_list(dir, &c, &unused) == CR_OK) {
		last = find_last(&c, o->args[0], p);
		if (last)
			compare(o, last, p, out);
		cr_catalog_fini(&c);
	}
	free(dir);
}

void
cr_brief_changes_fini(struct cr_brief_changes *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		free(c->changes[i].name);
	free(c->since);
}
