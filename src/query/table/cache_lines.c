#include "query/table/cache_lines.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "model/columns.h"
#include "model/field.h"
#include "query/fold/data_source.h"

#include <stdlib.h>
#include <string.h>

/* What the text of a data source says. */
enum access {
	ACCESS_KNOWN = 1, /* the text was looked at */
	ACCESS_LOAD = 2,
	ACCESS_STORE = 4,
	ACCESS_HITM = 8,
	ACCESS_REMOTE = 16,
};

struct making {
	const struct cr_profile *p;
	const struct cr_field *addr, *source, *weight; /* weight: NULL if unknown */
	struct cr_cache_lines *out;
	CR_VEC(struct cr_cache_line) lines;
	CR_VEC(struct cr_cache_place) places;
	CR_VEC(uint64_t) users; /* pairs of a line and a thread, or a line and a processor */
	struct cr_index line_ix, place_ix, user_ix;
	uint8_t *access; /* by text: bits of enum access */
	struct cr_text text;
};

/* ---- what a sample did */

static bool
part_is(struct making *m, struct cr_str source, enum cr_data_source part, const char *word)
{
	cr_text_clear(&m->text);
	cr_data_source_put(source, part, &m->text);
	return m->text.len && strstr(m->text.p, word);
}

static uint8_t
access_of(struct making *m, uint64_t text)
{
	const struct cr_str source = m->p->texts[text];
	unsigned access = ACCESS_KNOWN;

	if (m->access[text])
		return m->access[text];
	if (part_is(m, source, CR_DATA_OP, "load"))
		access |= ACCESS_LOAD;
	if (part_is(m, source, CR_DATA_OP, "store"))
		access |= ACCESS_STORE;
	if (part_is(m, source, CR_DATA_SNOOP, "HitM"))
		access |= ACCESS_HITM;
	if (part_is(m, source, CR_DATA_REMOTE, "Yes"))
		access |= ACCESS_REMOTE;
	return m->access[text] = (uint8_t)access;
}

static void
count(struct cr_cache_counts *c, uint8_t access, const uint64_t *latency)
{
	c->loads += (access & ACCESS_LOAD) != 0;
	c->stores += (access & ACCESS_STORE) != 0;
	if (!(access & ACCESS_LOAD))
		return;
	if (access & ACCESS_HITM)
		*(access & ACCESS_REMOTE ? &c->remote_hitm : &c->local_hitm) += 1;
	if (latency) {
		c->latency = cr_add_sat(c->latency, *latency);
		c->latencies++;
	}
}

/* ---- lines, places and users */

static uint32_t
line_of(struct making *m, uint64_t row, uint64_t addr)
{
	const uint64_t start = addr - addr % CR_CACHE_LINE_BYTES, h = cr_hash_mix(start, 0);
	const struct cr_map *map;
	uint32_t line;

	cr_index_each(&m->line_ix, h, line)
		if (m->lines.p[line].addr == start)
			return line;
	line = (uint32_t)m->lines.n;
	cr_index_add(&m->line_ix, h, line);
	map = cr_profile_map_at(m->p, row, addr);
	cr_vec_push(&m->lines,
		((struct cr_cache_line){.addr = start,
			.dso = map ? cr_str_basename(m->p->dsos[map->dso.i].name) : CR_STR("")}));
	return line;
}

static uint32_t
place_of(struct making *m, const struct cr_cache_place *like)
{
	const uint64_t h =
		cr_hash_mix(cr_hash_mix((uint64_t)like->line << 32 | like->offset, like->function),
			cr_hash_mix(cr_hash(like->comm.p, like->comm.len), like->addr));
	uint32_t row;

	cr_index_each(&m->place_ix, h, row) {
		const struct cr_cache_place *p = &m->places.p[row];

		if (p->line == like->line && p->offset == like->offset &&
			p->function == like->function && p->addr == like->addr &&
			cr_str_eq(p->comm, like->comm))
			return row;
	}
	row = (uint32_t)m->places.n;
	cr_index_add(&m->place_ix, h, row);
	cr_vec_push(&m->places, *like);
	return row;
}

/* True if the line had no such user yet. */
static bool
is_new_user(struct making *m, uint32_t line, uint64_t user)
{
	const uint64_t h = cr_hash_mix(line, user);
	uint32_t row;

	cr_index_each(&m->user_ix, h, row)
		if (m->users.p[(size_t)row * 2] == line && m->users.p[(size_t)row * 2 + 1] == user)
			return false;
	cr_index_add(&m->user_ix, h, (uint32_t)(m->users.n / 2));
	cr_vec_push(&m->users, line);
	cr_vec_push(&m->users, user);
	return true;
}

#define USER_CPU ((uint64_t)1 << 32)

static void
add_users(struct making *m, uint64_t row, uint32_t line)
{
	const struct cr_task *task = &m->p->tasks[cr_column_tasks(m->p)[row]];
	const uint16_t cpu = cr_column_cpus(m->p)[row];

	m->lines.p[line].threads += is_new_user(m, line, (uint32_t)task->tid);
	if (cpu < CR_CPU_UNKNOWN)
		m->lines.p[line].cpus += is_new_user(m, line, USER_CPU | cpu);
}

/* nth: the number of the sample in its event. */
static void
add_sample(struct making *m, uint64_t row, uint64_t nth)
{
	const struct cr_profile *p = m->p;
	const uint64_t addr = m->addr->value[nth], source = m->source->value[nth];
	const uint64_t *latency =
		m->weight && m->weight->value[nth] != UINT64_MAX ? &m->weight->value[nth] : NULL;
	const uint32_t node = cr_column_nodes(p)[row];
	struct cr_cache_place like = {.offset = (uint32_t)(addr % CR_CACHE_LINE_BYTES),
		.function = CR_NO_ROW,
		.comm = p->tasks[cr_column_tasks(p)[row]].comm};
	uint8_t access;
	uint32_t place;

	if (addr == UINT64_MAX || source >= p->n_texts)
		return;
	access = access_of(m, source);
	if (!(access & (ACCESS_LOAD | ACCESS_STORE)))
		return;
	like.line = line_of(m, row, addr);
	if (node) {
		const struct cr_location *at = &p->locations[p->node_location[node]];

		like.function = p->lines[at->first_line].function.i;
		if (!p->functions[like.function].name.len)
			like.addr = at->addr;
	}
	place = place_of(m, &like);
	count(&m->out->all, access, latency);
	count(&m->lines.p[like.line].counts, access, latency);
	count(&m->places.p[place].counts, access, latency);
	add_users(m, row, like.line);
}

/* ---- order */

static int
by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* More HITM first, then more samples. */
static int
by_counts(const struct cr_cache_counts *a, const struct cr_cache_counts *b)
{
	const int c = by_number(b->local_hitm + b->remote_hitm, a->local_hitm + a->remote_hitm);

	return c ? c : by_number(b->loads + b->stores, a->loads + a->stores);
}

static int
compare_lines(const void *x, const void *y, void *user)
{
	const struct cr_cache_line *lines = user, *a = &lines[*(const uint32_t *)x],
				   *b = &lines[*(const uint32_t *)y];
	const int c = by_counts(&a->counts, &b->counts);

	return c ? c : by_number(a->addr, b->addr);
}

static int
compare_places(const void *x, const void *y)
{
	const struct cr_cache_place *a = x, *b = y;
	int c = by_number(a->line, b->line);

	if (!c)
		c = by_counts(&a->counts, &b->counts);
	if (!c)
		c = by_number(a->offset, b->offset);
	if (!c)
		c = cr_str_cmp(a->comm, b->comm);
	if (!c)
		c = by_number(a->function, b->function);
	return c ? c : by_number(a->addr, b->addr);
}

/* Sort the lines, and the places by their lines; leave out lines without HITM unless all. */
static void
finish(struct making *m, bool all)
{
	struct cr_cache_lines *out = m->out;
	uint32_t *order = cr_alloc(m->lines.n + 1, sizeof(*order));
	uint32_t *place = cr_alloc(m->lines.n + 1, sizeof(*place));
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->lines.n; i++) {
		const struct cr_cache_counts *c = &m->lines.p[i].counts;

		place[i] = CR_NO_ROW;
		if (all || c->local_hitm || c->remote_hitm)
			order[n++] = i;
	}
	qsort_r(order, n, sizeof(*order), compare_lines, m->lines.p);
	out->lines = cr_alloc((uint64_t)n + 1, sizeof(*out->lines));
	for (out->n = 0; out->n < n; out->n++) {
		out->lines[out->n] = m->lines.p[order[out->n]];
		place[order[out->n]] = out->n;
	}
	for (size_t i = 0; i < m->places.n; i++) {
		struct cr_cache_place *p = &m->places.p[i];

		p->line = place[p->line];
		if (p->line != CR_NO_ROW)
			m->places.p[out->n_places++] = *p;
	}
	if (out->n_places)
		qsort(m->places.p, out->n_places, sizeof(*m->places.p), compare_places);
	out->places = m->places.p;
	m->places.p = NULL;
	for (uint32_t i = out->n_places; i-- > 0;) {
		out->lines[out->places[i].line].first_place = i;
		out->lines[out->places[i].line].n_places++;
	}
	free(order);
	free(place);
}

/* ---- */

unsigned
cr_cache_lines_needs(const struct cr_filter *f)
{
	return cr_filter_needs(f) | CR_NEEDS_EVENT | CR_NEEDS_FIELDS | CR_NEEDS_TASK |
	       CR_NEEDS_CPU | CR_NEEDS_NODE | CR_NEEDS_TREE | CR_NEEDS_MAPS;
}

static int
find_fields(struct making *m, const struct cr_filter *f, cr_event_id *event, struct cr_err *err)
{
	int rc;

	if ((rc = cr_filter_event(m->p, f, event, err)) < 0)
		return rc;
	m->addr = cr_field_find(m->p, *event, CR_STR("addr"));
	m->source = cr_field_find(m->p, *event, CR_STR("data_src"));
	m->weight = cr_field_find(m->p, *event, CR_STR("weight"));
	if (!m->addr || !m->source || m->addr->form == CR_FORM_TEXT ||
		m->source->form != CR_FORM_TEXT)
		return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET,
			"the event %.*s has no data addresses and sources (perf mem record, perf "
			"c2c record)",
			(int)m->p->events[event->i].name.len, m->p->events[event->i].name.p);
	if (m->weight && m->weight->form == CR_FORM_TEXT)
		m->weight = NULL;
	return CR_OK;
}

int
cr_cache_lines_make(const struct cr_profile *p, const struct cr_filter *f, bool all,
	struct cr_cache_lines *out, struct cr_err *err)
{
	struct making m = {.p = p, .out = out};
	struct cr_event_column events;
	uint8_t *select = NULL;
	cr_event_id event;
	uint64_t nth = 0;
	int rc;

	*out = (struct cr_cache_lines){0};
	if ((rc = find_fields(&m, f, &event, err)) < 0 || (rc = cr_select(p, f, &select, err)) < 0)
		return rc;
	cr_needed(p, CR_NEEDS_FIELDS);
	events = cr_column_events(p);
	m.access = cr_alloc(CR_MAX(p->n_texts, 1u), 1);
	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		if (cr_event_of(&events, i) != event.i)
			continue;
		if (select[i])
			add_sample(&m, i, nth);
		nth++;
	}
	finish(&m, all);
	cr_vec_fini(&m.lines);
	cr_vec_fini(&m.places);
	cr_vec_fini(&m.users);
	cr_index_fini(&m.line_ix);
	cr_index_fini(&m.place_ix);
	cr_index_fini(&m.user_ix);
	cr_text_fini(&m.text);
	free(m.access);
	free(select);
	return CR_OK;
}

void
cr_cache_lines_fini(struct cr_cache_lines *l)
{
	free(l->lines);
	free(l->places);
	*l = (struct cr_cache_lines){0};
}
