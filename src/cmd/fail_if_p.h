#ifndef CR_CMD_FAIL_IF_P_H
#define CR_CMD_FAIL_IF_P_H

#include "base/err.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* What a condition of --fail-if is about. */
enum cr_fail_what {
	CR_FAIL_UNRESOLVED, /* cost of code without a function name */
	CR_FAIL_BROKEN,     /* of the stacks of user code: they end in the middle of a program */
	CR_FAIL_TRUNCATED,  /* of the stacks of user code: they have the maximum depth */
	CR_FAIL_LOST,       /* of all samples: perf could not keep them */
	CR_FAIL_SELF,       /* self cost of functions */
	CR_FAIL_TOTAL,      /* total cost of functions; a stack with several of them counts once */
	CR_FAIL_WHATS
};

/* "broken>10%", "self:malloc>5%", "total:/regex/>30%" */
struct cr_fail_if {
	const char *text; /* the whole condition; borrowed */
	enum cr_fail_what what;
	struct cr_str function; /* of CR_FAIL_SELF and _TOTAL: a name or /RE/; borrowed */
	double percent;
};

/* Read a condition. CR_EUSAGE if it is none. */
int cr_fail_if_parse(const char *text, struct cr_fail_if *out, struct cr_err *err);

/* The i-th word that a condition begins with; NULL past the last. */
const char *cr_fail_if_word(size_t i);

#endif
