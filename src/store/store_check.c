#include "store_check_p.h"

#include <stdlib.h>

#include "base/hash.h"
#include "model/field.h"

bool
cr_store_check_preorder(const uint32_t *parent, uint32_t n, uint32_t *end)
{
	uint32_t at = 0, depth = 0; /* at: the previous node, then its ancestors */

	if (n && parent[0] != 0)
		return false;
	for (uint32_t i = 1; i < n; i++) {
		for (; at != parent[i]; at = parent[at], depth--) {
			if (at == 0)
				return false;
			if (end)
				end[at] = i;
		}
		at = i;
		if (++depth > CR_STORE_DEPTH_MAX)
			return false;
	}
	for (; end && at != 0; at = parent[at])
		end[at] = n;
	if (end && n)
		end[0] = n;
	return true;
}

bool
cr_store_check_default_tree(const struct cr_default_tree *o, const struct cr_event *events)
{
	if (o->n == 0 || o->frame[0] != 0 || o->frame_function[0] != CR_NO_ROW)
		return false;
	for (uint32_t e = 0; e < o->n_events; e++) {
		const uint64_t *self = o->self + (size_t)e * o->n;
		const uint64_t *self_samples = o->self_samples + (size_t)e * o->n;
		uint64_t weight = 0, samples = 0;

		for (uint32_t i = 0; i < o->n; i++) {
			weight = cr_add_sat(weight, self[i]);
			samples = cr_add_sat(samples, self_samples[i]);
		}
		if (weight != events[e].weight || samples != cr_event_samples(&events[e]))
			return false;
	}
	return true;
}

/*
 * Locations may share lines, but what works on each location has the lines of all. These limits
 * bound that, also to 32 bits; what cresset writes is far below.
 */
#define LINES_SHARED 64u
#define LINES_FREE ((uint64_t)1 << 24)

bool
cr_store_check_shared(const struct cr_profile *p)
{
	const uint64_t most = p->n_lines * (uint64_t)LINES_SHARED + LINES_FREE;
	uint64_t lines = 0;

	for (uint32_t i = 0; i < p->n_locations; i++)
		lines += p->locations[i].lines;
	return lines <= CR_MIN(most, (uint64_t)UINT32_MAX - 1);
}

bool
cr_store_check_locations(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_locations; i++) {
		const struct cr_location *l = &p->locations[i];

		if (l->lines == 0 || l->lines > p->n_lines - l->first_line)
			return false;
	}
	return true;
}

static int
map_order(const struct cr_map *a, const struct cr_map *b)
{
	if (a->space.i != b->space.i)
		return a->space.i < b->space.i ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->born > b->born) - (a->born < b->born);
}

bool
cr_store_check_maps(const struct cr_map *maps, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (maps[i].start > maps[i].end || (i && map_order(&maps[i - 1], &maps[i]) > 0))
			return false;
	return true;
}

struct event_sum {
	uint64_t samples, weight;
};

/* A sum counts the samples of its parts and has none itself. */
static void
add_parts(const struct cr_profile *p, uint32_t event, struct event_sum *sum)
{
	for (uint32_t part = 0; part < p->n_events; part++) {
		if (part == event ||
			!cr_event_includes(p, (cr_event_id){event}, (cr_event_id){part}))
			continue;
		sum[event].samples += sum[part].samples;
		sum[event].weight = cr_add_sat(sum[event].weight, sum[part].weight);
	}
}

bool
cr_store_check_samples(const struct cr_samples *s, const struct cr_profile *p)
{
	struct event_sum *sum = cr_alloc(p->n_events, sizeof(*sum));
	bool same = true;

	for (uint64_t i = 0; i < s->n; i++) {
		cr_samples_sweep(s, i);
		sum[s->event[i]].samples++;
		sum[s->event[i]].weight = cr_add_sat(sum[s->event[i]].weight, s->weight[i]);
	}
	for (uint32_t e = 0; e < p->n_events; e++) {
		if (cr_event_is_sum(p, (cr_event_id){e}))
			add_parts(p, e, sum);
		same &= sum[e].samples == p->events[e].samples &&
			sum[e].weight == p->events[e].weight;
	}
	free(sum);
	return same;
}

static bool
same_frame(
	const struct cr_default_tree *a, uint32_t fa, const struct cr_default_tree *b, uint32_t fb)
{
	return a->frame_function[fa] == b->frame_function[fb] &&
	       (a->frame_function[fa] != CR_NO_ROW ||
		       cr_str_eq(a->frame_comm[fa], b->frame_comm[fb]));
}

bool
cr_store_check_default_tree_samples(struct cr_profile *p)
{
	const struct cr_default_tree *stored = p->default_tree, *made;
	bool same;

	if (!stored || !(p->flags & CR_PROFILE_HAS_SAMPLES) || p->n_nodes == 0)
		return true;
	p->default_tree = NULL;
	cr_default_tree_make(p);
	made = p->default_tree;
	p->default_tree = stored;
	if (!made)
		return true; /* too large for a default tree */
	same = made->n == stored->n && made->n_events == stored->n_events;
	for (uint32_t i = 0; i < stored->n && same; i++)
		same = made->parent[i] == stored->parent[i] &&
		       same_frame(made, made->frame[i], stored, stored->frame[i]);
	for (size_t i = 0; same && i < (size_t)stored->n * stored->n_events; i++)
		same = made->self[i] == stored->self[i] &&
		       made->self_samples[i] == stored->self_samples[i];
	return same;
}

/* Two fields with one event, name and form would become one in a merge, with the values of both. */
static bool
fields_differ(const struct cr_field *fields, uint32_t n)
{
	struct cr_index index = {0};
	bool differ = true;

	for (uint32_t i = 0; i < n && differ; i++) {
		const struct cr_field *d = &fields[i];
		const uint64_t h = cr_hash_mix(
			cr_hash(d->name.p, d->name.len), (uint64_t)d->event.i << 8 | d->form);
		uint32_t row;

		cr_index_each(&index, h, row)
			differ &= fields[row].event.i != d->event.i ||
				  fields[row].form != d->form ||
				  !cr_str_eq(fields[row].name, d->name);
		cr_index_add(&index, h, i);
	}
	cr_index_fini(&index);
	return differ;
}

bool
cr_store_check_fields(const struct cr_field *fields, uint32_t n, const struct cr_event *events)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_field *d = &fields[i];

		if (d->n != events[d->event.i].samples || d->have == 0 || d->have > d->n)
			return false;
		if (i && fields[i - 1].event.i > d->event.i)
			return false;
	}
	return fields_differ(fields, n);
}

static bool
texts_are_there(const struct cr_field *d, uint32_t n_texts)
{
	bool out = false;

	for (uint64_t i = 0; i < d->n; i++)
		out |= d->value[i] >= n_texts && d->value[i] != cr_form_none(CR_FORM_TEXT);
	return !out;
}

static bool
same_sums(const struct cr_field *a, const struct cr_field *b)
{
	return a->have == b->have && a->least == b->least && a->most == b->most &&
	       a->distinct == b->distinct;
}

bool
cr_store_check_values(const struct cr_field *fields, uint32_t n, uint32_t n_texts)
{
	struct cr_field *sums = cr_alloc(n, sizeof(*sums));
	bool same = true;

	if (n)
		memcpy(sums, fields, n * sizeof(*sums));
	for (uint32_t i = 0; i < n && same; i++)
		same = fields[i].form != CR_FORM_TEXT || texts_are_there(&fields[i], n_texts);
	if (same)
		cr_fields_sum_up(sums, n, n_texts);
	for (uint32_t i = 0; i < n && same; i++)
		same = same_sums(&sums[i], &fields[i]);
	free(sums);
	return same;
}

bool
cr_store_check_codes(const struct cr_machine_code *codes, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_machine_code *c = &codes[i], *before = c - 1;

		if (c->bits != 32 && c->bits != 64)
			return false;
		if (i && (before->function.i > c->function.i ||
				 (before->function.i == c->function.i && before->addr >= c->addr)))
			return false;
	}
	return true;
}

bool
cr_store_check_source_lines(const struct cr_source_line *lines, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const int order = i ? cr_str_cmp(lines[i - 1].file, lines[i].file) : -1;

		if (order > 0 || lines[i].line <= (order == 0 ? lines[i - 1].line : 0))
			return false;
	}
	return true;
}
