#include "model/build/builder.h"

#include "base/order.h"
#include "builder_p.h"

#include <stdlib.h>

/* Turns the collected rows of a builder into a profile: renumbers, counts and moves them. */

/*
 * While the tree is finished, nothing looks up nodes. So `path` and `depth` of a node have room for
 * its size and its new number.
 */
static uint32_t
place_of(const struct cr_built_node *n)
{
	return n->depth;
}

/* Also counts the samples whose new nodes are in [from, end). */
static uint64_t
renumber_nodes(struct cr_builder *b, uint32_t from, uint32_t end)
{
	uint32_t *node = (void *)b->columns[CR_SAMPLE_NODE].p;
	uint64_t in = 0;

	for (uint64_t i = 0; i < b->n_samples; i++) {
		cr_built_swept(&b->columns[CR_SAMPLE_NODE], i, sizeof(*node));
		node[i] = place_of(&b->nodes.p[node[i]]);
		in += node[i] - from < end - from;
	}
	return in;
}

static void
renumber_events(struct cr_builder *b, const uint16_t *row)
{
	uint16_t *event = (void *)b->columns[CR_SAMPLE_EVENT].p;

	for (uint64_t i = 0; i < b->n_samples; i++) {
		cr_built_swept(&b->columns[CR_SAMPLE_EVENT], i, sizeof(*event));
		event[i] = row[event[i]];
	}
}

/* Store in `path` of each node the number of nodes that stay, with it and below it. */
static void
sizes_of_subtrees(struct cr_built_node *node, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		node[i].path = i && !node[i].gone;
	for (uint32_t i = n; i-- > 1;)
		node[node[i].parent].path += node[i].path;
}

/*
 * Renumber the tree in preorder, siblings by first appearance, and drop the nodes marked `gone`.
 * Parents always precede their children, so two passes suffice: subtree sizes backwards, new
 * numbers forwards. Truncated stacks are counted on the way.
 */
static void
finish_tree(struct cr_builder *b, struct cr_profile *p)
{
	const uint32_t n = (uint32_t)b->nodes.n, truncated = cr_built_truncated(b);
	struct cr_built_node *node = b->nodes.p;
	uint32_t *parent = cr_arena_adopt(&p->arena, cr_alloc(n, sizeof(*parent)));
	uint32_t *location = cr_arena_adopt(&p->arena, cr_alloc(n, sizeof(*location)));
	uint32_t *end = cr_arena_adopt(&p->arena, cr_alloc(n, sizeof(*end)));
	uint32_t below;
	uint64_t cut;

	sizes_of_subtrees(node, n);
	p->n_nodes = end[0] = node[0].path + 1;
	node[0].path = 1;
	node[0].depth = 0;
	for (uint32_t i = 1; i < n; i++) {
		struct cr_built_node *up = &node[node[i].parent];
		const uint32_t at = up->path; /* the number of its next child */

		if (node[i].gone)
			continue;
		node[i].depth = at & INT32_MAX;
		parent[at] = place_of(up);
		location[at] = node[i].location;
		end[at] = up->path = at + node[i].path;
		node[i].path = at + 1;
	}
	below = place_of(&node[truncated]);
	cut = renumber_nodes(b, below, truncated ? end[below] : 0);
	if (cut)
		cr_builder_quality(b, CR_STR("user stacks truncated"), cut);
	p->node_parent = parent;
	p->node_location = location;
	p->node_end = end;
}

/*
 * Renumber the locations by dso and address. Neighbours then differ little, so that a store keeps
 * them in little space. Equal ones keep their order.
 */
static void
finish_locations(struct cr_builder *b)
{
	const uint32_t n = (uint32_t)b->locations.n;
	const struct cr_location *from = b->locations.p;
	struct cr_keyed *order = cr_alloc(n, sizeof(*order)), *room = cr_alloc(n, sizeof(*room));
	struct cr_location *to = cr_alloc(n, sizeof(*to));
	uint32_t *row = cr_alloc(n, sizeof(*row)); /* by old number: the new one */

	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct cr_keyed){from[i].addr, i};
	cr_keyed_sort(order, room, n);
	for (uint32_t i = 0; i < n; i++)
		order[i].key = from[order[i].item].dso.i;
	cr_keyed_sort(order, room, n);
	for (uint32_t i = 0; i < n; i++) {
		to[i] = from[order[i].item];
		row[order[i].item] = i;
	}
	memcpy(b->locations.p, to, n * sizeof(*to));
	for (size_t i = 1; i < b->nodes.n; i++)
		b->nodes.p[i].location = row[b->nodes.p[i].location];
	if (b->truncated1)
		b->truncated1 = row[b->truncated1 - 1] + 1;
	free(order);
	free(room);
	free(to);
	free(row);
}

/*
 * Give every location its lines: the functions it was made with, or the nameless function of its
 * dso.
 */
static void
finish_lines(struct cr_builder *b, struct cr_profile *p)
{
	const uint32_t n = (uint32_t)b->locations.n, n_dsos = (uint32_t)b->dsos.n;
	const uint32_t n_functions = n_dsos + (uint32_t)b->functions.n;
	struct cr_line *lines = cr_arena_adopt(&p->arena, cr_alloc(n + b->lines.n, sizeof(*lines)));
	struct cr_function *functions =
		cr_arena_adopt(&p->arena, cr_alloc(n_functions, sizeof(*functions)));
	uint32_t at = 0;

	for (uint32_t i = 0; i < n_dsos; i++)
		functions[i] = (struct cr_function){.dso = {i}};
	for (uint32_t i = 0; i < b->functions.n; i++) {
		const struct cr_built_function *f = &b->functions.p[i];

		functions[n_dsos + i] = (struct cr_function){
			.name = cr_built_name(f), .dso = f->dso, .addr = f->addr};
	}
	cr_vec_fini(&b->functions);
	for (uint32_t i = 0; i < n; i++) {
		struct cr_location *l = &b->locations.p[i];
		const uint32_t from = l->first_line;

		l->first_line = at;
		if (from == CR_NO_ROW) {
			lines[at++].function.i = l->dso.i;
			continue;
		}
		for (uint16_t k = 0; k < l->lines; k++) {
			const struct cr_built_line *line = &b->lines.p[from + k];

			lines[at++] = (struct cr_line){.function.i = line->function.i + n_dsos,
				.line = line->line,
				.file = line->file1 ? b->strings.rows.p[line->file1 - 1]
						    : (struct cr_str){0}};
		}
	}
	p->functions = functions;
	p->n_functions = n_functions;
	p->lines = lines;
	p->n_lines = at;
}

static int
by_space_start_born(const void *x, const void *y)
{
	const struct cr_map *a = x, *b = y;

	if (a->space.i != b->space.i)
		return a->space.i < b->space.i ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->born > b->born) - (a->born < b->born);
}

/*
 * Renumber the address spaces, keeping only those that have threads or mappings. A recording may
 * list many processes that have neither.
 */
static void
finish_spaces(struct cr_builder *b)
{
	uint32_t *row = cr_alloc(CR_MAX(b->n_spaces, 1u), sizeof(*row)), kept = 0;
	size_t n_tasks, n_maps;
	struct cr_task *tasks = cr_built_tasks(b, &n_tasks);
	struct cr_map *maps = cr_built_maps(b, &n_maps);

	for (size_t i = 0; i < n_tasks; i++)
		row[tasks[i].space.i] = 1;
	for (size_t i = 0; i < n_maps; i++)
		row[maps[i].space.i] = 1;
	for (uint32_t i = 0; i < b->n_spaces; i++)
		if (row[i])
			row[i] = kept++;
	for (size_t i = 0; i < n_tasks; i++)
		tasks[i].space.i = row[tasks[i].space.i];
	for (size_t i = 0; i < n_maps; i++)
		maps[i].space.i = row[maps[i].space.i];
	b->n_spaces = kept;
	free(row);
}

/*
 * Drop mappings that no sample can refer to, which are most mappings of a system-wide recording.
 * The others are often in order already, and sorting needs memory for a copy.
 */
static void
finish_maps(struct cr_builder *b)
{
	size_t n, kept = 0;
	struct cr_map *maps = cr_built_maps(b, &n);
	bool sorted = true;

	for (size_t i = 0; i < n; i++) {
		if (maps[i].born >= CR_MIN(maps[i].died, b->n_samples))
			continue;
		maps[kept++] = maps[i];
		sorted = sorted &&
			 (kept < 2 || by_space_start_born(&maps[kept - 2], &maps[kept - 1]) <= 0);
	}
	b->maps.len = kept * sizeof(*maps);
	if (!sorted)
		qsort(maps, kept, sizeof(*maps), by_space_start_born);
}

static void
finish_quality(struct cr_builder *b, const struct cr_log *log)
{
	if (b->over_nodes)
		cr_builder_quality(b, CR_STR("frames beyond the limit of distinct stacks, dropped"),
			b->over_nodes);
	if (b->over_depth)
		cr_builder_quality(
			b, CR_STR("frames beyond the limit of depth, dropped"), b->over_depth);
	if (b->over_events)
		cr_builder_quality(
			b, CR_STR("events beyond the limit, merged into one"), b->over_events);
	if (b->fields.over_fields)
		cr_builder_quality(b, CR_STR("fields beyond the limit of 4096, dropped"),
			b->fields.over_fields);
	if (b->fields.over_values)
		cr_builder_quality(b, CR_STR("values of fields beyond the limit, dropped"),
			b->fields.over_values);
	if (b->fields.over_texts)
		cr_builder_quality(b, CR_STR("texts of fields beyond the limit, dropped"),
			b->fields.over_texts);
	for (size_t i = 0; log && i < log->n; i++)
		cr_builder_quality(b, cr_str_of(log->entries[i].kind), log->entries[i].count);
}

/* Move a vector's memory to the arena. */
#define move_to_arena(p, field, vec)                                \
	do {                                                        \
		(p)->field = cr_arena_adopt(&(p)->arena, (vec)->p); \
		(vec)->p = NULL;                                    \
		(vec)->n = (vec)->cap = 0;                          \
	} while (0)

/* See cr_event_is_sum(). The fact lists the parts by name, since event numbers may change. */
static void
finish_wall(struct cr_builder *b)
{
	const struct cr_event on = b->events.p[b->on_cpu.i], off = b->events.p[b->off_cpu.i];
	struct cr_text parts = {0}, derived = {0};

	cr_text_str(&parts, on.name);
	cr_text_puts(&parts, " + ");
	cr_text_str(&parts, off.name);
	for (size_t i = 0; i < b->facts.n; i++)
		if (cr_str_eq(b->facts.p[i].key, CR_STR("derived events")))
			cr_text_str(&derived, b->facts.p[i].value);
	cr_text_puts(&derived, derived.len ? ", wall" : "wall");
	cr_builder_fact(b, "wall", cr_text_view(&parts));
	cr_builder_fact(b, "derived events", cr_text_view(&derived));
	cr_vec_push(&b->events, ((struct cr_event){.name = cr_strings_keep(&b->strings,
							   &b->p->arena, CR_STR("wall")),
					.unit = off.unit,
					.samples = on.samples + off.samples,
					.weight = cr_add_sat(on.weight, off.weight)}));
	cr_text_fini(&parts);
	cr_text_fini(&derived);
}

/*
 * Events without samples, usually the recorder's own "dummy", keep only their name in a fact. A row
 * would cost a column of weights in every tree.
 */
static void
finish_events(struct cr_builder *b)
{
	uint16_t *row = cr_alloc(b->events.n, sizeof(*row));
	struct cr_text without = {0};
	size_t kept = 0;

	if (b->has_wall) /* a part without samples loses its row */
		b->has_wall = b->events.p[b->on_cpu.i].samples && b->events.p[b->off_cpu.i].samples;
	for (size_t i = 0; i < b->events.n; i++) {
		row[i] = (uint16_t)kept;
		if (b->events.p[i].samples) {
			b->events.p[kept++] = b->events.p[i];
			continue;
		}
		cr_text_puts(&without, without.len ? ", " : "");
		cr_text_str(&without, b->events.p[i].name);
	}
	if (kept < b->events.n)
		renumber_events(b, row);
	cr_field_builder_renumber(&b->fields, row);
	b->events.n = kept;
	if (b->has_wall) {
		b->on_cpu.i = row[b->on_cpu.i];
		b->off_cpu.i = row[b->off_cpu.i];
	}
	if (without.len)
		cr_builder_fact(b, "events without samples", cr_text_view(&without));
	cr_text_fini(&without);
	free(row);
}

/* If nothing else gave the duration, compute it from the times of the samples. */
static void
finish_duration(struct cr_builder *b)
{
	const uint64_t *time = (const void *)b->columns[CR_SAMPLE_TIME].p;
	uint64_t first = UINT64_MAX, last = 0;
	struct cr_text t = {0};

	if (!(b->p->flags & CR_PROFILE_HAS_TIME))
		return;
	for (size_t i = 0; i < b->facts.n; i++)
		if (cr_str_eq(b->facts.p[i].key, CR_STR("duration_ns")))
			return;
	for (uint64_t i = 0; i < b->n_samples; i++) {
		cr_built_swept(&b->columns[CR_SAMPLE_TIME], i, sizeof(*time));
		if (time[i])
			first = CR_MIN(first, time[i]);
		last = CR_MAX(last, time[i]);
	}
	if (last > first) {
		cr_text_u64(&t, last - first);
		cr_builder_fact(b, "duration_ns", cr_text_view(&t));
	}
	cr_text_fini(&t);
}

/* Move a vector's memory to the arena, as a mapping. */
static const void *
give_mapping(struct cr_profile *p, struct cr_mapped_vector *t)
{
	const void *mapping;

	cr_mapped_vector_end(t);
	mapping = cr_arena_adopt_mapping(&p->arena, t->p, t->cap);
	*t = (struct cr_mapped_vector){0};
	return mapping;
}

static void
give_samples(struct cr_builder *b, struct cr_profile *p)
{
	const void *column[CR_SAMPLE_COLUMNS];

	for (size_t i = 0; i < CR_SAMPLE_COLUMNS; i++) {
		struct cr_mapped_vector *t = &b->columns[i];

		p->samples.filed |= (unsigned)t->filed << i;
		column[i] = give_mapping(p, t);
	}
	p->samples.n = b->n_samples;
	p->samples.time_ns = column[CR_SAMPLE_TIME];
	p->samples.weight = column[CR_SAMPLE_WEIGHT];
	p->samples.task = column[CR_SAMPLE_TASK];
	p->samples.node = column[CR_SAMPLE_NODE];
	p->samples.cpu = column[CR_SAMPLE_CPU];
	p->samples.event = column[CR_SAMPLE_EVENT];
}

/* From so many nodes on, the memory that is freed first is returned to the system. */
#define LARGE_NODES ((size_t)3 << 19)

int
cr_builder_finish(
	struct cr_builder *b, const struct cr_log *log, struct cr_profile **out, struct cr_err *err)
{
	struct cr_profile *p = b->p;

	*out = NULL;
	if (b->n_samples == 0 && !b->may_be_empty)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "contains no samples");
	cr_index_fini(&b->node_index); /* free it now: what follows needs memory */
	cr_index_fini(&b->location_index);
	cr_index_fini(&b->function_index);
	cr_index_fini(&b->event_index); /* rows change from here on */
	cr_index_fini(&b->dso_index);
	cr_index_fini(&b->task_index);
	if (b->nodes.n >= LARGE_NODES)
		cr_mem_trim();
	finish_events(b);
	cr_field_builder_finish(&b->fields, b->events.p, p);
	if (b->has_wall)
		finish_wall(b);
	finish_quality(b, log);
	finish_duration(b);
	if (p->flags & CR_PROFILE_HAS_ADDR && b->locations.n)
		finish_locations(b);
	finish_tree(b, p);
	cr_vec_fini(&b->nodes);
	finish_lines(b, p);
	cr_vec_fini(&b->lines);
	cr_strings_fini(&b->strings);
	finish_maps(b);
	finish_spaces(b);
	p->n_dsos = (uint32_t)b->dsos.n;
	p->n_locations = (uint32_t)b->locations.n;
	p->n_events = (uint32_t)b->events.n;
	p->n_threads = (uint32_t)b->threads.n;
	p->n_spaces = b->n_spaces;
	p->n_facts = (uint32_t)b->facts.n;
	p->flags |= CR_PROFILE_HAS_SAMPLES;
	move_to_arena(p, dsos, &b->dsos);
	move_to_arena(p, locations, &b->locations);
	move_to_arena(p, events, &b->events);
	move_to_arena(p, threads, &b->threads);
	p->n_tasks = (uint32_t)(b->tasks.len / sizeof(*p->tasks));
	p->tasks = give_mapping(p, &b->tasks);
	p->n_maps = (uint32_t)(b->maps.len / sizeof(*p->maps));
	p->maps = give_mapping(p, &b->maps);
	p->quality = cr_arena_adopt(&p->arena, cr_quality_release(&b->quality, &p->n_quality));
	move_to_arena(p, facts, &b->facts);
	give_samples(b, p);
	b->p = NULL;
	*out = p;
	return CR_OK;
}
