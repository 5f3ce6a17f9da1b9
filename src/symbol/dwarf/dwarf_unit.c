#include "dwarf_unit_p.h"

#include <dwarf.h>

#define MAX_TABLES 65536
/* Bytes of the tables of other units, for each byte of the unit, besides what it has to spare. */
#define SPARE_FACTOR 64
/* Bytes of names: for each address, each byte of the unit, and in addition. */
#define ADDRESS_NAMES ((uint64_t)16 << 10)
#define NAMES_FACTOR 16
#define FREE_NAMES ((uint64_t)256 << 10)

/* Charge for reading the names in a table of another unit. */
static void
names_pay(struct cr_unit_work *w, const struct cr_line_table *t, struct cr_cursor line)
{
	const uint64_t bytes = t->program.p ? (uint64_t)(t->program.p - line.p) : 0;

	w->spare -= CR_MIN(w->spare, bytes);
}

/* Open the line table of the unit with this DIE: the own one is the first. */
static void
table_open(struct cr_unit_work *w, Dwarf_Die *unit)
{
	struct cr_unit_files f = {.cu = unit->cu};
	Dwarf_Attribute a;
	const char *dir = dwarf_attr(unit, DW_AT_comp_dir, &a) ? cr_dwarf_text(w->d, &a) : NULL;
	const struct cr_line_sections *s = cr_dwarf_lines(w->d, dwarf_cu_getdwarf(unit->cu));
	const bool own = w->tables.n == 0;
	uint64_t offset;

	if ((own ? !w->u->hit->no_lines : w->spare > 0) &&
		cr_dwarf_die_number(unit, DW_AT_stmt_list, &offset)) {
		struct cr_cursor line = s->line;

		if (!cr_line_table_open(&f.table, s, offset, dir))
			cr_line_table_fini(&f.table);
		cr_cursor_skip(&line, offset);
		if (!own)
			names_pay(w, &f.table, line);
	}
	f.rows = cr_alloc(f.table.files.n, sizeof(*f.rows));
	memset(f.rows, 0xff, f.table.files.n * sizeof(*f.rows)); /* CR_NO_ROW */
	cr_index_add(&w->by_unit, cr_hash_mix((uintptr_t)f.cu, 0), (uint32_t)w->tables.n);
	cr_vec_push(&w->tables, f);
}

static struct cr_unit_files *
table_of(struct cr_unit_work *w, Dwarf_Die *die)
{
	const uint64_t h = cr_hash_mix((uintptr_t)die->cu, 0);
	uint32_t row;
	Dwarf_Die unit;

	cr_index_each(&w->by_unit, h, row)
		if (w->tables.p[row].cu == die->cu || w->tables.p[row].split == die->cu)
			return &w->tables.p[row];
	if (w->tables.n >= MAX_TABLES || !dwarf_diecu(die, &unit, NULL, NULL))
		return NULL;
	table_open(w, &unit);
	return &w->tables.p[w->tables.n - 1];
}

static uint32_t
file_row(struct cr_unit_work *w, struct cr_unit_files *f, uint64_t number)
{
	struct cr_str path;

	if (number >= f->table.files.n)
		return 0;
	if (f->rows[number] != CR_NO_ROW)
		return f->rows[number];
	cr_text_clear(&w->text);
	cr_line_table_path(&f->table, number, &w->text);
	f->rows[number] = 0;
	if (w->text.len) {
		path = (struct cr_str){
			cr_arena_copy(&w->u->arena, w->text.p, w->text.len), (uint32_t)w->text.len};
		f->rows[number] = (uint32_t)w->u->files.n;
		cr_vec_push(&w->u->files, path);
	}
	return f->rows[number];
}

uint32_t
cr_unit_file(struct cr_unit_work *w, Dwarf_Die *die, uint64_t number)
{
	struct cr_unit_files *f = table_of(w, die);

	return f ? file_row(w, f, number) : 0;
}

static void
find_lines(struct cr_unit_work *w, struct cr_unit_answer *answers)
{
	const struct cr_dwarf_hit *hit = w->u->hit;
	struct cr_unit_files *own = &w->tables.p[0];
	struct cr_line_place *places;

	if (own->table.files.n == 0)
		return;
	places = cr_alloc(hit->n, sizeof(*places));
	cr_line_table_run(&own->table, w->lowest, hit->keys, hit->n, places);
	for (size_t i = 0; i < hit->n; i++)
		if (places[i].line) {
			answers[i].file = file_row(w, own, places[i].file);
			answers[i].line = places[i].line;
		}
	free(places);
}

/* If the unit is only a skeleton, find its DIEs in another file. */
static void
find_split(struct cr_unit_work *w, Dwarf_Die *unit)
{
	Dwarf_Die split;

	if (!dwarf_hasattr(unit, DW_AT_dwo_name) && !dwarf_hasattr(unit, DW_AT_GNU_dwo_name))
		return;
	if (!cr_split_unit(w->d->split, unit, &split)) {
		w->u->bare = true;
		return;
	}
	w->tables.p[0].split = split.cu;
	cr_index_add(&w->by_unit, cr_hash_mix((uintptr_t)split.cu, 0), 0);
	*unit = split;
}

static void
work_fini(struct cr_unit_work *w)
{
	for (size_t i = 0; i < w->tables.n; i++) {
		cr_line_table_fini(&w->tables.p[i].table);
		free(w->tables.p[i].rows);
	}
	cr_vec_fini(&w->tables);
	cr_vec_fini(&w->names);
	cr_index_fini(&w->by_unit);
	cr_index_fini(&w->by_entry);
	cr_text_fini(&w->text);
	cr_text_fini(&w->linkage);
}

void
cr_unit_read(struct cr_unit *u, struct cr_dwarf *d, uint64_t lowest, bool demangle,
	const struct cr_unit_watch *watch)
{
	struct cr_unit_work w = {.u = u,
		.d = d,
		.watch = watch,
		.lowest = lowest,
		.demangle = demangle,
		.spare = cr_add_sat(u->hit->spare, cr_mul_sat(u->hit->bytes, SPARE_FACTOR)),
		.name_bytes = cr_add_sat(u->hit->n * ADDRESS_NAMES + FREE_NAMES,
			cr_mul_sat(u->hit->bytes, NAMES_FACTOR))};
	Dwarf_Die unit;

	u->answers = cr_alloc(u->hit->n, sizeof(*u->answers));
	for (size_t i = 0; i < u->hit->n; i++)
		u->answers[i].node = CR_NO_ROW;
	cr_vec_push(&u->files, ((struct cr_str){"", 0}));
	if (dwarf_offdie(d->dbg, u->hit->offset, &unit)) {
		table_open(&w, &unit);
		find_lines(&w, u->answers);
		find_split(&w, &unit);
		cr_unit_walk(&w, &unit);
	}
	work_fini(&w);
	if (w.stop)
		cr_unit_fini(u);
}

void
cr_unit_fini(struct cr_unit *u)
{
	free(u->answers);
	u->answers = NULL;
	cr_vec_fini(&u->nodes);
	cr_vec_fini(&u->functions);
	cr_vec_fini(&u->files);
	cr_arena_fini(&u->arena);
}
