#ifndef CR_BASE_ORDER_H
#define CR_BASE_ORDER_H

#include "base/text.h"

/*
 * Sorting of many items by numbers and by names, in time proportional to their number.
 */
struct cr_keyed {
	uint64_t key;
	uint32_t item;
};

/* Sort n items by rising key; items with equal keys keep their order. room: n more of them. */
void cr_keyed_sort(struct cr_keyed *all, struct cr_keyed *room, uint32_t n);

struct cr_names {
	const void *user;
	struct cr_str (*name)(const void *user, uint32_t item);
	/* Compares two items completely, first by name. Equal items have the order of numbers. */
	int (*compare)(const void *user, uint32_t a, uint32_t b);
};

/* Return the items 0 to n - 1 in order of their names; the caller frees the array. */
uint32_t *cr_names_order(const struct cr_names *names, uint32_t n);

#endif
