#include "testing.h"

#include <sys/resource.h>
#include <unistd.h>

#include "../fuzz/sealed.h"
#include "../fuzz/sealed_use.h"
#include "bytes/source.h"
#include "store_samples.h"

/*
 * Stores that were changed and have right checksums, through all that commands do with one: none
 * does harm, and what verify accepts gives the sums of its samples. How they are changed goes by a
 * fixed seed: SEALED=20000 makes it more.
 */
#define SEALED 150

struct store {
	unsigned char *bytes;
	size_t len;
};

struct bed {
	struct store stores[16];
	size_t n;
};

static void
store_take(struct bed *bed, const char *path)
{
	struct store *s = &bed->stores[bed->n++];
	struct cr_err err = CR_ERR_INIT;
	struct cr_source *src;

	assert_int_equal(cr_source_open(path, CR_SOURCE_MAX_PIPE, &src, &err), CR_OK);
	s->len = cr_source_len(src);
	s->bytes = cr_memdup(cr_source_bytes(src), s->len);
	cr_source_close(src);
}

static int
setup(void **state)
{
	static const char *const fixtures[] = {
		"good-first", "good-inlined", "good-together", "v1-packed", "v1-stored"};
	static const struct {
		uint32_t samples;
		struct cr_store_shape shape;
	} made[] = {
		{20, {3, 3}},
		{40, {1, 0}},
		{200, {7, 3}},
		{60, CR_STORE_SHAPE_INIT},
	};
	char path[4096] = "/tmp/test_store_sealed.XXXXXX";
	const int fd = mkstemp(path);
	struct bed *bed = cr_alloc(1, sizeof(*bed));

	if (fd < 0)
		return -1;
	close(fd);
	for (size_t i = 0; i < CR_LEN(made); i++) {
		struct cr_profile *p = sample_profile(made[i].samples);
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(cr_store_write_shaped(path, p, &made[i].shape, &err), CR_OK);
		cr_profile_free(p);
		store_take(bed, path);
	}
	unlink(path);
	for (size_t i = 0; getenv("FIX") && i < CR_LEN(fixtures); i++) {
		snprintf(path, sizeof(path), "%s/%s.cresset", getenv("FIX"), fixtures[i]);
		store_take(bed, path);
	}
	*state = bed;
	return 0;
}

static int
teardown(void **state)
{
	struct bed *bed = *state;

	for (size_t i = 0; i < bed->n; i++)
		free(bed->stores[i].bytes);
	free(bed);
	return 0;
}

/* Left as they are, they are sound, and what is tested of them is not nothing. */
static void
test_unchanged_stores_are_sound(void **state)
{
	const struct bed *bed = *state;

	for (size_t i = 0; i < bed->n; i++) {
		struct cr_buf out;
		struct sealed sealed;

		assert_true(sealed_open(&sealed, bed->stores[i].bytes, bed->stores[i].len, 0));
		sealed_write(&sealed, &out);
		sealed_free(&sealed);
		assert_true(stored_use(out.p, out.n));
		free(out.p);
	}
}

static void
test_changed_stores_do_no_harm(void **state)
{
	const struct bed *bed = *state;
	const char *asked = getenv("SEALED");
	const uint64_t many = asked ? strtoull(asked, NULL, 10) : SEALED;
	uint64_t opened = 0, sound = 0;

	for (uint64_t i = 0; i < many; i++) {
		const struct store *s = &bed->stores[i % bed->n];
		struct cr_buf out;

		assert_true(sealed_mutate(s->bytes, s->len, i, &out));
		sound += stored_use(out.p, out.n);
		opened++;
		free(out.p);
	}
	print_message("%llu changed stores, %llu of them sound\n", (unsigned long long)opened,
		(unsigned long long)sound);
	assert_true(sound > 0 && sound < opened);
}

/* The first block of the details, its second and third of one event and form, with one name. */
static void
name_alike(struct sealed_block *b)
{
	const struct cr_layout *lay = cr_layout_of(CR_SECTION_DETAILS);
	struct cr_cursor in;
	struct cr_buf out = {0};
	uint64_t v[8];

	assert_true(b->rows >= 3 && b->rows <= CR_LEN(v));
	cr_cursor_init(&in, b->raw, b->bytes);
	in.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	for (uint32_t k = 0; k < lay->n_fields; k++) {
		assert_true(cr_column_read(&in, v, b->rows));
		if (k < 3) /* name, event, form */
			v[2] = v[1];
		cr_column_write(&out, v, b->rows, (enum cr_coding)lay->fields[k].coding);
	}
	free(b->raw);
	b->raw = out.p;
	b->bytes = (uint32_t)out.n;
}

/* A merge would make one of them, with the values of both. */
static void
test_two_fields_of_one_name_are_damage(void **state)
{
	const struct bed *bed = *state;
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;
	struct sealed sealed;
	struct cr_buf out;

	assert_true(sealed_open(&sealed, bed->stores[3].bytes, bed->stores[3].len, 0));
	for (uint32_t i = 0; i < sealed.n; i++)
		if (sealed.sections[i].id == CR_SECTION_DETAILS)
			name_alike(&sealed.sections[i].blocks[0]);
	sealed_write(&sealed, &out);
	sealed_free(&sealed);
	assert_int_equal(cr_store_read(out.p, out.n, CR_STORE_ALL, false, &p, &log, &err), CR_OK);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_int_equal(p->n_details, 0);
	cr_profile_free(p);
	assert_false(stored_use(out.p, out.n));
	free(out.p);
}

static long
most_kib(void)
{
	struct rusage used;

	assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
	return used.ru_maxrss;
}

/* Columns that do not fit into what the store may unpack all together are not read one by one. */
static void
test_samples_that_do_not_fit_use_no_memory(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;
	char path[4096];
	long before;

	(void)state;
	if (!getenv("FIX"))
		testing_skip("there are no fixtures: $FIX is not set");
	snprintf(path, sizeof(path), "%s/bad-many-samples.cresset", getenv("FIX"));
	before = most_kib();
	assert_int_equal(cr_store_open(path, CR_STORE_ALL, &p, &log, &err), CR_OK);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_false(p->flags & CR_PROFILE_HAS_SAMPLES);
	assert_true(most_kib() - before < 64 * 1024);
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_that_do_not_fit_use_no_memory),
		cmocka_unit_test(test_unchanged_stores_are_sound),
		cmocka_unit_test(test_changed_stores_do_no_harm),
		cmocka_unit_test(test_two_fields_of_one_name_are_damage),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
