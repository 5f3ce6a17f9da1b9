#include "sample_sums_p.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

uint64_t
cr_sums_string(struct cr_sample_sums *w, struct cr_str s)
{
	return cr_strings_intern(&w->strings, NULL, s);
}

uint64_t
cr_sums_string_made(struct cr_sample_sums *w, struct cr_str s)
{
	return cr_strings_intern(&w->strings, &w->made, s);
}

/* ---- types */

/* Those that count samples come first, as pprof's tools expect; of the others the main one. */
static void
types_order(struct cr_sample_sums *w)
{
	const uint32_t main = cr_event_main(w->p).i;

	for (int pass = 0; pass < 2; pass++) {
		const size_t first = w->events.n;

		for (uint32_t i = 0; i < w->p->n_events; i++) {
			if (!w->type_of[i] || cr_event_counts_samples(&w->p->events[i]) == pass)
				continue;
			cr_vec_push(&w->events, i);
			if (i != main)
				continue;
			memmove(w->events.p + first + 1, w->events.p + first,
				(w->events.n - 1 - first) * sizeof(*w->events.p));
			w->events.p[first] = main;
		}
	}
}

static void
types_find(struct cr_sample_sums *w)
{
	struct cr_sample_rows rows;
	struct cr_sample_row r;
	bool same = true;

	w->type_of = cr_alloc(CR_MAX(w->p->n_events, 1), sizeof(*w->type_of));
	cr_sample_rows_init(&rows, w->in);
	while (cr_sample_rows_next(&rows, &r)) {
		w->type_of[r.event] = 1;
		same &= !w->period || w->period == r.weight;
		w->period = r.weight;
	}
	types_order(w);
	for (uint32_t i = 0; i < w->p->n_events; i++)
		w->type_of[i] = CR_NO_ROW;
	for (uint32_t i = 0; i < w->events.n; i++)
		w->type_of[w->events.p[i]] = i;
	w->counts = w->events.n == 1 && !cr_event_counts_samples(&w->p->events[w->events.p[0]]);
	if (!same || w->events.n != 1)
		w->period = 0;
}

struct cr_str
cr_sums_unit(const struct cr_event *e)
{
	if (cr_str_eq(e->unit, CR_STR("samples")) && cr_str_eq(e->name, CR_STR("samples")))
		return CR_STR("count");
	return cr_sample_unit(e->unit);
}

/* ---- functions and locations */

uint32_t
cr_sums_function(struct cr_sample_sums *w, uint32_t frame)
{
	const struct cr_frame *f = &w->t->frames[frame];
	const struct cr_str system_name = f->linkage.len ? f->linkage : f->name;
	struct cr_sums_function new;
	uint64_t h;
	uint32_t row;

	if (w->frame_function1[frame])
		return w->frame_function1[frame] - 1;
	new = (struct cr_sums_function){cr_sums_string(w, f->name), cr_sums_string(w, system_name),
		cr_sums_string(w, f->file), cr_strings_intern(&w->dsos, NULL, f->dso)};
	h = cr_hash_mix(cr_hash_mix(new.name, new.system_name), cr_hash_mix(new.file, new.dso));
	cr_index_each(&w->by_function, h, row) {
		const struct cr_sums_function *have = &w->functions.p[row];

		if (have->name == new.name && have->system_name == new.system_name &&
			have->file == new.file && have->dso == new.dso)
			break;
	}
	if (row == CR_NO_ROW) {
		row = (uint32_t)w->functions.n;
		cr_index_add(&w->by_function, h, row);
		cr_vec_push(&w->functions, new);
	}
	w->frame_function1[frame] = row + 1;
	return row;
}

/* True if a node is inlined into its parent, so that both are lines of one location. */
static bool
is_inlined(const struct cr_tree *t, uint32_t node)
{
	const uint32_t up = t->parent[node];

	return !t->leaves_first && t->frames[t->frame[node]].inlined && up &&
	       !cr_frame_is_group(&t->frames[t->frame[up]]);
}

/* Find the location whose innermost line is the frame of a node; that of its parent is known. */
static void
location_add(struct cr_sample_sums *w, uint32_t node)
{
	const uint32_t up = w->t->parent[node];
	struct cr_sums_location new = {.frame = w->t->frame[node]};
	uint64_t h;
	uint32_t row;

	w->caller[node] = up;
	if (is_inlined(w->t, node)) {
		new.inlined_into1 = w->node_location1[up];
		w->caller[node] = w->caller[up];
	}
	h = cr_hash_mix(new.frame, new.inlined_into1);
	cr_index_each(&w->by_location, h, row)
		if (w->locations.p[row].frame == new.frame &&
			w->locations.p[row].inlined_into1 == new.inlined_into1)
			break;
	if (row == CR_NO_ROW) {
		row = (uint32_t)w->locations.n;
		cr_index_add(&w->by_location, h, row);
		cr_vec_push(&w->locations, new);
	}
	w->node_location1[node] = row + 1;
}

/* The locations of a stack, from its first unknown node on. */
static void
locations_add(struct cr_sample_sums *w, uint32_t node)
{
	w->path.n = 0;
	for (; node && !w->node_location1[node]; node = w->t->parent[node])
		cr_vec_push(&w->path, node);
	while (w->path.n)
		location_add(w, w->path.p[--w->path.n]);
}

const struct cr_sums_location *
cr_sums_line_next(const struct cr_sample_sums *w, const struct cr_sums_location *line)
{
	return line->inlined_into1 ? &w->locations.p[line->inlined_into1 - 1] : NULL;
}

uint32_t
cr_sums_program(const struct cr_sample_sums *w)
{
	const struct cr_str comm =
		w->places.n ? w->threads.rows[w->places.p[0].thread].comm : CR_STR("");

	for (uint32_t i = 0; i < w->dsos.rows.n; i++)
		if (comm.len && cr_str_eq(cr_str_basename(w->dsos.rows.p[i]), comm))
			return i;
	return 0;
}

/* ---- samples */

uint32_t
cr_sums_values(const struct cr_sample_sums *w)
{
	return (uint32_t)w->events.n + w->counts;
}

static uint32_t
place_of(struct cr_sample_sums *w, const struct cr_sums_place *new)
{
	const uint64_t h = cr_hash_mix(new->node, cr_hash_mix(new->thread, new->cpu));
	uint32_t row;

	cr_index_each(&w->by_place, h, row) {
		const struct cr_sums_place *have = &w->places.p[row];

		if (have->node == new->node && have->thread == new->thread && have->cpu == new->cpu)
			return row;
	}
	cr_index_add(&w->by_place, h, (uint32_t)w->places.n);
	cr_vec_push(&w->places, *new);
	for (uint32_t i = 0; i < cr_sums_values(w); i++)
		cr_vec_push(&w->values, 0);
	locations_add(w, new->node);
	return (uint32_t)w->places.n - 1;
}

static void
samples_add(struct cr_sample_sums *w)
{
	struct cr_sample_rows rows;
	struct cr_sample_row r;

	cr_sample_rows_init(&rows, w->in);
	while (cr_sample_rows_next(&rows, &r)) {
		const struct cr_sums_place at = {w->threads.of_task[r.task], r.node, r.cpu};
		const size_t row = place_of(w, &at);
		uint64_t *value = w->values.p + row * cr_sums_values(w);

		if (w->counts)
			value[0]++;
		value += w->counts + w->type_of[r.event];
		*value = CR_MIN(cr_add_sat(*value, r.weight), (uint64_t)INT64_MAX);
	}
}

/* ---- header fields */

uint64_t
cr_sums_fact_number(const struct cr_profile *p, const char *key)
{
	char text[24];
	const struct cr_str fact = cr_profile_fact(p, key);

	snprintf(text, sizeof(text), "%.*s", (int)CR_MIN(fact.len, 20u), fact.len ? fact.p : "");
	return strtoull(text, NULL, 10);
}

void
cr_sums_period(struct cr_sample_sums *w)
{
	const struct cr_str sampling = cr_profile_fact(w->p, "sampling");

	if (sampling.len && memmem(sampling.p, sampling.len, " of ", 4))
		w->period = cr_sums_fact_number(w->p, "sampling");
}

/* ---- */

void
cr_sample_sums_init(struct cr_sample_sums *w, const struct cr_write_in *in)
{
	*w = (struct cr_sample_sums){.in = in, .t = in->tree, .p = in->p};
	cr_strings_add(&w->strings, CR_STR(""));
	cr_sample_threads_init(&w->threads, w->p);
	types_find(w);
	w->node_location1 = cr_alloc(w->t->n, sizeof(*w->node_location1));
	w->caller = cr_alloc(w->t->n, sizeof(*w->caller));
	w->frame_function1 = cr_alloc(w->t->n_frames, sizeof(*w->frame_function1));
	samples_add(w);
}

void
cr_sample_sums_fini(struct cr_sample_sums *w)
{
	cr_sample_threads_fini(&w->threads);
	free(w->type_of);
	free(w->node_location1);
	free(w->caller);
	free(w->frame_function1);
	cr_vec_fini(&w->events);
	cr_strings_fini(&w->strings);
	cr_arena_fini(&w->made);
	cr_vec_fini(&w->places);
	cr_vec_fini(&w->values);
	cr_index_fini(&w->by_place);
	cr_vec_fini(&w->path);
	cr_vec_fini(&w->locations);
	cr_index_fini(&w->by_location);
	cr_vec_fini(&w->functions);
	cr_index_fini(&w->by_function);
	cr_strings_fini(&w->dsos);
}
