#include "cresset/query/select.h"

#include "cresset/base/text.h"
#include "cresset/profile/detail.h"

#include <errno.h>
#include <stdlib.h>

bool
cr_filter_needs_samples(const struct cr_filter *f)
{
	return f->comm || f->has_pid || f->has_tid || f->has_cpu || f->from_ns || f->to_ns || f->where;
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
	for (uint32_t i = 0; f->event && i < p->n_events; i++)
		if (cr_str_eq(p->events[i].name, cr_str_of(f->event))) {
			*out = (cr_event_id){i};
			return CR_OK;
		}
	if (f->event)
		return no_such_event(p, f->event, err);
	if (!p->n_events)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no events in it");
	*out = cr_event_main(p);
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

/* One byte an event: are its samples asked for? */
static uint8_t *
select_events(const struct cr_profile *p, cr_event_id asked)
{
	uint8_t *takes = cr_alloc(p->n_events, 1);

	for (uint32_t i = 0; i < p->n_events; i++)
		takes[i] = cr_event_takes(p, asked, (cr_event_id){i});
	return takes;
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

/* A whole number in the detail's form: decimal, 0x..., with a sign where it has one. */
static bool
parse_number(const char *s, enum cr_form form, uint64_t *out)
{
	const bool minus = form == CR_FORM_SIGNED && *s == '-';
	const char *digits = s + minus;
	char *end;

	errno = 0;
	*out = strtoull(digits, &end, strncmp(digits, "0x", 2) == 0 ? 16 : 10);
	if (!(*digits >= '0' && *digits <= '9') || *end || errno)
		return false;
	if (form == CR_FORM_SIGNED && *out > (uint64_t)INT64_MAX)
		return false;
	*out = minus ? 0 - *out : *out;
	return true;
}

/* The row of a text; "none", which selects nothing, when no sample has it. */
static uint64_t
text_row(const struct cr_profile *p, struct cr_str text)
{
	for (uint32_t i = 0; i < p->n_texts; i++)
		if (cr_str_eq(p->texts[i], text))
			return i;
	return cr_form_none(CR_FORM_TEXT);
}

int
cr_filter_field(const struct cr_profile *p, cr_event_id event, struct cr_str name, const struct cr_detail **out,
	struct cr_err *err)
{
	const struct cr_str *e = &p->events[event.i].name;

	*out = cr_detail_find(p, event, name);
	if (*out && (*out)->value)
		return CR_OK;
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no field %.*s in event %.*s (cresset info lists them)",
		(int)name.len, name.p, (int)e->len, e->p);
}

/* The detail and the value of "NAME=VALUE". */
static int
find_value(const struct cr_profile *p, const char *where, cr_event_id event, const struct cr_detail **out,
	uint64_t *value, struct cr_err *err)
{
	const struct cr_str name = {where, (uint32_t)strcspn(where, "=")};
	const char *word = where + name.len + (where[name.len] == '=');
	int rc;

	if ((rc = cr_filter_field(p, event, name, out, err)) < 0)
		return rc;
	if ((*out)->form == CR_FORM_TEXT)
		*value = text_row(p, cr_str_of(word));
	else if (!parse_number(word, (*out)->form, value))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "'%s' is no value of field %.*s", word, (int)name.len, where);
	return CR_OK;
}

/* Take out what has another value or none. */
static int
select_value(const struct cr_profile *p, const char *where, cr_event_id event, uint8_t *sel, struct cr_err *err)
{
	const struct cr_detail *d;
	uint64_t value, row = 0;
	int rc;

	if ((rc = find_value(p, where, event, &d, &value, err)) < 0)
		return rc;
	if (value == cr_form_none(d->form)) {
		memset(sel, 0, p->samples.n);
		return CR_OK;
	}
	for (uint64_t i = 0; i < p->samples.n; i++)
		if (p->samples.event[i] == event.i)
			sel[i] &= d->value[row++] == value;
	return CR_OK;
}

int
cr_select(const struct cr_profile *p, const struct cr_filter *f, uint8_t **out, struct cr_err *err)
{
	const struct cr_samples *s = &p->samples;
	uint64_t base = UINT64_MAX;
	cr_event_id event;
	uint8_t *task, *takes, *sel;
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
	takes = select_events(p, event);
	sel = cr_alloc(s->n, 1);
	for (uint64_t i = 0; i < s->n; i++) {
		const uint64_t t = s->time_ns[i] > base ? s->time_ns[i] - base : 0;

		sel[i] = takes[s->event[i]] && task[s->task[i]] && (!f->has_cpu || s->cpu[i] == f->cpu) &&
			 t >= f->from_ns && (!f->to_ns || t < f->to_ns);
	}
	free(task);
	free(takes);
	if (f->where && (rc = select_value(p, f->where, event, sel, err)) < 0) {
		free(sel);
		return rc;
	}
	*out = sel;
	return CR_OK;
}
