#include "read/folded/folded_tree.h"

#include "base/hash.h"
#include "base/text.h"
#include "bytes/scan.h"
#include "folded_frame_p.h"
#include "folded_header_p.h"
#include "folded_line_p.h"
#include "folded_path_p.h"

#include <stdlib.h>

#define CHILDREN_LISTED 16 /* of a node; of more than these there is an index */
#define TRUNCATED CR_STR("[truncated]")

struct cr_folded_tree {
	const struct cr_folded_tree_opts *o;
	struct cr_arena memory;      /* of the names */
	CR_VEC(struct cr_str) names; /* by frame; the first is the root's */
	struct cr_index index;       /* of the names */
	CR_VEC(struct cr_tree_node) nodes;
	CR_VEC(uint64_t) after;   /* by node, if there are two sides */
	CR_VEC(uint64_t) lead;    /* by node, if lines stay in order: see struct cr_tree */
	struct cr_index children; /* by parent and frame, of nodes with many children */
	bool two, fractions;
	struct folded_path path;
	/* Texts of the last stack and of two steps of the current one, where they differ. */
	struct cr_text changed[3];
	unsigned turn;
	struct folded_header header;
	bool has_header;
};

/* ---- frames and nodes */

static uint32_t
frame_of(struct cr_folded_tree *f, struct cr_str name, uint64_t h)
{
	uint32_t row;

	cr_index_each(&f->index, h, row)
		if (cr_str_eq(f->names.p[row], name))
			return row;
	row = (uint32_t)f->names.n;
	name.p = cr_arena_copy(&f->memory, name.p, name.len);
	cr_vec_push(&f->names, name);
	cr_index_add(&f->index, h, row);
	return row;
}

/* The weight of a node that its box is drawn by. */
static uint64_t
drawn_weight(const struct cr_folded_tree *f, uint32_t node)
{
	return f->two && !f->o->negate ? f->after.p[node] : f->nodes.p[node].weight;
}

static uint32_t
node_add(struct cr_folded_tree *f, uint32_t parent, uint32_t frame)
{
	const uint32_t node = (uint32_t)f->nodes.n;

	if (node >= UINT32_MAX / 2)
		cr_out_of_memory(f->nodes.n, sizeof(*f->nodes.p));
	cr_vec_push(
		&f->nodes, ((struct cr_tree_node){.parent = parent, .frame = frame & INT32_MAX}));
	if (f->o->in_order)
		cr_vec_push(&f->lead, node ? drawn_weight(f, parent) : 0);
	if (f->two)
		cr_vec_push(&f->after, 0);
	if (node)
		cr_tree_node_link(f->nodes.p, node);
	return node;
}

static bool
is_child(const struct cr_folded_tree *f, uint32_t node, uint32_t parent, uint32_t frame)
{
	return f->nodes.p[node].parent == parent && f->nodes.p[node].frame == frame;
}

static void
index_children(struct cr_folded_tree *f, uint32_t parent)
{
	for (uint32_t c1 = f->nodes.p[parent].child1; c1; c1 = f->nodes.p[c1 - 1].next1)
		cr_index_add(&f->children, cr_hash_mix(parent, f->nodes.p[c1 - 1].frame), c1 - 1);
	f->nodes.p[parent].mark = 1;
}

/* The child of a node that has so many that they are in the index. */
static uint32_t
indexed_child(struct cr_folded_tree *f, uint32_t parent, uint32_t frame)
{
	const uint64_t h = cr_hash_mix(parent, frame);
	uint32_t node;

	cr_index_each(&f->children, h, node)
		if (is_child(f, node, parent, frame))
			return node;
	node = node_add(f, parent, frame);
	cr_index_add(&f->children, h, node);
	return node;
}

/* The child of a node with this frame. Most nodes have few children, and new ones have none. */
static uint32_t
node_of(struct cr_folded_tree *f, uint32_t parent, uint32_t frame)
{
	uint32_t c1 = f->nodes.p[parent].child1, steps = 0;

	if (f->o->in_order)
		return node_add(f, parent, frame);
	if (f->nodes.p[parent].mark)
		return indexed_child(f, parent, frame);
	for (; c1; c1 = f->nodes.p[c1 - 1].next1, steps++)
		if (f->nodes.p[c1 - 1].frame == frame)
			return c1 - 1;
	if (steps >= CHILDREN_LISTED)
		index_children(f, parent);
	return f->nodes.p[parent].mark ? indexed_child(f, parent, frame)
				       : node_add(f, parent, frame);
}

struct cr_folded_tree *
cr_folded_tree_new(const struct cr_folded_tree_opts *o)
{
	struct cr_folded_tree *f = cr_alloc(1, sizeof(*f));

	f->o = o;
	cr_vec_push(&f->names, CR_STR("all"));
	node_add(f, 0, 0);
	return f;
}

/* ---- stacks */

/* An empty name is shown as a dash. */
static struct cr_str
shown(struct cr_str name)
{
	return name.len ? name : CR_STR("-");
}

#define AT_ONCE 32u /* frames looked up at a time, since each lookup waits for memory */

struct split {
	struct cr_str text;
	uint64_t hash;
	uint32_t row; /* that of the name, most likely */
};

/* The next frames of a stack: each step fetches ahead what the next one reads. */
static uint32_t
split_some(const struct cr_folded_tree *f, struct folded_frames *rest, struct split *out)
{
	uint32_t n = 0;

	for (; n < AT_ONCE && rest->more; n++) {
		const struct cr_str text = cr_folded_frames_next(rest), name = shown(text);

		out[n].text = text;
		out[n].hash = cr_hash(name.p, name.len);
		cr_index_prefetch(&f->index, out[n].hash);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = cr_index_first(&f->index, out[i].hash);

		out[i].row = cr_index_row(&f->index, &at, out[i].hash);
		if (out[i].row != CR_NO_ROW)
			__builtin_prefetch(&f->names.p[out[i].row]);
	}
	for (uint32_t i = 0; i < n; i++)
		if (out[i].row != CR_NO_ROW)
			__builtin_prefetch(f->names.p[out[i].row].p);
	return n;
}

/* The node of a stack. Frames that it shares with the last one are not looked up. */
static uint32_t
node_of_stack(struct cr_folded_tree *f, struct cr_str stack)
{
	const bool cut = cr_folded_frames_cut(&stack);
	const size_t shared = cut ? 0 : cr_folded_path_shared(&f->path, stack);
	const struct folded_step *from = shared ? &f->path.steps.p[shared - 1] : NULL;
	struct folded_frames rest = {.more = false};
	struct split some[AT_ONCE];
	uint32_t node = from ? from->node : 0, n;

	if (cut)
		node = node_of(f, 0, frame_of(f, TRUNCATED, cr_hash(TRUNCATED.p, TRUNCATED.len)));
	if (!from || from->end < stack.len)
		rest = cr_folded_frames_from(stack, from ? from->end + 1 : 0);
	f->path.steps.n = shared;
	f->path.last = stack;
	while ((n = split_some(f, &rest, some)))
		for (uint32_t i = 0; i < n; i++) {
			const struct cr_str text = some[i].text;

			node = node_of(f, node, frame_of(f, shown(text), some[i].hash));
			cr_vec_push(&f->path.steps,
				((struct folded_step){
					(uint32_t)(text.p + text.len - stack.p), node}));
		}
	if (cut)
		cr_folded_path_forget(&f->path);
	return node;
}

/* True if the stack has a frame of one of the names; the callers of its innermost are cut off. */
static bool
cut_to_base(const struct cr_folded_tree_opts *o, struct cr_str *stack)
{
	struct folded_frames rest = cr_folded_frames_from(*stack, 0);
	const char *start = NULL;

	while (rest.more) {
		const struct cr_str name = cr_folded_frames_next(&rest);

		for (size_t i = 0; i < o->n_base; i++)
			if (cr_str_eq(name, cr_str_of(o->base[i])))
				start = name.p;
	}
	if (start)
		*stack = cr_str_from(*stack, start);
	return start != NULL;
}

/* Reset and return a text that is neither that of the last stack nor the one used last. */
static struct cr_text *
next_text(struct cr_folded_tree *f)
{
	f->turn = (f->turn + 1) % CR_LEN(f->changed);
	cr_text_clear(&f->changed[f->turn]);
	return &f->changed[f->turn];
}

static struct cr_str
mark_wakers(struct cr_folded_tree *f, struct cr_str stack)
{
	struct folded_frames rest = cr_folded_frames_from(stack, 0);
	struct cr_text *t = next_text(f);
	bool wakes = false;

	while (rest.more) {
		const struct cr_str name = cr_folded_frames_next(&rest);
		const bool separates = cr_str_eq(name, CR_STR("--"));

		cr_text_put(t, name.p, name.len);
		if (wakes && !separates)
			cr_text_puts(t, "_[w]");
		cr_text_puts(t, rest.more ? ";" : "");
		wakes |= separates;
	}
	return cr_text_view(t);
}

static struct cr_str
reversed(struct cr_folded_tree *f, struct cr_str stack)
{
	struct cr_text *t = next_text(f);
	struct cr_str rest = stack;
	const char *semi;

	while (rest.len && (semi = memrchr(rest.p, ';', rest.len))) {
		cr_text_put(t, semi + 1, (size_t)(rest.p + rest.len - semi - 1));
		cr_text_char(t, ';');
		rest.len = (uint32_t)(semi - rest.p);
	}
	cr_text_put(t, rest.p, rest.len);
	return cr_text_view(t);
}

/* ---- lines */

/* From here on the tree has two sides; so far both are the same. */
static void
become_two(struct cr_folded_tree *f)
{
	for (size_t i = 0; i < f->nodes.n; i++)
		cr_vec_push(&f->after, f->nodes.p[i].weight);
	f->two = true;
}

/* From here on weights are millionths. */
static void
become_fractions(struct cr_folded_tree *f)
{
	for (size_t i = 0; i < f->nodes.n; i++)
		f->nodes.p[i].weight = cr_mul_sat(f->nodes.p[i].weight, FOLDED_FRACTION);
	for (size_t i = 0; i < f->after.n; i++)
		f->after.p[i] = cr_mul_sat(f->after.p[i], FOLDED_FRACTION);
	for (size_t i = 0; i < f->lead.n; i++)
		f->lead.p[i] = cr_mul_sat(f->lead.p[i], FOLDED_FRACTION);
	f->fractions = true;
}

static void
add_line(struct cr_folded_tree *f, const struct folded_line *l)
{
	const struct folded_count *last = &l->count[l->counts - 1];
	const struct folded_count *before = f->o->negate ? last : &l->count[0];
	const struct folded_count *after = f->o->negate ? &l->count[0] : last;
	struct cr_str stack = l->stack;
	struct cr_tree_node *node;
	uint32_t row;

	if (l->counts == 2 && !f->two)
		become_two(f);
	if (!f->fractions && (l->count[0].millionths || last->millionths))
		become_fractions(f);
	if (f->o->n_base && !cut_to_base(f->o, &stack))
		return;
	if (f->o->wakers)
		stack = mark_wakers(f, stack);
	if (f->o->reverse)
		stack = reversed(f, stack);
	row = node_of_stack(f, stack);
	node = &f->nodes.p[row];
	node->weight = cr_add_sat(node->weight, cr_folded_count(before, f->fractions));
	if (f->two)
		f->after.p[row] = cr_add_sat(f->after.p[row], cr_folded_count(after, f->fractions));
}

/* Most lines have one count, which the first of these functions reads faster. */
static enum folded_verdict
parse_line(struct cr_str text, struct folded_line *out)
{
	*out = (struct folded_line){.counts = 1};
	if (cr_folded_line_plain(text, &out->stack, &out->count[0].whole) &&
		(out->stack.p[out->stack.len - 1] < '0' || out->stack.p[out->stack.len - 1] > '9'))
		return FOLDED_OK;
	return cr_folded_line_parse(text, true, out);
}

struct cr_folded_lines
cr_folded_tree_read(
	struct cr_folded_tree *f, const void *p, size_t len, cr_folded_done *done, void *user)
{
	struct cr_folded_lines lines = {0};
	struct cr_scan scan;
	struct cr_str line;
	uint64_t dropped = 0;

	cr_scan_init(&scan, p, len);
	cr_folded_path_forget(&f->path);
	while (cr_scan_line(&scan, &line)) {
		struct folded_line l;
		const enum folded_verdict verdict = parse_line(line, &l);

		if (verdict == FOLDED_OK) {
			add_line(f, &l);
			lines.used++;
		} else if (verdict != FOLDED_SKIP && !lines.bad++) {
			lines.first_bad = scan.line;
		} else if (!f->has_header && cr_folded_header_is(line)) {
			f->has_header = cr_folded_header_parse(line, &f->header);
		}
		/* The last line is compared with the next one. */
		if (done && cr_scan_at(&scan) > dropped + CR_FOLDED_STEP + line.len) {
			done(user, dropped, dropped + CR_FOLDED_STEP);
			dropped += CR_FOLDED_STEP;
		}
	}
	return lines;
}

/* ---- the tree */

static struct cr_frame
frame_made(struct cr_str name)
{
	static const char *const dsos[CR_KINDS] = {
		[CR_KIND_KERNEL] = "[kernel]", [CR_KIND_JIT] = "[jit]"};
	struct folded_frame parsed;

	cr_folded_frame_parse(name, false, &parsed);
	return (struct cr_frame){.name = name,
		.dso = cr_str_of(dsos[parsed.kind]),
		.file = parsed.file,
		.line = parsed.line,
		.kind = (uint8_t)parsed.kind,
		.inlined = parsed.inlined};
}

static void
set_measure(struct cr_folded_tree *f, struct cr_tree *t)
{
	struct cr_measure m = {.summed = true};
	const struct cr_str event = cr_text_view(&f->header.event);
	const struct cr_str unit = cr_text_view(&f->header.unit);

	if (event.len)
		m.event = (struct cr_str){cr_arena_copy(&t->arena, event.p, event.len), event.len};
	if (unit.len)
		m.unit = (struct cr_str){cr_arena_copy(&t->arena, unit.p, unit.len), unit.len};
	if (f->fractions)
		m.unit = CR_STR("millionths");
	cr_tree_set_measure(t, m);
}

bool
cr_folded_tree_raise(struct cr_folded_tree *f, uint64_t total)
{
	const uint64_t whole = cr_mul_sat(total, f->fractions ? FOLDED_FRACTION : 1);
	uint64_t sum[2] = {0, 0};
	const uint64_t *wide = &sum[f->two && !f->o->negate];

	for (size_t i = 0; i < f->nodes.n; i++) {
		sum[0] = cr_add_sat(sum[0], f->nodes.p[i].weight);
		sum[1] = cr_add_sat(sum[1], f->two ? f->after.p[i] : 0);
	}
	if (whole < *wide)
		return false;
	f->nodes.p[0].weight = cr_add_sat(f->nodes.p[0].weight, whole - *wide);
	if (f->two)
		f->after.p[0] = cr_add_sat(f->after.p[0], whole - *wide);
	return true;
}

struct cr_tree *
cr_folded_tree_finish(struct cr_folded_tree *f, struct cr_tree_cut *cut)
{
	struct cr_frame *frames = cr_alloc(f->names.n, sizeof(*frames));
	struct cr_tree_nodes in = {.n = (uint32_t)f->nodes.n,
		.node = f->nodes.p,
		.after = f->two ? f->after.p : NULL,
		.lead = f->lead.p,
		.wide = f->two && !f->o->negate,
		.frames = frames,
		.sort_by = f->o->in_order ? NULL : f->names.p,
		.n_frames = (uint32_t)f->names.n};
	struct cr_tree *t;

	cr_index_fini(&f->children);
	frames[0] = (struct cr_frame){.name = f->names.p[0], .kind = CR_KIND_GROUP};
	for (size_t i = 1; i < f->names.n; i++)
		frames[i] = frame_made(f->names.p[i]);
	cr_tree_nodes_cut(&in, cut);
	in.node = f->nodes.p = cr_realloc(f->nodes.p, in.n, sizeof(*in.node));
	t = cr_tree_from_nodes(&in, &f->memory);
	set_measure(f, t);
	free(in.cut_off);
	free(frames);
	cr_folded_tree_free(f);
	return t;
}

void
cr_folded_tree_free(struct cr_folded_tree *f)
{
	if (!f)
		return;
	cr_arena_fini(&f->memory);
	cr_vec_fini(&f->names);
	cr_index_fini(&f->index);
	cr_vec_fini(&f->nodes);
	cr_vec_fini(&f->after);
	cr_vec_fini(&f->lead);
	cr_index_fini(&f->children);
	cr_vec_fini(&f->path.steps);
	for (size_t i = 0; i < CR_LEN(f->changed); i++)
		cr_text_fini(&f->changed[i]);
	cr_folded_header_fini(&f->header);
	free(f);
}
