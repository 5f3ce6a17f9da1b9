#include "line_table_p.h"

#include <dwarf.h>
#include <stdlib.h>

#define MAX_FORMATS 16
#define MAX_FILES ((size_t)1 << 20)
/* Longer names are truncated: thousands of entries may refer to the same megabytes. */
#define MAX_STRING 4096

static uint64_t
offset_read(struct cr_cursor *c, bool wide)
{
	return wide ? cr_cursor_u64(c) : cr_cursor_u32(c);
}

/* A string in another section. */
static struct cr_str
string_at(struct cr_cursor section, uint64_t offset)
{
	cr_cursor_skip(&section, offset);
	return cr_cursor_text(&section, CR_MIN(cr_cursor_left(&section), MAX_STRING));
}

/* The header of a table, before its program. */
struct header {
	const struct cr_line_sections *sections;
	struct cr_cursor c;
	uint16_t version;
	bool wide; /* 64-bit offsets */
};

/* Before version 5: names up to an empty one. */
static void
dirs_read_old(struct header *h, struct cr_line_table *t)
{
	struct cr_str s;

	while (t->dirs.n < MAX_FILES && (s = cr_cursor_string(&h->c)).len)
		cr_vec_push(&t->dirs, s);
}

static void
files_read_old(struct header *h, struct cr_line_table *t)
{
	struct cr_line_file f = {.dir = 0};

	cr_vec_push(&t->files, f); /* files are numbered from 1 */
	while (t->files.n < MAX_FILES && (f.name = cr_cursor_string(&h->c)).len) {
		f.dir = cr_cursor_uleb(&h->c);
		cr_cursor_uleb(&h->c); /* time */
		cr_cursor_uleb(&h->c); /* length */
		cr_vec_push(&t->files, f);
	}
}

/*
 * Read a field of an entry as text or number, according to its form. The size of other forms is
 * unknown.
 */
static void
field_read(struct header *h, uint64_t form, struct cr_str *text, uint64_t *number)
{
	*text = (struct cr_str){"", 0};
	*number = 0;
	switch (form) {
	case DW_FORM_string: *text = cr_cursor_string(&h->c); break;
	case DW_FORM_line_strp:
		*text = string_at(h->sections->line_str, offset_read(&h->c, h->wide));
		break;
	case DW_FORM_strp: *text = string_at(h->sections->str, offset_read(&h->c, h->wide)); break;
	case DW_FORM_udata: *number = cr_cursor_uleb(&h->c); break;
	case DW_FORM_data1: *number = cr_cursor_u8(&h->c); break;
	case DW_FORM_data2: *number = cr_cursor_u16(&h->c); break;
	case DW_FORM_data4: cr_cursor_skip(&h->c, 4); break;
	case DW_FORM_data8: cr_cursor_skip(&h->c, 8); break;
	case DW_FORM_data16: cr_cursor_skip(&h->c, 16); break;
	case DW_FORM_block: cr_cursor_skip(&h->c, cr_cursor_uleb(&h->c)); break;
	default: h->c.bad = true;
	}
}

/* Version 5: a description of the fields, followed by the entries. */
static void
entries_read(struct header *h, struct cr_line_table *t, bool dirs)
{
	struct {
		uint64_t content, form;
	} formats[MAX_FORMATS];
	const uint8_t n_formats = cr_cursor_u8(&h->c);
	uint64_t n;

	if (n_formats > MAX_FORMATS) {
		h->c.bad = true;
		return;
	}
	for (uint8_t i = 0; i < n_formats; i++) {
		formats[i].content = cr_cursor_uleb(&h->c);
		formats[i].form = cr_cursor_uleb(&h->c);
	}
	n = cr_cursor_uleb(&h->c);
	for (uint64_t k = 0; k < CR_MIN(n, MAX_FILES) && n_formats && !h->c.bad; k++) {
		struct cr_line_file f = {.dir = 0};

		for (uint8_t i = 0; i < n_formats; i++) {
			struct cr_str text;
			uint64_t number;

			field_read(h, formats[i].form, &text, &number);
			if (formats[i].content == DW_LNCT_path)
				f.name = text;
			else if (formats[i].content == DW_LNCT_directory_index)
				f.dir = number;
		}
		if (dirs)
			cr_vec_push(&t->dirs, f.name);
		else
			cr_vec_push(&t->files, f);
	}
}

static void
names_read(struct header *h, struct cr_line_table *t, const char *dir)
{
	if (h->version >= 5) {
		entries_read(h, t, true);
		entries_read(h, t, false);
		return;
	}
	cr_vec_push(&t->dirs, cr_str_of(dir));
	dirs_read_old(h, t);
	files_read_old(h, t);
}

uint64_t
cr_line_table_bytes(struct cr_cursor line, uint64_t offset)
{
	uint64_t len;

	cr_cursor_skip(&line, offset);
	len = cr_cursor_u32(&line);
	if (len == UINT32_MAX)
		len = cr_cursor_u64(&line);
	return CR_MIN(len, cr_cursor_left(&line));
}

bool
cr_line_table_open(
	struct cr_line_table *t, const struct cr_line_sections *s, uint64_t offset, const char *dir)
{
	struct header h = {.sections = s};
	struct cr_cursor c = s->line, unit;
	uint64_t len, header_len;

	*t = (struct cr_line_table){.max_ops = 1};
	cr_cursor_skip(&c, offset);
	len = cr_cursor_u32(&c);
	if (len == UINT32_MAX) {
		h.wide = true;
		len = cr_cursor_u64(&c);
	}
	unit = cr_cursor_sub(&c, len);
	h.version = cr_cursor_u16(&unit);
	if (unit.bad || h.version < 2 || h.version > 5)
		return false;
	if (h.version >= 5)
		cr_cursor_skip(&unit, 2); /* sizes of addresses and segment selectors */
	header_len = offset_read(&unit, h.wide);
	h.c = cr_cursor_sub(&unit, header_len);
	t->program = unit;
	t->min_bytes = cr_cursor_u8(&h.c);
	if (h.version >= 4)
		t->max_ops = cr_cursor_u8(&h.c);
	cr_cursor_skip(&h.c, 1); /* default_is_stmt */
	t->line_base = (int8_t)cr_cursor_u8(&h.c);
	t->line_range = cr_cursor_u8(&h.c);
	t->opcode_base = cr_cursor_u8(&h.c);
	t->lengths = cr_cursor_take(&h.c, t->opcode_base ? t->opcode_base - 1u : 0);
	if (h.c.bad || unit.bad || t->opcode_base == 0 || t->line_range == 0 || t->max_ops == 0)
		return false;
	names_read(&h, t, dir);
	return true;
}

/* Registers of the program, and the next addresses. */
struct machine {
	const struct cr_line_table *t;
	const struct cr_addrkey *keys;
	size_t n, next; /* keys[next] is the first at or above the last row */
	struct cr_line_place *places;
	uint64_t lowest;
	uint64_t addr;
	uint64_t op; /* op_index of a VLIW instruction */
	uint64_t file;
	uint32_t line;
	uint64_t row_addr; /* the last row of the sequence, if has_row */
	struct cr_line_place row;
	bool has_row;
	uint64_t budget; /* remaining number of keys to visit: rows may go back and forth */
};

static void
sequence_start(struct machine *m)
{
	m->addr = m->op = 0;
	m->file = m->line = 1;
	m->has_row = false;
}

static void
find_next(struct machine *m)
{
	m->next = m->addr < m->lowest ? m->n : cr_addrkey_from(m->keys, m->n, m->addr);
}

/* End the range of the last row here. */
static void
row_end(struct machine *m)
{
	if (m->addr < m->row_addr) { /* addresses must not decrease */
		find_next(m);
		return;
	}
	for (; m->next < m->n && m->keys[m->next].addr < m->addr && m->budget;
		m->next++, m->budget--)
		if (m->places[m->next].line == 0)
			m->places[m->next] = m->row;
}

static void
row_add(struct machine *m)
{
	if (m->has_row) {
		row_end(m);
	} else {
		find_next(m);
		m->has_row = true;
	}
	m->row_addr = m->addr;
	m->row = (struct cr_line_place){(uint32_t)CR_MIN(m->file, UINT32_MAX), m->line};
}

static void
advance(struct machine *m, uint64_t ops)
{
	const struct cr_line_table *t = m->t;

	if (t->max_ops == 1) {
		m->addr += ops * t->min_bytes;
		return;
	}
	m->addr += (m->op + ops) / t->max_ops * t->min_bytes;
	m->op = (m->op + ops) % t->max_ops;
}

static void
extended(struct machine *m, struct cr_cursor *c)
{
	struct cr_cursor args = cr_cursor_sub(c, cr_cursor_uleb(c));

	switch (cr_cursor_u8(&args)) {
	case DW_LNE_end_sequence:
		if (m->has_row)
			row_end(m);
		sequence_start(m);
		break;
	case DW_LNE_set_address:
		m->addr = cr_cursor_left(&args) >= 8 ? cr_cursor_u64(&args) : cr_cursor_u32(&args);
		m->op = 0;
		break;
	default: /* opcodes without effect on lines, and unknown ones */ break;
	}
}

static void
standard(struct machine *m, struct cr_cursor *c, uint8_t opcode)
{
	switch (opcode) {
	case DW_LNS_copy: row_add(m); break;
	case DW_LNS_advance_pc: advance(m, cr_cursor_uleb(c)); break;
	case DW_LNS_advance_line: m->line += (uint32_t)cr_cursor_sleb(c); break;
	case DW_LNS_set_file: m->file = cr_cursor_uleb(c); break;
	case DW_LNS_const_add_pc: advance(m, (255u - m->t->opcode_base) / m->t->line_range); break;
	case DW_LNS_fixed_advance_pc:
		m->addr += cr_cursor_u16(c);
		m->op = 0;
		break;
	default:
		for (uint8_t i = 0; i < m->t->lengths[opcode - 1]; i++)
			cr_cursor_uleb(c);
	}
}

void
cr_line_table_run(const struct cr_line_table *t, uint64_t lowest, const struct cr_addrkey *keys,
	size_t n, struct cr_line_place *places)
{
	struct machine m = {.t = t,
		.keys = keys,
		.n = n,
		.places = places,
		.lowest = lowest,
		.budget = (uint64_t)n * 64 + 65536};
	struct cr_cursor c = t->program;

	sequence_start(&m);
	while (cr_cursor_left(&c)) {
		const uint8_t opcode = cr_cursor_u8(&c);

		if (opcode >= t->opcode_base) {
			const unsigned step = opcode - t->opcode_base;

			advance(&m, step / t->line_range);
			m.line += (uint32_t)(t->line_base + (int)(step % t->line_range));
			row_add(&m);
		} else if (opcode == 0) {
			extended(&m, &c);
		} else {
			standard(&m, &c, opcode);
		}
	}
}

/* Append the parts of a path to one that is absolute or empty. */
static void
path_add(struct cr_text *out, size_t root, struct cr_str more)
{
	while (more.len) {
		const char *slash = memchr(more.p, '/', more.len);
		const uint32_t n = slash ? (uint32_t)(slash - more.p) : more.len;
		const struct cr_str part = {more.p, n};
		const char *last = memrchr(out->p + root, '/', out->len - root);

		more.p += CR_MIN(n + 1, more.len);
		more.len -= CR_MIN(n + 1, more.len);
		if (n == 0 || cr_str_eq(part, CR_STR(".")))
			continue;
		if (cr_str_eq(part, CR_STR("..")) && last && strcmp(last, "/..") != 0) {
			out->len = (size_t)(last - out->p);
			out->p[out->len] = '\0';
			continue;
		}
		cr_text_char(out, '/');
		cr_text_str(out, part);
	}
}

static bool
is_absolute(struct cr_str s)
{
	return s.len && s.p[0] == '/';
}

void
cr_line_table_path(const struct cr_line_table *t, uint64_t file, struct cr_text *out)
{
	const struct cr_line_file *f = file < t->files.n ? &t->files.p[file] : NULL;
	const size_t root = out->len;
	struct cr_str dir = {0}, first = {0};

	if (!f || f->name.len == 0)
		return;
	if (!is_absolute(f->name) && f->dir < t->dirs.n)
		dir = t->dirs.p[f->dir];
	if (!is_absolute(f->name) && !is_absolute(dir) && f->dir != 0 && t->dirs.n)
		first = t->dirs.p[0];
	cr_text_puts(out, "");
	path_add(out, root, first);
	path_add(out, root, dir);
	path_add(out, root, f->name);
	/* Each part was added with a slash before it; remove the first one of a relative path. */
	if (!is_absolute(first.len ? first : dir.len ? dir : f->name) && out->len > root) {
		memmove(out->p + root, out->p + root + 1, out->len - root);
		out->len--;
	}
}

void
cr_line_table_fini(struct cr_line_table *t)
{
	cr_vec_fini(&t->dirs);
	cr_vec_fini(&t->files);
}
