#include "perf_header_p.h"

#include <inttypes.h>

#define HEADER_BYTES 104
#define SHORT_BYTES 72 /* before features existed */
#define PIPE_BYTES 16
#define ATTR_SIZE_MIN (64 + 16)
#define ATTR_SIZE_MAX 4096
#define MAGIC UINT64_C(0x32454c4946524550) /* "PERFILE2" on a little-endian machine */
#define MAX_ATTRS 32768 /* rows of events have 16 bits, and some events are computed */
#define HOSTNAME_BIT 3  /* of the feature HOSTNAME */

struct perf_section
cr_perf_section_read(struct cr_cursor *c)
{
	struct perf_section s;

	s.offset = cr_cursor_u64(c);
	s.size = cr_cursor_u64(c);
	return s;
}

bool
cr_perf_section_fits(const struct perf_section *s, size_t len)
{
	return s->offset <= len && s->size <= len - s->offset;
}

struct cr_cursor
cr_perf_section_cursor(const struct cr_input *in, const struct perf_section *s, bool swap)
{
	struct cr_cursor c;

	cr_cursor_init(&c, in->p, in->len);
	c.swap = swap;
	cr_cursor_skip(&c, s->offset);
	c.end = c.p + s->size;
	return c;
}

/*
 * The table of attrs, each followed by the position of its ids. The distance between attrs is in
 * the header, except in old recordings processed by perf inject: there it is the attr's own size.
 */
static int
attrs_read(const struct cr_input *in, const struct perf_section *s, uint64_t attr_size,
	uint64_t stride, struct perf_header *h, struct cr_err *err)
{
	struct cr_cursor all = cr_perf_section_cursor(in, s, h->swap);
	const uint64_t n = s->size / attr_size;

	if (n == 0 || n > MAX_ATTRS)
		return cr_fail(err, CR_EFORMAT, s->offset, "%" PRIu64 " events", n);
	h->attrs.n = 0;
	while (h->attrs.n < n) {
		struct cr_cursor c = cr_cursor_sub(&all, stride - 16);
		struct perf_attr a;

		if (!cr_perf_attr_read(&c, &a))
			return cr_fail(err, CR_EFORMAT, cr_cursor_at(&all),
				"event attribute of %" PRIu64 " bytes", stride - 16);
		a.ids_offset = cr_cursor_u64(&all);
		a.ids_bytes = cr_cursor_u64(&all);
		cr_vec_push(&h->attrs, a);
	}
	return CR_OK;
}

static bool
ids_fit(const struct perf_header *h, size_t len)
{
	for (uint32_t i = 0; i < h->attrs.n; i++) {
		const struct perf_section s = {h->attrs.p[i].ids_offset, h->attrs.p[i].ids_bytes};

		if (!cr_perf_section_fits(&s, len) || s.size % 8)
			return false;
	}
	return true;
}

/* attr_size: from the header. */
static int
attrs_and_sizes(const struct cr_input *in, const struct perf_section *s, uint64_t attr_size,
	struct perf_header *h, struct cr_err *err)
{
	struct cr_err ignored = CR_ERR_INIT;
	int rc = attrs_read(in, s, attr_size, attr_size, h, err);
	uint64_t own;

	if (rc < 0 || ids_fit(h, in->len))
		return rc;
	own = (uint64_t)h->attrs.p[0].size + 16;
	if (own < 64 + 16 || own >= attr_size ||
		attrs_read(in, s, attr_size, own, h, &ignored) < 0 || !ids_fit(h, in->len))
		return attrs_read(in, s, attr_size, attr_size, h, err);
	return CR_OK;
}

static void
id_add(struct perf_header *h, uint64_t id, uint32_t attr)
{
	if (cr_perf_header_attr_of(h, id) != CR_NO_ROW)
		return;
	cr_index_add(&h->id_index, cr_hash_mix(id, 0), (uint32_t)h->ids.n);
	cr_vec_push(&h->ids, ((struct perf_event_id){id, attr}));
}

/* Each id takes 8 bytes, and sections do not overlap, so a larger total is invalid. */
static void
ids_read(const struct cr_input *in, struct perf_header *h, struct cr_log *log)
{
	uint64_t left = in->len / 8;

	for (uint32_t i = 0; i < h->attrs.n; i++) {
		const struct perf_section s = {h->attrs.p[i].ids_offset, h->attrs.p[i].ids_bytes};
		struct cr_cursor c;

		if (!cr_perf_section_fits(&s, in->len) || s.size % 8) {
			cr_log_warn(
				log, "event ids outside the file", s.offset, "event %" PRIu32, i);
			continue;
		}
		if (s.size / 8 > left) {
			cr_log_warn(log, "event ids overlap", s.offset, "event %" PRIu32, i);
			return;
		}
		left -= s.size / 8;
		c = cr_perf_section_cursor(in, &s, h->swap);
		while (cr_cursor_left(&c) >= 8)
			id_add(h, cr_cursor_u64(&c), i);
	}
}

bool
cr_perf_header_attr(struct perf_header *h, struct cr_cursor body)
{
	struct cr_cursor c = body;
	struct perf_attr a;

	if (h->attrs.n >= MAX_ATTRS || !cr_perf_attr_read(&c, &a))
		return false;
	cr_cursor_skip(&body, a.size < 64 ? 64 : a.size);
	cr_vec_push(&h->attrs, a);
	while (cr_cursor_left(&body) >= 8)
		id_add(h, cr_cursor_u64(&body), (uint32_t)h->attrs.n - 1);
	return !body.bad;
}

uint32_t
cr_perf_header_attr_of(const struct perf_header *h, uint64_t id)
{
	const uint64_t hash = cr_hash_mix(id, 0);
	uint32_t row;

	cr_index_each(&h->id_index, hash, row)
		if (h->ids.p[row].id == id)
			return h->ids.p[row].attr;
	return CR_NO_ROW;
}

const struct perf_build_id *
cr_perf_header_build_id(const struct perf_header *h, struct cr_str name)
{
	const uint64_t hash = cr_hash(name.p, name.len);
	uint32_t row;

	cr_index_each(&h->build_id_index, hash, row)
		if (cr_str_eq(h->build_ids.p[row].name, name))
			return &h->build_ids.p[row];
	return NULL;
}

const struct perf_build_id *
cr_perf_header_kernel(const struct perf_header *h)
{
	for (size_t i = 0; i < h->build_ids.n; i++) {
		const struct perf_build_id *e = &h->build_ids.p[i];
		const bool file = e->name.len && e->name.p[0] == '/';

		if (e->cpumode != 1 || (!file && !cr_str_starts(e->name, "[kernel.kallsyms]")))
			continue;
		if (!file || !memmem(e->name.p, e->name.len, ".ko", 3))
			return e;
	}
	return NULL;
}

/* ---- the header */

/*
 * The magic is a number in the recorder's byte order. Before 2012 it was a text and independent of
 * it: then the attr's size must be plausible.
 */
static bool
magic_read(struct cr_cursor *c)
{
	const unsigned char *magic = cr_cursor_take(c, 8);
	struct cr_cursor size = *c;
	uint64_t number = 0;

	if (!magic)
		return false;
	memcpy(&number, magic, sizeof(number));
	c->swap = number == __builtin_bswap64(MAGIC);
	if (number == MAGIC || c->swap)
		return true;
	cr_cursor_skip(&size, 8);
	number = cr_cursor_u64(&size);
	c->swap = number < ATTR_SIZE_MIN || number > ATTR_SIZE_MAX;
	return memcmp(magic, "PERFFILE", 8) == 0;
}

static int
header_check(const struct cr_input *in, struct cr_cursor *c, uint64_t *size, struct cr_err *err)
{
	if (!magic_read(c))
		return in->len < 8 ? cr_fail(err, CR_ETRUNC, in->len, "perf.data header cut off")
				   : cr_fail(err, CR_EFORMAT, 0, "not a perf.data");
	*size = cr_cursor_u64(c);
	if (*size == PIPE_BYTES)
		return CR_OK;
	if (in->len < *size || c->bad)
		return cr_fail(err, CR_ETRUNC, in->len, "perf.data header cut off");
	if (*size < SHORT_BYTES || *size > ATTR_SIZE_MAX)
		return cr_fail(err, CR_EFORMAT, 8, "perf.data header of %" PRIu64 " bytes", *size);
	return CR_OK;
}

/*
 * 256 bits in 64-bit words. A 32-bit recorder of the other byte order wrote 32-bit words;
 * recognised by the bit of HOSTNAME, which every recorder sets.
 */
static void
feature_bits_read(struct cr_cursor *c, uint64_t bits[4])
{
	for (size_t i = 0; i < 4; i++)
		bits[i] = cr_cursor_u64(c);
	if (!c->swap || (bits[0] >> HOSTNAME_BIT & 1))
		return;
	for (size_t i = 0; i < 4; i++)
		bits[i] = bits[i] << 32 | bits[i] >> 32;
}

/*
 * Attrs and ids of a recording in a file, and the position of the rest. c is after the header's
 * size.
 */
static int
file_read(const struct cr_input *in, struct cr_cursor *c, uint64_t size, struct perf_header *h,
	struct cr_log *log, struct cr_err *err)
{
	const uint64_t attr_size = cr_cursor_u64(c);
	const struct perf_section attrs = cr_perf_section_read(c), data = cr_perf_section_read(c);
	int rc;

	cr_perf_section_read(c); /* event types: names before Linux 3.9, replaced by EVENT_DESC */
	if (size >= HEADER_BYTES)
		feature_bits_read(c, h->features);
	if (attr_size < ATTR_SIZE_MIN || attr_size > ATTR_SIZE_MAX)
		return cr_fail(
			err, CR_EFORMAT, 16, "event attributes of %" PRIu64 " bytes", attr_size);
	if (!cr_perf_section_fits(&attrs, in->len))
		return cr_fail(
			err, CR_ETRUNC, attrs.offset, "event attributes lie outside the file");
	if ((rc = attrs_and_sizes(in, &attrs, attr_size, h, err)) < 0)
		return rc;
	ids_read(in, h, log);
	if (data.offset > in->len)
		return cr_fail(err, CR_ETRUNC, in->len, "the records are cut off");
	h->cut = data.size == 0 || !cr_perf_section_fits(&data, in->len);
	h->data_offset = data.offset;
	h->recorded_len = data.size;
	h->data_len = h->cut ? in->len - data.offset : data.size;
	if (h->cut) {
		cr_log_warn(log, "recording cut short", in->len,
			"records up to the end of the file, no header features");
		memset(h->features, 0, sizeof(h->features));
	}
	return CR_OK;
}

int
cr_perf_header_read(const struct cr_input *in, struct perf_header *h, struct cr_builder *b,
	struct cr_log *log, struct cr_err *err)
{
	struct cr_cursor c;
	uint64_t size = 0;
	int rc;

	cr_cursor_init(&c, in->p, in->len);
	if ((rc = header_check(in, &c, &size, err)) < 0)
		return rc;
	h->swap = c.swap;
	/* Version numbers as used by perf. */
	cr_builder_fact(
		b, "header version", memcmp(in->p, "PERFFILE", 8) == 0 ? CR_STR("0") : CR_STR("1"));
	if (size != PIPE_BYTES)
		return file_read(in, &c, size, h, log, err);
	h->pipe = true;
	h->data_offset = PIPE_BYTES;
	h->data_len = in->len - PIPE_BYTES;
	return CR_OK;
}

void
cr_perf_header_fini(struct perf_header *h)
{
	cr_vec_fini(&h->attrs);
	cr_vec_fini(&h->names);
	cr_vec_fini(&h->pmus);
	cr_vec_fini(&h->groups);
	cr_vec_fini(&h->build_ids);
	cr_vec_fini(&h->ids);
	cr_index_fini(&h->id_index);
	cr_index_fini(&h->build_id_index);
	cr_perf_bpf_fini(&h->bpf);
}
