#include "query/health/waits.h"

#include "model/columns.h"
#include "query/time/latency.h"

enum cr_waits
cr_waits_recorded(const struct cr_profile *p)
{
	const struct cr_filter any = {0};
	struct cr_err unused = CR_ERR_INIT;
	struct cr_event_column events;
	const uint32_t *node;
	cr_event_id off;

	if (cr_latency_event(p, &any, &off, &unused) < 0)
		return CR_WAITS_NONE;
	events = cr_column_events(p);
	node = cr_column_nodes(p);
	for (uint64_t i = 0; i < p->samples.n; i++) {
		cr_samples_sweep(&p->samples, i);
		if (node[i] != 0 && cr_event_of(&events, i) == off.i)
			return CR_WAITS_PLACES;
	}
	return CR_WAITS_TIMES;
}
