#include "view_samples_p.h"

#include "base/mem.h"
#include "base/work.h"
#include "query/fold/slices.h"
#include "session/load.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

struct cr_profile *
cr_view_profile(const struct cr_session *s)
{
	return s->profile[s->sides - 1];
}

int
cr_view_query(const struct cr_session *s, struct cr_query *out, struct cr_err *err)
{
	const struct cr_profile *p = cr_view_profile(s);
	const struct cr_event *e = &s->profile[0]->events[s->event];
	cr_event_id partner = {s->event};
	char *name;
	int rc = CR_OK;

	*out = (struct cr_query){0};
	if (s->profile[0] != p && (rc = cr_diff_partner(p, e, s->diff.force, &partner, err)) < 0)
		return rc;
	e = &p->events[partner.i];
	name = cr_memdup(e->name.len ? e->name.p : "", e->name.len);
	cr_query_copy(&s->query, out);
	rc = cr_query_add(out, CR_WORD_EVENT, name, err);
	free(name);
	if (rc < 0)
		cr_query_fini(out);
	return rc;
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

const struct cr_slices *
cr_view_slices(struct cr_session *s, const struct cr_query *q)
{
	struct cr_profile *p = cr_view_profile(s);
	struct cr_err ignored = CR_ERR_INIT;

	if (!s->has_slices && !cr_query_has(q, CR_WORD_TRANSFORMS) &&
		cr_view_fetch(s, cr_slices_need(p), &ignored) == CR_OK) {
		s->slices = cr_slices_new(p, CR_SLICES_ROWS);
		s->has_slices = !cr_work_stopped();
	}
	return cr_slices_can(s->slices, q) ? s->slices : NULL;
}

int
cr_view_fetch(const struct cr_session *s, unsigned needs, struct cr_err *err)
{
	struct cr_log log = {0}; /* what is lost is in the profile's quality too */

	return cr_store_fetch(cr_view_profile(s), cr_load_parts(needs), &log, err);
}
