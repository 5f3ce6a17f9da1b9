#include "difference_p.h"
#include "fail_if_judge_p.h"
#include "job_p.h"
#include "option_words_p.h"
#include "report_blocks_p.h"
#include "report_head_p.h"
#include "sheet_out_p.h"
#include "source_link_p.h"
#include "terminal_p.h"

#include "base/utf8.h"
#include "model/cost.h"
#include "model/field.h"
#include "model/max_stack.h"
#include "model/parallelism.h"
#include "query/diff/diff.h"
#include "query/fold/derived.h"
#include "query/table/table_sums.h"
#include "store/store.h"
#include "view/sheet/table_sheet.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cr_cmd_report(const struct cr_options *o);

/* ---- a profile that is itself a difference has the table of differences */

static void
put_difference(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t)
{
	struct cr_text line = {0};

	cr_text_puts(&line, "# events ");
	cr_text_safe(&line, t->event);
	cr_text_puts(&line, ": ");
	cr_label_costs(&line, t, " -> ");
	printf("%s\n", line.p);
	cr_text_fini(&line);
	cr_job_quality(p, "# missing: ", 3, stdout);
	cr_difference_amounts(o, t, NULL);
	cr_difference_table(o, t);
}

/* ---- rows by keys */

/* The keys of --group and --granularity, as words of --sort; `sort` replaces the key for frames. */
static void
put_words_of(const struct cr_fold_opts *f, const char *sort, struct cr_text *out)
{
	static const char *const groups[] = {
		[CR_GROUP_COMM] = "comm",
		[CR_GROUP_PID] = "tgid",
		[CR_GROUP_TID] = "pid",
		[CR_GROUP_CPU] = "cpu",
		[CR_GROUP_DSO] = "dso",
		[CR_GROUP_EVENT] = "event",
		[CR_GROUP_USUAL] = "comm",
	};
	static const char *const grains[] = {
		[CR_GRANULARITY_FUNCTION] = "sym",
		[CR_GRANULARITY_LINE] = "srcline,sym",
		[CR_GRANULARITY_ADDRESS] = "addr,sym",
		[CR_GRANULARITY_DSO] = "dso",
		[CR_GRANULARITY_FILE] = "srcfile",
	};

	for (uint32_t i = 0; i < f->n_groups; i++) {
		const char *field = f->groups[i] == CR_GROUP_FIELD ? f->fields[0] : NULL;

		cr_text_printf(out, "%s,", field ? field : groups[f->groups[i]]);
	}
	cr_text_puts(out, sort ? sort : grains[f->granularity]);
}

static void
order_first(struct cr_table_spec *spec, enum cr_table_column c)
{
	uint32_t n = 0;
	uint8_t rest[CR_TABLE_COLUMNS];

	for (uint32_t i = 0; i < spec->n_order; i++)
		if (spec->order[i] != c)
			rest[n++] = spec->order[i];
	spec->order[0] = (uint8_t)c;
	memcpy(spec->order + 1, rest, n);
	spec->n_order = n + 1;
}

/* The key that --order COLUMN means; CR_TABLE_COLUMNS if the table lacks it. */
static enum cr_table_column
order_of(const struct cr_options *o, const struct cr_table_spec *spec)
{
	switch (o->order) {
	case CR_SORT_SELF: return CR_TABLE_SELF;
	case CR_SORT_TOTAL: return CR_TABLE_CHILDREN;
	case CR_SORT_DSO: return cr_table_has(spec, CR_TABLE_DSO) ? CR_TABLE_DSO : CR_TABLE_COLUMNS;
	default:
		return cr_table_has(spec, CR_TABLE_SYM) ? CR_TABLE_SYM
							: (enum cr_table_column)spec->keys[0];
	}
}

/* Put a column before another one, or first if that is not there; does nothing if it is there. */
static void
show_before(struct cr_table_spec *spec, enum cr_table_column c, enum cr_table_column next)
{
	const uint8_t *found;
	uint32_t at;

	if (memchr(spec->columns, (int)c, spec->n_columns))
		return;
	found = memchr(spec->columns, (int)next, spec->n_columns);
	at = found ? (uint32_t)(found - spec->columns) : 0;
	memmove(&spec->columns[at + 1], &spec->columns[at], spec->n_columns - at);
	spec->columns[at] = (uint8_t)c;
	spec->n_columns++;
}

/* Put each column of latency before that of the same cost, as perf does; sort by the first. */
static void
add_latency(struct cr_table_spec *spec)
{
	show_before(spec, CR_TABLE_LATENCY, CR_TABLE_SELF);
	if (spec->children)
		show_before(spec, CR_TABLE_LATENCY_CHILDREN, CR_TABLE_CHILDREN);
	order_first(spec, CR_TABLE_LATENCY);
	if (spec->children)
		order_first(spec, CR_TABLE_LATENCY_CHILDREN);
}

/*
 * With --parent the key "parent" is one. As in perf, the first match from the outermost function
 * counts, without the cost of callees that from the innermost.
 */
static int
add_parent(const struct cr_options *o, struct cr_table_spec *spec, struct cr_err *err)
{
	struct cr_text arg = {0};
	int rc = CR_OK;

	if (o->table.parent && (rc = cr_table_add(spec, "parent", err)) < 0)
		return rc;
	if (!spec->children)
		cr_text_char(&arg, '-');
	cr_text_puts(&arg, o->table.parent ? o->table.parent : "");
	rc = arg.len ? cr_table_argue(spec, "parent", arg.p, err) : CR_OK;
	cr_text_fini(&arg);
	return rc;
}

static bool
has_field(const struct cr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_field_find(p, (cr_event_id){i}, cr_str_of(name)))
			return true;
	return false;
}

/* The default keys of --branch-stack are those of perf; few processors count cycles. */
static const char *
branch_keys(const struct cr_profile *p)
{
	return has_field(p, "block_cycles") ? "comm,dso_from,symbol_from,symbol_to,cycles"
					    : "comm,dso_from,symbol_from,symbol_to";
}

static int
make_spec(const struct cr_options *o, const struct cr_profile *p, struct cr_table_spec *spec,
	struct cr_err *err)
{
	const struct cr_fold_opts folded = cr_query_opts(&o->query);
	const char *sort = o->quickfix ? "srcline,sym" : o->table.sort;
	struct cr_text words = {0};
	int rc;

	if (o->quickfix &&
		(o->table.sort || o->table.fields || o->table.hierarchy || o->table.has_children ||
			o->load.latency || o->table.chain.mode != CR_CHAIN_NONE))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"--quickfix chooses the rows and the columns itself");
	if (!o->table.fields && cr_query_has(&o->query, CR_WORD_FOLDS)) {
		put_words_of(&folded, sort, &words);
		sort = words.p;
	}
	if (!sort && (!o->table.fields || *o->table.fields == '+'))
		sort = o->table.branches ? branch_keys(p) : cr_table_usual(p);
	if (sort && *sort == '+') { /* as in perf: in addition to the default keys */
		cr_text_printf(&words, "%s,%s",
			o->table.branches ? branch_keys(p) : cr_table_usual(p), sort + 1);
		sort = words.p;
	}
	rc = cr_table_parse(sort, o->table.fields,
		!o->quickfix && !o->table.no_children && !o->table.hierarchy &&
			(o->table.has_children || cr_table_has_stacks(p)),
		spec, err);
	cr_text_fini(&words);
	if (rc == CR_OK && o->table.quantum)
		rc = cr_table_argue(spec, "time", o->table.quantum, err);
	if (rc == CR_OK)
		rc = add_parent(o, spec, err);
	if (rc < 0)
		return rc;
	if (o->table.samples)
		cr_table_show(spec, CR_TABLE_SAMPLES);
	if (o->table.period)
		cr_table_show(spec, CR_TABLE_PERIOD);
	if (o->table.modes) {
		cr_table_show(spec, CR_TABLE_KERNEL);
		cr_table_show(spec, CR_TABLE_USER);
	}
	spec->whole_paths = o->table.whole_paths;
	if (o->load.latency)
		add_latency(spec);
	if (o->table.hierarchy && (cr_table_has(spec, CR_TABLE_LATENCY) ||
					  cr_table_has(spec, CR_TABLE_LATENCY_CHILDREN)))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "--hierarchy has no columns of latency");
	if (o->has_order && order_of(o, spec) == CR_TABLE_COLUMNS)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"--order %s: this table has no such column", cr_table_sort_name(o->order));
	if (o->has_order)
		order_first(spec, order_of(o, spec));
	return CR_OK;
}

/* ---- tables */

enum folds { FOLD_TABLE, FOLD_STACKS, FOLD_LATENCY, FOLDS };

struct report {
	const struct cr_options *o;
	struct cr_profile *p;
	struct cr_table_spec spec;
	struct cr_sheets sheets;
	struct cr_source_links links;
	uint64_t samples;             /* of all tables */
	struct cr_plan *plans[FOLDS]; /* what the folds of all events have in common */
	bool has_latency;             /* there are columns of latency */
	struct cr_profile latency; /* the profile with other weights; borrows all but its arena */
};

/* Call chains may need frames in the tree that the keys do not need. */
static void
add_chains(const struct report *r, struct cr_fold_opts *opts)
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
fold_opts(const struct report *r, const struct cr_query *q)
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
fetch(const struct report *r, const struct cr_query *q, const struct cr_fold_opts *opts,
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
fetch_sizes(const struct report *r, struct cr_err *err)
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

/* Choose keys and columns. Some depend on the default tree, which the check may replace. */
static int
choose_spec(struct report *r, struct cr_err *err)
{
	const struct cr_default_tree *stored = r->p->default_tree;
	int rc = make_spec(r->o, r->p, &r->spec, err);

	if (rc == CR_OK) {
		const struct cr_fold_opts opts = fold_opts(r, &r->o->query);

		rc = fetch(r, &r->o->query, &opts, err);
	}
	if (rc == CR_OK && r->p->default_tree != stored)
		rc = make_spec(r->o, r->p, &r->spec, err);
	return rc == CR_OK ? fetch_sizes(r, err) : rc;
}

/* opts: of all events the same. */
static int
fold(struct report *r, const struct cr_query *q, enum folds which, const struct cr_fold_opts *opts,
	struct cr_tree **out, struct cr_nameless *nameless, struct cr_err *err)
{
	struct cr_tree *turned;
	int rc = fetch(r, q, opts, err);

	*out = NULL;
	if (!r->plans[which])
		r->plans[which] = cr_plan_new(which == FOLD_LATENCY ? &r->latency : r->p, opts);
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

/* The trees of one table. */
struct folded {
	struct cr_tree *t, *stacks; /* stacks: for a bare tree, the same with its stacks */
	struct cr_tree *latency;    /* the same samples weighed by latency; NULL if not wanted */
	struct cr_stack_sums sums;  /* used instead of t if it has a root */
	struct cr_nameless nameless;
	bool estimated; /* latency and parallelism are estimated */
};

static void
folded_fini(struct folded *f)
{
	cr_stack_sums_fini(&f->sums);
	cr_tree_free(f->latency);
	cr_tree_free(f->stacks);
	cr_tree_free(f->t);
}

/* True if the paths of source files are printed, which only the frames of a tree have. */
static bool
needs_paths(const struct report *r)
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
needs_no_tree(struct report *r, const struct cr_query *q, const struct cr_fold_opts *opts)
{
	if (r->has_latency || needs_paths(r) || r->o->table.hierarchy ||
		cr_query_has(q, CR_WORD_TRANSFORMS) || r->o->table.chain.mode != CR_CHAIN_NONE)
		return false;
	if (!r->plans[FOLD_TABLE])
		r->plans[FOLD_TABLE] = cr_plan_new(r->p, opts);
	return cr_plan_can_sum(r->plans[FOLD_TABLE], cr_query_filter(q));
}

static int
sum_up(struct report *r, const struct cr_query *q, const struct cr_fold_opts *opts,
	struct folded *out, struct cr_err *err)
{
	int rc = fetch(r, q, opts, err);

	if (rc == CR_OK)
		rc = cr_plan_sums(r->plans[FOLD_TABLE], cr_query_filter(q), &out->sums, err);
	if (rc == CR_OK)
		out->nameless = (struct cr_nameless){
			cr_table_sums_unresolved(&out->sums), out->sums.root->total[0][0]};
	return rc;
}

/* The tree that has the totals of all. */
static const struct cr_tree *
tree_of(const struct folded *f)
{
	return f->sums.root ? f->sums.root : f->t;
}

static int
folded_make(struct report *r, const struct cr_query *q, struct folded *out, struct cr_err *err)
{
	const struct cr_fold_opts opts = fold_opts(r, q);
	struct cr_nameless same;
	cr_event_id event;
	int rc = needs_no_tree(r, q, &opts)
			 ? sum_up(r, q, &opts, out, err)
			 : fold(r, q, FOLD_TABLE, &opts, &out->t, &out->nameless, err);

	if (rc == CR_OK)
		rc = cr_query_left(&r->o->query, tree_of(out), err);
	if (rc == CR_OK && opts.bare)
		rc = fold(r, q, FOLD_STACKS, &CR_FOLD_USUAL, &out->stacks, &out->nameless, err);
	if (rc == CR_OK && r->has_latency)
		rc = fold(r, q, FOLD_LATENCY, &opts, &out->latency, &same, err);
	if (rc == CR_OK)
		rc = cr_filter_event(r->p, cr_query_filter(q), &event, err);
	if (rc == CR_OK)
		out->estimated = cr_parallelism_is_estimate(r->p, event);
	return rc;
}

/* The tables of costs and of latencies, joined. Returns the tree with the order of the rows. */
static struct cr_tree *
joined_make(struct report *r, const struct folded *f, struct cr_table *out)
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

/* Rows that have a source line, by falling self cost, as editors read them. */
static void
put_quickfix(struct report *r, const struct cr_tree *t, const struct cr_table *table)
{
	const uint32_t limit = cr_sheets_limit(r->o);
	struct cr_text out = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < table->n && (!limit || n < limit); i++) {
		const struct cr_frame *f = &t->frames[cr_table_frame(table, i)];
		const struct cr_quickfix q = {.file = f->file,
			.function = f->name,
			.line = f->line,
			.self = table->rows[i].cost[0].self,
			.whole = table->whole[0]};

		if (!f->line || !f->file.len || !q.self)
			continue;
		cr_quickfix_put(&r->links, &q, &out);
		n++;
	}
	fputs(out.p ? out.p : "", stdout);
	cr_text_fini(&out);
	r->sheets.n++;
}

/* Set what shares are of. */
static void
set_whole(const struct cr_options *o, const struct folded *f, const struct cr_table_rows *only,
	struct cr_table *h)
{
	const bool relative =
		o->table.percentage == CR_PERCENTAGE_RELATIVE ||
		(o->table.percentage == CR_PERCENTAGE_DEFAULT && !o->table.perf_lists);

	if (!relative) {
		h->whole[0] = cr_add_sat(h->whole[0], tree_of(f)->left_out[0]);
		h->tree_whole = cr_add_sat(h->tree_whole, tree_of(f)->left_out[0]);
		if (f->latency)
			h->joined_whole = cr_add_sat(h->joined_whole, f->latency->left_out[0]);
	} else if (only->wanted && o->table.percentage == CR_PERCENTAGE_RELATIVE) {
		h->whole[0] = 0;
		for (uint32_t i = 0; i < h->n; i++)
			if (cr_table_row_shown(h, i, only))
				h->whole[0] = cr_add_sat(h->whole[0], h->rows[i].cost[0].self);
	}
}

static void
put_folded(struct report *r, const struct folded *f)
{
	struct cr_chain_opts chain = r->o->table.chain;
	const struct cr_table_sheet_opts opts = {
		.percent_limit = r->o->table.percent_limit,
		.limit = cr_sheets_limit(r->o),
		.fields = r->o->table.fields != NULL,
		.estimated = f->estimated,
		.hierarchy = r->o->table.hierarchy,
		.chain = &chain,
		.separator = r->o->table.separator,
		.widths = r->o->table.widths,
		.n_widths = r->o->table.n_widths,
		.line_cells = cr_stdout_name_cells(r->o),
		.ascii = !cr_utf8_locale(),
		.inks = cr_stdout_colors(r->o),
		.url = needs_paths(r) ? cr_source_url : NULL,
		.url_user = &r->links,
		.only = r->o->table.only,
	};
	const struct cr_tree *t = tree_of(f);
	struct cr_table_sheet sheet;
	struct cr_table table;

	chain.self_only = !r->spec.children;
	if (chain.min_percent < 0) /* not given */
		chain.min_percent = r->o->table.has_limit ? r->o->table.percent_limit : 0.5;
	if (!opts.hierarchy && opts.percent_limit <= 0 && !r->o->quickfix && !opts.only.wanted &&
		!opts.only.parents)
		r->spec.first = opts.limit;
	if (f->latency)
		t = joined_make(r, f, &table);
	else if (f->sums.root)
		cr_table_make_sums(&f->sums, &r->spec, &table);
	else
		cr_table_make(r->p, t, 0, &r->spec, &table);
	set_whole(r->o, f, &opts.only, &table);
	r->samples = cr_add_sat(r->samples, tree_of(f)->total_samples[0][0]);
	if (r->o->quickfix) {
		put_quickfix(r, t, &table);
	} else {
		cr_table_sheet_init(t, &table, &opts, &sheet);
		sheet.event = tree_of(f)->event;
		cr_sheets_put(&r->sheets, f->stacks ? f->stacks : tree_of(f), &f->nameless, NULL,
			&sheet.sheet, sheet.n_left_out);
		cr_table_sheet_fini(&sheet);
	}
	cr_table_fini(&table);
}

static int
put_table(struct report *r, const struct cr_query *q, struct cr_err *err)
{
	struct folded f = {0};
	const int rc = folded_make(r, q, &f, err);

	if (rc == CR_OK)
		put_folded(r, &f);
	folded_fini(&f);
	return rc;
}

/*
 * Print a table for each recorded event, unless one was requested or events are a key. A field
 * belongs to some events, and a query may leave samples of some; the others get no table.
 */
static int
put_tables(struct report *r, struct cr_err *err)
{
	const struct cr_profile *p = r->p;
	int rc = CR_OK, last = CR_OK;
	bool any = false;

	if (cr_query_filter(&r->o->query)->event || cr_table_has(&r->spec, CR_TABLE_EVENT))
		return put_table(r, &r->o->query, err);
	for (uint32_t i = 0; i < p->n_events && rc == CR_OK; i++) {
		struct cr_query q;
		char *name;

		if (!p->events[i].samples || cr_event_is_sum(p, (cr_event_id){i}) ||
			cr_event_is_derived(p, (cr_event_id){i}))
			continue;
		any = true;
		cr_query_copy(&r->o->query, &q);
		name = cr_memdup(p->events[i].name.p, p->events[i].name.len);
		rc = cr_query_add(&q, CR_WORD_EVENT, name, err);
		if (rc == CR_OK)
			rc = put_table(r, &q, err);
		free(name);
		cr_query_fini(&q);
		if (rc == CR_ENOTFOUND || rc == CR_EEMPTY) {
			last = last == CR_EEMPTY ? last : rc;
			rc = CR_OK;
		}
	}
	if (!any)
		return put_table(r, &r->o->query, err);
	if (rc == CR_OK && !r->sheets.n)
		rc = last == CR_EEMPTY ? cr_query_none_left(&r->o->query, err) : last;
	return rc;
}

/* The first of the fields that no event has; NULL if all have one. */
static const char *
unknown_field(const struct report *r)
{
	for (uint32_t i = 0; i < r->spec.n_fields; i++) {
		const struct cr_derived *d = cr_derived_find(cr_str_of(r->spec.fields[i]));
		const char *made_from = d ? cr_derived_field(d) : NULL;

		if ((!d && !has_field(r->p, r->spec.fields[i])) ||
			(made_from && !has_field(r->p, made_from)))
			return r->spec.fields[i];
	}
	return NULL;
}

/* How to get a field that no event has. */
static const char *
how_to_get(const char *field)
{
	static const struct {
		const char *field, *how;
	} hints[] = {
		{"type", "; --data-types finds the types of data when a recording is read"},
		{"type_offset", "; --data-types finds it when a recording is read"},
		{"type_member", "; --data-types finds it when a recording is read"},
		{"data_symbol", "; perf record -d records the addresses of data"},
	};

	for (size_t i = 0; i < CR_LEN(hints); i++)
		if (strcmp(field, hints[i].field) == 0)
			return hints[i].how;
	return "";
}

static int
no_such_key(const char *key, struct cr_err *err)
{
	const struct cr_derived *d = cr_derived_find(cr_str_of(key));
	cr_option_words words = {0};
	struct cr_text meant = {0};

	if (d)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"%s: no event has the field %s, which this key is made from%s", key,
			cr_derived_field(d), how_to_get(cr_derived_field(d)));
	cr_option_words_by(cr_table_word, &words);
	cr_option_words_meant(&words, key, &meant);
	cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
		"%s: neither a sort key nor a field of an event%s (see cresset help report, "
		"cresset info)",
		key,
		*how_to_get(key) ? how_to_get(key)
		: meant.p        ? meant.p
				 : "");
	cr_option_words_fini(&words);
	cr_text_fini(&meant);
	return err->code;
}

/* Make the profile with latencies as weights. */
static int
weigh(struct report *r, struct cr_err *err)
{
	r->latency = *r->p;
	r->latency.arena = (struct cr_arena){0};
	return cr_cost_weigh(&r->latency, CR_COST_LATENCY, err);
}

static int
report(struct report *r)
{
	const char *unknown;
	struct cr_err err = CR_ERR_INIT;
	int rc = choose_spec(r, &err);

	if (rc < 0)
		return cr_job_fail(NULL, &err);
	r->has_latency = cr_table_has(&r->spec, CR_TABLE_LATENCY) ||
			 cr_table_has(&r->spec, CR_TABLE_LATENCY_CHILDREN);
	if (r->has_latency && (rc = weigh(r, &err)) < 0)
		return cr_job_fail(r->o->args[0], &err);
	cr_sheets_begin(&r->sheets, r->o, r->p);
	if (r->o->table.header && !r->o->json && !r->o->csv)
		cr_report_header(r->p);
	rc = put_tables(r, &err);
	unknown = rc == CR_ENOTFOUND ? unknown_field(r) : NULL;
	if (unknown && !cr_query_filter(&r->o->query)->wheres.n)
		rc = no_such_key(unknown, &err);
	if (rc < 0)
		return cr_job_fail_query(r->o->args[0], &err);
	cr_sheets_end(&r->sheets);
	return r->samples ? EXIT_DONE : EXIT_NOTHING;
}

/* The single key of a table of differences; fail if something unsupported was requested. */
static int
difference_key(const struct cr_options *o, enum cr_table_column *key, struct cr_err *err)
{
	const struct cr_report_opts *t = &o->table;
	struct cr_table_spec spec;
	int rc;

	if (t->fields || t->hierarchy || t->samples || t->period ||
		t->chain.mode != CR_CHAIN_NONE || t->markdown || t->separator || t->has_limit ||
		t->n_widths || o->load.latency || o->csv || o->json || o->quickfix || o->n_fail_if)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the table of a difference takes only --sort, --order and --limit; --event "
			"before or --event after selects one side");
	if (!t->sort)
		return CR_OK;
	if ((rc = cr_table_parse(t->sort, NULL, false, &spec, err)) < 0)
		return rc;
	switch (spec.keys[0]) {
	case CR_TABLE_SYM: *key = CR_TABLE_FUNCTION; break;
	case CR_TABLE_DSO: *key = CR_TABLE_DSO_PATH; break;
	case CR_TABLE_COMM: *key = CR_TABLE_GROUP; break;
	default:
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the key of a difference is sym, dso or comm");
	}
	if (spec.n_keys > 1)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "a difference takes only one key");
	return CR_OK;
}

static int
report_difference(const struct cr_options *o, struct cr_profile *p)
{
	struct cr_options by_key = *o;
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_tree *t;
	int code, rc = difference_key(o, &by_key.key, &err);

	if (rc == CR_OK)
		rc = cr_store_fetch(p, cr_job_parts(o), &log, &err);
	cr_job_warn(o, o->args[0], &log);
	if (rc < 0 || cr_job_fold(o, p, &t, &err) < 0)
		return cr_job_fail_query(o->args[0], &err);
	put_difference(&by_key, p, t);
	code = t->total_samples[0][0] || t->total_samples[1][0] ? EXIT_DONE : EXIT_NOTHING;
	cr_tree_free(t);
	return code;
}

static int
report_tasks(const struct cr_options *o, struct cr_profile *p)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	int rc = CR_OK;

	if (o->table.mmaps)
		rc = cr_store_fetch(p, cr_load_parts(CR_NEEDS_MAPS), &log, &err);
	cr_job_warn(o, o->args[0], &log);
	if (rc == CR_OK && !cr_report_tasks(p, o->table.mmaps))
		rc = cr_fail(&err, CR_ENOTFOUND, CR_NO_OFFSET,
			"the profile does not say which threads created which");
	return rc < 0 ? cr_job_fail(o->args[0], &err) : EXIT_DONE;
}

static int
cut_stacks(const struct cr_options *o, struct cr_profile *p)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	int rc;

	if (o->table.chain.mode != CR_CHAIN_NONE && o->table.chain.callees_first) {
		cr_fail(&err, CR_EUSAGE, CR_NO_OFFSET,
			"--max-stack keeps the outermost frames; it cannot be used with -g callee");
		return cr_job_fail(NULL, &err);
	}
	rc = cr_store_fetch(p, CR_STORE_SAMPLES, &log, &err);
	cr_job_warn(o, o->args[0], &log);
	if (rc < 0)
		return cr_job_fail(o->args[0], &err);
	cr_profile_cut_stacks(p, o->table.max_stack);
	return EXIT_DONE;
}

int
cr_cmd_report(const struct cr_options *o)
{
	struct report r = {.o = o, .links.opts = &o->load.symbol};
	struct cr_options costs = *o; /* latency gets columns of its own, beside those of costs */
	int code = cr_sheets_check(o);

	costs.load.parallelism |= o->load.latency;
	costs.load.latency = false;
	if (code == EXIT_DONE)
		code = cr_job_load(&costs, o->args[0], CR_STORE_DEFAULT_TREE, &r.p);
	if (code != EXIT_DONE)
		return code;
	if (o->table.max_stack && (code = cut_stacks(o, r.p)) != EXIT_DONE) {
		cr_profile_free(r.p);
		return code;
	}
	if (o->table.header_only)
		cr_report_header(r.p);
	else if (o->table.stats)
		cr_report_stats(r.p);
	else if (o->table.total_cycles)
		code = cr_report_blocks(o, r.p);
	else if (o->table.tasks || o->table.mmaps)
		code = report_tasks(o, r.p);
	else if (cr_diff_is(r.p) && !cr_query_filter(&o->query)->event)
		code = report_difference(o, r.p);
	else
		code = report(&r);
	if (code == EXIT_DONE)
		code = cr_fail_if_judge(o, r.p);
	code = code == EXIT_DONE || code == EXIT_NOTHING ? cr_job_end(o, r.p, code) : code;
	for (unsigned i = 0; i < FOLDS; i++)
		cr_plan_free(r.plans[i]);
	cr_source_links_fini(&r.links);
	cr_arena_fini(&r.latency.arena);
	cr_profile_free(r.p);
	return code;
}
