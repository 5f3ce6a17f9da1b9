#include "cresset/query/select.h"

#include "cresset/base/text.h"

#include <stdlib.h>

bool
cr_filter_needs_samples(const struct cr_filter *f)
{
	return f->comm || f->has_pid || f->has_tid || f->has_cpu || f->from_ns || f->to_ns;
}

static int
no_such_event(const struct cr_profile *p, const char *name, struct cr_err *err)
{
	struct cr_text t = {0};

	for (uint32_t i = 0; i < p->n_events; i++) {
		if (!p->events[i].samples)
			continue;
		cr_text_puts(&t, t.len ? ", " : "");
		cr_text_safe(&t, p->events[i].name);
	}
	cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no event %s; there are: %s", name, t.p ? t.p : "none");
	cr_text_fini(&t);
	return err->code;
}

int
cr_filter_event(const struct cr_profile *p, const struct cr_filter *f, cr_event_id *out, struct cr_err *err)
{
	uint32_t best = 0;

	for (uint32_t i = 0; i < p->n_events; i++) {
		if (f->event && cr_str_eq(p->events[i].name, cr_str_of(f->event))) {
			*out = (cr_event_id){i};
			return CR_OK;
		}
		if (p->events[i].samples > p->events[best].samples)
			best = i;
	}
	if (f->event)
		return no_such_event(p, f->event, err);
	if (!p->n_events)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no events in it");
	*out = (cr_event_id){best};
	return CR_OK;
}

/* One byte a task: does the filter take it? */
static uint8_t *
select_tasks(const struct cr_profile *p, const struct cr_filter *f)
{
	uint8_t *ok = cr_alloc(p->n_tasks, 1);

	for (uint32_t i = 0; i < p->n_tasks; i++) {
		const struct cr_task *t = &p->tasks[i];

		ok[i] = (!f->comm || cr_str_eq(t->comm, cr_str_of(f->comm))) && (!f->has_pid || t->pid == f->pid) &&
			(!f->has_tid || t->tid == f->tid);
	}
	return ok;
}

/* A filter on what was not recorded would silently match nothing. */
static int
can_filter(const struct cr_profile *p, const struct cr_filter *f, struct cr_err *err)
{
	if ((f->from_ns || f->to_ns) && !(p->flags & CR_PROFILE_HAS_TIME))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "has no times to filter by");
	if (f->has_cpu && !(p->flags & CR_PROFILE_HAS_CPU))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "has no processors to filter by");
	if ((f->comm || f->has_pid || f->has_tid) && !(p->flags & CR_PROFILE_HAS_TASK))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "has no threads to filter by");
	return CR_OK;
}

int
cr_select(const struct cr_profile *p, const struct cr_filter *f, uint8_t **out, struct cr_err *err)
{
	const struct cr_samples *s = &p->samples;
	uint64_t base = UINT64_MAX;
	cr_event_id event;
	uint8_t *task, *sel;
	int rc;

	*out = NULL;
	if ((rc = cr_filter_event(p, f, &event, err)) < 0)
		return rc;
	if (!(p->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "its samples are lost, so nothing can be filtered");
	if ((rc = can_filter(p, f, err)) < 0)
		return rc;
	for (uint64_t i = 0; i < s->n; i++)
		if (s->time_ns[i])
			base = CR_MIN(base, s->time_ns[i]);
	task = select_tasks(p, f);
	sel = cr_alloc(s->n, 1);
	for (uint64_t i = 0; i < s->n; i++) {
		const uint64_t t = s->time_ns[i] > base ? s->time_ns[i] - base : 0;

		sel[i] = s->event[i] == event.i && task[s->task[i]] && (!f->has_cpu || s->cpu[i] == f->cpu) &&
			 t >= f->from_ns && (!f->to_ns || t < f->to_ns);
	}
	free(task);
	*out = sel;
	return CR_OK;
}
