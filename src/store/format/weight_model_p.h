#ifndef CR_STORE_FORMAT_WEIGHT_MODEL_P_H
#define CR_STORE_FORMAT_WEIGHT_MODEL_P_H

#include "number_model_p.h"

/*
 * A model of the weights of samples, for a bit coder. Where samples are taken at a rate (perf
 * record -F), the kernel adapts the period of a counter after each sample: an eighth of the way to
 * the period that would have given the rate. So the time and the period of a sample tell the next
 * period of the same counter, but for some units.
 *
 * A counter is known by the event of its samples and, as the form says, by their cpu and task. A
 * weight is coded as the difference from what is expected: the last weight of the counter or the
 * adapted one, whichever was nearer of late.
 */
enum cr_weight_key { CR_WEIGHT_CPU = 1, CR_WEIGHT_TASK = 2, CR_WEIGHT_KEYS = 4 };

/* The other columns of the same samples. */
struct cr_weight_sides {
	const uint64_t *time_ns;
	const uint32_t *task;
	const uint16_t *cpu, *event;
};

struct cr_weight_form {
	unsigned key;        /* bits of enum cr_weight_key */
	unsigned class_bits; /* of the weights and differences, 1 to 7 */
	uint32_t rate;       /* in Hz, less than CR_WEIGHT_RATES; 0 if none is known */
};

#define CR_WEIGHT_RATES ((uint32_t)1 << 16)

/*
 * The form that suits the weights v of n samples, judged by the first `judged` of them. *bits: what
 * their differences take then, without what says how many bits each of them has.
 */
struct cr_weight_form cr_weight_model_form(const uint64_t *v, uint32_t n, uint32_t judged,
	const struct cr_weight_sides *sides, uint64_t *bits);

/* Code the weights v of n samples. */
void cr_weight_model_code(const struct cr_weight_form *form, struct cr_bit_coder *c, uint64_t *v,
	uint32_t n, const struct cr_weight_sides *sides);

#endif
