#include "report_table_p.h"

#include "terminal_p.h"

#include "base/utf8.h"

/* The tables of costs and of latencies, joined. Returns the tree with the order of the rows. */
static struct cr_tree *
joined_make(struct cr_report *r, const struct cr_report_fold *f, struct cr_table *out)
{
	struct cr_table_spec cost, latency;
	const bool by_latency = cr_table_part(&r->spec, true, &latency);
	struct cr_tree *first = by_latency ? f->latency : f->t;
	struct cr_table other;

	cr_table_part(&r->spec, false, &cost);
	cost.first = by_latency ? 0 : r->spec.first;
	latency.first = by_latency ? r->spec.first : 0;
	cr_table_make(r->p, first, 0, by_latency ? &latency : &cost, out);
	cr_table_make(
		r->p, by_latency ? f->t : f->latency, 0, by_latency ? &cost : &latency, &other);
	cr_table_join(out, &other, by_latency);
	cr_table_fini(&other);
	out->spec = &r->spec;
	return first;
}

/* Set what shares are of. */
static void
set_whole(const struct cr_options *o, const struct cr_report_fold *f, struct cr_table *h)
{
	const struct cr_table_rows *only = &o->table.only;
	const bool relative =
		o->table.percentage == CR_PERCENTAGE_RELATIVE ||
		(o->table.percentage == CR_PERCENTAGE_DEFAULT && !o->table.perf_lists);

	if (!relative) {
		h->whole[0] = cr_add_sat(h->whole[0], cr_report_fold_tree(f)->left_out[0]);
		h->tree_whole = cr_add_sat(h->tree_whole, cr_report_fold_tree(f)->left_out[0]);
		if (f->latency)
			h->joined_whole = cr_add_sat(h->joined_whole, f->latency->left_out[0]);
	} else if (only->wanted && o->table.percentage == CR_PERCENTAGE_RELATIVE) {
		h->whole[0] = 0;
		for (uint32_t i = 0; i < h->n; i++)
			if (cr_table_row_shown(h, i, only))
				h->whole[0] = cr_add_sat(h->whole[0], h->rows[i].cost[0].self);
	}
}

const struct cr_tree *
cr_report_table_make(struct cr_report *r, const struct cr_report_fold *f, struct cr_table *out)
{
	const struct cr_tree *t = cr_report_fold_tree(f);

	if (f->latency)
		t = joined_make(r, f, out);
	else if (f->sums.root)
		cr_table_make_sums(&f->sums, &r->spec, out);
	else
		cr_table_make(r->p, t, 0, &r->spec, out);
	set_whole(r->o, f, out);
	return t;
}

uint32_t
cr_report_table_first(const struct cr_report *r)
{
	const struct cr_report_opts *t = &r->o->table;

	if (t->hierarchy || t->percent_limit > 0 || t->only.wanted || t->only.parents)
		return 0;
	return cr_sheets_limit(r->o);
}

void
cr_report_table_look(struct cr_report *r, bool estimated, struct cr_table_sheet_opts *out,
	struct cr_chain_opts *chain)
{
	const struct cr_report_opts *t = &r->o->table;

	*out = (struct cr_table_sheet_opts){
		.percent_limit = t->percent_limit,
		.limit = cr_sheets_limit(r->o),
		.fields = t->fields != NULL,
		.estimated = estimated,
		.hierarchy = t->hierarchy,
		.chain = chain,
		.separator = t->separator,
		.widths = t->widths,
		.n_widths = t->n_widths,
		.line_cells = cr_stdout_name_cells(r->o),
		.ascii = !cr_utf8_locale(),
		.inks = cr_stdout_colors(r->o),
		.url = cr_report_needs_paths(r) ? cr_source_url : NULL,
		.url_user = &r->links,
		.only = t->only,
	};
	*chain = t->chain;
	chain->self_only = !r->spec.children;
	if (chain->min_percent < 0) /* not given */
		chain->min_percent = t->has_limit ? t->percent_limit : 0.5;
}
