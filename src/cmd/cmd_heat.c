#include "job_p.h"
#include "terminal_p.h"

#include "base/json_out.h"
#include "query/time/series.h"
#include "view/style/chart.h"
#include "view/style/spark.h"

#include <inttypes.h>
#include <stdio.h>

int cr_cmd_heat(const struct cr_options *o);

#define ROWS 20u /* of 50 ms */
#define CHART_BEGINS 9u

/* So many seconds from a column on, the start of each second at the bottom. */
static void
put_band(const struct cr_heat *h, uint32_t first, uint32_t n, bool unicode, struct cr_text *t)
{
	for (uint32_t row = h->rows; row-- > 0;) {
		cr_text_printf(t, "%5" PRIu32 " ms ", (uint32_t)(row * UINT64_C(1000) / h->rows));
		for (uint32_t i = first; i < first + n; i++)
			cr_spark_shade(t, h->samples[(size_t)i * h->rows + row], h->most, unicode);
		cr_chart_line_end(t);
	}
	cr_text_pad(t, ' ', CHART_BEGINS);
	cr_chart_axis(t, h->span.from_ns + first * UINT64_C(1000000000),
		h->span.from_ns + (first + n) * UINT64_C(1000000000), n);
	cr_text_char(t, '\n');
}

static void
print_text(const struct cr_heat *h)
{
	const uint32_t cells = cr_stdout_cells(CR_STDOUT_PIPED) - CHART_BEGINS;
	struct cr_text t = {0};

	cr_text_puts(&t, "# event ");
	cr_text_safe(&t, h->event);
	cr_text_puts(&t, ": ");
	cr_text_counted(&t, h->whole, "sample", "samples");
	if (h->untimed) {
		cr_text_puts(&t, "; without a time, and not shown: ");
		cr_text_grouped(&t, h->untimed);
	}
	cr_text_puts(&t, "\n# a column a second, its start at the bottom, in rows of ");
	cr_text_duration(&t, UINT64_C(1000000000) / h->rows);
	cr_text_puts(&t, "; the darkest is ");
	cr_text_counted(&t, h->most, "sample\n", "samples\n");
	for (uint32_t first = 0; first < h->columns; first += cells) {
		put_band(h, first, CR_MIN(cells, h->columns - first), cr_stdout_unicode(), &t);
		fputs(t.p, stdout);
		cr_text_clear(&t);
	}
	cr_text_fini(&t);
}

/* A line for each cell with samples. */
static void
print_csv(const struct cr_heat *h)
{
	struct cr_text t = {0};

	printf("second,offset_s,samples\n");
	for (uint32_t i = 0; i < h->columns; i++)
		for (uint32_t row = 0; row < h->rows; row++) {
			const uint64_t samples = h->samples[(size_t)i * h->rows + row];

			if (!samples)
				continue;
			cr_text_clear(&t);
			cr_chart_seconds(&t, h->span.from_ns + i * UINT64_C(1000000000));
			cr_text_char(&t, ',');
			cr_chart_seconds(&t, row * UINT64_C(1000000000) / h->rows);
			printf("%s,%" PRIu64 "\n", t.p, samples);
		}
	cr_text_fini(&t);
}

static void
print_json(const struct cr_heat *h)
{
	struct cr_text t = {0};
	struct cr_json_out j = {.text = &t};

	cr_json_out_open(&j, '{');
	cr_json_out_text_of(&j, "event", h->event);
	cr_json_out_u64_of(&j, "first_ns", h->span.first_ns);
	cr_json_out_u64_of(&j, "from_ns", h->span.from_ns);
	cr_json_out_u64_of(&j, "columns", h->columns);
	cr_json_out_u64_of(&j, "rows", h->rows);
	cr_json_out_u64_of(&j, "most", h->most);
	cr_json_out_line(&j, "");
	cr_json_out_u64_of(&j, "samples", h->whole);
	cr_json_out_u64_of(&j, "without_time", h->untimed);
	cr_json_out_line(&j, "");
	cr_json_out_key(&j, "cells");
	cr_json_out_open(&j, '[');
	for (uint32_t i = 0; i < h->columns; i++) {
		cr_json_out_line(&j, "");
		cr_json_out_open(&j, '#');
		for (uint32_t row = 0; row < h->rows; row++)
			cr_json_out_u64(&j, h->samples[(size_t)i * h->rows + row]);
		cr_json_out_close(&j);
		fputs(t.p, stdout);
		cr_text_clear(&t);
	}
	cr_json_out_close(&j);
	cr_json_out_close(&j);
	puts(t.p);
	cr_json_out_fini(&j);
	cr_text_fini(&t);
}

static void
print(const struct cr_options *o, const struct cr_heat *h)
{
	if (o->json)
		print_json(h);
	else if (o->csv)
		print_csv(h);
	else
		print_text(h);
}

int
cr_cmd_heat(const struct cr_options *o)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_heat h;
	struct cr_profile *p;
	int code = cr_job_load(o, o->args[0], cr_load_parts(cr_heat_needs(&o->query)), &p);

	if (code != EXIT_DONE)
		return code;
	if (cr_heat_make(p, &o->query, o->rows ? o->rows : ROWS, &h, &err) < 0) {
		code = cr_job_fail_query(o->args[0], &err);
		cr_profile_free(p);
		return code;
	}
	if (!cr_job_none_left(o, h.whole | h.untimed))
		print(o, &h);
	code = cr_job_end(o, p, h.whole ? EXIT_DONE : EXIT_NOTHING);
	cr_heat_fini(&h);
	cr_profile_free(p);
	return code;
}
