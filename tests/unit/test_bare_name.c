#include "testing.h"

#include "query/diff/bare_name.h"

static const struct {
	const char *name, *bare, *without_numbers;
} cases[] = {
	{"f", "f", "f"},
	{"", "", ""},
	{"f(int)", "f", "f"},
	{"f(int) const", "f", "f"},
	{"void f<int>(int)", "f<int>", "f<int>"},
	{"std::map<int, char> const& ns::f(int, (*)(int))", "ns::f", "ns::f"},
	{"operator new(unsigned long)", "operator new", "operator new"},
	{"A::operator()(int) const", "A::operator()", "A::operator()"},
	{"bool operator< <int>(A<int> const&)", "operator< <int>", "operator< <int>"},
	{"std::ostream& operator<<(std::ostream&, int)", "operator<<", "operator<<"},
	{"(anonymous namespace)::f(int)", "(anonymous namespace)::f", "(anonymous namespace)::f"},
	{"main::{lambda(int)#2}::operator()(int) const", "main::{lambda(int)#2}::operator()",
		"main::{lambda(int)}::operator()"},
	{"f[abi:cxx11](int)", "f", "f"},
	{"memcpy@@GLIBC_2.14", "memcpy", "memcpy"},
	{"@", "@", "@"},
	{"main.(*T).method", "main.(*T).method", "main.(*T).method"},
	{"<u64 as core::iter::Sum>::sum::{closure#0}", "<u64 as core::iter::Sum>::sum::{closure#0}",
		"<u64 as core::iter::Sum>::sum::{closure}"},
	{"f(int", "f(int", "f(int"}, /* brackets that do not match */
	{"f)int", "f)int", "f)int"},
	{"a->b", "a->b", "a->b"},
	{"#", "#", "#"},
};

static void
test_bare_names(void **state)
{
	struct cr_text out = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const uint32_t len = (uint32_t)strlen(cases[i].name);
		char *name = testing_exact(cases[i].name, len);

		cr_bare_name((struct cr_str){name, len}, false, &out);
		assert_str(cr_text_view(&out), cases[i].bare);
		cr_bare_name((struct cr_str){name, len}, true, &out);
		assert_str(cr_text_view(&out), cases[i].without_numbers);
		free(name);
	}
	cr_text_fini(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bare_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
