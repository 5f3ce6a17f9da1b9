#include "perf_field_p.h"

#include "model/build/stack_queue.h"
#include "perf_data_src_p.h"
#include "read/perf_data/tracepoints/perf_trace_value_p.h"

#include <inttypes.h>

struct trace_field {
	const struct perf_trace_field *field;
	cr_field_id id;
	enum cr_form form;
};

struct perf_field_ids {
	cr_field_id addr, phys_addr, transaction, data_src, weight, ins_lat, retire_lat,
		data_page_size, code_page_size, cgroup, branches, mispredicted, branch_cycles;
	CR_VEC(struct trace_field) fields;
	uint64_t bits;                            /* of sample_type: which ids exist */
	const struct perf_tracepoint *tracepoint; /* the tracepoint of the fields; NULL if none */
};

#define NUMBER_BITS                                                                          \
	(PERF_SAMPLE_ADDR | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT |                  \
		PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | \
		PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |    \
		PERF_SAMPLE_CODE_PAGE_SIZE)

bool
cr_perf_field_wanted(const struct perf_attr *a)
{
	return (a->sample_type & NUMBER_BITS) ||
	       ((a->sample_type & PERF_SAMPLE_RAW) && a->tracepoint);
}

/* ---- fields of an event */

static void
fields_begin(struct perf_field_ids *ids, struct cr_builder *b, const struct perf_tracepoint *t,
	cr_event_id event)
{
	ids->tracepoint = t;
	ids->fields.n = 0;
	for (uint32_t i = 0; i < t->n_fields; i++) {
		const struct perf_trace_field *f = &t->fields[i];
		const enum cr_form form = cr_perf_trace_form(f);

		if (!f->is_common)
			cr_vec_push(&ids->fields,
				((struct trace_field){
					f, cr_builder_field(b, event, f->name, form), form}));
		if (!f->is_common && f->code && form == CR_FORM_HEX)
			cr_builder_field_code(b, ids->fields.p[ids->fields.n - 1].id, f->code);
	}
}

/*
 * Add the fields of attr a. Another attr of the event may have added its own; equal names are one
 * field.
 */
static void
ids_add(struct perf_field_ids *ids, struct cr_builder *b, const struct perf_attr *a,
	cr_event_id event)
{
	const struct {
		cr_field_id *id;
		const char *name;
		enum cr_form form;
		uint64_t bits;
	} all[] = {
		{&ids->addr, "addr", CR_FORM_HEX, PERF_SAMPLE_ADDR},
		{&ids->phys_addr, "phys_addr", CR_FORM_HEX, PERF_SAMPLE_PHYS_ADDR},
		{&ids->transaction, "transaction", CR_FORM_HEX, PERF_SAMPLE_TRANSACTION},
		{&ids->data_src, "data_src", CR_FORM_TEXT, PERF_SAMPLE_DATA_SRC},
		{&ids->weight, "weight", CR_FORM_NUMBER,
			PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT},
		{&ids->ins_lat, "ins_lat", CR_FORM_NUMBER, PERF_SAMPLE_WEIGHT_STRUCT},
		{&ids->retire_lat, "retire_lat", CR_FORM_NUMBER, PERF_SAMPLE_WEIGHT_STRUCT},
		{&ids->data_page_size, "data_page_size", CR_FORM_NUMBER,
			PERF_SAMPLE_DATA_PAGE_SIZE},
		{&ids->code_page_size, "code_page_size", CR_FORM_NUMBER,
			PERF_SAMPLE_CODE_PAGE_SIZE},
		{&ids->cgroup, "cgroup", CR_FORM_TEXT, PERF_SAMPLE_CGROUP},
		{&ids->branches, "branches", CR_FORM_NUMBER, PERF_SAMPLE_BRANCH_STACK},
		{&ids->mispredicted, "mispredicted", CR_FORM_NUMBER, PERF_SAMPLE_BRANCH_STACK},
		{&ids->branch_cycles, "branch_cycles", CR_FORM_NUMBER, PERF_SAMPLE_BRANCH_STACK},
	};

	for (size_t i = 0; i < CR_LEN(all); i++)
		if (a->sample_type & all[i].bits)
			*all[i].id =
				cr_builder_field(b, event, cr_str_of(all[i].name), all[i].form);
	ids->bits |= a->sample_type;
	if (a->tracepoint && a->tracepoint != ids->tracepoint)
		fields_begin(ids, b, a->tracepoint, event);
}

static struct perf_field_ids *
ids_of(struct perf_fields *d, struct cr_builder *b, const struct perf_attr *a, cr_event_id event)
{
	struct perf_field_ids *ids;

	while (d->events.n <= event.i)
		cr_vec_push(&d->events, NULL);
	if (!d->events.p[event.i])
		d->events.p[event.i] = cr_alloc(1, sizeof(*ids));
	ids = d->events.p[event.i];
	if ((a->sample_type & NUMBER_BITS & ~ids->bits) ||
		(a->tracepoint && a->tracepoint != ids->tracepoint))
		ids_add(ids, b, a, event);
	return ids;
}

/* ---- values */

static void
value(struct cr_builder *b, cr_field_id id, uint64_t v)
{
	if (v)
		cr_builder_value(b, id, v);
}

/*
 * Flags of an entry: bit 0 mispredicted, bits 4 to 19 cycles; counted from the other end in the
 * other byte order.
 */
static void
add_branches(struct cr_builder *b, const struct perf_field_ids *ids, struct cr_cursor c)
{
	uint64_t n = 0, missed = 0, cycles = 0;

	for (; cr_cursor_left(&c) >= 24; n++) {
		uint64_t flags;

		cr_cursor_skip(&c, 16);
		flags = cr_cursor_u64(&c);
		missed += c.swap ? flags >> 63 : flags & 1;
		cycles += c.swap ? flags >> 44 & 0xffff : flags >> 4 & 0xffff;
	}
	cr_builder_value(b, ids->branches, n);
	cr_builder_value(b, ids->mispredicted, missed);
	cr_builder_value(b, ids->branch_cycles, cycles);
}

static void
add_weight(struct cr_builder *b, const struct perf_field_ids *ids, const struct perf_attr *a,
	uint64_t weight)
{
	if (a->sample_type & PERF_SAMPLE_WEIGHT) {
		cr_builder_value(b, ids->weight, weight);
		return;
	}
	cr_builder_value(b, ids->weight, weight & 0xffffffff);
	cr_builder_value(b, ids->ins_lat, weight >> 32 & 0xffff);
	cr_builder_value(b, ids->retire_lat, weight >> 48);
}

/* Usually equal to that of the sample before. */
static void
add_data_src(struct perf_fields *d, struct cr_builder *b, cr_field_id field, uint64_t data_src)
{
	if (!d->has_data_src || d->data_src != data_src) {
		cr_text_clear(&d->text);
		cr_perf_data_src_text(data_src, &d->text);
		d->data_src_text = cr_builder_text(b, cr_text_view(&d->text));
		d->data_src = data_src;
		d->has_data_src = true;
	}
	cr_builder_value(b, field, d->data_src_text);
}

static uint64_t *
cgroup_find(const struct perf_fields *d, uint64_t id)
{
	const uint64_t h = cr_hash_mix(id, 0);
	uint32_t row;

	cr_index_each(&d->cgroup_index, h, row)
		if (d->cgroups.p[row].id == id)
			return &d->cgroups.p[row].text;
	return NULL;
}

void
cr_perf_field_cgroup(struct perf_fields *d, struct cr_builder *b, uint64_t id, struct cr_str path)
{
	const uint64_t text = cr_builder_text(b, path);
	uint64_t *known = cgroup_find(d, id);

	if (known) {
		*known = text;
		return;
	}
	cr_index_add(&d->cgroup_index, cr_hash_mix(id, 0), (uint32_t)d->cgroups.n);
	cr_vec_push(&d->cgroups, ((struct perf_cgroup){id, text}));
}

static void
add_cgroup(struct perf_fields *d, struct cr_builder *b, cr_field_id field, uint64_t id)
{
	const uint64_t *known = cgroup_find(d, id);

	if (!known) {
		cr_text_clear(&d->text);
		cr_text_printf(&d->text, "cgroup %" PRIu64, id);
		cr_perf_field_cgroup(d, b, id, cr_text_view(&d->text));
		known = cgroup_find(d, id);
	}
	cr_builder_value(b, field, *known);
}

uint64_t
cr_perf_field_namespace(
	struct perf_fields *d, struct cr_builder *b, uint64_t device, uint64_t inode)
{
	cr_text_clear(&d->text);
	cr_text_printf(&d->text, "%" PRIu64 "/0x%" PRIx64, device, inode);
	return cr_builder_text(b, cr_text_view(&d->text));
}

void
cr_perf_field_namespace_put(
	struct perf_fields *d, struct cr_builder *b, cr_event_id event, uint64_t text)
{
	const cr_field_id none = {UINT32_MAX};

	while (d->cgroup_ids.n <= event.i)
		cr_vec_push(&d->cgroup_ids, none);
	if (d->cgroup_ids.p[event.i].i == none.i)
		d->cgroup_ids.p[event.i] =
			cr_builder_field(b, event, CR_STR("cgroup_id"), CR_FORM_TEXT);
	cr_builder_value(b, d->cgroup_ids.p[event.i], text);
}

/* Add a location for a kernel address in a field, so that it gets a name. */
static void
add_code_location(struct perf_spaces *spaces, uint64_t addr)
{
	const struct cr_location_at at = cr_perf_space_locate(spaces, &spaces->kernel, addr);

	if (at.dso.i != CR_DSO_UNKNOWN.i)
		cr_stack_queue_location(spaces->b, &at);
}

static void
add_tracepoint_fields(struct perf_fields *d, struct perf_spaces *spaces,
	const struct perf_field_ids *ids, struct cr_cursor raw)
{
	struct cr_builder *b = spaces->b;

	for (size_t i = 0; i < ids->fields.n; i++) {
		const struct trace_field *t = &ids->fields.p[i];
		uint64_t v;

		cr_text_clear(&d->text);
		if (t->form == CR_FORM_TEXT && cr_perf_trace_text(t->field, raw, &d->text))
			cr_builder_value(b, t->id, cr_builder_text(b, cr_text_view(&d->text)));
		if (t->form == CR_FORM_TEXT || !cr_perf_trace_number(t->field, raw, &v))
			continue;
		cr_builder_value(b, t->id, v);
		if (t->field->code)
			add_code_location(spaces, v);
	}
}

void
cr_perf_field_add(struct perf_fields *d, struct perf_spaces *spaces, const struct perf_attr *a,
	cr_event_id event, const struct perf_sample *s, const struct perf_sample_rest *rest)
{
	struct cr_builder *b = spaces->b;
	const struct perf_field_ids *ids = ids_of(d, b, a, event);
	const uint64_t t = a->sample_type;

	if (t & PERF_SAMPLE_ADDR)
		value(b, ids->addr, s->addr);
	if (t & PERF_SAMPLE_BRANCH_STACK)
		add_branches(b, ids, rest->branches);
	if (t & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		add_weight(b, ids, a, rest->weight);
	if (t & PERF_SAMPLE_DATA_SRC)
		add_data_src(d, b, ids->data_src, rest->data_src);
	if (t & PERF_SAMPLE_TRANSACTION)
		value(b, ids->transaction, rest->transaction);
	if (t & PERF_SAMPLE_PHYS_ADDR)
		value(b, ids->phys_addr, rest->phys_addr);
	if (t & PERF_SAMPLE_CGROUP)
		add_cgroup(d, b, ids->cgroup, rest->cgroup);
	if (t & PERF_SAMPLE_DATA_PAGE_SIZE)
		value(b, ids->data_page_size, rest->data_page_size);
	if (t & PERF_SAMPLE_CODE_PAGE_SIZE)
		value(b, ids->code_page_size, rest->code_page_size);
	if (a->tracepoint)
		add_tracepoint_fields(d, spaces, ids, rest->raw);
}

void
cr_perf_fields_fini(struct perf_fields *d)
{
	for (size_t i = 0; i < d->events.n; i++) {
		if (d->events.p[i])
			cr_vec_fini(&d->events.p[i]->fields);
		free(d->events.p[i]);
	}
	cr_vec_fini(&d->events);
	cr_vec_fini(&d->cgroups);
	cr_vec_fini(&d->cgroup_ids);
	cr_index_fini(&d->cgroup_index);
	cr_text_fini(&d->text);
}
