#include "perf_chain_p.h"

#include <stdlib.h>

/*
 * Entries this high are no addresses, but markers that tell whose addresses follow. Source: enum
 * perf_callchain_context in linux/perf_event.h.
 */
#define CONTEXT_MAX ((uint64_t)-4095)
#define CONTEXT_HV ((uint64_t)-32)
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER ((uint64_t)-512)

/*
 * Slots of the cache of chains: 12 MB. A recording with more distinct chains has few that are equal
 * to an earlier one, and a larger cache would cost more memory than time.
 */
#define CHAINS_MOST ((size_t)1 << 19)

/* Addresses made to share a place only miss the cache, so the hash needs no key. */
static struct perf_chain_located *
located_place(const struct perf_chains *c, const struct perf_space *space, uint64_t ip)
{
	const uint64_t h = (ip ^ (uint64_t)space->id.i << 48) * UINT64_C(0x9e3779b97f4a7c15);

	return &c->located[(h >> 32) % PERF_CHAIN_LOCATED];
}

static struct perf_space *
space_of(struct perf_spaces *spaces, struct perf_space *user, unsigned part)
{
	if (part == PERF_CHAIN_KERNEL)
		return &spaces->kernel;
	return part == PERF_CHAIN_USER ? user : NULL;
}

/* Set path to the first n frames of the current chain, outermost first. */
static void
locate_path(struct perf_chains *c, struct perf_spaces *spaces, struct perf_space *user, size_t n)
{
	c->asked.n = 0;
	cr_vec_reserve(&c->asked, n);
	cr_vec_reserve(&c->path, n);
	for (size_t i = 0; i < n; i++) {
		const struct perf_chain_frame *f = &c->frames.p[n - 1 - i];
		struct perf_space *space = space_of(spaces, user, f->part);
		struct perf_chain_located *l = space ? located_place(c, space, f->ip) : NULL;
		const uint32_t place = l ? (uint32_t)(l - c->located) : PERF_CHAIN_LOCATED;
		struct cr_location_at at = {.dso = CR_DSO_UNKNOWN, .addr = f->ip};
		const bool is_new = !l || l->ip != f->ip || l->space1 != space->id.i + 1 ||
				    l->version != space->version || l->returned != f->returned;

		c->path.p[i] = (struct cr_stack_frame){place & INT32_MAX, is_new};
		if (!is_new)
			continue;
		if (l)
			at = cr_perf_space_locate(spaces, space, f->ip);
		at.ordinal |= f->returned;
		c->asked.p[c->asked.n++] = at;
		if (l)
			*l = (struct perf_chain_located){
				f->ip, space->id.i + 1, space->version, f->returned};
	}
}

/* True if this chain was reported before. A chain without frames is reported for each sample. */
static bool
was_told(struct perf_chains *c, struct cr_hash128 hash)
{
	struct cr_line_cache_slot *slot = cr_line_cache_slot(&c->odd, hash);

	if (c->frames.n == 0)
		return false;
	if (slot->row1)
		return true;
	cr_line_cache_add(&c->odd, slot, hash, 0, 0);
	return false;
}

/* n: number of markers of an unknown kind in the current chain; first: the first of them. */
static void
tell_odd(
	struct perf_chains *c, struct cr_hash128 hash, uint64_t first, size_t n, struct cr_log *log)
{
	if (n == 0 || was_told(c, hash))
		return;
	for (; n; n--)
		cr_log_warn(log, "callchain parts of a guest or of an unknown kind", CR_NO_OFFSET,
			"marker %lld", (long long)first);
}

static void
chain_frames(struct perf_chains *c, const struct perf_sample *s, struct cr_hash128 hash,
	struct cr_log *log)
{
	/* What an entry after one of this part is. */
	const uint16_t follows[] = {
		[PERF_CHAIN_KERNEL] = CR_ORDINAL_RETURN,
		[PERF_CHAIN_USER] = s->chain_kind == PERF_CHAIN_RECORDED ? CR_ORDINAL_RETURN : 0,
	};
	uint16_t part = PERF_CHAIN_USER; /* entries before the first marker are user addresses */
	struct cr_cursor chain = s->chain;
	struct perf_chain_frame *next;
	uint64_t first_odd = 0;
	uint16_t returned = 0;
	size_t odd = 0;

	cr_vec_reserve(&c->frames, cr_cursor_left(&chain) / 8);
	next = c->frames.p;
	while (cr_cursor_left(&chain) >= 8) {
		const uint64_t ip = cr_cursor_u64(&chain);

		if (ip < CONTEXT_MAX) {
			*next++ = (struct perf_chain_frame){ip, returned, part};
			returned = follows[part];
			continue;
		}
		returned = 0;
		if (ip == PERF_CHAIN_RETURNS && s->has_history)
			returned = follows[part];
		else if (ip == CONTEXT_KERNEL)
			part = PERF_CHAIN_KERNEL;
		else if (ip == CONTEXT_USER)
			part = PERF_CHAIN_USER;
		else {
			part = PERF_CHAIN_NOWHERE;
			if (ip != CONTEXT_HV && odd++ == 0)
				first_odd = ip;
		}
	}
	c->frames.n = next ? (size_t)(next - c->frames.p) : 0;
	tell_odd(c, hash, first_odd, odd, log);
}

/* Number of frames, from the root, that the current chain shares with an earlier one. */
static size_t
shared_with(const struct perf_chains *c, const struct perf_chain_last *last,
	const struct perf_chain_state *now)
{
	const struct perf_chain_frame *a = c->frames.p + c->frames.n, *b = last->frames.p;
	const size_t n = CR_MIN(c->frames.n, last->frames.n);
	size_t i = 0;

	if (last->state.space != now->space || last->state.version != now->version ||
		last->state.kernel_version != now->kernel_version || last->state.kind != now->kind)
		return 0;
	for (; i < n; i++, b++)
		if ((--a)->ip != b->ip || a->part != b->part || a->returned != b->returned)
			break;
	return i;
}

static cr_node_id
push_all(struct perf_chains *c, struct perf_spaces *spaces, struct perf_space *user, uint32_t tid,
	const struct perf_chain_state *now)
{
	const uint32_t family = tid % PERF_CHAIN_LASTS;
	struct perf_chain_last *last = &c->last[family];
	const size_t shared = shared_with(c, last, now), n = c->frames.n - shared;

	struct cr_stack stack = {.family = family,
		.truncated = now->kind == PERF_CHAIN_CUT,
		.shared = (uint32_t)shared,
		.n = (uint32_t)n};

	if (n == 0)
		return shared == last->frames.n ? last->ticket
						: cr_stack_queue_stack(spaces->b, &stack);
	if (stack.truncated)
		cr_stack_queue_truncated(spaces->b);
	locate_path(c, spaces, user, n);
	stack.frames = c->path.p;
	stack.at = c->asked.p;
	stack.n_at = (uint32_t)c->asked.n;
	last->ticket = cr_stack_queue_stack(spaces->b, &stack);
	last->frames.n = shared + n;
	cr_vec_reserve(&last->frames, last->frames.n);
	for (size_t i = 0; i < n; i++)
		last->frames.p[shared + i] = c->frames.p[n - 1 - i];
	last->state = *now;
	return last->ticket;
}

/* ---- the cache of chains */

void
cr_perf_chains_init(struct perf_chains *c)
{
	*c = (struct perf_chains){0};
	cr_line_cache_init(&c->seen);
	c->seen.most = CHAINS_MOST;
	cr_line_cache_init(&c->odd);
	c->located = cr_alloc(PERF_CHAIN_LOCATED, sizeof(*c->located));
}

/* Use the sample's own address if it has no chain; such samples are not cached. */
static cr_node_id
push_ip(struct perf_chains *c, struct perf_spaces *spaces, struct perf_space *user,
	const struct perf_sample *s, unsigned cpumode, const struct perf_chain_state *now)
{
	const uint16_t part = cpumode == PERF_CPUMODE_KERNEL ? PERF_CHAIN_KERNEL
			      : cpumode == PERF_CPUMODE_USER ? PERF_CHAIN_USER
							     : PERF_CHAIN_NOWHERE;

	c->frames.n = 0;
	cr_vec_push(&c->frames, ((struct perf_chain_frame){.ip = s->ip, .part = part}));
	return push_all(c, spaces, user, s->tid, now);
}

void
cr_perf_chain_key(const struct perf_chains *c, const struct perf_spaces *spaces,
	const struct perf_space *user, const struct perf_sample *s, struct perf_chain_key *out)
{
	uint64_t seed;

	out->now = (struct perf_chain_state){
		user->id.i, user->version, spaces->kernel.version, s->chain_kind};
	seed = cr_hash_mix((uint64_t)out->now.space << 32 | out->now.version,
		       (uint64_t)s->has_history << 40 | (uint64_t)s->chain_kind << 32 |
			       out->now.kernel_version) ^
	       c->seen.seed;
	out->hash = cr_hash128(s->chain.p, cr_cursor_left(&s->chain), seed);
	cr_line_cache_prefetch(&c->seen, out->hash);
}

void
cr_perf_chain_prefetch(const struct perf_chains *c, const struct perf_spaces *spaces,
	const struct perf_space *user, const struct perf_sample *s,
	const struct perf_chain_key *key)
{
	struct cr_cursor chain = s->chain;
	const struct perf_space *space = user;

	if (cr_line_cache_slot(&c->seen, key->hash)->row1)
		return;
	while (cr_cursor_left(&chain) >= 8) {
		const uint64_t ip = cr_cursor_u64(&chain);

		if (ip < CONTEXT_MAX)
			__builtin_prefetch(located_place(c, space, ip));
		else
			space = ip == CONTEXT_KERNEL ? &spaces->kernel : user;
	}
}

cr_node_id
cr_perf_chain_node(struct perf_chains *c, struct perf_spaces *spaces, struct perf_space *user,
	const struct perf_sample *s, unsigned cpumode, const struct perf_chain_key *key,
	struct cr_log *log)
{
	struct cr_line_cache_slot *slot;
	cr_node_id ticket;

	if (cr_cursor_left(&s->chain) == 0)
		return push_ip(c, spaces, user, s, cpumode, &key->now);
	slot = cr_line_cache_slot(&c->seen, key->hash);
	if (slot->row1)
		return (cr_node_id){slot->row1 - 1};
	chain_frames(c, s, key->hash, log);
	if (c->frames.n == 0)
		return push_ip(c, spaces, user, s, cpumode, &key->now);
	ticket = push_all(c, spaces, user, s->tid, &key->now);
	cr_line_cache_add(&c->seen, slot, key->hash, ticket.i, 0);
	return ticket;
}

void
cr_perf_chains_fini(struct perf_chains *c)
{
	cr_line_cache_fini(&c->seen);
	cr_line_cache_fini(&c->odd);
	free(c->located);
	cr_vec_fini(&c->asked);
	cr_vec_fini(&c->path);
	cr_vec_fini(&c->frames);
	for (size_t i = 0; i < PERF_CHAIN_LASTS; i++)
		cr_vec_fini(&c->last[i].frames);
}
