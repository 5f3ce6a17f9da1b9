#include "perf_bpf_p.h"

#include "perf_fact_p.h"

#include <inttypes.h>

#define MAX_TYPES ((size_t)1 << 20)
#define MAX_NAME ((size_t)512) /* KSYM_NAME_LEN */
#define TAG_BYTES 8

/* The type of a function in a type table, and its name. */
struct perf_bpf_type {
	uint32_t table, id;
	struct cr_str name;
};

static const struct perf_bpf_type *
type_find(const struct perf_bpf *bpf, uint32_t table, uint32_t id)
{
	const uint64_t hash = cr_hash_mix(table, id);
	uint32_t row;

	cr_index_each(&bpf->type_index, hash, row)
		if (bpf->types.p[row].table == table && bpf->types.p[row].id == id)
			return &bpf->types.p[row];
	return NULL;
}

/* ---- types */

enum { KIND_FUNC = 12 };

/* Bytes after a type of each kind: a fixed part, and a part per member. Missing kinds have none. */
static const struct {
	uint8_t once, each;
} kind_bytes[] = {
	[1] = {4, 0},
	[3] = {12, 0},
	[4] = {0, 12},
	[5] = {0, 12},
	[6] = {0, 8},
	[13] = {0, 8},
	[14] = {4, 0},
	[15] = {0, 12},
	[17] = {4, 0},
	[19] = {0, 12},
};

/*
 * Types are numbered from 1. Each is "u32 name; u32 info; u32 size", followed by data of its kind.
 */
static void
types_read(struct cr_cursor types, struct cr_cursor names, uint32_t table, struct perf_bpf *bpf)
{
	for (uint32_t id = 1; cr_cursor_left(&types) >= 12 && bpf->types.n < MAX_TYPES; id++) {
		const uint32_t name = cr_cursor_u32(&types), info = cr_cursor_u32(&types),
			       kind = info >> 24 & 31;
		struct cr_cursor n = names;

		cr_cursor_skip(&types, 4);
		if (kind == 0 || kind >= CR_LEN(kind_bytes))
			return;
		cr_cursor_skip(&types,
			kind_bytes[kind].once + (uint64_t)kind_bytes[kind].each * (info & 0xffff));
		if (kind != KIND_FUNC || type_find(bpf, table, id))
			continue;
		cr_cursor_skip(&n, name);
		cr_index_add(&bpf->type_index, cr_hash_mix(table, id), (uint32_t)bpf->types.n);
		cr_vec_push(&bpf->types,
			((struct perf_bpf_type){table, id,
				cr_cursor_text(&n, CR_MIN(cr_cursor_left(&n), MAX_NAME))}));
	}
}

/* A part of c, by offset and length; empty if it is not inside. */
static struct cr_cursor
part(const struct cr_cursor *c, uint64_t offset, uint64_t len)
{
	struct cr_cursor at = *c;

	cr_cursor_skip(&at, offset);
	return cr_cursor_sub(&at, len);
}

/*
 * u16 magic, u8 version, u8 flags, u32 header bytes, then offset and length of types and of names.
 */
static void
table_read(struct cr_cursor c, uint32_t table, struct perf_bpf *bpf)
{
	const struct cr_cursor whole = c;
	struct cr_cursor rest;
	uint32_t header, types_at, types_len, names_at, names_len;

	if (cr_cursor_u16(&c) != 0xeb9f)
		return;
	cr_cursor_skip(&c, 2);
	header = cr_cursor_u32(&c);
	types_at = cr_cursor_u32(&c);
	types_len = cr_cursor_u32(&c);
	names_at = cr_cursor_u32(&c);
	names_len = cr_cursor_u32(&c);
	rest = whole;
	cr_cursor_skip(&rest, header);
	types_read(part(&rest, types_at, types_len), part(&rest, names_at, names_len), table, bpf);
}

/* ---- programs */

/*
 * Offsets of members in struct bpf_prog_info. Its pointers were replaced by offsets into the data
 * that follows.
 */
enum {
	AT_ID = 4,
	AT_TAG = 8,
	AT_NAME = 64,
	NAME_BYTES = 16,
	AT_FUNCTIONS = 104,
	AT_LENGTHS = 108,
	AT_ADDRS_AT = 112,
	AT_LENGTHS_AT = 120,
	AT_TABLE = 128,
	AT_TYPE_BYTES = 132,
	AT_TYPES_AT = 136,
	AT_TYPES = 144,
	AT_TAGS = 180,
	AT_TAGS_AT = 184,
};

struct program {
	struct cr_cursor info;
	uint32_t id, table, functions;
	/* One item per function; types may be missing. */
	struct cr_cursor addrs, lengths, tags, types;
	uint32_t type_bytes; /* of an item of types */
};

static uint32_t
info_u32(const struct cr_cursor *info, uint64_t at)
{
	struct cr_cursor c = part(info, at, 4);

	return cr_cursor_u32(&c);
}

static uint64_t
info_u64(const struct cr_cursor *info, uint64_t at)
{
	struct cr_cursor c = part(info, at, 8);

	return cr_cursor_u64(&c);
}

static struct cr_cursor
info_array(const struct cr_cursor *info, const struct cr_cursor *data, uint64_t at, uint64_t len)
{
	return part(data, info_u64(info, at), len);
}

/* u32 bytes of info, u32 bytes of data, u64 bitmap of the arrays in the data, info, data. */
static bool
program_read(struct cr_cursor *c, struct program *p)
{
	const uint32_t info_bytes = cr_cursor_u32(c), data_bytes = cr_cursor_u32(c);
	struct cr_cursor data;
	uint64_t n;

	cr_cursor_skip(c, 8);
	p->info = cr_cursor_sub(c, info_bytes);
	data = cr_cursor_sub(c, data_bytes);
	p->id = info_u32(&p->info, AT_ID);
	p->table = info_u32(&p->info, AT_TABLE);
	p->type_bytes = info_u32(&p->info, AT_TYPE_BYTES);
	n = p->functions = info_u32(&p->info, AT_FUNCTIONS);
	if (info_u32(&p->info, AT_LENGTHS) != n || info_u32(&p->info, AT_TAGS) != n)
		n = p->functions = 0;
	p->addrs = info_array(&p->info, &data, AT_ADDRS_AT, n * 8);
	p->lengths = info_array(&p->info, &data, AT_LENGTHS_AT, n * 4);
	p->tags = info_array(&p->info, &data, AT_TAGS_AT, n * TAG_BYTES);
	p->types = info_array(&p->info, &data, AT_TYPES_AT,
		(uint64_t)info_u32(&p->info, AT_TYPES) * p->type_bytes);
	if (p->addrs.bad || p->lengths.bad || p->tags.bad)
		p->functions = 0;
	return !c->bad;
}

/*
 * "bpf_prog_", the tag, "_" and a name: that of its type, or of the program, which is truncated to
 * 15 bytes.
 */
static void
put_name(struct cr_text *t, const struct perf_bpf *bpf, struct program *p, struct cr_cursor tag)
{
	struct cr_cursor item = cr_cursor_sub(&p->types, p->type_bytes),
			 own = part(&p->info, AT_NAME, NAME_BYTES);
	const struct perf_bpf_type *type = NULL;
	struct cr_str name = CR_STR("F");

	cr_text_puts(t, "bpf_prog_");
	while (cr_cursor_left(&tag))
		cr_text_printf(t, "%02x", cr_cursor_u8(&tag));
	cr_cursor_skip(&item, 4); /* first instruction of the function */
	if (!item.bad)
		type = type_find(bpf, p->table, cr_cursor_u32(&item));
	if (type)
		name = type->name;
	else if (p->functions <= 1)
		name = cr_cursor_text(&own, cr_cursor_left(&own));
	if (name.len)
		cr_text_char(t, '_');
	cr_text_safe(t, name);
}

static void
put_program(struct cr_text *t, const struct perf_bpf *bpf, struct program *p)
{
	for (uint32_t i = 0; i < p->functions && cr_perf_fact_room(t); i++) {
		cr_text_printf(t, "%" PRIu32 ": ", p->id);
		put_name(t, bpf, p, cr_cursor_sub(&p->tags, TAG_BYTES));
		cr_text_printf(t, " addr 0x%" PRIx64, cr_cursor_u64(&p->addrs));
		cr_text_printf(t, " size %" PRIu32 "\n", cr_cursor_u32(&p->lengths));
	}
	if (p->functions)
		return;
	cr_text_printf(t, "%" PRIu32 ": ", p->id);
	put_name(t, bpf, p, part(&p->info, AT_TAG, TAG_BYTES));
	cr_text_char(t, '\n');
}

static void
programs_fact(struct cr_cursor *c, const struct perf_bpf *bpf, struct cr_builder *b)
{
	const uint32_t n = cr_cursor_count(c, 16);
	struct cr_text t = {0};
	struct program p;

	for (uint32_t i = 0; i < n && cr_perf_fact_room(&t) && program_read(c, &p); i++)
		put_program(&t, bpf, &p);
	cr_perf_fact_put(b, "bpf programs", &t);
}

void
cr_perf_bpf_programs(struct cr_cursor *c, struct perf_bpf *bpf, struct cr_builder *b)
{
	bpf->programs = *c;
	programs_fact(c, bpf, b);
}

/* u32 n, then n times {u32 id, u32 size, table}. */
void
cr_perf_bpf_types(struct cr_cursor *c, struct perf_bpf *bpf, struct cr_builder *b)
{
	const uint32_t n = cr_cursor_count(c, 8);
	struct cr_cursor programs = bpf->programs;
	struct cr_text t = {0}, id = {0};

	if (bpf->has_types)
		return;
	bpf->has_types = true;
	for (uint32_t i = 0; i < n && cr_perf_fact_room(&t); i++) {
		const uint32_t table = cr_cursor_u32(c);
		const struct cr_cursor bytes = cr_cursor_sub(c, cr_cursor_u32(c));

		if (c->bad)
			break;
		table_read(bytes, table, bpf);
		cr_text_clear(&id);
		cr_text_u64(&id, table);
		cr_perf_fact_pack(&t, cr_text_view(&id));
	}
	cr_text_fini(&id);
	cr_perf_fact_pack_end(&t);
	cr_perf_fact_put(b, "bpf types", &t);
	if (cr_cursor_left(&programs))
		programs_fact(&programs, bpf, b);
}

void
cr_perf_bpf_fini(struct perf_bpf *bpf)
{
	cr_vec_fini(&bpf->types);
	cr_index_fini(&bpf->type_index);
}
