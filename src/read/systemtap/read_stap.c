#include "base/vec.h"
#include "bytes/scan.h"
#include "read/kit/line_cache_p.h"
#include "read/kit/pieces_p.h"
#include "read/kit/stacks_p.h"
#include "read/reader.h"
#include "stap_frame_p.h"
#include "stap_line_p.h"
#include "stap_survey_p.h"
#include "symbol/demangle/demangle.h"
#include "symbol/elf/segments.h"

#include <stdlib.h>

/*
 * SystemTap backtraces: output of print_ubacktrace() and related functions, and of the scripts of
 * the openresty, nginx, perl and Lua toolkits. An entry is its frames, one per line, innermost
 * first, then TAB and a count. The unit of the counts is not stated.
 *
 * A text without counts has one stack for each run of frames. That is known only at its end, so
 * such a text is not read in pieces.
 */
#define DEPTH_MOST 8191u /* frames; of deeper stacks the innermost are kept */
#define TEXT_CUT 108u    /* a string of addresses may be truncated from this length on */
#define ENTRY_BYTES 512u /* estimate, to predict the number of samples */

/* ---- state of a thread */

/* A frame that was seen before. Most of the memory is used by these, so they are small. */
struct known {
	uint64_t addr;
	cr_location_id location;
	/* The same as a return address; for frames to be named, both are created when needed. */
	cr_location_id returned;
	uint32_t also;  /* row of the state's to_name or unfolded, if it has one */
	uint8_t digits; /* digits of addr, as written; UINT8_MAX if there are more */
	bool to_name : 1;
	bool unfolded : 1; /* it may be part of a chain of inlined functions */
	bool kernel : 1;
	bool bare : 1;
};

/* A line of a frame that was not looked up yet. */
struct unread {
	struct cr_str text;
	struct cr_hash128 hash;
	size_t frame; /* its place in the frames of the entry */
};

/* What names a frame after everything was read. */
struct to_name {
	cr_dso_id dso;
	uint64_t addr;
};

#define NONE ((cr_location_id){CR_NO_ROW})

struct dso {
	cr_dso_id id;
	enum cr_kind kind;
	bool opened;
	struct cr_segments segments;
};

struct state {
	const struct stap *text;
	struct cr_builder *b;
	cr_event_id event;
	/* CR_NO_ROW until there is a negative count, since an event needs samples. */
	cr_event_id negative;
	cr_task_id nobody;
	struct cr_line_cache entries; /* nodes; more: number of lines */
	struct cr_line_cache lines;   /* known; more: 0 */
	CR_VEC(struct known) known;
	CR_VEC(struct to_name) to_name;
	CR_VEC(struct cr_named) unfolded;
	struct cr_line_cache modules; /* dsos */
	CR_VEC(struct dso) dsos;
	/* Of the current entry, in order: rows of known, from frames_look_up() on. */
	CR_VEC(uint32_t) frames;
	CR_VEC(struct unread) unread;
	/* Of frames seen for the first time, until their locations are made; and which they are. */
	CR_VEC(struct cr_named_one) fresh;
	CR_VEC(uint32_t) fresh_row;
	CR_VEC(cr_location_id) fresh_location;
	struct cr_arena fresh_names;
	uint64_t first_line; /* first line of the entry */
	uint64_t first_mark; /* cr_diagnostics_mark() at that line */
	struct cr_str first_text;
	CR_VEC(cr_location_id) path;
	CR_VEC(cr_node_id) nodes;
	CR_VEC(struct cr_named) chain;
	uint64_t reports; /* number of diagnostics, to detect new ones */
	struct cr_text name, plain;
	struct cr_arena names; /* demangled names of unfolded */
	struct cr_diagnostics_sum sum[2];
	/* of the current piece */
	struct cr_diagnostics *report;
	uint64_t line;
};

static void *
state_open(struct cr_builder *b, const void *shared)
{
	struct state *st = cr_alloc(1, sizeof(*st));

	st->text = shared;
	st->b = b;
	st->event = cr_builder_event(b, st->text->event, st->text->unit);
	st->negative.i = CR_NO_ROW;
	st->nobody = cr_builder_task(b, -1, -1, CR_STR(""), cr_builder_address_space(b));
	cr_line_cache_init(&st->entries);
	cr_line_cache_init(&st->lines);
	cr_line_cache_init(&st->modules);
	return st;
}

static void
state_close(void *state)
{
	struct state *st = state;

	for (size_t i = 0; i < st->dsos.n; i++)
		cr_segments_close(&st->dsos.p[i].segments);
	cr_line_cache_fini(&st->entries);
	cr_line_cache_fini(&st->lines);
	cr_line_cache_fini(&st->modules);
	cr_vec_fini(&st->known);
	cr_vec_fini(&st->to_name);
	cr_vec_fini(&st->unfolded);
	cr_vec_fini(&st->dsos);
	cr_vec_fini(&st->frames);
	cr_vec_fini(&st->unread);
	cr_vec_fini(&st->fresh);
	cr_vec_fini(&st->fresh_row);
	cr_vec_fini(&st->fresh_location);
	cr_arena_fini(&st->fresh_names);
	cr_vec_fini(&st->path);
	cr_vec_fini(&st->nodes);
	cr_vec_fini(&st->chain);
	cr_text_fini(&st->name);
	cr_text_fini(&st->plain);
	cr_arena_fini(&st->names);
	free(st);
}

static void
complain(struct state *st, enum cr_reason why, uint64_t line, struct cr_str text)
{
	cr_diagnostics_add(st->report, why, line, text);
	st->reports++;
}

/* ---- dsos */

static enum cr_kind
kind_of(const struct state *st, const struct stap_frame *f)
{
	if (cr_str_eq(f->module, CR_STR("kernel")))
		return CR_KIND_KERNEL;
	if (f->module.len && memchr(f->module.p, '/', f->module.len))
		return CR_KIND_USER;
	if (f->has_addr && cr_stap_frame_in_kernel(f->addr, st->text->all_32))
		return f->module.len ? CR_KIND_MODULE : CR_KIND_KERNEL;
	if (f->module.len && (f->has_addr || memmem(f->module.p, f->module.len, ".so", 3)))
		return CR_KIND_USER;
	return CR_KIND_UNKNOWN;
}

/* A dso without a known name is the kernel, or unknown. */
static struct dso *
dso_of(struct state *st, const struct stap_frame *f)
{
	const enum cr_kind kind = kind_of(st, f);
	const struct cr_str name =
		f->module.len || kind != CR_KIND_KERNEL ? f->module : CR_STR("kernel");
	struct cr_hash128 h = cr_line_cache_hash(&st->modules, name.p, name.len);
	struct cr_line_cache_slot *slot;

	h.hi ^= kind;
	slot = cr_line_cache_slot(&st->modules, h);
	if (slot->row1)
		return &st->dsos.p[slot->row1 - 1];
	cr_line_cache_add(&st->modules, slot, h, (uint32_t)st->dsos.n, 0);
	cr_vec_push(&st->dsos,
		((struct dso){.id = name.len ? cr_builder_dso(st->b, &(struct cr_dso){.name = name,
									     .kind = (uint8_t)kind})
					     : CR_DSO_UNKNOWN,
			.kind = kind}));
	return &st->dsos.p[st->dsos.n - 1];
}

/*
 * True if the symbolizer can name a frame without a name, by *addr: for the kernel the absolute
 * address, for a file the offset in it, if the file exists.
 */
static bool
can_be_named(struct state *st, const struct stap_frame *f, struct dso *o, uint64_t *addr)
{
	*addr = f->addr;
	if (o->kind == CR_KIND_KERNEL || o->kind == CR_KIND_MODULE)
		return st->text->kernel;
	if (o->kind != CR_KIND_USER || !st->text->files)
		return false;
	if (!o->opened)
		cr_segments_open(
			&o->segments, st->text->files, cr_builder_dso_at(st->b, o->id)->name);
	o->opened = true;
	if (f->has_offset)
		cr_segments_offset(&o->segments, f->offset, addr);
	return true;
}

/* ---- frames */

/*
 * Demangle a name; SystemTap prints symbols as in the symbol table. Borrowed until the next call.
 * Text of scripts and of other languages is not changed, unless it begins as only mangled names do.
 */
static struct cr_str
demangled(struct state *st, const struct stap_frame *f)
{
	const bool may_be = f->shape != STAP_TEXT || cr_str_starts(f->name, "_Z") ||
			    cr_str_starts(f->name, "_R");

	if (!st->text->demangle || !may_be || memchr(f->name.p, 0, f->name.len))
		return f->name;
	cr_text_clear(&st->plain);
	cr_text_str(&st->plain, f->name);
	cr_text_clear(&st->name);
	return cr_demangle(st->plain.p, &st->name) ? cr_text_view(&st->name) : f->name;
}

/* The name of a frame in the profile. */
static struct cr_str
frame_name(struct state *st, const struct stap_frame *f)
{
	switch (f->shape) {
	case STAP_NAMELESS: return cr_stacks_bracketed(f->module, &st->name);
	case STAP_BARE:
		cr_text_clear(&st->name);
		cr_text_puts(&st->name, "0x");
		cr_text_hex(&st->name, f->addr);
		return cr_text_view(&st->name);
	default: return f->name.len ? demangled(st, f) : CR_STR("-");
	}
}

/* The name, copied if it is not a part of the text: it is needed until fresh_make(). */
static struct cr_str
name_held(struct state *st, struct cr_str text, struct cr_str name)
{
	if (name.len && !(name.p >= text.p && name.p < text.p + text.len))
		name.p = cr_arena_copy(&st->fresh_names, name.p, name.len);
	return name;
}

/* The row of known for a frame of `text`; its location is made by fresh_make(). */
static struct known
frame_known(struct state *st, struct cr_str text, const struct stap_frame *f)
{
	struct dso *o = dso_of(st, f);
	struct known k = {
		.kernel = o->kind == CR_KIND_KERNEL || o->kind == CR_KIND_MODULE,
		.bare = f->shape == STAP_BARE,
		.unfolded = f->unfolded,
		.digits = (uint8_t)CR_MIN(f->digits, (uint32_t)UINT8_MAX),
		.addr = f->addr,
	};
	const bool nameless = f->shape == STAP_NAMELESS || f->shape == STAP_BARE;
	struct cr_named named = {frame_name(st, f), f->file, f->line};
	struct to_name by = {.dso = o->id};

	k.to_name = nameless && can_be_named(st, f, o, &by.addr);
	if (k.to_name) {
		k.location = k.returned = NONE;
		k.also = (uint32_t)st->to_name.n;
		cr_vec_push(&st->to_name, by);
		return k;
	}
	named.name = name_held(st, text, named.name);
	cr_vec_push(
		&st->fresh, ((struct cr_named_one){o->id, nameless ? f->addr : f->offset, named}));
	cr_vec_push(&st->fresh_row, (uint32_t)st->known.n);
	if (k.unfolded) {
		k.also = (uint32_t)st->unfolded.n;
		named.name.p = cr_arena_copy(&st->names, named.name.p, named.name.len);
		cr_vec_push(&st->unfolded, named);
	}
	return k;
}

/* Make the locations of all frames seen for the first time. */
static void
fresh_make(struct state *st)
{
	const size_t n = st->fresh.n;

	if (n == 0)
		return;
	cr_vec_reserve(&st->fresh_location, n);
	cr_builder_named_all(st->b, st->fresh.p, n, st->fresh_location.p);
	for (size_t i = 0; i < n; i++) {
		struct known *k = &st->known.p[st->fresh_row.p[i]];

		k->location = k->returned = st->fresh_location.p[i];
	}
	st->fresh.n = st->fresh_row.n = 0;
	if (st->fresh_names.bytes)
		cr_arena_fini(&st->fresh_names);
}

/* The row of known for the text with hash h; it is added if it is new. */
static uint32_t
known_row(struct state *st, struct cr_str text, struct cr_hash128 h)
{
	struct cr_line_cache_slot *slot = cr_line_cache_slot(&st->lines, h);
	const uint32_t row = (uint32_t)st->known.n;
	struct stap_frame f;
	struct known k;

	if (slot->row1)
		return slot->row1 - 1;
	cr_line_cache_add(&st->lines, slot, h, row, 0);
	cr_stap_frame_parse(text, &f);
	k = frame_known(st, text, &f);
	cr_vec_push(&st->known, k);
	return row;
}

/*
 * Look up the lines of an entry. They were prefetched when they were pushed; the locations of new
 * ones are made together, since most of the time is spent waiting for memory.
 */
static void
frames_look_up(struct state *st)
{
	for (size_t i = 0; i < st->unread.n; i++) {
		const struct unread *u = &st->unread.p[i];

		st->frames.p[u->frame] = known_row(st, u->text, u->hash);
		__builtin_prefetch(&st->known.p[st->frames.p[u->frame]]);
	}
	st->unread.n = 0;
	fresh_make(st);
}

static void
frame_push(struct state *st, struct cr_str text)
{
	const struct cr_hash128 h = cr_line_cache_hash(&st->lines, text.p, text.len);

	cr_line_cache_prefetch(&st->lines, h);
	cr_vec_push(&st->unread, ((struct unread){text, h, st->frames.n}));
	cr_vec_push(&st->frames, CR_NO_ROW);
}

/* Addresses separated by blanks; an address truncated before its digits is dropped. */
static void
list_push(struct state *st, struct cr_str list)
{
	struct cr_str rest = list, word;

	while ((word = cr_scan_word(&rest)).len) {
		if (word.len > 2)
			frame_push(st, word);
		else
			complain(st, CR_REASON_TRUNCATED_FRAME, st->line, list);
	}
}

static void
line_push(struct state *st, struct cr_str line)
{
	if (st->frames.n == 0) {
		st->first_line = st->line;
		st->first_text = line;
		st->first_mark = cr_diagnostics_mark(st->report);
	}
	if (cr_stap_frame_is_list(line))
		list_push(st, line);
	else
		frame_push(st, line);
}

/* ---- entries */

static bool
leading_digits_alike(const struct known *a, const struct known *b)
{
	const uint32_t da = CR_MIN(a->digits, 16u), db = CR_MIN(b->digits, 16u);

	return db > da && da >= 3 && a->addr >> (da - 3) * 4 == b->addr >> (db - 3) * 4;
}

/*
 * True if the string of addresses was truncated in the outermost one. Such an address has fewer
 * digits than its neighbour, belongs to no dso, and is either a prefix of another address or
 * impossible.
 */
static bool
outermost_is_cut(const struct state *st)
{
	const size_t n = st->frames.n;
	const struct known *last = n >= 2 ? &st->known.p[st->frames.p[n - 1]] : NULL;
	bool alike = false;
	size_t bytes = 0;

	if (!last || !last->bare || last->digits >= st->known.p[st->frames.p[n - 2]].digits)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct known *k = &st->known.p[st->frames.p[i]];

		bytes += k->digits ? k->digits + 3 : 0;
		alike |= leading_digits_alike(last, k);
	}
	return bytes >= TEXT_CUT && (alike || (last->digits < 4 && last->addr));
}

/*
 * Functions inlined at one address, innermost first, become one location: from i on towards the
 * root. *next is the frame above.
 */
static cr_location_id
chain_location(struct state *st, const uint32_t *frames, size_t n, size_t i, size_t *next)
{
	const struct known *first = &st->known.p[frames[i]];

	st->chain.n = 0;
	for (*next = i; *next < n && st->chain.n < UINT16_MAX; ++*next) {
		const struct known *k = &st->known.p[frames[*next]];

		if (!k->unfolded || k->addr != first->addr)
			break;
		cr_vec_push(&st->chain, st->unfolded.p[k->also]);
	}
	return cr_builder_named_at(st->b, CR_DSO_UNKNOWN, 0, st->chain.p, st->chain.n);
}

static cr_location_id
location_of(struct state *st, struct known *k, bool returned)
{
	cr_location_id *const location = returned ? &k->returned : &k->location;

	if (location->i == CR_NO_ROW)
		*location = cr_builder_location(st->b, st->to_name.p[k->also].dso,
			st->to_name.p[k->also].addr, returned ? CR_ORDINAL_RETURN : 0);
	return *location;
}

/* Store the locations of the first n frames of the current entry in path, innermost first. */
static void
make_path(struct state *st, size_t n)
{
	const uint32_t *const frames = st->frames.p;
	size_t next = 0;

	st->path.n = 0;
	for (size_t i = 0; i < n; i = next) {
		struct known *k = &st->known.p[frames[i]];
		const struct known *inner = i ? &st->known.p[frames[i - 1]] : NULL;
		const struct known *outer = i + 1 < n ? &st->known.p[frames[i + 1]] : NULL;

		next = i + 1;
		if (k->unfolded && outer && outer->unfolded && outer->addr == k->addr)
			cr_vec_push(&st->path, chain_location(st, frames, n, i, &next));
		/*
		 * The thread itself was at the first frame, and at the one from which it entered
		 * the kernel.
		 */
		else
			cr_vec_push(&st->path,
				location_of(st, k, inner && (k->kernel || !inner->kernel)));
	}
}

static cr_node_id
entry_node(struct state *st)
{
	const size_t kept = CR_MIN(st->frames.n, (size_t)DEPTH_MOST);

	frames_look_up(st);
	if (st->text->root_first)
		for (size_t i = 0, k = st->frames.n; i + 1 < k; i++, k--) {
			const uint32_t row = st->frames.p[i];

			st->frames.p[i] = st->frames.p[k - 1];
			st->frames.p[k - 1] = row;
		}
	if (kept < st->frames.n || outermost_is_cut(st))
		complain(st, CR_REASON_TRUNCATED_FRAME, st->first_line, st->first_text);
	make_path(st, kept);
	if (kept < st->frames.n)
		cr_vec_push(&st->path, cr_builder_truncated(st->b));
	for (size_t i = 0, k = st->path.n; i + 1 < k; i++, k--) {
		const cr_location_id x = st->path.p[i];

		st->path.p[i] = st->path.p[k - 1];
		st->path.p[k - 1] = x;
	}
	st->frames.n = 0;
	if (st->path.n == 0)
		return CR_ROOT;
	cr_vec_reserve(&st->nodes, st->path.n);
	cr_builder_push_path(st->b, CR_ROOT, st->path.p, st->path.n, st->nodes.p);
	return st->nodes.p[st->path.n - 1];
}

static void
sample_add(struct state *st, cr_node_id node, const struct stap_count *count, struct cr_str text)
{
	const bool past = cr_diagnostics_sum(&st->sum[count->negative], count->value);

	if (count->over || past)
		complain(st, CR_REASON_OVERFLOW, st->line, text);
	if (count->negative && st->negative.i == CR_NO_ROW)
		st->negative = cr_builder_event(st->b, CR_STR("negative"), st->text->unit);
	cr_builder_sample(st->b, &(struct cr_sample){.weight = count->value,
					 .node = node,
					 .task = st->nobody,
					 .event = count->negative ? st->negative : st->event,
					 .cpu = CR_CPU_NONE});
}

/* ---- lines */

/* Drop the current frames: they belong to no sample. */
static void
frames_drop(struct state *st)
{
	frames_look_up(st);
	if (st->frames.n)
		cr_diagnostics_lose(st->report, st->first_mark);
	st->frames.n = 0;
}

/* Process a line. Returns true if it ends an entry, with its node and count. */
static bool
line_read(struct state *st, struct cr_str line, cr_node_id *node, struct stap_count *count)
{
	switch (cr_stap_line_kind(line, count)) {
	case STAP_LINE_BLANK: return false;
	case STAP_LINE_FRAME: line_push(st, line); return false;
	case STAP_LINE_NOISE: complain(st, CR_REASON_NOISE, st->line, line); return false;
	case STAP_LINE_BAD_COUNT:
		complain(st, CR_REASON_BAD_COUNT, st->line, line);
		frames_drop(st);
		return false;
	case STAP_LINE_CUT_COUNT:
		/* A blank before the TAB: the string is complete, and lacks only its line end. */
		if (count->frame.p[count->frame.len - 1] != ' ')
			complain(st, CR_REASON_TRUNCATED_FRAME, st->line, line);
		line_push(st, count->frame);
		break;
	case STAP_LINE_COUNT: break;
	}
	*node = entry_node(st);
	return true;
}

/* An incomplete entry at the end of the text, or of what was read. */
static void
entry_without_count(struct state *st)
{
	if (st->frames.n == 0)
		return;
	cr_diagnostics_finish(st->report);
	complain(st, CR_REASON_STACK_WITHOUT_COUNT, st->first_line, st->first_text);
	frames_drop(st);
}

/* ---- entries as blocks of bytes */

/* A block extends to the next line that is only a TAB and a count. */
struct block {
	const char *p, *end; /* the frames */
	const char *after;   /* the count */
	struct stap_count count;
};

/* A count of up to 19 digits after the TAB, and the end of the line. */
static bool
block_count(const char *tab, const char *end, struct block *out)
{
	const char *p = tab + 1;
	uint64_t v = 0;

	for (; p < end && (unsigned char)(*p - '0') < 10 && p - tab <= 19; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (p == tab + 1)
		return false;
	p += p < end && *p == '\r';
	if (p < end && *p != '\n')
		return false;
	out->after = p + (p < end);
	out->count = (struct stap_count){.value = v};
	return true;
}

/* In a text with counts, every line is a frame or a count, unless it is reported. */
static void
line_begin(struct state *st, struct cr_str line)
{
	cr_diagnostics_line(st->report, line);
	cr_diagnostics_fate(st->report, CR_LINE_USED);
	st->line = st->report->lines;
}

/*
 * Process lines up to the end of an entry, or to `end`; *node is the entry's. Returns where it
 * stopped.
 */
static const char *
lines_read(struct state *st, const char *p, const char *end, cr_node_id *node)
{
	struct cr_scan scan = {.p = p, .start = p, .end = end};
	struct stap_count count;
	struct cr_str line;

	while (cr_scan_line(&scan, &line)) {
		line_begin(st, line);
		if (scan.cut)
			complain(st, CR_REASON_LONG_LINE, st->line, line);
		if (!line_read(st, line, node, &count))
			continue;
		sample_add(st, *node, &count, line);
		return scan.p;
	}
	entry_without_count(st);
	return scan.p;
}

/* tab: the first TAB at or after the position of the last search. */
static bool
block_find(const char *p, const char *end, const char **tab, struct block *out)
{
	if (*tab < p)
		*tab = memchr(p, '\t', (size_t)(end - p));
	if (!*tab)
		*tab = end;
	if (*tab == end || (*tab != p && (*tab)[-1] != '\n'))
		return false;
	out->p = p;
	out->end = *tab;
	return block_count(*tab, end, out);
}

/* Equal bytes are an equal entry, if nothing in them is reported. Returns where it stopped. */
static const char *
block_read(struct state *st, const struct block *block)
{
	const struct cr_hash128 h =
		cr_line_cache_hash(&st->entries, block->p, (size_t)(block->end - block->p));
	struct cr_line_cache_slot *slot = cr_line_cache_slot(&st->entries, h);
	const uint64_t line = st->line, reports = st->reports;
	cr_node_id node;
	const char *stopped;

	cr_line_cache_count(&st->entries, slot->row1);
	if (slot->row1) {
		cr_diagnostics_used(st->report, slot->more);
		st->line = st->report->lines;
		sample_add(st, (cr_node_id){slot->row1 - 1}, &block->count,
			(struct cr_str){block->end, (uint32_t)(block->after - block->end)});
		return block->after;
	}
	stopped = lines_read(st, block->p, block->after, &node);
	if (stopped == block->after && st->reports == reports && st->line - line <= UINT32_MAX)
		cr_line_cache_add(&st->entries, slot, h, node.i, (uint32_t)(st->line - line));
	return stopped;
}

/* ---- texts without counts */

static void
run_end(struct state *st)
{
	if (st->frames.n)
		sample_add(st, entry_node(st), &(struct stap_count){.value = 1}, st->first_text);
}

static void
runs_read(struct state *st, const char *p, const char *end)
{
	struct cr_scan scan = {.p = p, .start = p, .end = end};
	struct stap_count count;
	struct stap_frame f;
	struct cr_str line;
	bool reported = false;

	while (cr_scan_line(&scan, &line)) {
		const enum stap_line kind = cr_stap_line_kind(line, &count);

		line_begin(st, line);
		if (kind == STAP_LINE_NOISE) {
			complain(st, CR_REASON_NOISE, st->line, line);
			continue;
		}
		cr_stap_frame_parse(line, &f);
		if (kind != STAP_LINE_FRAME ||
			!(cr_stap_frame_is_sure(&f) || cr_stap_frame_is_list(line))) {
			run_end(st);
			if (!cr_diagnostics_is_blank(line))
				cr_diagnostics_fate(st->report, CR_LINE_PASSED);
			continue;
		}
		if (!reported)
			complain(st, CR_REASON_UNCOUNTED, st->line, line);
		reported = true;
		line_push(st, line);
	}
	run_end(st);
}

static void
piece_read(void *state, const struct cr_piece *piece)
{
	struct state *st = state;
	const char *p = piece->p, *tab = memchr(p, '\t', (size_t)(piece->end - p));
	struct block block;
	cr_node_id node;

	st->report = piece->report;
	st->line = 0;
	if (!st->text->counts)
		runs_read(st, p, piece->end);
	while (st->text->counts && p < piece->end)
		if (cr_line_cache_pays(&st->entries) && block_find(p, piece->end, &tab, &block))
			p = block_read(st, &block);
		else
			p = lines_read(st, p, piece->end, &node);
}

/* Cut after a count. */
static size_t
piece_cut(const char *p, size_t from, size_t len, const void *shared)
{
	const struct stap *text = shared;
	struct block block;
	const char *tab;

	while (text->counts && (tab = memchr(p + from, '\t', len - from))) {
		if ((tab == p || tab[-1] == '\n') && block_count(tab, p + len, &block))
			return (size_t)(block.after - p);
		from = (size_t)(tab + 1 - p);
	}
	return len;
}

/* ---- the reader */

static int
read_stap(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	static const struct cr_pieces pieces = {piece_cut, state_open, piece_read, state_close};
	const size_t from = in->len >= 3 && memcmp(in->p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	const struct cr_symbol_opts *symbol = opts->symbol;
	struct stap text = {.root_first = opts->root_first};
	int rc;

	text.files = symbol && symbol->symfs ? symbol : NULL;
	text.demangle = !symbol || !symbol->no_demangle;
	text.kernel = symbol && (symbol->kallsyms || symbol->vmlinux);
	cr_stap_survey(in, from, &text, b);
	if (text.counts) {
		text.event = cr_stacks_default_event(b, opts, &text.unit);
	} else { /* each stack counts 1 */
		text.event = CR_STR("samples");
		text.unit = opts->unit ? cr_str_of(opts->unit) : text.event;
	}
	cr_builder_expect(b, in->len / ENTRY_BYTES);
	if (text.files || text.kernel)
		cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	if ((rc = cr_pieces_run(&pieces, &text, in, from, b, opts, err)) < 0)
		return rc;
	if (text.histogram && cr_builder_samples(b) == 0)
		return cr_fail(err, CR_EEMPTY, CR_NO_OFFSET, "is a histogram, not stacks");
	return CR_OK;
}

const struct cr_reader cr_reader_stap = {
	.name = "stap",
	.about = "SystemTap backtraces, each with a count below it",
	.probe = cr_stap_probe,
	.read = read_stap,
};
