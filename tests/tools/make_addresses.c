/*
 * make_addresses.c - a recording that was never made, with a sample at every STEPth byte of the
 * functions of a program: nothing has to run, and nothing of it is missed.
 *
 *	make_addresses FILE STEP RECORDING >ADDRESSES
 *
 * FILE is a 64-bit ELF file of this machine's byte order, its full path, with a symbol table or
 * the one for the linker. Its addresses stand in the recording moved up by MOVED, and in
 * ADDRESSES as they are in the file. In every second sample the address is that of a caller, and
 * the one behind it stands in the recording; not at the end of a function, for such an address is
 * taken for one of the next function.
 */
#define _DEFAULT_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOVED UINT64_C(0x100000000000)
#define PAGE UINT64_C(4096)
#define ID 77 /* of the process */

enum { COMM = 3, SAMPLE = 9, MMAP2 = 10, USER = 2 };

static const unsigned char *elf;
static FILE *out;

static void
put(uint64_t v, size_t bytes)
{
	fwrite(&v, bytes, 1, out); /* little end first; others skip the test */
}

static void
put_head(uint64_t type, size_t body)
{
	put(type, 4);
	put(USER, 2);
	put(8 + body, 2);
}

static void
put_name(const char *name)
{
	const size_t len = strlen(name) + 1;

	fwrite(name, len, 1, out);
	put(0, -len & 7);
}

static void
put_attr(void)
{
	put(1, 4); /* software: the clock of the CPU */
	put(64, 4);
	put(0, 8);
	put(1000000, 8);
	put(1 | 2 | 4 | 32, 8); /* ip, tid, time, callchain */
	put(0, 8);
	put(1 << 8 | 1 << 9 | 1 << 13 | 1 << 23, 8); /* mmap, comm, task, mmap2 */
	put(0, 16 - 8);
	put(0, 8);
	put(0, 8); /* no ids */
	put(0, 8);
}

static void
put_map(const Elf64_Phdr *p, const char *path)
{
	const uint64_t into = p->p_vaddr % PAGE;

	put_head(MMAP2, 64 + ((strlen(path) + 8) & ~(size_t)7));
	put(ID, 4);
	put(ID, 4);
	put(MOVED + p->p_vaddr - into, 8);
	put((p->p_memsz + into + PAGE - 1) & ~(PAGE - 1), 8);
	put(p->p_offset - into, 8);
	put(8, 4);
	put(1, 4);
	put(99, 8);
	put(0, 8);
	put(5, 4);
	put(2, 4);
	put_name(path);
}

static void
put_sample(uint64_t addr, uint64_t n, int called)
{
	put_head(SAMPLE, 8 * (called ? 7 : 6));
	put(MOVED + addr, 8);
	put(ID, 4);
	put(ID, 4);
	put(n + 1, 8);
	put(called ? 3 : 2, 8);
	put((uint64_t)-512, 8); /* what follows is of the user */
	if (called)
		put(MOVED - 1, 8); /* in no mapping */
	put(MOVED + addr + (uint64_t)called, 8);
	printf("0x%" PRIx64 "\n", addr);
}

static void
put_samples(uint64_t step)
{
	const Elf64_Ehdr *e = (const void *)elf;
	const Elf64_Shdr *s = (const void *)(elf + e->e_shoff);
	Elf64_Word type = SHT_DYNSYM;
	uint64_t n = 0;

	for (int i = 0; i < e->e_shnum; i++)
		if (s[i].sh_type == SHT_SYMTAB)
			type = SHT_SYMTAB;
	for (; s < (const Elf64_Shdr *)(const void *)(elf + e->e_shoff) + e->e_shnum; s++) {
		const Elf64_Sym *sym = (const void *)(elf + s->sh_offset);

		for (uint64_t i = 0; s->sh_type == type && i < s->sh_size / sizeof(*sym); i++)
			if (ELF64_ST_TYPE(sym[i].st_info) == STT_FUNC &&
				sym[i].st_shndx != SHN_UNDEF)
				for (uint64_t at = 0; at < sym[i].st_size; at += step, n++)
					put_sample(sym[i].st_value + at, n,
						n & 1 && at + 1 < sym[i].st_size);
	}
}

static int
usage(const char *why)
{
	fprintf(stderr, "make_addresses FILE STEP RECORDING: %s\n", why);
	return 2;
}

int
main(int argc, char **argv)
{
	const Elf64_Phdr *p;
	struct stat st;
	long data;
	int fd;

	if (argc != 4)
		return usage("three arguments");
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size < 64 || !(out = fopen(argv[3], "wb")))
		return usage("cannot open");
	elf = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (elf == MAP_FAILED || memcmp(elf, ELFMAG, SELFMAG) != 0 || elf[EI_CLASS] != ELFCLASS64 ||
		elf[EI_DATA] != ELFDATA2LSB)
		return usage("not such a file");
	fwrite("PERFILE2", 8, 1, out);
	put(104, 8);
	put(64 + 16, 8);
	put(104, 8);
	put(64 + 16, 8);
	put(104 + 64 + 16, 8);
	put(0, 8); /* the size of the data: once it is known */
	for (int i = 0; i < 6; i++)
		put(0, 8);
	put_attr();
	put_head(COMM, 16);
	put(ID, 4);
	put(ID, 4);
	put_name("made");
	p = (const void *)(elf + ((const Elf64_Ehdr *)(const void *)elf)->e_phoff);
	for (int i = 0; i < ((const Elf64_Ehdr *)(const void *)elf)->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_flags & PF_X)
			put_map(&p[i], argv[1]);
	put_samples(strtoull(argv[2], NULL, 0));
	data = ftell(out) - (104 + 64 + 16);
	fseek(out, 48, SEEK_SET);
	put((uint64_t)data, 8);
	return fclose(out) == 0 ? 0 : 1;
}
