#include "otlp_dictionary_p.h"

#include "pprof_samples_p.h"

#define TEXT_MOST 4096u    /* bytes of a text attribute; it is looked up for every sample */
#define FUNCTION_MOST 256u /* bytes of a function: some numbers; it is read for every line */

void
cr_otlp_damaged(struct cr_otlp_dictionary *d, const char *kind, const unsigned char *at)
{
	cr_log_warn(d->log, kind, at ? (uint64_t)(at - d->p) : CR_NO_OFFSET, "%s", "");
	cr_builder_flags(d->b, CR_PROFILE_IN_PART);
}

bool
cr_otlp_next(struct cr_cursor *c, struct cr_wire_field *f)
{
	const struct cr_cursor before = *c;
	uint64_t tag;

	if (cr_wire_next(c, f))
		return true;
	if (!c->bad)
		return false;
	*c = before;
	tag = cr_cursor_uleb(c);
	cr_cursor_uleb(c);
	if (c->bad || (tag & 7) != CR_WIRE_BYTES || !cr_cursor_left(c)) {
		c->bad = true;
		return false;
	}
	*f = (struct cr_wire_field){.number = (uint32_t)(tag >> 3), .type = CR_WIRE_BYTES};
	f->bytes = cr_cursor_sub(c, cr_cursor_left(c));
	c->bad = true;
	return true;
}

bool
cr_otlp_numbers_read(cr_otlp_numbers *out, const struct cr_wire_field *f)
{
	struct cr_cursor packed = f->bytes;

	if (f->type == CR_WIRE_VARINT)
		cr_vec_push(out, f->value);
	while (cr_cursor_left(&packed))
		cr_vec_push(out, cr_cursor_uleb(&packed));
	return !packed.bad;
}

/* ---- items */

static void
item_add(struct cr_otlp_dictionary *d, const struct cr_wire_field *f)
{
	cr_otlp_items *t = &d->table[f->number];

	if (t->n >= CR_NO_ROW - 1 || cr_cursor_left(&f->bytes) > UINT32_MAX) {
		cr_otlp_damaged(
			d, "items of the dictionary that are too many or too large", f->bytes.p);
		return;
	}
	cr_vec_push(t, ((struct cr_otlp_item){f->bytes.p, (uint32_t)cr_cursor_left(&f->bytes), 0}));
}

void
cr_otlp_dictionary_read(struct cr_otlp_dictionary *d, struct cr_cursor c)
{
	struct cr_wire_field f;

	while (cr_wire_next(&c, &f))
		if (f.type == CR_WIRE_BYTES && f.number < CR_OTLP_TABLES)
			item_add(d, &f);
	if (c.bad)
		cr_otlp_damaged(d, "damaged: the dictionary cannot be read to its end", c.end);
}

/* The item with this index; NULL if it is none. Index 0 stands for "none". */
static struct cr_otlp_item *
item_of(struct cr_otlp_dictionary *d, enum cr_otlp_table table, uint64_t index)
{
	static const char *const missing[] = {
		[CR_OTLP_MAPPING] = "references to missing mappings",
		[CR_OTLP_LOCATION] = "references to missing locations",
		[CR_OTLP_FUNCTION] = "references to missing functions",
		[CR_OTLP_STRING] = "references to missing strings",
		[CR_OTLP_ATTRIBUTE] = "references to missing attributes",
		[CR_OTLP_STACK] = "references to missing stacks",
	};

	if (!index)
		return NULL;
	if (index < d->table[table].n)
		return &d->table[table].p[index];
	cr_otlp_damaged(d, missing[table], NULL);
	return NULL;
}

static struct cr_cursor
item_bytes(const struct cr_otlp_item *i)
{
	struct cr_cursor c;

	cr_cursor_init(&c, i->p, i->len);
	return c;
}

struct cr_str
cr_otlp_string(struct cr_otlp_dictionary *d, uint64_t index)
{
	struct cr_otlp_item *i = item_of(d, CR_OTLP_STRING, index);
	struct cr_str s;

	if (!i)
		return CR_STR("");
	s = cr_builder_shared(d->b, (struct cr_str){(const char *)i->p, i->len});
	i->p = (const unsigned char *)s.p;
	return s;
}

/* ---- attributes */

struct cr_str
cr_otlp_text(const struct cr_cursor *bytes)
{
	const size_t len = cr_cursor_left(bytes);

	return (struct cr_str){(const char *)bytes->p, (uint32_t)CR_MIN(len, (size_t)TEXT_MOST)};
}

struct cr_otlp_value
cr_otlp_value_read(struct cr_otlp_dictionary *d, struct cr_cursor c)
{
	struct cr_otlp_value v = {0};
	struct cr_wire_field f;

	while (cr_wire_next(&c, &f)) {
		v = (struct cr_otlp_value){0};
		if (f.number == CR_OTLP_TEXT && f.type == CR_WIRE_BYTES) {
			v.text = cr_otlp_text(&f.bytes);
			v.is_text = true;
		} else if (f.number == CR_OTLP_TEXT_INDEX && f.type == CR_WIRE_VARINT) {
			v.text = cr_otlp_string(d, f.value);
			v.text.len = CR_MIN(v.text.len, TEXT_MOST);
			v.is_text = true;
		} else if ((f.number == CR_OTLP_BOOL || f.number == CR_OTLP_INT) &&
			   f.type == CR_WIRE_VARINT) {
			v.number = (int64_t)f.value;
			v.is_number = true;
		}
	}
	return v;
}

const struct cr_otlp_attribute *
cr_otlp_attribute(struct cr_otlp_dictionary *d, uint64_t index)
{
	struct cr_otlp_item *i = item_of(d, CR_OTLP_ATTRIBUTE, index);
	struct cr_otlp_attribute new = {0};
	struct cr_wire_field f;
	struct cr_cursor c;

	if (!i)
		return NULL;
	if (i->made1)
		return &d->attribute.p[i->made1 - 1];
	c = item_bytes(i);
	while (cr_wire_next(&c, &f)) {
		if (f.number == 1)
			new.key = cr_otlp_string(d, f.value);
		else if (f.number == 2 && f.type == CR_WIRE_BYTES)
			new.value = cr_otlp_value_read(d, f.bytes);
	}
	new.key.len = CR_MIN(new.key.len, TEXT_MOST);
	cr_vec_push(&d->attribute, new);
	i->made1 = (uint32_t)d->attribute.n;
	return &d->attribute.p[i->made1 - 1];
}

/* The hexadecimal build-id, if it is this attribute of a mapping; otherwise "". */
static struct cr_str
build_id_of(struct cr_otlp_dictionary *d, uint64_t index)
{
	const struct cr_otlp_attribute *a = cr_otlp_attribute(d, index);

	return a && cr_str_eq(a->key, CR_STR("process.executable.build_id.gnu")) ? a->value.text
										 : CR_STR("");
}

/* ---- what stacks refer to */

static const struct cr_mapping *
mapping_of(struct cr_otlp_dictionary *d, uint64_t index)
{
	struct cr_otlp_item *i = item_of(d, CR_OTLP_MAPPING, index);
	struct cr_str build_id = CR_STR("");
	struct cr_mapping new = {0};
	uint64_t file = 0;
	struct cr_wire_field f;
	struct cr_cursor c;

	if (!i)
		return NULL;
	if (i->made1)
		return &d->mapping.p[i->made1 - 1];
	c = item_bytes(i);
	d->attributes.n = 0;
	while (cr_wire_next(&c, &f))
		switch (f.number) {
		case 1: new.start = f.value; break;
		case 2: new.end = f.value; break;
		case 3: new.offset = f.value; break;
		case 4: file = f.value; break;
		case 5: cr_otlp_numbers_read(&d->attributes, &f); break;
		default: break;
		}
	for (size_t k = 0; k < d->attributes.n && !build_id.len; k++)
		build_id = build_id_of(d, d->attributes.p[k]);
	new.dso = cr_mapping_dso(d->b, cr_otlp_string(d, file), build_id, &new.has_id);
	if (new.start < new.end)
		cr_builder_map(d->b, d->stacks->space, new.start, new.end, new.offset, new.dso);
	cr_vec_push(&d->mapping, new);
	i->made1 = (uint32_t)d->mapping.n;
	return &d->mapping.p[i->made1 - 1];
}

/* Name and file of a function; the name is "" if it has none. */
static void
function_read(struct cr_otlp_dictionary *d, uint64_t index, struct cr_named *out)
{
	const struct cr_otlp_item *i = item_of(d, CR_OTLP_FUNCTION, index);
	struct cr_pprof_function f;
	struct cr_cursor c;

	out->name = out->file = CR_STR("");
	if (!i)
		return;
	cr_cursor_init(&c, i->p, CR_MIN(i->len, FUNCTION_MOST));
	f = cr_pprof_function_read(c, 1);
	out->name = cr_otlp_string(d, f.name);
	if (out->name.len == 0)
		out->name = cr_otlp_string(d, f.system_name);
	out->file = cr_otlp_string(d, f.file);
}

static void
line_read(struct cr_otlp_dictionary *d, struct cr_cursor message)
{
	const struct cr_pprof_line line = cr_pprof_line_read(message);
	struct cr_named named = {.line = line.line};

	function_read(d, line.function, &named);
	if (d->named.n < UINT16_MAX)
		cr_vec_push(&d->named, named);
	else
		cr_otlp_damaged(
			d, "inlined functions beyond the limit of 65535 in one place", message.p);
}

static cr_location_id
location_make(struct cr_otlp_dictionary *d, const struct cr_otlp_item *i)
{
	struct cr_cursor c = item_bytes(i);
	const struct cr_mapping *mapping;
	uint64_t mapping_index = 0, addr = 0;
	struct cr_wire_field f;

	d->named.n = 0;
	while (cr_wire_next(&c, &f)) {
		if (f.number == 1)
			mapping_index = f.value;
		else if (f.number == 2)
			addr = f.value;
		else if (f.number == 3 && f.type == CR_WIRE_BYTES)
			line_read(d, f.bytes);
	}
	mapping = mapping_of(d, mapping_index);
	if (!cr_pprof_names_ready(d->named.p, d->named.n))
		return cr_mapping_nameless(d->b, mapping, addr);
	return cr_builder_named_at(
		d->b, mapping ? mapping->dso : CR_DSO_UNKNOWN, 0, d->named.p, d->named.n);
}

static void
location_push(struct cr_otlp_dictionary *d, uint64_t index)
{
	struct cr_otlp_item *i = item_of(d, CR_OTLP_LOCATION, index);

	if (!i) {
		cr_stacks_frame(d->stacks, CR_STR("[unknown]"), CR_DSO_UNKNOWN);
		return;
	}
	if (!i->made1)
		i->made1 = location_make(d, i).i + 1;
	cr_stacks_location(d->stacks, (cr_location_id){i->made1 - 1});
}

cr_node_id
cr_otlp_stack(struct cr_otlp_dictionary *d, uint64_t index)
{
	struct cr_otlp_item *i = item_of(d, CR_OTLP_STACK, index);
	struct cr_wire_field f;
	struct cr_cursor c;
	cr_node_id node;

	if (i && i->made1)
		return (cr_node_id){i->made1 - 1};
	d->ids.n = 0;
	if (i) {
		c = item_bytes(i);
		while (cr_wire_next(&c, &f))
			if (f.number == 1)
				cr_otlp_numbers_read(&d->ids, &f);
	}
	for (size_t k = 0; k < d->ids.n; k++)
		location_push(d, d->ids.p[k]);
	node = cr_stacks_node_leaf_first(d->stacks);
	if (i)
		i->made1 = node.i + 1;
	return node;
}

void
cr_otlp_dictionary_fini(struct cr_otlp_dictionary *d)
{
	for (size_t i = 0; i < CR_LEN(d->table); i++)
		cr_vec_fini(&d->table[i]);
	cr_vec_fini(&d->mapping);
	cr_vec_fini(&d->attribute);
	cr_vec_fini(&d->named);
	cr_vec_fini(&d->attributes);
	cr_vec_fini(&d->ids);
}
