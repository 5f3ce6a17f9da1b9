#ifndef CR_SESSION_STATE_P_H
#define CR_SESSION_STATE_P_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree.h"
#include "query/diff/diff.h"
#include "query/diff/norm.h"
#include "query/lang/query.h"
#include "query/lang/search.h"
#include "session/selection.h"
#include "session/split.h"
#include "view/style/palette.h"
#include "view/style/theme.h"

/*
 * The state of a session, private to its layer. Others read it with session.h. Commands change it,
 * with session_p.h and selection_set_p.h.
 */
struct cr_view;
struct cr_health;
struct cr_node_costs;
struct cr_slices;

/* What is shown of a difference. */
enum cr_change_shown {
	CR_SHOWN_MARKED, /* everything; what is not known to have changed is grey */
	CR_SHOWN_ONLY,   /* only what is known to have changed, with its callers */
	CR_SHOWN_ALL,    /* everything in the colour of its change, noise too */
	CR_SHOWN_KINDS
};

/* What the widths of the flame graph of a difference stand for. */
enum cr_change_widths {
	CR_WIDTHS_LARGER, /* the larger one of both sides */
	CR_WIDTHS_BEFORE,
	CR_WIDTHS_AFTER,
	CR_WIDTHS_KINDS
};

struct cr_change_opts {
	enum cr_change_shown shown;
	enum cr_change_widths widths;
	bool totals;  /* changes of total cost, not of self */
	bool swapped; /* before is after, and after before */
};

/*
 * How a tree is made: as a sketch if there is one. In one of groups (query/fold/sketch/sketch.h)
 * the group opened1 - 1 is complete. In one of very many stacks (query/fold/sketch/wide_stacks.h)
 * the path path1 - 1 is open, a number of cr_trees_path1().
 */
struct cr_sketching {
	bool wanted;
	uint32_t opened1, path1;
};

struct cr_session {
	/* [1] is NULL unless this is a difference: before and after, or both the same. */
	struct cr_profile *profile[CR_SIDES];
	/* The same as recorded; profile[] may have other costs: see cr_trees_set_cost(). */
	struct cr_profile *recorded[CR_SIDES];
	char *title[CR_SIDES]; /* the second is "" if the first names both */
	uint32_t sides;
	struct cr_diff_opts diff;      /* how two profiles are compared */
	struct cr_norm norm;           /* what costs of two sides are compared as */
	char *norm_function;           /* the memory of norm.function; NULL for other kinds */
	uint32_t noise;                /* least run-to-run noise in percent; 0: the default */
	struct cr_query own[CR_SIDES]; /* words of one side, which replace those of the query */
	uint32_t threads[CR_SIDES];    /* number of distinct threads; 0 if unknown */
	/* Row of profile[0]->events; for a difference profile[1] has a matching one. */
	uint32_t event;
	struct cr_query query; /* without the event */
	struct cr_tree *tree;
	struct cr_sketching sketching; /* how the tree was made */
	/* Weight of samples whose leaf has no name, before transforms change the stacks. */
	uint64_t unresolved[CR_SIDES];
	uint64_t unresolved_of[CR_SIDES]; /* and of all samples */
	uint32_t view;                    /* row of the current one in views.def */
	struct cr_view *views;            /* all of them, in that order: session/views/view.h */
	struct cr_split split;            /* one pane or two; only split_layout_p.h changes it */
	int32_t width, height;    /* in cells, of the area of the panes; 0 until it has a size */
	uint32_t zoom;            /* node; 0 is all */
	uint32_t *trail, n_trail; /* previous zooms: ancestors of zoom, outermost first */
	struct cr_selection selection; /* shared by all views; only selection_set_p.h changes it */
	struct cr_selection_names *names; /* owns the names of all selections */
	bool root_up;                     /* root at the top (icicle) instead of at the bottom */
	enum cr_palette palette;
	struct cr_theme theme;
	struct cr_change_opts change; /* of a difference; only changes_p.h changes it */
	struct cr_changes *changes;
	struct cr_search search; /* all zero if there is none */
	char *pattern;           /* of the search; NULL if there is none */
	bool literal;            /* the pattern is a complete name, not a regular expression */
	struct cr_text message;  /* of the last command; empty if it has none */
	bool quit;               /* a command requested to quit */
	bool on_screen;          /* shown on a screen; otherwise `copy` prints */
	bool for_screen;         /* it will be */
	struct cr_text copied;
	struct cr_text source[CR_SIDES]; /* names of the recordings, words of a shell; or empty */
	uint32_t n_sources[CR_SIDES];
	char *recording; /* name of the only recording of the first side; NULL if unknown */
	struct cr_history
		*history; /* of zoom, selection, query, view, search: what undo goes back over */
	struct cr_script *script;    /* the commands that have been run */
	unsigned depth;              /* of commands that run commands */
	struct cr_custom *custom;    /* keys and macros of the user */
	struct cr_custom *bookmarks; /* of this profile: session/custom/bookmarks_p.h */
	bool bookmarks_read;         /* those of the profile are among them */
	bool one_step;               /* commands that run now are one step of undo */
	unsigned macro_depth;        /* of macros that run macros */
	bool mouse_off;              /* the mouse is left to the terminal */
	struct cr_trees *trees;      /* where the tree comes from */
	/* Sums of the samples of the last profile; NULL if there are none: cr_view_slices(). */
	struct cr_slices *slices;
	bool has_slices;          /* it is known whether there are */
	struct cr_health *health; /* of the last profile; NULL if not made: cr_view_health() */
	/* Costs by node of the last profile and an event; NULL if not made: cr_view_node_costs() */
	struct cr_node_costs *node_costs;
	uint32_t node_costs_event;
	struct cr_sample_steps *sample_steps; /* NULL until the command `sample` */
	uint32_t ahead;                       /* steps of cr_session_make_ahead() that are done */
	unsigned remade; /* how often the profiles changed, so that a query has another tree */
	const struct cr_load_opts *load; /* how other profiles are opened; NULL: not at all */
	struct cr_session *earlier,
		*later; /* what was shown before, and what undo left; see profiles_p.h */
	bool is_empty;  /* shows no profile yet */
	bool by_time;   /* both sides are of one profile: side 1 in [from_ns, to_ns), 0 the rest */
	uint64_t from_ns, to_ns;
	unsigned *users; /* sessions that have these profiles; the last one frees them */
};

/* True for a difference within one profile: that is both sides, and has no other event. */
static inline bool
cr_state_is_within(const struct cr_session *s)
{
	return s->profile[0] == s->profile[1] && !s->by_time;
}

#endif
