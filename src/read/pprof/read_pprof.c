#include "base/hash.h"
#include "bytes/pprof_fields.h"
#include "bytes/wire.h"

#include "mappings_p.h"
#include "pprof_samples_p.h"

#include <stdlib.h>
#include <time.h>

/*
 * pprof's own format, see bytes/pprof_fields.h. Fields come in any order, and the strings usually
 * last. So the first pass stores positions, and the second makes the samples and what they refer
 * to, each once. Ids may be any numbers.
 */
/* A message that others refer to by id. */
struct item {
	uint64_t id;
	uint64_t at; /* offset of its bytes */
	uint32_t len;
	uint32_t made1; /* row made from it, + 1; 0 if none yet */
};

struct table {
	CR_VEC(struct item) items;
	struct cr_index index;
};

typedef CR_VEC(uint64_t) numbers;

struct profile {
	struct cr_builder *b;
	struct cr_log *log;
	const unsigned char *p; /* the input */
	CR_VEC(struct cr_str) strings;
	struct table mappings, locations, functions;
	CR_VEC(struct cr_mapping) mapping; /* those created so far */
	CR_VEC(struct cr_named) named;     /* lines of the current location */
	numbers ids, values;               /* of the current sample */
	CR_VEC(struct cr_cursor) label_spans;
	numbers comments;
	struct cr_text text;
	struct cr_stacks stacks;
	struct cr_pprof_types types;
	struct cr_pprof_labels labels;
	struct {
		uint64_t type, unit;
	} type[CR_PPROF_TYPES_MAX], period_type;
	uint64_t drop, keep, time_ns, duration_ns, period, default_type;
	bool stopped;
};

static void
damaged(struct profile *p, const char *kind, uint64_t at)
{
	cr_log_warn(p->log, kind, at, "%s", "");
	cr_builder_flags(p->b, CR_PROFILE_IN_PART);
}

static void
missing(struct profile *p, const char *kind, uint64_t number)
{
	cr_log_warn(p->log, kind, CR_NO_OFFSET, "number %llu", (unsigned long long)number);
	cr_builder_flags(p->b, CR_PROFILE_IN_PART);
}

static struct cr_str
string_at(struct profile *p, uint64_t number)
{
	if (number < p->strings.n) {
		struct cr_str *s = &p->strings.p[number];

		*s = cr_builder_shared(p->b, *s);
		return *s;
	}
	if (number)
		missing(p, "references to missing strings", number);
	return CR_STR("");
}

/* ---- messages by id */

static struct item *
table_find(struct table *t, uint64_t id)
{
	const uint64_t h = cr_hash_mix(id, 0);
	uint32_t row;

	/* Usually they are numbered in order. */
	if (id - 1 < t->items.n && t->items.p[id - 1].id == id)
		return &t->items.p[id - 1];
	cr_index_each(&t->index, h, row)
		if (t->items.p[row].id == id)
			return &t->items.p[row];
	return NULL;
}

/*
 * The id of a message; false if the message is invalid. If it is missing, as with some writers, it
 * is the message's index.
 */
static bool
id_of(struct cr_cursor message, uint64_t place, uint64_t *id)
{
	struct cr_wire_field f;

	*id = 0;
	while (cr_wire_next(&message, &f))
		if (f.number == 1 && f.type == CR_WIRE_VARINT)
			*id = f.value;
	if (*id == 0)
		*id = place;
	return !message.bad;
}

static void
table_add(struct profile *p, struct table *t, const struct cr_cursor *message)
{
	struct item new = {
		.at = (uint64_t)(message->p - p->p), .len = (uint32_t)cr_cursor_left(message)};

	if (cr_cursor_left(message) > UINT32_MAX || t->items.n >= CR_NO_ROW - 1 ||
		!id_of(*message, t->items.n + 1, &new.id)) {
		damaged(p, "mappings, locations or functions that cannot be read", new.at);
		return;
	}
	if (table_find(t, new.id)) {
		damaged(p, "identifiers given twice", new.at);
		return;
	}
	cr_index_add(&t->index, cr_hash_mix(new.id, 0), (uint32_t)t->items.n);
	cr_vec_push(&t->items, new);
}

static struct cr_cursor
item_bytes(const struct profile *p, const struct item *i)
{
	struct cr_cursor c;

	cr_cursor_init(&c, p->p + i->at, i->len);
	return c;
}

/* ---- the first pass: positions */

static void
type_read(struct cr_cursor message, uint64_t *type, uint64_t *unit)
{
	struct cr_wire_field f;

	while (cr_wire_next(&message, &f)) {
		if (f.number == 1)
			*type = f.value;
		else if (f.number == 2)
			*unit = f.value;
	}
}

/* Packed, or one by one. Returns false if packed numbers are damaged. */
static bool
numbers_read(numbers *out, const struct cr_wire_field *f)
{
	struct cr_cursor packed = f->bytes;

	if (f->type == CR_WIRE_VARINT)
		cr_vec_push(out, f->value);
	while (cr_cursor_left(&packed))
		cr_vec_push(out, cr_cursor_uleb(&packed));
	return !packed.bad;
}

static void
message_read(struct profile *p, const struct cr_wire_field *f)
{
	switch (f->number) {
	case CR_PPROF_TYPE:
		if (p->types.n == CR_PPROF_TYPES_MAX) {
			damaged(p, "sample types beyond the limit of 256",
				(uint64_t)(f->bytes.p - p->p));
			break;
		}
		type_read(f->bytes, &p->type[p->types.n].type, &p->type[p->types.n].unit);
		p->types.n++;
		break;
	case CR_PPROF_MAPPING: table_add(p, &p->mappings, &f->bytes); break;
	case CR_PPROF_LOCATION: table_add(p, &p->locations, &f->bytes); break;
	case CR_PPROF_FUNCTION: table_add(p, &p->functions, &f->bytes); break;
	case CR_PPROF_STRING:
		cr_vec_push(&p->strings,
			((struct cr_str){(const char *)f->bytes.p,
				(uint32_t)CR_MIN(cr_cursor_left(&f->bytes), (size_t)UINT32_MAX)}));
		break;
	case CR_PPROF_PERIOD_TYPE:
		type_read(f->bytes, &p->period_type.type, &p->period_type.unit);
		break;
	default: break;
	}
}

static void
field_read(struct profile *p, const struct cr_wire_field *f)
{
	uint64_t *const number[] = {
		[CR_PPROF_DROP] = &p->drop,
		[CR_PPROF_KEEP] = &p->keep,
		[CR_PPROF_TIME] = &p->time_ns,
		[CR_PPROF_DURATION] = &p->duration_ns,
		[CR_PPROF_PERIOD] = &p->period,
		[CR_PPROF_DEFAULT_TYPE] = &p->default_type,
	};

	if (f->number == CR_PPROF_COMMENT)
		numbers_read(&p->comments, f);
	else if (f->type == CR_WIRE_BYTES)
		message_read(p, f);
	else if (f->number < CR_LEN(number) && number[f->number])
		*number[f->number] = f->value;
}

/* Returns false if the user cancelled. */
static bool
still_wanted(struct profile *p, const struct cr_cursor *c, uint64_t *last)
{
	if (cr_cursor_at(c) - *last < (1u << 20))
		return true;
	*last = cr_cursor_at(c);
	p->stopped = !cr_progress_step(
		p->stacks.opts->progress, "reading", *last, *last + cr_cursor_left(c));
	return !p->stopped;
}

static void
first_pass(struct profile *p, struct cr_cursor c)
{
	struct cr_wire_field f;
	uint64_t last = 0, at = 0;

	while (still_wanted(p, &c, &last) && cr_wire_next(&c, &f)) {
		field_read(p, &f);
		at = cr_cursor_at(&c);
	}
	if (c.bad)
		damaged(p, "damaged: cannot be read to its end", at);
}

/* ---- what samples refer to */

/* The mapping with this id; NULL if none. Valid until the next one is created. */
static const struct cr_mapping *
mapping_of(struct profile *p, uint64_t id)
{
	struct item *i = id ? table_find(&p->mappings, id) : NULL;
	struct cr_mapping new = {0};
	uint64_t file = 0, build_id = 0;
	struct cr_wire_field f;
	struct cr_cursor c;

	if (!i) {
		if (id)
			missing(p, "references to missing mappings", id);
		return NULL;
	}
	if (i->made1)
		return &p->mapping.p[i->made1 - 1];
	c = item_bytes(p, i);
	while (cr_wire_next(&c, &f))
		switch (f.number) {
		case 2: new.start = f.value; break;
		case 3: new.end = f.value; break;
		case 4: new.offset = f.value; break;
		case 5: file = f.value; break;
		case 6: build_id = f.value; break;
		default: break;
		}
	new.dso = cr_mapping_dso(p->b, string_at(p, file), string_at(p, build_id), &new.has_id);
	if (new.start < new.end)
		cr_builder_map(p->b, p->labels.space, new.start, new.end, new.offset, new.dso);
	cr_vec_push(&p->mapping, new);
	i->made1 = (uint32_t)p->mapping.n;
	return &p->mapping.p[i->made1 - 1];
}

/* Name and file of a function; the name is "" if it has none. */
static void
function_of(struct profile *p, uint64_t id, struct cr_named *out)
{
	const struct item *i = id ? table_find(&p->functions, id) : NULL;
	struct cr_pprof_function f;

	out->name = out->file = CR_STR("");
	if (!i) {
		if (id)
			missing(p, "references to missing functions", id);
		return;
	}
	f = cr_pprof_function_read(item_bytes(p, i), 2);
	out->name = string_at(p, f.name);
	if (out->name.len == 0)
		out->name = string_at(p, f.system_name);
	out->file = string_at(p, f.file);
}

static void
line_read(struct profile *p, struct cr_cursor message)
{
	const struct cr_pprof_line line = cr_pprof_line_read(message);
	struct cr_named named = {.line = line.line};

	function_of(p, line.function, &named);
	if (p->named.n < UINT16_MAX)
		cr_vec_push(&p->named, named);
	else
		damaged(p, "inlined functions beyond the limit of 65535 in one place",
			(uint64_t)(message.p - p->p));
}

static cr_location_id
location_make(struct profile *p, const struct item *i)
{
	struct cr_cursor c = item_bytes(p, i);
	const struct cr_mapping *mapping;
	uint64_t mapping_id = 0, addr = 0;
	struct cr_wire_field f;

	p->named.n = 0;
	while (cr_wire_next(&c, &f)) {
		if (f.number == 2)
			mapping_id = f.value;
		else if (f.number == 3)
			addr = f.value;
		else if (f.number == 4 && f.type == CR_WIRE_BYTES)
			line_read(p, f.bytes);
	}
	mapping = mapping_of(p, mapping_id);
	if (!cr_pprof_names_ready(p->named.p, p->named.n))
		return cr_mapping_nameless(p->b, mapping, addr);
	return cr_builder_named_at(
		p->b, mapping ? mapping->dso : CR_DSO_UNKNOWN, 0, p->named.p, p->named.n);
}

static void
push_location(struct profile *p, uint64_t id)
{
	struct item *i = table_find(&p->locations, id);

	if (!i) {
		missing(p, "references to missing locations", id);
		cr_stacks_frame(&p->stacks, CR_STR("[unknown]"), CR_DSO_UNKNOWN);
		return;
	}
	if (!i->made1)
		i->made1 = location_make(p, i).i + 1;
	cr_stacks_location(&p->stacks, (cr_location_id){i->made1 - 1});
}

/* ---- the second pass: samples */

/* Consecutive texts with one name become one text. */
struct label {
	uint64_t key; /* number of its name */
	struct cr_str text;
	bool is_text;
};

/* The text of a label; after another one with the same name, both. */
static struct cr_str
label_text(struct profile *p, const struct label *last, bool is_more, struct cr_str text)
{
	if (!is_more)
		return text;
	if (last->text.p != p->text.p) {
		cr_text_clear(&p->text);
		cr_text_str(&p->text, last->text);
	}
	cr_text_char(&p->text, ' ');
	cr_text_str(&p->text, text);
	return cr_text_view(&p->text);
}

static void
label_read(struct profile *p, struct cr_cursor message, struct label *last)
{
	uint64_t key = 0, text = 0, number = 0;
	struct cr_wire_field f;
	struct cr_str name;
	bool is_more;

	while (cr_wire_next(&message, &f))
		switch (f.number) {
		case 1: key = f.value; break;
		case 2: text = f.value; break;
		case 3: number = f.value; break;
		default: break;
		}
	name = string_at(p, key);
	if (!text) {
		cr_pprof_label_number(&p->labels, name, (int64_t)number);
		last->is_text = false;
		return;
	}
	is_more = last->is_text && (key == last->key || cr_str_eq(name, string_at(p, last->key)));
	p->labels.row.n -= is_more;
	*last = (struct label){key, label_text(p, last, is_more, string_at(p, text)), true};
	cr_pprof_label_text(&p->labels, p->b, name, last->text);
}

static void
sample_read(struct profile *p, struct cr_cursor message)
{
	const uint64_t at = (uint64_t)(message.p - p->p);
	struct label last = {.is_text = false};
	struct cr_wire_field f;
	bool good = true;

	p->ids.n = p->values.n = p->label_spans.n = 0;
	while (cr_wire_next(&message, &f)) {
		if (f.number == 1)
			good &= numbers_read(&p->ids, &f);
		else if (f.number == 2)
			good &= numbers_read(&p->values, &f);
		else if (f.number == 3 && f.type == CR_WIRE_BYTES)
			cr_vec_push(&p->label_spans, f.bytes);
	}
	if (message.bad || !good) {
		damaged(p, "samples that cannot be read", at);
		return;
	}
	if (p->values.n != p->types.n)
		damaged(p, "samples whose number of values differs from that of the types", at);
	for (size_t i = 0; i < p->ids.n; i++)
		push_location(p, p->ids.p[i]);
	cr_pprof_labels_clear(&p->labels);
	for (size_t i = 0; i < p->label_spans.n; i++)
		label_read(p, p->label_spans.p[i], &last);
	cr_pprof_sample(
		&p->stacks, &p->types, (const int64_t *)p->values.p, p->values.n, &p->labels);
}

static void
second_pass(struct profile *p, struct cr_cursor c)
{
	struct cr_wire_field f;
	uint64_t last = 0;

	while (still_wanted(p, &c, &last) && cr_wire_next(&c, &f))
		if (f.number == CR_PPROF_SAMPLE && f.type == CR_WIRE_BYTES)
			sample_read(p, f.bytes);
}

/* ---- facts */

static void
fact_string(struct profile *p, const char *key, uint64_t string)
{
	if (string && string_at(p, string).len)
		cr_builder_fact(p->b, key, string_at(p, string));
}

static void
report_sampling(struct profile *p)
{
	cr_text_clear(&p->text);
	cr_text_printf(&p->text, "%lld ", (long long)p->period);
	cr_text_str(&p->text, string_at(p, p->period_type.unit));
	cr_text_puts(&p->text, " of ");
	cr_text_str(&p->text, string_at(p, p->period_type.type));
	if (p->period)
		cr_builder_fact(p->b, "sampling", cr_text_view(&p->text));
}

static void
report_facts(struct profile *p)
{
	const time_t when = (time_t)(p->time_ns / 1000000000u);
	char date[40];
	struct tm tm;

	if (p->time_ns && p->time_ns <= INT64_MAX && gmtime_r(&when, &tm) &&
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm))
		cr_builder_fact(p->b, "date", cr_str_of(date));
	cr_text_clear(&p->text);
	cr_text_u64(&p->text, p->duration_ns);
	if (p->duration_ns && p->duration_ns <= INT64_MAX)
		cr_builder_fact(p->b, "duration_ns", cr_text_view(&p->text));
	report_sampling(p);
	fact_string(p, "drop frames", p->drop);
	fact_string(p, "keep frames", p->keep);
	cr_text_clear(&p->text);
	for (size_t i = 0; i < p->comments.n; i++) {
		cr_text_safe(&p->text, string_at(p, p->comments.p[i]));
		cr_text_char(&p->text, '\n');
	}
	if (p->text.len)
		cr_builder_fact(p->b, "comments", cr_text_view(&p->text));
}

static void
types_ready(struct profile *p)
{
	if (p->types.n == 0) {
		damaged(p, "it names no sample type", 0);
		p->types.row[0].name = CR_STR("samples");
		p->types.n = 1;
	} else {
		for (uint32_t i = 0; i < p->types.n; i++) {
			p->types.row[i].name = string_at(p, p->type[i].type);
			p->types.row[i].unit = string_at(p, p->type[i].unit);
		}
	}
	cr_pprof_events(&p->types, p->b, string_at(p, p->default_type));
}

static void
table_fini(struct table *t)
{
	cr_vec_fini(&t->items);
	cr_index_fini(&t->index);
}

static void
profile_free(struct profile *p)
{
	cr_vec_fini(&p->strings);
	table_fini(&p->mappings);
	table_fini(&p->locations);
	table_fini(&p->functions);
	cr_vec_fini(&p->mapping);
	cr_vec_fini(&p->named);
	cr_vec_fini(&p->ids);
	cr_vec_fini(&p->values);
	cr_vec_fini(&p->label_spans);
	cr_vec_fini(&p->comments);
	cr_text_fini(&p->text);
	cr_pprof_labels_fini(&p->labels);
	free(p);
}

static int
read_pprof(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct profile *p = cr_alloc(1, sizeof(*p));
	struct cr_cursor c;
	int rc;

	p->b = b;
	p->log = opts->log;
	p->p = in->p;
	cr_stacks_open_bare(&p->stacks, in, b, opts);
	p->labels.space = p->stacks.space;
	cr_cursor_init(&c, in->p, in->len);
	first_pass(p, c);
	if (!p->stopped) {
		types_ready(p);
		report_facts(p);
		second_pass(p, c);
		cr_pprof_set_main(&p->types, b);
	}
	p->stacks.stopped = p->stopped;
	rc = cr_stacks_close(&p->stacks, err);
	profile_free(p);
	return rc;
}

/* ---- the probe */

/* Fields of each message, with a bit for each allowed type. */
#define VARINT (1u << CR_WIRE_VARINT)
#define BYTES (1u << CR_WIRE_BYTES)

static const uint8_t profile_fields[] = {0, BYTES, BYTES, BYTES, BYTES, BYTES, BYTES, VARINT,
	VARINT, VARINT, VARINT, BYTES, VARINT, VARINT | BYTES, VARINT, VARINT},
		     type_fields[] = {0, VARINT, VARINT},
		     sample_fields[] = {0, VARINT | BYTES, VARINT | BYTES, BYTES},
		     mapping_fields[] = {0, VARINT, VARINT, VARINT, VARINT, VARINT, VARINT, VARINT,
			     VARINT, VARINT, VARINT},
		     location_fields[] = {0, VARINT, VARINT, VARINT, BYTES, VARINT},
		     function_fields[] = {0, VARINT, VARINT, VARINT, VARINT, VARINT};

static const struct {
	const uint8_t *fields;
	size_t n;
} messages[] = {
	[CR_PPROF_TYPE] = {type_fields, CR_LEN(type_fields)},
	[CR_PPROF_SAMPLE] = {sample_fields, CR_LEN(sample_fields)},
	[CR_PPROF_MAPPING] = {mapping_fields, CR_LEN(mapping_fields)},
	[CR_PPROF_LOCATION] = {location_fields, CR_LEN(location_fields)},
	[CR_PPROF_FUNCTION] = {function_fields, CR_LEN(function_fields)},
	[CR_PPROF_PERIOD_TYPE] = {type_fields, CR_LEN(type_fields)},
};

static bool
is_field(const struct cr_wire_field *f, const uint8_t *fields, size_t n)
{
	return f->number < n && fields[f->number] >> f->type & 1;
}

static bool
is_message(struct cr_cursor c, const uint8_t *fields, size_t n)
{
	struct cr_wire_field f;

	while (cr_wire_next(&c, &f))
		if (!is_field(&f, fields, n))
			return false;
	return !c.bad;
}

/*
 * The format has no magic number. But data that consists only of fields of these messages, all with
 * allowed types, is nothing else. The last field may be truncated.
 */
static unsigned
probe_pprof(const struct cr_head *head, uint64_t *line)
{
	unsigned types = 0, samples = 0, fields = 0;
	struct cr_wire_field f;
	struct cr_cursor c;

	(void)line;
	cr_cursor_init(&c, head->p, head->len);
	while (cr_wire_next(&c, &f)) {
		if (!is_field(&f, profile_fields, CR_LEN(profile_fields)))
			return 0;
		if (f.number < CR_LEN(messages) && messages[f.number].fields &&
			!is_message(f.bytes, messages[f.number].fields, messages[f.number].n))
			return 0;
		fields++;
		types += f.number == CR_PPROF_TYPE;
		samples += f.number == CR_PPROF_SAMPLE;
	}
	return fields >= 3 && types + samples ? CR_EVIDENCE_SIGNATURE : 0;
}

const struct cr_reader cr_reader_pprof = {
	.name = "pprof",
	.about = "profiles of pprof, protocol buffers: .pb, .pb.gz, .pprof",
	.heads = CR_HEAD_TEXT | CR_HEAD_BINARY,
	.probe = probe_pprof,
	.read = read_pprof,
};
