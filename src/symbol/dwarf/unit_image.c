#include "unit_image_p.h"

#include <dwarf.h>
#include <string.h>

#define MAX_IMAGE ((size_t)1 << 30)
#define MAX_UNIT_STRINGS ((size_t)256 << 20)

/* ---- numbers in DWARF */

static uint64_t
read_uleb(struct cr_cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0;; shift += 7) {
		const uint8_t b = cr_cursor_u8(c);

		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
}

/* Skip a value; false for a form that the first DIE of a split unit does not have. */
static bool
skip_form(struct cr_cursor *c, uint64_t form, uint8_t addr_bytes)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return true;
	case DW_FORM_data1:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
	case DW_FORM_flag: cr_cursor_skip(c, 1); return true;
	case DW_FORM_data2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2: cr_cursor_skip(c, 2); return true;
	case DW_FORM_data4:
	case DW_FORM_strp:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_sec_offset: cr_cursor_skip(c, 4); return true;
	case DW_FORM_data8: cr_cursor_skip(c, 8); return true;
	case DW_FORM_addr: cr_cursor_skip(c, addr_bytes); return true;
	case DW_FORM_string: cr_cursor_string(c); return true;
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_rnglistx:
	case DW_FORM_loclistx:
	case DW_FORM_GNU_str_index:
	case DW_FORM_GNU_addr_index: read_uleb(c); return true;
	default: return false;
	}
}

/* One attribute in an abbreviation table. */
struct spec {
	const unsigned char *at; /* its position */
	uint64_t name, form;
};

static bool
read_spec(struct cr_cursor *c, struct spec *out)
{
	out->at = c->p;
	out->name = read_uleb(c);
	out->form = read_uleb(c);
	if (out->form == DW_FORM_implicit_const)
		read_uleb(c);
	return !c->bad && (out->name || out->form);
}

/* Move c from the start of a table to the attributes of a code. */
static bool
find_abbrev(struct cr_cursor *c, uint64_t code)
{
	struct spec ignored;
	uint64_t here;

	while ((here = read_uleb(c)) != 0 && !c->bad) {
		read_uleb(c); /* the tag */
		cr_cursor_skip(c, 1);
		if (here == code)
			return !c->bad;
		while (read_spec(c, &ignored))
			;
	}
	return false;
}

/* The first DIE of a unit. */
struct first {
	struct cr_cursor specs;  /* its attributes in the table */
	struct cr_cursor values; /* their values */
	uint32_t code_bytes;
};

static bool
read_first(const struct cr_unit_head *h, const struct cr_cursor *abbrev, struct first *out)
{
	uint64_t code;

	out->specs = *abbrev;
	cr_cursor_skip(&out->specs, h->abbrev);
	out->values = h->unit;
	cr_cursor_skip(&out->values, h->die);
	code = read_uleb(&out->values);
	out->code_bytes = (uint32_t)cr_cursor_at(&out->values) - h->die;
	return !out->values.bad && code && find_abbrev(&out->specs, code);
}

/* Find the id of DWARF 4: *spec is its attribute, *value its 8 bytes. */
static bool
find_id(const struct first *f, uint8_t addr_bytes, struct spec *spec, struct cr_cursor *value)
{
	struct first at = *f;

	while (read_spec(&at.specs, spec) && !at.values.bad) {
		*value = at.values;
		if (spec->name == DW_AT_GNU_dwo_id)
			return spec->form == DW_FORM_data8 && cr_cursor_left(value) >= 8;
		if (!skip_form(&at.values, spec->form, addr_bytes))
			return false;
	}
	return false;
}

/* DWARF 5, 7.5.1, and earlier versions. Type units are not used. */
static bool
read_head(struct cr_unit_head *h)
{
	struct cr_cursor c = h->unit;

	cr_cursor_skip(&c, 4);
	h->version = cr_cursor_u16(&c);
	h->id = 0;
	if (h->version == 5) {
		const uint8_t type = cr_cursor_u8(&c);

		h->addr_bytes = cr_cursor_u8(&c);
		h->abbrev = cr_cursor_u32(&c);
		if (type == DW_UT_split_compile)
			h->id = cr_cursor_u64(&c);
	} else {
		h->abbrev = cr_cursor_u32(&c);
		h->addr_bytes = cr_cursor_u8(&c);
	}
	h->die = (uint32_t)cr_cursor_at(&c);
	return !c.bad && h->version >= 2 && h->version <= 5 &&
	       (h->addr_bytes == 4 || h->addr_bytes == 8);
}

bool
cr_unit_head_read(struct cr_cursor *c, const struct cr_cursor *abbrev, struct cr_unit_head *out)
{
	struct cr_cursor at = *c;
	const uint32_t len = cr_cursor_u32(&at);
	const unsigned char *p = len < 0xfffffff0u ? cr_cursor_take(c, (uint64_t)len + 4) : NULL;
	struct first f;
	struct spec spec;
	struct cr_cursor value;

	if (!p || at.bad)
		return false;
	cr_cursor_init(&out->unit, p, (size_t)len + 4);
	out->unit.swap = c->swap;
	if (!read_head(out))
		return false;
	if (out->version < 5 && read_first(out, abbrev, &f) &&
		find_id(&f, out->addr_bytes, &spec, &value))
		out->id = cr_cursor_u64(&value);
	return true;
}

/* ---- the image */

enum { INFO = 1, ABBREV, STR, STR_OFFSETS, ADDR, RNGLISTS, RANGES, NAMES, SECTIONS };

static const char names[] =
	"\0.debug_info\0.debug_abbrev\0.debug_str\0.debug_str_offsets\0.debug_addr\0"
	".debug_rnglists\0.debug_ranges\0.shstrtab";

struct image {
	const struct cr_unit_parts *parts;
	struct cr_unit_head head;
	struct first first;
	struct cr_text out; /* the file so far */
	size_t at[SECTIONS], len[SECTIONS];
	struct cr_text offsets; /* new string offsets */
};

static void
set_number(struct image *m, size_t at, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		m->out.p[at + i] = (char)(value >> 8 * (m->parts->big_endian ? bytes - 1 - i : i));
}

static void
put_number(struct image *m, uint64_t value, size_t bytes)
{
	cr_text_pad(&m->out, 0, bytes);
	set_number(m, m->out.len - bytes, value, bytes);
}

static void
section_begin(struct image *m, int i)
{
	cr_text_pad(&m->out, 0, -m->out.len & 7);
	m->at[i] = m->out.len;
}

static void
section_end(struct image *m, int i)
{
	m->len[i] = m->out.len - m->at[i];
}

static void
section_put(struct image *m, int i, const struct cr_cursor *c)
{
	section_begin(m, i);
	cr_text_put(&m->out, c->p, cr_cursor_left(c));
	section_end(m, i);
}

/*
 * DWARF 5: a code and an address replace the 8 bytes of the id and the code,
 *
 *	len version type=split addr abbrev | id | code values ...
 *	len version type=plain addr abbrev | code low_pc | values ...
 */
static void
put_info_5(struct image *m)
{
	const struct cr_unit_head *h = &m->head;
	const size_t start = m->out.len, code_bytes = 8 + m->first.code_bytes - h->addr_bytes;
	const unsigned char *code = h->unit.p + h->die;

	cr_text_put(&m->out, h->unit.p, cr_cursor_left(&h->unit));
	m->out.p[start + 6] = DW_UT_compile;
	set_number(m, start + 8, 0, 4);
	for (size_t i = 0; i < code_bytes; i++) {
		const unsigned char b = i < m->first.code_bytes ? code[i] & 0x7f : 0;

		m->out.p[start + 12 + i] = (char)(b | (i + 1 < code_bytes ? 0x80 : 0));
	}
	set_number(m, start + 12 + code_bytes, m->parts->low_pc, h->addr_bytes);
}

/*
 * DWARF 4: the attribute with the id becomes the address; a 4-byte address is followed by 4 bytes
 * of padding.
 */
static void
put_info_4(struct image *m, const struct cr_cursor *id)
{
	const struct cr_unit_head *h = &m->head;
	const size_t start = m->out.len;

	cr_text_put(&m->out, h->unit.p, cr_cursor_left(&h->unit));
	set_number(m, start + 6, 0, 4);
	set_number(m, start + (size_t)cr_cursor_at(id), m->parts->low_pc, h->addr_bytes);
}

static bool
put_info(struct image *m)
{
	static const char insert[] = {DW_AT_low_pc, DW_FORM_addr};
	static const char padding[] = {(char)0xff, 0x7f, DW_FORM_data4}; /* DW_AT_hi_user */
	const struct cr_unit_head *h = &m->head;
	struct cr_cursor table = m->parts->abbrev, id, rest;
	const unsigned char *end = m->first.specs.p;
	struct spec spec = {.at = end};

	if (h->version < 5 && !find_id(&m->first, h->addr_bytes, &spec, &id))
		return false;
	section_begin(m, INFO);
	if (h->version < 5)
		put_info_4(m, &id);
	else
		put_info_5(m);
	section_end(m, INFO);

	cr_cursor_skip(&table, h->abbrev);
	rest = m->first.specs;
	cr_cursor_skip(&rest, (uint64_t)(spec.at - rest.p));
	section_begin(m, ABBREV);
	cr_text_put(&m->out, table.p, (size_t)(spec.at - table.p));
	cr_text_put(&m->out, insert, sizeof(insert));
	if (h->version < 5) {
		read_spec(&rest, &spec);
		cr_text_put(&m->out, padding, h->addr_bytes == 4 ? sizeof(padding) : 0);
	}
	cr_text_put(&m->out, rest.p, cr_cursor_left(&rest));
	section_end(m, ABBREV);
	return true;
}

/*
 * Copy the strings that the unit refers to, and store their new offsets. An invalid one becomes the
 * empty string.
 */
static bool
put_strings(struct image *m)
{
	struct cr_cursor in = m->parts->str_offsets;
	const unsigned char *head = m->head.version < 5 ? NULL : cr_cursor_take(&in, 8);

	cr_text_put(&m->offsets, head, head ? 8 : 0);
	section_begin(m, STR);
	cr_text_char(&m->out, 0);
	while (cr_cursor_left(&in) >= 4) {
		struct cr_cursor str = m->parts->str;
		struct cr_str s;
		uint32_t now = 0;

		cr_cursor_skip(&str, cr_cursor_u32(&in));
		s = cr_cursor_string(&str);
		if (s.len) {
			now = (uint32_t)(m->out.len - m->at[STR]);
			cr_text_put(&m->out, s.p, s.len);
			cr_text_char(&m->out, 0);
		}
		if (m->out.len - m->at[STR] > MAX_UNIT_STRINGS)
			return false;
		if (in.swap)
			now = __builtin_bswap32(now);
		cr_text_put(&m->offsets, &now, 4);
	}
	section_end(m, STR);
	section_begin(m, STR_OFFSETS);
	cr_text_put(&m->out, m->offsets.p, m->offsets.len);
	section_end(m, STR_OFFSETS);
	return true;
}

/* elf(5). Always 64-bit, since nothing depends on it. */
static void
put_elf_head(struct image *m)
{
	const char ident[EI_NIDENT] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
		m->parts->big_endian ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT};

	cr_text_put(&m->out, ident, sizeof(ident));
	put_number(m, ET_EXEC, 2);
	put_number(m, EM_NONE, 2);
	put_number(m, EV_CURRENT, 4);
	put_number(m, 0, 8); /* entry */
	put_number(m, 0, 8); /* segments */
	put_number(m, 0, 8); /* sections: set later */
	put_number(m, 0, 4); /* flags */
	put_number(m, sizeof(Elf64_Ehdr), 2);
	put_number(m, 0, 2);
	put_number(m, 0, 2);
	put_number(m, sizeof(Elf64_Shdr), 2);
	put_number(m, SECTIONS, 2);
	put_number(m, NAMES, 2);
}

static void
put_section_heads(struct image *m)
{
	const char *name = names;

	cr_text_pad(&m->out, 0, -m->out.len & 7);
	set_number(m, offsetof(Elf64_Ehdr, e_shoff), m->out.len, 8);
	for (int i = 0; i < SECTIONS; i++) {
		put_number(m, (uint64_t)(name - names), 4);
		put_number(m, i == 0 ? SHT_NULL : i == NAMES ? SHT_STRTAB : SHT_PROGBITS, 4);
		put_number(m, 0, 8); /* flags */
		put_number(m, 0, 8); /* address */
		put_number(m, m->at[i], 8);
		put_number(m, m->len[i], 8);
		put_number(m, 0, 8); /* link, info */
		put_number(m, i != 0, 8);
		put_number(m, 0, 8);
		name += strlen(name) + 1;
	}
}

static bool
put_all(struct image *m)
{
	const struct cr_unit_parts *p = m->parts;
	struct cr_cursor file_names;

	put_elf_head(m);
	if (!put_info(m) || !put_strings(m))
		return false;
	section_put(m, ADDR, &p->addr);
	section_put(m, RNGLISTS, &p->rnglists);
	section_put(m, RANGES, &p->ranges);
	cr_cursor_init(&file_names, names, sizeof(names));
	section_put(m, NAMES, &file_names);
	put_section_heads(m);
	return true;
}

struct cr_elf *
cr_unit_image_new(const struct cr_unit_parts *parts)
{
	struct image m = {.parts = parts};
	struct cr_cursor info = parts->info;
	struct cr_elf *e = NULL;
	uint64_t sum = cr_cursor_left(&parts->info);

	sum += cr_cursor_left(&parts->abbrev);
	sum += cr_cursor_left(&parts->rnglists);
	sum += cr_cursor_left(&parts->addr);
	sum += cr_cursor_left(&parts->ranges);
	if (sum > MAX_IMAGE || !cr_unit_head_read(&info, &parts->abbrev, &m.head) ||
		m.head.id == 0 || !read_first(&m.head, &parts->abbrev, &m.first))
		return NULL;
	if (put_all(&m) && (e = cr_elf_memory(m.out.p, m.out.len))) {
		cr_arena_adopt(&e->arena, m.out.p);
		m.out = (struct cr_text){0};
	}
	cr_text_fini(&m.out);
	cr_text_fini(&m.offsets);
	return e;
}
