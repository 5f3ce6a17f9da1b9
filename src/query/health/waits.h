#ifndef CR_QUERY_HEALTH_WAITS_H
#define CR_QUERY_HEALTH_WAITS_H

#include "model/profile.h"

/* What a recording knows about threads that wait: that they are off the CPU. */
enum cr_waits {
	CR_WAITS_NONE,
	CR_WAITS_TIMES, /* how long, but not where */
	CR_WAITS_PLACES /* how long, and the stacks in which they wait */
};

/* p must have its samples. O(samples) if times off the CPU were recorded. */
enum cr_waits cr_waits_recorded(const struct cr_profile *p);

#endif
