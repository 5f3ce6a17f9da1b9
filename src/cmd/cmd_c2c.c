#include "job_p.h"
#include "sheet_out_p.h"

#include "query/table/cache_lines.h"
#include "store/store.h"
#include "view/sheet/cache_sheet.h"

#include <inttypes.h>

int cr_cmd_c2c(const struct cr_options *o);

static void
put_lines(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t,
	const struct cr_cache_lines *lines)
{
	const struct cr_nameless nameless = cr_nameless_of(t);
	struct cr_cache_sheet s;
	struct cr_sheets sheets;
	struct cr_text note = {0};

	cr_cache_sheet_init(p, lines, cr_sheets_limit(o), &s);
	s.sheet.separator = o->table.separator;
	cr_text_printf(&note,
		"loads %" PRIu64 ", stores %" PRIu64 "; loads of lines that another processor had "
		"modified (HITM): local %" PRIu64 ", remote %" PRIu64,
		lines->all.loads, lines->all.stores, lines->all.local_hitm, lines->all.remote_hitm);
	cr_sheets_begin(&sheets, o, p);
	sheets.note = note.p;
	cr_sheets_put(&sheets, t, &nameless, NULL, &s.sheet, s.n_left_out);
	cr_sheets_end(&sheets);
	cr_text_fini(&note);
	cr_cache_sheet_fini(&s);
}

/* Without loads that had to wait, all lines are of interest. */
static int
print_lines(const struct cr_options *o, struct cr_profile *p)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	struct cr_cache_lines lines = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t = NULL;
	uint64_t n = 0;
	int code, rc = cr_sheets_fetch(o, p, cr_load_parts(cr_cache_lines_needs(f)), &err);

	if (rc == CR_OK)
		rc = cr_cache_lines_make(p, f, false, &lines, &err);
	if (rc == CR_OK && !lines.n) {
		cr_cache_lines_fini(&lines);
		rc = cr_cache_lines_make(p, f, true, &lines, &err);
	}
	if (rc == CR_OK)
		rc = cr_fold(p, f, &CR_FOLD_USUAL, &t, &err);
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		n = lines.n;
		if (!cr_job_none_left(o, n))
			put_lines(o, p, t, &lines);
		code = n ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_tree_free(t);
	cr_cache_lines_fini(&lines);
	return code;
}

int
cr_cmd_c2c(const struct cr_options *o)
{
	const int code = cr_sheets_check(o);

	return code == EXIT_DONE ? cr_sheets_run(o, CR_STORE_DEFAULT_TREE, print_lines) : code;
}
