#include "perf_describe_p.h"

#include "perf_fact_p.h"

#include <inttypes.h>

void
cr_perf_attr_label(const struct perf_attr *a, struct cr_text *out)
{
	struct cr_text made_up = {0};

	if (!a->name.len)
		cr_perf_attr_name(a, &made_up);
	cr_text_safe(out, a->name.len ? a->name : cr_text_view(&made_up));
	cr_text_fini(&made_up);
}

/* ---- an attr as text */

struct bit_name {
	uint64_t bit;
	const char *name;
};

static const struct bit_name sample_bits[] = {
	{PERF_SAMPLE_IP, "IP"},
	{PERF_SAMPLE_TID, "TID"},
	{PERF_SAMPLE_TIME, "TIME"},
	{PERF_SAMPLE_ADDR, "ADDR"},
	{PERF_SAMPLE_READ, "READ"},
	{PERF_SAMPLE_CALLCHAIN, "CALLCHAIN"},
	{PERF_SAMPLE_ID, "ID"},
	{PERF_SAMPLE_CPU, "CPU"},
	{PERF_SAMPLE_PERIOD, "PERIOD"},
	{PERF_SAMPLE_STREAM_ID, "STREAM_ID"},
	{PERF_SAMPLE_RAW, "RAW"},
	{PERF_SAMPLE_BRANCH_STACK, "BRANCH_STACK"},
	{PERF_SAMPLE_REGS_USER, "REGS_USER"},
	{PERF_SAMPLE_STACK_USER, "STACK_USER"},
	{PERF_SAMPLE_IDENTIFIER, "IDENTIFIER"},
	{PERF_SAMPLE_REGS_INTR, "REGS_INTR"},
	{PERF_SAMPLE_DATA_SRC, "DATA_SRC"},
	{PERF_SAMPLE_WEIGHT, "WEIGHT"},
	{PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR"},
	{PERF_SAMPLE_AUX, "AUX"},
	{PERF_SAMPLE_CGROUP, "CGROUP"},
	{PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE"},
	{PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE"},
	{PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT"},
	{PERF_SAMPLE_TRANSACTION, "TRANSACTION"},
};

static const struct bit_name read_bits[] = {
	{PERF_FORMAT_TOTAL_TIME_ENABLED, "TOTAL_TIME_ENABLED"},
	{PERF_FORMAT_TOTAL_TIME_RUNNING, "TOTAL_TIME_RUNNING"},
	{PERF_FORMAT_ID, "ID"},
	{PERF_FORMAT_GROUP, "GROUP"},
	{PERF_FORMAT_LOST, "LOST"},
};

static const struct bit_name branch_bits[] = {
	{1u << 0, "USER"},
	{1u << 1, "KERNEL"},
	{1u << 2, "HV"},
	{1u << 3, "ANY"},
	{1u << 4, "ANY_CALL"},
	{1u << 5, "ANY_RETURN"},
	{1u << 6, "IND_CALL"},
	{1u << 7, "ABORT_TX"},
	{1u << 8, "IN_TX"},
	{1u << 9, "NO_TX"},
	{1u << 10, "COND"},
	{PERF_BRANCH_CALL_STACK, "CALL_STACK"},
	{1u << 12, "IND_JUMP"},
	{1u << 13, "CALL"},
	{1u << 14, "NO_FLAGS"},
	{1u << 15, "NO_CYCLES"},
	{1u << 16, "TYPE_SAVE"},
	{PERF_BRANCH_HW_INDEX, "HW_INDEX"},
	{1u << 18, "PRIV_SAVE"},
	{PERF_BRANCH_COUNTERS, "COUNTERS"},
};

/* Names of the flags, lowest bit first; precise_ip has two bits. */
static const struct {
	const char *name;
	uint8_t bits;
} flag_names[] = {
	{"disabled", 1},
	{"inherit", 1},
	{"pinned", 1},
	{"exclusive", 1},
	{"exclude_user", 1},
	{"exclude_kernel", 1},
	{"exclude_hv", 1},
	{"exclude_idle", 1},
	{"mmap", 1},
	{"comm", 1},
	{"freq", 1},
	{"inherit_stat", 1},
	{"enable_on_exec", 1},
	{"task", 1},
	{"watermark", 1},
	{"precise_ip", 2},
	{"mmap_data", 1},
	{"sample_id_all", 1},
	{"exclude_host", 1},
	{"exclude_guest", 1},
	{"exclude_callchain_kernel", 1},
	{"exclude_callchain_user", 1},
	{"mmap2", 1},
	{"comm_exec", 1},
	{"use_clockid", 1},
	{"context_switch", 1},
	{"write_backward", 1},
	{"namespaces", 1},
	{"ksymbol", 1},
	{"bpf_event", 1},
	{"aux_output", 1},
	{"cgroup", 1},
	{"text_poke", 1},
	{"build_id", 1},
	{"inherit_thread", 1},
	{"remove_on_exec", 1},
	{"sigtrap", 1},
	{"defer_callchain", 1},
	{"defer_output", 1},
};

static void
put_key(struct cr_text *t, size_t start, const char *key)
{
	cr_text_printf(t, "%s%s = ", t->len > start ? ", " : "", key);
}

/* "key = IP|TID"; unknown bits are a number at the end. */
static void
put_bits(struct cr_text *t, size_t start, const char *key, uint64_t v, const struct bit_name *names,
	size_t n)
{
	const char *between = "";

	if (!v)
		return;
	put_key(t, start, key);
	for (size_t i = 0; i < n; i++) {
		if (!(v & names[i].bit))
			continue;
		cr_text_printf(t, "%s%s", between, names[i].name);
		v &= ~names[i].bit;
		between = "|";
	}
	if (v)
		cr_text_printf(t, "%s0x%" PRIx64, between, v);
}

static void
put_flags(struct cr_text *t, size_t start, uint64_t flags)
{
	for (size_t i = 0; i < CR_LEN(flag_names); i++) {
		const uint64_t v = flags & ((1u << flag_names[i].bits) - 1);

		flags >>= flag_names[i].bits;
		if (!v)
			continue;
		put_key(t, start, flag_names[i].name);
		cr_text_u64(t, v);
	}
}

static void
put_number(struct cr_text *t, size_t start, const char *key, uint64_t v)
{
	if (!v)
		return;
	put_key(t, start, key);
	cr_text_u64(t, v);
}

static void
put_hex(struct cr_text *t, size_t start, const char *key, uint64_t v)
{
	if (!v)
		return;
	put_key(t, start, key);
	cr_text_printf(t, "0x%" PRIx64, v);
}

void
cr_perf_attr_describe(const struct perf_attr *a, struct cr_text *t)
{
	const size_t start = t->len;

	put_number(t, start, "type", a->type);
	put_number(t, start, "size", a->size);
	put_hex(t, start, "config", a->config);
	put_number(t, start, "{ sample_period, sample_freq }", a->sample_period);
	put_bits(t, start, "sample_type", a->sample_type, sample_bits, CR_LEN(sample_bits));
	put_bits(t, start, "read_format", a->read_format, read_bits, CR_LEN(read_bits));
	put_flags(t, start, a->flags);
	put_number(t, start, "{ wakeup_events, wakeup_watermark }", a->wakeup);
	put_number(t, start, "bp_type", a->bp_type);
	put_hex(t, start, "{ bp_addr, config1 }", a->config1);
	put_hex(t, start, "{ bp_len, config2 }", a->config2);
	put_bits(t, start, "branch_sample_type", a->branch_sample_type, branch_bits,
		CR_LEN(branch_bits));
	put_hex(t, start, "sample_regs_user", a->sample_regs_user);
	put_number(t, start, "sample_stack_user", a->sample_stack_user);
	if (a->clockid) {
		put_key(t, start, "clockid");
		cr_text_printf(t, "%" PRId32, a->clockid);
	}
	put_hex(t, start, "sample_regs_intr", a->sample_regs_intr);
	put_number(t, start, "aux_watermark", a->aux_watermark);
	put_number(t, start, "sample_max_stack", a->sample_max_stack);
	put_number(t, start, "aux_sample_size", a->aux_sample_size);
	put_hex(t, start, "aux_action", a->aux_action);
	put_number(t, start, "sig_data", a->sig_data);
	put_hex(t, start, "config3", a->config3);
	put_hex(t, start, "config4", a->config4);
}

/* ---- facts about all events */

/*
 * Ids by attr: first[i] is the first row of h->ids for attr i, next[row] the following one;
 * CR_NO_ROW ends the list.
 */
struct ids_of {
	uint32_t *first, *next;
};

static struct ids_of
ids_by_attr(const struct perf_header *h)
{
	struct ids_of of = {cr_alloc(h->attrs.n + 1, sizeof(*of.first)),
		cr_alloc(h->ids.n + 1, sizeof(*of.next))};

	for (size_t i = 0; i < h->attrs.n; i++)
		of.first[i] = CR_NO_ROW;
	for (size_t row = h->ids.n; row-- > 0;) {
		const uint32_t attr = h->ids.p[row].attr;

		if (attr >= h->attrs.n)
			continue;
		of.next[row] = of.first[attr];
		of.first[attr] = (uint32_t)row;
	}
	return of;
}

static void
put_ids(struct cr_text *t, const struct perf_header *h, const struct ids_of *of, size_t attr)
{
	const char *between = ", id = { ";

	if (of->first[attr] == CR_NO_ROW)
		return;
	for (uint32_t row = of->first[attr]; row != CR_NO_ROW && cr_perf_fact_room(t);
		row = of->next[row]) {
		cr_text_puts(t, between);
		cr_text_u64(t, h->ids.p[row].id);
		between = ", ";
	}
	cr_text_puts(t, " }");
}

static void
attributes_fact(const struct perf_header *h, struct cr_builder *b)
{
	struct ids_of of = ids_by_attr(h);
	struct cr_text t = {0};

	for (size_t i = 0; i < h->attrs.n && cr_perf_fact_room(&t); i++) {
		cr_perf_attr_label(&h->attrs.p[i], &t);
		cr_text_puts(&t, ": ");
		cr_perf_attr_describe(&h->attrs.p[i], &t);
		put_ids(&t, h, &of, i);
		cr_text_char(&t, '\n');
	}
	free(of.first);
	free(of.next);
	cr_perf_fact_put(b, "event attributes", &t);
}

/* "{cycles,instructions}", one line per group. A group must not contain more attrs than exist. */
static void
groups_fact(const struct perf_header *h, struct cr_builder *b)
{
	struct cr_text t = {0};

	for (size_t i = 0; i < h->groups.n && cr_perf_fact_room(&t); i++) {
		const struct perf_group *g = &h->groups.p[i];

		if (g->leader >= h->attrs.n || g->members > h->attrs.n - g->leader)
			continue;
		cr_text_safe(&t, g->name);
		cr_text_char(&t, '{');
		for (uint32_t k = 0; k < g->members && cr_perf_fact_room(&t); k++) {
			cr_text_puts(&t, k ? "," : "");
			cr_perf_attr_label(&h->attrs.p[g->leader + k], &t);
		}
		cr_text_puts(&t, "}\n");
	}
	cr_perf_fact_put(b, "event groups", &t);
}

static void
put_sampling(const struct perf_attr *a, struct cr_text *t)
{
	if (cr_perf_attr_is_dummy(a) || !a->sample_period)
		return;
	cr_text_printf(t, a->flags & PERF_ATTR_FREQ ? "%" PRIu64 " Hz" : "every %" PRIu64,
		a->sample_period);
}

static void
put_call_graph(const struct perf_attr *a, struct cr_text *t)
{
	const uint64_t dwarf = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

	if (cr_perf_attr_is_dummy(a))
		return;
	if ((a->sample_type & PERF_SAMPLE_BRANCH_STACK) &&
		(a->branch_sample_type & PERF_BRANCH_CALL_STACK))
		cr_text_puts(t, "lbr");
	else if ((a->sample_type & dwarf) == dwarf)
		cr_text_printf(t, "dwarf, %" PRIu32 " bytes", a->sample_stack_user);
	else if (a->sample_type & PERF_SAMPLE_CALLCHAIN)
		cr_text_puts(t, a->flags & PERF_ATTR_DEFER_CALLCHAIN ? "deferred frame pointers"
								     : "frame pointers");
}

/*
 * Collect what put() prints for each attr, where it is not empty and differs from the attr before.
 */
static void
each_fact(const char *key, const struct perf_header *h,
	void (*put)(const struct perf_attr *, struct cr_text *), const char *nothing,
	struct cr_builder *b)
{
	struct cr_text all = {0}, one = {0}, last = {0};

	for (size_t i = 0; i < h->attrs.n && cr_perf_fact_room(&all); i++) {
		cr_text_clear(&one);
		put(&h->attrs.p[i], &one);
		if (!one.len || cr_str_eq(cr_text_view(&one), cr_text_view(&last)))
			continue;
		cr_text_puts(&all, all.len ? "; " : "");
		cr_text_str(&all, cr_text_view(&one));
		cr_text_clear(&last);
		cr_text_str(&last, cr_text_view(&one));
	}
	if (!all.len)
		cr_text_puts(&all, nothing);
	cr_text_fini(&one);
	cr_text_fini(&last);
	cr_perf_fact_put(b, key, &all);
}

void
cr_perf_attrs_facts(const struct perf_header *h, struct cr_builder *b)
{
	attributes_fact(h, b);
	groups_fact(h, b);
	each_fact("sampling", h, put_sampling, "", b);
	each_fact("call graph", h, put_call_graph, "none", b);
}
