#include "browse_p.h"
#include "difference_p.h"
#include "job_p.h"
#include "sheet_out_p.h"
#include "terminal_p.h"
#include "writing_p.h"

#include "base/utf8.h"
#include "model/cost.h"
#include "model/merge/merge.h"
#include "model/tree/default_tree.h"
#include "query/diff/comparable.h"
#include "query/diff/evidence.h"
#include "query/diff/explain.h"
#include "store/store.h"
#include "view/style/change.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cr_cmd_diff(const struct cr_options *o);

/* A difference: the arguments, the profiles that were loaded, and the trees made of them. */
struct difference {
	const struct cr_options *o;
	int first[CR_SIDES], n[CR_SIDES]; /* arguments of a side */
	struct cr_text name[CR_SIDES];    /* for people: the arguments as the user wrote them */
	struct cr_profile *p[CR_SIDES];   /* p[1] is NULL for a profile that has two sides itself */
	struct cr_query query[CR_SIDES];
	struct cr_tree *tree[CR_SIDES];
	struct cr_tree *both; /* their difference, with the transforms of the query */
	struct cr_diff_opts opts;
	bool browses; /* the browser changes costs itself */
};

/* ---- the sides */

/* True if the query of one side has words of its own. */
static bool
has_own_words(const struct cr_options *o)
{
	return o->side[0].n || o->side[1].n;
}

/* "a.data, b.data (time 0..5s)" */
static void
name_side(struct difference *d, int side)
{
	struct cr_text words = {0};

	for (int i = 0; i < d->n[side]; i++)
		cr_text_printf(
			&d->name[side], "%s%s", i ? ", " : "", d->o->args[d->first[side] + i]);
	cr_query_print(&d->o->side[side], &words);
	if (words.len && d->n[side])
		cr_text_printf(&d->name[side], " (%s)", words.p);
	cr_text_fini(&words);
}

/* "BEFORE... -- AFTER...", or one or two arguments. */
static int
split_sides(struct difference *d)
{
	const struct cr_options *o = d->o;
	const bool split = o->n_before < o->n_args;

	if (!split && o->n_args > 2) {
		cr_options_complain("diff", "more than two profiles: write -- between those of "
					    "before and those of after");
		return EXIT_USAGE;
	}
	if (split && !o->n_before) {
		cr_options_complain("diff", "there is no profile before --");
		return EXIT_USAGE;
	}
	d->n[0] = split ? o->n_before : 1;
	d->first[1] = d->n[0];
	d->n[1] = o->n_args - d->n[0];
	if (!d->n[1] && has_own_words(o)) { /* two parts of one profile */
		d->first[1] = 0;
		d->n[1] = 1;
		d->opts.by_path = true; /* other dsos are other programs */
	}
	for (int s = 0; s < CR_SIDES; s++)
		name_side(d, s);
	return EXIT_DONE;
}

static const char *
cost_of(const struct cr_options *o)
{
	return o->load.latency ? CR_COST_LATENCY : cr_query_filter(&o->query)->cost;
}

/* Merge the recordings of a side. The profile knows which recording each sample is from. */
static int
load_merged(struct difference *d, int side)
{
	struct cr_merge *m = cr_merge_new();
	struct cr_options as_recorded = *d->o;
	struct cr_err err = CR_ERR_INIT;
	int code = EXIT_DONE;

	/* A merge knows no costs, and parallelism is that of each recording. */
	as_recorded.load.as_recorded = true;
	as_recorded.load.parallelism |= cr_cost_same(cost_of(d->o), CR_COST_LATENCY);

	for (int i = 0; i < d->n[side] && code == EXIT_DONE; i++) {
		const char *arg = d->o->args[d->first[side] + i];
		struct cr_profile *p = NULL;

		code = cr_job_load(&as_recorded, arg, CR_STORE_ALL, &p);
		if (code == EXIT_DONE && cr_merge_add(m, p, cr_str_of(arg), &err) < 0)
			code = cr_job_fail(arg, &err);
		cr_profile_free(p);
	}
	if (code == EXIT_DONE && cr_merge_finish(m, &d->p[side], &err) < 0)
		code = cr_job_fail(d->name[side].p, &err);
	if (code == EXIT_DONE)
		cr_default_tree_make(d->p[side]);
	if (code == EXIT_DONE && !d->browses && cr_load_weigh(d->p[side], cost_of(d->o), &err) < 0)
		code = cr_job_fail(d->name[side].p, &err);
	cr_merge_free(m);
	return code;
}

static int
load_sides(struct difference *d, unsigned parts)
{
	struct cr_options shown = *d->o;
	const struct cr_options *o = &shown;
	int code = EXIT_DONE;

	shown.load.as_recorded = d->browses;
	for (int s = 0; s < CR_SIDES && code == EXIT_DONE; s++) {
		if (d->n[s] > 1)
			code = load_merged(d, s);
		else if (d->n[s])
			code = cr_job_load(o, o->args[d->first[s]], parts, &d->p[s]);
	}
	if (code == EXIT_DONE && !d->n[1] &&
		(cr_query_filter(&o->query)->event || !cr_diff_is(d->p[0]))) {
		cr_options_complain(o->args[0], "a difference needs two profiles, and this is one");
		code = EXIT_USAGE;
	}
	return code;
}

/* ---- the trees */

/*
 * Write the event of each side into the queries, which are copies of o's. A side that is itself a
 * difference, and stacks grouped by event, get none.
 */
static int
make_queries(struct difference *d)
{
	const struct cr_filter *f = cr_query_filter(&d->o->query);
	const struct cr_fold_opts opts = cr_query_opts(&d->o->query);
	const struct cr_profile *const p[CR_SIDES] = {d->p[0], d->p[1]};
	struct cr_err err = CR_ERR_INIT;
	cr_event_id event[CR_SIDES];
	bool own_event = false;
	uint32_t side;

	for (int s = 0; s < CR_SIDES; s++) {
		cr_query_override(&d->o->query, &d->o->side[s], &d->query[s]);
		own_event |= cr_query_filter(&d->o->side[s])->event != NULL;
	}
	if (!p[1] || own_event ||
		(!f->event && (cr_diff_is(p[0]) || cr_diff_is(p[1]) ||
				      memchr(opts.groups, CR_GROUP_EVENT, opts.n_groups))))
		return EXIT_DONE;
	if (cr_diff_events(p, f, event, &side, &err) < 0)
		return cr_job_fail_query(d->name[side].p, &err);
	for (int s = 0; s < CR_SIDES; s++) {
		const struct cr_str name = p[s]->events[event[s].i].name;
		char *text = cr_memdup(name.len ? name.p : "", name.len);

		cr_query_add(&d->query[s], CR_WORD_EVENT, text, &err); /* it accepts any name */
		free(text);
	}
	return EXIT_DONE;
}

static int
fold_sides(struct difference *d)
{
	struct cr_err err = CR_ERR_INIT;
	int code = make_queries(d);

	for (int s = 0; s < CR_SIDES && d->p[s] && code == EXIT_DONE; s++) {
		int rc;

		cr_job_work_begin(d->o);
		rc = cr_query_fold(d->p[s], &d->query[s], &d->tree[s], &err);
		cr_job_work_end();
		if (rc < 0 ||
			(d->o->side[s].n && cr_query_left(&d->query[s], d->tree[s], &err) < 0))
			code = cr_job_fail_query(d->name[s].p, &err);
	}
	return code;
}

/* Report what is wrong with both sides together. */
static int
fail_both(const struct difference *d, const struct cr_err *err)
{
	struct cr_text what = {0};
	int code;

	cr_text_printf(&what, "%s, %s", d->name[0].p, d->name[1].p);
	code = cr_job_fail(what.p, err);
	cr_text_fini(&what);
	return code;
}

/*
 * Select the samples of each side, combine both, and then transform the result, so that a transform
 * means the same functions on both sides.
 */
static int
fold_both(struct difference *d)
{
	const struct cr_options *o = d->o;
	struct cr_err err = CR_ERR_INIT;
	int code = fold_sides(d);

	d->opts.keep_groups = o->key == CR_TABLE_GROUP || cr_query_groups(&o->query);
	for (int s = 0; s < CR_SIDES; s++)
		d->opts.profile[s] = d->p[s];
	if (code != EXIT_DONE)
		return code;
	if (d->p[1])
		d->opts.frames = cr_diff_match(
			(const struct cr_tree *const[]){d->tree[0], d->tree[1]}, &d->opts);
	if (!d->p[1]) {
		d->both = d->tree[0];
		d->tree[0] = NULL;
	} else if (cr_diff(d->tree[0], d->tree[1], &d->opts, &d->both, &err) < 0) {
		return fail_both(d, &err);
	}
	if (cr_query_transform(&o->query, &d->both, &err) < 0 ||
		cr_query_left(&o->query, d->both, &err) < 0)
		return cr_job_fail(NULL, &err);
	return EXIT_DONE;
}

/* ---- what is printed */

static void
print_side(const struct difference *d, int s)
{
	static const char *const words[CR_SIDES] = {"before", "after"};
	const struct cr_tree *t = d->both;
	struct cr_text line = {0};

	cr_text_printf(&line, "# %s: ", words[s]);
	cr_text_safe(&line, cr_text_view(&d->name[d->p[1] ? s : 0]));
	cr_text_puts(&line, ": ");
	cr_text_safe(&line, d->p[1] ? cr_tree_measure(t, (uint32_t)s).event : cr_str_of(words[s]));
	cr_text_puts(&line, ", ");
	cr_label_cost(&line, t, (uint32_t)s, t->total[s][0], t->total_samples[s][0]);
	printf("%s\n", line.p);
	cr_text_fini(&line);
	if (d->p[s] && !d->o->table.markdown) /* which is to be short */
		cr_job_quality(d->p[s], "#   missing: ", 3, stdout);
}

/* The lines above the table. */
static void
print_head(const void *user)
{
	const struct difference *d = user;
	const struct cr_tree *t = d->both;

	for (int s = 0; s < CR_SIDES; s++)
		print_side(d, s);
	if (t->paired[0].len) {
		struct cr_text line = {0};

		cr_text_safe(&line, t->paired[0]);
		cr_text_puts(&line, " and ");
		cr_text_safe(&line, t->paired[1]);
		printf("# compared as one dso, because they are the main executables: %s (not with "
		       "--match path)\n",
			line.p);
		cr_text_fini(&line);
	}
}

/* Append the reasons that make the comparison doubtful, a line each. */
static void
put_warnings(const struct difference *d, struct cr_text *out)
{
	const struct cr_profile *const p[CR_SIDES] = {d->p[0], d->p[1]};

	if (p[1])
		cr_comparable_put(p, d->both, out);
}

/* user: the options. */
static void
complain(struct cr_str line, void *user)
{
	char *text = cr_memdup(line.p, line.len);

	cr_job_warn_of(user, "diff", text);
	free(text);
}

/* The sides as they are judged. */
static void
evidence_of(const struct difference *d, struct cr_evidence_side out[CR_SIDES])
{
	for (int s = 0; s < CR_SIDES; s++)
		out[s] = (struct cr_evidence_side){d->p[s], &d->query[s], d->tree[s]};
}

static int
print_table(const struct difference *d, const char *warnings)
{
	struct cr_difference_in in = {
		.names = {d->name[0].p, d->name[1].p ? d->name[1].p : d->name[0].p},
		.opts = &d->opts,
		.both = d->both,
		.warnings = warnings,
		.print_head = print_head,
		.user = d};

	evidence_of(d, in.side);
	return cr_difference_judge(d->o, &in);
}

/* An empty input, or a query that leaves no samples, is not a difference. */
static int
code_of(int code)
{
	return code == EXIT_NOTHING ? EXIT_INPUT : code;
}

/*
 * Find, by frame, what is not known to have changed, and normalise the tree. *out is NULL if
 * nothing can be tested.
 */
static int
find_noise(const struct difference *d, uint8_t **out)
{
	const struct cr_options *o = d->o;
	struct cr_evidence_side side[CR_SIDES];
	struct cr_err err = CR_ERR_INIT;
	struct cr_judged judged;
	struct cr_table table;
	int rc;

	*out = NULL;
	evidence_of(d, side);
	cr_table_make(NULL, d->both, 0, cr_table_by(CR_TABLE_FUNCTION), &table);
	rc = cr_evidence_judge(
		side, &d->opts, d->both, &table, &o->norm, o->noise / 100.0, &judged, &err);
	if (rc == CR_OK && judged.of_self.tested)
		*out = cr_change_noise(d->both, &table, o->totals ? judged.total : judged.self);
	if (rc == CR_OK)
		cr_judged_set_whole(&judged, d->both);
	if (rc == CR_OK)
		cr_judged_fini(&judged);
	cr_table_fini(&table);
	return rc < 0 ? cr_job_fail(NULL, &err) : EXIT_DONE;
}

/* Write the tree with a title that names both profiles, unless another was given. */
static int
write_tree(const struct difference *d, const struct cr_writer *w, void *options)
{
	struct cr_write_in in = {
		.p = d->p[1] ? d->p[1] : d->p[0], .tree = d->both, .totals = d->o->totals};
	struct cr_err unused = CR_ERR_INIT;
	struct cr_text title = {0};
	uint8_t *noise = NULL;
	int code = EXIT_DONE;

	if (w->needs & CR_WRITER_CHANGES)
		code = find_noise(d, &noise);
	if (code != EXIT_DONE)
		return code;
	in.noise = noise;
	if (d->p[1]) {
		cr_text_printf(&title, "%s \xe2\x86\x92 %s", d->name[0].p, d->name[1].p);
		in.title = title.p;
	}
	if (d->p[1] && !cr_writing_has(d->o, "title"))
		cr_writer_set(w, options, "title", title.p, &unused); /* if the format has one */
	code = cr_writing_run(d->o, w, options, &in);
	cr_text_fini(&title);
	free(noise);
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
	if ((code = cr_writing_options(o, *w, options)) != EXIT_DONE)
		return code;
	if (cr_writer_needs(*w, *options) & CR_WRITER_TREE)
		return EXIT_DONE;
	cr_options_complain((*w)->name, "this format cannot represent a difference");
	free(*options);
	return EXIT_USAGE;
}

static int
explain(const struct difference *d)
{
	const struct cr_tree *const side[CR_SIDES] = {d->tree[0], d->tree[1]};
	struct cr_text lines = {0};

	if (d->p[1]) /* one profile with two sides has the names of both */
		cr_diff_explain(side, d->both, &d->opts, &lines);
	fputs(lines.len ? lines.p : "all names are the same\n", stdout);
	cr_text_fini(&lines);
	return EXIT_DONE;
}

static int
print_or_write(struct difference *d)
{
	struct cr_text warnings = {0};
	const struct cr_writer *w;
	void *options;
	int code = choose_writer(d->o, &w, &options);

	if (code != EXIT_DONE)
		return code;
	if ((code = code_of(fold_both(d))) == EXIT_DONE && d->o->explain) {
		code = explain(d);
	} else if (code == EXIT_DONE) {
		put_warnings(d, &warnings);
		if (w || d->o->csv || d->o->json) /* which have no place for them */
			cr_difference_lines(warnings.p, complain, (void *)(uintptr_t)d->o);
		code = w ? write_tree(d, w, options) : print_table(d, warnings.p);
	}
	cr_text_fini(&warnings);
	free(options);
	return code;
}

static void
difference_fini(struct difference *d)
{
	cr_tree_free(d->both);
	cr_diff_match_free(d->opts.frames);
	for (int s = 0; s < CR_SIDES; s++) {
		cr_text_fini(&d->name[s]);
		cr_query_fini(&d->query[s]);
		cr_tree_free(d->tree[s]);
		cr_profile_free(d->p[s]);
	}
}

/*
 * The title of a side: "old"; "3 × old" for old-1, old-2 and old-3, or "3 recordings" if their
 * names have nothing in common; "old: time 0..5s" for a part. The second part of a profile has only
 * the words. The caller frees it.
 */
static char *
title_of(const struct difference *d, int side)
{
	const char *const *args = d->o->args + d->first[side];
	struct cr_text title = {0}, words = {0};
	char *first = cr_job_title(args[0]);
	size_t same = strlen(first);

	for (int i = 1; i < d->n[side]; i++) {
		char *other = cr_job_title(args[i]);

		for (size_t k = 0; k < same; k++)
			if (first[k] != other[k])
				same = k;
		free(other);
	}
	while (d->n[side] > 1 && same && strchr("-_. ", first[same - 1]))
		same--;
	if (d->n[side] > 1)
		cr_text_printf(&title, "%d %s", d->n[side],
			!same              ? "recordings"
			: cr_utf8_locale() ? "\xc3\x97 "
					   : "x ");
	cr_text_put(&title, first, same);
	cr_query_print(&d->o->side[side], &words);
	if (words.len && side && d->first[1] == d->first[0])
		cr_text_clear(&title);
	if (words.len)
		cr_text_printf(&title, "%s%s", title.len ? ": " : "", words.p);
	cr_text_fini(&words);
	free(first);
	return title.p;
}

/* The browser frees the profiles. */
static int
browse_sides(struct difference *d)
{
	struct cr_browse_in in = {.title = {title_of(d, 0)}, .diff = d->opts};
	int code;

	if (d->p[1])
		in.title[1] = title_of(d, 1);
	for (int s = 0; s < CR_SIDES; s++) {
		in.p[s] = d->p[s];
		in.first[s] = d->first[s];
		in.n[s] = d->n[s];
		d->p[s] = NULL;
	}
	code = code_of(cr_browse(d->o, &in));
	free(in.title[0]);
	free(in.title[1]);
	return code;
}

/* What the queries of the sides need; a table also what verdicts need, which the browser loads. */
static unsigned
parts_of(const struct cr_options *o, bool browse)
{
	unsigned needs = browse ? 0 : CR_EVIDENCE_NEEDS;

	for (int s = 0; s < CR_SIDES; s++)
		needs |= cr_query_needs(NULL, &o->side[s]);
	return cr_load_parts(needs) | (browse ? cr_browse_parts(o) : cr_job_parts(o));
}

int
cr_cmd_diff(const struct cr_options *o)
{
	const bool writes = o->write.format || o->write.output,
		   as_data = o->csv || o->json || o->table.markdown,
		   browse = cr_browse_possible() && !o->report && !o->has_table && !writes &&
			    !as_data && !o->explain;
	struct difference d = {.o = o, .opts = o->diff, .browses = browse};
	int code;

	if ((!writes && (code = cr_writing_check(o, "a table")) != EXIT_DONE) ||
		(code = cr_sheets_check(o)) != EXIT_DONE)
		return code;
	if ((code = split_sides(&d)) == EXIT_DONE)
		code = code_of(load_sides(&d, parts_of(o, browse)));
	if (code == EXIT_DONE && browse) {
		code = browse_sides(&d);
	} else if (code == EXIT_DONE) {
		code = cr_job_end(o, d.p[0], print_or_write(&d));
		if (d.p[1])
			code = cr_job_end(o, d.p[1], code);
	}
	difference_fini(&d);
	return code;
}
