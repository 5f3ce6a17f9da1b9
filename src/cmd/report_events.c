#include "report_events_p.h"

#include "report_table_p.h"

#include <stdlib.h>

static bool
is_recorded(const struct cr_profile *p, uint32_t i)
{
	return p->events[i].samples && !cr_event_is_sum(p, (cr_event_id){i}) &&
	       !cr_event_is_derived(p, (cr_event_id){i});
}

uint32_t
cr_report_events_count(const struct cr_report *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->p->n_events; i++)
		n += is_recorded(r->p, i);
	return n;
}

int
cr_report_events_each(struct cr_report *r,
	int (*fn)(void *user, const struct cr_query *q, struct cr_err *err), void *user,
	uint32_t *made, struct cr_err *err)
{
	const struct cr_profile *p = r->p;
	int rc = CR_OK, last = CR_OK;

	*made = 0;
	for (uint32_t i = 0; i < p->n_events && rc == CR_OK; i++) {
		struct cr_query q;
		char *name;

		if (!is_recorded(p, i))
			continue;
		cr_query_copy(&r->o->query, &q);
		name = cr_memdup(p->events[i].name.p, p->events[i].name.len);
		rc = cr_query_add(&q, CR_WORD_EVENT, name, err);
		if (rc == CR_OK)
			rc = fn(user, &q, err);
		*made += rc == CR_OK;
		free(name);
		cr_query_fini(&q);
		if (rc == CR_ENOTFOUND || rc == CR_EEMPTY) {
			last = last == CR_EEMPTY ? last : rc;
			rc = CR_OK;
		}
	}
	if (rc == CR_OK && !*made)
		rc = last == CR_EEMPTY ? cr_query_none_left(&r->o->query, err) : last;
	return rc;
}

/* ---- side by side */

struct columns {
	struct cr_report *r;
	struct cr_report_fold folds[CR_TABLE_SIDES];
	struct cr_table tables[CR_TABLE_SIDES];
	const struct cr_tree *trees[CR_TABLE_SIDES];
	uint32_t n;
};

/* An event of which the query leaves nothing has its columns nevertheless. */
static int
add_event(void *user, const struct cr_query *q, struct cr_err *err)
{
	struct columns *c = user;
	struct cr_report_fold *f = &c->folds[c->n];
	const int rc = cr_report_fold_make(c->r, q, f, err);

	if (rc < 0 && (rc != CR_EEMPTY || !cr_report_fold_tree(f))) {
		cr_report_fold_fini(f);
		*f = (struct cr_report_fold){0};
		return rc;
	}
	c->trees[c->n] = cr_report_table_make(c->r, f, &c->tables[c->n]);
	c->r->samples = cr_add_sat(c->r->samples, cr_report_fold_tree(f)->total_samples[0][0]);
	c->n++;
	return rc;
}

static void
put_columns(struct columns *c, uint32_t main)
{
	struct cr_report *r = c->r;
	const struct cr_report_fold *f = c->folds;
	struct cr_sheets_event events[CR_TABLE_SIDES];
	struct cr_str names[CR_TABLE_SIDES];
	struct cr_table_sheet_opts opts;
	struct cr_chain_opts chain;
	struct cr_text note = {0};
	struct cr_table_sheet sheet;
	struct cr_table table;

	for (uint32_t i = 0; i < c->n; i++) {
		events[i] = (struct cr_sheets_event){
			f[i].stacks ? f[i].stacks : cr_report_fold_tree(&f[i]), f[i].nameless};
		names[i] = cr_report_fold_tree(&f[i])->event;
	}
	cr_report_table_look(r, f[main].estimated, &opts, &chain);
	opts.sides = c->n > 1 ? names : NULL; /* the others lack a field */
	cr_table_beside(c->tables, c->n, main, &r->spec, f[main].t, &table);
	cr_table_sheet_init(c->trees[main], &table, &opts, &sheet);
	if (chain.mode != CR_CHAIN_NONE) {
		cr_text_printf(&note, "call chains: of event %u", (unsigned)main);
		r->sheets.note = note.p;
	}
	cr_sheets_put_events(&r->sheets, events, c->n, &sheet.sheet, sheet.n_left_out);
	cr_text_fini(&note);
	cr_table_sheet_fini(&sheet);
	cr_table_fini(&table);
}

/* What cannot be combined with it; NULL if there is nothing. */
static const char *
refused(const struct cr_report *r)
{
	if (cr_query_filter(&r->o->query)->event)
		return "--event-columns shows all events; it cannot be used with --event";
	if (cr_table_has(&r->spec, CR_TABLE_EVENT))
		return "--event-columns shows events as columns; it cannot be used with the key "
		       "event";
	if (r->has_latency)
		return "--event-columns has no columns of latency";
	if (r->o->quickfix)
		return "--quickfix chooses the rows and the columns itself";
	return NULL;
}

int
cr_report_events_put(struct cr_report *r, struct cr_err *err)
{
	const uint32_t n = cr_report_events_count(r), wanted = r->o->table.main_event;
	struct columns *c;
	uint32_t made;
	int rc;

	if (refused(r))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s", refused(r));
	if (n > CR_TABLE_SIDES)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"--event-columns shows at most %d events, and %u have samples; the key "
			"event shows them as rows",
			CR_TABLE_SIDES, (unsigned)n);
	c = cr_alloc(1, sizeof(*c));
	c->r = r;
	r->spec.first = 0; /* each part needs all its rows, which are then sorted by one of them */
	rc = cr_report_events_each(r, add_event, c, &made, err);
	if (rc == CR_OK)
		put_columns(c, wanted < c->n ? wanted : 0); /* as in perf */
	for (uint32_t i = 0; i < c->n; i++) {
		cr_table_fini(&c->tables[i]);
		cr_report_fold_fini(&c->folds[i]);
	}
	free(c);
	return rc;
}
