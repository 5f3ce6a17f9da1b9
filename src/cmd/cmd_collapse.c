#include "job_p.h"

#include "model/columns.h"
#include "query/fold/select.h"
#include "read/reader.h"
#include "store/store.h"
#include "writing_p.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cr_cmd_collapse(const struct cr_options *o);
int cr_cmd_collapse_recursive(const struct cr_options *o);

/* The inputs read so far, and their trees. */
struct collapsed {
	struct cr_profile **p;
	struct cr_tree **t;
	size_t n;
};

/*
 * 1 if the first word is a format: it is the name of one, and either not the only word or no file
 * has that name.
 */
static int
format_words(const struct cr_options *o)
{
	if (o->n_args == 0 || !cr_reader_find(o->args[0]))
		return 0;
	return o->n_args > 1 || access(o->args[0], F_OK) != 0;
}

/* ---- options that do not apply to a format */

static bool
is_of_java(struct cr_str format)
{
	return cr_str_eq(format, CR_STR("jstack")) || cr_str_eq(format, CR_STR("ibm")) ||
	       cr_str_eq(format, CR_STR("javaexc"));
}

static bool
has_lines(const struct cr_profile *p)
{
	cr_needed(p, CR_NEEDS_TREE);
	for (uint32_t i = 0; i < p->n_lines; i++)
		if (p->lines[i].line)
			return true;
	return false;
}

static bool
is_refused(const struct cr_options *o, const struct cr_profile *p, const char *what)
{
	const struct cr_str format = cr_profile_fact(p, "source format");
	struct cr_text t = {0};

	if (o->inlined && !cr_str_eq(format, CR_STR("perf.data"))) {
		cr_options_complain(what,
			"--inline needs the programs of a recording, and a text lists its inlined "
			"functions already; collapse perf.data itself, or omit --inline");
		return true;
	}
	if (!o->java || is_of_java(format))
		return false;
	cr_text_printf(&t, "%s is only for Java thread dumps, and this input is %.*s", o->java,
		(int)format.len, format.p);
	cr_options_complain(what, t.p);
	cr_text_fini(&t);
	return true;
}

static void
report_vain(const struct cr_options *o, const struct cr_profile *p, const char *what)
{
	if ((o->collapse.pid || o->collapse.tid) && !(p->flags & CR_PROFILE_HAS_TASK))
		cr_options_complain(what,
			"no processes or threads are known, so --pid and --tid change nothing");
	if (o->collapse.lines && !has_lines(p))
		cr_options_complain(
			what, "no source lines are known; perf script -F +srcline writes them");
}

/* ---- what is omitted */

/* Without --event only one of several events is folded: name the others in one line. */
static void
report_others(const struct cr_profile *p, const char *what, struct cr_str folded)
{
	struct cr_text t = {0};
	bool any = false;

	cr_text_puts(&t, "cresset: ");
	cr_text_safe(&t, cr_str_of(what));
	cr_text_puts(&t, ": folded event ");
	cr_text_safe(&t, folded.len ? folded : CR_STR("(none)"));
	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct cr_event *e = &p->events[i];

		if (!e->samples || cr_event_is_sum(p, (cr_event_id){i}) ||
			cr_str_eq(e->name, folded))
			continue;
		cr_text_puts(&t, any ? ", " : "; left out: ");
		cr_text_safe(&t, e->name);
		cr_text_printf(&t, " (%" PRIu64 ")", e->samples);
		any = true;
	}
	cr_text_char(&t, '\n');
	if (any)
		fputs(t.p, stderr);
	cr_text_fini(&t);
}

static void
report_left_out(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *t,
	uint64_t nothing_left, const char *what)
{
	struct cr_text name = {0};

	if (!cr_query_filter(&o->query)->event && t->sides == 1 &&
		!cr_profile_fact(p, "collapse").len)
		report_others(p, what, t->event);
	cr_text_safe(&name, cr_str_of(what));
	if (nothing_left)
		fprintf(stderr,
			"cresset: %s: warning: stacks left out because their sum is not positive: "
			"%" PRIu64 "\n",
			name.p ? name.p : "", nothing_left);
	cr_text_fini(&name);
}

/* ---- each input, then all together */

static int
fold_one(const struct cr_options *o, const struct cr_profile *p, const char *what,
	struct cr_tree **out)
{
	struct cr_err err = CR_ERR_INIT;
	uint64_t nothing_left;

	if (is_refused(o, p, what))
		return EXIT_USAGE;
	if (!o->quiet)
		report_vain(o, p, what);
	if (cr_collapse(p, cr_query_filter(&o->query), &o->collapse, out, &nothing_left, &err) < 0)
		return cr_job_fail_query(what, &err);
	if (cr_query_transform(&o->query, out, &err) < 0)
		return cr_job_fail(what, &err);
	if (!o->quiet)
		report_left_out(o, p, *out, nothing_left, what);
	if (cr_query_left(&o->query, *out, &err) < 0)
		return cr_job_fail(what, &err);
	return cr_job_end(o, p, EXIT_DONE);
}

/* The exit code is the worst result; the inputs that can be folded are folded. */
static int
add_input(const struct cr_options *o, const char *what, struct collapsed *c)
{
	struct cr_profile *p;
	struct cr_tree *t = NULL;
	int code = cr_job_load(
		o, what, CR_STORE_SAMPLES | (cr_job_parts(o) & ~(unsigned)CR_STORE_PROOF), &p);

	if (code != EXIT_DONE)
		return code;
	code = fold_one(o, p, what, &t);
	if (!t) {
		cr_profile_free(p);
		return code;
	}
	c->p[c->n] = p;
	c->t[c->n++] = t;
	return code;
}

static int
write_all(const struct cr_options *o, struct collapsed *c)
{
	struct cr_err err = CR_ERR_INIT;
	const struct cr_writer *w = cr_writer_find("folded");
	struct cr_write_in in = {0};
	void *options;
	struct cr_tree *joined = NULL;
	int code;

	if (c->n > 1 && cr_collapse_join(c->t, c->n, &joined, &err) < 0)
		return cr_job_fail(NULL, &err);
	in.tree = joined ? joined : c->t[0];
	code = cr_writing_options(o, w, &options);
	if (code == EXIT_DONE)
		code = cr_writing_run(o, w, options, &in);
	free(options);
	cr_tree_free(joined);
	return code;
}

/* The scripts group by comm and thread; other keys are fields. */
static int
choose_group(struct cr_options *o)
{
	const struct cr_fold_opts f = cr_query_opts(&o->query);

	o->collapse.group = f.fields[0];
	if (f.n_groups == 1 && (f.fields[0] || f.groups[0] == CR_GROUP_USUAL))
		return EXIT_DONE;
	cr_options_complain("--group", "collapse can group by one field only; use --pid and "
				       "--tid for processes and threads");
	return EXIT_USAGE;
}

static int
collapse(struct cr_options *o)
{
	const int words = format_words(o), n = CR_MAX(o->n_args - words, 1);
	struct collapsed c = {
		cr_alloc((uint64_t)n, sizeof(*c.p)), cr_alloc((uint64_t)n, sizeof(*c.t)), 0};
	int code = cr_job_lacks_input(o) ? EXIT_USAGE : choose_group(o), one;

	if (words)
		o->load.format = o->args[0];
	o->load.no_cache = true; /* a step of a pipeline leaves no files behind */
	o->load.no_default_tree = true;
	o->collapse.to_write = n == 1 && !cr_query_has(&o->query, CR_WORD_TRANSFORMS);
	for (int i = 0; i < n && code != EXIT_USAGE; i++) {
		one = add_input(o, o->n_args > words ? o->args[words + i] : "-", &c);
		code = CR_MAX(code, one);
	}
	if (c.n) {
		one = write_all(o, &c);
		code = CR_MAX(code, one);
	}
	for (size_t i = 0; i < c.n; i++) {
		cr_tree_free(c.t[i]);
		cr_profile_free(c.p[i]);
	}
	free(c.p);
	free(c.t);
	return code;
}

int
cr_cmd_collapse(const struct cr_options *o)
{
	struct cr_options mine = *o;

	return collapse(&mine);
}

int
cr_cmd_collapse_recursive(const struct cr_options *o)
{
	struct cr_options mine = *o;

	mine.collapse.recursive = true;
	/* It has only numbers and cannot be detected. */
	if (!mine.load.format)
		mine.load.format = "folded";
	return collapse(&mine);
}
