#include "fleet_p.h"

#include <stdlib.h>

/* Groups times events; more than any fleet has. */
#define COUNTS_MOST (UINT64_C(1) << 24)

/* ---- reading the facts of a fleet */

static struct cr_str
next_line(struct cr_str *rest)
{
	const char *end = rest->len ? memchr(rest->p, '\n', rest->len) : NULL;
	const struct cr_str line = end ? cr_str_to(*rest, end) : *rest;

	*rest = end ? cr_str_from(*rest, end + 1) : (struct cr_str){"", 0};
	return line;
}

static bool
parse_by(struct cr_str line, struct cr_fleet *f)
{
	f->by.comm = cr_merge_get_number(&line) != 0;
	f->by.bucket_ns = cr_merge_get_number(&line);
	while (line.len) {
		if (f->by.n_keys == CR_FLEET_KEYS_MOST)
			return false;
		f->by.keys[f->by.n_keys++] = cr_merge_get_text(&line, &f->arena);
	}
	return true;
}

static bool
parse_groups(struct cr_str rest, struct cr_fleet *f)
{
	struct cr_fleet_group *groups;
	uint32_t n = 0;

	for (struct cr_str r = rest; r.len; n++)
		next_line(&r);
	f->groups = groups = cr_arena_array(&f->arena, n, sizeof(*groups));
	for (; f->n < n; f->n++) {
		struct cr_fleet_group *g = &groups[f->n];
		struct cr_str line = next_line(&rest);
		struct cr_str *values = cr_arena_array(&f->arena, f->by.n_keys, sizeof(*values));
		const uint64_t batch = cr_merge_get_number(&line);

		g->recordings = cr_merge_get_number(&line);
		for (uint32_t k = 0; k < f->by.n_keys; k++)
			values[k] = cr_merge_get_text(&line, &f->arena);
		g->values = values;
		g->batch = (uint32_t)batch;
		f->recordings = cr_add_sat(f->recordings, g->recordings);
		if (batch >= CR_FLEET_BATCHES)
			return false;
	}
	return true;
}

static bool
parse_counts(struct cr_str rest, struct cr_fleet *f)
{
	const uint64_t n = (uint64_t)f->n * f->n_events;
	struct cr_fleet_count *counts;

	if (n > COUNTS_MOST)
		return false;
	f->counts = counts = cr_arena_array(&f->arena, n, sizeof(*counts));
	while (rest.len) {
		struct cr_str line = next_line(&rest);
		const uint64_t group = cr_merge_get_number(&line),
			       event = cr_merge_get_number(&line);
		struct cr_fleet_count *c;

		if (group >= f->n || event >= f->n_events)
			return false;
		c = &counts[group * f->n_events + event];
		c->samples = cr_merge_get_number(&line);
		c->effective = cr_merge_get_number(&line);
		f->samples = cr_add_sat(f->samples, c->samples);
	}
	return true;
}

bool
cr_fleet_of(const struct cr_profile *p, struct cr_fleet *out)
{
	*out = (struct cr_fleet){.n_events = p->n_events};
	return (p->flags & CR_PROFILE_FLEET) && parse_by(cr_profile_fact(p, CR_FLEET_BY), out) &&
	       parse_groups(cr_profile_fact(p, CR_FLEET_GROUPS), out) && out->n == p->n_spaces &&
	       parse_counts(cr_profile_fact(p, CR_FLEET_COUNTS), out);
}

void
cr_fleet_fini(struct cr_fleet *f)
{
	cr_arena_fini(&f->arena);
	*f = (struct cr_fleet){.n = 0};
}

void
cr_fleet_put_by(const struct cr_fleet_by *by, struct cr_text *out)
{
	cr_text_puts(out, by->comm ? "by comm" : by->n_keys ? "by " : "by nothing");
	for (uint32_t i = 0; i < by->n_keys; i++) {
		cr_text_puts(out, by->comm || i ? ", " : "");
		cr_text_safe(out, by->keys[i]);
	}
	if (by->bucket_ns) {
		cr_text_puts(out, ", in intervals of ");
		cr_text_duration(out, by->bucket_ns);
	}
}

/* ---- the merge */

struct cr_merge *
cr_merge_new_fleet(const struct cr_fleet_by *by)
{
	struct cr_merge *m = cr_merge_new();

	m->fleet = cr_alloc(1, sizeof(*m->fleet));
	m->fleet->by = *by;
	return m;
}

void
cr_merge_fleet_free(struct cr_merge_fleet *f)
{
	if (!f)
		return;
	cr_strings_fini(&f->keys);
	cr_strings_fini(&f->comms);
	cr_vec_fini(&f->groups);
	cr_vec_fini(&f->counts);
	cr_vec_fini(&f->sums);
	cr_index_fini(&f->count_index);
	cr_index_fini(&f->sum_index);
	free(f);
}
