#include "testing.h"

#include "perf_maker.h"
#include "read/perf_data/header/perf_describe_p.h"
#include "read/perf_data/header/perf_fact_p.h"
#include "read/perf_data/header/perf_feature_p.h"

/* A reader's header with two events, of which features can tell. */
struct fixture {
	struct perf_header h;
	struct cr_builder *b;
	bool bad; /* a payload ended early */
};

static void
fixture_init(struct fixture *f)
{
	*f = (struct fixture){.b = cr_builder_new(NULL)};
	f->h.n_cpus = 4;
	cr_vec_push(&f->h.attrs, ((struct perf_attr){.type = 0,
					 .size = 128,
					 .sample_period = 999,
					 .flags = PERF_ATTR_FREQ,
					 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN}));
	cr_vec_push(&f->h.attrs,
		((struct perf_attr){.type = 9, .size = 128, .config = 0x300, .sample_period = 5}));
}

/* The profile with the facts; the caller frees it. */
static struct cr_profile *
fixture_fini(struct fixture *f)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_profile *p;
	char sample[] = "f 1";

	/* Without a sample there is no profile. */
	testing_sample(f->b, sample, cr_builder_event(f->b, CR_STR("e"), CR_STR("ns")),
		cr_builder_address_space(f->b));
	assert_int_equal(cr_builder_finish(f->b, &log, &p, &err), CR_OK);
	cr_builder_free(f->b);
	cr_perf_header_fini(&f->h);
	return p;
}

static void
feature_read(struct fixture *f, unsigned bit, const void *payload, size_t len)
{
	void *bytes = testing_exact(payload, len);
	struct cr_cursor c;

	cr_cursor_init(&c, bytes, len);
	c.swap = made_foreign;
	cr_perf_feature_read(bit, &c, &f->h, f->b);
	f->bad |= c.bad;
	assert_true(c.p <= c.end);
	cr_perf_attrs_facts(&f->h, f->b);
	cr_perf_bpf_fini(&f->h.bpf); /* what is borrowed from the payload ends here */
	f->h.bpf = (struct perf_bpf){0};
	f->h.build_ids.n = 0;
	cr_index_fini(&f->h.build_id_index);
	free(bytes);
}

/* ---- the payloads, each a good one */

static void
make_two_u32(struct cr_text *t)
{
	made_u32(t, 4);
	made_u32(t, 3);
}

static void
make_u32(struct cr_text *t)
{
	made_u32(t, 64);
}

static void
make_u64(struct cr_text *t)
{
	made_u64(t, 1000);
}

static void
make_name(struct cr_text *t)
{
	made_string(t, "a name");
}

static void
make_cmdline(struct cr_text *t)
{
	made_u32(t, 4);
	made_string(t, "perf");
	made_string(t, "record");
	made_string(t, "it's");
	made_string(t, "");
}

static void
make_event_desc(struct cr_text *t)
{
	made_u32(t, 2);
	made_u32(t, 64);
	for (unsigned i = 0; i < 2; i++) {
		cr_text_pad(t, '\0', 64);
		made_u32(t, 1);
		made_string(t, i ? "second\n  third: 3" : "first");
		made_u64(t, 77);
	}
}

static void
make_topology(struct cr_text *t)
{
	static const uint32_t core[] = {0, 1, 0, 1};

	made_u32(t, 1);
	made_string(t, "0-3");
	made_u32(t, 2);
	made_string(t, "0,2");
	made_string(t, "1,3");
	for (unsigned i = 0; i < 4; i++) {
		made_u32(t, core[i]);
		made_u32(t, i < 2 ? 0 : UINT32_MAX);
	}
}

static void
make_topology_with_dies(struct cr_text *t)
{
	made_u32(t, 1);
	made_string(t, "0-3");
	made_u32(t, 0);
	for (unsigned i = 0; i < 4; i++) {
		made_u32(t, 7);
		made_u32(t, 0);
	}
	made_u32(t, 1);
	made_string(t, "0-3");
	for (unsigned i = 0; i < 4; i++)
		made_u32(t, i == 3);
}

static void
make_old_topology(struct cr_text *t)
{
	made_u32(t, 1);
	made_string(t, "0-3");
	made_u32(t, 0);
}

static void
make_numa(struct cr_text *t)
{
	made_u32(t, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_u32(t, i);
		made_u64(t, 1000 + i);
		made_u64(t, 10 + i);
		made_string(t, i ? "2-3" : "0-1");
	}
}

static void
make_pmus(struct cr_text *t)
{
	made_u32(t, 2);
	made_u32(t, 1);
	made_string(t, "software");
	made_u32(t, 9);
	made_string(t, "uncore_x");
}

static void
make_groups(struct cr_text *t)
{
	made_u32(t, 1);
	made_string(t, "{anon_group}");
	made_u32(t, 0);
	made_u32(t, 2);
}

static void
make_named_group(struct cr_text *t)
{
	made_u32(t, 1);
	made_string(t, "mine");
	made_u32(t, 1);
	made_u32(t, 1);
}

static void
make_group_of_none(struct cr_text *t)
{
	made_u32(t, 1);
	made_string(t, "");
	made_u32(t, 1);
	made_u32(t, 2);
}

static void
make_auxtrace(struct cr_text *t)
{
	made_u64(t, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_u64(t, 4096);
		made_u64(t, 50);
	}
}

static void
make_cache(struct cr_text *t, uint32_t level, const char *size, const char *cpus)
{
	made_u32(t, level);
	made_u32(t, 64);
	made_u32(t, 128);
	made_u32(t, 8);
	made_string(t, "Data");
	made_string(t, size);
	made_string(t, cpus);
}

static void
make_caches(struct cr_text *t)
{
	made_u32(t, 1);
	made_u32(t, 4);
	make_cache(t, 2, "2048K", "0-1");
	make_cache(t, 1, "48K", "0");
	make_cache(t, 2, "1024K", "2");
	make_cache(t, 1, "48K", "1");
}

static void
make_times(struct cr_text *t)
{
	made_u64(t, UINT64_C(1000000001));
	made_u64(t, UINT64_C(3500000000));
}

static void
make_memory(struct cr_text *t)
{
	made_u64(t, 1);
	made_u64(t, 0x8000000);
	made_u64(t, 2);
	for (unsigned i = 0; i < 2; i++) {
		made_u64(t, i);
		made_u64(t, 72);
		made_u64(t, 72);
		made_u64(t, i ? 0 : UINT64_MAX << 2);
		made_u64(t, i ? 0x80 : 0x5);
	}
}

static void
make_memory_of_one_word(struct cr_text *t)
{
	made_u64(t, 1);
	made_u64(t, 1);
	made_u64(t, 1);
	made_u64(t, 0);
	made_u64(t, 64);
	made_u64(t, 64);
	made_u64(t, UINT64_MAX);
}

static void
make_progs(struct cr_text *t)
{
	const size_t info_bytes = 192, data_bytes = 8 + 4 + 8 + 8;
	size_t info;

	made_u32(t, 1);
	made_u32(t, (uint32_t)info_bytes);
	made_u32(t, (uint32_t)data_bytes);
	made_u64(t, 0x138);
	info = t->len;
	made_u32(t, 6);
	made_u32(t, 42); /* id */
	cr_text_put(t, "\1\2\3\4\5\6\7\x8", 8);
	cr_text_pad(t, '\0', info + 64 - t->len);
	cr_text_put(t, "short\0\0\0\0\0\0\0\0\0\0\0", 16);
	cr_text_pad(t, '\0', info + 104 - t->len);
	made_u32(t, 1); /* addresses */
	made_u32(t, 1); /* lengths */
	made_u64(t, 0);
	made_u64(t, 8);
	made_u32(t, 5); /* table of types */
	made_u32(t, 8); /* bytes of an item that says a function's type */
	made_u64(t, 20);
	made_u32(t, 1);
	cr_text_pad(t, '\0', info + 180 - t->len);
	made_u32(t, 1); /* tags */
	made_u64(t, 12);
	cr_text_pad(t, '\0', info + info_bytes - t->len);
	made_u64(t, UINT64_C(0xffffffffc0001000));
	made_u32(t, 123);
	cr_text_put(t, "\xab\xcd\1\2\3\4\5\6", 8);
	made_u32(t, 0);
	made_u32(t, 2); /* type */
}

static void
make_types(struct cr_text *t)
{
	made_u32(t, 1);
	made_u32(t, 5);
	made_u32(t, 24 + 16 + 12 + 8);
	made_u16(t, 0xeb9f);
	made_u16(t, 1);
	made_u32(t, 24);
	made_u32(t, 0);
	made_u32(t, 28);
	made_u32(t, 28);
	made_u32(t, 8);
	made_u32(t, 0); /* type 1: an integer, 4 bytes more */
	made_u32(t, 1u << 24);
	made_u32(t, 4);
	made_u32(t, 32);
	made_u32(t, 1); /* type 2: a function */
	made_u32(t, 12u << 24);
	made_u32(t, 1);
	cr_text_put(t, "\0whole\0\0", 8);
}

static void
make_compressed(struct cr_text *t)
{
	made_u32(t, 1);
	made_u32(t, 1);
	made_u32(t, 3);
	made_u32(t, 84);
	made_u32(t, 528384);
}

static void
make_caps(struct cr_text *t)
{
	made_u32(t, 2);
	made_string(t, "branches");
	made_string(t, "32");
	made_string(t, "pmu_name");
	made_string(t, "skylake");
}

static void
make_pmu_caps(struct cr_text *t)
{
	made_u32(t, 2);
	make_caps(t);
	made_string(t, "cpu");
	made_u32(t, 0);
	made_string(t, "msr");
}

static void
make_clock(struct cr_text *t)
{
	made_u32(t, 1);
	made_u32(t, 1);
	made_u64(t, UINT64_C(1700000000123456789));
	made_u64(t, UINT64_C(42000000007));
}

static void
make_hybrid(struct cr_text *t)
{
	made_u32(t, 2);
	made_string(t, "cpu_core");
	made_string(t, "0-1");
	made_string(t, "cpu_atom");
	made_string(t, "2-3");
}

static void
make_domains(struct cr_text *t)
{
	made_u32(t, 17);
	made_u32(t, 1);
	for (unsigned i = 0; i < 4; i++) {
		made_u32(t, i);
		made_u32(t, 1);
		made_u32(t, 0);
		made_string(t, "SMT");
		made_string(t, i < 2 ? "3" : "c");
		made_string(t, i < 2 ? "0-1" : "2-3");
	}
}

static void
make_nothing(struct cr_text *t)
{
	(void)t;
}

static const struct feature {
	unsigned bit;
	void (*make)(struct cr_text *);
	const char *key, *want; /* "" where there is to be no such fact */
} features[] = {
	{PERF_FEATURE_TRACING_DATA, make_u64, "tracing data bytes", "8"},
	{PERF_FEATURE_HOSTNAME, make_name, "hostname", "a name"},
	{PERF_FEATURE_OSRELEASE, make_name, "osrelease", "a name"},
	{PERF_FEATURE_VERSION, make_name, "perf version", "a name"},
	{PERF_FEATURE_ARCH, make_name, "arch", "a name"},
	{PERF_FEATURE_CPUDESC, make_name, "cpudesc", "a name"},
	{PERF_FEATURE_CPUID, make_name, "cpuid", "a name"},
	{PERF_FEATURE_NRCPUS, make_two_u32, "cpus available", "4"},
	{PERF_FEATURE_NRCPUS, make_two_u32, "cpus online", "3"},
	{PERF_FEATURE_TOTAL_MEM, make_u64, "total memory kB", "1000"},
	{PERF_FEATURE_CMDLINE, make_cmdline, "cmdline", "perf record 'it'\\''s' ''"},
	{PERF_FEATURE_EVENT_DESC, make_event_desc, "event attributes",
		"first: size = 128, { sample_period, sample_freq } = 999, sample_type = "
		"IP|CALLCHAIN, freq = 1\n"
		"second\\x0a  third: 3: type = 9, size = 128, config = 0x300, { sample_period, "
		"sample_freq } = 5\n"},
	{PERF_FEATURE_CPU_TOPOLOGY, make_topology, "sibling sockets", "0-3"},
	{PERF_FEATURE_CPU_TOPOLOGY, make_topology, "sibling threads", "0,2 1,3"},
	{PERF_FEATURE_CPU_TOPOLOGY, make_topology, "cpu ids",
		"cpus 0-1: cores 0-1, socket 0\ncpus 2-3: cores 0-1, socket -1\n"},
	{PERF_FEATURE_CPU_TOPOLOGY, make_topology_with_dies, "sibling dies", "0-3"},
	{PERF_FEATURE_CPU_TOPOLOGY, make_topology_with_dies, "cpu ids",
		"cpus 0-2: core 7, die 0, socket 0\ncpu 3: core 7, die 1, socket 0\n"},
	{PERF_FEATURE_CPU_TOPOLOGY, make_old_topology, "cpu ids", "not available"},
	{PERF_FEATURE_NUMA_TOPOLOGY, make_numa, "numa nodes",
		"node 0: total = 1000 kB, free = 10 kB, cpus 0-1\nnode 1: total = 1001 kB, free = "
		"11 kB, cpus 2-3\n"},
	{PERF_FEATURE_BRANCH_STACK, make_nothing, "branch stacks", "recorded"},
	{PERF_FEATURE_PMU_MAPPINGS, make_pmus, "pmu mappings", "software = 1, uncore_x = 9"},
	{PERF_FEATURE_PMU_MAPPINGS, make_pmus, "event attributes",
		"cycles: size = 128, { sample_period, sample_freq } = 999, sample_type = "
		"IP|CALLCHAIN, freq = 1\n"
		"uncore_x/config=0x300/: type = 9, size = 128, config = 0x300, { sample_period, "
		"sample_freq } = 5\n"},
	{PERF_FEATURE_GROUP_DESC, make_groups, "event groups", "{cycles,pmu 9/config=0x300/}\n"},
	{PERF_FEATURE_GROUP_DESC, make_named_group, "event groups", "mine{pmu 9/config=0x300/}\n"},
	{PERF_FEATURE_GROUP_DESC, make_group_of_none, "event groups", ""},
	{PERF_FEATURE_AUXTRACE, make_auxtrace, "aux traces", "2 records, 100 bytes"},
	{PERF_FEATURE_STAT, make_nothing, "stat data", "recorded"},
	{PERF_FEATURE_CACHE, make_caches, "cpu caches",
		"L1 Data 48K, line 64, 128 sets, 8 ways: 0 1\nL2 Data 1024K, line 64, 128 sets, 8 "
		"ways: 2\n"
		"L2 Data 2048K, line 64, 128 sets, 8 ways: 0-1\n"},
	{PERF_FEATURE_SAMPLE_TIME, make_times, "time of first sample", "1.000000001"},
	{PERF_FEATURE_SAMPLE_TIME, make_times, "time of last sample", "3.500000000"},
	{PERF_FEATURE_SAMPLE_TIME, make_times, "sample duration", "2500.000 ms"},
	{PERF_FEATURE_MEM_TOPOLOGY, make_memory, "memory nodes",
		"2, block size 0x8000000\nnode 0 [8G]: 2-64,66\nnode 1 [128M]: 71\n"},
	{PERF_FEATURE_MEM_TOPOLOGY, make_memory_of_one_word, "memory nodes",
		"1, block size 0x1\nnode 0 [64B]: 0-63\n"},
	{PERF_FEATURE_CLOCKID, make_u64, "clock resolution", "1000 ns (1 MHz)"},
	{PERF_FEATURE_DIR_FORMAT, make_u64, "directory data version", "1000"},
	{PERF_FEATURE_BPF_PROG_INFO, make_progs, "bpf programs",
		"42: bpf_prog_abcd010203040506_short addr 0xffffffffc0001000 size 123\n"},
	{PERF_FEATURE_BPF_BTF, make_types, "bpf types", "5"},
	{PERF_FEATURE_COMPRESSED, make_compressed, "compressed",
		"Zstd, level = 3, ratio = 84, buffer = 528384 bytes"},
	{PERF_FEATURE_CPU_PMU_CAPS, make_caps, "cpu pmu capabilities",
		"branches=32, pmu_name=skylake"},
	{PERF_FEATURE_CLOCK_DATA, make_clock, "clock", "monotonic (1)"},
	{PERF_FEATURE_CLOCK_DATA, make_clock, "reference time",
		"2023-11-14 22:13:20.123456 UTC = 1700000000.123456789 of the day = 42.000000007 "
		"monotonic"},
	{PERF_FEATURE_HYBRID_TOPOLOGY, make_hybrid, "hybrid cpus",
		"cpu_core: 0-1\ncpu_atom: 2-3\n"},
	{PERF_FEATURE_PMU_CAPS, make_pmu_caps, "pmu capabilities",
		"cpu: branches=32, pmu_name=skylake\nmsr: not available\n"},
	{PERF_FEATURE_CPU_DOMAIN_INFO, make_domains, "scheduling domains",
		"schedstat version 17, at most 1 domains\ndomain 0 SMT: 0-1, of cpus 0-1\n"
		"domain 0 SMT: 2-3, of cpus 2-3\n"},
	{PERF_FEATURE_E_MACHINE, make_two_u32, "elf machine", "4, flags 0x3"},
	{PERF_FEATURE_CLN_SIZE, make_u32, "cache line bytes", "64"},
	{200, make_u64, "hostname", ""},
};

static void
test_every_feature_becomes_its_facts_in_both_byte_orders(void **state)
{
	(void)state;
	for (size_t i = 0; i < CR_LEN(features) * 2; i++) {
		const struct feature *want = &features[i / 2];
		struct cr_text t = {0};
		struct cr_profile *p;
		struct fixture f;

		made_foreign = i % 2;
		want->make(&t);
		fixture_init(&f);
		feature_read(&f, want->bit, t.p, t.len);
		assert_false(f.bad);
		p = fixture_fini(&f);
		assert_str(cr_profile_fact(p, want->key), want->want);
		cr_profile_free(p);
		cr_text_fini(&t);
	}
	made_foreign = false;
}

/* Every fact but those that only say how many bytes there were is whole or not there. */
static void
test_a_feature_that_is_cut_off_is_noticed(void **state)
{
	(void)state;
	for (size_t i = 0; i < CR_LEN(features); i++) {
		struct cr_text t = {0};

		features[i].make(&t);
		for (size_t len = 0; len < t.len; len++) {
			struct fixture f;

			fixture_init(&f);
			feature_read(&f, features[i].bit, t.p, len);
			if (len == 1 && features[i].bit < PERF_FEATURE_KNOWN &&
				features[i].bit != PERF_FEATURE_TRACING_DATA)
				assert_true(f.bad);
			cr_profile_free(fixture_fini(&f));
		}
		cr_text_fini(&t);
	}
}

/* Any word of any payload may be the largest there is: nothing is read, kept or printed by it. */
static void
test_absurd_counts_are_not_believed(void **state)
{
	(void)state;
	for (size_t i = 0; i < CR_LEN(features); i++) {
		struct cr_text t = {0};

		features[i].make(&t);
		for (size_t at = 0; at + 4 <= t.len; at += 4) {
			struct cr_profile *p;
			struct fixture f;
			char was[4];

			memcpy(was, t.p + at, 4);
			memset(t.p + at, 0xff, 4);
			fixture_init(&f);
			feature_read(&f, features[i].bit, t.p, t.len);
			p = fixture_fini(&f);
			for (uint32_t k = 0; k < p->n_facts; k++)
				assert_true(p->facts[k].value.len < 2000);
			cr_profile_free(p);
			memcpy(t.p + at, was, 4);
		}
		cr_text_fini(&t);
	}
}

static void
test_bpf_functions_get_the_whole_name_from_their_types_in_any_order(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct cr_text programs = {0}, types = {0};
		struct cr_cursor c;
		struct cr_profile *p;
		struct fixture f;

		made_foreign = i & 2;
		make_progs(&programs);
		make_types(&types);
		fixture_init(&f);
		for (unsigned k = 0; k < 2; k++) {
			const bool first = k == (i & 1);

			cr_cursor_init(
				&c, first ? programs.p : types.p, first ? programs.len : types.len);
			c.swap = made_foreign;
			cr_perf_feature_read(
				first ? PERF_FEATURE_BPF_PROG_INFO : PERF_FEATURE_BPF_BTF, &c, &f.h,
				f.b);
			assert_false(c.bad);
		}
		p = fixture_fini(&f);
		assert_str(cr_profile_fact(p, "bpf programs"),
			"42: bpf_prog_abcd010203040506_whole addr 0xffffffffc0001000 size 123\n");
		cr_profile_free(p);
		cr_text_fini(&programs);
		cr_text_fini(&types);
	}
	made_foreign = false;
}

/* As in a pipe, where recorders of old wrote the features first. */
static void
test_names_reach_attrs_that_come_after_them(void **state)
{
	struct cr_text names = {0}, pmus = {0}, groups = {0};
	struct cr_cursor c;
	struct cr_profile *p;
	struct fixture f;
	struct perf_attr attrs[2];

	(void)state;
	make_event_desc(&names);
	make_pmus(&pmus);
	make_groups(&groups);
	fixture_init(&f);
	memcpy(attrs, f.h.attrs.p, sizeof(attrs));
	f.h.attrs.n = 0;
	cr_cursor_init(&c, names.p, names.len);
	cr_perf_feature_read(PERF_FEATURE_EVENT_DESC, &c, &f.h, f.b);
	cr_cursor_init(&c, pmus.p, pmus.len);
	cr_perf_feature_read(PERF_FEATURE_PMU_MAPPINGS, &c, &f.h, f.b);
	cr_cursor_init(&c, groups.p, groups.len);
	cr_perf_feature_read(PERF_FEATURE_GROUP_DESC, &c, &f.h, f.b);
	for (size_t i = 0; i < 2; i++) {
		struct cr_text t = {0};

		made_attr_bytes(&t, &attrs[i]);
		made_u64(&t, 50 + i);
		cr_cursor_init(&c, t.p, t.len);
		assert_true(cr_perf_header_attr(&f.h, c));
		cr_perf_feature_name_attr(&f.h, f.h.attrs.n - 1);
		cr_text_fini(&t);
	}
	assert_str(f.h.attrs.p[0].name, "first");
	assert_str(f.h.attrs.p[1].pmu, "uncore_x");
	cr_perf_attrs_facts(&f.h, f.b);
	p = fixture_fini(&f);
	assert_str(cr_profile_fact(p, "event groups"), "{first,second\\x0a  third: 3}\n");
	cr_profile_free(p);
	cr_text_fini(&names);
	cr_text_fini(&pmus);
	cr_text_fini(&groups);
}

static void
test_long_lists_are_wrapped_and_endless_ones_cut(void **state)
{
	struct cr_text t = {0}, item = {0};

	(void)state;
	for (unsigned i = 0; i < 60; i++)
		cr_perf_fact_pack(&t, CR_STR("123"));
	cr_perf_fact_pack_end(&t);
	assert_int_equal(t.len, 60 * 4);
	assert_int_equal(t.p[95], '\n');
	assert_int_equal(t.p[t.len - 1], '\n');
	cr_text_clear(&t);
	cr_perf_fact_pack(&t, CR_STR("a\nb"));
	cr_perf_fact_pack_end(&t);
	assert_str(cr_text_view(&t), "a\\x0ab");

	cr_text_pad(&item, 'x', 1 << 20);
	while (cr_perf_fact_room(&t))
		cr_perf_fact_pack(&t, cr_text_view(&item));
	assert_true(t.len < 6u << 20);
	cr_text_fini(&t);
	cr_text_fini(&item);
}

static void
test_build_ids_are_found_by_name_with_and_without_a_pid(void **state)
{
	static const char *const names[] = {"[kernel.kallsyms]", "/bin/x"};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct cr_text t = {0};
		struct cr_cursor c;
		struct fixture f;

		made_foreign = i & 2;
		for (unsigned k = 0; k < 2; k++) {
			const uint16_t size = (uint16_t)(8 + (i & 1 ? 0 : 4) + 24 + 24);

			made_u32(&t, 0);
			made_u16(&t, i & 1 ? 2 : 0x8002);
			made_u16(&t, size);
			if (!(i & 1))
				made_u32(&t, UINT32_MAX);
			cr_text_pad(&t, (char)('a' + k), 20);
			cr_text_pad(&t, 16, 1);
			cr_text_pad(&t, '\0', 3);
			cr_text_puts(&t, names[k]);
			cr_text_pad(&t, '\0', 24 - strlen(names[k]));
		}
		fixture_init(&f);
		cr_cursor_init(&c, t.p, t.len);
		c.swap = made_foreign;
		cr_perf_feature_read(PERF_FEATURE_BUILD_ID, &c, &f.h, f.b);
		for (unsigned k = 0; k < 2; k++) {
			const struct perf_build_id *id =
				cr_perf_header_build_id(&f.h, cr_str_of(names[k]));

			assert_non_null(id);
			assert_int_equal(id->len, i & 1 ? 20 : 16);
			assert_int_equal(id->id[0], 'a' + k);
		}
		cr_profile_free(fixture_fini(&f));
		cr_text_fini(&t);
	}
	made_foreign = false;
}

static void
test_short_build_ids_without_a_length_end_at_their_zeros(void **state)
{
	static const struct {
		uint8_t n, len;
	} cases[] = {{20, 20}, {19, 20}, {17, 20}, {16, 16}, {9, 16}, {8, 8}, {0, 20}};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct perf_build_id *id;
		struct cr_text t = {0};
		struct cr_cursor c;
		struct fixture f;

		made_u32(&t, 0);
		made_u16(&t, 2);
		made_u16(&t, 8 + 4 + 24 + 8);
		made_u32(&t, UINT32_MAX);
		cr_text_pad(&t, 'a', cases[i].n);
		cr_text_pad(&t, '\0', 24u - cases[i].n);
		cr_text_puts(&t, "/bin/x");
		cr_text_pad(&t, '\0', 2);
		fixture_init(&f);
		cr_cursor_init(&c, t.p, t.len);
		cr_perf_feature_read(PERF_FEATURE_BUILD_ID, &c, &f.h, f.b);
		id = cr_perf_header_build_id(&f.h, CR_STR("/bin/x"));
		assert_non_null(id);
		assert_int_equal(id->len, cases[i].len);
		cr_profile_free(fixture_fini(&f));
		cr_text_fini(&t);
	}
}

static void
test_what_a_file_has_not_is_listed(void **state)
{
	uint64_t bits[4] = {(UINT64_C(1) << PERF_FEATURE_KNOWN) - 1 - (1u << PERF_FEATURE_STAT) -
				    (1u << PERF_FEATURE_ARCH),
		0, 7, UINT64_C(1) << 63};
	const struct cr_input in = {.p = (const unsigned char *)""};
	struct cr_log log = {0};
	struct cr_profile *p;
	struct fixture f;

	(void)state;
	fixture_init(&f);
	f.h.data_offset = 104;
	f.h.recorded_len = 1000;
	memcpy(f.h.features, bits, sizeof(bits));
	cr_perf_features_read(&in, &f.h, f.b, &log);
	assert_string_equal(
		log.entries[0].kind, "header features cut off"); /* their table is not there */
	p = fixture_fini(&f);
	assert_str(cr_profile_fact(p, "data offset"), "104");
	assert_str(cr_profile_fact(p, "data size"), "1000");
	assert_str(cr_profile_fact(p, "feat offset"), "1104");
	assert_str(cr_profile_fact(p, "missing features"), "ARCH STAT");
	assert_str(cr_profile_fact(p, "unknown features"), "128-130,255");
	cr_profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_feature_becomes_its_facts_in_both_byte_orders),
		cmocka_unit_test(test_a_feature_that_is_cut_off_is_noticed),
		cmocka_unit_test(test_absurd_counts_are_not_believed),
		cmocka_unit_test(
			test_bpf_functions_get_the_whole_name_from_their_types_in_any_order),
		cmocka_unit_test(test_names_reach_attrs_that_come_after_them),
		cmocka_unit_test(test_long_lists_are_wrapped_and_endless_ones_cut),
		cmocka_unit_test(test_build_ids_are_found_by_name_with_and_without_a_pid),
		cmocka_unit_test(test_short_build_ids_without_a_length_end_at_their_zeros),
		cmocka_unit_test(test_what_a_file_has_not_is_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
