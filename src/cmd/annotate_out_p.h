#ifndef CR_CMD_ANNOTATE_OUT_P_H
#define CR_CMD_ANNOTATE_OUT_P_H

#include "options_p.h"

#include "session/annotation.h"

/*
 * Print an annotated function on standard output: for people similar to perf annotate; as CSV or
 * JSON all lines and addresses with a cost. name: the function found.
 */
void cr_annotate_out(const struct cr_options *o, const struct cr_profile *p,
	const struct cr_annotate_name *name, struct cr_annotation *a);

#endif
