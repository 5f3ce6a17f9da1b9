#include "frame_pointers.h"

#include "cfi_p.h"
#include "symbol/elf/elf_p.h"

#include <sys/utsname.h>

#define EXAMINED 2000

static bool
saves(const struct cr_cfi_row *row, uint8_t slot)
{
	for (size_t i = 0; i < row->n_at; i++)
		if (row->rules[i].slot == slot)
			return true;
	return false;
}

enum frame { FRAME_NONE, FRAME_OTHER, FRAME_POINTER };

/*
 * What a function has at some place. Where a call pushes the return address, a function with a
 * frame pointer finds its caller's frame by that register; one that has pushed nothing else has no
 * frame. Where a call leaves it in a register, the function saves both together.
 */
static enum frame
frame_at(const struct cr_unwind_arch *arch, const struct cr_cfi_row *row)
{
	if (arch->link != CR_UNWIND_NO_SLOT) {
		if (!saves(row, arch->link))
			return FRAME_NONE;
		return saves(row, arch->fp) ? FRAME_POINTER : FRAME_OTHER;
	}
	if (row->cfa.how == CR_CFI_VALUE && row->cfa.reg == arch->fp)
		return FRAME_POINTER;
	return row->cfa.how == CR_CFI_VALUE && row->cfa.n == arch->word ? FRAME_NONE : FRAME_OTHER;
}

/* Examine a function at three places. Compilers set up a frame late, and give none to some. */
static void
examine(struct cr_cfi *cfi, const struct cr_cfi_entry *f, struct cr_frame_pointers *out)
{
	enum frame best = FRAME_NONE;

	for (unsigned quarter = 1; quarter <= 3; quarter++) {
		struct cr_cfi_row row;

		if (cr_cfi_find(cfi, f->start + (f->end - f->start) / 4 * quarter, &row))
			best = CR_MAX(best, frame_at(cfi->arch, &row));
	}
	out->examined += best != FRAME_NONE;
	out->keeping += best == FRAME_POINTER;
}

/*
 * Examine the functions of .text. The code at the entry point is
 * the C library's, and so is that of the other sections.
 */
static void
examine_all(
	struct cr_cfi *cfi, const GElf_Shdr *text, uint64_t entry, struct cr_frame_pointers *out)
{
	const size_t step = cr_cfi_index(cfi) / EXAMINED + 1;

	for (size_t i = 0; i < cfi->index.n; i += step) {
		const struct cr_cfi_entry *f = &cfi->index.p[i];

		if (f->start >= text->sh_addr && f->start - text->sh_addr < text->sh_size &&
			f->start != entry)
			examine(cfi, f, out);
	}
}

static const struct cr_unwind_arch *
arch_of(const struct cr_elf *e)
{
	const struct cr_unwind_arch *arch;
	struct utsname host;

	if (uname(&host) != 0 || e->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		return NULL;
	arch = cr_unwind_arch_find(cr_str_of(host.machine), e->bits == 64 ? 2 : 1);
	return arch && arch->machine == e->machine && arch->fp != CR_UNWIND_NO_SLOT ? arch : NULL;
}

static void
examine_file(
	const struct cr_elf *e, const struct cr_unwind_arch *arch, struct cr_frame_pointers *out)
{
	const struct cr_elf_section *frames = cr_elf_section_named(e, ".eh_frame"),
				    *text = cr_elf_section_named(e, ".text");
	Elf_Data *data = frames && text ? cr_elf_data(e, frames) : NULL;
	struct cr_cursor all;
	struct cr_cfi cfi;
	GElf_Ehdr head;

	out->go = cr_elf_section_named(e, ".gopclntab");
	if (!data || !gelf_getehdr(e->elf, &head))
		return;
	cr_cursor_init(&all, data->d_buf, data->d_size);
	cr_cfi_init(&cfi, arch, all, frames->head.sh_addr, true);
	examine_all(&cfi, &text->head, head.e_entry, out);
	cr_cfi_fini(&cfi);
}

bool
cr_frame_pointers_of(int fd, struct cr_frame_pointers *out)
{
	struct cr_elf *e = cr_elf_open(fd);
	const struct cr_unwind_arch *arch = e ? arch_of(e) : NULL;

	*out = (struct cr_frame_pointers){0};
	if (arch)
		examine_file(e, arch, out);
	if (e)
		cr_elf_close(e);
	return arch;
}
