/*
 * Lines and inlined functions of programs that several compilers made of one source, in all shapes
 * that debug info has: tests/tools/make-lines-corpus.sh. Every byte of their code is asked for;
 * what must come out does not depend on where the compiler put it.
 */
#include "testing.h"

#include "symbol/elf/elf_p.h"
#include "symbol/symbolize.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_CODE 4096

static char *
path_of(const char *file)
{
	const char *src = getenv("SRC");
	struct cr_text t = {0};
	char cwd[4096];

	assert_non_null(getcwd(cwd, sizeof(cwd)));
	/* Dsos have absolute names. */
	if (!src)
		src = ".";
	if (src[0] != '/')
		cr_text_printf(&t, "%s/", cwd);
	cr_text_printf(&t, "%s/tests/fuzz/corpus/fuzz_lines/%s", src, file);
	return t.p;
}

/*
 * A profile of all bytes of the code, as they are or as return addresses; their locations in order.
 */
static struct cr_profile *
profile_of(const char *path, uint16_t ordinal)
{
	struct cr_elf *e = cr_elf_open(open(path, O_RDONLY | O_CLOEXEC));
	struct cr_builder *b = cr_builder_new(NULL);
	const cr_event_id event = cr_builder_event(b, CR_STR("e"), CR_STR("e"));
	const cr_task_id task = cr_builder_task(b, 1, 1, CR_STR("t"), cr_builder_address_space(b));
	const cr_dso_id o =
		cr_builder_dso(b, &(struct cr_dso){.name = cr_str_of(path), .kind = CR_KIND_USER});
	struct cr_err err = CR_ERR_INIT;
	struct cr_log log = {.n = 0};
	struct cr_profile *p;

	assert_non_null(e);
	cr_builder_flags(b, CR_PROFILE_HAS_ADDR);
	for (size_t i = 1; i < e->n_sections; i++) {
		const GElf_Shdr *h = &e->sections[i].head;

		for (uint64_t k = 0;
			k < h->sh_size && k < MAX_CODE && (h->sh_flags & SHF_EXECINSTR); k++) {
			struct cr_sample s = {
				.weight = 1, .task = task, .event = event, .cpu = CR_CPU_NONE};

			s.node = cr_builder_push(
				b, CR_ROOT, cr_builder_location(b, o, h->sh_offset + k, ordinal));
			cr_builder_sample(b, &s);
		}
	}
	assert_int_equal(cr_builder_finish(b, &log, &p, &err), CR_OK);
	cr_builder_free(b);
	cr_elf_close(e);
	return p;
}

static struct cr_profile *
symbolized(const char *file, uint16_t ordinal, const struct cr_symbol_opts *opts)
{
	struct cr_err err = CR_ERR_INIT;
	char *path = path_of(file);
	struct cr_profile *p = profile_of(path, ordinal);

	assert_int_equal(cr_symbolize(p, opts, &p, &err), CR_OK);
	free(path);
	return p;
}

/* "twice a.cc:2 < f a.cc:14", innermost first, into out. */
static void
chain_put(const struct cr_profile *p, const struct cr_location *l, struct cr_text *out)
{
	cr_text_clear(out);
	for (uint32_t k = 0; k < l->lines; k++) {
		const struct cr_line *line = &p->lines[l->first_line + k];

		if (k)
			cr_text_puts(out, " < ");
		cr_text_str(out, p->functions[line->function.i].name);
		cr_text_char(out, ' ');
		cr_text_str(out, cr_line_file(p, line));
		cr_text_printf(out, ":%u", line->line);
	}
}

/* At how many addresses does the chain stand? */
static uint32_t
count_chain(const struct cr_profile *p, const char *chain)
{
	struct cr_text t = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_locations; i++) {
		chain_put(p, &p->locations[i], &t);
		n += strcmp(t.p, chain) == 0;
	}
	cr_text_fini(&t);
	return n;
}

static bool
has_quality(const struct cr_profile *p, const char *part)
{
	for (uint32_t i = 0; i < p->n_quality; i++)
		if (memmem(p->quality[i].what.p, p->quality[i].what.len, part, strlen(part)))
			return true;
	return false;
}

static const struct cr_symbol_opts plain = {.home = "/nonexistent"};

static void
test_inline_chains_are_those_of_the_source(void **state)
{
	/*
	 * gcc gives static functions no linkage name, and neither does clang where there are lines
	 * only.
	 */
	static const char gcc[] = "twice a.cc:2 < more a.cc:3 < f a.cc:12";
	static const char clang[] = "twice(int) a.cc:2 < more(n::S const&) a.cc:3 < f a.cc:12";
	static const struct {
		const char *file, *chain;
	} cases[] = {
		{"gcc-3", gcc},
		{"gcc-4", gcc},
		{"gcc-5", gcc},
		{"gcc-lto", gcc},
		{"gcc-parts", gcc},
		{"gcc-g1", gcc},
		{"clang-lines", gcc},
		{"clang-4", clang},
		{"clang-5", clang},
		{"i386-object", clang},
		{"big-endian", clang},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_profile *p = symbolized(cases[i].file, 0, &plain);

		if (count_chain(p, cases[i].chain) == 0)
			fail_msg("%s: not there: %s", cases[i].file, cases[i].chain);
		assert_true(count_chain(p, "f a.cc:13") > 0 || count_chain(p, "f a.cc:14") > 0);
		assert_false(has_quality(p, "source lines"));
		assert_false(has_quality(p, ".dwo"));
		cr_profile_free(p);
	}
}

static void
test_another_unit_has_its_own_files(void **state)
{
	static const char *const files[] = {
		"gcc-3", "gcc-4", "gcc-5", "gcc-lto", "gcc-parts", "clang-5"};

	(void)state;
	for (size_t i = 0; i < CR_LEN(files); i++) {
		struct cr_profile *p = symbolized(files[i], 0, &plain);

		assert_true(count_chain(p, "hidden b.c:2") > 0);
		cr_profile_free(p);
	}
}

static void
test_functions_say_where_they_are_declared(void **state)
{
	struct cr_profile *p = symbolized("clang-5", 0, &plain);
	uint32_t inlined = 0, called = 0;

	(void)state;
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct cr_function *f = &p->functions[i];

		if (cr_str_eq(f->name, CR_STR("twice(int)"))) {
			assert_int_equal(f->addr, CR_ADDR_INLINED);
			assert_str(f->linkage, "_ZL5twicei");
			assert_str(f->file, "a.cc");
			assert_int_equal(f->line, 2);
			inlined++;
		} else if (cr_str_eq(f->name, CR_STR("f"))) {
			assert_true(f->addr != CR_ADDR_INLINED);
			assert_str(f->file, "a.cc");
			assert_int_equal(f->line, 6);
			called++;
		}
	}
	assert_int_equal(inlined, 1);
	assert_int_equal(called, 1);
	cr_profile_free(p);
}

/* The call is before: so of the byte before, but for its symbol. */
static void
test_a_return_address_has_the_line_of_the_call(void **state)
{
	struct cr_profile *at = symbolized("gcc-5", 0, &plain),
			  *ret = symbolized("gcc-5", CR_ORDINAL_RETURN, &plain);
	struct cr_text a = {0}, r = {0};
	uint32_t same = 0, starts = 0;

	(void)state;
	assert_int_equal(at->n_locations, ret->n_locations);
	for (uint32_t i = 1; i < at->n_locations; i++) {
		const struct cr_location *l = &ret->locations[i];
		const struct cr_function *f =
			&ret->functions[ret->lines[l->first_line + l->lines - 1].function.i];

		assert_int_equal(at->locations[i].addr, l->addr);
		if (f->name.len == 0 || at->locations[i - 1].addr + 1 != l->addr)
			continue;
		chain_put(ret, l, &r);
		if (f->addr == l->addr) { /* what was before it is another function */
			assert_int_equal(l->lines, 1);
			assert_int_equal(ret->lines[l->first_line].line, 0);
			starts++;
			continue;
		}
		chain_put(at, &at->locations[i - 1], &a);
		assert_string_equal(r.p, a.p);
		same++;
	}
	assert_true(same > 50 && starts >= 1);
	cr_text_fini(&a);
	cr_text_fini(&r);
	cr_profile_free(at);
	cr_profile_free(ret);
}

static void
test_without_inlining_debug_info_is_not_asked(void **state)
{
	const struct cr_symbol_opts opts = {.home = "/nonexistent", .no_inline = true};
	struct cr_profile *p = symbolized("gcc-5", 0, &opts);

	(void)state;
	for (uint32_t i = 0; i < p->n_locations; i++) {
		assert_int_equal(p->locations[i].lines, 1);
		assert_int_equal(p->lines[p->locations[i].first_line].line, 0);
	}
	for (uint32_t i = 0; i < p->n_functions; i++)
		assert_int_equal(p->functions[i].file.len, 0);
	assert_false(has_quality(p, "source lines"));
	cr_profile_free(p);
}

static void
test_a_split_unit_that_is_not_there_is_told(void **state)
{
	struct cr_profile *p = symbolized("clang-split", 0, &plain);

	(void)state;
	assert_true(count_chain(p, "f :13") + count_chain(p, "f a.cc:13") > 0);
	assert_true(has_quality(p, "units without their .dwo file"));
	cr_profile_free(p);
}

static bool
stop_at_lines(void *user, const char *what, uint64_t done, uint64_t whole)
{
	(void)user;
	(void)done;
	(void)whole;
	return strcmp(what, "lines") != 0;
}

static void
test_names_are_kept_when_lines_are_stopped(void **state)
{
	const struct cr_progress progress = {.step = stop_at_lines};
	const struct cr_symbol_opts opts = {.home = "/nonexistent", .progress = &progress};
	struct cr_profile *p = symbolized("gcc-5", 0, &opts);

	(void)state;
	assert_true(count_chain(p, "f :0") > 50);
	assert_true(has_quality(p, "lines were not all read"));
	cr_profile_free(p);
}

static void
test_the_same_file_twice_gives_the_same(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct cr_profile *a = symbolized("clang-5", 0, &plain),
				  *b = symbolized("clang-5", 0, &plain);

		assert_int_equal(a->n_functions, b->n_functions);
		assert_int_equal(a->n_lines, b->n_lines);
		for (uint32_t k = 0; k < a->n_locations; k++) {
			assert_int_equal(a->locations[k].first_line, b->locations[k].first_line);
			assert_int_equal(a->locations[k].lines, b->locations[k].lines);
		}
		for (uint32_t k = 0; k < a->n_lines; k++) {
			assert_int_equal(a->lines[k].function.i, b->lines[k].function.i);
			assert_int_equal(a->lines[k].line, b->lines[k].line);
		}
		for (uint32_t k = 0; k < a->n_functions; k++)
			assert_true(cr_str_eq(a->functions[k].name, b->functions[k].name));
		cr_profile_free(a);
		cr_profile_free(b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inline_chains_are_those_of_the_source),
		cmocka_unit_test(test_another_unit_has_its_own_files),
		cmocka_unit_test(test_functions_say_where_they_are_declared),
		cmocka_unit_test(test_a_return_address_has_the_line_of_the_call),
		cmocka_unit_test(test_without_inlining_debug_info_is_not_asked),
		cmocka_unit_test(test_a_split_unit_that_is_not_there_is_told),
		cmocka_unit_test(test_names_are_kept_when_lines_are_stopped),
		cmocka_unit_test(test_the_same_file_twice_gives_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
