#ifndef CR_SESSION_STATE_P_H
#define CR_SESSION_STATE_P_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree.h"
#include "query/diff/diff.h"
#include "query/lang/query.h"
#include "query/lang/search.h"
#include "session/selection.h"
#include "session/split.h"
#include "view/style/palette.h"

/*
 * The state of a session, for its own layer. Others read it through session.h. It is changed by
 * commands, through session_p.h and selection_set_p.h.
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
	struct cr_split split;            /* one pane or two; changed by split_layout_p.h alone */
	int32_t width, height;    /* cells of the area of the panes; 0 until it has a size */
	uint32_t zoom;            /* node; 0 is all */
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
	bool on_screen;          /* a screen shows it; else `copy` prints */
	struct cr_text copied;
	char *source[CR_SIDES]; /* what the user named the profiles by, for a shell; or NULL */
	struct cr_history
		*history; /* of zoom, selection, query, view, search: what undo goes back over */
	struct cr_script *script;        /* the commands that have been run */
	unsigned depth;                  /* of commands that run commands */
	struct cr_trees *trees;          /* where the tree comes from */
	const struct cr_load_opts *load; /* how other profiles are opened; NULL: not at all */
	struct cr_session *earlier,
		*later; /* what was shown before, and what undo left; see profiles_p.h */
	bool is_empty;  /* shows no profile yet */
	bool by_time;   /* both sides are of one profile: side 1 in [from_ns, to_ns), 0 the rest */
	uint64_t from_ns, to_ns;
	unsigned *users; /* sessions that have these profiles; the last one frees them */
};

/* Is it a difference within one profile? Then that is both sides, and has no other event. */
static inline bool
cr_state_is_within(const struct cr_session *s)
{
	return s->profile[0] == s->profile[1] && !s->by_time;
}

#endif
