#include "view/style/label.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "testing_tree.h"

static void
test_a_name_is_made_to_fit_part_by_part(void **state)
{
	static const char cpp[] = "std::vector<int, std::allocator<int> >::push_back(int const&)";
	static const char rust[] = "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend";
	static const struct {
		const char *name;
		uint32_t cells;
		const char *want;
	} cases[] = {
		{cpp, 100, cpp},
		{cpp, 61, cpp},
		{cpp, 60, "std::vector<int, std::allocator<int> >::push_back"},
		{cpp, 48, "std::vector::push_back"},
		{cpp, 21, "vector::push_back"},
		{cpp, 16, "push_back"},
		{cpp, 9, "push_back"},
		{cpp, 8, "push\u2026ack"},
		{cpp, 6, "pus\u2026ck"},
		{cpp, 5, "push\u2026"},
		{cpp, 2, "p\u2026"},
		{cpp, 1, ""},
		{cpp, 0, ""},
		{rust, 52, "<alloc::vec::Vec as core::iter::Extend>::extend"},
		{rust, 20, "extend"},
		{"net/http.(*Client).Do", 20, "http.(*Client).Do"},
		{"org/apache/Foo:::bar", 18, "apache/Foo:::bar"},
		{"org/apache/Foo:::bar", 8, "bar"},
		{"app::run::{{closure}}", 20, "run::{{closure}}"},
		{"app::run::{{closure}}", 12, "run::{\u2026ure}}"},
		{"void ns::f<int>(int)", 19, "ns::f<int>"},
		{"void ns::f<int>(int)", 9, "ns::f"},
		{"std::map<int, long>& a::(anonymous namespace)::f<int>(int) const", 40,
			"a::(anonymous namespace)::f<int>"},
		{"void* operator new<int>(int)", 27, "operator new<int>"},
		{"void* a::operator<< <int>(int)", 29, "a::operator<< <int>"},
		{"bool operator==(int, int)", 20, "operator=="},
		{"JS:*run (anonymous) x", 20, "JS:*run"},
		{"JS:*run /opt/demo/small.js:2:111", 12, "JS:*ru\u20262:111"},
		{"/usr/lib/libc.so.6", 10, "libc.so.6"},
		{"x", 2, "x"},
		{"vfs_read_[k]", 20, "vfs_read"},
		{"best_match_5_6.constprop.0", 26, "best_match_5_6.constprop.0"},
		{"best_match_5_6.constprop.0", 25, "best_match_5_6"},
		{"best_match_5_6.constprop.0.isra.1.cold", 10, "best_\u2026_5_6"},
		{"f(int, long) [clone .isra.0]", 27, "f(int, long)"},
		{"f(int, long) [clone .isra.0]", 11, "f"},
		{"core::fmt::write::h0123456789abcdef", 30, "core::fmt::write"},
		{"core::fmt::write::h0123456789abcdef", 10, "fmt::write"},
		{"a_[0]", 20, "a_[0]"},
		{"_[k]", 20, "_[k]"},
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
	static const struct {
		const char *path, *want;
	} cases[] = {
		{"/usr/include/c++/12/bits/stl_algo.h", "bits/stl_algo.h"},
		{"src/a.c", "src/a.c"},
		{"a.c", "a.c"},
		{"/a.c", "/a.c"},
		{"/x/a.c", "x/a.c"},
		{"", ""},
		{"/", "/"},
		{"a/b/", "a/b/"},
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
	assert_string_equal(t.p, "\u4e2d\u2026\u5b57");
	cr_text_clear(&t);
	assert_int_equal(cr_label_fit(&t, CR_STR("\u4e2d\u6587\u540d\u5b57"), 5), 5);
	assert_string_equal(t.p, "\u4e2d\u6587\u2026");
	cr_text_clear(&t);
	/* A combining mark stays with its letter, also where the end begins. */
	assert_int_equal(cr_label_fit(&t, CR_STR("abcdefghe\u0301xyz"), 7), 7);
	assert_string_equal(t.p, "abc\u2026xyz");
	cr_text_clear(&t);
	assert_int_equal(cr_label_fit(&t, CR_STR("abcdefghe\u0301xyz"), 9), 9);
	assert_string_equal(t.p, "abcd\u2026e\u0301xyz");
	cr_text_fini(&t);
}

/* Whatever does not fit shows both ends, so that names of one family can be told apart. */
static void
test_names_that_differ_at_their_end_stay_apart(void **state)
{
	static const char *const names[] = {
		"ZSTD_RowFindBestMatch_noDict_5_4",
		"ZSTD_RowFindBestMatch_noDict_5_6",
		"ZSTD_RowFindBestMatch_noDict_6_4",
		"_mm_compress_block_fast_a.constprop.0",
		"_mm_compress_block_fast_b.constprop.0",
		"/build/a-long-folder-name/index.js:12",
		"/build/a-long-folder-name/index.js:13",
	};

	(void)state;
	for (uint32_t cells = 8; cells < 40; cells++)
		for (size_t i = 0; i < CR_LEN(names); i++)
			for (size_t k = 0; k < i; k++) {
				struct cr_text a = {0}, b = {0};

				cr_label_fit(&a, cr_str_of(names[i]), cells);
				cr_label_fit(&b, cr_str_of(names[k]), cells);
				assert_string_not_equal(a.p, b.p);
				cr_text_fini(&a);
				cr_text_fini(&b);
			}
}

static void
test_an_ascii_terminal_has_another_mark(void **state)
{
	struct cr_text t = {0};

	(void)state;
	cr_label_ascii(&t, 0);
	assert_int_equal(t.len, 0);
	cr_text_puts(&t, "\u2026a\u2026\u2026b\u2026");
	cr_label_ascii(&t, 3);
	assert_string_equal(t.p, "\u2026a~~b~");
	assert_int_equal(t.len, strlen(t.p));
	cr_label_ascii(&t, 0);
	assert_string_equal(t.p, "~a~~b~");
	cr_text_fini(&t);
}

static void
test_costs_are_told_as_samples_or_as_weights_of_sums(void **state)
{
	static const struct {
		uint32_t sides;
		const char *text, *unit;
		bool summed;
		const char *want;
	} cases[] = {
		{1, "a;b 1200\n", "cycles", false, "1 200 samples"},
		{1, "a;b 1200\n", "us", true, "1.2 ms"},
		{1, "a;b 1\n", "", true, "1 sample"},
		{2, "a;b 100 98\n", "samples", true, "100 -> 98 samples"},
		{2, "a;b 1 98\n", "samples", true, "1 sample -> 98 samples"},
		{2, "a;b 1500 1600\n", "us", true, "1.5 -> 1.6 ms"},
		{2, "a;b 900 1600\n", "us", true, "900.0 us -> 1.6 ms"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_tree *tree = testing_tree(cases[i].sides, cases[i].text);
		struct cr_text t = {0};

		cr_tree_set_measure(tree, (struct cr_measure){.unit = cr_str_of(cases[i].unit),
						  .summed = cases[i].summed});
		cr_label_costs(&t, tree, " -> ");
		assert_string_equal(t.p, cases[i].want);
		cr_text_fini(&t);
		cr_tree_free(tree);
	}
}

static void
test_a_difference_between_two_events_names_both(void **state)
{
	struct cr_tree *tree = testing_tree(2, "a;b 1500 3000\n");
	struct cr_text t = {0};

	(void)state;
	cr_label_event(&t, tree, " -> ");
	assert_string_equal(t.p, "cycles");
	cr_text_clear(&t);
	tree->before = (struct cr_measure){CR_STR("off-cpu"), CR_STR("us"), true};
	cr_label_event(&t, tree, " -> ");
	assert_string_equal(t.p, "off-cpu -> cycles");
	cr_text_clear(&t);
	cr_label_costs(&t, tree, " -> ");
	assert_string_equal(t.p, "1.5 ms -> 3 000 samples");
	cr_text_fini(&t);
	cr_tree_free(tree);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_name_is_made_to_fit_part_by_part),
		cmocka_unit_test(test_hostile_names_fit_and_hold_no_control_byte),
		cmocka_unit_test(test_a_path_is_shown_by_its_end),
		cmocka_unit_test(test_wide_characters_count_double),
		cmocka_unit_test(test_names_that_differ_at_their_end_stay_apart),
		cmocka_unit_test(test_an_ascii_terminal_has_another_mark),
		cmocka_unit_test(test_costs_are_told_as_samples_or_as_weights_of_sums),
		cmocka_unit_test(test_a_difference_between_two_events_names_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
