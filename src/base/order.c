#include "base/order.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define FEW 32u /* up to this number of items, insertion sort is used */
#define KEY_BYTES 8u

/* ---- numbers */

static void
sort_few(struct cr_keyed *all, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		const struct cr_keyed one = all[i];
		uint32_t k = i;

		for (; k > 0 && all[k - 1].key > one.key; k--)
			all[k] = all[k - 1];
		all[k] = one;
	}
}

/* By one byte of the key. Returns false if it is the same in all keys: nothing was moved then. */
static bool
sort_byte(const struct cr_keyed *all, struct cr_keyed *out, uint32_t n, unsigned shift)
{
	uint32_t place[UINT8_MAX + 1] = {0}, sum = 0;

	for (uint32_t i = 0; i < n; i++)
		place[all[i].key >> shift & UINT8_MAX]++;
	if (place[all[0].key >> shift & UINT8_MAX] == n)
		return false;
	for (unsigned v = 0; v <= UINT8_MAX; v++) {
		const uint32_t here = place[v];

		place[v] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < n; i++)
		out[place[all[i].key >> shift & UINT8_MAX]++] = all[i];
	return true;
}

/* One byte of the key after another, the lowest first. */
void
cr_keyed_sort(struct cr_keyed *all, struct cr_keyed *room, uint32_t n)
{
	struct cr_keyed *from = all, *to = room;

	if (n <= FEW) {
		sort_few(all, n);
		return;
	}
	for (unsigned byte = 0; byte < KEY_BYTES; byte++)
		if (sort_byte(from, to, n, 8 * byte)) {
			struct cr_keyed *const was = from;

			from = to;
			to = was;
		}
	if (from != all)
		memcpy(all, from, n * sizeof(*all));
}

/* ---- names */

/* A range of items whose names agree in the first `at` bytes. */
struct alike {
	uint32_t from, to, at;
};

/* Eight bytes of a name as a number, which has the order of the bytes. */
static uint64_t
piece_of(struct cr_str name, uint32_t at)
{
	const uint32_t n = name.len > at ? CR_MIN(name.len - at, KEY_BYTES) : 0;
	uint64_t piece = 0;

	for (uint32_t i = 0; i < n; i++)
		piece |= (uint64_t)(unsigned char)name.p[at + i] << 8 * (KEY_BYTES - 1 - i);
	return piece;
}

/* Sort items by their next piece. Returns true if a name continues after it. */
static bool
sort_alike(struct cr_keyed *all, struct cr_keyed *room, const struct cr_names *names,
	const struct alike *a)
{
	bool more = false;

	for (uint32_t i = a->from; i < a->to; i++) {
		const struct cr_str name = names->name(names->user, all[i].item);

		all[i].key = piece_of(name, a->at);
		more |= name.len > a->at && name.len - a->at > KEY_BYTES;
	}
	cr_keyed_sort(all + a->from, room, a->to - a->from);
	return more;
}

static int
by_names(const void *x, const void *y, void *user)
{
	const struct cr_keyed *a = x, *b = y;
	const struct cr_names *names = user;
	const int c = names->compare(names->user, a->item, b->item);

	return c ? c : (a->item > b->item) - (a->item < b->item);
}

#define FEW_NAMES 12u /* so many are compared completely */

/*
 * Sort by eight bytes of the names at a time: items that agree are sorted by the next eight. If few
 * are left, or the names end, they are compared.
 */
uint32_t *
cr_names_order(const struct cr_names *names, uint32_t n)
{
	struct cr_keyed *all = cr_alloc(n, sizeof(*all)), *room = cr_alloc(n, sizeof(*room));
	struct cr_names of = *names;
	uint32_t *order = cr_alloc(n, sizeof(*order));
	CR_VEC(struct alike) todo = {0};

	for (uint32_t i = 0; i < n; i++)
		all[i].item = i;
	cr_vec_push(&todo, ((struct alike){0, n, 0}));
	while (todo.n) {
		const struct alike a = todo.p[--todo.n];
		const bool more = sort_alike(all, room, names, &a);

		for (uint32_t from = a.from, to; from < a.to; from = to) {
			for (to = from + 1; to < a.to && all[to].key == all[from].key;)
				to++;
			if (more && to - from > FEW_NAMES)
				cr_vec_push(&todo, ((struct alike){from, to, a.at + KEY_BYTES}));
			else if (to - from > 1)
				qsort_r(all + from, to - from, sizeof(*all), by_names, &of);
		}
	}
	for (uint32_t i = 0; i < n; i++)
		order[i] = all[i].item;
	cr_vec_fini(&todo);
	free(all);
	free(room);
	return order;
}
