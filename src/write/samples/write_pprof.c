#include "bytes/pprof_fields.h"
#include "gzip_out_p.h"
#include "row_texts_p.h"
#include "sample_sums_p.h"
#include "wire_out_p.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * pprof's own format, see bytes/pprof_fields.h. Samples with the same thread, cpu and
 * stack are added up, in the order of their first occurrence. Each recorded event is a sample type;
 * a single one is preceded by the number of samples, as pprof's tools expect. The mapping of a
 * location is the dso.
 */
struct pprof {
	struct cr_sample_sums s;
	/* Parts of messages: the locations of stacks, the labels of threads and cpus. */
	struct cr_row_texts of_node, of_thread, of_cpu;
	struct cr_text text, message, inner; /* output; a message; one inside of it */
	struct cr_gzip_out *out;
};

static void
put_message(struct pprof *w, uint32_t field)
{
	cr_wire_put_bytes(&w->text, field, cr_text_view(&w->message));
	cr_text_clear(&w->message);
}

/* ---- sample types */

static void
put_type(struct pprof *w, uint32_t field, struct cr_str name, struct cr_str unit)
{
	cr_wire_put_number(&w->message, 1, cr_sums_string(&w->s, name));
	cr_wire_put_number(&w->message, 2, cr_sums_string(&w->s, unit));
	put_message(w, field);
}

static void
put_types(struct pprof *w)
{
	const cr_event_id main = cr_event_main(w->s.p);

	if (w->s.counts)
		put_type(w, CR_PPROF_TYPE, CR_STR("samples"), CR_STR("count"));
	for (size_t i = 0; i < w->s.events.n; i++) {
		const struct cr_event *e = &w->s.p->events[w->s.events.p[i]];

		put_type(w, CR_PPROF_TYPE, e->name, cr_sums_unit(e));
	}
	if (w->s.p->n_events && w->s.type_of[main.i] != CR_NO_ROW)
		cr_wire_put_number(&w->text, CR_PPROF_DEFAULT_TYPE,
			cr_sums_string(&w->s, w->s.p->events[main.i].name));
}

/* ---- functions and locations */

static void
put_location(struct pprof *w, uint32_t row)
{
	const struct cr_sums_location *l = &w->s.locations.p[row];
	uint32_t dso = 0;

	cr_wire_put_number(&w->message, 1, row + 1);
	for (const struct cr_sums_location *line = l; line; line = cr_sums_line_next(&w->s, line)) {
		const uint32_t function = cr_sums_function(&w->s, line->frame);

		cr_text_clear(&w->inner);
		cr_wire_put_number(&w->inner, 1, function + 1);
		cr_wire_put_number(&w->inner, 2, w->s.t->frames[line->frame].line);
		cr_wire_put_bytes(&w->message, 4, cr_text_view(&w->inner));
		dso = w->s.functions.p[function].dso;
	}
	cr_wire_put_number(&w->message, 2, w->s.dsos.rows.p[dso].len ? dso + 1 : 0);
	put_message(w, CR_PPROF_LOCATION);
}

static void
put_function(struct pprof *w, uint32_t row)
{
	const struct cr_sums_function *f = &w->s.functions.p[row];

	cr_wire_put_number(&w->message, 1, row + 1);
	cr_wire_put_number(&w->message, 2, f->name);
	cr_wire_put_number(&w->message, 3, f->system_name);
	cr_wire_put_number(&w->message, 4, f->file);
	put_message(w, CR_PPROF_FUNCTION);
}

/* ---- mappings */

static void
put_build_id(struct pprof *w, struct cr_str name)
{
	const struct cr_dso *d = cr_sample_dso(w->s.p, name);
	struct cr_text hex = {0};

	if (d && d->build_id_len) {
		cr_sample_build_id(d, &hex);
		cr_wire_put_number(&w->message, 6, cr_sums_string_made(&w->s, cr_text_view(&hex)));
	}
	cr_text_fini(&hex);
}

/* Everything is known already: without these marks pprof looks for the binary. */
static void
put_mapping(struct pprof *w, uint32_t row)
{
	enum { HAS_FUNCTIONS = 7, HAS_INLINE = 10 };

	if (!w->s.dsos.rows.p[row].len)
		return;
	cr_wire_put_number(&w->message, 1, row + 1);
	cr_wire_put_number(&w->message, 5, cr_sums_string(&w->s, w->s.dsos.rows.p[row]));
	put_build_id(w, w->s.dsos.rows.p[row]);
	for (uint32_t has = HAS_FUNCTIONS; has <= HAS_INLINE; has++)
		cr_wire_put_number(&w->message, has, 1);
	put_message(w, CR_PPROF_MAPPING);
}

static void
put_mappings(struct pprof *w)
{
	const uint32_t first = cr_sums_program(&w->s);

	if (w->s.dsos.rows.n)
		put_mapping(w, first);
	for (uint32_t i = 0; i < w->s.dsos.rows.n; i++)
		if (i != first)
			put_mapping(w, i);
}

/* ---- samples */

static void
put_label(struct pprof *w, const char *key, struct cr_str text, int64_t number)
{
	cr_text_clear(&w->inner);
	cr_wire_put_number(&w->inner, 1, cr_sums_string(&w->s, cr_str_of(key)));
	cr_wire_put_number(&w->inner, 2, cr_sums_string(&w->s, text));
	cr_wire_put_number(&w->inner, 3, (uint64_t)number);
	cr_wire_put_bytes(&w->message, 3, cr_text_view(&w->inner));
}

static void
put_thread(struct pprof *w, uint32_t row)
{
	const struct cr_sample_thread *t = &w->s.threads.rows[row];
	const size_t start = w->message.len;

	if (cr_row_texts_put(&w->of_thread, row, &w->message))
		return;
	if (t->comm.len)
		put_label(w, "comm", t->comm, 0);
	if (t->pid >= 0)
		put_label(w, "pid", CR_STR(""), t->pid);
	if (t->tid >= 0)
		put_label(w, "tid", CR_STR(""), t->tid);
	cr_row_texts_keep(&w->of_thread, row, &w->message, start);
}

static void
put_cpu(struct pprof *w, uint16_t cpu)
{
	const size_t start = w->message.len;

	if (cpu >= CR_CPU_UNKNOWN || cr_row_texts_put(&w->of_cpu, cpu, &w->message))
		return;
	put_label(w, "cpu", CR_STR(""), cpu);
	cr_row_texts_keep(&w->of_cpu, cpu, &w->message, start);
}

/* Locations are packed, leaf first. */
static void
put_locations(struct pprof *w, uint32_t node)
{
	const size_t start = w->message.len;

	if (cr_row_texts_put(&w->of_node, node, &w->message))
		return;
	cr_text_clear(&w->inner);
	for (uint32_t n = node; n; n = w->s.caller[n])
		cr_wire_put_uleb(&w->inner, w->s.node_location1[n]);
	cr_wire_put_bytes(&w->message, 1, cr_text_view(&w->inner));
	cr_row_texts_keep(&w->of_node, node, &w->message, start);
}

static void
put_sample(struct pprof *w, uint32_t row)
{
	const struct cr_sums_place *at = &w->s.places.p[row];

	put_locations(w, at->node);
	cr_text_clear(&w->inner);
	for (uint32_t i = 0; i < cr_sums_values(&w->s); i++)
		cr_wire_put_uleb(&w->inner, w->s.values.p[(size_t)row * cr_sums_values(&w->s) + i]);
	cr_wire_put_bytes(&w->message, 2, cr_text_view(&w->inner));
	put_thread(w, at->thread);
	put_cpu(w, at->cpu);
	put_message(w, CR_PPROF_SAMPLE);
}

/* ---- facts */

static void
put_comment(struct pprof *w, const char *lead, struct cr_str text)
{
	struct cr_text t = {0};

	cr_text_puts(&t, lead);
	cr_text_str(&t, text);
	if (text.len)
		cr_wire_put_number(
			&w->text, CR_PPROF_COMMENT, cr_sums_string_made(&w->s, cr_text_view(&t)));
	cr_text_fini(&t);
}

/* Comments of the input stay; a recording has its command. */
static void
put_comments(struct pprof *w)
{
	struct cr_str rest = cr_profile_fact(w->s.p, "comments");

	while (rest.len) {
		const char *end = memchr(rest.p, '\n', rest.len);
		const uint32_t len = end ? (uint32_t)(end - rest.p) : rest.len;

		put_comment(w, "", (struct cr_str){rest.p, len});
		rest.p += len + (end != NULL);
		rest.len -= len + (end != NULL);
	}
	put_comment(w, "command: ", cr_profile_fact(w->s.p, "cmdline"));
	put_comment(w, "query: ", cr_str_of(w->s.in->query ? w->s.in->query : ""));
}

static void
put_facts(struct pprof *w)
{
	cr_sums_period(&w->s);
	if (w->s.period) {
		const struct cr_event *e = &w->s.p->events[cr_event_main(w->s.p).i];

		put_type(w, CR_PPROF_PERIOD_TYPE, e->name, cr_sums_unit(e));
		cr_wire_put_number(&w->text, CR_PPROF_PERIOD, w->s.period);
	}
	cr_wire_put_number(&w->text, CR_PPROF_TIME, cr_sample_date_ns(w->s.p));
	cr_wire_put_number(&w->text, CR_PPROF_DURATION, cr_sums_fact_number(w->s.p, "duration_ns"));
	put_comments(w);
}

/* ---- */

/* Write n messages of one kind. */
static int
put_all(struct pprof *w, size_t n, void (*put)(struct pprof *, uint32_t), struct cr_err *err)
{
	int rc = CR_OK;

	for (uint32_t i = 0; rc == CR_OK && i < n; i++) {
		put(w, i);
		rc = cr_gzip_out_large(w->out, &w->text, err);
	}
	return rc;
}

static void
put_string(struct pprof *w, uint32_t row)
{
	cr_text_clear(&w->message);
	cr_sample_text_put(w->s.strings.rows.p[row], &w->message);
	put_message(w, CR_PPROF_STRING);
}

/* Strings are written last, when all are known. */
static int
put_profile(struct pprof *w, struct cr_err *err)
{
	int rc;

	put_types(w);
	rc = put_all(w, w->s.places.n, put_sample, err);
	if (rc == CR_OK)
		rc = put_all(w, w->s.locations.n, put_location, err);
	if (rc == CR_OK)
		rc = put_all(w, w->s.functions.n, put_function, err);
	put_mappings(w);
	put_facts(w);
	if (rc == CR_OK)
		rc = put_all(w, w->s.strings.rows.n, put_string, err);
	return rc == CR_OK ? cr_gzip_out_text(w->out, &w->text, err) : rc;
}

static void
pprof_init(struct pprof *w, const struct cr_write_in *in)
{
	cr_sample_sums_init(&w->s, in);
	cr_row_texts_init(&w->of_node, w->s.t->n);
	cr_row_texts_init(&w->of_thread, w->s.threads.n);
	cr_row_texts_init(&w->of_cpu, CR_CPU_UNKNOWN);
}

static void
pprof_fini(struct pprof *w)
{
	cr_sample_sums_fini(&w->s);
	cr_text_fini(&w->text);
	cr_text_fini(&w->message);
	cr_text_fini(&w->inner);
	cr_row_texts_fini(&w->of_node);
	cr_row_texts_fini(&w->of_thread);
	cr_row_texts_fini(&w->of_cpu);
}

static int
pprof_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct pprof w = {0};
	int rc;

	(void)options;
	pprof_init(&w, in);
	w.out = cr_gzip_out_open(out);
	rc = put_profile(&w, err);
	rc = cr_gzip_out_close(w.out, rc, err);
	pprof_fini(&w);
	return rc;
}

static const char *const pprof_extensions[] = {".pb.gz", ".pprof", NULL};

const struct cr_writer cr_writer_pprof = {
	.name = "pprof",
	.extensions = pprof_extensions,
	.about = "profile of pprof, for go tool pprof, Pyroscope, Parca and others",
	.needs = CR_WRITER_PLACES | CR_WRITER_LINES,
	.write = pprof_write,
};
