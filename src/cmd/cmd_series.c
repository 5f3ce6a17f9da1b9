#include "job_p.h"
#include "reply_p.h"
#include "sheet_out_p.h"
#include "terminal_p.h"

#include "base/utf8.h"
#include "query/time/series.h"
#include "view/sheet/series_sheet.h"
#include "view/style/chart.h"
#include "write/write_sheet.h"

#include <inttypes.h>
#include <stdio.h>

int cr_cmd_series(const struct cr_options *o);

/* ---- text */

static void
put_head(const struct cr_series *s, struct cr_text *t)
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
		cr_text_puts(t, "; not shown, because they have no time: ");
		cr_text_grouped(t, s->untimed);
	}
	cr_text_printf(t, "\n# %" PRIu32 "%s of ", s->n_bins, s->n_bins == 1 ? " bin" : " bins");
	cr_text_duration(t, s->bin_ns);
	cr_text_puts(t, ", each line scaled to its own maximum\n");
}

static void
print_text(const struct cr_options *o, const struct cr_series *series, const char *key)
{
	struct cr_series_sheet s;
	struct cr_sheet_lines lines;
	struct cr_text t = {0};

	cr_series_lanes(series, key, o->names == NAMES_FULL, cr_utf8_locale(), &s);
	cr_sheet_lines_init(&lines, &s.sheet);
	put_head(series, &t);
	fputs(t.p, stdout);
	cr_text_clear(&t);
	cr_sheets_put_lines(&lines, 0, 0);
	cr_text_pad(&t, ' ', s.chart_begins);
	cr_chart_axis(&t, series->span.from_ns, series->span.from_ns + series->span.len_ns,
		series->n_bins);
	printf("%s\n", t.p);
	cr_text_fini(&t);
	cr_series_sheet_fini(&s);
}

/* ---- CSV and JSON */

/* A line for each bin of each key, even without samples. */
static void
print_csv(const struct cr_series *series, const char *key)
{
	struct cr_series_sheet s;

	cr_series_bins(series, key, &s);
	cr_write_sheet_csv_head(&s.sheet, stdout);
	cr_write_sheet_csv(&s.sheet, stdout);
	cr_series_sheet_fini(&s);
}

static void
put_numbers(struct cr_json_out *j, const char *name, const uint64_t *v, uint32_t n)
{
	cr_json_out_line(j, " ");
	cr_json_out_key(j, name);
	cr_json_out_open(j, '#');
	for (uint32_t i = 0; i < n; i++)
		cr_json_out_u64(j, v[i]);
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
	cr_json_out_u64_of(j, "weight", l->weight);
	put_numbers(j, "bin_samples", l->bin_samples, s->n_bins);
	put_numbers(j, "bin_weight", l->bin_weight, s->n_bins);
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
	cr_json_out_u64_of(j, "weight", s->weight);
	cr_json_out_u64_of(j, "without_time", s->untimed);
	cr_json_out_line(j, "");
}

static void
print_json(const struct cr_options *o, const struct cr_series *s, const char *key)
{
	struct cr_reply r;
	struct cr_json_out *j = &r.json;

	cr_reply_begin(&r, o, CR_REPLY_ONE);
	cr_json_out_open(j, '{');
	put_head_json(j, s, key);
	cr_json_out_key(j, "series");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < s->n_lanes; i++) {
		put_lane_json(j, s, &s->lanes[i]);
		cr_reply_flush(&r);
	}
	cr_json_out_close(j);
	cr_json_out_close(j);
	cr_reply_end(&r);
}

/* ---- */

/* --bins, or as many as fit on a line. */
static uint32_t
bins_of(const struct cr_options *o)
{
	const uint32_t cells = cr_stdout_cells(CR_STDOUT_PIPED);

	if (o->bins)
		return o->bins;
	return cells > CR_SERIES_CHART_CELL + 20 ? cells - CR_SERIES_CHART_CELL : 20;
}

static void
print(const struct cr_options *o, const struct cr_series *s, const char *key)
{
	if (o->json)
		print_json(o, s, key);
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
	int code = cr_job_load(
		o, o->args[0], cr_load_parts(cr_series_needs(NULL, &o->query, &opts)), &p);

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
