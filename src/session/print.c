#include "print_p.h"

#include "session_p.h"

#include "base/hash.h"
#include "base/vec.h"
#include "model/profile.h"
#include "session/views/view.h"
#include "store/store.h"
#include "view/listing/doctor.h"
#include "view/style/label.h"

#include <stdlib.h>
#include <string.h>

/* "  62.10 % of it: focus =main; invert": the query, and the share that it has left. */
static void
put_query(const struct cr_session *s, struct cr_text *out)
{
	struct cr_text kept = {0};

	if (!s->query.n)
		return;
	cr_label_kept(&kept, s->tree, " -> ");
	cr_text_puts(out, "  ");
	if (kept.len)
		cr_text_printf(out, "%s of it: ", kept.p);
	cr_query_print(&s->query, out);
	cr_text_fini(&kept);
}

/* "nginx  cycles:u  198 342 samples", and the zoomed function. */
void
cr_print_heading(const struct cr_session *s, struct cr_text *out)
{
	const struct cr_tree *t = s->tree;

	cr_text_safe(out, cr_str_of(s->title[0]));
	if (*s->title[1]) {
		cr_text_puts(out, " -> ");
		cr_text_safe(out, cr_str_of(s->title[1]));
	}
	cr_text_puts(out, "  ");
	cr_label_event(out, t, " -> ");
	cr_text_puts(out, "  ");
	cr_label_costs(out, t, " -> ");
	put_query(s, out);
	if (s->zoom) {
		cr_text_puts(out, "  zoomed into ");
		cr_text_safe(out, t->frames[t->frame[s->zoom]].name);
		for (uint32_t side = 0; side < s->sides; side++) {
			cr_text_puts(out, side ? " -> " : ": ");
			cr_text_share(out, t->total[side][s->zoom], cr_tree_whole(t, side));
		}
	}
	cr_text_char(out, '\n');
}

/* ---- the recording */

/* The page of `cresset doctor`. Reads all of a stored profile. */
static void
put_doctor(struct cr_profile *p, const char *title, cr_event_id event, struct cr_text *out)
{
	struct cr_doctor_page page;
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};

	if (cr_store_fetch(p, CR_STORE_ALL, &log, &err) < 0) {
		cr_text_printf(out, "%s\n", err.text);
		return;
	}
	cr_doctor_make(p, title, event, &page);
	cr_text_str(out, cr_text_view(&page.text));
	cr_doctor_fini(&page);
}

static void
put_counts(const struct cr_profile *p, struct cr_text *out)
{
	for (uint32_t i = 0; i < p->n_quality; i++) {
		cr_text_puts(out, "  ");
		cr_text_safe(out, p->quality[i].what);
		cr_text_puts(out, ": ");
		cr_text_grouped(out, p->quality[i].count);
		cr_text_char(out, '\n');
	}
}

void
cr_print_profile(struct cr_profile *p, const char *title, cr_event_id event, struct cr_text *out)
{
	put_doctor(p, title, event, out);
	if (p->n_quality) {
		cr_text_puts(out, "\nMissing or uncertain:\n");
		put_counts(p, out);
	}
	cr_text_puts(out, "\nRecorded:\n");
	cr_facts_main(p, 2, out);
}

void
cr_print_recording(struct cr_session *s, struct cr_text *out)
{
	const uint32_t first = cr_state_is_within(s) ? 1 : 0;

	if (s->is_empty) {
		cr_text_puts(out, "no profile is open\n");
		return;
	}
	cr_print_heading(s, out);
	for (uint32_t side = first; side < s->sides; side++) {
		const char *title = s->title[first ? 0 : side];

		cr_text_char(out, '\n');
		if (s->sides > 1 && !first) {
			cr_text_puts(out, side ? "AFTER: " : "BEFORE: ");
			cr_text_safe(out, cr_str_of(title));
			cr_text_char(out, '\n');
		}
		cr_text_puts(out, "samples whose function has no name: ");
		cr_text_share(out, s->unresolved[side], s->unresolved_of[side]);
		cr_text_puts(out, "\n\n");
		cr_print_profile(s->profile[side], title, cr_session_event_of(s, side), out);
	}
}

/* ---- the selection */

static void
put_line(struct cr_text *out, const char *key, struct cr_str value)
{
	if (!value.len)
		return;
	cr_text_printf(out, "%-9s ", key);
	cr_text_safe(out, value);
	cr_text_char(out, '\n');
}

void
cr_print_cost(const struct cr_tree *t, struct cr_text *out, const char *key,
	const uint64_t weight[], const uint64_t samples[], const uint64_t whole[])
{
	cr_text_printf(out, "%-9s ", key);
	for (uint32_t side = 0; side < t->sides; side++) {
		if (side)
			cr_text_puts(out, "  ->  ");
		cr_text_share(out, weight[side], whole[side]);
		cr_text_puts(out, "  ");
		cr_label_cost(out, t, side, weight[side], samples[side]);
	}
	cr_text_char(out, '\n');
}

/* ---- callers */

#define CALLERS_MOST 20u
/* A caller of the selection, and its part of the cost. */
struct caller {
	uint32_t frame; /* CR_CALLERS_OUTERMOST: nothing recorded calls it */
	uint64_t weight[CR_SIDES];
};

void
cr_callers_init(const struct cr_session *s, struct cr_callers *c)
{
	c->s = s;
	for (uint32_t side = 0; side < CR_SIDES; side++)
		c->weight[side] = cr_alloc((uint64_t)s->tree->n_frames + 1, sizeof(**c->weight));
}

void
cr_callers_add(
	struct cr_callers *c, uint32_t frame, const uint64_t *const weight[CR_SIDES], uint32_t node)
{
	const uint32_t at = CR_MIN(frame, c->s->tree->n_frames);

	for (uint32_t side = 0; side < c->s->sides; side++)
		c->weight[side][at] = cr_add_sat(c->weight[side][at], weight[side][node]);
}

static int
by_weight(const void *x, const void *y, void *side)
{
	const struct caller *a = x, *b = y;
	const uint32_t last = *(const uint32_t *)side;

	if (a->weight[last] != b->weight[last])
		return a->weight[last] < b->weight[last] ? 1 : -1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

static void
put_caller(const struct cr_callers *c, const struct caller *caller, const uint64_t whole[],
	struct cr_text *out)
{
	const struct cr_frame *f =
		caller->frame == CR_CALLERS_OUTERMOST ? NULL : &c->s->tree->frames[caller->frame];

	for (uint32_t side = 0; side < c->s->sides; side++) {
		struct cr_text share = {0};

		cr_text_puts(out, side ? "  ->  " : "");
		cr_text_share(&share, caller->weight[side], whole[side]);
		cr_text_pad(out, ' ', share.len < 8 ? 8 - share.len : 0);
		cr_text_str(out, cr_text_view(&share));
		cr_text_fini(&share);
	}
	cr_text_puts(out, "  ");
	cr_text_safe(out, f ? f->name : CR_STR("(no caller)"));
	cr_text_puts(out, f && f->inlined ? " (inlined)\n" : "\n");
}

/* "called by  60.00 %  main", costliest first. whole: cost of the called function. */
void
cr_callers_put(struct cr_callers *c, const uint64_t whole[], struct cr_text *out)
{
	const uint32_t n = c->s->tree->n_frames;
	uint32_t last = c->s->sides - 1;
	CR_VEC(struct caller) all = {0};

	for (uint32_t f = 0; f <= n; f++)
		if (c->weight[0][f] || c->weight[1][f])
			cr_vec_push(&all, ((struct caller){f < n ? f : CR_CALLERS_OUTERMOST,
						  {c->weight[0][f], c->weight[1][f]}}));
	if (all.n)
		qsort_r(all.p, all.n, sizeof(*all.p), by_weight, &last);
	for (size_t i = 0; i < all.n && i < CALLERS_MOST; i++) {
		cr_text_printf(out, "%-9s ", i ? "" : "called by");
		put_caller(c, &all.p[i], whole, out);
	}
	if (all.n > CALLERS_MOST)
		cr_text_printf(out, "%-9s and %zu more\n", "", all.n - CALLERS_MOST);
	cr_vec_fini(&all);
	for (uint32_t side = 0; side < CR_SIDES; side++)
		free(c->weight[side]);
}

/* ---- a node */

static void
put_frame(struct cr_text *out, const char *key, const struct cr_frame *f)
{
	cr_text_printf(out, "%-9s ", key);
	cr_text_safe(out, f->name);
	cr_text_puts(out, f->inlined ? " (inlined)\n" : "\n");
}

/* The callers of the node: each has one caller. */
static void
put_stack(const struct cr_session *s, uint32_t node, struct cr_text *out)
{
	const struct cr_tree *t = s->tree;

	for (const char *key = "called by"; node; key = "") {
		node = t->parent[node];
		put_frame(out, key, &t->frames[t->frame[node]]);
	}
}

/* With leaves first, its callees are above it and its callers below. */
static void
put_stack_of_leaves(const struct cr_session *s, uint32_t node, struct cr_text *out)
{
	const struct cr_tree *t = s->tree;
	const uint64_t whole[CR_SIDES] = {t->total[0][node], s->sides == 2 ? t->total[1][node] : 0};
	uint8_t *above = cr_tree_above(t);
	const char *key = "calls";
	bool in_groups = false;
	struct cr_callers c;

	for (uint32_t n = node; n; key = "") {
		n = t->parent[n];
		if (above[n] && !in_groups)
			key = "in";
		in_groups = above[n];
		put_frame(out, key, &t->frames[t->frame[n]]);
	}
	cr_callers_init(s, &c);
	for (uint32_t n = node + 1; !above[node] && n < t->end[node]; n = t->end[n])
		cr_callers_add(&c, t->frame[n], t->total, n);
	if (!above[node])
		cr_callers_add(&c, CR_CALLERS_OUTERMOST, t->weight, node);
	cr_callers_put(&c, whole, out);
	free(above);
}

static void
put_node(const struct cr_session *s, uint32_t node, struct cr_text *out)
{
	const struct cr_tree *t = s->tree;
	const bool of_zoom =
		cr_view_whole(s) == CR_WHOLE_ZOOM && node >= s->zoom && node < t->end[s->zoom];
	uint64_t total[CR_SIDES], self[CR_SIDES], whole[CR_SIDES], zoom[CR_SIDES];
	uint64_t total_samples[CR_SIDES], self_samples[CR_SIDES];

	for (uint32_t side = 0; side < s->sides; side++) {
		total[side] = t->total[side][node];
		self[side] = t->self[side][node];
		whole[side] = cr_tree_whole(t, side);
		zoom[side] = t->total[side][s->zoom];
		total_samples[side] = t->total_samples[side][node];
		self_samples[side] = t->self_samples[side][node];
	}
	cr_print_cost(t, out, "total", total, total_samples, of_zoom ? zoom : whole);
	cr_print_cost(t, out, "self", self, self_samples, of_zoom ? zoom : whole);
	if (of_zoom)
		cr_print_cost(t, out, "of all", total, total_samples, whole);
	if (t->leaves_first)
		put_stack_of_leaves(s, node, out);
	else
		put_stack(s, node, out);
}

/* The parts of the selection that are independent of the frame. */
static void
put_parts(const struct cr_selection *n, struct cr_text *out)
{
	struct cr_text time = {0};

	if (n->parts & CR_SELECTED_LINE) {
		cr_text_puts(out, "line      ");
		cr_text_safe(out, n->file);
		cr_text_printf(out, ":%u\n", n->line);
	}
	if (n->parts & CR_SELECTED_THREAD && n->pid >= 0)
		cr_text_printf(out, "thread    %d of process %d\n", n->tid, n->pid);
	else if (n->parts & CR_SELECTED_THREAD)
		cr_text_printf(out, "thread    %d\n", n->tid);
	cr_selection_put_time(n, &time);
	put_line(out, "marked", cr_text_view(&time));
	cr_text_fini(&time);
}

void
cr_print_selected(struct cr_session *s, struct cr_text *out)
{
	const struct cr_frame *f = &s->tree->frames[cr_view_frame(s)];
	struct cr_view *v = cr_view_current(s);

	cr_text_puts(out, "name      ");
	cr_text_safe(out, f->name);
	cr_text_puts(out, cr_view_inlined(s) ? " (inlined)\n" : "\n");
	put_line(out, "linkage", f->linkage);
	put_line(out, "dso", f->dso);
	if (f->file.len) {
		cr_text_puts(out, "source    ");
		cr_text_safe(out, f->file);
		if (f->line)
			cr_text_printf(out, ":%u", f->line);
		cr_text_char(out, '\n');
	}
	if (!v->ops->print_selected || !v->ops->print_selected(v, s, out))
		put_node(s, s->selection.node, out);
	put_parts(&s->selection, out);
}
