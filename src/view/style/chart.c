#include "view/style/chart.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>

#define SECOND_NS UINT64_C(1000000000)

void
cr_chart_right(struct cr_text *t, struct cr_str what, uint32_t cells)
{
	const uint32_t used = cr_utf8_cells(what);

	cr_text_pad(t, ' ', used < cells ? cells - used : 0);
	cr_text_str(t, what);
}

static void
put_scaled(struct cr_text *t, uint64_t v)
{
	static const char *const scales[] = {"k", "M", "G", "T", "P", "E"};
	double scaled = (double)v / 1000;
	size_t scale = 0;

	if (v < 100000) {
		cr_text_grouped(t, v);
		return;
	}
	for (; scaled >= 999.95 && scale + 1 < CR_LEN(scales); scale++)
		scaled /= 1000;
	cr_text_printf(t, "%.1f %s", scaled, scales[scale]);
}

void
cr_chart_cost(struct cr_text *t, uint64_t weight, struct cr_str unit, uint32_t cells)
{
	struct cr_text cell = {0};

	if (cr_text_measure_scales(unit))
		cr_text_measure(&cell, weight, unit);
	else if (cr_str_eq(unit, CR_STR("millionths")))
		cr_text_weight(&cell, weight, unit);
	else
		put_scaled(&cell, weight);
	cr_chart_right(t, cr_text_view(&cell), cells);
	cr_text_fini(&cell);
}

void
cr_chart_line_end(struct cr_text *t)
{
	while (t->len > 0 && t->p[t->len - 1] == ' ')
		t->len--;
	cr_text_char(t, '\n');
}

void
cr_chart_seconds(struct cr_text *t, uint64_t ns)
{
	char digits[16];

	cr_text_u64(t, ns / SECOND_NS);
	if (ns % SECOND_NS == 0)
		return;
	snprintf(digits, sizeof(digits), ".%09" PRIu64, ns % SECOND_NS);
	cr_text_puts(t, digits);
	while (t->p[t->len - 1] == '0')
		t->p[--t->len] = '\0';
}

static void
put_time(struct cr_text *t, uint64_t ns)
{
	cr_text_clear(t);
	if (ns == 0)
		cr_text_puts(t, "0 s");
	else
		cr_text_duration(t, ns);
}

void
cr_chart_axis(struct cr_text *t, uint64_t from_ns, uint64_t to_ns, uint32_t cells)
{
	struct cr_text from = {0}, mid = {0}, to = {0};
	uint32_t left, right;

	put_time(&from, from_ns);
	put_time(&mid, from_ns + (to_ns - from_ns) / 2);
	put_time(&to, to_ns);
	cr_text_str(t, cr_text_view(&from));
	left = (uint32_t)from.len;
	right = (uint32_t)to.len;
	if (cells / 2 > left + 1 && cells / 2 + mid.len + 1 < cells - CR_MIN(right, cells)) {
		cr_text_pad(t, ' ', cells / 2 - left);
		cr_text_str(t, cr_text_view(&mid));
		left = cells / 2 + (uint32_t)mid.len;
	}
	cr_text_pad(t, ' ', left + 1 + right <= cells ? cells - left - right : 1);
	cr_text_str(t, cr_text_view(&to));
	cr_text_fini(&from);
	cr_text_fini(&mid);
	cr_text_fini(&to);
}
