#include "perf_attr.h"

#include "cresset/base/mem.h"

#include <inttypes.h>

/*
 * The flags are bit-fields of C, which a compiler for the other byte order fills from the other
 * end: of each byte in its place the bits are mirrored.
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
perf_attr_read(struct cr_cursor *c, struct perf_attr *out)
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
	cr_cursor_skip(&a, 4 + 4 + 8 + 8); /* wakeup, bp_type, config1, config2 */
	out->branch_sample_type = cr_cursor_u64(&a);
	out->sample_regs_user = cr_cursor_u64(&a);
	cr_cursor_skip(&a, 4 + 4); /* sample_stack_user, clockid */
	out->sample_regs_intr = cr_cursor_u64(&a);
	return true;
}

enum { TYPE_HARDWARE, TYPE_SOFTWARE, TYPE_TRACEPOINT, TYPE_HW_CACHE, TYPE_RAW, TYPE_BREAKPOINT };

static const char *const hardware_names[] = {
	"cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses",
	"bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
};

static const char *const software_names[] = {
	"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations", "minor-faults",
	"major-faults", "alignment-faults", "emulation-faults", "dummy", "bpf-output", "cgroup-switches",
};

static void
cache_name(uint64_t config, struct cr_text *out)
{
	static const char *const caches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"};
	static const char *const ops[][2] = {
		{"loads", "load-misses"}, {"stores", "store-misses"}, {"prefetches", "prefetch-misses"},
	};
	const uint64_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache < CR_LEN(caches) && op < CR_LEN(ops) && result < 2)
		cr_text_printf(out, "%s-%s", caches[cache], ops[op][result]);
	else
		cr_text_printf(out, "cache 0x%" PRIx64, config);
}

/* ":u", ":kpp" and so on: the modes that are not excluded, if any is, and the precision. */
static void
modifiers(uint64_t flags, struct cr_text *out)
{
	const bool no_user = flags >> 4 & 1, no_kernel = flags >> 5 & 1, no_hv = flags >> 6 & 1;
	const unsigned precise = flags >> 15 & 3;

	if (!(no_user || no_kernel || no_hv || precise))
		return;
	cr_text_char(out, ':');
	if (no_user || no_kernel || no_hv)
		cr_text_printf(out, "%s%s%s", no_user ? "" : "u", no_kernel ? "" : "k", no_hv ? "" : "h");
	cr_text_pad(out, 'p', precise);
}

void
perf_attr_name(const struct perf_attr *a, struct cr_text *out)
{
	const uint64_t config = a->config & 0xffffffff; /* above it the PMU of a hybrid machine */

	if (a->type == TYPE_HARDWARE && config < CR_LEN(hardware_names))
		cr_text_puts(out, hardware_names[config]);
	else if (a->type == TYPE_SOFTWARE && a->config < CR_LEN(software_names))
		cr_text_puts(out, software_names[a->config]);
	else if (a->type == TYPE_HW_CACHE)
		cache_name(a->config, out);
	else if (a->type == TYPE_TRACEPOINT)
		cr_text_printf(out, "tracepoint %" PRIu64, a->config);
	else if (a->type == TYPE_BREAKPOINT)
		cr_text_puts(out, "breakpoint");
	else if (a->type == TYPE_RAW)
		cr_text_printf(out, "raw 0x%" PRIx64, a->config);
	else
		cr_text_printf(out, "pmu %" PRIu32 "/config=0x%" PRIx64 "/", a->type, a->config);
	modifiers(a->flags, out);
}

const char *
perf_attr_unit(const struct perf_attr *a)
{
	static const char *const hardware_units[] = {"cycles", "instructions"};

	if (a->type == TYPE_SOFTWARE && a->config <= 1)
		return "ns";
	if (a->type == TYPE_HARDWARE && (a->config & 0xffffffff) < CR_LEN(hardware_units))
		return hardware_units[a->config & 0xffffffff];
	return "events";
}

int
perf_attr_id_from_front(const struct perf_attr *a)
{
	int at = 0;

	if (a->sample_type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(a->sample_type & PERF_SAMPLE_ID))
		return -1;
	for (uint64_t bits = a->sample_type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR);
	     bits; bits &= bits - 1)
		at++;
	return at;
}

int
perf_attr_id_from_back(const struct perf_attr *a)
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
