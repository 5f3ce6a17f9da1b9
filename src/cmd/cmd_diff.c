#include "browse.h"
#include "job.h"
#include "table_out.h"
#include "writing.h"

#include "cresset/query/diff.h"
#include "cresset/store/store.h"

#include <inttypes.h>
#include <stdio.h>

int cr_cmd_diff(const struct cr_options *o);

static int
fold_both(const struct cr_options *o, struct cr_profile *const p[CR_SIDES], struct cr_tree **out)
{
	struct cr_tree *side[CR_SIDES] = {NULL, NULL};
	struct cr_err err = CR_ERR_INIT;
	int code = EXIT_DONE;

	*out = NULL;
	for (int s = 0; s < CR_SIDES && code == EXIT_DONE; s++)
		if (cr_job_fold(o, p[s], &side[s], &err) < 0)
			code = cr_job_fail(o->args[s], &err);
	if (code == EXIT_DONE && cr_diff(side[0], side[1], out, &err) < 0)
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
		cr_text_safe(&line, cr_str_of(o->args[s]));
		cr_text_puts(&line, ": ");
		cr_text_safe(&line, t->event);
		cr_text_puts(&line, ", ");
		cr_text_grouped(&line, t->total_samples[s][0]);
		cr_text_puts(&line, " samples");
		printf("%s\n", line.p);
		cr_text_fini(&line);
		cr_job_quality(p[s], "#   missing: ", 3, stdout);
	}
	printf("# shares of each side's own whole are compared; differences are in points\n");
}

/* Is there any node whose share differs? */
static bool
differs(const struct cr_tree *t)
{
	for (uint32_t n = 0; n < t->n; n++)
		if (cr_diff_self_ppm(t, n))
			return true;
	return false;
}

static int
print_or_write(const struct cr_options *o, struct cr_profile *const p[CR_SIDES])
{
	const struct cr_writer *w = NULL;
	struct cr_write_in in = {.p = p[1]};
	struct cr_options ordered = *o;
	struct cr_tree *t;
	int code = EXIT_DONE;

	if (o->format || o->output)
		code = cr_writing_choose(o, "svg", &w);
	if (code == EXIT_DONE && w && !(w->needs & CR_WRITER_TREE)) {
		fprintf(stderr, "cresset: %s: cannot hold a difference\n", w->name);
		code = EXIT_USAGE;
	}
	if (code == EXIT_DONE)
		code = fold_both(o, p, &t);
	if (code != EXIT_DONE)
		return code;
	in.tree = t;
	if (w) {
		struct cr_text title = {0};

		if (!o->title) {
			cr_text_printf(&title, "%s \xe2\x86\x92 %s", o->args[0], o->args[1]);
			ordered.title = title.p;
		}
		code = cr_writing_run(&ordered, w, &in);
		cr_text_fini(&title);
	} else {
		if (!o->has_order) {
			ordered.has_order = true;
			ordered.order = CR_SORT_DELTA_SELF;
		}
		head(o, p, t);
		cr_table_out(&ordered, t);
		code = differs(t) ? EXIT_DIFFERENCE : EXIT_DONE;
	}
	cr_tree_free(t);
	return code;
}

int
cr_cmd_diff(const struct cr_options *o)
{
	const unsigned parts = cr_job_parts(o);
	struct cr_profile *p[CR_SIDES] = {NULL, NULL};
	int code = cr_job_load(o, o->args[0], parts, &p[0]);

	if (code == EXIT_DONE)
		code = cr_job_load(o, o->args[1], parts, &p[1]);
	if (code == EXIT_DONE && cr_browse_possible() && !o->report && !o->has_table && !o->format && !o->output &&
	    parts == CR_STORE_OUTLINE)
		return cr_browse(o, p[0], p[1]);
	if (code == EXIT_DONE)
		code = cr_job_end(o, p[1], cr_job_end(o, p[0], print_or_write(o, p)));
	cr_profile_free(p[0]);
	cr_profile_free(p[1]);
	return code;
}
