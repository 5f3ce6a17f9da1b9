#ifndef CR_SESSION_ANNOTATION_H
#define CR_SESSION_ANNOTATION_H

#include "query/table/annotate.h"
#include "symbol/code/code.h"
#include "symbol/code/disasm.h"
#include "symbol/files/sourcefile.h"
#include "view/listing/listing.h"

/*
 * A function's costs, and what is to be shown with them, brought together: its code from the
 * profile, or where that has none or less, from the files; its source from the profile, or from the
 * files.
 */
struct cr_annotation_opts {
	const struct cr_filter *filter;
	const struct cr_query *query; /* or NULL: its transforms leave out samples too, as far as
					 they can be told from one stack */
	const struct cr_symbol_opts *symbol;
	bool no_source;
	bool places; /* all instructions are to have their lines, not only those with samples */
};

enum cr_annotation_code {
	CR_ANNOTATION_NO_CODE,
	CR_ANNOTATION_STORED,
	CR_ANNOTATION_FILES,
};

struct cr_annotation {
	struct cr_annotate a;
	struct cr_listing_in
		in; /* for cr_listing_lines() and _code(): least is the caller's to set */
	enum cr_annotation_code code;
	const char *why; /* a literal or the annotation's: why there is no code, or no instructions;
			    NULL */
	uint32_t n_sources;
	const struct cr_annotation_source {
		struct cr_str file;
		bool stored, found;
		bool trusted; /* debug info of the dso names it, not the profile alone */
		bool newer;   /* than the recording: lines may have moved since */
		struct cr_sourcefile s;
		uint32_t first, n;         /* stored: rows of the profile's source lines */
	} * sources;                       /* of all lines' files, by name */
	struct cr_annotation_parts *parts; /* its own */
};

/*
 * functions: rows of p's, of one name and dso. p outlives it, and has its tree, its samples and,
 * where it is stored, its code. Fails as cr_select() does; what is missing to be shown is no
 * failure.
 */
int cr_annotation_make(const struct cr_profile *p, const struct cr_annotation_opts *o,
	const cr_function_id *functions, uint32_t n, struct cr_annotation *out, struct cr_err *err);
void cr_annotation_fini(struct cr_annotation *n);

/* What has to be there for a query: bits as of cr_filter_needs(). */
unsigned cr_annotation_needs(const struct cr_query *q);

#endif
