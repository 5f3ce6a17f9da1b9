#include "csv_p.h"
#include "row_tree_p.h"

/*
 * Visual Studio profiler: a call tree as CSV, from sampling or instrumentation. A header and rows
 * with their level, outermost first:
 *
 *	Level,Function Name,Inclusive Samples,Exclusive Samples,...,Module Name,
 *	1,"start","6,400",0,...,"app.exe",
 *	Level,Function Name,Number of Calls,Elapsed Inclusive Time %,Elapsed Exclusive Time %,...
 *
 * Columns are found by name. Exclusive values are events, percentages in hundredths; inclusive
 * values are fields of each row. Digits of numbers may be grouped.
 */
#define HEADER_LINES 3u /* the header is in one of the first lines */

/* In order of preference: the first column present is the main event. */
static const struct {
	const char *column, *unit;
	unsigned scale;
} known[] = {
	{"Exclusive Samples", "samples", 0},
	{"Elapsed Exclusive Time %", "1/100 %", 2},
	{"Application Exclusive Time %", "1/100 %", 2},
	{"Exclusive Time %", "1/100 %", 2},
	{"Exclusive Bytes", "bytes", 0},
	{"Exclusive Allocations", "allocations", 0},
	{"Exclusive Samples %", "1/100 %", 2},
	{"Number of Calls", "calls", 0},
};

static const struct {
	const char *column;
	unsigned scale;
} inclusive[] = {
	{"Inclusive Samples", 0},
	{"Elapsed Inclusive Time %", 2},
	{"Application Inclusive Time %", 2},
	{"Inclusive Bytes", 0},
	{"Inclusive Allocations", 0},
};

struct vsprof {
	struct cr_stacks s;
	struct cr_row_tree tree;
	struct cr_csv csv;
	struct {
		int at;
		unsigned scale;
		cr_event_id event;
	} weights[CR_LEN(known)];
	unsigned n_weights;
	struct {
		int at;
		unsigned scale;
		cr_field_id field;
	} fields[CR_LEN(inclusive)];
	unsigned n_fields;
	int level, function, module, file, line, pid, process;
};

static bool
is_header(struct cr_str line)
{
	struct cr_csv csv = {0};
	bool is = false;

	if (cr_str_starts(line, "Level") || cr_str_starts(line, "\"Level\"")) {
		cr_csv_header(&csv, line);
		is = cr_csv_column(&csv, "Level") == 0 && cr_csv_column(&csv, "Function Name") == 1;
	}
	cr_csv_fini(&csv);
	return is;
}

static unsigned
probe_vsprof(const struct cr_head *head, uint64_t *first)
{
	struct cr_scan scan;
	struct cr_str line;

	cr_scan_init(&scan, head->p, head->len);
	while (scan.line < HEADER_LINES && cr_scan_line(&scan, &line)) {
		if (is_header(line)) {
			*first = scan.line;
			return CR_EVIDENCE_SIGNATURE;
		}
	}
	return 0;
}

static void
columns_find(struct vsprof *v)
{
	for (size_t i = 0; i < CR_LEN(known); i++) {
		const int at = cr_csv_column(&v->csv, known[i].column);

		if (at < 0)
			continue;
		if (v->n_weights == 0)
			cr_builder_fact(v->s.b, "main event", cr_str_of(known[i].column));
		v->weights[v->n_weights].at = at;
		v->weights[v->n_weights].scale = known[i].scale;
		v->weights[v->n_weights++].event = cr_builder_event(
			v->s.b, cr_str_of(known[i].column), cr_str_of(known[i].unit));
	}
	for (size_t i = 0; i < CR_LEN(inclusive) && v->n_weights; i++) {
		const int at = cr_csv_column(&v->csv, inclusive[i].column);

		if (at < 0)
			continue;
		v->fields[v->n_fields].at = at;
		v->fields[v->n_fields].scale = inclusive[i].scale;
		v->fields[v->n_fields++].field = cr_builder_field(v->s.b, v->weights[0].event,
			cr_str_of(inclusive[i].column), CR_FORM_NUMBER);
	}
	v->level = cr_csv_column(&v->csv, "Level");
	v->function = cr_csv_column(&v->csv, "Function Name");
	v->module = cr_csv_column(&v->csv, "Module Name");
	v->file = cr_csv_column(&v->csv, "Source File Name");
	v->line = cr_csv_column(&v->csv, "Line Number");
	v->pid = cr_csv_column(&v->csv, "Process ID");
	v->process = cr_csv_column(&v->csv, "Process Name");
}

static bool
header_find(struct vsprof *v)
{
	struct cr_str line;

	while (cr_stacks_line(&v->s, &line)) {
		cr_stacks_passed(&v->s);
		if (!is_header(line))
			continue;
		cr_stacks_used(&v->s);
		cr_csv_header(&v->csv, line);
		columns_find(v);
		return v->n_weights > 0;
	}
	return false;
}

static cr_location_id
row_location(const struct vsprof *v)
{
	const struct cr_str module = cr_csv_text(&v->csv, v->module);
	const struct cr_dso dso = {.name = module, .kind = CR_KIND_USER};
	struct cr_named named = {
		cr_csv_text(&v->csv, v->function), cr_csv_text(&v->csv, v->file), 0};
	uint64_t line;

	if (named.file.len && cr_csv_number(cr_csv_text(&v->csv, v->line), 0, &line) &&
		line <= UINT32_MAX)
		named.line = (uint32_t)line;
	return cr_builder_named_at(
		v->s.b, module.len ? cr_builder_dso(v->s.b, &dso) : CR_DSO_UNKNOWN, 0, &named, 1);
}

static void
row_task(struct vsprof *v)
{
	uint64_t pid;

	if (v->process < 0 || !cr_csv_number(cr_csv_text(&v->csv, v->pid), 0, &pid) ||
		pid > INT32_MAX)
		return;
	v->s.task = cr_builder_task(v->s.b, (int32_t)pid, -1, cr_csv_text(&v->csv, v->process),
		(cr_address_space_id){0});
	cr_builder_flags(v->s.b, CR_PROFILE_HAS_TASK | CR_PROFILE_NO_COMM_ROOT);
}

static void
row_weights(struct vsprof *v, struct cr_str line)
{
	uint64_t value, own = 0;

	for (unsigned i = 0; i < v->n_weights; i++) {
		const struct cr_str text = cr_csv_text(&v->csv, v->weights[i].at);

		value = 0;
		if (text.len && !cr_csv_number(text, v->weights[i].scale, &value))
			cr_stacks_report(&v->s, CR_REASON_BAD_COUNT, line);
		cr_row_tree_self(&v->tree, v->weights[i].event, value);
		own = i ? own : value;
	}
	for (unsigned i = 0; own && i < v->n_fields; i++)
		if (cr_csv_number(
			    cr_csv_text(&v->csv, v->fields[i].at), v->fields[i].scale, &value))
			cr_builder_value(v->s.b, v->fields[i].field, value);
}

static void
row_read(struct vsprof *v, struct cr_str line)
{
	uint64_t level;

	if (cr_scan_trim(line).len == 0)
		return;
	if (!cr_csv_line(&v->csv, line) || cr_csv_text(&v->csv, v->function).len == 0 ||
		!cr_scan_u64(cr_csv_text(&v->csv, v->level), &level)) {
		cr_stacks_report(&v->s, CR_REASON_BAD_FRAME, line);
		return;
	}
	row_task(v);
	if (cr_row_tree_row(&v->tree, level > UINT32_MAX ? UINT32_MAX : (uint32_t)level,
		    row_location(v), line))
		row_weights(v, line);
}

static int
read_vsprof(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct vsprof v = {0};
	struct cr_str line;
	bool header;
	int rc;

	cr_stacks_open_bare(&v.s, in, b, opts);
	v.tree.s = &v.s;
	header = header_find(&v);
	while (header && cr_stacks_line(&v.s, &line))
		row_read(&v, line);
	cr_row_tree_fini(&v.tree);
	cr_csv_fini(&v.csv);
	if (!header) /* the error explains the problem */
		cr_stacks_pass_rest(&v.s);
	rc = cr_stacks_close(&v.s, err);
	if (rc == CR_OK && !header)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"has no header with the columns \"Level\", \"Function Name\" and "
			"\"Exclusive Samples\" or another of its kind");
	return rc;
}

const struct cr_reader cr_reader_vsprof = {
	.name = "vsprof",
	.about = "Visual Studio profiler: a call tree as CSV",
	.probe = probe_vsprof,
	.read = read_vsprof,
};
