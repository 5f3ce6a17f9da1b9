#include "view/scene/heat.h"

#include "view/style/chart.h"
#include "view/style/spark.h"

#include <inttypes.h>

#define SECOND_NS UINT64_C(1000000000)

void
cr_heat_band(const struct cr_heat *h, uint32_t first, uint32_t n, bool unicode, struct cr_text *out)
{
	for (uint32_t row = h->rows; row-- > 0;) {
		cr_text_printf(out, "%5" PRIu32 " ms ", (uint32_t)(row * UINT64_C(1000) / h->rows));
		for (uint32_t i = first; i < first + n; i++)
			cr_spark_shade(
				out, h->samples[(size_t)i * h->rows + row], h->most, unicode);
		cr_chart_line_end(out);
	}
	cr_text_pad(out, ' ', CR_HEAT_CHART_CELL);
	cr_chart_axis(out, h->span.from_ns + first * SECOND_NS,
		h->span.from_ns + (first + n) * SECOND_NS, n);
	cr_text_char(out, '\n');
}
