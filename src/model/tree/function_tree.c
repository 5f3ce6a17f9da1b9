#include "function_tree_p.h"

#include "stack_rows_p.h"

#include <stdlib.h>

/* Names for the order of siblings. */
struct names {
	const struct cr_profile *p;
	/*
	 * By dso: what a function without a name is called; NULL until it is asked for, as most
	 * dsos of a recording have no samples.
	 */
	struct cr_str *nameless;
	struct cr_arena *arena;
};

static void
names_init(struct names *names, const struct cr_profile *p, struct cr_arena *arena)
{
	*names = (struct names){.p = p, .arena = arena};
	names->nameless = cr_alloc(CR_MAX(p->n_dsos, 1u), sizeof(*names->nameless));
}

static struct cr_str
nameless_of(const struct names *names, uint32_t dso)
{
	struct cr_str *name = &names->nameless[dso];

	if (!name->p)
		*name = cr_path_sums_frame_nameless(names->p, dso, names->arena).name;
	return *name;
}

static struct cr_frame
frame_of(const struct names *names, uint32_t function)
{
	const struct cr_function *f = &names->p->functions[function];

	return (struct cr_frame){.name = f->name.len ? f->name : nameless_of(names, f->dso.i),
		.dso = f->dso.i ? names->p->dsos[f->dso.i].name : (struct cr_str){"", 0},
		.line = f->line,
		.inlined = f->addr == CR_ADDR_INLINED};
}

static int
by_name(const void *user, uint32_t a, uint32_t b)
{
	const struct cr_frame f = frame_of(user, a), g = frame_of(user, b);
	const int c = cr_frame_cmp(&f, &g);

	return c ? c : (a > b) - (a < b);
}

/* By location: its functions are run[first[location]] up to run[first[location + 1]]. */
static void
functions_of_locations(const struct cr_profile *p, uint32_t **first_out, uint32_t **run_out)
{
	uint32_t *first = cr_alloc((uint64_t)p->n_locations + 1, sizeof(*first)), *run, n = 0;

	for (uint32_t i = 0; i < p->n_locations; i++)
		first[i + 1] = first[i] + p->locations[i].lines;
	run = cr_alloc(first[p->n_locations], sizeof(*run));
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		for (uint32_t k = l->first_line + l->lines; k-- > l->first_line;)
			run[n++] = p->lines[k].function.i;
	}
	*first_out = first;
	*run_out = run;
}

/* ---- comms */

static int
comms_by_extent(const void *x, const void *y, void *user)
{
	const struct cr_sibling *a = x, *b = y;
	const struct cr_str *comms = user;

	if (a->extent != b->extent)
		return a->extent < b->extent ? 1 : -1;
	return cr_str_cmp(comms[a->frame], comms[b->frame]);
}

/* The groups with pairs, by falling weight, then by name. The caller frees them. */
static struct cr_sibling *
groups_in_order(
	const struct cr_tree_walk *w, const struct cr_path_sums_sorted *s, uint32_t n_groups)
{
	struct cr_sibling *all = cr_alloc(n_groups, sizeof(*all));
	uint32_t n = 0;

	for (uint32_t g = 0, lo = 0; g < s->n_groups; lo = s->ends[g++])
		if (lo < s->ends[g])
			all[n++] =
				(struct cr_sibling){cr_tree_walk_weight(w, lo, s->ends[g]), g, g};
	if (n > 1)
		cr_tree_sort_siblings(all, n, comms_by_extent, s->comms);
	return all;
}

static uint32_t
groups_with_pairs(const struct cr_path_sums_sorted *s)
{
	uint32_t n = 0;

	for (uint32_t g = 0, lo = 0; g < s->n_groups; lo = s->ends[g++])
		n += lo < s->ends[g];
	return n;
}

/* Frames of the walk: functions, then the root, then comms by group. */
static void
walk_groups(struct cr_tree_walk *w, const struct cr_path_sums_sorted *s, uint32_t n_groups,
	uint32_t root_frame)
{
	struct cr_sibling *groups = groups_in_order(w, s, n_groups);

	cr_tree_walk_add(w, 0, root_frame, 0, s->n);
	for (uint32_t i = 0; i < n_groups; i++) {
		const uint32_t g = groups[i].node, lo = g ? s->ends[g - 1] : 0;
		uint32_t top = 0;

		if (s->n_comms)
			top = cr_tree_walk_add(w, 0, root_frame + 1 + g, lo, s->ends[g]);
		cr_tree_walk_down(w, top, lo, s->ends[g]);
	}
	free(groups);
}

/* ---- the result */

/* Number the frames in the order of their first use. */
static void
number_frames(const struct cr_tree_walk *w, const struct cr_path_sums_sorted *s,
	uint32_t n_functions, struct cr_arena *arena, struct cr_function_tree *out)
{
	uint32_t *number1 = cr_alloc((uint64_t)n_functions + 1 + s->n_comms, sizeof(*number1));
	CR_VEC(uint32_t) function = {0};
	CR_VEC(struct cr_str) comm = {0};

	for (uint32_t i = 0; i < w->n; i++) {
		const uint32_t f = w->frame[i];

		if (!number1[f]) {
			cr_vec_push(&function, f < n_functions ? f : CR_NO_ROW);
			cr_vec_push(&comm, f < n_functions    ? ((struct cr_str){"", 0})
					   : f == n_functions ? CR_STR("all")
							      : s->comms[f - n_functions - 1]);
			number1[f] = (uint32_t)function.n;
		}
		w->frame[i] = number1[f] - 1;
	}
	free(number1);
	*out = (struct cr_function_tree){.n = w->n,
		.n_frames = (uint32_t)function.n,
		.parent = cr_arena_adopt(arena, w->parent),
		.frame = cr_arena_adopt(arena, w->frame),
		.frame_function = cr_arena_adopt(arena, function.p),
		.frame_comm = cr_arena_adopt(arena, comm.p)};
}

static bool
rows_make(const struct cr_profile *p, const struct cr_tree_walk_in *in, struct cr_stack_rows *rows)
{
	const struct cr_growth growth = {.n = p->n_nodes,
		.parent = p->node_parent,
		.end = p->node_end,
		.row = p->node_location,
		.first = in->first,
		.run = in->run,
		.whole = true};
	const bool pay = cr_stack_rows_pay(&growth);

	if (pay)
		cr_stack_rows_make(&growth, rows);
	return pay;
}

bool
cr_function_tree_make(const struct cr_profile *p, struct cr_path_sums_sorted *sums, uint32_t main,
	uint64_t most_nodes, struct cr_arena *arena, struct cr_function_tree *out)
{
	const uint32_t n_groups = groups_with_pairs(sums);
	const uint32_t unused = sums->n_comms ? sums->n_comms - n_groups : 0;
	struct cr_tree_walk_in in = {.n_nodes = p->n_nodes,
		.parent = p->node_parent,
		.end = p->node_end,
		.location = p->node_location,
		.n_frames = p->n_functions,
		.pairs = {.n = sums->n,
			.node = sums->node,
			.weight = sums->weight + main,
			.row = sums->row,
			.stride = sums->columns},
		.compare = by_name,
		.whole = true,
		.most_nodes = most_nodes - CR_MIN(most_nodes, (uint64_t)unused)};
	struct cr_stack_rows rows = {0};
	struct cr_tree_walk w;
	struct cr_arena name_arena = {0};
	struct names names;
	uint32_t *first, *run, *end = NULL, *same = NULL;
	bool made;

	names_init(&names, p, &name_arena);
	functions_of_locations(p, &first, &run);
	in.first = first;
	in.run = run;
	in.user = &names;
	if (rows_make(p, &in, &rows)) {
		cr_stack_rows_walk(&rows, &in, &end, &same);
		cr_stack_rows_sort(&rows, sums->ends, sums->n_groups, sums->node, sums->row);
	}
	cr_tree_walk_begin(&w, &in);
	walk_groups(&w, sums, n_groups, p->n_functions);
	made = cr_tree_walk_end(&w);
	if (made)
		number_frames(&w, sums, p->n_functions, arena, out);
	cr_stack_rows_fini(&rows);
	free(first);
	free(run);
	free(end);
	free(same);
	free(names.nameless);
	cr_arena_fini(&name_arena);
	return made;
}
