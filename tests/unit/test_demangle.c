#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../src/symbol/demangle.h"
#include "cresset/base/mem.h"

#include <stdlib.h>
#include <string.h>

static void
test_names_of_c_stay_as_they_are(void **state)
{
	static const char *const names[] = {
		"f", "i", "l", "g", "d", "v", "main", "_", "_x", "_init", "__libc_start_main",
		"_Z", "_ZN", "_Zfoo", "_R", "_Rust", "__cxa_demangle", "_ZNSo5flushEv@@GLIBCXX_3.4",
		"caml", "camlp4", "camel", "",
	};
	struct cr_text out = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(names); i++)
		assert_false(cr_demangle(names[i], &out));
	assert_int_equal(out.len, 0);
	cr_text_fini(&out);
}

#ifdef HAVE_LIBIBERTY
static void
test_names_of_other_languages_become_readable(void **state)
{
	static const struct {
		const char *mangled, *want;
	} cases[] = {
		{"_ZN2ns2OpclEv", "ns::Op::operator()()"},
		{"_Z3addIiET_S0_S0_", "int add<int>(int, int)"},
		{"_ZN12_GLOBAL__N_13barEi", "(anonymous namespace)::bar(int)"},
		{"_Z3fooi.isra.0", "foo(int) [clone .isra.0]"},
		{"_Z3fooi.cold", "foo(int) [clone .cold]"},
		{"_Z3fooi.part.1", "foo(int) [clone .part.1]"},
		{"_Z3fooi.constprop.0", "foo(int) [clone .constprop.0]"},
		{"__Z3fooi", "foo(int)"},
		{"_ZNSt6vectorIiSaIiEE9push_backERKi",
			"std::vector<int, std::allocator<int> >::push_back(int const&)"},
		{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
		{"_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17h0123456789abcdefE",
			"<T as core::convert::Into<U>>::into"},
		{"_RNvCs15kBYyAo9fc_7mycrate7example", "mycrate::example"},
		{"_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>"},
		/* S9_ stands for nothing, yet g(int) was read: the parameters are left off. */
		{"_Z1fIZ1giE1hEvT_S9_", "f<g(int)::h>"},
	};
	struct cr_text out = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		assert_true(cr_demangle(cases[i].mangled, &out));
		assert_string_equal(out.p, cases[i].want);
	}
	cr_text_fini(&out);
}

static void
test_cxx_names_may_have_some_kilobytes(void **state)
{
	struct cr_text name = {0}, out = {0};

	(void)state;
	cr_text_puts(&name, "_ZN");
	while (name.len < 3000)
		cr_text_puts(&name, "5space");
	cr_text_puts(&name, "1fEv");
	assert_true(cr_demangle(name.p, &out));
	assert_int_equal(out.len, (name.len - 7) / 6 * 7 + 3);
	assert_string_equal(out.p + out.len - 10, "space::f()");
	name.len -= 4;
	while (name.len < 5000)
		cr_text_puts(&name, "5space");
	cr_text_puts(&name, "1fEv");
	assert_false(cr_demangle(name.p, &out));
	cr_text_fini(&name);
	cr_text_fini(&out);
}

/*
 * X<X<X<…>, S>, S>: each level names the one below twice, so 50 of them would print 2^50 times
 * the innermost.
 */
static void
test_a_name_that_stands_for_endless_text_is_left_alone(void **state)
{
	struct cr_text name = {0}, out = {0};

	(void)state;
	cr_text_puts(&name, "_Z1f1XIiiE");
	cr_text_puts(&name, "S_IS0_S0_E");
	for (int i = 1; i < 36; i++) {
		const char *digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

		cr_text_printf(&name, "S_IS%c_S%c_E", digits[i], digits[i]);
	}
	assert_false(cr_demangle(name.p, &out));
	assert_int_equal(out.len, 0);
	assert_true(
		cr_demangle("_Z1f1XIiiES_IS0_S0_E", &out)); /* and the next one is none the worse */
	cr_text_fini(&name);
	cr_text_fini(&out);
}
#endif

static void
test_ocaml_names_lose_their_prefix_and_codes(void **state)
{
	static const struct {
		const char *mangled, *want;
	} cases[] = {
		{"camlFoo__bar_$2b$2b_7", "Foo.bar_++_7"},
		{"camlStdlib__List__map_123", "Stdlib.List.map_123"},
		{"camlFoo__$", "Foo.$"},
		{"camlFoo__$2", "Foo.$2"},
		{"camlFoo__$00x", "Foo.$00x"},
	};
	struct cr_text out = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		assert_true(cr_demangle(cases[i].mangled, &out));
		assert_string_equal(out.p, cases[i].want);
	}
	cr_text_fini(&out);
}

static void
test_names_that_are_too_long_are_left_alone(void **state)
{
	const size_t len = (size_t)70 << 10;
	char *name = cr_alloc(len + 1, 1);
	struct cr_text out = {0};

	(void)state;
	memset(name, 'a', len);
	memcpy(name, "camlA", 5);
	assert_false(cr_demangle(name, &out));
	memcpy(name, "_Z99999", 7);
	assert_false(cr_demangle(name, &out));
	memset(name, 'P', len); /* pointer to pointer to … */
	memcpy(name, "_Z1f", 4);
	name[2000] = '\0';
	assert_false(cr_demangle(name, &out));
	free(name);
	cr_text_fini(&out);
}

static void
test_changed_bytes_do_no_harm(void **state)
{
	static const char *const names[] = {
		"_ZNSt6vectorIiSaIiEE9push_backERKi",
		"_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17h0123456789abcdefE",
		"_RINvNtC3std3mem8align_ofdE",
		"camlFoo__bar_$2b$2b_7",
	};
	struct cr_text out = {0};
	uint64_t seed = 3;

	(void)state;
	for (size_t i = 0; i < CR_LEN(names); i++)
		for (int round = 0; round < 2000; round++) {
			const size_t len = strlen(names[i]);
			char *name = cr_memdup(names[i], len); /* of its exact size */

			seed = seed * 6364136223846793005u + 1442695040888963407u;
			name[(seed >> 33) % len] = (char)(1 + (seed >> 20) % 255);
			name[(seed >> 43) % len] = (char)(seed >> 56);
			cr_demangle(name, &out);
			free(name);
		}
	cr_text_fini(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_c_stay_as_they_are),
#ifdef HAVE_LIBIBERTY
		cmocka_unit_test(test_names_of_other_languages_become_readable),
		cmocka_unit_test(test_cxx_names_may_have_some_kilobytes),
		cmocka_unit_test(test_a_name_that_stands_for_endless_text_is_left_alone),
#endif
		cmocka_unit_test(test_ocaml_names_lose_their_prefix_and_codes),
		cmocka_unit_test(test_names_that_are_too_long_are_left_alone),
		cmocka_unit_test(test_changed_bytes_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
