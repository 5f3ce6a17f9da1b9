#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "bytes/source.h"
#include "profile_dump.h"
#include "store/format/directory_p.h"
#include "store/seams_p.h"
#include "store_samples.h"
#include "testing_left.h"

/*
 * Stores with a byte changed, or cut: each is refused, or opens with what is lost told, and then
 * every number is that of the whole one; and cr_store_verify() finds each. So many files, of which
 * kinds and where goes by a fixed seed: DAMAGED=10000 makes it more.
 */
#define DAMAGED 600

struct store {
	unsigned char *bytes;
	size_t len;
	struct cr_text whole[DUMP_TABLES]; /* what the undamaged one holds */
	uint32_t flags;
};

struct bed {
	char directory[64], path[80];
	struct store stores[24];
	size_t n;
};

/* ---- whole stores */

static void
store_take(struct bed *bed, const char *path)
{
	struct store *s = &bed->stores[bed->n++];
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_source *src;
	struct cr_profile *p;

	assert_int_equal(cr_source_open(path, CR_SOURCE_MAX_PIPE, &src, &err), CR_OK);
	s->len = cr_source_len(src);
	s->bytes = cr_memdup(cr_source_bytes(src), s->len);
	cr_source_close(src);
	assert_int_equal(cr_store_open(path, CR_STORE_ALL, &p, &log, &err), CR_OK);
	assert_int_equal(log.n, 0);
	s->flags = p->flags;
	for (int t = 0; t < DUMP_TABLES; t++)
		dump_table(p, (enum dump_table)t, &s->whole[t]);
	cr_profile_free(p);
}

/* Fixtures, if they are there, and the same profile in blocks of all kinds. */
static int
setup(void **state)
{
	static const char *const fixtures[] = {"good-first", "good-inlined", "good-together",
		"v1-packed", "v1-stored", "v1-large", "v1-default", "v2-default", "v2-stacks",
		"v2-weights", "v2-short", "v3-tree", "v3-times", "v4-times", "v4-planes",
		"v4-texts"};
	static const struct {
		uint32_t samples;
		struct cr_store_shape shape;
	} made[] = {
		{20, {3, 3}},
		{40, {1, 0}},
		{200, {7, 3}},
		{200, CR_STORE_SHAPE_INIT},
		{3000, {64, 3}},
	};
	struct bed *bed = cr_alloc(1, sizeof(*bed));

	snprintf(bed->directory, sizeof(bed->directory), "/tmp/test_store_damage.XXXXXX");
	if (!mkdtemp(bed->directory))
		return -1;
	snprintf(bed->path, sizeof(bed->path), "%s/x.cresset", bed->directory);
	for (size_t i = 0; i < CR_LEN(made); i++) {
		struct cr_profile *p = sample_profile(made[i].samples);
		struct cr_err err = CR_ERR_INIT;

		assert_int_equal(cr_store_write_shaped(bed->path, p, &made[i].shape, &err), CR_OK);
		cr_profile_free(p);
		store_take(bed, bed->path);
	}
	for (size_t i = 0; getenv("FIX") && i < CR_LEN(fixtures); i++) {
		char path[4096];

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

	unlink(bed->path);
	rmdir(bed->directory);
	for (size_t i = 0; i < bed->n; i++) {
		free(bed->stores[i].bytes);
		for (int t = 0; t < DUMP_TABLES; t++)
			cr_text_fini(&bed->stores[i].whole[t]);
	}
	free(bed);
	return 0;
}

/* ---- what a damaged one gives */

static bool
says_lost(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_quality; i++)
		if (memmem(p->quality[i].what.p, p->quality[i].what.len, " lost: ", 7))
			return p->flags & CR_PROFILE_IN_PART;
	return false;
}

static bool
no_line_has_a_number(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_lines; i++)
		if (p->lines[i].line || p->lines[i].file.len)
			return false;
	return true;
}

static bool
all_are(const struct cr_samples *s, uint64_t none, enum cr_sample_column c)
{
	for (uint64_t i = 0; i < s->n; i++)
		if ((c == CR_SAMPLE_TIME ? s->time_ns[i] : s->cpu[i]) != none)
			return false;
	return true;
}

/* A table that differs from the whole one's may be lost, and nothing else. */
static bool
is_lost(const struct cr_profile *p, const struct store *s, enum dump_table t,
	const struct cr_text *have)
{
	switch ((int)t) {
	case DUMP_LINE_NUMBERS: return p->n_lines == 0 || no_line_has_a_number(p);
	case DUMP_TIMES:
		return p->samples.n == 0 || (!(p->flags & CR_PROFILE_HAS_TIME) &&
						    all_are(&p->samples, 0, CR_SAMPLE_TIME));
	case DUMP_CPUS:
		return p->samples.n == 0 ||
		       (!(p->flags & CR_PROFILE_HAS_CPU) &&
			       all_are(&p->samples, CR_CPU_NONE, CR_SAMPLE_CPU));
	case DUMP_WEIGHTS:
	case DUMP_SAMPLE_TASKS:
	case DUMP_SAMPLE_NODES:
	case DUMP_EVENTS: return p->samples.n == 0 && !(p->flags & CR_PROFILE_HAS_SAMPLES);
	case DUMP_ZONES: /* of a lost column they say none */
		return p->samples.n_zones == 0 ||
		       (p->flags ^ s->flags) & (CR_PROFILE_HAS_TIME | CR_PROFILE_HAS_CPU);
	case DUMP_QUALITY: /* what was lost stands behind it, or it was lost itself */
		return have->len > s->whole[t].len &&
		       cr_str_eq((struct cr_str){have->p, (uint32_t)s->whole[t].len},
			       cr_text_view(&s->whole[t]));
	default: return have->len == 0;
	}
}

static bool
quality_is_lost(const struct cr_profile *p)
{
	return p->n_quality && cr_str_starts(p->quality[0].what, "quality lost: ");
}

/*
 * True if opening alone may give something else: values are not read, what is lost is not known
 * yet, and a zone counts for nothing while its block of weights cannot be read.
 */
static bool
may_come_later(int t)
{
	return t == DUMP_VALUES || t == DUMP_QUALITY || t == DUMP_ZONES;
}

static void
nothing_but_losses(const struct cr_profile *p, const struct store *s, unsigned parts)
{
	for (int t = 0; t < DUMP_TABLES; t++) {
		struct cr_text have = {0};

		dump_table(p, (enum dump_table)t, &have);
		if (!cr_str_eq(cr_text_view(&have), cr_text_view(&s->whole[t]))) {
			assert_true(parts != CR_STORE_ALL || says_lost(p));
			assert_true(is_lost(p, s, (enum dump_table)t, &have) ||
				    (t == DUMP_QUALITY && quality_is_lost(p)) ||
				    (parts == CR_STORE_DEFAULT_TREE && may_come_later(t)));
		}
		cr_text_fini(&have);
	}
}

static void
open_damaged(const struct bed *bed, const struct store *s, unsigned parts)
{
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	const int rc = cr_store_open(bed->path, parts, &p, &log, &err);

	if (rc < 0) {
		assert_null(p);
		assert_true(err.code == rc && err.text[0] && !strchr(err.text, '\n'));
		return;
	}
	nothing_but_losses(p, s, parts);
	if (parts == CR_STORE_DEFAULT_TREE) { /* the rest later, in two steps */
		assert_int_equal(
			cr_store_fetch(p, CR_STORE_NODE | CR_STORE_CPU, &log, &err), CR_OK);
		assert_int_equal(cr_store_fetch(p, CR_STORE_ALL, &log, &err), CR_OK);
		nothing_but_losses(p, s, CR_STORE_ALL);
	}
	assert_true(log.n > 0);
	cr_profile_free(p);
}

/* ---- damage */

static void
file_write(const struct bed *bed, const unsigned char *bytes, size_t len)
{
	const int fd = open(bed->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

static void
try_damaged(const struct bed *bed, const struct store *s, uint64_t seed)
{
	const uint64_t where = cr_digest_mix(seed, 1), how = cr_digest_mix(seed, 2);
	const size_t at = where % s->len;
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;

	if (how % 8 == 0) {
		file_write(bed, s->bytes, at);
	} else {
		const unsigned char was = s->bytes[at];

		s->bytes[at] ^= (unsigned char)CR_MAX(how >> 8 & 0xff, 1u);
		file_write(bed, s->bytes, s->len);
		s->bytes[at] = was;
	}
	open_damaged(bed, s, CR_STORE_ALL);
	open_damaged(bed, s, CR_STORE_DEFAULT_TREE);
	assert_true(cr_store_verify(bed->path, &log, &err) < 0);
	assert_true(err.text[0]);
}

static void
test_damage_is_told_and_costs_no_more_than_it_says(void **state)
{
	const struct bed *bed = *state;
	const uint64_t n = getenv("DAMAGED") ? strtoull(getenv("DAMAGED"), NULL, 10) : DAMAGED;

	for (uint64_t i = 0; i < n; i++)
		try_damaged(bed, &bed->stores[i % bed->n], i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_damage_is_told_and_costs_no_more_than_it_says, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
