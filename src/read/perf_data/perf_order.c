#include "perf_order_p.h"

#include <string.h>

/* Merge the runs [a, b) and [b, c) of `from` into `to`; on ties the left one comes first. */
static void
merge(const struct perf_order_entry *from, size_t a, size_t b, size_t c,
	struct perf_order_entry *to)
{
	size_t i = a, j = b;

	for (size_t k = a; k < c; k++)
		to[k] = j == c || (i < b && from[i].time <= from[j].time) ? from[i++] : from[j++];
}

static size_t
run_end(const struct perf_order_entry *e, size_t from, size_t n)
{
	size_t i = from + 1;

	while (i < n && e[i - 1].time <= e[i].time)
		i++;
	return i < n ? i : n;
}

/*
 * Natural merge sort: a round consists of a few long runs, one per CPU, plus the remainder of the
 * last round, so two or three passes suffice. Stable; the remainder comes first.
 */
static void
sort(struct perf_order *o)
{
	const size_t n = o->queue.n;

	cr_vec_reserve(&o->spare, n);
	while (n && run_end(o->queue.p, 0, n) < n) {
		struct perf_order_entry *from = o->queue.p, *to = o->spare.p;
		const size_t cap = o->queue.cap;

		for (size_t a = 0; a < n;) {
			const size_t b = run_end(from, a, n), c = b < n ? run_end(from, b, n) : n;

			merge(from, a, b, c, to);
			a = c;
		}
		o->queue.p = to;
		o->queue.cap = o->spare.cap;
		o->spare.p = from;
		o->spare.cap = cap;
	}
}

void
cr_perf_order_round(struct perf_order *o, bool all, const struct perf_order_entry **due, size_t *n)
{
	size_t lo = 0, hi;

	/* Entries delivered by the last round were left in place for the caller. */
	if (o->given) {
		o->queue.n -= o->given;
		memmove(o->queue.p, o->queue.p + o->given, o->queue.n * sizeof(*o->queue.p));
	}
	sort(o);
	hi = o->queue.n;
	while (lo < hi && !all) {
		const size_t mid = lo + (hi - lo) / 2;

		if (o->queue.p[mid].time <= o->limit)
			lo = mid + 1;
		else
			hi = mid;
	}
	*due = o->queue.p;
	*n = o->given = all ? o->queue.n : lo;
	o->limit = o->newest;
}

void
cr_perf_order_fini(struct perf_order *o)
{
	cr_vec_fini(&o->queue);
	cr_vec_fini(&o->spare);
	o->given = 0;
}
