#include "symbol/unwind/unwind.h"

#include "base/hash.h"
#include "unwind_expr_p.h"
#include "unwind_module_p.h"

#include <string.h>
#include <sys/utsname.h>

#define MEMOS 16384                    /* a power of two */
#define PC_MAX ((uint64_t)-8192)       /* higher values are marks, not addresses */
#define FRAMES_FREE 256                /* frames allowed beyond the number of words in the dump */
#define CUT_MAX ((uint64_t)1 << 30)    /* largest plausible distance above the dump */
#define GUESS_MAX ((uint64_t)16 << 20) /* the same for a guessed frame pointer */

/* What is known about an address of code. */
struct place {
	const struct cr_cfi_row *row; /* NULL if none */
	const char *why; /* string literal: why there is no row; NULL if the file has none */
	uint32_t dso;
	bool code;  /* in an executable mapping */
	bool data;  /* in another mapping */
	bool start; /* entry point of the program */
};

/* What is known about an offset in a dso. */
struct known {
	uint64_t offset;
	uint32_t dso;
	bool start;
	const struct cr_cfi_row *row;
};

/* A cached answer, valid while the space has this version. */
struct memo {
	uint64_t addr;
	uint32_t space1, version; /* id + 1; 0 if free */
	struct place place;
};

/* State for the programs of one architecture. */
struct side {
	const struct cr_unwind_arch *arch;
	CR_VEC(struct cr_unwind_module *) modules; /* by dso; NULL: not opened yet */
	CR_VEC(struct known) known;
	struct cr_index known_index;
	CR_VEC(const struct cr_cfi_row *) rows; /* all distinct rows */
	struct cr_index row_index;
	struct cr_arena arena;
	struct memo *memos; /* MEMOS entries */
};

struct cr_unwind {
	const struct cr_symbol_opts *opts;
	struct side sides[2]; /* by ABI: 32-bit and 64-bit programs may be in one recording */
};

/* State of unwinding one stack. */
struct walk {
	struct cr_unwind *u;
	struct side *side;
	const struct cr_unwind_arch *arch;
	bool swap;
	const struct cr_unwind_dump *dump;
	const struct cr_unwind_space *space;
	struct cr_unwind_stack *out;
	struct cr_unwind_regs regs;
	uint64_t pc;
	uint64_t low, len; /* address and length of the dump */
	uint64_t missing;  /* address of the last word that was not found */
	bool activation;   /* pc is where the code stopped, not a return address */
	bool left;         /* a signal frame led out of the dumped stack */
	bool guessed;      /* a frame pointer was guessed: registers may be wrong */
	size_t certain;    /* number of frames before the first guess */
};

/* ---- the row of an address */

static const struct cr_cfi_row *
row_intern(struct side *s, const struct cr_cfi_row *row)
{
	const size_t bytes = cr_cfi_row_bytes(row);
	const uint64_t h = cr_hash(row, bytes);
	uint32_t i;

	cr_index_each(&s->row_index, h, i)
		if (cr_cfi_row_bytes(s->rows.p[i]) == bytes &&
			memcmp(s->rows.p[i], row, bytes) == 0)
			return s->rows.p[i];
	cr_index_add(&s->row_index, h, (uint32_t)s->rows.n);
	cr_vec_push(&s->rows, cr_arena_copy(&s->arena, row, bytes));
	return s->rows.p[s->rows.n - 1];
}

static struct cr_unwind_module *
module_of(struct walk *w, cr_dso_id dso)
{
	struct side *s = w->side;

	while (s->modules.n <= dso.i)
		cr_vec_push(&s->modules, NULL);
	if (!s->modules.p[dso.i])
		s->modules.p[dso.i] = cr_unwind_module_new(
			w->u->opts, w->space->dso(w->space->ctx, dso), w->arch, w->swap);
	return s->modules.p[dso.i];
}

static const struct known *
known_of(struct walk *w, cr_dso_id dso, uint64_t offset)
{
	struct side *s = w->side;
	const uint64_t h = cr_hash_mix(offset, dso.i);
	uint32_t i;
	struct known k = {.offset = offset, .dso = dso.i};
	struct cr_cfi_row row;

	cr_index_each(&s->known_index, h, i)
		if (s->known.p[i].offset == offset && s->known.p[i].dso == dso.i)
			return &s->known.p[i];
	switch (cr_unwind_module_find(module_of(w, dso), offset, &row)) {
	case CR_UNWIND_ROW: k.row = row_intern(s, &row); break;
	case CR_UNWIND_START: k.start = true; break;
	case CR_UNWIND_BARE: break;
	}
	cr_index_add(&s->known_index, h, (uint32_t)s->known.n);
	cr_vec_push(&s->known, k);
	return &s->known.p[s->known.n - 1];
}

static struct place
place_in(struct walk *w, uint64_t addr)
{
	struct cr_unwind_map map;
	const struct known *k;

	if (!w->space->map(w->space->ctx, addr, &map))
		return (struct place){.why = "nothing is mapped there"};
	if (!map.file)
		return (struct place){.why = "not from a file",
			.dso = map.dso.i,
			.code = map.code,
			.data = !map.code};
	k = known_of(w, map.dso, addr - map.start + map.pgoff);
	return (struct place){k->row, k->row ? NULL : module_of(w, map.dso)->why, map.dso.i,
		map.code, !map.code, k->start};
}

/* Valid until the next call. */
static const struct place *
place_of(struct walk *w, uint64_t addr)
{
	const struct cr_unwind_space *s = w->space;
	struct memo *m = &w->side->memos[cr_hash_mix(addr, s->id) & (MEMOS - 1)];

	if (m->addr == addr && m->space1 == s->id + 1 && m->version == s->version)
		return &m->place;
	m->place = place_in(w, addr);
	m->addr = addr;
	m->space1 = s->id + 1;
	m->version = s->version;
	return &m->place;
}

/* ---- memory */

static uint64_t
number(const unsigned char *p, unsigned bytes, bool swap)
{
	struct cr_cursor c;

	cr_cursor_init(&c, p, bytes);
	c.swap = swap;
	switch (bytes) {
	case 1: return cr_cursor_u8(&c);
	case 2: return cr_cursor_u16(&c);
	case 4: return cr_cursor_u32(&c);
	default: return cr_cursor_u64(&c);
	}
}

static bool
read_file(struct walk *w, uint64_t addr, unsigned bytes, uint64_t *out)
{
	const unsigned char *p = NULL;
	struct cr_unwind_map map;

	if (w->space->map(w->space->ctx, addr, &map) && map.file)
		p = cr_unwind_module_bytes(
			module_of(w, map.dso), addr - map.start + map.pgoff, bytes);
	if (p)
		*out = number(p, bytes, w->swap);
	else
		w->missing = addr;
	return p;
}

static bool
read_memory(void *ctx, uint64_t addr, unsigned bytes, uint64_t *out)
{
	struct walk *w = ctx;
	const uint64_t at = addr - w->low;

	if (at < w->len && w->len - at >= bytes) {
		*out = number(w->dump->stack.p + at, bytes, w->swap);
		return true;
	}
	return read_file(w, addr, bytes, out);
}

static uint64_t
wrap(const struct walk *w, uint64_t addr)
{
	return w->arch->word == 4 ? (uint32_t)addr : addr;
}

static inline bool
read_word(struct walk *w, uint64_t addr, uint64_t *out)
{
	const uint64_t at = addr - w->low;

	if (w->arch->word == 8 && !w->swap && at < w->len && w->len - at >= 8) {
		memcpy(out, w->dump->stack.p + at, 8);
		return true;
	}
	return read_memory(w, wrap(w, addr), w->arch->word, out);
}

/* ---- one step to the caller */

enum step { ON, END };

static enum step
end(struct walk *w, enum cr_unwind_end how)
{
	w->out->end = how;
	return END;
}

/* End the walk at a missing word: CUT if the dump ends before it. */
static enum step
end_missing(struct walk *w)
{
	const uint64_t above = w->missing - w->low;
	const bool cut =
		w->dump->full && above + w->arch->word > w->len && above < w->len + CUT_MAX;

	return end(w, cut || w->left ? CR_UNWIND_CUT : CR_UNWIND_NONSENSE);
}

static bool
evaluate(struct walk *w, const struct cr_cfi_rule *r, const uint64_t *first, uint64_t *out)
{
	const struct cr_unwind_expr e = {w->arch, &w->regs, w->swap, read_memory, w};

	return cr_unwind_eval(&e, r->expr, r->expr_len, first, out);
}

static bool
find_cfa(struct walk *w, const struct cr_cfi_rule *r, uint64_t *cfa)
{
	if (r->how == CR_CFI_VALUE_EXPR)
		return evaluate(w, r, NULL, cfa);
	*cfa = wrap(w, w->regs.v[r->reg] + (uint64_t)r->n);
	return cr_unwind_known(&w->regs, r->reg);
}

/*
 * Restore a register that is not simply saved on the stack, in `to`; w->regs are still the
 * callee's. popped: it may have its value already, see restore_saved().
 */
static void
restore_other(struct walk *w, struct cr_unwind_regs *to, const struct cr_cfi_rule *r, uint64_t cfa,
	bool popped)
{
	uint64_t v = 0;
	bool ok = false;

	switch (r->how) {
	case CR_CFI_VALUE:
		v = wrap(w, cfa + (uint64_t)r->n);
		ok = true;
		break;
	case CR_CFI_REGISTER:
		ok = cr_unwind_known(&w->regs, r->reg);
		v = ok ? w->regs.v[r->reg] : 0;
		break;
	case CR_CFI_AT_EXPR:
		ok = evaluate(w, r, &cfa, &v);
		/*
		 * Saved above its frame: the expression uses a frame pointer that was just popped.
		 */
		if (ok && popped && v >= cfa)
			return;
		ok = ok && read_word(w, v, &v);
		break;
	case CR_CFI_VALUE_EXPR: ok = evaluate(w, r, &cfa, &v); break;
	default: break; /* CR_CFI_UNDEFINED */
	}
	if (ok)
		cr_unwind_set(to, r->slot, v);
	else
		cr_unwind_forget(to, r->slot);
}

/*
 * Restore a register saved at addr. In epilogues compilers still describe registers as saved that
 * were just popped: their slot is below the stack pointer and not in the dump. Such a register has
 * its value already.
 */
static void
restore_saved(struct walk *w, uint8_t slot, uint64_t addr, uint64_t sp)
{
	uint64_t v;

	if (addr < sp && addr < w->low)
		return;
	if (read_word(w, addr, &v))
		cr_unwind_set(&w->regs, slot, v);
	else
		cr_unwind_forget(&w->regs, slot);
}

static void
restore(struct walk *w, const struct cr_cfi_row *row, uint64_t cfa)
{
	const uint64_t before = w->regs.v[w->arch->sp],
		       sp = wrap(w, cfa + (uint64_t)(int64_t)w->arch->sp_from_cfa);

	if (row->n_rules > row->n_at) {
		const bool popped = w->activation && !(row->flags & CR_CFI_SIGNAL);
		struct cr_unwind_regs to = w->regs;

		cr_unwind_set(&to, w->arch->sp, sp);
		for (unsigned i = row->n_at; i < row->n_rules; i++)
			restore_other(w, &to, &row->rules[i], cfa, popped);
		w->regs = to;
	} else {
		cr_unwind_set(&w->regs, w->arch->sp, sp);
	}
	for (unsigned i = 0; i < row->n_at; i++)
		restore_saved(
			w, row->rules[i].slot, wrap(w, cfa + (uint64_t)row->rules[i].n), before);
}

/* True if the walk moved towards the start of the stack. */
static bool
progress(const struct walk *w, const struct cr_cfi_row *row, uint64_t sp, uint64_t pc)
{
	const uint64_t now = w->regs.v[w->arch->sp];

	if (!cr_unwind_known(&w->regs, w->arch->sp))
		return false;
	if (row->flags & CR_CFI_SIGNAL)
		return true; /* may be another stack */
	/* A function without a stack frame and with its return address in a register. */
	if (now == sp)
		return w->activation && w->pc != pc;
	return now > sp;
}

static enum step
step_row(struct walk *w, const struct cr_cfi_row *row)
{
	const uint64_t sp = w->regs.v[w->arch->sp], pc = w->pc;
	uint64_t cfa;

	if (row->flags & CR_CFI_OLDEST)
		return end(w, CR_UNWIND_WHOLE);
	w->missing = 0;
	if (!find_cfa(w, &row->cfa, &cfa))
		return end_missing(w);
	restore(w, row, cfa);
	if (!cr_unwind_known(&w->regs, row->ra))
		return end_missing(w);
	w->pc = w->regs.v[row->ra] & w->arch->code_mask;
	if (w->pc == 0)
		return end(w, CR_UNWIND_WHOLE);
	if (!progress(w, row, sp, pc) || (w->guessed && !place_of(w, w->pc - 1)->code))
		return end(w, CR_UNWIND_NONSENSE);
	w->activation = row->flags & CR_CFI_SIGNAL;
	if (w->activation && w->regs.v[w->arch->sp] - w->low >= w->len)
		w->left = true;
	return ON;
}

static enum step
end_no_info(struct walk *w, const struct place *p)
{
	w->out->dso = (cr_dso_id){p->dso};
	w->out->why = p->why ? p->why : "no unwind information for it";
	return end(w, CR_UNWIND_NO_INFO);
}

/* A frame record that the frame pointer may point at. Its return address must be code. */
struct record {
	uint64_t fp, ra;
};

enum record_is { RECORD_NONE, RECORD_ABOVE_DUMP, RECORD_FOUND };

static enum record_is
find_record(struct walk *w, struct record *out)
{
	const struct cr_unwind_arch *a = w->arch;

	out->fp = w->regs.v[a->fp];
	if (out->fp % a->word ||
		wrap(w, out->fp + (uint64_t)(int64_t)a->record.sp) <= w->regs.v[a->sp])
		return RECORD_NONE;
	if (!read_word(w, out->fp + (uint64_t)(int64_t)a->record.ra, &out->ra))
		return w->dump->full && w->missing - w->low < w->len + GUESS_MAX ? RECORD_ABOVE_DUMP
										 : RECORD_NONE;
	out->ra &= a->code_mask;
	return out->ra && place_of(w, out->ra - 1)->code ? RECORD_FOUND : RECORD_NONE;
}

/*
 * Other registers are assumed to be the caller's. If they were not, what they lead to is hardly
 * code.
 */
static void
follow_record(struct walk *w, const struct record *r)
{
	const struct cr_unwind_arch *a = w->arch;
	uint64_t before;

	cr_unwind_set(&w->regs, a->sp, wrap(w, r->fp + (uint64_t)(int64_t)a->record.sp));
	if (read_word(w, r->fp + (uint64_t)(int64_t)a->record.fp, &before))
		cr_unwind_set(&w->regs, a->fp, before);
	else
		cr_unwind_forget(&w->regs, a->fp);
	w->pc = r->ra;
	w->activation = false;
	if (!w->guessed)
		w->certain = w->out->ips.n;
	w->guessed = true;
}

/* A step without a row. */
static enum step
step_record(struct walk *w, struct place p)
{
	const struct cr_unwind_arch *a = w->arch;
	const bool may_guess = w->u->opts && w->u->opts->guess_callers;
	struct record r;
	enum record_is is;

	if (p.start)
		return end(w, CR_UNWIND_WHOLE);
	if (a->fp == CR_UNWIND_NO_SLOT || !cr_unwind_known(&w->regs, a->fp))
		return end_no_info(w, &p);
	/*
	 * By the ABI the first function of a thread sets it to 0; elsewhere it may be any number.
	 */
	if (w->regs.v[a->fp] == 0 && !p.why && !w->activation && !w->guessed)
		return end(w, CR_UNWIND_WHOLE);
	is = find_record(w, &r);
	w->out->could_guess = !may_guess && is == RECORD_FOUND;
	if (!may_guess || is == RECORD_NONE)
		return end_no_info(w, &p);
	if (is == RECORD_ABOVE_DUMP)
		return end(w, CR_UNWIND_CUT);
	follow_record(w, &r);
	return ON;
}

static void
emit(struct walk *w, uint64_t ip)
{
	if (ip == 0) /* a call through a null pointer */
		return;
	cr_vec_push(&w->out->ips, ip);
	cr_vec_push(&w->out->sps, w->regs.v[w->arch->sp]);
}

/* Emit the current frame and step to its caller. */
static enum step
step(struct walk *w)
{
	const uint64_t before = w->activation ? w->pc : w->pc - 1;
	const struct place *p = place_of(w, before);
	const struct cr_cfi_row *row = p->row;

	if (w->pc >= PC_MAX || w->out->ips.n > w->len / w->arch->word + FRAMES_FREE)
		return end(w, CR_UNWIND_NONSENSE);
	/* Nothing returns to data. If nothing is mapped there, the mapping may be missing. */
	if (p->data && w->out->ips.n)
		return end(w, CR_UNWIND_NONSENSE);
	/* A signal handler returns to the first byte of the code that ends the signal. */
	emit(w, row && (row->flags & CR_CFI_SIGNAL) ? w->pc : before);
	if (w->arch->pc != CR_UNWIND_NO_SLOT)
		cr_unwind_set(&w->regs, w->arch->pc, w->pc);
	if (row)
		return step_row(w, row);
	return step_record(w, *p);
}

/* ---- setup */

/* Copy the registers of the dump to their slots. False if pc or sp is missing. */
static bool
begin(struct walk *w)
{
	const struct cr_unwind_arch *a = w->arch;
	struct cr_cursor in = w->dump->regs;
	bool has_pc = false;

	for (unsigned i = 0; i < 64 && cr_cursor_left(&in) >= 8; i++) {
		uint64_t v;

		if (!(w->dump->mask >> i & 1))
			continue;
		v = wrap(w, cr_cursor_u64(&in));
		if (i < a->n_perf && a->perf[i] != CR_UNWIND_NO_SLOT)
			cr_unwind_set(&w->regs, a->perf[i], v);
		if (i == a->perf_pc) {
			w->pc = v;
			has_pc = true;
		}
	}
	w->low = w->regs.v[a->sp];
	w->len = cr_cursor_left(&w->dump->stack);
	w->activation = true;
	return has_pc && cr_unwind_known(&w->regs, a->sp);
}

/* The state for an ABI; NULL if its machine is unknown. */
static struct side *
side_of(struct cr_unwind *u, uint64_t abi)
{
	struct side *s = abi == 1 || abi == 2 ? &u->sides[abi - 1] : NULL;

	if (!s || !s->arch)
		return NULL;
	if (!s->memos)
		s->memos = cr_alloc(MEMOS, sizeof(*s->memos));
	return s;
}

void
cr_unwind_walk(struct cr_unwind *u, const struct cr_unwind_dump *dump,
	const struct cr_unwind_space *space, struct cr_unwind_stack *out)
{
	struct side *side = side_of(u, dump->abi);
	struct walk w = {.u = u,
		.side = side,
		.dump = dump,
		.space = space,
		.out = out,
		.swap = dump->stack.swap};

	out->ips.n = out->sps.n = 0;
	out->guessed = 0;
	out->could_guess = false;
	out->dso = (cr_dso_id){0};
	out->why = NULL;
	out->end = CR_UNWIND_NONSENSE;
	if (!side)
		return;
	w.arch = side->arch;
	if (!begin(&w))
		return;
	while (step(&w) == ON)
		;
	if (w.guessed)
		out->guessed = (uint32_t)(out->ips.n - w.certain);
}

struct cr_unwind *
cr_unwind_new(const struct cr_symbol_opts *opts, struct cr_str machine)
{
	struct cr_unwind *u = cr_alloc(1, sizeof(*u));
	struct utsname here;

	if (machine.len == 0 && uname(&here) == 0)
		machine = cr_str_of(here.machine);
	for (size_t i = 0; i < CR_LEN(u->sides); i++)
		u->sides[i].arch = cr_unwind_arch_find(machine, i + 1);
	u->opts = opts;
	return u;
}

static void
side_fini(struct side *s)
{
	for (size_t i = 0; i < s->modules.n; i++)
		if (s->modules.p[i])
			cr_unwind_module_free(s->modules.p[i]);
	cr_vec_fini(&s->modules);
	cr_vec_fini(&s->known);
	cr_index_fini(&s->known_index);
	cr_vec_fini(&s->rows);
	cr_index_fini(&s->row_index);
	cr_arena_fini(&s->arena);
	free(s->memos);
}

void
cr_unwind_free(struct cr_unwind *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < CR_LEN(u->sides); i++)
		side_fini(&u->sides[i]);
	free(u);
}
