#include "model/columns.h"

#include <stdio.h>
#include <stdlib.h>

void
cr_columns_stop(unsigned needs)
{
	static const char *const names[] = {
		"times",
		"weights",
		"threads",
		"stacks",
		"processors",
		"events",
		"values of fields",
		"call tree",
		"mappings",
		"code and source lines",
	};

	fprintf(stderr, "cresset: internal error: tables of the stored profile are needed and were "
			"not requested:");
	for (size_t i = 0; i < CR_LEN(names); i++)
		if (needs >> i & 1)
			fprintf(stderr, " %s%s", names[i], needs >> i > 1 ? "," : "");
	fprintf(stderr, "\n");
	abort();
}

bool
cr_column_one_event(const struct cr_profile *p, uint32_t *event)
{
	uint32_t with_rows = 0;

	for (uint32_t i = 0; i < p->n_events && with_rows < 2; i++)
		if (p->events[i].samples) {
			*event = i;
			with_rows++;
		}
	return with_rows == 1;
}

struct cr_event_column
cr_column_events(const struct cr_profile *p)
{
	struct cr_event_column c = {NULL, 0};

	if (cr_column_one_event(p, &c.same))
		return c;
	cr_needed(p, CR_NEEDS_EVENT);
	c.at = p->samples.event;
	return c;
}

bool
cr_column_one_weight(const struct cr_profile *p, uint64_t *weight)
{
	const struct cr_samples *s = &p->samples;

	for (uint32_t z = 0; z < s->n_zones; z++)
		if (s->zones[z].least[CR_SAMPLE_WEIGHT] != s->zones[z].most[CR_SAMPLE_WEIGHT] ||
			s->zones[z].least[CR_SAMPLE_WEIGHT] != s->zones[0].least[CR_SAMPLE_WEIGHT])
			return false;
	if (s->n_zones)
		*weight = s->zones[0].least[CR_SAMPLE_WEIGHT];
	return s->n_zones != 0;
}

static const void *
column_at(const struct cr_samples *s, enum cr_sample_column c)
{
	return ((const void *const[CR_SAMPLE_COLUMNS]){
		s->time_ns, s->weight, s->task, s->node, s->cpu, s->event})[c];
}

const void *
cr_column_in_zones(const struct cr_profile *p, enum cr_sample_column c, const uint8_t *zones)
{
	const struct cr_samples *s = &p->samples;

	if (!(p->not_read >> c & 1))
		return column_at(s, c);
	for (uint32_t z = 0; z < s->n_zones; z++)
		if ((!zones || zones[z]) && !(s->zones[z].here >> c & 1))
			cr_columns_stop(1u << c);
	if (!s->n_zones)
		cr_columns_stop(1u << c);
	return column_at(s, c);
}
