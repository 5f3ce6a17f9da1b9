#include "query/fold/data_source.h"

#include <string.h>

/* Words of the texts, see perf_data_src.c, and those of perf report. */
static const struct {
	const char *word, *perf;
} perf_words[] = {
	{"none", "None"},
	{"hit", "Hit"},
	{"miss", "Miss"},
	{"hit modified", "HitM"},
	{"forwarded", "Fwd"},
	{"peer", "Peer"},
	{"by data", "Data"},
	{"by address", "Addr"},
	{"by data by address", "Data Addr"},
};

/* Beginnings of levels, and how perf writes them. */
static const struct {
	const char *word, *perf;
} levels[] = {
	{"line fill buffer", "LFB"},
	{"persistent memory", "PMEM"},
	{"L2 miss handling buffer", "L2 MHB"},
	{"memory side cache", "Memory-side Cache"},
	{"any cache", "Any cache"},
	{"uncached", "Uncached"},
	{"remote RAM, 2 hops", "Remote RAM (2 hops)"},
	{"remote RAM", "Remote RAM (1 hop)"},
	{"remote cache, 2 hops", "Remote Cache (2 hops)"},
	{"remote cache", "Remote Cache (1 hop)"},
	{"remote any cache", "Remote Any cache (1 hop)"},
};

static bool
begins(struct cr_str s, const char *with)
{
	const size_t n = strlen(with);

	return s.len >= n && memcmp(s.p, with, n) == 0;
}

static enum cr_data_source
part_of(struct cr_str item)
{
	static const char *const ops[] = {"load", "store", "prefetch", "exec"};

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (begins(item, ops[i]))
			return CR_DATA_OP;
	if (begins(item, "snoop "))
		return CR_DATA_SNOOP;
	if (begins(item, "TLB"))
		return CR_DATA_TLB;
	if (begins(item, "locked"))
		return CR_DATA_LOCKED;
	if (begins(item, "blocked "))
		return CR_DATA_BLOCKED;
	return CR_DATA_LEVEL;
}

static void
put_word(struct cr_str word, struct cr_text *out)
{
	for (size_t i = 0; i < sizeof(perf_words) / sizeof(*perf_words); i++)
		if (cr_str_eq(word, cr_str_of(perf_words[i].word))) {
			cr_text_puts(out, perf_words[i].perf);
			return;
		}
	cr_text_str(out, word);
}

static void
put_level(struct cr_str item, struct cr_text *out)
{
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (begins(item, levels[i].word)) {
			cr_text_puts(out, levels[i].perf);
			cr_text_str(out, cr_str_from(item, item.p + strlen(levels[i].word)));
			return;
		}
	cr_text_str(out, item);
}

/* "L1 or L2 hit" for "TLB L1 L2 hit". */
static void
put_tlb(struct cr_str item, struct cr_text *out)
{
	const size_t start = out->len;
	struct cr_str rest = cr_str_from(item, item.p + 3);

	while (rest.len) {
		const char *blank;
		struct cr_str word;

		rest = cr_str_from(rest, rest.p + (rest.p[0] == ' '));
		blank = rest.len ? memchr(rest.p, ' ', rest.len) : NULL;
		word = (struct cr_str){rest.p, blank ? (uint32_t)(blank - rest.p) : rest.len};
		rest = cr_str_from(rest, rest.p + word.len);
		if (out->len > start)
			cr_text_puts(out, rest.len || !(cr_str_eq(word, CR_STR("hit")) ||
							      cr_str_eq(word, CR_STR("miss")))
						  ? " or "
						  : " ");
		if (cr_str_eq(word, CR_STR("walker")))
			word = CR_STR("Walker");
		if (cr_str_eq(word, CR_STR("fault")))
			word = CR_STR("Fault");
		cr_text_str(out, word);
	}
}

/* The next item of "load, L1 hit, snoop none"; levels may have commas themselves. */
static struct cr_str
next_item(struct cr_str *rest)
{
	struct cr_str item = *rest;

	for (uint32_t i = 0; i + 1 < rest->len; i++)
		if (rest->p[i] == ',' && rest->p[i + 1] == ' ' &&
			!(i + 2 < rest->len && rest->p[i + 2] == '2')) { /* ", 2 hops" */
			item.len = i;
			*rest = cr_str_from(*rest, rest->p + i + 2);
			return item;
		}
	*rest = CR_STR("");
	return item;
}

static bool
is_remote(struct cr_str item)
{
	return begins(item, "remote ") || begins(item, "other socket") ||
	       begins(item, "other board");
}

/* The kind of a cache or memory, of a level with or without "remote "; NULL for another one. */
static const char *
kind_of_level(struct cr_str item, enum cr_data_source part)
{
	static const struct {
		enum cr_data_source part;
		const char *word, *kind;
	} kinds[] = {
		{CR_DATA_CACHE, "L1", "L1"},
		{CR_DATA_CACHE, "L2 miss handling buffer", "L2-buf"},
		{CR_DATA_CACHE, "L2", "L2"},
		{CR_DATA_CACHE, "L3", "L3"},
		{CR_DATA_CACHE, "L4", "L4"},
		{CR_DATA_CACHE, "line fill buffer", "L1-buf"},
		{CR_DATA_MEMORY, "RAM", "RAM"},
		{CR_DATA_MEMORY, "uncached", "Uncach"},
		{CR_DATA_MEMORY, "CXL", "CXL"},
		{CR_DATA_MEMORY, "persistent memory", "PMEM"},
		{CR_DATA_MEMORY, "memory side cache", "MSC"},
	};

	if (begins(item, "remote "))
		item = cr_str_from(item, item.p + strlen("remote "));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].part == part && begins(item, kinds[i].word))
			return kinds[i].kind;
	return NULL;
}

static const char *
kind_of_tlb(struct cr_str item)
{
	if (cr_str_eq(item, CR_STR("TLB L1 hit")))
		return "L1-Hit";
	if (cr_str_eq(item, CR_STR("TLB L2 hit")))
		return "L2-Hit";
	if (cr_str_eq(item, CR_STR("TLB L1 L2 hit")))
		return "L?-Hit";
	return cr_str_ends(item, " miss") ? "Miss" : NULL;
}

/* The first kind that an item of the text has, else "Other". */
static void
put_kind(struct cr_str text, enum cr_data_source part, struct cr_text *out)
{
	const char *kind = NULL;

	while (text.len && !kind) {
		const struct cr_str item = next_item(&text);

		if (part == CR_DATA_DTLB && part_of(item) == CR_DATA_TLB)
			kind = kind_of_tlb(item);
		else if (part != CR_DATA_DTLB && part_of(item) == CR_DATA_LEVEL)
			kind = kind_of_level(item, part);
	}
	cr_text_puts(out, kind ? kind : "Other");
}

static void
put_item(struct cr_str item, enum cr_data_source part, struct cr_text *out)
{
	switch (part) {
	case CR_DATA_CACHE:
	case CR_DATA_MEMORY:
	case CR_DATA_DTLB: return; /* see put_kind() */
	case CR_DATA_SNOOP: put_word(cr_str_from(item, item.p + strlen("snoop ")), out); return;
	case CR_DATA_BLOCKED: put_word(cr_str_from(item, item.p + strlen("blocked ")), out); return;
	case CR_DATA_TLB: put_tlb(item, out); return;
	case CR_DATA_LEVEL: put_level(item, out); return;
	case CR_DATA_LOCKED: cr_text_puts(out, "Yes"); return;
	case CR_DATA_REMOTE: return;
	case CR_DATA_OP: cr_text_str(out, item); return;
	}
}

void
cr_data_source_put(struct cr_str text, enum cr_data_source part, struct cr_text *out)
{
	const size_t start = out->len;
	struct cr_str rest = text;

	if (cr_str_eq(text, CR_STR("not known")))
		return;
	if (part >= CR_DATA_CACHE) {
		put_kind(text, part, out);
		return;
	}
	while (rest.len) {
		const struct cr_str item = next_item(&rest);

		if (part == CR_DATA_REMOTE && is_remote(item) && out->len == start)
			cr_text_puts(out, "Yes");
		if (part != part_of(item))
			continue;
		if (out->len > start)
			cr_text_char(out, ' ');
		put_item(item, part, out);
	}
	if (part == CR_DATA_LOCKED && out->len == start)
		cr_text_puts(out, "No");
}
