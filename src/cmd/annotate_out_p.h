#ifndef CR_CMD_ANNOTATE_OUT_P_H
#define CR_CMD_ANNOTATE_OUT_P_H

#include "options_p.h"

#include "session/annotation.h"

/*
 * An annotated function on standard output: for people much as perf annotate prints it, or all
 * lines and addresses that cost anything as CSV or JSON. name: what was found, of one function.
 */
void cr_annotate_out(const struct cr_options *o, const struct cr_profile *p,
	const struct cr_annotate_name *name, struct cr_annotation *a);

#endif
