#include "session/session.h"

#include "changes_p.h"
#include "session_p.h"
#include "trees_p.h"

#include "base/work.h"
#include "model/profile.h"
#include "query/fold/node_costs.h"
#include "session/views/view.h"
#include "session/views/view_samples_p.h"
#include "store/store.h"

/* Work for the time between two keys. */

#define NODES_LARGE (1u << 16)
#define SAMPLES_LARGE (1u << 20)

/* ---- the stored tree */

/* States of the history contain node numbers of trees that cannot be made again. */
static void
default_tree_gone(struct cr_session *s)
{
	struct cr_err err = CR_ERR_INIT;

	cr_trees_forget(s->trees);
	s->remade++;
	cr_text_clear(&s->message);
	if (cr_session_set_query(s, s->event, &s->query, &err) < 0)
		cr_text_printf(&s->message,
			"the stored sums contradict the samples, and the samples cannot be used: "
			"%s",
			err.text);
	else
		cr_text_puts(&s->message, "the stored sums contradict the samples; the sums of the "
					  "samples are shown");
	cr_session_restart_history(s);
}

bool
cr_session_prove(struct cr_session *s, uint32_t blocks, bool *changed)
{
	bool any = false;

	*changed = false;
	for (uint32_t side = 0; side < s->sides && !any; side++) {
		struct cr_profile *p = s->profile[side];
		const struct cr_default_tree *stored = p->default_tree;
		struct cr_err err = CR_ERR_INIT;
		struct cr_log log = {0}; /* losses are in the profile's quality too */
		bool more;

		if (cr_store_prove(p, blocks, &more, &log, &err) < 0) {
			cr_text_clear(&s->message);
			cr_text_puts(&s->message, err.text);
			*changed = true;
		} else if (p->default_tree != stored) {
			default_tree_gone(s);
			*changed = true;
		} else if (log.n) {
			cr_text_clear(&s->message);
			cr_text_puts(&s->message, log.entries[0].first);
			*changed = true;
		}
		any = more;
	}
	return any;
}

/* ---- verdicts */

bool
cr_session_unjudged(const struct cr_session *s)
{
	return cr_changes_wait(s);
}

void
cr_session_judge(struct cr_session *s)
{
	cr_changes_judge(s);
}

/* ---- views that are not shown yet */

/* What a view needs of the samples, then the views in their order. */
enum { STEP_SLICES, STEP_HEALTH, STEP_NODES, STEP_STACKS, STEP_VIEWS };

static bool
is_large(const struct cr_session *s)
{
	const struct cr_profile *p = s->profile[0];

	return s->tree->n >= NODES_LARGE || p->n_nodes >= NODES_LARGE ||
	       p->samples.n >= SAMPLES_LARGE;
}

bool
cr_session_has_ahead(const struct cr_session *s)
{
	return s->sides == 1 && !s->tree->is_sketch && is_large(s) &&
	       (s->ahead < STEP_VIEWS || cr_view_ops_at(s->ahead - STEP_VIEWS));
}

static void
make_sums(struct cr_session *s, uint32_t step)
{
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_query q;

	if (cr_view_query(s, &q, &ignored) < 0)
		return;
	if (step == STEP_SLICES)
		cr_view_slices(s, &q);
	else if (cr_view_fetch(s, cr_node_costs_need(s->profile[0]), &ignored) == CR_OK)
		cr_view_node_costs(s, &q);
	cr_query_fini(&q);
}

void
cr_session_make_ahead(struct cr_session *s)
{
	const struct cr_samples *samples = &s->profile[0]->samples;
	struct cr_err ignored = CR_ERR_INIT;

	if (!cr_session_has_ahead(s))
		return;
	if (s->ahead == STEP_SLICES || s->ahead == STEP_NODES)
		make_sums(s, s->ahead);
	else if (s->ahead == STEP_HEALTH)
		cr_view_health(s, cr_session_event_of(s, 0), &ignored);
	else if (s->ahead == STEP_STACKS)
		cr_trees_prepare(s->trees, s);
	else if (cr_view_ops_at(s->ahead - STEP_VIEWS)->is_ahead)
		cr_view_make(cr_view_at(s, s->ahead - STEP_VIEWS), s);
	if (!cr_work_stopped())
		s->ahead++;
	/* Nobody asked for this work: it must not keep columns in memory. */
	cr_samples_done(samples, 0, samples->n);
}
