#include "testing.h"

#include "base/mem.h"
#include "base/order.h"

#include <stdlib.h>

#define MANY 3000u

static uint32_t
next(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

/* Few and many items, keys of few and of many bytes; equal keys keep their order. */
static void
test_numbers_are_sorted_and_equal_ones_stay(void **state)
{
	static const uint32_t counts[] = {0, 1, 2, 32, 33, MANY}, below[] = {1, 7, 300, 1u << 24};
	static struct cr_keyed all[MANY], room[MANY];
	uint32_t seed = 1;

	(void)state;
	for (size_t c = 0; c < CR_LEN(counts); c++)
		for (size_t b = 0; b < CR_LEN(below); b++) {
			for (uint32_t i = 0; i < counts[c]; i++)
				all[i] = (struct cr_keyed){
					(uint64_t)next(&seed, below[b]) << 8 * (i % 2), i};
			cr_keyed_sort(all, room, counts[c]);
			for (uint32_t i = 1; i < counts[c]; i++)
				assert_true(all[i - 1].key < all[i].key ||
					    (all[i - 1].key == all[i].key &&
						    all[i - 1].item < all[i].item));
		}
}

static struct cr_str
name_at(const void *user, uint32_t i)
{
	return ((const struct cr_str *)user)[i];
}

static int
compare_at(const void *user, uint32_t a, uint32_t b)
{
	return cr_str_cmp(name_at(user, a), name_at(user, b));
}

/* Names with long common beginnings, with bytes above 127 and NULs, and equal ones. */
static void
test_names_have_the_order_of_a_comparison(void **state)
{
	static char bytes[MANY][24];
	static struct cr_str names[MANY];
	const struct cr_names of = {names, name_at, compare_at};
	uint32_t seed = 2, *order;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++) {
		const uint32_t len = next(&seed, 24), common = next(&seed, 20);

		for (uint32_t k = 0; k < len; k++)
			bytes[i][k] = k < common ? 'a' : (char)("\0ab\xff"[next(&seed, 4)]);
		names[i] = (struct cr_str){bytes[i], len};
	}
	order = cr_names_order(&of, MANY);
	for (uint32_t i = 1; i < MANY; i++) {
		const int c = cr_str_cmp(names[order[i - 1]], names[order[i]]);

		assert_true(c < 0 || (c == 0 && order[i - 1] < order[i]));
	}
	free(order);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_are_sorted_and_equal_ones_stay),
		cmocka_unit_test(test_names_have_the_order_of_a_comparison),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
