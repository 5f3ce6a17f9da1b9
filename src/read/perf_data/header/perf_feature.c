#include "perf_feature_p.h"

#include "perf_bpf_p.h"
#include "perf_describe_p.h"
#include "perf_fact_p.h"
#include "perf_machine_p.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

/* ---- command and system */

/* Features that are one string, and their facts. */
static const char *const string_features[PERF_FEATURE_KNOWN] = {
	[PERF_FEATURE_HOSTNAME] = "hostname",
	[PERF_FEATURE_OSRELEASE] = "osrelease",
	[PERF_FEATURE_VERSION] = "perf version",
	[PERF_FEATURE_ARCH] = "arch",
	[PERF_FEATURE_CPUDESC] = "cpudesc",
	[PERF_FEATURE_CPUID] = "cpuid",
};

static void
string_read(unsigned bit, struct cr_cursor *c, struct perf_header *h, struct cr_builder *b)
{
	const struct cr_str s = cr_perf_feature_string(c);

	if (s.len)
		cr_builder_fact(b, string_features[bit], s);
	if (bit == PERF_FEATURE_ARCH)
		snprintf(h->machine, sizeof(h->machine), "%.*s", (int)s.len, s.p);
}

static void
nrcpus_read(struct cr_cursor *c, struct perf_header *h, struct cr_builder *b)
{
	const uint32_t available = cr_cursor_u32(c), online = cr_cursor_u32(c);

	if (c->bad)
		return;
	h->n_cpus = available;
	cr_perf_fact_u64(b, "cpus available", available);
	cr_perf_fact_u64(b, "cpus online", online);
}

/* Quote arguments for a shell if they contain anything but plain characters. */
static void
cmdline_read(struct cr_cursor *c, struct cr_builder *b)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
	const uint32_t n = cr_cursor_count(c, 4);
	struct cr_text t = {0};

	for (uint32_t i = 0; i < n && !c->bad && cr_perf_fact_room(&t); i++) {
		const struct cr_str s = cr_perf_feature_string(c);
		bool quote = s.len == 0;

		for (uint32_t k = 0; k < s.len && !quote; k++)
			quote = s.p[k] == '\0' || !strchr(plain, s.p[k]);
		if (i)
			cr_text_char(&t, ' ');
		if (quote)
			cr_text_char(&t, '\'');
		for (uint32_t k = 0; k < s.len; k++) {
			if (s.p[k] == '\'')
				cr_text_puts(&t, "'\\'");
			cr_text_char(&t, s.p[k]);
		}
		if (quote)
			cr_text_char(&t, '\'');
	}
	cr_perf_fact_put(b, "cmdline", &t);
}

/* ---- events */

#define MAX_NAMES ((size_t)1 << 16)
#define MAX_PMUS ((size_t)1 << 12) /* limited, since each is compared with each attr */
#define MAX_GROUPS ((size_t)1 << 15)

void
cr_perf_feature_name_attr(struct perf_header *h, size_t row)
{
	struct perf_attr *a = &h->attrs.p[row];

	if (row < h->names.n)
		a->name = h->names.p[row];
	for (size_t i = 0; i < h->pmus.n && !a->pmu.len; i++)
		if (h->pmus.p[i].type == cr_perf_attr_pmu(a))
			a->pmu = h->pmus.p[i].name;
}

static void
attrs_name(struct perf_header *h)
{
	for (size_t i = 0; i < h->attrs.n; i++)
		cr_perf_feature_name_attr(h, i);
}

/* Entry i names attr i; the attr and ids in it repeat those of the header. */
static void
event_desc_read(struct cr_cursor *c, struct perf_header *h)
{
	const uint32_t n = cr_cursor_u32(c), attr_size = cr_cursor_u32(c);

	/* Only one per recording is read, since each costs a pass over all attrs. */
	if (h->names.n)
		return;
	for (uint32_t i = 0; i < n && h->names.n < MAX_NAMES; i++) {
		uint32_t n_ids;
		struct cr_str name;

		cr_cursor_skip(c, attr_size);
		n_ids = cr_cursor_u32(c);
		name = cr_perf_feature_string(c);
		cr_cursor_skip(c, (uint64_t)n_ids * 8);
		if (c->bad)
			break;
		cr_vec_push(&h->names, name);
	}
	if (h->names.n)
		attrs_name(h);
}

/* {u32 type, string name}: names of the dynamic event types. */
static void
pmu_mappings_read(struct cr_cursor *c, struct perf_header *h, struct cr_builder *b)
{
	const uint32_t n = cr_cursor_count(c, 8);
	struct cr_text t = {0};

	if (h->pmus.n)
		return; /* as above */
	for (uint32_t i = 0; i < n && h->pmus.n < MAX_PMUS && cr_perf_fact_room(&t); i++) {
		struct perf_pmu pmu = {.type = cr_cursor_u32(c)};

		pmu.name = cr_perf_feature_string(c);
		if (c->bad)
			break;
		cr_vec_push(&h->pmus, pmu);
		cr_text_puts(&t, i ? ", " : "");
		cr_text_safe(&t, pmu.name);
		cr_text_printf(&t, " = %" PRIu32, pmu.type);
	}
	if (h->pmus.n)
		attrs_name(h);
	cr_perf_fact_put(b, "pmu mappings", &t);
}

/* {string name, u32 row of the leader, u32 members}; the members follow their leader. */
static void
group_desc_read(struct cr_cursor *c, struct perf_header *h)
{
	const uint32_t n = cr_cursor_count(c, 12);

	h->groups.n = 0;
	for (uint32_t i = 0; i < n && h->groups.n < MAX_GROUPS; i++) {
		struct perf_group g = {.name = cr_perf_feature_string(c)};

		g.leader = cr_cursor_u32(c);
		g.members = cr_cursor_u32(c);
		if (c->bad)
			break;
		if (cr_str_eq(g.name, CR_STR("{anon_group}")))
			g.name.len = 0;
		cr_vec_push(&h->groups, g);
	}
}

/* u32 n, then n times {string name, string value}: "a=1, b=2", appended. */
static void
caps_read(struct cr_cursor *c, struct cr_text *t)
{
	const uint32_t n = cr_cursor_count(c, 8);

	for (uint32_t i = 0; i < n && !c->bad && cr_perf_fact_room(t); i++) {
		const struct cr_str name = cr_perf_feature_string(c),
				    value = cr_perf_feature_string(c);

		cr_text_puts(t, i ? ", " : "");
		cr_text_safe(t, name);
		cr_text_char(t, '=');
		cr_text_safe(t, value);
	}
	if (n == 0)
		cr_text_puts(t, "not available");
}

static void
cpu_pmu_caps_read(struct cr_cursor *c, struct cr_builder *b)
{
	struct cr_text t = {0};

	caps_read(c, &t);
	if (c->bad)
		cr_text_fini(&t);
	cr_perf_fact_put(b, "cpu pmu capabilities", &t);
}

/* u32 n, then n times {capabilities, string name of the PMU}: one line each. */
static void
pmu_caps_read(struct cr_cursor *c, struct cr_builder *b)
{
	const uint32_t n = cr_cursor_count(c, 8);
	struct cr_text t = {0}, caps = {0};

	for (uint32_t i = 0; i < n && cr_perf_fact_room(&t); i++) {
		struct cr_str name;

		cr_text_clear(&caps);
		caps_read(c, &caps);
		name = cr_perf_feature_string(c);
		if (c->bad)
			break;
		cr_text_safe(&t, name);
		cr_text_puts(&t, ": ");
		cr_text_str(&t, cr_text_view(&caps));
		cr_text_char(&t, '\n');
	}
	cr_text_fini(&caps);
	cr_perf_fact_put(b, "pmu capabilities", &t);
}

/* ---- build-ids */

#define BUILD_ID_HAS_SIZE 0x8000

/*
 * Length of an id that old recorders wrote without it: 20 bytes, or those of shorter ids and zeros.
 * Linkers make ids of 8, 16 and 20 bytes.
 */
static uint8_t
length_of(const unsigned char *id)
{
	static const unsigned char zeros[20] = {0};

	if (memcmp(id + 16, zeros, 4) != 0)
		return 20;
	return memcmp(id + 8, zeros, 8) != 0 ? 16 : memcmp(id, zeros, 8) != 0 ? 8 : 20;
}

/* The id in 24 bytes, then the name of the file. The first id for a name is used. */
static void
build_id_add(struct perf_header *h, struct cr_cursor r, uint16_t misc)
{
	const unsigned char *id = cr_cursor_take(&r, 24);
	struct perf_build_id e = {.cpumode = misc & 7};

	if (!id)
		return;
	e.len = misc & BUILD_ID_HAS_SIZE ? CR_MIN(id[20], (uint8_t)20) : length_of(id);
	memcpy(e.id, id, e.len);
	e.name = cr_cursor_text(&r, cr_cursor_left(&r));
	if (cr_perf_header_build_id(h, e.name))
		return;
	cr_index_add(&h->build_id_index, cr_hash(e.name.p, e.name.len), (uint32_t)h->build_ids.n);
	cr_vec_push(&h->build_ids, e);
}

void
cr_perf_feature_build_id(struct perf_header *h, struct cr_cursor *body, uint16_t misc)
{
	cr_cursor_skip(body, 4); /* pid */
	build_id_add(h, *body, misc);
}

/*
 * Old recorders wrote no pid. Read as if there were one, the kernel's name loses its first four
 * bytes.
 */
static bool
build_ids_lack_pid(struct cr_cursor c)
{
	cr_cursor_skip(&c, 8 + 4 + 24);
	return cr_str_starts(
		cr_cursor_text(&c, CR_MIN(cr_cursor_left(&c), (size_t)16)), "nel.kallsyms]");
}

/* Records as in a pipe: u32 type, u16 misc, u16 total size, pid, id, name. */
static void
build_ids_read(struct cr_cursor *c, struct perf_header *h)
{
	const bool pid = !build_ids_lack_pid(*c);

	while (cr_cursor_left(c) >= 8 + 24) {
		struct cr_cursor r;
		uint16_t misc, size;

		cr_cursor_skip(c, 4);
		misc = cr_cursor_u16(c);
		size = cr_cursor_u16(c);
		if (size < 8 + 24)
			return;
		r = cr_cursor_sub(c, size - 8u);
		if (pid)
			cr_perf_feature_build_id(h, &r, misc);
		else
			build_id_add(h, r, misc);
	}
}

/* ---- time */

static void
put_seconds(struct cr_text *t, uint64_t ns)
{
	cr_text_printf(t, "%" PRIu64 ".%09" PRIu64, ns / NS_PER_S, ns % NS_PER_S);
}

/* Both are zero if the recorder did not examine the samples at the end. */
static void
sample_time_read(struct cr_cursor *c, struct cr_builder *b)
{
	const uint64_t first = cr_cursor_u64(c), last = cr_cursor_u64(c);
	struct cr_text t = {0};

	if (c->bad)
		return;
	put_seconds(&t, first);
	cr_perf_fact_put(b, "time of first sample", &t);
	put_seconds(&t, last);
	cr_perf_fact_put(b, "time of last sample", &t);
	if (last < first)
		return;
	cr_text_printf(&t, "%.3f ms", (double)(last - first) / 1e6);
	cr_perf_fact_put(b, "sample duration", &t);
}

static void
put_clock(struct cr_text *t, uint32_t id)
{
	static const char *const names[] = {
		"realtime",
		"monotonic",
		"process_cputime_id",
		"thread_cputime_id",
		"monotonic_raw",
		"realtime_coarse",
		"monotonic_coarse",
		"boottime",
		"realtime_alarm",
		"boottime_alarm",
		NULL,
		"tai",
	};

	cr_text_puts(t, id < CR_LEN(names) && names[id] ? names[id] : "unknown");
}

/* u64 resolution of the clock in nanoseconds. */
static void
clockid_read(struct cr_cursor *c, struct cr_builder *b)
{
	const uint64_t step_ns = cr_cursor_u64(c);
	struct cr_text t = {0};

	if (c->bad)
		return;
	cr_text_printf(&t, "%" PRIu64 " ns", step_ns);
	if (step_ns)
		cr_text_printf(&t, " (%" PRIu64 " MHz)", 1000 / step_ns);
	cr_perf_fact_put(b, "clock resolution", &t);
}

/* u32 version, u32 clock, u64 wall-clock time, u64 the clock's time at that moment. */
static void
clock_data_read(struct cr_cursor *c, struct cr_builder *b)
{
	const uint32_t version = cr_cursor_u32(c), clock = cr_cursor_u32(c);
	const uint64_t wall_ns = cr_cursor_u64(c), clock_ns = cr_cursor_u64(c);
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	struct cr_text t = {0};
	char date[40];
	struct tm tm;

	if (c->bad || version != 1)
		return;
	put_clock(&t, clock);
	cr_text_printf(&t, " (%" PRIu32 ")", clock);
	cr_perf_fact_put(b, "clock", &t);
	if (gmtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm))
		cr_text_printf(&t, "%s.%06" PRIu64 " UTC = ", date, wall_ns % NS_PER_S / 1000);
	put_seconds(&t, wall_ns);
	cr_text_puts(&t, " of the day = ");
	put_seconds(&t, clock_ns);
	cr_text_char(&t, ' ');
	put_clock(&t, clock);
	cr_perf_fact_put(b, "reference time", &t);
}

/* ---- the file */

/* u64 n, then n times {u64 offset, u64 size} of the records with traces. */
static void
auxtrace_read(struct cr_cursor *c, struct cr_builder *b)
{
	const uint64_t n = cr_cursor_count64(c, 16);
	struct cr_text t = {0};
	uint64_t bytes = 0;

	if (c->bad) { /* simpleperf's index has another format */
		cr_builder_fact(b, "aux traces", CR_STR("recorded"));
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		cr_cursor_skip(c, 8);
		bytes = cr_add_sat(bytes, cr_cursor_u64(c));
	}
	cr_text_printf(&t, "%" PRIu64 " records, %" PRIu64 " bytes", n, bytes);
	cr_perf_fact_put(b, "aux traces", &t);
}

/* u32 version, type, level, ratio, buffer size in bytes. */
static void
compressed_read(struct cr_cursor *c, struct cr_builder *b)
{
	uint32_t type, level, ratio, mmap_bytes;
	struct cr_text t = {0};

	cr_cursor_skip(c, 4);
	type = cr_cursor_u32(c);
	level = cr_cursor_u32(c);
	ratio = cr_cursor_u32(c);
	mmap_bytes = cr_cursor_u32(c);
	if (c->bad)
		return;
	cr_text_printf(&t,
		"%s, level = %" PRIu32 ", ratio = %" PRIu32 ", buffer = %" PRIu32 " bytes",
		type == 1 ? "Zstd" : "Unknown", level, ratio, mmap_bytes);
	cr_perf_fact_put(b, "compressed", &t);
}

static void
e_machine_read(struct cr_cursor *c, struct cr_builder *b)
{
	const uint32_t machine = cr_cursor_u32(c), flags = cr_cursor_u32(c);
	struct cr_text t = {0};

	if (c->bad)
		return;
	cr_text_printf(&t, "%" PRIu32 ", flags 0x%" PRIx32, machine, flags);
	cr_perf_fact_put(b, "elf machine", &t);
}

/* Features that are one number. */
static void
number_read(const char *key, bool wide, struct cr_cursor *c, struct cr_builder *b)
{
	const uint64_t v = wide ? cr_cursor_u64(c) : cr_cursor_u32(c);

	if (!c->bad)
		cr_perf_fact_u64(b, key, v);
}

void
cr_perf_feature_read(unsigned bit, struct cr_cursor *c, struct perf_header *h, struct cr_builder *b)
{
	if (cr_cursor_left(c) == 0 && bit != PERF_FEATURE_BRANCH_STACK && bit != PERF_FEATURE_STAT)
		return;
	if (bit < CR_LEN(string_features) && string_features[bit]) {
		string_read(bit, c, h, b);
		return;
	}
	switch (bit) {
	case PERF_FEATURE_TRACING_DATA:
		cr_perf_fact_u64(b, "tracing data bytes", cr_cursor_left(c));
		break;
	case PERF_FEATURE_BUILD_ID: build_ids_read(c, h); break;
	case PERF_FEATURE_NRCPUS: nrcpus_read(c, h, b); break;
	case PERF_FEATURE_TOTAL_MEM: number_read("total memory kB", true, c, b); break;
	case PERF_FEATURE_CMDLINE: cmdline_read(c, b); break;
	case PERF_FEATURE_EVENT_DESC: event_desc_read(c, h); break;
	case PERF_FEATURE_CPU_TOPOLOGY: cr_perf_machine_cpus(c, h->n_cpus, b); break;
	case PERF_FEATURE_NUMA_TOPOLOGY: cr_perf_machine_numa(c, b); break;
	case PERF_FEATURE_BRANCH_STACK:
		cr_builder_fact(b, "branch stacks", CR_STR("recorded"));
		break;
	case PERF_FEATURE_PMU_MAPPINGS: pmu_mappings_read(c, h, b); break;
	case PERF_FEATURE_GROUP_DESC: group_desc_read(c, h); break;
	case PERF_FEATURE_AUXTRACE: auxtrace_read(c, b); break;
	case PERF_FEATURE_STAT: cr_builder_fact(b, "stat data", CR_STR("recorded")); break;
	case PERF_FEATURE_CACHE: cr_perf_machine_caches(c, b); break;
	case PERF_FEATURE_SAMPLE_TIME: sample_time_read(c, b); break;
	case PERF_FEATURE_MEM_TOPOLOGY: cr_perf_machine_memory(c, b); break;
	case PERF_FEATURE_CLOCKID: clockid_read(c, b); break;
	case PERF_FEATURE_DIR_FORMAT: number_read("directory data version", true, c, b); break;
	case PERF_FEATURE_BPF_PROG_INFO: cr_perf_bpf_programs(c, &h->bpf, b); break;
	case PERF_FEATURE_BPF_BTF: cr_perf_bpf_types(c, &h->bpf, b); break;
	case PERF_FEATURE_COMPRESSED: compressed_read(c, b); break;
	case PERF_FEATURE_CPU_PMU_CAPS: cpu_pmu_caps_read(c, b); break;
	case PERF_FEATURE_CLOCK_DATA: clock_data_read(c, b); break;
	case PERF_FEATURE_HYBRID_TOPOLOGY: cr_perf_machine_hybrid(c, b); break;
	case PERF_FEATURE_PMU_CAPS: pmu_caps_read(c, b); break;
	case PERF_FEATURE_CPU_DOMAIN_INFO: cr_perf_machine_domains(c, b); break;
	case PERF_FEATURE_E_MACHINE: e_machine_read(c, b); break;
	case PERF_FEATURE_CLN_SIZE: number_read("cache line bytes", false, c, b); break;
	default: break; /* not in the table */
	}
}

/* ---- list of features */

static const char *const feature_names[PERF_FEATURE_KNOWN] = {
	[PERF_FEATURE_TRACING_DATA] = "TRACING_DATA",
	[PERF_FEATURE_BUILD_ID] = "BUILD_ID",
	[PERF_FEATURE_HOSTNAME] = "HOSTNAME",
	[PERF_FEATURE_OSRELEASE] = "OSRELEASE",
	[PERF_FEATURE_VERSION] = "VERSION",
	[PERF_FEATURE_ARCH] = "ARCH",
	[PERF_FEATURE_NRCPUS] = "NRCPUS",
	[PERF_FEATURE_CPUDESC] = "CPUDESC",
	[PERF_FEATURE_CPUID] = "CPUID",
	[PERF_FEATURE_TOTAL_MEM] = "TOTAL_MEM",
	[PERF_FEATURE_CMDLINE] = "CMDLINE",
	[PERF_FEATURE_EVENT_DESC] = "EVENT_DESC",
	[PERF_FEATURE_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
	[PERF_FEATURE_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
	[PERF_FEATURE_BRANCH_STACK] = "BRANCH_STACK",
	[PERF_FEATURE_PMU_MAPPINGS] = "PMU_MAPPINGS",
	[PERF_FEATURE_GROUP_DESC] = "GROUP_DESC",
	[PERF_FEATURE_AUXTRACE] = "AUXTRACE",
	[PERF_FEATURE_STAT] = "STAT",
	[PERF_FEATURE_CACHE] = "CACHE",
	[PERF_FEATURE_SAMPLE_TIME] = "SAMPLE_TIME",
	[PERF_FEATURE_MEM_TOPOLOGY] = "MEM_TOPOLOGY",
	[PERF_FEATURE_CLOCKID] = "CLOCKID",
	[PERF_FEATURE_DIR_FORMAT] = "DIR_FORMAT",
	[PERF_FEATURE_BPF_PROG_INFO] = "BPF_PROG_INFO",
	[PERF_FEATURE_BPF_BTF] = "BPF_BTF",
	[PERF_FEATURE_COMPRESSED] = "COMPRESSED",
	[PERF_FEATURE_CPU_PMU_CAPS] = "CPU_PMU_CAPS",
	[PERF_FEATURE_CLOCK_DATA] = "CLOCK_DATA",
	[PERF_FEATURE_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY",
	[PERF_FEATURE_PMU_CAPS] = "PMU_CAPS",
	[PERF_FEATURE_CPU_DOMAIN_INFO] = "CPU_DOMAIN_INFO",
	[PERF_FEATURE_E_MACHINE] = "E_MACHINE",
	[PERF_FEATURE_CLN_SIZE] = "CLN_SIZE",
};

/* Facts: position of the records, missing features, unknown features. */
static void
layout_facts(const struct perf_header *h, struct cr_builder *b)
{
	struct cr_text missing = {0}, unknown = {0};
	struct perf_ranges r = {.to_text = &unknown};

	cr_perf_fact_u64(b, "data offset", h->data_offset);
	cr_perf_fact_u64(b, "data size", h->recorded_len);
	cr_perf_fact_u64(b, "feat offset", cr_add_sat(h->data_offset, h->recorded_len));
	for (unsigned bit = 1; bit < PERF_FEATURE_BITS; bit++) {
		const bool set = h->features[bit / 64] >> bit % 64 & 1;

		if (bit < PERF_FEATURE_KNOWN && !set)
			cr_perf_fact_pack(&missing, cr_str_of(feature_names[bit]));
		if (bit >= PERF_FEATURE_KNOWN && set)
			cr_perf_ranges_add(&r, bit, bit);
	}
	cr_perf_ranges_end(&r);
	cr_perf_fact_pack_end(&missing);
	cr_perf_fact_put(b, "missing features", &missing);
	cr_perf_fact_put(b, "unknown features", &unknown);
}

/* A table of {offset, size} after the data, one for each set bit in ascending order. */
static void
table_read(
	const struct cr_input *in, struct perf_header *h, struct cr_builder *b, struct cr_log *log)
{
	struct cr_cursor table;

	cr_cursor_init(&table, in->p, in->len);
	table.swap = h->swap;
	cr_cursor_skip(&table, h->data_offset + h->data_len);
	for (unsigned bit = 0; bit < PERF_FEATURE_BITS; bit++) {
		struct perf_section s;
		struct cr_cursor c;

		if (!(h->features[bit / 64] >> bit % 64 & 1))
			continue;
		s = cr_perf_section_read(&table);
		if (table.bad) {
			cr_log_warn(
				log, "header features cut off", in->len, "from feature %u on", bit);
			return;
		}
		if (!cr_perf_section_fits(&s, in->len)) {
			cr_log_warn(log, "header feature outside the file", s.offset, "feature %u",
				bit);
			continue;
		}
		c = cr_perf_section_cursor(in, &s, h->swap);
		if (bit == PERF_FEATURE_TRACING_DATA)
			h->tracing = c;
		cr_perf_feature_read(bit, &c, h, b);
		if (c.bad)
			cr_log_warn(log, "header feature ends early", s.offset, "feature %u", bit);
	}
}

void
cr_perf_features_read(
	const struct cr_input *in, struct perf_header *h, struct cr_builder *b, struct cr_log *log)
{
	table_read(in, h, b, log);
	layout_facts(h, b);
}
