#include "view/sheet/series_sheet.h"

#include "base/utf8.h"
#include "view/style/chart.h"
#include "view/style/spark.h"

#include <inttypes.h>
#include <stdlib.h>

#define SHARE_CELLS 8u
#define COST_CELLS 9u
#define KEY_CELLS 28u

static void
text_cell(const struct cr_series_sheet *s, struct cr_cell *out)
{
	*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = cr_text_view(s->text)};
}

static void
init(const struct cr_series *series, const struct cr_sheet_column *columns, uint32_t n_columns,
	struct cr_series_sheet *out)
{
	*out = (struct cr_series_sheet){.series = series};
	out->columns = cr_memdup(columns, n_columns * sizeof(*columns));
	out->text = cr_alloc(1, sizeof(*out->text));
	*out->text = (struct cr_text){0};
	out->sheet =
		(struct cr_sheet){.columns = out->columns, .n_columns = n_columns, .user = out};
}

/* ---- by key */

enum lane_column { LANE_SHARE, LANE_SUM, LANE_HIGHEST, LANE_NAME, LANE_CHART };

static const struct cr_sheet_column lane_columns[] = {
	[LANE_SHARE] = {"SHARE", "share", CR_SHEET_PEOPLE, true, SHARE_CELLS, .fixed = true,
		.closer = 2},
	[LANE_SUM] = {"IN ALL", "weight", CR_SHEET_PEOPLE, true, COST_CELLS, .fixed = true},
	[LANE_HIGHEST] = {"HIGHEST", "highest", CR_SHEET_PEOPLE, true, COST_CELLS, .fixed = true},
	[LANE_NAME] = {NULL, "key", CR_SHEET_PEOPLE, false, KEY_CELLS, .fixed = true},
	[LANE_CHART] = {"", "chart", CR_SHEET_PEOPLE, false, 0, .fixed = true, .closer = 1},
};

static uint64_t
highest(const struct cr_series *s, const struct cr_series_lane *l)
{
	uint64_t most = 0;

	for (uint32_t k = 0; k < s->n_bins; k++)
		most = CR_MAX(most, l->bin_weight[k]);
	return most;
}

static void
lane_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_series_sheet *s = sheet->user;
	const struct cr_series *series = s->series;
	const struct cr_series_lane *l = &series->lanes[row];

	cr_text_clear(s->text);
	switch ((enum lane_column)column) {
	case LANE_SHARE: cr_text_share(s->text, l->weight, series->weight); break;
	case LANE_SUM: cr_chart_cost(s->text, l->weight, series->unit, 0); break;
	case LANE_HIGHEST: cr_chart_cost(s->text, highest(series, l), series->unit, 0); break;
	case LANE_NAME:
		if (!l->is_rest) {
			*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = l->name};
			return;
		}
		cr_text_printf(s->text, "%" PRIu32 " more", l->keys);
		break;
	case LANE_CHART:
		cr_spark_heights(
			s->text, l->bin_weight, series->n_bins, highest(series, l), s->unicode);
		break;
	}
	text_cell(s, out);
}

static void
lane_ref(const struct cr_sheet *sheet, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_series_sheet *s = sheet->user;

	if (!s->series->lanes[row].is_rest)
		*out = (struct cr_row_ref){
			.kind = CR_ROW_KEY, .id = row, .name = s->series->lanes[row].name};
}

/* Width of the longest name. */
static uint32_t
name_cells(const struct cr_series *s)
{
	struct cr_text name = {0};
	uint32_t most = 0;

	for (uint32_t i = 0; i < s->n_lanes; i++) {
		cr_text_clear(&name);
		cr_text_safe(&name, s->lanes[i].name);
		most = CR_MAX(most, name.len ? cr_utf8_cells(cr_text_view(&name)) : 0);
	}
	cr_text_fini(&name);
	return most;
}

void
cr_series_lanes(const struct cr_series *s, const char *key, bool full_names, bool unicode,
	struct cr_series_sheet *out)
{
	init(s, lane_columns, CR_LEN(lane_columns), out);
	out->unicode = unicode;
	out->columns[LANE_NAME].head = key;
	if (full_names)
		out->columns[LANE_NAME].cells = CR_MAX(KEY_CELLS, name_cells(s));
	out->columns[LANE_CHART].cells = s->n_bins;
	out->chart_begins = CR_SERIES_CHART_CELL - KEY_CELLS + out->columns[LANE_NAME].cells;
	out->sheet.n_rows = s->n_lanes;
	out->sheet.cell = lane_cell;
	out->sheet.stands_for = lane_ref;
	out->sheet.ascii = !unicode;
}

/* ---- bins */

enum bin_column { BIN_SIDE, BIN_START, BIN_KEY, BIN_SAMPLES, BIN_WEIGHT };

static const struct cr_sheet_column bin_columns[] = {
	[BIN_SIDE] = {"side", "side", 0, false, 0},
	[BIN_START] = {"start_s", "start_s", CR_SHEET_ALL, true, 0},
	[BIN_KEY] = {NULL, NULL, CR_SHEET_ALL, false, 0},
	[BIN_SAMPLES] = {"samples", "samples", CR_SHEET_ALL, true, 0},
	[BIN_WEIGHT] = {"weight", "weight", CR_SHEET_ALL, true, 0},
};

static uint64_t
bin_start(const struct cr_series *s, uint32_t bin)
{
	return s->span.from_ns + bin * s->bin_ns;
}

static void
bin_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_series_sheet *s = sheet->user;
	const struct cr_series *series = s->series;
	const struct cr_series_lane *l = &series->lanes[row / series->n_bins];
	const uint32_t bin = row % series->n_bins;

	cr_text_clear(s->text);
	switch ((enum bin_column)column) {
	case BIN_START: cr_chart_seconds(s->text, bin_start(series, bin)); break;
	case BIN_WEIGHT:
		*out = (struct cr_cell){.kind = CR_CELL_NUMBER, .number = l->bin_weight[bin]};
		return;
	case BIN_KEY: *out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = l->name}; return;
	case BIN_SIDE:
		*out = (struct cr_cell){.kind = CR_CELL_TEXT,
			.text = row / series->n_bins < s->n_before ? CR_STR("before")
								   : CR_STR("after")};
		return;
	case BIN_SAMPLES:
		*out = (struct cr_cell){.kind = CR_CELL_NUMBER, .number = l->bin_samples[bin]};
		return;
	}
	text_cell(s, out);
}

static void
bin_ref(const struct cr_sheet *sheet, uint32_t row, struct cr_row_ref *out)
{
	const struct cr_series *s = ((const struct cr_series_sheet *)sheet->user)->series;

	*out = (struct cr_row_ref){.kind = CR_ROW_RANGE,
		.name = s->lanes[row / s->n_bins].name,
		.from = bin_start(s, row % s->n_bins),
		.to = bin_start(s, row % s->n_bins + 1)};
}

void
cr_series_bins(const struct cr_series *s, const char *key, struct cr_series_sheet *out)
{
	init(s, bin_columns, CR_LEN(bin_columns), out);
	out->columns[BIN_KEY].head = out->columns[BIN_KEY].id = key;
	out->sheet.n_rows = s->n_lanes * s->n_bins;
	out->sheet.cell = bin_cell;
	out->sheet.stands_for = bin_ref;
}

void
cr_series_sheet_sides(struct cr_series_sheet *s, bool is_diff, uint32_t n_before)
{
	s->columns[BIN_SIDE].audience = is_diff ? CR_SHEET_ALL : 0;
	s->n_before = n_before;
}

void
cr_series_sheet_fini(struct cr_series_sheet *s)
{
	if (s->text)
		cr_text_fini(s->text);
	free(s->text);
	free(s->columns);
	*s = (struct cr_series_sheet){0};
}
