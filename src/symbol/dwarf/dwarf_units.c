#include "dwarf_units_p.h"

#include "base/hash.h"
#include "unit_scan_p.h"

#include <dwarf.h>

#define MAX_UNITS ((size_t)1 << 22)
#define MAX_RANGES ((uint64_t)1 << 24) /* total over all units, which may share a long list */
#define MAX_SILENT_BYTES ((uint64_t)16 << 20) /* total over units that state no ranges */
#define MAX_SILENT_KEYS ((uint64_t)1 << 24)   /* likewise: each has all keys of no unit */
/*
 * Bytes of line tables to read, which units may share: for each byte of the section, and in
 * addition; and of those of the units that units refer to, divided among them.
 */
#define LINES_FACTOR 4
#define FREE_LINES ((uint64_t)16 << 20)
#define MAX_SPARE ((uint64_t)256 << 20)

struct unit {
	uint64_t offset, bytes;
	bool silent; /* has neither ranges nor a first address */
	bool has_lines;
	uint64_t lines; /* offset of its line table, if it has one */
};

struct owner {
	uint32_t unit; /* CR_NO_ROW if none */
	uint64_t size; /* of the smallest range around it */
};

struct index {
	const struct cr_addrkey *keys;
	size_t n;
	uint64_t lowest;
	uint64_t budget;      /* remaining number of addresses to compare: ranges may overlap */
	uint64_t ranges;      /* remaining number of ranges */
	uint64_t lines;       /* remaining bytes of line tables */
	struct owner *owners; /* by key */
	CR_VEC(struct unit) units;
};

static void
claim(struct index *ix, uint32_t unit, uint64_t lo, uint64_t hi)
{
	if (lo < ix->lowest || hi <= lo)
		return;
	for (size_t i = cr_addrkey_from(ix->keys, ix->n, lo);
		i < ix->n && ix->keys[i].addr < hi && ix->budget; i++) {
		struct owner *o = &ix->owners[i];

		ix->budget--;
		if (o->unit == CR_NO_ROW || hi - lo < o->size)
			*o = (struct owner){unit, hi - lo};
	}
}

/* Returns false, with ix incomplete, if libdw must be asked. */
static bool
scan_units(struct index *ix, const struct cr_elf *e, struct cr_cursor *line)
{
	struct cr_unit_scan scan;
	struct cr_scanned_unit u;
	enum cr_unit_scan_result got;
	size_t last = SIZE_MAX; /* the unit that ends where the next one begins */

	if (!cr_unit_scan_init(&scan, e))
		return false;
	*line = scan.line;
	while (ix->units.n < MAX_UNITS &&
		(got = cr_unit_scan_next(&scan, &u)) != CR_UNIT_SCAN_END) {
		uint64_t lo, hi;

		if (got == CR_UNIT_SCAN_UNSURE)
			return false;
		if (last != SIZE_MAX)
			ix->units.p[last].bytes = u.offset - ix->units.p[last].offset;
		last = u.compiled ? ix->units.n : SIZE_MAX;
		if (!u.compiled)
			continue;
		cr_vec_push(&ix->units, ((struct unit){.offset = u.offset,
						.silent = u.silent,
						.has_lines = u.has_lines,
						.lines = u.lines}));
		for (; ix->ranges && cr_scanned_range(&scan, &u, &lo, &hi); ix->ranges--)
			claim(ix, (uint32_t)last, lo, hi);
	}
	return true;
}

/* ---- libdw, for what the scan does not understand */

static void
unit_add(struct index *ix, Dwarf_Die *die, uint64_t bytes)
{
	const uint32_t row = (uint32_t)ix->units.n;
	struct unit u = {.offset = dwarf_dieoffset(die), .bytes = bytes};
	Dwarf_Addr base = 0, lo = 0, hi = 0;
	ptrdiff_t at = 0;

	u.silent = !dwarf_hasattr(die, DW_AT_ranges) && !dwarf_hasattr(die, DW_AT_high_pc);
	u.has_lines = cr_dwarf_die_number(die, DW_AT_stmt_list, &u.lines);
	cr_vec_push(&ix->units, u);
	for (; !u.silent && ix->ranges && (at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0;
		ix->ranges--)
		claim(ix, row, lo, hi);
}

static void
read_units(struct index *ix, Dwarf *dbg)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, next;
	uint8_t type, next_type;

	if (dwarf_get_units(dbg, NULL, &cu, NULL, &type, &die, NULL) != 0)
		return;
	while (cu && ix->units.n < MAX_UNITS) {
		Dwarf_CU *following = NULL;
		const bool more =
			dwarf_get_units(dbg, cu, &following, NULL, &next_type, &next, NULL) == 0;
		const uint64_t at = dwarf_dieoffset(&die);
		/* The size of the last unit is unknown; treat it as small. */
		const uint64_t end = more ? dwarf_dieoffset(&next) : at;

		/*
		 * libdw reports DWARF 4 skeletons that have DIEs of their own, as made by clang, as
		 * split units.
		 */
		if (type == DW_UT_compile || type == DW_UT_skeleton || type == DW_UT_split_compile)
			unit_add(ix, &die, end > at ? end - at : 0);
		cu = more ? following : NULL;
		die = next;
		type = next_type;
	}
}

/* Charge the line table of a unit that will be read; false if there were too many. */
static bool
lines_pay(struct index *ix, const struct unit *u, struct cr_cursor line)
{
	const uint64_t bytes = u->has_lines ? cr_line_table_bytes(line, u->lines) : 0;

	if (bytes > ix->lines)
		return false;
	ix->lines -= bytes;
	return true;
}

/* Group the keys by unit, keeping their order. line: the section of line tables. */
static void
hand_out(struct index *ix, struct cr_cursor line, struct cr_dwarf_hits *out)
{
	size_t *counts = cr_alloc(ix->units.n, sizeof(*counts));
	size_t *rows = cr_alloc(ix->units.n, sizeof(*rows));
	size_t sum = 0, nobodys = 0;
	uint64_t silent_bytes = 0, silent_keys = 0;
	struct cr_addrkey *rest;

	for (size_t i = 0; i < ix->n; i++)
		if (ix->owners[i].unit == CR_NO_ROW)
			nobodys++;
		else
			counts[ix->owners[i].unit]++;
	for (size_t i = 0; i < ix->units.n; i++) {
		struct unit *u = &ix->units.p[i];

		if (u->silent && ((silent_bytes += u->bytes) > MAX_SILENT_BYTES ||
					 (silent_keys += nobodys) > MAX_SILENT_KEYS))
			u->silent = false;
	}
	/* Keys of no unit are at the end, only once: units only read their keys. */
	out->keys = cr_alloc(ix->n, sizeof(*out->keys));
	rest = out->keys + (ix->n - nobodys);
	for (size_t i = 0; i < ix->units.n; i++) {
		const struct unit *u = &ix->units.p[i];
		struct cr_dwarf_hit hit = {.offset = u->offset,
			.bytes = u->bytes,
			.keys = out->keys + sum,
			.n = counts[i]};

		if (u->silent) {
			hit.keys = rest;
			hit.n = nobodys;
		}
		rows[i] = sum;
		sum += counts[i];
		if (!hit.n)
			continue;
		hit.no_lines = !lines_pay(ix, u, line);
		cr_vec_push(&out->units, hit);
	}
	for (size_t i = 0; i < out->units.n; i++)
		out->units.p[i].spare = MAX_SPARE / out->units.n;
	for (size_t i = 0; i < ix->n; i++) {
		const uint32_t unit = ix->owners[i].unit;

		if (unit == CR_NO_ROW)
			*rest++ = ix->keys[i];
		else
			out->keys[rows[unit]++] = ix->keys[i];
	}
	free(rows);
	free(counts);
}

static void
index_reset(struct index *ix)
{
	ix->budget = (uint64_t)ix->n * 64 + 65536;
	ix->ranges = MAX_RANGES;
	ix->units.n = 0;
	for (size_t i = 0; i < ix->n; i++)
		ix->owners[i] = (struct owner){.unit = CR_NO_ROW};
}

static void
index_finish(struct index *ix, struct cr_cursor line, struct cr_dwarf_hits *out)
{
	*out = (struct cr_dwarf_hits){.keys = NULL};
	ix->lines = FREE_LINES + cr_cursor_left(&line) * LINES_FACTOR;
	hand_out(ix, line, out);
	cr_vec_fini(&ix->units);
	free(ix->owners);
}

bool
cr_dwarf_units_scan(const struct cr_elf *e, const struct cr_addrkey *keys, size_t n,
	uint64_t lowest, struct cr_dwarf_hits *out)
{
	struct index ix = {.keys = keys, .n = n, .lowest = lowest};
	struct cr_cursor line;

	ix.owners = cr_alloc(n, sizeof(*ix.owners));
	index_reset(&ix);
	if (scan_units(&ix, e, &line)) {
		index_finish(&ix, line, out);
		return true;
	}
	cr_vec_fini(&ix.units);
	free(ix.owners);
	return false;
}

void
cr_dwarf_units(struct cr_dwarf *d, const struct cr_addrkey *keys, size_t n, uint64_t lowest,
	struct cr_dwarf_hits *out)
{
	struct index ix = {.keys = keys, .n = n, .lowest = lowest};

	ix.owners = cr_alloc(n, sizeof(*ix.owners));
	index_reset(&ix);
	read_units(&ix, d->dbg);
	index_finish(&ix, cr_dwarf_lines(d, d->dbg)->line, out);
}

void
cr_dwarf_hits_fini(struct cr_dwarf_hits *h)
{
	cr_vec_fini(&h->units);
	free(h->keys);
}
