#include "perf_header.h"

#include "perf_feature.h"

#include <inttypes.h>

#define HEADER_BYTES 104
#define MAGIC UINT64_C(0x32454c4946524550) /* "PERFILE2" on a little-endian machine */
#define MAX_ATTRS 65536

struct section {
	uint64_t offset, size;
};

static struct section
section_read(struct cr_cursor *c)
{
	struct section s;

	s.offset = cr_cursor_u64(c);
	s.size = cr_cursor_u64(c);
	return s;
}

static bool
section_fits(const struct section *s, size_t len)
{
	return s->offset <= len && s->size <= len - s->offset;
}

static struct cr_cursor
section_cursor(const struct cr_input *in, const struct section *s, bool swap)
{
	struct cr_cursor c;

	cr_cursor_init(&c, in->p, in->len);
	c.swap = swap;
	cr_cursor_skip(&c, s->offset);
	c.end = c.p + s->size;
	return c;
}

static int
attrs_read(const struct cr_input *in, const struct section *s, uint64_t attr_size, struct perf_header *h,
	struct cr_err *err)
{
	struct cr_cursor all = section_cursor(in, s, h->swap);

	if (s->size / attr_size == 0 || s->size / attr_size > MAX_ATTRS)
		return cr_fail(err, CR_EFORMAT, s->offset, "%" PRIu64 " events", s->size / attr_size);
	while (cr_cursor_left(&all) >= attr_size) {
		struct cr_cursor c = cr_cursor_sub(&all, attr_size - 16);
		struct perf_attr a;

		if (!perf_attr_read(&c, &a))
			return cr_fail(err, CR_EFORMAT, cr_cursor_at(&all), "event attribute of %" PRIu64 " bytes",
				       attr_size - 16);
		a.ids_offset = cr_cursor_u64(&all);
		a.ids_bytes = cr_cursor_u64(&all);
		cr_vec_push(&h->attrs, a);
	}
	return CR_OK;
}

/* Ids take 8 bytes each, and no section needs to overlap another: more than fit are a lie. */
static void
ids_read(const struct cr_input *in, struct perf_header *h, struct cr_log *log)
{
	uint64_t left = in->len / 8;

	for (uint32_t i = 0; i < h->attrs.n; i++) {
		const struct section s = {h->attrs.p[i].ids_offset, h->attrs.p[i].ids_bytes};
		struct cr_cursor c;

		if (!section_fits(&s, in->len) || s.size % 8) {
			cr_log_warn(log, "event ids outside the file", s.offset, "event %" PRIu32, i);
			continue;
		}
		if (s.size / 8 > left) {
			cr_log_warn(log, "event ids overlap", s.offset, "event %" PRIu32, i);
			return;
		}
		left -= s.size / 8;
		c = section_cursor(in, &s, h->swap);
		while (cr_cursor_left(&c) >= 8) {
			const uint64_t id = cr_cursor_u64(&c);

			if (perf_header_attr_of(h, id) != CR_NO_ROW)
				continue;
			cr_index_add(&h->id_index, cr_hash_mix(id, 0), (uint32_t)h->ids.n);
			cr_vec_push(&h->ids, ((struct perf_event_id){id, i}));
		}
	}
}

uint32_t
perf_header_attr_of(const struct perf_header *h, uint64_t id)
{
	const uint64_t hash = cr_hash_mix(id, 0);
	uint32_t at = cr_index_first(&h->id_index, hash), row;

	for (; (row = cr_index_row(&h->id_index, &at, hash)) != CR_NO_ROW; at = cr_index_next(&h->id_index, at))
		if (h->ids.p[row].id == id)
			return h->ids.p[row].attr;
	return CR_NO_ROW;
}

const struct perf_build_id *
perf_header_build_id(const struct perf_header *h, struct cr_str name)
{
	const uint64_t hash = cr_hash(name.p, name.len);
	uint32_t at = cr_index_first(&h->build_id_index, hash), row;

	for (; (row = cr_index_row(&h->build_id_index, &at, hash)) != CR_NO_ROW;
	     at = cr_index_next(&h->build_id_index, at))
		if (cr_str_eq(h->build_ids.p[row].name, name))
			return &h->build_ids.p[row];
	return NULL;
}

/* A table of {offset, size} behind the data, one for each set bit in ascending order. */
static void
features_read(const struct cr_input *in, const uint64_t bits[4], struct perf_header *h, struct cr_builder *b,
	struct cr_log *log)
{
	struct cr_cursor table;

	cr_cursor_init(&table, in->p, in->len);
	table.swap = h->swap;
	cr_cursor_skip(&table, h->data_offset + h->data_len);
	for (unsigned bit = 0; bit < PERF_FEATURE_BITS; bit++) {
		struct section s;
		struct cr_cursor c;

		if (!(bits[bit / 64] >> bit % 64 & 1))
			continue;
		s = section_read(&table);
		if (table.bad) {
			cr_log_warn(log, "header features cut off", in->len, "from feature %u on", bit);
			return;
		}
		if (s.size == 0)
			continue;
		if (!section_fits(&s, in->len)) {
			cr_log_warn(log, "header feature outside the file", s.offset, "feature %u", bit);
			continue;
		}
		c = section_cursor(in, &s, h->swap);
		perf_feature_read(bit, &c, h, b);
		if (c.bad)
			cr_log_warn(log, "header feature ends early", s.offset, "feature %u", bit);
	}
}

/* ---- the header itself */

static int
header_check(const struct cr_input *in, struct cr_cursor *c, struct cr_err *err)
{
	const unsigned char *magic = cr_cursor_take(c, 8);
	uint64_t size, number;

	if (!magic)
		return cr_fail(err, CR_ETRUNC, in->len, "perf.data header cut off");
	/* The magic is a number, and stands in the recorder's byte order like any other. */
	memcpy(&number, magic, sizeof(number));
	c->swap = number == __builtin_bswap64(MAGIC);
	if (number != MAGIC && !c->swap)
		return cr_fail(err, CR_EUNSUPPORTED, 0, "perf.data of the format before 2010");
	size = cr_cursor_u64(c);
	if (size == 16)
		return cr_fail(err, CR_EUNSUPPORTED, 8, "perf.data in pipe mode");
	if (in->len < HEADER_BYTES)
		return cr_fail(err, CR_ETRUNC, in->len, "perf.data header cut off");
	if (size != HEADER_BYTES)
		return cr_fail(err, CR_EFORMAT, 8, "perf.data header of %" PRIu64 " bytes", size);
	return CR_OK;
}

/*
 * 256 bits in 64-bit words. A 32-bit recorder of the other byte order wrote them in words of its
 * own: told by the host name's bit, which every recorder sets.
 */
static void
feature_bits_read(struct cr_cursor *c, uint64_t bits[4])
{
	for (size_t i = 0; i < 4; i++)
		bits[i] = cr_cursor_u64(c);
	if (!c->swap || (bits[0] >> PERF_FEATURE_HOSTNAME & 1))
		return;
	for (size_t i = 0; i < 4; i++)
		bits[i] = bits[i] << 32 | bits[i] >> 32;
}

int
perf_header_read(const struct cr_input *in, struct perf_header *h, struct cr_builder *b, struct cr_log *log,
	struct cr_err *err)
{
	struct section attrs, data;
	struct cr_cursor c;
	uint64_t attr_size, bits[4];
	int rc;

	cr_cursor_init(&c, in->p, in->len);
	if ((rc = header_check(in, &c, err)) < 0)
		return rc;
	h->swap = c.swap;
	attr_size = cr_cursor_u64(&c);
	attrs = section_read(&c);
	data = section_read(&c);
	section_read(&c); /* event types: names before 3.9, superseded by EVENT_DESC */
	feature_bits_read(&c, bits);
	if (attr_size < 64 + 16 || attr_size > 4096)
		return cr_fail(err, CR_EFORMAT, 16, "event attributes of %" PRIu64 " bytes", attr_size);
	if (!section_fits(&attrs, in->len))
		return cr_fail(err, CR_ETRUNC, attrs.offset, "event attributes lie outside the file");
	if ((rc = attrs_read(in, &attrs, attr_size, h, err)) < 0)
		return rc;
	ids_read(in, h, log);
	if (data.offset > in->len)
		return cr_fail(err, CR_ETRUNC, in->len, "the records are cut off");
	h->cut = data.size == 0 || !section_fits(&data, in->len);
	h->data_offset = data.offset;
	h->data_len = h->cut ? in->len - data.offset : data.size;
	if (h->cut)
		cr_log_warn(log, "recording cut short", in->len, "records up to the end of the file, no header features");
	else
		features_read(in, bits, h, b, log);
	return CR_OK;
}

void
perf_header_fini(struct perf_header *h)
{
	cr_vec_fini(&h->attrs);
	cr_vec_fini(&h->build_ids);
	cr_vec_fini(&h->ids);
	cr_index_fini(&h->id_index);
	cr_index_fini(&h->build_id_index);
}
