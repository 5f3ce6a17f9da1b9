#include "session/commands/commands_p.h"

#include "base/hash.h"
#include "model/columns.h"
#include "query/time/sample_list.h"
#include "session/commands/sample_steps_p.h"
#include "session/selection_set_p.h"
#include "session/views/view_samples_p.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The samples of the session's query and event, and the one that was selected last. */
struct cr_sample_steps {
	char *made_of;
	struct cr_sample_list list;
	uint64_t at;
	bool has_at;
};

void
cr_sample_steps_free(struct cr_sample_steps *steps)
{
	if (!steps)
		return;
	cr_sample_list_fini(&steps->list);
	free(steps->made_of);
	free(steps);
}

/* List the samples, unless they are those of the last time. */
static int
list_make(struct cr_session *s, struct cr_sample_steps **out, struct cr_err *err)
{
	struct cr_profile *p = cr_view_profile(s);
	struct cr_query q = {0};
	uint64_t left_out;
	int rc;

	if (!s->sample_steps)
		s->sample_steps = cr_alloc(1, sizeof(*s->sample_steps));
	*out = s->sample_steps;
	if (cr_view_is_made_of(s, &(*out)->made_of))
		return CR_OK;
	cr_sample_list_fini(&(*out)->list);
	(*out)->has_at = false;
	rc = cr_view_query(s, &q, err);
	if (rc == CR_OK)
		rc = cr_view_fetch(s, cr_sample_list_needs(&q), err);
	if (rc == CR_OK)
		rc = cr_sample_list_make(p, &q, false, 0, &(*out)->list, &left_out, err);
	cr_query_fini(&q);
	if (rc < 0) {
		free((*out)->made_of);
		(*out)->made_of = NULL;
	}
	return rc;
}

/* ---- which sample */

static uint64_t
time_of(const struct cr_profile *p, const struct cr_sample_list *l, uint64_t i)
{
	const uint64_t *times = p->flags & CR_PROFILE_HAS_TIME ? cr_column_times(p) : NULL;
	const uint64_t time = times ? times[l->row[i]] : 0;

	return time > l->first_ns ? time - l->first_ns : 0;
}

/* The first sample at this time or later. */
static uint64_t
first_since(const struct cr_profile *p, const struct cr_sample_list *l, uint64_t ns)
{
	uint64_t from = 0, to = l->n;

	while (from < to) {
		const uint64_t middle = from + (to - from) / 2;

		if (time_of(p, l, middle) < ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* The samples of the marked time: [*from, *to); all if no time is marked. */
static void
marked(const struct cr_session *s, const struct cr_profile *p, const struct cr_sample_list *l,
	uint64_t *from, uint64_t *to)
{
	*from = 0;
	*to = l->n;
	if (!(s->selection.parts & CR_SELECTED_TIME))
		return;
	*from = first_since(p, l, s->selection.from_ns);
	if (s->selection.to_ns != UINT64_MAX)
		*to = first_since(p, l, s->selection.to_ns);
}

static bool
number_read(const char *word, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(word, &end, 10);
	return *word >= '0' && *word <= '9' && !*end && !errno;
}

/* The place of the sample that a word asks for. */
static int
choose(struct cr_session *s, const struct cr_sample_steps *steps, const char *word, uint64_t *at,
	struct cr_err *err)
{
	const struct cr_profile *p = cr_view_profile(s);
	uint64_t from, to, number;
	bool inside;

	marked(s, p, &steps->list, &from, &to);
	if (from >= to)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "sample: there is none");
	inside = steps->has_at && steps->at >= from && steps->at < to;
	if (strcmp(word, "first") == 0)
		*at = from;
	else if (strcmp(word, "last") == 0)
		*at = to - 1;
	else if (!*word || strcmp(word, "next") == 0)
		*at = inside ? CR_MIN(steps->at + 1, to - 1) : from;
	else if (strcmp(word, "previous") == 0)
		*at = inside ? CR_MAX(steps->at, from + 1) - 1 : to - 1;
	else if (number_read(word, &number) && number >= 1 && number <= steps->list.n)
		*at = number - 1;
	else
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"sample: next, previous, first, last or a number from 1 to %" PRIu64
			", not '%s'",
			steps->list.n, word);
	return CR_OK;
}

/* ---- its node in the session's tree */

static uint32_t
child_like(const struct cr_tree *t, uint32_t node, const struct cr_frame *f)
{
	for (uint32_t c = node + 1; c < t->end[node]; c = t->end[c]) {
		const struct cr_frame *have = &t->frames[t->frame[c]];

		if (cr_str_eq(have->name, f->name) && cr_str_eq(have->dso, f->dso) &&
			have->inlined == f->inlined && have->line == f->line)
			return c;
	}
	return CR_NO_ROW;
}

static uint32_t
group_of(const struct cr_tree *t, struct cr_str comm)
{
	for (uint32_t c = 1; c < t->n; c = t->end[c])
		if (cr_frame_is_group(&t->frames[t->frame[c]]) &&
			cr_str_eq(t->frames[t->frame[c]].name, comm))
			return c;
	return 0;
}

/* The node of the session's tree with the stack of a sample, or the deepest with a part of it. */
static uint32_t
node_like(const struct cr_session *s, const struct cr_sample_list *l, uint64_t row,
	struct cr_str comm)
{
	const struct cr_tree *from = l->tree, *t = s->tree;
	const uint32_t leaf = l->node[row], depth = from->depth[leaf];
	uint32_t *path = cr_alloc((uint64_t)depth + 1, sizeof(*path));
	uint32_t node = group_of(t, comm);

	for (uint32_t n = leaf; n; n = from->parent[n])
		path[from->depth[n] - 1] = n;
	for (uint32_t i = 0; i < depth; i++) {
		const uint32_t next = child_like(t, node, &from->frames[from->frame[path[i]]]);

		if (next == CR_NO_ROW)
			break;
		node = next;
	}
	free(path);
	return node;
}

static void
put_message(struct cr_session *s, const struct cr_sample_steps *steps)
{
	const struct cr_profile *p = cr_view_profile(s);
	const uint64_t row = steps->list.row[steps->at], ns = time_of(p, &steps->list, steps->at);
	const struct cr_event_column events = cr_column_events(p);
	struct cr_text *t = &s->message;

	cr_text_printf(t, "sample %" PRIu64 " of %" PRIu64 ": ", steps->at + 1, steps->list.n);
	if (steps->list.first_ns)
		cr_text_printf(
			t, "%" PRIu64 ".%06" PRIu64 " s, ", ns / 1000000000, ns / 1000 % 1000000);
	if (p->flags & CR_PROFILE_HAS_TASK) {
		const struct cr_task *task = &p->tasks[cr_column_tasks(p)[row]];

		cr_text_safe(t, task->comm);
		cr_text_printf(t, " %" PRId32 ", ", task->tid);
	}
	if ((p->flags & CR_PROFILE_HAS_CPU) && cr_column_cpus(p)[row] < CR_CPU_UNKNOWN)
		cr_text_printf(t, "cpu %u, ", cr_column_cpus(p)[row]);
	cr_text_safe(t, p->events[cr_event_of(&events, row)].name);
}

int
cr_run_sample(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_profile *p = cr_view_profile(s);
	struct cr_str comm = CR_STR("");
	struct cr_sample_steps *steps;
	uint64_t row;
	int rc;

	(void)out;
	if ((rc = list_make(s, &steps, err)) < 0 ||
		(rc = choose(s, steps, args, &steps->at, err)) < 0)
		return rc;
	steps->has_at = true;
	row = steps->list.row[steps->at];
	if (p->flags & CR_PROFILE_HAS_TASK) {
		const struct cr_task *task = &p->tasks[cr_column_tasks(p)[row]];

		comm = task->comm;
		cr_session_select_thread(s, task->pid, task->tid);
	}
	cr_session_select_node(s, node_like(s, &steps->list, row, comm));
	put_message(s, steps);
	return CR_OK;
}
