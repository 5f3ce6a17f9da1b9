#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "store/format/modelled_p.h"
#include "store/format/row_model_p.h"

/* A column and those that it refers to. */
struct values {
	uint64_t v[3000], times[3000];
	uint32_t before[3000], tasks[3000];
	uint16_t cpus[3000], events[3000];
	struct cr_weight_sides samples;
	struct cr_modelled_sides sides;
	uint32_t n;
};

static const enum cr_modelled codings[] = {CR_MODELLED_NUMBERS, CR_MODELLED_ROWS_OF,
	CR_MODELLED_ENDS, CR_MODELLED_WEIGHTS, CR_MODELLED_STEPS, CR_MODELLED_TICKS};

static bool
reads(const unsigned char *bytes, size_t len, const struct values *x, uint64_t *v, size_t *left)
{
	unsigned char *copy = malloc(len ? len : 1);
	struct cr_cursor in;
	bool good;

	assert_non_null(copy);
	if (len)
		memcpy(copy, bytes, len);
	cr_cursor_init(&in, copy, len);
	good = cr_modelled_read(&in, v, x->n, &x->sides);
	*left = cr_cursor_left(&in);
	free(copy);
	return good;
}

/* Write the values and read them again; returns the size of the column. */
static size_t
comes_back(const struct values *x, enum cr_modelled coding)
{
	uint64_t *v = malloc(sizeof(x->v)), *read = malloc(sizeof(x->v));
	struct cr_buf b = {0};
	size_t left;

	memcpy(v, x->v, sizeof(x->v));
	if (!cr_modelled_write(&b, v, x->n, coding, &x->sides)) {
		for (uint32_t i = 1; i < x->n; i++)
			assert_true(v[i] == v[0]);
		goto out;
	}
	assert_memory_equal(v, x->v, sizeof(x->v));
	memset(read, 0xa5, sizeof(x->v));
	assert_true(reads(b.p, b.n, x, read, &left));
	assert_int_equal(left, 0);
	assert_memory_equal(read, x->v, x->n * sizeof(*read));
out:
	free(b.p);
	free(v);
	free(read);
	return b.n;
}

/* Kinds of columns; limit: rows are less. */
static void
fill(struct values *x, unsigned kind, uint32_t n, uint64_t limit)
{
	uint64_t state = kind + n;

	*x = (struct values){.n = n};
	x->samples = (struct cr_weight_sides){x->times, x->tasks, x->cpus, x->events};
	x->sides = (struct cr_modelled_sides){x->before, &x->samples};
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t r = testing_random(&state);

		switch (kind) {
		case 0: x->v[i] = r; break;
		case 1: x->v[i] = i % 2 ? UINT64_MAX : 0; break;
		case 2: x->v[i] = (i ? x->v[i - 1] : 1000) + 250000 + r % 64; break;
		case 3: x->v[i] = (r % 1000) * 250; break;
		case 4: x->v[i] = r % 5; break;
		case 5: x->v[i] = (uint64_t)1 << r % 64; break;
		case 6: x->v[i] = i; break;
		case 7: x->v[i] = UINT64_MAX - i * (uint64_t)i; break;
		case 8: x->v[i] = r % 3 ? (i ? x->v[i - 1] : 0) : r % (i / 2 + 1); break;
		default: x->v[i] = (uint64_t)1 << 63; break;
		}
		if (kind == 9 && i % 3)
			x->v[i] = r % 2;
		x->v[i] = limit ? x->v[i] % limit : x->v[i];
		x->before[i] = (uint32_t)(i / (1 + r % 3));
		x->times[i] = r % 11 ? (i ? x->times[i - 1] : 0) + 200000 + r % 100000 : r;
		x->tasks[i] = r % 13 ? (uint32_t)(r >> 8) % 3 : UINT32_MAX;
		x->cpus[i] = r % 17 ? (uint16_t)((r >> 16) % 3) : UINT16_MAX;
		x->events[i] = r % 19 ? 0 : UINT16_MAX;
	}
}

static void
test_every_column_comes_back(void **state)
{
	static const uint32_t counts[] = {2, 3, 17, 300, 3000};
	struct values *x = malloc(sizeof(*x));

	(void)state;
	for (size_t c = 0; c < CR_LEN(codings); c++)
		for (unsigned kind = 0; kind < 10; kind++)
			for (size_t i = 0; i < CR_LEN(counts); i++) {
				fill(x, kind, counts[i], 0);
				comes_back(x, codings[c]);
				fill(x, kind, counts[i], CR_ROW_MODEL_MOST);
				comes_back(x, codings[c]);
				fill(x, kind, counts[i], 70);
				comes_back(x, codings[c]);
			}
	free(x);
}

static void
test_what_is_predictable_takes_little_space(void **state)
{
	struct values *x = malloc(sizeof(*x));

	(void)state;
	fill(x, 6, 3000, 0); /* each row for the first time, in order */
	assert_in_range(comes_back(x, CR_MODELLED_ROWS_OF), 1, 60);
	assert_in_range(comes_back(x, CR_MODELLED_ENDS), 1, 2000);
	fill(x, 2, 3000, 0); /* six bits of each step are random */
	assert_in_range(comes_back(x, CR_MODELLED_NUMBERS), 3000 * 6 / 8, 3000 * 8 / 8);
	fill(x, 0, 3000, 0); /* all bits are random */
	assert_in_range(comes_back(x, CR_MODELLED_NUMBERS), 3000 * 8, 3000 * 8 + 300);
	free(x);
}

static void
test_a_column_of_equal_values_is_left_to_the_other_codings(void **state)
{
	uint64_t v[3] = {7, 7, 7};
	struct cr_buf b = {0};

	(void)state;
	for (size_t c = 0; c < CR_LEN(codings); c++)
		for (uint32_t n = 0; n <= 3; n++)
			assert_false(cr_modelled_write(&b, v, n, codings[c], NULL));
	assert_int_equal(b.n, 0);
}

static void
test_every_prefix_is_refused(void **state)
{
	struct values *x = malloc(sizeof(*x));
	uint64_t v[300];
	size_t left;

	(void)state;
	for (size_t c = 0; c < CR_LEN(codings); c++) {
		struct cr_buf b = {0};

		fill(x, 8, 300, CR_ROW_MODEL_MOST);
		assert_true(cr_modelled_write(&b, x->v, x->n, codings[c], &x->sides));
		for (size_t len = 0; len < b.n; len++)
			assert_false(reads(b.p, len, x, v, &left));
		free(b.p);
	}
	free(x);
}

/* The sanitizers say whether that does harm. A changed bit is not always noticed. */
static void
test_damaged_columns_do_no_harm(void **state)
{
	struct values *x = malloc(sizeof(*x));
	uint64_t v[300], random = 1;
	unsigned refused = 0;
	size_t left;

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		const enum cr_modelled coding = codings[i % CR_LEN(codings)];
		struct cr_buf b = {0};

		fill(x, i % 10, 300, i % 2 ? 0 : 1000);
		assert_true(cr_modelled_write(&b, x->v, x->n, coding, &x->sides));
		for (unsigned k = 0; k <= i % 3; k++)
			b.p[testing_random(&random) % (i % 4 ? b.n : 12)] =
				(unsigned char)testing_random(&random);
		refused += !reads(b.p, b.n, x, v, &left);
		free(b.p);
	}
	assert_in_range(refused, 1000, 3000);
	free(x);
}

static void
test_bytes_behind_the_bits_are_refused(void **state)
{
	struct values *x = malloc(sizeof(*x));
	uint64_t v[300];
	size_t left;

	(void)state;
	for (size_t c = 0; c < CR_LEN(codings); c++) {
		struct cr_buf b = {0};

		fill(x, 4, 20, 0);
		x->v[0] = 100;
		assert_true(cr_modelled_write(&b, x->v, x->n, codings[c], &x->sides));
		assert_true(reads(b.p, b.n, x, v, &left));
		assert_in_range(b.p[3], 2, 126); /* size of what follows, one byte */
		b.p[3]++;
		cr_buf_int(&b, 0, 1);
		assert_false(reads(b.p, b.n, x, v, &left));
		free(b.p);
	}
	free(x);
}

static void
test_heads_that_no_writer_makes_are_refused(void **state)
{
	/* coding, form, number, size of what follows, size of the coded bits */
	static const unsigned char heads[][12] = {
		{15, 0, 0, 1, 0}, /* unknown codings */
		{22, 0, 0, 1, 0},
		{CR_MODELLED_NUMBERS, 0, 0, 1, 0},          /* no bits of a class */
		{CR_MODELLED_NUMBERS, 7 << 3 | 4, 0, 1, 0}, /* too many, for small numbers */
		{CR_MODELLED_NUMBERS, 8 << 3, 0, 1, 0},
		{CR_MODELLED_NUMBERS, 1 << 3 | 4 | 1, 0, 1, 0}, /* small and signed */
		{CR_MODELLED_ROWS_OF, 0, 0, 1, 0},              /* rows of an empty table */
		{CR_MODELLED_ROWS_OF, 2, 9, 1, 0},
		{CR_MODELLED_ROWS_OF, 0, 0x81, 0x80, 8, 1, 0}, /* 131073 rows */
		{CR_MODELLED_ENDS, 1, 9, 1, 0},
		{CR_MODELLED_ENDS, 0, 0, 1, 0},
		{CR_MODELLED_WEIGHTS, 0, 0, 1, 0},
		{CR_MODELLED_WEIGHTS, 8 << 2, 0, 1, 0},
		{CR_MODELLED_WEIGHTS, 7 << 2, 0x80, 0x80, 4, 1, 0}, /* 65536 Hz */
		{CR_MODELLED_STEPS, 7 << 3 | 1, 0, 9, 0},           /* a divisor of 0 */
		{CR_MODELLED_STEPS, 7 << 3 | 3, 9, 9, 0},           /* no differences */
		{CR_MODELLED_STEPS, 7 << 3 | 5, 9, 9, 0},           /* small and signed */
		{CR_MODELLED_STEPS, 1, 9, 9, 0},
		{CR_MODELLED_TICKS, 7 << 3 | 1, 9, 9, 0}, /* a tick of 9 / 2^32 ns */
		{CR_MODELLED_TICKS, 7 << 3 | 3, 0x80, 0x80, 0x80, 0x80, 0x70, 9, 0},
		{CR_MODELLED_TICKS, 1, 0x80, 0x80, 0x80, 0x80, 0x70, 9, 0},
		{CR_MODELLED_NUMBERS, 1 << 3, 0, 200, 0}, /* sizes behind the end */
		{CR_MODELLED_NUMBERS, 1 << 3, 0, 1, 100},
	};
	struct values *x = malloc(sizeof(*x));
	uint64_t v[2];
	size_t left;

	(void)state;
	fill(x, 4, 2, 0);
	for (size_t i = 0; i < CR_LEN(heads); i++)
		assert_false(reads(heads[i], sizeof(heads[i]), x, v, &left));
	free(x);
}

/* As the kernel adapts it: an eighth of the way to the period that gives the rate. */
static uint64_t
next_period(uint64_t period, uint64_t took_ns, uint64_t rate)
{
	const int64_t goal = (int64_t)(period * 1000000000 / (took_ns * rate));

	return period + (uint64_t)((goal - (int64_t)period + 7) / 8);
}

/* Two cpus with clocks of their own; the kernel's clock is read some ns before the sample's. */
static void
fill_periods(struct values *x, uint32_t n, uint64_t rate)
{
	uint64_t state = rate, period[2] = {100000, 1000}, late[2] = {0}, clocks[2] = {5, 7};

	fill(x, 4, n, 0);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t r = testing_random(&state),
			       took = 1000000000 / rate * (72 + r % 62) / 100;
		const unsigned cpu = r >> 32 & 1, by = (unsigned)(r >> 33 & 15);

		x->cpus[i] = (uint16_t)cpu;
		x->events[i] = 0;
		x->v[i] = period[cpu];
		clocks[cpu] += took;
		x->times[i] = clocks[cpu] + by;
		period[cpu] = next_period(period[cpu], took + late[cpu] - by, rate);
		late[cpu] = by;
	}
}

static void
test_periods_that_the_kernel_adapts_are_foreseen(void **state)
{
	static const uint64_t rates[] = {250, 1000, 3999, 4000};
	struct values *x = malloc(sizeof(*x));

	(void)state;
	for (size_t i = 0; i < CR_LEN(rates); i++) {
		fill_periods(x, 3000, rates[i]);
		assert_in_range(comes_back(x, CR_MODELLED_WEIGHTS) * 2, 1,
			comes_back(x, CR_MODELLED_NUMBERS));
	}
	free(x);
}

static void
test_weights_without_samples_are_refused(void **state)
{
	struct values *x = malloc(sizeof(*x));
	struct cr_buf b = {0};
	struct cr_cursor in;
	uint64_t v[300];

	(void)state;
	fill_periods(x, 300, 1000);
	assert_true(cr_modelled_write(&b, x->v, x->n, CR_MODELLED_WEIGHTS, &x->sides));
	cr_cursor_init(&in, b.p, b.n);
	assert_true(cr_modelled_needs_samples(&in));
	assert_false(cr_modelled_read(&in, v, x->n, NULL));
	free(b.p);
	free(x);
}

static void
test_ends_without_beginnings_are_refused(void **state)
{
	struct values *x = malloc(sizeof(*x));
	struct cr_buf b = {0};
	struct cr_cursor in;
	uint64_t v[300];

	(void)state;
	fill(x, 8, 300, 1000);
	assert_true(cr_modelled_write(&b, x->v, x->n, CR_MODELLED_ENDS, &x->sides));
	cr_cursor_init(&in, b.p, b.n);
	assert_false(cr_modelled_read(&in, v, x->n, NULL));
	free(b.p);
	free(x);
}

/* Times in microseconds take no bits for what is below; an odd one makes them numbers. */
static void
test_steps_have_no_bits_below_their_divisor(void **state)
{
	struct values *x = cr_alloc(1, sizeof(*x));

	(void)state;
	x->n = 3000;
	for (uint32_t i = 0; i < x->n; i++)
		x->v[i] = 123456789012345 + i * UINT64_C(250000) + cr_digest_mix(i, 4) % 64 * 1000;
	assert_in_range(comes_back(x, CR_MODELLED_STEPS), 3000 * 6 / 8, 3000 * 9 / 8);
	assert_in_range(comes_back(x, CR_MODELLED_NUMBERS), 3000 * 14 / 8, 3000 * 20 / 8);
	x->v[0] = x->v[1]; /* a step of 0 has any divisor */
	assert_in_range(comes_back(x, CR_MODELLED_STEPS), 3000 * 6 / 8, 3000 * 9 / 8);
	x->v[100]++;
	assert_int_equal(comes_back(x, CR_MODELLED_STEPS), comes_back(x, CR_MODELLED_NUMBERS));
	for (uint32_t i = 0; i < x->n; i++) /* differences of either sign, of any size */
		x->v[i] = (uint64_t)i * i * i << 40 ^ (i % 7 ? 0 : UINT64_C(3) << 62);
	comes_back(x, CR_MODELLED_STEPS);
	free(x);
}

/* Times of a clock that counts 19.2 MHz have no bits below its ticks, also when it is set anew. */
static void
test_times_of_a_clock_are_ticks(void **state)
{
	struct values *x = cr_alloc(1, sizeof(*x));

	(void)state;
	x->n = 3000;
	for (uint64_t i = 0, ticks = 123456789; i < x->n; i++) {
		x->v[i] = ticks * 10000 / 192 + (i < 2000 ? 0 : 17);
		ticks += 4096 + cr_digest_mix(i, 4) % 2048;
	}
	assert_in_range(comes_back(x, CR_MODELLED_TICKS), 3000 * 11 / 8, 3000 * 13 / 8);
	assert_in_range(comes_back(x, CR_MODELLED_STEPS), 3000 * 15 / 8, 3000 * 20 / 8);
	x->v[1500] += 13; /* one that is wrong takes little */
	assert_in_range(comes_back(x, CR_MODELLED_TICKS), 3000 * 11 / 8, 3000 * 13 / 8);
	for (uint64_t i = 1000; i < x->n; i++) /* longer than 2^32 ticks */
		x->v[i] += UINT64_C(1) << 50;
	comes_back(x, CR_MODELLED_TICKS);
	x->v[2000] = x->v[1998]; /* a time before the previous one */
	assert_int_equal(comes_back(x, CR_MODELLED_TICKS), comes_back(x, CR_MODELLED_NUMBERS));
	for (uint64_t i = 0, ticks = 0; i < x->n; i++, ticks += 30 + cr_digest_mix(i, 6) % 50)
		x->v[i] = ticks * 1000 / 24;
	x->v[x->n - 1] = UINT64_MAX; /* of a damaged recording */
	comes_back(x, CR_MODELLED_TICKS);
	for (uint64_t i = 0; i < x->n; i++) /* no clock */
		x->v[i] = i * 250000 + cr_digest_mix(i, 5) % 3000;
	assert_int_equal(comes_back(x, CR_MODELLED_TICKS), comes_back(x, CR_MODELLED_NUMBERS));
	free(x);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times_of_a_clock_are_ticks),
		cmocka_unit_test(test_steps_have_no_bits_below_their_divisor),
		cmocka_unit_test(test_every_column_comes_back),
		cmocka_unit_test(test_what_is_predictable_takes_little_space),
		cmocka_unit_test(test_a_column_of_equal_values_is_left_to_the_other_codings),
		cmocka_unit_test(test_every_prefix_is_refused),
		cmocka_unit_test(test_damaged_columns_do_no_harm),
		cmocka_unit_test(test_bytes_behind_the_bits_are_refused),
		cmocka_unit_test(test_heads_that_no_writer_makes_are_refused),
		cmocka_unit_test(test_ends_without_beginnings_are_refused),
		cmocka_unit_test(test_periods_that_the_kernel_adapts_are_foreseen),
		cmocka_unit_test(test_weights_without_samples_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
