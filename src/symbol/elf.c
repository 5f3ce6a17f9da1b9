#include "elf.h"

#include "asked.h"
#include "cresset/bytes/cursor.h"
#include "cresset/bytes/source.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SYMBOLS ((uint64_t)1 << 26)
#define MAX_LOADS 128 /* each symbol may look at all of them; programs have about five */
#define MAX_SECTION ((uint64_t)2 << 30)

/* Where symbols are, the one after the other; a stripped file has the second one alone. */
static const uint32_t tables[] = {SHT_SYMTAB, SHT_DYNSYM};

/* Not in this machine's byte order? */
static bool
is_foreign(const unsigned char ident[EI_NIDENT])
{
	return (ident[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/*
 * libelf believes the number of sections before it has seen one, and makes room for them. So
 * look first: the table must lie in the file. head has EI_NIDENT bytes at least. Layout: elf(5).
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
	if (count == 0) { /* too many for 16 bits: the number is the size of section 0 */
		cr_cursor_init(&s, first, first_have);
		s.swap = c.swap;
		cr_cursor_skip(&s, wide ? 32 : 20);
		count = wide ? cr_cursor_u64(&s) : cr_cursor_u32(&s);
		if (s.bad)
			return false;
	}
	return cr_mul_ok(count, entry, &bytes) && cr_add_ok(bytes, offset, &bytes) && bytes <= size;
}

/* Where the section headers start, by the file's own word. */
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
plausible_file(int fd)
{
	unsigned char head[64], first[64];
	struct stat st;
	ssize_t have, first_have = 0;
	uint64_t at;

	if (fstat(fd, &st) < 0 || (have = pread(fd, head, sizeof(head), 0)) < EI_NIDENT)
		return false;
	at = sections_at(head, (size_t)have);
	if (at > 0 && at < (uint64_t)st.st_size)
		first_have = pread(fd, first, sizeof(first), (off_t)at);
	return first_have >= 0 &&
	       plausible(head, (size_t)have, (uint64_t)st.st_size, first, (size_t)first_have);
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
	e->sections = cr_arena_alloc(&e->arena, n * sizeof(*e->sections));
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
	e->loads = cr_arena_alloc(&e->arena, MAX_LOADS * sizeof(*e->loads));
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
	read_sections(e);
	read_loads(e);
	return e;
}

struct cr_elf *
cr_elf_memory(const void *p, size_t len)
{
	union {
		const void *in;
		char *out; /* libelf forgot the const */
	} image = {p};

	elf_version(EV_CURRENT);
	if (!plausible_memory(p, len))
		return NULL;
	return begin(elf_memory(image.out, len));
}

struct cr_elf *
cr_elf_open(int fd)
{
	struct cr_err ignored = CR_ERR_INIT;
	struct cr_source *src;
	struct cr_elf *e = NULL;

	/* Mapped by a source, which a file that is cut while it is read does not end. */
	if (plausible_file(fd) && cr_source_open_fd(fd, 0, &src, &ignored) == CR_OK) {
		e = cr_elf_memory(cr_source_bytes(src), cr_source_len(src));
		if (e)
			e->src = src;
		else
			cr_source_close(src);
	}
	close(fd);
	return e;
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

/* namesz, descsz, type; the name, the descriptor, each filled up to align. elf(5), "Notes". */
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

		/* The last descriptor may do without the filling. */
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

		/* libelf has turned the header of each note to our byte order already. */
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
	return true;
}

bool
cr_elf_offset(const struct cr_elf *e, uint64_t vaddr, uint64_t *offset)
{
	const GElf_Phdr *h = load_of(e, vaddr);

	if (!h)
		return false;
	/*
	 * A debug file without the file it was made of: its offsets are not those of the code that
	 * ran. Addresses equal offsets in the code of most programs, so that is the best guess.
	 */
	*offset = hollow(h) ? vaddr : vaddr - h->p_vaddr + h->p_offset;
	return true;
}

/* Marks in the code of ARM and RISC-V, not functions: "$a", "$d.5", "$x". */
static bool
is_mapping_symbol(uint16_t machine, const char *name)
{
	switch (machine) {
	case EM_ARM:
	case EM_AARCH64:
		return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
		       (name[2] == '\0' || name[2] == '.');
	case EM_RISCV:
		return name[0] == '$' && name[1] && strchr("dx", name[1]);
	default: /* not worth a look at the name */
		return false;
	}
}

/* Labels count only where code or data is, and only visible ones. */
static bool
is_wanted(const GElf_Sym *sym)
{
	const unsigned type = GELF_ST_TYPE(sym->st_info);
	const unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);

	/* What is past the table of sections is absolute, common or numbered elsewhere. */
	if (sym->st_name == 0 || sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
		return false;
	if (type == STT_NOTYPE)
		return visibility != STV_HIDDEN && visibility != STV_INTERNAL;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT;
}

/* The section a symbol is in, as the object runs; NULL when the symbol is of no use. */
static const struct cr_elf_section *
section_of(const struct cr_elf *syms, const struct cr_elf *runtime, const GElf_Sym *sym)
{
	const struct cr_elf_section *s;

	if (sym->st_shndx >= syms->n_sections)
		return NULL;
	s = &syms->sections[sym->st_shndx];
	if (!(s->head.sh_flags & SHF_ALLOC))
		return NULL;
	/* A debug file: the section has its place in the other one. */
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
	return flags;
}

/* A table of symbols, and where what it names is. */
struct table {
	struct cr_elf *syms, *runtime;
	struct cr_elf_symbols in;
	bool wide; /* of 64 bits */
};

static bool
table_open(struct table *t, uint32_t type)
{
	const struct cr_elf_section *s = cr_elf_section_type(t->syms, type);

	t->in.n = 0;
	t->wide = gelf_getclass(t->syms->elf) == ELFCLASS64;
	return s && cr_elf_symbols_open(t->syms, s, &t->in);
}

/* Symbol i, false when it is of no use. */
static bool
table_symbol(const struct table *t, int i, struct cr_symbol *out)
{
	const struct cr_elf_section *s;
	GElf_Sym sym;

	if (t->wide) /* the layout that gelf_getsym() would bring it to */
		memcpy(&sym, (const char *)t->in.data->d_buf + (size_t)i * sizeof(sym), sizeof(sym));
	else if (!gelf_getsym(t->in.data, i, &sym))
		return false;
	if (!is_wanted(&sym) || !(s = section_of(t->syms, t->runtime, &sym)))
		return false;
	*out = (struct cr_symbol){
		.name = cr_elf_symbol_name(&t->in, &sym), .flags = flags_of(&sym)};
	if (is_mapping_symbol(t->syms->machine, out->name))
		return false;
	/* Bit 0 says that the function is Thumb code. */
	if (t->syms->machine == EM_ARM && GELF_ST_TYPE(sym.st_info) == STT_FUNC)
		sym.st_value &= ~(GElf_Addr)1;
	if (!cr_elf_offset(t->runtime, sym.st_value, &out->start))
		out->start = sym.st_value - s->head.sh_addr + s->head.sh_offset;
	if (!cr_add_ok(out->start, sym.st_size, &out->end))
		out->end = out->start;
	return true;
}

/* Learn what lies around the addresses that are asked, and around the start of the stubs. */
static void
look_around(struct table *in, const struct cr_symtab *t, struct cr_asked *asked)
{
	const struct cr_elf_section *plt = cr_elf_section_named(in->runtime, ".plt");
	bool first = true;

	cr_asked_init(asked, t->asked, t->n_asked, plt ? plt->head.sh_offset : 0);
	for (size_t i = 0; i < CR_LEN(tables); i++) {
		if (!table_open(in, tables[i]))
			continue;
		for (int k = 1; k < in->in.n; k++) {
			struct cr_symbol s;

			if (table_symbol(in, k, &s))
				cr_asked_see(asked, s.start, s.end, first);
		}
		first = false;
	}
	cr_asked_seen(asked);
}

void
cr_elf_symbols(struct cr_elf *syms, struct cr_elf *runtime, struct cr_symtab *t)
{
	struct table in = {.syms = syms, .runtime = runtime};
	struct cr_asked asked = {0};

	if (t->asked)
		look_around(&in, t, &asked);
	for (size_t i = 0; i < CR_LEN(tables); i++) {
		if (!table_open(&in, tables[i]))
			continue;
		if (!t->asked)
			cr_vec_reserve(&t->all, t->all.n + (size_t)in.in.n);
		for (int k = 1; k < in.in.n; k++) {
			struct cr_symbol s;

			if (!table_symbol(&in, k, &s))
				continue;
			if (t->asked && !cr_asked_needs(&asked, s.start))
				t->partial = true;
			else
				cr_symtab_add(t, &s);
		}
		cr_symtab_fix(t);
	}
	cr_asked_fini(&asked);
}
