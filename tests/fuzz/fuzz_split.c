/*
 * Any bytes as a .dwo file or a package of them: each unit found, made a file in memory, and looked
 * through by libdw.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdw.h>

#include "symbol/dwarf/dwp_p.h"
#include "symbol/elf/image_p.h"

#define MAX_UNITS 64
#define MAX_ENTRIES 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t sink; /* so that nothing read is optimised away */

static void
look(struct cr_elf *e)
{
	Dwarf *dbg = dwarf_begin_elf(e->elf, DWARF_C_READ, NULL);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, die;
	Dwarf_Addr low;
	int n = 0;

	if (!dbg)
		return;
	if (dwarf_get_units(dbg, NULL, &cu, NULL, NULL, &unit, NULL) == 0)
		for (int rc = dwarf_child(&unit, &die); rc == 0 && n < MAX_ENTRIES; n++) {
			sink += dwarf_lowpc(&die, &low) == 0 ? low : 0;
			sink += dwarf_diename(&die) ? 1 : 0;
			rc = dwarf_siblingof(&die, &die);
		}
	dwarf_end(dbg);
}

static void
open_unit(struct cr_elf *e, uint64_t id)
{
	static const unsigned char addresses[512];
	struct cr_unit_parts parts = {.low_pc = 0x1000};
	uint64_t budget = UINT32_MAX;
	struct cr_elf *image;

	if (!cr_dwp_find(e, id, &budget, &parts))
		return;
	cr_cursor_init(&parts.addr, addresses, sizeof(addresses));
	cr_cursor_init(&parts.ranges, addresses, sizeof(addresses));
	if (!(image = cr_unit_image_new(&parts)))
		return;
	look(image);
	cr_elf_close(image);
}

static void
open_all(struct cr_elf *e)
{
	const struct cr_elf_section *info = cr_elf_section_named(e, ".debug_info.dwo");
	const struct cr_elf_section *abbrev = cr_elf_section_named(e, ".debug_abbrev.dwo");
	const Elf_Data *d = info ? cr_elf_data(e, info) : NULL,
		       *a = abbrev ? cr_elf_data(e, abbrev) : NULL;
	struct cr_cursor units, table;
	struct cr_unit_head h;

	if (!d || !a)
		return;
	cr_cursor_init(&units, d->d_buf, d->d_size);
	cr_cursor_init(&table, a->d_buf, a->d_size);
	for (int i = 0; i < MAX_UNITS && cr_unit_head_read(&units, &table, &h); i++)
		open_unit(e, h.id);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cr_elf *e = cr_elf_memory(data, size), *image = e ? cr_image_new(e, e) : NULL;

	if (e)
		open_all(image ? image : e);
	cr_elf_close(image);
	cr_elf_close(e);
	return 0;
}
