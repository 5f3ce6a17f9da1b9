#include "perf_branches_p.h"

#include "model/build/stack_queue.h"

#include <stdlib.h>

#define SEEN_BITS 14
#define KERNEL_HALF (UINT64_C(1) << 63)
#define PLACE (CR_STACK_PLACES - 1) /* that of frames which are always new */

/* ---- edges */

static bool
at_same(const struct cr_location_at *a, const struct cr_location_at *b)
{
	return a->dso.i == b->dso.i && a->addr == b->addr && a->ordinal == b->ordinal;
}

static cr_node_id
make_stack(struct cr_builder *b, const struct perf_edge *e)
{
	static const struct cr_stack_frame frames[] = {{PLACE, 1}, {PLACE, 1}};
	const struct cr_location_at at[] = {e->from, e->to};

	return cr_stack_queue_stack(b, &(struct cr_stack){.family = CR_STACK_FAMILIES - 1,
					       .frames = frames,
					       .n = CR_LEN(frames),
					       .at = at,
					       .n_at = CR_LEN(at)});
}

static uint32_t
edge_find(struct perf_branches *d, struct cr_builder *b, const struct perf_edge *like)
{
	const uint64_t h = cr_hash_mix(
		cr_hash_mix(like->from.addr, (uint64_t)like->from.dso.i << 32 | like->to.dso.i),
		cr_hash_mix(like->to.addr, (uint64_t)like->row.task.i << 8 | like->row.kind));
	uint32_t row;

	cr_index_each(&d->index, h, row) {
		const struct perf_edge *e = &d->edges.p[row];

		if (e->row.task.i == like->row.task.i && e->row.kind == like->row.kind &&
			at_same(&e->from, &like->from) && at_same(&e->to, &like->to))
			return row;
	}
	row = (uint32_t)d->edges.n;
	cr_index_add(&d->index, h, row);
	cr_vec_push(&d->edges, *like);
	d->edges.p[row].row.node = make_stack(b, like);
	return row;
}

static struct cr_location_at
locate(struct perf_spaces *spaces, struct perf_space *user, uint64_t addr)
{
	return cr_perf_space_locate(spaces, addr >= KERNEL_HALF ? &spaces->kernel : user, addr);
}

/* The row of an edge between two absolute addresses. */
static uint32_t
edge_of(struct perf_branches *d, struct perf_spaces *spaces, struct perf_space *user,
	struct perf_edge_seen key)
{
	const uint64_t h = cr_hash_mix(key.from ^ (uint64_t)key.task << 40, key.to + key.kind);
	struct perf_edge_seen *seen = &d->seen[h >> (64 - SEEN_BITS)];

	key.space = user->id.i;
	key.version = user->version;
	key.kernel_version = spaces->kernel.version;
	if (seen->row1 && seen->from == key.from && seen->to == key.to &&
		seen->space == key.space && seen->version == key.version &&
		seen->kernel_version == key.kernel_version && seen->task == key.task &&
		seen->kind == key.kind)
		return seen->row1 - 1;
	key.row1 = 1 + edge_find(d, spaces->b,
			       &(struct perf_edge){.row = {.task = {key.task}, .kind = key.kind},
				       .from = locate(spaces, user, key.from),
				       .to = locate(spaces, user, key.to)});
	*seen = key;
	return key.row1 - 1;
}

static void
edge_count(struct perf_branches *d, uint32_t row, uint64_t cycles)
{
	cr_branch_row_count(&d->edges.p[row].row, cycles);
}

/* Bits 0 to 3 of the flags; counted from the other end in the other byte order. */
static uint8_t
kind_of(uint64_t flags, bool swap)
{
	uint8_t kind = 0;

	for (unsigned i = 0; i < 4; i++)
		if (flags >> (swap ? 63 - i : i) & 1)
			kind = (uint8_t)(kind | CR_BRANCH_MISSED << i);
	return kind;
}

static uint8_t
timed(uint64_t cycles)
{
	return cycles ? CR_BRANCH_TIMED : 0;
}

void
cr_perf_branches_add(struct perf_branches *d, struct perf_spaces *spaces, struct perf_space *user,
	cr_task_id task, struct cr_cursor c, bool all)
{
	uint64_t start = 0; /* of the block that the next older entry's branch began */
	bool any = false;

	if (!d->seen)
		d->seen = cr_alloc((uint64_t)1 << SEEN_BITS, sizeof(*d->seen));
	for (uint64_t end = 0, end_cycles = 0; cr_cursor_left(&c) >= 24; any = true) {
		const uint64_t from = cr_cursor_u64(&c), to = cr_cursor_u64(&c);
		const uint64_t flags = cr_cursor_u64(&c);
		const uint64_t cycles = flags >> (c.swap ? 44 : 4) & 0xffff;
		struct perf_edge_seen key = {.from = from,
			.to = to,
			.task = task.i,
			.kind = (uint8_t)(kind_of(flags, c.swap) | timed(cycles))};

		if (!from && !to)
			continue;
		edge_count(d, edge_of(d, spaces, user, key), cycles);
		start = to;
		key = (struct perf_edge_seen){.from = start,
			.to = end,
			.task = task.i,
			.kind = (uint8_t)(CR_BRANCH_BLOCK | timed(end_cycles))};
		if (all && any && start <= end && end - start < CR_BRANCH_BLOCK_BYTES)
			edge_count(d, edge_of(d, spaces, user, key), end_cycles);
		end = from;
		end_cycles = cycles;
	}
}

/* ---- the events */

void
cr_perf_branches_end(struct perf_branches *d, struct cr_builder *b)
{
	if (!d->edges.n)
		return;
	if (cr_branch_rows_put(b, d->edges.p, d->edges.n, sizeof(*d->edges.p)))
		cr_branch_rows_derived(b, true);
	cr_branch_rows_derived(b, false);
}

void
cr_perf_branches_fini(struct perf_branches *d)
{
	free(d->seen);
	cr_vec_fini(&d->edges);
	cr_index_fini(&d->index);
}
