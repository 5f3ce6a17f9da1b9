#include "testing.h"

#include "model/build/tidy.h"

static void
test_a_name_loses_its_argument_list_and_nothing_else(void **state)
{
	static const struct {
		const char *name, *want;
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
		const struct cr_str got = cr_tidy_bare(cr_str_of(cases[i].name));
		char *text = cr_memdup(got.p ? got.p : "", got.len);

		assert_string_equal(text, cases[i].want);
		free(text);
	}
}

static void
test_a_name_is_parted_where_something_was_inlined(void **state)
{
	static const struct {
		const char *name, *want;
	} cases[] = {
		{"main", "main|"},
		{"a->b", "a|b|"},
		{"La/B;::f->Lc/D;::g->h", "La/B;::f|Lc/D;::g|h|"},
		{"a->", "a||"},
		{"->b", "|b|"},
		{"->", "||"},
		{"a->->b", "a||b|"},
		{"Ptr<X>::operator->() const", "Ptr<X>::operator->() const|"},
		{"Ptr<X>::operator->*(int)->f", "Ptr<X>::operator->*(int)|f|"},
		{"<fn() -> i32 as F>::f", "<fn() -> i32 as F>::f|"},
		{"a ->b", "a ->b|"},
		{"a-> b", "a-> b|"},
		{"a->b -> c->d", "a|b -> c|d|"},
		{"a-b>c", "a-b>c|"},
		{"a-", "a-|"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		char *exact = testing_exact(cases[i].name, strlen(cases[i].name));
		struct cr_str rest = {exact, (uint32_t)strlen(cases[i].name)}, part;
		struct cr_text got = {0};

		while (cr_tidy_part(&rest, &part)) {
			cr_text_str(&got, part);
			cr_text_char(&got, '|');
		}
		assert_string_equal(got.p, cases[i].want);
		cr_text_fini(&got);
		free(exact);
	}
}

static void
test_rust_names_lose_their_hash_and_their_escapes(void **state)
{
	static const struct {
		const char *name, *want;
	} cases[] = {
		{"core::fmt::write::h0123456789abcdef", "core::fmt::write"},
		{"_$LT$a..b..C$u20$as$u20$d..E$GT$::f::hfedcba9876543210", "<a::b::C as d::E>::f"},
		{"$LT$$RF$T$GT$::f::h0123456789ABCDEF", "<&T>::f"},
		{"_$LT$$u5b$T$u3b$$u20$4$u5d$$GT$::f::h0123456789abcdef", "<[T; 4]>::f"},
		{"a.b$x$..c$LT$::h0123456789abcdef",
			"a.b$x$..c$LT$"}, /* an escape that is not known */
		{"f$C$g$BP$$SP$::h0123456789abcdef", "f,g*@"},
		{"h0123456789abcdef", "h0123456789abcdef"},
		{"f::h0123456789abcde", "f::h0123456789abcde"},
		{"f::h0123456789abcdeg", "f::h0123456789abcdeg"},
		{"f::x0123456789abcdef", "f::x0123456789abcdef"},
		{"a..b", "a..b"},
		{"$LT$a", "$LT$a"},
		{"", ""},
	};
	struct cr_text room = {0};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		char *exact = testing_exact(cases[i].name, strlen(cases[i].name));

		assert_str(cr_tidy_rust(
				   (struct cr_str){exact, (uint32_t)strlen(cases[i].name)}, &room),
			cases[i].want);
		free(exact);
	}
	cr_text_fini(&room);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_name_loses_its_argument_list_and_nothing_else),
		cmocka_unit_test(test_a_name_is_parted_where_something_was_inlined),
		cmocka_unit_test(test_rust_names_lose_their_hash_and_their_escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
