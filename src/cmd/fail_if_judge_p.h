#ifndef CR_CMD_FAIL_IF_JUDGE_P_H
#define CR_CMD_FAIL_IF_JUDGE_P_H

struct cr_options;
struct cr_profile;

/*
 * Judge the conditions of o for the profile and the query. Each that holds is reported on standard
 * error, and so is one that cannot be judged. Returns EXIT_DONE, EXIT_NOTHING if any was reported,
 * or the code of a failure.
 */
int cr_fail_if_judge(const struct cr_options *o, struct cr_profile *p);

#endif
