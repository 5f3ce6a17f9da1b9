#ifndef CR_SESSION_SESSION_H
#define CR_SESSION_SESSION_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree.h"
#include "query/diff/diff.h"
#include "query/lang/query.h"
#include "query/lang/search.h"
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
	uint32_t selected;        /* node; the selection that all views share */
	bool root_up;             /* root at the top (icicle) instead of at the bottom */
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

/*
 * The profiles are taken, on failure too; after NULL for one profile. query NULL: everything.
 * Without an event in it: the one with most samples, or of a profile that is a difference
 * (cr_diff_is) this difference; of two profiles those that cr_diff_events() chooses. diff NULL is
 * the default; CR_EUSAGE if the events are not alike.
 */
int cr_session_new(struct cr_profile *before, const char *before_title, struct cr_profile *after,
	const char *after_title, const struct cr_query *query, const struct cr_diff_opts *diff,
	struct cr_session **out, struct cr_err *err);
void cr_session_free(struct cr_session *s);

/*
 * Compare stored outlines, which the first trees are made from, with the samples: so many blocks of
 * 65536 samples. False when there is no more to compare. Where they differ the tree is made anew
 * from the samples, s->message says so, and *changed is set; undo starts from there.
 */
bool cr_session_prove(struct cr_session *s, uint32_t blocks, bool *changed);

/*
 * Run one line: a command's name, blanks, its arguments; several separated by ';'. The rest of
 * a line belongs to commands that take a pattern or a path. What it has to say is in s->message,
 * and text it prints (print, help) goes to out, which may be NULL. A command that fails leaves
 * the state as it was, and those behind it do not run; its words are in s->message too. CR_EUSAGE
 * for unknown words and bad arguments.
 */
int cr_session_run(struct cr_session *s, const char *line, FILE *out, struct cr_err *err);

/*
 * One command: a line in commands.def with its handler in command.c, or of the table of a view.
 * Those of the current view are looked up first, then the common ones, then those of other views.
 */
struct cr_command {
	const char *name;  /* "zoom" */
	const char *args;  /* "[NODE|NAME]", "RE", "": words in lower case stand for themselves */
	const char *about; /* one line for the help */
	bool rest_is_one; /* takes all up to a ';' that blanks follow, one ';' in a pattern included
			   */
	int (*run)(struct cr_session *s, const char *args, FILE *out, struct cr_err *err);
	const char *(*word_at)(size_t i); /* what a word in upper case in args may be, for the
					     completion; NULL past the last. May be NULL */
};

/* All commands, the common ones first, each name once; NULL past the last. */
const struct cr_command *cr_command_at(size_t i);

/* Is it a difference within one profile? Then that is both sides, and has no other event. */
static inline bool
cr_session_is_within(const struct cr_session *s)
{
	return s->profile[0] == s->profile[1];
}

#endif
