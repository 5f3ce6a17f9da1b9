#include "report_blocks_p.h"

#include "exit_code_p.h"
#include "job_p.h"
#include "sheet_out_p.h"

#include "store/store.h"
#include "view/sheet/block_sheet.h"

#include <inttypes.h>

static void
put_blocks(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t,
	const struct cr_block_cycles *blocks)
{
	const struct cr_nameless nameless = cr_nameless_of(t);
	struct cr_block_sheet s;
	struct cr_sheets sheets;
	struct cr_text note = {0};

	cr_block_sheet_init(p, blocks, cr_sheets_limit(o), &s);
	s.sheet.separator = o->table.separator;
	cr_text_printf(&note, "shares are of %" PRIu64 " cycles between branches", blocks->cycles);
	cr_sheets_begin(&sheets, o, p);
	sheets.note = note.p;
	cr_sheets_put(&sheets, t, &nameless, NULL, &s.sheet, s.n_left_out);
	cr_sheets_end(&sheets);
	cr_text_fini(&note);
	cr_block_sheet_fini(&s);
}

/* The first option that a table of blocks cannot have; NULL if none is given. */
static const char *
refused_option(const struct cr_options *o)
{
	const struct cr_report_opts *t = &o->table;
	const struct {
		bool given;
		const char *name;
	} options[] = {
		{t->sort, "sort"},
		{t->fields, "fields"},
		{t->hierarchy, "hierarchy"},
		{t->samples, "show-nr-samples"},
		{t->period, "show-total-period"},
		{t->has_children, "children"},
		{t->chain.mode != CR_CHAIN_NONE, "call-graph"},
		{t->parent, "parent"},
		{t->only.names, "symbols"},
		{t->only.part, "symbol-filter"},
		{t->only.resolved, "hide-unresolved"},
		{t->only.parents, "exclude-other"},
		{t->percentage != CR_PERCENTAGE_DEFAULT, "percentage"},
		{t->has_limit, "percent-limit"},
		{t->n_widths, "column-widths"},
		{t->max_stack, "max-stack"},
		{t->modes, "show-cpu-utilization"},
		{o->quickfix, "quickfix"},
		{o->n_fail_if, "fail-if"},
		{o->load.latency, "latency"},
		{o->has_order, "order"},
	};

	for (size_t i = 0; i < CR_LEN(options); i++)
		if (options[i].given)
			return options[i].name;
	for (size_t i = 0; i < o->query.n; i++)
		if (cr_word_info(o->query.steps[i].word)->kind != CR_WORD_SELECTS)
			return cr_word_info(o->query.steps[i].word)->name;
	return NULL;
}

int
cr_report_blocks(const struct cr_options *o, struct cr_profile *p)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	const char *refused = refused_option(o);
	struct cr_block_cycles blocks = {.cycles = 0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_tree *t = NULL;
	int rc, code;

	if (refused) {
		cr_fail(&err, CR_EUSAGE, CR_NO_OFFSET, "--total-cycles cannot be used with --%s",
			refused);
		return cr_job_fail(NULL, &err);
	}
	rc = cr_store_fetch(
		p, cr_job_parts(o) | cr_load_parts(cr_block_cycles_needs(f)), &log, &err);
	cr_job_warn(o, o->args[0], &log);
	if (rc == CR_OK)
		rc = cr_block_cycles_make(p, f, &blocks, &err);
	if (rc == CR_OK)
		rc = cr_fold(p, f, &CR_FOLD_USUAL, &t, &err);
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		if (!cr_job_none_left(o, blocks.ends.n))
			put_blocks(o, p, t, &blocks);
		code = blocks.ends.n ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_tree_free(t);
	cr_block_cycles_fini(&blocks);
	return code;
}
