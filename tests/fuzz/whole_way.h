#ifndef CR_FUZZ_WHOLE_WAY_H
#define CR_FUZZ_WHOLE_WAY_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/tree/default_tree.h"
#include "query/diff/diff.h"
#include "query/fold/fold.h"
#include "query/table/table.h"
#include "query/time/latency.h"
#include "query/time/series.h"
#include "read/reader.h"
#include "write/writer.h"

/*
 * Input through a reader and on to what the program would show of it; aborts where something
 * that always holds does not. No file is opened and nothing is given a name.
 */
#define must(holds)                                                                             \
	do {                                                                                    \
		if (!(holds)) {                                                                 \
			fprintf(stderr, "%s:%d: it must be: %s\n", __FILE__, __LINE__, #holds); \
			abort();                                                                \
		}                                                                               \
	} while (0)

static void
check_profile(const struct cr_profile *p)
{
	for (uint32_t n = 1; n < p->n_nodes; n++) {
		must(p->node_parent[n] < n && p->node_end[n] > n &&
			p->node_end[n] <= p->node_end[p->node_parent[n]]);
		must(p->node_location[n] < p->n_locations);
	}
	for (uint64_t i = 0; i < p->samples.n; i++) {
		must(p->samples.node[i] < p->n_nodes && p->samples.task[i] < p->n_tasks &&
			p->samples.event[i] < p->n_events);
		if (p->samples.node[i])
			cr_profile_ip(p, i, p->samples.node[i]);
	}
	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];

		must(d->n == p->events[d->event.i].samples && d->have > 0 && d->have <= d->n);
		for (uint64_t k = 0; d->form == CR_FORM_TEXT && k < d->n; k++)
			must(d->value[k] < p->n_texts || d->value[k] == cr_form_none(CR_FORM_TEXT));
	}
	for (uint32_t i = 1; i < p->n_maps; i++)
		must(p->maps[i - 1].space.i <= p->maps[i].space.i);
}

static void
check_tree(const struct cr_profile *p, const struct cr_tree *t, uint32_t event)
{
	must(t->total[0][0] == p->events[event].weight &&
		t->total_samples[0][0] == cr_event_samples(&p->events[event]));
	for (uint32_t n = 1; n < t->n; n++) {
		must(t->parent[n] < n && t->end[n] > n && t->end[n] <= t->end[t->parent[n]]);
		must(t->total[0][n] <= t->total[0][t->parent[n]] &&
			t->self[0][n] <= t->total[0][n]);
		must(t->frames[t->frame[n]].name.len > 0 ||
			t->frames[t->frame[n]].kind == CR_KIND_GROUP);
	}
}

static void
check_top(const struct cr_tree *t)
{
	static const enum cr_table_column keys[] = {
		CR_TABLE_FUNCTION, CR_TABLE_DSO_PATH, CR_TABLE_GROUP};

	for (size_t k = 0; k < CR_LEN(keys); k++) {
		struct cr_table top;
		uint64_t self = 0;

		cr_table_make(NULL, t, t->n / 2, cr_table_by(keys[k]), &top);
		for (uint32_t i = 0; i < top.n; i++) {
			must(top.rows[i].cost[0].self <= top.rows[i].cost[0].total);
			must(keys[k] == CR_TABLE_GROUP ||
				top.rows[i].cost[0].total <= top.whole[0]);
			self = cr_add_sat(self, top.rows[i].cost[0].self);
		}
		must(self <= top.whole[0]);
		cr_table_fini(&top);
	}
}

/* A tree and itself: nothing has changed, whatever the names are. */
static void
check_diff(const struct cr_tree *t)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *d;

	must(cr_diff(t, t, NULL, &d, &err) == CR_OK);
	for (uint32_t n = 0; n < d->n; n++)
		must(cr_diff_total_ppm(d, n) == 0 && cr_diff_self_ppm(d, n) == 0);
	cr_tree_free(d);
}

/* The tree as folded stacks; free() it. */
static char *
folded_text(const struct cr_tree *t, size_t *len)
{
	const struct cr_writer *w = cr_writer_find("folded");
	const struct cr_write_in in = {.tree = t};
	struct cr_err err = CR_ERR_INIT;
	struct cr_text text = {0};
	struct cr_sink out = cr_sink_memory(&text);

	cr_text_puts(&text, "");
	must(cr_writer_write(w, &in, NULL, &out, &err) == CR_OK);
	*len = text.len;
	return text.p;
}

/* The samples tell the same as the default tree, where they are asked instead. */
static void
check_samples(struct cr_profile *p, const struct cr_tree *default_tree)
{
	const struct cr_default_tree *kept = p->default_tree;
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *samples;

	p->default_tree = NULL;
	must(cr_fold(p, &(struct cr_filter){0}, &CR_FOLD_USUAL, &samples, &err) == CR_OK);
	must(samples->n == default_tree->n);
	for (uint32_t n = 0; n < samples->n; n++)
		must(samples->total[0][n] == default_tree->total[0][n]);
	cr_tree_free(samples);
	p->default_tree = kept;
}

/*
 * Over time, whatever the times are, and by whatever was recorded, all samples that have one are
 * counted once.
 */
static void
check_series(const struct cr_profile *p, uint64_t samples)
{
	for (int key = 0; key < CR_LANE_FIELD; key++) {
		const struct cr_series_opts o = {
			.by = {.key = (enum cr_lane_key)key}, .bins = 7, .top = 2};
		struct cr_err err = CR_ERR_INIT;
		struct cr_series s;

		if (cr_series_make(p, &(struct cr_query){0}, &o, &s, &err) < 0) {
			must(err.code == CR_EUSAGE);
			continue;
		}
		must(key == CR_LANE_EVENT ? s.samples + s.untimed == p->samples.n
					  : s.samples + s.untimed == samples);
		cr_series_fini(&s);
	}
}

static void
check_heat(const struct cr_profile *p, uint64_t samples)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_heat h;

	if (cr_heat_make(p, &(struct cr_query){0}, 1000, &h, &err) < 0) {
		must(err.code == CR_EUSAGE || err.code == CR_ELIMIT);
		return;
	}
	must(h.whole + h.untimed == samples && h.most <= h.whole);
	cr_heat_fini(&h);
}

static void
check_latency(const struct cr_profile *p)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_latency l;

	if (cr_latency_make(p, &(struct cr_query){0},
		    &(struct cr_latency_opts){.by = {.key = CR_LANE_TID}}, &l, &err) < 0)
		return;
	must(l.all.least <= l.all.at[CR_LATENCY_P50] &&
		l.all.at[CR_LATENCY_P999] <= l.all.at[CR_LATENCY_MAX]);
	cr_latency_fini(&l);
}

static void
check_event(struct cr_profile *p, uint32_t event)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_tree *default_tree;
	cr_event_id most;
	size_t len;

	if (p->events[event].samples == 0)
		return;
	default_tree = cr_default_tree_fold(p, (cr_event_id){event});
	check_tree(p, default_tree, event);
	check_top(default_tree);
	check_diff(default_tree);
	free(folded_text(default_tree, &len));
	must(cr_filter_event(p, &(struct cr_filter){0}, &most, &err) == CR_OK);
	if (most.i == event) {
		check_samples(p, default_tree);
		check_series(p, p->events[event].samples);
		check_heat(p, p->events[event].samples);
		check_latency(p);
	}
	cr_tree_free(default_tree);
}

/*
 * What the reader makes of the input, default tree and all, or the one that detection chooses; NULL
 * for nothing.
 */
static struct cr_profile *
profile_of(const struct cr_reader *reader, const uint8_t *data, size_t size)
{
	const struct cr_input in = {.p = data, .len = size};
	const struct cr_reader *detected;
	uint64_t line;
	struct cr_builder *b;
	struct cr_log log = {0};
	const struct cr_read_opts opts = {.log = &log};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p = NULL;
	int rc = cr_reader_detect(&in, &detected, &line, &err); /* shows it to every reader */

	must(rc == CR_OK ? detected != NULL : !detected && err.text[0]);
	if (!reader && !(reader = detected))
		return NULL;
	b = cr_builder_new(NULL);
	if ((rc = reader->read(&in, b, &opts, &err)) == CR_OK)
		rc = cr_builder_finish(b, &log, &p, &err);
	must(rc == CR_OK || (!p && err.text[0]));
	cr_builder_free(b);
	if (!p)
		return NULL;
	check_profile(p);
	cr_default_tree_make(p);
	return p;
}

static void
check_events(struct cr_profile *p)
{
	for (uint32_t e = 0; p->default_tree && e < CR_MIN(p->n_events, 8u); e++)
		check_event(p, e);
}

static inline void
whole_way(const struct cr_reader *reader, const uint8_t *data, size_t size)
{
	struct cr_profile *p = profile_of(reader, data, size);

	if (!p)
		return;
	check_events(p);
	cr_profile_free(p);
}

#endif
