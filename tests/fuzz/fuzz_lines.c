/*
 * Any bytes as an ELF file with debug info: the lines and inlined functions of addresses all over
 * its code, the profile that comes of it, and the types of the data that the code accesses.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "model/build/builder.h"
#include "symbol/data/data_types_p.h"
#include "symbol/dwarf/lines_p.h"

#define SPOTS 24 /* of a section of code */
#define MAX_SPOTS 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t sink; /* so that nothing read is optimised away */

/* Where the dso is asked: at both ends of its code and in between. */
static struct cr_profile *
profile_of(const struct cr_elf *e)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("e"), CR_STR("e"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("t"), cr_builder_address_space(b));
	const cr_dso_id o =
		cr_builder_dso(b, &(struct cr_dso){.name = CR_STR("/x"), .kind = CR_KIND_USER});
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {.n = 0};
	struct cr_profile *p;
	uint32_t n = 0;

	cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	cr_builder_may_be_empty(b);
	for (size_t i = 1; i < e->n_sections; i++) {
		const GElf_Shdr *h = &e->sections[i].head;

		for (uint64_t k = 0; k < SPOTS && (h->sh_flags & SHF_EXECINSTR) && n < MAX_SPOTS;
			k++, n++) {
			const uint64_t addr = h->sh_offset + h->sh_size / SPOTS * k + k % 3;
			const uint16_t ordinal = k % 5 ? 0 : CR_ORDINAL_RETURN;
			struct cr_sample s = {
				.weight = 1, .task = task, .event = event, .cpu = CR_CPU_NONE};

			s.node = cr_builder_push(
				b, CR_ROOT, cr_builder_location(b, o, addr, ordinal));
			cr_builder_sample(b, &s);
		}
	}
	if (cr_builder_finish(b, &log, &p, &err) < 0)
		p = NULL;
	cr_builder_free(b);
	return p;
}

static void
names_init(struct cr_names *n, const struct cr_profile *p)
{
	*n = (struct cr_names){.p = p, .dso = {1}, .n = p->n_locations};
	n->asked = cr_alloc(n->n, sizeof(*n->asked));
	n->function = cr_alloc(n->n, sizeof(*n->function));
	for (uint32_t i = 0; i < n->n; i++) {
		n->asked[i] = (struct cr_addrkey){p->locations[i].addr, i, 0};
		n->function[i] = CR_NO_ROW;
	}
	cr_names_sort(n);
}

/* Every location that has a line has all of its tables' rows. */
static void
look(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_locations; i++)
		for (uint32_t k = 0; k < p->locations[i].lines; k++) {
			const struct cr_line *line = &p->lines[p->locations[i].first_line + k];
			const struct cr_function *f = &p->functions[line->function.i];

			if (k + 1 < p->locations[i].lines && f->addr != CR_ADDR_INLINED)
				abort();
			sink += f->name.len + f->linkage.len + f->file.len + line->file.len +
				line->line;
			if (f->name.len)
				sink += (size_t)f->name.p[f->name.len - 1];
		}
}

/* The types of data at the same addresses. */
static void
look_at_types(const uint8_t *data, size_t size)
{
	struct cr_elf *e = cr_elf_memory(data, size);
	struct cr_debugfile d = {.syms = e, .runtime = e, .debug = e};
	struct cr_profile *p = e ? profile_of(e) : NULL;
	const struct cr_symbol_opts opts = {.home = NULL};
	struct cr_data_found *found;
	struct cr_add_fields add;
	struct cr_addrkey *keys;

	if (!p) {
		cr_elf_close(e);
		return;
	}
	found = cr_alloc(CR_MAX(p->n_locations, 1u), sizeof(*found));
	keys = cr_alloc(CR_MAX(p->n_locations, 1u), sizeof(*keys));
	for (uint32_t i = 0; i < p->n_locations; i++)
		keys[i] = (struct cr_addrkey){p->locations[i].addr, i, 0};
	cr_addrkey_sort(keys, p->n_locations);
	cr_add_fields_begin(&add, p);
	cr_debugfile_ready(&opts, &d);
	if (d.debug)
		cr_data_types_of(&opts, &p->dsos[1], &d, keys, p->n_locations, &add, found);
	cr_add_fields_end(&add);
	for (uint32_t i = 0; i < p->n_locations; i++)
		sink += found[i].offset + found[i].result;
	cr_debugfile_close(&d);
	free(keys);
	free(found);
	cr_profile_free(p);
}

static void
look_up(const uint8_t *data, size_t size)
{
	struct cr_elf *e = cr_elf_memory(data, size);
	struct cr_debugfile d = {.syms = e, .runtime = e, .debug = e};
	struct cr_profile *p = e ? profile_of(e) : NULL;
	const struct cr_symbol_opts opts = {.home = NULL};
	struct cr_lines l = {.n = NULL};
	struct cr_naming *naming;
	struct cr_names n;
	uint32_t *ids;

	if (!p) {
		cr_elf_close(e);
		return;
	}
	names_init(&n, p);
	cr_debugfile_ready(&opts, &d);
	cr_names_keep(&n, &d);
	cr_lines_open(&l, &opts, &n);
	for (uint32_t i = 0; i < l.hits.units.n; i++)
		cr_lines_read(&l, i, NULL);
	cr_lines_functions(&l);
	naming = cr_naming_new(p);
	ids = cr_alloc(n.functions.n, sizeof(*ids));
	for (size_t i = 0; i < n.functions.n; i++)
		ids[i] = cr_naming_function(naming, &n.functions.p[i]).i;
	for (uint32_t i = 0; i < n.n; i++)
		if (n.function[i] != CR_NO_ROW)
			cr_lines_attach(&l, &n, i, ids, naming);
	p = cr_naming_finish(naming);
	look(p);
	free(ids);
	cr_lines_fini(&l);
	free(n.asked);
	cr_names_fini(&n);
	cr_profile_free(p);
}

/*
 * No sanitizer looks into libdw: but behind the input is a page that nobody can read, as behind a
 * mapped file.
 */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
	uint8_t *p =
		mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	memcpy(p + room - size, data, size);
	if (mprotect(p, room, PROT_READ) < 0 || mprotect(p + room, page, PROT_NONE) < 0)
		abort();
	look_up(p + room - size, size);
	look_at_types(p + room - size, size);
	munmap(p, room + page);
	return 0;
}
