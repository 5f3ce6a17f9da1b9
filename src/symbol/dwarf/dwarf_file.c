#include "dwarf_file_p.h"

#include "dwarf_cost_p.h"

#include <dwarf.h>

/* libelf unpacks in place and updates the section header, which is in read-only memory. */
static bool
is_packed(const struct cr_elf *e)
{
	for (size_t i = 1; i < e->n_sections; i++)
		if (strncmp(e->sections[i].name, ".zdebug_", 8) == 0 ||
			((e->sections[i].head.sh_flags & SHF_COMPRESSED) &&
				strncmp(e->sections[i].name, ".debug_", 7) == 0))
			return true;
	return false;
}

bool
cr_dwarf_open(struct cr_dwarf *d, const struct cr_symbol_opts *opts, const struct cr_debugfile *f,
	enum cr_dwarf_use use)
{
	size_t len;
	char *image = elf_rawfile(f->debug->elf, &len);

	*d = (struct cr_dwarf){0};
	if (!image || is_packed(f->debug))
		return false;
	if (use != CR_DWARF_AGAIN && cr_dwarf_is_costly(f->debug, use == CR_DWARF_VARIABLES))
		return false;
	if (!(d->elf = elf_memory(image, len)))
		return false;
	d->dbg = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (d->dbg) {
		d->split = cr_split_new(opts, f, d->dbg);
		return true;
	}
	cr_dwarf_close(d);
	return false;
}

void
cr_dwarf_close(struct cr_dwarf *d)
{
	cr_split_free(d->split);
	dwarf_end(d->dbg);
	elf_end(d->elf);
	cr_vec_fini(&d->sections);
	cr_die_table_fini(&d->dies);
	*d = (struct cr_dwarf){0};
}

/* The raw bytes of a section; the cursor handles the file's byte order. */
static void
section_read(Elf_Scn *scn, bool swap, struct cr_cursor *out)
{
	const Elf_Data *data = elf_rawdata(scn, NULL);

	if (out->p || !data || !data->d_buf)
		return;
	cr_cursor_init(out, data->d_buf, data->d_size);
	out->swap = swap;
}

static void
sections_read(Elf *elf, struct cr_dwarf_sections *out)
{
	const char *ident = elf_getident(elf, NULL);
	const bool swap = ident && (ident[EI_DATA] == ELFDATA2MSB) !=
					   (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr head;
		const char *name =
			gelf_getshdr(scn, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;

		if (!name || head.sh_type == SHT_NOBITS)
			continue;
		if (strcmp(name, ".debug_line") == 0)
			section_read(scn, swap, &out->lines.line);
		else if (strcmp(name, ".debug_line_str") == 0)
			section_read(scn, swap, &out->lines.line_str);
		else if (strcmp(name, ".debug_str") == 0)
			section_read(scn, swap, &out->lines.str);
		else if (strcmp(name, ".debug_abbrev") == 0)
			section_read(scn, swap, &out->abbrev);
		else if (strcmp(name, ".debug_info") == 0)
			section_read(scn, swap, &out->info);
		else if (strcmp(name, ".debug_types") == 0)
			section_read(scn, swap, &out->types);
	}
}

static const struct cr_dwarf_sections *
sections_of(struct cr_dwarf *d, Dwarf *dbg)
{
	struct cr_dwarf_sections s = {.dbg = dbg};

	for (size_t i = 0; i < d->sections.n; i++)
		if (d->sections.p[i].dbg == dbg)
			return &d->sections.p[i];
	sections_read(dwarf_getelf(dbg), &s);
	cr_vec_push(&d->sections, s);
	return &d->sections.p[d->sections.n - 1];
}

const struct cr_line_sections *
cr_dwarf_lines(struct cr_dwarf *d, Dwarf *dbg)
{
	return &sections_of(d, dbg)->lines;
}

/* Keeps no sections of split units: there may be thousands, each of which is asked once. */
static struct cr_dwarf_sections
sections_once(struct cr_dwarf *d, Dwarf *dbg)
{
	struct cr_dwarf_sections s = {.dbg = dbg};

	if (dbg == d->dbg)
		return *sections_of(d, dbg);
	sections_read(dwarf_getelf(dbg), &s);
	return s;
}

struct cr_cursor
cr_dwarf_abbrev(struct cr_dwarf *d, Dwarf *dbg)
{
	return sections_once(d, dbg).abbrev;
}

static size_t
left_in(const struct cr_cursor *section, const unsigned char *at)
{
	const uintptr_t start = (uintptr_t)section->p, p = (uintptr_t)at;
	const size_t len = cr_cursor_left(section);

	return section->p && p >= start && p - start < len ? len - (size_t)(p - start) : 0;
}

size_t
cr_dwarf_left(struct cr_dwarf *d, Dwarf *dbg, const unsigned char *at)
{
	const struct cr_dwarf_sections s = sections_once(d, dbg);
	const size_t left = left_in(&s.info, at);

	return left ? left : left_in(&s.types, at);
}

/*
 * The reference points to a missing file: libdw would search it and open any file with that name.
 */
static bool
is_missing(const struct cr_dwarf *d, const Dwarf_Attribute *a)
{
	switch (a->form) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
		return !cr_split_has_alt(d->split) || dwarf_cu_getdwarf(a->cu) != d->dbg;
	default: return false;
	}
}

bool
cr_dwarf_number(Dwarf_Attribute *a, uint64_t *out)
{
	Dwarf_Word v;

	if (dwarf_formudata(a, &v) != 0)
		return false;
	*out = v;
	return true;
}

const char *
cr_dwarf_text(const struct cr_dwarf *d, Dwarf_Attribute *a)
{
	return is_missing(d, a) ? NULL : cr_split_text(a);
}

bool
cr_dwarf_refer(const struct cr_dwarf *d, Dwarf_Attribute *a, Dwarf_Die *out)
{
	return !is_missing(d, a) && dwarf_formref_die(a, out);
}

bool
cr_dwarf_die_number(Dwarf_Die *die, unsigned name, uint64_t *out)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, name, &a) && cr_dwarf_number(&a, out);
}
