#include "testing.h"
#include "testing_tree.h"

#include "query/fold/derived.h"
#include "query/table/chains.h"
#include "query/table/table.h"
#include "view/sheet/table_sheet.h"

#include <stdlib.h>

static const struct cr_profile no_profile;

/* "total self VALUE,VALUE" a row. */
static void
put_rows(const struct cr_table *h, struct cr_text *out)
{
	cr_text_puts(out, "");
	for (uint32_t i = 0; i < h->n; i++) {
		cr_text_printf(out, "%llu %llu ", (unsigned long long)h->rows[i].cost[0].total,
			(unsigned long long)h->rows[i].cost[0].self);
		for (uint32_t k = 0; k < h->spec->n_keys; k++) {
			const struct cr_table_value *v =
				cr_table_value(h, i, (enum cr_table_column)h->spec->keys[k]);

			cr_text_puts(out, k ? "," : "");
			cr_text_str(out, v->text);
			cr_text_puts(out, v->inlined ? "~" : "");
		}
		cr_text_char(out, '\n');
	}
}

static void
assert_rows(const char *text, const char *sort, bool children, const char *want)
{
	struct cr_tree *t = testing_tree(1, text);
	struct cr_err err = CR_ERR_INIT;
	struct cr_text have = {0};
	struct cr_table_spec spec;
	struct cr_table h;
	uint64_t self = 0;

	assert_int_equal(cr_table_parse(sort, NULL, children, &spec, &err), CR_OK);
	cr_table_make(&no_profile, t, 0, &spec, &h);
	put_rows(&h, &have);
	assert_string_equal(have.p, want);
	for (uint32_t i = 0; i < h.n; i++)
		self += h.rows[i].cost[0].self;
	assert_int_equal(
		self, t->total[0][0]); /* the selfs of every list of keys share out the whole */
	for (uint32_t n = 0; n < t->n; n++)
		assert_true(h.node_row[n] == UINT32_MAX || h.node_row[n] < h.n);
	cr_text_fini(&have);
	cr_table_fini(&h);
	cr_tree_free(t);
}

static void
test_a_sample_counts_once_in_a_total(void **state)
{
	(void)state;
	assert_rows("f;g;f;g;f 5\nf 2\ng;f 1\n", "sym", true, "8 8 f\n6 0 g\n");
	assert_rows("f!a;g!b;h!a 5\n", "dso", true, "5 5 a\n5 0 b\n");
}

/* Also where names are the same for many bytes, or one is the beginning of the other. */
static void
test_rows_of_one_cost_are_by_name(void **state)
{
	(void)state;
	assert_rows("part_of_that 1\npart_of_thatx 1\npart_of_ 1\nq 1\npart_of_this 1\nb 1\n",
		"sym", false,
		"1 1 b\n1 1 part_of_\n1 1 part_of_that\n1 1 part_of_thatx\n1 1 part_of_this\n"
		"1 1 q\n");
	assert_rows("same!x 1\nsame!a 1\nother!x 1\nmore!x 2\n", "dso,sym", false,
		"2 2 x,more\n1 1 a,same\n1 1 x,other\n1 1 x,same\n");
	assert_rows("same!x 1\nsame!a 1\nother!x 1\nmore!x 2\n", "sym,dso", false,
		"2 2 more,x\n1 1 other,x\n1 1 same,a\n1 1 same,x\n");
}

static void
test_rows_are_told_apart_by_all_keys(void **state)
{
	static const char text[] =
		"@x;f!libc;g!libc 3\n@x;f!libc 1\n@y;h!prog;f!libc 2\n@y;k!prog 5\n@y 4\n";

	(void)state;
	assert_rows(text, "comm", true, "11 11 y\n4 4 x\n");
	assert_rows(text, "dso", true, "7 5 prog\n6 6 libc\n4 4 [unknown]\n");
	assert_rows(text, "comm,sym", true,
		"5 5 y,k\n4 4 y,(no stack)\n4 1 x,f\n3 3 x,g\n2 0 y,h\n2 2 y,f\n");
	assert_rows(
		text, "sym,comm", false, "5 5 k,y\n4 4 (no stack),y\n3 3 g,x\n2 2 f,y\n4 1 f,x\n");
}

/* "TOTAL SELF of each side, VALUE ..." a row. */
static void
assert_beside(uint32_t main, bool children, const char *want)
{
	/* The last one has a name of its own and one dso of the others. */
	static const char *const texts[] = {"@x;f!lib;g!lib 3\n@y;h!prog 1\n", "@x;f!lib 2\n",
		"@y;h!prog;f!lib 5\n@z;i!lib 5\n"};
	struct cr_tree *t[CR_LEN(texts)];
	struct cr_table parts[CR_LEN(texts)], h;
	struct cr_err err = CR_ERR_INIT;
	struct cr_text have = {0};
	struct cr_table_spec spec;

	assert_int_equal(cr_table_parse("comm,dso,sym", NULL, children, &spec, &err), CR_OK);
	for (size_t i = 0; i < CR_LEN(texts); i++) {
		t[i] = testing_tree(1, texts[i]);
		cr_table_make(&no_profile, t[i], 0, &spec, &parts[i]);
	}
	cr_table_beside(parts, CR_LEN(texts), main, &spec, t[main], &h);
	assert_int_equal(h.sides, CR_LEN(texts));
	for (uint32_t i = 0; i < h.n; i++) {
		for (uint32_t s = 0; s < h.sides; s++)
			cr_text_printf(&have, "%d/%d ", (int)h.rows[i].cost[s].total,
				(int)h.rows[i].cost[s].self);
		cr_text_str(&have, cr_table_value(&h, i, CR_TABLE_COMM)->text);
		cr_text_char(&have, ' ');
		cr_text_str(&have, cr_table_value(&h, i, CR_TABLE_SYM)->text);
		cr_text_char(&have, '\n');
	}
	assert_string_equal(have.p, want);
	/* Nodes and frames are those of the main side's tree. */
	for (uint32_t n = 0; n < t[main]->n; n++)
		if (h.node_row[n] != UINT32_MAX)
			assert_true(cr_str_eq(cr_table_value(&h, h.node_row[n], CR_TABLE_SYM)->text,
				t[main]->frames[t[main]->frame[n]].name));
	for (uint32_t i = 0; i < h.n; i++)
		assert_true(cr_table_frame(&h, i) == 0 ||
			    cr_str_eq(cr_table_value(&h, i, CR_TABLE_SYM)->text,
				    t[main]->frames[cr_table_frame(&h, i)].name));
	for (size_t s = 0; s < CR_LEN(texts); s++)
		assert_int_equal(h.whole[s], t[s]->total[0][0]);
	cr_text_fini(&have);
	cr_table_fini(&h);
	for (size_t i = 0; i < CR_LEN(texts); i++) {
		cr_table_fini(&parts[i]);
		cr_tree_free(t[i]);
	}
}

static void
test_tables_of_events_stand_side_by_side(void **state)
{
	(void)state;
	assert_beside(0, false,
		"3/3 0/0 0/0 x g\n1/1 0/0 0/0 y h\n0/0 2/2 0/0 x f\n0/0 0/0 5/5 y f\n"
		"0/0 0/0 5/5 z i\n");
	assert_beside(2, true,
		"1/1 0/0 5/0 y h\n0/0 0/0 5/5 z i\n0/0 0/0 5/5 y f\n3/0 2/2 0/0 x f\n"
		"3/3 0/0 0/0 x g\n");
}

static void
test_what_is_inlined_is_a_row_of_its_own(void **state)
{
	(void)state;
	assert_rows("f;~g 3\nf;g 1\n", "sym", true, "4 0 f\n3 3 g~\n1 1 g\n");
}

static void
test_a_caller_stands_above_what_it_calls(void **state)
{
	(void)state;
	assert_rows("z;y;x 7\n", "sym", true, "7 0 z\n7 0 y\n7 7 x\n");
	assert_rows("z;y;x 7\n", "sym", false,
		"7 7 x\n"); /* of selfs who was only called from is no row */
}

static void
test_folders_are_not_part_of_an_object(void **state)
{
	(void)state;
	assert_rows("f!/usr/lib/a.so 1\ng!/opt/a.so 2\n", "dso", true, "3 3 a.so\n");
}

static void
test_modules_go_by_the_kernels_names(void **state)
{
	static const struct cr_frame frames[] = {
		{.name = {"all", 3}, .kind = CR_KIND_GROUP},
		{.name = {"f", 1},
			.dso = {"/lib/modules/6.1/nf-tables.ko.xz", 32},
			.kind = CR_KIND_MODULE},
		{.name = {"g", 1}, .dso = {"[ext4]", 6}, .kind = CR_KIND_MODULE},
	};
	struct cr_tree_builder *tb = cr_tree_builder_new(1, frames, CR_LEN(frames));
	struct cr_err err = CR_ERR_INIT;
	struct cr_text have = {0};
	struct cr_table_spec spec;
	struct cr_tree *t;
	struct cr_table h;

	(void)state;
	for (uint32_t i = 1; i < CR_LEN(frames); i++)
		cr_tree_builder_add(tb, cr_tree_builder_child(tb, 0, i), 0, i, i);
	t = cr_tree_builder_finish(tb, NULL);
	assert_int_equal(cr_table_parse("dso", NULL, true, &spec, &err), CR_OK);
	cr_table_make(&no_profile, t, 0, &spec, &h);
	put_rows(&h, &have);
	assert_string_equal(have.p, "2 2 [ext4]\n1 1 [nf_tables]\n");
	cr_text_fini(&have);
	cr_table_fini(&h);
	cr_tree_free(t);
}

static void
assert_list(const uint8_t *have, uint32_t n, const char *want)
{
	struct cr_text t = {0};

	cr_text_puts(&t, "");
	for (uint32_t i = 0; i < n; i++)
		cr_text_printf(&t, "%s%d", i ? " " : "", have[i]);
	assert_string_equal(t.p, want);
	cr_text_fini(&t);
}

static void
test_lists_of_words_say_columns_and_order(void **state)
{
	static const struct {
		const char *sort, *fields;
		bool children;
		const char *columns, *order; /* of enum cr_table_column */
	} cases[] = {
		{"comm,dso,sym", NULL, true, "0 1 8 21 22", "0 1 8 21 22"},
		{"comm,dso,symbol", NULL, false, "1 8 21 22", "1 8 21 22"},
		{"sym,sym,function", NULL, false, "1 22", "1 22"},
		{"sym,overhead_children", NULL, false, "1 0 22", "1 22 0"},
		{NULL, "sym,overhead", true, "22 1", "22 1"},
		{"comm", "+period,sample", true, "0 1 5 4 8", "0 1 8 5 4"},
		{"dso", "overhead,sample,sym", true, "1 4 22 21", "21 1 4 22"},
		{"pid,tid", NULL, false, "1 9", "1 9"},
	};

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++) {
		struct cr_err err = CR_ERR_INIT;
		struct cr_table_spec spec;

		assert_int_equal(cr_table_parse(cases[i].sort, cases[i].fields, cases[i].children,
					 &spec, &err),
			CR_OK);
		assert_list(spec.columns, spec.n_columns, cases[i].columns);
		assert_list(spec.order, spec.n_order, cases[i].order);
	}
}

static void
test_words_that_make_no_rows_are_refused(void **state)
{
	static const struct {
		const char *sort, *fields;
		int code;
	} cases[] = {
		{"next_comm", NULL, CR_OK}, /* a field of the event, maybe */
		{"next_comm,prev_comm", NULL, CR_OK},
		{"a,b,c,d,e,f,g,h", NULL, CR_OK},
		{"a,b,c,d,e,f,g,h,i", NULL, CR_EUSAGE}, /* too many fields */
		{"time/10ms,parent/^a", NULL, CR_OK},
		{"time/10", NULL, CR_EUSAGE},
		{"parent/(", NULL, CR_EUSAGE},
		{"mem/1", NULL, CR_EUSAGE},
		{"overhead", NULL, CR_EUSAGE},
		{",,", NULL, CR_EUSAGE},
		{"", "", CR_EUSAGE},
	};

	char word[CR_TABLE_FIELD_BYTES + 1];
	struct cr_err err = CR_ERR_INIT;
	struct cr_table_spec spec;

	(void)state;
	for (size_t i = 0; i < CR_LEN(cases); i++)
		assert_int_equal(cr_table_parse(cases[i].sort, cases[i].fields, true, &spec, &err),
			cases[i].code);
	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_int_equal(cr_table_parse(word, NULL, true, &spec, &err), CR_EUSAGE);
}

/* ---- chains */

/* Of the row of a function "WEIGHT a;b;c" a line, in the order that they are printed in. */
static void
assert_chains(const char *text, const char *function, struct cr_chain_opts o, const char *want)
{
	struct cr_tree *t = testing_tree(1, text);
	struct cr_err err = CR_ERR_INIT;
	struct cr_text have = {0};
	struct cr_table_spec spec;
	struct cr_chains *c;
	struct cr_chain *chains;
	struct cr_table h;

	assert_int_equal(cr_table_parse("sym", NULL, true, &spec, &err), CR_OK);
	cr_table_make(&no_profile, t, 0, &spec, &h);
	o.value = CR_CHAIN_PERIOD;
	c = cr_chains_new(t, &h, &o);
	for (uint32_t i = 0; i < h.n; i++) {
		uint32_t n;

		if (!cr_str_eq(cr_table_value(&h, i, CR_TABLE_SYM)->text, cr_str_of(function)))
			continue;
		n = cr_chains_of(c, i, &chains);
		cr_chain_text(t, chains, n, &o, h.whole[0], false, 0, &have);
		free(chains);
	}
	assert_string_equal(have.p ? have.p : "", want);
	cr_text_fini(&have);
	cr_chains_free(c);
	cr_table_fini(&h);
	cr_tree_free(t);
}

static const char stacks[] = "@x;main;a;b 5\n@x;main;a 2\n@y;main;c;a;b;a 3\n";

static void
test_chains_begin_at_the_outermost_frame_or_at_the_row(void **state)
{
	const struct cr_chain_opts folded = {.mode = CR_CHAIN_FOLDED};

	(void)state;
	/* Sampled in a: whole stacks. Called from a: from a on. */
	assert_chains(stacks, "a", folded, "5 a;b\n3 main;c;a;b;a\n2 main;a\n");
	assert_chains(stacks, "b", folded, "5 main;a;b\n3 b;a\n");
	assert_chains(stacks, "main", folded, "5 main;a;b\n3 main;c;a;b;a\n2 main;a\n");
}

static void
test_chains_end_at_the_outermost_frame_when_callees_come_first(void **state)
{
	const struct cr_chain_opts folded = {.mode = CR_CHAIN_FOLDED, .callees_first = true};

	(void)state;
	assert_chains(stacks, "a", folded, "7 a;main\n3 a;b;a;c;main\n");
	assert_chains(stacks, "main", folded, "10 main\n");
}

static void
test_chains_of_self_are_of_what_was_sampled_there(void **state)
{
	const struct cr_chain_opts in = {.mode = CR_CHAIN_FOLDED, .self_only = true};
	const struct cr_chain_opts out = {
		.mode = CR_CHAIN_FOLDED, .self_only = true, .callees_first = true};

	(void)state;
	assert_chains(stacks, "a", in, "3 main;c;a;b;a\n2 main;a\n");
	assert_chains(stacks, "a", out, "3 a;b;a;c;main\n2 a;main\n");
	assert_chains(stacks, "main", in, "");
}

static void
test_light_chains_are_left_out(void **state)
{
	(void)state;
	assert_chains(stacks, "a",
		(struct cr_chain_opts){.mode = CR_CHAIN_FOLDED, .min_percent = 30},
		"5 a;b\n3 main;c;a;b;a\n");
	assert_chains(stacks, "a",
		(struct cr_chain_opts){.mode = CR_CHAIN_FOLDED, .print_limit = 1}, "5 a;b\n");
	assert_chains(stacks, "a",
		(struct cr_chain_opts){.mode = CR_CHAIN_FOLDED, .min_percent = 60}, "");
}

static void
test_a_graph_parts_where_chains_do(void **state)
{
	(void)state;
	assert_chains("r;s;a 6\nr;s;b;c 3\nr;s;b 1\n", "r",
		(struct cr_chain_opts){.mode = CR_CHAIN_GRAPH},
		"            |\n"
		"            ---r\n"
		"               s\n"
		"               |          \n"
		"               |--6--a\n"
		"               |          \n"
		"                --4--b\n"
		"                          |          \n"
		"                           --3--c\n"
		"\n");
}

static void
test_levels_stand_above_what_is_in_them(void **state)
{
	struct cr_tree *t = testing_tree(1, "@x;f!a;g!b 3\n@x;f!a 1\n@y;f!a 9\n");
	struct cr_err err = CR_ERR_INIT;
	struct cr_table_line *lines;
	struct cr_table_cost *costs;
	struct cr_table_spec spec;
	struct cr_text have = {0};
	struct cr_table h;
	uint32_t n;

	(void)state;
	assert_int_equal(cr_table_parse("comm,dso,sym", NULL, false, &spec, &err), CR_OK);
	cr_table_make(&no_profile, t, 0, &spec, &h);
	lines = cr_table_levels(&h, &n, &costs);
	for (uint32_t i = 0; i < n; i++) {
		cr_text_printf(&have, "%llu ", (unsigned long long)lines[i].cost[0].self);
		cr_text_pad(&have, ' ', lines[i].level);
		cr_text_str(&have, cr_table_value(&h, lines[i].row,
					   (enum cr_table_column)spec.keys[lines[i].level])
					   ->text);
		cr_text_char(&have, '\n');
	}
	assert_string_equal(have.p, "9 y\n9  a\n9   f\n4 x\n3  b\n3   g\n1  a\n1   f\n");
	cr_text_fini(&have);
	free(lines);
	free(costs);
	cr_table_fini(&h);
	cr_tree_free(t);
}

static void
test_a_list_of_all_columns_leaves_the_others_alone(void **state)
{
	struct cr_text words = {0};
	struct cr_err err = CR_ERR_INIT;
	struct cr_table_spec spec;

	(void)state;
	for (size_t i = 0; cr_table_word(i); i++)
		if (!cr_derived_find(cr_str_of(cr_table_word(i))))
			cr_text_printf(&words, "%s,", cr_table_word(i));
	cr_text_puts(&words, "mem,time,parent"); /* and five others: all fields */
	assert_int_equal(cr_table_parse(words.p, words.p, true, &spec, &err), CR_OK);
	assert_int_equal(spec.n_columns, CR_TABLE_FUNCTION); /* all before the merged keys */
	assert_int_equal(spec.n_order, CR_TABLE_FUNCTION);
	assert_int_equal(spec.order[0], CR_TABLE_SELF);
	assert_int_equal(spec.keys[0], CR_TABLE_COMM);
	cr_text_fini(&words);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_list_of_all_columns_leaves_the_others_alone),
		cmocka_unit_test(test_a_sample_counts_once_in_a_total),
		cmocka_unit_test(test_rows_of_one_cost_are_by_name),
		cmocka_unit_test(test_rows_are_told_apart_by_all_keys),
		cmocka_unit_test(test_tables_of_events_stand_side_by_side),
		cmocka_unit_test(test_what_is_inlined_is_a_row_of_its_own),
		cmocka_unit_test(test_a_caller_stands_above_what_it_calls),
		cmocka_unit_test(test_folders_are_not_part_of_an_object),
		cmocka_unit_test(test_modules_go_by_the_kernels_names),
		cmocka_unit_test(test_lists_of_words_say_columns_and_order),
		cmocka_unit_test(test_words_that_make_no_rows_are_refused),
		cmocka_unit_test(test_chains_begin_at_the_outermost_frame_or_at_the_row),
		cmocka_unit_test(test_chains_end_at_the_outermost_frame_when_callees_come_first),
		cmocka_unit_test(test_chains_of_self_are_of_what_was_sampled_there),
		cmocka_unit_test(test_light_chains_are_left_out),
		cmocka_unit_test(test_a_graph_parts_where_chains_do),
		cmocka_unit_test(test_levels_stand_above_what_is_in_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
