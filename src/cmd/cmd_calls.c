#include "function_names_p.h"
#include "job_p.h"
#include "sheet_out_p.h"
#include "terminal_p.h"

#include "base/utf8.h"
#include "store/store.h"
#include "view/sheet/calls_sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cr_cmd_callers(const struct cr_options *o);
int cr_cmd_callees(const struct cr_options *o);

/*
 * all: the tree before it was rearranged around the function. of: title of the table, "callers of
 * main".
 */
static void
put_calls(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *all,
	const struct cr_nameless *nameless, const struct cr_tree *t, const char *function,
	const char *of)
{
	const double percent = o->table.has_limit ? o->table.percent_limit : 0.5;
	struct cr_text note = {0};
	struct cr_calls c;
	struct cr_sheets sheets;
	struct cr_sheet s = {.separator = o->table.separator,
		.line_cells = cr_stdout_name_cells(o),
		.inks = cr_stdout_colors(o),
		.ascii = !cr_utf8_locale()};

	cr_calls_init(&c, t, 0, all->total[0][0]);
	cr_calls_choose(&c, percent, o->table.depth, cr_sheets_limit(o));
	cr_calls_sheet(&c, &s);
	cr_sheets_begin(&sheets, o, p);
	cr_text_puts(&note,
		"Overhead is the share of all these samples, Share that of the samples with ");
	cr_text_safe(&note, cr_str_of(function));
	sheets.note = note.p;
	cr_sheets_put(&sheets, all, nameless, of, &s, c.left_out);
	cr_sheets_end(&sheets);
	cr_text_fini(&note);
	cr_calls_fini(&c);
}

/* ---- the function and its tree */

/* Functions with this name; if there are none, those whose names contain it. */
static int
find_functions(const struct cr_profile *p, const char *what, struct cr_annotate_found *found,
	struct cr_err *err)
{
	struct cr_text pattern = {0};
	int rc = cr_annotate_find(p, what, NULL, found, err);

	if (rc < 0 || found->names.n || what[0] == '/' || strstr(what, "\\E"))
		return rc;
	cr_annotate_found_fini(found);
	*found = (struct cr_annotate_found){.arena = {0}};
	cr_text_printf(&pattern, "/\\Q%s\\E/", what);
	rc = cr_annotate_find(p, pattern.p, NULL, found, err);
	cr_text_fini(&pattern);
	return rc;
}

/* Several functions match, or none: list them. */
static int
report_names(const char *what, const struct cr_annotate_found *found)
{
	if (!found->names.n) {
		cr_options_complain(what, "no such function; /PATTERN/ searches for one");
		return EXIT_NOTHING;
	}
	cr_options_complain(what, "several functions match; give the full name of one:");
	cr_function_names_list(found);
	return EXIT_USAGE;
}

/*
 * The name that a word means, which the caller frees; NULL, with *code set, if there is none or
 * several.
 */
static char *
find_name(const struct cr_profile *p, const char *what, int *code)
{
	struct cr_annotate_found found = {.arena = {0}};
	struct cr_err err = CR_ERR_INIT;
	char *name = NULL;
	bool one = true;

	if (find_functions(p, what, &found, &err) < 0) {
		*code = cr_job_fail(what, &err);
		cr_annotate_found_fini(&found);
		return NULL;
	}
	for (size_t i = 1; i < found.names.n; i++) /* one name in several dsos counts as one here */
		one &= cr_str_eq(found.names.p[i].name, found.names.p[0].name);
	if (found.names.n && one)
		name = cr_memdup(found.names.p[0].name.p, found.names.p[0].name.len);
	else
		*code = report_names(what, &found);
	cr_annotate_found_fini(&found);
	return name;
}

static int
print_calls(
	const struct cr_options *o, struct cr_profile *p, const char *name, enum cr_transform how)
{
	const struct cr_fold_opts opts = {.granularity = CR_GRANULARITY_FUNCTION};
	const struct cr_filter *filter = cr_query_filter(&o->query);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_tree *t = NULL, *calls = NULL;
	struct cr_nameless nameless = {0, 0};
	struct cr_text of = {0};
	int code,
		rc = cr_store_fetch(p, cr_load_parts(cr_fold_needs(p, filter, &opts)), &log, &err);

	cr_job_warn(o, o->args[0], &log);
	if (rc == CR_OK)
		rc = cr_fold(p, filter, &opts, &t, &err);
	if (rc == CR_OK) {
		nameless = cr_nameless_of(t);
		rc = cr_query_transform(&o->query, &t, &err);
	}
	if (rc == CR_OK)
		rc = cr_query_left(&o->query, t, &err);
	if (rc == CR_OK)
		rc = cr_transform(t, how, name, &calls, &err);
	if (rc < 0) {
		code = cr_job_fail_query(o->args[0], &err);
	} else {
		cr_text_printf(&of, "%s of ", how == CR_TRANSFORM_CALLERS ? "callers" : "callees");
		cr_text_safe(&of, cr_str_of(name));
		put_calls(o, p, t, &nameless, calls, name, of.p);
		code = calls->total_samples[0][0] ? EXIT_DONE : EXIT_NOTHING;
	}
	cr_text_fini(&of);
	cr_tree_free(calls);
	cr_tree_free(t);
	return code;
}

static int
run(const struct cr_options *o, enum cr_transform how)
{
	struct cr_profile *p;
	char *name;
	int code = cr_sheets_check(o);

	if (code == EXIT_DONE)
		code = cr_job_load(o, o->args[0], CR_STORE_DEFAULT_TREE, &p);
	if (code != EXIT_DONE)
		return code;
	name = find_name(p, o->args[1], &code);
	if (name)
		code = cr_job_end(o, p, print_calls(o, p, name, how));
	free(name);
	cr_profile_free(p);
	return code;
}

int
cr_cmd_callers(const struct cr_options *o)
{
	return run(o, CR_TRANSFORM_CALLERS);
}

int
cr_cmd_callees(const struct cr_options *o)
{
	return run(o, CR_TRANSFORM_CALLEES);
}
