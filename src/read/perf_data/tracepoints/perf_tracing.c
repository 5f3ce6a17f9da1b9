#include "perf_tracing_p.h"

#define MAX_PAYLOAD ((size_t)32 << 20)
#define MAX_SYSTEM 255

static const char damaged[] = "tracing data that cannot be read";

/* Skip the description of the ring buffer, which perf does not use. */
static void
header_skip(struct cr_cursor *c, struct cr_str name)
{
	if (!cr_str_eq(cr_cursor_string(c), name))
		c->bad = true;
	cr_cursor_skip(c, cr_cursor_u64(c));
}

static void
formats_read(struct cr_cursor *c, struct cr_str system, unsigned long_bytes, struct perf_tracing *t,
	struct cr_log *log)
{
	const uint32_t n = cr_cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		const uint64_t at = cr_cursor_at(c);
		const struct cr_str text = cr_cursor_text(c, cr_cursor_u64(c));
		struct perf_tracepoint e;

		if (c->bad)
			return;
		if (!cr_perf_trace_format_read(text, long_bytes, &t->arena, &e)) {
			cr_log_warn(log, "tracepoint without a name or an id", at, "%s", "");
			continue;
		}
		e.system = system;
		cr_vec_push(&t->events, e);
	}
}

static void
systems_read(struct cr_cursor *c, unsigned long_bytes, struct perf_tracing *t, struct cr_log *log)
{
	const uint32_t n = cr_cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct cr_str name = cr_cursor_string(c);

		name.len = CR_MIN(name.len, (uint32_t)MAX_SYSTEM);
		name.p = cr_arena_copy(&t->arena, name.p, name.len);
		formats_read(c, name, long_bytes, t, log);
	}
}

/* Sort by id; equal ids have a defined order, so that every search finds the same one. */
static int
by_id(const void *left, const void *right)
{
	const struct perf_tracepoint *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->n_fields != b->n_fields)
		return a->n_fields > b->n_fields ? -1 : 1;
	return cr_str_cmp(a->name, b->name);
}

bool
cr_perf_tracing_read(struct cr_cursor c, struct perf_tracing *out, struct cr_log *log)
{
	static const char magic[] = {0x17, 0x08, 'D', 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	const uint64_t at = cr_cursor_at(&c);
	const unsigned char *head;
	unsigned long_bytes;

	c = cr_cursor_sub(&c, CR_MIN(cr_cursor_left(&c), MAX_PAYLOAD));
	head = cr_cursor_take(&c, sizeof(magic));
	if (!head || memcmp(head, magic, sizeof(magic)) != 0 || out->events.n) {
		cr_log_warn(log, damaged, at, "%s",
			out->events.n ? "a second one" : "it does not begin like it");
		return false;
	}
	cr_cursor_string(&c); /* the version, "0.5" or "0.6": they differ only after the formats */
	c.swap = (cr_cursor_u8(&c) != 0) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	long_bytes = cr_cursor_u8(&c) == 4 ? 4 : 8;
	cr_cursor_skip(&c, 4);
	header_skip(&c, CR_STR("header_page"));
	header_skip(&c, CR_STR("header_event"));
	formats_read(&c, CR_STR("ftrace"), long_bytes, out, log);
	systems_read(&c, long_bytes, out, log);
	if (out->events.n)
		qsort(out->events.p, out->events.n, sizeof(out->events.p[0]), by_id);
	if (c.bad)
		cr_log_warn(log, damaged, at, "after %zu tracepoints", out->events.n);
	return !c.bad;
}

void
cr_perf_tracing_fini(struct perf_tracing *t)
{
	cr_vec_fini(&t->events);
	cr_arena_fini(&t->arena);
}

const struct perf_tracepoint *
cr_perf_tracing_find(const struct perf_tracing *t, uint64_t id)
{
	size_t low = 0, high = t->events.n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (t->events.p[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->events.n && t->events.p[low].id == id ? &t->events.p[low] : NULL;
}
