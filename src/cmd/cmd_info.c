#include "job_p.h"

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

/* Number of addresses with a source line, and of functions inlined there. */
static void
lines(const struct cr_profile *p, struct cr_text *t)
{
	uint64_t addresses = 0, known = 0, inlined = 0;

	cr_needed(p, CR_NEEDS_TREE);
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		addresses += p->dsos[l->dso.i].kind != CR_KIND_GROUP;
		known += p->lines[l->first_line].line != 0;
		inlined += l->lines - 1u;
	}
	if (!(p->flags & CR_PROFILE_HAS_ADDR) || !addresses)
		return;
	cr_text_puts(t, "source lines: ");
	cr_text_grouped(t, known);
	cr_text_puts(t, " of ");
	cr_text_grouped(t, addresses);
	cr_text_puts(t, addresses == 1 ? " address, " : " addresses, ");
	cr_text_grouped(t, inlined);
	cr_text_puts(
		t, inlined == 1 ? " inlined function in them\n" : " inlined functions in them\n");
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

/* Sizes of the parts of a stored profile. */
static int
sections(const struct cr_options *o, struct cr_text *t)
{
	const char *what = o->args[0];
	struct cr_store_section *list = NULL;
	struct cr_err err = CR_ERR_INIT;
	char *path = NULL;
	uint32_t n = 0;
	int code = EXIT_DONE;

	if (access(what, F_OK) < 0)
		code = cr_stored_path(o, what, &path);
	if (code == EXIT_DONE && cr_store_sections(path ? path : what, &list, &n, &err) < 0)
		code = cr_job_fail(what, &err);
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
	free(list);
	free(path);
	return code;
}

int
cr_cmd_info(const struct cr_options *o)
{
	struct cr_options any = *o;
	struct cr_text t = {0};
	struct cr_profile *p;
	int code;

	any.load.may_be_empty = true;
	code = cr_job_load(&any, o->args[0], CR_STORE_DEFAULT_TREE | CR_STORE_TREE, &p);

	if (code != EXIT_DONE)
		return code;
	cr_facts_main(p, 0, &t);
	merged(p, &t);
	events(p, &t);
	fields(p, &t);
	header(p, &t);
	lines(p, &t);
	dsos(p, &t);
	if (o->sections)
		code = sections(o, &t);
	fputs(t.p ? t.p : "", stdout);
	cr_job_quality(p, "missing: ", UINT32_MAX, stdout);
	code = cr_job_end(o, p, code);
	cr_text_fini(&t);
	cr_profile_free(p);
	return code;
}
