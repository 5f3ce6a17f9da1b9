#include "testing.h"

#include <sys/resource.h>
#include <unistd.h>

#include "../fuzz/sealed.h"
#include "../fuzz/sealed_use.h"
#include "base/hash.h"
#include "bytes/source.h"
#include "model/tree/default_tree.h"
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
	struct store stores[24];
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
	static const char *const fixtures[] = {"good-first", "good-inlined", "good-together",
		"v1-packed", "v1-stored", "v2-default", "v2-stacks", "v2-weights", "v2-short",
		"v3-tree", "v3-times", "v4-times", "v4-planes", "v4-texts"};
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

/* No writer makes such, but cresset-store(5) allows it. */
static void
test_times_of_one_row_may_be_ticks(void **state)
{
	const struct bed *bed = *state;
	struct sealed sealed;
	struct cr_buf out;
	uint32_t changed = 0;

	assert_true(sealed_open(&sealed, bed->stores[1].bytes, bed->stores[1].len, 0));
	for (uint32_t i = 0; i < sealed.n; i++) {
		struct sealed_section *s = &sealed.sections[i];

		if (s->id != CR_SECTION_COLUMN + CR_SAMPLE_TIME)
			continue;
		s->version = CR_SECTION_TICKS;
		for (uint32_t k = 0; k < s->n; k++, changed++) {
			struct cr_buf column = {0};
			struct cr_cursor in;
			uint64_t time;

			cr_cursor_init(&in, s->blocks[k].raw, s->blocks[k].bytes);
			in.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
			assert_true(cr_column_read(&in, &time, 1));
			assert_true(cr_column_write_ticks(&column, &time, 1, CR_TICKS_LEAST));
			free(s->blocks[k].raw);
			s->blocks[k] = (struct sealed_block){column.p, (uint32_t)column.n, 1};
		}
	}
	sealed_write(&sealed, &out);
	sealed_free(&sealed);
	assert_int_equal(changed, 40);
	assert_true(stored_use(out.p, out.n));
	free(out.p);
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

/* The first block of the fields, its second and third of one event and form, with one name. */
static void
name_alike(struct sealed_block *b)
{
	const struct cr_layout *lay = cr_layout_of(CR_SECTION_FIELDS);
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
		if (sealed.sections[i].id == CR_SECTION_FIELDS)
			name_alike(&sealed.sections[i].blocks[0]);
	sealed_write(&sealed, &out);
	sealed_free(&sealed);
	assert_int_equal(cr_store_read(out.p, out.n, CR_STORE_ALL, false, &p, &log, &err), CR_OK);
	assert_true(p->flags & CR_PROFILE_IN_PART);
	assert_int_equal(p->n_fields, 0);
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

/* ---- default trees that contradict the samples, in stores as the program itself writes them */

/* Bytes of a store in blocks of so many rows; free() it. */
static void
store_of(const struct cr_profile *p, uint32_t rows, struct store *out)
{
	char path[] = "/tmp/test_store_sealed.XXXXXX";
	const struct cr_store_shape shape = {rows, 1};
	struct cr_err err = CR_ERR_INIT;
	struct bed bed = {.n = 0};
	const int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(cr_store_write_shaped(path, p, &shape, &err), CR_OK);
	store_take(&bed, path);
	unlink(path);
	*out = bed.stores[0];
}

/* Is it loaded without a word, if so many blocks are compared at a time? */
static bool
passes(const struct store *s, uint32_t blocks)
{
	const struct cr_default_tree *stored;
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;
	bool more = true;

	assert_int_equal(
		cr_store_read(s->bytes, s->len, CR_STORE_DEFAULT_TREE, false, &p, &log, &err),
		CR_OK);
	assert_int_equal(log.n, 0);
	stored = p->default_tree;
	if (!blocks)
		assert_int_equal(cr_store_fetch(p, CR_STORE_PROOF, &log, &err), CR_OK);
	while (blocks && more)
		assert_int_equal(cr_store_prove(p, blocks, &more, &log, &err), CR_OK);
	assert_int_equal(log.n, p->default_tree != stored);
	assert_int_equal(!!(p->flags & CR_PROFILE_IN_PART), p->default_tree != stored);
	assert_true(log.n == 0 || cr_store_check_default_tree_samples(p));
	assert_true(log.n > 0 || !(p->flags & CR_PROFILE_HAS_SAMPLES)); /* nothing was kept */
	more = log.n == 0;
	cr_profile_free(p);
	return more;
}

/* A default tree that can be changed, in the place of that of p, which frees it. */
struct lying {
	struct cr_default_tree o;
	uint32_t *frame;
	uint64_t *self, *samples;
};

static struct lying *
lying_default_tree(struct cr_profile *p)
{
	struct lying *l = cr_arena_alloc(&p->arena, sizeof(*l));
	const size_t nodes = p->default_tree->n, weights = nodes * p->default_tree->n_events;

	l->o = *p->default_tree;
	l->frame = cr_arena_copy(&p->arena, l->o.frame, nodes * sizeof(*l->frame));
	l->self = cr_arena_copy(&p->arena, l->o.self, weights * sizeof(*l->self));
	l->samples = cr_arena_copy(&p->arena, l->o.self_samples, weights * sizeof(*l->samples));
	l->o.frame = l->frame;
	l->o.self = l->self;
	l->o.self_samples = l->samples;
	p->default_tree = &l->o;
	return l;
}

static void
swap_u64(uint64_t *a, uint64_t *b)
{
	const uint64_t kept = *a;

	*a = *b;
	*b = kept;
}

/* What a and b of an event have cost changes places: the sums stay. */
static bool
swap_costs(struct lying *l, uint32_t event, uint32_t a, uint32_t b, bool samples)
{
	uint64_t *v = (samples ? l->samples : l->self) + (size_t)event * l->o.n;
	const bool differ = v[a] != v[b];

	swap_u64(&v[a], &v[b]);
	return differ;
}

static void
test_outlines_that_contradict_the_samples(void **state)
{
	unsigned lies = 0;

	(void)state;
	for (uint32_t i = 0; i < 60; i++) {
		struct cr_profile *p = sample_profile(40 + i);
		struct lying *l = lying_default_tree(p);
		const uint64_t h = cr_digest_mix(i, 7);
		const uint32_t a = (uint32_t)(h % l->o.n), b = (uint32_t)(h / 1000 % l->o.n);
		struct store s;
		bool lies_now;

		store_of(p, 1 + i % 9, &s);
		assert_true(passes(&s, i % 4));
		free(s.bytes);
		if (i % 3 < 2)
			lies_now = swap_costs(l, i / 3 % 2, a, b, i % 3);
		else { /* another name for what has cost something */
			lies_now = a && l->frame[a] != l->frame[l->o.n - 1] &&
				   (l->self[a] || l->samples[a] || l->self[l->o.n + a]);
			if (a)
				l->frame[a] = l->frame[l->o.n - 1];
		}
		store_of(p, 1 + i % 9, &s);
		if (lies_now)
			assert_false(passes(&s, i % 4));
		lies += lies_now;
		free(s.bytes);
		cr_profile_free(p);
	}
	assert_in_range(lies, 20, 60);
}

/* Two stacks exchange their ends, so that functions, callers and depths have the same sums. */
static void
test_stacks_that_exchange_their_ends(void **state)
{
	struct cr_profile *p = sample_profile(200);
	struct lying *l = lying_default_tree(p);
	unsigned lies = 0;

	(void)state;
	for (uint32_t a = 1; a < l->o.n && lies < 10; a++)
		for (uint32_t b = a + 1; b < l->o.n && lies < 10; b++) {
			const uint32_t at = l->frame[a];
			struct store s;

			/* Leaves, of other parents and names, that cost the same. */
			if (l->frame[b] == at || (a + 1 < l->o.n && l->o.parent[a + 1] == a) ||
				(b + 1 < l->o.n && l->o.parent[b + 1] == b) ||
				l->o.parent[a] == l->o.parent[b] || l->self[a] != l->self[b] ||
				l->samples[a] != l->samples[b] || !l->o.parent[a] ||
				!l->o.parent[b] ||
				l->frame[l->o.parent[a]] == l->frame[l->o.parent[b]] ||
				!l->samples[a])
				continue;
			l->frame[a] = l->frame[b];
			l->frame[b] = at;
			store_of(p, 60, &s);
			assert_false(passes(&s, 0));
			free(s.bytes);
			l->frame[b] = l->frame[a];
			l->frame[a] = at;
			lies++;
		}
	assert_true(lies > 0);
	cr_profile_free(p);
}

/* A copy of the cache is nobody else's work, and is opened often. */
static void
test_trusted_outlines_are_not_compared(void **state)
{
	struct cr_profile *p = sample_profile(50), *read;
	struct lying *l = lying_default_tree(p);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct store s;

	(void)state;
	for (uint32_t i = 1; i < l->o.n; i++)
		swap_costs(l, 0, 0, i, false);
	store_of(p, 7, &s);
	assert_false(passes(&s, 0));
	assert_int_equal(cr_store_read(s.bytes, s.len, CR_STORE_PROOF | CR_STORE_TRUSTED, false,
				 &read, &log, &err),
		CR_OK);
	assert_int_equal(cr_store_fetch(read, CR_STORE_PROOF, &log, &err), CR_OK);
	assert_int_equal(log.n, 0);
	cr_profile_free(read);
	cr_profile_free(p);
	free(s.bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_that_do_not_fit_use_no_memory),
		cmocka_unit_test(test_unchanged_stores_are_sound),
		cmocka_unit_test(test_times_of_one_row_may_be_ticks),
		cmocka_unit_test(test_changed_stores_do_no_harm),
		cmocka_unit_test(test_two_fields_of_one_name_are_damage),
		cmocka_unit_test(test_outlines_that_contradict_the_samples),
		cmocka_unit_test(test_stacks_that_exchange_their_ends),
		cmocka_unit_test(test_trusted_outlines_are_not_compared),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
