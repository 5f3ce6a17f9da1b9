#include "selection_set_p.h"

#include "base/hash.h"
#include "base/vec.h"
#include "session/views/view.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- names */

/* Stores each name once, so that selections and their copies in the history own none. */
struct cr_selection_names {
	struct cr_arena arena;
	CR_VEC(struct cr_str) all;
	struct cr_index index;
};

struct cr_selection_names *
cr_selection_names_new(void)
{
	return cr_alloc(1, sizeof(struct cr_selection_names));
}

void
cr_selection_names_free(struct cr_selection_names *names)
{
	if (!names)
		return;
	cr_index_fini(&names->index);
	cr_vec_fini(&names->all);
	cr_arena_fini(&names->arena);
	free(names);
}

static struct cr_str
keep_name(struct cr_session *s, struct cr_str name)
{
	struct cr_selection_names *names = s->names;
	const uint64_t h = cr_hash(name.p, name.len);
	uint32_t row;

	if (!name.len)
		return (struct cr_str){0};
	cr_index_each(&names->index, h, row)
		if (cr_str_eq(names->all.p[row], name))
			return names->all.p[row];
	cr_index_add(&names->index, h, (uint32_t)names->all.n);
	cr_vec_push(&names->all,
		((struct cr_str){cr_arena_copy(&names->arena, name.p, name.len), name.len}));
	return names->all.p[names->all.n - 1];
}

/* ---- what changed */

/* The parts in which two selections differ. */
static unsigned
parts_changed(const struct cr_selection *a, const struct cr_selection *b)
{
	unsigned changed = a->parts ^ b->parts;

	if (a->node != b->node)
		changed |= CR_SELECTED_NODE;
	if (!cr_str_eq(a->function, b->function))
		changed |= CR_SELECTED_FUNCTION;
	if (!cr_str_eq(a->dso, b->dso))
		changed |= CR_SELECTED_DSO;
	if (!cr_str_eq(a->file, b->file) || a->line != b->line)
		changed |= CR_SELECTED_LINE;
	if (a->pid != b->pid || a->tid != b->tid)
		changed |= CR_SELECTED_THREAD;
	if (a->from_ns != b->from_ns || a->to_ns != b->to_ns)
		changed |= CR_SELECTED_TIME;
	if (!cr_str_eq(a->profile, b->profile))
		changed |= CR_SELECTED_PROFILE;
	return changed;
}

bool
cr_selection_same(const struct cr_selection *a, const struct cr_selection *b)
{
	return parts_changed(a, b) == 0;
}

/* Zero the fields of the parts that are not set, so that selections can be compared. */
static void
clear_unset(struct cr_selection *n)
{
	const struct cr_selection zero = {0};

	if (!(n->parts & CR_SELECTED_FUNCTION))
		n->function = zero.function;
	if (!(n->parts & CR_SELECTED_DSO))
		n->dso = zero.dso;
	if (!(n->parts & CR_SELECTED_LINE))
		n->file = zero.file, n->line = 0;
	if (!(n->parts & CR_SELECTED_THREAD))
		n->pid = n->tid = 0;
	if (!(n->parts & CR_SELECTED_TIME))
		n->from_ns = n->to_ns = 0;
	if (!(n->parts & CR_SELECTED_PROFILE))
		n->profile = zero.profile;
}

static void
change(struct cr_session *s, struct cr_selection *to)
{
	unsigned changed;

	clear_unset(to);
	changed = parts_changed(&s->selection, to);
	s->selection = *to;
	for (uint32_t i = 0; changed && cr_view_ops_at(i); i++)
		if (cr_view_ops_at(i)->selected)
			cr_view_ops_at(i)->selected(&s->views[i], s, changed);
}

/* ---- texts */

/* Exact: "5.25s". */
static void
put_seconds(uint64_t ns, struct cr_text *out)
{
	cr_text_printf(out, "%" PRIu64, ns / 1000000000);
	if (ns % 1000000000)
		cr_text_printf(out, ".%09" PRIu64, ns % 1000000000);
	while (ns % 1000000000 && out->p[out->len - 1] == '0')
		out->p[--out->len] = '\0';
	cr_text_char(out, 's');
}

void
cr_selection_put_time(const struct cr_selection *selection, struct cr_text *out)
{
	if (!(selection->parts & CR_SELECTED_TIME))
		return;
	put_seconds(selection->from_ns, out);
	cr_text_puts(out, "..");
	if (selection->to_ns != UINT64_MAX)
		put_seconds(selection->to_ns, out);
}

/* ---- parts */

uint32_t
cr_session_widest(const struct cr_session *s, uint32_t root,
	bool (*match)(const struct cr_session *s, uint32_t frame, uint32_t arg), uint32_t arg)
{
	const struct cr_tree *t = s->tree;
	uint8_t *hit = cr_alloc(CR_MAX(t->n_frames, 1u), 1); /* there are more nodes than frames */
	uint32_t best = CR_NO_ROW;

	for (uint32_t f = 0; f < t->n_frames; f++)
		hit[f] = match(s, f, arg);
	for (uint32_t i = root; i < t->end[root]; i++)
		if (hit[t->frame[i]] && (best == CR_NO_ROW || t->extent[i] > t->extent[best]))
			best = i;
	free(hit);
	return best;
}

static bool
frame_is_searched(const struct cr_session *s, uint32_t frame, uint32_t unused)
{
	(void)unused;
	return s->search.hit[frame] &&
	       cr_str_eq(s->tree->frames[frame].name, cr_str_of(s->pattern));
}

static bool
frame_is_hit(const struct cr_session *s, uint32_t frame, uint32_t unused)
{
	(void)unused;
	return s->search.hit[frame];
}

uint32_t
cr_session_node_searched(const struct cr_session *s)
{
	return s->search.hit && s->pattern ? cr_session_widest(s, s->zoom, frame_is_searched, 0)
					   : CR_NO_ROW;
}

void
cr_session_find_best(struct cr_view *v, struct cr_session *s)
{
	uint32_t node = cr_session_node_searched(s);

	(void)v;
	if (node == CR_NO_ROW)
		node = cr_session_widest(s, s->zoom, frame_is_hit, 0);
	if (node != CR_NO_ROW)
		cr_session_select_node(s, node);
}

static void
put_node(struct cr_session *s, uint32_t node, struct cr_selection *to)
{
	const struct cr_frame *f = &s->tree->frames[s->tree->frame[node]];
	const struct cr_str was = to->function;

	to->node = node;
	to->parts |= CR_SELECTED_NODE | CR_SELECTED_FUNCTION | CR_SELECTED_DSO;
	to->function = keep_name(s, f->name);
	to->dso = keep_name(s, f->dso);
	if (cr_frame_is_group(f))
		to->parts &= ~(unsigned)(CR_SELECTED_FUNCTION | CR_SELECTED_DSO);
	if (!f->dso.len)
		to->parts &= ~(unsigned)CR_SELECTED_DSO;
	if (cr_frame_is_group(f) || !cr_str_eq(was, to->function))
		to->parts &= ~(unsigned)CR_SELECTED_LINE;
}

void
cr_session_select_node(struct cr_session *s, uint32_t node)
{
	struct cr_selection to = s->selection;

	put_node(s, node, &to);
	change(s, &to);
}

static bool
is_alike(const struct cr_session *s, uint32_t frame, uint32_t like)
{
	const struct cr_frame *a = &s->tree->frames[frame], *b = &s->tree->frames[like];

	return !cr_frame_is_group(a) && cr_str_eq(a->name, b->name) && cr_str_eq(a->dso, b->dso);
}

static bool
is_of_dso(const struct cr_session *s, uint32_t frame, uint32_t like)
{
	return cr_str_eq(s->tree->frames[frame].dso, s->tree->frames[like].dso);
}

static uint32_t
widest_near(const struct cr_session *s,
	bool (*match)(const struct cr_session *s, uint32_t frame, uint32_t arg), uint32_t arg)
{
	const uint32_t node = cr_session_widest(s, s->zoom, match, arg);

	return node != CR_NO_ROW ? node : cr_session_widest(s, 0, match, arg);
}

bool
cr_session_select_function(struct cr_session *s, struct cr_str name, struct cr_str dso)
{
	const struct cr_tree *t = s->tree;

	for (uint32_t f = 0; f < t->n_frames; f++) {
		uint32_t node;

		if (!cr_str_eq(t->frames[f].name, name) ||
			(dso.len && !cr_str_eq(t->frames[f].dso, dso)))
			continue;
		if ((node = widest_near(s, is_alike, f)) == CR_NO_ROW)
			continue;
		cr_session_select_node(s, node);
		return true;
	}
	return false;
}

void
cr_session_select_dso(struct cr_session *s, struct cr_str dso)
{
	const struct cr_tree *t = s->tree;
	struct cr_selection to = s->selection;
	uint32_t node = CR_NO_ROW;

	for (uint32_t f = 0; f < t->n_frames && node == CR_NO_ROW; f++)
		if (cr_str_eq(t->frames[f].dso, dso))
			node = widest_near(s, is_of_dso, f);
	if (node != CR_NO_ROW && !cr_str_eq(t->frames[t->frame[to.node]].dso, dso))
		put_node(s, node, &to);
	to.parts |= CR_SELECTED_DSO;
	to.dso = keep_name(s, dso);
	change(s, &to);
}

/* A copy of the selection that also has this part, whose fields the caller sets. */
static struct cr_selection
with_part(const struct cr_session *s, enum cr_selected part)
{
	struct cr_selection to = s->selection;

	to.parts |= part;
	return to;
}

void
cr_session_select_line(struct cr_session *s, struct cr_str file, uint32_t line)
{
	struct cr_selection to = with_part(s, CR_SELECTED_LINE);

	to.file = keep_name(s, file);
	to.line = line;
	change(s, &to);
}

void
cr_session_select_thread(struct cr_session *s, int32_t pid, int32_t tid)
{
	struct cr_selection to = with_part(s, CR_SELECTED_THREAD);

	to.pid = pid;
	to.tid = tid;
	change(s, &to);
}

void
cr_session_select_time(struct cr_session *s, uint64_t from_ns, uint64_t to_ns)
{
	struct cr_selection to = with_part(s, CR_SELECTED_TIME);

	to.from_ns = from_ns;
	to.to_ns = to_ns;
	change(s, &to);
}

void
cr_session_select_profile(struct cr_session *s, struct cr_str name)
{
	struct cr_selection to = with_part(s, CR_SELECTED_PROFILE);

	to.profile = keep_name(s, name);
	change(s, &to);
}

void
cr_session_select_row(struct cr_session *s, const struct cr_row_ref *row)
{
	switch (row->kind) {
	case CR_ROW_FRAME: {
		const struct cr_frame *f = &s->tree->frames[row->id];

		if (!cr_session_select_function(s, f->name, f->dso) && f->dso.len)
			cr_session_select_dso(s, f->dso);
		return;
	}
	case CR_ROW_NODE: cr_session_select_node(s, row->id); return;
	case CR_ROW_THREAD:
		cr_session_select_thread(s, (int32_t)row->other, (int32_t)row->id);
		return;
	case CR_ROW_RANGE: cr_session_select_time(s, row->from, row->to); return;
	case CR_ROW_LINE: cr_session_select_line(s, row->name, row->id); return;
	default: return;
	}
}

void
cr_session_unselect(struct cr_session *s, unsigned parts)
{
	struct cr_selection to = s->selection;

	if (parts & CR_SELECTED_NODE)
		put_node(s, 0, &to);
	to.parts &= ~(parts & ~(unsigned)CR_SELECTED_NODE);
	change(s, &to);
}

void
cr_session_select_again(struct cr_session *s, const struct cr_selection *earlier)
{
	struct cr_selection to = *earlier;

	change(s, &to);
}
