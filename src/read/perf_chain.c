#include "perf_chain.h"

/*
 * Entries this high are not addresses but say whose addresses follow. Source: enum
 * perf_callchain_context in linux/perf_event.h.
 */
#define CONTEXT_MAX ((uint64_t)-4095)
#define CONTEXT_HV ((uint64_t)-32)
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_USER ((uint64_t)-512)

/* Addresses that no space can tell about, a hypervisor's or a guest's, are in the unknown object. */
static cr_location_id
locate(struct perf_chains *c, struct perf_spaces *spaces, struct perf_space *space, uint64_t ip)
{
	struct perf_chain_located *l;

	if (!space)
		return cr_builder_location(spaces->b, CR_OBJECT_UNKNOWN, ip, 0);
	l = &c->located[cr_hash_mix(ip, space->id.i) % PERF_CHAIN_LOCATED];
	if (l->ip != ip || l->space1 != space->id.i + 1 || l->version != space->version)
		*l = (struct perf_chain_located){ip, space->id.i + 1, space->version,
						 perf_space_locate(spaces, space, ip)};
	return l->location;
}

static struct perf_space *
space_of(struct perf_spaces *spaces, struct perf_space *user, unsigned cpumode)
{
	if (cpumode == PERF_CPUMODE_KERNEL)
		return &spaces->kernel;
	return cpumode == PERF_CPUMODE_USER ? user : NULL;
}

static void
chain_frames(struct perf_chains *c, struct perf_spaces *spaces, struct perf_space *user, struct cr_cursor chain,
	struct cr_log *log)
{
	struct perf_space *space = user; /* entries before the first marker are the user's */

	c->frames.n = 0;
	while (cr_cursor_left(&chain) >= 8) {
		const uint64_t ip = cr_cursor_u64(&chain);

		if (ip < CONTEXT_MAX)
			cr_vec_push(&c->frames, ((struct perf_chain_frame){.ip = ip, .space = space}));
		else if (ip == CONTEXT_KERNEL)
			space = &spaces->kernel;
		else if (ip == CONTEXT_USER)
			space = user;
		else {
			space = NULL;
			if (ip != CONTEXT_HV)
				cr_log_warn(log, "callchain parts of a guest or of an unknown kind", CR_NO_OFFSET,
					    "marker %lld", (long long)ip);
		}
	}
}

/* How much of the last chain, from the root on, is the chain at hand's too. */
static size_t
shared_with_last(const struct perf_chains *c, const struct perf_chain_seen *key)
{
	const size_t n = CR_MIN(c->frames.n, c->last.n);
	size_t i = 0;

	if (c->last_space != key->space || c->last_version != key->version ||
	    c->last_kernel_version != key->kernel_version)
		return 0;
	while (i < n && c->frames.p[c->frames.n - 1 - i].ip == c->last.p[i].ip &&
	       c->frames.p[c->frames.n - 1 - i].space == c->last.p[i].space)
		i++;
	return i;
}

static cr_node_id
push_all(struct perf_chains *c, struct perf_spaces *spaces, const struct perf_chain_seen *key)
{
	const size_t shared = shared_with_last(c, key);
	cr_node_id node = shared ? c->last.p[shared - 1].node : CR_ROOT;

	c->last.n = shared;
	for (size_t i = c->frames.n - shared; i-- > 0;) {
		struct perf_chain_frame *f = &c->frames.p[i];

		node = f->node = cr_builder_push(spaces->b, node, locate(c, spaces, f->space, f->ip));
		cr_vec_push(&c->last, *f);
	}
	c->last_space = key->space;
	c->last_version = key->version;
	c->last_kernel_version = key->kernel_version;
	return node;
}

cr_node_id
perf_chain_node(struct perf_chains *c, struct perf_spaces *spaces, struct perf_space *user, const struct perf_sample *s,
	unsigned cpumode, struct cr_log *log)
{
	struct perf_chain_seen key = {
		.entries = s->chain.p, .bytes = (uint32_t)cr_cursor_left(&s->chain),
		.space = user->id.i, .version = user->version, .kernel_version = spaces->kernel.version,
	};
	const uint64_t h = cr_hash_mix(cr_hash(key.entries, key.bytes),
				       ((uint64_t)key.space << 32 | key.version) + key.kernel_version);
	uint32_t at = cr_index_first(&c->index, h), row;

	if (key.bytes == 0)
		return cr_builder_push(spaces->b, CR_ROOT, locate(c, spaces, space_of(spaces, user, cpumode), s->ip));
	for (; (row = cr_index_row(&c->index, &at, h)) != CR_NO_ROW; at = cr_index_next(&c->index, at)) {
		const struct perf_chain_seen *seen = &c->seen.p[row];

		if (seen->bytes == key.bytes && seen->space == key.space && seen->version == key.version &&
		    seen->kernel_version == key.kernel_version && memcmp(seen->entries, key.entries, key.bytes) == 0)
			return seen->node;
	}
	chain_frames(c, spaces, user, s->chain, log);
	if (c->frames.n)
		key.node = push_all(c, spaces, &key);
	else
		key.node = cr_builder_push(spaces->b, CR_ROOT, locate(c, spaces, space_of(spaces, user, cpumode), s->ip));
	cr_index_add(&c->index, h, (uint32_t)c->seen.n);
	cr_vec_push(&c->seen, key);
	return key.node;
}

void
perf_chains_fini(struct perf_chains *c)
{
	cr_index_fini(&c->index);
	cr_vec_fini(&c->seen);
	cr_vec_fini(&c->frames);
	cr_vec_fini(&c->last);
}
