#include "job_p.h"
#include "reply_p.h"
#include "sheet_out_p.h"
#include "terminal_p.h"

#include "base/utf8.h"
#include "query/time/latency.h"
#include "view/sheet/latency_sheet.h"
#include "write/write_sheet.h"

#include <inttypes.h>
#include <stdio.h>

int cr_cmd_latency(const struct cr_options *o);

#define LINE_LEAST 110u /* in cells: all numbers, and 20 cells of a name */

/* ---- text */

static void
put_lines(const struct cr_sheet *s, uint32_t cells)
{
	struct cr_sheet_lines lines;

	cr_sheet_lines_init(&lines, s);
	cr_sheets_put_lines(&lines, cells, 0);
}

static void
print_text(const struct cr_options *o, const struct cr_latency *l, const struct cr_lane_by *by)
{
	const uint32_t cells = cr_stdout_name_cells(o);
	const bool by_key = by->key != CR_LANE_ALL;
	struct cr_latency_sheet s;
	struct cr_text t = {0};

	cr_text_puts(&t, "# event ");
	cr_text_safe(&t, l->event);
	cr_text_puts(&t, ": ");
	cr_text_grouped(&t, l->all.count);
	cr_text_puts(&t, " times, ");
	cr_text_measure(&t, l->all.sum, l->unit);
	cr_text_puts(&t, " in all\n");
	fputs(t.p, stdout);
	cr_text_fini(&t);
	if (by_key || l->all.count) {
		cr_latency_keys(l, by_key ? cr_lane_word(by) : NULL, &s);
		s.sheet.ascii = !cr_utf8_locale();
		s.sheet.inks = cr_stdout_colors(o);
		put_lines(&s.sheet, cells ? CR_MAX(cells, LINE_LEAST) : 0);
		cr_latency_sheet_fini(&s);
	}
	if (!by_key && l->all.count) {
		putchar('\n');
		cr_latency_histogram(l, cr_utf8_locale(), &s);
		s.sheet.inks = cr_stdout_colors(o);
		put_lines(&s.sheet, 0);
		cr_latency_sheet_fini(&s);
	}
}

/* ---- CSV and JSON */

static void
print_csv(const struct cr_latency *l, const char *key)
{
	struct cr_latency_sheet s;

	cr_latency_buckets(l, key, &s);
	cr_write_sheet_csv_head(&s.sheet, stdout);
	cr_write_sheet_csv(&s.sheet, stdout);
	cr_latency_sheet_fini(&s);
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
	for (int i = 0; i < CR_LATENCY_MARKS; i++)
		cr_json_out_u64_of(j, cr_latency_mark_id((enum cr_latency_mark)i), lane->at[i]);
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
print_json(const struct cr_options *o, const struct cr_latency *l, const char *key)
{
	struct cr_reply r;
	struct cr_json_out *j = &r.json;

	cr_reply_begin(&r, o, CR_REPLY_ONE);
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "event", l->event);
	cr_json_out_text_of(j, "unit", l->unit);
	cr_json_out_text_of(j, "by", cr_str_of(key));
	cr_json_out_line(j, "");
	cr_json_out_key(j, "all");
	put_lane_json(&l->all, j);
	cr_json_out_line(j, "");
	cr_json_out_key(j, "keys");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < l->n_lanes; i++) {
		cr_json_out_line(j, "");
		put_lane_json(&l->lanes[i], j);
	}
	cr_json_out_close(j);
	cr_json_out_close(j);
	cr_reply_end(&r);
}

/* ---- */

static void
print(const struct cr_options *o, const struct cr_latency *l, const struct cr_lane_by *by)
{
	if (o->json)
		print_json(o, l, cr_lane_word(by));
	else if (o->csv)
		print_csv(l, cr_lane_word(by));
	else
		print_text(o, l, by);
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
