#include "view/sheet/cache_sheet.h"

#include "base/hash.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	SHARE,
	LOCAL,
	REMOTE,
	LOADS,
	STORES,
	LATENCY,
	THREADS,
	CPUS,
	LINE,
	RAW_LINE, /* in each row */
	OFFSET,
	COMMAND,
	DSO,
	SYMBOL,
	COLUMNS
};

static const struct cr_sheet_column columns[COLUMNS] = {
	[SHARE] = {"HITM", "hitm", CR_SHEET_ALL, true, 7},
	[LOCAL] = {"Local", "local_hitm", CR_SHEET_ALL, true, 6},
	[REMOTE] = {"Remote", "remote_hitm", CR_SHEET_ALL, true, 6},
	[LOADS] = {"Loads", "loads", CR_SHEET_ALL, true, 6},
	[STORES] = {"Stores", "stores", CR_SHEET_ALL, true, 6},
	[LATENCY] = {"Latency", "load_latency", CR_SHEET_ALL, true, 7},
	[THREADS] = {"Threads", "threads", CR_SHEET_ALL, true, 7},
	[CPUS] = {"CPUs", "cpus", CR_SHEET_ALL, true, 4},
	[LINE] = {"Cacheline", "cacheline", CR_SHEET_PEOPLE, false, 18},
	[RAW_LINE] = CR_SHEET_RAW("cacheline"),
	[OFFSET] = {"Offset", "offset", CR_SHEET_ALL, true, 6},
	[COMMAND] = {"Command", "comm", CR_SHEET_ALL, false, 0},
	[DSO] = {"Shared Object", "dso", CR_SHEET_ALL, false, 0},
	[SYMBOL] = {"Symbol", "sym", CR_SHEET_ALL, false, 0, true},
};

static uint64_t
hitm_of(const struct cr_cache_counts *c)
{
	return c->local_hitm + c->remote_hitm;
}

static void
number_cell(uint64_t number, struct cr_cell *out)
{
	out->kind = CR_CELL_NUMBER;
	out->number = number;
}

static void
hex_cell(uint64_t number, struct cr_cell *out)
{
	out->kind = CR_CELL_HEX;
	out->number = number;
}

static void
text_cell(struct cr_str text, struct cr_cell *out)
{
	out->kind = CR_CELL_TEXT;
	out->text = text;
}

static void
counts_cell(const struct cr_cache_sheet *s, const struct cr_cache_counts *c, uint32_t column,
	struct cr_cell *out)
{
	switch (column) {
	case SHARE:
		out->kind = CR_CELL_SHARE;
		out->number = hitm_of(c);
		out->whole = hitm_of(&s->lines->all);
		return;
	case LOCAL: number_cell(c->local_hitm, out); return;
	case REMOTE: number_cell(c->remote_hitm, out); return;
	case LOADS: number_cell(c->loads, out); return;
	case STORES: number_cell(c->stores, out); return;
	default:
		if (c->latencies)
			number_cell(c->latency / c->latencies, out);
		return;
	}
}

static void
line_cell(const struct cr_cache_line *l, uint32_t column, struct cr_cell *out)
{
	switch (column) {
	case THREADS: number_cell(l->threads, out); return;
	case CPUS: number_cell(l->cpus, out); return;
	case LINE: hex_cell(l->addr, out); return;
	case DSO: text_cell(l->dso.len ? l->dso : CR_STR("[unknown]"), out); return;
	default: return;
	}
}

/* The function; its address if it has no name. */
static void
place_cell(const struct cr_cache_sheet *s, const struct cr_cache_place *p, uint32_t column,
	struct cr_cell *out)
{
	const struct cr_function *f =
		p->function == CR_NO_ROW ? NULL : &s->p->functions[p->function];

	if (column == OFFSET) {
		snprintf(out->before, sizeof(out->before), "0x%02" PRIx32, p->offset);
		out->kind = CR_CELL_TEXT;
	} else if (column == COMMAND) {
		text_cell(p->comm, out);
	} else if (f && column == DSO) {
		text_cell(cr_str_basename(s->p->dsos[f->dso.i].name), out);
	} else if (f && column == SYMBOL && f->name.len) {
		text_cell(f->name, out);
	} else if (f && column == SYMBOL) {
		hex_cell(p->addr, out);
	}
}

static void
cache_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_cache_sheet *s = sheet->user;
	const struct cr_cache_row *r = &s->rows[row];
	const struct cr_cache_line *l = &s->lines->lines[r->line];
	const struct cr_cache_place *p = r->place1 ? &s->lines->places[r->place1 - 1] : NULL;

	out->kind = CR_CELL_NONE;
	if (column == RAW_LINE)
		hex_cell(l->addr, out);
	else if (column <= LATENCY)
		counts_cell(s, p ? &p->counts : &l->counts, column, out);
	else if (p)
		place_cell(s, p, column, out);
	else
		line_cell(l, column, out);
}

void
cr_cache_sheet_init(const struct cr_profile *p, const struct cr_cache_lines *lines, uint32_t limit,
	struct cr_cache_sheet *out)
{
	const uint32_t n = limit ? CR_MIN(limit, lines->n) : lines->n;

	*out = (struct cr_cache_sheet){.p = p, .lines = lines, .n_left_out = lines->n - n};
	out->rows = cr_alloc((uint64_t)n + lines->n_places + 1, sizeof(*out->rows));
	for (uint32_t i = 0; i < n; i++) {
		const struct cr_cache_line *l = &lines->lines[i];

		out->rows[out->sheet.n_rows++] = (struct cr_cache_row){i, 0};
		for (uint32_t k = 0; k < l->n_places; k++)
			out->rows[out->sheet.n_rows++] =
				(struct cr_cache_row){i, l->first_place + k + 1};
	}
	out->sheet.columns = columns;
	out->sheet.n_columns = COLUMNS;
	out->sheet.cell = cache_cell;
	out->sheet.user = out;
}

void
cr_cache_sheet_fini(struct cr_cache_sheet *s)
{
	free(s->rows);
	*s = (struct cr_cache_sheet){0};
}
