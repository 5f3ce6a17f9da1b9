#include "testing.h"

#include "cfi_maker.h"
#include "symbol/opts.h"
#include "symbol/unwind/unwind.h"

#include <elf.h>
#include <stdio.h>
#include <unistd.h>

/*
 * A program of one kilobyte whose code is at the file offset 0x200 and, as lld does it, at another
 * address, 0x5200; mapped at 0x400000 plus offset. Its functions, of 16 bytes:
 *
 *	0 leaf     CFA = rsp + 8                     5 plain    no information
 *	1 pushes   CFA = rsp + 24, rbp at CFA - 16   6 clone    no caller
 *	2 framed   CFA = rbp + 16, rbp at CFA - 16   7 entry    no information, where the program
 *	                                                        starts
 *	3 restorer of a signal, by expressions       8 popping  as 1, but rsp + 8
 *	4 stub     in .plt
 */
enum { SIZE = 0x600, TEXT = 0x200, FRAME = 0x320, BIAS = 0x5000, BASE = 0x400000, STACK = 0x7000 };
enum { LEAF, PUSHES, FRAMED, RESTORER, STUB, PLAIN, CLONE, ENTRY, POPPING, FUNCTIONS };
enum { RBX = 3, RBP = 6, RSP = 7, RIP = 16, X29 = 29, X30 = 30, SP = 31 };

#define AT(function, offset) ((uint64_t)BASE + TEXT + (function)*16 + (offset))
#define PROGRAM(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

static void
put(unsigned char *p, size_t at, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[at + i] = (unsigned char)(v >> 8 * i);
}

static void
put_section(unsigned char *p, unsigned row, uint32_t name, uint32_t flags, uint64_t offset,
	uint64_t size)
{
	const size_t at = 0x80 + row * 64;

	put(p, at, name, 4);
	put(p, at + 4, SHT_PROGBITS, 4);
	put(p, at + 8, flags, 8);
	put(p, at + 16, offset + BIAS, 8);
	put(p, at + 24, offset, 8);
	put(p, at + 32, size, 8);
}

static void
put_elf(unsigned char p[SIZE], uint16_t machine, const struct cr_text *frame)
{
	static const char names[] = "\0.text\0.plt\0.eh_frame\0.shstrtab";

	memset(p, 0, SIZE);
	memcpy(p, "\177ELF\2\1\1", 7);
	put(p, 16, ET_DYN, 2);
	put(p, 18, machine, 2);
	put(p, 20, 1, 4);
	put(p, 24, TEXT + ENTRY * 16 + BIAS, 8);
	put(p, 32, 0x40, 8);
	put(p, 40, 0x80, 8);
	put(p, 52, 64, 2);
	put(p, 54, 56, 2);
	put(p, 56, 1, 2);
	put(p, 58, 64, 2);
	put(p, 60, 5, 2);
	put(p, 62, 4, 2);
	put(p, 0x40, PT_LOAD, 4);
	put(p, 0x44, PF_R | PF_X, 4);
	put(p, 0x50, BIAS, 8);
	put(p, 0x60, SIZE, 8);
	put(p, 0x68, SIZE, 8);
	put_section(p, 1, 1, SHF_ALLOC | SHF_EXECINSTR, TEXT, 0x100);
	put_section(p, 2, 7, SHF_ALLOC | SHF_EXECINSTR, TEXT + STUB * 16, 16);
	put(p, 0x80 + 2 * 64 + 48, 16,
		8); /* its alignment: the stubs of a static program have less */
	put_section(p, 3, 12, SHF_ALLOC, FRAME, frame->len);
	put_section(p, 4, 22, 0, 0x1c0, sizeof(names));
	put(p, 0x80 + 4 * 64 + 4, SHT_STRTAB, 4);
	memcpy(p + 0x1c0, names, sizeof(names));
	assert_in_range(frame->len, 0, SIZE - FRAME);
	memcpy(p + FRAME, frame->p, frame->len);
}

static void
put_function(struct cr_text *t, size_t cie, unsigned function, const uint8_t *program, size_t len)
{
	const uint64_t at = BIAS + TEXT + function * 16;

	made_fde_of(t, cie, BIAS + FRAME, at, at + 16, program, len);
}

static struct cr_text
frames_x86_64(void)
{
	struct cr_text t = {0};
	size_t signal;

	made_cie(&t, "zR", RIP, PROGRAM(DW_CFA_def_cfa, RSP, 8, DW_CFA_offset + RIP, 1));
	put_function(&t, 0, LEAF, NULL, 0);
	put_function(&t, 0, PUSHES, PROGRAM(DW_CFA_def_cfa_offset, 24, DW_CFA_offset + RBP, 2));
	put_function(&t, 0, FRAMED, PROGRAM(DW_CFA_def_cfa, RBP, 16, DW_CFA_offset + RBP, 2));
	put_function(&t, 0, CLONE, PROGRAM(DW_CFA_undefined, RIP));
	put_function(&t, 0, POPPING, PROGRAM(DW_CFA_offset + RBP, 2));
	signal = t.len;
	/* The interrupted stack pointer is at rsp + 16, its rbp at rsp + 8, where it was at rsp. */
	made_cie(&t, "zRS", RIP,
		PROGRAM(DW_CFA_def_cfa_expression, 3, DW_OP_breg0 + RSP, 16, DW_OP_deref,
			DW_CFA_expression, RIP, 2, DW_OP_breg0 + RSP, 0, DW_CFA_expression, RBP, 2,
			DW_OP_breg0 + RSP, 8));
	/*
	 * It begins a byte early, for whoever looks before the address that a handler returns to.
	 */
	made_fde_of(&t, signal, BIAS + FRAME, BIAS + TEXT + RESTORER * 16 - 1,
		BIAS + TEXT + RESTORER * 16 + 16, NULL, 0);
	made_cfi_end(&t);
	return t;
}

/* ---- a program that is mapped, and the stack of a thread in it */

struct world {
	char path[64];
	struct cr_dso dso, other;
	struct cr_symbol_opts opts;
	struct cr_unwind *u;
	struct cr_unwind_stack stack;
	uint64_t regs[64], mask, abi;
	uint64_t words[64];
	bool full;
	uint32_t version;
};

static bool
world_map(void *ctx, uint64_t addr, struct cr_unwind_map *out)
{
	(void)ctx;
	if (addr >= BASE && addr < BASE + SIZE) {
		*out = (struct cr_unwind_map){BASE, BASE + SIZE, 0, {1}, true, true};
		return true;
	}
	if (addr >= 0x900000 && addr < 0xa00000) { /* code without a file, then data */
		*out = (struct cr_unwind_map){0x900000, 0xa00000, 0, {2}, addr < 0x980000, false};
		return true;
	}
	return false;
}

static const struct cr_dso *
world_dso(void *ctx, cr_dso_id dso)
{
	struct world *w = ctx;

	assert_in_range(dso.i, 1, 2);
	return dso.i == 1 ? &w->dso : &w->other;
}

static void
world_open(struct world *w, const char *machine, uint16_t elf, struct cr_text frames)
{
	const char *directory = getenv("TMPDIR");
	unsigned char image[SIZE];
	int fd;

	*w = (struct world){.abi = 2, .full = true};
	snprintf(w->path, sizeof(w->path), "%s/cresset-unwind-XXXXXX",
		directory && strlen(directory) < 30 ? directory : "/tmp");
	put_elf(image, elf, &frames);
	assert_in_range(fd = mkstemp(w->path), 0, INT32_MAX);
	assert_int_equal(write(fd, image, SIZE), SIZE);
	close(fd);
	w->dso = (struct cr_dso){.name = cr_str_of(w->path), .kind = CR_KIND_USER};
	w->opts.home = "/nonexistent";
	w->u = cr_unwind_new(&w->opts, cr_str_of(machine));
	cr_text_fini(&frames);
}

static void
world_x86_64(struct world *w)
{
	world_open(w, "x86_64", EM_X86_64, frames_x86_64());
	w->mask = 0xff0fff;
}

static void
world_close(struct world *w)
{
	cr_unwind_free(w->u);
	unlink(w->path);
	cr_vec_fini(&w->stack.ips);
	cr_vec_fini(&w->stack.sps);
}

/*
 * The stack has n words from STACK on; rest of the registers as they are in w->regs, by perf's
 * numbers.
 */
static void
walk(struct world *w, size_t n)
{
	const struct cr_unwind_space space = {1, w->version, world_map, world_dso, w};
	struct cr_unwind_dump d = {.abi = w->abi, .mask = w->mask, .full = w->full};
	const size_t word = w->abi == 2 ? 8 : 4;
	struct cr_text words = {0}, regs = {0};
	void *p, *r;

	for (size_t i = 0; i < n; i++)
		made_word(&words, w->words[i], (unsigned)word);
	for (unsigned i = 0; i < 64; i++)
		if (w->mask >> i & 1)
			made_word(&regs, w->regs[i], 8);
	p = testing_exact(words.p, words.len);
	r = testing_exact(regs.p, regs.len);
	cr_cursor_init(&d.stack, p, words.len);
	cr_cursor_init(&d.regs, r, regs.len);
	cr_unwind_walk(w->u, &d, &space, &w->stack);
	assert_int_equal(w->stack.ips.n, w->stack.sps.n);
	free(p);
	free(r);
	cr_text_fini(&words);
	cr_text_fini(&regs);
}

/* "0+4 1+3 whole": functions with offsets, absolute addresses outside; how it ended. */
static void
assert_walk(struct world *w, size_t n, const char *want)
{
	static const char *const ends[] = {"whole", "cut", "no-info", "nonsense"};
	struct cr_text t = {0};

	walk(w, n);
	for (size_t i = 0; i < w->stack.ips.n; i++) {
		const uint64_t ip = w->stack.ips.p[i];

		if (ip >= AT(0, 0) && ip < AT(FUNCTIONS, 0))
			cr_text_printf(
				&t, "%u+%u ", (unsigned)(ip - AT(0, 0)) / 16, (unsigned)ip % 16);
		else
			cr_text_printf(&t, "%llx ", (unsigned long long)ip);
	}
	cr_text_puts(&t, ends[w->stack.end]);
	assert_string_equal(t.p, want);
	cr_text_fini(&t);
}

static void
at_x86_64(struct world *w, uint64_t pc, uint64_t rbp)
{
	w->regs[6] = rbp;
	w->regs[7] = STACK;
	w->regs[8] = pc;
}

static void
set_words(struct world *w, size_t n, const uint64_t *words)
{
	memcpy(w->words, words, n * sizeof(*words));
}

#define WORDS(...)                                                                     \
	sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (const uint64_t[]) \
	{                                                                              \
		__VA_ARGS__                                                            \
	}

static void
test_a_stack_is_followed_to_the_function_that_has_no_caller(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	/*            leaf: ra       pushes: local, rbp, ra               framed: -, rbp, ra */
	set_words(&w, WORDS(AT(PUSHES, 5), 1, STACK + 5 * 8, AT(FRAMED, 7), 2, 77, AT(CLONE, 3)));
	at_x86_64(&w, AT(LEAF, 4), 99);
	for (int again = 0; again < 3; again++) { /* kept answers are the same */
		assert_walk(&w, 7, "0+4 1+4 2+6 6+2 whole");
		w.version = again == 1;
	}
	assert_int_equal(w.stack.sps.p[0], STACK);
	assert_int_equal(w.stack.sps.p[1], STACK + 8);
	assert_int_equal(w.stack.sps.p[2], STACK + 32);
	assert_int_equal(w.stack.sps.p[3], STACK + 56);
	world_close(&w);
}

static void
test_a_dump_that_ends_early_is_cut_and_only_one_that_was_full(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS(AT(PUSHES, 5), 1, STACK + 5 * 8, AT(FRAMED, 7), 2, 77, AT(CLONE, 3)));
	at_x86_64(&w, AT(LEAF, 4), 99);
	assert_walk(&w, 6, "0+4 1+4 2+6 cut");
	assert_walk(&w, 4, "0+4 1+4 2+6 cut");
	assert_walk(&w, 3, "0+4 1+4 cut");
	assert_walk(&w, 1, "0+4 1+4 cut");
	assert_walk(&w, 0, "0+4 cut");
	w.full = false;
	assert_walk(&w, 6, "0+4 1+4 2+6 nonsense");
	w.full = true;
	w.words[2] = (uint64_t)1 << 40; /* no stack reaches that far */
	assert_walk(&w, 7, "0+4 1+4 2+6 nonsense");
	world_close(&w);
}

static void
test_a_return_address_of_0_is_the_end(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS(0));
	at_x86_64(&w, AT(LEAF, 4), 0);
	assert_walk(&w, 1, "0+4 whole");
	world_close(&w);
}

static void
test_what_a_signal_has_interrupted_called_nobody(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	/*
	 * leaf was interrupted at its first byte; the restorer is returned to, at its first byte
	 * too
	 */
	set_words(&w, WORDS(AT(RESTORER, 0), AT(LEAF, 0), 55, STACK + 6 * 8, 0, 0, AT(PUSHES, 1), 0,
			      66, AT(CLONE, 1)));
	at_x86_64(&w, AT(LEAF, 4), 99);
	assert_walk(&w, 10, "0+4 3+0 0+0 1+0 6+0 whole");
	w.words[3] = 0x100000; /* it was on another stack, which nobody copied */
	assert_walk(&w, 10, "0+4 3+0 0+0 cut");
	world_close(&w);
}

static void
test_a_register_that_was_just_popped_has_its_value_again(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS(AT(FRAMED, 9), 5, 6, 77, AT(CLONE, 1)));
	at_x86_64(&w, AT(POPPING, 8), STACK + 3 * 8);
	assert_walk(&w, 5, "8+8 2+8 6+0 whole");
	world_close(&w);
}

static void
test_stubs_need_no_information(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS(9, AT(CLONE, 1), AT(CLONE, 2)));
	/* The first 16 bytes have a word on the stack when they begin, and push another. */
	at_x86_64(&w, AT(STUB, 0), 0);
	assert_walk(&w, 3, "4+0 6+0 whole");
	at_x86_64(&w, AT(STUB, 6), 0);
	assert_walk(&w, 3, "4+6 6+1 whole");
	world_close(&w);
}

static void
test_where_the_program_starts_is_the_end(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS(AT(ENTRY, 9)));
	at_x86_64(&w, AT(LEAF, 4), 123);
	assert_walk(&w, 1, "0+4 7+8 whole");
	world_close(&w);
}

static void
test_frame_pointers_lead_through_code_that_nothing_is_known_of(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	w.opts.guess_callers = true;
	/* code without a file; its frame record; plain, with another; then framed */
	set_words(&w, WORDS(0, STACK + 4 * 8, AT(PLAIN, 5), 0, STACK + 6 * 8, AT(FRAMED, 2), 77,
			      AT(CLONE, 1)));
	at_x86_64(&w, 0x900010, STACK + 8);
	assert_walk(&w, 8, "900010 5+4 2+1 6+0 whole");
	assert_int_equal(w.stack.guessed, 3);
	assert_walk(&w, 5, "900010 5+4 cut");
	w.words[4] = 3; /* the record's pointer leads nowhere, but framed has its CFA in it */
	assert_walk(&w, 8, "900010 5+4 2+1 nonsense");
	w.words[4] = STACK + 6 * 8;
	w.words[5] = 0x990000; /* data */
	assert_walk(&w, 8, "900010 5+4 no-info");
	assert_int_equal(w.stack.dso.i, 1);
	assert_string_equal(w.stack.why, "no unwind information for it");
	at_x86_64(&w, AT(PLAIN, 3), STACK + 8);
	w.words[5] = AT(FRAMED, 2);
	assert_walk(&w, 8, "5+3 5+4 2+1 6+0 whole");
	set_words(&w, WORDS(AT(PLAIN, 5), STACK + 4 * 8, AT(PLAIN, 5), 0, STACK + 6 * 8,
			      AT(FRAMED, 2), 77, AT(CLONE, 1)));
	at_x86_64(&w, AT(LEAF, 4),
		STACK + 8); /* a frame that is certain, and its caller, are no guesses */
	assert_walk(&w, 8, "0+4 5+4 5+4 2+1 6+0 whole");
	assert_int_equal(w.stack.guessed, 3);
	at_x86_64(&w, AT(LEAF, 4), 0);
	assert_walk(&w, 8, "0+4 5+4 whole");
	assert_int_equal(w.stack.guessed, 0);
	assert_false(w.stack.could_guess);
	world_close(&w);
}

static void
test_nobody_guesses_who_was_not_asked_to(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS(AT(PLAIN, 5), STACK + 4 * 8, AT(PLAIN, 5), 0, STACK + 6 * 8,
			      AT(FRAMED, 2), 77, AT(CLONE, 1)));
	at_x86_64(&w, AT(LEAF, 4), STACK + 8);
	assert_walk(&w, 8, "0+4 5+4 no-info");
	assert_int_equal(w.stack.guessed, 0);
	assert_true(w.stack.could_guess);
	at_x86_64(&w, AT(LEAF, 4),
		STACK + 24 * 8); /* above the dump: it is not taken for a stack that was cut */
	assert_walk(&w, 8, "0+4 5+4 no-info");
	assert_false(w.stack.could_guess);
	at_x86_64(&w, AT(LEAF, 4), 1);
	assert_walk(&w, 8, "0+4 5+4 no-info");
	assert_false(w.stack.could_guess);
	at_x86_64(&w, AT(LEAF, 4), 0);
	assert_walk(&w, 8, "0+4 5+4 whole");
	world_close(&w);
}

static void
test_frame_pointers_that_are_none_lead_nowhere(void **state)
{
	static const uint64_t wrong[] = {0, 1, STACK + 1, STACK - 16, STACK - 8, (uint64_t)1 << 40,
		UINT64_MAX, UINT64_MAX - 7};
	struct world w;

	(void)state;
	world_x86_64(&w);
	w.opts.guess_callers = true;
	for (size_t i = 0; i < CR_LEN(wrong); i++) {
		at_x86_64(&w, 0x900010, wrong[i]);
		assert_walk(&w, 8, "900010 no-info");
		assert_int_equal(w.stack.dso.i, 2);
		assert_string_equal(w.stack.why, "not from a file");
		at_x86_64(&w, 0x123, wrong[i]);
		assert_walk(&w, 8, "123 no-info");
		assert_int_equal(w.stack.dso.i, 0);
	}
	world_close(&w);
}

/*
 * A thread's first function that nobody described ends with a frame pointer of 0, if that can be
 * believed.
 */
static void
test_a_frame_pointer_of_0_is_the_end_behind_frames_that_are_known(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS(1, 0, AT(PLAIN, 5)));
	at_x86_64(&w, AT(PUSHES, 4), 99);
	assert_walk(&w, 3, "1+4 5+4 whole");
	at_x86_64(&w, AT(PLAIN, 4), 0);
	assert_walk(&w, 3, "5+4 no-info");
	world_close(&w);
}

static void
test_stacks_that_do_not_move_end(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	/* framed returns to itself with the same frame pointer. */
	set_words(&w, WORDS(STACK, AT(FRAMED, 5), STACK, AT(FRAMED, 5)));
	at_x86_64(&w, AT(FRAMED, 4), STACK);
	assert_walk(&w, 4, "2+4 2+4 nonsense");
	/* A signal was taken on the frame of a signal, and so on. */
	set_words(&w, WORDS(AT(RESTORER, 0), AT(RESTORER, 0), STACK));
	at_x86_64(&w, AT(RESTORER, 0), 0);
	walk(&w, 3);
	assert_int_equal(w.stack.end, CR_UNWIND_NONSENSE);
	assert_in_range(w.stack.ips.n, 2, 300);
	world_close(&w);
}

static void
test_nothing_returns_to_data(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS(0x980010, AT(CLONE, 1)));
	at_x86_64(&w, AT(LEAF, 4), 99);
	assert_walk(&w, 2, "0+4 nonsense");
	set_words(&w, WORDS(0x123, AT(CLONE, 1))); /* but the mapping may be missing */
	assert_walk(&w, 2, "0+4 122 no-info");
	world_close(&w);
}

static void
test_addresses_that_would_be_taken_for_marks_end_it(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS((uint64_t)-512));
	at_x86_64(&w, AT(LEAF, 4), 99);
	assert_walk(&w, 1, "0+4 nonsense");
	at_x86_64(&w, (uint64_t)-512, 99);
	assert_walk(&w, 1, "nonsense");
	world_close(&w);
}

static void
test_registers_that_are_missing_are_not_made_up(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	set_words(&w, WORDS(AT(FRAMED, 5), 0, 0));
	at_x86_64(&w, AT(LEAF, 4), STACK);
	w.mask &= ~((uint64_t)1 << 6);
	assert_walk(&w, 3, "0+4 2+4 nonsense");
	w.mask &= ~((uint64_t)1 << 7);
	assert_walk(&w, 3, "nonsense");
	w.mask = 0xff0fff & ~((uint64_t)1 << 8);
	assert_walk(&w, 3, "nonsense");
	w.abi = 7;
	assert_walk(&w, 3, "nonsense");
	world_close(&w);
}

static void
test_without_files_nothing_is_known(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	cr_unwind_free(w.u);
	w.u = cr_unwind_new(NULL, CR_STR("x86_64"));
	set_words(&w, WORDS(0, 0, AT(PLAIN, 5)));
	at_x86_64(&w, AT(LEAF, 4), STACK + 8);
	assert_walk(&w, 3, "0+4 no-info");
	assert_true(w.stack.could_guess);
	assert_string_equal(w.stack.why, "files are not looked for");
	world_close(&w);
}

static void
test_a_file_of_another_machine_says_nothing(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, "x86_64", EM_AARCH64, frames_x86_64());
	w.mask = 0xff0fff;
	at_x86_64(&w, AT(LEAF, 4), 0);
	assert_walk(&w, 1, "0+4 no-info");
	assert_string_equal(w.stack.why, "its file is of another machine");
	world_close(&w);
}

static void
test_a_jitdump_is_no_damaged_file(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	w.dso.name = CR_STR("/tmp/jit-5.dump");
	at_x86_64(&w, AT(LEAF, 4), 0);
	assert_walk(&w, 1, "0+4 no-info");
	assert_string_equal(w.stack.why, "unwind tables of jitdumps are not read");
	world_close(&w);
}

/* ---- a machine whose calls leave the return address in a register */

static struct cr_text
frames_arm64(void)
{
	struct cr_text t = {0};

	made_cie(&t, "zRB", X30, PROGRAM(DW_CFA_def_cfa, SP, 0));
	put_function(&t, 0, LEAF, NULL, 0);
	/* paciasp; stp x29, x30, [sp, #-32]! */
	put_function(&t, 0, PUSHES,
		PROGRAM(DW_CFA_AARCH64_negate_ra_state, DW_CFA_def_cfa_offset, 32,
			DW_CFA_offset + X29, 4, DW_CFA_offset + X30, 3));
	put_function(&t, 0, CLONE, PROGRAM(DW_CFA_undefined, X30));
	made_cfi_end(&t);
	return t;
}

static void
test_arm64_leaves_have_the_return_address_in_a_register(void **state)
{
	const uint64_t signature = UINT64_C(0x005a) << 48;
	struct world w;

	(void)state;
	world_open(&w, "aarch64", EM_AARCH64, frames_arm64());
	w.mask = ((uint64_t)1 << 33) - 1;
	w.regs[29] = STACK;
	w.regs[30] = AT(PUSHES, 8);
	w.regs[31] = STACK;
	w.regs[32] = AT(LEAF, 4);
	set_words(&w, WORDS(STACK + 32, AT(PUSHES, 12) | signature, 0, 0, 0,
			      AT(CLONE, 4) | signature, 0, 0));
	assert_walk(&w, 8, "0+4 1+7 1+11 6+3 whole");
	w.regs[30] = AT(LEAF, 8); /* and that is all that is known of it */
	assert_walk(&w, 8, "0+4 0+7 nonsense");
	w.regs[30] = AT(CLONE, 8);
	w.regs[32] = AT(STUB, 4);
	assert_walk(&w, 8, "4+4 6+7 whole");
	world_close(&w);
}

static void
test_arm64_frame_records_are_followed(void **state)
{
	struct world w;

	(void)state;
	world_open(&w, "aarch64", EM_AARCH64, frames_arm64());
	w.opts.guess_callers = true;
	w.mask = ((uint64_t)1 << 33) - 1;
	w.regs[29] = STACK + 16;
	w.regs[31] = STACK;
	w.regs[32] = 0x900010;
	set_words(&w, WORDS(0, 0, STACK + 40, AT(PLAIN, 8), 0, 0, AT(CLONE, 4)));
	assert_walk(&w, 7, "900010 5+7 6+3 whole");
	world_close(&w);
}

/* A program of 32 bits beside those of 64: its own registers, words of 4 bytes. */
static void
test_programs_of_32_bits_have_frame_records_of_theirs(void **state)
{
	struct world w;

	(void)state;
	world_x86_64(&w);
	w.opts.guess_callers = true;
	w.abi = 1;
	w.mask = 0x1ff;
	at_x86_64(&w, 0x900010, STACK + 4);
	set_words(&w, WORDS(0, STACK + 12, 0x900020, STACK + 20, 0x900030));
	assert_walk(&w, 5, "900010 90001f 90002f cut");
	w.words[1] = 0;
	assert_walk(&w, 5, "900010 90001f no-info");
	w.abi = 2;
	w.mask = 0xff0fff;
	set_words(&w, WORDS(AT(CLONE, 1)));
	at_x86_64(&w, AT(LEAF, 4), 99);
	assert_walk(&w, 1, "0+4 6+0 whole");
	world_close(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_stack_is_followed_to_the_function_that_has_no_caller),
		cmocka_unit_test(test_a_dump_that_ends_early_is_cut_and_only_one_that_was_full),
		cmocka_unit_test(test_a_return_address_of_0_is_the_end),
		cmocka_unit_test(test_what_a_signal_has_interrupted_called_nobody),
		cmocka_unit_test(test_a_register_that_was_just_popped_has_its_value_again),
		cmocka_unit_test(test_stubs_need_no_information),
		cmocka_unit_test(test_where_the_program_starts_is_the_end),
		cmocka_unit_test(test_frame_pointers_lead_through_code_that_nothing_is_known_of),
		cmocka_unit_test(test_nobody_guesses_who_was_not_asked_to),
		cmocka_unit_test(test_frame_pointers_that_are_none_lead_nowhere),
		cmocka_unit_test(test_a_frame_pointer_of_0_is_the_end_behind_frames_that_are_known),
		cmocka_unit_test(test_stacks_that_do_not_move_end),
		cmocka_unit_test(test_nothing_returns_to_data),
		cmocka_unit_test(test_addresses_that_would_be_taken_for_marks_end_it),
		cmocka_unit_test(test_registers_that_are_missing_are_not_made_up),
		cmocka_unit_test(test_without_files_nothing_is_known),
		cmocka_unit_test(test_a_file_of_another_machine_says_nothing),
		cmocka_unit_test(test_a_jitdump_is_no_damaged_file),
		cmocka_unit_test(test_arm64_leaves_have_the_return_address_in_a_register),
		cmocka_unit_test(test_arm64_frame_records_are_followed),
		cmocka_unit_test(test_programs_of_32_bits_have_frame_records_of_theirs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
