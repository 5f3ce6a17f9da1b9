#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "store/format/directory_p.h"

static const enum cr_store_format formats[] = {CR_STORE_FORMAT_FIXED, CR_STORE_FORMAT_SHORT};

/* A store of blocks of zeros. */
static struct cr_buf
store_of(const struct cr_directory *dir)
{
	struct cr_buf b = {0};
	uint64_t bytes = 0;

	cr_directory_head(dir->format, &b);
	for (uint32_t i = 0; i < dir->n_blocks; i++)
		bytes += dir->blocks[i].stored_bytes;
	memset(cr_buf_grow(&b, bytes), 0, bytes);
	cr_directory_write(dir, b.n, &b);
	return b;
}

static int
read_exact(const struct cr_buf *b, struct cr_directory *dir, struct cr_err *err)
{
	unsigned char *copy = malloc(b->n + 1);
	int rc;

	assert_non_null(copy);
	memcpy(copy, b->p, b->n);
	*err = (struct cr_err)CR_ERR_INIT;
	rc = cr_directory_read(copy, b->n, false, dir, err);
	free(copy);
	return rc;
}

static void
same_block(const struct cr_block *a, const struct cr_block *b)
{
	assert_true(a->offset == b->offset && a->sum == b->sum);
	assert_int_equal(a->stored_bytes, b->stored_bytes);
	assert_int_equal(a->raw_bytes, b->raw_bytes);
	assert_int_equal(a->rows, b->rows);
}

/* Sections without blocks, with one and with several; numbers of one and of more bytes. */
static void
test_a_directory_comes_back_in_every_format(void **state)
{
	struct cr_block blocks[] = {
		{24, UINT64_MAX, 0, 0, 0},
		{24, 1, 1, 1, 65536},
		{25, 2, 200, 100000, 1},
		{225, 3, 70000, CR_BLOCK_RAW_MAX, 127},
		{70225, 4, 128, 128, 128},
	};
	struct cr_section sections[] = {
		{1, 1, 0, 0, 0},
		{2, 2, 65536, 0, 2},
		{UINT32_MAX, UINT32_MAX, 1 + 127 + 128, 2, 3},
		{3, 1, 0, 5, 0},
	};
	struct cr_err err;

	(void)state;
	for (size_t f = 0; f < CR_LEN(formats); f++) {
		struct cr_directory dir = {formats[f], sections, 4, blocks, 5}, read;
		struct cr_buf b = store_of(&dir);

		assert_int_equal(read_exact(&b, &read, &err), CR_OK);
		assert_int_equal(read.format, formats[f]);
		assert_int_equal(read.n_sections, 4);
		assert_int_equal(read.n_blocks, 5);
		for (unsigned i = 0; i < 4; i++)
			assert_memory_equal(&read.sections[i], &sections[i], sizeof(sections[i]));
		for (unsigned i = 0; i < 5; i++)
			same_block(&read.blocks[i], &blocks[i]);
		cr_directory_fini(&read);
		free(b.p);
	}
}

static void
test_an_empty_store_has_a_directory(void **state)
{
	struct cr_err err;

	(void)state;
	for (size_t f = 0; f < CR_LEN(formats); f++) {
		struct cr_directory dir = {.format = formats[f]}, read;
		struct cr_buf b = store_of(&dir);

		assert_int_equal(read_exact(&b, &read, &err), CR_OK);
		assert_int_equal(read.n_sections, 0);
		cr_directory_fini(&read);
		free(b.p);
	}
}

static void
test_a_short_directory_is_short(void **state)
{
	struct cr_block blocks[] = {{24, 1, 10, 10, 5}};
	struct cr_section sections[] = {{20, 1, 5, 0, 1}};
	struct cr_directory dir = {CR_STORE_FORMAT_SHORT, sections, 1, blocks, 1};
	struct cr_buf b = store_of(&dir);

	(void)state;
	assert_int_equal(b.n, CR_STORE_HEAD + 10 + 1 + 3 + 11 + CR_STORE_TAIL);
	free(b.p);
}

/* A store whose directory has these bytes, with right checksums. */
static int
read_short(const unsigned char *bytes, size_t n, size_t blocks_bytes, struct cr_err *err)
{
	struct cr_buf b = {0};
	struct cr_directory dir;
	const size_t at = CR_STORE_HEAD + blocks_bytes, tail = at + n;
	int rc;

	cr_directory_head(CR_STORE_FORMAT_SHORT, &b);
	memset(cr_buf_grow(&b, blocks_bytes), 0, blocks_bytes);
	cr_buf_put(&b, bytes, n);
	cr_buf_int(&b, at, 8);
	cr_buf_int(&b, n, 8);
	cr_buf_int(&b, cr_digest(b.p + at, n), 8);
	cr_buf_int(&b, cr_digest(b.p + tail, 24), 8);
	cr_buf_put(&b, CR_STORE_END, 8);
	rc = read_exact(&b, &dir, err);
	if (rc == CR_OK)
		cr_directory_fini(&dir);
	free(b.p);
	return rc;
}

static void
test_impossible_short_directories_are_refused(void **state)
{
#define SUM 1, 2, 3, 4, 5, 6, 7, 8
	static const struct {
		unsigned char bytes[40];
		size_t n, blocks_bytes;
		bool good;
	} cases[] = {
		{{1, 5, 1, 1, 2, 3, 4, SUM}, 15, 2, true},
		{{1, 5, 1, 1, 2, 3, 4, SUM}, 14, 2, false},             /* it ends early */
		{{1, 5, 1, 1, 2, 3, 4, SUM, 0}, 16, 2, false},          /* or late */
		{{1, 5, 1, 1, 2, 3, 4, SUM}, 15, 1, false},             /* more than there is */
		{{1, 5, 1, 1, 2, 3, 4, SUM}, 15, 3, false},             /* less than there is */
		{{1, 5, 1, 1, 3, 2, 4, SUM}, 15, 3, false},             /* smaller when unpacked */
		{{1, 5, 1, 1, 2, 3, 0x81, 0x80, 4, SUM}, 17, 2, false}, /* 65537 rows */
		{{1, 5, 1, 1, 2, 0x81, 0x80, 0x80, 0x80, 4, 4, SUM}, 19, 2,
			false}, /* 2^30+1 bytes */
		{{1, 5, 1, 1, 0x82, 0x80, 0x80, 0x80, 0x10, 3, 4, SUM}, 19, 2, false}, /* 2^32+2 */
		{{2, 5, 1, 0, 5, 1, 0}, 7, 0, false},       /* a section twice */
		{{2, 5, 1, 0}, 4, 0, false},                /* a section is missing */
		{{1, 5, 1, 2, 0, 0, 0, SUM}, 15, 0, false}, /* a block is missing */
		{{1, 5, 1, 0xff, 0xff, 0xff, 0xff, 0x0f}, 8, 0, false},
		{{0xff, 0xff, 0xff, 0xff, 0x0f}, 5, 0, false},
		{{0x80}, 1, 0, false},
		{{0}, 1, 0, true},
	};
	struct cr_err err;

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const int rc = read_short(cases[i].bytes, cases[i].n, cases[i].blocks_bytes, &err);

		assert_int_equal(rc == CR_OK, cases[i].good);
		assert_true(rc == CR_OK || err.text[0]);
	}
}

/* 1025 sections without blocks. */
static void
test_too_many_sections_are_refused(void **state)
{
	static struct cr_section sections[1025];
	struct cr_err err;

	(void)state;
	for (uint32_t i = 0; i < 1025; i++)
		sections[i] = (struct cr_section){.id = i, .version = 1};
	for (size_t f = 0; f < CR_LEN(formats); f++)
		for (uint32_t n = 1024; n <= 1025; n++) {
			struct cr_directory dir = {formats[f], sections, n, NULL, 0}, read;
			struct cr_buf b = store_of(&dir);

			assert_int_equal(
				read_exact(&b, &read, &err), n == 1024 ? CR_OK : CR_ELIMIT);
			cr_directory_fini(&read);
			free(b.p);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_directory_comes_back_in_every_format),
		cmocka_unit_test(test_an_empty_store_has_a_directory),
		cmocka_unit_test(test_a_short_directory_is_short),
		cmocka_unit_test(test_impossible_short_directories_are_refused),
		cmocka_unit_test(test_too_many_sections_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
