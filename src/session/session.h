#ifndef CR_SESSION_SESSION_H
#define CR_SESSION_SESSION_H

#include "session/state.h"

#include <stdio.h>

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
 * Compare stored default trees, which the first trees are made from, with the samples: so many
 * blocks of 65536 samples. False when there is no more to compare. Where they differ the tree is
 * made anew from the samples, s->message says so, and *changed is set; undo starts from there.
 */
bool cr_session_prove(struct cr_session *s, uint32_t blocks, bool *changed);

/*
 * Run one line: a command's name, blanks, its arguments; several separated by ';'. The rest of
 * a line belongs to commands that take a pattern or a path. What it has to say is in s->message,
 * and text it prints (print, help) goes to out, which may be NULL. A command that fails leaves
 * the state as it was, and those behind it do not run; its words are in s->message too. CR_EUSAGE
 * for unknown words and bad arguments. CR_ECANCEL when the caller's thread does it as work
 * (base/work.h) that is stopped: the command that was running has changed nothing.
 */
int cr_session_run(struct cr_session *s, const char *line, FILE *out, struct cr_err *err);

/*
 * Make what the current view is drawn from, if that is not there yet: a caller who does it in the
 * time of a command need not wait when it draws.
 */
void cr_session_prepare(struct cr_session *s);

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

#endif
