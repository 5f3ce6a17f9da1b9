#ifndef CR_CMD_DIFFERENCE_P_H
#define CR_CMD_DIFFERENCE_P_H

#include "options_p.h"

#include "query/diff/evidence.h"

/* Output of diff, and of report for a profile that is a difference, on standard output. */

/* Print the lines above the table: the query, and what the costs are; judged may be NULL. */
void cr_difference_amounts(
	const struct cr_options *o, const struct cr_tree *t, const struct cr_judged *judged);

/* Call put() with each line of a text, which ends in a line feed. */
void cr_difference_lines(
	const char *lines, void (*put)(struct cr_str line, void *user), void *user);

/* Print the table of a tree with two sides, according to --sort, --order and --limit. */
void cr_difference_table(const struct cr_options *o, const struct cr_tree *t);

/* A difference that is to be judged. All of it is borrowed. */
struct cr_difference_in {
	struct cr_evidence_side side[CR_SIDES];
	const char *names[CR_SIDES]; /* of the sides, as the user gave them */
	const struct cr_diff_opts *opts;
	const struct cr_tree *both;
	const char *warnings;                 /* lines, see cr_comparable_put(); may be NULL */
	void (*print_head)(const void *user); /* prints lines that begin with "#" above a text */
	const void *user;
};

/*
 * Print the table of a difference with verdicts as text, CSV, JSON or Markdown. Returns
 * EXIT_DIFFERENCE if a row is called changed, else EXIT_DONE, or the code of a failure, which was
 * reported.
 */
int cr_difference_judge(const struct cr_options *o, const struct cr_difference_in *in);

#endif
