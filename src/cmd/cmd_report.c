#include "job.h"
#include "table_out.h"

#include "cresset/view/label.h"

#include <inttypes.h>
#include <stdio.h>

int cr_cmd_report(const struct cr_options *o);

/* Of one side "7 samples, weight 1 234 567 us (1.2 s)", of two "7 -> 8 samples". */
static void
put_costs(const struct cr_tree *t, struct cr_text *line)
{
	if (t->sides == 2) {
		cr_label_costs(line, t, " -> ");
		return;
	}
	cr_text_grouped(line, t->total_samples[0][0]);
	cr_text_puts(line, " samples, weight ");
	if (cr_str_eq(t->unit, CR_STR("millionths"))) {
		cr_text_measure(line, t->total[0][0], t->unit);
		return;
	}
	cr_text_grouped(line, t->total[0][0]);
	cr_text_char(line, ' ');
	cr_text_safe(line, t->unit);
	if (t->summed && cr_text_measure_scales(t->unit) && t->total[0][0] >= 1000) {
		cr_text_puts(line, " (");
		cr_text_measure(line, t->total[0][0], t->unit);
		cr_text_char(line, ')');
	}
}

static void
head(const struct cr_profile *p, const struct cr_tree *t)
{
	struct cr_text line = {0};

	cr_text_puts(&line, t->sides == 2 ? "# events " : "# event ");
	cr_text_safe(&line, t->event);
	cr_text_puts(&line, ": ");
	put_costs(t, &line);
	if (t->sides == 1 && cr_tree_unresolved(t, 0)) {
		cr_text_puts(&line, ", ");
		cr_text_share(&line, cr_tree_unresolved(t, 0), t->total[0][0]);
		cr_text_puts(&line, " without a name");
	}
	printf("%s\n", line.p);
	cr_text_fini(&line);
	cr_job_quality(p, "# missing: ", 3, stdout);
	if (t->sides == 2)
		printf("# shares of each side's own whole are compared; differences are in points\n");
}

static bool
has_lines(const struct cr_tree *t)
{
	for (uint32_t i = 0; i < t->n_frames; i++)
		if (t->frames[i].line)
			return true;
	return false;
}

int
cr_cmd_report(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	struct cr_tree *t;
	int code = cr_job_load(o, o->args[0], cr_job_parts(o), &p);

	if (code != EXIT_DONE)
		return code;
	if (cr_job_fold(o, p, &t, &err) < 0) {
		code = cr_job_fail(o->args[0], &err);
		cr_profile_free(p);
		return code;
	}
	head(p, t);
	if (o->key == CR_TOP_COMM && !o->group && !(p->flags & CR_PROFILE_HAS_TASK))
		printf("# no comms in this profile\n");
	if (o->key == CR_TOP_LINE && !has_lines(t))
		printf("# no source lines in this profile\n");
	cr_table_out(o, t);
	code = t->total_samples[0][0] ? EXIT_DONE : EXIT_DIFFERENCE;
	code = cr_job_end(o, p, code);
	cr_tree_free(t);
	cr_profile_free(p);
	return code;
}
