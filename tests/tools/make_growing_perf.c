/*
 * make_growing_perf WHAT N: writes to standard output a perf.data with N samples that has N of one
 * thing, for tests/bench/growth. The same words make the same recording.
 *
 *	samples   of one thread in a thousand stacks, in no order
 *	stacks    each different, of twenty frames; symbols is the same
 *	fields    of tracepoints, with a number, an address and a text each
 *	threads   of one process, each with its own name and one sample
 *	forks     each process forks the next one, which inherits ten mappings
 *	comms     one thread changes its name before each sample
 *	maps      of one process, side by side, each of another file
 *	remaps    each mapping replaces half of the one before
 *	dumps     N kB of stacks that nothing unwinds, 32 with each sample
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/perf_maker.h"
#include "../unit/tracing_maker.h"
#include "base/hash.h"

#define PID 100u
#define CODE UINT64_C(0x400000)
#define CODE_BYTES UINT64_C(0x10000000)
#define PAGE UINT64_C(0x1000)
#define DEEP 20u
#define ROUND 10000u /* things after which the recorder has read all that was before */

/* One sample of a thread, in the stack with these callers and the leaf `ip`. */
static void
put_sample(
	struct made_perf *m, uint32_t pid, uint32_t tid, uint64_t n, uint64_t ip, uint64_t caller)
{
	uint64_t chain[DEEP + 1] = {MADE_CHAIN_USER, ip};

	for (uint64_t i = 2; i <= DEEP; i++)
		chain[i] = CODE + (caller * DEEP + i) % 0x10000 * 16;
	made_sample(m, &(struct made_sample){.pid = pid,
			       .tid = tid,
			       .time = 1000 + n * 1000,
			       .period = 1000,
			       .ip = ip,
			       .chain = chain,
			       .n_chain = DEEP + 1});
}

static void
process(struct made_perf *m)
{
	made_comm(m, PID, PID, 10, "grows");
	made_mmap(m, PID, 11, CODE, CODE_BYTES, 0, "/opt/grows");
}

static void
put_samples(struct made_perf *m, uint64_t i)
{
	const uint64_t stack = cr_hash_mix(i, 0) % 1000;

	put_sample(m, PID, PID, i, CODE + stack * 16, stack % 100);
}

static void
put_stack(struct made_perf *m, uint64_t i)
{
	put_sample(m, PID, PID, i, CODE + i * 16 % CODE_BYTES, i);
}

static void
put_thread(struct made_perf *m, uint64_t i)
{
	const uint32_t tid = PID + 1 + (uint32_t)i;
	char name[16];

	snprintf(name, sizeof(name), "t%u", tid);
	made_fork(m, PID, tid, PID, PID, 999 + i * 1000);
	made_comm(m, PID, tid, 999 + i * 1000, name);
	put_sample(m, PID, tid, i, CODE, 1);
}

static void
put_fork(struct made_perf *m, uint64_t i)
{
	const uint32_t pid = PID + (uint32_t)i;

	for (uint64_t k = 0; k < 10 && i == 0; k++)
		made_mmap(m, PID, 12, CODE + CODE_BYTES * (k + 1), PAGE, 0, "/opt/library");
	made_fork(m, pid + 1, pid + 1, pid, pid, 999 + i * 1000);
	put_sample(m, pid + 1, pid + 1, i, CODE, 1);
}

static void
put_comm(struct made_perf *m, uint64_t i)
{
	char name[16];

	snprintf(name, sizeof(name), "c%u", (unsigned)i);
	made_comm(m, PID, PID, 999 + i * 1000, name);
	put_sample(m, PID, PID, i, CODE, 1);
}

static void
put_map(struct made_perf *m, uint64_t i)
{
	const uint64_t at = CODE + CODE_BYTES + i * PAGE;
	char name[32];

	snprintf(name, sizeof(name), "/opt/library-%u", (unsigned)i);
	made_mmap(m, PID, 999 + i * 1000, at, PAGE, 0, name);
	put_sample(m, PID, PID, i, at, 1);
}

static void
put_remap(struct made_perf *m, uint64_t i)
{
	const uint64_t at = CODE + CODE_BYTES + i % 1000 * PAGE;

	made_mmap(m, PID, 999 + i * 1000, at, 2 * PAGE, 0, "/opt/library");
	put_sample(m, PID, PID, i, at, 1);
}

#define DUMP_BYTES 32768u

static void
dumps(struct made_perf *m)
{
	made_attr(m,
		&(struct perf_attr){.config = 1,
			.sample_period = 1000000,
			.sample_type = MADE_TYPE | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
			.flags = PERF_ATTR_SAMPLE_ID_ALL,
			.sample_regs_user = 1,
			.sample_stack_user = DUMP_BYTES},
		&(uint64_t){7}, 1);
}

static void
put_dump(struct made_perf *m, uint64_t i)
{
	const uint64_t chain[] = {MADE_CHAIN_USER, CODE + i % 1000 * 16};
	uint64_t stack[DUMP_BYTES / 8];

	if (i % (DUMP_BYTES / 1024))
		return;
	for (size_t k = 0; k < CR_LEN(stack); k++)
		stack[k] = CODE + (i * k) % 0x10000;
	made_sample(m, &(struct made_sample){.pid = PID,
			       .tid = PID,
			       .time = 1000 + i * 1000,
			       .period = 1000,
			       .ip = chain[1],
			       .chain = chain,
			       .n_chain = CR_LEN(chain),
			       .regs_abi = 2,
			       .regs = &chain[1],
			       .stack = stack,
			       .stack_bytes = sizeof(stack),
			       .stack_have = sizeof(stack)});
}

#define OPENED                                             \
	MADE_FORMAT("opened", "501")                       \
	MADE_FIELD("unsigned long number", "8", "8", "0")  \
	MADE_FIELD("const void * address", "16", "8", "0") \
	MADE_FIELD("char name[16]", "24", "16", "0")       \
	"\nprint fmt: \"number=%lu address=%p name=%s\", " \
	"REC->number, REC->address, REC->name\n"

static void
tracepoint(struct made_perf *m)
{
	const struct made_format format = {"made", OPENED};

	made_attr(m,
		&(struct perf_attr){.type = 2,
			.config = 501,
			.sample_period = 1,
			.sample_type = MADE_TYPE | PERF_SAMPLE_RAW,
			.flags = PERF_ATTR_SAMPLE_ID_ALL},
		&(uint64_t){7}, 1);
	made_tracing(&m->features[1], &format, 1);
}

/* A tracepoint whose text is new. */
static void
put_fields(struct made_perf *m, uint64_t i)
{
	const uint64_t chain[] = {MADE_CHAIN_USER, CODE};
	struct cr_text raw = {0};
	char name[16] = "";

	snprintf(name, sizeof(name), "file-%u", (unsigned)i);
	made_u32(&raw, 501);
	made_u32(&raw, PID);
	made_u64(&raw, i);
	made_u64(&raw, CODE + i * 64);
	cr_text_put(&raw, name, sizeof(name));
	made_u32(&raw, 0);
	made_sample(m, &(struct made_sample){.pid = PID,
			       .tid = PID,
			       .time = 1000 + i * 1000,
			       .period = 1,
			       .ip = CODE,
			       .chain = chain,
			       .n_chain = CR_LEN(chain),
			       .raw = raw.p,
			       .raw_bytes = (uint32_t)raw.len});
	cr_text_fini(&raw);
}

static const struct {
	const char *what;
	void (*begin)(struct made_perf *m);
	void (*put)(struct made_perf *m, uint64_t i);
} kinds[] = {
	{"samples", made_clock, put_samples},
	{"stacks", made_clock, put_stack},
	{"symbols", made_clock, put_stack},
	{"fields", tracepoint, put_fields},
	{"threads", made_clock, put_thread},
	{"forks", made_clock, put_fork},
	{"comms", made_clock, put_comm},
	{"maps", made_clock, put_map},
	{"remaps", made_clock, put_remap},
	{"dumps", dumps, put_dump},
};

int
main(int argc, char **argv)
{
	const uint64_t n = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	struct made_perf m = {.n_attrs = 0};
	struct cr_text file;
	bool good;

	for (size_t k = 0; n && k < sizeof(kinds) / sizeof(*kinds); k++) {
		if (strcmp(kinds[k].what, argv[1]) != 0)
			continue;
		kinds[k].begin(&m);
		process(&m);
		for (uint64_t i = 0; i < n; i++) {
			kinds[k].put(&m, i);
			if (i % ROUND == ROUND - 1)
				made_round(&m);
		}
		file = made_file(&m);
		good = fwrite(file.p, 1, file.len, stdout) == file.len && fflush(stdout) == 0;
		cr_text_fini(&file);
		return good ? 0 : 1;
	}
	fputs("make_growing_perf: WHAT N, see the head of its source\n", stderr);
	return 2;
}
