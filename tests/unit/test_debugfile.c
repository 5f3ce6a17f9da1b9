#include "testing.h"
#include "testing_directory.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/build/builder.h"
#include "symbol/files/debugfile_p.h"
#include "symbol/kernel/kernel_p.h"
#include "symbol/symbolize.h"

/*
 * Programs are made anew, with and without their debug info in all the places where it may be. One
 * file of C, so that the names and lines are known.
 */
static const char source[] =
	"int counter;\n"
	"static __attribute__((noinline)) int inner(int x) { return x * counter; }\n"
	"__attribute__((noinline)) int outer(int x) { return inner(x) + 1; }\n"
	"void _start(void) { counter = outer(3); }\n";

struct place {
	char dir[64];
	struct cr_build_id id;
	uint64_t inner, outer; /* starts, in the dso's addresses */
};

#define shell(at, ...) directory_shell((at)->dir, __VA_ARGS__)

static struct cr_elf *
elf_at(const struct place *at, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", at->dir, file);
	return cr_elf_open(open(path, O_RDONLY | O_CLOEXEC));
}

/* Learn what the test needs to know of the linked program. */
static void
learn(struct place *at, const char *file)
{
	struct cr_elf *e = elf_at(at, file);
	struct cr_symtab t = {0};

	assert_non_null(e);
	cr_elf_build_id(e, &at->id);
	cr_elf_symbols(e, e, &t);
	at->inner = cr_symtab_address(&t, "inner");
	at->outer = cr_symtab_address(&t, "outer");
	cr_symtab_fini(&t);
	cr_elf_close(e);
}

static int
place_make(void **state)
{
	struct place *at = calloc(1, sizeof(*at));

	*state = at;
	return directory_make(at->dir, source) ? 0 : -1;
}

static int
place_remove(void **state)
{
	struct place *at = *state;

	directory_remove(at->dir);
	free(at);
	return 0;
}

/*
 * usr/x, with debug info and a build-id, and its debug file made/x.debug, where nobody looks. The
 * directory is for --symfs. Skips without gcc and binutils.
 */
static void
make_program(struct place *at, const char *flags)
{
	testing_needs("gcc objcopy strip");
	directory_must(at->dir,
		"mkdir -p usr && gcc -g -O1 -nostdlib -static -Wl,--build-id %s -o usr/x x.c",
		flags);
	learn(at, "usr/x");
	assert_int_not_equal(at->inner, 0);
	assert_true(shell(at, "mkdir -p made && objcopy --only-keep-debug usr/x made/x.debug"));
}

static void
put_by_id(const struct place *at, const char *root)
{
	char hex[41] = "";

	for (int i = 0; i < at->id.len; i++)
		snprintf(hex + 2 * i, 3, "%02x", at->id.p[i]);
	assert_true(shell(at,
		"mkdir -p %s/.build-id/%.2s && cp made/x.debug %s/.build-id/%.2s/%s.debug", root,
		hex, root, hex, hex + 2));
}

static struct cr_dso
dso_of(const struct place *at, const char *name)
{
	struct cr_dso o = {
		.name = cr_str_of(name), .kind = CR_KIND_USER, .build_id_len = at->id.len};

	memcpy(o.build_id, at->id.p, at->id.len);
	return o;
}

/* The name of inner() according to the files; "" for none. */
static const char *
name_of_inner(const struct place *at, const struct cr_debugfile *d)
{
	static char name[64];
	struct cr_symtab t = {0};
	const struct cr_symbol *s;

	name[0] = '\0';
	if (!d->syms)
		return name;
	cr_elf_symbols(d->syms, d->runtime, &t);
	cr_symtab_index(&t);
	s = cr_symtab_find(&t, 0, at->inner);
	snprintf(name, sizeof(name), "%s", s && s->start == at->inner ? s->name : "");
	cr_symtab_fini(&t);
	return name;
}

/* The address at which debug info has a function; 0 when it has none of that name. */
static Dwarf_Addr
dwarf_address(const struct cr_debugfile *d, const char *function)
{
	Dwarf *dw = d->debug ? dwarf_begin_elf(d->debug->elf, DWARF_C_READ, NULL) : NULL;
	Dwarf_Addr found = 0;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, die;

	while (dw && dwarf_get_units(dw, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		for (int rc = dwarf_child(&unit, &die); rc == 0; rc = dwarf_siblingof(&die, &die))
			if (dwarf_tag(&die) == DW_TAG_subprogram && dwarf_diename(&die) &&
				strcmp(dwarf_diename(&die), function) == 0)
				dwarf_lowpc(&die, &found);
	dwarf_end(dw);
	return found;
}

static void
expect_debug(const struct place *at, const struct cr_debugfile *d)
{
	uint64_t addr;

	assert_non_null(d->debug);
	assert_true(cr_debugfile_address(d, at->inner, &addr));
	assert_int_equal(dwarf_address(d, "inner"), addr);
	assert_true(cr_debugfile_address(d, at->outer, &addr));
	assert_int_equal(dwarf_address(d, "outer"), addr);
}

static void
test_debug_files_are_found_in_all_their_places(void **state)
{
	static const char *const commands[] = {
		"mkdir -p usr/lib/debug/usr && mv made/x.debug usr/lib/debug/usr/x.debug",
		"mkdir -p usr/lib/debug/usr && mv made/x.debug usr/lib/debug/usr/x",
		"mkdir -p usr/.debug && mv made/x.debug usr/.debug/x",
		"mkdir -p usr/.debug && mv made/x.debug usr/.debug/linked && "
		"objcopy --add-gnu-debuglink=usr/.debug/linked usr/x",
		"mv made/x.debug usr/linked && objcopy --add-gnu-debuglink=usr/linked usr/x",
		"mkdir -p usr/lib/debug/usr && mv made/x.debug usr/lib/debug/usr/linked && "
		"objcopy --add-gnu-debuglink=usr/lib/debug/usr/linked usr/x",
		"mv usr/x made/x.debug .", /* all in one directory */
		"mkdir -p dbg/usr && mv made/x.debug dbg/usr/x.debug",
		"mkdir -p dbg && mv made/x.debug dbg/x.debug",
		"mkdir -p dbg && mv made/x.debug dbg/linked && objcopy "
		"--add-gnu-debuglink=dbg/linked usr/x",
	};
	struct place *at = *state;
	char dbg[80];
	const struct cr_symbol_opts opts = {.symfs = at->dir, .debug_dir = dbg};

	snprintf(dbg, sizeof(dbg), "%s/dbg", at->dir);
	for (size_t i = 0; i < CR_LEN(commands); i++) {
		struct cr_dso o;
		struct cr_debugfile d;

		shell(at, "rm -rf usr dbg x x.debug");
		make_program(at, "");
		assert_true(shell(at, "strip usr/x"));
		o = dso_of(at, "/usr/x");
		cr_debugfile_find(&opts, &o, &d);
		assert_string_equal(name_of_inner(at, &d), "");
		cr_debugfile_close(&d);
		assert_true(shell(at, "%s", commands[i]));
		cr_debugfile_find(&opts, &o, &d);
		assert_string_equal(name_of_inner(at, &d), "inner");
		assert_null(d.refused);
		expect_debug(at, &d);
		assert_non_null(d.debug_path);
		cr_debugfile_close(&d);
	}
}

static void
test_debug_files_are_found_by_build_id(void **state)
{
	static const char *const roots[] = {"usr/lib/debug", "dbg"};
	struct place *at = *state;
	char dbg[80];
	const struct cr_symbol_opts opts = {.symfs = at->dir, .debug_dir = dbg};

	snprintf(dbg, sizeof(dbg), "%s/dbg", at->dir);
	for (size_t i = 0; i < CR_LEN(roots); i++) {
		struct cr_dso o;
		struct cr_debugfile d;

		shell(at, "rm -rf usr dbg");
		make_program(at, "");
		assert_true(shell(at, "strip usr/x"));
		put_by_id(at, roots[i]);
		o = dso_of(at, "/usr/x");
		cr_debugfile_find(&opts, &o, &d);
		assert_string_equal(name_of_inner(at, &d), "inner");
		expect_debug(at, &d);
		cr_debugfile_close(&d);
		assert_true(shell(at, "rm usr/x")); /* the program itself is not needed */
		cr_debugfile_find(&opts, &o, &d);
		assert_non_null(d.syms);
		assert_non_null(d.debug);
		cr_debugfile_close(&d);
	}
}

static void
test_debug_info_is_not_opened_when_nobody_wants_lines(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir, .no_inline = true};
	struct cr_dso o;
	struct cr_debugfile d;

	make_program(at, "");
	o = dso_of(at, "/usr/x");
	cr_debugfile_find(&opts, &o, &d);
	assert_string_equal(name_of_inner(at, &d), "inner");
	assert_null(d.debug);
	cr_debugfile_close(&d);
}

static void
test_a_linked_file_without_ids_must_have_the_checksum(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	struct cr_dso o;
	struct cr_debugfile d;

	make_program(at, "-Wl,--build-id=none");
	assert_int_equal(at->id.len, 0);
	assert_true(shell(at, "strip usr/x && cp made/x.debug usr/linked && objcopy "
			      "--add-gnu-debuglink=usr/linked usr/x"));
	o = dso_of(at, "/usr/x");
	cr_debugfile_find(&opts, &o, &d);
	assert_string_equal(name_of_inner(at, &d), "inner");
	assert_null(d.refused);
	cr_debugfile_close(&d);

	assert_true(shell(at, "printf x >>usr/linked"));
	cr_debugfile_find(&opts, &o, &d);
	assert_string_equal(name_of_inner(at, &d), "");
	assert_non_null(strstr(d.refused, "/usr/linked"));
	assert_non_null(strstr(d.refused, "CRC"));
	cr_debugfile_close(&d);
}

static void
test_what_is_of_another_build_is_refused_by_name(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	struct cr_dso o;
	struct cr_debugfile d;
	char ids[64];

	make_program(at, "");
	o = dso_of(at, "/usr/x");
	o.build_id[0] ^= 1;
	snprintf(ids, sizeof(ids),
		"usr/x: build-id %02x%02x%02x%02x%02x%02x is not %02x%02x%02x%02x%02x%02x",
		at->id.p[0], at->id.p[1], at->id.p[2], at->id.p[3], at->id.p[4], at->id.p[5],
		o.build_id[0], o.build_id[1], o.build_id[2], o.build_id[3], o.build_id[4],
		o.build_id[5]);
	cr_debugfile_find(&opts, &o, &d);
	assert_null(d.syms);
	assert_non_null(strstr(d.why, ids));
	cr_debugfile_close(&d);

	/* The program is right, its debug file is not: told, though there are names. */
	assert_true(shell(at,
		"strip --strip-debug usr/x && mkdir -p usr/lib/debug/usr && "
		"gcc -g -O2 -nostdlib -static -Wl,--build-id -o usr/lib/debug/usr/x.debug x.c"));
	o.build_id[0] ^= 1;
	cr_debugfile_find(&opts, &o, &d);
	assert_string_equal(name_of_inner(at, &d), "inner");
	assert_null(d.debug);
	assert_non_null(strstr(d.refused, "usr/lib/debug/usr/x.debug: build-id "));
	cr_debugfile_close(&d);

	/* Without an id it is no better. */
	assert_true(
		shell(at, "objcopy --remove-section=.note.gnu.build-id usr/lib/debug/usr/x.debug"));
	cr_debugfile_find(&opts, &o, &d);
	assert_non_null(strstr(d.refused, "x.debug: has no build-id"));
	cr_debugfile_close(&d);
}

static void
test_symbols_packed_in_the_program_are_used(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	struct cr_dso o;
	struct cr_debugfile d;

	testing_needs("xz");
	make_program(at, "");
	assert_true(shell(at, "nm usr/x | awk '{ print $3 }' >all && objcopy -S --keep-symbols=all "
			      "--remove-section=.comment "
			      "made/x.debug mini && xz mini && strip usr/x && objcopy "
			      "--add-section .gnu_debugdata=mini.xz usr/x"));
	o = dso_of(at, "/usr/x");
	cr_debugfile_find(&opts, &o, &d);
#ifdef HAVE_LZMA
	assert_string_equal(name_of_inner(at, &d), "inner");
	assert_null(d.debug);
#else
	assert_string_equal(name_of_inner(at, &d), "");
#endif
	cr_debugfile_close(&d);

	/* A real debug file comes first; what is damaged does no harm. */
	put_by_id(at, "usr/lib/debug");
	cr_debugfile_find(&opts, &o, &d);
	assert_string_equal(name_of_inner(at, &d), "inner");
	assert_false(d.syms->mini);
	cr_debugfile_close(&d);
	assert_true(shell(at, "rm -r usr/lib; head -c 100 mini.xz >cut && objcopy --update-section "
			      ".gnu_debugdata=cut usr/x"));
	cr_debugfile_find(&opts, &o, &d);
	assert_string_equal(name_of_inner(at, &d), "");
	assert_string_equal(d.why, "no symbols in its file");
	cr_debugfile_close(&d);
}

static void
test_packed_files_are_unpacked(void **state)
{
	static const struct {
		const char *program, *command;
	} packers[] = {
		{"gzip", "gzip usr/x && mv usr/x.gz usr/x"},
		{"xz", "xz usr/x && mv usr/x.xz usr/x"},
		{"zstd", "zstd --rm usr/x && mv usr/x.zst usr/x"},
	};
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};

	for (size_t i = 0; i < CR_LEN(packers); i++) {
		struct cr_dso o;
		struct cr_debugfile d;

		make_program(at, "");
		if (!testing_has(packers[i].program))
			continue;
		directory_must(at->dir, "%s", packers[i].command);
		o = dso_of(at, "/usr/x");
		cr_debugfile_find(&opts, &o, &d);
		assert_string_equal(name_of_inner(at, &d), "inner");
		expect_debug(at, &d);
		cr_debugfile_close(&d);
	}
}

static void
test_packed_sections_can_be_read_by_libdw(void **state)
{
	static const char *const flags[] = {"zlib", "zlib-gnu", "zstd"};
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	int made = 0;

	for (size_t i = 0; i < CR_LEN(flags); i++) {
		struct cr_dso o;
		struct cr_debugfile d;

		make_program(at, "");
		if (!shell(at,
			    "objcopy --compress-debug-sections=%s usr/x || "
			    "llvm-objcopy --compress-debug-sections=%s usr/x",
			    flags[i], flags[i])) {
			assert_string_equal(
				flags[i], "zstd"); /* binutils before 2.40 do not know it */
			continue;
		}
		made++;
		o = dso_of(at, "/usr/x");
		cr_debugfile_find(&opts, &o, &d);
		assert_string_equal(name_of_inner(at, &d), "inner");
		expect_debug(at, &d);
		assert_ptr_not_equal(d.debug, d.syms);
		cr_debugfile_close(&d);
	}
	assert_in_range(made, CR_LEN(flags) - 1, CR_LEN(flags));
}

static void
test_a_damaged_packed_section_is_left_out(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	struct cr_elf *e;
	struct cr_dso o;
	struct cr_debugfile d;
	unsigned long long offset;

	make_program(at, "");
	assert_true(shell(at, "objcopy --compress-debug-sections=zlib usr/x"));
	e = elf_at(at, "usr/x");
	assert_non_null(e);
	offset = cr_elf_section_named(e, ".debug_info")->head.sh_offset;
	cr_elf_close(e);
	assert_true(shell(at,
		"printf '\\377\\377\\377\\377\\377\\377' | dd of=usr/x bs=1 seek=%llu conv=notrunc",
		offset + 30));
	o = dso_of(at, "/usr/x");
	cr_debugfile_find(&opts, &o, &d);
	assert_string_equal(name_of_inner(at, &d), "inner");
	assert_int_equal(dwarf_address(&d, "inner"), 0);
	cr_debugfile_close(&d);
}

/* ---- the kernel */

/* A profile of one sample at addr in a dso that is mapped from start on. */
static struct cr_profile *
profile_of(const struct cr_dso *o, uint64_t start, uint64_t addr, const char *ref_addr)
{
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("cycles"), CR_STR("cycles"));
	const cr_address_space_id space = cr_builder_address_space(b);
	const cr_dso_id dso = cr_builder_dso(b, o);
	struct cr_sample s = {.weight = 1, .event = event, .cpu = UINT16_MAX};
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {.n = 0};
	struct cr_profile *p;

	cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	cr_builder_fact(b, "osrelease", CR_STR("6.6.6-test"));
	cr_builder_fact(b, "kernel.ref", CR_STR("outer"));
	cr_builder_fact(b, "kernel.ref.addr", cr_str_of(ref_addr));
	s.task = cr_builder_task(b, 1, 1, CR_STR("t"), space);
	cr_builder_map(b, space, start, start + 0x10000, start, dso);
	s.node = cr_builder_push(b, CR_ROOT, cr_builder_location(b, dso, addr, 0));
	cr_builder_sample(b, &s);
	assert_int_equal(cr_builder_finish(b, &log, &p, &err), CR_OK);
	cr_builder_free(b);
	return p;
}

static const struct cr_function *
function_of(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_locations; i++)
		if (p->locations[i].addr) {
			const struct cr_location *l = &p->locations[i];

			return &p->functions[p->lines[l->first_line + l->lines - 1u].function.i];
		}
	fail();
	return NULL;
}

static bool
has_quality(const struct cr_profile *p, const char *part)
{
	for (uint32_t i = 0; i < p->n_quality; i++)
		if (memmem(p->quality[i].what.p, p->quality[i].what.len, part, strlen(part)))
			return true;
	return false;
}

static void
expect_function(const struct cr_dso *o, uint64_t start, uint64_t addr,
	const struct cr_symbol_opts *opts, const char *ref_addr, const char *name,
	const char *quality)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *p;

	assert_int_equal(cr_symbolize(profile_of(o, start, addr, ref_addr), opts, &p, &err), CR_OK);
	assert_int_equal(function_of(p)->name.len, strlen(name));
	assert_memory_equal(function_of(p)->name.p, name, strlen(name));
	if (quality)
		assert_true(has_quality(p, quality));
	cr_profile_free(p);
}

/*
 * A file may have any of symbols, code and debug info, and lack any: what is there is used, and
 * nothing else is touched.
 */
static void
test_debug_info_without_symbols_or_code_is_used(void **state)
{
	static const char *const strips[] = {
		"objcopy --strip-all --keep-section='.debug*' made/x.debug usr/x",
		"objcopy --strip-all --keep-section='.debug*' made/x usr/x",
		("objcopy --only-keep-debug --strip-all --keep-section='.debug*' "
		 "--keep-section=.note.gnu.build-id made/x usr/x"),
		"objcopy --remove-section=.text made/x usr/x",
	};
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};

	make_program(at, "");
	assert_true(shell(at, "cp usr/x made/x"));
	for (size_t i = 0; i < CR_LEN(strips); i++) {
		struct cr_dso o = dso_of(at, "/usr/x");
		struct cr_debugfile d;
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *p;
		uint64_t addr;

		o.build_id_len = 0;
		assert_true(shell(at, "%s", strips[i]));
		cr_debugfile_find(&opts, &o, &d);
		assert_non_null(d.debug);
		assert_non_null(d.runtime);
		cr_debugfile_address(&d, at->inner, &addr);
		cr_debugfile_address(&d, UINT64_MAX, &addr);
		cr_debugfile_close(&d);
		assert_int_equal(
			cr_symbolize(profile_of(&o, 0, at->inner + 1, "0"), &opts, &p, &err),
			CR_OK);
		cr_profile_free(p);
	}
}

#define TEXT 0xffffffff81000000u
#define MOVED 0x7000000u /* the recorded kernel was so much higher */

/* usr/x is a kernel. */
static void
make_kernel(struct place *at, char ref_addr[20])
{
	struct cr_elf *e;
	struct cr_symtab t = {0};

#ifndef __x86_64__
	testing_skip("not x86-64: the compiler has no code model of the kernel");
#endif
	make_program(at, "-mcmodel=kernel -fno-pie -no-pie -Wl,-Ttext=0xffffffff81000000 "
			 "-Wl,-z,max-page-size=0x1000");
	e = elf_at(at, "usr/x");
	e->linked = true;
	cr_elf_symbols(e, e, &t);
	at->inner = cr_symtab_address(&t, "inner");
	at->outer = cr_symtab_address(&t, "outer");
	cr_symtab_fini(&t);
	cr_elf_close(e);
	assert_in_range(at->inner, TEXT, TEXT + 0x1000);
	snprintf(ref_addr, 20, "%llx", (unsigned long long)at->outer + MOVED);
}

static struct cr_dso
kernel_of(const struct place *at)
{
	struct cr_dso o = dso_of(at, "[kernel.kallsyms]");

	o.kind = CR_KIND_KERNEL;
	return o;
}

static void
test_a_kernel_is_found_and_moved_to_where_it_ran(void **state)
{
	static const char *const commands[] = {
		"mkdir boot && cp usr/x boot/vmlinux",
		"mkdir boot && cp usr/x boot/vmlinux-6.6.6-test",
		"mkdir -p usr/lib/debug/boot && cp usr/x usr/lib/debug/boot/vmlinux-6.6.6-test",
		"mkdir -p lib/modules/6.6.6-test/build && cp usr/x "
		"lib/modules/6.6.6-test/build/vmlinux",
		"mkdir -p usr/lib/debug/lib/modules/6.6.6-test && cp usr/x "
		"usr/lib/debug/lib/modules/6.6.6-test/vmlinux",
		"cp usr/x made/x.debug", /* by build-id */
	};
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	char ref[20];

	for (size_t i = 0; i < CR_LEN(commands); i++) {
		struct cr_dso o;

		shell(at, "rm -rf usr boot lib");
		make_kernel(at, ref);
		o = kernel_of(at);
		expect_function(&o, TEXT, at->inner + MOVED + 2, &opts, ref, "",
			"not looked for under --symfs");
		assert_true(shell(at, "%s", commands[i]));
		if (i + 1 == CR_LEN(commands))
			put_by_id(at, "usr/lib/debug");
		expect_function(&o, TEXT, at->inner + MOVED + 2, &opts, ref, "inner", NULL);
	}
}

static void
test_a_kernel_of_another_build_is_refused(void **state)
{
	struct place *at = *state;
	char path[80], ref[20];
	const struct cr_symbol_opts opts = {.vmlinux = path, .symfs = "/nonexistent"};
	struct cr_dso o;

	make_kernel(at, ref);
	snprintf(path, sizeof(path), "%s/usr/x", at->dir);
	o = kernel_of(at);
	expect_function(&o, TEXT, at->inner + MOVED + 2, &opts, ref, "inner", NULL);
	o.build_id[0] ^= 1;
	expect_function(&o, TEXT, at->inner + MOVED + 2, &opts, ref, "", "usr/x: build-id ");
	o.build_id_len = 0; /* named by hand, and nothing says otherwise */
	expect_function(
		&o, TEXT, at->inner + MOVED + 2, &opts, ref, "inner", "no build-id to check");
	snprintf(path, sizeof(path), "%s/none", at->dir);
	expect_function(
		&o, TEXT, at->inner + MOVED + 2, &opts, ref, "", "no kernel with symbols: ");
}

static void
test_the_kernels_lines_are_at_the_linked_addresses(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	struct cr_dso o;
	struct cr_profile *p;
	struct cr_kernel k;
	uint64_t addr;
	char ref[20];

	make_kernel(at, ref);
	assert_true(shell(at, "mkdir boot && cp usr/x boot/vmlinux"));
	o = kernel_of(at);
	p = profile_of(&o, TEXT, at->inner + MOVED, ref);
	cr_kernel_open(&k, p, &opts);
	assert_non_null(k.vmlinux.debug);
	assert_true(cr_debugfile_address(&k.vmlinux, at->inner + MOVED, &addr));
	assert_int_equal(addr, at->inner);
	assert_int_equal(dwarf_address(&k.vmlinux, "inner"), at->inner);
	cr_kernel_close(&k);
	cr_profile_free(p);
}

#define LOADED 0xffffffffc0100000u

/*
 * m-x.ko, with functions in two sections; in memory .text.b follows .text, in the file it may not.
 */
static void
make_module(struct place *at)
{
#ifndef __x86_64__
	testing_skip("not x86-64: the compiler has no code model of the kernel");
#endif
	testing_needs("gcc objcopy ld");
	directory_must(at->dir,
		"{ sed 's/noinline/&, section(\".text.b\")/;/_start/d' x.c; echo 'int "
		"a(void) { return outer(1); }'; } >m.c && "
		"gcc -g -O1 -fno-pic -mcmodel=kernel -c -o m.o m.c && ld -r "
		"--build-id -o m-x.ko m.o");
}

static void
test_modules_are_found_packed_and_placed_as_the_kernel_does(void **state)
{
	static const struct {
		const char *program, *suffix;
	} packers[] = {{"cat", ""}, {"gzip", ".gz"}, {"xz", ".xz"}, {"zstd", ".zst"}};
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	struct cr_dso o;
	struct cr_elf *e;
	struct cr_symtab t = {0};

	make_module(at);
	e = elf_at(at, "m-x.ko");
	cr_elf_build_id(e, &at->id);
	cr_elf_place(e);
	cr_elf_symbols(e, e, &t);
	at->inner = cr_symtab_address(&t, "inner");
	cr_symtab_fini(&t);
	cr_elf_close(e);
	assert_in_range(at->inner, 1, 0x1000); /* behind a() and outer() */
	o = dso_of(at, "[m_x]");
	o.kind = CR_KIND_MODULE;
	for (size_t i = 0; i < CR_LEN(packers); i++) {
		if (!testing_has(packers[i].program))
			continue;
		directory_must(
			at->dir, "rm -rf lib; mkdir -p lib/modules/6.6.6-test/kernel/drivers");
		directory_must(at->dir,
			"%s <m-x.ko >lib/modules/6.6.6-test/kernel/drivers/m-x.ko%s",
			packers[i].program, packers[i].suffix);
		expect_function(&o, LOADED, LOADED + at->inner + 1, &opts, "0", "inner", NULL);
	}
	assert_true(shell(at,
		"cd lib/modules/6.6.6-test/kernel/drivers && rm -f * && cp %s/m-x.ko .", at->dir));
	o.build_id[3] ^= 4;
	expect_function(&o, LOADED, LOADED + at->inner + 1, &opts, "0", "", "m-x.ko");
}

static void
test_debug_info_of_a_module_is_relocated(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	struct cr_symtab t = {0};
	struct cr_dso o;
	struct cr_debugfile d;
	uint64_t addr;

	for (int packed = 0; packed <= 1; packed++) {
		make_module(at);
		if (packed)
			assert_true(shell(at, "objcopy --compress-debug-sections=zlib m-x.ko"));
		o = dso_of(at, "/m-x.ko");
		o.kind = CR_KIND_MODULE;
		cr_debugfile_find(&opts, &o, &d);
		assert_non_null(d.debug);
		d.bias = LOADED;
		cr_elf_symbols(d.syms, d.runtime, &t);
		at->inner = cr_symtab_address(&t, "inner") + LOADED;
		at->outer = cr_symtab_address(&t, "outer") + LOADED;
		cr_symtab_fini(&t);
		expect_debug(at, &d);
		assert_true(cr_debugfile_address(&d, at->inner, &addr));
		assert_int_not_equal(addr, 0);
		cr_debugfile_close(&d);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_make, place_remove)
	const struct CMUnitTest tests[] = {
		TEST(test_debug_files_are_found_in_all_their_places),
		TEST(test_debug_files_are_found_by_build_id),
		TEST(test_debug_info_is_not_opened_when_nobody_wants_lines),
		TEST(test_debug_info_without_symbols_or_code_is_used),
		TEST(test_a_linked_file_without_ids_must_have_the_checksum),
		TEST(test_what_is_of_another_build_is_refused_by_name),
		TEST(test_symbols_packed_in_the_program_are_used),
		TEST(test_packed_files_are_unpacked),
		TEST(test_packed_sections_can_be_read_by_libdw),
		TEST(test_a_damaged_packed_section_is_left_out),
		TEST(test_a_kernel_is_found_and_moved_to_where_it_ran),
		TEST(test_a_kernel_of_another_build_is_refused),
		TEST(test_the_kernels_lines_are_at_the_linked_addresses),
		TEST(test_modules_are_found_packed_and_placed_as_the_kernel_does),
		TEST(test_debug_info_of_a_module_is_relocated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
