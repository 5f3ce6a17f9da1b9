#include "commands_p.h"

#include "session/changes_p.h"
#include "session/commands/argument_p.h"
#include "session/session_p.h"
#include "session/views/view.h"

#include "base/mem.h"

#include <inttypes.h>
#include <string.h>

/* Commands for differences: what is shown of them, and the way from change to change. */

static int
need_two_sides(const struct cr_session *s, struct cr_err *err)
{
	return s->sides == 2 ? CR_OK
			     : cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "this is not a difference");
}

/* The row of a word among n, or the one after `now` for "next". */
static int
choose(const char *what, const char *args, const char *const *words, int n, int now, int *out,
	const char *list, struct cr_err *err)
{
	*out = (now + 1) % n;
	if (strcmp(args, "next") == 0)
		return CR_OK;
	for (*out = 0; *out < n; ++*out)
		if (strcmp(args, words[*out]) == 0)
			return CR_OK;
	return cr_argument_bad(err, what, args, list);
}

int
cr_run_changes(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	static const char *const words[CR_SHOWN_KINDS] = {"marked", "only", "all"};
	static const char *const messages[CR_SHOWN_KINDS] = {
		"what is not known to have changed is grey",
		"only what is known to have changed",
		"all differences in colour, noise included",
	};
	struct cr_change_opts opts = s->change;
	int rc, row;

	(void)out;
	if ((rc = need_two_sides(s, err)) < 0 ||
		(rc = choose("changes", args, words, CR_SHOWN_KINDS, (int)opts.shown, &row,
			 "marked, only, all, next", err)) < 0)
		return rc;
	opts.shown = (enum cr_change_shown)row;
	cr_changes_set(s, opts);
	cr_session_say(s, "%s", messages[row]);
	return CR_OK;
}

int
cr_run_change_of(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	static const char *const words[] = {"self", "total"};
	struct cr_change_opts opts = s->change;
	int rc, row;

	(void)out;
	if ((rc = need_two_sides(s, err)) < 0 ||
		(rc = choose("change-of", args, words, CR_LEN(words), opts.totals, &row,
			 "self, total, next", err)) < 0)
		return rc;
	opts.totals = row == 1;
	cr_changes_set(s, opts);
	cr_session_say(s, "changes of %s cost", words[row]);
	return CR_OK;
}

int
cr_run_widths(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	static const char *const words[CR_WIDTHS_KINDS] = {"larger", "before", "after"};
	static const char *const messages[CR_WIDTHS_KINDS] = {
		"widths: the larger one of before and after", "widths: before", "widths: after"};
	struct cr_change_opts opts = s->change;
	int rc, row;

	(void)out;
	if ((rc = need_two_sides(s, err)) < 0 ||
		(rc = choose("widths", args, words, CR_WIDTHS_KINDS, (int)opts.widths, &row,
			 "larger, before, after, next", err)) < 0)
		return rc;
	opts.widths = (enum cr_change_widths)row;
	cr_changes_set(s, opts);
	cr_session_say(s, "%s", messages[row]);
	return CR_OK;
}

int
cr_run_swap(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	uint32_t event;
	int rc = need_two_sides(s, err);

	(void)args, (void)out;
	if (rc < 0)
		return rc;
	if (cr_state_is_within(s) || s->by_time)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"only a difference of two profiles can be swapped");
	event = cr_session_event_of(s, 1).i;
	cr_changes_swap_sides(s);
	if ((rc = cr_session_set_query(s, event, &s->query, err)) < 0)
		cr_changes_swap_sides(s);
	return rc;
}

static int
select_change(struct cr_session *s, bool backward, struct cr_err *err)
{
	struct cr_view *v = cr_view_current(s);
	const int rc = need_two_sides(s, err);
	uint32_t place, of;

	if (rc < 0)
		return rc;
	if (v->ops->next_change ? !v->ops->next_change(v, s, backward, &place, &of)
				: !cr_changes_select_next(s, backward, &place, &of))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "nothing has changed here");
	if (!v->ops->next_change && v->ops->enter) /* as of one function: show that one */
		v->ops->enter(v, s);
	cr_session_say(s, "change %" PRIu32 " of %" PRIu32, place, of);
	return CR_OK;
}

int
cr_run_next_change(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	return select_change(s, false, err);
}

int
cr_run_previous_change(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	(void)args, (void)out;
	return select_change(s, true, err);
}
