#include "view/sheet/table_sheet.h"

#include "base/mem.h"
#include "base/vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Content of a sheet's column: a column of the table, or: */
enum {
	WHAT_EVENT_NAME = CR_TABLE_COLUMNS,
	WHAT_TOTAL,
	WHAT_TOTAL_SAMPLES,
	WHAT_LEVEL,
	WHAT_INLINED,
	WHAT_RAW,
	WHAT_ID,
	WHAT_DEPTH,
	WHAT_KEY,
	WHAT_NAME
};

static const struct cr_sheet_column people_columns[CR_TABLE_COLUMNS] = {
	[CR_TABLE_CHILDREN] = {"Children", "overhead_children", CR_SHEET_ALL, true, 8},
	[CR_TABLE_SELF] = {"Overhead", "overhead", CR_SHEET_ALL, true, 8},
	[CR_TABLE_KERNEL] = {"sys", "overhead_sys", CR_SHEET_ALL, true, 8},
	[CR_TABLE_USER] = {"usr", "overhead_us", CR_SHEET_ALL, true, 8},
	[CR_TABLE_SAMPLES] = {"Samples", "self_samples", CR_SHEET_PEOPLE, true, 12},
	[CR_TABLE_PERIOD] = {"Period", "self", CR_SHEET_PEOPLE, true, 12},
	[CR_TABLE_LATENCY_CHILDREN] = {"Latency Children", "latency_children", CR_SHEET_ALL, true,
		8},
	[CR_TABLE_LATENCY] = {"Latency", "latency", CR_SHEET_ALL, true, 8},
	[CR_TABLE_COMM] = {"Command", "comm", CR_SHEET_ALL, false, 0},
	[CR_TABLE_THREAD] = {"    Pid:Command", "thread", CR_SHEET_ALL, false, 0},
	[CR_TABLE_PROCESS] = {"   Tgid:Command", "process", CR_SHEET_ALL, false, 0},
	[CR_TABLE_CPU] = {"CPU", "cpu", CR_SHEET_ALL, true, 3},
	[CR_TABLE_EVENT] = {"Event", "event", CR_SHEET_ALL, false, 0},
	[CR_TABLE_FIELD] = {NULL, NULL, CR_SHEET_ALL, false, 0}, /* and those after it */
	[CR_TABLE_DSO] = {"Shared Object", "dso", CR_SHEET_ALL, false, 0},
	[CR_TABLE_SYM] = {"Symbol", "sym", CR_SHEET_ALL, false, 0, true},
	[CR_TABLE_SYMOFF] = {"Symbol Offset", "symoff", CR_SHEET_ALL, false, 0, true},
	[CR_TABLE_SRCLINE] = {"Source:Line", "srcline", CR_SHEET_ALL, false, 0},
	[CR_TABLE_SRCFILE] = {"Source File", "srcfile", CR_SHEET_ALL, false, 0},
	[CR_TABLE_ADDR] = {"Address", "addr", CR_SHEET_ALL, false, 18},
	[CR_TABLE_SYMBOL_SIZE] = {"Symbol size", "symbol_size", CR_SHEET_ALL, true, 11},
	[CR_TABLE_DSO_SIZE] = {"DSO size", "dso_size", CR_SHEET_ALL, true, 8},
};

/* ---- cells */

/* "FIELD=VALUE" without the field, which is the column's heading. */
static struct cr_str
field_text(const struct cr_table *h, uint8_t key, struct cr_str text)
{
	const struct cr_str name = cr_str_of(cr_table_field_name(h->spec, key));

	if (text.len > name.len && memcmp(text.p, name.p, name.len) == 0 && text.p[name.len] == '=')
		return cr_str_from(text, text.p + name.len + 1);
	return text;
}

static void
id_cell(const struct cr_table_value *v, struct cr_cell *out)
{
	out->text = v->text;
	if (v->nameless)
		snprintf(out->before, sizeof(out->before), "%7s%s", "-1", v->text.len ? ":" : "");
	else
		snprintf(out->before, sizeof(out->before), "%7" PRIu32 ":", (uint32_t)v->number);
}

static void
sym_cell(const struct cr_table_value *v, struct cr_cell *out)
{
	const bool kernel = cr_table_in_kernel(v->kind, v->nameless ? v->number : 0);

	snprintf(out->before, sizeof(out->before), "[%c] ", kernel ? 'k' : '.');
	out->text = v->text;
	out->behind = v->inlined ? " (inlined)" : NULL;
	if (!v->nameless)
		return;
	out->kind = CR_CELL_HEX;
	out->number = v->number;
}

static void
value_cell(const struct cr_table *h, const struct cr_table_value *v, struct cr_cell *out)
{
	out->kind = CR_CELL_TEXT;
	out->text = v->text;
	if (cr_table_is_field(v->key))
		out->text = field_text(h, v->key, v->text);
	switch (v->key) {
	case CR_TABLE_THREAD:
	case CR_TABLE_PROCESS: id_cell(v, out); return;
	case CR_TABLE_CPU:
		out->kind = v->nameless ? CR_CELL_TEXT : CR_CELL_PADDED;
		out->text = CR_STR("-1");
		out->number = v->number;
		return;
	case CR_TABLE_SYM:
	case CR_TABLE_SYMOFF: sym_cell(v, out); return;
	case CR_TABLE_SYMBOL_SIZE:
	case CR_TABLE_DSO_SIZE:
		out->kind = v->nameless ? CR_CELL_TEXT : CR_CELL_NUMBER;
		out->number = v->number;
		return;
	case CR_TABLE_ADDR:
		out->kind = CR_CELL_HEX;
		out->number = v->number;
		return;
	default: return;
	}
}

static void
number_cell(uint64_t number, struct cr_cell *out)
{
	out->kind = CR_CELL_NUMBER;
	out->number = number;
}

/* The latencies of a row, which were joined to it. */
static void
latency_cell(const struct cr_table *h, uint32_t row, uint8_t what, struct cr_cell *out)
{
	const struct cr_table_cost *c = &h->joined[row];

	out->whole = h->joined_whole;
	out->number = what == CR_TABLE_LATENCY ? c->self : c->total;
}

static void
cost_cell(const struct cr_table_sheet *s, const struct cr_table_line *line, uint8_t what,
	uint32_t side, struct cr_cell *out)
{
	const struct cr_table_cost *c = &line->cost[side];

	out->kind = CR_CELL_SHARE;
	out->whole = s->table->whole[side];
	switch (what) {
	case CR_TABLE_LATENCY:
	case CR_TABLE_LATENCY_CHILDREN: latency_cell(s->table, line->row, what, out); return;
	case CR_TABLE_CHILDREN: out->number = c->total; return;
	case CR_TABLE_SELF: out->number = c->self; return;
	case CR_TABLE_KERNEL: out->number = c->kernel; return;
	case CR_TABLE_USER: out->number = c->user; return;
	case CR_TABLE_SAMPLES: number_cell(c->self_samples, out); return;
	case CR_TABLE_PERIOD: number_cell(c->self, out); return;
	case WHAT_TOTAL: number_cell(c->total, out); return;
	case WHAT_TOTAL_SAMPLES: number_cell(c->total_samples, out); return;
	default: return;
	}
}

/* The parts of a thread, a process or a function, for programs. */
static void
raw_cell(const struct cr_table_value *v, uint8_t what, struct cr_cell *out)
{
	const bool kernel = cr_table_in_kernel(v->kind, v->nameless ? v->number : 0);

	out->kind = CR_CELL_TEXT;
	switch (what) {
	case WHAT_LEVEL: out->text = kernel ? CR_STR("k") : CR_STR("."); return;
	case WHAT_INLINED:
		out->kind = CR_CELL_BOOL;
		out->number = v->inlined;
		return;
	case WHAT_ID:
		out->kind = v->nameless ? CR_CELL_NONE : CR_CELL_NUMBER;
		out->number = v->number;
		return;
	default:
		out->text = v->text;
		if ((v->key != CR_TABLE_SYM && v->key != CR_TABLE_SYMOFF) || !v->nameless)
			return;
		out->kind = CR_CELL_HEX;
		out->number = v->number;
	}
}

/* The key that a column shows a part of: the next key to the right. */
static const struct cr_table_value *
value_behind(const struct cr_table_sheet *s, uint32_t row, uint32_t column)
{
	while (s->what[column] < CR_TABLE_COMM || s->what[column] >= CR_TABLE_COLUMNS)
		column--;
	return cr_table_value(s->table, row, (enum cr_table_column)s->what[column]);
}

static const struct cr_table_value *
level_value(const struct cr_table_sheet *s, const struct cr_table_line *line)
{
	return cr_table_value(
		s->table, line->row, (enum cr_table_column)s->table->spec->keys[line->level]);
}

static const char *
key_id(const struct cr_table *h, uint8_t key)
{
	return cr_table_is_field(key) ? cr_table_field_name(h->spec, key) : people_columns[key].id;
}

static void
table_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_table_sheet *s = sheet->user;
	const struct cr_table_line *line = &s->lines[row];
	const uint8_t what = s->what[column];

	switch (what) {
	case WHAT_EVENT_NAME:
		out->kind = CR_CELL_TEXT;
		out->text = s->event;
		return;
	case WHAT_LEVEL:
	case WHAT_INLINED:
	case WHAT_ID:
	case WHAT_RAW: raw_cell(value_behind(s, line->row, column), what, out); return;
	case WHAT_DEPTH: number_cell(line->level, out); return;
	case WHAT_KEY:
		out->kind = CR_CELL_TEXT;
		out->text = cr_str_of(key_id(s->table, s->table->spec->keys[line->level]));
		return;
	case WHAT_NAME: value_cell(s->table, level_value(s, line), out); return;
	default: break;
	}
	if (what < CR_TABLE_COMM || what == WHAT_TOTAL || what == WHAT_TOTAL_SAMPLES)
		cost_cell(s, line, what, s->side[column], out);
	else
		value_cell(s->table,
			cr_table_value(s->table, line->row, (enum cr_table_column)what), out);
	if (sheet->url && (what == CR_TABLE_SRCLINE || what == CR_TABLE_SRCFILE))
		out->file = s->tree->frames[cr_table_frame(s->table, line->row)].file;
}

static uint32_t
table_indent(const struct cr_sheet *sheet, uint32_t row)
{
	const struct cr_table_sheet *s = sheet->user;

	return s->lines[row].level * 2;
}

static void
table_below(const struct cr_sheet *sheet, uint32_t row, struct cr_text *out)
{
	const struct cr_table_sheet *s = sheet->user;
	const struct cr_table *h = s->table;
	struct cr_chain *chains;
	const uint32_t n = cr_chains_of(s->chains, s->lines[row].row, &chains);

	cr_chain_text(s->tree, chains, n, &s->chain, h->tree_whole,
		h->spec->keys[0] == CR_TABLE_SYM, sheet->line_cells, out);
	free(chains);
}

static void
table_below_json(const struct cr_sheet *sheet, uint32_t row, struct cr_json_out *out)
{
	const struct cr_table_sheet *s = sheet->user;
	struct cr_chain *chains;
	const uint32_t n = cr_chains_of(s->chains, s->lines[row].row, &chains);

	cr_chain_json(s->tree, chains, n, &s->chain, s->table->tree_whole, out);
	free(chains);
}

/* ---- columns */

struct columns {
	CR_VEC(struct cr_sheet_column) columns;
	CR_VEC(uint8_t) what;
	CR_VEC(uint8_t) side;
	const struct cr_str *sides; /* names; NULL if there is one side */
	uint32_t n_sides;
	struct cr_arena *texts;
};

static void
add_column(struct columns *c, struct cr_sheet_column column, int what)
{
	cr_vec_push(&c->columns, column);
	cr_vec_push(&c->what, (uint8_t)what);
	cr_vec_push(&c->side, 0);
}

static char *
keep_text(struct columns *c, struct cr_text *t)
{
	char *kept = cr_arena_text(c->texts, t->p, t->len);

	cr_text_fini(t);
	return kept;
}

/* A column for each side: people see its number, programs its name. */
static void
add_sides(struct columns *c, struct cr_sheet_column column, int what)
{
	const struct cr_sheet_column plain = column;

	for (uint32_t side = 0; side < c->n_sides; side++) {
		struct cr_text head = {0}, id = {0};

		if (c->sides) {
			cr_text_printf(&head, "%s %" PRIu32, plain.head, side);
			cr_text_printf(&id, "%s:", plain.id);
			cr_text_str(&id, c->sides[side]);
			column.head = keep_text(c, &head);
			column.id = keep_text(c, &id);
		}
		add_column(c, column, what);
		c->side.p[c->side.n - 1] = (uint8_t)side;
	}
}

static void
add_number(struct columns *c, const char *id, int what)
{
	add_column(c, (struct cr_sheet_column){id, id, CR_SHEET_PROGRAMS, true, 0, false}, what);
}

/* Numbers that are costs. */
static void
add_amount(struct columns *c, const char *id, int what)
{
	add_sides(c, (struct cr_sheet_column){id, id, CR_SHEET_PROGRAMS, true, 0, false}, what);
}

static void
add_cost(struct columns *c, const struct cr_table_spec *spec, const struct cr_table_sheet_opts *o,
	uint8_t cost)
{
	struct cr_sheet_column column = people_columns[cost];

	if (cost == CR_TABLE_SELF && spec->children && !o->fields && !o->hierarchy)
		column.head = "Self";
	if (o->estimated && cost == CR_TABLE_LATENCY)
		column.head = "≈Latency";
	if (o->estimated && cost == CR_TABLE_LATENCY_CHILDREN)
		column.head = "≈Latency Children";
	if (cost != CR_TABLE_CHILDREN || !o->hierarchy) /* levels show self costs */
		add_sides(c, column, cost);
}

static void
add_key(struct columns *c, const struct cr_table_spec *spec, const struct cr_table_sheet_opts *o,
	uint8_t key)
{
	struct cr_sheet_column column =
		people_columns[cr_table_is_field(key) ? (unsigned)CR_TABLE_FIELD : key];

	if (cr_table_is_field(key)) {
		column.head = cr_table_field_head(spec, key);
		column.id = cr_table_field_name(spec, key);
		if (o->estimated && strcmp(column.id, "parallelism") == 0)
			column.head = "≈parallelism";
	}
	if (key == CR_TABLE_THREAD || key == CR_TABLE_PROCESS || key == CR_TABLE_SYM ||
		key == CR_TABLE_SYMOFF)
		column.audience = CR_SHEET_PEOPLE;
	add_column(c, column, key);
	if (key == CR_TABLE_THREAD || key == CR_TABLE_PROCESS) {
		add_number(c, key == CR_TABLE_THREAD ? "tid" : "pid", WHAT_ID);
		add_number(c, column.id, WHAT_RAW);
	}
	if (key == CR_TABLE_SYM || key == CR_TABLE_SYMOFF) {
		add_number(c, column.id, WHAT_RAW);
		add_number(c, "level", WHAT_LEVEL);
		add_number(c, "inlined", WHAT_INLINED);
	}
}

/* "Command / Shared Object / Symbol" */
static char *
levels_head(const struct cr_table_spec *spec)
{
	struct cr_text t = {0};
	char *head;

	for (uint32_t i = 0; i < spec->n_keys; i++) {
		const char *name = cr_table_is_field(spec->keys[i])
					   ? cr_table_field_head(spec, spec->keys[i])
					   : people_columns[spec->keys[i]].head;

		cr_text_printf(&t, "%s%s", i ? " / " : "", name + strspn(name, " "));
	}
	head = cr_memdup(t.p, t.len);
	cr_text_fini(&t);
	return head;
}

static void
add_level(struct columns *c, struct cr_table_sheet *s)
{
	s->head = levels_head(s->table->spec);
	add_number(c, "depth", WHAT_DEPTH);
	add_column(c, (struct cr_sheet_column){"key", "key", CR_SHEET_PROGRAMS, false, 0, false},
		WHAT_KEY);
	add_column(c, (struct cr_sheet_column){s->head, "name", CR_SHEET_ALL, false, 0, false},
		WHAT_NAME);
}

static void
make_columns(const struct cr_table_sheet_opts *o, struct cr_table_sheet *s)
{
	const struct cr_table_spec *spec = s->table->spec;
	struct columns c = {
		.sides = o->sides, .n_sides = o->sides ? s->table->sides : 1, .texts = &s->texts};

	if (!cr_table_has(spec, CR_TABLE_EVENT) && !o->sides)
		add_column(&c,
			(struct cr_sheet_column){
				"event", "event", CR_SHEET_PROGRAMS, false, 0, false},
			WHAT_EVENT_NAME);
	for (uint32_t i = 0; i < spec->n_columns; i++) {
		if (spec->columns[i] < CR_TABLE_COMM)
			add_cost(&c, spec, o, spec->columns[i]);
		else if (!o->hierarchy)
			add_key(&c, spec, o, spec->columns[i]);
	}
	if (o->hierarchy) {
		add_level(&c, s);
	} else {
		add_amount(&c, "total", WHAT_TOTAL);
		add_amount(&c, "total_samples", WHAT_TOTAL_SAMPLES);
	}
	add_amount(&c, "self", CR_TABLE_PERIOD);
	add_amount(&c, "self_samples", CR_TABLE_SAMPLES);
	s->columns = c.columns.p;
	s->what = c.what.p;
	s->side = c.side.p;
	s->sheet.columns = s->columns;
	s->sheet.n_columns = (uint32_t)c.columns.n;
}

/* ---- rows */

static struct cr_table_line *
all_rows(const struct cr_table *h, uint32_t *n)
{
	struct cr_table_line *lines = cr_alloc((uint64_t)h->n + 1, sizeof(*lines));

	for (uint32_t i = 0; i < h->n; i++)
		lines[i] = (struct cr_table_line){.row = i, .cost = h->rows[i].cost};
	*n = h->n;
	return lines;
}

static bool
is_part(uint64_t weight, uint64_t whole, double percent)
{
	return 100.0 * (double)weight >= percent * (double)whole;
}

/* As perf, by latency if rows are sorted by it. Of several sides one is enough. */
static bool
is_heavy(const struct cr_table *h, const struct cr_table_line *line,
	const struct cr_table_sheet_opts *o)
{
	const uint8_t first = h->spec->order[0];
	const bool total = h->spec->children && !o->hierarchy;
	bool heavy = false;

	if (h->joined && (first == CR_TABLE_LATENCY || first == CR_TABLE_LATENCY_CHILDREN)) {
		const struct cr_table_cost *c = &h->joined[line->row];

		return is_part(total ? c->total : c->self, h->joined_whole, o->percent_limit);
	}
	for (uint32_t s = 0; s < h->sides; s++)
		heavy |= is_part(total ? line->cost[s].total : line->cost[s].self, h->whole[s],
				 o->percent_limit) &&
			 (h->whole[s] || h->sides == 1);
	return heavy;
}

static void
make_lines(const struct cr_table_sheet_opts *o, struct cr_table_sheet *s)
{
	uint32_t n, kept = 0;

	s->lines = o->hierarchy ? cr_table_levels(s->table, &n, &s->costs) : all_rows(s->table, &n);
	for (uint32_t i = 0; i < n; i++)
		if (cr_table_row_shown(s->table, s->lines[i].row, &o->only) &&
			is_heavy(s->table, &s->lines[i], o))
			s->lines[kept++] = s->lines[i];
	s->sheet.n_rows = o->limit ? CR_MIN(kept, o->limit) : kept;
	s->n_left_out = kept - s->sheet.n_rows + s->table->n_unmade;
}

void
cr_table_sheet_init(const struct cr_tree *t, const struct cr_table *h,
	const struct cr_table_sheet_opts *o, struct cr_table_sheet *out)
{
	*out = (struct cr_table_sheet){.table = h, .tree = t, .event = t->event};
	make_columns(o, out);
	make_lines(o, out);
	out->sheet.user = out;
	out->sheet.cell = table_cell;
	out->sheet.separator = o->separator;
	out->sheet.widths = o->widths;
	out->sheet.n_widths = o->n_widths;
	out->sheet.line_cells = o->line_cells;
	out->sheet.ascii = o->ascii;
	out->sheet.inks = o->inks;
	out->sheet.url = o->url;
	out->sheet.url_user = o->url_user;
	if (o->hierarchy) {
		out->sheet.indent = table_indent;
		out->sheet.head_indent = (h->spec->n_keys - 1) * 2;
	}
	if (!o->chain || o->chain->mode == CR_CHAIN_NONE || o->hierarchy)
		return;
	out->chain = *o->chain;
	out->chains = cr_chains_new(t, h, o->chain);
	out->sheet.below = table_below;
	out->sheet.below_json = table_below_json;
}

void
cr_table_sheet_fini(struct cr_table_sheet *s)
{
	free(s->columns);
	free(s->what);
	free(s->side);
	free(s->lines);
	free(s->costs);
	free(s->head);
	cr_arena_fini(&s->texts);
	cr_chains_free(s->chains);
	*s = (struct cr_table_sheet){0};
}
