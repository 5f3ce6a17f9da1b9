#include "chart_p.h"
#include "function_names_p.h"
#include "job_p.h"
#include "sheet_out_p.h"

#include "query/table/hist.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cr_cmd_callers(const struct cr_options *o);
int cr_cmd_callees(const struct cr_options *o);

/* ---- the sheet: a line a node, moved in by its depth */

struct calls {
	const struct cr_tree *t;
	uint64_t whole;  /* of all that was selected */
	uint32_t *nodes; /* by line */
	uint32_t n, left_out;
	struct cr_text *made; /* a cell's text that no tree has */
};

enum column {
	EVENT,
	WHOLE_SHARE,
	SHARE,
	SAMPLES,
	DSO,
	SYMBOL,
	DEPTH,
	NAME,
	LEVEL,
	TOTAL,
	TOTAL_SAMPLES,
	SELF,
	SELF_SAMPLES
};

static const struct cr_sheet_column columns[] = {
	[EVENT] = {"event", "event", CR_SHEET_PROGRAMS, false, 0},
	[WHOLE_SHARE] = {"Overhead", "overhead", CR_SHEET_ALL, true, 8},
	[SHARE] = {"Share", "share", CR_SHEET_ALL, true, 8},
	[SAMPLES] = {"Samples", "samples", CR_SHEET_PEOPLE, true, 8},
	[DSO] = {"Shared Object", "dso", CR_SHEET_ALL, false, 0},
	[SYMBOL] = {"Symbol", "symbol", CR_SHEET_PEOPLE, false, 0, true},
	[DEPTH] = {"depth", "depth", CR_SHEET_PROGRAMS, true, 0},
	[NAME] = {"sym", "sym", CR_SHEET_PROGRAMS, false, 0},
	[LEVEL] = {"level", "level", CR_SHEET_PROGRAMS, false, 0},
	[TOTAL] = {"total", "total", CR_SHEET_PROGRAMS, true, 0},
	[TOTAL_SAMPLES] = {"total_samples", "total_samples", CR_SHEET_PROGRAMS, true, 0},
	[SELF] = {"self", "self", CR_SHEET_PROGRAMS, true, 0},
	[SELF_SAMPLES] = {"self_samples", "self_samples", CR_SHEET_PROGRAMS, true, 0},
};

static void
symbol_cell(const struct calls *c, uint32_t node, struct cr_cell *out)
{
	const struct cr_frame *f = &c->t->frames[c->t->frame[node]];

	*out = (struct cr_cell){.kind = CR_CELL_TEXT,
		.indent = (c->t->depth[node] - 1) * 2,
		.text = f->name,
		.behind = f->inlined ? " (inlined)" : NULL};
	snprintf(out->before, sizeof(out->before), "[%c] ",
		cr_hist_in_kernel(f->kind, f->number) ? 'k' : '.');
}

static void
calls_cell(const struct cr_sheet *s, uint32_t line, uint32_t column, struct cr_cell *out)
{
	const struct calls *c = s->user;
	const struct cr_tree *t = c->t;
	const uint32_t node = c->nodes[line];
	const struct cr_frame *f = &t->frames[t->frame[node]];

	out->kind = CR_CELL_NUMBER;
	switch ((enum column)column) {
	case WHOLE_SHARE:
	case SHARE:
		out->kind = CR_CELL_SHARE;
		out->number = t->total[0][node];
		out->whole = column == SHARE ? t->total[0][0] : c->whole;
		return;
	case SAMPLES:
	case TOTAL_SAMPLES: out->number = t->total_samples[0][node]; return;
	case TOTAL: out->number = t->total[0][node]; return;
	case SELF: out->number = t->self[0][node]; return;
	case SELF_SAMPLES: out->number = t->self_samples[0][node]; return;
	case DEPTH: out->number = t->depth[node] - 1; return;
	case DSO:
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = cr_dso_name(f->object, f->kind, c->made)};
		return;
	case EVENT: *out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = t->event}; return;
	case NAME: *out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = f->name}; return;
	case LEVEL:
		*out = (struct cr_cell){.kind = CR_CELL_TEXT,
			.text = cr_hist_in_kernel(f->kind, f->number) ? CR_STR("k") : CR_STR(".")};
		return;
	case SYMBOL: symbol_cell(c, node, out); return;
	}
}

/* What is deep or light is left out with all below it. */
static void
choose_nodes(const struct cr_options *o, struct calls *c)
{
	const double percent = o->table.has_limit ? o->table.percent_limit : 0.5;
	const uint32_t limit = cr_sheets_limit(o);
	const struct cr_tree *t = c->t;
	uint32_t next;

	c->nodes = cr_alloc(t->n, sizeof(*c->nodes));
	for (uint32_t n = 1; n < t->n; n = next) {
		const bool deep = o->table.depth && t->depth[n] - 1 > o->table.depth;
		const bool light =
			100.0 * (double)t->total[0][n] < percent * (double)t->total[0][0];
		const bool full = limit && c->n >= limit;

		next = deep || light ? t->end[n] : n + 1;
		if (!deep && !light && !full)
			c->nodes[c->n++] = n;
		c->left_out += !deep && !light && full;
	}
}

/* all: the tree before it was turned to the function. of: what the table is, "callers of main". */
static void
put_calls(const struct cr_options *o, const struct cr_profile *p, const struct cr_tree *all,
	const struct cr_nameless *nameless, const struct cr_tree *t, const char *function,
	const char *of)
{
	struct cr_text note = {0}, made = {0};
	struct calls c = {.t = t, .whole = all->total[0][0], .made = &made};
	struct cr_sheets sheets;
	struct cr_sheet s = {.columns = columns,
		.n_columns = CR_LEN(columns),
		.separator = o->table.separator,
		.line_cells = cr_chart_name_cells(o),
		.ascii = !cr_chart_unicode(),
		.cell = calls_cell,
		.user = &c};

	choose_nodes(o, &c);
	s.n_rows = c.n;
	cr_sheets_begin(&sheets, o, p);
	cr_text_puts(&note, "Overhead: shares of all these samples. Share: of the samples with ");
	cr_text_safe(&note, cr_str_of(function));
	sheets.note = note.p;
	cr_sheets_put(&sheets, all, nameless, of, &s, c.left_out);
	cr_sheets_end(&sheets);
	cr_text_fini(&note);
	cr_text_fini(&made);
	free(c.nodes);
}

/* ---- the function and its tree */

/* Functions called so; for want of them those whose names have it in them. */
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

/* Several functions, or none: which there are. */
static int
tell_names(const char *what, const struct cr_annotate_found *found)
{
	if (!found->names.n) {
		cr_options_complain(what, "no function of that name; /PATTERN/ looks for one");
		return EXIT_NOTHING;
	}
	cr_options_complain(what, "several functions; say which:");
	cr_function_names_list(found);
	return EXIT_USAGE;
}

/* The name that a word means; NULL, and *code, when that is none or not one. free() it. */
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
	for (size_t i = 1; i < found.names.n;
		i++) /* the same name in several objects is one here */
		one &= cr_str_eq(found.names.p[i].name, found.names.p[0].name);
	if (found.names.n && one)
		name = cr_memdup(found.names.p[0].name.p, found.names.p[0].name.len);
	else
		*code = tell_names(what, &found);
	cr_annotate_found_fini(&found);
	return name;
}

static int
print_calls(
	const struct cr_options *o, struct cr_profile *p, const char *name, enum cr_transform how)
{
	const struct cr_fold_opts opts = {.grain = CR_GRAIN_FUNCTION};
	const struct cr_filter *filter = cr_query_filter(&o->query);
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {0};
	struct cr_tree *t = NULL, *calls = NULL;
	struct cr_nameless nameless = {0, 0};
	struct cr_text of = {0};
	int code,
		rc = cr_store_fetch(p, cr_load_parts(cr_fold_needs(p, filter, &opts)), &log, &err);

	cr_job_warn(o->args[0], &log);
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
		code = cr_job_load(o, o->args[0], CR_STORE_OUTLINE, &p);
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
