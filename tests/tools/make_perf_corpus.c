/*
 * Writes the seeds of tests/fuzz/corpus/fuzz_perf_data: make_perf_corpus FOLDER. Each is a
 * recording with one thing in it that the others have not. Build it with the flags of the unit
 * tests against libcresset.a.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../unit/perf_maker.h"

static const uint64_t user_chain[] = {MADE_CHAIN_USER, 0x401010, 0x401100, 0x401200};
static const uint64_t mixed_chain[] = {MADE_CHAIN_KERNEL, 0xffffffff81000100, 0xffffffffc0000010,
				       MADE_CHAIN_USER, 0x7f0000000123, 0x401100};

static const struct made_sample user_sample = {
	.pid = 5, .tid = 5, .time = 100, .period = 10, .ip = 0x401010, .chain = user_chain, .n_chain = 4};
static const struct made_sample kernel_sample = {
	.pid = 5, .tid = 6, .time = 110, .period = 20, .ip = 0xffffffff81000100, .misc = MADE_KERNEL, .cpu = 1,
	.chain = mixed_chain, .n_chain = 6};

static void
process(struct made_perf *m)
{
	made_mmap_as(m, MADE_KERNEL, UINT32_MAX, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000,
		     "[kernel.kallsyms]_text");
	made_mmap_as(m, MADE_KERNEL, UINT32_MAX, 0, 0xffffffffc0000000, 0x4000, 0, "/lib/modules/6.1/fs/x-fs.ko");
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
	made_sample(m, &(struct made_sample){.pid = 5, .tid = 7, .time = 50, .period = 1, .ip = 0x402000});
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
	made_sample(m, &(struct made_sample){.pid = 9, .tid = 9, .time = 120, .period = 3, .ip = 0x500010});
	made_fork(m, 9, 9, 5, 5, 130);
	made_sample(m, &(struct made_sample){.pid = 9, .tid = 9, .time = 140, .period = 4, .ip = 0x500010});
}

static void
jit(struct made_perf *m)
{
	made_clock(m);
	made_mmap(m, 5, 1, 0x10000, 0x1000, 0, "//anon");
	made_mmap(m, 5, 2, 0x20000, 0x1000, 7, "[vdso]");
	made_mmap(m, 5, 3, 0x30000, 0x1000, 0, "/memfd:\x1b[2J (deleted)");
	for (uint32_t i = 1; i < 4; i++)
		made_sample(m, &(struct made_sample){.pid = 5, .tid = 5, .time = 9 + i, .period = 1, .ip = 0x10010 * i});
}

static void
two_events(struct made_perf *m)
{
	const struct perf_attr hardware = {.type = 0, .sample_type = MADE_TYPE, .flags = PERF_ATTR_SAMPLE_ID_ALL};
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
	const struct perf_attr a = {.sample_type = (1 << 25) - 1, .read_format = 31, .sample_regs_user = 3,
				    .branch_sample_type = PERF_BRANCH_HW_INDEX, .sample_regs_intr = 1};
	struct cr_text *t = &m->records;
	size_t at;

	made_attr(m, &a, &(uint64_t){7}, 1);
	at = made_begin(m, MADE_SAMPLE, MADE_USER);
	made_u64(t, 7);                 /* identifier */
	for (unsigned i = 0; i < 8; i++)
		made_u64(t, 0x400000 + i);  /* ip, tid, time, addr, id, stream, cpu, period */
	for (unsigned i = 0; i < 3; i++)
		made_u64(t, i == 0);        /* read: one value, enabled, running */
	cr_text_pad(t, '\1', 24);       /* its value, id, lost */
	made_u64(t, 1);                 /* callchain */
	made_u64(t, 0x400000);
	made_u32(t, 4);                 /* raw */
	made_u32(t, 0);
	made_u64(t, 1);                 /* branches: hw_idx, one entry */
	cr_text_pad(t, '\2', 32);
	made_u64(t, 2);                 /* user registers */
	cr_text_pad(t, '\3', 16);
	made_u64(t, 8);                 /* user stack */
	cr_text_pad(t, '\4', 16);
	cr_text_pad(t, '\5', 24);       /* weight, data source, transaction */
	made_u64(t, 2);                 /* registers at the interrupt */
	cr_text_pad(t, '\6', 8 + 32);   /* physical address, cgroup, page sizes */
	made_u64(t, 0);                 /* aux */
	made_end(m, at);
}

int
main(int argc, char **argv)
{
	static const struct { const char *name; void (*make)(struct made_perf *); } seeds[] = {
		{"plain", plain}, {"rounds", rounds}, {"forks", forks},       {"jit", jit},       {"two-events", two_events},
		{"bpf", bpf},     {"killed", killed}, {"features", features}, {"all-fields", all_fields},
	};

	for (size_t i = 0; argc == 2 && i < CR_LEN(seeds); i++) {
		struct made_perf m = {0};
		struct cr_text f, path = {0};
		FILE *out;

		seeds[i].make(&m);
		f = made_file(&m);
		cr_text_printf(&path, "%s/%s", argv[1], seeds[i].name);
		if (!(out = fopen(path.p, "wb")) || fwrite(f.p, 1, f.len, out) != f.len || fclose(out))
			return 1;
		cr_text_fini(&path);
		cr_text_fini(&f);
	}
	return argc != 2;
}
