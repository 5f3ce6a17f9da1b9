#include "otlp_dictionary_p.h"
#include "otlp_probe_p.h"
#include "pprof_samples_p.h"

#include <stdlib.h>
#include <time.h>

/*
 * OpenTelemetry profiles, see bytes/otlp_fields.h. The dictionary usually follows the profiles. So
 * the first pass stores where its items are, and the second makes the samples and what they refer
 * to, each once.
 *
 * Profiles with the same type and unit are one event. The attributes of a sample are its labels; if
 * there are several resources, the names of service and host are labels, too.
 */
#define ATTRIBUTES_MOST 64u /* of a sample; each of its observations has all of them */

struct otlp {
	struct cr_otlp_dictionary dictionary;
	struct cr_builder *b;
	const unsigned char *p;                    /* the input */
	cr_otlp_numbers attributes, values, times; /* of the current sample */
	struct cr_stacks stacks;
	struct cr_pprof_types types;
	uint32_t type;                     /* of the current profile */
	int64_t value[CR_PPROF_TYPES_MAX]; /* by type: of the current sample */
	struct cr_pprof_labels labels;
	struct cr_cursor resource; /* of the current profile */
	/* Its service and host; empty if there is only one resource. */
	struct cr_otlp_attribute whose[2];
	uint32_t n_resources;
	uint64_t time_ns, duration_ns, period; /* of the first profile that states them */
	uint64_t period_type, period_unit;
	bool stopped;
};

/* ---- attributes */

/* The names of threads and processors, as labels of pprof have them. */
static struct cr_str
label_name(struct cr_str key)
{
	static const char *const names[][2] = {
		{"thread.name", "comm"},
		{"thread.id", "tid"},
		{"process.pid", "pid"},
		{"cpu.logical_number", "cpu"},
	};

	for (size_t i = 0; i < CR_LEN(names); i++)
		if (cr_str_eq(key, cr_str_of(names[i][0])))
			return cr_str_of(names[i][1]);
	return key;
}

static void
label_add(struct otlp *o, const struct cr_otlp_attribute *a)
{
	if (a->value.is_text)
		cr_pprof_label_text(&o->labels, o->b, label_name(a->key), a->value.text);
	else if (a->value.is_number)
		cr_pprof_label_number(&o->labels, label_name(a->key), a->value.number);
}

/* The text of an attribute {1 key, 2 value} of a resource; "" if it has another key. */
static struct cr_str
attribute_is(struct otlp *o, struct cr_cursor c, const char *wanted)
{
	struct cr_otlp_value v = {0};
	struct cr_str key = CR_STR("");
	struct cr_wire_field f;

	while (cr_wire_next(&c, &f)) {
		if (f.number == 1 && f.type == CR_WIRE_BYTES)
			key = cr_otlp_text(&f.bytes);
		else if (f.number == 2 && f.type == CR_WIRE_BYTES)
			v = cr_otlp_value_read(&o->dictionary, f.bytes);
	}
	return cr_str_eq(key, cr_str_of(wanted)) ? v.text : CR_STR("");
}

static struct cr_str
resource_text(struct otlp *o, const char *key)
{
	struct cr_cursor c = o->resource;
	struct cr_str text = CR_STR("");
	struct cr_wire_field f;

	while (!text.len && cr_wire_next(&c, &f))
		if (f.number == 1 && f.type == CR_WIRE_BYTES)
			text = attribute_is(o, f.bytes, key);
	return text;
}

/* ---- samples */

static void
times_read(struct otlp *o, const struct cr_wire_field *f)
{
	struct cr_cursor packed = f->bytes;

	if (f->type == CR_WIRE_FIXED64)
		cr_vec_push(&o->times, f->value);
	while (cr_cursor_left(&packed) >= 8)
		cr_vec_push(&o->times, cr_cursor_u64(&packed));
}

static void
labels_read(struct otlp *o)
{
	cr_pprof_labels_clear(&o->labels);
	if (o->attributes.n > ATTRIBUTES_MOST)
		cr_otlp_damaged(&o->dictionary, "samples with more than 64 attributes", NULL);
	for (size_t i = 0; i < CR_MIN(o->attributes.n, (size_t)ATTRIBUTES_MOST); i++) {
		const struct cr_otlp_attribute *a =
			cr_otlp_attribute(&o->dictionary, o->attributes.p[i]);

		if (a)
			label_add(o, a);
	}
	for (size_t i = 0; i < CR_LEN(o->whose); i++)
		if (o->whose[i].value.text.len)
			label_add(o, &o->whose[i]);
}

static void
observation_add(struct otlp *o, cr_node_id node, uint64_t value, uint64_t time_ns)
{
	o->value[o->type] = (int64_t)value;
	o->labels.time_ns = time_ns;
	cr_pprof_sample_at(&o->stacks, &o->types, node, o->value, o->types.n, &o->labels);
	o->value[o->type] = 0;
}

/* Values without times, values with a time each, or times only, each of which counts 1. */
static void
observations_add(struct otlp *o, cr_node_id node)
{
	const size_t n = CR_MAX(o->values.n, o->times.n);

	if (o->values.n && o->times.n && o->values.n != o->times.n)
		cr_otlp_damaged(&o->dictionary,
			"samples with another number of values than of times", NULL);
	for (size_t i = 0; i < n; i++) {
		if (o->values.n && i >= o->values.n)
			break;
		observation_add(o, node, o->values.n ? o->values.p[i] : 1,
			i < o->times.n ? o->times.p[i] : 0);
	}
}

static void
sample_read(struct otlp *o, struct cr_cursor c)
{
	const unsigned char *at = c.p;
	uint64_t stack = 0;
	bool good = true;
	struct cr_wire_field f;

	o->attributes.n = o->values.n = o->times.n = 0;
	while (cr_wire_next(&c, &f))
		switch (f.number) {
		case 1: stack = f.value; break;
		case 2: good &= cr_otlp_numbers_read(&o->attributes, &f); break;
		case 4: good &= cr_otlp_numbers_read(&o->values, &f); break;
		case 5: times_read(o, &f); break;
		default: break;
		}
	if (c.bad || !good) {
		cr_otlp_damaged(&o->dictionary, "samples that cannot be read", at);
		return;
	}
	labels_read(o);
	observations_add(o, cr_otlp_stack(&o->dictionary, stack));
}

/* ---- profiles */

static void
type_read(struct cr_cursor c, uint64_t *type, uint64_t *unit)
{
	struct cr_wire_field f;

	while (cr_wire_next(&c, &f)) {
		if (f.number == 1)
			*type = f.value;
		else if (f.number == 2)
			*unit = f.value;
	}
}

/* The type of a profile; it is added if no other profile has it. CR_PPROF_TYPES_MAX: too many. */
static uint32_t
type_of(struct otlp *o, struct cr_cursor c)
{
	struct cr_pprof_type new = {.name = CR_STR("samples")};
	uint64_t type = 0, unit = 0;
	struct cr_wire_field f;

	while (cr_wire_next(&c, &f))
		if (f.number == CR_OTLP_TYPE && f.type == CR_WIRE_BYTES)
			type_read(f.bytes, &type, &unit);
	if (type)
		new.name = cr_otlp_string(&o->dictionary, type);
	new.unit = cr_otlp_string(&o->dictionary, unit);
	for (uint32_t i = 0; i < o->types.n; i++)
		if (cr_str_eq(o->types.row[i].name, new.name) &&
			cr_str_eq(o->types.row[i].unit, new.unit))
			return i;
	if (o->types.n == CR_PPROF_TYPES_MAX)
		return CR_PPROF_TYPES_MAX;
	o->types.row[o->types.n] = new;
	return o->types.n++;
}

static void
type_add(struct otlp *o, struct cr_cursor c)
{
	if (type_of(o, c) == CR_PPROF_TYPES_MAX)
		cr_otlp_damaged(&o->dictionary, "sample types beyond the limit of 256", c.p);
}

/* Returns false if the user cancelled. */
static bool
still_wanted(struct otlp *o, const struct cr_cursor *c, uint64_t *last)
{
	const uint64_t at = (uint64_t)(c->p - o->p);

	if (at - *last < (1u << 20))
		return !o->stopped;
	*last = at;
	if (!cr_progress_step(o->stacks.opts->progress, "reading", at, at + cr_cursor_left(c)))
		o->stopped = true;
	return !o->stopped;
}

/* The header fields of the first profile that has each. */
static void
profile_field(struct otlp *o, const struct cr_wire_field *f)
{
	uint64_t *const number[] = {
		[CR_OTLP_TIME] = &o->time_ns,
		[CR_OTLP_DURATION] = &o->duration_ns,
		[CR_OTLP_PERIOD] = &o->period,
	};

	if (f->number == CR_OTLP_PERIOD_TYPE && f->type == CR_WIRE_BYTES && !o->period_type)
		type_read(f->bytes, &o->period_type, &o->period_unit);
	else if (f->number < CR_LEN(number) && number[f->number] && !*number[f->number])
		*number[f->number] = f->value;
}

static void
profile_read(struct otlp *o, struct cr_cursor c)
{
	uint64_t last = (uint64_t)(c.p - o->p);
	struct cr_wire_field f;

	o->type = type_of(o, c);
	if (o->type == CR_PPROF_TYPES_MAX)
		return;
	while (still_wanted(o, &c, &last) && cr_wire_next(&c, &f)) {
		if (f.number == CR_OTLP_SAMPLE && f.type == CR_WIRE_BYTES)
			sample_read(o, f.bytes);
		else
			profile_field(o, &f);
	}
	if (c.bad)
		cr_otlp_damaged(
			&o->dictionary, "damaged: a profile cannot be read to its end", c.end);
}

/* ---- the way to the profiles */

typedef void on_profile(struct otlp *o, struct cr_cursor profile);

static void
scope_walk(struct otlp *o, struct cr_cursor c, on_profile *each)
{
	struct cr_wire_field f;

	while (cr_otlp_next(&c, &f))
		if (f.number == CR_OTLP_PROFILE && f.type == CR_WIRE_BYTES)
			each(o, f.bytes);
}

/* With several resources each sample has the service and the host of its own. */
static void
resource_names(struct otlp *o)
{
	static const char *const keys[] = {"service.name", "host.name"};

	for (size_t i = 0; o->n_resources > 1 && i < CR_LEN(keys); i++)
		o->whose[i] = (struct cr_otlp_attribute){
			cr_str_of(keys[i]), {.text = resource_text(o, keys[i]), .is_text = true}};
}

static void
resource_walk(struct otlp *o, struct cr_cursor c, on_profile *each)
{
	struct cr_wire_field f;

	cr_cursor_init(&o->resource, c.p, 0);
	for (struct cr_cursor first = c; cr_wire_next(&first, &f);)
		if (f.number == CR_OTLP_RESOURCE && f.type == CR_WIRE_BYTES)
			o->resource = f.bytes;
	resource_names(o);
	while (cr_otlp_next(&c, &f))
		if (f.number == CR_OTLP_SCOPE_PROFILES && f.type == CR_WIRE_BYTES)
			scope_walk(o, f.bytes, each);
}

/* Call each() for every profile of the input. */
static void
walk(struct otlp *o, struct cr_cursor c, on_profile *each)
{
	struct cr_wire_field f;

	while (!o->stopped && cr_otlp_next(&c, &f))
		if (f.number == CR_OTLP_RESOURCE_PROFILES && f.type == CR_WIRE_BYTES)
			resource_walk(o, f.bytes, each);
}

static void
first_pass(struct otlp *o, struct cr_cursor c)
{
	const struct cr_cursor all = c;
	struct cr_wire_field f;

	while (cr_otlp_next(&c, &f)) {
		if (f.type != CR_WIRE_BYTES)
			continue;
		if (f.number == CR_OTLP_DICTIONARY)
			cr_otlp_dictionary_read(&o->dictionary, f.bytes);
		else
			o->n_resources += f.number == CR_OTLP_RESOURCE_PROFILES;
	}
	if (c.bad)
		cr_otlp_damaged(&o->dictionary, "damaged: cannot be read to its end", c.end);
	walk(o, all, type_add);
}

/* ---- header fields */

static void
fact_number(struct otlp *o, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
	if (v && v <= INT64_MAX)
		cr_builder_fact(o->b, key, cr_str_of(text));
}

static void
report_sampling(struct otlp *o)
{
	struct cr_text text = {0};

	cr_text_printf(&text, "%lld ", (long long)o->period);
	cr_text_str(&text, cr_otlp_string(&o->dictionary, o->period_unit));
	cr_text_puts(&text, " of ");
	cr_text_str(&text, cr_otlp_string(&o->dictionary, o->period_type));
	if (o->period && o->period_type)
		cr_builder_fact(o->b, "sampling", cr_text_view(&text));
	cr_text_fini(&text);
}

/* Of one resource: several have no common values. */
static void
report_resource(struct otlp *o)
{
	static const char *const keys[][2] = {
		{"service.name", "service"},
		{"host.name", "hostname"},
		{"host.arch", "arch"},
		{"os.version", "osrelease"},
		{"process.command_line", "cmdline"},
	};

	for (size_t i = 0; o->n_resources == 1 && i < CR_LEN(keys); i++) {
		const struct cr_str text = resource_text(o, keys[i][0]);

		if (text.len && !cr_str_eq(text, CR_STR("unknown_service")))
			cr_builder_fact(o->b, keys[i][1], text);
	}
}

static void
report_facts(struct otlp *o)
{
	const time_t when = (time_t)(o->time_ns / 1000000000u);
	char date[40];
	struct tm tm;

	if (o->time_ns && o->time_ns <= INT64_MAX && gmtime_r(&when, &tm) &&
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm))
		cr_builder_fact(o->b, "date", cr_str_of(date));
	fact_number(o, "duration_ns", o->duration_ns);
	report_sampling(o);
	report_resource(o);
}

/* ---- */

static void
otlp_free(struct otlp *o)
{
	cr_otlp_dictionary_fini(&o->dictionary);
	cr_vec_fini(&o->attributes);
	cr_vec_fini(&o->values);
	cr_vec_fini(&o->times);
	cr_pprof_labels_fini(&o->labels);
	free(o);
}

static int
read_otlp(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct otlp *o = cr_alloc(1, sizeof(*o));
	struct cr_cursor c;
	int rc;

	o->b = o->dictionary.b = b;
	o->p = o->dictionary.p = in->p;
	o->dictionary.log = opts->log;
	o->dictionary.stacks = &o->stacks;
	cr_stacks_open_bare(&o->stacks, in, b, opts);
	o->labels.space = o->stacks.space;
	cr_cursor_init(&c, in->p, in->len);
	first_pass(o, c);
	if (o->types.n) {
		cr_pprof_events(&o->types, b, o->types.row[0].name);
		walk(o, c, profile_read);
		cr_pprof_set_main(&o->types, b);
		report_facts(o);
	}
	o->stacks.stopped = o->stopped;
	rc = cr_stacks_close(&o->stacks, err);
	otlp_free(o);
	return rc;
}

const struct cr_reader cr_reader_otlp = {
	.name = "otlp",
	.about = "profiles of OpenTelemetry, protocol buffers: .otlp",
	.heads = CR_HEAD_TEXT | CR_HEAD_BINARY,
	.probe = cr_otlp_probe,
	.read = read_otlp,
};
