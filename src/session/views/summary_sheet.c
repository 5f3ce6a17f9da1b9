#include "view_summary_p.h"

#include "base/hash.h"

enum column {
	SECTION,
	KIND,
	TEXT,
	COST,
	WHOLE,
	TOTAL,
	SELF,
	SAMPLES,
	DELTA,
};

static const struct cr_sheet_column columns[] = {
	[SECTION] = CR_SHEET_RAW("section"),
	[KIND] = CR_SHEET_RAW("kind"),
	[TEXT] = CR_SHEET_RAW("text"),
	[COST] = CR_SHEET_RAW("cost"),
	[WHOLE] = CR_SHEET_RAW("whole"),
	[TOTAL] = CR_SHEET_RAW("total"),
	[SELF] = CR_SHEET_RAW("self"),
	[SAMPLES] = CR_SHEET_RAW("samples"),
	[DELTA] = CR_SHEET_RAW("delta_points"), /* only with two sides */
};

static const char *const sections[CR_SUMMARY_PARTS] = {
	[CR_SUMMARY_RECORDED] = "recorded",
	[CR_SUMMARY_CHANGES] = "changes",
	[CR_SUMMARY_KINDS] = "kinds",
	[CR_SUMMARY_FUNCTIONS] = "functions",
	[CR_SUMMARY_PROGRAMS] = "programs",
	[CR_SUMMARY_DSOS] = "dsos",
	[CR_SUMMARY_QUALITY] = "quality",
};

/* The keys of the browser are not part of the profile. */
#define SECTIONS CR_SUMMARY_KEYS

static const char *
kind_of(const struct cr_summary_item *item)
{
	switch (item->form) {
	case CR_SUMMARY_TITLE:
	case CR_SUMMARY_FACT: return "fact";
	case CR_SUMMARY_COST: return "cost";
	case CR_SUMMARY_WELL: return "good";
	case CR_SUMMARY_FINDING: return "finding";
	case CR_SUMMARY_REMEDY: return "remedy";
	default: return "";
	}
}

/* The item of a row, and its section. */
static const struct cr_summary_item *
item_of(const struct cr_summary_sheet *s, uint32_t row, int *section)
{
	for (*section = 0; row >= s->parts[*section].n; (*section)++)
		row -= (uint32_t)s->parts[*section].n;
	return &s->parts[*section].p[row];
}

static void
cost_cell(const struct cr_summary_sheet *s, const struct cr_summary_item *item, enum column column,
	struct cr_cell *out)
{
	const bool has_more = item->node != CR_NO_ROW;
	const uint32_t last = s->sheet.n_columns > DELTA;

	if (column == DELTA) {
		*out = (struct cr_cell){.kind = CR_CELL_REAL, .real = item->change / 10000.0};
		return;
	}
	if (column >= TOTAL && !has_more)
		return;
	out->kind = CR_CELL_NUMBER;
	out->number = column == COST    ? item->number
		      : column == WHOLE ? item->whole
		      : column == TOTAL ? item->cost.total[last]
		      : column == SELF  ? item->cost.self[last]
					: item->cost.samples[last];
}

static void
summary_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_summary_sheet *s = sheet->user;
	int section;
	const struct cr_summary_item *item = item_of(s, row, &section);

	if (column <= TEXT)
		*out = (struct cr_cell){.kind = CR_CELL_TEXT,
			.text = cr_str_of(column == SECTION ? sections[section]
					  : column == KIND  ? kind_of(item)
							    : item->text)};
	else if (item->form == CR_SUMMARY_COST)
		cost_cell(s, item, (enum column)column, out);
}

void
cr_summary_sheet_init(const cr_summary_items parts[CR_SUMMARY_PARTS], uint32_t sides,
	struct cr_summary_sheet *out)
{
	*out = (struct cr_summary_sheet){.parts = parts};
	out->sheet = (struct cr_sheet){.columns = columns,
		.n_columns = CR_LEN(columns) - (sides == 1),
		.cell = summary_cell,
		.user = out};
	for (int section = 0; section < SECTIONS; section++)
		out->sheet.n_rows += (uint32_t)parts[section].n;
}
