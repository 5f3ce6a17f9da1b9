#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "symbol/demangle/demangle.h"

#include <stdlib.h>
#include <string.h>

static void
test_names_of_c_stay_as_they_are(void **state)
{
	static const char *const names[] = {
		"f",
		"i",
		"l",
		"g",
		"d",
		"v",
		"main",
		"_",
		"_x",
		"_init",
		"__libc_start_main",
		"_Z",
		"_ZN",
		"_Zfoo",
		"_R",
		"_Rust",
		"__cxa_demangle",
		"_ZNSo5flushEv@@GLIBCXX_3.4",
		"caml",
		"camlp4",
		"camel",
		"",
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
test_names_of_d_become_readable(void **state)
{
	static const struct {
		const char *mangled, *want;
	} cases[] = {
		{"_Dmain", "D main"},
		{"_D3foo3barFiZv", "foo.bar(int)"},
		{"_D3foo3barFiZv.isra.0.cold", "foo.bar(int) [clone .isra.0] [clone .cold]"},
		{"_D3foo3barFKxAaJiLPvMNkHilXv", "foo.bar(ref const(char[]), out int, lazy void*, "
						 "scope return long[int]...)"},
		{"_D3foo3barFiYv", "foo.bar(int, ...)"},
		{"_D3foo3barFNkMANgiZNgi", "foo.bar(return scope inout(int)[])"},
		{"_D3std5stdio4File5closeMFNeZv", "std.stdio.File.close()"},
		{"_D3foo3Bar3getMxFNaNbNdZi", "foo.Bar.get() const"},
		{"_D3foo3Bar6__ctorMFiZC3foo3Bar", "foo.Bar.this(int)"},
		{"_D3foo3Bar6__dtorMFZv", "foo.Bar.~this()"},
		{"_D3foo3Bar10__postblitMFZv", "foo.Bar.this(this)"},
		{"_D3foo3Bar6__initZ", "initializer for foo.Bar"},
		{"_D3foo3Bar6__vtblZ", "vtable for foo.Bar"},
		{"_D3foo12__ModuleInfoZ", "ModuleInfo for foo"},
		{"_D3foo4__S13barFZv", "foo.bar()"},
		{"_D3foo3barFPFiZvDFNbNaAaZbG3hNgiONhG4fB2ibNnZv",
			"foo.bar(void(int) function, bool(char[]) nothrow pure delegate, ubyte[3], "
			"inout(int), "
			"shared(__vector(float[4])), Tuple!(int, bool), noreturn)"},
		{"_D3foo__T3barTiVii7Vbi1Vai97Vmi8VAyaa3_610a62VdeC8P2VdeNANVxAiA2i1N2Z3barFZv",
			"foo.bar!(int, 7, true, 'a', 8uL, \"a\\nb\", 0xC.8p2, NaN, [1, -2]).bar()"},
		{"_D3foo9__T3barTiZ3barFZv", NULL},
		{"_D3foo8__T1bTiZ1bFZv", "foo.b!(int).b()"},
		{"_D3std5range__T4iotaTmTxmZQlFmxmZv",
			"std.range.iota!(ulong, const(ulong)).iota(ulong, const(ulong))"},
		{"_D3foo3barFC3foo3BazQjZv", "foo.bar(foo.Baz, foo.Baz)"},
		{"_D1aFDFiZvDQfZv", "a(void(int) delegate, void(int) delegate)"},
	};
	struct cr_text out = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		if (cr_demangle(cases[i].mangled, &out) != (cases[i].want != NULL))
			fail_msg("%s: %s", cases[i].mangled, out.p);
		assert_string_equal(out.p, cases[i].want ? cases[i].want : "");
		if (cr_demangle_as_perf(cases[i].mangled, &out))
			fail_msg("perf would not read %s", cases[i].mangled);
	}
	cr_text_fini(&out);
}

/* Each can be read as a function type in two ways; each holds the one before twice. */
static void
test_names_of_d_that_take_for_ever_are_left_alone(void **state)
{
	struct cr_text name = {0}, out = {0};

	(void)state;
	cr_text_puts(&name, "_D1aF");
	for (int i = 0; i < 60; i++)
		cr_text_puts(&name, "S1aF");
	assert_false(cr_demangle(name.p, &out));
	cr_text_clear(&name);
	cr_text_puts(&name, "_D1aFHii");
	for (int i = 0; i < 60; i++)
		cr_text_puts(&name, i == 0 ? "HQeQg" : "HQgQi");
	cr_text_puts(&name, "Zv");
	assert_false(cr_demangle(name.p, &out));
	cr_text_clear(&name);
	cr_text_puts(&name, "_D1aF");
	cr_text_pad(&name, 'P', 50000);
	cr_text_puts(&name, "iZv");
	assert_false(cr_demangle(name.p, &out));
	assert_int_equal(out.len, 0);
	cr_text_fini(&name);
	cr_text_fini(&out);
}

static void
test_names_of_java_and_go_are_tidied(void **state)
{
	static const struct {
		const char *name, *want;
	} cases[] = {
		{"Lcom/foo/Bar;baz(I)V", "com.foo.Bar.baz(int)"},
		{"Lcom/foo/Bar;<init>([[Ljava/lang/String;JLa;)V",
			"com.foo.Bar.<init>(java.lang.String[][], long, a)"},
		{"Lcom/foo/Bar$1;::baz", "com.foo.Bar$1.baz"},
		{"Lcom/foo/Bar;::baz()[I", "com.foo.Bar.baz()"},
		{"L", NULL},
		{"Lx", NULL},
		{"Lcom/foo/Bar;", NULL},
		{"L;x", NULL},
		{"La;x(", NULL},
		{"La;x(X)V", NULL},
		{"La;x(Lb", NULL},
		{"La;x[", NULL},
		{"LZ4_compress", NULL},
		{"gopkg.in/yaml%2ev2.(*T).Unmarshal", "gopkg.in/yaml.v2.(*T).Unmarshal"},
		{"a/b%25c%e2%82%ac.f", "a/b%c\xe2\x82\xac.f"},
		{"runtime\xc2\xb7morestack", "runtime.morestack"},
		{"sync\xe2\x88\x95"
		 "atomic\xc2\xb7Load",
			"sync/atomic.Load"},
		{"main.main", NULL},
		{"main.Map[go.shape.int_0]", NULL},
		{"a%", NULL},
		{"a%2", NULL},
		{"a%41.f", NULL},
		{"a%00.f", NULL},
		{"a%2E.f", NULL},
		{"\xc2", NULL},
		{"\xe2\x88", NULL},
		{"gr\xc3\xb6\xc3\x9f"
		 "e",
			NULL},
	};
	struct cr_text out = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		assert_int_equal(cr_demangle(cases[i].name, &out), cases[i].want != NULL);
		assert_string_equal(out.p ? out.p : "", cases[i].want ? cases[i].want : "");
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
		"_D3foo__T3barTiVii7Vbi1VAyaa3_610a62VdeC8P2VxAiA2i1N2Z3barMxFDFNaQBjZvS3foo3BazZv",
		"Lcom/foo/Bar;baz([ILa/B;)V",
		"gopkg.in/yaml%2ev2.f",
	};
	struct cr_text out = {0}, again = {0};
	unsigned n_read = 0, n_refused = 0;
	uint64_t seed = 3;

	(void)state;
	for (size_t i = 0; i < CR_LEN(names); i++)
		for (int round = 0; round < 2000; round++) {
			const size_t len = strlen(names[i]);
			char *name = cr_memdup(names[i], len); /* of its exact size */

			seed = seed * 6364136223846793005u + 1442695040888963407u;
			name[(seed >> 33) % len] = (char)(1 + (seed >> 20) % 255);
			name[(seed >> 43) % len] = (char)(seed >> 56);
			if (cr_demangle(name, &out)) {
				n_read++;
				assert_in_range(out.len, 1, 65536);
				assert_int_equal(strlen(out.p), out.len);
				assert_true(cr_demangle(name, &again));
				assert_string_equal(again.p, out.p);
			} else {
				n_refused++;
				assert_int_equal(out.len, 0);
			}
			free(name);
		}
	print_message("%u read, %u refused\n", n_read, n_refused);
	assert_true(n_read > 100 && n_refused > 100);
	cr_text_fini(&out);
	cr_text_fini(&again);
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
		cmocka_unit_test(test_names_of_d_become_readable),
		cmocka_unit_test(test_names_of_d_that_take_for_ever_are_left_alone),
		cmocka_unit_test(test_names_of_java_and_go_are_tidied),
		cmocka_unit_test(test_names_that_are_too_long_are_left_alone),
		cmocka_unit_test(test_changed_bytes_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
