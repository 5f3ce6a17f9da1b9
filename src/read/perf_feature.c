#include "perf_feature.h"

#include <string.h>

#define MAX_STRING ((uint32_t)1 << 20)

/* "u32 len; char[len]", the length rounded up by the writer: the NUL tells where the text ends. */
static struct cr_str
string_read(struct cr_cursor *c)
{
	const uint32_t len = cr_cursor_u32(c);

	if (len > MAX_STRING)
		return cr_cursor_text(c, UINT64_MAX);
	return cr_cursor_text(c, len);
}

/* Features that are one string, and the fact each becomes. */
static const char *const string_features[PERF_FEATURE_BITS] = {
	[PERF_FEATURE_HOSTNAME] = "hostname", [PERF_FEATURE_OSRELEASE] = "osrelease", [PERF_FEATURE_VERSION] = "perf version",
	[PERF_FEATURE_ARCH] = "arch",         [PERF_FEATURE_CPUDESC] = "cpudesc",     [PERF_FEATURE_CPUID] = "cpuid",
};

static void
fact_u64(struct cr_builder *b, const char *key, uint64_t v)
{
	struct cr_text t = {0};

	cr_text_u64(&t, v);
	cr_builder_fact(b, key, cr_text_view(&t));
	cr_text_fini(&t);
}

/* The arguments as a shell would take them: quoted where they hold anything but plain characters. */
static void
cmdline_read(struct cr_cursor *c, struct cr_builder *b)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
	const uint32_t n = cr_cursor_count(c, 4);
	struct cr_text t = {0};

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		const struct cr_str s = string_read(c);
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
	if (t.len)
		cr_builder_fact(b, "cmdline", cr_text_view(&t));
	cr_text_fini(&t);
}

/* Entry i names attr i; the attr and the ids in it repeat what the header has. */
static void
event_desc_read(struct cr_cursor *c, struct perf_header *h)
{
	const uint32_t n = cr_cursor_u32(c), attr_size = cr_cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		uint32_t n_ids;
		struct cr_str name;

		cr_cursor_skip(c, attr_size);
		n_ids = cr_cursor_u32(c);
		name = string_read(c);
		cr_cursor_skip(c, (uint64_t)n_ids * 8);
		if (i < h->attrs.n && !c->bad)
			h->attrs.p[i].name = name;
	}
}

#define BUILD_ID_HAS_SIZE 0x8000

static void
build_ids_read(struct cr_cursor *c, struct perf_header *h)
{
	while (cr_cursor_left(c) >= 8 + 4 + 24) {
		struct perf_build_id e = {.len = 20};
		const unsigned char *id;
		struct cr_cursor r;
		uint16_t misc, size;

		cr_cursor_skip(c, 4);
		misc = cr_cursor_u16(c);
		size = cr_cursor_u16(c);
		if (size < 8 + 4 + 24)
			return;
		r = cr_cursor_sub(c, size - 8u);
		cr_cursor_skip(&r, 4); /* pid */
		id = cr_cursor_take(&r, 24);
		if (!id)
			return;
		if (misc & BUILD_ID_HAS_SIZE)
			e.len = CR_MIN(id[20], (uint8_t)20);
		memcpy(e.id, id, e.len);
		e.name = cr_cursor_text(&r, cr_cursor_left(&r));
		if (perf_header_build_id(h, e.name))
			continue;
		cr_index_add(&h->build_id_index, cr_hash(e.name.p, e.name.len), (uint32_t)h->build_ids.n);
		cr_vec_push(&h->build_ids, e);
	}
}

void
perf_feature_read(unsigned bit, struct cr_cursor *c, struct perf_header *h, struct cr_builder *b)
{
	if (string_features[bit]) {
		const struct cr_str s = string_read(c);

		if (s.len)
			cr_builder_fact(b, string_features[bit], s);
		return;
	}
	switch (bit) {
	case PERF_FEATURE_NRCPUS:
		fact_u64(b, "cpus available", cr_cursor_u32(c));
		fact_u64(b, "cpus online", cr_cursor_u32(c));
		break;
	case PERF_FEATURE_TOTAL_MEM: fact_u64(b, "total memory kB", cr_cursor_u64(c)); break;
	case PERF_FEATURE_CMDLINE: cmdline_read(c, b); break;
	case PERF_FEATURE_EVENT_DESC: event_desc_read(c, h); break;
	case PERF_FEATURE_BUILD_ID: build_ids_read(c, h); break;
	default: break; /* skipped by the table */
	}
}
