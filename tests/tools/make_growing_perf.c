/*
 * make_growing_perf WHAT N: writes to standard output a perf.data with N samples that has N of one
 * thing, for tests/bench/growth. The same words make the same recording.
 *
 *	samples   of one thread in a thousand stacks
 *	stacks    each different, of twenty frames
 *	threads   of one process, each with its own name and one sample
 *	forks     each process forks the next one, which inherits ten mappings
 *	comms     one thread changes its name before each sample
 *	maps      of one process, side by side, each of another file
 *	remaps    each mapping replaces half of the one before
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/perf_maker.h"

#define PID 100u
#define CODE UINT64_C(0x400000)
#define CODE_BYTES UINT64_C(0x10000000)
#define PAGE UINT64_C(0x1000)
#define DEEP 20u

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
	put_sample(m, PID, PID, i, CODE + i % 1000 * 16, i % 100);
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

static const struct {
	const char *what;
	void (*put)(struct made_perf *m, uint64_t i);
} kinds[] = {
	{"samples", put_samples},
	{"stacks", put_stack},
	{"threads", put_thread},
	{"forks", put_fork},
	{"comms", put_comm},
	{"maps", put_map},
	{"remaps", put_remap},
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
		made_clock(&m);
		process(&m);
		for (uint64_t i = 0; i < n; i++)
			kinds[k].put(&m, i);
		file = made_file(&m);
		good = fwrite(file.p, 1, file.len, stdout) == file.len && fflush(stdout) == 0;
		cr_text_fini(&file);
		return good ? 0 : 1;
	}
	fputs("make_growing_perf: WHAT N, see the head of its source\n", stderr);
	return 2;
}
