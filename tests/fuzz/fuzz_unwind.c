/*
 * Any bytes as an ELF file with call frame information, and as registers and stack of a thread that
 * runs its code:
 *
 *	u8 machine, u8 flags (1: ABI of 32 bits, 2: the dump is full, 4: the other byte order),
 *	u16 bytes of stack, u64 registers[40] by perf's numbers, stack, file
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "symbol/opts.h"
#include "symbol/unwind/unwind.h"

#define BASE 0x400000u    /* where the file is mapped */
#define NO_FILE 0x900000u /* code that has none */
#define REGS 40u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[128]; /* of the file of the input at hand, the same each time */

static void
forget_file(void)
{
	unlink(path);
}

static void
must(int holds)
{
	if (!holds)
		abort();
}

static void
put_file(struct cr_cursor *c)
{
	const char *directory = getenv("TMPDIR");
	FILE *f;

	if (!path[0]) {
		snprintf(path, sizeof(path), "%s/cresset-fuzz-unwind-%d",
			directory ? directory : "/tmp", (int)getpid());
		atexit(forget_file);
	}
	must((f = fopen(path, "wb")) != NULL);
	fwrite(c->p, 1, cr_cursor_left(c), f);
	fclose(f);
}

static bool
map(void *ctx, uint64_t addr, struct cr_unwind_map *out)
{
	const uint64_t end = BASE + *(const uint64_t *)ctx;

	if (addr >= BASE && addr < end)
		*out = (struct cr_unwind_map){BASE, end, 0, {1}, true, true};
	else if (addr >= NO_FILE && addr < NO_FILE + 0x1000)
		*out = (struct cr_unwind_map){NO_FILE, NO_FILE + 0x1000, 0, {2}, true, false};
	else
		return false;
	return true;
}

static const struct cr_dso *
dso(void *ctx, cr_dso_id id)
{
	static struct cr_dso o;

	(void)ctx;
	must(id.i == 1);
	o = (struct cr_dso){.name = cr_str_of(path), .kind = CR_KIND_USER};
	return &o;
}

/* The same again, with all answers known, and where the stack of before led. */
static void
walk(struct cr_unwind *u, const struct cr_unwind_dump *d, const struct cr_unwind_space *space)
{
	struct cr_unwind_stack first = {0}, again = {0};

	cr_unwind_walk(u, d, space, &first);
	cr_unwind_walk(u, d, space, &again);
	must(first.ips.n == again.ips.n && first.sps.n == first.ips.n && first.end == again.end);
	must(first.ips.n <= cr_cursor_left(&d->stack) / 4 + 257);
	for (size_t i = 0; i < first.ips.n; i++)
		must(first.ips.p[i] && first.ips.p[i] < (uint64_t)-4096 &&
			first.ips.p[i] == again.ips.p[i]);
	must(first.end != CR_UNWIND_NO_INFO || first.why);
	cr_vec_fini(&first.ips);
	cr_vec_fini(&first.sps);
	cr_vec_fini(&again.ips);
	cr_vec_fini(&again.sps);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const machines[] = {
		"x86_64", "aarch64", "i686", "armv7l", "ppc64le", "s390x", "riscv64", "none"};
	struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct cr_unwind_dump d = {.mask = ((uint64_t)1 << REGS) - 1};
	struct cr_unwind *u;
	uint64_t file_bytes;
	uint8_t machine, flags;
	struct cr_cursor c;
	size_t n_stack;

	cr_cursor_init(&c, data, size);
	machine = cr_cursor_u8(&c);
	flags = cr_cursor_u8(&c);
	n_stack = cr_cursor_u16(&c);
	d.abi = flags & 1 ? 1 : 2;
	d.full = flags & 2;
	c.swap = flags & 4;
	opts.guess_callers = !(flags & 8); /* inputs of before are of programs that guess */
	d.regs = cr_cursor_sub(&c, REGS * 8);
	d.stack = cr_cursor_sub(&c, CR_MIN(n_stack, cr_cursor_left(&c)));
	if (c.bad)
		return 0;
	put_file(&c);
	file_bytes = cr_cursor_left(&c) + 1;
	u = cr_unwind_new(&opts, cr_str_of(machines[machine % CR_LEN(machines)]));
	walk(u, &d, &(struct cr_unwind_space){1, 1, map, dso, &file_bytes});
	cr_unwind_free(u);
	return 0;
}
