#include "testing.h"
#include "testing_directory.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>

#include "jit_maker.h"
#include "symbol/code/code.h"
#include "symbol/code/codefile_p.h"
#include "symbol/code/disasm.h"
#include "symbol/files/sourcefile.h"
#include "symbol/symbolize.h"

/* A program that is made anew; what its code is, its own file says. */
static const char program[] = "int counter;\n"
			      "/* inner */\n"
			      "__attribute__((noinline)) int\n"
			      "inner(int x)\n"
			      "{\n"
			      "	return x * counter;\n"
			      "}\n"
			      "void _start(void) { counter = inner(3); }\n";

struct place {
	char dir[64], path[96];
	struct cr_build_id id;
	uint64_t start, end; /* of inner, in the dso's addresses */
};

static int
place_make(void **state)
{
	struct place *at = calloc(1, sizeof(*at));

	*state = at;
	return directory_make(at->dir, program) ? 0 : -1;
}

static int
place_remove(void **state)
{
	struct place *at = *state;

	directory_remove(at->dir);
	free(at);
	return 0;
}

static struct cr_elf *
elf_at(const struct place *at)
{
	return cr_elf_open(open(at->path, O_RDONLY | O_CLOEXEC));
}

/* DIR/x; skips without gcc. */
static void
make_program(struct place *at, const char *flags)
{
	struct cr_symtab t = {.demangle = false};
	struct cr_elf *e;

	testing_needs("gcc");
	directory_must(at->dir, "gcc -g -O1 -nostdlib -static -Wl,--build-id %s -o x x.c", flags);
	snprintf(at->path, sizeof(at->path), "%s/x", at->dir);
	e = elf_at(at);
	assert_non_null(e);
	cr_elf_build_id(e, &at->id);
	cr_elf_symbols(e, e, &t);
	cr_symtab_index(&t);
	at->start = cr_symtab_address(&t, "inner");
	at->end = cr_symtab_find(&t, 0, at->start)->end;
	cr_symtab_fini(&t);
	cr_elf_close(e);
}

/*
 * n samples in the dso, one at each address of inner from the first on; the last one at a few
 * addresses behind.
 */
static struct cr_profile *
recorded(const struct place *at, uint64_t n)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("x"), cr_builder_address_space(b));
	struct cr_dso dso = {
		.name = cr_str_of(at->path), .kind = CR_KIND_USER, .build_id_len = at->id.len};
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;
	cr_dso_id o;

	memcpy(dso.build_id, at->id.p, at->id.len);
	o = cr_builder_dso(b, &dso);
	cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	for (uint64_t i = 0; i < n; i++) {
		struct cr_sample s = {
			.weight = 1, .task = task, .event = event, .cpu = CR_CPU_NONE};

		s.node = cr_builder_push(b, CR_ROOT,
			cr_builder_location(b, o, at->start + i % (at->end - at->start), 0));
		cr_builder_sample(b, &s);
	}
	assert_int_equal(cr_builder_finish(b, NULL, &p, &err), CR_OK);
	cr_builder_free(b);
	assert_int_equal(cr_symbolize(p, &opts, &p, &err), CR_OK);
	return p;
}

static void
expect_code(const struct place *at, const struct cr_machine_code *c)
{
	struct cr_elf *e = elf_at(at);
	const struct cr_str bytes = cr_elf_bytes(e, at->start, at->end - at->start);
	uint64_t vaddr;

	assert_true(cr_elf_address(e, at->start, &vaddr));
	assert_int_equal(c->addr, at->start);
	assert_int_equal(c->base, vaddr);
	assert_int_equal(c->machine, e->machine);
	assert_int_equal(c->bits, e->bits);
	assert_int_equal(c->big_endian, e->big_endian);
	assert_true(cr_str_eq(c->bytes, bytes));
	cr_elf_close(e);
}

static void
test_the_code_of_hot_functions_is_kept(void **state)
{
	static const char *const flags[] = {
		"", "-no-pie -Wl,-Ttext-segment=0x10000000", "-static-pie -fpie"};
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct place *at = *state;

	for (size_t i = 0; i < CR_LEN(flags); i++) {
		struct cr_profile *p;

		make_program(at, flags[i]);
		p = recorded(at, 10);
		cr_code_gather(p, &opts);
		assert_int_equal(p->n_codes, 1);
		assert_str(p->functions[p->codes[0].function.i].name, "inner");
		expect_code(at, &p->codes[0]);
		cr_profile_free(p);
	}
}

static void
test_code_of_another_build_is_refused(void **state)
{
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct place *at = *state;
	struct cr_code_found found;
	struct cr_profile *p;

	make_program(at, "");
	p = recorded(at, 10);
	assert_true(directory_shell(
		at->dir, "gcc -O1 -nostdlib -static -Wl,--build-id -Dcounter=c -o x x.c"));
	cr_code_gather(p, &opts);
	assert_int_equal(p->n_codes, 0);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		if (!cr_str_eq(p->functions[i].name, CR_STR("inner")))
			continue;
		cr_code_find(p, &opts, &(cr_function_id){i}, 1, &found);
		assert_int_equal(found.n, 0);
		assert_non_null(strstr(found.why, "refused"));
		cr_code_found_fini(&found);
	}
	cr_profile_free(p);
}

/* Without symbols it is pieces of what is known: of the dso's nameless function. */
static void
test_code_without_a_symbol_comes_in_pieces(void **state)
{
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct place *at = *state;
	struct cr_profile *p;

	make_program(at, "");
	assert_true(directory_shell(at->dir, "strip x"));
	p = recorded(at, 1);
	cr_code_gather(p, &opts);
	assert_int_equal(p->n_codes, 1);
	assert_int_equal(p->codes[0].addr, at->start);
	assert_int_equal(p->functions[p->codes[0].function.i].name.len, 0);
	assert_in_range(p->codes[0].bytes.len, 1, 48);
	cr_profile_free(p);
}

static void
test_source_is_kept_from_where_the_function_begins(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	struct cr_profile *p;

	make_program(at, "");
	p = recorded(at, 10);
	assert_int_not_equal(p->lines[p->locations[0].first_line].line, 0);
	cr_sourcefile_gather(p, &opts, true);
	assert_in_range(p->n_source_lines, 5, 8);
	for (uint32_t i = 0; i < p->n_source_lines; i++)
		if (p->source_lines[i].line == 6)
			assert_str(p->source_lines[i].text, "	return x * counter;");
	cr_profile_free(p);
}

static void
test_source_is_looked_for_by_path_and_by_name(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts other = {.symfs = "/nonexistent", .debug_dir = at->dir},
				    none = {.symfs = "/nonexistent"};
	struct cr_sourcefile s;
	struct cr_text path = {0};

	cr_text_printf(&path, "%s/x.c", at->dir);
	assert_true(cr_sourcefile_open(
		&s, &(struct cr_symbol_opts){.symfs = ""}, cr_text_view(&path), true));
	assert_int_equal(s.lines.n, 8);
	assert_str(s.lines.p[1], "/* inner */");
	cr_sourcefile_close(&s);
	assert_true(cr_sourcefile_open(&s, &other, CR_STR("/elsewhere/x.c"), true));
	cr_sourcefile_close(&s);
	assert_false(cr_sourcefile_open(&s, &none, cr_text_view(&path), true));
	assert_false(cr_sourcefile_open(&s, &other, CR_STR("x.c"), true));
	assert_false(cr_sourcefile_open(&s, &other, CR_STR("/dev/zero"), true));
	cr_text_fini(&path);
}

static void
test_every_address_has_its_line(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.home = "/nonexistent"},
				    bare = {.home = "/nonexistent", .no_inline = true};
	struct cr_profile *p, *places;
	uint64_t addrs[3];
	uint32_t dso = 0;

	make_program(at, "");
	p = recorded(at, 1);
	while (p->dsos[dso].kind != CR_KIND_USER)
		dso++;
	for (uint64_t i = 0; i < CR_LEN(addrs); i++)
		addrs[i] = at->start + i;
	places = cr_code_places(p, &opts, (cr_dso_id){dso}, addrs, CR_LEN(addrs));
	assert_non_null(places);
	for (size_t i = 0; i < CR_LEN(addrs); i++) {
		const struct cr_line *line = &places->lines[places->locations[i].first_line];

		assert_int_equal(places->locations[i].addr, addrs[i]);
		assert_str(places->functions[line->function.i].name, "inner");
		if (line->line) /* a compiler with -g */
			assert_in_range(line->line, 4, 7);
	}
	cr_profile_free(places);
	assert_null(cr_code_places(p, &bare, (cr_dso_id){dso}, addrs, CR_LEN(addrs)));
	assert_null(cr_code_places(p, &opts, (cr_dso_id){dso}, addrs, 0));
	cr_profile_free(p);
}

/* ---- the kernel, whose addresses are those of memory */

/*
 * What the file says of the code at an address of the kernel's: where its symbol ends, and the
 * bytes.
 */
static void
expect_kernel_code(const struct cr_codefile *opened, enum cr_codefile_kind kind, uint64_t addr,
	struct cr_str want)
{
	struct cr_codefile c = *opened;
	struct cr_addrkey start = {.addr = addr};
	struct cr_code_end end;
	struct cr_str bytes;
	uint64_t base;

	assert_int_equal(c.kind, kind);
	cr_codefile_ends(&c, &start, 1, &end);
	assert_int_equal(end.end - addr, want.len);
	assert_true(cr_codefile_bytes(&c, addr, want.len, &bytes, &base));
	assert_true(cr_str_eq(bytes, want));
	assert_int_equal(base, addr);
	assert_false(cr_codefile_bytes(&c, addr - ((uint64_t)1 << 30), 1, &bytes, &base));
	cr_codefile_close(&c);
}

static void
test_code_of_the_kernel_is_where_it_was_linked(void **state)
{
	struct place *at = *state;
	struct cr_dso dso = {.name = CR_STR("[kernel.kallsyms]"), .kind = CR_KIND_KERNEL};
	const struct cr_profile p = {.dsos = &dso, .n_dsos = 1};
	struct cr_symbol_opts opts = {.vmlinux = at->path};
	struct cr_codefile c;
	struct cr_elf *e;
	uint64_t vaddr;

	make_program(at, "-no-pie -Wl,-Ttext-segment=0x10000000");
	dso.build_id_len = at->id.len;
	memcpy(dso.build_id, at->id.p, at->id.len);
	e = elf_at(at);
	assert_true(cr_elf_address(e, at->start, &vaddr));
	cr_codefile_open(&c, &p, &opts, (cr_dso_id){0});
	expect_kernel_code(
		&c, CR_CODEFILE_KERNEL, vaddr, cr_elf_bytes(e, at->start, at->end - at->start));
	cr_elf_close(e);
	opts.vmlinux = "/nonexistent";
	cr_codefile_open(&c, &p, &opts, (cr_dso_id){0});
	assert_int_equal(c.kind, CR_CODEFILE_NONE);
	assert_string_equal(c.why, "no vmlinux of its kernel");
	cr_codefile_close(&c);
}

static void
test_code_of_a_module_is_where_its_sections_are_placed(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.home = "/nonexistent"};
	const struct cr_map map = {.start = 0xffffffffc0000000, .end = 0xffffffffc0001000};
	struct cr_dso dso = {.kind = CR_KIND_MODULE};
	const struct cr_profile p = {.dsos = &dso, .n_dsos = 1, .maps = &map, .n_maps = 1};
	struct cr_symtab t = {.demangle = false};
	struct cr_codefile c;
	struct cr_str bytes;
	struct cr_elf *e;
	uint64_t start;

	make_program(at, "");
	assert_true(directory_shell(at->dir, "gcc -O1 -c -o x.ko x.c"));
	snprintf(at->path, sizeof(at->path), "%s/x.ko", at->dir);
	dso.name = cr_str_of(at->path);
	e = elf_at(at);
	cr_elf_place(e);
	cr_elf_symbols(e, e, &t);
	cr_symtab_index(&t);
	start = cr_symtab_address(&t, "inner");
	bytes = cr_elf_placed_bytes(e, start, cr_symtab_find(&t, 0, start)->end - start);
	assert_true(bytes.len > 0);
	cr_codefile_open(&c, &p, &opts, (cr_dso_id){0});
	expect_kernel_code(&c, CR_CODEFILE_MODULE, map.start + start, bytes);
	cr_symtab_fini(&t);
	cr_elf_close(e);
}

/* ---- what is compiled at run time */

static void
test_code_of_a_dump_is_at_its_offset(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.map_dir = at->dir};
	struct cr_dso dso = {.name = CR_STR("/gone/jit-5.dump"),
		.kind = CR_KIND_JIT,
		.build_id_len = CR_JITDUMP_ID};
	struct cr_profile p = {.dsos = &dso, .n_dsos = 1};
	struct made_jit j = {.foreign = false};
	struct cr_addrkey start;
	struct cr_code_end end;
	struct cr_codefile c;
	struct cr_str bytes;
	char path[96];
	uint64_t base;
	FILE *f;

	made_jit_header(&j, 5, 0);
	made_jit_load(&j,
		&(struct made_code){.time = 10, .pid = 5, .addr = 0x7000, .size = 16, .name = "f"});
	snprintf(path, sizeof(path), "%s/jit-5.dump", at->dir);
	assert_non_null(f = fopen(path, "w"));
	fwrite(j.t.p, 1, j.t.len, f);
	fclose(f);
	memcpy(dso.build_id, j.t.p + 20, CR_JITDUMP_ID);
	cr_codefile_open(&c, &p, &opts, (cr_dso_id){0});
	assert_int_equal(c.kind, CR_CODEFILE_DUMP);
	assert_int_equal(c.machine, EM_X86_64);
	assert_int_equal(c.bits, 64);
	start = (struct cr_addrkey){.addr = j.t.len - 16};
	cr_codefile_ends(&c, &start, 1, &end);
	assert_int_equal(end.end, j.t.len);
	assert_true(cr_codefile_bytes(&c, start.addr, 16, &bytes, &base));
	assert_int_equal(base, 0x7000);
	assert_memory_equal(bytes.p, j.t.p + start.addr, 16);
	assert_false(cr_codefile_bytes(&c, start.addr, 17, &bytes, &base));
	assert_false(cr_codefile_bytes(&c, UINT64_MAX, 2, &bytes, &base));
	cr_codefile_close(&c);
	dso.name = CR_STR("/tmp/perf-5.map");
	cr_codefile_open(&c, &p, &opts, (cr_dso_id){0});
	assert_int_equal(c.kind, CR_CODEFILE_NONE);
	assert_string_equal(c.why, "a perf map has names, but no code");
	cr_codefile_close(&c);
	cr_text_fini(&j.t);
}

/* ---- instructions */

static void
test_instructions_follow_each_other_to_the_end(void **state)
{
	/*
	 * push; mov; call the next; jump over it; what is none; ret; and the first byte of another
	 */
	static const char bytes[] =
		"\x55\x48\x89\xe5\xe8\x00\x00\x00\x00\xeb\x01\x06\xc3"
		"\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\xe8";
	static const uint32_t sizes[] = {1, 3, 5, 2, 1, 1};
	const struct cr_machine_code c = {.base = 0x1000,
		.bytes = {bytes, sizeof(bytes) - 1},
		.machine = EM_X86_64,
		.bits = 64};
	struct cr_disasm d;

	(void)state;
	cr_disasm_make(&c, &d);
	if (d.why) {
		assert_int_equal(d.list.n, 0);
		print_message("%s\n", d.why);
		cr_disasm_fini(&d);
		testing_skip("there is no disassembler");
	}
	assert_int_equal(d.list.n, CR_LEN(sizes) + 15);
	for (size_t i = 0; i < CR_LEN(sizes); i++)
		assert_int_equal(d.list.p[i].size, sizes[i]);
	assert_true(d.list.p[2].calls);
	assert_int_equal(d.list.p[2].target, 0x1009);
	assert_int_equal(d.list.p[3].target, 0x100c);
	assert_false(d.list.p[3].calls);
	assert_memory_equal(d.texts.p + d.list.p[4].text, "(bad)", 5);
	cr_disasm_fini(&d);
}

static void
test_an_unknown_machine_has_no_instructions(void **state)
{
	const struct cr_machine_code c = {.bytes = CR_STR("abcd"), .machine = 0xfff0, .bits = 64};
	struct cr_disasm d;

	(void)state;
	cr_disasm_make(&c, &d);
	assert_non_null(d.why);
	assert_int_equal(d.list.n, 0);
	cr_disasm_fini(&d);
}

int
main(void)
{
#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, place_make, place_remove)
	const struct CMUnitTest tests[] = {
		IN_DIRECTORY(test_the_code_of_hot_functions_is_kept),
		IN_DIRECTORY(test_code_of_another_build_is_refused),
		IN_DIRECTORY(test_code_without_a_symbol_comes_in_pieces),
		IN_DIRECTORY(test_source_is_kept_from_where_the_function_begins),
		IN_DIRECTORY(test_source_is_looked_for_by_path_and_by_name),
		IN_DIRECTORY(test_every_address_has_its_line),
		IN_DIRECTORY(test_code_of_the_kernel_is_where_it_was_linked),
		IN_DIRECTORY(test_code_of_a_module_is_where_its_sections_are_placed),
		IN_DIRECTORY(test_code_of_a_dump_is_at_its_offset),
		cmocka_unit_test(test_instructions_follow_each_other_to_the_end),
		cmocka_unit_test(test_an_unknown_machine_has_no_instructions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
