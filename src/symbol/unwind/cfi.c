#include "cfi_p.h"

#include <dwarf.h>
#include <string.h>

#define NO CR_UNWIND_NO_SLOT
#define LETTERS 16    /* length of an augmentation string */
#define REMEMBERED 16 /* saved states; compilers need one */
#define STEPS ((uint64_t)1 << 28)
#define ENTRY_STEPS (1u << 20) /* the longest functions need some ten thousand */

#define DW_CFA_AARCH64_negate_ra_state_with_pc 0x2c

/* Pointer encodings. Source: LSB, "DWARF Extensions". */
enum {
	ENC_FORMAT = 0x0f,
	ENC_RELATIVE = 0x70,
	ENC_ABS = 0x00,
	ENC_ULEB = 0x01,
	ENC_U16 = 0x02,
	ENC_U32 = 0x03,
	ENC_U64 = 0x04,
	ENC_SLEB = 0x09,
	ENC_S16 = 0x0a,
	ENC_S32 = 0x0b,
	ENC_S64 = 0x0c,
	ENC_PC = 0x10,
	ENC_DATA = 0x30,
	ENC_INDIRECT = 0x80,
	ENC_OMIT = 0xff,
};

struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;      /* column of the return address */
	uint8_t encoding; /* encoding of the addresses in its FDEs */
	bool augmented;   /* its FDEs have data before their instructions */
	bool signal;
	struct cr_cursor program;
};

struct fde {
	struct cie cie;
	uint64_t start, end;
	struct cr_cursor program;
};

/* ---- entries of a section */

static uint64_t
word(const struct cr_cfi *c, struct cr_cursor *in)
{
	return c->arch->word == 8 ? cr_cursor_u64(in) : cr_cursor_u32(in);
}

static uint64_t
wrap(const struct cr_cfi *c, uint64_t v)
{
	return c->arch->word == 8 ? v : (uint32_t)v;
}

/* Read a pointer in the section; base: what "data relative" refers to. */
static bool
pointer(const struct cr_cfi *c, struct cr_cursor *in, uint8_t encoding, uint64_t here,
	uint64_t base, uint64_t *out)
{
	uint64_t v;

	switch (encoding & ENC_FORMAT) {
	case ENC_ABS: v = word(c, in); break;
	case ENC_ULEB: v = cr_cursor_uleb(in); break;
	case ENC_U16: v = cr_cursor_u16(in); break;
	case ENC_U32: v = cr_cursor_u32(in); break;
	case ENC_U64: v = cr_cursor_u64(in); break;
	case ENC_SLEB: v = (uint64_t)cr_cursor_sleb(in); break;
	case ENC_S16: v = (uint64_t)(int16_t)cr_cursor_u16(in); break;
	case ENC_S32: v = (uint64_t)(int32_t)cr_cursor_u32(in); break;
	case ENC_S64: v = cr_cursor_u64(in); break;
	default: return false;
	}
	switch (encoding & ENC_RELATIVE) {
	case ENC_ABS: break;
	case ENC_PC: v += here; break;
	case ENC_DATA: v += base; break;
	default: return false;
	}
	*out = wrap(c, v);
	return !in->bad;
}

static uint64_t
offset_of(const struct cr_cfi *c, const struct cr_cursor *in)
{
	return (uint64_t)(in->p - c->all.p);
}

/*
 * Read the entry at `in` and move past it: its body; its second field, which for an FDE locates the
 * CIE; and is_cie for a CIE. False at the end of the section.
 */
static bool
entry_next(const struct cr_cfi *c, struct cr_cursor *in, struct cr_cursor *body, bool *is_cie,
	uint64_t *cie)
{
	uint64_t len = cr_cursor_u32(in), here, id;
	bool wide = false;

	if (len == UINT32_MAX) {
		len = cr_cursor_u64(in);
		wide = true;
	}
	if (in->bad || (len == 0 && c->eh))
		return false;
	*body = cr_cursor_sub(in, len);
	here = offset_of(c, body);
	id = wide && !c->eh ? cr_cursor_u64(body) : cr_cursor_u32(body);
	if (c->eh)
		*is_cie = id == 0;
	else
		*is_cie = id == (wide ? UINT64_MAX : UINT32_MAX);
	*cie = c->eh ? here - id : id;
	return !in->bad;
}

/* Read the augmentation data of a CIE. An unknown letter ends what can be read. */
static bool
augmentation(const struct cr_cfi *c, struct cr_cursor *body, struct cr_str letters, struct cie *out)
{
	struct cr_cursor data;
	uint64_t ignored;

	if (letters.len == 0 || letters.p[0] != 'z')
		return letters.len == 0 || cr_str_eq(letters, CR_STR("eh"));
	out->augmented = true;
	data = cr_cursor_sub(body, cr_cursor_uleb(body));
	for (uint32_t i = 1; i < letters.len; i++) {
		uint8_t encoding;

		switch (letters.p[i]) {
		case 'L': cr_cursor_u8(&data); break;
		case 'R': out->encoding = cr_cursor_u8(&data); break;
		case 'S': out->signal = true; break;
		case 'B':
		/* arm64: key that signs return addresses; memory tagging of stacks. */
		case 'G': break;
		case 'P':
			encoding = cr_cursor_u8(&data);
			if (!pointer(c, &data, encoding & ENC_FORMAT, 0, 0, &ignored))
				return false;
			break;
		default: return true;
		}
	}
	return !data.bad;
}

/* Read for every FDE, so its length is limited. */
static struct cr_str
letters_read(struct cr_cursor *body)
{
	struct cr_cursor near = *body;
	struct cr_str letters;

	near.end = near.p + CR_MIN(cr_cursor_left(body), (size_t)LETTERS);
	letters = cr_cursor_string(&near);
	cr_cursor_skip(body, near.bad ? UINT64_MAX : letters.len + 1);
	return letters;
}

static bool
cie_read(const struct cr_cfi *c, uint64_t at, struct cie *out)
{
	struct cr_cursor in = c->all, body;
	struct cr_str letters;
	uint64_t ignored;
	uint8_t version;
	bool is_cie;

	*out = (struct cie){0};
	cr_cursor_skip(&in, at);
	if (!entry_next(c, &in, &body, &is_cie, &ignored) || !is_cie)
		return false;
	version = cr_cursor_u8(&body);
	letters = letters_read(&body);
	if (version != 1 && version != 3 && version != 4)
		return false;
	/* Sizes of an address and of a segment selector. */
	if (version == 4 && (cr_cursor_u8(&body) != c->arch->word || cr_cursor_u8(&body) != 0))
		return false;
	if (cr_str_eq(letters, CR_STR("eh")))
		word(c, &body);
	out->code_align = cr_cursor_uleb(&body);
	out->data_align = cr_cursor_sleb(&body);
	out->ra = version == 1 ? cr_cursor_u8(&body) : cr_cursor_uleb(&body);
	if (!augmentation(c, &body, letters, out) || body.bad)
		return false;
	out->program = body;
	return true;
}

/* Parse the FDE with this body. */
static bool
fde_read(const struct cr_cfi *c, struct cr_cursor body, uint64_t cie, struct fde *out)
{
	uint64_t len;

	if (!cie_read(c, cie, &out->cie))
		return false;
	if (out->cie.encoding & ENC_INDIRECT)
		return false;
	if (!pointer(c, &body, out->cie.encoding, c->vaddr + offset_of(c, &body), 0, &out->start) ||
		!pointer(c, &body, out->cie.encoding & ENC_FORMAT, 0, 0, &len))
		return false;
	if (!cr_add_ok(out->start, len, &out->end))
		return false;
	if (out->cie.augmented)
		cr_cursor_skip(&body, cr_cursor_uleb(&body));
	out->program = body;
	return !body.bad;
}

static bool
fde_at(const struct cr_cfi *c, uint64_t at, struct fde *out)
{
	struct cr_cursor in = c->all, body;
	uint64_t cie;
	bool is_cie;

	cr_cursor_skip(&in, at);
	return entry_next(c, &in, &body, &is_cie, &cie) && !is_cie && fde_read(c, body, cie, out);
}

/* ---- the entry of an address */

static int
by_start(const void *a, const void *b)
{
	const struct cr_cfi_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

size_t
cr_cfi_index(struct cr_cfi *c)
{
	struct cr_cursor in = c->all, body;
	uint64_t cie, at = 0;
	bool is_cie, sorted = true;
	struct fde f;

	if (c->indexed)
		return c->index.n;
	c->indexed = true;
	for (; entry_next(c, &in, &body, &is_cie, &cie); at = offset_of(c, &in)) {
		if (is_cie || !fde_read(c, body, cie, &f) || f.start == f.end)
			continue;
		sorted &= c->index.n == 0 || c->index.p[c->index.n - 1].start <= f.start;
		cr_vec_push(&c->index, ((struct cr_cfi_entry){f.start, f.end, at}));
	}
	if (!sorted)
		qsort(c->index.p, c->index.n, sizeof(*c->index.p), by_start);
	return c->index.n;
}

/* The last entry that starts at or before addr. */
static bool
find_in_index(struct cr_cfi *c, uint64_t addr, uint64_t *at)
{
	size_t lo = 0, hi = cr_cfi_index(c);

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (c->index.p[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0 || addr >= c->index.p[lo - 1].end)
		return false;
	*at = c->index.p[lo - 1].at;
	return true;
}

/* One word of row i of the table: start of the code, or position of the entry. */
static uint64_t
table_word(const struct cr_cfi *c, size_t i, unsigned which)
{
	struct cr_cursor in = c->table;

	cr_cursor_skip(&in, i * 8 + which * 4);
	return wrap(c, c->table_base + (uint64_t)(int32_t)cr_cursor_u32(&in));
}

static bool
find_in_table(const struct cr_cfi *c, uint64_t addr, uint64_t *at)
{
	size_t lo = 0, hi = cr_cursor_left(&c->table) / 8;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (table_word(c, mid, 0) <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return false;
	*at = table_word(c, lo - 1, 1) - c->vaddr;
	return true;
}

/* ---- instructions */

struct state {
	struct cr_cfi_rule cfa;
	struct cr_cfi_rule regs[CR_UNWIND_SLOTS];
};

struct run {
	const struct cr_cfi *c;
	const struct cie *cie;
	struct cr_cursor in;
	struct state now, initial;
	struct state remembered[REMEMBERED];
	unsigned n_remembered;
	uint64_t at, addr; /* start of the current row; address whose row is wanted */
	uint32_t steps;
};

static uint8_t
slot_of(const struct run *r, uint64_t dwarf)
{
	const uint8_t slot = cr_unwind_arch_slot(r->c->arch, dwarf);

	return slot == NO && dwarf == r->cie->ra ? CR_UNWIND_SLOT_RA : slot;
}

static void
rule(struct run *r, uint64_t dwarf, enum cr_cfi_how how, int64_t n, uint8_t other)
{
	const uint8_t slot = slot_of(r, dwarf);

	if (slot != NO)
		r->now.regs[slot] = (struct cr_cfi_rule){
			.n = n, .how = (uint8_t)how, .slot = slot, .reg = other};
}

static struct cr_cfi_rule
expression(struct run *r, enum cr_cfi_how how, uint8_t slot)
{
	const struct cr_cursor e = cr_cursor_sub(&r->in, cr_cursor_uleb(&r->in));
	const size_t len = cr_cursor_left(&e);

	if (len > UINT16_MAX)
		r->in.bad = true;
	return (struct cr_cfi_rule){
		.expr = e.p, .expr_len = (uint32_t)len, .how = (uint8_t)how, .slot = slot};
}

static void
rule_expression(struct run *r, enum cr_cfi_how how)
{
	const uint8_t slot = slot_of(r, cr_cursor_uleb(&r->in));
	const struct cr_cfi_rule e = expression(r, how, slot);

	if (slot != NO)
		r->now.regs[slot] = e;
}

static int64_t
factored(const struct run *r, uint64_t n)
{
	return (int64_t)(n * (uint64_t)r->cie->data_align);
}

static void
cfa_register(struct run *r, uint64_t dwarf)
{
	r->now.cfa.reg = slot_of(r, dwarf);
	r->now.cfa.how = CR_CFI_VALUE;
	r->now.cfa.expr_len = 0;
}

static void
cfa_offset(struct run *r, int64_t n)
{
	if (r->now.cfa.how == CR_CFI_VALUE)
		r->now.cfa.n = n;
	else /* an expression has no offset */
		r->in.bad = true;
}

/* Advance to the next row. Returns false if the current row is the wanted one. */
static bool
advance(struct run *r, uint64_t by)
{
	uint64_t to;

	if (!cr_mul_ok(by, r->cie->code_align, &by) || !cr_add_ok(r->at, by, &to) || to > r->addr)
		return false;
	r->at = to;
	return true;
}

static bool
set_loc(struct run *r)
{
	const uint64_t here = r->c->vaddr + offset_of(r->c, &r->in);
	uint64_t to;

	if (!pointer(r->c, &r->in, r->cie->encoding, here, 0, &to)) {
		r->in.bad = true;
		return false;
	}
	if (to > r->addr)
		return false;
	r->at = to;
	return true;
}

static void
restore_state(struct run *r)
{
	if (r->n_remembered == 0)
		r->in.bad = true;
	else
		r->now = r->remembered[--r->n_remembered];
}

static void
remember_state(struct run *r)
{
	if (r->n_remembered == REMEMBERED)
		r->in.bad = true;
	else
		r->remembered[r->n_remembered++] = r->now;
}

static void
restore(struct run *r, uint64_t dwarf)
{
	const uint8_t slot = slot_of(r, dwarf);

	if (slot != NO)
		r->now.regs[slot] = r->initial.regs[slot];
}

/* Execute one instruction. Returns false if the following ones belong to the next row. */
static bool
step(struct run *r)
{
	struct cr_cursor *in = &r->in;
	const uint8_t op = cr_cursor_u8(in), low = op & 0x3f;
	uint64_t reg;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc: return advance(r, low);
	case DW_CFA_offset:
		rule(r, low, CR_CFI_AT, factored(r, cr_cursor_uleb(in)), 0);
		return true;
	case DW_CFA_restore: restore(r, low); return true;
	}
	switch (op) {
	case DW_CFA_nop: break;
	case DW_CFA_set_loc: return set_loc(r);
	case DW_CFA_advance_loc1: return advance(r, cr_cursor_u8(in));
	case DW_CFA_advance_loc2: return advance(r, cr_cursor_u16(in));
	case DW_CFA_advance_loc4: return advance(r, cr_cursor_u32(in));
	case DW_CFA_MIPS_advance_loc8: return advance(r, cr_cursor_u64(in));
	case DW_CFA_def_cfa:
		cfa_register(r, cr_cursor_uleb(in));
		r->now.cfa.n = (int64_t)cr_cursor_uleb(in);
		break;
	case DW_CFA_def_cfa_sf:
		cfa_register(r, cr_cursor_uleb(in));
		r->now.cfa.n = factored(r, (uint64_t)cr_cursor_sleb(in));
		break;
	case DW_CFA_def_cfa_register:
		reg = cr_cursor_uleb(in);
		if (r->now.cfa.how != CR_CFI_VALUE)
			in->bad = true;
		cfa_register(r, reg);
		break;
	case DW_CFA_def_cfa_offset: cfa_offset(r, (int64_t)cr_cursor_uleb(in)); break;
	case DW_CFA_def_cfa_offset_sf:
		cfa_offset(r, factored(r, (uint64_t)cr_cursor_sleb(in)));
		break;
	case DW_CFA_def_cfa_expression: r->now.cfa = expression(r, CR_CFI_VALUE_EXPR, NO); break;
	case DW_CFA_undefined: rule(r, cr_cursor_uleb(in), CR_CFI_UNDEFINED, 0, 0); break;
	case DW_CFA_same_value: rule(r, cr_cursor_uleb(in), CR_CFI_SAME, 0, 0); break;
	case DW_CFA_offset_extended:
		reg = cr_cursor_uleb(in);
		rule(r, reg, CR_CFI_AT, factored(r, cr_cursor_uleb(in)), 0);
		break;
	case DW_CFA_offset_extended_sf:
		reg = cr_cursor_uleb(in);
		rule(r, reg, CR_CFI_AT, factored(r, (uint64_t)cr_cursor_sleb(in)), 0);
		break;
	case DW_CFA_GNU_negative_offset_extended:
		reg = cr_cursor_uleb(in);
		rule(r, reg, CR_CFI_AT, factored(r, -cr_cursor_uleb(in)), 0);
		break;
	case DW_CFA_val_offset:
		reg = cr_cursor_uleb(in);
		rule(r, reg, CR_CFI_VALUE, factored(r, cr_cursor_uleb(in)), 0);
		break;
	case DW_CFA_val_offset_sf:
		reg = cr_cursor_uleb(in);
		rule(r, reg, CR_CFI_VALUE, factored(r, (uint64_t)cr_cursor_sleb(in)), 0);
		break;
	case DW_CFA_register:
		reg = cr_cursor_uleb(in);
		rule(r, reg, CR_CFI_REGISTER, 0, slot_of(r, cr_cursor_uleb(in)));
		break;
	case DW_CFA_expression: rule_expression(r, CR_CFI_AT_EXPR); break;
	case DW_CFA_val_expression: rule_expression(r, CR_CFI_VALUE_EXPR); break;
	case DW_CFA_restore_extended: restore(r, cr_cursor_uleb(in)); break;
	case DW_CFA_remember_state: remember_state(r); break;
	case DW_CFA_restore_state: restore_state(r); break;
	case DW_CFA_GNU_args_size: cr_cursor_uleb(in); break;
	/*
	 * Signed return addresses need no tracking: the signature is masked off whenever present.
	 */
	case DW_CFA_AARCH64_negate_ra_state:
	case DW_CFA_AARCH64_negate_ra_state_with_pc: break;
	default: in->bad = true; break;
	}
	return true;
}

/* Run a program to its end, or to the wanted row. */
static bool
run(struct run *r, struct cr_cursor program)
{
	r->in = program;
	while (cr_cursor_left(&r->in) && !r->in.bad) {
		if (r->steps == 0)
			return false;
		r->steps--;
		if (!step(r))
			break;
	}
	return !r->in.bad;
}

static void
row_add(struct cr_cfi_row *out, const struct state *s, bool at)
{
	for (size_t i = 0; i < CR_UNWIND_SLOTS; i++)
		if (s->regs[i].how != CR_CFI_SAME && (s->regs[i].how == CR_CFI_AT) == at)
			out->rules[out->n_rules++] = s->regs[i];
}

static bool
row_of(const struct run *r, struct cr_cfi_row *out)
{
	*out = (struct cr_cfi_row){.cfa = r->now.cfa, .ra = slot_of(r, r->cie->ra)};
	if (out->cfa.how == CR_CFI_SAME || (out->cfa.how == CR_CFI_VALUE && out->cfa.reg == NO))
		return false;
	row_add(out, &r->now, true);
	out->n_at = out->n_rules;
	row_add(out, &r->now, false);
	if (r->cie->signal)
		out->flags |= CR_CFI_SIGNAL;
	if (r->now.regs[out->ra].how == CR_CFI_UNDEFINED)
		out->flags |= CR_CFI_OLDEST;
	return true;
}

bool
cr_cfi_find(struct cr_cfi *c, uint64_t addr, struct cr_cfi_row *out)
{
	struct run r = {.c = c, .addr = addr};
	struct fde f;
	uint64_t at;
	bool ok;

	if (cr_cursor_left(&c->table) ? !find_in_table(c, addr, &at) : !find_in_index(c, addr, &at))
		return false;
	if (!fde_at(c, at, &f) || addr < f.start || addr >= f.end)
		return false;
	r.cie = &f.cie;
	r.steps = (uint32_t)CR_MIN(c->steps, ENTRY_STEPS);
	r.at = 0; /* instructions of a CIE have no address */
	ok = run(&r, f.cie.program);
	r.initial = r.now;
	r.at = f.start;
	ok = ok && run(&r, f.program);
	c->steps -= CR_MIN(c->steps, ENTRY_STEPS) - r.steps;
	return ok && row_of(&r, out);
}

size_t
cr_cfi_row_bytes(const struct cr_cfi_row *row)
{
	return offsetof(struct cr_cfi_row, rules) + row->n_rules * sizeof(row->rules[0]);
}

/* ---- setup */

void
cr_cfi_init(struct cr_cfi *c, const struct cr_unwind_arch *arch, struct cr_cursor all,
	uint64_t vaddr, bool eh)
{
	*c = (struct cr_cfi){.arch = arch, .all = all, .vaddr = vaddr, .eh = eh, .steps = STEPS};
}

/*
 * u8 version, 1; u8 encodings of: the pointer to .eh_frame, the number of pairs, the table; then
 * these three. All linkers use the table encoding that is accepted here.
 */
void
cr_cfi_table(struct cr_cfi *c, struct cr_cursor hdr, uint64_t vaddr)
{
	const unsigned char *start = hdr.p;
	uint8_t version = cr_cursor_u8(&hdr), frame = cr_cursor_u8(&hdr),
		number = cr_cursor_u8(&hdr);
	const uint8_t table = cr_cursor_u8(&hdr);
	uint64_t ignored, n, bytes;

	if (version != 1 || number == ENC_OMIT || table != (ENC_DATA | ENC_S32))
		return;
	if (frame != ENC_OMIT &&
		!pointer(c, &hdr, frame, vaddr + (uint64_t)(hdr.p - start), vaddr, &ignored))
		return;
	if (!pointer(c, &hdr, number, vaddr + (uint64_t)(hdr.p - start), vaddr, &n) ||
		!cr_mul_ok(n, 8, &bytes) || bytes > cr_cursor_left(&hdr))
		return;
	c->table = cr_cursor_sub(&hdr, bytes);
	c->table_base = vaddr;
}

void
cr_cfi_fini(struct cr_cfi *c)
{
	cr_vec_fini(&c->index);
}
