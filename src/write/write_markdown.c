#include "view/sheet/function_sheet.h"
#include "view/sheet/tree_rows.h"
#include "view/style/label.h"
#include "write/write_sheet.h"
#include "write/writer.h"

#include <stdlib.h>

/*
 * A summary in Markdown, for tickets and pull requests: what was measured, the table of the
 * costliest functions, and the costliest part of the call tree as a block of text.
 */
#define LEAST_PART 200u /* stacks with less than this part of the whole are left out */

struct markdown_options {
	uint32_t functions, stacks; /* most rows of the table, most lines of the tree */
};

static void
put_head(const struct cr_write_in *in, struct cr_text *out)
{
	cr_text_puts(out, "## ");
	cr_write_markdown(in->title ? cr_str_of(in->title) : CR_STR("Profile"), out);
	cr_text_puts(out, "\n\n");
	cr_label_event(out, in->tree, " \xe2\x86\x92 ");
	cr_text_puts(out, ": ");
	cr_label_costs(out, in->tree, " \xe2\x86\x92 ");
	cr_text_char(out, '\n');
	if (in->query && *in->query) {
		cr_text_puts(out, "\nQuery: ");
		cr_write_markdown(cr_str_of(in->query), out);
		cr_text_char(out, '\n');
	}
	cr_text_char(out, '\n');
}

/* The costliest functions; of a difference, those that changed most. */
static int
put_table(const struct cr_write_in *in, uint32_t most, struct cr_text *out, struct cr_err *err)
{
	struct cr_function_sheet sheet = {0};
	struct cr_table table;
	size_t len = 0;
	char *text = NULL;
	FILE *memory = open_memstream(&text, &len);

	if (!memory)
		return cr_fail_errno(err, CR_EIO, "cannot write");
	cr_table_make(NULL, in->tree, in->root, cr_table_by(CR_TABLE_FUNCTION), &table);
	cr_function_sheet_init(in->tree, &table, "FUNCTION", &sheet);
	if (in->tree->sides == 2)
		cr_function_sheet_sort(&sheet, CR_SORT_DELTA_SELF, false);
	if (most)
		sheet.sheet.n_rows = CR_MIN(sheet.sheet.n_rows, most);
	cr_write_sheet_markdown(&sheet.sheet, memory);
	fclose(memory);
	cr_text_put(out, text, len);
	free(text);
	cr_function_sheet_fini(&sheet);
	cr_table_fini(&table);
	return CR_OK;
}

/* A block of text ends at a line that begins with "~~~", and no line of ours does. */
static void
put_tree(const struct cr_write_in *in, uint32_t most, struct cr_text *out)
{
	const struct cr_tree *t = in->tree;
	struct cr_tree_rows rows;

	cr_tree_rows_init(&rows, t);
	rows.least = t->extent[in->root] / LEAST_PART;
	cr_tree_rows_open_costliest(&rows, in->root, true, most);
	cr_text_puts(out, "\n~~~text\n");
	for (uint32_t i = 0; i < CR_MIN(rows.rows.n, most); i++) {
		const uint32_t node = rows.rows.p[i].node;

		for (uint32_t s = 0; s < t->sides; s++) {
			const size_t from = out->len;
			size_t len;

			cr_text_share(out, t->total[s][node], cr_tree_whole(t, s));
			len = out->len - from;
			cr_text_pad(out, ' ', len < 10 ? 10 - len : 1);
		}
		cr_tree_rows_put_guide(&rows, i, CR_TREE_ROWS_GUIDE, true, out);
		cr_text_safe(out, t->frames[t->frame[node]].name);
		cr_text_char(out, '\n');
	}
	cr_text_puts(out, "~~~\n");
	cr_tree_rows_fini(&rows);
}

static int
markdown_write(
	const struct cr_write_in *in, const void *options, struct cr_sink *out, struct cr_err *err)
{
	const struct markdown_options *o = options;
	struct cr_text text = {0};
	int rc;

	put_head(in, &text);
	rc = put_table(in, o->functions, &text, err);
	if (o->stacks)
		put_tree(in, o->stacks, &text);
	if (rc == CR_OK)
		rc = cr_sink_text(out, &text, err);
	cr_text_fini(&text);
	return rc;
}

static const char *const markdown_extensions[] = {".md", ".markdown", NULL};

static const struct cr_option_spec markdown_options[] = {
	{.name = "functions",
		.arg = "N",
		.help = "write the N costliest functions; 0 = all",
		.initial = "20",
		.type = CR_OPTION_U32,
		.at = offsetof(struct markdown_options, functions),
		.max = UINT32_MAX},
	{.name = "tree-lines",
		.arg = "N",
		.help = "write about N lines of the call tree; 0 = none",
		.initial = "30",
		.type = CR_OPTION_U32,
		.at = offsetof(struct markdown_options, stacks),
		.max = 100000},
	{.name = NULL},
};

const struct cr_writer cr_writer_markdown = {
	.name = "markdown",
	.extensions = markdown_extensions,
	.about = "table of functions and call tree, for tickets and pull requests",
	.needs = CR_WRITER_TREE,
	.options = markdown_options,
	.options_size = sizeof(struct markdown_options),
	.write = markdown_write,
};
