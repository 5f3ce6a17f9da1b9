#include "csv_p.h"
#include "row_tree_p.h"

/*
 * Intel VTune, hotspots and memory consumption as CSV: maybe lines "war:...", a header, and a call
 * tree indented with blanks, outermost first:
 *
 *	Function Stack,CPU Time:Self,Module
 *	Total,0.0,[Unknown]
 *	 main,0.5,app.exe
 *
 * Columns are found by name. Each column that ends in ":Self" and can be summed is an event; times
 * are in seconds.
 */
#define COLUMNS_MAX 16u
#define SELF ":Self"

struct column {
	int at;
	unsigned scale; /* decimals of the fraction */
	cr_event_id event;
};

struct vtune {
	struct cr_stacks s;
	struct cr_row_tree tree;
	struct cr_csv csv;
	struct column columns[COLUMNS_MAX];
	unsigned n_columns;
	int function, module, file;
	struct cr_text name;
};

static bool
is_header(struct cr_str line)
{
	const bool quoted = line.len && line.p[0] == '"';
	const struct cr_str words = CR_STR("Function Stack");

	if (quoted) {
		line.p++;
		line.len--;
	}
	return cr_str_starts(line, words.p) && line.len > words.len &&
	       memchr(quoted ? "\"" : ",;\t", line.p[words.len], quoted ? 1 : 3);
}

static unsigned
probe_vtune(const struct cr_head *head, uint64_t *first)
{
	struct cr_scan scan;
	struct cr_str line;

	cr_scan_init(&scan, head->p, head->len);
	while (cr_scan_line(&scan, &line)) {
		if (is_header(line)) {
			*first = scan.line;
			return CR_EVIDENCE_SIGNATURE;
		}
	}
	return 0;
}

static bool
has(struct cr_str s, const char *word)
{
	return s.len && memmem(s.p, s.len, word, strlen(word));
}

/* One event per column; for times one in ms, as in other programs, followed by an exact one. */
static void
column_add(struct vtune *v, int at)
{
	struct cr_str name = v->csv.fields.p[at].text;
	struct column *c = &v->columns[v->n_columns];

	if (v->n_columns + 2 > COLUMNS_MAX)
		return;
	name.len -= (uint32_t)strlen(SELF);
	if (v->n_columns == 0)
		cr_builder_fact(v->s.b, "main event", name);
	if (!has(name, "Time")) {
		*c = (struct column){at, 0,
			cr_builder_event(v->s.b, name,
				has(name, "Size") ? CR_STR("bytes") : CR_STR("count"))};
		v->n_columns++;
		return;
	}
	if (v->n_columns == 0) {
		*c++ = (struct column){at, 3, cr_builder_event(v->s.b, name, CR_STR("ms"))};
		v->n_columns++;
		cr_text_clear(&v->name);
		cr_text_str(&v->name, name);
		cr_text_puts(&v->name, " (us)");
		name = cr_text_view(&v->name);
	}
	*c = (struct column){at, 6, cr_builder_event(v->s.b, name, CR_STR("us"))};
	v->n_columns++;
}

static void
columns_find(struct vtune *v)
{
	int main_column = cr_csv_column(&v->csv, "CPU Time" SELF);

	if (main_column < 0)
		main_column = cr_csv_column(&v->csv, "Allocations" SELF);
	if (main_column >= 0)
		column_add(v, main_column);
	for (size_t i = 0; i < v->csv.fields.n; i++) {
		const struct cr_str name = v->csv.fields.p[i].text;

		if ((int)i != main_column && cr_str_ends(name, SELF) && !has(name, "Rate") &&
			!has(name, "%"))
			column_add(v, (int)i);
	}
	v->function = cr_csv_column(&v->csv, "Function Stack");
	v->module = cr_csv_column(&v->csv, "Module");
	v->file = cr_csv_column(&v->csv, "Source File");
}

static bool
header_find(struct vtune *v)
{
	struct cr_str line;

	while (cr_stacks_line(&v->s, &line)) {
		cr_stacks_passed(&v->s);
		if (!is_header(line))
			continue;
		cr_stacks_used(&v->s);
		cr_csv_header(&v->csv, line);
		columns_find(v);
		return v->function >= 0 && v->n_columns > 0;
	}
	return false;
}

/* "module`function" is a function of that module. */
static cr_location_id
row_location(struct vtune *v)
{
	const struct cr_str module = cr_csv_text(&v->csv, v->module);
	const struct cr_dso dso = {.name = module, .kind = CR_KIND_USER};
	struct cr_named named = {.file = cr_csv_text(&v->csv, v->file)};
	const bool known = module.len && !cr_str_eq(module, CR_STR("[Unknown]"));

	cr_text_clear(&v->name);
	cr_text_str(&v->name, module);
	if (module.len)
		cr_text_char(&v->name, '`');
	cr_text_str(&v->name, cr_csv_text(&v->csv, v->function));
	named.name = cr_text_view(&v->name);
	return cr_builder_named_at(
		v->s.b, known ? cr_builder_dso(v->s.b, &dso) : CR_DSO_UNKNOWN, 0, &named, 1);
}

static void
row_read(struct vtune *v, struct cr_str line)
{
	if (cr_scan_trim(line).len == 0)
		return;
	if (!cr_csv_line(&v->csv, line) || cr_csv_text(&v->csv, v->function).len == 0) {
		cr_stacks_report(&v->s, CR_REASON_BAD_FRAME, line);
		return;
	}
	if (!cr_row_tree_row(&v->tree, v->csv.fields.p[v->function].blanks, row_location(v), line))
		return;
	for (unsigned i = 0; i < v->n_columns; i++) {
		const struct cr_str text = cr_csv_text(&v->csv, v->columns[i].at);
		const bool again = i > 0 && v->columns[i].at == v->columns[i - 1].at;
		uint64_t weight = 0;

		if (text.len && !cr_csv_number(text, v->columns[i].scale, &weight) && !again)
			cr_stacks_report(&v->s, CR_REASON_BAD_COUNT, line);
		cr_row_tree_self(&v->tree, v->columns[i].event, weight);
	}
}

static int
read_vtune(const struct cr_input *in, struct cr_builder *b, const struct cr_read_opts *opts,
	struct cr_err *err)
{
	struct vtune v = {0};
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
	cr_text_fini(&v.name);
	if (!header) /* the error explains the problem */
		cr_stacks_pass_rest(&v.s);
	rc = cr_stacks_close(&v.s, err);
	if (rc == CR_OK && !header)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"has no header with the columns \"Function Stack\" and \"CPU Time:Self\" "
			"or another of \":Self\"");
	return rc;
}

const struct cr_reader cr_reader_vtune = {
	.name = "vtune",
	.about = "VTune: hotspots or memory consumption as CSV",
	.probe = probe_vtune,
	.read = read_vtune,
};
