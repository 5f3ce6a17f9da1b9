#include "annotate_out_p.h"
#include "function_names_p.h"
#include "job_p.h"
#include "sheet_out_p.h"

#include "query/table/block_cycles.h"
#include "query/table/code_types.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>

int cr_cmd_annotate(const struct cr_options *o);

/* Instructions with the source lines between them: the default, and --lines with --asm. */
static bool
is_both(const struct cr_options *o)
{
	return o->annotate.how == 0 || o->annotate.how == CR_ANNOTATE_BOTH;
}

/* Several functions match, or none: list them. */
static int
report_names(const struct cr_options *o, const struct cr_profile *p,
	const struct cr_annotate_found *found)
{
	struct cr_annotate_found elsewhere = {.arena = {0}};
	struct cr_err unused = CR_ERR_INIT;
	const char *what = o->args[1];

	if (found->names.n) {
		cr_options_complain(what, "several functions match; give the full name of one, and "
					  "--in DSO if they have the same name:");
		cr_function_names_list(found);
		return EXIT_USAGE;
	}
	if (o->annotate.dso)
		cr_annotate_find(p, what, NULL, &elsewhere, &unused);
	if (elsewhere.names.n) {
		cr_options_complain(what, "no such function in this dso; there is:");
		cr_function_names_list(&elsewhere);
	} else {
		cr_options_complain(what, "no such function; /PATTERN/ searches for one");
	}
	cr_annotate_found_fini(&elsewhere);
	return EXIT_NOTHING;
}

/* What cycles of blocks and types of data are computed from, if there are any. */
static int
fetch_fields(const struct cr_options *o, struct cr_profile *p)
{
	const struct cr_filter *f = cr_query_filter(&o->query);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	unsigned needs = 0;
	int rc = CR_OK;

	if (cr_block_cycles_has(p))
		needs |= cr_block_cycles_needs(f);
	if (cr_code_types_has(p))
		needs |= CR_CODE_TYPES_NEEDS;
	if (needs)
		rc = cr_store_fetch(p, cr_load_parts(needs), &log, &err);
	cr_job_warn(o, o->args[0], &log);
	return rc < 0 ? cr_job_fail(o->args[0], &err) : EXIT_DONE;
}

static int
annotate(const struct cr_options *o, const struct cr_profile *p,
	const struct cr_annotate_found *found, struct cr_err *err)
{
	const struct cr_annotation_opts opts = {.filter = cr_query_filter(&o->query),
		.symbol = &o->load.symbol,
		.no_source = o->annotate.no_source,
		.places = is_both(o) && !o->csv && !o->json && !o->quickfix};
	struct cr_annotation a;
	int code = EXIT_DONE;

	if (cr_annotation_make(
		    p, &opts, found->functions.p, (uint32_t)found->functions.n, &a, err) < 0) {
		code = cr_job_fail_query(o->args[0], err);
	} else if (cr_job_none_left(o, a.a.whole_samples)) {
		code = EXIT_NOTHING;
	} else {
		cr_code_types_set(p, &a.a);
		cr_annotate_out(o, p, &found->names.p[0], &a);
		code = a.a.cost.total_samples ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_annotation_fini(&a);
	return code;
}

int
cr_cmd_annotate(const struct cr_options *o)
{
	const unsigned parts = (cr_job_parts(o) & ~(unsigned)CR_STORE_PROOF) | CR_STORE_TREE |
			       CR_STORE_MAPS | CR_STORE_CODE | CR_STORE_NODE | CR_STORE_WEIGHT |
			       CR_STORE_EVENT;
	struct cr_err err = CR_ERR_INIT;
	struct cr_annotate_found found = {.arena = {0}};
	struct cr_profile *p;
	int code;

	if ((code = cr_sheets_check(o)) != EXIT_DONE)
		return code;
	if (!*o->args[1]) {
		cr_options_complain("annotate", "needs the name of a function");
		return EXIT_USAGE;
	}
	if ((code = cr_job_load(o, o->args[0], parts, &p)) != EXIT_DONE)
		return code;
	if ((code = fetch_fields(o, p)) != EXIT_DONE)
		;
	else if (cr_annotate_find(p, o->args[1], o->annotate.dso, &found, &err) < 0)
		code = cr_job_fail(o->args[1], &err);
	else if (found.names.n != 1)
		code = report_names(o, p, &found);
	else
		code = cr_job_end(o, p, annotate(o, p, &found, &err));
	cr_annotate_found_fini(&found);
	cr_profile_free(p);
	return code;
}
