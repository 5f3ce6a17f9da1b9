#ifndef CR_SESSION_ANNOTATION_H
#define CR_SESSION_ANNOTATION_H

#include "query/table/annotate.h"
#include "symbol/code/code.h"
#include "symbol/code/disasm.h"
#include "symbol/files/sourcefile.h"
#include "view/listing/listing.h"

/*
 * The costs of a function together with what is needed to show them: its code from the profile or,
 * if that has none or less, from files; its source from the profile or from files.
 */
struct cr_annotation_opts {
	const struct cr_filter *filter;
	const struct cr_query *query; /* or NULL: its transforms leave out samples too, as far as
					 they can be told from one stack */
	const struct cr_node_costs *costs; /* of the samples that these select; or NULL */
	const struct cr_symbol_opts *symbol;
	bool no_source;
	bool places; /* find the lines of all instructions, not only of those with samples */
};

enum cr_annotation_code {
	CR_ANNOTATION_NO_CODE,
	CR_ANNOTATION_STORED,
	CR_ANNOTATION_FILES,
};

struct cr_annotation {
	struct cr_annotate a;
	/*
	 * There are blocks with cycles, but they are not shown: the filter has a condition that
	 * branches have nothing for, such as a time.
	 */
	bool blocks_left_out;
	struct cr_listing_in in; /* for cr_listing_lines() and _code(); the caller sets `least` */
	enum cr_annotation_code code;
	/*
	 * A string literal or owned by the annotation: why there is no code, or no instructions;
	 * NULL if there are.
	 */
	const char *why;
	uint32_t n_sources;
	const struct cr_annotation_source {
		struct cr_str file;
		bool stored, found;
		bool trusted; /* named by debug info of the dso, not only by the profile */
		bool newer;   /* newer than the recording: lines may have moved */
		struct cr_sourcefile s;
		uint32_t first, n;         /* if stored: range in the profile's source lines */
	} * sources;                       /* files of all lines, sorted by name */
	struct cr_annotation_parts *parts; /* private */
};

/*
 * functions: rows of p's functions, all with one name and dso. p must outlive the annotation, and
 * its tree, samples and, if stored, code must have been read. Fails like cr_select(); missing code
 * or source is no failure.
 */
int cr_annotation_make(const struct cr_profile *p, const struct cr_annotation_opts *o,
	const cr_function_id *functions, uint32_t n, struct cr_annotation *out, struct cr_err *err);

/* Free what it has; then it is empty, and may be made or freed again. */
void cr_annotation_fini(struct cr_annotation *n);

/* What has to be there for a query of p: bits as of cr_filter_needs(). */
unsigned cr_annotation_needs(const struct cr_profile *p, const struct cr_query *q);

#endif
