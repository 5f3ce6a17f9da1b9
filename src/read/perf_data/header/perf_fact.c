#include "perf_fact_p.h"

#include <string.h>

#define MAX_STRING ((uint32_t)1 << 20)
#define MAX_FACT ((size_t)4 << 20)
#define LINE_BYTES 96

/* "u32 len; char[len]": the writer rounds the length up, so the text ends at the NUL. */
struct cr_str
cr_perf_feature_string(struct cr_cursor *c)
{
	const uint32_t len = cr_cursor_u32(c);

	if (len > MAX_STRING)
		return cr_cursor_text(c, UINT64_MAX);
	return cr_cursor_text(c, len);
}

bool
cr_perf_fact_room(const struct cr_text *t)
{
	return t->len < MAX_FACT;
}

void
cr_perf_fact_put(struct cr_builder *b, const char *key, struct cr_text *t)
{
	if (!cr_perf_fact_room(t))
		cr_text_puts(t, "...\n");
	if (t->len)
		cr_builder_fact(b, key, cr_text_view(t));
	cr_text_fini(t);
}

void
cr_perf_fact_u64(struct cr_builder *b, const char *key, uint64_t v)
{
	struct cr_text t = {0};

	cr_text_u64(&t, v);
	cr_perf_fact_put(b, key, &t);
}

static size_t
last_line_bytes(const struct cr_text *t)
{
	const char *end = t->len ? memrchr(t->p, '\n', t->len) : NULL;

	return end ? (size_t)(t->p + t->len - end) - 1 : t->len;
}

void
cr_perf_fact_pack(struct cr_text *t, struct cr_str item)
{
	const size_t used = last_line_bytes(t);

	if (used && used + 1 + item.len > LINE_BYTES)
		cr_text_char(t, '\n');
	else if (used)
		cr_text_char(t, ' ');
	cr_text_safe(t, item);
}

void
cr_perf_fact_pack_end(struct cr_text *t)
{
	if (last_line_bytes(t) < t->len)
		cr_text_char(t, '\n');
}

static void
ranges_flush(struct perf_ranges *r)
{
	if (!r->open)
		return;
	if (r->any)
		cr_text_char(r->to_text, ',');
	cr_text_u64(r->to_text, r->from);
	if (r->to != r->from) {
		cr_text_char(r->to_text, '-');
		cr_text_u64(r->to_text, r->to);
	}
	r->any = true;
	r->open = false;
}

void
cr_perf_ranges_add(struct perf_ranges *r, uint64_t from, uint64_t to)
{
	if (r->open && from == r->to + 1) {
		r->to = to;
		return;
	}
	ranges_flush(r);
	r->from = from;
	r->to = to;
	r->open = true;
}

void
cr_perf_ranges_end(struct perf_ranges *r)
{
	ranges_flush(r);
}
