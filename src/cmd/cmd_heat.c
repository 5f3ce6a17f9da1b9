#include "job_p.h"
#include "reply_p.h"
#include "terminal_p.h"

#include "base/utf8.h"
#include "query/time/series.h"
#include "view/scene/heat.h"
#include "view/sheet/heat_sheet.h"
#include "write/write_sheet.h"

#include <inttypes.h>
#include <stdio.h>

int cr_cmd_heat(const struct cr_options *o);

#define ROWS 20u /* of 50 ms each */

static void
print_text(const struct cr_heat *h)
{
	const uint32_t cells = cr_stdout_cells(CR_STDOUT_PIPED) - CR_HEAT_CHART_CELL;
	struct cr_text t = {0};

	cr_text_puts(&t, "# event ");
	cr_text_safe(&t, h->event);
	cr_text_puts(&t, ": ");
	cr_text_counted(&t, h->whole, "sample", "samples");
	if (h->untimed) {
		cr_text_puts(&t, "; not shown, because they have no time: ");
		cr_text_grouped(&t, h->untimed);
	}
	cr_text_puts(&t, "\n# one column per second, its start at the bottom; one row per ");
	cr_text_duration(&t, UINT64_C(1000000000) / h->rows);
	cr_text_puts(&t, "; the darkest cell has ");
	cr_text_counted(&t, h->most, "sample\n", "samples\n");
	for (uint32_t first = 0; first < h->columns; first += cells) {
		cr_heat_band(h, first, CR_MIN(cells, h->columns - first), cr_utf8_locale(), &t);
		fputs(t.p, stdout);
		cr_text_clear(&t);
	}
	cr_text_fini(&t);
}

/* Print a line for each cell with samples. */
static void
print_csv(const struct cr_heat *h)
{
	struct cr_heat_sheet s;

	cr_heat_sheet_init(h, &s);
	cr_write_sheet_csv_head(&s.sheet, stdout);
	cr_write_sheet_csv(&s.sheet, stdout);
	cr_heat_sheet_fini(&s);
}

static void
print_json(const struct cr_options *o, const struct cr_heat *h)
{
	struct cr_reply r;
	struct cr_json_out *j = &r.json;

	cr_reply_begin(&r, o, CR_REPLY_ONE);
	cr_json_out_open(j, '{');
	cr_json_out_text_of(j, "event", h->event);
	cr_json_out_u64_of(j, "first_ns", h->span.first_ns);
	cr_json_out_u64_of(j, "from_ns", h->span.from_ns);
	cr_json_out_u64_of(j, "columns", h->columns);
	cr_json_out_u64_of(j, "rows", h->rows);
	cr_json_out_u64_of(j, "most", h->most);
	cr_json_out_line(j, "");
	cr_json_out_u64_of(j, "samples", h->whole);
	cr_json_out_u64_of(j, "without_time", h->untimed);
	cr_json_out_line(j, "");
	cr_json_out_key(j, "cells");
	cr_json_out_open(j, '[');
	for (uint32_t i = 0; i < h->columns; i++) {
		cr_json_out_line(j, "");
		cr_json_out_open(j, '#');
		for (uint32_t row = 0; row < h->rows; row++)
			cr_json_out_u64(j, h->samples[(size_t)i * h->rows + row]);
		cr_json_out_close(j);
		cr_reply_flush(&r);
	}
	cr_json_out_close(j);
	cr_json_out_close(j);
	cr_reply_end(&r);
}

static void
print(const struct cr_options *o, const struct cr_heat *h)
{
	if (o->json)
		print_json(o, h);
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
