#ifndef CR_SYMBOL_CODE_HOT_P_H
#define CR_SYMBOL_CODE_HOT_P_H

#include "base/vec.h"
#include "model/profile.h"

/*
 * The functions that cost most of themselves, hottest first: all with a 1000th of the self cost of
 * any event, 1024 at most. What is inlined counts for the function that it is in, whose code it is.
 */
struct cr_hot {
	uint32_t function;
	uint32_t ppm; /* of the event that it has most of */
};

typedef CR_VEC(struct cr_hot) cr_hots;

/* p has samples. To be freed with cr_vec_fini(). */
void cr_hot_find(const struct cr_profile *p, cr_hots *out);

/* The function that an address's code was made for: a row of the functions. */
static inline uint32_t
cr_hot_owner(const struct cr_profile *p, const struct cr_location *l)
{
	return p->lines[l->first_line + l->lines - 1u].function.i;
}

#endif
