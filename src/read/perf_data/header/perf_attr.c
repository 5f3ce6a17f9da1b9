#include "perf_attr_p.h"

#include "base/mem.h"
#include "read/perf_data/tracepoints/perf_trace_format_p.h"

#include <inttypes.h>

/*
 * The flags are C bit-fields, which a compiler for the other byte order fills from the other end:
 * the bits within each byte are mirrored.
 */
static uint64_t
flags_read(struct cr_cursor *c)
{
	const unsigned char *p = cr_cursor_take(c, 8);
	uint64_t flags = 0;

	for (unsigned i = 0; p && i < 8; i++)
		for (unsigned bit = 0; bit < 8; bit++)
			if (p[i] >> bit & 1)
				flags |= (uint64_t)1 << (i * 8 + (c->swap ? 7 - bit : bit));
	return flags;
}

bool
cr_perf_attr_read(struct cr_cursor *c, struct perf_attr *out)
{
	struct cr_cursor a = *c;

	*out = (struct perf_attr){.name = {"", 0}};
	if (cr_cursor_left(&a) < 64)
		return false;
	out->type = cr_cursor_u32(&a);
	out->size = cr_cursor_u32(&a);
	if (out->size >= 64 && out->size < cr_cursor_left(&a) + 8)
		a.end = c->p + out->size;
	out->config = cr_cursor_u64(&a);
	out->sample_period = cr_cursor_u64(&a);
	out->sample_type = cr_cursor_u64(&a);
	out->read_format = cr_cursor_u64(&a);
	out->flags = flags_read(&a);
	out->wakeup = cr_cursor_u32(&a);
	out->bp_type = cr_cursor_u32(&a);
	out->config1 = cr_cursor_u64(&a);
	out->config2 = cr_cursor_u64(&a);
	out->branch_sample_type = cr_cursor_u64(&a);
	out->sample_regs_user = cr_cursor_u64(&a);
	out->sample_stack_user = cr_cursor_u32(&a);
	out->clockid = (int32_t)cr_cursor_u32(&a);
	out->sample_regs_intr = cr_cursor_u64(&a);
	out->aux_watermark = cr_cursor_u32(&a);
	out->sample_max_stack = cr_cursor_u16(&a);
	cr_cursor_skip(&a, 2);
	out->aux_sample_size = cr_cursor_u32(&a);
	out->aux_action = cr_cursor_u32(&a);
	out->sig_data = cr_cursor_u64(&a);
	out->config3 = cr_cursor_u64(&a);
	out->config4 = cr_cursor_u64(&a);
	return true;
}

enum { TYPE_HARDWARE, TYPE_SOFTWARE, TYPE_TRACEPOINT, TYPE_HW_CACHE, TYPE_RAW, TYPE_BREAKPOINT };

static const char *const hardware_names[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software_names[] = {
	"cpu-clock",
	"task-clock",
	"page-faults",
	"context-switches",
	"cpu-migrations",
	"minor-faults",
	"major-faults",
	"alignment-faults",
	"emulation-faults",
	"dummy",
	"bpf-output",
	"cgroup-switches",
};

static void
cache_name(uint64_t config, struct cr_text *out)
{
	static const char *const caches[] = {
		"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"};
	static const char *const ops[][2] = {
		{"loads", "load-misses"},
		{"stores", "store-misses"},
		{"prefetches", "prefetch-misses"},
	};
	const uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache < CR_LEN(caches) && op < CR_LEN(ops) && result < 2)
		cr_text_printf(out, "%s-%s", caches[cache], ops[op][result]);
	else
		cr_text_printf(out, "cache 0x%" PRIx64, config);
}

/*
 * ":u", ":kpp" etc.: the modes that are not excluded, if any is, and the precision; likewise for
 * host and guest.
 */
static void
modifiers(uint64_t flags, struct cr_text *out)
{
	const bool no_user = flags >> 4 & 1, no_kernel = flags >> 5 & 1, no_hv = flags >> 6 & 1;
	const bool no_host = flags >> 19 & 1, no_guest = flags >> 20 & 1;
	const unsigned precise = flags >> 15 & 3;

	if (!(no_user || no_kernel || no_hv || precise || no_host || no_guest))
		return;
	cr_text_char(out, ':');
	if (no_user || no_kernel || no_hv)
		cr_text_printf(
			out, "%s%s%s", no_kernel ? "" : "k", no_user ? "" : "u", no_hv ? "" : "h");
	cr_text_pad(out, 'p', precise);
	if (no_host || no_guest)
		cr_text_printf(out, "%s%s", no_host ? "" : "H", no_guest ? "" : "G");
}

static void
breakpoint_name(const struct perf_attr *a, struct cr_text *out)
{
	cr_text_printf(out, "mem:0x%" PRIx64 ":%s%s%s", a->config1, a->bp_type & 1 ? "r" : "",
		a->bp_type & 2 ? "w" : "", a->bp_type & 4 ? "x" : "");
}

static bool
is_generic(const struct perf_attr *a)
{
	return a->type == TYPE_HARDWARE || a->type == TYPE_HW_CACHE;
}

uint32_t
cr_perf_attr_pmu(const struct perf_attr *a)
{
	return is_generic(a) ? (uint32_t)(a->config >> 32) : a->type;
}

bool
cr_perf_attr_is_dummy(const struct perf_attr *a)
{
	return a->type == TYPE_SOFTWARE && a->config == 9;
}

static void
tracepoint_name(const struct perf_tracepoint *t, struct cr_text *out)
{
	cr_text_str(out, t->system);
	cr_text_char(out, ':');
	cr_text_str(out, t->name);
}

/* Names of the kernel's predefined events; nothing for others. */
static void
kernels_name(const struct perf_attr *a, struct cr_text *out)
{
	const uint64_t config = is_generic(a) ? a->config & 0xffffffff : a->config;

	if (a->type == TYPE_HARDWARE && config < CR_LEN(hardware_names))
		cr_text_puts(out, hardware_names[config]);
	else if (a->type == TYPE_SOFTWARE && config < CR_LEN(software_names))
		cr_text_puts(out, software_names[config]);
	else if (a->type == TYPE_HW_CACHE)
		cache_name(config, out);
	else if (a->tracepoint)
		tracepoint_name(a->tracepoint, out);
	else if (a->type == TYPE_TRACEPOINT)
		cr_text_printf(out, "tracepoint %" PRIu64, config);
	else if (a->type == TYPE_BREAKPOINT)
		breakpoint_name(a, out);
	else if (a->type == TYPE_RAW)
		cr_text_printf(out, "raw 0x%" PRIx64, config);
}

void
cr_perf_attr_name(const struct perf_attr *a, struct cr_text *out)
{
	const bool one_of_several = is_generic(a) && cr_perf_attr_pmu(a) && a->pmu.len;
	const size_t start = out->len;

	if (!one_of_several)
		kernels_name(a, out);
	if (out->len == start) {
		if (a->pmu.len)
			cr_text_str(out, a->pmu);
		else
			cr_text_printf(out, "pmu %" PRIu32, a->type);
		cr_text_char(out, '/');
		if (one_of_several)
			kernels_name(a, out);
		else
			cr_text_printf(out, "config=0x%" PRIx64, a->config);
		cr_text_char(out, '/');
	}
	modifiers(a->flags, out);
}

bool
cr_perf_attr_is_clock(const struct perf_attr *a)
{
	return a->type == TYPE_SOFTWARE && a->config <= 1;
}

bool
cr_perf_attr_is_off_cpu(const struct perf_attr *a)
{
	return a->type == TYPE_SOFTWARE && a->config == 10 && (a->sample_type & PERF_SAMPLE_RAW) &&
	       cr_str_eq(a->name, CR_STR("offcpu-time"));
}

const char *
cr_perf_attr_unit(const struct perf_attr *a)
{
	static const char *const hardware_units[] = {"cycles", "instructions"};

	if (cr_perf_attr_is_clock(a) || cr_str_eq(a->name, CR_STR("offcpu-time")))
		return "ns";
	if (a->type == TYPE_HARDWARE && (a->config & 0xffffffff) < CR_LEN(hardware_units))
		return hardware_units[a->config & 0xffffffff];
	return "events";
}

const char *
cr_perf_name_unit(struct cr_str name)
{
	static const struct {
		const char *name, *unit;
	} units[] = {
		{"cpu-clock", "ns"},
		{"task-clock", "ns"},
		{"offcpu-time", "ns"},
		{"cycles", "cycles"},
		{"cpu-cycles", "cycles"},
		{"instructions", "instructions"},
	};
	const char *slash = name.len ? memchr(name.p, '/', name.len) : NULL;
	uint32_t end = 0;

	if (slash)
		name = (struct cr_str){slash + 1, (uint32_t)(name.p + name.len - slash - 1)};
	while (end < name.len && name.p[end] != ':' && name.p[end] != '/')
		end++;
	name.len = end;
	for (size_t i = 0; i < CR_LEN(units); i++)
		if (cr_str_eq(name, cr_str_of(units[i].name)))
			return units[i].unit;
	return "events";
}

int
cr_perf_attr_id_from_front(const struct perf_attr *a)
{
	int at = 0;

	if (a->sample_type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(a->sample_type & PERF_SAMPLE_ID))
		return -1;
	for (uint64_t bits = a->sample_type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
						      PERF_SAMPLE_ADDR);
		bits; bits &= bits - 1)
		at++;
	return at;
}

int
cr_perf_attr_id_from_back(const struct perf_attr *a)
{
	int at = 1;

	if (a->sample_type & PERF_SAMPLE_IDENTIFIER)
		return 1;
	if (!(a->sample_type & PERF_SAMPLE_ID))
		return -1;
	if (a->sample_type & PERF_SAMPLE_CPU)
		at++;
	if (a->sample_type & PERF_SAMPLE_STREAM_ID)
		at++;
	return at;
}
