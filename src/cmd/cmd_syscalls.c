#include "job_p.h"
#include "sheet_out_p.h"

#include "query/time/syscalls.h"
#include "store/store.h"
#include "view/waiting/syscalls_sheet.h"

#include <inttypes.h>
#include <string.h>

int cr_cmd_syscalls(const struct cr_options *o);

static bool
is_by_thread(const struct cr_options *o)
{
	return o->by && strcmp(o->by, "thread") == 0;
}

static void
put_calls(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t,
	const struct cr_syscalls *calls)
{
	const bool for_people = !o->json && !o->csv;
	const struct cr_nameless none = {0};
	struct cr_syscalls_sheet s;
	struct cr_sheets sheets;
	struct cr_text note = {0};

	cr_text_puts(&note, "times in ms, as perf trace -s");
	if (calls->half)
		cr_text_printf(
			&note, "; calls whose beginning was not recorded: %" PRIu64, calls->half);
	if (calls->open)
		cr_text_printf(&note, "; calls that did not return: %" PRIu64, calls->open);
	cr_syscalls_sheet_init(calls, cr_sheets_limit(o), is_by_thread(o), for_people, &s);
	s.sheet.separator = o->table.separator;
	cr_sheets_begin(&sheets, o, p);
	sheets.note = note.p;
	cr_sheets_put(&sheets, t, &none, NULL, &s.sheet, s.n_left_out);
	cr_sheets_end(&sheets);
	cr_syscalls_sheet_fini(&s);
	cr_text_fini(&note);
}

/* The ends of calls, for the lines above the table. */
static int
fold_ends(const struct cr_profile *p, const struct cr_filter *f, struct cr_str event,
	struct cr_tree **out, struct cr_err *err)
{
	struct cr_text name = {0};
	struct cr_filter ends = *f;
	int rc;

	cr_text_str(&name, event);
	ends.event = name.p;
	rc = cr_fold(p, &ends, &CR_FOLD_USUAL, out, err);
	cr_text_fini(&name);
	return rc;
}

static int
print_calls(const struct cr_options *o, struct cr_profile *p)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	const struct cr_syscalls_opts opts = {
		.by_thread = is_by_thread(o), .with_sums = !o->json && !o->csv};
	struct cr_syscalls calls = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t = NULL;
	int code, rc = cr_syscalls_make(p, f, &opts, &calls, &err);

	if (rc == CR_OK)
		rc = fold_ends(p, f, calls.event, &t, &err);
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		if (!cr_job_none_left(o, calls.n))
			put_calls(o, p, t, &calls);
		code = calls.n ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_tree_free(t);
	cr_syscalls_fini(&calls);
	return code;
}

int
cr_cmd_syscalls(const struct cr_options *o)
{
	int code = cr_sheets_check(o);

	if (code == EXIT_DONE && o->by && !is_by_thread(o) && strcmp(o->by, "name") != 0)
		code = cr_options_usage(o->cmd, "--by takes name or thread", o->by);
	if (code != EXIT_DONE)
		return code;
	return cr_sheets_run(o,
		CR_STORE_DEFAULT_TREE | cr_job_parts(o) |
			cr_load_parts(cr_syscalls_needs(cr_query_filter(&o->query))),
		print_calls);
}
