#ifndef CR_SESSION_STATE_H
#define CR_SESSION_STATE_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree.h"
#include "query/diff/diff.h"
#include "query/lang/query.h"
#include "query/lang/search.h"
#include "session/selection.h"
#include "view/style/palette.h"

/*
 * What is open, selected, zoomed and searched, and every action on it as a named command. Knows
 * no screen, only the size that its views are laid out for: the browser, `view -c`, and tests
 * send the same lines of text.
 *
 * The state is open to be read by whoever draws it; it is changed by commands alone.
 */
struct cr_view;

struct cr_session {
	struct cr_profile *profile[CR_SIDES]; /* [1] is NULL unless this is a diff; before and
						 after, or both the same */
	char *title[CR_SIDES];                /* the second is "" where one names both */
	uint32_t sides;
	struct cr_diff_opts diff;   /* how two profiles are compared */
	uint32_t threads[CR_SIDES]; /* distinct ones; 0 when the profile knows none */
	uint32_t event; /* row of profile[0]->events; a diff takes the one of profile[1] that is
			   like it */
	struct cr_query query; /* what else it is of; without the event */
	struct cr_tree *tree;
	uint64_t unresolved[CR_SIDES];    /* weight of samples whose leaf has no name, before stacks
					     are changed */
	uint64_t unresolved_of[CR_SIDES]; /* and that of all of them */
	uint32_t view;                    /* the current one, by its row in views.def */
	struct cr_view *views;            /* all of them, in that order: session/views/view.h */
	uint32_t zoom;                    /* node; 0 is all */
	uint32_t *trail, n_trail; /* where `out` goes back to: ancestors of zoom, outermost first */
	struct cr_selection selection;    /* in all views; changed by selection_set_p.h alone */
	struct cr_selection_names *names; /* of all selections */
	bool root_up;                     /* root at the top (icicle) instead of at the bottom */
	enum cr_palette palette;
	struct cr_search search; /* all zero when there is none */
	char *pattern;           /* of the search; NULL when there is none */
	bool literal;            /* the pattern is a whole name, not a regular expression */
	struct cr_text message;  /* what the last command has to say; empty for nothing */
	bool quit;               /* a command asked to leave */
	struct cr_history
		*history; /* of zoom, selection, query, view, search: what undo goes back over */
	struct cr_trees *trees; /* where the tree comes from */
};

/* Is it a difference within one profile? Then that is both sides, and has no other event. */
static inline bool
cr_session_is_within(const struct cr_session *s)
{
	return s->profile[0] == s->profile[1];
}

#endif
