#include "merge_p.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- facts: those equal in all inputs, and some that are computed */

/* Facts about one recording alone, or computed anew. */
static const char *const not_kept[] = {
	"source key",
	"detected by",
	"source",
	"date",
	"file written",
	"samples added up",
	"duration_ns",
	"hostname",
	"records",
	"counted",
	"main event",
	"derived events",
	"wall",
	"summed events",
	"kernel.ref",
	"kernel.ref.addr",
	CR_MERGE_INPUTS,
	CR_FLEET_BY,
	CR_FLEET_GROUPS,
	CR_FLEET_COUNTS,
};

static bool
is_kept(const struct cr_fact *f)
{
	for (size_t i = 0; i < CR_LEN(not_kept); i++)
		if (cr_str_eq(f->key, cr_str_of(not_kept[i])))
			return false;
	return true;
}

/* The first fact of this key; CR_NO_ROW if there is none. */
static uint32_t
fact_find(const struct cr_profile *p, const struct cr_index *keys, struct cr_str key)
{
	const uint64_t h = cr_hash(key.p, key.len);
	uint32_t at = cr_index_first(keys, h), row;

	for (; (row = cr_index_row(keys, &at, h)) != CR_NO_ROW; at = cr_index_next(keys, at))
		if (cr_str_eq(p->facts[row].key, key))
			break;
	return row;
}

static void
facts_index(const struct cr_profile *p, struct cr_index *keys)
{
	for (uint32_t i = 0; i < p->n_facts; i++)
		if (fact_find(p, keys, p->facts[i].key) == CR_NO_ROW)
			cr_index_add(keys, cr_hash(p->facts[i].key.p, p->facts[i].key.len), i);
}

static bool
has_fact(const struct cr_profile *p, const struct cr_index *keys, const struct cr_fact *f)
{
	const uint32_t row = fact_find(p, keys, f->key);

	return row != CR_NO_ROW && cr_str_eq(p->facts[row].value, f->value);
}

void
cr_merge_add_facts(struct cr_merge *m, const struct cr_profile *p)
{
	struct cr_index keys = {0};
	size_t kept = 0;

	facts_index(p, &keys);
	for (uint32_t i = 0; i < p->n_facts && !m->added; i++)
		if (is_kept(&p->facts[i]))
			cr_vec_push(&m->facts, ((struct cr_fact){cr_merge_keep(m, p->facts[i].key),
						       cr_merge_keep(m, p->facts[i].value)}));
	for (size_t i = 0; i < m->facts.n; i++)
		if (has_fact(p, &keys, &m->facts.p[i]))
			m->facts.p[kept++] = m->facts.p[i];
	m->facts.n = kept;
	cr_index_fini(&keys);
}

static void
quality_add(struct cr_merge *m, struct cr_str what, uint64_t count)
{
	if (!cr_quality_add(&m->quality, what, count))
		cr_quality_append(&m->quality, cr_merge_keep(m, what), count);
}

void
cr_merge_add_quality(struct cr_merge *m, const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_quality; i++)
		if (!cr_str_starts(p->quality[i].what, CR_MERGE_QUALITY))
			quality_add(m, p->quality[i].what, p->quality[i].count);
}

/* ---- the result */

void
cr_merge_put_fact(struct cr_merge *m, const char *key, const struct cr_text *value)
{
	if (value->len)
		cr_vec_push(&m->facts, ((struct cr_fact){cr_merge_keep(m, cr_str_of(key)),
					       cr_merge_keep(m, cr_text_view(value))}));
}

static void
list_add(struct cr_text *list, const char *between, struct cr_str name)
{
	cr_text_puts(list, list->len ? between : "");
	cr_text_str(list, name);
}

/* order: rows of m->events in the order of the result; p->events already have their final names. */
static void
event_facts(struct cr_merge *m, const uint32_t *order)
{
	struct cr_text derived = {0}, parts = {0}, summed = {0}, main = {0};
	uint32_t best = 0;

	for (uint32_t i = 0; i < m->events.n; i++) {
		const struct cr_merged_event *e = &m->events.p[order[i]];
		const struct cr_event *out = &m->p->events[i];

		if (e->derived)
			list_add(&derived, ", ", out->name);
		if (e->in_wall)
			list_add(&parts, " + ", out->name);
		if (e->summed && (m->p->flags & CR_PROFILE_HAS_TIME) &&
			!cr_event_counts_samples(out))
			list_add(&summed, ", ", out->name);
		if (e->votes > m->events.p[order[best]].votes)
			best = i;
	}
	if (m->has_wall)
		list_add(&derived, ", ", CR_STR("wall"));
	if (m->events.n && m->events.p[order[best]].votes)
		cr_text_str(&main, m->p->events[best].name);
	cr_merge_put_fact(m, "derived events", &derived);
	cr_merge_put_fact(m, "wall", &parts);
	cr_merge_put_fact(m, "summed events", &summed);
	cr_merge_put_fact(m, "main event", &main);
	cr_text_fini(&derived);
	cr_text_fini(&parts);
	cr_text_fini(&summed);
	cr_text_fini(&main);
}

/* Inputs are sorted by host. Only a few hosts are listed by name. */
static void
host_fact(struct cr_merge *m, const struct cr_merged_leaf *const *leaves)
{
	struct cr_text t = {0};
	struct cr_str last = {"", 0};
	unsigned hosts = 0;

	for (size_t i = 0; i < m->leaves.n; i++) {
		const struct cr_str host = leaves[i]->in.host;

		if (cr_str_eq(host, last))
			continue;
		list_add(&t, ", ", host);
		last = host;
		hosts++;
	}
	if (hosts > 3) {
		cr_text_clear(&t);
		cr_text_printf(&t, "%u hosts", hosts);
	}
	cr_merge_put_fact(m, "hostname", &t);
	cr_text_fini(&t);
}

static void
input_facts(struct cr_merge *m, const struct cr_merged_leaf *const *leaves)
{
	struct cr_text t = {0}, inputs = {0};
	struct cr_str date = {"", 0};
	uint64_t duration = 0, recordings = 0;

	for (size_t i = 0; i < m->leaves.n; i++) {
		const struct cr_merge_input *in = &leaves[i]->in;

		recordings = cr_add_sat(recordings, leaves[i]->recordings);
		if (cr_str_cmp(in->date, date) > 0)
			date = in->date;
		duration = CR_MAX(duration, in->duration_ns);
		cr_merge_inputs_put(in, &inputs);
	}
	cr_merge_put_fact(m, CR_MERGE_INPUTS, &inputs);
	cr_text_printf(&t, "%s of %" PRIu64 " profile%s", m->fleet ? "fold" : "merge", recordings,
		recordings == 1 ? "" : "s");
	cr_merge_put_fact(m, "source", &t);
	cr_text_clear(&t);
	cr_text_str(&t, date);
	cr_merge_put_fact(m, "date", &t);
	cr_text_clear(&t);
	if (duration)
		cr_text_u64(&t, duration);
	cr_merge_put_fact(m, "duration_ns", &t);
	cr_text_fini(&t);
	cr_text_fini(&inputs);
}

/* Add a quality row for data that only some inputs have. */
static void
partial_quality(struct cr_merge *m)
{
	static const struct {
		uint32_t flag;
		const char *what;
	} parts[] = {
		{CR_PROFILE_HAS_TIME, CR_MERGE_QUALITY "times"},
		{CR_PROFILE_HAS_CPU, CR_MERGE_QUALITY "processors"},
		{CR_PROFILE_HAS_TASK, CR_MERGE_QUALITY "threads"},
		{CR_PROFILE_HAS_ADDR, CR_MERGE_QUALITY "addresses"},
	};

	if (m->fleet)
		return;
	for (size_t k = 0; k < CR_LEN(parts); k++) {
		uint64_t without = 0;

		for (size_t i = 0; i < m->leaves.n; i++)
			without += !(m->leaves.p[i].in.flags & parts[k].flag);
		if (without && without < m->leaves.n)
			quality_add(m, cr_str_of(parts[k].what), without);
	}
	if (m->no_wall)
		for (size_t i = 0; i < m->leaves.n; i++)
			if (!m->leaves.p[i].in.wall.len)
				quality_add(m,
					CR_STR(CR_MERGE_QUALITY "times off the CPU, so that there "
								"is no event wall"),
					1);
}

static int
facts_cmp(const void *x, const void *y)
{
	const struct cr_fact *a = x, *b = y;

	return cr_str_cmp(a->key, b->key);
}

static int
quality_cmp(const void *x, const void *y)
{
	const struct cr_quality *a = x, *b = y;

	return cr_str_cmp(a->what, b->what);
}

void
cr_merge_finish_facts(
	struct cr_merge *m, const struct cr_merged_leaf *const *leaves, const uint32_t *event_order)
{
	event_facts(m, event_order);
	host_fact(m, leaves);
	input_facts(m, leaves);
	partial_quality(m);
	if (m->facts.n)
		qsort(m->facts.p, m->facts.n, sizeof(*m->facts.p), facts_cmp);
	if (m->quality.rows.n)
		qsort(m->quality.rows.p, m->quality.rows.n, sizeof(*m->quality.rows.p),
			quality_cmp);
}
