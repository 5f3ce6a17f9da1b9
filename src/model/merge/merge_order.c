#include "merge_p.h"

#include <stdlib.h>

/* Sorts every table by its contents alone. */

uint32_t *
cr_merge_order(size_t n, uint32_t first, cr_merge_compare cmp, struct cr_merge_ordering *o)
{
	uint32_t *order = cr_alloc(n, sizeof(*order));

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	if (n > first)
		qsort_r(order + first, n - first, sizeof(*order), cmp, o);
	return order;
}

uint32_t *
cr_merge_places_of(const uint32_t *order, size_t n)
{
	uint32_t *place = cr_alloc(n, sizeof(*place));

	for (size_t i = 0; i < n; i++)
		place[order[i]] = (uint32_t)i;
	return place;
}

void *
cr_merge_reorder(struct cr_merge *m, const void *rows, size_t size, const uint32_t *order, size_t n)
{
	char *out = cr_arena_adopt(&m->p->arena, cr_alloc(n, size));

	for (size_t i = 0; i < n; i++)
		memcpy(out + i * size, (const char *)rows + order[i] * size, size);
	return out;
}

/* ---- dsos, functions, locations */

static int
dso_cmp(const void *x, const void *y, void *user)
{
	const struct cr_merge *m = ((struct cr_merge_ordering *)user)->m;
	const struct cr_dso *a = &m->dsos.p[*(const uint32_t *)x],
			    *b = &m->dsos.p[*(const uint32_t *)y];

	CR_MERGE_RETURN_CMP(cr_str_cmp(a->name, b->name));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->kind, b->kind));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->build_id_len, b->build_id_len));
	return memcmp(a->build_id, b->build_id, sizeof(a->build_id));
}

static void
order_dsos(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	/* The unknown dso stays first. */
	uint32_t *order = cr_merge_order(m->dsos.n, 1, dso_cmp, o);

	o->dso = cr_merge_places_of(order, m->dsos.n);
	m->p->dsos = cr_merge_reorder(m, m->dsos.p, sizeof(*m->dsos.p), order, m->dsos.n);
	m->p->n_dsos = (uint32_t)m->dsos.n;
	free(order);
}

static int
function_cmp(const void *x, const void *y, void *user)
{
	const struct cr_merge_ordering *o = user;
	const struct cr_function *a = &o->m->functions.p[*(const uint32_t *)x];
	const struct cr_function *b = &o->m->functions.p[*(const uint32_t *)y];

	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(o->dso[a->dso.i], o->dso[b->dso.i]));
	CR_MERGE_RETURN_CMP(cr_str_cmp(a->name, b->name));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->addr, b->addr));
	return cr_str_cmp(a->file, b->file);
}

static void
order_functions(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	/* So does its function. */
	uint32_t *order = cr_merge_order(m->functions.n, 1, function_cmp, o);
	struct cr_function *rows =
		cr_merge_reorder(m, m->functions.p, sizeof(*m->functions.p), order, m->functions.n);

	for (size_t i = 0; i < m->functions.n; i++)
		rows[i].dso.i = o->dso[rows[i].dso.i];
	o->function = cr_merge_places_of(order, m->functions.n);
	m->p->functions = rows;
	m->p->n_functions = (uint32_t)m->functions.n;
	free(order);
}

static int
line_cmp(const struct cr_merge_ordering *o, const struct cr_line *a, const struct cr_line *b)
{
	CR_MERGE_RETURN_CMP(
		cr_merge_cmp_numbers(o->function[a->function.i], o->function[b->function.i]));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->line, b->line));
	return cr_str_cmp(a->file, b->file);
}

static int
location_cmp(const void *x, const void *y, void *user)
{
	const struct cr_merge_ordering *o = user;
	const struct cr_location *a = &o->m->locations.p[*(const uint32_t *)x];
	const struct cr_location *b = &o->m->locations.p[*(const uint32_t *)y];

	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(o->dso[a->dso.i], o->dso[b->dso.i]));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->addr, b->addr));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->ordinal, b->ordinal));
	CR_MERGE_RETURN_CMP(cr_merge_cmp_numbers(a->lines, b->lines));
	for (uint16_t i = 0; i < a->lines; i++)
		CR_MERGE_RETURN_CMP(line_cmp(
			o, &o->m->lines.p[a->first_line + i], &o->m->lines.p[b->first_line + i]));
	return 0;
}

/* The file is stored only if it differs from the function's. */
static struct cr_line
line_out(const struct cr_merge_ordering *o, const struct cr_line *l)
{
	struct cr_line out = {
		.function = {o->function[l->function.i]}, .line = l->line, .file = l->file};
	const struct cr_str file = o->m->functions.p[l->function.i].file;

	if (cr_str_eq(file, l->file) || (!file.len && cr_str_eq(l->file, CR_STR(CR_MERGE_NO_FILE))))
		out.file = (struct cr_str){"", 0};
	return out;
}

static void
order_locations(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	uint32_t *order = cr_merge_order(m->locations.n, 0, location_cmp, o);
	struct cr_location *rows =
		cr_merge_reorder(m, m->locations.p, sizeof(*m->locations.p), order, m->locations.n);
	struct cr_line *lines = cr_arena_adopt(&m->p->arena, cr_alloc(m->lines.n, sizeof(*lines)));
	uint32_t at = 0;

	for (size_t i = 0; i < m->locations.n; i++) {
		const struct cr_line *from = m->lines.p + rows[i].first_line;

		rows[i].dso.i = o->dso[rows[i].dso.i];
		rows[i].first_line = at;
		for (uint16_t k = 0; k < rows[i].lines; k++)
			lines[at++] = line_out(o, &from[k]);
	}
	o->location = cr_merge_places_of(order, m->locations.n);
	m->p->locations = rows;
	m->p->n_locations = (uint32_t)m->locations.n;
	m->p->lines = lines;
	m->p->n_lines = at;
	free(order);
}

/* ---- the tree: in preorder, siblings in the order of their locations */

/*
 * Nodes sorted by depth, then by location: so parents precede their children and siblings are
 * sorted.
 */
static uint32_t *
nodes_in_order(const struct cr_merge_ordering *o)
{
	const struct cr_merge *m = o->m;
	const uint32_t n = (uint32_t)m->nodes.n;
	uint32_t *by_location = cr_alloc(n, sizeof(*by_location)),
		 *order = cr_alloc(n, sizeof(*order)), deepest = 0;
	uint32_t *at = cr_alloc(m->locations.n + 1, sizeof(*at));

	for (uint32_t i = 1; i < n; i++) {
		at[o->location[m->nodes.p[i].location] + 1]++;
		deepest = CR_MAX(deepest, m->nodes.p[i].depth);
	}
	for (size_t k = 0; k < m->locations.n; k++)
		at[k + 1] += at[k];
	for (uint32_t i = 1; i < n; i++)
		by_location[1 + at[o->location[m->nodes.p[i].location]]++] = i;
	free(at);
	at = cr_alloc((uint64_t)deepest + 2, sizeof(*at));
	for (uint32_t i = 0; i < n; i++)
		at[m->nodes.p[i].depth + 1]++;
	for (uint32_t k = 0; k <= deepest; k++)
		at[k + 1] += at[k];
	for (uint32_t i = 0; i < n; i++)
		order[at[m->nodes.p[by_location[i]].depth]++] = by_location[i];
	free(at);
	free(by_location);
	return order;
}

static void
order_nodes(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	struct cr_profile *p = m->p;
	const uint32_t n = (uint32_t)m->nodes.n;
	uint32_t *parent = cr_arena_adopt(&p->arena, cr_alloc(n, sizeof(*parent)));
	uint32_t *location = cr_arena_adopt(&p->arena, cr_alloc(n, sizeof(*location)));
	uint32_t *end = cr_arena_adopt(&p->arena, cr_alloc(n, sizeof(*end)));
	uint32_t *size = cr_alloc(n, sizeof(*size)), *next = cr_alloc(n, sizeof(*next)),
		 *order = nodes_in_order(o);

	o->node = cr_alloc(n, sizeof(*o->node));
	/* In reverse, so children are complete before their parents. */
	for (uint32_t i = n; i-- > 1;)
		size[m->nodes.p[i].parent] += ++size[i];
	next[0] = 1;
	end[0] = n;
	for (uint32_t k = 1; k < n; k++) {
		const uint32_t i = order[k], up = m->nodes.p[i].parent, at = next[up];

		o->node[i] = at;
		next[up] += size[i];
		next[i] = at + 1;
		parent[at] = o->node[up];
		location[at] = o->location[m->nodes.p[i].location];
		end[at] = at + size[i];
	}
	p->n_nodes = n;
	p->node_parent = parent;
	p->node_location = location;
	p->node_end = end;
	free(size);
	free(next);
	free(order);
}

/* ---- events */

static int
event_cmp(const void *x, const void *y, void *user)
{
	const struct cr_merge *m = ((struct cr_merge_ordering *)user)->m;
	const struct cr_merged_event *a = &m->events.p[*(const uint32_t *)x],
				     *b = &m->events.p[*(const uint32_t *)y];

	CR_MERGE_RETURN_CMP(cr_str_cmp(a->name, b->name));
	return cr_str_cmp(a->unit, b->unit);
}

/* True if name is in the list, whose items are separated by " + ". */
static bool
is_part(struct cr_str parts, struct cr_str name)
{
	while (parts.len) {
		const char *plus = memmem(parts.p, parts.len, " + ", 3);
		const struct cr_str part = plus ? cr_str_to(parts, plus) : parts;

		if (cr_str_eq(part, name))
			return true;
		parts = plus ? cr_str_from(parts, plus + 3) : (struct cr_str){"", 0};
	}
	return false;
}

static bool
leaf_has(const struct cr_merged_leaf *leaf, uint32_t event)
{
	return event < leaf->n_events && leaf->event_samples[event];
}

/*
 * An event is part of the sum if any input has it as a part. An input that has a part but no sum
 * would be added to the sum of the others, which none of them contains. Then the merge has no sum.
 */
static void
find_wall(struct cr_merge *m)
{
	for (uint32_t e = 0; e < m->events.n; e++) {
		struct cr_merged_event *event = &m->events.p[e];
		bool apart = false;

		for (size_t i = 0; i < m->leaves.n; i++) {
			const struct cr_merged_leaf *leaf = &m->leaves.p[i];
			const bool part = leaf_has(leaf, e) && is_part(leaf->in.wall, event->name);

			event->in_wall |= part;
			apart |= leaf_has(leaf, e) && !part;
		}
		m->has_wall |= event->in_wall;
		m->no_wall |= event->in_wall && apart;
		if (event->in_wall && cr_str_cmp(event->unit, m->wall_unit) > 0)
			m->wall_unit = event->unit;
	}
	m->has_wall &= !m->no_wall;
	for (uint32_t e = 0; e < m->events.n; e++)
		m->events.p[e].in_wall &= m->has_wall;
}

/*
 * Events that share a name get their unit appended. So does an event with the name of the sum that
 * is not the sum.
 */
static struct cr_str
event_name(struct cr_merge_ordering *o, uint32_t place)
{
	struct cr_merge *m = o->m;
	const struct cr_merged_event *e = &m->events.p[o->event_order[place]];
	bool shared = m->has_wall && cr_str_eq(e->name, CR_STR("wall"));
	struct cr_text t = {0};
	struct cr_str name;

	if (place)
		shared |= cr_str_eq(m->events.p[o->event_order[place - 1]].name, e->name);
	if (place + 1 < m->events.n)
		shared |= cr_str_eq(m->events.p[o->event_order[place + 1]].name, e->name);
	if (!shared)
		return e->name;
	cr_text_str(&t, e->name);
	cr_text_puts(&t, " (");
	cr_text_str(&t, e->unit);
	cr_text_char(&t, ')');
	name = cr_merge_keep(m, cr_text_view(&t));
	cr_text_fini(&t);
	return name;
}

static void
order_events(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	const uint32_t n = (uint32_t)m->events.n;
	struct cr_event *rows = cr_arena_adopt(&m->p->arena, cr_alloc(n + 1u, sizeof(*rows)));
	struct cr_event *wall = &rows[n];

	o->event_order = cr_merge_order(n, 0, event_cmp, o);
	o->event = cr_merge_places_of(o->event_order, n);
	*wall = (struct cr_event){.name = CR_STR("wall"), .unit = m->wall_unit};
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_merged_event *e = &m->events.p[o->event_order[i]];

		rows[i] = (struct cr_event){.name = event_name(o, i),
			.unit = e->unit,
			.samples = e->samples,
			.weight = e->weight};
		wall->samples += e->in_wall ? e->samples : 0;
		wall->weight = cr_add_sat(wall->weight, e->in_wall ? e->weight : 0);
	}
	m->p->events = rows;
	m->p->n_events = n + m->has_wall;
}

/* Count how many inputs have each event as their main event. */
static void
votes_count(struct cr_merge *m)
{
	for (size_t i = 0; i < m->leaves.n; i++) {
		const struct cr_merge_input *in = &m->leaves.p[i].in;

		for (size_t k = 0; k < m->events.n; k++)
			if (cr_str_eq(m->events.p[k].name, in->event) &&
				cr_str_eq(m->events.p[k].unit, in->unit)) {
				m->events.p[k].votes =
					cr_add_sat(m->events.p[k].votes, m->leaves.p[i].recordings);
				break;
			}
	}
}

/* ---- code and sources */

static int
code_cmp(const void *x, const void *y, void *user)
{
	const struct cr_merge_ordering *o = user;
	const struct cr_machine_code *a = &o->m->codes.p[*(const uint32_t *)x];
	const struct cr_machine_code *b = &o->m->codes.p[*(const uint32_t *)y];

	CR_MERGE_RETURN_CMP(
		cr_merge_cmp_numbers(o->function[a->function.i], o->function[b->function.i]));
	return cr_merge_cmp_numbers(a->addr, b->addr);
}

static int
source_cmp(const void *x, const void *y, void *user)
{
	const struct cr_merge *m = ((struct cr_merge_ordering *)user)->m;
	const struct cr_source_line *a = &m->source_lines.p[*(const uint32_t *)x];
	const struct cr_source_line *b = &m->source_lines.p[*(const uint32_t *)y];

	CR_MERGE_RETURN_CMP(cr_str_cmp(a->file, b->file));
	return cr_merge_cmp_numbers(a->line, b->line);
}

static void
order_codes(struct cr_merge_ordering *o)
{
	struct cr_merge *m = o->m;
	uint32_t *order = cr_merge_order(m->codes.n, 0, code_cmp, o);
	struct cr_machine_code *rows =
		cr_merge_reorder(m, m->codes.p, sizeof(*m->codes.p), order, m->codes.n);

	for (size_t i = 0; i < m->codes.n; i++)
		rows[i].function.i = o->function[rows[i].function.i];
	m->p->codes = rows;
	m->p->n_codes = (uint32_t)m->codes.n;
	free(order);
	order = cr_merge_order(m->source_lines.n, 0, source_cmp, o);
	m->p->source_lines = cr_merge_reorder(
		m, m->source_lines.p, sizeof(*m->source_lines.p), order, m->source_lines.n);
	m->p->n_source_lines = (uint32_t)m->source_lines.n;
	free(order);
}

/* ---- all of it */

/* If the stacks of any input are grouped by comm, those of all are. */
static void
flags_finish(struct cr_merge *m)
{
	const uint32_t how = CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT;
	struct cr_profile *p = m->p;

	for (size_t i = 0; i < m->leaves.n; i++)
		if ((m->leaves.p[i].in.flags & how) == CR_PROFILE_HAS_TASK)
			p->flags &= ~(uint32_t)CR_PROFILE_NO_COMM_ROOT;
}

static void
facts_finish(struct cr_merge *m)
{
	m->p->facts = cr_arena_adopt(&m->p->arena, m->facts.p);
	m->p->n_facts = (uint32_t)m->facts.n;
	m->p->quality =
		cr_arena_adopt(&m->p->arena, cr_quality_release(&m->quality, &m->p->n_quality));
	m->facts.p = NULL;
}

int
cr_merge_finish(struct cr_merge *m, struct cr_profile **out, struct cr_err *err)
{
	struct cr_merge_ordering o = {.m = m};

	*out = NULL;
	if (!m->added)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "nothing to merge");
	order_dsos(&o);
	order_functions(&o);
	order_locations(&o);
	order_nodes(&o);
	if (m->fleet)
		cr_merge_fleet_leaves(m);
	votes_count(m);
	find_wall(m);
	order_events(&o);
	order_codes(&o);
	if (m->fleet)
		cr_merge_fleet_rows(&o);
	cr_merge_order_leaves(&o);
	cr_merge_finish_tasks(&o);
	cr_merge_finish_samples(&o);
	cr_merge_finish_fields(&o);
	flags_finish(m);
	if (m->fleet)
		cr_merge_fleet_facts(&o);
	cr_merge_finish_facts(m, o.leaves, o.event_order);
	facts_finish(m);
	*out = m->p;
	m->p = NULL;
	free(o.dso);
	free(o.function);
	free(o.location);
	free(o.node);
	free(o.event);
	free(o.text);
	free(o.event_order);
	free(o.leaves);
	return CR_OK;
}
