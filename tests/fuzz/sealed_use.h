#ifndef CR_FUZZ_SEALED_USE_H
#define CR_FUZZ_SEALED_USE_H

#include "whole_way.h"

#include "model/merge/merge.h"
#include "query/table/annotate.h"
#include "query/table/table.h"
#include "query/table/thread_list.h"
#include "session/load.h"
#include "store/seams_p.h"
#include "store/store_check_p.h"

/*
 * A store as each command uses it: read anew with no more than what the command asks for. Of a
 * store without damage that verify accepts, the numbers must be the plain sums over its samples,
 * and the same whether it is read in part or as a whole.
 */
struct stored {
	const uint8_t *data;
	size_t size;
	struct cr_profile *whole; /* read as a whole */
	bool sound;               /* verify finds nothing */
	uint32_t event;           /* the main one */
	uint64_t samples, weight; /* of that: sums over the rows */
};

static inline struct cr_profile *
stored_read(const struct stored *s, unsigned parts, bool *lost)
{
	struct cr_log log = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	const int rc = cr_store_read(s->data, s->size, parts, false, &p, &log, &err);

	must(rc == CR_OK ? p != NULL : !p && err.text[0]);
	*lost = rc < 0 || log.n > 0 || p->flags & CR_PROFILE_IN_PART;
	return p;
}

/*
 * As the session fetches: the columns that a filter looks at whole, the others where they may have
 * samples.
 */
static inline bool
stored_fetch(struct cr_profile *p, const struct cr_query *q)
{
	const struct cr_fold_opts o = cr_query_opts(q);
	const struct cr_filter *f = cr_query_filter(q);
	const unsigned needs = cr_query_needs(p, q);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	uint8_t *want;
	bool good;

	if (!needs)
		return true;
	if (cr_store_fetch(p, cr_load_parts(needs & cr_fold_needs_whole(f, &o)), &log, &err) < 0)
		return false;
	want = cr_alloc(CR_MAX(p->samples.n_zones, 1u), 1);
	good = cr_fold_zones(p, f, &o, want, &err) == CR_OK &&
	       cr_store_fetch_zones(p, cr_load_parts(needs), want, &log, &err) == CR_OK;
	free(want);
	return good;
}

static inline void
stored_query(const struct stored *s, const char *text)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_query q = {0};
	struct cr_tree *in_part = NULL, *whole = NULL;
	bool lost;
	struct cr_profile *p = stored_read(s, CR_STORE_DEFAULT_TREE, &lost);

	must(cr_query_parse(&q, text, &err) == CR_OK);
	if (!p)
		goto out;
	if (stored_fetch(p, &q) && cr_query_run(p, &q, &in_part, &err) < 0)
		must(!in_part && err.text[0]);
	if (s->whole && cr_query_run(s->whole, &q, &whole, &err) < 0)
		must(!whole && err.text[0]);
	if (s->sound) {
		must(!whole == !in_part && (!whole || whole->n == in_part->n));
		for (uint32_t n = 0; whole && n < whole->n; n++)
			must(whole->total[0][n] == in_part->total[0][n] &&
				whole->self[0][n] == in_part->self[0][n]);
	}
	cr_tree_free(in_part);
	cr_tree_free(whole);
	cr_profile_free(p);
out:
	cr_query_fini(&q);
}

static inline void
stored_report(const struct stored *s, const char *keys)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	const struct cr_filter f = {0};
	struct cr_fold_opts o = {0};
	struct cr_table_spec spec;
	struct cr_tree *t;
	struct cr_table h;
	bool lost;
	struct cr_profile *p = stored_read(s, CR_STORE_DEFAULT_TREE, &lost);

	if (!p)
		return;
	must(cr_table_parse(keys, NULL, true, &spec, &err) == CR_OK);
	cr_table_fold(p, &spec, &o);
	if (cr_store_fetch(p, cr_load_parts(cr_fold_needs(p, &f, &o)), &log, &err) == CR_OK &&
		cr_fold(p, &f, &o, &t, &err) == CR_OK) {
		uint64_t self = 0;

		cr_table_make(p, t, 0, &spec, &h);
		for (uint32_t i = 0; i < h.n; i++) {
			must(h.rows[i].cost[0].self <= h.whole[0] &&
				h.rows[i].cost[0].total <= h.whole[0]);
			self = cr_add_sat(self, h.rows[i].cost[0].self);
		}
		must(!s->sound || (h.whole[0] == s->weight && h.whole_samples[0] == s->samples &&
					  self <= h.whole[0]));
		cr_table_fini(&h);
		cr_tree_free(t);
	}
	cr_profile_free(p);
}

static inline void
stored_series(const struct stored *s, enum cr_lane_key key)
{
	const struct cr_series_opts o = {.by = {.key = key}, .bins = 9, .top = 3};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_query q = {0};
	struct cr_series series;
	bool lost;
	struct cr_profile *p = stored_read(s, cr_load_parts(cr_series_needs(NULL, &q, &o)), &lost);

	(void)log;
	if (p && cr_series_make(p, &q, &o, &series, &err) == CR_OK) {
		uint64_t samples = 0, weight = 0, in_bins = 0;

		for (uint32_t i = 0; i < series.n_lanes; i++) {
			samples += series.lanes[i].samples;
			weight = cr_add_sat(weight, series.lanes[i].weight);
			for (uint32_t b = 0; b < series.n_bins; b++)
				in_bins += series.lanes[i].bin_samples[b];
		}
		must(samples == series.samples && weight == series.weight && in_bins == samples);
		must(!s->sound || series.samples + series.untimed == s->samples);
		must(!s->sound || series.untimed || series.weight == s->weight);
		cr_series_fini(&series);
	}
	cr_profile_free(p);
}

static inline void
stored_heat(const struct stored *s)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_query q = {0};
	struct cr_heat h;
	bool lost;
	struct cr_profile *p = stored_read(s, cr_load_parts(cr_heat_needs(&q)), &lost);

	if (p && cr_heat_make(p, &q, 50, &h, &err) == CR_OK) {
		uint64_t cells = 0;

		for (uint64_t i = 0; i < (uint64_t)h.columns * h.rows; i++)
			cells += h.samples[i];
		must(cells == h.whole && (!s->sound || h.whole + h.untimed == s->samples));
		cr_heat_fini(&h);
	}
	cr_profile_free(p);
}

static inline void
stored_latency(const struct stored *s)
{
	const struct cr_latency_opts o = {.by = {.key = CR_LANE_COMM}, .top = 2};
	struct cr_err err = CR_ERR_INIT;
	struct cr_query q = {0};
	struct cr_latency in_part, whole;
	bool lost;
	struct cr_profile *p = stored_read(s, cr_load_parts(cr_latency_needs(&q, &o)), &lost);

	if (p && cr_latency_make(p, &q, &o, &in_part, &err) == CR_OK) {
		must(in_part.all.least <= in_part.all.at[CR_LATENCY_P50] &&
			in_part.all.at[CR_LATENCY_P999] <= in_part.all.at[CR_LATENCY_MAX]);
		if (s->sound) {
			must(cr_latency_make(s->whole, &q, &o, &whole, &err) == CR_OK);
			must(whole.all.count == in_part.all.count &&
				whole.all.sum == in_part.all.sum);
			must(memcmp(whole.all.at, in_part.all.at, sizeof(whole.all.at)) == 0);
			cr_latency_fini(&whole);
		}
		cr_latency_fini(&in_part);
	}
	cr_profile_free(p);
}

static inline void
stored_threads(const struct stored *s)
{
	const struct cr_filter f = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_thread_list t;
	bool lost;
	struct cr_profile *p = stored_read(s, CR_STORE_DEFAULT_TREE, &lost);

	if (p &&
		cr_store_fetch(p, cr_load_parts(cr_thread_list_needs(p, &f)), &log, &err) ==
			CR_OK &&
		cr_thread_list_make(p, &f, &t, &err) == CR_OK) {
		uint64_t samples = 0, cpus = 0;

		for (uint32_t i = 0; i < t.n; i++) {
			samples += t.threads[i].samples;
			for (uint32_t k = 0; k < t.threads[i].cpus; k++)
				cpus += t.cpu[t.threads[i].cpu_from + k];
		}
		must(!s->sound || (samples == s->samples && t.weight == s->weight));
		must(cpus != UINT64_MAX);
		cr_thread_list_fini(&t);
	}
	cr_profile_free(p);
}

/* The first functions that have samples, and a pattern that is all of them. */
static inline void
stored_annotate(const struct stored *s)
{
	const struct cr_filter f = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_annotate_found found;
	struct cr_annotate a;

	if (!s->whole || !(s->whole->flags & CR_PROFILE_HAS_SAMPLES) ||
		cr_annotate_find(s->whole, "/./", NULL, &found, &err) < 0)
		return;
	for (uint32_t i = 0; i < CR_MIN(found.names.n, (size_t)4); i++) {
		const struct cr_annotate_name *name = &found.names.p[i];

		if (cr_annotate_make(s->whole, &f, found.functions.p + name->first, name->n, NULL,
			    0, &a, &err) < 0)
			continue;
		must(a.cost.self <= a.cost.total && a.cost.total <= a.whole &&
			(!s->sound || a.whole == s->weight));
		cr_annotate_fini(&a);
	}
	cr_annotate_found_fini(&found);
}

static inline void
stored_merge(const struct stored *s)
{
	struct cr_merge *m = cr_merge_new();
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *out;

	if (s->whole && cr_merge_add(m, s->whole, CR_STR("it"), &err) == CR_OK &&
		cr_merge_add(m, s->whole, CR_STR("too"), &err) == CR_OK &&
		cr_merge_finish(m, &out, &err) == CR_OK) {
		check_profile(out);
		must(!s->sound || out->samples.n == 2 * s->whole->samples.n);
		cr_profile_free(out);
	}
	cr_merge_free(m);
}

/* What is the main event, and the sums of its rows. */
static inline void
stored_sum(struct stored *s)
{
	const struct cr_samples *rows = &s->whole->samples;
	struct cr_err err = CR_ERR_INIT;
	cr_event_id main_event;

	if (!s->sound || cr_filter_event(s->whole, &(struct cr_filter){0}, &main_event, &err) < 0) {
		s->sound = false;
		return;
	}
	s->event = main_event.i;
	for (uint64_t i = 0; i < rows->n; i++) {
		if (!cr_event_includes(s->whole, main_event, (cr_event_id){rows->event[i]}))
			continue;
		s->samples++;
		s->weight = cr_add_sat(s->weight, rows->weight[i]);
	}
	if (cr_event_is_summed(s->whole, main_event)) /* its samples are what it counts */
		s->samples = cr_event_samples(&s->whole->events[main_event.i]);
}

/* By function, 0 for none: what a tree of the main event has as self. */
static inline uint64_t *
stored_self(const struct cr_profile *p)
{
	uint64_t *self = cr_alloc((uint64_t)p->n_functions + 1, sizeof(*self));
	const struct cr_filter f = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *t;

	must(cr_fold(p, &f, &CR_FOLD_USUAL, &t, &err) == CR_OK);
	for (uint32_t n = 0; n < t->n; n++) {
		const uint32_t function1 = t->frames[t->frame[n]].function1;

		self[function1] = cr_add_sat(self[function1], t->self[0][n]);
	}
	cr_tree_free(t);
	return self;
}

/* A default tree that was compared with the samples, and was not found to be wrong, is theirs. */
static inline void
stored_default_tree(const struct stored *s)
{
	const struct cr_default_tree *stored;
	struct cr_profile *p = s->whole;
	uint64_t *by_default_tree, *by_samples;
	cr_event_id event;
	struct cr_err err = CR_ERR_INIT;
	bool lost;

	cr_profile_free(stored_read(s, CR_STORE_PROOF, &lost));
	must(!s->sound || !lost);
	if (lost || !p || !p->default_tree || !(p->flags & CR_PROFILE_HAS_SAMPLES) ||
		cr_filter_event(p, &(struct cr_filter){0}, &event, &err) < 0)
		return;
	by_default_tree = stored_self(p);
	stored = p->default_tree;
	p->default_tree = NULL;
	by_samples = stored_self(p);
	p->default_tree = stored;
	must(memcmp(by_default_tree, by_samples,
		     ((size_t)p->n_functions + 1) * sizeof(*by_samples)) == 0);
	free(by_default_tree);
	free(by_samples);
}

static inline void
stored_commands(const struct stored *s)
{
	static const char *const queries[] = {"time 20%..70%", "time ..1ms",
		"cpu 0-1; grain address", "comm a", "mode kernel; group tid", "pid 0-1000; invert",
		"group event", "grain line; recursion all"};
	static const enum cr_lane_key keys[] = {
		CR_LANE_ALL, CR_LANE_COMM, CR_LANE_TID, CR_LANE_CPU, CR_LANE_FUNCTION};

	for (size_t i = 0; i < CR_LEN(queries); i++)
		stored_query(s, queries[i]);
	for (size_t i = 0; i < CR_LEN(keys); i++)
		stored_series(s, keys[i]);
	stored_report(s, "comm,dso,sym");
	stored_report(s, "pid,cpu,srcline");
	stored_heat(s);
	stored_latency(s);
	stored_threads(s);
	stored_annotate(s);
	stored_merge(s);
}

/* Was it sound? */
static inline bool
stored_use(const uint8_t *data, size_t size)
{
	struct stored s = {.data = data, .size = size};
	bool lost;

	s.whole = stored_read(&s, CR_STORE_ALL, &lost);
	if (s.whole) {
		s.sound = !lost && s.whole->flags & CR_PROFILE_HAS_SAMPLES &&
			  cr_store_check_default_tree_samples(s.whole);
		check_profile(s.whole);
		stored_sum(&s);
		if (s.sound)
			check_events(s.whole);
	}
	stored_default_tree(&s);
	stored_commands(&s);
	cr_profile_free(s.whole);
	return s.sound;
}

#endif
