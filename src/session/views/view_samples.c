#include "view_samples_p.h"

#include "base/mem.h"
#include "base/work.h"
#include "query/fold/node_costs.h"
#include "query/fold/slices.h"
#include "query/fold/stack_filter.h"
#include "query/health/health.h"
#include "session/load.h"
#include "session/trees_p.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

struct cr_profile *
cr_view_profile(const struct cr_session *s)
{
	return s->profile[s->sides - 1];
}

bool
cr_view_has_sides(const struct cr_session *s)
{
	return s->sides == 2 && !cr_state_is_within(s);
}

int
cr_view_query(const struct cr_session *s, struct cr_query *out, struct cr_err *err)
{
	return cr_trees_query_of(s, cr_view_has_sides(s) ? 1 : 0, out, err);
}

bool
cr_view_is_made_of(const struct cr_session *s, char **made_of)
{
	struct cr_text now = {0};

	cr_text_printf(&now, "%u %u\n", s->remade, s->event);
	cr_query_print(&s->query, &now);
	if (*made_of && strcmp(*made_of, now.p) == 0) {
		cr_text_fini(&now);
		return true;
	}
	free(*made_of);
	*made_of = now.p;
	return false;
}

static void
health_drop(struct cr_session *s)
{
	if (s->health)
		cr_health_fini(s->health);
	free(s->health);
	s->health = NULL;
}

const struct cr_slices *
cr_view_slices(struct cr_session *s, const struct cr_query *q)
{
	struct cr_profile *p = cr_view_profile(s);
	struct cr_err ignored = CR_ERR_INIT;

	if (!s->has_slices && !cr_stack_filter_selects(q) &&
		cr_view_fetch(s, cr_slices_need(p), &ignored) == CR_OK) {
		s->slices = cr_slices_new(p, CR_SLICES_ROWS);
		s->has_slices = !cr_work_stopped();
	}
	return cr_slices_can(s->slices, q) ? s->slices : NULL;
}

const struct cr_health *
cr_view_health(struct cr_session *s, cr_event_id event, struct cr_err *err)
{
	struct cr_profile *p = cr_view_profile(s);
	struct cr_log log = {0}; /* what is lost is in the profile's quality too */

	if (s->health && s->health->event == event.i)
		return s->health;
	if (cr_store_fetch(p, CR_STORE_SAMPLES, &log, err) < 0)
		return NULL;
	health_drop(s);
	s->health = cr_alloc(1, sizeof(*s->health));
	cr_health_make(p, event.i, s->health);
	if (cr_work_check(err) == CR_OK)
		return s->health;
	health_drop(s);
	return NULL;
}

static void
node_costs_drop(struct cr_session *s)
{
	if (s->node_costs)
		cr_node_costs_fini(s->node_costs);
	free(s->node_costs);
	s->node_costs = NULL;
}

const struct cr_node_costs *
cr_view_node_costs(struct cr_session *s, const struct cr_query *q)
{
	const struct cr_profile *p = cr_view_profile(s);
	struct cr_err ignored = CR_ERR_INIT;
	cr_event_id event;

	if (cr_filter_needs_samples(cr_query_filter(q)) || cr_stack_filter_selects(q) ||
		!(p->flags & CR_PROFILE_HAS_SAMPLES) ||
		cr_filter_event(p, cr_query_filter(q), &event, &ignored) < 0)
		return NULL;
	if (s->node_costs && s->node_costs_event == event.i)
		return s->node_costs;
	node_costs_drop(s);
	s->node_costs = cr_alloc(1, sizeof(*s->node_costs));
	s->node_costs_event = event.i;
	cr_node_costs_make(p, event, NULL, s->node_costs);
	if (cr_work_stopped())
		node_costs_drop(s);
	return s->node_costs;
}

void
cr_view_drop_samples(struct cr_session *s)
{
	node_costs_drop(s);
	cr_slices_free(s->slices);
	s->slices = NULL;
	s->has_slices = false;
	health_drop(s);
}

int
cr_view_fetch_of(const struct cr_session *s, uint32_t side, unsigned needs, struct cr_err *err)
{
	struct cr_log log = {0}; /* what is lost is in the profile's quality too */

	return cr_store_fetch(s->profile[side], cr_load_parts(needs), &log, err);
}

int
cr_view_fetch(const struct cr_session *s, unsigned needs, struct cr_err *err)
{
	return cr_view_fetch_of(s, s->sides - 1, needs, err);
}
