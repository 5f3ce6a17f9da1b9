#include "session/views/view.h"

#include "session/argument_p.h"
#include "session/load.h"
#include "session/print_p.h"
#include "session/profiles_p.h"
#include "session/session_p.h"
#include "session/stored_list.h"

#include "base/mem.h"
#include "base/secure.h"
#include "model/merge/merge.h"
#include "model/profile.h"
#include "model/tree/default_tree.h"
#include "store/edit.h"
#include "store/store.h"
#include "view/sheet/sheet_lines.h"
#include "view/style/label.h"

#include <stdlib.h>
#include <string.h>

/*
 * The profiles of the store: open one, pick two for a difference or to be merged, give them tags,
 * notes and other names, remove them.
 */
extern const struct cr_view_ops cr_view_store;

#define DATE_CELLS 16u /* "2026-11-22 19:46" */
#define KEY_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

enum pick { BEFORE, AFTER, PICKS };

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
	COLUMNS
};

struct store {
	bool made;
	char *dir; /* NULL: no store can be read, and `why` is the reason */
	struct cr_stored_list list;
	uint32_t *shown; /* rows of the list that the filter leaves, v->n of them */
	const char *sort;
	bool reverse;
	char *match;         /* the filter; NULL for none */
	char *picked[PICKS]; /* names; NULL for none */
	struct cr_text why, empty;
	struct cr_sheet_column
		columns[COLUMNS]; /* those where no profile has anything are hidden */
	struct cr_sheet sheet;
	struct cr_sheet_lines lines;
	struct cr_text *cell; /* of the cell that was asked for last */
	struct cr_sheet_surface surface;
	const struct cr_session *s; /* while the surface is in use */
};

static const struct cr_stored *
row_at(const struct store *m, uint32_t row)
{
	return &m->list.rows.p[m->shown[row]];
}

/* The selected row; NULL where there is none. */
static const struct cr_stored *
selected(const struct cr_view *v)
{
	const struct store *m = v->state;

	return m->made && v->row < v->n ? row_at(m, v->row) : NULL;
}

static const char *
name_at(const struct store *m, uint32_t row)
{
	return row_at(m, row)->entry->name;
}

/* ---- rows as a sheet */

static const struct cr_sheet_column all_columns[COLUMNS] = {
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

static bool
is_picked(const struct store *m, enum pick pick, const char *name)
{
	return m->picked[pick] && strcmp(m->picked[pick], name) == 0;
}

/* "A" and "B" of what is picked, "*" of what is open. */
static const char *
mark_of(const struct store *m, const char *name)
{
	if (is_picked(m, BEFORE, name))
		return "A";
	if (is_picked(m, AFTER, name))
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
	const struct store *m = sheet->user;
	const struct cr_stored *r = row_at(m, row);

	if (column >= COL_RAW_SAMPLES) {
		raw_cell(r, (enum column)column, out);
		return;
	}
	out->kind = CR_CELL_TEXT;
	cr_text_clear(m->cell);
	if (column == COL_MARK) {
		out->text = cr_str_of(mark_of(m, r->entry->name));
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
is_shown(const struct store *m, const struct cr_stored *r)
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
hide_columns(struct store *m)
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

static void
order(struct cr_view *v, struct store *m)
{
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

/* The row of a name, else the nearest to where the selection was. */
static void
find_name(struct cr_view *v, const char *name)
{
	const struct store *m = v->state;

	v->row = CR_MIN(v->row, v->n ? v->n - 1 : 0);
	for (uint32_t row = 0; name && row < v->n; row++)
		if (strcmp(name_at(m, row), name) == 0)
			v->row = row;
}

static void
put_empty(struct store *m)
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
list_fini(struct store *m)
{
	cr_stored_list_fini(&m->list);
	free(m->dir);
	m->dir = NULL;
	m->list = (struct cr_stored_list){.rows = {0}};
}

static void
store_make(struct cr_view *v, struct cr_session *s)
{
	struct store *m = v->state;
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
	m->sheet = (struct cr_sheet){
		.columns = m->columns, .n_columns = COLUMNS, .cell = store_cell, .user = m};
	hide_columns(m);
	order(v, m);
	find_name(v, name);
	put_empty(m);
	m->made = true;
	free(name);
}

/* Something was changed: read the list again; name NULL: stay at the selected row. */
static void
again(struct cr_view *v, struct cr_session *s, const char *name)
{
	struct store *m = v->state;
	char *wanted = name ? cr_strdup(name) : NULL; /* it may be of the list */
	const uint32_t row = v->row;

	m->made = false;
	store_make(v, s);
	v->row = row;
	find_name(v, wanted);
	if (selected(v))
		cr_session_select_profile(s, cr_str_of(name_at(m, v->row)));
	free(wanted);
}

static void
store_drop(struct cr_view *v, unsigned changed)
{
	(void)v, (void)changed;
}

/* Others may have changed the store: it is read when one comes to it. */
static void
store_enter(struct cr_view *v, struct cr_session *s)
{
	struct store *m = v->state;

	m->made = false;
	store_make(v, s);
}

static void
store_fini(struct cr_view *v)
{
	struct store *m = v->state;

	list_fini(m);
	free(m->shown);
	free(m->match);
	for (int i = 0; i < PICKS; i++)
		free(m->picked[i]);
	cr_text_fini(&m->why);
	cr_text_fini(&m->empty);
	if (m->cell)
		cr_text_fini(m->cell);
	free(m->cell);
}

/* ---- the surface */

static const struct cr_sheet_column_head heads[] = {
	{"NAME", "sort name", true},
	{"WHEN", "sort date", true},
	{"SAMPLES", "sort samples", false},
	{"DURATION", "sort duration", false},
	{"SIZE", "sort size", false},
	{"EVENT", "sort event", true},
	{"HOST", "sort host", true},
	{"TAGS", "sort command", true},
	{0},
};

/* The line of the head that sorts by this word. */
static const char *
sort_line(const char *word)
{
	for (const struct cr_sheet_column_head *h = heads; h->word; h++)
		if (strcmp(h->line + strlen("sort "), word) == 0)
			return h->line;
	return NULL;
}

static const struct store *
store_of(const struct cr_sheet_surface *surface)
{
	return surface->view->state;
}

static void
store_head(
	const struct cr_sheet_surface *surface, uint32_t cells, bool unicode, struct cr_text *out)
{
	(void)unicode;
	cr_sheet_lines_head(&store_of(surface)->lines, cells, out);
}

static void
store_row(const struct cr_sheet_surface *surface, uint32_t row, uint32_t cells, bool unicode,
	struct cr_text *out)
{
	(void)unicode;
	cr_sheet_lines_row(&store_of(surface)->lines, row, cells, out);
}

static struct cr_row_look
store_look(const struct cr_sheet_surface *surface, uint32_t row)
{
	const struct store *m = store_of(surface);

	return (struct cr_row_look){.strong = *mark_of(m, name_at(m, row)) != '\0'};
}

static const void *
store_surface(struct cr_view *v, struct cr_session *s)
{
	struct store *m = v->state;
	const char *sort;

	store_make(v, s);
	sort = m->sort ? m->sort : "name";
	m->surface = (struct cr_sheet_surface){
		.empty = m->empty.p,
		.heads = heads,
		.sorted = sort_line(sort),
		.falls = m->reverse,
		.view = v,
		.head = store_head,
		.row = store_row,
		.look = store_look,
	};
	return &m->surface;
}

/* ---- the selection */

static void
store_select_row(struct cr_view *v, struct cr_session *s, uint32_t row)
{
	const struct store *m = v->state;

	store_make(v, s);
	if (!v->n)
		return;
	v->row = CR_MIN(row, v->n - 1);
	cr_session_select_profile(s, cr_str_of(name_at(m, v->row)));
}

static void
store_move(struct cr_view *v, struct cr_session *s, enum cr_move to)
{
	store_select_row(v, s, cr_view_row_after(v, to));
}

static void
store_put_open(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	store_make(v, s);
	if (selected(v))
		cr_text_puts(out, "open-selected");
}

static bool
store_is_match(struct cr_view *v, struct cr_session *s)
{
	(void)v, (void)s;
	return false;
}

static bool
store_find(struct cr_view *v, struct cr_session *s, bool backward)
{
	(void)v, (void)s, (void)backward;
	return false;
}

/* ---- texts */

static void
put_part(struct cr_text *out, const char *before, struct cr_str text)
{
	if (!text.len)
		return;
	cr_text_puts(out, out->len ? "   " : "");
	cr_text_puts(out, before);
	cr_text_safe(out, text);
}

/* Line 0: name, host and command; line 1: tags and note, or what is wrong with it. */
static bool
store_put_about(struct cr_view *v, struct cr_session *s, int line, struct cr_text *out)
{
	const struct cr_stored *r;
	struct cr_text tags = {0};

	store_make(v, s);
	r = selected(v);
	if (!r)
		return true;
	if (line == 0) {
		put_part(out, "", cr_str_of(r->entry->name));
		put_part(out, "", r->host);
		put_part(out, "", r->command);
	} else if (!r->p) {
		put_part(out, "", cr_str_of(r->err.text));
	} else {
		cr_stored_put_tags(r->p, &tags);
		put_part(out, "tags: ", cr_text_view(&tags));
		put_part(out, "note: ", r->note);
		if (!out->len)
			cr_text_puts(out, "no tags, no note");
	}
	cr_text_fini(&tags);
	return true;
}

static void
store_put_title(const struct cr_view *v, const struct cr_session *s, struct cr_text *out)
{
	const struct store *m = v->state;

	(void)s;
	if (!m->match || !*m->match)
		return;
	cr_text_puts(out, " with ");
	cr_label_fit(out, cr_str_of(m->match), 16);
}

static void
store_print(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	const struct store *m = v->state;
	const uint32_t cells = v->width > 0 ? (uint32_t)v->width : 0;

	store_make(v, s);
	if (!v->n) {
		cr_text_str(out, cr_text_view(&m->empty));
		cr_text_char(out, '\n');
		return;
	}
	cr_sheet_lines_head(&m->lines, cells, out);
	cr_text_char(out, '\n');
	for (uint32_t row = 0; row < v->n; row++) {
		cr_sheet_lines_row(&m->lines, row, cells, out);
		cr_text_char(out, '\n');
	}
}

static const struct cr_sheet *
store_sheet(struct cr_view *v, struct cr_session *s)
{
	const struct store *m = v->state;

	store_make(v, s);
	return &m->sheet;
}

static bool
store_put_name(struct cr_view *v, struct cr_session *s, struct cr_text *out)
{
	store_make(v, s);
	if (selected(v))
		cr_text_safe(out, cr_str_of(selected(v)->entry->name));
	return selected(v) != NULL;
}

/* ---- its commands */

static struct cr_view *
store_view(struct cr_session *s)
{
	struct cr_view *v = cr_view_of(s, &cr_view_store);

	store_make(v, s);
	return v;
}

/* The selected profile; fails where the list is empty. */
static int
need_selected(
	struct cr_session *s, struct cr_view **v, const struct cr_stored **out, struct cr_err *err)
{
	*v = store_view(s);
	*out = selected(*v);
	return *out ? CR_OK
		    : cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no stored profile is selected");
}

static int
run_select_profile(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = store_view(s);
	const struct store *m = v->state;

	(void)out;
	for (uint32_t row = 0; row < v->n; row++)
		if (strcmp(name_at(m, row), args) == 0) {
			store_select_row(v, s, row);
			return CR_OK;
		}
	return cr_fail(err, CR_ENOTFOUND, CR_NO_OFFSET, "no stored profile '%s'", args);
}

static int
run_open_selected(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_view *v;
	int rc;

	(void)args, (void)out;
	if ((rc = need_selected(s, &v, &r, err)) < 0)
		return rc;
	if (!r->p)
		return cr_fail(
			err, r->err.code, r->err.offset, "%s: %s", r->entry->name, r->err.text);
	return cr_session_open(s, r->entry->path, NULL, err);
}

static int
run_print_profile(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_log log = {0};
	struct cr_text text = {0};
	struct cr_profile *p;
	struct cr_view *v;
	int rc;

	(void)args;
	if ((rc = need_selected(s, &v, &r, err)) < 0 ||
		(rc = cr_load(r->entry->name, CR_STORE_ALL, s->load, &p, &log, err)) < 0)
		return rc;
	cr_print_profile(p, r->entry->name,
		p->n_events ? cr_event_main(p) : (cr_event_id){UINT32_MAX}, &text);
	if (out)
		fwrite(text.p, 1, text.len, out);
	cr_text_fini(&text);
	cr_profile_free(p);
	return CR_OK;
}

static int
run_pick(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const bool after = strcmp(args, "after") == 0, none = strcmp(args, "none") == 0;
	const struct cr_stored *r;
	struct cr_view *v;
	struct store *m;
	int rc;

	(void)out;
	if (!after && !none && strcmp(args, "before") != 0)
		return cr_argument_bad(err, "pick", args, "before, after, none");
	if ((rc = need_selected(s, &v, &r, err)) < 0)
		return rc;
	m = v->state;
	for (int i = 0; i < PICKS; i++) {
		if (!none && i != (after ? AFTER : BEFORE) &&
			!is_picked(m, (enum pick)i, r->entry->name))
			continue;
		free(m->picked[i]);
		m->picked[i] = NULL;
	}
	if (!none)
		m->picked[after ? AFTER : BEFORE] = cr_strdup(r->entry->name);
	return CR_OK;
}

/* The two names: those given, else those picked. */
static int
run_diff(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct store *m = store_view(s)->state;
	const size_t len = strcspn(args, " ");
	char *before, *after;
	int rc;

	(void)out;
	if (*args ? !args[len] || strchr(args + len + 1, ' ') : !m->picked[0] || !m->picked[1])
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"diff: pick two profiles first, or name both: diff BEFORE AFTER");
	before = *args ? cr_memdup(args, len) : cr_strdup(m->picked[BEFORE]);
	after = cr_strdup(*args ? args + len + 1 : m->picked[AFTER]);
	rc = cr_session_open(s, before, after, err);
	free(before);
	free(after);
	return rc;
}

static int
edit(struct cr_session *s, const struct cr_edit *change, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_view *v;
	int rc;

	if ((rc = cr_secure_check("a change of the store", err)) == CR_OK &&
		(rc = need_selected(s, &v, &r, err)) == CR_OK &&
		(rc = cr_store_edit(r->entry->path, change, 1, err)) == CR_OK)
		again(v, s, NULL);
	return rc;
}

static int
run_tag(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const char *equals = strchr(args, '=');
	const size_t key = strspn(args, KEY_CHARACTERS);
	struct cr_text name = {0};
	struct cr_edit change;
	int rc;

	(void)out;
	if (!key || !equals || args + key != equals)
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET,
			"a tag is KEY=VALUE, or KEY= to remove it; the key has letters, digits, "
			"'_', '.' and '-'");
	cr_text_puts(&name, CR_FACT_TAG);
	cr_text_put(&name, args, key);
	change = (struct cr_edit){
		.key = cr_text_view(&name), .value = cr_str_of(equals + 1), .remove = !equals[1]};
	rc = edit(s, &change, err);
	cr_text_fini(&name);
	return rc;
}

static int
run_note(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_edit change = {
		.key = CR_STR("note"), .value = cr_str_of(args), .remove = !*args};

	(void)out;
	return edit(s, &change, err);
}

static int
run_rename(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_view *v;
	const struct store *m;
	int rc;

	(void)out;
	if ((rc = cr_secure_check("a change of the store", err)) < 0 ||
		(rc = need_selected(s, &v, &r, err)) < 0)
		return rc;
	m = v->state;
	if ((rc = cr_catalog_rename(m->dir, r->entry->name, args, false, err)) == CR_OK)
		again(v, s, args);
	return rc;
}

static int
run_remove(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct cr_stored *r;
	struct cr_view *v;
	const struct store *m;
	int rc;

	(void)args, (void)out;
	if ((rc = cr_secure_check("a change of the store", err)) < 0 ||
		(rc = need_selected(s, &v, &r, err)) < 0)
		return rc;
	m = v->state;
	if ((rc = cr_catalog_remove(m->dir, r->entry->name, err)) < 0)
		return rc;
	cr_text_printf(&s->message, "removed ");
	cr_text_safe(&s->message, cr_str_of(r->entry->name));
	again(v, s, NULL);
	return CR_OK;
}

static int
merge_picked(const struct cr_session *s, const struct store *m, struct cr_profile **out,
	struct cr_err *err)
{
	struct cr_merge *merge = cr_merge_new();
	int rc = CR_OK;

	for (int i = 0; i < PICKS && rc == CR_OK; i++) {
		struct cr_log log = {0};
		struct cr_profile *p = NULL;

		if ((rc = cr_load(m->picked[i], CR_STORE_ALL, s->load, &p, &log, err)) == CR_OK)
			rc = cr_merge_add(merge, p, cr_str_of(m->picked[i]), err);
		cr_profile_free(p);
	}
	if (rc == CR_OK)
		rc = cr_merge_finish(merge, out, err);
	cr_merge_free(merge);
	return rc;
}

static int
run_combine(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = store_view(s);
	const struct store *m = v->state;
	struct cr_profile *p = NULL;
	int rc;

	(void)out;
	if (!m->picked[BEFORE] || !m->picked[AFTER])
		return cr_fail(err, CR_EUSAGE, CR_NO_OFFSET, "combine: pick two profiles first");
	if ((rc = cr_secure_check("a change of the store", err)) < 0 ||
		(rc = cr_catalog_may_put(m->dir, args, false, err)) < 0 ||
		(rc = merge_picked(s, m, &p, err)) < 0)
		return rc;
	cr_default_tree_make(p);
	if ((rc = cr_catalog_put(m->dir, args, false, p, err)) == CR_OK) {
		cr_text_printf(
			&s->message, "merged %s and %s", m->picked[BEFORE], m->picked[AFTER]);
		again(v, s, args);
	}
	cr_profile_free(p);
	return rc;
}

static int
run_match(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	struct cr_view *v = store_view(s);
	struct store *m = v->state;

	(void)out, (void)err;
	free(m->match);
	m->match = *args ? cr_strdup(args) : NULL;
	again(v, s, selected(v) ? name_at(m, v->row) : NULL);
	return CR_OK;
}

static void
set_sort(struct cr_session *s, const char *word, bool reverse)
{
	struct cr_view *v = store_view(s);
	struct store *m = v->state;
	char *name = selected(v) ? cr_strdup(name_at(m, v->row)) : NULL;

	m->sort = word;
	m->reverse = reverse;
	order(v, m);
	find_name(v, name);
	free(name);
}

static int
run_sort(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct store *m = store_view(s)->state;
	const bool next = strcmp(args, "next") == 0, previous = strcmp(args, "previous") == 0;
	struct cr_text words = {0};
	size_t n = 0, at = 0;
	int rc;

	(void)out;
	for (; cr_stored_sort_word(n); n++) {
		const char *word = cr_stored_sort_word(n);

		cr_text_printf(&words, "%s%s", n ? ", " : "", word);
		if (strcmp(word, next || previous ? (m->sort ? m->sort : "name") : args) == 0)
			at = n + 1;
	}
	if (!at) {
		rc = cr_argument_bad(err, "sort key", args, words.p);
	} else {
		at = next ? at % n : previous ? (at - 1 + n - 1) % n : at - 1;
		set_sort(s, cr_stored_sort_word(at), false);
		rc = CR_OK;
	}
	cr_text_fini(&words);
	return rc;
}

static int
run_reverse(struct cr_session *s, const char *args, FILE *out, struct cr_err *err)
{
	const struct store *m = store_view(s)->state;

	(void)args, (void)out, (void)err;
	set_sort(s, m->sort, !m->reverse);
	return CR_OK;
}

static const struct cr_command store_commands[] = {
	{"sort", "next|previous|KEY",
		"sort by name, date, host, command, event, samples, duration or size", false,
		run_sort, cr_stored_sort_word},
	{"reverse", "", "reverse the order of the stored profiles", false, run_reverse, NULL},
	{"select-profile", "NAME", "select a stored profile", true, run_select_profile, NULL},
	{"open-selected", "", "open the selected stored profile", false, run_open_selected, NULL},
	{"print-profile", "",
		"print all about the recording of the selected stored profile, as ! does", false,
		run_print_profile, NULL},
	{"pick", "before|after|none", "pick the selected stored profile, for diff and combine",
		false, run_pick, NULL},
	{"diff", "[BEFORE AFTER]", "show the difference of two profiles, by default those picked",
		false, run_diff, NULL},
	{"combine", "NAME", "merge the two profiles picked, and store the result under this name",
		true, run_combine, NULL},
	{"tag", "KEY=VALUE", "add a tag to the selected stored profile; KEY= removes it", true,
		run_tag, NULL},
	{"note", "[TEXT]", "set the note of the selected stored profile; without TEXT, remove it",
		true, run_note, NULL},
	{"rename", "NAME", "rename the selected stored profile", true, run_rename, NULL},
	{"remove", "", "remove the selected stored profile from the store", false, run_remove,
		NULL},
	{"match", "[TEXT]", "list only stored profiles that have TEXT in name, tags, note ...",
		true, run_match, NULL},
	{0},
};

/* ---- the view */

static const struct cr_binding store_keys[] = {
	{"Store", {CR_KEY_ENTER}, "open-selected",
		"open the profile; u comes back to the one that was open", "open", false},
	{"Store", {'!'}, "print-profile",
		"show all about its recording: what is wrong with it, what is missing", NULL,
		false},
	{"Store", {'a'}, "pick before", "pick the profile as A, the side before", "before", false},
	{"Store", {'b'}, "pick after", "pick it as B, the side after", "after", false},
	{"Store", {'D'}, "diff", "show the difference of A and B", "diff", false},
	{"Store", {'+'}, "ask combine merge A and B as: ", "merge A and B into a new profile",
		"merge", false},
	{"Store", {'t'}, "ask tag tag (KEY=VALUE, KEY= removes it): ", "add or remove a tag", "tag",
		false},
	{"Store", {'N'}, "ask note note: ", "set the note; an empty one removes it", "note", false},
	{"Store", {'r'}, "ask rename new name: ", "rename the profile", "rename", false},
	{"Store", {'x'}, "confirm remove remove it from the store? (y/n) ",
		"remove the profile from the store; asks first", "remove", false},
	{"Store", {'/'}, "ask match only profiles with: ",
		"list only profiles that have a text in name, tags, note, host, command or event",
		"search", false},
	{"Store", {CR_KEY_ESC}, "match", "list all profiles again", NULL, false},
	{"Store", {'s'}, "sort next", "sort by the next column", "sort", false},
	{"Store", {'S'}, "sort previous", "sort by the column before", NULL, false},
	{"Store", {'R'}, "reverse", "turn the order round", NULL, false},
	{0},
};

const struct cr_view_ops cr_view_store = {
	.name = "store",
	.label = "Store",
	.about = "the stored profiles",
	.surface = CR_SURFACE_SHEET,
	.needs_no_profile = true,
	.state_bytes = sizeof(struct store),
	.keys = store_keys,
	.commands = store_commands,
	.make = store_make,
	.drop = store_drop,
	.fini = store_fini,
	.surface_of = store_surface,
	.enter = store_enter,
	.move = store_move,
	.select_row = store_select_row,
	.put_open = store_put_open,
	.is_match = store_is_match,
	.find = store_find,
	.put_about = store_put_about,
	.put_title = store_put_title,
	.put_name = store_put_name,
	.sheet = store_sheet,
	.print = store_print,
};
