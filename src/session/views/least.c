#include "least_p.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define PPM_PERCENT 10000.0 /* millionths in a percent */

static uint32_t
next_step(uint32_t ppm)
{
	static const uint32_t steps[] = {CR_LEAST_PPM, 1000, 0, 50000, 10000};
	size_t i = 0;

	while (i < CR_LEN(steps) && steps[i] != ppm)
		i++;
	return steps[(i + 1) % CR_LEN(steps)];
}

int
cr_least_run(struct cr_session *s, const char *args, uint32_t *ppm, struct cr_err *err)
{
	char *end = NULL;
	const double percent = strtod(args, &end);

	if (strcmp(args, "next") == 0) {
		*ppm = next_step(*ppm);
	} else if (end == args || end[strspn(end, " %")] || !(percent >= 0 && percent <= 100)) {
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"least: '%s' is no share from 0 to 100 %%", args);
	} else {
		*ppm = (uint32_t)(percent * PPM_PERCENT + 0.5);
	}
	if (*ppm)
		cr_text_printf(
			&s->message, "lines with less than %.4g %% are hidden", *ppm / PPM_PERCENT);
	else
		cr_text_puts(&s->message, "no line is hidden, however little it costs");
	return CR_OK;
}

uint64_t
cr_least_extent(uint32_t ppm, uint64_t whole)
{
	return (uint64_t)((double)whole / 1e6 * ppm);
}
