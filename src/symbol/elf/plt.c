#include "elf_p.h"

#include "base/vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Stubs of the procedure linkage table have no symbols. They are named after the symbol of their
 * relocation, as perf does since 6.3: "puts@plt". The head of the table is ".plt", a stub without a
 * name "offset_0x1030@plt". The layouts are those of the psABIs.
 */
struct plt {
	struct cr_elf *e;
	struct cr_symtab *t;
	uint64_t head_size, entry_size;
	struct cr_elf_symbols symbols; /* symbols that the relocations refer to */
};

struct slot {
	uint64_t offset; /* of the entry in the global offset table */
	uint64_t addend;
	uint32_t symbol;
	uint32_t type;
};

/* The relocations of a section, in file order. */
struct slots {
	struct slot *p;
	size_t n;
};

static bool
is_x86(const struct cr_elf *e)
{
	return e->machine == EM_386 || e->machine == EM_X86_64;
}

static bool
sizes_of(struct plt *plt, const struct cr_elf_section *s)
{
	static const struct {
		uint16_t machine;
		uint8_t head, entry;
	} known[] = {
		{EM_ARM, 20, 12},
		{EM_AARCH64, 32, 16},
		{EM_LOONGARCH, 32, 16},
		{EM_RISCV, 32, 16},
		{EM_SPARC, 48, 12},
		{EM_SPARCV9, 128, 32},
	};

	for (size_t i = 0; i < CR_LEN(known); i++)
		if (known[i].machine == plt->e->machine) {
			plt->head_size = known[i].head;
			plt->entry_size = known[i].entry;
			return true;
		}
	plt->entry_size = s->head.sh_entsize;
	/* lld omits the size. */
	if (is_x86(plt->e) && plt->entry_size != 8 && plt->entry_size != 16)
		plt->entry_size = s->head.sh_addralign == 8 ? 8 : 16;
	plt->head_size = plt->entry_size;
	return plt->entry_size > 0 && plt->entry_size <= s->head.sh_size;
}

/* base: borrowed from the file; NULL names the stub by its offset. */
static void
add_stub(struct plt *plt, uint64_t at, uint64_t size, const char *base)
{
	struct cr_symbol s = {.start = at, .end = cr_add_sat(at, size), .name = base};
	char place[48];

	s.flags = CR_SYMBOL_GLOBAL | CR_SYMBOL_PLT;
	if (!base) {
		const int len = snprintf(place, sizeof(place), "offset_0x%" PRIx64, at);

		s.name = cr_arena_copy(&plt->t->arena, place, (size_t)len);
	}
	cr_symtab_add(plt->t, &s);
}

/*
 * Read the relocations of section s whose entries are in [lo, hi). A large program has a million of
 * them in .rela.dyn, few of which are for stubs. The pages of the file are dropped afterwards.
 */
static struct slots
slots_read(struct cr_elf *e, const struct cr_elf_section *s, uint64_t lo, uint64_t hi)
{
	const bool rela = s->head.sh_type == SHT_RELA;
	const size_t size = gelf_fsize(e->elf, rela ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
	Elf_Data *d = cr_elf_data(e, s);
	CR_VEC(struct slot) out = {0};

	if (!d || size == 0 || d->d_type != (rela ? ELF_T_RELA : ELF_T_REL) ||
		d->d_size / size > INT32_MAX)
		return (struct slots){0};
	for (size_t i = 0; i < d->d_size / size; i++) {
		GElf_Rela a = {0};
		GElf_Rel r;

		if (rela) {
			if (!gelf_getrela(d, (int)i, &a))
				break;
		} else {
			if (!gelf_getrel(d, (int)i, &r))
				break;
			a.r_offset = r.r_offset;
			a.r_info = r.r_info;
		}
		if (a.r_offset >= lo && a.r_offset < hi)
			cr_vec_push(&out, ((struct slot){a.r_offset, (uint64_t)a.r_addend,
						  (uint32_t)GELF_R_SYM(a.r_info),
						  (uint32_t)GELF_R_TYPE(a.r_info)}));
	}
	cr_elf_section_done(e, s);
	return (struct slots){out.p, out.n};
}

static int
compare_offsets(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static const char *
name_of(const struct plt *plt, uint32_t symbol)
{
	GElf_Sym sym;

	if (symbol >= (uint32_t)plt->symbols.n ||
		!gelf_getsym(plt->symbols.data, (int)symbol, &sym))
		return "";
	return cr_elf_symbol_name(&plt->symbols, &sym);
}

/* A stub of an ifunc has no name, but the address of its resolver. */
static const char *
ifunc_of(const struct plt *plt, const struct slot *slot)
{
	const struct cr_symbol *s;
	uint64_t at;

	if (plt->e->machine != EM_X86_64 || slot->type != R_X86_64_IRELATIVE)
		return NULL;
	if (!cr_elf_offset(plt->e, slot->addend, &at))
		return NULL;
	/* The symbol there may have been left out as not needed. */
	plt->t->short_of |= plt->t->partial;
	s = cr_symtab_find(plt->t, 0, at);
	return s && s->start == at && (s->flags & CR_SYMBOL_IFUNC) ? s->name : NULL;
}

/* Open the symbol table that a relocation section links to, as plt->symbols. */
static bool
open_symbols(struct plt *plt, const struct cr_elf_section *relocs)
{
	const struct cr_elf_section *s;

	if (relocs->head.sh_link == 0 || relocs->head.sh_link >= plt->e->n_sections)
		return false;
	s = &plt->e->sections[relocs->head.sh_link];
	return (s->head.sh_type == SHT_DYNSYM || s->head.sh_type == SHT_SYMTAB) &&
	       cr_elf_symbols_open(plt->e, s, &plt->symbols);
}

/*
 * Distance from the start of an x86-64 stub to its entry in the offset table; 0 if it is no such
 * stub.
 */
static uint32_t
got_distance(const unsigned char *p, size_t len)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	size_t n = 0;

	if (len >= 4 && memcmp(p, endbr64, 4) == 0)
		n += 4;
	if (len > n && p[n] == 0xf2) /* bnd */
		n++;
	if (len < n + 6 || p[n] != 0xff || p[n + 1] != 0x25) /* jmp *disp(%rip) */
		return 0;
	return (uint32_t)p[n + 2] + ((uint32_t)p[n + 3] << 8) + ((uint32_t)p[n + 4] << 16) +
	       ((uint32_t)p[n + 5] << 24) + (uint32_t)n + 6;
}

static void
slots_sort(struct slots *slots)
{
	for (size_t i = 1; i < slots->n; i++)
		if (slots->p[i - 1].offset > slots->p[i].offset) {
			qsort(slots->p, slots->n, sizeof(*slots->p), compare_offsets);
			return;
		}
}

/* The entry in the offset table that the stub at i of section s jumps through; false if none. */
static bool
got_word(const struct cr_elf_section *s, const Elf_Data *code, uint64_t i, uint64_t *word)
{
	const unsigned char *p = code->d_buf;
	const uint32_t distance = got_distance(p + i, (size_t)(code->d_size - i));

	*word = s->head.sh_addr + i + distance;
	return distance != 0;
}

/* True if an answer may depend on the stubs of .plt.got. */
static bool
got_is_touched(const struct plt *plt)
{
	const struct cr_elf_section *got = cr_elf_section_named(plt->e, ".plt.got");
	/* The last stub may be truncated by the section's end. */
	const uint64_t size = got ? cr_add_sat(got->head.sh_size, got->head.sh_entsize) : 0;

	return got && cr_symtab_touches(
			      plt->t, got->head.sh_offset, cr_add_sat(got->head.sh_offset, size));
}

/*
 * .plt.got: stubs without a relocation; the entries they jump through have one. Returns false if
 * the stubs were left out, because no answer depends on them.
 */
static bool
add_got_stubs(struct plt *plt)
{
	const struct cr_elf_section *s = cr_elf_section_named(plt->e, ".plt.got");
	const struct cr_elf_section *relocs = cr_elf_section_named(plt->e, ".rela.dyn");
	Elf_Data *code = s ? cr_elf_data(plt->e, s) : NULL;
	uint64_t word, lo = UINT64_MAX, hi = 0;
	struct slots slots = {0};

	if (!code || s->head.sh_entsize == 0 || s->head.sh_entsize > code->d_size)
		return true;
	if (!got_is_touched(plt))
		return false;
	for (uint64_t i = 0; i < code->d_size; i += s->head.sh_entsize)
		if (got_word(s, code, i, &word)) {
			lo = CR_MIN(lo, word);
			hi = CR_MAX(hi, cr_add_sat(word, 1));
		}
	if (lo < hi && plt->e->machine == EM_X86_64 && relocs && open_symbols(plt, relocs))
		slots = slots_read(plt->e, relocs, lo, hi);
	slots_sort(&slots);
	for (uint64_t i = 0; i < code->d_size; i += s->head.sh_entsize) {
		const struct slot *slot = NULL;
		const char *name = "";

		if (got_word(s, code, i, &word) && slots.n)
			slot = bsearch(&(struct slot){.offset = word}, slots.p, slots.n,
				sizeof(*slot), compare_offsets);
		if (slot)
			name = name_of(plt, slot->symbol);
		add_stub(plt, s->head.sh_offset + i, s->head.sh_entsize, *name ? name : NULL);
	}
	free(slots.p);
	return true;
}

/* Add the stubs of .plt, or of .plt.sec if that is what is called, after `at`, in slot order. */
static void
add_stubs(struct plt *plt, const struct slots *slots, uint64_t at)
{
	for (size_t i = 0; i < slots->n; i++, at += plt->entry_size) {
		const char *name = name_of(plt, slots->p[i].symbol);

		add_stub(plt, at, plt->entry_size, *name ? name : ifunc_of(plt, &slots->p[i]));
	}
}

static const struct cr_elf_section *
relocations_of(struct cr_elf *e)
{
	const struct cr_elf_section *s = cr_elf_section_named(e, ".rela.plt");

	if (!s)
		s = cr_elf_section_named(e, ".rel.plt");
	return s && (s->head.sh_type == SHT_RELA || s->head.sh_type == SHT_REL) ? s : NULL;
}

/* The number of relocations in a section, if it is valid. */
static uint64_t
count_slots(struct cr_elf *e, const struct cr_elf_section *s)
{
	const Elf_Type type = s && s->head.sh_type == SHT_RELA ? ELF_T_RELA : ELF_T_REL;
	const size_t size = gelf_fsize(e->elf, type, 1, EV_CURRENT);

	return s && size ? s->head.sh_size / size : 0;
}

/*
 * True if an answer may depend on the stubs, which begin at `at`, one for each relocation. The head
 * of the table is [head, head_end).
 */
static bool
is_touched(const struct plt *plt, uint64_t head, uint64_t head_end, uint64_t at,
	const struct cr_elf_section *relocs)
{
	uint64_t size;

	if (!cr_mul_ok(count_slots(plt->e, relocs), plt->entry_size, &size))
		size = UINT64_MAX;
	if (cr_symtab_touches(plt->t, head, head_end) ||
		cr_symtab_touches(plt->t, at, cr_add_sat(at, size)))
		return true;
	return got_is_touched(plt);
}

void
cr_elf_plt(struct cr_elf *e, struct cr_symtab *t)
{
	struct plt plt = {.e = e, .t = t};
	const struct cr_elf_section *s = cr_elf_section_named(e, ".plt");
	const struct cr_elf_section *sec = is_x86(e) ? cr_elf_section_named(e, ".plt.sec") : NULL;
	const struct cr_elf_section *relocs = relocations_of(e);
	struct slots slots = {0};
	uint64_t head_size, head_end, at;
	bool got_left_out = false;

	if (!s || s->head.sh_type == SHT_NOBITS || !sizes_of(&plt, s))
		return;
	/* A symbol before it without a size, usually _init, was extended into it. */
	cr_symtab_index(t);
	cr_symtab_cut(t, s->head.sh_offset);

	head_size = plt.head_size;
	if (sec && sizes_of(&plt, sec))
		head_size = s->head.sh_size;
	else
		sec = NULL;
	head_end = cr_add_sat(s->head.sh_offset, head_size);
	at = sec ? sec->head.sh_offset : head_end;
	if (!is_touched(&plt, s->head.sh_offset, head_end, at, relocs)) {
		t->partial = true;
		return;
	}
	if (relocs && open_symbols(&plt, relocs))
		slots = slots_read(e, relocs, 0, UINT64_MAX);
	/* The stubs fill the section: without lazy binding there is no head. */
	if (!sec && slots.n && slots.n * plt.entry_size == s->head.sh_size)
		head_size = 0;
	if (head_size) {
		struct cr_symbol head = {.start = s->head.sh_offset, .name = ".plt"};

		head.end = cr_add_sat(head.start, head_size);
		head.flags = CR_SYMBOL_GLOBAL;
		cr_symtab_add(t, &head);
	}
	if (is_x86(e)) {
		struct plt got = plt;

		/* The linker lists ifuncs last; the stubs are in slot order. */
		slots_sort(&slots);
		got_left_out = !add_got_stubs(&got);
	}
	add_stubs(&plt, &slots, sec ? sec->head.sh_offset : s->head.sh_offset + head_size);
	t->partial |= got_left_out;
	free(slots.p);
}
