#include "perf_sample_p.h"

/* The two u32 keep their places in memory in either byte order. */
static void
u32_pair(struct cr_cursor *c, uint32_t *first, uint32_t *second)
{
	*first = cr_cursor_u32(c);
	*second = cr_cursor_u32(c);
}

/*
 * Skip times that occur once, before the values of a group and after the value of a single event.
 */
static void
skip_read_times(struct cr_cursor *c, uint64_t format)
{
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		cr_cursor_skip(c, 8);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		cr_cursor_skip(c, 8);
}

uint64_t
cr_perf_read_begin(struct cr_cursor *read, const struct perf_attr *a)
{
	uint64_t n = 1;

	if (a->read_format & PERF_FORMAT_GROUP) {
		n = cr_cursor_count64(read, 8);
		skip_read_times(read, a->read_format);
	}
	return n;
}

struct perf_read_value
cr_perf_read_next(struct cr_cursor *read, const struct perf_attr *a)
{
	struct perf_read_value v = {.value = cr_cursor_u64(read)};

	if (!(a->read_format & PERF_FORMAT_GROUP))
		skip_read_times(read, a->read_format);
	if (a->read_format & PERF_FORMAT_ID)
		v.id = cr_cursor_u64(read);
	if (a->read_format & PERF_FORMAT_LOST)
		cr_cursor_skip(read, 8);
	return v;
}

static void
skip_read(struct cr_cursor *c, const struct perf_attr *a)
{
	for (uint64_t n = cr_perf_read_begin(c, a); n && !c->bad; n--)
		cr_perf_read_next(c, a);
}

static void
skip_counted(struct cr_cursor *c, uint64_t n, uint64_t each)
{
	uint64_t bytes;

	cr_cursor_skip(c, cr_mul_ok(n, each, &bytes) ? bytes : UINT64_MAX);
}

/* u64 abi, then, unless that is 0, a u64 for each register of the mask. */
static struct cr_cursor
read_regs(struct cr_cursor *c, uint64_t mask, uint64_t *abi)
{
	*abi = cr_cursor_u64(c);
	return cr_cursor_sub(c, *abi ? (uint64_t)__builtin_popcountll(mask) * 8 : 0);
}

/* u64 size, the bytes, and how many of them are valid, which is missing if size is 0. */
static void
read_stack(struct cr_cursor *c, struct perf_sample_rest *out)
{
	const uint64_t size = cr_cursor_u64(c);
	struct cr_cursor bytes = cr_cursor_sub(c, size);
	const uint64_t have = size ? cr_cursor_u64(c) : 0;

	out->stack_full = have >= size;
	out->stack_user = cr_cursor_sub(&bytes, CR_MIN(have, cr_cursor_left(&bytes)));
}

/* The fields after the branches. */
static void
read_last(struct cr_cursor *c, const struct perf_attr *a, struct perf_sample_rest *out)
{
	const uint64_t t = a->sample_type;
	uint64_t abi;

	if (t & PERF_SAMPLE_REGS_USER)
		out->regs_user = read_regs(c, a->sample_regs_user, &out->regs_abi);
	if (t & PERF_SAMPLE_STACK_USER)
		read_stack(c, out);
	if (t & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		out->weight = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_DATA_SRC)
		out->data_src = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_TRANSACTION)
		out->transaction = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_REGS_INTR)
		read_regs(c, a->sample_regs_intr, &abi);
	if (t & PERF_SAMPLE_PHYS_ADDR)
		out->phys_addr = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_CGROUP)
		out->cgroup = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_DATA_PAGE_SIZE)
		out->data_page_size = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_CODE_PAGE_SIZE)
		out->code_page_size = cr_cursor_u64(c);
	if (t & PERF_SAMPLE_AUX)
		cr_cursor_skip(c, cr_cursor_u64(c));
}

/* True if the record ends with the last field, which starts at c. */
static bool
ends_from(struct cr_cursor c, const struct perf_attr *a)
{
	struct perf_sample_rest ignored = {0};

	read_last(&c, a, &ignored);
	return !c.bad && cr_cursor_left(&c) == 0;
}

/*
 * u64 nr, then hw_idx if requested, then nr entries of 24 bytes, then nr counters if requested. A
 * kernel without branches writes nr = 0 alone, without the requested hw_idx: of the two
 * possibilities, the one that meets the record's end is right.
 */
static void
read_branches(struct cr_cursor *c, const struct perf_attr *a, struct perf_sample_rest *out)
{
	const uint64_t n = cr_cursor_u64(c);
	uint64_t bytes;

	if ((a->branch_sample_type & PERF_BRANCH_HW_INDEX) && (n || !ends_from(*c, a)))
		cr_cursor_skip(c, 8);
	out->branches = cr_cursor_sub(c, cr_mul_ok(n, 24, &bytes) ? bytes : UINT64_MAX);
	if (a->branch_sample_type & PERF_BRANCH_COUNTERS)
		skip_counted(c, n, 8);
}

#define REST_BITS                                                                         \
	(PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |             \
		PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | \
		PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR |  \
		PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE | \
		PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)

bool
cr_perf_sample_has_rest(const struct perf_attr *a)
{
	return a->sample_type & REST_BITS;
}

bool
cr_perf_sample_rest(struct cr_cursor rest, const struct perf_attr *a, struct perf_sample_rest *out)
{
	*out = (struct perf_sample_rest){0};
	if (a->sample_type & PERF_SAMPLE_RAW)
		out->raw = cr_cursor_sub(&rest, cr_cursor_u32(&rest));
	if (a->sample_type & PERF_SAMPLE_BRANCH_STACK)
		read_branches(&rest, a, out);
	read_last(&rest, a, out);
	return !rest.bad;
}

/* The fields before READ: one word each, in this order. */
#define WORD_BITS                                                                             \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |       \
		PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
		PERF_SAMPLE_PERIOD)

/* The next word. Its bytes were checked to be there. */
static uint64_t
next_word(const unsigned char **p, bool swap)
{
	uint64_t word;

	memcpy(&word, *p, sizeof(word));
	*p += sizeof(word);
	return swap ? __builtin_bswap64(word) : word;
}

/* The two u32 keep their places in memory in either byte order. */
static void
next_two(const unsigned char **p, bool swap, uint32_t *first, uint32_t *second)
{
	uint32_t two[2];

	memcpy(two, *p, sizeof(two));
	*p += sizeof(two);
	*first = swap ? __builtin_bswap32(two[0]) : two[0];
	*second = swap ? __builtin_bswap32(two[1]) : two[1];
}

/* Decode these fields with one check of the bounds. */
static void
read_words(struct cr_cursor *c, const struct perf_attr *a, struct perf_sample *out)
{
	const unsigned char *p = cr_cursor_take(c, (uint64_t)a->sample_words * 8);
	const uint64_t t = a->sample_type;
	uint32_t reserved;

	if (!p)
		return;
	if (t & PERF_SAMPLE_IDENTIFIER)
		out->id = next_word(&p, c->swap);
	if (t & PERF_SAMPLE_IP)
		out->ip = next_word(&p, c->swap);
	if (t & PERF_SAMPLE_TID)
		next_two(&p, c->swap, &out->pid, &out->tid);
	if (t & PERF_SAMPLE_TIME)
		out->time = next_word(&p, c->swap);
	if (t & PERF_SAMPLE_ADDR)
		out->addr = next_word(&p, c->swap);
	if (t & PERF_SAMPLE_ID)
		out->id = next_word(&p, c->swap);
	if (t & PERF_SAMPLE_STREAM_ID)
		next_word(&p, c->swap);
	if (t & PERF_SAMPLE_CPU)
		next_two(&p, c->swap, &out->cpu, &reserved);
	if (t & PERF_SAMPLE_PERIOD)
		out->period = next_word(&p, c->swap);
}

void
cr_perf_sample_layout(struct perf_attr *a)
{
	a->sample_words = (uint8_t)__builtin_popcountll(a->sample_type & WORD_BITS);
	a->words_before_time = (uint8_t)__builtin_popcountll(
		a->sample_type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID));
	a->plain = !(a->sample_type & (PERF_SAMPLE_ADDR | PERF_SAMPLE_READ | REST_BITS)) &&
		   !(a->flags & PERF_ATTR_DEFER_CALLCHAIN);
}

/*
 * Member by member: clearing the whole struct first takes as long as decoding. Without the three
 * cursors.
 */
static void
sample_init(const struct perf_attr *a, struct perf_sample *out)
{
	out->id = out->ip = out->time = out->addr = 0;
	out->period = a->sample_period;
	out->pid = out->tid = out->cpu = UINT32_MAX;
	out->has_chain = out->has_history = false;
	out->chain_kind = PERF_CHAIN_RECORDED;
}

static void
read_chain(struct cr_cursor *c, const struct perf_attr *a, struct perf_sample *out)
{
	uint64_t n;

	if (!(a->sample_type & PERF_SAMPLE_CALLCHAIN)) {
		out->chain = (struct cr_cursor){0};
		return;
	}
	n = cr_cursor_u64(c);
	out->chain = cr_cursor_sub(c, n > cr_cursor_left(c) / 8 ? UINT64_MAX : n * 8);
	out->has_chain = !c->bad;
}

bool
cr_perf_sample_read(
	const struct cr_cursor *body, const struct perf_attr *a, struct perf_sample *out)
{
	struct perf_sample_rest rest;
	struct cr_cursor c = *body;

	sample_init(a, out);
	read_words(&c, a, out);
	if (a->plain) { /* of one, nobody asks for the other cursors */
		read_chain(&c, a, out);
		return !c.bad;
	}
	out->read = (struct cr_cursor){0};
	if (a->sample_type & PERF_SAMPLE_READ) {
		out->read = c;
		skip_read(&c, a);
	}
	read_chain(&c, a, out);
	out->rest = c;
	return !c.bad && (!cr_perf_sample_has_rest(a) || cr_perf_sample_rest(c, a, &rest));
}

bool
cr_perf_trailer_read(struct cr_cursor body, const struct perf_attr *a, struct perf_trailer *out)
{
	const uint64_t t = a->sample_type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
						    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
						    PERF_SAMPLE_IDENTIFIER);
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
