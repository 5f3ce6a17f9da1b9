#include "query/fold/lanes.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "groups_p.h"
#include "model/columns.h"
#include "model/tree/path_sums.h"
#include "query/fold/derived.h"
#include "query/lang/query.h"
#include "query/table/task_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[CR_LANE_KEYS] = {
	[CR_LANE_ALL] = "all",
	[CR_LANE_COMM] = "comm",
	[CR_LANE_PID] = "pid",
	[CR_LANE_TID] = "tid",
	[CR_LANE_CPU] = "cpu",
	[CR_LANE_DSO] = "dso",
	[CR_LANE_FUNCTION] = "function",
	[CR_LANE_EVENT] = "event",
};

struct cr_lane_by
cr_lane_by_of(const char *word)
{
	const struct cr_str spelling = cr_word_spelling(cr_str_of(word));

	for (size_t i = 0; i < CR_LANE_FIELD; i++)
		if (cr_str_eq(cr_str_of(words[i]), spelling))
			return (struct cr_lane_by){.key = (enum cr_lane_key)i};
	return (struct cr_lane_by){CR_LANE_FIELD, word};
}

const char *
cr_lane_word(const struct cr_lane_by *by)
{
	return by->key == CR_LANE_FIELD ? by->field : words[by->key];
}

unsigned
cr_lanes_need(const struct cr_lane_by *by)
{
	const struct cr_derived *d;

	switch (by->key) {
	case CR_LANE_COMM:
	case CR_LANE_PID:
	case CR_LANE_TID: return CR_NEEDS_TASK;
	case CR_LANE_CPU: return CR_NEEDS_CPU;
	case CR_LANE_DSO:
	case CR_LANE_FUNCTION: return CR_NEEDS_NODE | CR_NEEDS_TREE;
	case CR_LANE_FIELD:
		d = by->field ? cr_derived_find(cr_str_of(by->field)) : NULL;
		return CR_NEEDS_FIELDS | (d ? cr_derived_needs(d) : 0);
	default: return 0;
	}
}

/* Lanes being made, looked up by number, name and dso. */
struct making {
	struct cr_lanes *out;
	CR_VEC(struct cr_lane) lanes;
	/* dsos of functions: functions with one name in two dsos are two lanes. */
	CR_VEC(struct cr_str) dsos;
	struct cr_index index;
};

static uint32_t
lane_find(struct making *m, struct cr_str name, uint64_t number, struct cr_str dso)
{
	const uint64_t h = cr_hash_mix(
		cr_hash_mix(cr_hash(name.p, name.len), number), cr_hash(dso.p, dso.len));
	uint32_t row;

	cr_index_each(&m->index, h, row)
		if (m->lanes.p[row].number == number && cr_str_eq(m->lanes.p[row].name, name) &&
			cr_str_eq(m->dsos.p[row], dso))
			return row;
	row = (uint32_t)m->lanes.n;
	cr_index_add(&m->index, h, row);
	cr_vec_push(&m->lanes, ((struct cr_lane){name, number}));
	cr_vec_push(&m->dsos, dso);
	return row;
}

static struct cr_str
kept(struct making *m, struct cr_text *t)
{
	const struct cr_str s = {cr_arena_copy(&m->out->names, t->p, t->len), (uint32_t)t->len};

	cr_text_fini(t);
	return s;
}

static struct cr_str
name_or_unknown(struct cr_str name)
{
	return name.len ? name : CR_STR("[unknown]");
}

/* ---- tasks */

/* "1234 nginx"; -1 is unknown. Only the number if there is no name. */
static void
lanes_of_ids(struct making *m, const struct cr_profile *p, enum cr_lane_key key)
{
	struct cr_task_names names;

	cr_task_names_make(p, key == CR_LANE_PID ? CR_TASKS_BY_PID : CR_TASKS_BY_TID, &names);
	memcpy(m->out->of, names.of, p->n_tasks * sizeof(*m->out->of));
	for (uint32_t i = 0; i < names.n; i++) {
		const struct cr_task *task = &p->tasks[names.task[i]];
		const int32_t id = key == CR_LANE_PID ? task->pid : task->tid;
		struct cr_text t = {0};
		size_t len;

		cr_text_printf(&t, "%" PRId32 " ", id);
		len = t.len;
		cr_task_name_put(&names, i, &t);
		t.len -= t.len == len; /* the blank */
		cr_vec_push(&m->lanes, ((struct cr_lane){kept(m, &t), (uint32_t)id}));
		cr_vec_push(&m->dsos, CR_STR(""));
	}
	cr_task_names_fini(&names);
}

static int
lanes_of_tasks(
	struct making *m, const struct cr_profile *p, enum cr_lane_key key, struct cr_err *err)
{
	if (key == CR_LANE_COMM ? !(p->flags & CR_PROFILE_HAS_TASK) : !cr_profile_has_threads(p))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the profile has no threads, so it cannot be grouped by %s", words[key]);
	m->out->of = cr_alloc(p->n_tasks, sizeof(*m->out->of));
	if (key != CR_LANE_COMM) {
		lanes_of_ids(m, p, key);
		return CR_OK;
	}
	for (uint32_t i = 0; i < p->n_tasks; i++)
		m->out->of[i] = lane_find(m, name_or_unknown(p->tasks[i].comm), 0, CR_STR(""));
	return CR_OK;
}

/* ---- columns of 16 bits */

static uint32_t
cpu_lane(struct making *m, uint32_t cpu)
{
	struct cr_text t = {0};

	if (cpu >= CR_CPU_UNKNOWN)
		cr_text_puts(&t, "no cpu");
	else
		cr_text_printf(&t, "cpu %" PRIu32, cpu);
	return lane_find(m, kept(m, &t), cpu >= CR_CPU_UNKNOWN ? CR_CPU_NONE : cpu, CR_STR(""));
}

static int
lanes_of_cpus(struct making *m, const struct cr_profile *p, struct cr_err *err)
{
	const uint16_t *cpu;
	uint32_t none, last = 0;

	if (!(p->flags & CR_PROFILE_HAS_CPU))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"the profile has no processors, so it cannot be grouped by cpu");
	cpu = cr_column_cpus(p);
	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		if (cpu[i] < CR_CPU_UNKNOWN)
			last = CR_MAX(last, cpu[i]);
	}
	m->out->of = cr_alloc(UINT16_MAX + 1, sizeof(*m->out->of));
	for (uint32_t i = 0; i <= last; i++)
		m->out->of[i] = cpu_lane(m, i);
	none = cpu_lane(m, CR_CPU_NONE);
	for (uint32_t i = last + 1; i <= UINT16_MAX; i++)
		m->out->of[i] = none;
	return CR_OK;
}

static void
lanes_of_events(struct making *m, const struct cr_profile *p)
{
	m->out->of = cr_alloc(p->n_events, sizeof(*m->out->of));
	for (uint32_t i = 0; i < p->n_events; i++)
		m->out->of[i] = lane_find(m, name_or_unknown(p->events[i].name), i, CR_STR(""));
}

/* ---- leaves */

static void
lanes_of_leaves(struct making *m, const struct cr_profile *p, enum cr_lane_key key)
{
	const bool by_dso = key == CR_LANE_DSO;
	const uint32_t n = by_dso ? p->n_dsos : p->n_functions;
	uint32_t *lane = cr_alloc(n, sizeof(*lane));

	cr_needed(p, CR_NEEDS_TREE);
	for (uint32_t i = 0; i < n; i++) {
		if (by_dso) {
			lane[i] = lane_find(m, name_or_unknown(p->dsos[i].name), 0, CR_STR(""));
			continue;
		}
		const struct cr_frame f = cr_path_sums_frame(p, i, &m->out->names);

		lane[i] = lane_find(m, f.name, 0, f.dso);
	}
	m->out->of = cr_alloc(p->n_nodes, sizeof(*m->out->of));
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct cr_location *at = &p->locations[p->node_location[i]];

		m->out->of[i] = lane[by_dso ? at->dso.i : p->lines[at->first_line].function.i];
	}
	if (p->n_nodes)
		m->out->of[0] = lane_find(m, CR_STR("[no stack]"), 0, CR_STR(""));
	free(lane);
}

/* ---- fields */

static int
lanes_of_values(struct making *m, const struct cr_profile *p, const struct cr_filter *f,
	const char *field, const uint8_t *select, struct cr_err *err)
{
	const struct cr_field *d;
	struct cr_groups g;
	cr_event_id event;
	int rc;

	if ((rc = cr_filter_event(p, f, &event, err)) < 0)
		return rc;
	if (!cr_derived_hidden(p, event, cr_str_of(field))) {
		if ((rc = cr_derived_groups(p, f, field, select, &g, err)) < 0)
			return rc;
	} else {
		if ((rc = cr_filter_field(p, event, cr_str_of(field), &d, err)) < 0)
			return rc;
		cr_groups_make(p, select, d, &g);
	}
	for (size_t i = 0; i < g.names.n; i++)
		cr_vec_push(&m->lanes, ((struct cr_lane){.name = g.names.p[i]}));
	m->out->of = g.of_sample;
	g.of_sample = NULL;
	cr_arena_join(&m->out->names, &g.made);
	cr_groups_fini(&g);
	return CR_OK;
}

/* ---- */

/* The column that `of` is indexed by. */
static void
find_column(const struct cr_profile *p, enum cr_lane_key key, struct cr_lanes *out)
{
	struct cr_event_column events;

	switch (key) {
	case CR_LANE_COMM:
	case CR_LANE_PID:
	case CR_LANE_TID: out->at32 = cr_column_tasks(p); break;
	case CR_LANE_CPU: out->at16 = cr_column_cpus(p); break;
	case CR_LANE_DSO:
	case CR_LANE_FUNCTION: out->at32 = cr_column_nodes(p); break;
	case CR_LANE_FIELD: break;
	default:
		events = cr_column_events(p);
		out->at16 = events.at;
		out->is_one = !events.at;
		out->one = events.same;
	}
}

int
cr_lanes_find(const struct cr_profile *p, const struct cr_filter *f, const struct cr_lane_by *by,
	const uint8_t *select, struct cr_lanes *out, struct cr_err *err)
{
	struct making m = {.out = out};
	int rc = CR_OK;

	*out = (struct cr_lanes){0};
	switch (by->key) {
	case CR_LANE_COMM:
	case CR_LANE_PID:
	case CR_LANE_TID: rc = lanes_of_tasks(&m, p, by->key, err); break;
	case CR_LANE_CPU: rc = lanes_of_cpus(&m, p, err); break;
	case CR_LANE_DSO:
	case CR_LANE_FUNCTION: lanes_of_leaves(&m, p, by->key); break;
	case CR_LANE_EVENT: lanes_of_events(&m, p); break;
	case CR_LANE_FIELD: rc = lanes_of_values(&m, p, f, by->field, select, err); break;
	default: /* a single lane for every event */
		out->of = cr_alloc(p->n_events, sizeof(*out->of));
		lane_find(&m, CR_STR("all"), 0, CR_STR(""));
	}
	out->lanes = m.lanes.p;
	out->n = (uint32_t)m.lanes.n;
	cr_vec_fini(&m.dsos);
	cr_index_fini(&m.index);
	if (rc < 0)
		cr_lanes_fini(out);
	return rc;
}

int
cr_lanes_make(const struct cr_profile *p, const struct cr_filter *f, const struct cr_lane_by *by,
	uint8_t **select, struct cr_lanes *out, struct cr_err *err)
{
	struct cr_filter any = *f;
	int rc;

	*out = (struct cr_lanes){0};
	any.all_events |= by->key == CR_LANE_EVENT && !f->event;
	if ((rc = cr_select(p, &any, select, err)) < 0)
		return rc;
	if ((rc = cr_lanes_find(p, f, by, *select, out, err)) < 0) {
		free(*select);
		*select = NULL;
		return rc;
	}
	find_column(p, by->key, out);
	return CR_OK;
}

void
cr_lanes_fini(struct cr_lanes *l)
{
	free(l->lanes);
	free(l->of);
	cr_arena_fini(&l->names);
	*l = (struct cr_lanes){0};
}
