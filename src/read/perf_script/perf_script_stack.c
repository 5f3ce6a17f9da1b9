#include "perf_script_stack_p.h"

#include "bytes/scan.h"
#include "perf_script_p.h"

#define INLINED_MAX 256u /* maximum of functions in one location */
#define PATH_LEAST 4u    /* own frames of a stack that are looked up at once */
#define PATH_TRIAL 256u  /* such lookups after which it is known whether they pay */

static cr_dso_id
dso_make(struct perf_script_stacks *s, const struct perf_script_frame *f)
{
	const enum cr_kind kind = cr_perf_script_kind(f->dso, f->name);

	if (!f->dso.len && kind == CR_KIND_UNKNOWN)
		return CR_DSO_UNKNOWN;
	return cr_builder_dso(s->b, &(struct cr_dso){.name = f->dso, .kind = (uint8_t)kind});
}

/* The name alone tells the kind of a dso, except for BPF programs. */
static cr_dso_id
dso_of(struct perf_script_stacks *s, const struct perf_script_frame *f)
{
	struct cr_line_cache_slot *slot;
	struct cr_hash128 h;
	cr_dso_id dso;

	if (cr_str_starts(f->name, "bpf_prog_"))
		return dso_make(s, f);
	h = cr_line_cache_hash(&s->dsos, f->dso.p, f->dso.len);
	slot = cr_line_cache_slot(&s->dsos, h);
	if (slot->row1)
		return (cr_dso_id){slot->row1 - 1};
	dso = dso_make(s, f);
	cr_line_cache_add(&s->dsos, slot, h, dso.i, 0);
	return dso;
}

static struct cr_str
addr_of(const struct perf_script_pushed *f)
{
	return cr_scan_trim(
		(struct cr_str){f->p + f->addr_at, CR_MIN(f->text_at, f->len) - f->addr_at});
}

static struct cr_str
text_of(const struct perf_script_pushed *f)
{
	return (struct cr_str){f->p + f->text_at, f->len - f->text_at};
}

/* Make a location from lines: that of the last line, into which the others were inlined. */
static cr_location_id
location_make(struct perf_script_stacks *s, const struct perf_script_pushed *frames, size_t n)
{
	struct cr_named named[INLINED_MAX];
	const struct perf_script_pushed *last = &frames[n - 1];
	struct perf_script_frame f;

	for (size_t i = 0; i < n; i++) {
		cr_perf_script_frame(text_of(&frames[i]), &f);
		named[i] = (struct cr_named){.name = f.name};
		if (i + 1 < n && !f.name.len)
			named[i].name = CR_STR("[unknown]");
		if (frames[i].source.p)
			cr_perf_script_source(frames[i].source, &named[i].file, &named[i].line);
	}
	if (cr_perf_script_inlined(text_of(last))) /* the function it was inlined into is unknown */
		f.dso.len = 0;
	return cr_builder_named_at(s->b, dso_of(s, &f),
		f.name.len ? f.offset : cr_perf_script_addr(addr_of(last)), named, n);
}

/* What a line names that is a location alone. */
static struct cr_named_one
one_line(struct perf_script_stacks *s, const struct perf_script_pushed *line)
{
	struct cr_named_one one = {0};
	struct perf_script_frame f;

	cr_perf_script_frame(text_of(line), &f);
	if (cr_perf_script_inlined(text_of(line))) /* the function it was inlined into is unknown */
		f.dso.len = 0;
	one.named.name = f.name;
	one.dso = dso_of(s, &f);
	one.addr = f.name.len ? f.offset : cr_perf_script_addr(addr_of(line));
	return one;
}

static struct cr_hash128
hash_with(struct cr_hash128 h, uint64_t lo, uint64_t hi)
{
	return (struct cr_hash128){cr_hash_mix(h.lo, lo), cr_hash_mix(h.hi, hi)};
}

static struct cr_hash128
hash_with_text(const struct perf_script_stacks *s, struct cr_hash128 h, struct cr_str text)
{
	const struct cr_hash128 of = cr_line_cache_hash(&s->known, text.p, text.len);

	return hash_with(h, of.lo, of.hi);
}

/* The location of n lines with the hash h. */
static cr_location_id
location_of(struct perf_script_stacks *s, const struct perf_script_pushed *frames, size_t n,
	struct cr_hash128 h)
{
	const uint32_t row1 = cr_line_cache_slot(&s->known, h)->row1;
	cr_location_id location;

	if (row1)
		return (cr_location_id){row1 - 1};
	location = location_make(s, frames, n);
	cr_line_cache_add(&s->known, cr_line_cache_slot(&s->known, h), h, location.i, 0);
	return location;
}

/*
 * True if a frame has no name, so that its address is part of the key. This is decided by the start
 * of the text; a name that begins in that way only costs one lookup per address.
 */
static bool
is_nameless(struct cr_str text)
{
	return cr_str_starts(text, "[unknown]") || text.len == 0 || text.p[0] == ' ' ||
	       (text.p[0] == '(' && !cr_str_starts(text, "(anonymous"));
}

static struct cr_hash128
hash_frame(const struct perf_script_stacks *s, const struct perf_script_pushed *f)
{
	const struct cr_str text = text_of(f);
	struct cr_hash128 h;

	if (!is_nameless(text))
		return cr_line_cache_hash(&s->known, text.p, text.len);
	h = cr_line_cache_hash(&s->known, f->p + f->addr_at, f->len - f->addr_at);
	h.lo = ~h.lo; /* the address "f" and "(x)" differs from the name "f" and "(x)" */
	return h;
}

/* ---- stacks */

static bool
is_inlined(const struct perf_script_pushed *f)
{
	return cr_perf_script_inlined(text_of(f));
}

static bool
same_frame(const struct perf_script_pushed *a, const struct perf_script_pushed *b)
{
	return a->len == b->len && memcmp(a->p, b->p, a->len) == 0 &&
	       cr_str_eq(a->source, b->source);
}

/*
 * Number of frames, from the leaf, that differ from those at the same position of `last` counted
 * from the root.
 */
static size_t
frames_apart(const struct perf_script_frames *s, const struct perf_script_last *last)
{
	const size_t all = s->v.n, most = CR_MIN(all, last->v.n);
	size_t n = all;

	while (all - n < most && same_frame(&s->v.p[n - 1], &last->v.p[all - n].frame))
		n--;
	/*
	 * A frame belongs together with the functions inlined into it, in this stack and in the one
	 * before.
	 */
	while (n < all && ((n && is_inlined(&s->v.p[n - 1])) ||
				  (all - n < last->v.n && is_inlined(&last->v.p[all - n].frame))))
		n++;
	return n;
}

/*
 * Number of lines that form one location: a frame and the functions inlined into it, which have its
 * address.
 */
static uint32_t
lines_of_frame(const struct perf_script_pushed *frames, size_t n)
{
	const uint32_t most = (uint32_t)CR_MIN(n, (size_t)INLINED_MAX);
	uint32_t i = 1;

	while (i < most && is_inlined(&frames[i - 1]) &&
		cr_str_eq(addr_of(&frames[i]), addr_of(&frames[0])))
		i++;
	return i;
}

/* Hash of the lines of a location. */
static struct cr_hash128
hash_place(const struct perf_script_stacks *s, const struct perf_script_pushed *frames, size_t n)
{
	struct cr_hash128 h;

	if (n == 1 && !frames->source.p)
		return hash_frame(s, frames);
	h = hash_with_text(s, (struct cr_hash128){n, n}, addr_of(frames));
	for (size_t i = 0; i < n; i++) {
		h = hash_with_text(s, h, text_of(&frames[i]));
		if (frames[i].source.p)
			h = hash_with_text(s, h, frames[i].source);
	}
	return h;
}

/* Find the locations of the awaited stack's own frames: which lines they consist of. */
static void
places_make(struct perf_script_stacks *s)
{
	const struct perf_script_pushed *frames = s->awaited.v.p;
	uint32_t lines;

	for (uint32_t i = 0; i < s->n_own; i += lines) {
		struct cr_hash128 hash;

		lines = lines_of_frame(frames + i, s->n_own - i);
		hash = hash_place(s, frames + i, lines);
		cr_line_cache_prefetch(&s->known, hash);
		cr_vec_push(&s->path, ((struct perf_script_place){i, i + lines, hash}));
	}
}

/* The node above the awaited stack's own frames: the end of the part shared with the last stack. */
static cr_node_id
path_top(struct perf_script_stacks *s)
{
	const size_t same = s->awaited.v.n - s->n_own;

	if (same)
		return s->last->v.p[same - 1].node;
	return s->awaited.too_deep ? cr_builder_push(s->b, CR_ROOT, cr_builder_truncated(s->b))
				   : CR_ROOT;
}

/*
 * Look up all own frames at once, by the bytes from the first to the last. They contain addresses,
 * so this finds only stacks that are equal in these, too.
 */
static void
path_ask(struct perf_script_stacks *s)
{
	const struct perf_script_pushed *first = s->awaited.v.p, *last;
	const char *end;

	s->found1 = 0;
	s->asked = s->n_own >= PATH_LEAST && cr_line_cache_pays(&s->paths);
	if (!s->asked)
		return;
	last = first + s->n_own - 1;
	end = last->source.p ? last->source.p + last->source.len : last->p + last->len;
	s->path_hash = hash_with(cr_line_cache_hash(&s->paths, first->p, (size_t)(end - first->p)),
		s->top.i, s->top.i);
	s->found1 = cr_line_cache_slot(&s->paths, s->path_hash)->row1;
	cr_line_cache_count(&s->paths, s->found1);
}

void
cr_perf_script_stacks_await(struct perf_script_stacks *s, cr_task_id task)
{
	const struct perf_script_frames room = s->awaited;
	size_t all;

	s->awaited = s->frames;
	s->last = &s->lasts[task.i % PERF_SCRIPT_LASTS];
	s->frames = room;
	s->frames.v.n = 0;
	s->frames.too_deep = false;
	if (s->awaited.too_deep) { /* replace the outermost by "[truncated]" */
		s->awaited.v.n--;
		s->last->v.n = 0;
	}
	all = s->awaited.v.n;
	s->n_own = frames_apart(&s->awaited, s->last);
	s->top = path_top(s);
	cr_vec_reserve(&s->last->v, all);
	s->last->v.n = all;
	s->path.n = 0;
	path_ask(s);
	if (!s->found1)
		places_make(s);
	for (size_t i = 0; i < s->n_own; i++)
		s->last->v.p[all - 1 - i].frame = s->awaited.v.p[i];
}

/* Set the nodes of the own frames in the thread's last stack. */
static void
nodes_known(struct perf_script_stacks *s)
{
	const size_t n = s->n_own;

	cr_vec_reserve(&s->nodes, n);
	cr_builder_path_to(s->b, (cr_node_id){s->found1 - 1}, n, s->nodes.p);
	for (size_t i = 0; i < n; i++)
		s->last->v.p[s->awaited.v.n - n + i].node = s->nodes.p[i];
}

/* Keep the node in paths, if each frame has a node of its own. */
static void
path_keep(struct perf_script_stacks *s)
{
	uint32_t above = s->top.i;

	if (!s->asked || s->path.n != s->n_own)
		return;
	for (size_t i = 0; i < s->n_own; i++) {
		if (s->nodes.p[i].i <= above) /* beyond a limit */
			return;
		above = s->nodes.p[i].i;
	}
	cr_line_cache_add(
		&s->paths, cr_line_cache_slot(&s->paths, s->path_hash), s->path_hash, above, 0);
}

/* Make the locations of all lines seen for the first time: most of it is waiting for memory. */
static void
fresh_make(struct perf_script_stacks *s)
{
	const size_t n = s->fresh.n;

	if (n == 0)
		return;
	cr_vec_reserve(&s->fresh_location, n);
	cr_builder_named_all(s->b, s->fresh.p, n, s->fresh_location.p);
	for (size_t i = 0; i < n; i++) {
		const struct perf_script_place *p = &s->path.p[s->fresh_place.p[i]];
		const cr_location_id location = s->fresh_location.p[i];
		struct cr_line_cache_slot *slot = cr_line_cache_slot(&s->known, p->hash);

		s->locations.p[s->path.n - 1 - s->fresh_place.p[i]] = location;
		if (!slot->row1)
			cr_line_cache_add(&s->known, slot, p->hash, location.i, 0);
	}
	s->fresh.n = s->fresh_place.n = 0;
}

/* Find the locations of the awaited stack's own frames, made in order from the root. */
static void
locations_find(struct perf_script_stacks *s)
{
	const size_t n = s->path.n;

	cr_vec_reserve(&s->locations, n);
	for (size_t i = n; i-- > 0;) {
		const struct perf_script_place *p = &s->path.p[i];
		const struct perf_script_pushed *lines = s->awaited.v.p + p->first;
		const uint32_t row1 = cr_line_cache_slot(&s->known, p->hash)->row1;

		if (row1) {
			s->locations.p[n - 1 - i].i = row1 - 1;
		} else if (p->end - p->first == 1 && !lines->source.p) {
			cr_vec_push(&s->fresh, one_line(s, lines));
			cr_vec_push(&s->fresh_place, (uint32_t)i);
		} else {
			fresh_make(s);
			s->locations.p[n - 1 - i] =
				location_of(s, lines, p->end - p->first, p->hash);
		}
	}
	fresh_make(s);
}

/* Look up the nodes of the own frames, and store them in the thread's last stack. */
static void
nodes_find(struct perf_script_stacks *s)
{
	const size_t n = s->path.n;

	cr_vec_reserve(&s->nodes, n);
	locations_find(s);
	cr_builder_push_path(s->b, s->top, s->locations.p, n, s->nodes.p);
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = s->path.p[n - 1 - i].first; k < s->path.p[n - 1 - i].end; k++)
			s->last->v.p[s->awaited.v.n - 1 - k].node = s->nodes.p[i];
	path_keep(s);
}

cr_node_id
cr_perf_script_stacks_node(struct perf_script_stacks *s)
{
	cr_node_id node = s->top;

	if (s->found1) {
		nodes_known(s);
		node.i = s->found1 - 1;
	} else if (s->path.n) {
		nodes_find(s);
		node = s->nodes.p[s->path.n - 1];
	}
	if (s->awaited.too_deep) /* other stacks begin at the root */
		s->last->v.n = 0;
	return node;
}

bool
cr_perf_script_stacks_push(struct perf_script_stacks *s, struct cr_str line,
	const struct perf_script_line *l, struct cr_str source)
{
	const uint32_t text_at = (uint32_t)(l->text.p - line.p);
	const bool first = !s->frames.too_deep;

	if (perf_script_stacks_full(s)) {
		s->frames.too_deep = true;
		return !first;
	}
	cr_vec_push(&s->frames.v, ((struct perf_script_pushed){.p = line.p,
					  .len = text_at + l->text.len,
					  .addr_at = (uint32_t)(l->addr.p - line.p),
					  .text_at = text_at,
					  .source = source}));
	return true;
}

void
cr_perf_script_stacks_init(struct perf_script_stacks *s, struct cr_builder *b)
{
	*s = (struct perf_script_stacks){.b = b};
	cr_line_cache_init(&s->known);
	cr_line_cache_init(&s->dsos);
	cr_line_cache_init(&s->paths);
	s->paths.trial = PATH_TRIAL;
}

void
cr_perf_script_stacks_restart(struct perf_script_stacks *s)
{
	for (size_t i = 0; i < PERF_SCRIPT_LASTS; i++)
		s->lasts[i].v.n = 0;
}

void
cr_perf_script_stacks_fini(struct perf_script_stacks *s)
{
	cr_line_cache_fini(&s->known);
	cr_line_cache_fini(&s->dsos);
	cr_line_cache_fini(&s->paths);
	cr_vec_fini(&s->frames.v);
	cr_vec_fini(&s->awaited.v);
	for (size_t i = 0; i < PERF_SCRIPT_LASTS; i++)
		cr_vec_fini(&s->lasts[i].v);
	cr_vec_fini(&s->path);
	cr_vec_fini(&s->locations);
	cr_vec_fini(&s->fresh);
	cr_vec_fini(&s->fresh_place);
	cr_vec_fini(&s->fresh_location);
	cr_vec_fini(&s->nodes);
}
