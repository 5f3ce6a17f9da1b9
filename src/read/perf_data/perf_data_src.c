#include "perf_data_src_p.h"

#include "base/mem.h"

/*
 * Sizes in bits, from the lowest: op 5, level 14, snoop 5, lock 2, TLB 7, level number 4, remote 1,
 * ...
 */
enum {
	OP = 0,
	LEVEL = 5,
	SNOOP = 19,
	LOCK = 24,
	TLB = 26,
	LEVEL_NUMBER = 33,
	REMOTE = 37,
	SNOOP_MORE = 38,
	BLOCKED = 40,
	HOPS = 43,
};

static void
put(struct cr_text *out, size_t start, const char *word)
{
	if (out->len > start)
		cr_text_puts(out, ", ");
	cr_text_puts(out, word);
}

/* Append the names of the set bits as one item after a common prefix: "TLB L1 hit". */
static void
put_bits(struct cr_text *out, size_t start, const char *what, uint64_t bits,
	const char *const names[], size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (!(bits >> i & 1) || !names[i][0])
			continue;
		if (!any)
			put(out, start, what);
		if (any || what[0])
			cr_text_char(out, ' ');
		cr_text_puts(out, names[i]);
		any = true;
	}
}

static const char *
level_name(uint64_t number)
{
	static const char *const names[16] = {
		[1] = "L1",
		[2] = "L2",
		[3] = "L3",
		[4] = "L4",
		[5] = "L2 miss handling buffer",
		[6] = "memory side cache",
		[8] = "uncached",
		[9] = "CXL",
		[10] = "I/O",
		[11] = "any cache",
		[12] = "line fill buffer",
		[13] = "RAM",
		[14] = "persistent memory",
	};

	return names[number & 15];
}

/* "remote L3 hit". The level number is more precise than the bits, if it is set. */
static void
put_level(struct cr_text *out, size_t start, uint64_t v)
{
	static const char *const places[] = {
		"",
		"",
		"",
		"L1",
		"line fill buffer",
		"L2",
		"L3",
		"RAM",
		"remote RAM",
		"remote RAM, 2 hops",
		"remote cache",
		"remote cache, 2 hops",
		"I/O",
		"uncached",
	};
	const uint64_t level = v >> LEVEL & 0x3fff;
	const char *name = level_name(v >> LEVEL_NUMBER);

	if (name) {
		put(out, start, v >> REMOTE & 1 ? "remote " : "");
		cr_text_puts(out, name);
	} else {
		put_bits(out, start, "", level, places, CR_LEN(places));
	}
	if ((name || level >> 3) && (level & 6))
		cr_text_puts(out, level & 2 ? " hit" : " miss");
}

/* "TLB L1 L2 hit" */
static void
put_tlb(struct cr_text *out, size_t start, uint64_t bits)
{
	static const char *const places[] = {"", "", "", "L1", "L2", "walker", "fault"};

	if (bits >> 3)
		put_bits(out, start, "TLB", bits, places, CR_LEN(places));
	else if (bits & 6)
		put(out, start, "TLB");
	if (bits & 6)
		cr_text_puts(out, bits & 2 ? " hit" : " miss");
}

void
cr_perf_data_src_text(uint64_t v, struct cr_text *out)
{
	static const char *const ops[] = {"", "load", "store", "prefetch", "exec"};
	static const char *const snoops[] = {"", "none", "hit", "miss", "hit modified"};
	static const char *const more[] = {"forwarded", "peer"};
	static const char *const blocks[] = {"", "by data", "by address"};
	static const char *const hops[] = {
		NULL, "other core", "other node", "other socket", "other board"};
	const uint64_t hop = v >> HOPS & 7;
	const size_t start = out->len;

	put_bits(out, start, "", v >> OP & 31, ops, CR_LEN(ops));
	put_level(out, start, v);
	if (hop && hop < CR_LEN(hops))
		put(out, start, hops[hop]);
	put_bits(out, start, "snoop", v >> SNOOP & 31, snoops, CR_LEN(snoops));
	put_bits(out, start, "snoop", v >> SNOOP_MORE & 3, more, CR_LEN(more));
	put_tlb(out, start, v >> TLB & 127);
	if (v >> LOCK & 2)
		put(out, start, "locked");
	put_bits(out, start, "blocked", v >> BLOCKED & 7, blocks, CR_LEN(blocks));
	if (out->len == start)
		cr_text_puts(out, "not known");
}
