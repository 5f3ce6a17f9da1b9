#include "session/session.h"

#include "changes_p.h"
#include "history_p.h"
#include "script_p.h"
#include "session_p.h"
#include "split_layout_p.h"
#include "trees_p.h"

#include "base/hash.h"
#include "model/merge/merge.h"
#include "model/profile.h"
#include "query/diff/diff.h"
#include "session/commands/sample_steps_p.h"
#include "session/custom/custom_p.h"
#include "session/views/view.h"
#include "session/views/view_samples_p.h"

#include <stdlib.h>

/* How a session begins and ends. */

/* ---- what is open */

static int
thread_cmp(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* A thread has a task for each of its names; threads of two recordings are never equal. */
static uint32_t
threads_count(const struct cr_profile *p)
{
	uint32_t *recording, n = 0;
	uint64_t *threads;

	if (!(p->flags & CR_PROFILE_HAS_TASK) || !p->n_tasks)
		return 0;
	recording = cr_alloc(p->n_tasks, sizeof(*recording));
	threads = cr_alloc(p->n_tasks, sizeof(*threads));
	cr_merge_recordings(p, recording);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		threads[i] = (uint64_t)recording[i] << 32 | (uint32_t)p->tasks[i].tid;
	qsort(threads, p->n_tasks, sizeof(*threads), thread_cmp);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		n += (int32_t)(uint32_t)threads[i] >= 0 && (i == 0 || threads[i] != threads[i - 1]);
	free(threads);
	free(recording);
	return n;
}

static int
first_event(
	const struct cr_session *s, const struct cr_filter *f, cr_event_id *out, struct cr_err *err)
{
	cr_event_id of_side[CR_SIDES];
	int rc;

	if (s->sides == 2 && cr_trees_own_event(s, 0, out))
		return CR_OK;
	if (s->sides == 1 || cr_state_is_within(s))
		return cr_filter_event(s->profile[0], f, out, err);
	rc = cr_diff_events((const struct cr_profile *const *)s->profile, f, of_side, NULL, err);
	*out = of_side[0];
	return rc;
}

/*
 * Report before a comparison: different sampling rates, or programs with different names treated as
 * one.
 */
static void
report_comparison(struct cr_session *s)
{
	struct cr_text rate[CR_SIDES] = {{0}, {0}};
	const struct cr_str *paired = s->tree->paired;

	if (s->sides == 2 && !cr_state_is_within(s) &&
		cr_diff_rates((const struct cr_profile *const *)s->profile, s->tree, rate))
		cr_text_printf(&s->message,
			"sampled at different rates, %s before and %s after: compare shares, not "
			"samples",
			rate[0].p, rate[1].p);
	if (paired[0].len) {
		cr_text_puts(&s->message, s->message.len ? "; " : "");
		cr_text_safe(&s->message, cr_str_basename(paired[0]));
		cr_text_puts(&s->message, " and ");
		cr_text_safe(&s->message, cr_str_basename(paired[1]));
		cr_text_puts(&s->message, " are compared as one program");
	}
	for (int side = 0; side < CR_SIDES; side++)
		cr_text_fini(&rate[side]);
}

static void
parts_new(struct cr_session *s)
{
	s->split = cr_split_initial();
	s->script = cr_script_new();
	s->custom = cr_custom_new();
	s->bookmarks = cr_custom_new();
	s->theme = cr_theme_made(0);
	s->names = cr_selection_names_new();
	s->trees = cr_trees_new();
	s->changes = cr_changes_new();
	s->views = cr_view_new_all();
}

int
cr_session_new_by_time(const struct cr_session *of, uint64_t from_ns, uint64_t to_ns,
	struct cr_session **out, struct cr_err *err)
{
	struct cr_session *s = cr_alloc(1, sizeof(*s));
	struct cr_text title = {0};
	int rc;

	*out = NULL;
	/* Copies with other costs are of the other session, so they are made again. */
	for (int side = 0; side < CR_SIDES; side++)
		s->profile[side] = s->recorded[side] = of->recorded[0];
	s->sides = 2;
	s->by_time = true;
	s->from_ns = from_ns;
	s->to_ns = to_ns;
	s->users = of->users;
	++*s->users;
	s->threads[0] = s->threads[1] = of->threads[0];
	cr_text_printf(&title, "%s: the rest", of->title[0]);
	s->title[0] = cr_strdup(title.p);
	cr_text_clear(&title);
	cr_selection_put_time(&of->selection, &title);
	s->title[1] = cr_strdup(title.len ? title.p : "the mark");
	cr_text_fini(&title);
	parts_new(s);
	if ((rc = cr_session_set_query(s, of->event, &of->query, err)) == CR_OK)
		for (uint32_t side = 0; side < CR_SIDES && rc == CR_OK; side++)
			if (!s->tree->total_samples[side][0])
				rc = cr_fail(err, CR_EEMPTY, CR_NO_OFFSET,
					side ? "no samples are in the marked time"
					     : "all samples are in the marked time");
	if (rc < 0) {
		cr_session_free(s);
		return rc;
	}
	s->history = cr_history_new(s);
	*out = s;
	return CR_OK;
}

static void
compare_as(struct cr_session *s, const struct cr_comparison *how)
{
	s->diff = how->diff;
	s->norm = how->norm;
	if (how->norm.function)
		s->norm.function = s->norm_function = cr_strdup(how->norm.function);
	s->noise = how->noise;
	s->for_screen = how->for_screen;
	for (int side = 0; side < CR_SIDES && how->side; side++)
		cr_query_copy(&how->side[side], &s->own[side]);
}

int
cr_session_new(struct cr_profile *before, const char *before_title, struct cr_profile *after,
	const char *after_title, const struct cr_query *query, const struct cr_comparison *how,
	struct cr_session **out, struct cr_err *err)
{
	struct cr_session *s = cr_alloc(1, sizeof(*s));
	struct cr_query q = {0};
	cr_event_id first;
	int rc;

	*out = NULL;
	if (query)
		cr_query_copy(query, &q);
	s->profile[0] = before;
	s->profile[1] =
		!after && !cr_query_filter(&q)->event && cr_diff_is(before) ? before : after;
	s->title[0] = cr_strdup(before_title ? before_title : "");
	s->title[1] = cr_strdup(after && after_title ? after_title : "");
	s->sides = s->profile[1] ? 2 : 1;
	if (how)
		compare_as(s, how);
	for (uint32_t side = 0; side < s->sides; side++)
		s->diff.profile[side] = s->recorded[side] = s->profile[side];
	for (uint32_t side = 0; side < s->sides; side++)
		s->threads[side] = threads_count(s->profile[side]);
	parts_new(s);
	s->users = cr_alloc(1, sizeof(*s->users));
	*s->users = 1;
	if ((rc = cr_trees_set_cost(s->trees, s, cr_query_filter(&q)->cost, err)) == CR_OK &&
		(rc = first_event(s, cr_query_filter(&q), &first, err)) == CR_OK) {
		cr_query_remove(&q, CR_WORD_EVENT); /* it becomes s->event */
		rc = cr_session_set_query(s, first.i, &q, err);
	}
	if (rc == CR_OK)
		rc = cr_changes_check_norm(s, err);
	cr_query_fini(&q);
	if (rc < 0) {
		cr_session_free(s);
		return rc;
	}
	report_comparison(s);
	s->history = cr_history_new(s);
	*out = s;
	return CR_OK;
}

/* Another session may have the same profiles. */
static void
profiles_free(struct cr_session *s)
{
	if (s->users && --*s->users)
		return;
	free(s->users);
	if (s->recorded[1] != s->recorded[0])
		cr_profile_free(s->recorded[1]);
	cr_profile_free(s->recorded[0]);
}

void
cr_session_free(struct cr_session *s)
{
	if (!s)
		return;
	cr_session_free(s->earlier);
	cr_session_free(s->later);
	cr_history_free(s->history);
	cr_script_free(s->script);
	cr_custom_free(s->custom);
	cr_custom_free(s->bookmarks);
	cr_selection_names_free(s->names);
	cr_view_free_all(s->views);
	cr_search_fini(&s->search);
	if (s->tree)
		cr_trees_drop(s->trees, s->tree);
	cr_view_drop_samples(s);
	cr_sample_steps_free(s->sample_steps);
	cr_changes_free(s->changes);
	cr_query_fini(&s->query);
	cr_trees_free(s->trees);
	profiles_free(s);
	for (uint32_t side = 0; side < CR_SIDES; side++) {
		free(s->title[side]);
		cr_text_fini(&s->source[side]);
		cr_query_fini(&s->own[side]);
	}
	free(s->recording);
	cr_text_fini(&s->copied);
	cr_text_fini(&s->message);
	free(s->trail);
	free(s->pattern);
	free(s->norm_function);
	free(s);
}
