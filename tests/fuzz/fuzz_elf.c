/*
 * Any bytes as an ELF file, or as one that is packed: everything the symbol layer asks of one, and
 * each symbol found again; the code of some, as instructions; the symbols that are packed in it; it
 * as a kernel module; its image for libdw.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "symbol/code/disasm.h"
#include "symbol/elf/elf_p.h"
#include "symbol/elf/image_p.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t sink; /* so that nothing read is optimised away */

/* Knowing what will be asked makes no difference to the answers. */
static void
ask_for_few(struct cr_elf *e, struct cr_symtab *all)
{
	struct cr_addrkey asked[16] = {{0, 0, 0}};
	struct cr_symtab few = {.demangle = true, .asked = asked, .n_asked = CR_LEN(asked)};
	uint32_t rows[CR_LEN(asked)];

	for (size_t i = 0; i < CR_LEN(asked) && all->all.n; i++) {
		const struct cr_symbol *s = &all->all.p[i * 7919 % all->all.n];

		asked[i].addr = s->start + (i & 1 ? (s->end - s->start) / 2 : 0);
	}
	cr_addrkey_sort(asked, CR_LEN(asked));
	cr_elf_symbols(e, e, &few);
	cr_elf_plt(e, &few);
	cr_symtab_index(&few);
	cr_symtab_find_each(&few, 0, 0, asked, CR_LEN(asked), rows);
	for (size_t i = 0; i < CR_LEN(asked) && !few.short_of; i++) {
		const struct cr_symbol *s = cr_symtab_find(all, 0, asked[i].addr);

		if ((rows[i] == CR_NO_ROW) != !s ||
			(s && (few.all.p[rows[i]].start != s->start ||
				      strcmp(few.all.p[rows[i]].name, s->name) != 0)))
			abort();
	}
	cr_symtab_fini(&few);
}

/* What is not ELF as it stands may be packed: that takes a file. */
static struct cr_elf *
open_bytes(const uint8_t *data, size_t size)
{
	int fd;

	if (size >= 4 && memcmp(data, ELFMAG, 4) == 0)
		return cr_elf_memory(data, size);
	fd = memfd_create("elf", MFD_CLOEXEC);
	if (write(fd, data, size) != (ssize_t)size)
		abort();
	return cr_elf_open(fd);
}

/* All bytes of some symbols are there, and their instructions are no more than they. */
static void
read_code(const struct cr_elf *e, const struct cr_symtab *t, bool placed)
{
	for (size_t i = 0; i < t->all.n && i < 64; i++) {
		const struct cr_symbol *s = &t->all.p[i];
		struct cr_machine_code c = {
			.machine = e->machine, .bits = e->bits, .big_endian = e->big_endian};
		struct cr_disasm d;
		uint64_t size = 0, vaddr, offset;

		c.bytes = placed ? cr_elf_placed_bytes(e, s->start, s->end - s->start)
				 : cr_elf_bytes(e, s->start, s->end - s->start);
		c.bytes.len = CR_MIN(c.bytes.len, 4096u);
		if (cr_elf_address(e, s->start, &vaddr) && cr_elf_loaded(e, vaddr, &offset))
			sink += offset;
		cr_disasm_make(&c, &d);
		for (size_t k = 0; k < d.list.n; k++)
			size += d.list.p[k].size;
		if (size > c.bytes.len)
			abort();
		for (size_t k = 0; k < c.bytes.len; k++)
			sink += (unsigned char)c.bytes.p[k];
		cr_disasm_fini(&d);
	}
}

/* The symbols of .gnu_debugdata, with those for the linker of the file that it is in. */
static void
open_mini(struct cr_elf *e)
{
	struct cr_elf *mini = cr_elf_mini(e);
	struct cr_symtab t = {.demangle = true};

	if (!mini)
		return;
	cr_elf_symbols(mini, e, &t);
	cr_symtab_index(&t);
	sink += t.all.n;
	cr_symtab_fini(&t);
	cr_elf_close(mini);
}

/* All bytes of its sections can be read. */
static void
open_image(struct cr_elf *e)
{
	struct cr_elf *image = cr_image_new(e, e);

	for (size_t i = 1; image && i < image->n_sections; i++) {
		const Elf_Data *d = cr_elf_data(image, &image->sections[i]);

		for (size_t k = 0; d && k < d->d_size; k++)
			sink += ((const unsigned char *)d->d_buf)[k];
	}
	cr_elf_close(image);
}

/* Last: the sections of a module are elsewhere then. */
static void
place(struct cr_elf *e)
{
	struct cr_symtab t = {.demangle = false};

	if (e->type != ET_REL)
		return;
	cr_elf_place(e);
	cr_elf_symbols(e, e, &t);
	cr_symtab_index(&t);
	read_code(e, &t, true);
	cr_symtab_fini(&t);
	open_image(e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cr_elf *e = open_bytes(data, size);
	struct cr_symtab t = {.demangle = true};
	struct cr_text name = {0}, linkage = {0};
	struct cr_build_id id;
	char *link = NULL;
	uint32_t crc;

	if (!e)
		return 0;
	cr_elf_build_id(e, &id);
	if (cr_elf_debuglink(e, &link, &crc))
		sink += strlen(link);
	cr_elf_symbols(e, e, &t);
	cr_elf_plt(e, &t);
	cr_symtab_index(&t);
	for (size_t i = 0; i < t.all.n; i++) {
		const struct cr_symbol *s = cr_symtab_find(&t, 0, t.all.p[i].start);

		if (!s)
			continue;
		if (s->start > t.all.p[i].start)
			abort();
		cr_symtab_names(&t, s, &name, &linkage);
		sink += name.len + linkage.len;
	}
	ask_for_few(e, &t);
	read_code(e, &t, false);
	open_mini(e);
	open_image(e);
	place(e);
	cr_text_fini(&linkage);
	cr_text_fini(&name);
	free(link);
	cr_symtab_fini(&t);
	cr_elf_close(e);
	return 0;
}
