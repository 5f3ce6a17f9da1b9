#include "cresset/view/label.h"

#include "cresset/base/mem.h"
#include "cresset/base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void
test_a_name_loses_its_argument_list_and_nothing_else(void **state)
{
	static const struct { const char *name, *want;
	} cases[] = {
		{"main", "main"},
		{"", ""},
		{"main(int, char**)", "main"},
		{"(anonymous namespace)::leaf(int)", "(anonymous namespace)::leaf"},
		{"ns::(anonymous namespace)::mid(int) const", "ns::(anonymous namespace)::mid"},
		{"std::function<void (int, int)>::operator()(int, int) const",
			"std::function<void (int, int)>::operator"},
		{"Foo::operator()(int)", "Foo::operator"},
		{"bool operator< <int>(int, int)", "bool operator< <int>"},
		{"std::ostream& operator<< <char>(std::ostream&, char)",
			"std::ostream& operator<< <char>"},
		{"S::operator<=>(S const&) const", "S::operator<=>"},
		{"S::operator>>=(int)", "S::operator>>="},
		{"S::operator>(S const&)", "S::operator>"},
		{"Ptr<X>::operator->() const", "Ptr<X>::operator->"},
		{"Ptr<X>::operator->*(int)", "Ptr<X>::operator->*"},
		{"Foo::operator+(Foo const&)", "Foo::operator+"},
		{"operator new(unsigned long)", "operator new"},
		{"llvm::APInt::operator[](unsigned int) const", "llvm::APInt::operator[]"},
		{"my_operator<int>(int)", "my_operator<int>"},
		{"foo<(some_enum)0>::bar()", "foo<(some_enum)0>::bar"},
		{"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator"},
		{"net/http.(*Client).Do", "net/http.(*Client).Do"},
		{"main.(*T).m(0xc000010000)", "main.(*T).m"},
		{"<fn() -> i32 as core::ops::FnOnce>::call_once",
			"<fn() -> i32 as core::ops::FnOnce>::call_once"},
		{"<[u8; 8] as core::fmt::Debug>::fmt", "<[u8; 8] as core::fmt::Debug>::fmt"},
		{"LazyCompile:*fn (a) /x/y.js:3", "LazyCompile:*fn"},
		{"(below main)", "(below main)"},
		{"[libc (deleted).so]", "[libc (deleted).so]"},
		{"[unknown]", "[unknown]"},
		{"a>b>(c)", "a>b>"},
		{"f<", "f<"},
		{"f((", "f"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_str got = cr_label_bare(cr_str_of(cases[i].name));
		char *text = cr_memdup(got.p ? got.p : "", got.len);

		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

static void
test_a_name_is_made_to_fit_part_by_part(void **state)
{
	static const char cpp[] = "std::vector<int, std::allocator<int> >::push_back(int const&)";
	static const char rust[] = "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend";
	static const struct { const char *name; uint32_t cells; const char *want; } cases[] = {
		{cpp, 100, cpp},
		{cpp, 61, cpp},
		{cpp, 60, "std::vector<int, std::allocator<int> >::push_back"},
		{cpp, 48, "std::vector::push_back"},
		{cpp, 21, "vector::push_back"},
		{cpp, 16, "push_back"},
		{cpp, 9, "push_back"},
		{cpp, 8, "push_ba\u2026"},
		{cpp, 2, "p\u2026"},
		{cpp, 1, ""},
		{cpp, 0, ""},
		{rust, 52, "<alloc::vec::Vec as core::iter::Extend>::extend"},
		{rust, 20, "extend"},
		{"net/http.(*Client).Do", 20, "http.(*Client).Do"},
		{"org/apache/Foo:::bar", 18, "apache/Foo:::bar"},
		{"org/apache/Foo:::bar", 8, "bar"},
		{"app::run::{{closure}}", 20, "run::{{closure}}"},
		{"app::run::{{closure}}", 12, "run::{{clos\u2026"},
		{"void ns::f<int>(int)", 10, "void ns::f"},
		{"void ns::f<int>(int)", 9, "f"},
		{"JS:*run /opt/demo/small.js:2:111", 12, "JS:*run /op\u2026"},
		{"/usr/lib/libc.so.6", 10, "libc.so.6"},
		{"x", 2, "x"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_text t = {0};
		const uint32_t used = cr_label_fit(&t, cr_str_of(cases[i].name), cases[i].cells);

		assert_string_equal(t.p ? t.p : "", cases[i].want);
		assert_int_equal(used, cr_utf8_cells(cr_text_view(&t)));
		cr_text_fini(&t);
	}
}

static void
test_hostile_names_fit_and_hold_no_control_byte(void **state)
{
	static const char name[] = "a\x1b[31m<b\n\0c\xff\xfe\xe4\xb8\xad::d\x7f(<<>>";
	const size_t len = sizeof(name) - 1;

	(void)state;
	for (uint32_t from = 0; from < len; from++)
		for (uint32_t cells = 0; cells < 60; cells++) {
			char *p = cr_memdup(name + from, len - from);
			struct cr_text t = {0};
			const uint32_t used =
				cr_label_fit(&t, (struct cr_str){p, (uint32_t)(len - from)}, cells);

			assert_true(used <= cells);
			for (size_t i = 0; i < t.len; i++)
				assert_true((unsigned char)t.p[i] >= 0x20 && t.p[i] != 0x7f);
			cr_text_fini(&t);
			free(p);
		}
}

static void
test_a_path_is_shown_by_its_end(void **state)
{
	static const struct { const char *path, *want; } cases[] = {
		{"/usr/include/c++/12/bits/stl_algo.h", "bits/stl_algo.h"}, {"src/a.c", "src/a.c"}, {"a.c", "a.c"},
		{"/a.c", "/a.c"}, {"/x/a.c", "x/a.c"}, {"", ""}, {"/", "/"}, {"a/b/", "a/b/"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const struct cr_str have = cr_label_path(cr_str_of(cases[i].path));

		assert_int_equal(have.len, strlen(cases[i].want));
		assert_memory_equal(have.p, cases[i].want, have.len);
	}
}

static void
test_wide_characters_count_double(void **state)
{
	struct cr_text t = {0};

	(void)state;
	assert_int_equal(cr_label_fit(&t, CR_STR("\u4e2d\u6587\u540d\u5b57"), 6), 5);
	assert_string_equal(t.p, "\u4e2d\u6587\u2026");
	cr_text_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_name_loses_its_argument_list_and_nothing_else),
		cmocka_unit_test(test_a_name_is_made_to_fit_part_by_part),
		cmocka_unit_test(test_hostile_names_fit_and_hold_no_control_byte),
		cmocka_unit_test(test_a_path_is_shown_by_its_end),
		cmocka_unit_test(test_wide_characters_count_double),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
