#include "dwarf_vars_p.h"

#include "symbol/addrkey_p.h"

#include <dwarf.h>
#include <stdlib.h>

#define MAX_DEPTH 64
#define MAX_VARS 65536u
#define MAX_RANGES ((size_t)1 << 22)
#define MAX_GLOBALS ((size_t)1 << 22)
#define FAR (INT64_C(1) << 31)

/* ---- functions */

struct search {
	const struct cr_addrkey *keys;
	size_t n;
	uint64_t *budget;
	cr_var_each *each;
	void *user;
};

static bool
next_range(Dwarf_Die *die, uint64_t *budget, ptrdiff_t *at, Dwarf_Addr *base, Dwarf_Addr *lo,
	Dwarf_Addr *hi)
{
	if (!*budget)
		return false;
	--*budget;
	return (*at = dwarf_ranges(die, *at, base, lo, hi)) > 0;
}

static void
offer_function(struct search *s, Dwarf_Die *die)
{
	Dwarf_Addr base = 0, lo = 0, hi = 0;
	ptrdiff_t at = 0;

	while (next_range(die, s->budget, &at, &base, &lo, &hi)) {
		const size_t i = cr_addrkey_from(s->keys, s->n, lo);

		if (hi > lo && i < s->n && s->keys[i].addr < hi)
			s->each(s->user, die, lo, hi);
	}
}

static void
search_children(struct search *s, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;
	int rc = depth == MAX_DEPTH ? 1 : dwarf_child(parent, &die);

	for (; rc == 0 && *s->budget; rc = dwarf_siblingof(&die, &die)) {
		--*s->budget;
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram: offer_function(s, &die); break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_structure_type:
		case DW_TAG_class_type: search_children(s, &die, depth + 1); break;
		default: break;
		}
	}
}

void
cr_vars_functions(Dwarf_Die *unit, const struct cr_addrkey *keys, size_t n, uint64_t *budget,
	cr_var_each *each, void *user)
{
	struct search s = {keys, n, budget, each, user};

	search_children(&s, unit, 0);
}

/* ---- locations */

/* A place of one operation, or of a register and an offset that is not stored. */
static struct cr_var_at
place_of(const Dwarf_Op *ops, size_t n)
{
	const bool is_value = n == 2 && ops[1].atom == DW_OP_stack_value;
	struct cr_var_at at = {.place = CR_VAR_UNKNOWN};

	if (n != 1 && !is_value)
		return at;
	at.offset = (int64_t)ops[0].number;
	if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
		at.place = is_value ? CR_VAR_ADDRESS : CR_VAR_BASED;
		at.reg = ops[0].atom - DW_OP_breg0;
	} else if (is_value) {
		return at;
	} else if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31) {
		at = (struct cr_var_at){CR_VAR_REGISTER, ops[0].atom - DW_OP_reg0, 0};
	} else if (ops[0].atom == DW_OP_regx) {
		at = (struct cr_var_at){CR_VAR_REGISTER, ops[0].number, 0};
	} else if (ops[0].atom == DW_OP_fbreg) {
		at.place = CR_VAR_FRAME;
	} else if (ops[0].atom == DW_OP_call_frame_cfa) {
		at = (struct cr_var_at){CR_VAR_FRAME, 0, 0};
	} else if (ops[0].atom == DW_OP_addr) {
		at.place = CR_VAR_MEMORY;
	}
	/* So sums of offsets do not overflow. */
	if (at.place != CR_VAR_MEMORY && llabs(at.offset / 2) > FAR)
		at.place = CR_VAR_UNKNOWN;
	return at;
}

/* Read the places of a variable, which are known once for all. */
static void
read_places(struct cr_var_function *f, Dwarf_Attribute *a, struct cr_var *v, uint64_t *budget)
{
	Dwarf_Addr base = 0, lo = 0, hi = 0;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t n;

	v->first = (uint32_t)f->ranges.n;
	while (*budget && f->ranges.n < MAX_RANGES &&
		(at = dwarf_getlocations(a, at, &base, &lo, &hi, &ops, &n)) > 0) {
		struct cr_var_range r = {lo, hi, place_of(ops, n)};

		--*budget;
		if (r.at.place != CR_VAR_UNKNOWN)
			cr_vec_push(&f->ranges, r);
	}
	v->n = (uint32_t)f->ranges.n - v->first;
}

/* ---- the variables of a function */

static uint32_t
scope_add(struct cr_var_function *f, Dwarf_Die *die, uint64_t *budget)
{
	struct cr_var_scope s = {.first = (uint32_t)f->ranges.n};
	Dwarf_Addr base = 0, lo = 0, hi = 0;
	ptrdiff_t at = 0;

	while (f->ranges.n < MAX_RANGES && next_range(die, budget, &at, &base, &lo, &hi))
		cr_vec_push(&f->ranges, ((struct cr_var_range){.lo = lo, .hi = hi}));
	s.n = (uint32_t)f->ranges.n - s.first;
	cr_vec_push(&f->scopes, s);
	return (uint32_t)f->scopes.n - 1;
}

static void
var_add(struct cr_var_function *f, const struct cr_dwarf *d, Dwarf_Die *die, uint32_t scope,
	uint64_t *budget)
{
	struct cr_var v = {.scope = scope};
	Dwarf_Attribute a;

	if (f->vars.n == MAX_VARS || !dwarf_attr(die, DW_AT_location, &a) ||
		!cr_dwarf_type_of(d, die, &v.type))
		return;
	read_places(f, &a, &v, budget);
	if (v.n)
		cr_vec_push(&f->vars, v);
}

static void
read_scope(struct cr_var_function *f, const struct cr_dwarf *d, Dwarf_Die *parent, int depth,
	uint64_t *budget)
{
	const uint32_t scope = scope_add(f, parent, budget);
	Dwarf_Die die;
	int rc = depth == MAX_DEPTH ? 1 : dwarf_child(parent, &die);

	for (; rc == 0 && *budget; rc = dwarf_siblingof(&die, &die)) {
		--*budget;
		switch (dwarf_tag(&die)) {
		case DW_TAG_formal_parameter:
		case DW_TAG_variable: var_add(f, d, &die, scope, budget); break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine: read_scope(f, d, &die, depth + 1, budget); break;
		default: break;
		}
	}
}

void
cr_vars_read(
	struct cr_var_function *f, const struct cr_dwarf *d, Dwarf_Die *function, uint64_t *budget)
{
	Dwarf_Attribute a;

	*f = (struct cr_var_function){.frame.n = 0};
	read_scope(f, d, function, 0, budget);
	if (dwarf_attr(function, DW_AT_frame_base, &a))
		read_places(f, &a, &f->frame, budget);
}

void
cr_vars_fini(struct cr_var_function *f)
{
	cr_vec_fini(&f->vars);
	cr_vec_fini(&f->ranges);
	cr_vec_fini(&f->scopes);
}

/* The first of n ranges that contains an address; NULL if none does. */
static const struct cr_var_range *
range_at(const struct cr_var_function *f, uint32_t first, uint32_t n, uint64_t pc, uint64_t *budget)
{
	for (uint32_t i = first; i < first + n && *budget; i++) {
		--*budget;
		if (pc >= f->ranges.p[i].lo && pc < f->ranges.p[i].hi)
			return &f->ranges.p[i];
	}
	return NULL;
}

struct cr_var_at
cr_vars_at(const struct cr_var_function *f, const struct cr_var *v, uint64_t pc, uint64_t *budget)
{
	const struct cr_var_scope *s = &f->scopes.p[v->scope];
	const struct cr_var_range *r = range_at(f, v->first, v->n, pc, budget);

	if (!r || (s->n && !range_at(f, s->first, s->n, pc, budget)))
		return (struct cr_var_at){.place = CR_VAR_UNKNOWN};
	return r->at;
}

/* ---- globals */

/* The address of a variable, if it has one. Compilers may keep addresses in a table. */
static bool
address_of(Dwarf_Attribute *location, uint64_t *out)
{
	Dwarf_Attribute entry;
	Dwarf_Addr addr;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_getlocation(location, &ops, &n) != 0 || n != 1)
		return false;
	*out = ops[0].number;
	if (ops[0].atom == DW_OP_addr)
		return true;
	if ((ops[0].atom != DW_OP_addrx && ops[0].atom != DW_OP_GNU_addr_index) ||
		dwarf_getlocation_attr(location, &ops[0], &entry) != 0 ||
		dwarf_formaddr(&entry, &addr) != 0)
		return false;
	*out = addr;
	return true;
}

static void
global_add(struct cr_var_globals *g, const struct cr_dwarf *d, Dwarf_Die *die)
{
	struct cr_var_global v;
	Dwarf_Attribute a;

	if (g->list.n == MAX_GLOBALS || !dwarf_attr(die, DW_AT_location, &a) ||
		!address_of(&a, &v.addr) || !cr_dwarf_type_of(d, die, &v.type))
		return;
	v.size = CR_MAX(cr_dwarf_type_size(d, &v.type), 1u);
	if (v.addr && v.addr <= UINT64_MAX - v.size)
		cr_vec_push(&g->list, v);
}

static void
return_add(struct cr_var_globals *g, const struct cr_dwarf *d, Dwarf_Die *die)
{
	struct cr_var_global v = {.size = 1};
	Dwarf_Addr addr;

	if (g->returns.n == MAX_GLOBALS || dwarf_lowpc(die, &addr) != 0 || !addr ||
		!cr_dwarf_type_of(d, die, &v.type))
		return;
	v.addr = addr;
	cr_vec_push(&g->returns, v);
}

static void
globals_in(struct cr_var_globals *g, const struct cr_dwarf *d, Dwarf_Die *parent, int depth,
	uint64_t *budget)
{
	Dwarf_Die die;
	int rc = depth == MAX_DEPTH ? 1 : dwarf_child(parent, &die);

	for (; rc == 0 && *budget; rc = dwarf_siblingof(&die, &die)) {
		--*budget;
		if (dwarf_tag(&die) == DW_TAG_variable)
			global_add(g, d, &die);
		else if (dwarf_tag(&die) == DW_TAG_subprogram)
			return_add(g, d, &die);
		else if (dwarf_tag(&die) == DW_TAG_namespace)
			globals_in(g, d, &die, depth + 1, budget);
	}
}

void
cr_vars_globals_add(
	struct cr_var_globals *g, const struct cr_dwarf *d, Dwarf_Die *unit, uint64_t *budget)
{
	globals_in(g, d, unit, 0, budget);
}

static int
by_addr(const void *x, const void *y)
{
	const struct cr_var_global *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

void
cr_vars_globals_sort(struct cr_var_globals *g)
{
	if (g->list.n)
		qsort(g->list.p, g->list.n, sizeof(*g->list.p), by_addr);
	if (g->returns.n)
		qsort(g->returns.p, g->returns.n, sizeof(*g->returns.p), by_addr);
}

/* The one of n sorted items that contains the address. */
static const struct cr_var_global *
item_at(const struct cr_var_global *items, size_t n, uint64_t addr)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (items[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr - items[lo - 1].addr < items[lo - 1].size ? &items[lo - 1] : NULL;
}

const struct cr_var_global *
cr_vars_global_at(const struct cr_var_globals *g, uint64_t addr)
{
	return item_at(g->list.p, g->list.n, addr);
}

const struct cr_var_global *
cr_vars_return_at(const struct cr_var_globals *g, uint64_t addr)
{
	return item_at(g->returns.p, g->returns.n, addr);
}

void
cr_vars_globals_fini(struct cr_var_globals *g)
{
	cr_vec_fini(&g->list);
	cr_vec_fini(&g->returns);
}
