#include "commands_p.h"

#include "session/commands/argument_p.h"
#include "session/history_p.h"
#include "session/profiles_p.h"
#include "session/session_p.h"
#include "session/steps_p.h"
#include "session/trees_p.h"

#include "model/profile.h"

#include <string.h>

/* Commands that change the query, and undo. */

int
cr_run_pop(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	return cr_steps_keep(s, s->query.n ? s->query.n - 1 : 0, err);
}

int
cr_run_clear(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const enum cr_word word = cr_word_find(cr_str_of(args));

	(void)out;
	if (!*args)
		return cr_steps_keep(s, 0, err);
	if (word == CR_WORDS || word == CR_WORD_EVENT)
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "clear: no filter is called '%s'", args);
	return cr_steps_remove(s, word, err);
}

int
cr_run_also(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	return cr_steps_also(s, args, err);
}

int
cr_run_filters(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_text t = {0};

	(void)args, (void)err;
	if (!out)
		return CR_OK;
	cr_steps_print(s, &t);
	fprintf(out, "%s\n", t.p ? t.p : "");
	cr_text_fini(&t);
	return CR_OK;
}

/* Fail with the list of events that have samples. */
static int
bad_event(const struct cr_profile *p, const char *given, struct cr_err *err)
{
	struct cr_text t = {0};
	int rc;

	for (uint32_t i = 0; i < p->n_events; i++) {
		cr_text_puts(&t, i ? ", " : "");
		cr_text_safe(&t, p->events[i].name);
	}
	rc = cr_argument_bad(err, "event", given, t.p ? t.p : "none");
	if (*given)
		rc = err->code = CR_ENOTFOUND; /* another profile may have it */
	cr_text_fini(&t);
	return rc;
}

/* True if the event can be compared with one of the other side, or there is only one side. */
static bool
has_partner(const struct cr_session *s, uint32_t event)
{
	struct cr_err unused = CR_ERR_INIT;
	cr_event_id partner;

	return s->sides == 1 || cr_diff_partner(s->profile[1], &s->profile[0]->events[event],
					s->diff.force, &partner, &unused) == CR_OK;
}

int
cr_run_event(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_profile *p = s->profile[0];
	const uint32_t step = strcmp(args, "previous") == 0 ? p->n_events - 1 : 1;
	cr_event_id own;

	(void)out;
	if (cr_state_is_within(s)) {
		cr_text_puts(&s->message, "this difference has no other events");
		return CR_OK;
	}
	if (s->sides == 2 && (cr_trees_own_event(s, 0, &own) || cr_trees_own_event(s, 1, &own)))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the events of this difference were chosen with it");
	if (strcmp(args, "next") != 0 && strcmp(args, "previous") != 0) {
		for (uint32_t i = 0; i < p->n_events; i++)
			if (cr_event_is_named(p, (cr_event_id){i}, cr_str_of(args)))
				return i == s->event ? CR_OK
						     : cr_session_set_query(s, i, &s->query, err);
		return bad_event(p, args, err);
	}
	for (uint32_t i = (s->event + step) % p->n_events; i != s->event;
		i = (i + step) % p->n_events)
		if (p->events[i].samples && has_partner(s, i))
			return cr_session_set_query(s, i, &s->query, err);
	cr_text_puts(&s->message, "there is no other event");
	return CR_OK;
}

/* ---- history */

static int
run_history(struct cr_session *s, bool forward, struct cr_err *err)
{
	const struct cr_place *to;
	int rc;

	to = cr_history_peek(s->history, forward);
	if (!to && cr_session_turn(s, forward))
		return CR_OK;
	if (!to) {
		cr_text_printf(&s->message, "nothing to %s", forward ? "redo" : "undo");
		return CR_OK;
	}
	if ((rc = cr_session_go(s, to, err)) < 0)
		return rc;
	cr_history_moved(s->history, forward);
	return CR_OK;
}

/* Undo all changes in one step. If that fails, nothing has changed. */
static int
undo_all(struct cr_session *s, struct cr_err *err)
{
	uint32_t n = 0;
	int rc;

	for (; cr_history_peek(s->history, false); n++)
		cr_history_moved(s->history, false);
	if (!n)
		return run_history(s, false, err);
	rc = cr_session_go(s, cr_history_here(s->history), err);
	for (; rc < 0 && n; n--)
		cr_history_moved(s->history, true);
	return rc;
}

int
cr_run_undo(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)out;
	if (*args && strcmp(args, "all") != 0)
		return cr_argument_bad(err, "undo", args, "all, or nothing for one change");
	return *args ? undo_all(s, err) : run_history(s, false, err);
}

int
cr_run_redo(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	return run_history(s, true, err);
}
