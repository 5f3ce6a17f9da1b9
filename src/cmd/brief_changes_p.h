#ifndef CR_CMD_BRIEF_CHANGES_P_H
#define CR_CMD_BRIEF_CHANGES_P_H

#include "model/profile.h"

#define CR_BRIEF_CHANGES 4

struct cr_options;

/* A function whose cost changed, largest change first. */
struct cr_brief_change {
	char *name;
	double points;    /* of self cost, in points of a share of 100 */
	const char *word; /* cr_verdict_word() */
};

/* What changed since the last stored profile of the same command. All zero bytes: there is none. */
struct cr_brief_changes {
	char *since; /* its name */
	bool tested; /* false: nothing can be said, for example with too few samples */
	struct cr_brief_change changes[CR_BRIEF_CHANGES];
	uint32_t n, all; /* of `changes`, and of the functions that changed */
};

/*
 * Compare p with the last stored profile that was recorded before it by the same command line; the
 * file that perf wrote may have another name (-o). p must have all its parts. A store or a profile
 * that cannot be read counts as none.
 */
void cr_brief_changes_find(
	const struct cr_options *o, const struct cr_profile *p, struct cr_brief_changes *out);
void cr_brief_changes_fini(struct cr_brief_changes *c);

#endif
