#include "query/fold/select.h"

#include "base/text.h"
#include "base/vec.h"
#include "base/wide.h"
#include "base/work.h"
#include "model/cost.h"
#include "model/field.h"
#include "model/sockets.h"
#include "select_p.h"

#include <errno.h>
#include <stdlib.h>

#define ROWS 65536 /* between two progress steps */

bool
cr_filter_needs_samples(const struct cr_filter *f)
{
	return f->all_events || cr_filter_needs(f) != 0;
}

unsigned
cr_filter_needs(const struct cr_filter *f)
{
	unsigned needs = 0;

	if (f->comms.n || f->pids.n || f->tids.n)
		needs |= CR_NEEDS_TASK;
	if (f->cpus.n || f->sockets.n)
		needs |= CR_NEEDS_CPU;
	if (f->switch_on || f->switch_off || f->show_switches)
		needs |= CR_NEEDS_EVENT;
	if (f->times.n)
		needs |= CR_NEEDS_TIME;
	if (f->dsos.n || f->modes)
		needs |= CR_NEEDS_NODE | CR_NEEDS_TREE;
	if (f->wheres.n)
		needs |= CR_NEEDS_FIELDS;
	return needs;
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
	cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no event %s; the events are: %s", name,
		t.p ? t.p : "none");
	cr_text_fini(&t);
	return err->code;
}

static int
event_named(const struct cr_profile *p, const char *name, cr_event_id *out, struct cr_err *err)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_str_eq(p->events[i].name, cr_str_of(name))) {
			*out = (cr_event_id){i};
			return CR_OK;
		}
	for (uint32_t i = 0; i < p->n_events; i++)
		if (cr_event_is_named(p, (cr_event_id){i}, cr_str_of(name))) {
			*out = (cr_event_id){i};
			return CR_OK;
		}
	return no_such_event(p, name, err);
}

int
cr_filter_event(
	const struct cr_profile *p, const struct cr_filter *f, cr_event_id *out, struct cr_err *err)
{
	int rc = CR_OK;

	if (f->event)
		rc = event_named(p, f->event, out, err);
	else if (!p->n_events)
		rc = cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "contains no events");
	else
		*out = cr_event_main(p);
	return rc < 0 ? rc : cr_cost_check(p, *out, f->cost, err);
}

/* ---- tables: what the filter accepts */

bool
cr_selector_any(const struct cr_strs *any, struct cr_str s)
{
	for (size_t i = 0; i < any->n; i++)
		if (cr_str_eq(s, cr_str_of(any->p[i])))
			return true;
	return any->n == 0;
}

static bool
any_range(const struct cr_ranges *any, uint64_t v)
{
	for (size_t i = 0; i < any->n; i++)
		if (v >= any->p[i].from && v <= any->p[i].to)
			return true;
	return any->n == 0;
}

static uint8_t *
select_events(const struct cr_profile *p, cr_event_id asked, bool any)
{
	uint8_t *takes;
	bool all = true;

	if (any)
		return NULL;
	takes = cr_alloc(CR_MAX(p->n_events, 1u), 1);
	for (uint32_t i = 0; i < p->n_events; i++) {
		takes[i] = cr_event_includes(p, asked, (cr_event_id){i});
		all &= takes[i] || !p->events[i].samples;
	}
	if (all) {
		free(takes);
		return NULL;
	}
	return takes;
}

static uint8_t *
select_tasks(const struct cr_profile *p, const struct cr_filter *f)
{
	uint8_t *ok;

	if (!f->comms.n && !f->pids.n && !f->tids.n)
		return NULL;
	ok = cr_alloc(CR_MAX(p->n_tasks, 1u), 1);
	for (uint32_t i = 0; i < p->n_tasks; i++) {
		const struct cr_task *t = &p->tasks[i];

		ok[i] = cr_selector_any(&f->comms, t->comm) &&
			any_range(&f->pids, (uint32_t)t->pid) &&
			any_range(&f->tids, (uint32_t)t->tid);
	}
	return ok;
}

static uint8_t *
select_cpus(const struct cr_profile *p, const struct cr_filter *f)
{
	struct cr_sockets sockets = {0};
	uint8_t *ok;

	if (!f->cpus.n && !f->sockets.n)
		return NULL;
	if (f->sockets.n)
		cr_sockets_of(p, &sockets);
	ok = cr_alloc(UINT16_MAX + 1, 1);
	for (uint32_t i = 0; i < CR_CPU_UNKNOWN; i++)
		ok[i] = any_range(&f->cpus, i) &&
			any_range(&f->sockets, cr_sockets_find(&sockets, i));
	cr_sockets_fini(&sockets);
	return ok;
}

static uint8_t
mode_of(enum cr_kind kind)
{
	switch (kind) {
	case CR_KIND_KERNEL:
	case CR_KIND_MODULE:
	case CR_KIND_BPF: return CR_MODE_KERNEL;
	case CR_KIND_USER:
	case CR_KIND_VDSO:
	case CR_KIND_JIT: return CR_MODE_USER;
	default: return CR_MODE_UNKNOWN;
	}
}

uint8_t *
cr_selector_dsos(const struct cr_profile *p, const struct cr_filter *f)
{
	struct cr_text made = {0};
	uint8_t *dso = cr_alloc(CR_MAX(p->n_dsos, 1u), 1);

	for (uint32_t i = 0; i < p->n_dsos; i++) {
		const struct cr_dso *o = &p->dsos[i];

		dso[i] = (cr_selector_any(&f->dsos, o->name) ||
				 cr_selector_any(&f->dsos, cr_str_basename(o->name)) ||
				 cr_selector_any(&f->dsos, cr_dso_name(o->name, o->kind, &made))) &&
			 (!f->modes || (f->modes & mode_of(o->kind)));
	}
	cr_text_fini(&made);
	return dso;
}

/* By node, as the leaf of a stack; the dso of the empty stack is unknown. */
static uint8_t *
select_nodes(const struct cr_profile *p, const struct cr_filter *f)
{
	uint8_t *dso, *ok;

	if (!f->dsos.n && !f->modes)
		return NULL;
	cr_needed(p, CR_NEEDS_TREE);
	dso = cr_selector_dsos(p, f);
	ok = cr_alloc(CR_MAX(p->n_nodes, 1u), 1);
	ok[0] = dso[0];
	for (uint32_t i = 1; i < p->n_nodes; i++)
		ok[i] = dso[p->locations[p->node_location[i]].dso.i];
	free(dso);
	return ok;
}

/* ---- times */

void
cr_selector_span(const struct cr_profile *p, uint64_t *first, uint64_t *last)
{
	const struct cr_samples *s = &p->samples;
	bool whole = s->n_zones != 0;
	const uint64_t *time_ns;

	*first = UINT64_MAX;
	*last = 0;
	for (uint32_t z = 0; z < s->n_zones; z++) {
		whole &= s->zones[z].least[CR_SAMPLE_TIME] != 0;
		*first = CR_MIN(*first, s->zones[z].least[CR_SAMPLE_TIME]);
		*last = CR_MAX(*last, s->zones[z].most[CR_SAMPLE_TIME]);
	}
	if (whole)
		return;
	*first = UINT64_MAX;
	time_ns = cr_column_times(p);
	for (uint64_t i = 0; i < s->n; i++)
		if (time_ns[i]) {
			*first = CR_MIN(*first, time_ns[i]);
			*last = CR_MAX(*last, time_ns[i]);
		}
}

uint64_t
cr_selector_share(uint64_t whole, uint64_t millionths)
{
	return cr_mul_div_sat(whole, millionths, 1000000, CR_ROUND_DOWN);
}

static void
select_times(struct cr_selector *s, const struct cr_times *times)
{
	uint64_t last;

	if (!times->n)
		return;
	cr_selector_span(s->p, &s->first_ns, &last);
	s->n_times = times->n;
	s->times = cr_alloc(times->n, sizeof(*s->times));
	for (size_t i = 0; i < times->n; i++) {
		const struct cr_time *ask = &times->p[i];
		const uint64_t whole = last > s->first_ns ? last - s->first_ns : 0;

		s->times[i] = *ask;
		if (!ask->is_share)
			continue;
		s->times[i].from = cr_selector_share(whole, ask->from);
		s->times[i].to =
			ask->to >= 1000000 ? UINT64_MAX : cr_selector_share(whole, ask->to);
	}
}

static uint64_t
after_first(const struct cr_selector *s, uint64_t time_ns)
{
	return time_ns > s->first_ns ? time_ns - s->first_ns : 0;
}

/* ---- zones: ranges of rows without matches are neither read nor examined */

static bool
times_meet(const struct cr_selector *s, uint64_t least, uint64_t most)
{
	for (size_t i = 0; i < s->n_times; i++)
		if (after_first(s, most) >= s->times[i].from &&
			after_first(s, least) < s->times[i].to)
			return true;
	return s->n_times == 0;
}

enum cr_selector_part
cr_selector_times(const struct cr_selector *s, uint64_t least_ns, uint64_t most_ns)
{
	const uint64_t least = after_first(s, least_ns), most = after_first(s, most_ns);

	for (size_t i = 0; i < s->n_times; i++)
		if (least >= s->times[i].from && most < s->times[i].to)
			return CR_SELECTOR_ALL;
	if (!s->n_times)
		return CR_SELECTOR_ALL;
	return times_meet(s, least_ns, most_ns) ? CR_SELECTOR_SOME : CR_SELECTOR_NONE;
}

/* True if the table accepts a value in [least, most]. */
static bool
table_meets(const uint8_t *table, uint32_t n, uint64_t least, uint64_t most)
{
	return !table ||
	       (least < n && memchr(table + least, 1, (size_t)(CR_MIN(most, n - 1) - least + 1)));
}

static void
select_zones(struct cr_selector *s)
{
	const struct cr_samples *rows = &s->p->samples;

	/* Values of fields are counted from the first row. */
	if (!rows->n_zones || s->n_fields || s->switched)
		return;
	s->zones = cr_alloc(rows->n_zones, 1);
	for (uint32_t z = 0; z < rows->n_zones; z++) {
		const uint64_t *least = rows->zones[z].least, *most = rows->zones[z].most;

		s->zones[z] = times_meet(s, least[CR_SAMPLE_TIME], most[CR_SAMPLE_TIME]) &&
			      table_meets(s->events, s->p->n_events, least[CR_SAMPLE_EVENT],
				      most[CR_SAMPLE_EVENT]) &&
			      table_meets(s->tasks, s->p->n_tasks, least[CR_SAMPLE_TASK],
				      most[CR_SAMPLE_TASK]) &&
			      table_meets(s->cpus, UINT16_MAX + 1, least[CR_SAMPLE_CPU],
				      most[CR_SAMPLE_CPU]);
	}
}

bool
cr_selector_next(const struct cr_selector *s, uint64_t *row, uint64_t *end)
{
	const struct cr_samples *rows = &s->p->samples;
	uint32_t z = 0;

	*end = rows->n;
	if (!s->zones)
		return *row < rows->n;
	for (uint32_t lo = 0, hi = rows->n_zones;
		lo < hi;) { /* the last zone that begins at or before row */
		const uint32_t mid = lo + (hi - lo) / 2;

		if (rows->zones[mid].first <= *row)
			lo = (z = mid) + 1;
		else
			hi = mid;
	}
	while (z < rows->n_zones && !s->zones[z])
		z++;
	if (z == rows->n_zones)
		return false;
	*row = CR_MAX(*row, rows->zones[z].first);
	while (z + 1 < rows->n_zones && s->zones[z + 1])
		z++;
	if (z + 1 < rows->n_zones)
		*end = rows->zones[z + 1].first;
	return *row < *end;
}

/* ---- impossible conditions */

static bool
has_mode(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_dsos; i++)
		if (mode_of(p->dsos[i].kind) != CR_MODE_UNKNOWN)
			return true;
	return false;
}

/* The event that is selected, if its samples are branches. */
static bool
selects_branches(const struct cr_profile *p, const struct cr_filter *f)
{
	struct cr_err ignored = CR_ERR_INIT;
	cr_event_id event;

	return !f->all_events && cr_filter_event(p, f, &event, &ignored) == CR_OK && p->n_events &&
	       cr_event_is_branches(p, event);
}

/* A filter on something that was not recorded would silently match nothing, so fail. */
int
cr_selector_can(const struct cr_profile *p, const struct cr_filter *f, struct cr_err *err)
{
	if ((f->times.n || f->cpus.n || f->sockets.n) && selects_branches(p, f))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"branches are added up over the whole recording; they have no %s to filter "
			"by",
			f->times.n ? "times" : "processors");
	if (f->times.n && !(p->flags & CR_PROFILE_HAS_TIME))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "the profile has no times to filter by");
	if ((f->cpus.n || f->sockets.n) && !(p->flags & CR_PROFILE_HAS_CPU))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "the profile has no processors to filter by");
	if (f->sockets.n && !cr_sockets_known(p))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the profile does not say which socket a processor is in");
	if (f->comms.n && !(p->flags & CR_PROFILE_HAS_TASK))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the profile has no comms to filter by; focus =%s selects stacks with "
			"such a frame",
			f->comms.p[0]);
	if ((f->pids.n || f->tids.n) && !cr_profile_has_threads(p))
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "the profile has no threads to filter by");
	if (f->dsos.n && p->n_dsos <= 1)
		return cr_fail(
			err, CR_EUSAGE, CR_NO_OFFSET, "the profile has no dsos to filter by");
	if (f->modes && !(f->modes & CR_MODE_UNKNOWN) && !has_mode(p))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the profile does not distinguish kernel and user");
	return CR_OK;
}

/* A whole number in the field's form: decimal, 0x..., or signed. */
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

/* The row of a text; cr_form_none(), which matches nothing, if no sample has it. */
static uint64_t
text_row(const struct cr_profile *p, struct cr_str text)
{
	for (uint32_t i = 0; i < p->n_texts; i++)
		if (cr_str_eq(p->texts[i], text))
			return i;
	return cr_form_none(CR_FORM_TEXT);
}

int
cr_filter_field(const struct cr_profile *p, cr_event_id event, struct cr_str name,
	const struct cr_field **out, struct cr_err *err)
{
	const struct cr_str *e = &p->events[event.i].name;

	cr_needed(p, CR_NEEDS_FIELDS);
	*out = cr_field_find(p, event, name);
	if (*out && (*out)->value)
		return CR_OK;
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
		"no field %.*s in event %.*s (cresset info lists them)", (int)name.len, name.p,
		(int)e->len, e->p);
}

/* ---- values of fields */

struct cr_selector_field {
	struct cr_str name;
	const struct cr_field *d;
	CR_VEC(uint64_t) values; /* alternatives */
	uint64_t row;            /* of the next sample of the event */
};

/* Find the field and the value of "NAME=VALUE". */
static int
find_value(const struct cr_profile *p, const char *where, cr_event_id event,
	const struct cr_field **out, uint64_t *value, struct cr_err *err)
{
	const struct cr_str name = {where, (uint32_t)strcspn(where, "=")};
	const char *word = where + name.len + (where[name.len] == '=');
	int rc;

	if ((rc = cr_filter_field(p, event, name, out, err)) < 0)
		return rc;
	if ((*out)->form == CR_FORM_TEXT)
		*value = text_row(p, cr_str_of(word));
	else if (!parse_number(word, (*out)->form, value))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "'%s' is not a value of field %.*s",
			word, (int)name.len, where);
	return CR_OK;
}

static struct cr_selector_field *
field_of(struct cr_selector *s, struct cr_str name)
{
	for (size_t i = 0; i < s->n_fields; i++)
		if (cr_str_eq(s->fields[i].name, name))
			return &s->fields[i];
	s->fields[s->n_fields].name = name;
	return &s->fields[s->n_fields++];
}

static int
select_fields(struct cr_selector *s, const struct cr_filter *f, struct cr_err *err)
{
	if (!f->wheres.n)
		return CR_OK;
	if (f->all_events)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"fields belong to one event; select one with --event");
	s->fields = cr_alloc(f->wheres.n, sizeof(*s->fields));
	for (size_t i = 0; i < f->wheres.n; i++) {
		const char *where = f->wheres.p[i];
		struct cr_selector_field *field =
			field_of(s, (struct cr_str){where, (uint32_t)strcspn(where, "=")});
		uint64_t value;
		int rc;

		if ((rc = find_value(s->p, where, s->event, &field->d, &value, err)) < 0)
			return rc;
		if (value != cr_form_none(field->d->form))
			cr_vec_push(&field->values, value);
	}
	return CR_OK;
}

static void
add_field(struct cr_selector *s, struct cr_selector_field *f, uint64_t from, uint64_t to,
	uint8_t *out)
{
	for (uint64_t i = from; i < to; i++) {
		bool any = false;

		if (cr_event_of(&s->columns.events, i) != s->event.i)
			continue;
		for (size_t k = 0; k < f->values.n; k++)
			any |= f->d->value[f->row] == f->values.p[k];
		f->row++;
		out[i - from] &= any;
	}
}

/* ---- switches */

/* As perf report discards samples: the state changes at the samples of two events. */
static int
select_switched(struct cr_selector *s, const struct cr_filter *f, struct cr_err *err)
{
	cr_event_id on = {UINT32_MAX}, off = {UINT32_MAX};
	struct cr_event_column events;
	bool is_on = !f->switch_on;
	int rc = CR_OK;

	if (!f->switch_on && !f->switch_off)
		return f->show_switches
			       ? cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
					 "show-on-off-events needs switch-on or switch-off")
			       : CR_OK;
	if (f->switch_on)
		rc = event_named(s->p, f->switch_on, &on, err);
	if (rc == CR_OK && f->switch_off)
		rc = event_named(s->p, f->switch_off, &off, err);
	if (rc < 0)
		return rc;
	events = cr_column_events(s->p);
	s->switched = cr_alloc(CR_MAX(s->p->samples.n, 1u), 1);
	for (uint64_t i = 0; i < s->p->samples.n; i++) {
		const uint32_t event = cr_event_of(&events, i);
		const bool turns =
			event == (is_on ? off.i : on.i) && (is_on ? f->switch_off : f->switch_on);

		cr_samples_sweep(&s->p->samples, i);
		is_on ^= turns;
		s->switched[i] = turns ? f->show_switches : is_on;
	}
	return CR_OK;
}

/* ---- */

int
cr_selector_init(struct cr_selector *s, const struct cr_profile *p, const struct cr_filter *f,
	struct cr_err *err)
{
	int rc;

	*s = (struct cr_selector){.p = p};
	if ((rc = cr_filter_event(p, f, &s->event, err)) < 0)
		return rc;
	if (!(p->flags & CR_PROFILE_HAS_SAMPLES))
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"its samples are lost, so nothing can be filtered");
	if ((rc = cr_selector_can(p, f, err)) < 0 || (rc = select_fields(s, f, err)) < 0 ||
		(rc = select_switched(s, f, err)) < 0)
		return rc;
	s->events = select_events(p, s->event, f->all_events);
	s->tasks = select_tasks(p, f);
	s->cpus = select_cpus(p, f);
	s->nodes = select_nodes(p, f);
	select_times(s, &f->times);
	select_zones(s);
	return CR_OK;
}

void
cr_selector_fini(struct cr_selector *s)
{
	for (size_t i = 0; i < s->n_fields; i++)
		cr_vec_fini(&s->fields[i].values);
	free(s->fields);
	free(s->events);
	free(s->tasks);
	free(s->cpus);
	free(s->nodes);
	free(s->times);
	free(s->zones);
	free(s->switched);
	*s = (struct cr_selector){0};
}

bool
cr_selector_is_all(const struct cr_selector *s)
{
	return !s->events && !s->tasks && !s->cpus && !s->nodes && !s->n_times && !s->n_fields &&
	       !s->switched;
}

static void
add_times(const struct cr_selector *s, uint64_t from, uint64_t to, uint8_t *out)
{
	for (uint64_t i = from; i < to; i++) {
		const uint64_t at = after_first(s, s->columns.times[i]);
		bool in = false;

		for (size_t k = 0; k < s->n_times; k++)
			in |= at >= s->times[k].from && at < s->times[k].to;
		out[i - from] &= in;
	}
}

const void *
cr_selector_column(const struct cr_selector *s, enum cr_sample_column c)
{
	return cr_column_in_zones(s->p, c, s->zones);
}

struct cr_event_column
cr_selector_events(const struct cr_selector *s)
{
	struct cr_event_column c = {NULL, 0};

	if (!cr_column_one_event(s->p, &c.same))
		c.at = cr_selector_column(s, CR_SAMPLE_EVENT);
	return c;
}

static void
find_columns(struct cr_selector *s)
{
	s->has_columns = true;
	if (s->events || s->n_fields)
		s->columns.events = cr_selector_events(s);
	if (s->tasks)
		s->columns.tasks = cr_selector_column(s, CR_SAMPLE_TASK);
	if (s->cpus)
		s->columns.cpus = cr_selector_column(s, CR_SAMPLE_CPU);
	if (s->nodes)
		s->columns.nodes = cr_selector_column(s, CR_SAMPLE_NODE);
	if (s->n_times)
		s->columns.times = cr_selector_column(s, CR_SAMPLE_TIME);
}

void
cr_selector_rows(struct cr_selector *s, uint64_t from, uint64_t to, uint8_t *out)
{
	const uint64_t n = to - from;

	if (!s->has_columns)
		find_columns(s);
	memset(out, 1, (size_t)n);
	for (uint64_t i = 0; s->events && i < n; i++)
		out[i] = s->events[cr_event_of(&s->columns.events, from + i)];
	for (uint64_t i = 0; s->tasks && i < n; i++)
		out[i] &= s->tasks[s->columns.tasks[from + i]];
	for (uint64_t i = 0; s->cpus && i < n; i++)
		out[i] &= s->cpus[s->columns.cpus[from + i]];
	for (uint64_t i = 0; s->nodes && i < n; i++)
		out[i] &= s->nodes[s->columns.nodes[from + i]];
	if (s->n_times)
		add_times(s, from, to, out);
	for (uint64_t i = 0; s->switched && i < n; i++)
		out[i] &= s->switched[from + i];
	for (size_t i = 0; i < s->n_fields; i++)
		add_field(s, &s->fields[i], from, to, out);
}

int
cr_select(const struct cr_profile *p, const struct cr_filter *f, uint8_t **out, struct cr_err *err)
{
	struct cr_selector s;
	uint64_t row = 0, end;
	int rc;

	*out = NULL;
	if ((rc = cr_selector_init(&s, p, f, err)) == CR_OK) {
		*out = cr_alloc(p->samples.n, 1);
		for (; cr_selector_next(&s, &row, &end); row = end)
			for (uint64_t to; row < end && !cr_work_stopped(); row = to) {
				to = CR_MIN(end, row + ROWS);
				cr_selector_rows(&s, row, to, *out + row);
				cr_samples_done(&p->samples, row, to);
				cr_work_step("samples", to, p->samples.n);
			}
		rc = cr_work_check(err);
	}
	cr_selector_fini(&s);
	if (rc == CR_OK)
		return CR_OK;
	free(*out);
	*out = NULL;
	return rc;
}

int
cr_filter_zones(
	const struct cr_profile *p, const struct cr_filter *f, uint8_t *want, struct cr_err *err)
{
	struct cr_selector s;
	struct cr_filter by_row = *f;
	struct cr_profile here = *p;
	int rc;

	by_row.dsos.n = 0;
	by_row.modes = 0;
	by_row.wheres.n = 0;
	by_row.switch_on = by_row.switch_off = NULL;
	by_row.show_switches = false;
	memset(want, 1, p->samples.n_zones);
	for (uint32_t z = 0; z < p->samples.n_zones; z++)
		if (f->times.n && !p->samples.zones[z].least[CR_SAMPLE_TIME])
			return CR_OK;
	here.flags |= CR_PROFILE_HAS_SAMPLES;
	if ((rc = cr_selector_init(&s, &here, &by_row, err)) == CR_OK && s.zones && !f->wheres.n &&
		!f->switch_on && !f->switch_off)
		memcpy(want, s.zones, p->samples.n_zones);
	cr_selector_fini(&s);
	return rc;
}
