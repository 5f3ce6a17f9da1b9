#ifndef CR_SYMBOL_CODE_HOT_P_H
#define CR_SYMBOL_CODE_HOT_P_H

#include "base/vec.h"
#include "model/profile.h"

/*
 * The functions with the highest self cost, hottest first: all with at least 1/1000 of the self
 * cost of some event, at most 1024. Inlined functions count for the function that contains their
 * code.
 */
struct cr_hot {
	uint32_t function;
	uint32_t ppm; /* millionths of the event in which it has the largest share */
};

typedef CR_VEC(struct cr_hot) cr_hots;

/* By location. */
struct cr_hot_place {
	uint32_t owner; /* see cr_hot_owner() */
	uint32_t heat;  /* number of samples, at most UINT32_MAX */
};

/* The places of all locations, without heat. Free them with free(). */
struct cr_hot_place *cr_hot_places(const struct cr_profile *p);

/*
 * p must have samples; places are those of cr_hot_places(), and get their heat. Free *out with
 * cr_vec_fini().
 */
void cr_hot_find(const struct cr_profile *p, struct cr_hot_place *places, cr_hots *out);

/* The function that the code at a location was compiled for: a row of the functions. */
static inline uint32_t
cr_hot_owner(const struct cr_profile *p, const struct cr_location *l)
{
	return p->lines[l->first_line + l->lines - 1u].function.i;
}

#endif
