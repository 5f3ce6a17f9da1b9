/*
 * Writes the seeds of tests/fuzz/corpus/fuzz_perf_data: make_perf_corpus FOLDER. Each is a
 * recording with one thing in it that the others have not. Build it with the flags of the unit
 * tests against libcresset.a and libzstd.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../unit/perf_containers.h"
#include "../unit/tracing_maker.h"

static const uint64_t user_chain[] = {MADE_CHAIN_USER, 0x401010, 0x401100, 0x401200};
static const uint64_t mixed_chain[] = {MADE_CHAIN_KERNEL, 0xffffffff81000100, 0xffffffffc0000010,
	MADE_CHAIN_USER, 0x7f0000000123, 0x401100};

static const struct made_sample user_sample = {.pid = 5,
	.tid = 5,
	.time = 100,
	.period = 10,
	.ip = 0x401010,
	.chain = user_chain,
	.n_chain = 4};
static const struct made_sample kernel_sample = {.pid = 5,
	.tid = 6,
	.time = 110,
	.period = 20,
	.ip = 0xffffffff81000100,
	.misc = MADE_KERNEL,
	.cpu = 1,
	.chain = mixed_chain,
	.n_chain = 6};

static void
process(struct made_perf *m)
{
	made_mmap_as(m, MADE_KERNEL, UINT32_MAX, 0, 0xffffffff81000000, 0x1000000,
		0xffffffff81000000, "[kernel.kallsyms]_text");
	made_mmap_as(m, MADE_KERNEL, UINT32_MAX, 0, 0xffffffffc0000000, 0x4000, 0,
		"/lib/modules/6.1/fs/x-fs.ko");
	made_comm(m, 5, 5, 10, "prog");
	made_mmap(m, 5, 11, 0x400000, 0x10000, 0, "/bin/prog");
	made_mmap(m, 5, 12, 0x7f0000000000, 0x1000, 0x2000, "/lib/libc.so.6");
}

static void
plain(struct made_perf *m)
{
	made_clock(m);
	process(m);
	made_sample(m, &user_sample);
	made_sample(m, &kernel_sample);
}

static void
rounds(struct made_perf *m)
{
	made_clock(m);
	process(m);
	made_sample(m, &kernel_sample);
	made_round(m);
	made_sample(m, &user_sample);
	made_round(m);
	made_sample(m,
		&(struct made_sample){.pid = 5, .tid = 7, .time = 50, .period = 1, .ip = 0x402000});
}

static void
forks(struct made_perf *m)
{
	made_clock(m);
	process(m);
	made_fork(m, 9, 9, 5, 5, 20);
	made_fork(m, 5, 6, 5, 5, 21);
	made_comm(m, 9, 9, 22, "child");
	made_mmap(m, 9, 23, 0x404000, 0x1000, 0x8000, "/bin/other");
	made_mmap(m, 9, 24, 0x500000, 0x1000, 0x8000, "/bin/other");
	made_sample(m, &user_sample);
	made_sample(m, &(struct made_sample){
			       .pid = 9, .tid = 9, .time = 120, .period = 3, .ip = 0x500010});
	made_fork(m, 9, 9, 5, 5, 130);
	made_sample(m, &(struct made_sample){
			       .pid = 9, .tid = 9, .time = 140, .period = 4, .ip = 0x500010});
}

static void
jit(struct made_perf *m)
{
	made_clock(m);
	made_mmap(m, 5, 1, 0x10000, 0x1000, 0, "//anon");
	made_mmap(m, 5, 2, 0x20000, 0x1000, 7, "[vdso]");
	made_mmap(m, 5, 3, 0x30000, 0x1000, 0, "/memfd:\x1b[2J (deleted)");
	for (uint32_t i = 1; i < 4; i++)
		made_sample(m,
			&(struct made_sample){
				.pid = 5, .tid = 5, .time = 9 + i, .period = 1, .ip = 0x10010 * i});
}

static void
two_events(struct made_perf *m)
{
	const struct perf_attr hardware = {
		.type = 0, .sample_type = MADE_TYPE, .flags = PERF_ATTR_SAMPLE_ID_ALL};
	struct made_sample s = user_sample;

	made_clock(m);
	made_attr(m, &hardware, (const uint64_t[]){8, 9}, 2);
	process(m);
	for (s.id = 7; s.id < 11; s.id++)
		made_sample(m, &s);
}

static void
bpf(struct made_perf *m)
{
	static const uint16_t flags[] = {0, 1};

	plain(m);
	for (size_t i = 0; i < CR_LEN(flags); i++) {
		const size_t at = made_begin(m, MADE_KSYMBOL, 0);

		made_u64(&m->records, 0xffffffff81000100);
		made_u32(&m->records, 0x80);
		made_u16(&m->records, 1);
		made_u16(&m->records, flags[i]);
		made_name(&m->records, "bpf_prog_0123456789abcdef_x");
		made_end_with_id(m, at, 0, 0, 105 + 10 * i, 7);
	}
	made_sample(m, &user_sample);
}

static void
features(struct made_perf *m)
{
	static const unsigned char build_id[24] = {1, 2, 3, 4, [20] = 20};
	struct cr_text *f = m->features;

	plain(m);
	made_u32(&f[2], 0);
	made_u16(&f[2], 0x8000 | MADE_USER);
	made_u16(&f[2], 8 + 4 + 24 + 16);
	made_u32(&f[2], UINT32_MAX);
	cr_text_put(&f[2], build_id, sizeof(build_id));
	made_name(&f[2], "/bin/prog");
	made_string(&f[3], "host");
	made_string(&f[4], "6.1.0");
	made_u32(&f[7], 4);
	made_u32(&f[7], 2);
	made_u64(&f[10], 1000);
	made_u32(&f[11], 2);
	made_string(&f[11], "perf");
	made_string(&f[11], "it's");
	made_u32(&f[12], 1);
	made_u32(&f[12], MADE_ATTR - 16);
	made_attr_bytes(&f[12], &m->attrs[0]);
	made_u32(&f[12], 1);
	made_string(&f[12], "my-event");
	made_u64(&f[12], 7);
}

static void
killed(struct made_perf *m)
{
	plain(m);
	m->killed = true;
	made_begin(m, MADE_SAMPLE, 0);
}

/* Every field that a sample may have, in the kernel's order; see perf_sample.c. */
static void
all_fields(struct made_perf *m)
{
	const struct perf_attr a = {.sample_type = (1 << 25) - 1,
		.read_format = 31,
		.sample_regs_user = 3,
		.branch_sample_type = PERF_BRANCH_HW_INDEX,
		.sample_regs_intr = 1};
	struct cr_text *t = &m->records;
	size_t at;

	made_attr(m, &a, &(uint64_t){7}, 1);
	at = made_begin(m, MADE_SAMPLE, MADE_USER);
	made_u64(t, 7); /* identifier */
	for (unsigned i = 0; i < 8; i++)
		made_u64(t, 0x400000 + i); /* ip, tid, time, addr, id, stream, cpu, period */
	for (unsigned i = 0; i < 3; i++)
		made_u64(t, i == 0); /* read: one value, enabled, running */
	cr_text_pad(t, '\1', 24);    /* its value, id, lost */
	made_u64(t, 1);              /* callchain */
	made_u64(t, 0x400000);
	made_u32(t, 4); /* raw */
	made_u32(t, 0);
	made_u64(t, 1); /* branches: hw_idx, one entry */
	cr_text_pad(t, '\2', 32);
	made_u64(t, 2); /* user registers */
	cr_text_pad(t, '\3', 16);
	made_u64(t, 8); /* user stack */
	cr_text_pad(t, '\4', 16);
	cr_text_pad(t, '\5', 24);     /* weight, data source, transaction */
	made_u64(t, 2);               /* registers at the interrupt */
	cr_text_pad(t, '\6', 8 + 32); /* physical address, cgroup, page sizes */
	made_u64(t, 0);               /* aux */
	made_end(m, at);
}

/* ---- samples that become several, or wait, or have more than a stack */

static void
group(struct made_perf *m)
{
	struct perf_attr a = {.type = 1,
		.sample_type = MADE_TYPE | PERF_SAMPLE_READ,
		.flags = PERF_ATTR_SAMPLE_ID_ALL,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID};
	struct made_sample s = user_sample;

	made_attr(m, &a, &(uint64_t){7}, 1);
	a.type = 0;
	made_attr(m, &a, &(uint64_t){8}, 1);
	process(m);
	for (uint64_t i = 1; i < 4; i++) {
		s.time = 100 + i;
		s.read = (const uint64_t[]){2, 10 * i, 7, 1000 + i / 2, 8};
		s.n_read = 5;
		made_sample(m, &s);
	}
}

static void
call_stack(struct made_perf *m)
{
	static const struct made_branch branches[] = {
		{0x401010, 0x401020, true, 9}, {0x401100, 0x401200, false, 70}};
	const struct perf_attr a = {.type = 0,
		.sample_type = MADE_TYPE | PERF_SAMPLE_BRANCH_STACK,
		.flags = PERF_ATTR_SAMPLE_ID_ALL,
		.branch_sample_type = PERF_BRANCH_CALL_STACK | PERF_BRANCH_HW_INDEX};
	struct made_sample s = kernel_sample;

	made_attr(m, &a, &(uint64_t){7}, 1);
	process(m);
	s.branches = branches;
	for (s.n_branches = 0; s.n_branches < 3; s.n_branches++)
		made_sample(m, &s);
	s.n_branches = 0;
	s.no_hw_idx = true;
	made_sample(m, &s);
}

static void
deferred(struct made_perf *m)
{
	static const uint64_t chain[] = {
		MADE_CHAIN_KERNEL, 0xffffffff81000100, MADE_CHAIN_DEFERRED, 77};
	const struct perf_attr a = {.type = 1,
		.sample_type = MADE_TYPE,
		.flags = PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_DEFER_CALLCHAIN};
	struct made_sample s = kernel_sample;

	made_attr(m, &a, &(uint64_t){7}, 1);
	process(m);
	s.chain = chain;
	s.n_chain = CR_LEN(chain);
	for (s.tid = 5; s.tid < 8; s.tid++)
		made_sample(m, &s);
	made_deferred(m, 5, 5, 120, 77, user_chain + 1, 3);
	made_deferred(m, 5, 6, 121, 78, user_chain + 1, 1);
}

static void
fields(struct made_perf *m)
{
	const struct perf_attr a = {.type = 0,
		.flags = PERF_ATTR_SAMPLE_ID_ALL,
		.sample_type = MADE_TYPE | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_STRUCT |
			       PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
			       PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
			       PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE};
	struct made_sample s = user_sample;

	made_attr(m, &a, &(uint64_t){7}, 1);
	process(m);
	made_cgroup(m, 20, 1, "/user.slice");
	s.addr = 0x7f0000000008;
	s.weight = 0x300020001;
	s.data_src = UINT64_C(0x1e05080021);
	s.transaction = 2;
	s.phys_addr = 0x1000;
	s.data_page_size = s.code_page_size = 4096;
	for (s.cgroup = 1; s.cgroup < 3; s.cgroup++)
		made_sample(m, &s);
}

/* ---- threads that leave the CPU and come back */

static void
sched_switch(struct made_perf *m)
{
	static const struct made_format formats[] = {{"sched", MADE_SCHED_SWITCH}};
	struct made_sample s = user_sample;

	made_attr(m,
		&(struct perf_attr){.type = 2,
			.config = 316,
			.sample_type = MADE_TYPE | PERF_SAMPLE_RAW,
			.flags = PERF_ATTR_SAMPLE_ID_ALL},
		&(uint64_t){7}, 1);
	made_tracing(&m->features[1], formats, 1);
	made_string(&m->features[3], "host");
	process(m);
	for (uint32_t i = 0; i < 3; i++) {
		struct cr_text raw = {0};

		made_u16(&raw, 316);
		cr_text_pad(&raw, '\0', 6);
		cr_text_pad(&raw, 'p', 16);
		made_u32(&raw, 5 + i);
		made_u32(&raw, 120);
		made_u64(&raw, i);
		cr_text_pad(&raw, 'n', 16);
		made_u32(&raw, 6 - i);
		made_u32(&raw, 120);
		cr_text_pad(&raw, '\0', 4);
		s.tid = 5 + i;
		s.time = 100 + 10 * i;
		s.raw = raw.p;
		s.raw_bytes = (uint32_t)raw.len;
		made_sample(m, &s);
		cr_text_fini(&raw);
	}
}

static void
switches(struct made_perf *m)
{
	plain(m);
	made_switch(m, MADE_SWITCH_OUT, 5, 5, 120);
	made_switch(m, 0, 5, 5, 130);
	made_switch_wide(m, MADE_SWITCH_OUT | MADE_PREEMPTED, 5, 6, 5, 130);
	made_switch_wide(m, 0, 5, 6, 5, 140);
	made_exit(m, 5, 6, 150);
}

/* ---- records that are counted, and what the recorder writes of its own */

static void
losses(struct made_perf *m)
{
	plain(m);
	made_words(m, MADE_LOST, 120, (const uint64_t[]){7, 3}, 2);
	made_words(m, MADE_LOST_SAMPLES, 121, (const uint64_t[]){3}, 1);
	made_words(m, MADE_THROTTLE, 122, (const uint64_t[]){122, 7, 7}, 3);
	made_words(m, MADE_READ, 123, (const uint64_t[]){5, 6}, 2);
	made_namespaces(m, 5, 124);
}

static void
processor_trace(struct made_perf *m)
{
	made_clock(m);
	made_trace_info(m, 1);
	process(m);
	made_words(m, MADE_AUX, 90, (const uint64_t[]){0, 32, 1}, 3);
	made_trace(m, 32);
	made_sample(m, &user_sample);
}

static void
updates(struct made_perf *m)
{
	features(m);
	made_update_name(m, 7, "an-event");
	made_sample(m, &user_sample);
}

/* How a seed is wrapped: in records of this type, or 0, and for a pipe. */
struct seed {
	const char *name;
	void (*make)(struct made_perf *);
	uint32_t packed;
	bool pipe;
};

int
main(int argc, char **argv)
{
	static const struct seed seeds[] = {
		{"plain", plain, 0, false},
		{"rounds", rounds, 0, false},
		{"forks", forks, 0, false},
		{"jit", jit, 0, false},
		{"two-events", two_events, 0, false},
		{"bpf", bpf, 0, false},
		{"killed", killed, 0, false},
		{"features", features, 0, false},
		{"all-fields", all_fields, 0, false},
		{"group", group, 0, false},
		{"call-stack", call_stack, 0, false},
		{"deferred", deferred, 0, false},
		{"details", fields, 0, false},
		{"sched-switch", sched_switch, 0, false},
		{"switches", switches, 0, false},
		{"losses", losses, 0, false},
		{"processor-trace", processor_trace, 0, false},
		{"packed", rounds, MADE_COMPRESSED, false},
		{"packed2", forks, MADE_COMPRESSED2, false},
		{"pipe", updates, 0, true},
		{"pipe-group", group, 0, true},
		{"pipe-tracepoint", sched_switch, 0, true},
		{"pipe-trace", processor_trace, 0, true},
		{"pipe-packed", rounds, MADE_COMPRESSED, true},
	};

	for (size_t i = 0; argc == 2 && i < CR_LEN(seeds); i++) {
		struct made_perf m = {0};
		struct cr_text f, path = {0};
		FILE *out;

		seeds[i].make(&m);
		if (seeds[i].packed)
			made_pack(&m.records, seeds[i].packed, 100);
		f = seeds[i].pipe ? made_pipe_file(&m) : made_file(&m);
		cr_text_printf(&path, "%s/%s", argv[1], seeds[i].name);
		if (!(out = fopen(path.p, "wb")) || fwrite(f.p, 1, f.len, out) != f.len ||
			fclose(out))
			return 1;
		cr_text_fini(&path);
		cr_text_fini(&f);
	}
	return argc != 2;
}
