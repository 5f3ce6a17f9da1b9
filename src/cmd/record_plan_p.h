#ifndef CR_CMD_RECORD_PLAN_P_H
#define CR_CMD_RECORD_PLAN_P_H

#include "option_values_p.h"
#include "record_stacks_p.h"

#include "base/vec.h"

/* How perf is called for a recording. */
struct cr_record_plan {
	struct cr_perf_opts perf;
	const char *const *command; /* words of the recorded command, maybe none, and NULL */
	struct cr_record_stacks stacks;
	struct cr_text term; /* the event with its rate, if -F must not apply to all; or empty */
	bool branches;       /* -b, for --branch-history */
	bool event_chosen;   /* not given by the user */
	bool by_switches;    /* off-CPU time by sched:sched_switch: this perf has no BPF programs */
};

typedef CR_VEC(const char *) cr_record_words;

/*
 * Choose what the user has not given, and try it out: the same recording, but of true(1). Says on
 * standard error what was chosen and why. program: path of the file that is recorded, or NULL.
 * Returns EXIT_DONE, or an exit code after reporting why this cannot be recorded here. The caller
 * calls cr_record_plan_fini() in any case.
 */
int cr_record_plan_make(
	const struct cr_options *o, const char *program, struct cr_record_plan *out);
void cr_record_plan_fini(struct cr_record_plan *plan);

/*
 * The words that record to the file at `path`, ended by NULL, borrowed from the plan and the path.
 * trial: true(1) takes the place of the command. The caller frees the vector.
 */
void cr_record_plan_words(
	const struct cr_record_plan *plan, const char *path, bool trial, cr_record_words *out);

#endif
