#include "view/scene/flame.h"

#include "base/vec.h"
#include "base/wide.h"

/* A node whose children are not laid out yet, and its start on the scale of weights. */
struct place {
	uint32_t node;
	uint64_t at;
};

typedef CR_VEC(struct place) place_vec;

struct flame {
	const struct cr_tree *t;
	const struct cr_flame_opts *o;
	const uint64_t *extent; /* by node */
	uint64_t whole;         /* extent of the zoomed node, which the width stands for */
	uint64_t width;
	uint64_t min_width;
	int32_t row; /* current row */
	CR_VEC(struct cr_box) boxes;
	CR_VEC(uint32_t) row_first;
	place_vec above, below; /* nodes of the previous row and of the current one */
};

/* Neighbours in a row that are too narrow to draw. */
struct run {
	uint32_t node, end, count;
	uint64_t at, extent;
};

static int32_t
flame_x(const struct flame *f, uint64_t at)
{
	if (f->whole == 0)
		return 0;
	return (int32_t)cr_mul_div_sat(at, f->width, f->whole, CR_ROUND_NEAREST);
}

/* Uses the exact width; the rounded one depends on the position. */
static bool
flame_shows(const struct flame *f, uint64_t extent)
{
	return extent > 0 &&
	       !cr_wide_less(cr_wide_mul(extent, f->width), cr_wide_mul(f->whole, f->min_width));
}

static bool
flame_hit(const struct flame *f, uint32_t node, uint32_t end)
{
	if (!f->o->hit)
		return false;
	for (uint32_t n = node; n < end; n++)
		if (f->o->hit[f->t->frame[n]])
			return true;
	return false;
}

static bool
flame_row_is_wanted(const struct flame *f)
{
	return f->row >= f->o->first_row;
}

static void
flame_ancestor(struct flame *f, uint32_t node)
{
	struct cr_box b = {.node = node,
		.node_end = f->t->end[node],
		.count = 1,
		.x1 = (int32_t)f->width,
		.row = f->row,
		.flags = node == f->o->zoom ? 0 : CR_BOX_ANCESTOR};

	if (!flame_row_is_wanted(f))
		return;
	if (flame_hit(f, node, node + 1))
		b.flags |= CR_BOX_HIT;
	cr_vec_push(&f->boxes, b);
}

static void
flame_box(struct flame *f, uint32_t node, uint64_t at, uint64_t extent)
{
	struct cr_box b = {.node = node,
		.node_end = f->t->end[node],
		.count = 1,
		.x0 = flame_x(f, at),
		.x1 = flame_x(f, at + extent),
		.row = f->row};

	cr_vec_push(&f->below, ((struct place){node, at}));
	if (!flame_row_is_wanted(f))
		return;
	if (flame_hit(f, node, node + 1))
		b.flags |= CR_BOX_HIT;
	cr_vec_push(&f->boxes, b);
}

/* Draw the combined box if it is wide enough, and start again. */
static void
flame_run_ends(struct flame *f, struct run *r)
{
	if (flame_shows(f, r->extent) && flame_row_is_wanted(f)) {
		struct cr_box b = {.node = r->node,
			.node_end = r->end,
			.count = r->count,
			.x0 = flame_x(f, r->at),
			.x1 = flame_x(f, r->at + r->extent),
			.row = f->row,
			.flags = CR_BOX_GATHERED};

		if (flame_hit(f, r->node, r->end))
			b.flags |= CR_BOX_HIT;
		cr_vec_push(&f->boxes, b);
	}
	*r = (struct run){0};
}

static void
flame_children(struct flame *f, const struct place *p)
{
	const struct cr_tree *t = f->t;
	const uint64_t stop = cr_add_sat(p->at, f->extent[p->node]);
	uint64_t next = p->at; /* where c begins if nothing is left of it but its siblings */
	struct run run = {0};

	for (uint32_t c = p->node + 1; c < t->end[p->node]; c = t->end[c]) {
		const uint64_t lead = f->o->lead ? f->o->lead[c] : 0;
		/* Capped sums may exceed the parent's extent. */
		const uint64_t at = CR_MIN(cr_add_sat(next, lead), stop);
		const uint64_t extent = CR_MIN(f->extent[c], stop - at);

		if (run.count && flame_shows(f, at - run.at - run.extent))
			flame_run_ends(f, &run);

		if (flame_shows(f, extent)) {
			flame_run_ends(f, &run);
			flame_box(f, c, at, extent);
		} else {
			if (run.count == 0) {
				/* All remaining ones together are too narrow. */
				if (!flame_shows(f, stop - at))
					break;
				run.node = c;
				run.at = at;
			}
			run.count++;
			run.end = t->end[c];
			run.extent = at + extent - run.at;
		}
		next = cr_add_sat(next, f->extent[c]);
	}
	flame_run_ends(f, &run);
}

/* The rows above the zoomed node: one box over the full width each. */
static void
flame_ancestors(struct flame *f)
{
	const uint32_t zoom = f->o->zoom;
	CR_VEC(uint32_t) path = {0};
	int32_t depth;

	for (uint32_t n = zoom;; n = f->t->parent[n]) {
		cr_vec_push(&path, n);
		if (n == 0)
			break;
	}
	depth = (int32_t)path.n - 1; /* t->depth is capped */
	for (f->row = 0; f->row <= depth; f->row++) {
		cr_vec_push(&f->row_first, (uint32_t)f->boxes.n);
		flame_ancestor(f, path.p[depth - f->row]);
	}
	cr_vec_fini(&path);
	cr_vec_push(&f->below, ((struct place){zoom, 0}));
}

/* Row by row, so that boxes are in the scene's order. */
static void
flame_rows(struct flame *f, int32_t end_row)
{
	for (; f->below.n && f->row < end_row; f->row++) {
		place_vec done = f->above;

		f->above = f->below;
		f->below = done;
		f->below.n = 0;
		cr_vec_push(&f->row_first, (uint32_t)f->boxes.n);
		for (size_t i = 0; i < f->above.n; i++)
			flame_children(f, &f->above.p[i]);
	}
}

static int32_t
flame_end_row(const struct cr_flame_opts *o)
{
	const int64_t end = (int64_t)CR_MAX(o->first_row, 0) + o->max_rows;

	return o->max_rows > 0 && end < INT32_MAX ? (int32_t)end : INT32_MAX;
}

void
cr_flame_layout(const struct cr_tree *t, const struct cr_flame_opts *o, struct cr_scene *out)
{
	const int32_t end_row = flame_end_row(o);
	struct flame f = {.t = t,
		.o = o,
		.extent = o->widths ? o->widths : t->extent,
		.width = (uint64_t)CR_MAX(o->width, 0),
		.min_width = (uint64_t)CR_MAX(o->min_width, 1)};
	int32_t rows;

	f.whole = f.extent[o->zoom];
	flame_ancestors(&f);
	flame_rows(&f, end_row);
	/* The zoomed node is below the visible rows. */
	while (f.boxes.n && f.boxes.p[f.boxes.n - 1].row >= end_row)
		f.boxes.n--;
	rows = f.boxes.n ? f.boxes.p[f.boxes.n - 1].row + 1 : 0;
	cr_vec_reserve(&f.row_first, (uint64_t)rows + 1);
	f.row_first.p[rows] = (uint32_t)f.boxes.n;
	*out = (struct cr_scene){.boxes = f.boxes.p,
		.n = (uint32_t)f.boxes.n,
		.width = (int32_t)f.width,
		.rows = rows,
		.row_first = f.row_first.p};
	cr_vec_fini(&f.above);
	cr_vec_fini(&f.below);
}
