#include "dwarf_unit_p.h"
#include "symbol/demangle/demangle.h"

#include <dwarf.h>

/* References from an instance to its abstract origin, and from there to its declaration. */
#define MAX_STEPS 16
#define MAX_NAME ((size_t)64 << 10)

/* What the DIEs on that path say; the first value found is used. */
struct name_attributes {
	const char *linkage, *name;
	uint32_t file, line;
	bool has_file, has_line;
	Dwarf_Die next;
	bool more;
};

struct attribute_walk {
	struct cr_unit_work *w;
	Dwarf_Die *die;
	struct name_attributes *s;
};

static int
on_line(Dwarf_Attribute *a, void *user)
{
	struct attribute_walk *h = user;
	struct name_attributes *s = h->s;
	uint64_t v;

	switch (a->code) {
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		if (!s->linkage)
			s->linkage = cr_dwarf_text(h->w->d, a);
		break;
	case DW_AT_name:
		if (!s->name)
			s->name = cr_dwarf_text(h->w->d, a);
		break;
	case DW_AT_decl_file:
		if (!s->has_file && cr_dwarf_number(a, &v)) {
			s->file = cr_unit_file(h->w, h->die, v);
			s->has_file = true;
		}
		break;
	case DW_AT_decl_line:
		if (!s->has_line && cr_dwarf_number(a, &v) && v <= UINT32_MAX) {
			s->line = (uint32_t)v;
			s->has_line = true;
		}
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification: s->more = cr_dwarf_refer(h->w->d, a, &s->next); break;
	default: break;
	}
	return DWARF_CB_OK;
}

static struct cr_str
keep(struct cr_unit_work *w, const char *p, size_t len)
{
	return (struct cr_str){cr_arena_copy(&w->u->arena, p, len), (uint32_t)len};
}

/*
 * Named like a symbol: cr_symtab_names(). False if too much is stored already: many may have one
 * long name.
 */
static bool
fill_function(struct cr_unit_work *w, const struct name_attributes *s, struct cr_function *f)
{
	const char *linkage = s->linkage ? s->linkage : s->name;
	const size_t len = strnlen(linkage, MAX_NAME);

	if (len > w->name_bytes)
		return false;
	w->name_bytes -= len;
	if (w->demangle && s->linkage && cr_demangle(linkage, &w->text)) {
		w->name_bytes -= CR_MIN(w->name_bytes, w->text.len);
		f->name = keep(w, w->text.p, w->text.len);
		f->linkage = keep(w, linkage, len);
	} else {
		f->name = keep(w, linkage, len);
	}
	return true;
}

static uint32_t
function_add(struct cr_unit_work *w, Dwarf_Die *die, bool inlined)
{
	struct name_attributes s = {.more = true, .next = *die};
	struct cr_function f = {.addr = inlined ? CR_ADDR_INLINED : 0};

	for (int i = 0; s.more && i < MAX_STEPS; i++) {
		Dwarf_Die here = s.next;
		struct attribute_walk h = {w, &here, &s};

		s.more = false;
		dwarf_getattrs(&here, on_line, &h, 0);
	}
	if ((!s.linkage && !s.name) || !fill_function(w, &s, &f))
		return CR_NO_ROW;
	f.file = w->u->files.p[s.file];
	f.line = s.line;
	cr_vec_push(&w->u->functions, f);
	return (uint32_t)w->u->functions.n - 1;
}

uint32_t
cr_unit_function(struct cr_unit_work *w, Dwarf_Die *die, bool inlined)
{
	Dwarf_Attribute a;
	Dwarf_Die origin = *die;
	uint64_t h;
	uint32_t row;

	/* All instances of a function share its DIE, and so its name. */
	if (inlined && dwarf_attr(die, DW_AT_abstract_origin, &a) &&
		!cr_dwarf_refer(w->d, &a, &origin))
		return CR_NO_ROW;
	h = cr_hash_mix((uintptr_t)origin.addr, inlined);
	cr_index_each(&w->by_entry, h, row)
		if (w->names.p[row].entry == origin.addr)
			return w->names.p[row].function;
	row = function_add(w, &origin, inlined);
	cr_index_add(&w->by_entry, h, (uint32_t)w->names.n);
	cr_vec_reserve(&w->names, w->names.n + 1);
	w->names.p[w->names.n].entry = origin.addr;
	w->names.p[w->names.n++].function = row;
	return row;
}
