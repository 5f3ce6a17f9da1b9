#ifndef CR_SESSION_COMMANDS_SAMPLE_STEPS_P_H
#define CR_SESSION_COMMANDS_SAMPLE_STEPS_P_H

/*
 * The samples that the command `sample` steps through, in the order of time; they are listed when
 * it runs for the first time, and again when event or query have changed.
 */
struct cr_sample_steps;

void cr_sample_steps_free(struct cr_sample_steps *steps); /* NULL is allowed */

#endif
