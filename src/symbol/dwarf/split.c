#include "split_p.h"

#include "base/hash.h"
#include "dwarf_cost_p.h"
#include "dwp_p.h"
#include "symbol/elf/image_p.h"
#include "symbol/files/gate_p.h"

#include <dwarf.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES ((uint64_t)4 << 30)    /* total size of the images */
#define MAX_TEXT ((size_t)1 << 20)       /* bytes of a text, with its end */
#define MAX_SEARCHED ((uint64_t)8 << 30) /* bytes read to find units */

/* A split unit that was requested. */
struct opened {
	uint64_t skeleton;  /* offset of the skeleton's DIE */
	struct cr_elf *elf; /* NULL if it is unavailable */
	Dwarf *dbg;
	Dwarf_Die die;
};

struct cr_split {
	const struct cr_symbol_opts *opts;
	const struct cr_debugfile *files;
	Elf *alt_elf;
	Dwarf *alt;
	struct cr_cursor addr, ranges; /* of the program */
	struct cr_elf *package;        /* .dwp */
	bool looked;                   /* the package was searched */
	struct cr_elf *last; /* the .dwo file used last, since it may have several units */
	struct cr_text last_path;
	CR_VEC(struct opened) units;
	struct cr_index by_skeleton;
	uint64_t bytes;    /* total size of the images */
	uint64_t searched; /* remaining bytes to read to find units */
};

struct cr_split *
cr_split_new(const struct cr_symbol_opts *opts, const struct cr_debugfile *d, Dwarf *dwarf)
{
	struct cr_split *s = cr_alloc(1, sizeof(*s));
	size_t len;
	char *p =
		d->alt && !cr_dwarf_is_costly(d->alt, true) ? elf_rawfile(d->alt->elf, &len) : NULL;

	s->opts = opts;
	s->files = d;
	s->searched = MAX_SEARCHED;
	if (d->debug) {
		cr_elf_cursor(d->debug, ".debug_addr", &s->addr);
		cr_elf_cursor(d->debug, ".debug_ranges", &s->ranges);
	}
	if (!p)
		return s;
	s->alt_elf = elf_memory(p, len);
	s->alt = s->alt_elf ? dwarf_begin_elf(s->alt_elf, DWARF_C_READ, NULL) : NULL;
	if (s->alt)
		dwarf_setalt(dwarf, s->alt);
	return s;
}

bool
cr_split_has_alt(const struct cr_split *s)
{
	return s->alt;
}

void
cr_split_free(struct cr_split *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->units.n; i++) {
		dwarf_end(s->units.p[i].dbg);
		cr_elf_close(s->units.p[i].elf);
	}
	cr_vec_fini(&s->units);
	cr_index_fini(&s->by_skeleton);
	cr_elf_close(s->last);
	cr_text_fini(&s->last_path);
	cr_elf_close(s->package);
	dwarf_end(s->alt);
	elf_end(s->alt_elf);
	free(s);
}

/* ---- finding files */

/* Open an ELF file with its sections unpacked. */
static struct cr_elf *
open_file(const struct cr_symbol_opts *opts, const char *path)
{
	const int fd = cr_gate_open(opts, path, 0, CR_GATE_NOBODY);
	struct cr_elf *e = fd < 0 ? NULL : cr_elf_open(fd);
	struct cr_elf *image = e ? cr_image_new(e, e) : NULL;

	if (!image)
		return e;
	cr_elf_close(e);
	return image;
}

/* Length of the directory of a path, including the slash. */
static int
directory_len(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? (int)(slash + 1 - path) : 0;
}

/* The i-th place for the program's package; false if there is no more. "" means skip. */
static bool
package_place(const struct cr_split *s, int i, struct cr_text *path)
{
	const struct cr_debugfile *d = s->files;
	const char *of = i % 2 ? d->debug_path : d->path;
	const int directory = directory_len(of);
	struct cr_str base = cr_str_of(of ? of + directory : "");

	cr_text_clear(path);
	if (i >= 6)
		return false;
	if (cr_str_ends(base, ".debug"))
		base.len -= 6;
	if (base.len == 0 || (i / 2 == 1 && !s->opts->debug_dir) || (i / 2 == 2 && !s->opts->symfs))
		return true;
	if (i / 2 == 0)
		cr_text_put(path, of, (size_t)directory);
	else
		cr_text_printf(path, "%s/", i / 2 == 1 ? s->opts->debug_dir : s->opts->symfs);
	cr_text_str(path, base);
	cr_text_puts(path, ".dwp");
	return true;
}

static void
look_for_package(struct cr_split *s)
{
	struct cr_text path = {0};

	for (int i = 0; !s->package && package_place(s, i, &path); i++)
		if (path.len)
			s->package = open_file(s->opts, path.p);
	cr_text_fini(&path);
	s->looked = true;
}

/* The same for a .dwo file: where it was compiled, and next to the program or its debug file. */
static bool
unit_place(const struct cr_split *s, const char *dir, const char *name, int i, struct cr_text *path)
{
	const char *of = i % 2 ? s->files->debug_path : s->files->path;
	const char *root = i % 2 ? s->opts->debug_dir : s->opts->symfs;
	const char *base = cr_str_basename(cr_str_of(name)).p;

	cr_text_clear(path);
	switch (i) {
	case 0:
	case 1: /* below --symfs (or "" if there is none), and below --debug-dir */
		if (i == 0 || root)
			cr_text_printf(
				path, "%s%s/%s", root ? root : "", *name == '/' ? "" : dir, name);
		return true;
	case 2:
	case 3:
		cr_text_printf(path, "%.*s%s", directory_len(of), of ? of : "",
			directory_len(of) ? name : "");
		return true;
	case 4:
	case 5:
		cr_text_printf(path, "%.*s%s", directory_len(of), of ? of : "",
			directory_len(of) ? base : "");
		return true;
	case 6:
	case 7:
		if (root)
			cr_text_printf(path, "%s/%s", root, base);
		return true;
	default: return false;
	}
}

const char *
cr_split_text(Dwarf_Attribute *a)
{
	size_t len;
	const char *file = elf_rawfile(dwarf_getelf(dwarf_cu_getdwarf(a->cu)), &len);
	const char *text = dwarf_formstring(a);
	const uintptr_t at = (uintptr_t)text, start = (uintptr_t)file;

	if (!file || at < start || at - start >= len) /* in the file of dwz */
		return a->form == DW_FORM_string ? NULL : text;
	return memchr(text, 0, CR_MIN(len - (size_t)(at - start), MAX_TEXT)) ? text : NULL;
}

static const char *
text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;

	/* Do not read it if libdw would have to open another file. */
	return dwarf_attr(die, name, &a) && a.form != DW_FORM_GNU_strp_alt &&
			       a.form != DW_FORM_strp_sup
		       ? cr_split_text(&a)
		       : NULL;
}

static bool
find_in_file(struct cr_split *s, const char *path, uint64_t id, struct cr_unit_parts *parts)
{
	if (s->last_path.len == 0 || strcmp(s->last_path.p, path) != 0) {
		cr_elf_close(s->last);
		s->last = open_file(s->opts, path);
		cr_text_clear(&s->last_path);
		cr_text_puts(&s->last_path, path);
	}
	return s->last && cr_dwp_find(s->last, id, &s->searched, parts);
}

static bool
find_parts(struct cr_split *s, Dwarf_Die *skeleton, uint64_t id, struct cr_unit_parts *parts)
{
	const char *name = text_of(skeleton, DW_AT_dwo_name);
	const char *dir = text_of(skeleton, DW_AT_comp_dir);
	struct cr_text path = {0};
	bool found = false;

	if (!s->looked)
		look_for_package(s);
	if (s->package && cr_dwp_find(s->package, id, &s->searched, parts))
		return true;
	if (!name)
		name = text_of(skeleton, DW_AT_GNU_dwo_name);
	for (int i = 0; name && *name && !found && unit_place(s, dir ? dir : "", name, i, &path);
		i++)
		found = path.len && find_in_file(s, path.p, id, parts);
	cr_text_fini(&path);
	return found;
}

/* ---- units */

/* What a unit needs of a section of the program: from its base, limited to `most` bytes. */
static struct cr_cursor
from_base(struct cr_cursor c, Dwarf_Die *skeleton, unsigned name, uint64_t most)
{
	struct cr_cursor out;
	Dwarf_Attribute a;
	Dwarf_Word base = 0;

	if (dwarf_attr(skeleton, name, &a) && dwarf_formudata(&a, &base) != 0)
		base = 0;
	cr_cursor_skip(&c, base);
	cr_cursor_init(&out, c.p, (size_t)CR_MIN(cr_cursor_left(&c), most));
	return out;
}

static struct cr_elf *
image_of(struct cr_split *s, Dwarf_Die *skeleton)
{
	const char *ident = elf_getident(s->files->debug->elf, NULL);
	struct cr_unit_parts parts = {.big_endian = ident[EI_DATA] == ELFDATA2MSB};
	Dwarf_Half version;
	uint64_t id, len;
	uint8_t type;
	Dwarf_Addr low;

	/*
	 * A skeleton with some inlined functions of its own looks like a whole unit to libdw,
	 * except for the id.
	 */
	if (dwarf_cu_info(skeleton->cu, &version, &type, NULL, NULL, &id, NULL, NULL) != 0 ||
		(type != DW_UT_skeleton && type != DW_UT_split_compile) ||
		!find_parts(s, skeleton, id, &parts))
		return NULL;
	len = cr_cursor_left(&parts.info);
	/*
	 * Each index of an address takes at least a byte of the unit. Range lists may be longer
	 * than what refers to them.
	 */
	parts.addr = from_base(
		s->addr, skeleton, version < 5 ? DW_AT_GNU_addr_base : DW_AT_addr_base, len * 8);
	if (version < 5)
		parts.ranges =
			from_base(s->ranges, skeleton, DW_AT_GNU_ranges_base, len * 2 + 65536);
	if (dwarf_lowpc(skeleton, &low) == 0)
		parts.low_pc = low;
	return s->bytes < MAX_BYTES ? cr_unit_image_new(&parts) : NULL;
}

/* Count an image; false if there are too many, or if libdw should not read it. */
static bool
image_pay(struct cr_split *s, const struct cr_elf *e)
{
	size_t len;

	if (elf_rawfile(e->elf, &len))
		s->bytes = cr_add_sat(s->bytes, len);
	return s->bytes <= MAX_BYTES && !cr_dwarf_is_costly(e, true);
}

static void
open_unit(struct cr_split *s, Dwarf_Die *skeleton, struct opened *u)
{
	Dwarf_CU *cu = NULL;

	u->elf = image_of(s, skeleton);
	u->dbg = u->elf && image_pay(s, u->elf) ? dwarf_begin_elf(u->elf->elf, DWARF_C_READ, NULL)
						: NULL;
	if (u->dbg && dwarf_get_units(u->dbg, NULL, &cu, NULL, NULL, &u->die, NULL) == 0)
		return;
	dwarf_end(u->dbg);
	cr_elf_close(u->elf);
	u->dbg = NULL;
	u->elf = NULL;
}

bool
cr_split_unit(struct cr_split *s, Dwarf_Die *skeleton, Dwarf_Die *out)
{
	const uint64_t offset = dwarf_dieoffset(skeleton);
	const uint64_t h = cr_hash_mix(offset, 0);
	uint32_t row;

	cr_index_each(&s->by_skeleton, h, row)
		if (s->units.p[row].skeleton == offset)
			break;
	if (row == CR_NO_ROW) {
		struct opened u = {.skeleton = offset};

		open_unit(s, skeleton, &u);
		row = (uint32_t)s->units.n;
		cr_vec_push(&s->units, u);
		cr_index_add(&s->by_skeleton, h, row);
	}
	*out = s->units.p[row].die;
	return s->units.p[row].dbg;
}
