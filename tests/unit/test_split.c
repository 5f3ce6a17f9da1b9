#include "testing.h"
#include "testing_directory.h"

#include <dwarf.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol/dwarf/split_p.h"

/* Two files, so that there are two units; functions in pieces, and one in the other. */
static const char source[] =
	"int counter; void stop(int) __attribute__((noreturn, cold));\n"
	"static inline __attribute__((always_inline)) int FN(within)(int x) {\n"
	"	if (__builtin_expect(x > counter, 0)) stop(x); return x * counter; }\n"
	"__attribute__((noinline)) int FN(outer)(int x) {\n"
	"	for (int i = 0; i < x; i++) { int FN(variable) = FN(within)(x + i); counter += "
	"FN(variable); }\n"
	"	return FN(within)(x) + counter; }\n"
	"#ifdef MAIN\n"
	"int a_outer(int);\n"
	"void stop(int x) { for (;;) counter = x; }\n"
	"void _start(void) { counter = a_outer(b_outer(3)); for (;;) ; }\n"
	"#endif\n";

struct place {
	char dir[64];
};

#define shell(at, ...) directory_shell((at)->dir, __VA_ARGS__)

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

/* Compile and link with a compiler that is installed. */
static void
make(const struct place *at, const char *compiler, const char *flags, const char *out)
{
	directory_must(at->dir,
		"mkdir -p made && cd made && "
		"%s %s -g -O2 -fno-pie -fcommon -DFN\\(x\\)=a_##x -c -o a.o ../x.c && "
		"%s %s -g -O2 -fno-pie -fcommon -DMAIN -DFN\\(x\\)=b_##x -c -o b.o ../x.c && "
		"gcc -no-pie -nostdlib -static -Wl,--build-id -o ../%s a.o b.o",
		compiler, flags, compiler, flags, out);
}

/* What matters of an entry and those below it, as text. */
static void
tell(struct cr_text *t, Dwarf_Die *die, int depth)
{
	const char *name = dwarf_diename(die);
	Dwarf_Attribute a;
	Dwarf_Die origin, child;
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	if (dwarf_tag(die) == DW_TAG_base_type || depth > 20)
		return;
	if (depth > 0) {
		cr_text_printf(
			t, "%*s%x %s", depth, "", (unsigned)dwarf_tag(die), name ? name : "");
		if (dwarf_attr(die, DW_AT_abstract_origin, &a))
			cr_text_printf(t, " of %s",
				dwarf_formref_die(&a, &origin) ? dwarf_diename(&origin) : "?");
		while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0)
			cr_text_printf(
				t, " %llx-%llx", (unsigned long long)lo, (unsigned long long)hi);
		cr_text_puts(t, at < 0 ? " bad\n" : "\n");
	}
	for (int rc = dwarf_child(die, &child); rc == 0; rc = dwarf_siblingof(&child, &child))
		tell(t, &child, depth + 1);
}

/* All units of a program; *skeletons how many of them are elsewhere, and were there. */
static void
report_all(const struct cr_symbol_opts *opts, const char *name, struct cr_text *t, int *skeletons)
{
	const struct cr_dso o = {.name = cr_str_of(name), .kind = CR_KIND_USER};
	struct cr_debugfile d;
	struct cr_split *s;
	Dwarf *dbg;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	*skeletons = 0;
	cr_debugfile_find(opts, &o, &d);
	assert_non_null(d.debug);
	dbg = dwarf_begin_elf(d.debug->elf, DWARF_C_READ, NULL);
	assert_non_null(dbg);
	s = cr_split_new(opts, &d, dbg);
	while (dwarf_get_units(dbg, cu, &cu, NULL, &type, &die, NULL) == 0) {
		if (type != DW_UT_skeleton && type != DW_UT_compile)
			continue;
		if (type == DW_UT_compile) {
			tell(t, &die, 0);
		} else if (cr_split_unit(s, &die, &split)) {
			Dwarf_Die again;

			assert_true(cr_split_unit(s, &die, &again));
			assert_ptr_equal(again.addr, split.addr);
			(*skeletons)++;
			tell(t, &split, 0);
		}
	}
	cr_split_free(s);
	dwarf_end(dbg);
	cr_debugfile_close(&d);
}

static const struct {
	const char *compiler, *flags;
} builds[] = {
	{"gcc", "-gdwarf-4"},
	{"gcc", "-gdwarf-5"},
	{"gcc", "-gdwarf-4 -ffunction-sections"},
	{"gcc", "-gdwarf-5 -ffunction-sections"},
	{"clang", "-gdwarf-4"},
	{"clang", "-gdwarf-5"},
	{"clang", "-gdwarf-5 -ffunction-sections"},
};

/*
 * The same program in one piece and split, the pieces moved by a command: all that is said is the
 * same.
 */
static int
expect_same(const struct place *at, size_t build, const char *command,
	const struct cr_symbol_opts *opts)
{
	struct cr_text whole = {0}, split = {0};
	char flags[100];
	int skeletons;

	if (!testing_has(builds[build].compiler))
		return 0;
	shell(at, "rm -rf made x whole dbg *.dwp");
	snprintf(flags, sizeof(flags), "%s -gsplit-dwarf", builds[build].flags);
	make(at, builds[build].compiler, builds[build].flags, "whole");
	make(at, builds[build].compiler, flags, "x");
	directory_must(at->dir, "%s", command);
	report_all(opts, "/whole", &whole, &skeletons);
	assert_int_equal(skeletons, 0);
	assert_non_null(strstr(whole.p, "a_within"));
	assert_null(strstr(whole.p, " bad"));
	report_all(opts, "/x", &split, &skeletons);
	assert_int_equal(skeletons, 2);
	assert_string_equal(split.p, whole.p);
	cr_text_fini(&whole);
	cr_text_fini(&split);
	return 1;
}

static void
test_units_in_files_of_their_own_are_as_in_the_program(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	int made = 0;

	testing_needs("gcc");
	for (size_t i = 0; i < CR_LEN(builds); i++)
		made += expect_same(at, i, "mv made/*.dwo .", &opts);
	assert_in_range(made, 4, CR_LEN(builds));
}

static void
test_units_in_a_package_are_as_in_the_program(void **state)
{
	/* What they are known to get wrong is left out: DWARF 5 the one, that of gcc the other. */
	static const struct {
		const char *only; /* in the compiler and its flags */
		const char *program, *command;
	} tools[] = {
		{"-gdwarf-4", "dwp", "dwp -o x.dwp made/a.dwo made/b.dwo && rm made/*.dwo"},
		{"clang", "llvm-dwp", "llvm-dwp -o x.dwp made/a.dwo made/b.dwo && rm made/*.dwo"},
	};
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	int made = 0;

	testing_needs("gcc");
	for (size_t k = 0; k < CR_LEN(tools); k++)
		for (size_t i = 0; i < CR_LEN(builds) && testing_has(tools[k].program); i++)
			if (strstr(builds[i].compiler, tools[k].only) ||
				strstr(builds[i].flags, tools[k].only))
				made += expect_same(at, i, tools[k].command, &opts);
	if (made == 0)
		testing_skip("neither dwp nor llvm-dwp with clang is installed");
}

static void
test_units_are_found_where_they_were_made_and_beside_the_program(void **state)
{
	static const char *const commands[] = {
		"true",
		"d=$PWD/root$PWD && mkdir -p $d && mv made $d/made", /* under --symfs, where it was
									made */
		"mkdir dbg && mv made/*.dwo dbg",
		"d=$PWD/dbg$PWD && mkdir -p $d && mv made $d/made",
	};
	struct place *at = *state;
	char root[80], dbg[80];
	struct cr_symbol_opts opts = {.symfs = root, .debug_dir = dbg};

	snprintf(root, sizeof(root), "%s/root", at->dir);
	snprintf(dbg, sizeof(dbg), "%s/dbg", at->dir);
	testing_needs("gcc");
	for (size_t i = 1; i < CR_LEN(commands); i++) {
		char command[300];

		shell(at, "rm -rf root && mkdir root");
		snprintf(command, sizeof(command), "%s && mv x whole root", commands[i]);
		assert_int_equal(expect_same(at, 1, command, &opts), 1);
	}
}

static void
test_a_unit_of_another_build_is_not_believed(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};
	struct cr_text t = {0};
	int skeletons;

	for (int version = 4; version <= 5; version++) {
		char flags[60];

		snprintf(flags, sizeof(flags), "-gdwarf-%d -gsplit-dwarf", version);
		testing_needs("gcc");
		make(at, "gcc", flags, "x");
		assert_true(shell(at, "mv made/*.dwo . && mv x y"));
		snprintf(flags, sizeof(flags), "-gdwarf-%d -gsplit-dwarf -Dcounter=counted",
			version);
		make(at, "gcc", flags, "x");
		assert_true(
			shell(at, "mv y x && mv made/a.dwo .")); /* b.dwo is still the right one */
		cr_text_clear(&t);
		report_all(&opts, "/x", &t, &skeletons);
		assert_int_equal(skeletons, 1);
		assert_null(strstr(t.p, "a_within"));
		assert_non_null(strstr(t.p, "b_within"));
	}
	cr_text_fini(&t);
}

/* Every prefix and many changed bytes of a .dwo file: nothing is read that is not there. */
static void
test_damaged_units_do_no_harm(void **state)
{
	struct place *at = *state;
	const struct cr_symbol_opts opts = {.symfs = at->dir};

	for (int version = 4; version <= 5; version++) {
		char flags[60], path[128];
		unsigned n_both = 0;
		unsigned char *p;
		size_t len;
		FILE *f;

		snprintf(flags, sizeof(flags), "-gdwarf-%d -gsplit-dwarf", version);
		testing_needs("gcc");
		make(at, "gcc", flags, "x");
		assert_true(shell(at, "mv made/*.dwo ."));
		snprintf(path, sizeof(path), "%s/a.dwo", at->dir);
		f = fopen(path, "r+");
		assert_non_null(f);
		p = calloc(1, 65536);
		len = fread(p, 1, 65536, f);
		for (size_t i = 0; i < 600; i++) {
			struct cr_text t = {0};
			int skeletons;

			rewind(f);
			p[i * 2654435761u % len] ^= (unsigned char)(1u << i % 8);
			assert_int_equal(fwrite(p, 1, len, f), len);
			fflush(f);
			if (i % 10 == 9)
				assert_int_equal(ftruncate(fileno(f), (off_t)(len - i)), 0);
			p[i * 2654435761u % len] ^= (unsigned char)(1u << i % 8);
			report_all(&opts, "/x", &t, &skeletons);
			assert_in_range(skeletons, 1, 2); /* b.dwo is as it was */
			assert_non_null(strstr(t.p, "b_within"));
			n_both += skeletons == 2;
			cr_text_fini(&t);
		}
		print_message("%u of 600 damaged ones are used\n", n_both);
		assert_in_range(n_both, 50, 599);
		fclose(f);
		free(p);
	}
}

static void
test_what_dwz_moved_out_is_found_again(void **state)
{
	static const char *const commands[] = {
		"true", /* beside the debug file */
		"mkdir -p usr/lib/debug/.dwz && mv common usr/lib/debug/.dwz/common",
		"mkdir -p dbg/.dwz && mv common dbg/.dwz/common",
		"mkdir dbg && mv common dbg/common",
	};
	struct place *at = *state;
	char dbg[80];
	const struct cr_symbol_opts opts = {.symfs = at->dir, .debug_dir = dbg};
	struct cr_text t = {0};
	struct cr_dso o = {.name = CR_STR("/x"), .kind = CR_KIND_USER};
	struct cr_debugfile d;
	int skeletons;

	snprintf(dbg, sizeof(dbg), "%s/dbg", at->dir);
	testing_needs("gcc dwz objcopy");
	for (size_t i = 0; i < CR_LEN(commands); i++) {
		Dwarf *dw;
		struct cr_split *s;

		shell(at, "rm -rf made x y whole dbg usr common");
		make(at, "gcc", "-gdwarf-4", "x");
		make(at, "gcc", "-gdwarf-4 -DTWO=2", "y");
		directory_must(at->dir, "cp x whole && dwz -m common x y");
		directory_must(
			at->dir, "test -f common && mkdir -p usr && rm y && %s", commands[i]);
		cr_debugfile_find(&opts, &o, &d);
		assert_non_null(d.alt);
		dw = dwarf_begin_elf(d.debug->elf, DWARF_C_READ, NULL);
		s = cr_split_new(&opts, &d, dw);
		assert_true(cr_split_has_alt(s));
		assert_non_null(dwarf_getalt(dw));
		cr_split_free(s);
		dwarf_end(dw);
		cr_debugfile_close(&d);
		report_all(&opts, "/x", &t, &skeletons);
		assert_non_null(strstr(t.p, "a_within"));
		cr_text_clear(&t);
	}
	/* Another build's is refused, by name. */
	assert_true(shell(at, "objcopy --update-section .note.gnu.build-id=/dev/null dbg/common || "
			      "objcopy --remove-section .note.gnu.build-id dbg/common"));
	cr_debugfile_find(&opts, &o, &d);
	assert_null(d.alt);
	assert_non_null(d.refused);
	assert_non_null(strstr(d.refused, "dbg/common"));
	cr_debugfile_close(&d);
	cr_text_fini(&t);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_make, place_remove)
	const struct CMUnitTest tests[] = {
		TEST(test_units_in_files_of_their_own_are_as_in_the_program),
		TEST(test_units_in_a_package_are_as_in_the_program),
		TEST(test_units_are_found_where_they_were_made_and_beside_the_program),
		TEST(test_a_unit_of_another_build_is_not_believed),
		TEST(test_damaged_units_do_no_harm),
		TEST(test_what_dwz_moved_out_is_found_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
