#include "unit_scan_p.h"

#include "base/mem.h"

#include <dwarf.h>

/*
 * Bytes of .debug_abbrev that may be read, in sizes of the section, besides one for each byte of
 * .debug_info: units may share a long abbreviation whose attributes take no space in them.
 */
#define ABBREV_FACTOR 64

bool
cr_unit_scan_init(struct cr_unit_scan *s, const struct cr_elf *e)
{
	for (size_t i = 1; i < e->n_sections; i++) {
		const struct cr_str name = cr_str_of(e->sections[i].name);

		if (cr_str_eq(name, CR_STR(".debug_types")) || cr_str_ends(name, ".dwo") ||
			cr_str_starts(name, ".gnu.debuglto_"))
			return false;
	}
	if (!cr_elf_cursor(e, ".debug_info", &s->info) ||
		!cr_elf_cursor(e, ".debug_abbrev", &s->abbrev))
		return false;
	cr_elf_cursor(e, ".debug_addr", &s->addr);
	cr_elf_cursor(e, ".debug_ranges", &s->ranges);
	cr_elf_cursor(e, ".debug_rnglists", &s->rnglists);
	cr_elf_cursor(e, ".debug_line", &s->line);
	s->at = s->info;
	s->budget = cr_cursor_left(&s->abbrev) * ABBREV_FACTOR + cr_cursor_left(&s->info);
	return true;
}

/* ---- the first DIE */

/* An attribute: its form in the abbreviation, and its value. */
struct attribute {
	uint64_t form; /* 0 if it is missing */
	uint64_t number;
};

struct first {
	uint64_t tag;
	struct attribute low, high, ranges, entry, addr_base, rnglists_base, lines;
	bool split; /* it has an attribute of DWARF 4 for split units */
};

/*
 * Read a value, or skip it if it is no number. Returns false for forms that first DIEs of units do
 * not have.
 */
static bool
value_read(struct cr_cursor *c, uint64_t form, uint8_t addr_bytes, uint64_t *out)
{
	*out = 0;
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return true; /* in the abbreviation */
	case DW_FORM_flag:
	case DW_FORM_data1:
	case DW_FORM_strx1:
	case DW_FORM_addrx1: *out = cr_cursor_u8(c); return true;
	case DW_FORM_data2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2: *out = cr_cursor_u16(c); return true;
	case DW_FORM_data4:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_sec_offset: *out = cr_cursor_u32(c); return true;
	case DW_FORM_data8: *out = cr_cursor_u64(c); return true;
	case DW_FORM_addr:
		*out = addr_bytes == 8 ? cr_cursor_u64(c) : cr_cursor_u32(c);
		return true;
	case DW_FORM_string: cr_cursor_string(c); return true;
	case DW_FORM_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_rnglistx: *out = cr_cursor_uleb(c); return true;
	case DW_FORM_sdata: cr_cursor_sleb(c); return true;
	default: return false;
	}
}

/* Where an attribute is kept; NULL if it is not needed. */
static struct attribute *
attribute_of(struct first *f, uint64_t name)
{
	switch (name) {
	case DW_AT_low_pc: return &f->low;
	case DW_AT_high_pc: return &f->high;
	case DW_AT_ranges: return &f->ranges;
	case DW_AT_entry_pc: return &f->entry;
	case DW_AT_addr_base: return &f->addr_base;
	case DW_AT_rnglists_base: return &f->rnglists_base;
	case DW_AT_stmt_list: return &f->lines;
	case DW_AT_GNU_dwo_id:
	case DW_AT_GNU_dwo_name:
	case DW_AT_GNU_addr_base:
	case DW_AT_GNU_ranges_base: f->split = true; return NULL;
	default: return NULL;
	}
}

/* Skip the attributes of an abbreviation, up to two zeros; false if there is only one. */
static bool
skip_attributes(struct cr_cursor *c)
{
	while (!c->bad) {
		const uint64_t name = cr_cursor_uleb(c), form = cr_cursor_uleb(c);

		if (form == DW_FORM_implicit_const)
			cr_cursor_uleb(c);
		if (name == 0 || form == 0)
			return name == form && !c->bad;
	}
	return false;
}

/* Move c from the start of a table to the attributes of a code. */
static bool
find_abbrev(struct cr_cursor *c, uint64_t code, uint64_t *tag)
{
	uint64_t here;

	while ((here = cr_cursor_uleb(c)) != 0 && !c->bad) {
		*tag = cr_cursor_uleb(c);
		cr_cursor_skip(c, 1);
		if (here == code)
			return !c->bad;
		if (!skip_attributes(c))
			return false;
	}
	return false;
}

static bool
pay(struct cr_unit_scan *s, uint64_t read)
{
	if (read > s->budget)
		return false;
	s->budget -= read;
	return true;
}

/* die: at the first DIE, limited to the unit. table: offset of its abbreviations. */
static bool
first_read(struct cr_unit_scan *s, struct cr_cursor die, uint64_t table, uint8_t addr_bytes,
	struct first *out)
{
	struct cr_cursor c = s->abbrev;
	const uint64_t code = cr_cursor_uleb(&die);

	*out = (struct first){0};
	cr_cursor_skip(&c, table);
	if (!code || !find_abbrev(&c, code, &out->tag))
		return false;
	while (!c.bad && !die.bad) {
		const uint64_t name = cr_cursor_uleb(&c), form = cr_cursor_uleb(&c);
		struct attribute *a = attribute_of(out, name);
		uint64_t v;

		if (form == DW_FORM_implicit_const)
			cr_cursor_uleb(&c);
		if (name == 0 || form == 0)
			return name == form && !c.bad && !die.bad &&
			       pay(s, cr_cursor_at(&c) - table);
		if (!value_read(&die, form, addr_bytes, &v))
			return false;
		if (a && a->form == 0)
			*a = (struct attribute){form, v};
	}
	return false;
}

/* ---- ranges */

static uint64_t
address_read(struct cr_cursor *c, uint8_t addr_bytes)
{
	return addr_bytes == 8 ? cr_cursor_u64(c) : cr_cursor_u32(c);
}

/* Entry `index` of the unit's addresses. */
static bool
indexed_address(const struct cr_unit_scan *s, const struct cr_scanned_unit *u, uint64_t index,
	uint64_t *out)
{
	struct cr_cursor c = s->addr;
	uint64_t at;

	if (!cr_mul_ok(index, u->addr_bytes, &at) || !cr_add_ok(at, u->addr_base, &at))
		return false;
	cr_cursor_skip(&c, at);
	*out = address_read(&c, u->addr_bytes);
	return !c.bad;
}

/* The address in an attribute; false if it is none, or a number. */
static bool
address_of(const struct cr_unit_scan *s, const struct cr_scanned_unit *u, const struct first *f,
	const struct attribute *a, uint64_t *out)
{
	switch (a->form) {
	case DW_FORM_addr: *out = a->number; return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx4:
		return f->addr_base.form == DW_FORM_sec_offset &&
		       indexed_address(s, u, a->number, out);
	default: return false;
	}
}

static bool
is_constant(uint64_t form)
{
	return form == DW_FORM_data1 || form == DW_FORM_data2 || form == DW_FORM_data4 ||
	       form == DW_FORM_data8 || form == DW_FORM_udata;
}

/* Find where the list of ranges begins. */
static bool
list_find(const struct cr_unit_scan *s, struct cr_scanned_unit *u, const struct first *f)
{
	struct cr_cursor offsets = s->rnglists;
	uint64_t at = f->ranges.number;

	u->list = u->version < 5 ? s->ranges : s->rnglists;
	if (f->ranges.form == DW_FORM_rnglistx) {
		if (u->version < 5 || f->rnglists_base.form != DW_FORM_sec_offset ||
			!cr_mul_ok(at, 4, &at) || !cr_add_ok(at, f->rnglists_base.number, &at))
			return false;
		cr_cursor_skip(&offsets, at);
		at = f->rnglists_base.number + cr_cursor_u32(&offsets);
		if (offsets.bad)
			return false;
	} else if (f->ranges.form != DW_FORM_sec_offset &&
		   !(u->version < 4 && f->ranges.form == DW_FORM_data4)) {
		return false;
	}
	cr_cursor_skip(&u->list, at);
	return cr_cursor_left(&u->list) > 0;
}

/* Derive the ranges from the attributes; false if only libdw knows what they mean. */
static bool
ranges_find(const struct cr_unit_scan *s, struct cr_scanned_unit *u, const struct first *f)
{
	const bool has_low = f->low.form != 0;

	u->addr_base = f->addr_base.number;
	u->low = 0;
	if (has_low ? !address_of(s, u, f, &f->low, &u->low) : f->entry.form != 0)
		return false;
	u->has_list = f->ranges.form != 0 && !f->high.form;
	if (u->has_list)
		return list_find(s, u, f);
	if (!f->high.form)
		return true; /* no range */
	if (!has_low)
		return false;
	if (is_constant(f->high.form)) {
		u->high = u->low + f->high.number;
		return true;
	}
	return address_of(s, u, f, &f->high, &u->high);
}

/* DWARF 5, 2.17.3. Returns 1 for a range, 0 for an entry without one, -1 at the end. */
static int
entry_read(const struct cr_unit_scan *s, struct cr_scanned_unit *u, uint64_t *lo, uint64_t *hi)
{
	struct cr_cursor *c = &u->list;
	bool ok = true;

	switch (cr_cursor_u8(c)) {
	case DW_RLE_base_addressx:
		return indexed_address(s, u, cr_cursor_uleb(c), &u->low) && !c->bad ? 0 : -1;
	case DW_RLE_startx_endx:
		ok = indexed_address(s, u, cr_cursor_uleb(c), lo);
		ok = ok && indexed_address(s, u, cr_cursor_uleb(c), hi);
		break;
	case DW_RLE_startx_length:
		ok = indexed_address(s, u, cr_cursor_uleb(c), lo);
		*hi = *lo + cr_cursor_uleb(c);
		break;
	case DW_RLE_offset_pair:
		*lo = u->low + cr_cursor_uleb(c);
		*hi = u->low + cr_cursor_uleb(c);
		break;
	case DW_RLE_base_address: u->low = address_read(c, u->addr_bytes); return c->bad ? -1 : 0;
	case DW_RLE_start_end:
		*lo = address_read(c, u->addr_bytes);
		*hi = address_read(c, u->addr_bytes);
		break;
	case DW_RLE_start_length:
		*lo = address_read(c, u->addr_bytes);
		*hi = *lo + cr_cursor_uleb(c);
		break;
	default: return -1;
	}
	return ok && !c->bad ? 1 : -1;
}

/* Before version 5: pairs of addresses; the largest one sets the base, two zeros end the list. */
static int
pair_read(struct cr_scanned_unit *u, uint64_t *lo, uint64_t *hi)
{
	const uint64_t mark = u->addr_bytes == 8 ? UINT64_MAX : UINT32_MAX;

	*lo = address_read(&u->list, u->addr_bytes);
	*hi = address_read(&u->list, u->addr_bytes);
	if (u->list.bad || (*lo == 0 && *hi == 0))
		return -1;
	if (*lo == mark) {
		u->low = *hi;
		return 0;
	}
	*lo += u->low;
	*hi += u->low;
	return 1;
}

bool
cr_scanned_range(
	const struct cr_unit_scan *s, struct cr_scanned_unit *u, uint64_t *lo, uint64_t *hi)
{
	int got;

	if (u->done || u->silent)
		return false;
	if (!u->has_list) {
		*lo = u->low;
		*hi = u->high;
		u->done = true;
		return true;
	}
	got = u->version < 5 ? pair_read(u, lo, hi) : entry_read(s, u, lo, hi);
	if (got == 0) /* a base: callers count it, as it costs as much */
		*lo = *hi = 0;
	u->done = got < 0;
	return got >= 0;
}

/* ---- units */

/* Read the rest of a unit's header, after the version. */
static bool
header_read(struct cr_cursor *c, struct cr_scanned_unit *u, uint8_t *type, uint64_t *table)
{
	*type = DW_UT_compile;
	if (u->version >= 5) {
		*type = cr_cursor_u8(c);
		u->addr_bytes = cr_cursor_u8(c);
	}
	*table = cr_cursor_u32(c);
	if (u->version < 5)
		u->addr_bytes = cr_cursor_u8(c);
	switch (*type) {
	case DW_UT_compile:
	case DW_UT_partial: break;
	case DW_UT_skeleton: cr_cursor_skip(c, 8); break; /* id */
	case DW_UT_type: cr_cursor_skip(c, 12); break;    /* signature, offset */
	default: return false;
	}
	return !c->bad && (u->addr_bytes == 4 || u->addr_bytes == 8);
}

enum cr_unit_scan_result
cr_unit_scan_next(struct cr_unit_scan *s, struct cr_scanned_unit *out)
{
	struct cr_cursor unit;
	struct first first;
	uint64_t table;
	uint8_t type;

	*out = (struct cr_scanned_unit){0};
	if (cr_cursor_left(&s->at) <= 4)
		return CR_UNIT_SCAN_END;
	/* 64-bit DWARF has a length that does not fit. */
	unit = cr_cursor_sub(&s->at, cr_cursor_u32(&s->at));
	out->version = cr_cursor_u16(&unit);
	if (unit.bad || out->version < 2 || out->version > 5 ||
		!header_read(&unit, out, &type, &table))
		return CR_UNIT_SCAN_UNSURE;
	out->offset = (uint64_t)(unit.p - s->info.p);
	if (!first_read(s, unit, table, out->addr_bytes, &first) || first.split)
		return CR_UNIT_SCAN_UNSURE;
	out->compiled = type != DW_UT_partial && type != DW_UT_type;
	if (out->version < 5)
		out->compiled = first.tag != DW_TAG_partial_unit && first.tag != DW_TAG_type_unit;
	if (!out->compiled)
		return CR_UNIT_SCAN_UNIT;
	out->silent = !first.ranges.form && !first.high.form;
	out->has_lines = first.lines.form != 0;
	out->lines = first.lines.number;
	return out->silent || ranges_find(s, out, &first) ? CR_UNIT_SCAN_UNIT : CR_UNIT_SCAN_UNSURE;
}
