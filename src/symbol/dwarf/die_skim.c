#include "die_skim_p.h"

#include <dwarf.h>

#define MAX_SKIP 128 /* of one step; the sum of two fits in a byte */

/* What a step does with the value. */
enum what { SKIP, SIBLING, LOW, HIGH };

/* How the value is stored: a number of bytes, or one of these. */
enum { NUMBER = 200, TEXT, BLOCK1, BLOCK2, BLOCK4, BLOCK, UNKNOWN };

bool
cr_die_unit_read(struct cr_cursor unit, struct cr_die_unit *out)
{
	if (cr_cursor_u32(&unit) >= 0xfffffff0)
		return false;
	out->version = cr_cursor_u16(&unit);
	if (out->version >= 5) {
		cr_cursor_u8(&unit); /* type */
		out->addr_bytes = cr_cursor_u8(&unit);
	}
	out->abbrev = cr_cursor_u32(&unit);
	if (out->version < 5)
		out->addr_bytes = cr_cursor_u8(&unit);
	return !unit.bad && out->version >= 2 && out->version <= 5 &&
	       (out->addr_bytes == 4 || out->addr_bytes == 8);
}

static uint8_t
form_of(const struct cr_die_unit *u, uint64_t form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return 0;
	case DW_FORM_flag:
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_strx1:
	case DW_FORM_addrx1: return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2: return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3: return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt: return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sup8:
	case DW_FORM_ref_sig8: return 8;
	case DW_FORM_data16: return 16;
	case DW_FORM_addr: return u->addr_bytes;
	case DW_FORM_ref_addr: return u->version == 2 ? u->addr_bytes : 4;
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index: return NUMBER;
	case DW_FORM_string: return TEXT;
	case DW_FORM_block1: return BLOCK1;
	case DW_FORM_block2: return BLOCK2;
	case DW_FORM_block4: return BLOCK4;
	case DW_FORM_block:
	case DW_FORM_exprloc: return BLOCK;
	default: return UNKNOWN;
	}
}

static bool
is_length(uint64_t form)
{
	return form == DW_FORM_data1 || form == DW_FORM_data2 || form == DW_FORM_data4 ||
	       form == DW_FORM_data8 || form == DW_FORM_udata;
}

/* What the attributes of a kind say about its range: the first ones of each name count. */
struct ranges {
	bool low, high, list, other, relative, sibling;
};

static enum what
what_of(struct ranges *r, uint64_t name, uint64_t form)
{
	switch (name) {
	case DW_AT_sibling:
		if (r->sibling || (form != DW_FORM_ref4 && form != DW_FORM_ref2 &&
					  form != DW_FORM_ref1 && form != DW_FORM_ref_udata))
			return SKIP;
		r->sibling = true;
		return SIBLING;
	case DW_AT_low_pc:
		if (r->low)
			return SKIP;
		r->low = true;
		r->other |= form != DW_FORM_addr;
		return form == DW_FORM_addr ? LOW : SKIP;
	case DW_AT_high_pc:
		if (r->high)
			return SKIP;
		r->high = true;
		r->relative = is_length(form);
		r->other |= form != DW_FORM_addr && !r->relative;
		return form == DW_FORM_addr || r->relative ? HIGH : SKIP;
	case DW_AT_ranges: r->list = true; return SKIP;
	default: return SKIP;
	}
}

static enum cr_die_ranges
ranges_of(const struct ranges *r)
{
	if (!r->high && !r->list)
		return CR_DIE_NO_RANGE;
	return r->high && r->low && !r->other ? CR_DIE_PLAIN : CR_DIE_OTHER_RANGE;
}

/* Add a step, or extend the last one of the kind, if both only skip. */
static void
step_add(struct cr_die_table *t, const struct cr_die_kind *kind, enum what what, uint8_t form)
{
	struct cr_die_step *last = t->steps.n > kind->first ? &t->steps.p[t->steps.n - 1] : NULL;

	/* A step that skips a fixed number of bytes has form 0. */
	if (what == SKIP && form <= 16 && last && last->what == SKIP && last->form == 0 &&
		last->skip < MAX_SKIP) {
		last->skip += form;
		return;
	}
	if (last && last->what == SKIP && last->form == 0 && (what != SKIP || form > 16)) {
		last->what = (uint8_t)what;
		last->form = form;
		return;
	}
	if (what == SKIP && form <= 16)
		cr_vec_push(&t->steps, ((struct cr_die_step){form, SKIP, 0}));
	else
		cr_vec_push(&t->steps, ((struct cr_die_step){0, (uint8_t)what, form}));
}

static bool
kind_read(struct cr_die_table *t, const struct cr_die_unit *unit, struct cr_cursor *c)
{
	struct cr_die_kind kind = {.first = (uint32_t)t->steps.n};
	struct ranges ranges = {0};
	const uint64_t tag = cr_cursor_uleb(c);

	kind.tag = (uint16_t)tag;
	kind.children = cr_cursor_u8(c) != 0;
	while (!c->bad) {
		const uint64_t name = cr_cursor_uleb(c), form = cr_cursor_uleb(c);
		const uint8_t how = form_of(unit, form);

		if (form == DW_FORM_implicit_const)
			cr_cursor_uleb(c);
		if (name == 0 || form == 0) {
			kind.n = (uint32_t)t->steps.n - kind.first;
			kind.ranges = (uint8_t)ranges_of(&ranges);
			kind.relative = ranges.relative;
			cr_vec_push(&t->kinds, kind);
			return name == form && tag <= UINT16_MAX && !c->bad;
		}
		if (how == UNKNOWN)
			return false;
		step_add(t, &kind, what_of(&ranges, name, form), how);
	}
	return false;
}

bool
cr_die_table_read(struct cr_die_table *t, const struct cr_die_unit *unit, struct cr_cursor abbrev,
	uint64_t most)
{
	struct cr_cursor c;
	uint64_t code;

	cr_cursor_skip(&abbrev, unit->abbrev);
	c = cr_cursor_sub(&abbrev, CR_MIN(most, cr_cursor_left(&abbrev)));
	t->kinds.n = t->steps.n = 0;
	while ((code = cr_cursor_uleb(&c)) != 0)
		if (code != t->kinds.n + 1 || !kind_read(t, unit, &c))
			return false;
	return !c.bad;
}

void
cr_die_table_fini(struct cr_die_table *t)
{
	cr_vec_fini(&t->kinds);
	cr_vec_fini(&t->steps);
}

static uint64_t
value_read(struct cr_cursor *c, uint8_t form)
{
	switch (form) {
	case 1: return cr_cursor_u8(c);
	case 2: return cr_cursor_u16(c);
	case 4: return cr_cursor_u32(c);
	case 8: return cr_cursor_u64(c);
	case NUMBER: return cr_cursor_uleb(c);
	case TEXT: cr_cursor_string(c); return 0;
	case BLOCK1: cr_cursor_take(c, cr_cursor_u8(c)); return 0;
	case BLOCK2: cr_cursor_take(c, cr_cursor_u16(c)); return 0;
	case BLOCK4: cr_cursor_take(c, cr_cursor_u32(c)); return 0;
	case BLOCK: cr_cursor_take(c, cr_cursor_uleb(c)); return 0;
	default: return 0;
	}
}

bool
cr_die_skim(const struct cr_die_table *t, struct cr_cursor c, struct cr_skimmed_die *out)
{
	const struct cr_die_kind *kind;

	out->code = cr_cursor_uleb(&c);
	out->sibling = 0;
	out->tag = 0;
	out->children = false;
	out->ranges = CR_DIE_NO_RANGE;
	out->after = c;
	if (out->code == 0)
		return !c.bad;
	if (out->code > t->kinds.n)
		return false;
	kind = &t->kinds.p[out->code - 1];
	out->tag = kind->tag;
	out->children = kind->children;
	out->ranges = kind->ranges;
	for (uint32_t i = 0; i < kind->n; i++) {
		const struct cr_die_step *s = &t->steps.p[kind->first + i];
		uint64_t v;

		cr_cursor_take(&c, s->skip);
		v = value_read(&c, s->form);
		switch ((enum what)s->what) {
		case SKIP: break;
		case SIBLING: out->sibling = v; break;
		case LOW: out->low = v; break;
		case HIGH: out->high = v; break;
		}
	}
	if (kind->ranges == CR_DIE_PLAIN && kind->relative)
		out->high += out->low;
	out->after = c;
	return !c.bad;
}

bool
cr_die_next(const struct cr_die_table *t, struct cr_cursor unit, const struct cr_skimmed_die *die,
	struct cr_cursor *out)
{
	struct cr_skimmed_die d = *die;

	for (uint64_t depth = 0;;) {
		if (d.sibling) {
			if (d.sibling < cr_cursor_at(&d.after))
				return false;
			*out = unit;
			cr_cursor_skip(out, d.sibling);
		} else {
			*out = d.after;
			depth += d.code && d.children;
		}
		/* Zeros end the lists of the levels below. */
		for (; depth && cr_cursor_left(out) && *out->p == 0; depth--)
			cr_cursor_take(out, 1);
		if (depth == 0 || cr_cursor_left(out) == 0)
			return !out->bad;
		if (!cr_die_skim(t, *out, &d))
			return false;
	}
}
