#include "perf_sample.h"


/* A u32 pair keeps its places in memory whatever the byte order. */
static void
u32_pair(struct cr_cursor *c, uint32_t *first, uint32_t *second)
{
	*first = cr_cursor_u32(c);
	*second = cr_cursor_u32(c);
}

static void
skip_read(struct cr_cursor *c, uint64_t format)
{
	uint64_t each = 8, n = 1;

	if (format & PERF_FORMAT_GROUP)
		n = cr_cursor_u64(c);
	else
		cr_cursor_skip(c, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		cr_cursor_skip(c, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		cr_cursor_skip(c, 8);
	if (!(format & PERF_FORMAT_GROUP))
		each = 0;
	if (format & PERF_FORMAT_ID)
		each += 8;
	if (format & PERF_FORMAT_LOST)
		each += 8;
	if (!cr_mul_ok(n, each, &each))
		each = UINT64_MAX;
	cr_cursor_skip(c, each);
}

static void
skip_counted(struct cr_cursor *c, uint64_t n, uint64_t each)
{
	uint64_t bytes;

	cr_cursor_skip(c, cr_mul_ok(n, each, &bytes) ? bytes : UINT64_MAX);
}

/*
 * u64 nr, then hw_idx if asked for, then nr entries of 24 bytes, then nr counters if asked for.
 * A kernel with nothing to say writes nr = 0 alone, without the hw_idx that was asked for: the
 * branch stack is then the last thing in the record more often than not, so a missing hw_idx
 * behind nr = 0 is taken as such only at the record's end.
 */
static void
skip_branches(struct cr_cursor *c, uint64_t type)
{
	const uint64_t n = cr_cursor_u64(c);

	if (type & PERF_BRANCH_HW_INDEX) {
		if (n == 0 && cr_cursor_left(c) < 8)
			return;
		cr_cursor_skip(c, 8);
	}
	skip_counted(c, n, 24);
	if (type & PERF_BRANCH_COUNTERS)
		skip_counted(c, n, 8);
}

static void
skip_regs(struct cr_cursor *c, uint64_t mask)
{
	if (cr_cursor_u64(c) != 0)
		skip_counted(c, (uint64_t)__builtin_popcountll(mask), 8);
}

/* u64 size, the bytes, and how many of them count, which is left out when there are none. */
static void
skip_stack(struct cr_cursor *c)
{
	const uint64_t n = cr_cursor_u64(c);

	cr_cursor_skip(c, n);
	if (n)
		cr_cursor_skip(c, 8);
}

/* The fields behind the callchain, none of which is kept. */
static void
skip_rest(struct cr_cursor *c, const struct perf_attr *a)
{
	const uint64_t t = a->sample_type;

	if (t & PERF_SAMPLE_RAW)
		cr_cursor_skip(c, cr_cursor_u32(c));
	if (t & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(c, a->branch_sample_type);
	if (t & PERF_SAMPLE_REGS_USER)
		skip_regs(c, a->sample_regs_user);
	if (t & PERF_SAMPLE_STACK_USER)
		skip_stack(c);
	if (t & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_DATA_SRC)
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_TRANSACTION)
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_REGS_INTR)
		skip_regs(c, a->sample_regs_intr);
	if (t & PERF_SAMPLE_PHYS_ADDR)
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_CGROUP)
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_DATA_PAGE_SIZE)
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_CODE_PAGE_SIZE)
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_AUX)
		cr_cursor_skip(c, cr_cursor_u64(c));
}

bool
perf_sample_read(struct cr_cursor body, const struct perf_attr *a, struct perf_sample *out)
{
	const uint64_t t = a->sample_type;
	struct cr_cursor *c = &body;

	*out = (struct perf_sample){.period = a->sample_period, .pid = UINT32_MAX, .tid = UINT32_MAX,
				    .cpu = UINT32_MAX};
	if (t & PERF_SAMPLE_IDENTIFIER)
		out->id = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_IP)
		out->ip = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_TID)
		u32_pair(c, &out->pid, &out->tid);
	if (t & PERF_SAMPLE_TIME)
		out->time = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_ADDR)
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_ID)
		out->id = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_STREAM_ID)
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_CPU) {
		uint32_t reserved;

		u32_pair(c, &out->cpu, &reserved);
	}
	if (t & PERF_SAMPLE_PERIOD)
		out->period = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_READ)
		skip_read(c, a->read_format);
	if (t & PERF_SAMPLE_CALLCHAIN) {
		const uint64_t n = cr_cursor_count64(c, 8);

		out->chain = cr_cursor_sub(c, n * 8);
		out->has_chain = !c->bad;
	}
	if (!c->bad)
		skip_rest(c, a);
	return !c->bad;
}

bool
perf_trailer_read(struct cr_cursor body, const struct perf_attr *a, struct perf_trailer *out)
{
	const uint64_t t = a->sample_type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
					     PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
	struct cr_cursor *c = &body;

	*out = (struct perf_trailer){.bytes = (size_t)__builtin_popcountll(t) * 8};
	if (cr_cursor_left(c) < out->bytes)
		return false;
	cr_cursor_skip(c, cr_cursor_left(c) - out->bytes);
	if (t & PERF_SAMPLE_TID)
		u32_pair(c, &out->pid, &out->tid);
	if (t & PERF_SAMPLE_TIME)
		out->time = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_ID)
		out->id = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_STREAM_ID)
		cr_cursor_skip(c, 8);
	if (t & PERF_SAMPLE_CPU) {
		uint32_t reserved;

		u32_pair(c, &out->cpu, &reserved);
	}
	if (t & PERF_SAMPLE_IDENTIFIER)
		out->id = cr_cursor_u64(c);
	return true;
}
