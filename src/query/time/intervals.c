#include "query/time/intervals.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/columns.h"
#include "model/field.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

static const struct cr_interval_pair known[] = {
	{"lock", "lock:contention_begin", "lock:contention_end", "lock_addr+tid"},
	{"block", "block:block_rq_issue", "block:block_rq_complete", "dev+sector"},
	{"irq", "irq:irq_handler_entry", "irq:irq_handler_exit", "irq+cpu"},
	{"softirq", "irq:softirq_entry", "irq:softirq_exit", "vec+cpu"},
	{"workqueue", "workqueue:workqueue_execute_start", "workqueue:workqueue_execute_end",
		"work"},
};

/* A part of a key, as one of the two events has it. */
enum part_kind { PART_FIELD, PART_TID, PART_PID, PART_CPU };

struct part {
	enum part_kind kind;
	const struct cr_field *field;
};

struct side {
	uint32_t event;
	struct part parts[CR_INTERVAL_KEYS];
	uint64_t at; /* number of its samples so far */
};

/* An interval that begins at `row`; is_open until its end. */
struct begun {
	uint64_t key[CR_INTERVAL_KEYS], row;
	bool is_open;
};

struct maker {
	const struct cr_profile *p;
	const struct cr_query *q;
	enum cr_interval_by by;
	struct cr_intervals *out;
	struct cr_tree *tree;
	uint32_t *node; /* by row of the samples; CR_NO_ROW: not selected */
	const uint64_t *times;
	const uint32_t *tasks;
	const uint16_t *cpus;
	CR_VEC(struct cr_interval_row) rows;
	struct cr_index rows_ix;
	struct cr_text text;
	uint64_t most; /* the largest number of beginnings of an event */
};

/* A pair that is looked for. */
struct search {
	struct cr_str pair;
	uint32_t n_parts;
	struct side begin, end;
	CR_VEC(struct begun) begun;
	struct cr_index begun_ix;
};

const struct cr_interval_pair *
cr_interval_known(size_t i)
{
	return i < CR_LEN(known) ? &known[i] : NULL;
}

const char *
cr_interval_by_word(enum cr_interval_by by)
{
	static const char *const words[] = {"function", "stack", "comm", "tid", "cpu", "all"};

	return (size_t)by < CR_LEN(words) ? words[by] : NULL;
}

unsigned
cr_intervals_needs(const struct cr_query *q)
{
	return cr_query_needs(NULL, q) | CR_NEEDS_SAMPLES | CR_NEEDS_TREE | CR_NEEDS_FIELDS;
}

/* ---- keys */

static bool
part_find(const struct cr_profile *p, uint32_t event, struct cr_str name, struct part *out)
{
	const struct cr_field *f = cr_field_find(p, (cr_event_id){event}, name);

	*out = (struct part){PART_FIELD, f};
	if (f && f->value)
		return true;
	if (cr_str_eq(name, CR_STR("tid")))
		out->kind = PART_TID;
	else if (cr_str_eq(name, CR_STR("pid")))
		out->kind = PART_PID;
	else if (cr_str_eq(name, CR_STR("cpu")))
		out->kind = PART_CPU;
	else
		return false;
	return true;
}

/* A part of the spec: "a" or "a=b". */
static int
part_read(struct maker *m, struct search *s, struct cr_str word, struct cr_err *err)
{
	const char *equals = memchr(word.p, '=', word.len);
	struct cr_str a = word, b = word;

	if (s->n_parts == CR_INTERVAL_KEYS)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "a key has at most %u parts",
			CR_INTERVAL_KEYS);
	if (equals) {
		a.len = (uint32_t)(equals - word.p);
		b = (struct cr_str){equals + 1, word.len - a.len - 1};
	}
	if (!part_find(m->p, s->begin.event, a, &s->begin.parts[s->n_parts]))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"the event that begins has no field '%.*s'", (int)a.len, a.p);
	if (!part_find(m->p, s->end.event, b, &s->end.parts[s->n_parts]))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"the event that ends has no field '%.*s'", (int)b.len, b.p);
	s->n_parts++;
	return CR_OK;
}

static int
key_read(struct maker *m, struct search *s, struct cr_str key, struct cr_err *err)
{
	int rc = CR_OK;

	while (rc == CR_OK && key.len) {
		const char *plus = memchr(key.p, '+', key.len);
		const uint32_t len = plus ? (uint32_t)(plus - key.p) : key.len;

		rc = part_read(m, s, (struct cr_str){key.p, len}, err);
		key.p += CR_MIN(len + 1, key.len);
		key.len -= CR_MIN(len + 1, key.len);
	}
	return rc;
}

static uint64_t
part_value(const struct maker *m, const struct side *side, const struct part *part, uint64_t row)
{
	switch (part->kind) {
	case PART_TID: return (uint32_t)m->p->tasks[m->tasks[row]].tid;
	case PART_PID: return (uint32_t)m->p->tasks[m->tasks[row]].pid;
	case PART_CPU: return m->cpus[row];
	case PART_FIELD: break;
	}
	return side->at < part->field->n ? part->field->value[side->at] : UINT64_MAX;
}

static struct begun *
begun_of(const struct maker *m, struct search *s, const struct side *side, uint64_t row, bool add)
{
	struct begun new = {.row = row};
	uint64_t h = 0;
	uint32_t k;

	for (uint32_t i = 0; i < s->n_parts; i++) {
		new.key[i] = part_value(m, side, &side->parts[i], row);
		h = cr_hash_mix(h, new.key[i]);
	}
	cr_index_each(&s->begun_ix, h, k)
		if (memcmp(s->begun.p[k].key, new.key, sizeof(new.key)) == 0)
			return &s->begun.p[k];
	if (!add)
		return NULL;
	cr_index_add(&s->begun_ix, h, (uint32_t)s->begun.n);
	cr_vec_push(&s->begun, new);
	return &s->begun.p[s->begun.n - 1];
}

/* ---- rows */

static void
put_stack(struct maker *m, uint32_t node)
{
	CR_VEC(uint32_t) path = {0};

	for (uint32_t n = node; n; n = m->tree->parent[n])
		cr_vec_push(&path, m->tree->frame[n]);
	for (size_t i = path.n; i-- > 0;) {
		cr_text_str(&m->text, m->tree->frames[path.p[i]].name);
		if (i)
			cr_text_char(&m->text, ';');
	}
	cr_vec_fini(&path);
}

/* What the interval that begins at this row is counted under; valid until the next call. */
static struct cr_str
key_of(struct maker *m, uint64_t row)
{
	const struct cr_task *task = &m->p->tasks[m->tasks[row]];

	cr_text_clear(&m->text);
	cr_text_puts(&m->text, "");
	switch (m->by) {
	case CR_INTERVAL_BY_FUNCTION:
		if (m->node[row])
			cr_text_str(&m->text, m->tree->frames[m->tree->frame[m->node[row]]].name);
		break;
	case CR_INTERVAL_BY_STACK: put_stack(m, m->node[row]); break;
	case CR_INTERVAL_BY_COMM: cr_text_str(&m->text, task->comm); break;
	case CR_INTERVAL_BY_TID: cr_text_printf(&m->text, "%d", (int)task->tid); break;
	case CR_INTERVAL_BY_CPU: cr_text_printf(&m->text, "%u", m->cpus[row]); break;
	case CR_INTERVAL_BY_ALL:
	case CR_INTERVALS_BY: break;
	}
	return cr_text_view(&m->text);
}

static void
count(struct cr_interval_row *r, uint64_t ns)
{
	r->least = r->count ? CR_MIN(r->least, ns) : ns;
	r->most = CR_MAX(r->most, ns);
	r->count++;
	r->sum = cr_add_sat(r->sum, ns);
}

static void
add_interval(struct maker *m, struct cr_str pair, uint64_t row, uint64_t ns)
{
	const struct cr_str key = key_of(m, row);
	const uint64_t h = cr_hash_mix(cr_hash(key.p, key.len), cr_hash(pair.p, pair.len));
	uint32_t k;

	count(&m->out->all, ns);
	cr_index_each(&m->rows_ix, h, k) {
		struct cr_interval_row *r = &m->rows.p[k];

		if (cr_str_eq(r->key, key) && cr_str_eq(r->pair, pair)) {
			count(r, ns);
			return;
		}
	}
	cr_index_add(&m->rows_ix, h, (uint32_t)m->rows.n);
	cr_vec_push(&m->rows,
		((struct cr_interval_row){.pair = pair,
			.key = {cr_arena_copy(&m->out->names, key.p, key.len), key.len}}));
	count(&m->rows.p[m->rows.n - 1], ns);
}

/* ---- samples */

static void
pass(struct maker *m, struct search *s, uint64_t row, uint32_t event)
{
	struct begun *b;

	if (event == s->end.event) {
		b = begun_of(m, s, &s->end, row, false);
		if (!b || !b->is_open) {
			m->out->half++;
		} else {
			b->is_open = false;
			if (m->node[b->row] != CR_NO_ROW && m->times[row] >= m->times[b->row])
				add_interval(m, s->pair, b->row, m->times[row] - m->times[b->row]);
		}
	}
	if (event == s->begin.event) {
		b = begun_of(m, s, &s->begin, row, true);
		m->out->open += b->is_open;
		b->is_open = true;
		b->row = row;
	}
}

static void
pair_up(struct maker *m, struct search *s)
{
	const struct cr_event_column events = cr_column_events(m->p);

	for (uint64_t i = 0; i < m->p->samples.n; i++) {
		const uint32_t e = cr_event_of(&events, i);

		if (e != s->begin.event && e != s->end.event)
			continue;
		pass(m, s, i, e);
		s->begin.at += e == s->begin.event;
		s->end.at += e == s->end.event;
	}
	for (size_t i = 0; i < s->begun.n; i++)
		m->out->open += s->begun.p[i].is_open;
}

static uint32_t
event_of(const struct cr_profile *p, struct cr_str name)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (p->events[i].samples && cr_str_eq(p->events[i].name, name))
			return i;
	return NOWHERE;
}

/* Look for one pair, whose events exist. */
static int
search_pair(struct maker *m, struct search *s, struct cr_str key, struct cr_err *err)
{
	const struct cr_event *e = &m->p->events[s->begin.event];
	int rc = key_read(m, s, key, err);

	if (rc == CR_OK) {
		pair_up(m, s);
		if (e->samples > m->most) {
			m->most = e->samples;
			m->out->event = e->name;
		}
	}
	cr_vec_fini(&s->begun);
	cr_index_fini(&s->begun_ix);
	return rc;
}

static int
search_known(struct maker *m, struct cr_err *err)
{
	struct cr_text names = {0};
	bool any = false;
	int rc = CR_OK;

	for (size_t i = 0; rc == CR_OK && i < CR_LEN(known); i++) {
		struct search s = {.pair = cr_str_of(known[i].name),
			.begin.event = event_of(m->p, cr_str_of(known[i].begin)),
			.end.event = event_of(m->p, cr_str_of(known[i].end))};
		struct cr_err missing = CR_ERR_INIT;

		cr_text_printf(&names, "%s%s", i ? ", " : "", known[i].begin);
		if (s.begin.event == NOWHERE || s.end.event == NOWHERE)
			continue;
		any |= search_pair(m, &s, cr_str_of(known[i].key), &missing) == CR_OK;
	}
	if (rc == CR_OK && !any)
		rc = cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"no pairs of events that are known (%s ...); --interval BEGIN,END,KEY "
			"names others",
			names.p);
	cr_text_fini(&names);
	return rc;
}

/* The next word of "BEGIN,END,KEY". */
static struct cr_str
next_word(const char **spec)
{
	const char *p = *spec;
	const uint32_t len = (uint32_t)strcspn(p, ",");

	*spec += len + (p[len] == ',');
	return (struct cr_str){p, len};
}

static int
search_asked(struct maker *m, const char *spec, struct cr_err *err)
{
	const char *at = spec;
	const struct cr_str begin = next_word(&at), end = next_word(&at), key = cr_str_of(at);
	struct search s = {.pair = begin,
		.begin.event = event_of(m->p, begin),
		.end.event = event_of(m->p, end)};

	if (!begin.len || !end.len || !key.len || memchr(key.p, ',', key.len))
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"--interval '%s' is not BEGIN,END,KEY, as lock:contention_begin,"
			"lock:contention_end,lock_addr+tid",
			spec);
	if (s.begin.event == NOWHERE || s.end.event == NOWHERE)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no samples of event '%.*s'",
			(int)(s.begin.event == NOWHERE ? begin : end).len,
			(s.begin.event == NOWHERE ? begin : end).p);
	return search_pair(m, &s, key, err);
}

/* ---- */

static int
rows_order(const void *x, const void *y)
{
	const struct cr_interval_row *a = x, *b = y;
	const int d = cr_str_cmp(a->pair, b->pair);

	if (d)
		return d;
	if (a->sum != b->sum)
		return a->sum < b->sum ? 1 : -1;
	return cr_str_cmp(a->key, b->key);
}

static int
usable(const struct cr_profile *p, const struct cr_query *q, struct cr_err *err)
{
	if (cr_query_filter(q)->event || cr_query_filter(q)->wheres.n)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"intervals are selected by their beginnings, not by event or field");
	if (!(p->flags & CR_PROFILE_HAS_TIME) || !cr_profile_has_threads(p))
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"intervals need the times and threads of samples");
	return CR_OK;
}

int
cr_intervals_make(const struct cr_profile *p, const struct cr_query *q, const char *spec,
	enum cr_interval_by by, struct cr_intervals *out, struct cr_err *err)
{
	struct maker m = {.p = p, .q = q, .by = by, .out = out};
	int rc;

	*out = (struct cr_intervals){0};
	if ((rc = usable(p, q, err)) < 0 ||
		(rc = cr_query_place(p, q, false, &m.tree, &m.node, err)) < 0)
		return rc;
	m.times = cr_column_times(p);
	m.tasks = cr_column_tasks(p);
	m.cpus = cr_column_cpus(p);
	rc = spec ? search_asked(&m, spec, err) : search_known(&m, err);
	out->rows = m.rows.p;
	out->n = (uint32_t)m.rows.n;
	if (out->n)
		qsort(out->rows, out->n, sizeof(*out->rows), rows_order);
	cr_index_fini(&m.rows_ix);
	cr_text_fini(&m.text);
	cr_tree_free(m.tree);
	free(m.node);
	if (rc < 0)
		cr_intervals_fini(out);
	return rc;
}

void
cr_intervals_fini(struct cr_intervals *v)
{
	free(v->rows);
	cr_arena_fini(&v->names);
	*v = (struct cr_intervals){0};
}
