#include "job_p.h"
#include "terminal_p.h"

#include "base/json_out.h"
#include "query/time/latency.h"
#include "view/style/chart.h"
#include "view/style/label.h"
#include "view/style/spark.h"

#include <inttypes.h>
#include <stdio.h>

int cr_cmd_latency(const struct cr_options *o);

#define CELL 11u /* of a number, with a blank before it */
#define BAR_CELLS 40u
#define NUMBERS (CELL * (3 + CR_LATENCY_MARKS) + 2) /* cells of all before the name */
#define NAME_LEAST 20u
#define POWERS (CR_LATENCY_BUCKETS / CR_LATENCY_STEPS)

static const struct mark {
	const char *name, *id;
} marks[CR_LATENCY_MARKS] = {
	[CR_LATENCY_P50] = {"50 %", "p50"},
	[CR_LATENCY_P90] = {"90 %", "p90"},
	[CR_LATENCY_P99] = {"99 %", "p99"},
	[CR_LATENCY_P999] = {"99.9 %", "p99_9"},
	[CR_LATENCY_MAX] = {"LONGEST", "longest"},
};

/* ---- for people */

static void
put_time(const struct cr_latency *l, uint64_t v, struct cr_text *t)
{
	cr_chart_cost(t, v, l->unit, CELL);
}

static void
put_word(const char *word, struct cr_text *t)
{
	cr_chart_right(t, cr_str_of(word), CELL);
}

static void
put_count(uint64_t v, struct cr_text *t)
{
	cr_chart_cost(t, v, CR_STR("samples"), CELL);
}

static void
put_marks_head(struct cr_text *t)
{
	put_word("COUNT", t);
	put_word("IN ALL", t);
	put_word("MEAN", t);
	for (size_t i = 0; i < CR_LEN(marks); i++)
		put_word(marks[i].name, t);
}

static void
put_marks(const struct cr_latency *l, const struct cr_latency_lane *lane, struct cr_text *t)
{
	put_count(lane->count, t);
	put_time(l, lane->sum, t);
	put_time(l, lane->count ? lane->sum / lane->count : 0, t);
	for (size_t i = 0; i < CR_LEN(marks); i++)
		put_time(l, lane->at[i], t);
}

/* Powers of two, the steps between them added up. */
static void
powers_of(const struct cr_latency_lane *lane, uint64_t count[POWERS], uint64_t sum[POWERS])
{
	for (uint32_t i = 0; i < POWERS; i++)
		count[i] = sum[i] = 0;
	for (uint32_t i = 0; i < CR_LATENCY_BUCKETS; i++) {
		count[i / CR_LATENCY_STEPS] += lane->bucket_count[i];
		sum[i / CR_LATENCY_STEPS] =
			cr_add_sat(sum[i / CR_LATENCY_STEPS], lane->bucket_sum[i]);
	}
}

static uint64_t
most_of(const uint64_t count[POWERS])
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < POWERS; i++)
		most = CR_MAX(most, count[i]);
	return most;
}

static void
put_histogram(const struct cr_latency *l, struct cr_text *t)
{
	const bool unicode = cr_stdout_unicode();
	uint64_t count[POWERS], sum[POWERS], most;
	uint32_t first = 0, last = POWERS - 1;

	powers_of(&l->all, count, sum);
	most = most_of(count);
	for (; first < last && !count[first]; first++)
		;
	for (; last > first && !count[last]; last--)
		;
	put_word("FROM", t);
	put_word("BELOW", t);
	put_word("COUNT", t);
	put_word("IN ALL", t);
	cr_text_char(t, '\n');
	for (uint32_t i = first; i <= last; i++) {
		put_time(l, cr_latency_least(i * CR_LATENCY_STEPS), t);
		put_time(l,
			cr_latency_most(i * CR_LATENCY_STEPS + CR_LATENCY_STEPS - 1) +
				(i + 1 < POWERS),
			t);
		put_count(count[i], t);
		put_time(l, sum[i], t);
		cr_text_puts(t, "  ");
		cr_spark_bar(t, count[i], most, BAR_CELLS, unicode);
		cr_chart_line_end(t);
	}
}

/* The name, after the numbers of a row; cells is the width of the whole row, 0 for no limit. */
static void
put_name(struct cr_str name, uint32_t cells, struct cr_text *t)
{
	const size_t from = t->len;

	if (!cells) {
		cr_text_safe(t, name);
		return;
	}
	cr_label_fit(t, name, CR_MAX(cells, NUMBERS + NAME_LEAST) - NUMBERS);
	if (!cr_stdout_unicode())
		cr_label_ascii(t, from);
}

static void
put_keys(const struct cr_latency *l, const char *key, uint32_t cells, struct cr_text *t)
{
	put_marks_head(t);
	cr_text_printf(t, "  %s\n", key);
	for (uint32_t i = 0; i < l->n_lanes; i++) {
		put_marks(l, &l->lanes[i], t);
		cr_text_puts(t, "  ");
		if (l->lanes[i].is_rest)
			cr_text_printf(t, "%" PRIu32 " more", l->lanes[i].keys);
		else
			put_name(l->lanes[i].name, cells, t);
		cr_text_char(t, '\n');
	}
}

static void
print_text(const struct cr_latency *l, const struct cr_lane_by *by, uint32_t cells)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "# event ");
	cr_text_safe(&t, l->event);
	cr_text_puts(&t, ": ");
	cr_text_grouped(&t, l->all.count);
	cr_text_puts(&t, " times, ");
	cr_text_measure(&t, l->all.sum, l->unit);
	cr_text_puts(&t, " in all\n");
	if (by->key != CR_LANE_ALL) {
		put_keys(l, cr_lane_word(by), cells, &t);
	} else if (l->all.count) {
		put_marks_head(&t);
		cr_text_char(&t, '\n');
		put_marks(l, &l->all, &t);
		cr_text_puts(&t, "\n\n");
		put_histogram(l, &t);
	}
	fputs(t.p, stdout);
	cr_text_fini(&t);
}

/* ---- for programs */

/* A line for each bucket of each key that has something. */
static void
print_csv(const struct cr_latency *l, const char *key)
{
	struct cr_text t = {0};

	cr_text_csv(&t, cr_str_of(key));
	printf("%s,from_%.*s,to_%.*s,count,sum\n", t.p, (int)l->unit.len, l->unit.p,
		(int)l->unit.len, l->unit.p);
	for (uint32_t i = 0; i < l->n_lanes; i++)
		for (uint32_t k = 0; k < CR_LATENCY_BUCKETS; k++) {
			const struct cr_latency_lane *lane = &l->lanes[i];

			if (!lane->bucket_count[k])
				continue;
			cr_text_clear(&t);
			cr_text_csv(&t, lane->name);
			printf("%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", t.p,
				cr_latency_least(k), cr_latency_most(k), lane->bucket_count[k],
				lane->bucket_sum[k]);
		}
	cr_text_fini(&t);
}

static void
put_lane_json(const struct cr_latency_lane *lane, struct cr_json_out *j)
{
	cr_json_out_open(j, '{');
	cr_json_out_key(j, "key");
	if (lane->is_rest) {
		cr_json_out_null(j);
		cr_json_out_u64_of(j, "keys", lane->keys);
	} else {
		cr_json_out_text(j, lane->name);
	}
	cr_json_out_u64_of(j, "count", lane->count);
	cr_json_out_u64_of(j, "sum", lane->sum);
	cr_json_out_u64_of(j, "least", lane->least);
	for (size_t i = 0; i < CR_LEN(marks); i++)
		cr_json_out_u64_of(j, marks[i].id, lane->at[i]);
	cr_json_out_line(j, " ");
	cr_json_out_key(j, "buckets");
	cr_json_out_open(j, '#');
	for (uint32_t k = 0; k < CR_LATENCY_BUCKETS; k++) {
		if (!lane->bucket_count[k])
			continue;
		cr_json_out_open(j, '#');
		cr_json_out_u64(j, cr_latency_least(k));
		cr_json_out_u64(j, cr_latency_most(k));
		cr_json_out_u64(j, lane->bucket_count[k]);
		cr_json_out_u64(j, lane->bucket_sum[k]);
		cr_json_out_close(j);
	}
	cr_json_out_close(j);
	cr_json_out_close(j);
}

static void
print_json(const struct cr_latency *l, const char *key)
{
	struct cr_text t = {0};
	struct cr_json_out j = {.text = &t};

	cr_json_out_open(&j, '{');
	cr_json_out_text_of(&j, "event", l->event);
	cr_json_out_text_of(&j, "unit", l->unit);
	cr_json_out_text_of(&j, "by", cr_str_of(key));
	cr_json_out_line(&j, "");
	cr_json_out_key(&j, "all");
	put_lane_json(&l->all, &j);
	cr_json_out_line(&j, "");
	cr_json_out_key(&j, "keys");
	cr_json_out_open(&j, '[');
	for (uint32_t i = 0; i < l->n_lanes; i++) {
		cr_json_out_line(&j, "");
		put_lane_json(&l->lanes[i], &j);
	}
	cr_json_out_close(&j);
	cr_json_out_close(&j);
	puts(t.p);
	cr_json_out_fini(&j);
	cr_text_fini(&t);
}

/* ---- */

static void
print(const struct cr_options *o, const struct cr_latency *l, const struct cr_lane_by *by)
{
	if (o->json)
		print_json(l, cr_lane_word(by));
	else if (o->csv)
		print_csv(l, cr_lane_word(by));
	else
		print_text(l, by, cr_stdout_name_cells(o));
}

int
cr_cmd_latency(const struct cr_options *o)
{
	const struct cr_latency_opts opts = {
		.by = cr_lane_by_of(o->by ? o->by : "all"), .top = o->top};
	struct cr_err err = CR_ERR_INIT;
	struct cr_latency l;
	struct cr_profile *p;
	int code =
		cr_job_load(o, o->args[0], cr_load_parts(cr_latency_needs(&o->query, &opts)), &p);

	if (code != EXIT_DONE)
		return code;
	if (cr_latency_make(p, &o->query, &opts, &l, &err) < 0) {
		code = cr_job_fail_query(o->args[0], &err);
		cr_profile_free(p);
		return code;
	}
	if (!cr_job_none_left(o, l.all.count))
		print(o, &l, &opts.by);
	code = cr_job_end(o, p, l.all.count ? EXIT_DONE : EXIT_NOTHING);
	cr_latency_fini(&l);
	cr_profile_free(p);
	return code;
}
