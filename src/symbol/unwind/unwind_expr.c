#include "unwind_expr_p.h"

#include "base/mem.h"
#include "bytes/cursor.h"

#include <dwarf.h>

#define STEPS 1024
#define DEPTH 64

struct machine {
	const struct cr_unwind_expr *e;
	struct cr_cursor in;
	uint64_t stack[DEPTH];
	unsigned n;
	bool bad;
};

static void
push(struct machine *m, uint64_t v)
{
	if (m->n == DEPTH)
		m->bad = true;
	else
		m->stack[m->n++] = m->e->arch->word == 4 ? (uint32_t)v : v;
}

static uint64_t
pop(struct machine *m)
{
	if (m->n == 0) {
		m->bad = true;
		return 0;
	}
	return m->stack[--m->n];
}

/* The k-th value from the top of the stack. */
static uint64_t
peek(struct machine *m, unsigned k)
{
	if (k >= m->n) {
		m->bad = true;
		return 0;
	}
	return m->stack[m->n - 1 - k];
}

static void
push_register(struct machine *m, uint64_t dwarf, int64_t offset)
{
	const uint8_t slot = cr_unwind_arch_slot(m->e->arch, dwarf);

	if (cr_unwind_known(m->e->regs, slot))
		push(m, m->e->regs->v[slot] + (uint64_t)offset);
	else
		m->bad = true;
}

static void
dereference(struct machine *m, unsigned bytes)
{
	const uint64_t addr = pop(m);
	uint64_t v = 0;

	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
		m->bad = true;
	if (!m->bad && !m->e->read(m->e->ctx, addr, bytes, &v))
		m->bad = true;
	push(m, v);
}

static void
jump(struct machine *m, int16_t by)
{
	const int64_t to = (int64_t)cr_cursor_at(&m->in) + by;

	if (to < 0 || to > m->in.end - m->in.start)
		m->bad = true;
	else
		m->in.p = m->in.start + to;
}

/* Sign-extend a number of the target's width. */
static int64_t
with_sign(const struct machine *m, uint64_t v)
{
	return m->e->arch->word == 4 ? (int32_t)v : (int64_t)v;
}

static void
roll(struct machine *m)
{
	const uint64_t a = pop(m), b = pop(m), c = pop(m);

	push(m, a);
	push(m, c);
	push(m, b);
}

static void
swap(struct machine *m)
{
	const uint64_t a = pop(m), b = pop(m);

	push(m, a);
	push(m, b);
}

/* Apply a binary operation; b was pushed last. */
static uint64_t
of_two(struct machine *m, uint8_t op, uint64_t a, uint64_t b)
{
	const int64_t sa = with_sign(m, a), sb = with_sign(m, b);
	const uint64_t bits = m->e->arch->word * 8u;

	switch (op) {
	case DW_OP_and: return a & b;
	case DW_OP_or: return a | b;
	case DW_OP_xor: return a ^ b;
	case DW_OP_plus: return a + b;
	case DW_OP_minus: return a - b;
	case DW_OP_mul: return a * b;
	case DW_OP_div:
		if (sb == 0)
			m->bad = true;
		return sb == 0 ? 0 : sb == -1 ? -a : (uint64_t)(sa / sb);
	case DW_OP_mod:
		if (b == 0)
			m->bad = true;
		return b == 0 ? 0 : a % b;
	case DW_OP_shl: return b < bits ? a << b : 0;
	case DW_OP_shr: return b < bits ? a >> b : 0;
	case DW_OP_shra: return (uint64_t)(sa >> CR_MIN(b, bits - 1));
	case DW_OP_eq: return sa == sb;
	case DW_OP_ne: return sa != sb;
	case DW_OP_lt: return sa < sb;
	case DW_OP_le: return sa <= sb;
	case DW_OP_gt: return sa > sb;
	case DW_OP_ge: return sa >= sb;
	default: m->bad = true; return 0;
	}
}

static void
binary(struct machine *m, uint8_t op)
{
	const uint64_t b = pop(m), a = pop(m);

	push(m, of_two(m, op, a, b));
}

static void
step(struct machine *m, uint8_t op)
{
	struct cr_cursor *in = &m->in;
	uint64_t v;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(m, op - DW_OP_lit0);
		return;
	}
	if (op >= DW_OP_reg0 && op <= DW_OP_reg31) {
		push_register(m, op - DW_OP_reg0, 0);
		return;
	}
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(m, op - DW_OP_breg0, cr_cursor_sleb(in));
		return;
	}
	switch (op) {
	case DW_OP_nop: break;
	case DW_OP_addr:
		push(m, m->e->arch->word == 8 ? cr_cursor_u64(in) : cr_cursor_u32(in));
		break;
	case DW_OP_const1u: push(m, cr_cursor_u8(in)); break;
	case DW_OP_const1s: push(m, (uint64_t)(int8_t)cr_cursor_u8(in)); break;
	case DW_OP_const2u: push(m, cr_cursor_u16(in)); break;
	case DW_OP_const2s: push(m, (uint64_t)(int16_t)cr_cursor_u16(in)); break;
	case DW_OP_const4u: push(m, cr_cursor_u32(in)); break;
	case DW_OP_const4s: push(m, (uint64_t)(int32_t)cr_cursor_u32(in)); break;
	case DW_OP_const8u:
	case DW_OP_const8s: push(m, cr_cursor_u64(in)); break;
	case DW_OP_constu: push(m, cr_cursor_uleb(in)); break;
	case DW_OP_consts: push(m, (uint64_t)cr_cursor_sleb(in)); break;
	case DW_OP_regx: push_register(m, cr_cursor_uleb(in), 0); break;
	case DW_OP_bregx:
		v = cr_cursor_uleb(in);
		push_register(m, v, cr_cursor_sleb(in));
		break;
	case DW_OP_dup: push(m, peek(m, 0)); break;
	case DW_OP_drop: pop(m); break;
	case DW_OP_over: push(m, peek(m, 1)); break;
	case DW_OP_pick: push(m, peek(m, cr_cursor_u8(in))); break;
	case DW_OP_swap: swap(m); break;
	case DW_OP_rot: roll(m); break;
	case DW_OP_deref: dereference(m, m->e->arch->word); break;
	case DW_OP_deref_size: dereference(m, cr_cursor_u8(in)); break;
	case DW_OP_abs:
		v = pop(m);
		push(m, with_sign(m, v) < 0 ? -v : v);
		break;
	case DW_OP_neg: push(m, -pop(m)); break;
	case DW_OP_not: push(m, ~pop(m)); break;
	case DW_OP_plus_uconst:
		v = pop(m);
		push(m, v + cr_cursor_uleb(in));
		break;
	case DW_OP_skip: jump(m, (int16_t)cr_cursor_u16(in)); break;
	case DW_OP_bra: {
		const int16_t by = (int16_t)cr_cursor_u16(in);

		if (pop(m))
			jump(m, by);
		break;
	}
	default: binary(m, op); break;
	}
}

bool
cr_unwind_eval(const struct cr_unwind_expr *e, const unsigned char *p, size_t len,
	const uint64_t *first, uint64_t *out)
{
	struct machine m = {.e = e};

	cr_cursor_init(&m.in, p, len);
	m.in.swap = e->swap;
	if (first)
		push(&m, *first);
	for (unsigned steps = 0; cr_cursor_left(&m.in) && !m.bad; steps++) {
		if (steps == STEPS)
			return false;
		step(&m, cr_cursor_u8(&m.in));
		m.bad |= m.in.bad;
	}
	*out = pop(&m);
	return !m.bad;
}
