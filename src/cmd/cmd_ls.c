#include "job_p.h"
#include "stored_p.h"

#include "base/json_out.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "bytes/scan.h"
#include "store/catalog.h"
#include "store/store.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

int cr_cmd_ls(const struct cr_options *o);

/* One stored profile as it is listed; p is NULL when it cannot be looked into. Texts are p's. */
struct row {
	const struct cr_catalog_entry *entry;
	struct cr_profile *p;
	struct cr_err err;
	struct cr_str date, host, event, command, note;
	uint64_t samples, duration_ns;
	bool has_duration;
};

typedef CR_VEC(struct row) row_vec;

/* ---- what there is */

static void
row_fill(struct row *r)
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

static bool
name_fits(const struct cr_options *o, const char *name)
{
	for (int i = 0; i < o->n_args; i++)
		if (fnmatch(o->args[i], name, 0) == 0 || strcmp(o->args[i], name) == 0)
			return true;
	return o->n_args == 0;
}

/* KEY=VALUE, or KEY alone. */
static bool
has_tag(const struct cr_profile *p, const char *asked)
{
	const struct cr_str s = cr_str_of(asked);
	const char *equals = strchr(asked, '=');
	const struct cr_str want = equals ? cr_str_from(s, equals + 1) : s;

	for (uint32_t i = 0; i < p->n_facts; i++) {
		struct cr_str key;

		if (cr_fact_tag(&p->facts[i], &key) &&
			cr_str_eq(key, equals ? cr_str_to(s, equals) : s))
			return !equals || cr_str_eq(p->facts[i].value, want);
	}
	return false;
}

/* A damaged one is listed whatever is asked for: it may be what was meant. */
static bool
row_fits(const struct cr_options *o, const struct row *r)
{
	if (!r->p)
		return true;
	return (!o->list.host || cr_str_eq(r->host, cr_str_of(o->list.host))) &&
	       (!o->list.tag || has_tag(r->p, o->list.tag));
}

static void
gather(const struct cr_options *o, const struct cr_catalog *c, row_vec *rows)
{
	for (size_t i = 0; i < c->n; i++) {
		struct row r = {.entry = &c->entries[i], .err = CR_ERR_INIT};

		if (!name_fits(o, r.entry->name))
			continue;
		if (cr_store_peek(r.entry->path, &r.p, &r.err) == CR_OK)
			row_fill(&r);
		else if (r.err.code == CR_ENOTFOUND)
			continue; /* removed since it was listed */
		if (row_fits(o, &r))
			cr_vec_push(rows, r);
		else
			cr_profile_free(r.p);
	}
}

/* ---- in which order */

static int
by_name(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	return strcmp(a->entry->name, b->entry->name);
}

#define BY_TEXT(field)                                        \
	static int by_##field(const void *x, const void *y)   \
	{                                                     \
		const struct row *a = x, *b = y;              \
		const int c = cr_str_cmp(a->field, b->field); \
		return c ? c : by_name(x, y);                 \
	}
#define BY_NUMBER(how, number)                                 \
	static int by_##how(const void *x, const void *y)      \
	{                                                      \
		const struct row *a = x, *b = y;               \
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
	const char *key;
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

static int
sort(const struct cr_options *o, row_vec *rows)
{
	const char *key = o->list.sort ? o->list.sort : "name";
	size_t k = 0;

	while (k < CR_LEN(orders) && strcmp(orders[k].key, key) != 0)
		k++;
	if (k == CR_LEN(orders)) {
		cr_options_complain(key, "no such order; there are name, date, host, event, "
					 "samples, duration, size, command");
		return EXIT_USAGE;
	}
	if (rows->n)
		qsort(rows->p, rows->n, sizeof(*rows->p), orders[k].compare);
	for (size_t i = 0; o->list.reverse && i < rows->n / 2; i++) {
		const struct row swap = rows->p[i];

		rows->p[i] = rows->p[rows->n - 1 - i];
		rows->p[rows->n - 1 - i] = swap;
	}
	return EXIT_DONE;
}

/* ---- for people */

enum column {
	COL_NAME,
	COL_DATE,
	COL_HOST,
	COL_EVENT,
	COL_SAMPLES,
	COL_DURATION,
	COL_SIZE,
	COL_TAGS,
	COL_COMMAND,
	COLUMNS
};

static const char *const heads[COLUMNS] = {
	"NAME",
	"DATE",
	"HOST",
	"EVENT",
	"SAMPLES",
	"DURATION",
	"SIZE",
	"TAGS",
	"COMMAND",
};

struct line {
	struct cr_text cell[COLUMNS];
};

static void
put_tags(const struct cr_profile *p, struct cr_text *t)
{
	for (uint32_t i = 0; i < p->n_facts; i++) {
		struct cr_str key;

		if (!cr_fact_tag(&p->facts[i], &key))
			continue;
		if (t->len)
			cr_text_char(t, ' ');
		cr_text_safe(t, key);
		cr_text_char(t, '=');
		cr_text_safe(t, p->facts[i].value);
	}
}

static void
line_fill(struct line *l, const struct row *r)
{
	cr_text_safe(&l->cell[COL_NAME], cr_str_of(r->entry->name));
	cr_text_bytes(&l->cell[COL_SIZE], r->entry->size_bytes);
	if (!r->p) {
		cr_text_puts(&l->cell[COL_EVENT], r->err.code == CR_EIO ? "unreadable" : "damaged");
		return;
	}
	cr_text_safe(&l->cell[COL_DATE], (struct cr_str){r->date.p, CR_MIN(r->date.len, 16u)});
	cr_text_safe(&l->cell[COL_HOST], r->host);
	cr_text_safe(&l->cell[COL_EVENT], r->event);
	cr_text_u64(&l->cell[COL_SAMPLES], r->samples);
	if (r->has_duration)
		cr_text_duration(&l->cell[COL_DURATION], r->duration_ns);
	put_tags(r->p, &l->cell[COL_TAGS]);
	cr_text_safe(&l->cell[COL_COMMAND], r->command);
}

static void
line_print(const struct line *l, const uint32_t *width)
{
	struct cr_text t = {0};

	for (int c = 0; c < COLUMNS; c++) {
		const struct cr_str s = cr_text_view(&l->cell[c]);
		const bool right = c == COL_SAMPLES || c == COL_SIZE || c == COL_DURATION;
		const size_t pad = width[c] - cr_utf8_cells(s);

		if (!width[c])
			continue;
		if (t.len)
			cr_text_puts(&t, "  ");
		if (right)
			cr_text_pad(&t, ' ', pad);
		cr_text_str(&t, s);
		if (!right && c < COLUMNS - 1)
			cr_text_pad(&t, ' ', pad);
	}
	printf("%s\n", t.p);
	cr_text_fini(&t);
}

static void
print(const row_vec *rows)
{
	struct line *lines = cr_alloc(rows->n + 1, sizeof(*lines));
	uint32_t width[COLUMNS] = {0};
	bool tags = false;

	for (size_t i = 0; i < rows->n; i++) {
		line_fill(&lines[i + 1], &rows->p[i]);
		tags |= lines[i + 1].cell[COL_TAGS].len > 0;
	}
	for (int c = 0; c < COLUMNS; c++)
		if (c != COL_TAGS || tags)
			cr_text_puts(&lines[0].cell[c], heads[c]);
	for (size_t i = 0; i <= rows->n; i++)
		for (int c = 0; c < COLUMNS; c++)
			width[c] = CR_MAX(width[c], cr_utf8_cells(cr_text_view(&lines[i].cell[c])));
	for (size_t i = 0; i <= rows->n; i++) {
		line_print(&lines[i], width);
		for (int c = 0; c < COLUMNS; c++)
			cr_text_fini(&lines[i].cell[c]);
	}
	free(lines);
}

/* ---- for programs */

#define JSON_MEMBER "\t\t" /* each on a line of its own */

static void
json_text(struct cr_json_out *j, const char *key, struct cr_str value)
{
	cr_json_out_line(j, JSON_MEMBER);
	cr_json_out_text_of(j, key, value);
}

static void
json_number(struct cr_json_out *j, const char *key, uint64_t value)
{
	cr_json_out_line(j, JSON_MEMBER);
	cr_json_out_u64_of(j, key, value);
}

static void
json_tags(struct cr_json_out *j, const struct cr_profile *p)
{
	cr_json_out_line(j, JSON_MEMBER);
	cr_json_out_key(j, "tags");
	cr_json_out_open(j, '{');
	for (uint32_t i = 0; i < p->n_facts; i++) {
		struct cr_str key;

		if (!cr_fact_tag(&p->facts[i], &key))
			continue;
		cr_json_out_key_str(j, key);
		cr_json_out_text(j, p->facts[i].value);
	}
	cr_json_out_close(j);
}

static void
json_stored(struct cr_json_out *j, const struct row *r)
{
	json_text(j, "date", r->date);
	json_text(j, "host", r->host);
	json_text(j, "command", r->command);
	json_text(j, "event", r->event);
	json_number(j, "samples", r->samples);
	if (r->has_duration)
		json_number(j, "duration_ns", r->duration_ns);
	json_tags(j, r->p);
	if (r->note.len)
		json_text(j, "note", r->note);
}

static void
json_row(struct cr_json_out *j, const struct row *r)
{
	cr_json_out_line(j, "\t");
	cr_json_out_open(j, '{');
	json_text(j, "name", cr_str_of(r->entry->name));
	json_text(j, "path", cr_str_of(r->entry->path));
	json_number(j, "size", r->entry->size_bytes);
	if (r->p)
		json_stored(j, r);
	else
		json_text(j, "damaged", cr_str_of(r->err.text));
	cr_json_out_line(j, "\t");
	cr_json_out_close(j);
}

static void
print_json(const row_vec *rows)
{
	struct cr_text t = {0};
	struct cr_json_out j = {.text = &t};

	cr_json_out_open(&j, '[');
	for (size_t i = 0; i < rows->n; i++)
		json_row(&j, &rows->p[i]);
	cr_json_out_line(&j, "");
	cr_json_out_close(&j);
	puts(t.p);
	cr_json_out_fini(&j);
	cr_text_fini(&t);
}

/* ---- */

static int
show(const struct cr_options *o, const char *dir, size_t stored, const row_vec *rows)
{
	int code = EXIT_DONE;

	if (o->list.json)
		print_json(rows);
	else if (rows->n)
		print(rows);
	else if (!stored)
		cr_options_complain(dir, "no profiles yet (see cresset help ingest)");
	else
		cr_options_complain(dir, "no profile there is what was asked for");
	for (size_t i = 0; i < rows->n; i++)
		if (!rows->p[i].p)
			code = cr_job_fail(rows->p[i].entry->name, &rows->p[i].err);
	return stored && !rows->n ? EXIT_NOTHING : code;
}

int
cr_cmd_ls(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_catalog c = {0};
	row_vec rows = {0};
	char *dir;
	int code;

	if (cr_catalog_dir(o->load.store_dir, &dir, &err) < 0)
		return cr_job_fail(NULL, &err);
	if (cr_catalog_list(dir, &c, &err) < 0) {
		code = cr_job_fail(dir, &err);
		free(dir);
		return code;
	}
	gather(o, &c, &rows);
	code = sort(o, &rows);
	if (code == EXIT_DONE)
		code = show(o, dir, c.n, &rows);
	for (size_t i = 0; i < rows.n; i++)
		cr_profile_free(rows.p[i].p);
	cr_vec_fini(&rows);
	cr_catalog_fini(&c);
	free(dir);
	return code;
}
