#include "job_p.h"
#include "sheet_out_p.h"
#include "terminal_p.h"

#include "query/table/thread_list.h"
#include "store/store.h"
#include "view/sheet/threads_sheet.h"

int cr_cmd_threads(const struct cr_options *o);

static void
put_threads(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t,
	const struct cr_thread_list *all)
{
	const struct cr_nameless nameless = cr_nameless_of(t);
	struct cr_threads_sheet s;
	struct cr_sheets sheets;

	cr_threads_sheet_init(all, t->event, cr_sheets_limit(o), &s);
	s.sheet.separator = o->table.separator;
	s.sheet.inks = cr_stdout_colors(o);
	cr_sheets_begin(&sheets, o, p);
	cr_sheets_put(&sheets, t, &nameless, NULL, &s.sheet, s.n_left_out);
	cr_sheets_end(&sheets);
	cr_threads_sheet_fini(&s);
}

static int
print_threads(const struct cr_options *o, struct cr_profile *p)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	struct cr_thread_list threads = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t = NULL;
	int code, rc = cr_sheets_fetch(o, p, cr_load_parts(cr_thread_list_needs(p, f)), &err);

	if (rc == CR_OK)
		rc = cr_thread_list_make(p, f, &threads, &err);
	if (rc == CR_OK)
		rc = cr_fold(p, f, &CR_FOLD_USUAL, &t, &err);
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		if (!cr_job_none_left(o, threads.n))
			put_threads(o, p, t, &threads);
		code = threads.n ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_tree_free(t);
	cr_thread_list_fini(&threads);
	return code;
}

int
cr_cmd_threads(const struct cr_options *o)
{
	const int code = cr_sheets_check(o);

	return code == EXIT_DONE ? cr_sheets_run(o, CR_STORE_DEFAULT_TREE, print_threads) : code;
}
