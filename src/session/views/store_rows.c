#include "store_rows_p.h"

#include "session/load.h"
#include "session/session_p.h"

#include "base/mem.h"
#include "model/profile.h"
#include "store/catalog.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#define DATE_CELLS 16u /* "2026-11-22 19:46" */

enum column {
	COL_MARK,
	COL_NAME,
	COL_DATE,
	COL_SAMPLES,
	COL_DURATION,
	COL_SIZE,
	COL_EVENT,
	COL_HOST,
	COL_TAGS,
	/* numbers for programs */
	COL_RAW_SAMPLES,
	COL_RAW_DURATION,
	COL_RAW_SIZE,
};

const struct cr_stored *
cr_store_rows_at(const struct cr_store_rows *m, uint32_t row)
{
	return &m->list.rows.p[m->shown[row]];
}

const struct cr_stored *
cr_store_rows_selected(const struct cr_view *v)
{
	const struct cr_store_rows *m = v->state;

	return m->made && v->row < v->n ? cr_store_rows_at(m, v->row) : NULL;
}

const char *
cr_store_rows_name(const struct cr_store_rows *m, uint32_t row)
{
	return cr_store_rows_at(m, row)->entry->name;
}

/* ---- rows as a sheet */

static const struct cr_sheet_column all_columns[CR_STORE_ROW_COLUMNS] = {
	[COL_MARK] =
		{.head = "", .audience = CR_SHEET_PEOPLE, .cells = 1, .fixed = true, .closer = 2},
	[COL_NAME] = {.head = "NAME",
		.id = "name",
		.audience = CR_SHEET_ALL,
		.is_name = true,
		.closer = 1},
	[COL_DATE] = {.head = "WHEN",
		.id = "date",
		.audience = CR_SHEET_ALL,
		.cells = DATE_CELLS,
		.fixed = true,
		.rank = 1},
	[COL_SAMPLES] = {.head = "SAMPLES", .audience = CR_SHEET_PEOPLE, .right = true},
	[COL_DURATION] = {.head = "DURATION",
		.audience = CR_SHEET_PEOPLE,
		.right = true,
		.rank = 1},
	[COL_SIZE] = {.head = "SIZE", .audience = CR_SHEET_PEOPLE, .right = true, .rank = 3},
	[COL_EVENT] = {.head = "EVENT",
		.id = "event",
		.audience = CR_SHEET_ALL,
		.cells = 12,
		.fixed = true,
		.rank = 2},
	[COL_HOST] = {.head = "HOST",
		.id = "host",
		.audience = CR_SHEET_ALL,
		.cells = 12,
		.fixed = true,
		.rank = 3},
	[COL_TAGS] = {.head = "TAGS", .id = "tags", .audience = CR_SHEET_ALL},
	[COL_RAW_SAMPLES] = {.id = "samples", .audience = CR_SHEET_PROGRAMS},
	[COL_RAW_DURATION] = {.id = "duration_ns", .audience = CR_SHEET_PROGRAMS},
	[COL_RAW_SIZE] = {.id = "size", .audience = CR_SHEET_PROGRAMS},
};

bool
cr_store_rows_is_picked(const struct cr_store_rows *m, enum cr_store_pick pick, const char *name)
{
	return m->picked[pick] && strcmp(m->picked[pick], name) == 0;
}

const char *
cr_store_rows_mark(const struct cr_store_rows *m, const char *name)
{
	if (cr_store_rows_is_picked(m, CR_STORE_BEFORE, name))
		return "A";
	if (cr_store_rows_is_picked(m, CR_STORE_AFTER, name))
		return "B";
	for (uint32_t side = 0; m->s && !m->s->is_empty && side < m->s->sides; side++)
		if (strcmp(m->s->title[side], name) == 0)
			return "*";
	return "";
}

/* What of a profile that can be read. */
static void
cell_known(const struct cr_stored *r, enum column column, struct cr_cell *out, struct cr_text *t)
{
	switch (column) {
	case COL_DATE:
		out->text = (struct cr_str){r->date.p, CR_MIN(r->date.len, DATE_CELLS)};
		return;
	case COL_SAMPLES: cr_text_grouped(t, r->samples); break;
	case COL_DURATION:
		if (r->has_duration)
			cr_text_duration(t, r->duration_ns);
		break;
	case COL_EVENT: out->text = r->event; return;
	case COL_HOST: out->text = r->host; return;
	case COL_TAGS:
		cr_stored_put_tags(r->p, t);
		if (!t->len && r->note.len)
			cr_text_safe(t, (struct cr_str){r->note.p, CR_MIN(r->note.len, 200u)});
		break;
	default: return;
	}
	out->text = t->len ? cr_text_view(t) : CR_STR("");
}

static void
raw_cell(const struct cr_stored *r, enum column column, struct cr_cell *out)
{
	if (column != COL_RAW_SIZE && (!r->p || (column == COL_RAW_DURATION && !r->has_duration)))
		return;
	*out = (struct cr_cell){.kind = CR_CELL_NUMBER,
		.number = column == COL_RAW_SIZE       ? r->entry->size_bytes
			  : column == COL_RAW_DURATION ? r->duration_ns
						       : r->samples};
}

static void
store_cell(const struct cr_sheet *sheet, uint32_t row, uint32_t column, struct cr_cell *out)
{
	const struct cr_store_rows *m = sheet->user;
	const struct cr_stored *r = cr_store_rows_at(m, row);

	if (column >= COL_RAW_SAMPLES) {
		raw_cell(r, (enum column)column, out);
		return;
	}
	out->kind = CR_CELL_TEXT;
	cr_text_clear(m->cell);
	if (column == COL_MARK) {
		out->text = cr_str_of(cr_store_rows_mark(m, r->entry->name));
	} else if (column == COL_NAME) {
		out->text = cr_str_of(r->entry->name);
	} else if (column == COL_SIZE) {
		cr_text_bytes(m->cell, r->entry->size_bytes);
		out->text = cr_text_view(m->cell);
	} else if (r->p) {
		cell_known(r, (enum column)column, out, m->cell);
	} else if (column == COL_EVENT) {
		out->text = r->err.code == CR_EIO ? CR_STR("unreadable") : CR_STR("damaged");
	}
}

/* ---- making */

static bool
holds(struct cr_str text, const char *what)
{
	return text.len && memmem(text.p, text.len, what, strlen(what));
}

static bool
is_shown(const struct cr_store_rows *m, const struct cr_stored *r)
{
	struct cr_text tags = {0};
	bool found;

	if (!m->match || !*m->match)
		return true;
	if (r->p)
		cr_stored_put_tags(r->p, &tags);
	found = holds(cr_str_of(r->entry->name), m->match) || holds(r->host, m->match) ||
		holds(r->command, m->match) || holds(r->note, m->match) ||
		holds(r->event, m->match) || holds(cr_text_view(&tags), m->match);
	cr_text_fini(&tags);
	return found;
}

/* Columns of what some formats do not record. */
static void
hide_columns(struct cr_store_rows *m)
{
	static const enum column may_hide[] = {COL_DATE, COL_DURATION, COL_HOST, COL_TAGS};

	memcpy(m->columns, all_columns, sizeof(all_columns));
	for (size_t i = 0; i < CR_LEN(may_hide); i++) {
		bool used = false;

		for (size_t row = 0; row < m->list.rows.n && !used; row++) {
			struct cr_cell cell = {.text = CR_STR("")};

			cr_text_clear(m->cell);
			if (m->list.rows.p[row].p)
				cell_known(&m->list.rows.p[row], may_hide[i], &cell, m->cell);
			used = cell.text.len > 0;
		}
		if (!used && m->list.rows.n)
			m->columns[may_hide[i]].audience &= CR_SHEET_PROGRAMS;
	}
}

void
cr_store_rows_order(struct cr_view *v)
{
	struct cr_store_rows *m = v->state;

	cr_stored_list_sort(&m->list, m->sort ? m->sort : "name", m->reverse);
	free(m->shown);
	m->shown = cr_alloc(CR_MAX(m->list.rows.n, 1u), sizeof(*m->shown));
	v->n = 0;
	for (size_t i = 0; i < m->list.rows.n; i++)
		if (is_shown(m, &m->list.rows.p[i]))
			m->shown[v->n++] = (uint32_t)i;
	m->sheet.n_rows = v->n;
	cr_sheet_lines_init(&m->lines, &m->sheet);
}

void
cr_store_rows_find(struct cr_view *v, const char *name)
{
	const struct cr_store_rows *m = v->state;

	v->row = CR_MIN(v->row, v->n ? v->n - 1 : 0);
	for (uint32_t row = 0; name && row < v->n; row++)
		if (strcmp(cr_store_rows_name(m, row), name) == 0)
			v->row = row;
}

static void
put_empty(struct cr_store_rows *m)
{
	cr_text_clear(&m->empty);
	if (m->why.len) {
		cr_text_str(&m->empty, cr_text_view(&m->why));
	} else if (m->list.rows.n) {
		cr_text_puts(&m->empty, "No profile has \"");
		cr_text_safe(&m->empty, cr_str_of(m->match ? m->match : ""));
		cr_text_puts(&m->empty, "\" in its name, tags, note, host, command or event.\n"
					"Esc shows all profiles.");
	} else {
		cr_text_puts(&m->empty, "No profiles are stored yet in\n  ");
		cr_text_safe(&m->empty, cr_str_of(m->dir));
		cr_text_puts(&m->empty,
			"\n\n"
			"To begin, record a program and add the recording to the store:\n"
			"  perf record -g -- COMMAND\n"
			"  cresset ingest perf.data\n\n"
			"Or look at a recording without storing it:\n"
			"  cresset perf.data\n\n"
			"cresset reads many other formats too: cresset help formats");
	}
}

static void
list_fini(struct cr_store_rows *m)
{
	cr_stored_list_fini(&m->list);
	free(m->dir);
	m->dir = NULL;
	m->list = (struct cr_stored_list){.rows = {0}};
}

void
cr_store_rows_make(struct cr_view *v, struct cr_session *s)
{
	struct cr_store_rows *m = v->state;
	struct cr_err err = CR_ERR_INIT;
	char *name;

	m->s = s;
	if (m->made)
		return;
	if (!m->cell)
		m->cell = cr_alloc(1, sizeof(*m->cell));
	name = s->selection.profile.len
		       ? cr_memdup(s->selection.profile.p, s->selection.profile.len)
		       : cr_strdup(s->title[s->sides - 1]);
	list_fini(m);
	cr_text_clear(&m->why);
	if (!s->load)
		cr_text_puts(&m->why, "There is no store here.");
	else if (cr_catalog_dir(s->load->store_dir, &m->dir, &err) < 0 ||
		 cr_stored_list_make(m->dir, NULL, NULL, &m->list, &err) < 0)
		cr_text_safe(&m->why, cr_str_of(err.text));
	m->sheet = (struct cr_sheet){.columns = m->columns,
		.n_columns = CR_STORE_ROW_COLUMNS,
		.cell = store_cell,
		.user = m};
	hide_columns(m);
	cr_store_rows_order(v);
	cr_store_rows_find(v, name);
	put_empty(m);
	m->made = true;
	free(name);
}

void
cr_store_rows_again(struct cr_view *v, struct cr_session *s, const char *name)
{
	struct cr_store_rows *m = v->state;
	char *wanted = name ? cr_strdup(name) : NULL; /* it may be of the list */
	const uint32_t row = v->row;

	m->made = false;
	cr_store_rows_make(v, s);
	v->row = row;
	cr_store_rows_find(v, wanted);
	if (cr_store_rows_selected(v))
		cr_session_select_profile(s, cr_str_of(cr_store_rows_name(m, v->row)));
	free(wanted);
}

void
cr_store_rows_fini(struct cr_view *v)
{
	struct cr_store_rows *m = v->state;

	list_fini(m);
	free(m->shown);
	free(m->match);
	for (int i = 0; i < CR_STORE_PICKS; i++)
		free(m->picked[i]);
	cr_text_fini(&m->why);
	cr_text_fini(&m->empty);
	if (m->cell)
		cr_text_fini(m->cell);
	free(m->cell);
}
