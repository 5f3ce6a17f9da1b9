#ifndef CR_TESTING_ELF_H
#define CR_TESTING_ELF_H

/* ELF files made of sections, for debug info that no compiler writes. Include testing.h before. */
#include "symbol/elf/elf_p.h"

struct testing_section {
	const char *name;
	struct cr_text bytes; /* freed with the file */
	uint32_t type;        /* 0: SHT_PROGBITS */
	uint64_t addr, flags;
};

struct testing_elf {
	struct cr_elf *elf;
	struct cr_text file;
};

/* Append a little-endian number. */
static inline void
testing_put(struct cr_text *t, uint64_t v, unsigned bytes)
{
	for (; bytes; bytes--, v >>= 8)
		cr_text_char(t, (char)v);
}

/* A file for x86-64 with n sections; it is as if linked. */
static inline struct testing_elf
testing_elf_of(struct testing_section *sections, size_t n)
{
	Elf64_Ehdr head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(head),
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)(n + 2),
		.e_shstrndx = (Elf64_Half)(n + 1)};
	Elf64_Shdr *heads = cr_alloc(n + 2, sizeof(*heads));
	Elf64_Phdr load = {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_align = 1};
	struct testing_elf out = {.elf = NULL};
	struct cr_text names = {0};

	testing_put(&names, 0, 1);
	cr_text_pad(&out.file, 0, sizeof(head) + sizeof(load));
	for (size_t i = 0; i <= n; i++) {
		struct testing_section *s = i < n ? &sections[i] : NULL;

		heads[i + 1] = (Elf64_Shdr){.sh_name = (Elf64_Word)names.len,
			.sh_type = !s        ? SHT_STRTAB
				   : s->type ? s->type
					     : SHT_PROGBITS,
			.sh_flags = s ? s->flags : 0,
			.sh_addr = s ? s->addr : 0,
			.sh_offset = out.file.len,
			.sh_addralign = 1};
		cr_text_puts(&names, s ? s->name : ".shstrtab");
		testing_put(&names, 0, 1);
		cr_text_put(&out.file, s ? s->bytes.p : names.p, s ? s->bytes.len : names.len);
		heads[i + 1].sh_size = out.file.len - heads[i + 1].sh_offset;
		if (s && (s->flags & SHF_EXECINSTR)) {
			load.p_offset = heads[i + 1].sh_offset;
			load.p_vaddr = load.p_paddr = s->addr;
			load.p_filesz = load.p_memsz = heads[i + 1].sh_size;
			head.e_phnum = 1;
		}
		if (s)
			cr_text_fini(&s->bytes);
	}
	cr_text_pad(&out.file, 0, -out.file.len & 7);
	head.e_shoff = out.file.len;
	cr_text_put(&out.file, (const char *)heads, (n + 2) * sizeof(*heads));
	memcpy(out.file.p, &head, sizeof(head));
	memcpy(out.file.p + sizeof(head), &load, sizeof(load));
	cr_text_fini(&names);
	free(heads);
	assert_non_null(out.elf = cr_elf_memory(out.file.p, out.file.len));
	return out;
}

static inline void
testing_elf_fini(struct testing_elf *e)
{
	cr_elf_close(e->elf);
	cr_text_fini(&e->file);
}

#endif
