#include "job_p.h"
#include "sheet_out_p.h"

#include "query/time/intervals.h"
#include "store/store.h"
#include "view/waiting/intervals_sheet.h"

#include <inttypes.h>
#include <string.h>

int cr_cmd_intervals(const struct cr_options *o);

static void
put_intervals(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t,
	const struct cr_intervals *v, enum cr_interval_by by)
{
	const struct cr_nameless none = {0};
	struct cr_intervals_sheet s;
	struct cr_sheets sheets;
	struct cr_text note = {0};

	cr_text_puts(&note, "times in ms");
	if (v->open)
		cr_text_printf(&note, "; beginnings without an end: %" PRIu64, v->open);
	if (v->half)
		cr_text_printf(&note, "; ends without a beginning: %" PRIu64, v->half);
	cr_intervals_sheet_init(v, cr_sheets_limit(o), by, !o->json && !o->csv, &s);
	s.sheet.separator = o->table.separator;
	cr_sheets_begin(&sheets, o, p);
	sheets.note = note.p;
	cr_sheets_put(&sheets, t, &none, NULL, &s.sheet, s.n_left_out);
	cr_sheets_end(&sheets);
	cr_intervals_sheet_fini(&s);
	cr_text_fini(&note);
}

/* The beginnings, for the lines above the table. */
static int
fold_beginnings(const struct cr_profile *p, const struct cr_options *o, struct cr_str event,
	struct cr_tree **out, struct cr_err *err)
{
	struct cr_filter f = *cr_query_filter(&o->query);
	struct cr_text name = {0};
	int rc;

	cr_text_str(&name, event);
	f.event = name.p;
	rc = cr_fold(p, &f, &CR_FOLD_USUAL, out, err);
	cr_text_fini(&name);
	return rc;
}

static int
print_intervals(const struct cr_options *o, const struct cr_profile *p, enum cr_interval_by by)
{
	struct cr_intervals intervals = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t = NULL;
	int code, rc = cr_intervals_make(p, &o->query, o->interval, by, &intervals, &err);

	if (rc == CR_OK)
		rc = fold_beginnings(p, o, intervals.event, &t, &err);
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		if (!cr_job_none_left(o, intervals.n))
			put_intervals(o, p, t, &intervals, by);
		code = intervals.n ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_tree_free(t);
	cr_intervals_fini(&intervals);
	return code;
}

int
cr_cmd_intervals(const struct cr_options *o)
{
	enum cr_interval_by by = CR_INTERVAL_BY_FUNCTION;
	struct cr_profile *p;
	int code = cr_sheets_check(o);

	while (o->by && by < CR_INTERVALS_BY && strcmp(o->by, cr_interval_by_word(by)) != 0)
		by++;
	if (code == EXIT_DONE && by == CR_INTERVALS_BY)
		code = cr_options_usage(
			o->cmd, "--by takes function, stack, comm, tid, cpu or all", o->by);
	if (code == EXIT_DONE)
		code = cr_job_load(o, o->args[0],
			CR_STORE_SAMPLES | CR_STORE_FIELDS | cr_job_parts(o) |
				cr_load_parts(cr_intervals_needs(&o->query)),
			&p);
	if (code != EXIT_DONE)
		return code;
	code = cr_job_end(o, p, print_intervals(o, p, by));
	cr_profile_free(p);
	return code;
}
