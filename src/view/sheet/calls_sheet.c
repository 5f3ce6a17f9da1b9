#include "view/sheet/calls_sheet.h"

#include "base/mem.h"
#include "query/table/table.h"

#include <stdio.h>
#include <stdlib.h>

static const struct cr_sheet_column columns[] = {
	[CR_CALLS_EVENT] = {"event", "event", CR_SHEET_PROGRAMS, false, 0},
	[CR_CALLS_WHOLE_SHARE] = {"Overhead", "overhead", CR_SHEET_ALL, true, 8},
	[CR_CALLS_SHARE] = {"Share", "share", CR_SHEET_ALL, true, 8},
	[CR_CALLS_SAMPLES] = {"Samples", "samples", CR_SHEET_PEOPLE, true, 8},
	[CR_CALLS_DSO] = {"Shared Object", "dso", CR_SHEET_ALL, false, 0},
	[CR_CALLS_SYMBOL] = {"Symbol", "symbol", CR_SHEET_PEOPLE, false, 0, true},
	[CR_CALLS_DEPTH] = {"depth", "depth", CR_SHEET_PROGRAMS, true, 0},
	[CR_CALLS_NAME] = {"sym", "sym", CR_SHEET_PROGRAMS, false, 0},
	[CR_CALLS_LEVEL] = {"level", "level", CR_SHEET_PROGRAMS, false, 0},
	[CR_CALLS_TOTAL] = {"total", "total", CR_SHEET_PROGRAMS, true, 0},
	[CR_CALLS_TOTAL_SAMPLES] = {"total_samples", "total_samples", CR_SHEET_PROGRAMS, true, 0},
	[CR_CALLS_SELF] = {"self", "self", CR_SHEET_PROGRAMS, true, 0},
	[CR_CALLS_SELF_SAMPLES] = {"self_samples", "self_samples", CR_SHEET_PROGRAMS, true, 0},
};

void
cr_calls_init(struct cr_calls *c, const struct cr_tree *t, uint32_t side, uint64_t whole)
{
	*c = (struct cr_calls){.t = t, .side = side, .whole = whole};
	c->nodes = cr_alloc(t->n, sizeof(*c->nodes));
}

void
cr_calls_fini(struct cr_calls *c)
{
	free(c->nodes);
	cr_text_fini(&c->made);
	*c = (struct cr_calls){.t = NULL};
}

/* ---- rows */

void
cr_calls_choose(struct cr_calls *c, double percent, uint32_t depth, uint32_t limit)
{
	const struct cr_tree *t = c->t;
	const uint64_t *total = t->total[c->side];
	uint32_t next;

	c->n = c->left_out = 0;
	for (uint32_t n = 1; n < t->n; n = next) {
		const bool deep = depth && t->depth[n] - 1 > depth;
		const bool light = 100.0 * (double)total[n] < percent * (double)total[0];
		const bool full = limit && c->n >= limit;

		next = deep || light ? t->end[n] : n + 1;
		if (!deep && !light && !full)
			c->nodes[c->n++] = n;
		c->left_out += !deep && !light && full;
	}
}

/* ---- cells */

static void
symbol_cell(const struct cr_calls *c, uint32_t node, struct cr_cell *out)
{
	const struct cr_frame *f = &c->t->frames[c->t->frame[node]];

	*out = (struct cr_cell){.kind = CR_CELL_TEXT,
		.indent = (c->t->depth[node] - 1) * 2,
		.text = f->name,
		.behind = f->inlined ? " (inlined)" : NULL};
	snprintf(out->before, sizeof(out->before), "[%c] ",
		cr_table_in_kernel(f->kind, f->number) ? 'k' : '.');
}

static void
calls_cell(struct cr_calls *c, uint32_t node, enum cr_calls_column column, struct cr_cell *out)
{
	const struct cr_tree *t = c->t;
	const struct cr_frame *f = &t->frames[t->frame[node]];

	*out = (struct cr_cell){.kind = CR_CELL_NUMBER};
	switch (column) {
	case CR_CALLS_WHOLE_SHARE:
	case CR_CALLS_SHARE:
		out->kind = CR_CELL_SHARE;
		out->number = t->total[c->side][node];
		out->whole = column == CR_CALLS_SHARE ? t->total[c->side][0] : c->whole;
		return;
	case CR_CALLS_SAMPLES:
	case CR_CALLS_TOTAL_SAMPLES: out->number = t->total_samples[c->side][node]; return;
	case CR_CALLS_TOTAL: out->number = t->total[c->side][node]; return;
	case CR_CALLS_SELF: out->number = t->self[c->side][node]; return;
	case CR_CALLS_SELF_SAMPLES: out->number = t->self_samples[c->side][node]; return;
	case CR_CALLS_DEPTH: out->number = t->depth[node] - 1; return;
	case CR_CALLS_DSO:
		*out = (struct cr_cell){
			.kind = CR_CELL_TEXT, .text = cr_dso_name(f->dso, f->kind, &c->made)};
		return;
	case CR_CALLS_EVENT:
		*out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = t->event};
		return;
	case CR_CALLS_NAME: *out = (struct cr_cell){.kind = CR_CELL_TEXT, .text = f->name}; return;
	case CR_CALLS_LEVEL:
		*out = (struct cr_cell){.kind = CR_CELL_TEXT,
			.text = cr_table_in_kernel(f->kind, f->number) ? CR_STR("k") : CR_STR(".")};
		return;
	case CR_CALLS_SYMBOL: symbol_cell(c, node, out); return;
	}
}

static void
sheet_cell(const struct cr_sheet *s, uint32_t row, uint32_t column, struct cr_cell *out)
{
	struct cr_calls *c = (struct cr_calls *)(uintptr_t)s->user;

	calls_cell(c, c->nodes[row], (enum cr_calls_column)column, out);
}

void
cr_calls_sheet(struct cr_calls *c, struct cr_sheet *out)
{
	out->columns = columns;
	out->n_columns = CR_LEN(columns);
	out->n_rows = c->n;
	out->cell = sheet_cell;
	out->user = c;
}
