#include "register_types_p.h"

#include "base/mem.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Registers that a called function may change: rax rdx rcx rsi rdi r8 to r11. */
#define CALL_WRITES 0x0f37u
#define FAR (INT64_C(1) << 40) /* no offset is larger */
#define MAX_DIMENSIONS 8
#define MAX_LABELS 65536u
#define MAX_PASSES 10

/* What is known of a register: it points into a type. */
struct pointer {
	Dwarf_Die type;
	int64_t offset;
	bool known;
	bool indexed; /* an unknown index was added */
};

struct follow {
	const struct cr_data_function *f;
	struct pointer regs[CR_OPERAND_REGS];
	uint8_t bytes; /* of the access that is examined; 0 for an address */
	bool outside;  /* the last search found a pointer, but the access is outside its type */
};

/* ---- types of accesses */

static bool
is_aggregate(Dwarf_Die *type)
{
	const int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

/*
 * An access at an offset of a type; elements of an array are alike. False if it is outside.
 *
 * indexed: an index is added that is not known. It selects an element of an array in the type, or
 * of an array of such types; but a compiler may also have moved a part of the offset to it. So
 * nothing is known of the offset, unless the type has a single place for accesses of that size.
 */
static bool
inside(struct follow *k, Dwarf_Die type, int64_t offset, bool indexed, struct cr_data_type *out)
{
	const struct cr_dwarf *d = k->f->d;
	Dwarf_Die named = type; /* a typedef may be the only name */
	uint64_t size;

	cr_dwarf_type_peel(d, &type);
	for (int depth = 0; depth < MAX_DIMENSIONS && dwarf_tag(&type) == DW_TAG_array_type;
		depth++) {
		Dwarf_Die element;

		size = cr_dwarf_type_size(d, &type);
		if (!indexed && (offset < 0 || (uint64_t)offset >= CR_MAX(size, 1u)))
			break;
		if (!cr_dwarf_type_of(d, &type, &element) ||
			(size = cr_dwarf_type_size(d, &element)) == 0 || size > INT64_MAX)
			return false;
		named = element;
		cr_dwarf_type_peel(d, &element);
		offset = (offset % (int64_t)size + (int64_t)size) % (int64_t)size;
		type = element;
	}
	size = cr_dwarf_type_size(d, &type);
	if (indexed && size && size <= INT64_MAX)
		offset = (offset % (int64_t)size + (int64_t)size) % (int64_t)size;
	if (offset < 0 || (uint64_t)offset >= CR_MAX(size, 1u)) {
		k->outside = true;
		return false;
	}
	*out = (struct cr_data_type){.type = named, .offset = (uint64_t)offset};
	if (indexed && is_aggregate(&type))
		out->vague = !cr_dwarf_type_only(d, &type, k->bytes, k->f->budget, &out->offset);
	return true;
}

static bool
at_address(struct follow *k, uint64_t addr, bool indexed, struct cr_data_type *out)
{
	const struct cr_var_global *g = cr_vars_global_at(k->f->globals, addr);

	return g && inside(k, g->type, (int64_t)(addr - g->addr), indexed, out);
}

/* The offset from a register at which a variable is stored; false if it is elsewhere. */
static bool
stored_at(const struct follow *k, const struct cr_var_at *at, uint64_t pc, uint8_t reg,
	int64_t *offset)
{
	struct cr_var_at frame;
	uint8_t cfa_reg;
	int64_t cfa;

	*offset = at->offset;
	if (at->place == CR_VAR_BASED)
		return at->reg == reg;
	if (at->place != CR_VAR_FRAME)
		return false;
	frame = cr_vars_at(k->f->vars, &k->f->vars->frame, pc, k->f->budget);
	*offset += frame.offset;
	if (frame.place == CR_VAR_REGISTER || frame.place == CR_VAR_BASED)
		return frame.reg == reg;
	if (frame.place != CR_VAR_FRAME || !k->f->cfa(k->f->user, pc, &cfa_reg, &cfa) ||
		cfa_reg != reg)
		return false;
	*offset += cfa;
	return true;
}

/* A variable that is on the stack, at a register and an offset. */
static bool
on_stack(struct follow *k, uint64_t pc, uint8_t reg, int64_t disp, bool indexed,
	struct cr_data_type *out)
{
	const struct cr_var_function *v = k->f->vars;

	for (uint32_t i = 0; i < v->vars.n && *k->f->budget; i++) {
		const struct cr_var_at at = cr_vars_at(v, &v->vars.p[i], pc, k->f->budget);
		const uint64_t size = cr_dwarf_type_size(k->f->d, &v->vars.p[i].type);
		int64_t from;

		if (stored_at(k, &at, pc, reg, &from) && disp >= from &&
			(uint64_t)(disp - from) < size)
			return inside(k, v->vars.p[i].type, disp - from, indexed, out);
	}
	return false;
}

/*
 * What a register points at, according to debug info. Of several variables one that points at a
 * struct is best: of inlined functions, parameters may be less exact.
 */
static struct pointer
of_variable(const struct follow *k, uint64_t pc, uint8_t reg)
{
	const struct cr_var_function *v = k->f->vars;
	struct pointer best = {.known = false};

	for (uint32_t i = 0; i < v->vars.n && *k->f->budget; i++) {
		const struct cr_var_at at = cr_vars_at(v, &v->vars.p[i], pc, k->f->budget);
		struct pointer p = {.offset = -at.offset, .known = true};
		Dwarf_Die real;

		if ((at.place != CR_VAR_REGISTER && at.place != CR_VAR_ADDRESS) || at.reg != reg ||
			!cr_dwarf_type_target(k->f->d, &v->vars.p[i].type, &p.type))
			continue;
		real = p.type;
		cr_dwarf_type_peel(k->f->d, &real);
		if (is_aggregate(&real))
			return p;
		if (!best.known)
			best = p;
	}
	return best;
}

static struct pointer
pointer_in(const struct follow *k, uint64_t pc, uint8_t reg)
{
	struct pointer p = of_variable(k, pc, reg);

	return p.known || reg >= CR_OPERAND_RIP ? p : k->regs[reg];
}

/* The type of what a memory operand refers to. */
static bool
operand_type(struct follow *k, const struct cr_operand *o, struct cr_data_type *out)
{
	const bool indexed = o->index != CR_OPERAND_NONE;
	struct pointer p;

	if (o->other || llabs(o->disp / 2) > FAR)
		return false;
	k->bytes = o->action == CR_OPERAND_LEA ? 0 : o->bytes;
	if (o->base == CR_OPERAND_RIP)
		return at_address(k, o->addr + o->size + (uint64_t)o->disp, indexed, out);
	if (o->base == CR_OPERAND_NONE)
		return at_address(k, (uint64_t)o->disp, indexed, out);
	p = pointer_in(k, o->addr, o->base);
	if (p.known && inside(k, p.type, p.offset + o->disp, indexed || p.indexed, out))
		return true;
	return on_stack(k, o->addr, o->base, o->disp, indexed, out);
}

/* ---- what instructions do */

static struct pointer
loaded(struct follow *k, const struct cr_operand *o)
{
	struct pointer p = {.known = false};
	struct cr_data_type t;
	struct cr_text ignored = {0};

	if (operand_type(k, o, &t) && !t.vague) {
		cr_dwarf_type_member(k->f->d, &t.type, &t.offset, k->f->budget, &ignored);
		p.known = t.offset == 0 && cr_dwarf_type_target(k->f->d, &t.type, &p.type);
	}
	cr_text_fini(&ignored);
	return p;
}

static struct pointer
address_of(struct follow *k, const struct cr_operand *o)
{
	struct cr_data_type t;
	struct pointer p = {.known = false};

	if (o->base < CR_OPERAND_RIP)
		p = pointer_in(k, o->addr, o->base);
	if (p.known && llabs(o->disp / 2) <= FAR) {
		p.offset += o->disp;
		p.indexed |= o->index != CR_OPERAND_NONE;
		return p;
	}
	if (!operand_type(k, o, &t) || t.vague)
		return (struct pointer){.known = false};
	return (struct pointer){t.type, (int64_t)t.offset, true, o->index != CR_OPERAND_NONE};
}

/* A pointer to an element of an array that moves by elements points at one still. */
static struct pointer
moved(struct follow *k, const struct cr_operand *o)
{
	struct pointer p = pointer_in(k, o->addr, o->dst);
	const uint64_t size = p.known ? cr_dwarf_type_size(k->f->d, &p.type) : 0;

	if (llabs(o->disp / 2) > FAR)
		p.known = false;
	else if (size == 0 || size > INT64_MAX || o->disp % (int64_t)size != 0)
		p.offset += o->disp;
	p.known &= llabs(p.offset) <= FAR;
	return p;
}

/* The sum of a pointer and a number. */
static struct pointer
sum(struct follow *k, const struct cr_operand *o)
{
	struct pointer a = pointer_in(k, o->addr, o->dst), b = pointer_in(k, o->addr, o->src);
	struct pointer p = a.known ? a : b;

	p.known = a.known != b.known;
	p.indexed = true;
	return p;
}

/* What a called function returns in rax. */
static struct pointer
returned(struct follow *k, const struct cr_operand *o)
{
	struct pointer p = {.known = false};
	const struct cr_var_global *f =
		o->target ? cr_vars_return_at(k->f->globals, o->target) : NULL;

	p.known = f && cr_dwarf_type_target(k->f->d, &f->type, &p.type);
	return p;
}

/* Update the registers by an instruction. */
static void
step(struct follow *k, const struct cr_operand *o)
{
	const bool call = o->action == CR_OPERAND_CALL;
	const uint32_t writes = call ? o->writes | CALL_WRITES : o->writes;
	const uint8_t dst = call ? CR_OPERAND_RAX : o->dst;
	struct pointer p = {.known = false};

	switch ((enum cr_operand_action)o->action) {
	case CR_OPERAND_MOVE: p = pointer_in(k, o->addr, o->src); break;
	case CR_OPERAND_LOAD: p = loaded(k, o); break;
	case CR_OPERAND_LEA: p = address_of(k, o); break;
	case CR_OPERAND_ADD: p = moved(k, o); break;
	case CR_OPERAND_SUM: p = sum(k, o); break;
	case CR_OPERAND_CALL: p = returned(k, o); break;
	default: break;
	}
	for (uint8_t reg = 0; reg < CR_OPERAND_RIP; reg++)
		if (writes >> reg & 1)
			k->regs[reg].known = false;
	if (p.known && dst < CR_OPERAND_RIP)
		k->regs[dst] = p;
}

static uint8_t
result_of(struct follow *k, const struct cr_operand *o, struct cr_data_type *type)
{
	if (o->stack)
		return CR_DATA_STACK;
	if (!o->reads)
		return CR_DATA_NO_ACCESS;
	if (o->other)
		return CR_DATA_THREAD;
	k->outside = false;
	if (operand_type(k, o, type))
		return CR_DATA_FOUND;
	return k->outside ? CR_DATA_OUTSIDE : CR_DATA_UNKNOWN;
}

/* ---- the ways through a function */

#define NO_LABEL UINT32_MAX

/* Where ways meet: what the registers are on all of them. */
struct label {
	bool reached;
	struct pointer regs[CR_OPERAND_RIP];
};

struct ways {
	const cr_operands *code;
	uint32_t *label; /* by instruction: the row of the labels, NO_LABEL if it is none */
	CR_VEC(struct label) labels;
	bool changed;
};

static void
label_add(struct ways *w, size_t i)
{
	if (w->label[i] != NO_LABEL)
		return;
	w->label[i] = (uint32_t)w->labels.n;
	cr_vec_push(&w->labels, (struct label){.reached = false});
}

/* False if some jumps go where only a table says: then any instruction may be reached. */
static bool
ways_make(struct ways *w, const cr_operands *code)
{
	*w = (struct ways){.code = code};
	w->label = cr_alloc(CR_MAX(code->n, 1u), sizeof(*w->label));
	memset(w->label, 0xff, code->n * sizeof(*w->label)); /* NO_LABEL */
	for (size_t i = 0; i < code->n; i++) {
		const struct cr_operand *o = &code->p[i];
		const size_t to = o->target && o->action != CR_OPERAND_CALL
					  ? cr_operands_at(code, o->target)
					  : SIZE_MAX;

		if (o->table)
			return false;
		if (to != SIZE_MAX)
			label_add(w, to);
	}
	return w->labels.n <= MAX_LABELS;
}

static void
ways_fini(struct ways *w)
{
	free(w->label);
	cr_vec_fini(&w->labels);
}

/* Both point into elements of the same array of the type, at the same place. */
static bool
same_element(const struct follow *k, const struct pointer *a, const struct pointer *b)
{
	Dwarf_Die x = a->type, y = b->type;
	struct cr_text path_x = {0}, path_y = {0};
	uint64_t left_x = (uint64_t)a->offset, left_y = (uint64_t)b->offset;
	bool same;

	if (a->offset < 0 || b->offset < 0)
		return false;
	cr_dwarf_type_member(k->f->d, &x, &left_x, k->f->budget, &path_x);
	cr_dwarf_type_member(k->f->d, &y, &left_y, k->f->budget, &path_y);
	same = left_x == left_y && x.addr == y.addr && path_x.len && path_y.len &&
	       strcmp(path_x.p, path_y.p) == 0 && strstr(path_x.p, "[]");
	cr_text_fini(&path_x);
	cr_text_fini(&path_y);
	return same;
}

static bool
same_pointer(const struct follow *k, const struct pointer *a, const struct pointer *b)
{
	uint64_t size;

	if (!a->known || !b->known || a->type.addr != b->type.addr || a->indexed != b->indexed)
		return a->known == b->known && !a->known;
	if (a->offset == b->offset)
		return true;
	size = cr_dwarf_type_size(k->f->d, &a->type);
	return (size && size <= INT64_MAX && (a->offset - b->offset) % (int64_t)size == 0) ||
	       same_element(k, a, b);
}

/* A way reaches a label with the present registers. */
static void
reach(struct ways *w, const struct follow *k, uint32_t label)
{
	struct label *l = &w->labels.p[label];

	for (uint8_t reg = 0; reg < CR_OPERAND_RIP; reg++) {
		if (!l->reached) {
			l->regs[reg] = k->regs[reg];
		} else if (l->regs[reg].known && !same_pointer(k, &l->regs[reg], &k->regs[reg])) {
			l->regs[reg].known = false;
			w->changed = true;
		}
	}
	w->changed |= !l->reached;
	l->reached = true;
}

/*
 * Follow all instructions once. The registers at a label are those of the ways that were found
 * before. results: NULL, or what is found where it is wanted.
 */
static void
pass(struct ways *w, struct follow *k, const uint8_t *wanted, struct cr_data_type *types,
	uint8_t *results)
{
	bool falls = true; /* the instruction before goes on here */

	memset(k->regs, 0, sizeof(k->regs));
	for (size_t i = 0; i < w->code->n; i++) {
		const struct cr_operand *o = &w->code->p[i];
		const uint32_t label = w->label[i];
		size_t to;

		if (label != NO_LABEL && falls)
			reach(w, k, label);
		if (label != NO_LABEL)
			memcpy(k->regs, w->labels.p[label].regs, sizeof(w->labels.p[label].regs));
		else if (!falls)
			memset(k->regs, 0, sizeof(k->regs));
		if (results && wanted[i])
			results[i] = result_of(k, o, &types[i]);
		step(k, o);
		to = o->target && o->action != CR_OPERAND_CALL ? cr_operands_at(w->code, o->target)
							       : SIZE_MAX;
		if (to != SIZE_MAX)
			reach(w, k, w->label[to]);
		falls = o->action != CR_OPERAND_ALWAYS;
	}
}

/* Without what instructions do: only debug info says what is in a register. */
static void
without_ways(const struct cr_data_function *f, const cr_operands *code, const uint8_t *wanted,
	struct cr_data_type *types, uint8_t *results)
{
	struct follow k = {.f = f};

	for (size_t i = 0; i < code->n; i++)
		if (wanted[i])
			results[i] = result_of(&k, &code->p[i], &types[i]);
}

void
cr_register_types(const struct cr_data_function *f, const cr_operands *code, const uint8_t *wanted,
	struct cr_data_type *types, uint8_t *results)
{
	struct follow k = {.f = f};
	struct ways w;
	bool ok = ways_make(&w, code);

	w.changed = true;
	for (int i = 0; i < MAX_PASSES && ok && w.changed; i++) {
		w.changed = false;
		pass(&w, &k, wanted, NULL, NULL);
	}
	/* What was found before everything was considered may be wrong. */
	if (ok && !w.changed)
		pass(&w, &k, wanted, types, results);
	else
		without_ways(f, code, wanted, types, results);
	ways_fini(&w);
}
