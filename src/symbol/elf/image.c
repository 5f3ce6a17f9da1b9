#include "image_p.h"

#include "bytes/whole.h"

#include <string.h>
#include <sys/mman.h>

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

#define MAX_IMAGE ((uint64_t)4 << 30)
#define MAX_RATIO ((uint64_t)1100) /* for a section: zlib reaches 1032 */
/* For a whole file, above FREE_BYTES; debug info has about 5. */
#define MAX_MEAN_RATIO ((uint64_t)64)
#define FREE_BYTES ((uint64_t)64 << 20)
#define ALIGN ((uint64_t)16)

struct image {
	struct cr_elf *e;
	const struct cr_elf *runtime;
	unsigned char *p; /* the ELF header, the section headers, the content of sections */
	uint64_t len, cap;
	uint64_t at;          /* of the section headers */
	size_t names;         /* section with the names of sections; 0 if there is none */
	GElf_Shdr *heads;     /* new headers of all sections */
	uint64_t relocations; /* remaining number of relocations: sections may share them */
};

enum how { PLAIN, ZLIB, ZSTD, UNKNOWN };

/* A compressed section. */
struct packed {
	enum how how;
	bool old;      /* ".zdebug_info", used before SHF_COMPRESSED */
	uint64_t size; /* size after unpacking */
	uint64_t align;
	const char *p; /* its len compressed bytes */
	size_t len;
};

/* True for sections that functions, lines and unwinding need; the others are a third of a file. */
static bool
is_needed(const char *name)
{
	static const char *const names[] = {
		"info",
		"abbrev",
		"str",
		"line",
		"line_str",
		"ranges",
		"rnglists",
		"addr",
		"str_offsets",
		"frame",
	};
	size_t len;
	const char *last = name + (strncmp(name, ".zdebug_", 8) == 0 ? 8 : 7);

	if (strncmp(name, ".debug_", 7) != 0 && last != name + 8)
		return false;
	len = strlen(last);
	if (len > 4 && strcmp(last + len - 4, ".dwo") == 0)
		len -= 4;
	for (size_t i = 0; i < CR_LEN(names); i++)
		if (strncmp(last, names[i], len) == 0 && names[i][len] == '\0')
			return true;
	return false;
}

/* The old form: "ZLIB" and the size, big-endian. */
static void
read_old(const Elf_Data *d, struct packed *out)
{
	const unsigned char *p = d->d_buf;

	*out = (struct packed){.how = UNKNOWN, .old = true, .align = 1};
	if (d->d_size < 12 || memcmp(p, "ZLIB", 4) != 0)
		return;
	for (int i = 4; i < 12; i++)
		out->size = out->size << 8 | p[i];
	out->how = ZLIB;
	out->p = (const char *)p + 12;
	out->len = d->d_size - 12;
}

static void
read_new(const struct cr_elf *e, Elf_Scn *scn, const Elf_Data *d, struct packed *out)
{
	const size_t head =
		gelf_getclass(e->elf) == ELFCLASS64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	GElf_Chdr c;

	*out = (struct packed){.how = UNKNOWN};
	if (d->d_size < head || !gelf_getchdr(scn, &c))
		return;
	out->how = c.ch_type == ELFCOMPRESS_ZLIB   ? ZLIB
		   : c.ch_type == ELFCOMPRESS_ZSTD ? ZSTD
						   : UNKNOWN;
	out->size = c.ch_size;
	out->align = c.ch_addralign;
	out->p = (const char *)d->d_buf + head;
	out->len = d->d_size - head;
}

static void
read_packed(const struct cr_elf *e, size_t i, struct packed *out)
{
	const GElf_Shdr *h = &e->sections[i].head;
	const bool old = strncmp(e->sections[i].name, ".zdebug_", 8) == 0;
	Elf_Scn *scn = elf_getscn(e->elf, i);
	const Elf_Data *d;

	*out = (struct packed){.how = PLAIN};
	if ((h->sh_flags & SHF_ALLOC) || h->sh_type == SHT_NOBITS ||
		!(old || (h->sh_flags & SHF_COMPRESSED)))
		return;
	*out = (struct packed){.how = UNKNOWN, .old = old, .align = 1};
	if (!scn || !is_needed(e->sections[i].name) || !(d = elf_rawdata(scn, NULL)) || !d->d_buf)
		return;
	if (old)
		read_old(d, out);
	else
		read_new(e, scn, d, out);
	if (out->size / MAX_RATIO > out->len)
		out->how = UNKNOWN;
}

/* True for sections that libdw may read. Code and symbols are most of many files. */
static bool
is_kept(const struct image *m, size_t i)
{
	const GElf_Shdr *h = &m->e->sections[i].head;

	if (h->sh_flags & SHF_ALLOC)
		return false;
	switch (h->sh_type) {
	case SHT_NULL:
	case SHT_NOBITS:
	case SHT_SYMTAB:
	case SHT_DYNSYM:
	case SHT_REL:
	case SHT_RELA: return false;
	case SHT_STRTAB: return i == m->names;
	default: return true;
	}
}

static size_t
head_bytes(const struct cr_elf *e)
{
	return e->bits == 64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
}

static size_t
entry_bytes(const struct cr_elf *e)
{
	return e->bits == 64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

/* Size of the image; 0 if none is needed or it would be too large. */
static uint64_t
image_size(const struct image *m, uint64_t file_len)
{
	const struct cr_elf *e = m->e;
	bool needed = e->type == ET_REL && cr_elf_has_debug(e);
	uint64_t sum = head_bytes(e) + ALIGN + e->n_sections * (entry_bytes(e) + ALIGN);
	uint64_t copied = 0;

	for (size_t i = 1; i < e->n_sections; i++) {
		struct packed s;

		read_packed(e, i, &s);
		needed |= s.how != PLAIN;
		if (s.how == PLAIN && is_kept(m, i)) {
			s.size = e->sections[i].head.sh_size;
			copied = cr_add_sat(copied, s.size);
		}
		if (!cr_add_ok(sum, s.size, &sum))
			return 0;
	}
	/* More than the file has: sections overlap. */
	if (!needed || copied > file_len)
		return 0;
	return sum <= CR_MIN(MAX_IMAGE, FREE_BYTES + file_len * MAX_MEAN_RATIO) ? sum : 0;
}

/* Append the content of a section as it is; false if the file does not contain it. */
static bool
copy_section(struct image *m, const GElf_Shdr *h)
{
	size_t len;
	const char *file = elf_rawfile(m->e->elf, &len);

	if (h->sh_offset > len || h->sh_size > len - h->sh_offset || h->sh_size > m->cap - m->len)
		return false;
	memcpy(m->p + m->len, file + h->sh_offset, (size_t)h->sh_size);
	return true;
}

/* Unpack to the end of the image, which does not move. */
static bool
unpack(struct image *m, const struct packed *s)
{
	if (s->how == UNKNOWN || s->size > m->cap - m->len)
		return false;
	return (s->how == ZLIB ? cr_whole_zlib : cr_whole_zstd)(
		s->p, s->len, m->p + m->len, (size_t)s->size);
}

/* Rename ".zdebug_info" to ".debug_info", in place. */
static void
rename_old(struct image *m, GElf_Shdr *h)
{
	const GElf_Shdr *strings = &m->heads[m->names];

	h->sh_name++;
	if (h->sh_name < strings->sh_size && strings->sh_offset < m->len &&
		h->sh_name < m->len - strings->sh_offset)
		m->p[strings->sh_offset + h->sh_name] = '.';
}

/* Lay out the sections that are needed; the others lose their content. */
static void
copy_sections(struct image *m)
{
	for (size_t i = 1; i < m->e->n_sections; i++) {
		GElf_Shdr *h = &m->heads[i];
		const uint64_t size = h->sh_size;
		struct packed s;
		bool done;

		read_packed(m->e, i, &s);
		if (s.how == PLAIN && !is_kept(m, i)) {
			if (h->sh_type != SHT_NULL)
				h->sh_type = SHT_NOBITS;
			continue;
		}
		m->len = (m->len + ALIGN - 1) & ~(ALIGN - 1);
		if (s.how == PLAIN) {
			done = copy_section(m, h);
		} else {
			done = unpack(m, &s);
			h->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
			h->sh_addralign = s.align;
		}
		h->sh_offset = m->len;
		h->sh_size = !done ? 0 : s.how == PLAIN ? size : s.size;
		if (h->sh_size == 0)
			h->sh_type = SHT_NOBITS;
		m->len += h->sh_size;
	}
	/* Names are in a section that may come after those that are renamed. */
	for (size_t i = 1; i < m->e->n_sections; i++)
		if (strncmp(m->e->sections[i].name, ".zdebug_", 8) == 0 &&
			!(m->heads[i].sh_flags & SHF_ALLOC) && m->heads[i].sh_type != SHT_NULL)
			rename_old(m, &m->heads[i]);
}

/* Give loaded sections the address of their place in the running dso, and no content. */
static void
place_sections(struct image *m)
{
	for (size_t i = 1; i < m->e->n_sections && i < m->runtime->n_sections; i++) {
		GElf_Shdr *h = &m->heads[i];

		if (!(h->sh_flags & SHF_ALLOC))
			continue;
		h->sh_addr = m->runtime->sections[i].head.sh_offset;
		h->sh_type = SHT_NOBITS;
	}
}

/*
 * Size of a relocation that stores a plain value, the kind used in debug info. Source: the psABI of
 * each machine.
 */
static size_t
plain_bytes(uint16_t machine, uint32_t type)
{
	static const struct {
		uint16_t machine;
		uint8_t bytes;
		uint32_t type;
	} kinds[] = {
		{EM_X86_64, 8, R_X86_64_64},
		{EM_X86_64, 4, R_X86_64_32},
		{EM_X86_64, 4, R_X86_64_32S},
		{EM_AARCH64, 8, R_AARCH64_ABS64},
		{EM_AARCH64, 4, R_AARCH64_ABS32},
		{EM_386, 4, R_386_32},
		{EM_ARM, 4, R_ARM_ABS32},
		{EM_PPC64, 8, R_PPC64_ADDR64},
		{EM_PPC64, 4, R_PPC64_ADDR32},
		{EM_S390, 8, R_390_64},
		{EM_S390, 4, R_390_32},
		{EM_RISCV, 8, R_RISCV_64},
		{EM_RISCV, 4, R_RISCV_32},
	};

	for (size_t i = 0; i < CR_LEN(kinds); i++)
		if (kinds[i].machine == machine && kinds[i].type == type)
			return kinds[i].bytes;
	return 0;
}

/* A number of 4 or 8 bytes in the file's byte order. */
static uint64_t
number_get(const unsigned char *p, size_t bytes, bool swap)
{
	uint32_t narrow;
	uint64_t wide;

	if (bytes == 4) {
		memcpy(&narrow, p, 4);
		return swap ? __builtin_bswap32(narrow) : narrow;
	}
	memcpy(&wide, p, 8);
	return swap ? __builtin_bswap64(wide) : wide;
}

static void
number_put(unsigned char *p, size_t bytes, bool swap, uint64_t value)
{
	const uint32_t narrow = swap ? __builtin_bswap32((uint32_t)value) : (uint32_t)value;
	const uint64_t wide = swap ? __builtin_bswap64(value) : value;

	memcpy(p, bytes == 4 ? (const void *)&narrow : &wide, bytes);
}

static bool
relocation(Elf_Data *d, uint32_t kind, int i, GElf_Rela *out)
{
	GElf_Rel rel;

	if (kind == SHT_RELA)
		return gelf_getrela(d, i, out);
	if (!gelf_getrel(d, i, &rel))
		return false;
	*out = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
	return true;
}

/* Apply the relocations of section i to a section that is not loaded. */
static void
relocate_section(struct image *m, size_t i)
{
	const struct cr_elf *e = m->e;
	const GElf_Shdr *h = &e->sections[i].head, *to = &m->heads[h->sh_info];
	Elf_Data *d = cr_elf_data(e, &e->sections[i]);
	Elf_Data *syms = cr_elf_data(e, &e->sections[h->sh_link]);
	const char *ident = elf_getident(e->elf, NULL);
	const bool swap =
		(ident[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	GElf_Rela r;
	GElf_Sym sym;

	if (!d || !syms || syms->d_type != ELF_T_SYM ||
		d->d_type != (h->sh_type == SHT_RELA ? ELF_T_RELA : ELF_T_REL))
		return;
	if (to->sh_type == SHT_NOBITS || to->sh_offset > m->len ||
		to->sh_size > m->len - to->sh_offset)
		return;
	for (int k = 0; m->relocations && relocation(d, h->sh_type, k, &r); k++, m->relocations--) {
		const size_t bytes = plain_bytes(e->machine, (uint32_t)GELF_R_TYPE(r.r_info));
		unsigned char *at;

		if (bytes == 0 || r.r_offset > to->sh_size || bytes > to->sh_size - r.r_offset ||
			GELF_R_SYM(r.r_info) > INT32_MAX ||
			!gelf_getsym(syms, (int)GELF_R_SYM(r.r_info), &sym))
			continue;
		at = m->p + to->sh_offset + r.r_offset;
		if (sym.st_shndx < e->n_sections)
			sym.st_value += m->heads[sym.st_shndx].sh_addr;
		sym.st_value +=
			h->sh_type == SHT_RELA ? (uint64_t)r.r_addend : number_get(at, bytes, swap);
		number_put(at, bytes, swap, sym.st_value);
	}
}

static void
relocate(struct image *m)
{
	for (size_t i = 1; i < m->e->n_sections; i++) {
		const GElf_Shdr *h = &m->e->sections[i].head;

		if ((h->sh_type == SHT_RELA || h->sh_type == SHT_REL) &&
			h->sh_info < m->e->n_sections && h->sh_link < m->e->n_sections &&
			!(m->heads[h->sh_info].sh_flags & SHF_ALLOC))
			relocate_section(m, i);
	}
}

/* The ELF header, without program headers. Layout: elf(5). */
static void
write_head(struct image *m, const unsigned char *file, bool swap)
{
	const bool wide = m->e->bits == 64;

	memcpy(m->p, file, head_bytes(m->e));
	number_put(m->p + (wide ? 32 : 28), wide ? 8 : 4, swap, 0);
	number_put(m->p + (wide ? 40 : 32), wide ? 8 : 4, swap, m->at);
	memset(m->p + (wide ? 56 : 44), 0, 2);
}

/* Write the ELF header and the new section headers. */
static bool
write_heads(struct image *m, const unsigned char *file)
{
	const bool wide = m->e->bits == 64;
	const size_t entry = entry_bytes(m->e);
	const char *ident = elf_getident(m->e->elf, NULL);
	GElf_Ehdr head;

	if (!gelf_getehdr(m->e->elf, &head) || head.e_shentsize != entry)
		return false;
	write_head(m, file,
		(ident[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	for (size_t i = 0; i < m->e->n_sections; i++) {
		const GElf_Shdr *h = &m->heads[i];
		Elf32_Shdr narrow = {h->sh_name, h->sh_type, (Elf32_Word)h->sh_flags,
			(Elf32_Addr)h->sh_addr, (Elf32_Off)h->sh_offset, (Elf32_Word)h->sh_size,
			h->sh_link, h->sh_info, (Elf32_Word)h->sh_addralign,
			(Elf32_Word)h->sh_entsize};
		Elf64_Shdr same = *h;
		Elf_Data from = {.d_buf = wide ? (void *)&same : &narrow,
			.d_type = ELF_T_SHDR,
			.d_version = EV_CURRENT,
			.d_size = entry};
		Elf_Data to = from;

		to.d_buf = m->p + m->at + i * entry;
		if (!gelf_xlatetof(m->e->elf, &to, &from, (unsigned)ident[EI_DATA]))
			return false;
	}
	return true;
}

struct cr_elf *
cr_image_new(struct cr_elf *e, const struct cr_elf *runtime)
{
	struct image m = {.e = e, .runtime = runtime};
	struct cr_elf *out = NULL;
	size_t len;
	const char *file = elf_rawfile(e->elf, &len);

	if (elf_getshdrstrndx(e->elf, &m.names) < 0 || m.names >= e->n_sections)
		m.names = 0;
	if (!file || !(m.cap = image_size(&m, len)) || !(m.p = cr_try_map(m.cap)))
		return NULL;
	m.at = (head_bytes(e) + ALIGN - 1) & ~(ALIGN - 1);
	m.len = m.at + e->n_sections * entry_bytes(e);
	m.relocations = len / sizeof(Elf32_Rel);
	m.heads = cr_alloc(e->n_sections, sizeof(*m.heads));
	for (size_t i = 0; i < e->n_sections; i++)
		m.heads[i] = e->sections[i].head;
	copy_sections(&m);
	if (e->type == ET_REL) {
		place_sections(&m);
		relocate(&m);
	}
	if (write_heads(&m, (const unsigned char *)file))
		out = cr_elf_memory(m.p, (size_t)m.len);
	free(m.heads);
	if (out)
		cr_arena_adopt_mapping(&out->arena, m.p, (size_t)m.cap);
	else
		munmap(m.p, (size_t)m.cap);
	return out;
}
