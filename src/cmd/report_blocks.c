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

/* These choose the rows or the columns of other tables. */
static bool
has_own_rows(const struct cr_report_opts *t)
{
	return t->sort || t->fields || t->hierarchy || t->samples || t->period || t->has_children ||
	       t->chain.mode != CR_CHAIN_NONE || t->parent || t->has_limit || t->n_widths ||
	       t->max_stack || t->modes;
}

int
cr_report_blocks(const struct cr_options *o, struct cr_profile *p)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	struct cr_block_cycles blocks = {.cycles = 0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_tree *t = NULL;
	int rc, code;

	if (has_own_rows(&o->table) || o->quickfix || o->n_fail_if || o->load.latency ||
		o->has_order)
		return cr_options_usage(
			o->cmd, "chooses the rows and the columns itself", "--total-cycles");
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
