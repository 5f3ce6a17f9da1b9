#include "testing.h"

#include "perf_containers.h"
#include "read/perf_data/perf_stream_p.h"

enum { TYPE_BIG = 21 }; /* some type of the kernel's, of a body as it comes */

/* A record of a type and size, its bytes different from those of others. */
static void
put_record(struct cr_text *t, uint32_t type, uint16_t size, uint64_t number)
{
	made_u32(t, type);
	made_u16(t, (uint16_t)(number % 7));
	made_u16(t, size);
	for (uint16_t i = 8; i < size; i++)
		cr_text_char(t, (char)(number * 31 + i));
}

/* Records of all sorts of sizes, now and then one of the recorder's own. */
static struct cr_text
records_of(size_t n)
{
	struct cr_text t = {0};

	for (uint64_t i = 0; i < n; i++)
		put_record(&t, i % 9 == 8 ? MADE_ROUND : MADE_SAMPLE,
			(uint16_t)(i % 9 == 8 ? 8 : 8 + i * 13 % 200), i);
	return t;
}

/* What comes out, put behind each other: the same bytes that went in. */
static void
read_all(struct perf_stream *s, struct cr_text *out, struct cr_log *log)
{
	struct perf_record rec;

	cr_text_puts(out, "");
	while (cr_perf_stream_next(s, &rec, log)) {
		assert_ptr_equal(rec.body.p, rec.p + 8);
		assert_int_equal(cr_cursor_left(&rec.body), rec.size - 8);
		assert_int_equal(rec.body.swap, s->swap);
		assert_true(rec.packed == (rec.p < s->start || rec.p >= s->end));
		cr_text_put(out, rec.p, rec.size);
	}
	assert_false(
		cr_perf_stream_next(s, &rec, log)); /* and that stays so, without another warning */
}

static void
assert_same_bytes(const struct cr_text *have, const struct cr_text *want)
{
	assert_int_equal(have->len, want->len);
	assert_memory_equal(have->p, want->p, want->len);
}

static void
test_records_come_one_by_one(void **state)
{
	struct cr_text t = records_of(100), all = {0};
	struct cr_log log = {0};
	struct perf_stream s;

	(void)state;
	cr_perf_stream_init(&s, (const unsigned char *)t.p, 0, t.len, false);
	read_all(&s, &all, &log);
	assert_same_bytes(&all, &t);
	assert_false(s.damaged);
	assert_int_equal(log.n, 0);
	cr_perf_stream_fini(&s);
	cr_text_fini(&all);
	cr_text_fini(&t);
}

static void
test_packed_records_come_as_they_went_in(void **state)
{
	static const size_t pieces[] = {1, 3, 100, 1000, 60000};
	static const uint32_t types[] = {MADE_COMPRESSED, MADE_COMPRESSED2};

	(void)state;
	for (unsigned i = 0; i < CR_LEN(pieces) * CR_LEN(types) * 2; i++) {
		struct cr_text want, t = {0}, all = {0};
		struct cr_log log = {0};
		struct perf_stream s;
		unsigned char *bytes;

		made_foreign = i & 1;
		want = records_of(60);
		cr_text_put(&t, want.p, want.len);
		made_pack(&t, types[i / 2 % 2], pieces[i / 4]);
		bytes = testing_exact(t.p, t.len);
		cr_perf_stream_init(&s, bytes, 0, t.len, made_foreign);
		made_foreign = false;
		read_all(&s, &all, &log);
		assert_same_bytes(&all, &want);
		assert_int_equal(log.n, 0);
		assert_false(s.damaged);
		assert_true(s.unpacked_bytes > 0 &&
			    s.unpacked_bytes < want.len); /* rounds are outside */
		cr_perf_stream_fini(&s);
		free(bytes);
		cr_text_fini(&all);
		cr_text_fini(&want);
		cr_text_fini(&t);
	}
}

static void
test_outer_records_are_seen_without_what_is_in_them(void **state)
{
	struct cr_text t = records_of(20);
	struct cr_log log = {0};
	struct perf_record rec;
	struct perf_stream s;
	uint64_t at, packed = 0, rounds = 0;

	(void)state;
	made_pack(&t, MADE_COMPRESSED, 50);
	cr_perf_stream_init(&s, (const unsigned char *)t.p, 0, t.len, false);
	for (at = 0; cr_perf_stream_outer(&s, &rec, &log); at += rec.size) {
		assert_int_equal(cr_perf_stream_offset(&s), at);
		packed += rec.type == MADE_COMPRESSED;
		rounds += rec.type == MADE_ROUND;
	}
	assert_int_equal(at, t.len);
	assert_int_equal(s.turn_bytes, t.len);
	assert_int_equal(rounds, 2);
	assert_true(packed > 20);
	cr_perf_stream_fini(&s);
	cr_text_fini(&t);
}

static void
test_bytes_outside_of_records_are_stepped_over_or_taken(void **state)
{
	struct cr_text t = {0};
	struct cr_log log = {0};
	struct perf_record rec;
	struct perf_stream s;
	struct cr_cursor c;

	(void)state;
	put_record(&t, MADE_AUXTRACE, 16, 1);
	cr_text_puts(&t, "trace");
	put_record(&t, MADE_TRACING_DATA, 16, 2);
	cr_text_puts(&t, "formats");
	put_record(&t, MADE_SAMPLE, 24, 3);
	cr_perf_stream_init(&s, (const unsigned char *)t.p, 0, t.len, false);
	assert_true(cr_perf_stream_next(&s, &rec, &log));
	assert_true(cr_perf_stream_skip(&s, 5));
	assert_true(cr_perf_stream_next(&s, &rec, &log));
	assert_int_equal(rec.type, MADE_TRACING_DATA);
	c = cr_perf_stream_read(&s, 7);
	assert_int_equal(cr_cursor_left(&c), 7);
	assert_memory_equal(c.p, "formats", 7);
	assert_false(cr_perf_stream_skip(&s, 25)); /* more than there is: nothing is taken */
	assert_false(cr_perf_stream_skip(&s, UINT64_MAX));
	assert_true(cr_perf_stream_next(&s, &rec, &log));
	assert_int_equal(rec.type, MADE_SAMPLE);
	assert_true(cr_perf_stream_skip(&s, 0));
	assert_false(cr_perf_stream_skip(&s, 1));
	assert_false(cr_perf_stream_next(&s, &rec, &log));
	assert_false(s.damaged);
	cr_perf_stream_fini(&s);
	cr_text_fini(&t);
}

/* ---- damage */

/* How many whole records are in the first so many bytes. */
static size_t
whole_bytes(const struct cr_text *t, size_t len)
{
	size_t at = 0;

	while (at + 8 <= len && at + made_size_at(t->p + at) <= len)
		at += made_size_at(t->p + at);
	return at;
}

static void
test_a_record_that_is_cut_is_told_and_those_before_it_are_there(void **state)
{
	struct cr_text t = records_of(12);

	(void)state;
	for (size_t len = 0; len <= t.len; len++) {
		unsigned char *bytes = testing_exact(t.p, len);
		struct cr_text want = {t.p, whole_bytes(&t, len), 0}, all = {0};
		struct cr_log log = {0};
		struct perf_stream s;

		cr_perf_stream_init(&s, bytes, 0, len, false);
		read_all(&s, &all, &log);
		assert_same_bytes(&all, &want);
		assert_int_equal(s.damaged, want.len < len);
		assert_int_equal(log.n, s.damaged);
		if (log.n) {
			assert_string_equal(
				log.entries[0].kind, "damaged or cut record, the rest is lost");
			assert_int_equal(log.entries[0].offset, want.len);
			assert_int_equal(log.entries[0].count, 1);
		}
		cr_perf_stream_fini(&s);
		free(bytes);
		cr_text_fini(&all);
	}
	cr_text_fini(&t);
}

/* Where the piece is cut in which a record ends, that record is gone, and we hear of it. */
static void
test_packed_records_that_are_cut_are_told(void **state)
{
	struct cr_text want = records_of(8), t = {0};

	(void)state;
	cr_text_put(&t, want.p, want.len);
	made_pack(&t, MADE_COMPRESSED, 30);
	for (size_t len = 0; len < t.len; len++) {
		unsigned char *bytes = testing_exact(t.p, len);
		const bool between = whole_bytes(&t, len) == len;
		struct cr_text all = {0};
		struct cr_log log = {0};
		struct perf_stream s;

		cr_perf_stream_init(&s, bytes, 0, len, false);
		read_all(&s, &all, &log);
		assert_int_equal(all.len, whole_bytes(&want, all.len));
		assert_memory_equal(all.p, want.p, all.len);
		assert_true(between || s.damaged);
		assert_int_equal(s.damaged, !between || all.len < s.unpacked_bytes);
		assert_int_equal(log.n, s.damaged);
		cr_perf_stream_fini(&s);
		free(bytes);
		cr_text_fini(&all);
	}
	cr_text_fini(&want);
	cr_text_fini(&t);
}

static void
test_damaged_packing_keeps_what_came_before(void **state)
{
	static const uint32_t types[] = {MADE_COMPRESSED, MADE_COMPRESSED2};

	(void)state;
	for (unsigned i = 0; i < CR_LEN(types); i++) {
		const size_t payload = types[i] == MADE_COMPRESSED2 ? 16 : 8;
		struct cr_text t = {0}, all = {0};
		struct cr_log log = {0};
		struct perf_stream s;
		size_t second;

		for (uint64_t k = 0; k < 8; k++)
			put_record(&t, MADE_SAMPLE, 40, k);
		made_pack(&t, types[i], 100);
		second = made_size_at(t.p);
		memset(t.p + second + payload, 0xff, 8);
		cr_perf_stream_init(&s, (const unsigned char *)t.p, 0, t.len, false);
		read_all(&s, &all, &log);
		assert_int_equal(all.len, 80); /* of the first 100 bytes, the whole ones */
		assert_true(s.damaged);
		assert_int_equal(log.n, 1);
		assert_string_equal(
			log.entries[0].kind, "damaged compressed records, the rest is lost");
		assert_int_equal(log.entries[0].offset, second);
		cr_perf_stream_fini(&s);
		cr_text_fini(&all);
		cr_text_fini(&t);
	}
}

static void
test_packed_records_with_a_size_that_cannot_be_are_the_end(void **state)
{
	static const struct {
		uint16_t size;
		const char *why;
	} cases[] = {
		{0, "damaged or cut record, the rest is lost"},
		{7, "damaged or cut record, the rest is lost"},
		{200, "damaged or cut record, the rest is lost"}, /* longer than what is left */
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text inner = {0}, t = {0}, all = {0};
		ZSTD_CCtx *z = ZSTD_createCCtx();
		struct cr_log log = {0};
		struct perf_stream s;

		put_record(&inner, MADE_SAMPLE, 40, 1);
		put_record(&inner, MADE_SAMPLE, 40, 2);
		memcpy(inner.p + 40 + 6, &cases[i].size, 2);
		made_pack_run(&t, z, MADE_COMPRESSED, inner.p, inner.len, 1000);
		ZSTD_freeCCtx(z);
		cr_perf_stream_init(&s, (const unsigned char *)t.p, 0, t.len, false);
		read_all(&s, &all, &log);
		assert_int_equal(all.len, 40);
		assert_true(s.damaged);
		assert_int_equal(log.n, 1);
		assert_string_equal(log.entries[0].kind, cases[i].why);
		cr_perf_stream_fini(&s);
		cr_text_fini(&inner);
		cr_text_fini(&all);
		cr_text_fini(&t);
	}
}

static void
test_a_payload_longer_than_its_record_is_damage(void **state)
{
	struct cr_text t = {0}, all = {0};
	struct cr_log log = {0};
	struct perf_stream s;

	(void)state;
	put_record(&t, MADE_SAMPLE, 40, 1);
	made_pack(&t, MADE_COMPRESSED2, 100);
	memset(t.p + 8, 0xff, 8);
	cr_perf_stream_init(&s, (const unsigned char *)t.p, 0, t.len, false);
	read_all(&s, &all, &log);
	assert_int_equal(all.len, 0);
	assert_true(s.damaged);
	assert_int_equal(log.n, 1);
	cr_perf_stream_fini(&s);
	cr_text_fini(&all);
	cr_text_fini(&t);
}

/* ---- what unpacked bytes cost */

#define BIG 65528u

/* n large records of zeros through one stream, 16 to a piece. */
static struct cr_text
big_records(size_t n)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();
	struct cr_text block = {0}, out = {0};

	ZSTD_CCtx_setParameter(z, ZSTD_c_windowLog, 17);
	for (size_t i = 0; i < 16; i++) {
		const size_t at = block.len;
		const uint16_t size = BIG;

		cr_text_pad(&block, '\0', BIG);
		block.p[at] = TYPE_BIG;
		memcpy(block.p + at + 6, &size, 2);
	}
	for (size_t i = 0; i < n; i += 16)
		made_pack_run(&out, z, MADE_COMPRESSED, block.p, block.len, block.len);
	ZSTD_freeCCtx(z);
	cr_text_fini(&block);
	return out;
}

static void
test_what_grows_beyond_reason_is_stopped(void **state)
{
	struct cr_text t = big_records(1600);
	struct cr_log log = {0};
	struct perf_record rec;
	struct perf_stream s;
	uint64_t bytes = 0;

	(void)state;
	cr_perf_stream_init(&s, (const unsigned char *)t.p, 0, t.len, false);
	while (cr_perf_stream_next(&s, &rec, &log)) {
		bytes += rec.size;
		cr_perf_stream_delivered(&s, UINT64_MAX);
		assert_true(s.chunk_bytes <=
			    (uint64_t)4 << 20); /* what was delivered is freed on the way */
	}
	assert_true(s.damaged);
	assert_true(bytes >= (uint64_t)60 << 20 && bytes <= (uint64_t)70 << 20);
	assert_int_equal(log.n, 1);
	assert_string_equal(
		log.entries[0].kind, "compressed records expand too much, the rest is lost");
	cr_perf_stream_fini(&s);
	cr_text_fini(&t);
}

static size_t
chunks_of(const struct perf_stream *s)
{
	size_t n = 0;

	for (const struct perf_chunk *c = s->chunk; c; c = c->older)
		n++;
	return n;
}

static void
test_chunks_stay_until_all_in_them_was_delivered(void **state)
{
	struct cr_text t = big_records(96);
	const unsigned char *record_of[8] = {0};
	struct perf_chunk *chunk_of[8] = {0};
	struct cr_log log = {0};
	struct perf_record rec;
	struct perf_stream s;
	size_t n = 0;

	(void)state;
	cr_perf_stream_init(&s, (const unsigned char *)t.p, 0, t.len, false);
	while (n < 5 && cr_perf_stream_next(&s, &rec, &log)) {
		if (n && s.chunk == chunk_of[n - 1])
			continue;
		record_of[n] = rec.p;
		chunk_of[n] = s.chunk;
		s.chunk->newest = 10 * ++n;
	}
	assert_int_equal(n, 5);
	assert_int_equal(chunks_of(&s), 5);
	assert_int_equal(s.chunk_bytes, 5 * chunk_of[0]->cap);
	chunk_of[1]->keep = true;
	cr_perf_stream_delivered(&s, 9);
	assert_int_equal(chunks_of(&s), 5);
	cr_perf_stream_delivered(
		&s, 30); /* the first and the third; the second is needed to the end */
	assert_int_equal(chunks_of(&s), 3);
	assert_int_equal(s.chunk_bytes, 3 * chunk_of[1]->cap);
	assert_int_equal(record_of[1][0], TYPE_BIG);
	assert_int_equal(record_of[3][0], TYPE_BIG);
	cr_perf_stream_delivered(&s, UINT64_MAX);
	assert_int_equal(chunks_of(&s), 2); /* the newest is still being filled */
	assert_ptr_equal(s.chunk, chunk_of[4]);
	assert_int_equal(record_of[4][0], TYPE_BIG);
	assert_int_equal(record_of[1][0], TYPE_BIG);
	for (n = 0; cr_perf_stream_next(&s, &rec, &log); n++)
		assert_int_equal(rec.size, BIG);
	assert_true(n > 16 && !s.damaged);
	cr_perf_stream_fini(&s);
	cr_text_fini(&t);
}

static void
test_a_record_that_was_one_is_looked_at_again(void **state)
{
	static const unsigned char bytes[16] = {9, 0, 0, 0, 2, 0, 16, 0};
	struct perf_record rec;

	(void)state;
	assert_true(cr_perf_record_at(bytes, bytes + 16, false, &rec));
	assert_int_equal(rec.type, 9);
	assert_int_equal(rec.misc, 2);
	assert_int_equal(rec.size, 16);
	assert_false(cr_perf_record_at(bytes, bytes + 15, false, &rec));
	assert_false(cr_perf_record_at(bytes, bytes + 7, false, &rec));
	assert_false(cr_perf_record_at(bytes, bytes, false, &rec));
	assert_false(cr_perf_record_at(bytes, bytes + 16, true, &rec)); /* of size 4096 there */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records_come_one_by_one),
		cmocka_unit_test(test_packed_records_come_as_they_went_in),
		cmocka_unit_test(test_outer_records_are_seen_without_what_is_in_them),
		cmocka_unit_test(test_bytes_outside_of_records_are_stepped_over_or_taken),
		cmocka_unit_test(test_a_record_that_is_cut_is_told_and_those_before_it_are_there),
		cmocka_unit_test(test_packed_records_that_are_cut_are_told),
		cmocka_unit_test(test_damaged_packing_keeps_what_came_before),
		cmocka_unit_test(test_packed_records_with_a_size_that_cannot_be_are_the_end),
		cmocka_unit_test(test_a_payload_longer_than_its_record_is_damage),
		cmocka_unit_test(test_what_grows_beyond_reason_is_stopped),
		cmocka_unit_test(test_chunks_stay_until_all_in_them_was_delivered),
		cmocka_unit_test(test_a_record_that_was_one_is_looked_at_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
