#include "query/health/advice.h"

#include <stdio.h>

#define GOOD_FREQ 999 /* in Hz; 1000 would run in step with timers */
#define MOST_FREQ 9999
#define WANTED_SAMPLES 5000   /* a share of 10 % then has an error below 1 point */
#define DWARF_DUMP 16384      /* bytes of stack per sample */
#define DWARF_DUMP_MOST 65528 /* maximum of the kernel */
#define BUFFER_MIB 16
#define BUFFER_MIB_MOST 128
#define STACK_FRAMES 1024
/* Share of user stacks, in millionths, from which on stack dumps are worth their cost. */
#define SHARE_BROKEN 100000
#define SHARE_TRUNCATED 10000
#define SHARE_CUT 50000
#define SHARE_CUT_OFTEN 250000
#define SHARE_JIT 50000

static bool
has(const struct cr_health *h, enum cr_finding_kind kind, uint32_t share_ppm)
{
	const struct cr_finding *f = cr_health_find(h, kind);

	return f && f->share_ppm >= share_ppm;
}

/* The number at the start of s; 0 if there is none or it is implausibly large. */
static uint64_t
number(struct cr_str s, struct cr_str *rest)
{
	uint64_t v = 0;
	uint32_t i = 0;

	for (; i < s.len && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		v = v < UINT64_C(1000000000000) ? v * 10 + (uint64_t)(s.p[i] - '0') : 0;
	*rest = (struct cr_str){s.p + i, s.len - i};
	return v;
}

static struct cr_str
value_of(const struct cr_record_line *line, enum cr_record_option option)
{
	const struct cr_record_word *w =
		line->understood ? cr_record_line_find(line, option) : NULL;

	return w ? w->value : CR_STR("");
}

/* The requested frequency, otherwise the period. */
static void
rate(const struct cr_profile *p, const struct cr_record_line *line, uint64_t *freq, uint64_t *count)
{
	const struct cr_str fact = cr_profile_fact(p, "sampling");
	struct cr_str rest;

	*freq = number(value_of(line, CR_RECORD_FREQ), &rest);
	*count = number(value_of(line, CR_RECORD_COUNT), &rest);
	if (*count)
		*freq = 0;
	if (*freq || *count)
		return;
	*freq = number(fact, &rest);
	if (!cr_str_starts(rest, " Hz"))
		*freq = 0;
}

/* The next common frequency, one less than the round number. */
static uint64_t
freq_above(uint64_t freq)
{
	static const uint64_t usual[] = {99, 199, 499, GOOD_FREQ, 1999, 4999, MOST_FREQ};

	for (size_t i = 0; i < CR_LEN(usual); i++)
		if (usual[i] >= freq)
			return usual[i];
	return MOST_FREQ;
}

/* Fewer samples if the recorder could not keep up, more if there are too few. */
static void
change_rate(const struct cr_profile *p, const struct cr_health *h,
	const struct cr_record_line *line, struct cr_advice *a)
{
	const bool too_fast = has(h, CR_FINDING_LOST, 10000) || has(h, CR_FINDING_THROTTLED, 0);
	const bool too_few = has(h, CR_FINDING_FEW, 0) && !h->lost && !h->throttled;
	uint64_t freq, count, times = WANTED_SAMPLES / CR_MAX(h->here.samples, 1);

	rate(p, line, &freq, &count);
	a->was_freq = freq;
	if (too_fast && freq > 1)
		a->freq = freq > GOOD_FREQ ? GOOD_FREQ : freq / 2;
	if (too_fast && count)
		a->count = count * 10;
	if (too_few && freq && freq < MOST_FREQ / 2)
		a->freq = freq_above(freq * times);
	/* Each sample includes a dump. */
	if (h->call_graph == CR_CALL_GRAPH_DWARF && a->freq > GOOD_FREQ)
		a->freq = freq < GOOD_FREQ ? GOOD_FREQ : 0;
	/* So that the kernel will hardly throttle it. */
	if (too_few && count >= 10)
		a->count = count / CR_MIN(CR_MAX(times, 2), 10);
}

/*
 * Bytes of stack per sample, from "dwarf,8192" or "dwarf, 8192 bytes"; perf's default 8192 if not
 * stated.
 */
static uint64_t
dump_bytes(struct cr_str s)
{
	uint64_t v;

	while (s.len && !(s.p[0] >= '0' && s.p[0] <= '9'))
		s = (struct cr_str){s.p + 1, s.len - 1};
	v = number(s, &s);
	return v ? v : 8192;
}

/* Stack dumps are expensive: 16 KiB at 1 kHz are 16 MB per second for each busy cpu. */
static void
dump_stacks(const struct cr_health *h, uint64_t bytes, struct cr_advice *a)
{
	snprintf(a->call_graph, sizeof(a->call_graph), "dwarf,%u", (unsigned)bytes);
	if (a->freq > GOOD_FREQ)
		a->freq = a->was_freq < GOOD_FREQ ? GOOD_FREQ : 0;
	if (a->was_freq > GOOD_FREQ && h->here.samples > 4 * CR_HEALTH_FEW)
		a->freq = GOOD_FREQ;
}

/* If stacks exceed the dumps: twice the size, and four times if many do. */
static void
enlarge_dump(const struct cr_profile *p, const struct cr_health *h,
	const struct cr_record_line *line, struct cr_advice *a)
{
	const struct cr_str fact = cr_profile_fact(p, "call graph");
	const uint64_t dump = dump_bytes(fact.len ? fact : value_of(line, CR_RECORD_CALL_GRAPH));
	const uint32_t share = cr_share_ppm(h->cut + h->stitched, h->user_stacks);

	a->dump_is_largest = dump >= DWARF_DUMP_MOST;
	if (!a->dump_is_largest)
		dump_stacks(
			h, CR_MIN((share < SHARE_CUT_OFTEN ? 2 : 4) * dump, DWARF_DUMP_MOST), a);
}

/* JIT code has no unwind tables, so where its stacks are incomplete, dumps do not help. */
static bool
wants_dumps(const struct cr_health *h)
{
	return has(h, CR_FINDING_BROKEN, 0) &&
	       cr_share_ppm(h->broken, h->user_stacks) >= SHARE_BROKEN &&
	       h->broken_run_time <= h->broken / 2 && h->call_graph != CR_CALL_GRAPH_DWARF;
}

static void
change_stacks(const struct cr_profile *p, const struct cr_health *h,
	const struct cr_record_line *line, struct cr_advice *a)
{
	if (has(h, CR_FINDING_NO_STACKS, 0))
		snprintf(a->call_graph, sizeof(a->call_graph), "fp");
	if (has(h, CR_FINDING_TRUNCATED, SHARE_TRUNCATED))
		a->max_stack = CR_MAX(STACK_FRAMES, 2 * h->max_depth);
	if (wants_dumps(h))
		dump_stacks(h, DWARF_DUMP, a);
	if (has(h, CR_FINDING_CUT, 0) &&
		cr_share_ppm(h->cut + h->stitched, h->user_stacks) >= SHARE_CUT)
		enlarge_dump(p, h, line, a);
}

/* -m in MiB, rounded down: "16M", or pages. Of a pair the first is the events' buffer. */
static uint64_t
buffer_mib(const struct cr_record_line *line)
{
	struct cr_str unit;
	const uint64_t v = number(value_of(line, CR_RECORD_MMAP), &unit);

	switch (unit.len ? unit.p[0] : ',') {
	case 'G': return v << 10;
	case 'M': return v;
	case 'K': return v >> 10;
	case 'B': return v >> 20;
	default: return v >> 8; /* in pages of 4 KiB */
	}
}

static void
change_buffer(const struct cr_health *h, const struct cr_record_line *line, struct cr_advice *a)
{
	const uint64_t was = buffer_mib(line);

	if (!has(h, CR_FINDING_LOST, 0))
		return;
	a->no_compress = line->understood && cr_record_line_find(line, CR_RECORD_COMPRESS);
	if (was < BUFFER_MIB_MOST)
		a->buffer_mib = was < BUFFER_MIB ? BUFFER_MIB : BUFFER_MIB_MOST;
}

static uint64_t
nameless_jit(const struct cr_profile *p, const struct cr_health *h)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < h->n_dsos; i++)
		if (p->dsos[h->dsos[i].dso.i].kind == CR_KIND_JIT)
			sum = cr_add_sat(sum, h->dsos[i].nameless);
	return sum;
}

/* Their table is missing because of -B, a pipe, -z or an early end. */
static void
change_build_ids(const struct cr_health *h, const struct cr_record_line *line, struct cr_advice *a)
{
	a->with_build_id = line->understood && cr_record_line_find(line, CR_RECORD_NO_BUILD_ID);
	a->build_ids = h->no_id_table && !a->with_build_id &&
		       !(line->understood && cr_record_line_find(line, CR_RECORD_BUILD_IDS));
}

void
cr_advice_make(const struct cr_profile *p, const struct cr_health *h,
	const struct cr_record_line *line, struct cr_advice *out)
{
	*out = (struct cr_advice){0};
	change_rate(p, h, line, out);
	change_stacks(p, h, line, out);
	change_buffer(h, line, out);
	if (cr_share_ppm(nameless_jit(p, h), h->here.weight) >= SHARE_JIT)
		out->mono_clock = !line->understood || !cr_record_line_find(line, CR_RECORD_CLOCK);
	if (has(h, CR_FINDING_NO_BUILD_ID, 0))
		change_build_ids(h, line, out);
}

bool
cr_advice_changes(const struct cr_advice *a)
{
	return a->call_graph[0] || a->freq || a->count || a->buffer_mib || a->mono_clock ||
	       a->no_compress || a->with_build_id || a->build_ids;
}

static bool
is_replaced(const struct cr_advice *a, enum cr_record_option option)
{
	switch (option) {
	case CR_RECORD_CALL_GRAPH: return a->call_graph[0] != '\0';
	case CR_RECORD_CLOCK: return a->mono_clock;
	case CR_RECORD_COMPRESS: return a->no_compress;
	case CR_RECORD_COUNT:
	case CR_RECORD_FREQ: return a->freq || a->count;
	case CR_RECORD_MMAP: return a->buffer_mib != 0;
	case CR_RECORD_NO_BUILD_ID: return a->with_build_id;
	default: return false;
	}
}

static void
put_piece(struct cr_text *out, struct cr_str s)
{
	cr_text_str(out, s);
	cr_text_char(out, '\0');
}

static void
put_rate(const struct cr_advice *a, struct cr_text *out)
{
	if (!a->freq && !a->count)
		return;
	cr_text_puts(out, a->freq ? "-F " : "-c ");
	cr_text_u64(out, a->freq ? a->freq : a->count);
	put_piece(out, CR_STR(""));
}

/* The value after a comma is the size of another buffer, for processor traces. */
static void
put_buffer(const struct cr_advice *a, const struct cr_record_line *line, struct cr_text *out)
{
	const struct cr_str was = value_of(line, CR_RECORD_MMAP);
	const char *comma = was.len ? memchr(was.p, ',', was.len) : NULL;

	if (!a->buffer_mib)
		return;
	cr_text_printf(out, "-m %lluM", (unsigned long long)a->buffer_mib);
	put_piece(out,
		comma ? (struct cr_str){comma, (uint32_t)(was.p + was.len - comma)} : CR_STR(""));
}

void
cr_advice_line(const struct cr_advice *a, const struct cr_record_line *line, struct cr_text *out)
{
	if (!line->understood)
		return;
	put_piece(out, CR_STR("perf record"));
	put_rate(a, out);
	if (a->call_graph[0]) {
		cr_text_puts(out, "--call-graph ");
		put_piece(out, cr_str_of(a->call_graph));
	}
	put_buffer(a, line, out);
	if (a->mono_clock)
		put_piece(out, CR_STR("-k 1"));
	if (a->build_ids)
		put_piece(out, CR_STR("--buildid-mmap"));
	for (size_t i = 0; i < line->words.n; i++) {
		if (is_replaced(a, line->words.p[i].option))
			continue;
		cr_record_word_put(&line->words.p[i], out);
		put_piece(out, CR_STR(""));
	}
	if (line->command.len)
		put_piece(out, line->command);
}
