#include "unwind_module_p.h"

#include "symbol/jit/jitdump.h"

#include <string.h>

/* Size of the code at the entry point, which often has no call frame information. */
#define START_BYTES 64

/* ---- sections and segments */

static struct cr_cursor
cursor(const struct cr_unwind_module *m, const void *p, size_t len)
{
	struct cr_cursor c;

	cr_cursor_init(&c, p, len);
	c.swap = m->swap;
	return c;
}

/* The file's bytes from a virtual address to the end of its segment. */
static struct cr_cursor
bytes_at(const struct cr_unwind_module *m, uint64_t vaddr)
{
	const struct cr_elf *e = m->runtime;
	size_t len;
	const char *image = elf_rawfile(e->elf, &len);

	for (size_t i = 0; image && i < e->n_loads; i++) {
		const GElf_Phdr *h = &e->loads[i];
		const uint64_t at = vaddr - h->p_vaddr;

		if (vaddr < h->p_vaddr || at >= h->p_filesz || h->p_offset >= len ||
			at >= len - h->p_offset)
			continue;
		return cursor(m, image + h->p_offset + at,
			(size_t)CR_MIN(h->p_filesz - at, len - h->p_offset - at));
	}
	return cursor(m, "", 0);
}

static bool
find_section(const struct cr_unwind_module *m, const struct cr_elf *e, const char *name,
	struct cr_cursor *out, uint64_t *vaddr)
{
	const struct cr_elf_section *s = cr_elf_section_named(e, name);
	Elf_Data *d = s ? cr_elf_data(e, s) : NULL;

	if (!d)
		return false;
	*out = cursor(m, d->d_buf, d->d_size);
	*vaddr = s->head.sh_addr;
	return true;
}

/* The segment of .eh_frame_hdr; 0 if there is none. */
static uint64_t
hdr_vaddr(const struct cr_elf *e, uint64_t *len)
{
	GElf_Phdr h;
	size_t n;

	if (elf_getphdrnum(e->elf, &n) < 0)
		return 0;
	for (size_t i = 0; i < CR_MIN(n, (size_t)UINT16_MAX) && gelf_getphdr(e->elf, (int)i, &h);
		i++)
		if (h.p_type == PT_GNU_EH_FRAME) {
			*len = h.p_filesz;
			return h.p_vaddr;
		}
	return 0;
}

static void
open_eh_frame(struct cr_unwind_module *m)
{
	struct cr_cursor all, hdr;
	uint64_t vaddr, len = 0;
	const uint64_t at = hdr_vaddr(m->runtime, &len);

	if (!find_section(m, m->runtime, ".eh_frame", &all, &vaddr))
		return;
	cr_cfi_init(&m->eh, m->arch, all, vaddr, true);
	if (!at)
		return;
	hdr = bytes_at(m, at);
	cr_cfi_table(&m->eh, cr_cursor_sub(&hdr, CR_MIN(len, cr_cursor_left(&hdr))), at);
}

static bool
fits(const struct cr_elf *e, const struct cr_unwind_arch *arch, bool swap)
{
	const char *ident = elf_getident(e->elf, NULL);
	const bool big = ident && ident[EI_DATA] == ELFDATA2MSB;
	const bool big_here = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return e->machine == arch->machine &&
	       gelf_getclass(e->elf) == (arch->word == 8 ? ELFCLASS64 : ELFCLASS32) &&
	       (big != big_here) == swap;
}

static void
open_all(struct cr_unwind_module *m)
{
	const struct cr_debugfile *f = &m->files;

	if (!f->runtime || cr_elf_hollow(f->runtime)) {
		m->why = f->why ? f->why : "only its debug file";
		return;
	}
	if (!fits(f->runtime, m->arch, m->swap)) {
		m->why = "its file is of another machine";
		return;
	}
	m->runtime = f->runtime;
	open_eh_frame(m);
}

/* .debug_frame of a file for this machine; NULL if there is none. */
static const struct cr_elf_section *
debug_frame_of(const struct cr_unwind_module *m, const struct cr_elf *e)
{
	const struct cr_elf_section *s = e ? cr_elf_section_named(e, ".debug_frame") : NULL;

	return s && s->head.sh_type != SHT_NOBITS && fits(e, m->arch, m->swap) ? s : NULL;
}

static bool
open_debug_frame(struct cr_unwind_module *m, const struct cr_elf *e)
{
	const struct cr_elf_section *s = debug_frame_of(m, e);
	struct cr_cursor all;
	uint64_t vaddr;

	if (!s || (s->head.sh_flags & SHF_COMPRESSED) ||
		!find_section(m, e, ".debug_frame", &all, &vaddr))
		return false;
	cr_cfi_init(&m->debug, m->arch, all, vaddr, false);
	return true;
}

/*
 * A dso without exception tables may have .debug_frame, in itself or in the file with its symbols.
 * A compressed one is unpacked together with the debug info, which takes time.
 */
static void
seek_debug_frame(struct cr_unwind_module *m)
{
	const struct cr_debugfile *f = &m->files;
	struct cr_symbol_opts opts;

	m->debug_sought = true;
	if (open_debug_frame(m, f->runtime) || open_debug_frame(m, f->syms))
		return;
	if (!debug_frame_of(m, f->runtime) && !debug_frame_of(m, f->syms))
		return;
	opts = *m->opts;
	opts.no_inline = false;
	cr_debugfile_find(&opts, &m->dso, &m->debug_files);
	open_debug_frame(m, m->debug_files.debug);
}

struct cr_unwind_module *
cr_unwind_module_new(const struct cr_symbol_opts *opts, const struct cr_dso *o,
	const struct cr_unwind_arch *arch, bool swap)
{
	struct cr_unwind_module *m = cr_alloc(1, sizeof(*m));

	m->arch = arch;
	m->swap = swap;
	m->opts = opts;
	m->dso = *o;
	if (opts && cr_jitdump_is_name(o->name)) {
		m->why = "unwind tables of jitdumps are not read";
	} else if (opts) {
		struct cr_symbol_opts without = *opts;

		without.no_inline = true;
		cr_debugfile_find(&without, o, &m->files);
		open_all(m);
	} else {
		m->why = "files are not looked for";
	}
	return m;
}

void
cr_unwind_module_free(struct cr_unwind_module *m)
{
	cr_cfi_fini(&m->eh);
	cr_cfi_fini(&m->debug);
	cr_debugfile_close(&m->files);
	cr_debugfile_close(&m->debug_files);
	free(m);
}

/* ---- addresses */

/* The segment that maps a file offset, preferably an executable one. */
static const GElf_Phdr *
load_of(const struct cr_elf *e, uint64_t offset)
{
	const GElf_Phdr *found = NULL;

	for (size_t i = 0; i < e->n_loads; i++) {
		const GElf_Phdr *h = &e->loads[i];

		if (offset < h->p_offset || offset - h->p_offset >= h->p_filesz)
			continue;
		if (h->p_flags & PF_X)
			return h;
		found = h;
	}
	return found;
}

/*
 * Rows for PLT stubs, which only some linkers describe. Nothing is saved. In lazy x86 stubs a
 * number is pushed: in the first entry, and in the second half of the others:
 *
 *	stub: jmp *GOT(n)      6 bytes
 *	      push n           5, ends at 11
 *	      jmp first
 *
 * In static programs, and in sections with other names, a stub is only the first instruction.
 */
static bool
stub_row(const struct cr_unwind_module *m, uint64_t vaddr, struct cr_cfi_row *out)
{
	const struct cr_unwind_arch *a = m->arch;
	const struct cr_elf_section *s = NULL;
	int64_t pushed;

	for (size_t i = 1; i < m->runtime->n_sections && !s; i++) {
		const struct cr_elf_section *k = &m->runtime->sections[i];

		if ((k->head.sh_flags & SHF_EXECINSTR) &&
			(strncmp(k->name, ".plt", 4) == 0 || strcmp(k->name, ".iplt") == 0) &&
			vaddr >= k->head.sh_addr && vaddr - k->head.sh_addr < k->head.sh_size)
			s = k;
	}
	if (!s)
		return false;
	*out = (struct cr_cfi_row){
		.cfa = {.how = CR_CFI_VALUE, .reg = a->sp, .n = -a->sp_from_cfa}, .ra = a->link};
	if (a->link != CR_UNWIND_NO_SLOT)
		return true;
	pushed = s->name[4] || s->head.sh_addralign < 16 ? 0
		 : vaddr - s->head.sh_addr < 16          ? 1 + (vaddr - s->head.sh_addr >= 6)
							 : (vaddr & 15) >= 11;
	out->cfa.n = (1 + pushed) * a->word;
	out->ra = a->pc;
	out->n_at = out->n_rules = 1;
	out->rules[0] =
		(struct cr_cfi_rule){.how = CR_CFI_AT, .slot = a->pc, .n = -(int64_t)a->word};
	return true;
}

enum cr_unwind_place
cr_unwind_module_find(struct cr_unwind_module *m, uint64_t offset, struct cr_cfi_row *out)
{
	const GElf_Phdr *h = m->runtime ? load_of(m->runtime, offset) : NULL;
	uint64_t vaddr;
	GElf_Ehdr head;

	if (!h)
		return CR_UNWIND_BARE;
	vaddr = offset - h->p_offset + h->p_vaddr;
	if (cr_cfi_find(&m->eh, vaddr, out) || stub_row(m, vaddr, out))
		return CR_UNWIND_ROW;
	if (!m->debug_sought)
		seek_debug_frame(m);
	if (cr_cfi_find(&m->debug, vaddr, out))
		return CR_UNWIND_ROW;
	if (gelf_getehdr(m->runtime->elf, &head) && head.e_entry && vaddr >= head.e_entry &&
		vaddr - head.e_entry < START_BYTES)
		return CR_UNWIND_START;
	return CR_UNWIND_BARE;
}

const unsigned char *
cr_unwind_module_bytes(const struct cr_unwind_module *m, uint64_t offset, unsigned bytes)
{
	const GElf_Phdr *h = m->runtime ? load_of(m->runtime, offset) : NULL;
	struct cr_cursor c;

	if (!h || (h->p_flags & PF_W))
		return NULL;
	c = bytes_at(m, offset - h->p_offset + h->p_vaddr);
	return cr_cursor_take(&c, bytes);
}
