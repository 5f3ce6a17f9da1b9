#include "browse_p.h"
#include "difference_p.h"
#include "job_p.h"
#include "writing_p.h"

#include "query/diff/diff.h"
#include "store/store.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cr_cmd_diff(const struct cr_options *o);

/*
 * Which event is folded on each side is written into the queries, which are copies of o's. A side
 * that is a difference itself, and stacks grouped by event, have none.
 */
static int
queries(const struct cr_options *o, struct cr_profile *const p[CR_SIDES],
	struct cr_query out[CR_SIDES])
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	const struct cr_fold_opts opts = cr_query_opts(&o->query);
	struct cr_err err = CR_ERR_INIT;
	cr_event_id event[CR_SIDES];
	uint32_t side;

	for (int s = 0; s < CR_SIDES; s++)
		cr_query_copy(&o->query, &out[s]);
	if (!p[1] || (!f->event && (cr_diff_is(p[0]) || cr_diff_is(p[1]) ||
					   memchr(opts.groups, CR_GROUP_EVENT, opts.n_groups))))
		return EXIT_DONE;
	if (cr_diff_events((const struct cr_profile *const *)p, f, event, &side, &err) < 0)
		return cr_job_fail_query(o->args[side], &err);
	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_str name = p[s]->events[event[s].i].name;
		char *text = cr_memdup(name.len ? name.p : "", name.len);

		cr_query_add(&out[s], CR_WORD_EVENT, text, &err); /* of any name: it cannot fail */
		free(text);
	}
	return EXIT_DONE;
}

static int
fold_sides(const struct cr_options *o, struct cr_profile *const p[CR_SIDES],
	struct cr_tree *side[CR_SIDES])
{
	struct cr_query query[CR_SIDES];
	struct cr_err err = CR_ERR_INIT;
	int code = queries(o, p, query);

	for (int s = 0; s < CR_SIDES && p[s] && code == EXIT_DONE; s++)
		if (cr_query_fold(p[s], &query[s], &side[s], &err) < 0)
			code = cr_job_fail_query(o->args[s], &err);
	for (int s = 0; s < CR_SIDES; s++)
		cr_query_fini(&query[s]);
	return code;
}

/* It is both of them that cannot be compared. */
static int
fail_both(const struct cr_options *o, const struct cr_err *err)
{
	struct cr_text what = {0};
	int code;

	cr_text_printf(&what, "%s, %s", o->args[0], o->args[1]);
	code = cr_job_fail(what.p, err);
	cr_text_fini(&what);
	return code;
}

/*
 * Of two profiles; of one, p[1] NULL, what it says itself. Samples are selected on each side, and
 * what both have in common then goes through the transforms: so that they mean the same functions
 * on either side.
 */
static int
fold_both(const struct cr_options *o, struct cr_profile *const p[CR_SIDES], struct cr_tree **out)
{
	struct cr_tree *side[CR_SIDES] = {NULL, NULL};
	struct cr_diff_opts opts = o->diff;
	struct cr_err err = CR_ERR_INIT;
	int code = fold_sides(o, p, side);

	*out = NULL;
	opts.keep_groups = o->key == CR_TABLE_GROUP || cr_query_groups(&o->query);
	for (int s = 0; s < CR_SIDES; s++)
		opts.profile[s] = p[s];
	if (code == EXIT_DONE && !p[1]) {
		*out = side[0];
		side[0] = NULL;
	} else if (code == EXIT_DONE && cr_diff(side[0], side[1], &opts, out, &err) < 0) {
		code = fail_both(o, &err);
	}
	if (code == EXIT_DONE && (cr_query_transform(&o->query, out, &err) < 0 ||
					 cr_query_left(&o->query, *out, &err) < 0))
		code = cr_job_fail(NULL, &err);
	cr_tree_free(side[0]);
	cr_tree_free(side[1]);
	return code;
}

static void
head(const struct cr_options *o, struct cr_profile *const p[CR_SIDES], const struct cr_tree *t)
{
	static const char *const words[CR_SIDES] = {"before", "after"};

	for (int s = 0; s < CR_SIDES; s++) {
		struct cr_text line = {0};

		cr_text_printf(&line, "# %s: ", words[s]);
		cr_text_safe(&line, cr_str_of(o->args[p[1] ? s : 0]));
		cr_text_puts(&line, ": ");
		cr_text_safe(
			&line, p[1] ? cr_tree_measure(t, (uint32_t)s).event : cr_str_of(words[s]));
		cr_text_puts(&line, ", ");
		cr_label_cost(&line, t, (uint32_t)s, t->total[s][0], t->total_samples[s][0]);
		printf("%s\n", line.p);
		cr_text_fini(&line);
		if (p[s])
			cr_job_quality(p[s], "#   missing: ", 3, stdout);
	}
	if (t->paired[0].len) {
		struct cr_text line = {0};

		cr_text_safe(&line, t->paired[0]);
		cr_text_puts(&line, " and ");
		cr_text_safe(&line, t->paired[1]);
		printf("# compared as one dso, the main executable: %s (not with --match path)\n",
			line.p);
		cr_text_fini(&line);
	}
	cr_difference_shares(o);
}

/* Warns when the events were not sampled equally often. */
static void
report_rates(
	const struct cr_options *o, struct cr_profile *const p[CR_SIDES], const struct cr_tree *t)
{
	struct cr_text rate[CR_SIDES] = {{0}, {0}}, line = {0};

	if (p[1] && cr_diff_rates((const struct cr_profile *const *)p, t, rate)) {
		cr_text_puts(&line, "warning: sampled at different rates, ");
		for (int s = 0; s < CR_SIDES; s++) {
			cr_text_printf(&line, "%s%s at ", s ? " and " : "", o->args[s]);
			cr_text_str(&line, cr_text_view(&rate[s]));
		}
		cr_text_puts(&line, ": compare shares, not numbers of samples");
		cr_options_complain("diff", line.p);
	}
	for (int s = 0; s < CR_SIDES; s++)
		cr_text_fini(&rate[s]);
	cr_text_fini(&line);
}

/* Is there any node whose share differs? */
static bool
differs(const struct cr_tree *t)
{
	for (uint32_t n = 0; n < t->n; n++)
		if (cr_diff_self_ppm(t, n) || cr_diff_total_ppm(t, n))
			return true;
	return false;
}

/* An input that holds nothing, or a query that leaves nothing, is no difference. */
static int
code_of(int code)
{
	return code == EXIT_NOTHING ? EXIT_INPUT : code;
}

/* Write in a format, with a title that names both profiles unless another one is given. */
static int
write_tree(const struct cr_options *o, const struct cr_writer *w, void *options,
	struct cr_profile *const p[CR_SIDES], const struct cr_tree *t)
{
	const struct cr_write_in in = {.p = p[1] ? p[1] : p[0], .tree = t};
	struct cr_err unused = CR_ERR_INIT;
	struct cr_text title = {0};
	int code;

	if (p[1] && !cr_writing_has(o, "title")) {
		cr_text_printf(&title, "%s \xe2\x86\x92 %s", o->args[0], o->args[1]);
		cr_writer_set(w, options, "title", title.p, &unused); /* where it has one */
	}
	code = cr_writing_run(o, w, options, &in);
	cr_text_fini(&title);
	return code;
}

static int
choose_writer(const struct cr_options *o, const struct cr_writer **w, void **options)
{
	int code;

	*w = NULL;
	*options = NULL;
	if (!o->write.format && !o->write.output)
		return EXIT_DONE;
	if ((code = cr_writing_choose(o, "svg", w)) != EXIT_DONE)
		return code;
	if (!((*w)->needs & CR_WRITER_TREE)) {
		fprintf(stderr, "cresset: %s: cannot hold a difference\n", (*w)->name);
		return EXIT_USAGE;
	}
	return cr_writing_options(o, *w, options);
}

static int
print_or_write(const struct cr_options *o, struct cr_profile *const p[CR_SIDES])
{
	const struct cr_writer *w;
	struct cr_tree *t;
	void *options;
	int code = choose_writer(o, &w, &options);

	if (code != EXIT_DONE)
		return code;
	if ((code = code_of(fold_both(o, p, &t))) == EXIT_DONE) {
		report_rates(o, p, t);
		if (w) {
			code = write_tree(o, w, options, p, t);
		} else {
			head(o, p, t);
			cr_difference_table(o, t);
			code = differs(t) ? EXIT_DIFFERENCE : EXIT_DONE;
		}
	}
	cr_tree_free(t);
	free(options);
	return code;
}

/* Of one profile only where it is a difference. */
static int
load_both(const struct cr_options *o, unsigned parts, struct cr_profile *p[CR_SIDES])
{
	int code = cr_job_load(o, o->args[0], parts, &p[0]);

	if (code == EXIT_DONE && o->n_args > 1)
		return cr_job_load(o, o->args[1], parts, &p[1]);
	if (code == EXIT_DONE && (cr_query_filter(&o->query)->event || !cr_diff_is(p[0]))) {
		cr_options_complain(o->args[0], "is one profile, a difference takes two");
		code = EXIT_USAGE;
	}
	return code;
}

int
cr_cmd_diff(const struct cr_options *o)
{
	const bool writes = o->write.format || o->write.output;
	const bool browse = cr_browse_possible() && !o->report && !o->has_table && !writes;
	struct cr_profile *p[CR_SIDES] = {NULL, NULL};
	int code;

	if (!writes && (code = cr_writing_check(o, "a table")) != EXIT_DONE)
		return code;
	code = code_of(load_both(o, browse ? cr_browse_parts(o) : cr_job_parts(o), p));

	if (code == EXIT_DONE && browse)
		return code_of(cr_browse(o, p[0], p[1]));
	if (code == EXIT_DONE) {
		code = cr_job_end(o, p[0], print_or_write(o, p));
		if (p[1])
			code = cr_job_end(o, p[1], code);
	}
	cr_profile_free(p[0]);
	cr_profile_free(p[1]);
	return code;
}
