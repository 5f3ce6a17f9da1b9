#include "testing.h"

#include "query/lang/query.h"

#include <stdio.h>

static char *
printed(const struct cr_query *q)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "");
	cr_query_print(q, &t);
	return t.p;
}

/* Texts that are taken, and what they are when printed; the same for NULL. */
static void
test_a_text_is_read_and_printed(void **state)
{
	static const char *const cases[][2] = {
		{"", NULL},
		{"event cycles:u; comm nginx; time 3s..5s; focus ^ext4_; recursion direct; invert",
			NULL},
		{" ; focus  a b ; ;invert; ", "focus a b; invert"},
		{"focus a;b; invert", "focus \"a;b\"; invert"},
		{"focus a\\; b", "focus \"a\\\\; b\""},
		{"pid 1,2;tid -1", "pid 1,2; tid -1"},
		{"root-at a;b\\;c; invert", "root-at \"a;b\\\\;c\"; invert"},
		{"drop \"x; \\\\\\\"y\\x1b\\x00\"", ""},
		{"drop \"x; \\\\\\\"y\\x1b\"", NULL},
		{"drop \"plain\" ; invert", "drop plain; invert"},
		{"comm \"\"", NULL},
		{"comm \" a\"", NULL},
		{"comm \xc3\xa9", NULL},
		{"comm \xe9", "comm \"\\xe9\""},
		{"event a; comm x; event b", "comm x; event b"},
		{"group pid,comm; group none", "group none"},
		{"group field; group other", "group other"},
		{"where a=b=c", NULL},
		{"focus object:^/lib/; focus =operator=; hide file:x.c", NULL},
		{"hide object::f(", ""}, /* a pattern of names, and a bad one */
		{"focus object:(", ""},
		{"focus (", ""},
		{"focus =(", NULL},
		{"focus", ""},
		{"foo bar", ""},
		{"invert x", ""},
		{"recursion some", ""},
		{"mode user; mode kernel", NULL},
		{"mode guest", ""},
		{"mode user,kernel", NULL},
		{"mode user,", ""},
		{"focus group:=a; ignore group:^b", NULL},
		{"hide group:a", ""},
		{"group none,pid", ""},
		{"cpu 1-,7", NULL},
		{"grain lines", ""},
		{"group pid,pid", ""},
		{"group a,b", ""},
		{"group pid,", ""},
		{"where a", ""},
		{"where =a", ""},
		{"cpu 3-1", ""},
		{"cpu 1,,2", ""},
		{"cpu 99999999999", ""},
		{"drop \"x", ""},
		{"drop \"x\" y", ""},
		{"drop \"\\q\"", ""},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		const char *want = cases[i][1] ? cases[i][1] : cases[i][0];
		struct cr_err err = CR_ERR_INIT;
		struct cr_query q = {0};
		const int rc = cr_query_parse(&q, cases[i][0], &err);
		char *text = printed(&q);

		assert_string_equal(text, want);
		assert_int_equal(rc, *want || !*cases[i][0] ? CR_OK : CR_EUSAGE);
		assert_int_equal(rc == CR_OK, err.text[0] == '\0');
		free(text);
		cr_query_fini(&q);
	}
}

/* Any bytes are an argument, and read back as they were. */
static void
test_odd_arguments_read_back(void **state)
{
	static const enum cr_word words[] = {
		CR_WORD_COMM, CR_WORD_DROP, CR_WORD_EVENT, CR_WORD_DSO, CR_WORD_CALLERS};
	static const char alphabet[] = "ab ;;\\\"\t\n\x1b\xc3\xa9\x7f=-";
	uint32_t seed = 3;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_query q = {0}, back = {0};
		char *text;

		for (int i = 0; i < 3; i++) {
			char arg[12] = "";

			for (size_t k = 0; k < 1 + (seed >> 24) % 10; k++) {
				seed = seed * 1664525 + 1013904223;
				arg[k] = alphabet[(seed >> 16) % (sizeof(alphabet) - 1)];
			}
			assert_int_equal(
				cr_query_add(&q, words[(seed >> 20) % CR_LEN(words)], arg, &err),
				CR_OK);
		}
		text = printed(&q);
		assert_int_equal(cr_query_parse(&back, text, &err), CR_OK);
		assert_true(cr_query_same(&q, &back, CR_WORD_ANY));
		free(text);
		cr_query_fini(&q);
		cr_query_fini(&back);
	}
}

static void
test_times_are_spans_of_seconds_or_shares(void **state)
{
	static const struct {
		const char *text;
		uint64_t from, to; /* 0, 0: refused */
		bool is_share;
	} cases[] = {
		{"3s..5s", 3000000000, 5000000000, false},
		{"3..5", 3000000000, 5000000000, false},
		{"3-5", 3000000000, 5000000000, false},
		{"..10ms", 0, 10000000, false},
		{"2.5..", 2500000000, UINT64_MAX, false},
		{".5..1", 500000000, 1000000000, false},
		{"100us..1s", 100000, 1000000000, false},
		{"7ns..8.9ns", 7, 8, false},
		{"10%..20%", 100000, 200000, true},
		{"12.5%-20%", 125000, 200000, true},
		{"50%..", 500000, 1000000, true},
		{"..25%", 0, 250000, true},
		{"5..3", 0, 0, false},
		{"3..3", 0, 0, false},
		{"..", 0, 0, false},
		{"", 0, 0, false},
		{"3", 0, 0, false},
		{"a..b", 0, 0, false},
		{"3..5x", 0, 0, false},
		{"3..5...", 0, 0, false},
		{"1.2.3..5", 0, 0, false},
		{"10%..20", 0, 0, false},
		{"10%..120%", 0, 0, false},
		{"1..99999999999999999999", 0, 0, false},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_query q = {0};
		const int rc = cr_query_add(&q, CR_WORD_TIME, cases[i].text, &err);

		assert_int_equal(rc, cases[i].to ? CR_OK : CR_EUSAGE);
		if (rc == CR_OK) {
			const struct cr_times *t = &cr_query_filter(&q)->times;

			assert_int_equal(t->n, 1);
			assert_int_equal(t->p[0].from, cases[i].from);
			assert_int_equal(t->p[0].to, cases[i].to);
			assert_int_equal(t->p[0].is_share, cases[i].is_share);
		}
		cr_query_fini(&q);
	}
}

static void
test_steps_come_to_a_filter_and_a_way_to_fold(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_query q = {0};
	const struct cr_filter *f;
	struct cr_fold_opts o = cr_query_opts(&q);

	(void)state;
	assert_int_equal(o.groups[0], CR_GROUP_USUAL);
	assert_int_equal(cr_query_parse(&q,
				 "comm a; comm b; pid 1,5-7; pid -1; cpu 3; mode user; where x=1; "
				 "where y=2; "
				 "grain line; group cpu,f; event e; focus z",
				 &err),
		CR_OK);
	f = cr_query_filter(&q);
	o = cr_query_opts(&q);
	assert_int_equal(f->comms.n, 2);
	assert_string_equal(f->comms.p[1], "b");
	assert_int_equal(f->pids.n, 3);
	assert_int_equal(f->pids.p[1].to, 7);
	assert_int_equal(f->pids.p[2].from, CR_ID_NONE);
	assert_int_equal(f->cpus.p[0].to, 3);
	assert_int_equal(f->modes, CR_MODE_USER);
	assert_int_equal(f->wheres.n, 2);
	assert_string_equal(f->event, "e");
	assert_int_equal(o.granularity, CR_GRANULARITY_LINE);
	assert_int_equal(o.n_groups, 2);
	assert_int_equal(o.groups[1], CR_GROUP_FIELD);
	assert_string_equal(o.fields[0], "f");
	cr_query_cut(&q, 1);
	assert_int_equal(cr_query_filter(&q)->comms.n, 1);
	assert_int_equal(cr_query_opts(&q).granularity, CR_GRANULARITY_FUNCTION);
	assert_true(cr_query_has(&q, CR_WORD_SELECTS));
	assert_false(cr_query_has(&q, CR_WORD_FOLDS | CR_WORD_TRANSFORMS));
	cr_query_fini(&q);
}

/* What is wrong leaves the query as it was. */
static void
test_a_text_is_taken_whole_or_not_at_all(void **state)
{
	struct cr_err err = CR_ERR_INIT;
	struct cr_query q = {0};
	char *text;

	(void)state;
	assert_int_equal(cr_query_parse(&q, "event a; comm x", &err), CR_OK);
	assert_int_equal(cr_query_parse(&q, "event b; comm y; cpu z", &err), CR_EUSAGE);
	assert_string_equal(err.text, "cpu: 'z' is not a list of numbers like 1,2,5-9");
	text = printed(&q);
	assert_string_equal(text, "event a; comm x");
	free(text);
	for (int i = 2; i < CR_QUERY_STEPS_MOST; i++)
		assert_int_equal(cr_query_add(&q, CR_WORD_INVERT, NULL, &err), CR_OK);
	assert_int_equal(cr_query_add(&q, CR_WORD_INVERT, NULL, &err), CR_ELIMIT);
	cr_query_fini(&q);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_text_is_read_and_printed),
		cmocka_unit_test(test_odd_arguments_read_back),
		cmocka_unit_test(test_times_are_spans_of_seconds_or_shares),
		cmocka_unit_test(test_steps_come_to_a_filter_and_a_way_to_fold),
		cmocka_unit_test(test_a_text_is_taken_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
