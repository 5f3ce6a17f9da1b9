#include "dwp_p.h"

#include <string.h>

#define MAX_COLUMNS 16
#define HEAD_BYTES 64

/* Parts of a unit: section numbers in an index of versions 2 and 5. */
enum { DW_INFO = 1, DW_ABBREV = 3, DW_STR_OFFSETS = 6, DW_RNGLISTS = 8 };

/* A part of c, which others number from its start; empty if it is not all there. */
static struct cr_cursor
slice(struct cr_cursor c, uint64_t offset, uint64_t len)
{
	struct cr_cursor out;
	const unsigned char *p;

	cr_cursor_skip(&c, offset);
	p = cr_cursor_take(&c, len);
	cr_cursor_init(&out, p, p ? (size_t)len : 0);
	out.swap = c.swap;
	return out;
}

/* ---- a .dwo file, usually with one unit */

/* Charge for a header. Before DWARF 5 the id is an attribute, so abbreviations are read. */
static bool
head_pay(const struct cr_unit_parts *parts, const struct cr_unit_head *h, uint64_t *budget)
{
	const uint64_t bytes = HEAD_BYTES + (h->version < 5 ? cr_cursor_left(&parts->abbrev) : 0);

	if (bytes > *budget)
		return false;
	*budget -= bytes;
	return true;
}

static bool
find_unit(struct cr_unit_parts *parts, uint64_t id, uint64_t *budget)
{
	struct cr_unit_head h;

	while (cr_cursor_left(&parts->info)) {
		if (!cr_unit_head_read(&parts->info, &parts->abbrev, &h) ||
			!head_pay(parts, &h, budget))
			return false;
		if (h.id == id) {
			parts->info = h.unit;
			return true;
		}
	}
	return false;
}

/* ---- a package */

struct index {
	struct cr_cursor slots, rows, columns, offsets, sizes;
	uint32_t n_columns, n_units, n_slots;
};

static bool
index_open(struct cr_cursor c, struct index *out)
{
	const uint16_t version = cr_cursor_u16(&c), more = cr_cursor_u16(&c);
	uint64_t cells;

	/* Version 5 has two bytes and two zero bytes, version 2 has four bytes. */
	if (version != 5 && (uint32_t)version + more != 2)
		return false;
	out->n_columns = cr_cursor_u32(&c);
	out->n_units = cr_cursor_u32(&c);
	out->n_slots = cr_cursor_u32(&c);
	if (out->n_columns == 0 || out->n_columns > MAX_COLUMNS || out->n_slots == 0 ||
		(out->n_slots & (out->n_slots - 1)))
		return false;
	cells = (uint64_t)out->n_columns * out->n_units * 4;
	out->slots = cr_cursor_sub(&c, (uint64_t)out->n_slots * 8);
	out->rows = cr_cursor_sub(&c, (uint64_t)out->n_slots * 4);
	out->columns = cr_cursor_sub(&c, (uint64_t)out->n_columns * 4);
	out->offsets = cr_cursor_sub(&c, cells);
	out->sizes = cr_cursor_sub(&c, cells);
	return !c.bad;
}

static uint32_t
u32_at(struct cr_cursor c, uint64_t row)
{
	cr_cursor_skip(&c, row * 4);
	return cr_cursor_u32(&c);
}

static uint64_t
u64_at(struct cr_cursor c, uint64_t row)
{
	cr_cursor_skip(&c, row * 8);
	return cr_cursor_u64(&c);
}

/* The row of the unit, from 1; 0 if the package lacks it. */
static uint32_t
index_find(const struct index *ix, uint64_t id)
{
	const uint32_t mask = ix->n_slots - 1;
	const uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;
	uint32_t slot = (uint32_t)id & mask;

	for (uint32_t i = 0; i < ix->n_slots; i++, slot = (slot + step) & mask) {
		const uint32_t row = u32_at(ix->rows, slot);

		if (row == 0 || row > ix->n_units)
			return 0;
		if (u64_at(ix->slots, slot) == id)
			return row;
	}
	return 0;
}

/* Reduce each section to the part of the unit. */
static void
cut(const struct index *ix, uint32_t row, struct cr_unit_parts *parts)
{
	for (uint32_t i = 0; i < ix->n_columns; i++) {
		const uint64_t cell = (uint64_t)(row - 1) * ix->n_columns + i;
		struct cr_cursor *c;

		switch (u32_at(ix->columns, i)) {
		case DW_INFO: c = &parts->info; break;
		case DW_ABBREV: c = &parts->abbrev; break;
		case DW_STR_OFFSETS: c = &parts->str_offsets; break;
		case DW_RNGLISTS:
			c = &parts->rnglists;
			break; /* in version 2 it is for macros, which have no such section */
		default: continue;
		}
		*c = slice(*c, u32_at(ix->offsets, cell), u32_at(ix->sizes, cell));
	}
}

bool
cr_dwp_find(struct cr_elf *e, uint64_t id, uint64_t *budget, struct cr_unit_parts *out)
{
	struct cr_cursor c;
	struct index ix;
	uint32_t row;

	if (!cr_elf_cursor(e, ".debug_info.dwo", &out->info) ||
		!cr_elf_cursor(e, ".debug_abbrev.dwo", &out->abbrev))
		return false;
	cr_elf_cursor(e, ".debug_str_offsets.dwo", &out->str_offsets);
	cr_elf_cursor(e, ".debug_str.dwo", &out->str);
	cr_elf_cursor(e, ".debug_rnglists.dwo", &out->rnglists);
	if (cr_elf_cursor(e, ".debug_cu_index", &c)) {
		if (!index_open(c, &ix) || (row = index_find(&ix, id)) == 0)
			return false;
		cut(&ix, row, out);
	}
	return find_unit(out, id, budget);
}
