#include "view/style/spark.h"

#include "base/mem.h"
#include "base/wide.h"

static const char *const heights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
static const char *const dark[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* 0 for zero, otherwise 1 ... steps; the last one only for `most` or nearly that. */
static uint64_t
step_of(uint64_t v, uint64_t most, uint64_t steps)
{
	if (v == 0 || most == 0)
		return 0;
	return v >= most ? steps : cr_mul_div_sat(v, steps, most, CR_ROUND_UP);
}

void
cr_spark_heights(struct cr_text *t, const uint64_t *v, size_t n, uint64_t most, bool unicode)
{
	for (size_t i = 0; i < n; i++)
		cr_text_puts(t, unicode ? heights[step_of(v[i], most, CR_LEN(heights) - 1)]
					: dark[step_of(v[i], most, CR_LEN(dark) - 1)]);
}

void
cr_spark_shade(struct cr_text *t, uint64_t v, uint64_t most, bool unicode)
{
	cr_text_puts(t, unicode ? shades[step_of(v, most, CR_LEN(shades) - 1)]
				: dark[step_of(v, most, CR_LEN(dark) - 1)]);
}

void
cr_spark_bar(struct cr_text *t, uint64_t v, uint64_t most, uint32_t cells, bool unicode)
{
	const uint64_t eighths =
		step_of(v, most, unicode ? 8 * (uint64_t)cells : cells) * (unicode ? 1 : 8);
	uint32_t used = 0;

	for (; used < eighths / 8; used++)
		cr_text_puts(t, unicode ? parts[8] : "#");
	if (eighths % 8) {
		cr_text_puts(t, parts[eighths % 8]);
		used++;
	}
	cr_text_pad(t, ' ', cells - used);
}
