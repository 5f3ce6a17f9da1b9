#include "dwarf_cost_p.h"

#include "base/text.h"
#include "bytes/cursor.h"

#include <dwarf.h>

/* Of an abbreviation, usually about fifty bytes and three attributes without content. */
#define MAX_DESCRIPTION 4096u
#define MAX_EMPTY 64u
/*
 * Bytes of the abbreviations of all units: for each byte of their section and of the units, and in
 * addition. Few units share a table, except for those of Go and of dwz, where it is small.
 */
#define ABBREV_FACTOR 8
#define INFO_FACTOR 4
#define FREE_ABBREV ((uint64_t)4 << 20)
/* Bytes of DIEs among which is a zero: one that ends a text or a list of DIEs, or in an offset. */
#define TEXT_BLOCK ((size_t)32 << 10)
/* Bases in a row. Lists of ranges have one; in other bytes more may seem to be there. */
#define MAX_RANGE_BASES 32u
#define MAX_LOCATION_BASES 256u

/* Which sections libdw reads together, by what is before and after their names. */
static const struct kind {
	const char *before, *after;
} kinds[] = {{"", ""}, {"", ".dwo"}, {".gnu.debuglto_", ""}};

static struct cr_cursor
section_open(const struct cr_elf *e, const struct kind *kind, const char *base)
{
	struct cr_cursor c;
	char name[64];

	snprintf(name, sizeof(name), "%s%s%s", kind->before, base, kind->after);
	cr_elf_cursor(e, name, &c);
	return c;
}

/* ---- abbreviations */

/* Read the attributes of an abbreviation; false if no compiler writes them. */
static bool
attributes_read(struct cr_cursor *c)
{
	const uint64_t start = cr_cursor_at(c);
	unsigned empty = 0;

	while (!c->bad) {
		const uint64_t name = cr_cursor_uleb(c), form = cr_cursor_uleb(c);

		if (name == 0 || form == 0)
			return name == form;
		if (form == DW_FORM_implicit_const)
			cr_cursor_uleb(c);
		empty += form == DW_FORM_implicit_const || form == DW_FORM_flag_present;
		if (empty > MAX_EMPTY || cr_cursor_at(c) - start > MAX_DESCRIPTION)
			return false;
	}
	return true; /* libdw stops here, too */
}

/* Read a table; false if it has more than `most` bytes, or something that no compiler writes. */
static bool
table_read(struct cr_cursor *c, uint64_t most)
{
	const uint64_t start = cr_cursor_at(c);

	while (cr_cursor_left(c) && *c->p != 0) {
		cr_cursor_uleb(c); /* code */
		cr_cursor_uleb(c); /* tag */
		cr_cursor_skip(c, 1);
		if (!attributes_read(c) || cr_cursor_at(c) - start > most)
			return false;
	}
	return true;
}

/* What the units of a kind cost and have. */
struct units {
	struct cr_cursor abbrev;
	uint64_t budget;       /* remaining bytes of abbreviations */
	uint64_t table, bytes; /* the last table and its size */
	bool has_table;        /* these are set */
	bool four, eight;      /* sizes of addresses */
};

/* Charge the table at `at`. */
static bool
table_pay(struct units *u, uint64_t at)
{
	struct cr_cursor c = u->abbrev;

	if (!u->has_table || u->table != at) {
		cr_cursor_skip(&c, at);
		u->bytes = 0;
		if (!c.bad) { /* else the table is elsewhere, and libdw reads nothing */
			if (!table_read(&c, u->budget))
				return false;
			u->bytes = cr_cursor_at(&c) - at;
		}
		u->table = at;
		u->has_table = true;
	}
	if (u->bytes > u->budget)
		return false;
	u->budget -= u->bytes;
	return true;
}

/* Go through the units of a section, as libdw does. */
static bool
units_pay(struct units *u, struct cr_cursor info)
{
	while (cr_cursor_left(&info) > 4) {
		uint64_t len = cr_cursor_u32(&info), at;
		const bool wide = len == UINT32_MAX;
		struct cr_cursor unit;
		uint8_t address = 0;
		uint16_t version;

		if (wide)
			len = cr_cursor_u64(&info);
		unit = info;
		version = cr_cursor_u16(&unit);
		if (version >= 5) {
			cr_cursor_skip(&unit, 1); /* type */
			address = cr_cursor_u8(&unit);
		}
		at = wide ? cr_cursor_u64(&unit) : cr_cursor_u32(&unit);
		if (version < 5)
			address = cr_cursor_u8(&unit);
		if (!unit.bad && !table_pay(u, at))
			return false;
		u->four |= address != 8;
		u->eight |= address == 8;
		cr_cursor_skip(&info, len);
	}
	return true;
}

/* ---- texts in DIEs */

static bool
has_long_texts(struct cr_cursor info)
{
	while (cr_cursor_left(&info) >= TEXT_BLOCK)
		if (!memchr(cr_cursor_take(&info, TEXT_BLOCK), 0, TEXT_BLOCK))
			return true;
	return false;
}

/* ---- bases */

/* True if `bytes` of 16 are ones in a row; the first follows the last. */
static bool
has_ones_in_a_row(const unsigned char lanes[16], unsigned bytes)
{
	unsigned run = 0;

	for (unsigned i = 0; i < 16 + bytes; i++) {
		run = lanes[i % 16] == 0xff ? run + 1 : 0;
		if (run >= bytes)
			return true;
	}
	return false;
}

#define LANES 16 /* bytes of a pair of addresses of 8 bytes, or of two pairs of 4 */

/* More than `most` pairs in a row contain a block of half their size. False if there is none. */
static bool
may_have_many_pairs(const struct cr_cursor *c, unsigned bytes, unsigned most)
{
	const size_t block = (size_t)most * bytes / LANES * LANES, n = cr_cursor_left(c);

	for (size_t at = 0; n - at >= block; at += block) {
		uint64_t ones[2] = {UINT64_MAX, UINT64_MAX};

		for (size_t i = at; i < at + block; i += LANES) {
			uint64_t v[2];

			memcpy(v, c->p + i, sizeof(v));
			ones[0] &= v[0];
			ones[1] &= v[1];
		}
		if (has_ones_in_a_row((const unsigned char *)ones, bytes))
			return true;
	}
	return false;
}

/* Before version 5: pairs of addresses of so many bytes, the first of which are all ones. */
static bool
has_many_pairs(struct cr_cursor c, unsigned bytes, unsigned most)
{
	const unsigned char *p = c.p;
	const size_t n = cr_cursor_left(&c);
	unsigned runs[16] = {0}; /* by position modulo the size of a pair */
	unsigned ones = 0;       /* bytes before this position */

	if (!may_have_many_pairs(&c, bytes, most))
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned *run = &runs[(i + 1 - bytes) % (2 * bytes)];

		ones = p[i] == 0xff ? ones + 1 : 0;
		*run = ones >= bytes ? *run + 1 : 0;
		if (*run > most)
			return true;
	}
	return false;
}

/* Bytes of the number at i; it may reach beyond the end. */
static size_t
leb_bytes(const unsigned char *p, size_t i, size_t n)
{
	size_t len = 1;

	while (len < CR_LEB_BYTES && i + len - 1 < n && p[i + len - 1] >= 0x80)
		len++;
	return len;
}

#define WINDOW 64 /* more than the bytes of an entry */

/*
 * DWARF 5: entries that give no range: a base, as an index or an address, and of locations a pair
 * of view numbers. From the end, so each position is the start of a list.
 */
static bool
has_many_entries(struct cr_cursor c, uint8_t base, unsigned address, unsigned most)
{
	const unsigned char *p = c.p;
	const size_t n = cr_cursor_left(&c);
	unsigned runs[WINDOW] = {0}; /* from the next positions */

	for (size_t i = n; i-- > 0;) {
		size_t next = i + 1;

		if (p[i] == DW_RLE_base_addressx) {
			next += leb_bytes(p, next, n);
		} else if (p[i] == base) {
			next += address;
		} else if (base == DW_LLE_base_address && p[i] == DW_LLE_GNU_view_pair) {
			next += leb_bytes(p, next, n);
			next += leb_bytes(p, next, n);
		} else {
			runs[i % WINDOW] = 0;
			continue;
		}
		runs[i % WINDOW] = 1 + (next < n ? runs[next % WINDOW] : 0);
		if (runs[i % WINDOW] > most)
			return true;
	}
	return false;
}

static bool
has_many_bases(const struct cr_elf *e, const struct kind *kind, unsigned bytes, bool locations)
{
	const struct cr_cursor ranges = section_open(e, kind, ".debug_ranges"),
			       rnglists = section_open(e, kind, ".debug_rnglists");
	struct cr_cursor loc, loclists;

	if (has_many_pairs(ranges, bytes, MAX_RANGE_BASES) ||
		has_many_entries(rnglists, DW_RLE_base_address, bytes, MAX_RANGE_BASES))
		return true;
	if (!locations)
		return false;
	loc = section_open(e, kind, ".debug_loc");
	loclists = section_open(e, kind, ".debug_loclists");
	return has_many_pairs(loc, bytes, MAX_LOCATION_BASES) ||
	       has_many_entries(loclists, DW_LLE_base_address, bytes, MAX_LOCATION_BASES);
}

static bool
is_costly(const struct cr_elf *e, const struct kind *kind, bool locations)
{
	const struct cr_cursor info = section_open(e, kind, ".debug_info"),
			       types = section_open(e, kind, ".debug_types");
	struct units u = {.abbrev = section_open(e, kind, ".debug_abbrev")};

	u.budget = FREE_ABBREV + cr_cursor_left(&u.abbrev) * ABBREV_FACTOR;
	u.budget += (cr_cursor_left(&info) + cr_cursor_left(&types)) * INFO_FACTOR;
	return !units_pay(&u, info) || !units_pay(&u, types) || has_long_texts(info) ||
	       has_long_texts(types) || (u.four && has_many_bases(e, kind, 4, locations)) ||
	       (u.eight && has_many_bases(e, kind, 8, locations));
}

bool
cr_dwarf_is_costly(const struct cr_elf *e, bool locations)
{
	for (size_t i = 0; i < CR_LEN(kinds); i++)
		if (is_costly(e, &kinds[i], locations))
			return true;
	return false;
}
