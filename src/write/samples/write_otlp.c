#include "bytes/otlp_fields.h"
#include "row_texts_p.h"
#include "sample_sums_p.h"
#include "wire_out_p.h"

#include <stdlib.h>

/*
 * OpenTelemetry profiles, see bytes/otlp_fields.h. Each event is a profile; the main one is first,
 * as viewers show that one. A single event is followed by a profile with the number of samples.
 * Samples with the same thread, cpu and stack are added up.
 *
 * The keys of attributes are those of OpenTelemetry's semantic conventions, where they have one.
 */
#define NO_SERVICE "unknown_service" /* what the conventions call it */

struct otlp_options {
	const char *service;
};

struct otlp {
	struct cr_sample_sums s;
	const struct otlp_options *options;
	uint32_t *stack;              /* by node: its row of the stacks; 0: none yet, or the root */
	CR_VEC(uint32_t) stacks;      /* row - 1: a node */
	struct cr_strings attributes; /* encoded; row 0 is empty */
	/* The attribute indices of a thread and of a cpu; numbers, not a whole field. */
	struct cr_row_texts of_thread, of_cpu;
	struct cr_text profiles, dictionary; /* output */
	/* Messages inside of one another, and the numbers of a packed list. */
	struct cr_text profile, message, inner, packed;
};

static void
put_message(struct cr_text *to, uint32_t field, struct cr_text *message)
{
	cr_wire_put_bytes(to, field, cr_text_view(message));
	cr_text_clear(message);
}

/* A packed list, which is left out if it is empty. */
static void
put_packed(struct cr_text *to, uint32_t field, struct cr_text *packed)
{
	if (packed->len)
		cr_wire_put_bytes(to, field, cr_text_view(packed));
	cr_text_clear(packed);
}

/* ---- attributes */

/* Append a value that is a number; 0 is written, too, as it is one of several alternatives. */
static void
put_int_value(struct cr_text *to, uint32_t field, uint32_t kind, uint64_t v)
{
	struct cr_text value = {0};

	cr_wire_put_uleb(&value, (uint64_t)kind << 3);
	cr_wire_put_uleb(&value, v);
	put_message(to, field, &value);
	cr_text_fini(&value);
}

static void
put_text_value(struct cr_text *to, uint32_t field, struct cr_str s)
{
	struct cr_text value = {0}, text = {0};

	cr_sample_text_put(s, &text);
	cr_wire_put_bytes(&value, CR_OTLP_TEXT, cr_text_view(&text));
	put_message(to, field, &value);
	cr_text_fini(&value);
	cr_text_fini(&text);
}

/* Append the index of the attribute in w->inner, which is cleared, to w->packed. */
static void
attribute_add(struct otlp *w)
{
	const uint32_t row = cr_strings_intern(&w->attributes, &w->s.made, cr_text_view(&w->inner));

	cr_text_clear(&w->inner);
	cr_wire_put_uleb(&w->packed, row);
}

static void
attribute_int(struct otlp *w, const char *key, uint64_t v)
{
	cr_wire_put_number(&w->inner, 1, cr_sums_string(&w->s, cr_str_of(key)));
	put_int_value(&w->inner, 2, CR_OTLP_INT, v);
	attribute_add(w);
}

static void
attribute_text(struct otlp *w, const char *key, struct cr_str text)
{
	if (!text.len)
		return;
	cr_wire_put_number(&w->inner, 1, cr_sums_string(&w->s, cr_str_of(key)));
	put_text_value(&w->inner, 2, text);
	attribute_add(w);
}

/* ---- profiles */

static void
put_thread(struct otlp *w, uint32_t row)
{
	const struct cr_sample_thread *t = &w->s.threads.rows[row];
	const size_t start = w->packed.len;

	if (cr_row_texts_put(&w->of_thread, row, &w->packed))
		return;
	attribute_text(w, "thread.name", t->comm);
	if (t->pid >= 0)
		attribute_int(w, "process.pid", (uint64_t)t->pid);
	if (t->tid >= 0)
		attribute_int(w, "thread.id", (uint64_t)t->tid);
	cr_row_texts_keep(&w->of_thread, row, &w->packed, start);
}

static void
put_cpu(struct otlp *w, uint16_t cpu)
{
	const size_t start = w->packed.len;

	if (cpu >= CR_CPU_UNKNOWN || cr_row_texts_put(&w->of_cpu, cpu, &w->packed))
		return;
	attribute_int(w, "cpu.logical_number", cpu);
	cr_row_texts_keep(&w->of_cpu, cpu, &w->packed, start);
}

static uint32_t
stack_of(struct otlp *w, uint32_t node)
{
	if (node && !w->stack[node]) {
		cr_vec_push(&w->stacks, node);
		w->stack[node] = (uint32_t)w->stacks.n;
	}
	return w->stack[node];
}

static void
put_sample(struct otlp *w, const struct cr_sums_place *at, uint64_t value)
{
	cr_wire_put_number(&w->message, 1, stack_of(w, at->node));
	put_thread(w, at->thread);
	put_cpu(w, at->cpu);
	put_packed(&w->message, 2, &w->packed);
	cr_wire_put_uleb(&w->packed, value);
	put_packed(&w->message, 4, &w->packed);
	put_message(&w->profile, CR_OTLP_SAMPLE, &w->message);
}

static void
put_type(struct otlp *w, uint32_t field, struct cr_str name, struct cr_str unit)
{
	cr_wire_put_number(&w->message, 1, cr_sums_string(&w->s, name));
	cr_wire_put_number(&w->message, 2, cr_sums_string(&w->s, unit));
	put_message(&w->profile, field, &w->message);
}

static void
put_time(struct cr_text *to, uint32_t field, uint64_t ns)
{
	enum { FIXED64 = 1 };

	if (!ns)
		return;
	cr_wire_put_uleb(to, (uint64_t)field << 3 | FIXED64);
	for (int i = 0; i < 8; i++)
		cr_text_char(to, (char)(ns >> 8 * i));
}

/* The profile of one value of the samples, with this name and unit. */
static void
put_profile(struct otlp *w, uint32_t value, struct cr_str name, struct cr_str unit)
{
	const struct cr_event *main = &w->s.p->events[cr_event_main(w->s.p).i];
	const uint32_t n = cr_sums_values(&w->s);

	put_type(w, CR_OTLP_TYPE, name, unit);
	for (size_t i = 0; i < w->s.places.n; i++)
		if (w->s.values.p[i * n + value])
			put_sample(w, &w->s.places.p[i], w->s.values.p[i * n + value]);
	put_time(&w->profile, CR_OTLP_TIME, cr_sample_date_ns(w->s.p));
	cr_wire_put_number(
		&w->profile, CR_OTLP_DURATION, cr_sums_fact_number(w->s.p, "duration_ns"));
	if (w->s.period) {
		put_type(w, CR_OTLP_PERIOD_TYPE, main->name, cr_sums_unit(main));
		cr_wire_put_number(&w->profile, CR_OTLP_PERIOD, w->s.period);
	}
	attribute_text(w, "cresset.query", cr_str_of(w->s.in->query ? w->s.in->query : ""));
	put_packed(&w->profile, CR_OTLP_PROFILE_ATTRIBUTES, &w->packed);
	put_message(&w->profiles, CR_OTLP_PROFILE, &w->profile);
}

static void
put_event(struct otlp *w, uint32_t type)
{
	const struct cr_event *e = &w->s.p->events[w->s.events.p[type]];

	put_profile(w, type + w->s.counts, e->name, cr_sums_unit(e));
}

static void
put_profiles(struct otlp *w)
{
	const uint32_t main = w->s.p->n_events ? w->s.type_of[cr_event_main(w->s.p).i] : CR_NO_ROW;

	if (main != CR_NO_ROW)
		put_event(w, main);
	for (uint32_t i = 0; i < w->s.events.n; i++)
		if (i != main)
			put_event(w, i);
	if (w->s.counts)
		put_profile(w, 0, CR_STR("samples"), CR_STR("count"));
}

/* ---- the dictionary */

/* What frames are, in the words of the semantic conventions; "" if unknown. */
static struct cr_str
frame_type(uint8_t kind)
{
	if (cr_kind_is_kernel(kind))
		return CR_STR("kernel");
	return kind == CR_KIND_USER || kind == CR_KIND_VDSO ? CR_STR("native") : CR_STR("");
}

static void
put_location(struct otlp *w, uint32_t row)
{
	const struct cr_sums_location *l = &w->s.locations.p[row];
	uint32_t dso = 0;

	for (const struct cr_sums_location *line = l; line; line = cr_sums_line_next(&w->s, line)) {
		const uint32_t function = cr_sums_function(&w->s, line->frame);

		cr_wire_put_number(&w->inner, 1, function + 1);
		cr_wire_put_number(&w->inner, 2, w->s.t->frames[line->frame].line);
		put_message(&w->message, 3, &w->inner);
		dso = w->s.functions.p[function].dso;
	}
	cr_wire_put_number(&w->message, 1, w->s.dsos.rows.p[dso].len ? dso + 1 : 0);
	attribute_text(w, "profile.frame.type", frame_type(w->s.t->frames[l->frame].kind));
	put_packed(&w->message, 4, &w->packed);
	put_message(&w->dictionary, CR_OTLP_LOCATION, &w->message);
}

static void
put_function(struct otlp *w, uint32_t row)
{
	const struct cr_sums_function *f = &w->s.functions.p[row];

	cr_wire_put_number(&w->message, 1, f->name);
	cr_wire_put_number(&w->message, 2, f->system_name);
	cr_wire_put_number(&w->message, 3, f->file);
	put_message(&w->dictionary, CR_OTLP_FUNCTION, &w->message);
}

static void
put_mapping(struct otlp *w, uint32_t row)
{
	const struct cr_str name = w->s.dsos.rows.p[row];
	const struct cr_dso *d = cr_sample_dso(w->s.p, name);

	cr_wire_put_number(&w->message, 4, cr_sums_string(&w->s, name));
	if (d && d->build_id_len) {
		struct cr_text hex = {0};

		cr_sample_build_id(d, &hex);
		attribute_text(w, "process.executable.build_id.gnu", cr_text_view(&hex));
		cr_text_fini(&hex);
	}
	put_packed(&w->message, 5, &w->packed);
	put_message(&w->dictionary, CR_OTLP_MAPPING, &w->message);
}

static void
put_stack(struct otlp *w, uint32_t row)
{
	for (uint32_t n = w->stacks.p[row]; n; n = w->s.caller[n])
		cr_wire_put_uleb(&w->packed, w->s.node_location1[n]);
	put_packed(&w->message, 1, &w->packed);
	put_message(&w->dictionary, CR_OTLP_STACK, &w->message);
}

static void
put_attribute(struct otlp *w, uint32_t row)
{
	cr_wire_put_bytes(&w->dictionary, CR_OTLP_ATTRIBUTE, w->attributes.rows.p[row]);
}

static void
put_string(struct otlp *w, uint32_t row)
{
	cr_sample_text_put(w->s.strings.rows.p[row], &w->message);
	put_message(&w->dictionary, CR_OTLP_STRING, &w->message);
}

/* n items of a table of the dictionary, after the empty item that each table begins with. */
static void
put_table(struct otlp *w, uint32_t field, void (*put)(struct otlp *, uint32_t), size_t n)
{
	cr_wire_put_bytes(&w->dictionary, field, CR_STR(""));
	for (uint32_t i = 0; i < n; i++)
		put(w, i);
}

/*
 * Locations refer to functions, these to dsos, and all to attributes and strings, so those are
 * written last. The empty attribute and the empty string are row 0 already.
 */
static void
put_dictionary(struct otlp *w)
{
	put_table(w, CR_OTLP_STACK, put_stack, w->stacks.n);
	put_table(w, CR_OTLP_LOCATION, put_location, w->s.locations.n);
	put_table(w, CR_OTLP_FUNCTION, put_function, w->s.functions.n);
	put_table(w, CR_OTLP_MAPPING, put_mapping, w->s.dsos.rows.n);
	put_table(w, CR_OTLP_LINK, NULL, 0);
	for (uint32_t i = 0; i < w->attributes.rows.n; i++)
		put_attribute(w, i);
	for (uint32_t i = 0; i < w->s.strings.rows.n; i++)
		put_string(w, i);
}

/* ---- the resource */

static void
put_resource_text(struct otlp *w, const char *key, struct cr_str text)
{
	if (!text.len)
		return;
	cr_wire_put_bytes(&w->inner, 1, cr_str_of(key));
	put_text_value(&w->inner, 2, text);
	put_message(&w->message, 1, &w->inner);
}

/* The processor in the words of the semantic conventions; others are written as recorded. */
static struct cr_str
arch_of(struct cr_str machine)
{
	static const char *const words[][2] = {{"x86_64", "amd64"}, {"aarch64", "arm64"},
		{"i686", "x86"}, {"i386", "x86"}, {"armv7l", "arm32"}, {"ppc64le", "ppc64"}};

	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_eq(machine, cr_str_of(words[i][0])))
			return cr_str_of(words[i][1]);
	return machine;
}

/* The machine and the command that were recorded, in w->message. */
static void
put_resource(struct otlp *w)
{
	const struct cr_profile *p = w->s.p;
	const struct cr_str release = cr_profile_fact(p, "osrelease");
	const struct cr_str service = cr_profile_fact(p, "service");

	put_resource_text(w, "service.name",
		w->options->service ? cr_str_of(w->options->service)
		: service.len       ? service
				    : CR_STR(NO_SERVICE));
	put_resource_text(w, "host.name", cr_profile_fact(p, "hostname"));
	put_resource_text(w, "host.arch", arch_of(cr_profile_fact(p, "arch")));
	put_resource_text(w, "os.type", release.len ? CR_STR("linux") : CR_STR(""));
	put_resource_text(w, "os.version", release);
	put_resource_text(w, "process.command_line", cr_profile_fact(p, "cmdline"));
}

/* Append the number and the length of a field whose bytes follow. */
static void
put_head(struct cr_text *to, uint32_t field, size_t len)
{
	enum { BYTES = 2 };

	cr_wire_put_uleb(to, (uint64_t)field << 3 | BYTES);
	cr_wire_put_uleb(to, len);
}

/* Write everything. The large parts are not copied into the messages around them. */
static int
put_data(struct otlp *w, struct cr_sink *out, struct cr_err *err)
{
	struct cr_text resource = {0}, scope = {0}, head = {0};
	int rc;

	put_resource(w);
	put_message(&resource, CR_OTLP_RESOURCE, &w->message);
	cr_wire_put_bytes(&w->message, 1, CR_STR("cresset"));
	cr_wire_put_bytes(&w->message, 2, CR_STR(PACKAGE_VERSION));
	put_message(&scope, CR_OTLP_SCOPE, &w->message);
	put_head(&resource, CR_OTLP_SCOPE_PROFILES, scope.len + w->profiles.len);
	put_head(&head, CR_OTLP_RESOURCE_PROFILES, resource.len + scope.len + w->profiles.len);
	cr_text_str(&head, cr_text_view(&resource));
	cr_text_str(&head, cr_text_view(&scope));
	rc = cr_sink_text(out, &head, err);
	if (rc == CR_OK)
		rc = cr_sink_text(out, &w->profiles, err);
	put_head(&head, CR_OTLP_DICTIONARY, w->dictionary.len);
	if (rc == CR_OK)
		rc = cr_sink_text(out, &head, err);
	if (rc == CR_OK)
		rc = cr_sink_text(out, &w->dictionary, err);
	cr_text_fini(&resource);
	cr_text_fini(&scope);
	cr_text_fini(&head);
	return rc;
}

/* ---- */

static void
otlp_init(struct otlp *w, const struct cr_write_in *in)
{
	cr_sample_sums_init(&w->s, in);
	w->stack = cr_alloc(w->s.t->n, sizeof(*w->stack));
	cr_strings_add(&w->attributes, CR_STR(""));
	cr_row_texts_init(&w->of_thread, w->s.threads.n);
	cr_row_texts_init(&w->of_cpu, CR_CPU_UNKNOWN);
}

static void
otlp_fini(struct otlp *w)
{
	cr_strings_fini(&w->attributes);
	cr_sample_sums_fini(&w->s);
	free(w->stack);
	cr_vec_fini(&w->stacks);
	cr_row_texts_fini(&w->of_thread);
	cr_row_texts_fini(&w->of_cpu);
	cr_text_fini(&w->profiles);
	cr_text_fini(&w->dictionary);
	cr_text_fini(&w->profile);
	cr_text_fini(&w->message);
	cr_text_fini(&w->inner);
	cr_text_fini(&w->packed);
}

static int
otlp_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	struct otlp w = {.options = options};
	int rc;

	otlp_init(&w, in);
	cr_sums_period(&w.s);
	put_profiles(&w);
	put_dictionary(&w);
	rc = put_data(&w, out, err);
	otlp_fini(&w);
	return rc;
}

static const char *const otlp_extensions[] = {".otlp", NULL};

static const struct cr_option_spec otlp_options[] = {
	{.name = "service",
		.arg = "NAME",
		.help = "name of the service in viewers; default: as read, or unknown_service",
		.type = CR_OPTION_TEXT,
		.min = 1,
		.at = offsetof(struct otlp_options, service)},
	{0},
};

const struct cr_writer cr_writer_otlp = {
	.name = "otlp",
	.extensions = otlp_extensions,
	.about = "profiles of OpenTelemetry, for collectors, Pyroscope and others",
	.needs = CR_WRITER_PLACES | CR_WRITER_LINES,
	.options = otlp_options,
	.options_size = sizeof(struct otlp_options),
	.write = otlp_write,
};
