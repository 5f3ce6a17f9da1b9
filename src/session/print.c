#include "print.h"

#include "state.h"

#include "cresset/profile/profile.h"
#include "cresset/view/label.h"

#include <string.h>

/* "  62.10 % of it: focus =main; invert", the query and how much it has left. */
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

/* "nginx  cycles:u  198 342 samples", and what it is zoomed to. */
static void
put_heading(const struct cr_session *s, struct cr_text *out)
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
		cr_text_puts(out, "  of which in ");
		cr_text_safe(out, t->frames[t->frame[s->zoom]].name);
		for (uint32_t side = 0; side < s->sides; side++) {
			cr_text_puts(out, side ? " -> " : ": ");
			cr_text_share(out, t->total[side][s->zoom], t->total[side][0]);
		}
	}
	cr_text_char(out, '\n');
}

/* ---- the flame graph, a line a row, frames from one '|' to the next */

/* Names of the field are ASCII mostly, but a cut one ends in a character of three bytes. */
static void
put_padded(struct cr_text *out, struct cr_str name, uint32_t cells)
{
	const uint32_t used = cr_label_fit(out, name, cells);

	cr_text_pad(out, ' ', cells - used);
}

static void
put_row(const struct cr_session *s, const struct cr_scene *scene, int32_t row, struct cr_text *out)
{
	const struct cr_tree *t = s->tree;
	const int32_t cells = scene->width / CR_CELL_UNITS;
	int32_t x = 0;

	for (uint32_t i = scene->row_first[row]; i < scene->row_first[row + 1]; i++) {
		const struct cr_box *b = &scene->boxes[i];
		const int32_t from = b->x0 / CR_CELL_UNITS, to = b->x1 / CR_CELL_UNITS;

		if (to <= x)
			continue;
		if (from > x) {
			cr_text_char(out, x ? '|' : ' ');
			cr_text_pad(out, ' ', (size_t)(from - x - 1));
		}
		cr_text_char(out, '|');
		if (b->flags & CR_BOX_GATHERED)
			cr_text_pad(out, '.', (size_t)(to - CR_MAX(from, x) - 1));
		else
			put_padded(out, t->frames[t->frame[b->node]].name,
				(uint32_t)(to - CR_MAX(from, x) - 1));
		x = to;
	}
	if (x < cells)
		cr_text_char(out, '|');
	while (out->len && out->p[out->len - 1] == ' ')
		out->p[--out->len] = '\0';
	cr_text_char(out, '\n');
}

void
cr_print_flame(struct cr_session *s, struct cr_text *out)
{
	const struct cr_scene *scene = cr_session_scene(s);

	put_heading(s, out);
	for (int32_t i = 0; i < scene->rows; i++)
		put_row(s, scene, s->root_up ? i : scene->rows - 1 - i, out);
}

/* ---- the table */

void
cr_print_functions(struct cr_session *s, struct cr_text *out)
{
	const struct cr_table *t = cr_session_table(s);
	const uint32_t cells = s->width > 0 ? (uint32_t)s->width : 0;

	put_heading(s, out);
	cr_table_head(t, cells, out);
	cr_text_char(out, '\n');
	for (uint32_t i = 0; i < t->n; i++) {
		cr_table_row(t, i, cells, out);
		cr_text_char(out, '\n');
	}
}

/* ---- the recording */

void
cr_print_recording(struct cr_session *s, struct cr_text *out)
{
	put_heading(s, out);
	for (uint32_t side = cr_session_is_within(s) ? 1 : 0; side < s->sides; side++) {
		const struct cr_profile *p = s->profile[side];

		cr_text_char(out, '\n');
		cr_text_safe(out, cr_str_of(s->title[cr_session_is_within(s) ? 0 : side]));
		cr_text_puts(out, "\n");
		cr_facts_main(p, 2, out);
		cr_text_puts(out, "  samples whose function has no name: ");
		cr_text_share(out, s->unresolved[side], s->unresolved_of[side]);
		cr_text_char(out, '\n');
		for (uint32_t i = 0; i < p->n_quality; i++) {
			cr_text_puts(out, "  ");
			cr_text_safe(out, p->quality[i].what);
			cr_text_puts(out, ": ");
			cr_text_grouped(out, p->quality[i].count);
			cr_text_char(out, '\n');
		}
	}
}

/* ---- all about one */

static void
put_line(struct cr_text *out, const char *key, struct cr_str value)
{
	if (!value.len)
		return;
	cr_text_printf(out, "%-9s ", key);
	cr_text_safe(out, value);
	cr_text_char(out, '\n');
}

static void
put_cost(const struct cr_tree *t, struct cr_text *out, const char *key, const uint64_t weight[],
	const uint64_t samples[], const uint64_t whole[])
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

static void
put_node(const struct cr_session *s, uint32_t node, struct cr_text *out)
{
	const struct cr_tree *t = s->tree;
	uint64_t total[CR_SIDES], self[CR_SIDES], whole[CR_SIDES], zoom[CR_SIDES];
	uint64_t total_samples[CR_SIDES], self_samples[CR_SIDES];

	for (uint32_t side = 0; side < s->sides; side++) {
		total[side] = t->total[side][node];
		self[side] = t->self[side][node];
		whole[side] = t->total[side][0];
		zoom[side] = t->total[side][s->zoom];
		total_samples[side] = t->total_samples[side][node];
		self_samples[side] = t->self_samples[side][node];
	}
	put_cost(t, out, "total", total, total_samples, whole);
	put_cost(t, out, "self", self, self_samples, whole);
	if (s->zoom && node >= s->zoom && node < t->end[s->zoom])
		put_cost(t, out, "of zoom", total, total_samples, zoom);
	for (const char *key = "called by"; node; key = "") {
		const struct cr_frame *f;

		node = t->parent[node];
		f = &t->frames[t->frame[node]];
		cr_text_printf(out, "%-9s ", key);
		cr_text_safe(out, f->name);
		cr_text_puts(out, f->inlined ? " (inlined)\n" : "\n");
	}
}

static void
put_function(const struct cr_session *s, struct cr_text *out)
{
	const struct cr_top_row *r = &s->top.rows[s->table.order[s->row]];
	const uint64_t whole[CR_SIDES] = {
		s->tree->total[0][0], s->sides == 2 ? s->tree->total[1][0] : 0};

	put_cost(s->tree, out, "total", r->total, r->total_samples, whole);
	put_cost(s->tree, out, "self", r->self, r->self_samples, whole);
}

void
cr_print_selected(struct cr_session *s, struct cr_text *out)
{
	const struct cr_frame *f = &s->tree->frames[cr_session_frame(s)];

	cr_text_puts(out, "name      ");
	cr_text_safe(out, f->name);
	cr_text_puts(out, cr_session_inlined(s) ? " (inlined)\n" : "\n");
	put_line(out, "linkage", f->linkage);
	put_line(out, "object", f->object);
	if (f->file.len) {
		cr_text_puts(out, "source    ");
		cr_text_safe(out, f->file);
		if (f->line)
			cr_text_printf(out, ":%u", f->line);
		cr_text_char(out, '\n');
	}
	if (s->view == CR_VIEW_FUNCTIONS && s->row < s->table.n)
		put_function(s, out);
	else
		put_node(s, s->selected, out);
}
