#include "base/json_out.h"
#include "view/sheet/function_sheet.h"
#include "view/style/label.h"
#include "write/writer.h"

#include <stdlib.h>

/*
 * One page for a ticket or a mail: what was measured, the flame graph, the table of functions and
 * what the recording lacks. The page loads nothing: the flame graph is the output of -f svg, in a
 * frame of its own with all its functions. Its script cannot reach the page.
 */
struct html_options {
	uint32_t rows; /* most rows of the table */
};

static const char style[] =
	"body{font:16px/1.45 system-ui,sans-serif;max-width:80rem;margin:1rem auto;padding:0 1rem;"
	"color:#1b1b1b;background:#fff}"
	"iframe{width:100%;height:40rem;border:1px solid #bbb}"
	"table{border-collapse:collapse;width:100%}"
	"th,td{padding:.15rem .6rem;text-align:left;border-bottom:1px solid #ddd;"
	"overflow-wrap:anywhere}"
	".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
	"pre{white-space:pre-wrap;overflow-wrap:anywhere}"
	"@media print{iframe{height:60rem}}"
	"@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}"
	"th,td{border-color:#444}}";

static void
put_head(const struct cr_write_in *in, struct cr_text *out)
{
	const struct cr_str title = cr_str_of(in->title ? in->title : "Profile");
	struct cr_text cost = {0};

	cr_text_puts(out,
		"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-src data:\">\n"
		"<meta name=\"generator\" content=\"cresset " PACKAGE_VERSION "\">\n<title>");
	cr_text_xml(out, title);
	cr_text_printf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
	cr_text_xml(out, title);
	cr_text_puts(out, "</h1>\n<p>");
	cr_label_event(&cost, in->tree, " \xe2\x86\x92 ");
	cr_text_puts(&cost, ": ");
	cr_label_costs(&cost, in->tree, " \xe2\x86\x92 ");
	cr_text_xml(out, cr_text_view(&cost));
	cr_text_puts(out, "</p>\n");
	if (in->query && *in->query) {
		cr_text_puts(out, "<p>Query: <code>");
		cr_text_xml(out, cr_str_of(in->query));
		cr_text_puts(out, "</code></p>\n");
	}
	cr_text_fini(&cost);
}

static void
put_base64(struct cr_str s, struct cr_text *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (uint32_t i = 0; i < s.len; i += 3) {
		const unsigned char *p = (const unsigned char *)s.p + i;
		const uint32_t left = s.len - i;
		const uint32_t v = (uint32_t)p[0] << 16 | (left > 1 ? (uint32_t)p[1] << 8 : 0) |
				   (left > 2 ? p[2] : 0);

		cr_text_char(out, digits[v >> 18]);
		cr_text_char(out, digits[v >> 12 & 63]);
		cr_text_char(out, left > 1 ? digits[v >> 6 & 63] : '=');
		cr_text_char(out, left > 2 ? digits[v & 63] : '=');
	}
}

static int
put_graph(const struct cr_write_in *in, struct cr_text *out, struct cr_err *err)
{
	struct cr_text svg = {0};
	struct cr_sink memory = cr_sink_memory(&svg);
	const int rc = cr_writer_write(cr_writer_find("svg"), in, NULL, &memory, err);

	cr_text_puts(out, "<h2>Flame graph</h2>\n<iframe title=\"Flame graph\" "
			  "src=\"data:image/svg+xml;base64,");
	put_base64(cr_text_view(&svg), out);
	cr_text_puts(out, "\"></iframe>\n");
	cr_text_fini(&svg);
	return rc;
}

/* The column that marks what is on one side of a difference only. */
static bool
is_mark(const struct cr_sheet_column *c)
{
	return strcmp(c->id, "mark") == 0;
}

/* A mark has its word beside it: "+ new". */
static void
put_cell(const struct cr_sheet *s, uint32_t row, uint32_t column, struct cr_text *out)
{
	struct cr_cell cell = {0};

	s->cell(s, row, column, &cell);
	cr_cell_put(&cell, out);
	if (is_mark(&s->columns[column]) && out->len)
		cr_text_puts(out, out->p[0] == '+' ? " new" : " gone");
}

/* A row of a table: its cells, or with row CR_NO_ROW the headings. */
static void
put_row(const struct cr_sheet *s, uint32_t row, struct cr_text *scratch, struct cr_text *out)
{
	const bool is_head = row == UINT32_MAX;

	cr_text_puts(out, "<tr>");
	for (uint32_t i = 0; i < s->n_columns; i++) {
		const struct cr_sheet_column *c = &s->columns[i];

		/* A bar of characters has no heading; the numbers say the same. */
		if (!(c->audience & CR_SHEET_PEOPLE) || (!*c->head && !is_mark(c)))
			continue;
		cr_text_clear(scratch);
		if (is_head)
			cr_text_puts(scratch, is_mark(c) ? "MARK" : c->head);
		else
			put_cell(s, row, i, scratch);
		cr_text_puts(out, is_head ? "<th scope=\"col\"" : "<td");
		cr_text_puts(out, c->right && !is_mark(c) ? " class=\"n\">" : ">");
		cr_text_xml(out, cr_text_view(scratch));
		cr_text_puts(out, is_head ? "</th>" : "</td>");
	}
	cr_text_puts(out, "</tr>\n");
}

/* The costliest functions; of a difference, those that changed most. */
static void
put_table(const struct cr_write_in *in, uint32_t most, struct cr_text *out)
{
	struct cr_function_sheet sheet = {0};
	struct cr_text scratch = {0};
	struct cr_table table;

	cr_table_make(NULL, in->tree, in->root, cr_table_by(CR_TABLE_FUNCTION), &table);
	cr_function_sheet_init(in->tree, &table, "FUNCTION", &sheet);
	if (in->tree->sides == 2)
		cr_function_sheet_sort(&sheet, CR_SORT_DELTA_SELF, false);
	cr_text_puts(out, "<h2>Functions</h2>\n<table>\n<thead>");
	put_row(&sheet.sheet, UINT32_MAX, &scratch, out);
	cr_text_puts(out, "</thead>\n<tbody>\n");
	for (uint32_t i = 0; i < sheet.sheet.n_rows && (i < most || !most); i++)
		put_row(&sheet.sheet, i, &scratch, out);
	cr_text_puts(out, "</tbody>\n</table>\n");
	cr_text_fini(&scratch);
	cr_function_sheet_fini(&sheet);
	cr_table_fini(&table);
}

static void
put_summary(const struct cr_profile *p, struct cr_text *out)
{
	struct cr_text facts = {0};

	if (!p)
		return;
	cr_facts_main(p, 0, &facts);
	for (uint32_t i = 0; i < p->n_quality; i++) {
		cr_text_puts(&facts, "missing: ");
		cr_text_safe(&facts, p->quality[i].what);
		cr_text_printf(&facts, ": %llu\n", (unsigned long long)p->quality[i].count);
	}
	cr_text_puts(out, "<h2>Recording</h2>\n<pre>");
	/* Its lines are kept: cr_text_xml() would escape the line ends. */
	for (const char *at = facts.p, *end; at && (end = strchr(at, '\n')); at = end + 1) {
		cr_text_xml(out, (struct cr_str){at, (uint32_t)(end - at)});
		cr_text_char(out, '\n');
	}
	cr_text_puts(out, "</pre>\n");
	cr_text_fini(&facts);
}

static int
html_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	const struct html_options *o = options;
	struct cr_text text = {0};
	int rc;

	put_head(in, &text);
	rc = put_graph(in, &text, err);
	put_table(in, o->rows, &text);
	put_summary(in->p, &text);
	cr_text_puts(&text, "</main>\n</body>\n</html>\n");
	if (rc == CR_OK)
		rc = cr_sink_text(out, &text, err);
	cr_text_fini(&text);
	return rc;
}

static const char *const html_extensions[] = {".html", ".htm", NULL};

static const struct cr_option_spec html_options[] = {
	{.name = "table-rows",
		.arg = "N",
		.help = "write the N costliest functions; 0 = all",
		.initial = "100",
		.type = CR_OPTION_U32,
		.at = offsetof(struct html_options, rows),
		.max = UINT32_MAX},
	{.name = NULL},
};

const struct cr_writer cr_writer_html = {
	.name = "html",
	.extensions = html_extensions,
	.about = "one page with flame graph, functions and facts, for tickets and mail",
	.needs = CR_WRITER_TREE,
	.options = html_options,
	.options_size = sizeof(struct html_options),
	.write = html_write,
};
