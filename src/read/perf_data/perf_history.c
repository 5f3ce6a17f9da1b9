#include "perf_history_p.h"

#include "perf_reader_p.h"

#include <string.h>

#define CONTEXT_MAX ((uint64_t)-4095)
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER ((uint64_t)-512)
#define KERNEL_HALF (UINT64_C(1) << 63)

/* As in perf: more branches are an error of the recording, and a table finds the loops. */
#define DEPTH_MAX 127u
#define SLOTS 127u
#define FREE 0xffu

struct step {
	uint64_t from, to;
};

/* The branches of a sample, the newest first; 0 if there are too many. */
static size_t
read_steps(struct cr_cursor c, struct step *steps)
{
	size_t n = 0;

	if (cr_cursor_left(&c) / 24 > DEPTH_MAX)
		return 0;
	while (cr_cursor_left(&c) >= 24) {
		struct step s;

		s.from = cr_cursor_u64(&c);
		s.to = cr_cursor_u64(&c);
		cr_cursor_skip(&c, 8);
		if (s.from || s.to)
			steps[n++] = s;
	}
	return n;
}

/* Length of the sequence from `at` on that repeats the one from `first` up to `at`; 0 if none. */
static size_t
repeated(const struct step *steps, size_t n, size_t first, size_t at)
{
	size_t len = 0;

	while (first + len < at && at + len < n) {
		if (steps[first + len].from != steps[at + len].from)
			return 0;
		len++;
	}
	return len;
}

/*
 * Remove what repeats the sequence before it, up to an earlier branch with the same source. Only
 * one branch is known for each slot of the table, as in perf, so the chains are the same.
 */
static size_t
remove_loops(struct step *steps, size_t n)
{
	uint8_t slots[SLOTS];

	memset(slots, FREE, sizeof(slots));
	for (size_t i = 0; i < n; i++) {
		uint8_t *slot =
			&slots[(steps[i].from * UINT64_C(0x61c8864680b583eb) >> 57) % SLOTS];
		size_t len;

		if (*slot == FREE) {
			*slot = (uint8_t)i;
			continue;
		}
		if (steps[*slot].from != steps[i].from)
			continue;
		len = repeated(steps, n, *slot, i);
		memmove(steps + i, steps + i + len, (n - i - len) * sizeof(*steps));
		n -= len;
	}
	return n;
}

/* ---- the chain */

/* Take the first address off the chain. Returns its marker, 0 if there is no address. */
static uint64_t
take_first(struct cr_cursor *chain, uint64_t *ip)
{
	uint64_t mark = CONTEXT_USER; /* entries before the first marker are user addresses */

	while (cr_cursor_left(chain) >= 8) {
		const uint64_t entry = cr_cursor_u64(chain);

		if (entry < CONTEXT_MAX) {
			*ip = entry;
			return mark;
		}
		mark = entry;
	}
	return 0;
}

static uint64_t
mark_of_sample(const struct perf_awaited *w)
{
	return w->cpumode == PERF_CPUMODE_KERNEL ? CONTEXT_KERNEL
	       : w->cpumode == PERF_CPUMODE_USER ? CONTEXT_USER
						 : 0;
}

/* Each address follows a marker of its own, so that none counts as a return address. */
static void
push(struct perf_awaited *w, uint64_t addr)
{
	cr_vec_push(&w->made, addr >= KERNEL_HALF ? CONTEXT_KERNEL : CONTEXT_USER);
	cr_vec_push(&w->made, addr);
}

/* The stack pointer of a leaf that is no more directly above its callers is of no use. */
static void
drop_leaf_sp(struct perf_unwound *u)
{
	if (u->sps.n <= 1) {
		u->whole = false;
		return;
	}
	memmove(u->sps.p, u->sps.p + 1, --u->sps.n * sizeof(*u->sps.p));
}

void
cr_perf_history_join(struct perf_awaited *w, struct cr_cursor branches)
{
	struct step steps[DEPTH_MAX];
	const size_t n = remove_loops(steps, read_steps(branches, steps));
	struct cr_cursor chain = w->s.chain;
	uint64_t ip = w->s.ip, mark = take_first(&chain, &ip);

	if (!mark) {
		mark = mark_of_sample(w);
		chain = (struct cr_cursor){0};
	}
	if (!n || (mark != CONTEXT_KERNEL && mark != CONTEXT_USER))
		return;
	w->made.n = 0;
	cr_vec_push(&w->made, mark);
	cr_vec_push(&w->made, ip);
	for (size_t i = 0; i < n; i++) {
		push(w, steps[i].to);
		push(w, steps[i].from);
	}
	cr_vec_push(&w->made, mark);
	cr_vec_push(&w->made, PERF_CHAIN_RETURNS);
	while (cr_cursor_left(&chain) >= 8)
		cr_vec_push(&w->made, cr_cursor_u64(&chain));
	cr_cursor_init(&w->s.chain, w->made.p, w->made.n * sizeof(*w->made.p));
	w->s.has_history = true;
	if (mark == CONTEXT_USER && w->s.chain_kind >= PERF_CHAIN_UNWOUND && w->unwound.whole)
		drop_leaf_sp(&w->unwound);
}
