#include "job_p.h"
#include "terminal_p.h"

#include "base/json_out.h"
#include "base/utf8.h"
#include "query/time/series.h"
#include "view/style/chart.h"
#include "view/style/spark.h"

#include <inttypes.h>
#include <stdio.h>

int cr_cmd_series(const struct cr_options *o);

#define SHARE_CELLS 8u
#define COST_CELLS 10u
#define KEY_CELLS 28u
#define NUMBERS (SHARE_CELLS + 2 * (COST_CELLS + 1) + 2)
#define CHART_BEGINS (NUMBERS + KEY_CELLS + 1)

/* ---- for people */

static uint64_t
highest(const struct cr_series *s, const struct cr_series_lane *l)
{
	uint64_t most = 0;

	for (uint32_t k = 0; k < s->n_bins; k++)
		most = CR_MAX(most, l->bin_weight[k]);
	return most;
}

static void
put_head(const struct cr_series *s, const char *key, struct cr_text *t)
{
	cr_text_puts(t, "# ");
	if (s->event.len) {
		cr_text_puts(t, "event ");
		cr_text_safe(t, s->event);
	} else {
		cr_text_puts(t, "all events");
	}
	cr_text_puts(t, ": ");
	cr_text_counted(t, s->samples, "sample", "samples");
	cr_text_puts(t, ", weight ");
	cr_text_measure(t, s->weight, s->unit);
	if (s->untimed) {
		cr_text_puts(t, "; without a time, and not shown: ");
		cr_text_grouped(t, s->untimed);
	}
	cr_text_printf(t, "\n# %" PRIu32 "%s of ", s->n_bins, s->n_bins == 1 ? " bin" : " bins");
	cr_text_duration(t, s->bin_ns);
	cr_text_puts(t, ", each line up to its own highest\n");
	cr_chart_right(t, CR_STR("SHARE"), SHARE_CELLS);
	cr_chart_right(t, CR_STR("IN ALL"), COST_CELLS + 1);
	cr_chart_right(t, CR_STR("HIGHEST"), COST_CELLS + 1);
	cr_text_printf(t, "  %s\n", key);
}

/* Of the names: all of the longest where names are printed in full. */
static uint32_t
key_cells(const struct cr_options *o, const struct cr_series *s)
{
	uint32_t most = KEY_CELLS;

	for (uint32_t i = 0; i < s->n_lanes && o->names == NAMES_FULL; i++) {
		struct cr_text name = {0};

		cr_text_safe(&name, s->lanes[i].name);
		most = CR_MAX(most, name.len ? cr_utf8_cells(cr_text_view(&name)) : 0);
		cr_text_fini(&name);
	}
	return most;
}

static void
put_key(const struct cr_series_lane *l, uint32_t cells, struct cr_text *t)
{
	struct cr_text rest = {0};

	if (!l->is_rest) {
		cr_chart_name(t, l->name, cells, cr_stdout_unicode());
		return;
	}
	cr_text_printf(&rest, "%" PRIu32 " more", l->keys);
	cr_chart_name(t, cr_text_view(&rest), cells, cr_stdout_unicode());
	cr_text_fini(&rest);
}

static void
put_lane(const struct cr_series *s, const struct cr_series_lane *l, uint32_t cells,
	struct cr_text *t)
{
	struct cr_text share = {0};

	cr_text_share(&share, l->weight, s->weight);
	cr_chart_right(t, cr_text_view(&share), SHARE_CELLS);
	cr_chart_cost(t, l->weight, s->unit, COST_CELLS + 1);
	cr_chart_cost(t, highest(s, l), s->unit, COST_CELLS + 1);
	cr_text_puts(t, "  ");
	put_key(l, cells, t);
	cr_text_char(t, ' ');
	cr_spark_heights(t, l->bin_weight, s->n_bins, highest(s, l), cr_stdout_unicode());
	cr_chart_line_end(t);
	cr_text_fini(&share);
}

static void
print_text(const struct cr_options *o, const struct cr_series *s, const char *key)
{
	const uint32_t cells = key_cells(o, s);
	struct cr_text t = {0};

	put_head(s, key, &t);
	for (uint32_t i = 0; i < s->n_lanes; i++)
		put_lane(s, &s->lanes[i], cells, &t);
	cr_text_pad(&t, ' ', NUMBERS + cells + 1);
	cr_chart_axis(&t, s->span.from_ns, s->span.from_ns + s->span.len_ns, s->n_bins);
	printf("%s\n", t.p);
	cr_text_fini(&t);
}

/* ---- for programs */

/* A line for each bin of each key, those without samples too. */
static void
print_csv(const struct cr_series *s, const char *key)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "start_s,");
	cr_text_csv(&t, cr_str_of(key));
	printf("%s,samples,weight\n", t.p);
	for (uint32_t i = 0; i < s->n_lanes; i++)
		for (uint32_t k = 0; k < s->n_bins; k++) {
			cr_text_clear(&t);
			cr_chart_seconds(&t, s->span.from_ns + k * s->bin_ns);
			cr_text_char(&t, ',');
			cr_text_csv(&t, s->lanes[i].name);
			cr_text_printf(&t, ",%" PRIu64 ",", s->lanes[i].bin_samples[k]);
			cr_text_weight(&t, s->lanes[i].bin_weight[k], s->unit);
			printf("%s\n", t.p);
		}
	cr_text_fini(&t);
}

static void
put_numbers(
	struct cr_json_out *j, const char *name, const uint64_t *v, uint32_t n, struct cr_str unit)
{
	cr_json_out_line(j, " ");
	cr_json_out_key(j, name);
	cr_json_out_open(j, '#');
	for (uint32_t i = 0; i < n; i++)
		cr_json_out_weight(j, v[i], unit);
	cr_json_out_close(j);
}

static void
put_lane_json(struct cr_json_out *j, const struct cr_series *s, const struct cr_series_lane *l)
{
	cr_json_out_line(j, "");
	cr_json_out_open(j, '{');
	cr_json_out_key(j, "key");
	if (l->is_rest) {
		cr_json_out_null(j);
		cr_json_out_u64_of(j, "keys", l->keys);
	} else {
		cr_json_out_text(j, l->name);
	}
	cr_json_out_u64_of(j, "samples", l->samples);
	cr_json_out_key(j, "weight");
	cr_json_out_weight(j, l->weight, s->unit);
	put_numbers(j, "bin_samples", l->bin_samples, s->n_bins, CR_STR("samples"));
	put_numbers(j, "bin_weight", l->bin_weight, s->n_bins, s->unit);
	cr_json_out_close(j);
}

static void
put_head_json(struct cr_json_out *j, const struct cr_series *s, const char *key)
{
	cr_json_out_text_of(j, "event", s->event);
	cr_json_out_text_of(j, "unit", s->unit);
	cr_json_out_text_of(j, "by", cr_str_of(key));
	cr_json_out_line(j, "");
	cr_json_out_u64_of(j, "first_ns", s->span.first_ns);
	cr_json_out_u64_of(j, "from_ns", s->span.from_ns);
	cr_json_out_u64_of(j, "length_ns", s->span.len_ns);
	cr_json_out_u64_of(j, "bin_ns", s->bin_ns);
	cr_json_out_u64_of(j, "bins", s->n_bins);
	cr_json_out_line(j, "");
	cr_json_out_u64_of(j, "samples", s->samples);
	cr_json_out_key(j, "weight");
	cr_json_out_weight(j, s->weight, s->unit);
	cr_json_out_u64_of(j, "without_time", s->untimed);
	cr_json_out_line(j, "");
}

static void
print_json(const struct cr_series *s, const char *key)
{
	struct cr_text t = {0};
	struct cr_json_out j = {.text = &t};

	cr_json_out_open(&j, '{');
	put_head_json(&j, s, key);
	cr_json_out_key(&j, "series");
	cr_json_out_open(&j, '[');
	for (uint32_t i = 0; i < s->n_lanes; i++) {
		put_lane_json(&j, s, &s->lanes[i]);
		fputs(t.p, stdout);
		cr_text_clear(&t);
	}
	cr_json_out_close(&j);
	cr_json_out_close(&j);
	puts(t.p);
	cr_json_out_fini(&j);
	cr_text_fini(&t);
}

/* ---- */

/* As many as fit on a line, unless it was said how many. */
static uint32_t
bins_of(const struct cr_options *o)
{
	const uint32_t cells = cr_stdout_cells(CR_STDOUT_PIPED);

	if (o->bins)
		return o->bins;
	return cells > CHART_BEGINS + 20 ? cells - CHART_BEGINS : 20;
}

static void
print(const struct cr_options *o, const struct cr_series *s, const char *key)
{
	if (o->json)
		print_json(s, key);
	else if (o->csv)
		print_csv(s, key);
	else
		print_text(o, s, key);
}

int
cr_cmd_series(const struct cr_options *o)
{
	const struct cr_series_opts opts = {
		.by = cr_lane_by_of(o->by ? o->by : "all"), .bins = bins_of(o), .top = o->top};
	struct cr_err err = CR_ERR_INIT;
	struct cr_series s;
	struct cr_profile *p;
	int code = cr_job_load(o, o->args[0], cr_load_parts(cr_series_needs(&o->query, &opts)), &p);

	if (code != EXIT_DONE)
		return code;
	if (cr_series_make(p, &o->query, &opts, &s, &err) < 0) {
		code = cr_job_fail_query(o->args[0], &err);
		cr_profile_free(p);
		return code;
	}
	if (!cr_job_none_left(o, s.samples | s.untimed))
		print(o, &s, cr_lane_word(&opts.by));
	code = cr_job_end(o, p, s.samples ? EXIT_DONE : EXIT_NOTHING);
	cr_series_fini(&s);
	cr_profile_free(p);
	return code;
}
