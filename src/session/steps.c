#include "steps_p.h"

#include "session_p.h"

#include "model/columns.h"
#include "model/cost.h"
#include "model/profile.h"
#include "query/lang/pattern.h"
#include "session/views/view.h"
#include "session/views/view_samples_p.h"
#include "view/style/label.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A function as a path of one name, in which a ';' is escaped. */
static void
put_path(struct cr_str name, struct cr_text *out)
{
	struct cr_text t = {0};

	cr_function_put_name(name, &t);
	for (size_t i = 0; i < t.len; i++) {
		if (t.p[i] == ';')
			cr_text_char(out, '\\');
		cr_text_char(out, t.p[i]);
	}
	cr_text_fini(&t);
}

/*
 * The argument for the selected function: its name, or a pattern of it; for a comm that of a group.
 */
static int
selected_as(const struct cr_session *s, enum cr_word word, struct cr_text *out, struct cr_err *err)
{
	const struct cr_frame *f = &s->tree->frames[cr_view_frame(s)];
	const struct cr_str name = f->name;
	const char *arg = cr_word_info(word)->arg;

	if (cr_view_frame(s) == 0)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s needs %s or a selected function",
			cr_word_info(word)->name, arg);
	if (f->group && word != CR_WORD_FOCUS && word != CR_WORD_IGNORE)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"%s needs a function, and the selection is a group",
			cr_word_info(word)->name);
	if (memchr(name.p, '\0', name.len))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"cannot filter by a name that contains a NUL");
	if (strcmp(arg, "RE") == 0) {
		cr_text_puts(out, f->group ? "group:=" : "=");
		cr_text_str(out, name);
	} else if (word == CR_WORD_ROOT_AT) {
		put_path(name, out);
	} else {
		cr_function_put_name(name, out);
	}
	return CR_OK;
}

static enum cr_word
last_word(const struct cr_query *q)
{
	return q->n ? q->steps[q->n - 1].word : CR_WORDS;
}

/* From none to direct to all, and back to none. */
static const char *
next_recursion(struct cr_query *q)
{
	const char *last = last_word(q) == CR_WORD_RECURSION ? q->steps[q->n - 1].arg : "";
	const char *next = strcmp(last, "direct") == 0 ? "all" : *last ? NULL : "direct";

	if (*last)
		cr_query_cut(q, q->n - 1);
	return next;
}

/* Add a step to q, or remove the last one if the new step undoes it. */
static int
with_step(const struct cr_session *s, struct cr_query *q, enum cr_word word, const char *args,
	struct cr_err *err)
{
	const struct cr_word_info *w = cr_word_info(word);
	struct cr_text arg = {0};
	int rc = CR_OK;

	if (word == CR_WORD_COST && strcmp(args, CR_COST_PERIOD) == 0) {
		cr_query_remove(q, word);
		return CR_OK;
	}
	if (word == CR_WORD_INVERT && !*args && last_word(q) == CR_WORD_INVERT) {
		cr_query_cut(q, q->n - 1);
		return CR_OK;
	}
	if (word == CR_WORD_RECURSION && !*args) {
		args = next_recursion(q);
	} else if (!*args && w->arg && w->kind == CR_WORD_TRANSFORMS && word != CR_WORD_TIDY) {
		/* This word also accepts groups. */
		if (word == CR_WORD_DROP && s->tree->frames[cr_view_frame(s)].group)
			word = CR_WORD_IGNORE;
		rc = selected_as(s, word, &arg, err);
	}
	if (rc == CR_OK && args)
		rc = cr_query_add(q, word, arg.len ? arg.p : args, err);
	cr_text_fini(&arg);
	return rc;
}

/*
 * Stacks are now grouped by other keys. Steps that select groups by name apply to the new groups,
 * and what they had removed may be back: report that.
 */
static void
report_groups(struct cr_session *s)
{
	for (size_t i = 0; i < s->query.n; i++) {
		const struct cr_step *step = &s->query.steps[i];

		if (cr_word_info(step->word)->kind != CR_WORD_TRANSFORMS ||
			strncmp(step->arg, "group:", 6) != 0)
			continue;
		cr_text_puts(&s->message, "now refers to the new groups: ");
		cr_query_put_step(step->word, step->arg, &s->message);
		return;
	}
}

/* What a step is compared with afterwards. nodes: 0 for a sketch, which has only some. */
struct size {
	uint32_t nodes, frames;
	uint64_t weight[CR_SIDES], samples[CR_SIDES];
};

static struct size
size_of(const struct cr_tree *t)
{
	struct size z = {.nodes = t->is_sketch ? 0 : t->n, .frames = t->n_frames};

	for (uint32_t side = 0; side < t->sides; side++) {
		z.weight[side] = t->total[side][0];
		z.samples[side] = t->total_samples[side][0];
	}
	return z;
}

static bool
is_same(const struct size *a, const struct size *b)
{
	return (a->nodes == b->nodes || !a->nodes || !b->nodes) &&
	       memcmp(a->weight, b->weight, sizeof(a->weight)) == 0 &&
	       memcmp(a->samples, b->samples, sizeof(a->samples)) == 0;
}

static bool
id_is_known(const struct cr_session *s, enum cr_word word, int32_t id)
{
	for (uint32_t side = 0; side < s->sides; side++) {
		const struct cr_profile *p = s->profile[side];

		for (uint32_t i = 0; i < p->n_tasks; i++)
			if ((word == CR_WORD_PID ? p->tasks[i].pid : p->tasks[i].tid) == id)
				return true;
	}
	return false;
}

/* Reads the processors of all samples of a stored profile. */
static bool
cpu_is_known(const struct cr_session *s, uint64_t cpu)
{
	for (uint32_t side = 0; side < s->sides; side++) {
		const struct cr_profile *p = s->profile[side];
		struct cr_err ignored = CR_ERR_INIT;
		const uint16_t *cpus;

		if (!(p->flags & CR_PROFILE_HAS_CPU) ||
			cr_view_fetch_of(s, side, CR_NEEDS_CPU, &ignored) < 0)
			return true;
		cpus = cr_column_cpus(p);
		for (uint64_t i = 0; i < p->samples.n; i++)
			if (cpus[i] == cpu)
				return true;
	}
	return false;
}

/* The first number of a list of processors that no sample was taken on; -1 if there is none. */
static int64_t
missing_cpu(const struct cr_session *s, const struct cr_query *q)
{
	const struct cr_ranges cpus = cr_query_filter(q)->cpus;

	for (size_t i = 0; i < cpus.n; i++)
		if (cpus.p[i].from == cpus.p[i].to && cpus.p[i].from <= INT32_MAX &&
			!cpu_is_known(s, cpus.p[i].from))
			return (int64_t)cpus.p[i].from;
	return -1;
}

/* The first number of a list of processes or threads that no profile has; -1 if there is none. */
static int64_t
missing_id(const struct cr_session *s, const struct cr_query *q, enum cr_word word)
{
	const struct cr_filter *f = cr_query_filter(q);
	const struct cr_ranges ids = word == CR_WORD_PID ? f->pids : f->tids;

	for (size_t i = 0; i < ids.n && (word == CR_WORD_PID || word == CR_WORD_TID); i++)
		if (ids.p[i].from == ids.p[i].to && ids.p[i].from <= INT32_MAX &&
			!id_is_known(s, word, (int32_t)ids.p[i].from))
			return (int64_t)ids.p[i].from;
	return -1;
}

static const char *
id_name(enum cr_word word)
{
	return word == CR_WORD_PID ? "process" : "thread";
}

/* These only move cost to other frames. */
static bool
keeps_cost(enum cr_word word)
{
	return word == CR_WORD_HIDE || word == CR_WORD_MERGE || word == CR_WORD_PRUNE ||
	       word == CR_WORD_RECURSION || word == CR_WORD_TIDY;
}

/* Samples of the event that is shown have no value of its cost. */
static void
report_cost(struct cr_session *s)
{
	const struct cr_profile *p = s->profile[s->sides - 1];
	const uint64_t n = cr_cost_missing(p, cr_session_event_of(s, s->sides - 1));

	if (!n)
		return;
	cr_text_puts(&s->message, s->message.len ? "; " : "");
	cr_text_grouped(&s->message, n);
	cr_text_printf(&s->message, " samples have no %s and cost 0", p->cost);
}

/* Report what the last step has done to the tree: what is left, or that it has no effect. */
static void
report_step(struct cr_session *s, const struct size *before)
{
	const struct cr_step *step = s->query.n ? &s->query.steps[s->query.n - 1] : NULL;
	const struct size now = size_of(s->tree);
	struct cr_text kept = {0};
	int64_t missing;

	if (!step || cr_word_info(step->word)->kind == CR_WORD_FOLDS ||
		step->word == CR_WORD_INVERT)
		return;
	if ((missing = missing_id(s, &s->query, step->word)) >= 0) {
		cr_text_printf(
			&s->message, "no %s has the id %" PRId64, id_name(step->word), missing);
		return;
	}
	/* Names that tidy has changed are further frames. */
	if (is_same(&now, before) && (step->word != CR_WORD_TIDY || now.frames == before->frames)) {
		cr_query_put_step(step->word, step->arg, &s->message);
		cr_text_puts(&s->message, " changes nothing here");
	} else if (s->on_screen) {
		cr_query_put_step(step->word, step->arg, &s->message);
		cr_label_kept(&kept, s->tree, " > ");
		if (kept.len && !keeps_cost(step->word))
			cr_text_printf(&s->message, ": %s of all is left", kept.p);
		cr_text_puts(&s->message, "; u undoes it");
	}
	if (step->word == CR_WORD_COST)
		report_cost(s);
	cr_text_fini(&kept);
}

/* True if `step` selects samples by the same thing as a step of this word and argument. */
static bool
is_alternative(const struct cr_step *step, enum cr_word word, const char *arg)
{
	const size_t field = strcspn(arg, "=");

	if (step->word != word || cr_word_info(word)->kind != CR_WORD_SELECTS)
		return false;
	return word != CR_WORD_WHERE ||
	       (strcspn(step->arg, "=") == field && memcmp(step->arg, arg, field) == 0);
}

/* Copy the steps of q, without those that the new step takes the place of; free *out. */
static void
copy_without(const struct cr_query *q, enum cr_word word, const char *arg, struct cr_query *out)
{
	struct cr_err unused = CR_ERR_INIT; /* these steps were accepted before */

	*out = (struct cr_query){0};
	for (size_t i = 0; i < q->n; i++)
		if (!is_alternative(&q->steps[i], word, arg))
			cr_query_add(out, q->steps[i].word, q->steps[i].arg, &unused);
}

/* No samples are left after a step: say so of a number that the recording does not have. */
static void
explain_empty(
	const struct cr_session *s, const struct cr_query *q, enum cr_word word, struct cr_err *err)
{
	int64_t missing = missing_id(s, q, word);

	if (missing >= 0)
		cr_fail(err, CR_EEMPTY, CR_NO_OFFSET, "no %s has the id %" PRId64, id_name(word),
			missing);
	else if (word == CR_WORD_CPU && (missing = missing_cpu(s, q)) >= 0)
		cr_fail(err, CR_EEMPTY, CR_NO_OFFSET, "no sample was taken on cpu %" PRId64,
			missing);
}

static int
step_add(struct cr_session *s, enum cr_word word, const char *args, bool also, struct cr_err *err)
{
	const struct size before = size_of(s->tree);
	struct cr_query q;
	int rc;

	if (also)
		cr_query_copy(&s->query, &q);
	else
		copy_without(&s->query, word, args, &q);
	if ((rc = with_step(s, &q, word, args, err)) == CR_OK &&
		(rc = cr_session_set_query(s, s->event, &q, err)) == CR_EEMPTY)
		explain_empty(s, &q, word, err);
	cr_query_fini(&q);
	if (rc == CR_OK && word == CR_WORD_GROUP)
		report_groups(s);
	else if (rc == CR_OK)
		report_step(s, &before);
	return rc;
}

int
cr_steps_add(struct cr_session *s, enum cr_word word, const char *args, struct cr_err *err)
{
	return step_add(s, word, args, false, err);
}

int
cr_steps_also(struct cr_session *s, const char *step, struct cr_err *err)
{
	struct cr_text arg = {0};
	const char *rest;
	enum cr_word word;
	int rc;

	if ((rc = cr_query_next(step, &word, &arg, &rest, err)) == CR_OK &&
		(cr_word_info(word)->kind != CR_WORD_SELECTS || word == CR_WORD_COST))
		rc = cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"also: %s selects no samples; use comm, pid, tid, cpu, dso, time, mode or "
			"where",
			cr_word_info(word)->name);
	if (rc == CR_OK)
		rc = step_add(s, word, arg.p ? arg.p : "", true, err);
	cr_text_fini(&arg);
	return rc;
}

int
cr_steps_keep(struct cr_session *s, size_t n, struct cr_err *err)
{
	struct cr_query q;
	int rc;

	if (!s->query.n) {
		cr_text_puts(&s->message, "there is no filter");
		return CR_OK;
	}
	cr_query_copy(&s->query, &q);
	cr_query_cut(&q, n);
	rc = cr_session_set_query(s, s->event, &q, err);
	cr_query_fini(&q);
	return rc;
}

/* The word and the argument of a step that selects the samples of a selected part. */
static int
part_as_step(const struct cr_selection *n, unsigned part, enum cr_word *word, struct cr_text *arg,
	struct cr_err *err)
{
	cr_text_puts(arg, "");
	if (!(n->parts & part))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "%s is selected",
			part == CR_SELECTED_TIME     ? "no time"
			: part == CR_SELECTED_THREAD ? "no thread"
						     : "no dso");
	switch (part) {
	case CR_SELECTED_TIME:
		*word = CR_WORD_TIME;
		cr_selection_put_time(n, arg);
		return CR_OK;
	case CR_SELECTED_THREAD:
		*word = CR_WORD_TID;
		cr_text_printf(arg, "%d", n->tid);
		return CR_OK;
	default:
		*word = CR_WORD_DSO;
		cr_text_str(arg, n->dso);
		if (memchr(n->dso.p, '\0', n->dso.len))
			return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
				"cannot filter by a name that contains a NUL");
		return CR_OK;
	}
}

int
cr_steps_only(struct cr_session *s, unsigned part, struct cr_err *err)
{
	struct cr_text arg = {0};
	enum cr_word word;
	int rc;

	if ((rc = part_as_step(&s->selection, part, &word, &arg, err)) == CR_OK)
		rc = cr_steps_add(s, word, arg.p, err);
	cr_text_fini(&arg);
	return rc;
}

int
cr_steps_remove(struct cr_session *s, enum cr_word word, struct cr_err *err)
{
	const size_t n = s->query.n;
	struct cr_query q;
	int rc = CR_OK;

	cr_query_copy(&s->query, &q);
	cr_query_remove(&q, word);
	if (q.n < n)
		rc = cr_session_set_query(s, s->event, &q, err);
	else
		cr_text_printf(&s->message, "there is no filter %s", cr_word_info(word)->name);
	cr_query_fini(&q);
	return rc;
}

void
cr_session_put_steps(const struct cr_session *s, size_t from, struct cr_text *out)
{
	const struct cr_query *q = &s->query;

	for (size_t i = from; i < q->n; i++) {
		bool also = false;

		for (size_t k = 0; k < i && !also; k++)
			also = is_alternative(&q->steps[k], q->steps[i].word, q->steps[i].arg);
		cr_text_puts(out, i > from ? "; " : "");
		cr_text_puts(out, also ? "also " : "");
		cr_query_put_step(q->steps[i].word, q->steps[i].arg, out);
	}
}

void
cr_steps_print(const struct cr_session *s, struct cr_text *out)
{
	const struct cr_str event = cr_event_recorded_name(s->profile[0], (cr_event_id){s->event});
	char *name = cr_memdup(event.len ? event.p : "", event.len);

	if (!cr_state_is_within(s)) {
		cr_query_put_step(CR_WORD_EVENT, name, out);
		cr_text_puts(out, s->query.n ? "; " : "");
	}
	cr_session_put_steps(s, 0, out);
	free(name);
}
