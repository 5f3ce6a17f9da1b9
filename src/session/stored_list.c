#include "session/stored_list.h"

#include "base/mem.h"
#include "bytes/scan.h"
#include "model/profile.h"
#include "store/store.h"

#include <stdlib.h>

uint64_t
cr_stored_samples(const struct cr_profile *p)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct cr_event *e = &p->events[i];

		if (!cr_event_is_sum(p, (cr_event_id){i}))
			n = cr_add_sat(
				n, cr_unit_is_unknown(e->unit) ? e->weight : cr_event_samples(e));
	}
	return n;
}

static void
fill(struct cr_stored *r)
{
	const struct cr_profile *p = r->p;

	r->date = cr_profile_fact(p, "date");
	r->host = cr_profile_fact(p, "hostname");
	r->command = cr_profile_fact(p, "cmdline");
	r->note = cr_profile_fact(p, "note");
	if (p->n_events)
		r->event = p->events[cr_event_main(p).i].name;
	r->samples = cr_stored_samples(p);
	r->has_duration = cr_scan_u64(cr_profile_fact(p, "duration_ns"), &r->duration_ns);
}

int
cr_stored_list_make(const char *dir, bool (*wanted)(const void *user, const char *name),
	const void *user, struct cr_stored_list *out, struct cr_err *err)
{
	int rc;

	*out = (struct cr_stored_list){.rows = {0}};
	if ((rc = cr_catalog_list(dir, &out->catalog, err)) < 0)
		return rc;
	for (size_t i = 0; i < out->catalog.n; i++) {
		struct cr_stored r = {.entry = &out->catalog.entries[i], .err = CR_ERR_INIT};

		if (wanted && !wanted(user, r.entry->name))
			continue;
		if (cr_store_peek(r.entry->path, &r.p, &r.err) == CR_OK)
			fill(&r);
		else if (r.err.code == CR_ENOTFOUND)
			continue; /* removed since it was listed */
		cr_vec_push(&out->rows, r);
	}
	return CR_OK;
}

void
cr_stored_list_fini(struct cr_stored_list *l)
{
	for (size_t i = 0; i < l->rows.n; i++)
		cr_profile_free(l->rows.p[i].p);
	cr_vec_fini(&l->rows);
	cr_catalog_fini(&l->catalog);
}

/* ---- tags */

bool
cr_stored_has_tag(const struct cr_profile *p, const char *tag)
{
	const struct cr_str s = cr_str_of(tag);
	const char *equals = strchr(tag, '=');
	const struct cr_str want = equals ? cr_str_from(s, equals + 1) : s;

	for (uint32_t i = 0; i < p->n_facts; i++) {
		struct cr_str key;

		if (cr_fact_tag(&p->facts[i], &key) &&
			cr_str_eq(key, equals ? cr_str_to(s, equals) : s))
			return !equals || cr_str_eq(p->facts[i].value, want);
	}
	return false;
}

void
cr_stored_put_tags(const struct cr_profile *p, struct cr_text *out)
{
	const size_t from = out->len;

	for (uint32_t i = 0; i < p->n_facts; i++) {
		struct cr_str key;

		if (!cr_fact_tag(&p->facts[i], &key))
			continue;
		if (out->len > from)
			cr_text_char(out, ' ');
		cr_text_safe(out, key);
		cr_text_char(out, '=');
		cr_text_safe(out, p->facts[i].value);
	}
}

/* ---- order */

static int
by_name(const void *x, const void *y)
{
	const struct cr_stored *a = x, *b = y;

	return strcmp(a->entry->name, b->entry->name);
}

#define BY_TEXT(field)                                        \
	static int by_##field(const void *x, const void *y)   \
	{                                                     \
		const struct cr_stored *a = x, *b = y;        \
		const int c = cr_str_cmp(a->field, b->field); \
		return c ? c : by_name(x, y);                 \
	}
#define BY_NUMBER(how, number)                                 \
	static int by_##how(const void *x, const void *y)      \
	{                                                      \
		const struct cr_stored *a = x, *b = y;         \
		if (a->number != b->number)                    \
			return a->number < b->number ? -1 : 1; \
		return by_name(x, y);                          \
	}

BY_TEXT(date)
BY_TEXT(host)
BY_TEXT(event)
BY_TEXT(command)
BY_NUMBER(samples, samples)
BY_NUMBER(duration, duration_ns)
BY_NUMBER(size, entry->size_bytes)

static const struct {
	const char *word;
	int (*compare)(const void *, const void *);
} orders[] = {
	{"name", by_name},
	{"date", by_date},
	{"host", by_host},
	{"command", by_command},
	{"event", by_event},
	{"samples", by_samples},
	{"duration", by_duration},
	{"size", by_size},
};

const char *
cr_stored_sort_word(size_t i)
{
	return i < CR_LEN(orders) ? orders[i].word : NULL;
}

bool
cr_stored_list_sort(struct cr_stored_list *l, const char *word, bool reverse)
{
	size_t k = 0;

	while (k < CR_LEN(orders) && strcmp(orders[k].word, word) != 0)
		k++;
	if (k == CR_LEN(orders))
		return false;
	if (l->rows.n)
		qsort(l->rows.p, l->rows.n, sizeof(*l->rows.p), orders[k].compare);
	for (size_t i = 0; reverse && i < l->rows.n / 2; i++) {
		const struct cr_stored swap = l->rows.p[i];

		l->rows.p[i] = l->rows.p[l->rows.n - 1 - i];
		l->rows.p[l->rows.n - 1 - i] = swap;
	}
	return true;
}
