#include "difference_p.h"
#include "fail_if_judge_p.h"
#include "job_p.h"
#include "option_words_p.h"
#include "report_blocks_p.h"
#include "report_events_p.h"
#include "report_head_p.h"
#include "report_p.h"
#include "report_table_p.h"
#include "terminal_p.h"

#include "base/utf8.h"
#include "model/cost.h"
#include "model/field.h"
#include "model/max_stack.h"
#include "query/diff/diff.h"
#include "query/fold/derived.h"
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

/* ---- tables */

/* Rows that have a source line, by falling self cost, as editors read them. */
static void
put_quickfix(struct cr_report *r, const struct cr_tree *t, const struct cr_table *table)
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

static void
put_folded(struct cr_report *r, const struct cr_report_fold *f)
{
	struct cr_chain_opts chain;
	struct cr_table_sheet_opts opts;
	const struct cr_tree *t;
	struct cr_table_sheet sheet;
	struct cr_table table;

	cr_report_table_look(r, f->estimated, &opts, &chain);
	r->spec.first = r->o->quickfix ? 0 : cr_report_table_first(r);
	t = cr_report_table_make(r, f, &table);
	r->samples = cr_add_sat(r->samples, cr_report_fold_tree(f)->total_samples[0][0]);
	if (r->o->quickfix) {
		put_quickfix(r, t, &table);
	} else {
		cr_table_sheet_init(t, &table, &opts, &sheet);
		sheet.event = cr_report_fold_tree(f)->event;
		cr_sheets_put(&r->sheets, f->stacks ? f->stacks : cr_report_fold_tree(f),
			&f->nameless, NULL, &sheet.sheet, sheet.n_left_out);
		cr_table_sheet_fini(&sheet);
	}
	cr_table_fini(&table);
}

static int
put_table(void *user, const struct cr_query *q, struct cr_err *err)
{
	struct cr_report *r = user;
	struct cr_report_fold f = {0};
	const int rc = cr_report_fold_make(r, q, &f, err);

	if (rc == CR_OK)
		put_folded(r, &f);
	cr_report_fold_fini(&f);
	return rc;
}

/* Print a table for each recorded event, unless one was requested or events are a key. */
static int
put_tables(struct cr_report *r, struct cr_err *err)
{
	uint32_t made;

	if (r->o->table.event_columns && cr_report_events_count(r) > 1)
		return cr_report_events_put(r, err);
	if (cr_query_filter(&r->o->query)->event || cr_table_has(&r->spec, CR_TABLE_EVENT) ||
		!cr_report_events_count(r))
		return put_table(r, &r->o->query, err);
	return cr_report_events_each(r, put_table, r, &made, err);
}

/* The first of the fields that no event has; NULL if all have one. */
static const char *
unknown_field(const struct cr_report *r)
{
	for (uint32_t i = 0; i < r->spec.n_fields; i++) {
		const struct cr_derived *d = cr_derived_find(cr_str_of(r->spec.fields[i]));
		const char *made_from = d ? cr_derived_field(d) : NULL;

		if ((!d && !cr_field_exists(r->p, cr_str_of(r->spec.fields[i]))) ||
			(made_from && !cr_field_exists(r->p, cr_str_of(made_from))))
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
		{"addr", "; perf record -d records it"},
		{"phys_addr", "; perf record --phys-data records it"},
		{"data_src", "; perf mem record records it"},
		{"weight", "; perf record -W records it"},
		{"ins_lat", "; perf record -W records it"},
		{"retire_lat", "; perf record -W records it"},
		{"transaction", "; perf record --transaction records it"},
		{"data_page_size", "; perf record --data-page-size records it"},
		{"code_page_size", "; perf record --code-page-size records it"},
		{"cgroup", "; perf record --all-cgroups records it"},
		{"cgroup_id", "; perf record --namespaces records it"},
		{"mispredict", "; perf record -b records branches"},
		{"in_tx", "; no branch of the recording was in a transaction"},
		{"abort", "; no branch of the recording aborted a transaction"},
		{"block_cycles", "; perf record -b records it, if the processor counts cycles"},
		/* Keys of perf report for which there is something else: */
		{"overhead_guest_sys", "; samples of guests and of the host are not distinguished"},
		{"overhead_guest_us", "; samples of guests and of the host are not distinguished"},
		{"ipc_lbr", "; cresset annotate prints the IPC of a function"},
		{"ipc_null", "; cresset annotate prints the IPC of a function"},
		{"simd", "; records of Arm SPE are not decoded"},
		{"callchain_branch_predicted",
			"; -b -s symbol_from,symbol_to,mispredict has branches"},
		{"callchain_branch_abort", "; -b -s symbol_from,symbol_to,abort has branches"},
		{"callchain_branch_cycles", "; -b -s symbol_from,symbol_to,cycles has branches"},
		{"trace_fields", "; trace is all fields of an event, and each field is a key"},
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
weigh(struct cr_report *r, struct cr_err *err)
{
	r->latency = *r->p;
	r->latency.arena = (struct cr_arena){0};
	return cr_cost_weigh(&r->latency, CR_COST_LATENCY, err);
}

static int
report(struct cr_report *r)
{
	const char *unknown;
	struct cr_err err = CR_ERR_INIT;
	int rc = cr_report_fold_choose(r, &err);

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
	struct cr_report r = {.o = o, .links.opts = &o->load.symbol};
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
	for (unsigned i = 0; i < CR_REPORT_TREES; i++)
		cr_plan_free(r.plans[i]);
	cr_source_links_fini(&r.links);
	cr_arena_fini(&r.latency.arena);
	cr_profile_free(r.p);
	return code;
}
