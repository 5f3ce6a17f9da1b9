#include "job_p.h"
#include "sheet_out_p.h"

#include "query/table/thread_waits.h"
#include "query/table/timehist.h"
#include "store/store.h"
#include "view/waiting/timehist_sheet.h"
#include "view/waiting/waits_sheet.h"

int cr_cmd_waits(const struct cr_options *o);

/* Programs get the sums as a second table. */
static void
put_sums(struct cr_sheets *sheets, const struct cr_tree *t, const struct cr_thread_waits *w)
{
	const struct cr_nameless none = {0};
	struct cr_waits_sheet s;

	cr_waits_sheet_sums(w, &s);
	cr_sheets_put(sheets, t, &none, "all threads", &s.sheet, 0);
	cr_waits_sheet_fini(&s);
}

static void
put_waits(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t,
	const struct cr_thread_waits *w)
{
	const struct cr_nameless none = {0};
	const bool for_people = !o->json && !o->csv;
	struct cr_waits_sheet s;
	struct cr_sheets sheets;

	cr_waits_sheet_init(w, cr_sheets_limit(o), for_people, &s);
	s.sheet.separator = o->table.separator;
	cr_sheets_begin(&sheets, o, p);
	sheets.note = "times in ms";
	cr_sheets_put(&sheets, t, &none, NULL, &s.sheet, s.n_left_out);
	if (o->json)
		put_sums(&sheets, t, w);
	cr_sheets_end(&sheets);
	cr_waits_sheet_fini(&s);
}

static void
put_times(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t,
	const struct cr_timehist *times)
{
	const struct cr_nameless none = {0};
	struct cr_timehist_sheet s;
	struct cr_sheets sheets;

	cr_timehist_sheet_init(times, cr_sheets_limit(o), !o->json && !o->csv, &s);
	s.sheet.separator = o->table.separator;
	cr_sheets_begin(&sheets, o, p);
	sheets.note = "times in ms, as perf sched timehist computes them";
	cr_sheets_put(&sheets, t, &none, NULL, &s.sheet, s.n_left_out);
	cr_sheets_end(&sheets);
	cr_timehist_sheet_fini(&s);
}

/* --as-perf */
static int
print_times(const struct cr_options *o, struct cr_profile *p)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	struct cr_filter switches = *f;
	struct cr_timehist times = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t = NULL;
	int code, rc = cr_timehist_make(p, f, &times, &err);

	switches.event = "sched:sched_switch";
	if (rc == CR_OK)
		rc = cr_fold(p, &switches, &CR_FOLD_USUAL, &t, &err);
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		if (!cr_job_none_left(o, times.n))
			put_times(o, p, t, &times);
		code = times.n ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_tree_free(t);
	cr_timehist_fini(&times);
	return code;
}

/* The lifetimes of the selected threads, for the lines above the table. */
static int
fold_lives(const struct cr_profile *p, const struct cr_filter *f, struct cr_tree **out,
	struct cr_err *err)
{
	const struct cr_filter lives = {
		.event = CR_LIFETIME, .comms = f->comms, .pids = f->pids, .tids = f->tids};

	return cr_fold(p, &lives, &CR_FOLD_USUAL, out, err);
}

static int
print_waits(const struct cr_options *o, struct cr_profile *p)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	struct cr_thread_waits waits = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t = NULL;
	int code, rc = cr_thread_waits_make(p, f, &waits, &err);

	if (rc == CR_OK)
		rc = fold_lives(p, f, &t, &err);
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		if (!cr_job_none_left(o, waits.n))
			put_waits(o, p, t, &waits);
		code = waits.n ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_tree_free(t);
	cr_thread_waits_fini(&waits);
	return code;
}

int
cr_cmd_waits(const struct cr_options *o)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	const unsigned needs = o->as_perf ? cr_timehist_needs(f) : cr_thread_waits_needs(f);
	const int code = cr_sheets_check(o);

	if (code != EXIT_DONE)
		return code;
	return cr_sheets_run(o, CR_STORE_DEFAULT_TREE | cr_job_parts(o) | cr_load_parts(needs),
		o->as_perf ? print_times : print_waits);
}
