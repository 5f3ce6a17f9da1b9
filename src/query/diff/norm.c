#include "norm_p.h"

#include "canonical_name.h"
#include "model/columns.h"
#include "query/diff/diff.h"

#include <stdlib.h>
#include <string.h>

#define MULTIPLE_MOST 1000 /* of the cost of a function, which the whole may be */

static const char *const words[] = {[CR_NORM_SHARE] = "share",
	[CR_NORM_TIME] = "time",
	[CR_NORM_SECOND] = "second",
	[CR_NORM_NONE] = "none"};

const char *
cr_norm_name(const struct cr_norm *norm)
{
	return norm->kind == CR_NORM_FUNCTION ? norm->function : words[norm->kind];
}

struct cr_norm
cr_norm_of(const char *text)
{
	for (size_t i = 0; i < CR_LEN(words); i++)
		if (strcmp(text, words[i]) == 0)
			return (struct cr_norm){(enum cr_norm_kind)i, NULL};
	return (struct cr_norm){CR_NORM_FUNCTION, text};
}

/* The recording that a part belongs to. */
static uint32_t
recording_of(const struct cr_parts *parts, uint32_t part)
{
	return parts->recordings > 1 ? part : 0;
}

/* Divide the amounts by the seconds between the first and the last selected sample. */
static int
per_second(const struct cr_parts *parts, double *amount, struct cr_err *err)
{
	const uint64_t *times = NULL;
	uint64_t *first = cr_alloc(parts->recordings, sizeof(*first)),
		 *last = cr_alloc(parts->recordings, sizeof(*last));
	bool known = parts->p && (parts->p->flags & CR_PROFILE_HAS_TIME);

	if (known)
		times = cr_column_times(parts->p);
	memset(first, 0xff, parts->recordings * sizeof(*first));
	for (uint64_t i = 0; known && i < parts->n_rows; i++) {
		const uint64_t row = parts->rows[i];
		const uint32_t r = recording_of(parts, parts->part_of[row]);

		first[r] = CR_MIN(first[r], times[row]);
		last[r] = CR_MAX(last[r], times[row]);
	}
	for (uint32_t r = 0; r < parts->recordings; r++) {
		known = known && last[r] > first[r];
		if (known)
			amount[r] /= (double)(last[r] - first[r]) / 1e9;
	}
	free(first);
	free(last);
	return known ? CR_OK
		     : cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			       "--norm second: a side was recorded without times");
}

/* Divide the amounts by the total cost of a function. */
static int
per_function(const struct cr_parts *parts, const struct cr_part_costs *costs,
	const struct cr_table *table, const char *function, double *amount, struct cr_err *err)
{
	double *sum = cr_alloc(parts->recordings, sizeof(*sum));
	bool known = true;

	for (uint32_t i = 0; i < table->n; i++) {
		const struct cr_str name =
			cr_table_value(table, i, (enum cr_table_column)table->spec->keys[0])->text;

		if (!cr_str_eq(cr_canonical_name(name), cr_canonical_name(cr_str_of(function))))
			continue;
		for (uint32_t k = 0; k < parts->n; k++)
			sum[recording_of(parts, k)] += costs->total[(size_t)i * parts->n + k];
	}
	for (uint32_t r = 0; r < parts->recordings; r++) {
		known = known && sum[r] > 0 && amount[r] <= MULTIPLE_MOST * sum[r];
		if (known)
			amount[r] /= sum[r];
	}
	free(sum);
	return known ? CR_OK
		     : cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			       "--norm: '%s' costs less than 0.1 %% of a recording; write share, "
			       "time, second, none or the name of a function",
			       function);
}

int
cr_norm_amounts(const struct cr_norm *norm, const struct cr_parts *parts,
	const struct cr_part_costs *costs, const struct cr_table *table, struct cr_str unit,
	double *amount, struct cr_err *err)
{
	for (uint32_t r = 0; r < parts->recordings; r++)
		amount[r] = norm->kind == CR_NORM_SHARE ? 1 : 0;
	if (norm->kind == CR_NORM_SHARE)
		return CR_OK;
	for (uint32_t k = 0; k < parts->n; k++)
		amount[recording_of(parts, k)] += costs->whole[k];
	switch (norm->kind) {
	case CR_NORM_SECOND: return per_second(parts, amount, err);
	case CR_NORM_FUNCTION:
		return per_function(parts, costs, table, norm->function, amount, err);
	case CR_NORM_TIME:
		return cr_diff_is_time(unit)
			       ? CR_OK
			       : cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
					 "--norm time: the event does not measure time; "
					 "--norm none compares its costs as recorded");
	default: return CR_OK;
	}
}
