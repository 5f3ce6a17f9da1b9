#include "elf_p.h"

#include "bytes/cursor.h"
#include "bytes/source.h"
#include "symbol/asked_p.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SYMBOLS ((uint64_t)1 << 26)
#define MAX_LOADS 128 /* each symbol may need all of them; programs have about five */
#define MAX_SECTION ((uint64_t)2 << 30)
#define MAX_UNPACKED ((uint64_t)2 << 30) /* a kernel with debug info has half of it */
#define LARGE_SECTION ((uint64_t)1 << 20)
#define MAX_MINI ((uint64_t)256 << 20)
#define FAR_AWAY ((uint64_t)1 << 40) /* distance from code, for sections loaded elsewhere */

/* Symbol tables in order; a stripped file has only the second. */
static const uint32_t tables[] = {SHT_SYMTAB, SHT_DYNSYM};

/* True if the byte order differs from this machine's. */
static bool
is_foreign(const unsigned char ident[EI_NIDENT])
{
	return (ident[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/*
 * libelf allocates as many sections as the file claims, before reading one. So check first that the
 * section table is inside the file. head has at least EI_NIDENT bytes. Layout: elf(5).
 */
static bool
plausible(const unsigned char *head, size_t have, uint64_t size, const unsigned char *first,
	size_t first_have)
{
	const bool wide = head[EI_CLASS] == ELFCLASS64;
	struct cr_cursor c, s;
	uint64_t offset, count, bytes;
	uint16_t entry;

	cr_cursor_init(&c, head, have);
	cr_cursor_skip(&c, EI_NIDENT);
	c.swap = is_foreign(head);
	cr_cursor_skip(&c, wide ? 24 : 16);
	offset = wide ? cr_cursor_u64(&c) : cr_cursor_u32(&c);
	cr_cursor_skip(&c, 10);
	entry = cr_cursor_u16(&c);
	count = cr_cursor_u16(&c);
	if (c.bad)
		return false;
	if (offset == 0)
		return true;
	if (count == 0) { /* more than 16 bits: the number is the size of section 0 */
		cr_cursor_init(&s, first, first_have);
		s.swap = c.swap;
		cr_cursor_skip(&s, wide ? 32 : 20);
		count = wide ? cr_cursor_u64(&s) : cr_cursor_u32(&s);
		if (s.bad)
			return false;
	}
	return cr_mul_ok(count, entry, &bytes) && cr_add_ok(bytes, offset, &bytes) && bytes <= size;
}

/* The offset of the section headers, according to the file. */
static uint64_t
sections_at(const unsigned char *head, size_t have)
{
	const bool wide = head[EI_CLASS] == ELFCLASS64;
	struct cr_cursor c;

	cr_cursor_init(&c, head, have);
	c.swap = is_foreign(head);
	cr_cursor_skip(&c, wide ? 40 : 32);
	return wide ? cr_cursor_u64(&c) : cr_cursor_u32(&c);
}

static bool
plausible_memory(const unsigned char *p, size_t len)
{
	const size_t have = CR_MIN(len, (size_t)64);
	uint64_t at;

	if (len < EI_NIDENT)
		return false;
	at = CR_MIN(sections_at(p, have), len);
	return plausible(p, have, len, p + at, CR_MIN(len - (size_t)at, (size_t)64));
}

static void
read_sections(struct cr_elf *e)
{
	size_t n, names;

	if (elf_getshdrnum(e->elf, &n) < 0 || n == 0)
		return;
	e->sections = cr_arena_array(&e->arena, n, sizeof(*e->sections));
	if (elf_getshdrstrndx(e->elf, &names) < 0)
		names = 0;
	for (size_t i = 0; i < n; i++) {
		struct cr_elf_section *s = &e->sections[i];
		Elf_Scn *scn = elf_getscn(e->elf, i);

		s->name = "";
		if (!scn || !gelf_getshdr(scn, &s->head))
			memset(&s->head, 0, sizeof(s->head));
		else if (names && i > 0)
			s->name = elf_strptr(e->elf, names, s->head.sh_name);
		if (!s->name)
			s->name = "";
	}
	e->n_sections = n;
}

static void
read_loads(struct cr_elf *e)
{
	size_t n;

	if (elf_getphdrnum(e->elf, &n) < 0)
		return;
	e->loads = cr_arena_array(&e->arena, MAX_LOADS, sizeof(*e->loads));
	for (size_t i = 0; i < n && i < INT32_MAX && e->n_loads < MAX_LOADS; i++) {
		GElf_Phdr h;

		if (!gelf_getphdr(e->elf, (int)i, &h))
			return;
		if (h.p_type == PT_LOAD)
			e->loads[e->n_loads++] = h;
	}
}

static struct cr_elf *
begin(Elf *elf)
{
	struct cr_elf *e;
	GElf_Ehdr head;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &head)) {
		elf_end(elf);
		return NULL;
	}
	e = cr_alloc(1, sizeof(*e));
	e->elf = elf;
	e->type = head.e_type;
	e->machine = head.e_machine;
	e->bits = head.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	e->big_endian = head.e_ident[EI_DATA] == ELFDATA2MSB;
	read_sections(e);
	read_loads(e);
	return e;
}

struct cr_elf *
cr_elf_memory(const void *p, size_t len)
{
	union {
		const void *in;
		char *out; /* libelf's parameter lacks const */
	} image = {p};

	elf_version(EV_CURRENT);
	if (!plausible_memory(p, len))
		return NULL;
	return begin(elf_memory(image.out, len));
}

/* Takes ownership of src. */
static struct cr_elf *
of_source(struct cr_source *src)
{
	/* A compressed file is useless without its end. */
	const bool whole = !cr_source_damage(src);
	struct cr_elf *e = whole ? cr_elf_memory(cr_source_bytes(src), cr_source_len(src)) : NULL;

	if (e)
		e->src = src;
	else
		cr_source_close(src);
	return e;
}

struct cr_elf *
cr_elf_open(int fd)
{
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_source *src;
	struct cr_elf *e = NULL;
	struct stat st;

	/*
	 * Mapped by a source, so that truncation of the file does not kill the program; or
	 * unpacked.
	 */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		cr_source_open_fd(fd, MAX_UNPACKED, &src, &ignored) == CR_OK)
		e = of_source(src);
	close(fd);
	return e;
}

struct cr_elf *
cr_elf_mini(const struct cr_elf *e)
{
	const struct cr_elf_section *s = cr_elf_section_named(e, ".gnu_debugdata");
	Elf_Data *d = s ? cr_elf_data(e, s) : NULL;
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_source *src;
	struct cr_elf *mini;

	if (!d || cr_source_open_memory(d->d_buf, d->d_size, MAX_MINI, &src, &ignored) < 0)
		return NULL;
	mini = of_source(src);
	if (mini)
		mini->mini = true;
	return mini;
}

void
cr_elf_close(struct cr_elf *e)
{
	if (!e)
		return;
	elf_end(e->elf);
	cr_source_close(e->src);
	cr_arena_fini(&e->arena);
	free(e);
}

const struct cr_elf_section *
cr_elf_section_type(const struct cr_elf *e, uint32_t type)
{
	for (size_t i = 1; i < e->n_sections; i++)
		if (e->sections[i].head.sh_type == type)
			return &e->sections[i];
	return NULL;
}

const struct cr_elf_section *
cr_elf_section_named(const struct cr_elf *e, const char *name)
{
	for (size_t i = 1; i < e->n_sections; i++)
		if (strcmp(e->sections[i].name, name) == 0)
			return &e->sections[i];
	return NULL;
}

Elf_Data *
cr_elf_data(const struct cr_elf *e, const struct cr_elf_section *s)
{
	Elf_Scn *scn = elf_getscn(e->elf, (size_t)(s - e->sections));
	Elf_Data *d;

	if (!scn || s->head.sh_type == SHT_NOBITS || s->head.sh_size == 0 ||
		s->head.sh_size > MAX_SECTION)
		return NULL;
	d = elf_getdata(scn, NULL);
	return d && d->d_buf && d->d_size ? d : NULL;
}

bool
cr_elf_cursor(const struct cr_elf *e, const char *name, struct cr_cursor *out)
{
	const struct cr_elf_section *s = cr_elf_section_named(e, name);
	const Elf_Data *d = s ? cr_elf_data(e, s) : NULL;

	cr_cursor_init(out, d ? d->d_buf : NULL, d ? d->d_size : 0);
	out->swap = e->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	return d;
}

void
cr_elf_section_done(const struct cr_elf *e, const struct cr_elf_section *s)
{
	if (e->src && s->head.sh_type != SHT_NOBITS && s->head.sh_size >= LARGE_SECTION)
		cr_source_done(
			e->src, s->head.sh_offset, cr_add_sat(s->head.sh_offset, s->head.sh_size));
}

/* namesz, descsz, type; name and descriptor, each padded to align. elf(5), "Notes". */
bool
cr_elf_note_build_id(
	const void *notes, size_t len, size_t align, bool swap, struct cr_build_id *out)
{
	struct cr_cursor c;

	cr_cursor_init(&c, notes, len);
	c.swap = swap;
	while (cr_cursor_left(&c) >= 12) {
		const uint64_t name_len = cr_cursor_u32(&c), desc_len = cr_cursor_u32(&c);
		const uint32_t type = cr_cursor_u32(&c);
		const uint64_t pad = align - 1;
		const unsigned char *name = cr_cursor_take(&c, (name_len + pad) & ~pad);
		const unsigned char *desc = cr_cursor_take(&c, desc_len);

		/* The last descriptor may lack the padding. */
		cr_cursor_skip(&c, CR_MIN(-desc_len & pad, cr_cursor_left(&c)));
		if (!name || !desc)
			return false;
		if (type == NT_GNU_BUILD_ID && name_len == 4 && memcmp(name, "GNU", 4) == 0 &&
			desc_len > 0) {
			out->len = (uint8_t)CR_MIN(desc_len, sizeof(out->p));
			memcpy(out->p, desc, out->len);
			return true;
		}
	}
	return false;
}

void
cr_elf_build_id(struct cr_elf *e, struct cr_build_id *out)
{
	*out = (struct cr_build_id){0};
	for (size_t i = 1; i < e->n_sections; i++) {
		const struct cr_elf_section *s = &e->sections[i];
		Elf_Data *d = s->head.sh_type == SHT_NOTE ? cr_elf_data(e, s) : NULL;
		const size_t align = s->head.sh_addralign == 8 ? 8 : 4;

		/* libelf has converted the header of each note to our byte order. */
		if (d && cr_elf_note_build_id(d->d_buf, d->d_size, align, false, out))
			return;
	}
}

bool
cr_elf_debuglink(struct cr_elf *e, char **name, uint32_t *crc)
{
	const struct cr_elf_section *s = cr_elf_section_named(e, ".gnu_debuglink");
	Elf_Data *d = s ? cr_elf_data(e, s) : NULL;
	const char *ident = elf_getident(e->elf, NULL);
	struct cr_cursor c;
	struct cr_str text;

	if (!d || !ident)
		return false;
	cr_cursor_init(&c, d->d_buf, d->d_size);
	c.swap = is_foreign((const unsigned char *)ident);
	if (d->d_size < 8 || !memchr(d->d_buf, 0, d->d_size - 4))
		return false;
	text = cr_cursor_text(&c, d->d_size - 4);
	*crc = cr_cursor_u32(&c);
	if (c.bad || text.len == 0)
		return false;
	*name = cr_memdup(text.p, text.len);
	return true;
}

bool
cr_elf_symbols_open(struct cr_elf *e, const struct cr_elf_section *s, struct cr_elf_symbols *out)
{
	const size_t size = gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT);
	Elf_Data *strings;
	const char *end;

	*out = (struct cr_elf_symbols){.data = cr_elf_data(e, s)};
	if (!out->data || s->head.sh_link == 0 || s->head.sh_link >= e->n_sections || size == 0)
		return false;
	if (out->data->d_type != ELF_T_SYM || out->data->d_size / size > MAX_SYMBOLS)
		return false;
	if (!(strings = cr_elf_data(e, &e->sections[s->head.sh_link])))
		return false;
	out->n = (int)(out->data->d_size / size);
	out->strings = strings->d_buf;
	if (!(end = memrchr(out->strings, '\0', strings->d_size)))
		return false;
	out->strings_len = (size_t)(end + 1 - out->strings);
	return true;
}

const char *
cr_elf_symbol_name(const struct cr_elf_symbols *s, const GElf_Sym *sym)
{
	return sym->st_name < s->strings_len ? s->strings + sym->st_name : "";
}

static const GElf_Phdr *
load_of(const struct cr_elf *e, uint64_t vaddr)
{
	for (size_t i = 0; i < e->n_loads; i++) {
		const GElf_Phdr *h = &e->loads[i];

		if (vaddr >= h->p_vaddr && vaddr - h->p_vaddr < CR_MAX(h->p_memsz, h->p_filesz))
			return h;
	}
	return NULL;
}

static bool
hollow(const GElf_Phdr *h)
{
	return (h->p_flags & PF_X) && h->p_filesz == 0 && h->p_memsz != 0;
}

bool
cr_elf_hollow(const struct cr_elf *e)
{
	for (size_t i = 0; i < e->n_loads; i++)
		if (e->loads[i].p_flags & PF_X)
			return hollow(&e->loads[i]);
	for (size_t i = 0; i < e->n_sections && e->type == ET_REL; i++) {
		const GElf_Shdr *h = &e->sections[i].head;

		if ((h->sh_flags & SHF_EXECINSTR) && h->sh_type == SHT_PROGBITS && h->sh_size)
			return false;
	}
	return true;
}

void
cr_elf_place(struct cr_elf *e)
{
	uint64_t at = 0;

	/*
	 * In file order, each aligned; .init is placed elsewhere. Source: layout_sections() of
	 * Linux 6.1.
	 */
	for (size_t i = 1; i < e->n_sections; i++) {
		GElf_Shdr *h = &e->sections[i].head;
		const uint64_t align = CR_MAX(h->sh_addralign, 1);

		if (!(h->sh_flags & SHF_ALLOC))
			continue;
		if (!(h->sh_flags & SHF_EXECINSTR) ||
			strncmp(e->sections[i].name, ".init", 5) == 0) {
			h->sh_offset = FAR_AWAY + i * FAR_AWAY;
			continue;
		}
		at = (at + align - 1) / align * align;
		h->sh_offset = at;
		if (!cr_add_ok(at, h->sh_size, &at) || at > FAR_AWAY)
			at = FAR_AWAY;
	}
}

bool
cr_elf_has_debug(const struct cr_elf *e)
{
	const struct cr_elf_section *s = cr_elf_section_named(e, ".debug_info");

	if (!s) /* compressed in the way used before SHF_COMPRESSED */
		s = cr_elf_section_named(e, ".zdebug_info");
	return s && s->head.sh_type != SHT_NOBITS && s->head.sh_size > 0;
}

bool
cr_elf_offset(const struct cr_elf *e, uint64_t vaddr, uint64_t *offset)
{
	const GElf_Phdr *h = e->linked ? NULL : load_of(e, vaddr);

	*offset = vaddr;
	if (!h)
		return e->linked;
	/*
	 * A debug file without its original: its offsets are not those of the code that ran. In
	 * most programs addresses of code equal offsets, so that is the best guess.
	 */
	if (!hollow(h))
		*offset = vaddr - h->p_vaddr + h->p_offset;
	return true;
}

bool
cr_elf_address(const struct cr_elf *e, uint64_t offset, uint64_t *vaddr)
{
	const GElf_Phdr *found = NULL;

	for (size_t i = 0; i < e->n_loads; i++) {
		const GElf_Phdr *h = &e->loads[i];

		/* Two segments may share a page; code belongs to the executable one. */
		if (offset >= h->p_offset && offset - h->p_offset < h->p_filesz &&
			(!found || (h->p_flags & PF_X)))
			found = h;
	}
	*vaddr = found ? offset - found->p_offset + found->p_vaddr : offset;
	return found || cr_elf_hollow(e); /* there offsets were used as addresses */
}

struct cr_str
cr_elf_bytes(const struct cr_elf *e, uint64_t offset, uint64_t len)
{
	size_t size = 0;
	const char *raw = elf_rawfile(e->elf, &size);
	uint64_t end;

	if (!raw || len > UINT32_MAX || !cr_add_ok(offset, len, &end) || end > size)
		return (struct cr_str){NULL, 0};
	return (struct cr_str){raw + offset, (uint32_t)len};
}

struct cr_str
cr_elf_placed_bytes(const struct cr_elf *e, uint64_t place, uint64_t len)
{
	for (size_t i = 1; i < e->n_sections; i++) {
		const GElf_Shdr *h = &e->sections[i].head;
		const Elf_Data *d;

		if (!(h->sh_flags & SHF_EXECINSTR) || place < h->sh_offset ||
			place - h->sh_offset >= h->sh_size)
			continue;
		d = cr_elf_data(e, &e->sections[i]);
		place -= h->sh_offset;
		if (!d || len > UINT32_MAX || place > d->d_size || len > d->d_size - place)
			break;
		return (struct cr_str){(const char *)d->d_buf + place, (uint32_t)len};
	}
	return (struct cr_str){NULL, 0};
}

bool
cr_elf_loaded(const struct cr_elf *e, uint64_t vaddr, uint64_t *offset)
{
	const GElf_Phdr *h = load_of(e, vaddr);

	if (!h || vaddr - h->p_vaddr >= h->p_filesz)
		return false;
	*offset = vaddr - h->p_vaddr + h->p_offset;
	return true;
}

/* True for marks in ARM and RISC-V code, which are no functions: "$a", "$d.5", "$x". */
static bool
is_mapping_symbol(uint16_t machine, const char *name)
{
	switch (machine) {
	case EM_ARM:
	case EM_AARCH64:
		return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
		       (name[2] == '\0' || name[2] == '.');
	case EM_RISCV: return name[0] == '$' && name[1] && strchr("dx", name[1]);
	default: /* other machines have none */ return false;
	}
}

/* Labels count only in code or data, and only if visible. */
static bool
is_wanted(const GElf_Sym *sym)
{
	const unsigned type = GELF_ST_TYPE(sym->st_info);
	const unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);

	/* Higher indices are absolute, common or numbered elsewhere. */
	if (sym->st_name == 0 || sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
		return false;
	if (type == STT_NOTYPE)
		return visibility != STV_HIDDEN && visibility != STV_INTERNAL;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT;
}

/* The section of a symbol in the running dso; NULL if the symbol is not needed. */
static const struct cr_elf_section *
section_of(const struct cr_elf *syms, const struct cr_elf *runtime, const GElf_Sym *sym)
{
	const struct cr_elf_section *s;

	if (sym->st_shndx >= syms->n_sections)
		return NULL;
	s = &syms->sections[sym->st_shndx];
	if (!(s->head.sh_flags & SHF_ALLOC))
		return NULL;
	/* In a debug file the section has no content; use the one of the other file. */
	if (s->head.sh_type == SHT_NOBITS)
		s = sym->st_shndx < runtime->n_sections ? &runtime->sections[sym->st_shndx] : NULL;
	if (s && GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && !strstr(s->name, "text") &&
		!strstr(s->name, "data"))
		return NULL;
	return s;
}

static uint8_t
flags_of(const GElf_Sym *sym)
{
	uint8_t flags = 0;

	if (GELF_ST_BIND(sym->st_info) == STB_WEAK)
		flags |= CR_SYMBOL_WEAK;
	if (GELF_ST_BIND(sym->st_info) == STB_GLOBAL)
		flags |= CR_SYMBOL_GLOBAL;
	if (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE)
		flags |= CR_SYMBOL_UNTYPED;
	if (GELF_ST_TYPE(sym->st_info) == STT_GNU_IFUNC)
		flags |= CR_SYMBOL_IFUNC;
	if (GELF_ST_TYPE(sym->st_info) == STT_OBJECT)
		flags |= CR_SYMBOL_OBJECT;
	return flags;
}

/* A symbol table, and the files around it. */
struct table {
	struct cr_elf *syms, *runtime;
	struct cr_elf *of; /* the file that contains the table */
	struct cr_elf_symbols in;
	bool wide;                 /* 64-bit */
	struct cr_cursor opd;      /* function descriptors of runtime: old ppc64; otherwise empty */
	const GElf_Shdr *opd_head; /* NULL if none */
};

/*
 * On old ppc64 a function's symbol refers to a descriptor, which begins with the address. ELF ABI
 * for PowerPC 64, 1.9, 3.2.5.
 */
static void
table_init(struct table *t, struct cr_elf *syms, struct cr_elf *runtime)
{
	const struct cr_elf_section *s =
		runtime->machine == EM_PPC64 ? cr_elf_section_named(runtime, ".opd") : NULL;
	const Elf_Data *d = s ? cr_elf_data(runtime, s) : NULL;
	const char *ident = elf_getident(runtime->elf, NULL);

	*t = (struct table){.syms = syms, .runtime = runtime};
	if (!d)
		return;
	t->opd_head = &s->head;
	cr_cursor_init(&t->opd, d->d_buf, d->d_size);
	t->opd.swap = is_foreign((const unsigned char *)ident);
}

/* The address of the function whose descriptor is at value; value itself if there is none. */
static uint64_t
from_descriptor(const struct table *t, uint64_t value)
{
	struct cr_cursor c = t->opd;
	uint64_t addr;

	if (!t->opd_head || value < t->opd_head->sh_addr)
		return value;
	cr_cursor_skip(&c, value - t->opd_head->sh_addr);
	addr = cr_cursor_u64(&c);
	return c.bad ? value : addr;
}

static bool
table_open(struct table *t, uint32_t type)
{
	const struct cr_elf_section *s;

	/* MiniDebugInfo has the symbols that .dynsym lacks. */
	t->of = type == SHT_DYNSYM && t->syms->mini ? t->runtime : t->syms;
	s = cr_elf_section_type(t->of, type);
	t->in.n = 0;
	t->wide = gelf_getclass(t->of->elf) == ELFCLASS64;
	return s && cr_elf_symbols_open(t->of, s, &t->in);
}

/* Symbol i; false if it is not needed. */
static bool
table_symbol(const struct table *t, int i, struct cr_symbol *out)
{
	const struct cr_elf_section *s;
	GElf_Sym sym;

	if (t->wide) /* the layout is that of gelf_getsym() */
		memcpy(&sym, (const char *)t->in.data->d_buf + (size_t)i * sizeof(sym),
			sizeof(sym));
	else if (!gelf_getsym(t->in.data, i, &sym))
		return false;
	if (!is_wanted(&sym) || !(s = section_of(t->of, t->runtime, &sym)))
		return false;
	*out = (struct cr_symbol){
		.name = cr_elf_symbol_name(&t->in, &sym), .flags = flags_of(&sym)};
	if (is_mapping_symbol(t->of->machine, out->name))
		return false;
	/* Bit 0 marks Thumb code. */
	if (t->of->machine == EM_ARM && GELF_ST_TYPE(sym.st_info) == STT_FUNC) {
		out->flags |= sym.st_value & 1 ? CR_SYMBOL_THUMB : 0;
		sym.st_value &= ~(GElf_Addr)1;
	}
	sym.st_value = from_descriptor(t, sym.st_value);
	if (!cr_elf_offset(t->runtime, sym.st_value, &out->start))
		out->start = sym.st_value - s->head.sh_addr + s->head.sh_offset;
	if (!cr_add_ok(out->start, sym.st_size, &out->end))
		out->end = out->start;
	return true;
}

/* The symbols around the asked addresses. */
struct around {
	struct cr_asked asked;
	struct near {
		/* Those that looked near during the scan. */
		CR_VEC(struct {
			uint64_t start;
			int row;
		})
		symbols;
		size_t all; /* number of symbols in the table */
	} tables[CR_LEN(tables)];
};

static void
around_fini(struct around *a)
{
	for (size_t i = 0; i < CR_LEN(tables); i++)
		cr_vec_fini(&a->tables[i].symbols);
	cr_asked_fini(&a->asked);
}

static void
look_in_table(const struct table *in, bool first, struct cr_asked *asked, struct near *out)
{
	for (int i = 1; i < in->in.n; i++) {
		struct cr_symbol s;

		if (!table_symbol(in, i, &s))
			continue;
		out->all++;
		if (!cr_asked_scan(asked, s.start, s.end, first))
			continue;
		cr_vec_reserve(&out->symbols, out->symbols.n + 1);
		out->symbols.p[out->symbols.n].start = s.start;
		out->symbols.p[out->symbols.n++].row = i;
	}
}

/*
 * Find the symbols around the asked addresses, and around the start of the stubs. Returns false if
 * all symbols are needed.
 */
static bool
look_around(struct table *in, const struct cr_symtab *t, struct around *a)
{
	const struct cr_elf_section *plt = cr_elf_section_named(in->runtime, ".plt");
	bool first = true;

	cr_asked_init(&a->asked, t->asked, t->n_asked, plt ? plt->head.sh_offset : 0);
	for (size_t i = 0; i < CR_LEN(tables); i++) {
		if (!table_open(in, tables[i]))
			continue;
		look_in_table(in, first, &a->asked, &a->tables[i]);
		first = false;
	}
	return !cr_asked_scan_done(&a->asked);
}

static void
add_near(const struct table *in, const struct cr_asked *asked, const struct near *near,
	struct cr_symtab *t)
{
	size_t added = 0;

	for (size_t i = 0; i < near->symbols.n; i++) {
		struct cr_symbol s;

		if (!cr_asked_needs(asked, near->symbols.p[i].start) ||
			!table_symbol(in, near->symbols.p[i].row, &s))
			continue;
		cr_symtab_add(t, &s);
		added++;
	}
	t->partial |= added < near->all;
}

static void
add_all(const struct table *in, struct cr_symtab *t)
{
	cr_vec_reserve(&t->all, t->all.n + (uint64_t)in->in.n);
	for (int i = 1; i < in->in.n; i++) {
		struct cr_symbol s;

		if (table_symbol(in, i, &s))
			cr_symtab_add(t, &s);
	}
}

void
cr_elf_symbols(struct cr_elf *syms, struct cr_elf *runtime, struct cr_symtab *t)
{
	struct table in;
	struct around around = {0};

	table_init(&in, syms, runtime);
	if (t->asked && !look_around(&in, t, &around))
		t->asked = NULL;
	for (size_t i = 0; i < CR_LEN(tables); i++) {
		if (!table_open(&in, tables[i]))
			continue;
		if (t->asked)
			add_near(&in, &around.asked, &around.tables[i], t);
		else
			add_all(&in, t);
		cr_symtab_fix(t);
		cr_elf_section_done(in.of, cr_elf_section_type(in.of, tables[i]));
	}
	around_fini(&around);
}
