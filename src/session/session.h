#ifndef CR_SESSION_SESSION_H
#define CR_SESSION_SESSION_H

#include "base/err.h"
#include "base/text.h"
#include "model/tree/tree.h"
#include "query/diff/diff.h"
#include "query/diff/norm.h"
#include "query/lang/query.h"
#include "query/lang/search.h"
#include "session/selection.h"
#include "view/style/palette.h"
#include "view/style/theme.h"

#include <stdio.h>

/*
 * What is open, selected, zoomed and searched; every action on it is a named command. It knows only
 * the size that its views are laid out for, not the screen: the browser, `view -c` and tests send
 * the same lines of text. Only commands change the state; the functions below read it.
 */
struct cr_session;

/* How two sides are compared, and where they are shown. All zero bytes is the default. */
struct cr_comparison {
	struct cr_diff_opts diff;
	struct cr_norm norm;         /* what costs are compared as */
	uint32_t noise;              /* least run-to-run noise in percent; 0: the default */
	const struct cr_query *side; /* by side: words in place of those of the query; or NULL */
	bool for_screen; /* cr_session_on_screen() follows: only what a screen shows is made */
};

/*
 * Create a session. It takes ownership of the profiles, also on failure; `before` is NULL for one
 * profile. query NULL: everything. Without an event in it: the one with most samples, or, for a
 * profile that is itself a difference (cr_diff_is), this difference; for two profiles the events
 * that cr_diff_events() chooses. how: copied; NULL for the default. CR_EUSAGE if the events do not
 * match, or if the profiles cannot be compared as how->norm says.
 */
int cr_session_new(struct cr_profile *before, const char *before_title, struct cr_profile *after,
	const char *after_title, const struct cr_query *query, const struct cr_comparison *how,
	struct cr_session **out, struct cr_err *err);
void cr_session_free(struct cr_session *s);

/*
 * Compare up to `blocks` more blocks of 65536 samples with the stored default trees, which the
 * first trees were made from. Returns false if nothing is left to compare. If they differ, the tree
 * is made anew from the samples, cr_session_message() reports it, and *changed is set; undo starts
 * from there.
 */
bool cr_session_prove(struct cr_session *s, uint32_t blocks, bool *changed);

/*
 * The verdicts about a difference of many stacks take long, so views on a screen show all
 * differences until there are verdicts. _unjudged(): true if a view waits for them. _judge(): make
 * them; if the work (base/work.h) is cancelled, the view still waits. Views are to be drawn again.
 */
bool cr_session_unjudged(const struct cr_session *s);
void cr_session_judge(struct cr_session *s);

/*
 * The first visit to a view of a large profile takes long, so the browser makes the rows of some
 * views while no key is pressed. _has_ahead(): true if such a view may be left. _make_ahead(): make
 * the next part; if the work (base/work.h) is cancelled, the next call begins that part again. What
 * is shown and selected does not change. A difference of two profiles has nothing to make.
 */
bool cr_session_has_ahead(const struct cr_session *s);
void cr_session_make_ahead(struct cr_session *s);

/*
 * The session is shown on a screen from now on: a wide one is split into two panes. Undo starts
 * here. Call it before the first command; later calls do nothing.
 */
void cr_session_on_screen(struct cr_session *s);

/*
 * Run one line: a command's name, blanks, its arguments; several commands are separated by ';'.
 * Commands with a pattern or a path use the rest of the line. The message is in
 * cr_session_message(); text that a command prints (print, help) is written to out, which may be
 * NULL. A command that fails leaves the state unchanged, and those after it do not run. CR_EUSAGE
 * for unknown words and invalid arguments. CR_ECANCEL if the work (base/work.h) was cancelled: the
 * running command has changed nothing.
 */
int cr_session_run(struct cr_session *s, const char *line, FILE *out, struct cr_err *err);

/*
 * Set the names by which a command line finds the recordings of a side, so that `copy command` can
 * print one. Copied. Without this the titles are used.
 */
void cr_session_set_sources(
	struct cr_session *s, uint32_t side, const char *const *names, uint32_t n);

/*
 * What `copy` has copied, on a screen: borrowed until the next command, empty if there is nothing.
 * It has no control characters but newlines. Without a screen `copy` prints it.
 */
const struct cr_text *cr_session_copied(const struct cr_session *s);
void cr_session_clear_copied(struct cr_session *s);

/*
 * Run the lines of a configuration file: `set`, `bind` and `macro` with their arguments, empty
 * lines and comments after '#'. A bad line does not stop the others. Fails with CR_EUSAGE and
 * reports the first bad line as "PATH:LINE: reason". Undo cannot go back before these lines.
 */
int cr_session_configure(
	struct cr_session *s, const char *path, struct cr_str text, struct cr_err *err);

/* Options of `set`, by name, but color.PART; NULL past the last. */
const char *cr_session_option_at(size_t i);
/* The line that the user has bound to a key, by its name (session/key.h); NULL if there is none. */
const char *cr_session_bound(const struct cr_session *s, const char *key);
/* Bound keys, macros and bookmarks with their lines. False past the last. */
bool cr_session_bound_at(const struct cr_session *s, size_t i, const char **key, const char **line);
bool cr_session_macro_at(
	const struct cr_session *s, size_t i, const char **name, const char **line);
bool cr_session_bookmark_at(
	const struct cr_session *s, size_t i, const char **name, const char **line);
/* False if the mouse is left to the terminal. */
bool cr_session_mouse(const struct cr_session *s);

/* Compute the data of the current view, if that is not done yet, so that drawing need not wait. */
void cr_session_prepare(struct cr_session *s);

/* ---- reading the state; what is returned is borrowed until the next command */

/* 1, or 2 for a difference: before and after. Sides are numbered 0 and 1. */
uint32_t cr_session_sides(const struct cr_session *s);
/* True for a difference within one profile, which is then the profile of both sides. */
bool cr_session_is_within(const struct cr_session *s);
const struct cr_profile *cr_session_profile(const struct cr_session *s, uint32_t side);
/* The user's name for the profile; that of side 1 is "" if side 0 has the title of both. */
const char *cr_session_title(const struct cr_session *s, uint32_t side);
/*
 * Append what the sides are compared as, if that is not shares: ", CPU time". Nothing for one side.
 */
void cr_session_put_norm(const struct cr_session *s, struct cr_text *out);
/* Number of distinct threads; 0 if the profile does not know its threads. */
uint32_t cr_session_threads(const struct cr_session *s, uint32_t side);
/* Weight of the samples whose innermost frame has no name, and that of all samples. */
uint64_t cr_session_unresolved(const struct cr_session *s, uint32_t side);
uint64_t cr_session_unresolved_of(const struct cr_session *s, uint32_t side);

/* Row of the event in the events of the first profile. */
uint32_t cr_session_event(const struct cr_session *s);
/* The query without the event, and the tree that it makes. */
const struct cr_query *cr_session_query(const struct cr_session *s);
/*
 * Append the steps of the query from number `from` on as commands: "comm a; also comm b; invert".
 */
void cr_session_put_steps(const struct cr_session *s, size_t from, struct cr_text *out);
const struct cr_tree *cr_session_tree(const struct cr_session *s);
/*
 * The selected source line, or where the selected function begins; line 0: it is not known. False
 * if the file is not known.
 */
bool cr_session_source(const struct cr_session *s, struct cr_str *file, uint32_t *line);
/* The zoomed node of the tree; 0 for all. */
uint32_t cr_session_zoom(const struct cr_session *s);
const struct cr_selection *cr_session_selection(const struct cr_session *s);

/* What matches; all zero bytes if there is no search. */
const struct cr_search *cr_session_search(const struct cr_session *s);
/* NULL if there is no search. It is a regular expression, or literally a function's name. */
const char *cr_session_pattern(const struct cr_session *s);
bool cr_session_is_literal(const struct cr_session *s);

/* True if the root is drawn at the top (icicle), false if at the bottom. */
bool cr_session_root_up(const struct cr_session *s);
enum cr_palette cr_session_palette(const struct cr_session *s);
const struct cr_theme *cr_session_theme(const struct cr_session *s);

/* True once a command asked to leave. */
bool cr_session_quits(const struct cr_session *s);
/* The message of the last command; empty if it had none. */
const struct cr_text *cr_session_message(const struct cr_session *s);
/* Replace the message, or remove it. */
void cr_session_say(struct cr_session *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void cr_session_clear_message(struct cr_session *s);

/*
 * A command: a line in commands.def with its handler in command.c, or a row in the table of a view.
 * Commands of the current view are searched first, then the common ones, then those of other views.
 */
struct cr_command {
	const char *name;  /* "zoom" */
	const char *args;  /* "[NODE|NAME]", "RE", "": words in lower case stand for themselves */
	const char *about; /* one line for the help */
	/* Uses everything up to a ';' followed by a blank; in a pattern one ';' may occur. */
	bool rest_is_one;
	int (*run)(struct cr_session *s, const char *args, FILE *out, struct cr_err *err);
	/*
	 * For completion: the i-th value of a word in upper case in args; NULL past the last. May
	 * be NULL.
	 */
	const char *(*word_at)(size_t i);
};

/* All commands, the common ones first, each name once; NULL past the last. */
const struct cr_command *cr_command_at(size_t i);

#endif
