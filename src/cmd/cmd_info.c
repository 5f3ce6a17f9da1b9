#include "job_p.h"
#include "reply_p.h"

#include "base/text.h"
#include "model/columns.h"
#include "model/field.h"
#include "model/merge/fleet.h"
#include "store/format/sections.h"
#include "store/store.h"
#include "stored_p.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int cr_cmd_info(const struct cr_options *o);

/* The name for samples of a unit: a line of folded stacks stands for more than one. */
static void
put_rows(const struct cr_profile *p, struct cr_str unit, uint64_t n, struct cr_text *t)
{
	if (cr_rows_are_stacks(p, unit))
		cr_text_counted(t, n, "stack", "stacks");
	else
		cr_text_counted(t, n, "sample", "samples");
}

static void
events(const struct cr_profile *p, struct cr_text *t)
{
	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct cr_event *e = &p->events[i];

		cr_text_puts(t, "event: ");
		cr_text_safe(t, e->name);
		cr_text_puts(t, ": ");
		put_rows(p, e->unit, cr_event_samples(e), t);
		cr_text_puts(t, ", weight ");
		if (cr_unit_is_unknown(e->unit)) {
			cr_text_grouped(t, e->weight);
		} else if (cr_str_eq(e->unit, CR_STR("millionths"))) {
			cr_text_measure(t, e->weight, e->unit);
		} else {
			cr_text_grouped(t, e->weight);
			cr_text_char(t, ' ');
			cr_text_safe(t, e->unit);
		}
		cr_text_char(t, '\n');
	}
}

/* The fields of samples: values besides time, task, stack and weight. */
static void
fields(const struct cr_profile *p, struct cr_text *t)
{
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];

		cr_text_puts(t, "field: ");
		cr_text_safe(t, p->events[d->event.i].name);
		cr_text_puts(t, ": ");
		cr_text_safe(t, d->name);
		cr_text_printf(t, ": %s, ", cr_form_name(d->form));
		cr_text_counted(t, d->have, "sample, ", "samples, ");
		if (d->form == CR_FORM_TEXT) {
			cr_text_grouped(t, d->distinct);
			cr_text_puts(t, " different\n");
			continue;
		}
		cr_field_put(p, d, d->least, t);
		if (d->most != d->least) {
			cr_text_puts(t, "..");
			cr_field_put(p, d, d->most, t);
		}
		cr_text_char(t, '\n');
	}
}

/* Of a fleet: how many recordings were folded, and what by. */
static bool
folded(const struct cr_profile *p, struct cr_text *t)
{
	struct cr_fleet f;
	const bool is_fleet = cr_fleet_of(p, &f);
	uint32_t batches = 0;

	for (uint32_t i = 0; i < f.n && is_fleet; i++)
		batches |= 1u << f.groups[i].batch;
	if (is_fleet) {
		cr_text_puts(t, "folded from: ");
		cr_text_counted(t, f.recordings, "recording, ", "recordings, ");
		cr_text_counted(t, f.samples, "sample, ", "samples, ");
		cr_fleet_put_by(&f.by, t);
		cr_text_printf(t,
			"\nbatches: %d of %u, which a difference compares\n"
			"not kept: single samples, threads, processors, addresses, source "
			"lines%s\n",
			__builtin_popcount(batches), CR_FLEET_BATCHES,
			f.by.bucket_ns ? "" : ", times");
	}
	cr_fleet_fini(&f);
	return is_fleet;
}

/* The recordings of a merge, one per line. */
static void
merged(const struct cr_profile *p, struct cr_text *t)
{
	struct cr_merge_inputs inputs;

	if (folded(p, t))
		return;
	cr_merge_inputs(p, &inputs);
	for (uint32_t i = 0; i < inputs.n; i++) {
		const struct cr_merge_input *in = &inputs.p[i];
		const struct cr_str parts[] = {in->host, in->date, in->command};

		cr_text_puts(t, "merged from: ");
		cr_text_safe(t, in->name);
		cr_text_puts(t, ": ");
		put_rows(p, in->unit, in->samples, t);
		for (size_t k = 0; k < CR_LEN(parts); k++) {
			if (!parts[k].len)
				continue;
			cr_text_puts(t, ", ");
			cr_text_safe(t, parts[k]);
		}
		cr_text_char(t, '\n');
	}
	cr_merge_inputs_fini(&inputs);
}

/* All other facts of the recording. */
static void
header(const struct cr_profile *p, struct cr_text *t)
{
	struct cr_text rest = {0};

	cr_facts_rest(p, 2, &rest);
	if (rest.len) {
		cr_text_puts(t, "header:\n");
		cr_text_str(t, cr_text_view(&rest));
	}
	cr_text_fini(&rest);
}

/* How many addresses there are, how many have a source line, and functions inlined there. */
struct line_counts {
	uint64_t addresses, known, inlined;
};

/* False if the recording has no addresses. */
static bool
count_lines(const struct cr_profile *p, struct line_counts *out)
{
	*out = (struct line_counts){0};
	cr_needed(p, CR_NEEDS_TREE);
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		out->addresses += p->dsos[l->dso.i].kind != CR_KIND_GROUP;
		out->known += p->lines[l->first_line].line != 0;
		out->inlined += l->lines - 1u;
	}
	return (p->flags & CR_PROFILE_HAS_ADDR) && out->addresses;
}

static void
lines(const struct cr_profile *p, struct cr_text *t)
{
	struct line_counts n;

	if (!count_lines(p, &n))
		return;
	cr_text_puts(t, "source lines: ");
	cr_text_grouped(t, n.known);
	cr_text_puts(t, " of ");
	cr_text_grouped(t, n.addresses);
	cr_text_puts(t, n.addresses == 1 ? " address, " : " addresses, ");
	cr_text_grouped(t, n.inlined);
	cr_text_puts(
		t, n.inlined == 1 ? " inlined function in them\n" : " inlined functions in them\n");
}

static void
dsos(const struct cr_profile *p, struct cr_text *t)
{
	for (uint32_t i = 1; i < p->n_dsos; i++) {
		const struct cr_dso *o = &p->dsos[i];

		if (o->kind == CR_KIND_GROUP) /* a placeholder for missing data */
			continue;
		cr_text_printf(t, "dso: %-7s ", cr_kind_name(o->kind));
		for (unsigned k = 0; k < o->build_id_len; k++)
			cr_text_printf(t, "%02x", o->build_id[k]);
		if (!o->build_id_len)
			cr_text_puts(t, "no-build-id");
		cr_text_char(t, ' ');
		cr_text_safe(t, o->name);
		cr_text_char(t, '\n');
	}
}

/* The parts of a stored profile. The caller frees *list, which is NULL on failure. */
static int
list_sections(const struct cr_options *o, struct cr_store_section **list, uint32_t *n)
{
	const char *what = o->args[0];
	struct cr_err err = CR_ERR_INIT;
	char *path = NULL;
	int code = EXIT_DONE;

	*list = NULL;
	*n = 0;
	if (access(what, F_OK) < 0)
		code = cr_stored_path(o, what, &path);
	if (code == EXIT_DONE && cr_store_sections(path ? path : what, list, n, &err) < 0)
		code = cr_job_fail(what, &err);
	free(path);
	return code;
}

static void
sections(const struct cr_store_section *list, uint32_t n, struct cr_text *t)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_store_section *s = &list[i];

		cr_text_puts(t, "section: ");
		if (s->name)
			cr_text_puts(t, s->name);
		else
			cr_text_printf(t, "%" PRIu32 " of a later version", s->id);
		cr_text_puts(t, ": ");
		cr_text_grouped(t, s->rows);
		cr_text_puts(t, s->rows == 1 ? " row, " : " rows, ");
		cr_text_bytes(t, s->stored_bytes);
		cr_text_puts(t, " of ");
		cr_text_bytes(t, s->raw_bytes);
		cr_text_char(t, '\n');
	}
}

/* ---- JSON */

static void
text_of(struct cr_json_out *j, const char *key, struct cr_str value)
{
	cr_json_out_key(j, key);
	if (value.len)
		cr_json_out_text(j, value);
	else
		cr_json_out_null(j);
}

/* Begin a list of one item a line. */
static void
list_of(struct cr_json_out *j, const char *key)
{
	cr_json_out_line(j, "");
	cr_json_out_key(j, key);
	cr_json_out_open(j, '[');
}

static void
item(struct cr_json_out *j)
{
	cr_json_out_line(j, "");
	cr_json_out_open(j, '{');
}

static void
json_facts(const struct cr_profile *p, struct cr_json_out *j)
{
	list_of(j, "facts");
	for (uint32_t i = 0; i < p->n_facts; i++) {
		if (!cr_fact_is_shown(&p->facts[i]))
			continue;
		item(j);
		cr_json_out_text_of(j, "key", p->facts[i].key);
		cr_json_out_text_of(j, "value", p->facts[i].value);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
	cr_json_out_line(j, "");
	cr_reply_tags(j, p);
	text_of(j, "note", cr_profile_fact(p, "note"));
}

static void
json_events(const struct cr_profile *p, struct cr_json_out *j)
{
	list_of(j, "events");
	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct cr_event *e = &p->events[i];

		item(j);
		cr_json_out_text_of(j, "event", e->name);
		cr_json_out_text_of(j, "unit", e->unit);
		cr_json_out_u64_of(j, "samples", cr_event_samples(e));
		cr_json_out_u64_of(j, "weight", e->weight);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
}

static void
json_field_value(const struct cr_profile *p, const struct cr_field *f, const char *key,
	uint64_t value, struct cr_json_out *j)
{
	struct cr_text t = {0};

	cr_field_put(p, f, value, &t);
	cr_json_out_text_of(j, key, cr_text_view(&t));
	cr_text_fini(&t);
}

static void
json_fields(const struct cr_profile *p, struct cr_json_out *j)
{
	list_of(j, "fields");
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *f = &p->fields[i];

		item(j);
		cr_json_out_text_of(j, "event", p->events[f->event.i].name);
		cr_json_out_text_of(j, "field", f->name);
		cr_json_out_text_of(j, "form", cr_str_of(cr_form_name(f->form)));
		cr_json_out_u64_of(j, "samples", f->have);
		if (f->form == CR_FORM_TEXT) {
			cr_json_out_u64_of(j, "different", f->distinct);
		} else {
			json_field_value(p, f, "least", f->least, j);
			json_field_value(p, f, "most", f->most, j);
		}
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
}

/* The recordings of a merge, and null or what a fleet says about itself. */
static void
json_merged(const struct cr_profile *p, struct cr_json_out *j)
{
	struct cr_merge_inputs inputs;
	struct cr_fleet f;
	const bool is_fleet = cr_fleet_of(p, &f);
	struct cr_text by = {0};

	cr_merge_inputs(p, &inputs);
	list_of(j, "merged_from");
	for (uint32_t i = 0; i < inputs.n && !is_fleet; i++) {
		const struct cr_merge_input *in = &inputs.p[i];

		item(j);
		cr_json_out_text_of(j, "name", in->name);
		cr_json_out_u64_of(j, "samples", in->samples);
		text_of(j, "host", in->host);
		text_of(j, "date", in->date);
		text_of(j, "command", in->command);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
	cr_json_out_line(j, "");
	cr_json_out_key(j, "folded_from");
	if (is_fleet) {
		cr_fleet_put_by(&f.by, &by);
		cr_json_out_open(j, '{');
		cr_json_out_u64_of(j, "recordings", f.recordings);
		cr_json_out_u64_of(j, "samples", f.samples);
		cr_json_out_text_of(j, "by", cr_text_view(&by));
		cr_json_out_close(j);
	} else {
		cr_json_out_null(j);
	}
	cr_text_fini(&by);
	cr_fleet_fini(&f);
	cr_merge_inputs_fini(&inputs);
}

static void
json_dsos(const struct cr_profile *p, struct cr_json_out *j)
{
	list_of(j, "dsos");
	for (uint32_t i = 1; i < p->n_dsos; i++) {
		const struct cr_dso *d = &p->dsos[i];
		struct cr_text id = {0};

		if (d->kind == CR_KIND_GROUP)
			continue;
		for (unsigned k = 0; k < d->build_id_len; k++)
			cr_text_printf(&id, "%02x", d->build_id[k]);
		item(j);
		cr_json_out_text_of(j, "dso", d->name);
		cr_json_out_text_of(j, "kind", cr_str_of(cr_kind_name(d->kind)));
		text_of(j, "build_id", cr_text_view(&id));
		cr_json_out_close(j);
		cr_text_fini(&id);
	}
	cr_json_out_close(j);
}

static void
json_lines(const struct cr_profile *p, struct cr_json_out *j)
{
	struct line_counts n;

	cr_json_out_line(j, "");
	cr_json_out_key(j, "source_lines");
	if (!count_lines(p, &n)) {
		cr_json_out_null(j);
		return;
	}
	cr_json_out_open(j, '{');
	cr_json_out_u64_of(j, "addresses", n.addresses);
	cr_json_out_u64_of(j, "known", n.known);
	cr_json_out_u64_of(j, "inlined", n.inlined);
	cr_json_out_close(j);
}

static void
json_sections(const struct cr_store_section *list, uint32_t n, struct cr_json_out *j)
{
	list_of(j, "sections");
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_store_section *s = &list[i];

		item(j);
		cr_json_out_key(j, "section");
		if (s->name)
			cr_json_out_text(j, cr_str_of(s->name));
		else
			cr_json_out_null(j);
		cr_json_out_u64_of(j, "id", s->id);
		cr_json_out_u64_of(j, "rows", s->rows);
		cr_json_out_u64_of(j, "stored_bytes", s->stored_bytes);
		cr_json_out_u64_of(j, "raw_bytes", s->raw_bytes);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
}

static void
print_json(const struct cr_options *o, const struct cr_profile *p,
	const struct cr_store_section *list, uint32_t n)
{
	struct cr_reply r;

	cr_reply_begin(&r, o, CR_REPLY_ONE);
	cr_json_out_open(&r.json, '{');
	json_facts(p, &r.json);
	json_events(p, &r.json);
	json_fields(p, &r.json);
	json_merged(p, &r.json);
	json_lines(p, &r.json);
	json_dsos(p, &r.json);
	if (o->sections)
		json_sections(list, n, &r.json);
	cr_json_out_line(&r.json, "");
	cr_reply_missing(&r, p);
	cr_json_out_close(&r.json);
	cr_reply_end(&r);
}

/* ---- */

static void
print_text(const struct cr_profile *p, const struct cr_store_section *list, uint32_t n)
{
	struct cr_text t = {0};

	cr_facts_main(p, 0, &t);
	merged(p, &t);
	events(p, &t);
	fields(p, &t);
	header(p, &t);
	lines(p, &t);
	dsos(p, &t);
	sections(list, n, &t);
	fputs(t.p ? t.p : "", stdout);
	cr_job_quality(p, "missing: ", UINT32_MAX, stdout);
	cr_text_fini(&t);
}

int
cr_cmd_info(const struct cr_options *o)
{
	struct cr_store_section *list = NULL;
	struct cr_options any = *o;
	struct cr_profile *p;
	uint32_t n = 0;
	int code;

	any.load.may_be_empty = true;
	code = cr_job_load(&any, o->args[0], CR_STORE_DEFAULT_TREE | CR_STORE_TREE, &p);

	if (code != EXIT_DONE)
		return code;
	if (o->sections)
		code = list_sections(o, &list, &n);
	if (o->json)
		print_json(o, p, list, n);
	else
		print_text(p, list, n);
	code = cr_job_end(o, p, code);
	free(list);
	cr_profile_free(p);
	return code;
}
