#include "report_p.h"

#include "job_p.h"
#include "terminal_p.h"

#include "model/parallelism.h"
#include "store/store.h"

/* Call chains may need frames in the tree that the keys do not need. */
static void
add_chains(const struct cr_report *r, struct cr_fold_opts *opts)
{
	const struct cr_chain_opts *c = &r->o->table.chain;

	if (c->mode == CR_CHAIN_NONE)
		return;
	opts->apart = cr_table_has_nameless(r->p);
	if (c->key == CR_CHAIN_ADDRESS)
		opts->granularity = CR_GRANULARITY_ADDRESS;
	else if (c->key == CR_CHAIN_SRCLINE && opts->granularity != CR_GRANULARITY_ADDRESS)
		opts->granularity = CR_GRANULARITY_LINE;
}

static struct cr_fold_opts
fold_opts(const struct cr_report *r, const struct cr_query *q)
{
	struct cr_fold_opts opts = {0};

	cr_table_fold(r->p, &r->spec, &opts);
	/*
	 * Without stacks nothing is known about names, which the header then needs of all events.
	 */
	opts.bare &= !cr_query_has(q, CR_WORD_TRANSFORMS) &&
		     r->o->table.chain.mode == CR_CHAIN_NONE &&
		     !cr_table_has(&r->spec, CR_TABLE_EVENT);
	add_chains(r, &opts);
	return opts;
}

static int
fetch(const struct cr_report *r, const struct cr_query *q, const struct cr_fold_opts *opts,
	struct cr_err *err)
{
	struct cr_log log = {0};
	const int rc = cr_store_fetch(
		r->p, cr_load_parts(cr_fold_needs(r->p, cr_query_filter(q), opts)), &log, err);

	cr_job_warn(r->o, r->o->args[0], &log);
	return rc;
}

/* Sizes of functions and mappings, which no fold needs. */
static int
fetch_sizes(const struct cr_report *r, struct cr_err *err)
{
	struct cr_log log = {0};
	unsigned needs = 0;
	int rc;

	if (cr_table_has(&r->spec, CR_TABLE_SYMBOL_SIZE))
		needs |= CR_NEEDS_SIZES;
	if (cr_table_has(&r->spec, CR_TABLE_DSO_SIZE))
		needs |= CR_NEEDS_MAPS;
	if (!needs)
		return CR_OK;
	rc = cr_store_fetch(r->p, cr_load_parts(needs), &log, err);
	cr_job_warn(r->o, r->o->args[0], &log);
	return rc;
}

int
cr_report_fold_choose(struct cr_report *r, struct cr_err *err)
{
	const struct cr_default_tree *stored = r->p->default_tree;
	int rc = cr_report_spec_make(r->o, r->p, &r->spec, err);

	if (rc == CR_OK) {
		const struct cr_fold_opts opts = fold_opts(r, &r->o->query);

		rc = fetch(r, &r->o->query, &opts, err);
	}
	if (rc == CR_OK && r->p->default_tree != stored)
		rc = cr_report_spec_make(r->o, r->p, &r->spec, err);
	return rc == CR_OK ? fetch_sizes(r, err) : rc;
}

/* opts: of all events the same. */
static int
fold(struct cr_report *r, const struct cr_query *q, enum cr_report_tree which,
	const struct cr_fold_opts *opts, struct cr_tree **out, struct cr_nameless *nameless,
	struct cr_err *err)
{
	struct cr_tree *turned;
	int rc = fetch(r, q, opts, err);

	*out = NULL;
	if (!r->plans[which])
		r->plans[which] =
			cr_plan_new(which == CR_REPORT_LATENCY ? &r->latency : r->p, opts);
	if (rc < 0 || (rc = cr_plan_fold(r->plans[which], cr_query_filter(q), out, err)) < 0)
		return rc;
	*nameless = cr_nameless_of(*out);
	if ((rc = cr_query_transform(q, out, err)) < 0 || !(*out)->leaves_first)
		return rc;
	/* The rows are the same in both directions, and call chains have an order of their own. */
	rc = cr_transform(*out, CR_TRANSFORM_INVERT, NULL, &turned, err);
	cr_tree_free(*out);
	*out = turned;
	return rc;
}

void
cr_report_fold_fini(struct cr_report_fold *f)
{
	cr_stack_sums_fini(&f->sums);
	cr_tree_free(f->latency);
	cr_tree_free(f->stacks);
	cr_tree_free(f->t);
}

bool
cr_report_needs_paths(const struct cr_report *r)
{
	return r->o->quickfix ||
	       (cr_stdout_colors(r->o) && (cr_table_has(&r->spec, CR_TABLE_SRCLINE) ||
						  cr_table_has(&r->spec, CR_TABLE_SRCFILE)));
}

/*
 * True if the rows need no tree: neither its stacks are shown nor is it changed. r->plans gets the
 * plan.
 */
static bool
needs_no_tree(struct cr_report *r, const struct cr_query *q, const struct cr_fold_opts *opts)
{
	if (r->has_latency || cr_report_needs_paths(r) || r->o->table.hierarchy ||
		cr_query_has(q, CR_WORD_TRANSFORMS) || r->o->table.chain.mode != CR_CHAIN_NONE)
		return false;
	if (!r->plans[CR_REPORT_TABLE])
		r->plans[CR_REPORT_TABLE] = cr_plan_new(r->p, opts);
	return cr_plan_can_sum(r->plans[CR_REPORT_TABLE], cr_query_filter(q));
}

static int
sum_up(struct cr_report *r, const struct cr_query *q, const struct cr_fold_opts *opts,
	struct cr_report_fold *out, struct cr_err *err)
{
	int rc = fetch(r, q, opts, err);

	if (rc == CR_OK)
		rc = cr_plan_sums(r->plans[CR_REPORT_TABLE], cr_query_filter(q), &out->sums, err);
	if (rc == CR_OK)
		out->nameless = (struct cr_nameless){
			cr_table_sums_unresolved(&out->sums), out->sums.root->total[0][0]};
	return rc;
}

const struct cr_tree *
cr_report_fold_tree(const struct cr_report_fold *f)
{
	return f->sums.root ? f->sums.root : f->t;
}

static int
fold_all(struct cr_report *r, const struct cr_query *q, struct cr_report_fold *out,
	struct cr_err *err)
{
	const struct cr_fold_opts opts = fold_opts(r, q);
	struct cr_nameless same;
	cr_event_id event;
	int rc = needs_no_tree(r, q, &opts)
			 ? sum_up(r, q, &opts, out, err)
			 : fold(r, q, CR_REPORT_TABLE, &opts, &out->t, &out->nameless, err);

	if (rc == CR_OK)
		rc = cr_query_left(&r->o->query, cr_report_fold_tree(out), err);
	if (rc == CR_OK && opts.bare)
		rc = fold(
			r, q, CR_REPORT_STACKS, &CR_FOLD_USUAL, &out->stacks, &out->nameless, err);
	if (rc == CR_OK && r->has_latency)
		rc = fold(r, q, CR_REPORT_LATENCY, &opts, &out->latency, &same, err);
	if (rc == CR_OK)
		rc = cr_filter_event(r->p, cr_query_filter(q), &event, err);
	if (rc == CR_OK)
		out->estimated = cr_parallelism_is_estimate(r->p, event);
	return rc;
}

int
cr_report_fold_make(struct cr_report *r, const struct cr_query *q, struct cr_report_fold *out,
	struct cr_err *err)
{
	int rc;

	cr_job_work_begin(r->o);
	rc = fold_all(r, q, out, err);
	cr_job_work_end();
	return rc;
}
