#include "steps_p.h"

#include "session_p.h"

#include "model/profile.h"
#include "session/views/view.h"

#include <stdlib.h>
#include <string.h>

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
	if (strcmp(arg, "RE") == 0)
		cr_text_puts(out, f->group ? "group:=" : "=");
	for (uint32_t i = 0; i < name.len; i++) {
		if (word == CR_WORD_ROOT_AT && name.p[i] == ';')
			cr_text_char(out, '\\');
		cr_text_char(out, name.p[i]);
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

	if (word == CR_WORD_INVERT && !*args && last_word(q) == CR_WORD_INVERT) {
		cr_query_cut(q, q->n - 1);
		return CR_OK;
	}
	if (word == CR_WORD_RECURSION && !*args) {
		args = next_recursion(q);
	} else if (!*args && w->arg && w->kind == CR_WORD_TRANSFORMS) {
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

int
cr_steps_add(struct cr_session *s, enum cr_word word, const char *args, struct cr_err *err)
{
	const uint32_t nodes = s->tree->n;
	struct cr_query q;
	int rc;

	cr_query_copy(&s->query, &q);
	if ((rc = with_step(s, &q, word, args, err)) == CR_OK)
		rc = cr_session_set_query(s, s->event, &q, err);
	cr_query_fini(&q);
	if (rc == CR_OK &&
		(word == CR_WORD_HIDE || word == CR_WORD_MERGE || word == CR_WORD_DROP) &&
		s->tree->n == nodes)
		cr_text_puts(&s->message, "there is no such function here");
	if (rc == CR_OK && word == CR_WORD_GROUP)
		report_groups(s);
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
	struct cr_query q;
	enum cr_word word;
	int rc;

	cr_query_copy(&s->query, &q);
	if ((rc = part_as_step(&s->selection, part, &word, &arg, err)) == CR_OK) {
		cr_query_remove(&q, word);
		rc = cr_query_add(&q, word, arg.p, err);
	}
	if (rc == CR_OK)
		rc = cr_session_set_query(s, s->event, &q, err);
	cr_query_fini(&q);
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
cr_steps_print(const struct cr_session *s, struct cr_text *out)
{
	const struct cr_str event = s->profile[0]->events[s->event].name;
	char *name = cr_memdup(event.len ? event.p : "", event.len);

	if (!cr_state_is_within(s)) {
		cr_query_put_step(CR_WORD_EVENT, name, out);
		cr_text_puts(out, s->query.n ? "; " : "");
	}
	cr_query_print(&s->query, out);
	free(name);
}
